"""`ists align`, raw text in and `.wa` out, against the bare encoder on the same pairs."""

import io
import sys
import tempfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from ists.encoder import words_of
from ists.formats import wa
from ists.formats.rows import RejectedItem
from ists.models import open_model
from ists.pipeline import DEFAULT_MODEL, KIND, Aligner
from ists.stages import watched
from tests.benchmarks.chunking import bare_encoder, read_all, seconds, session
from tests.benchmarks.material import corpus, cost_of

_PAIRS = 1_000
_ROUNDS = 4
_BATCH = 32
_WORKED_THROUGH = 4_000
"""Pairs enough for the start of a second process to be of no account."""


def run() -> None:
    pairs = corpus(_PAIRS)
    for threads in (1, 2):
        _against_the_encoder(pairs, threads)
    _time_by_stage(pairs)
    _growth(pairs)
    _cold_and_large()
    _workers()


def _against_the_encoder(pairs: list[tuple[str, str]], threads: int) -> None:
    """Measure in turns, so that other load on the machine affects all equally."""
    model = open_model(DEFAULT_MODEL, KIND)
    words = words_of(model)
    inputs = [words.encode(one.split(), two.split()) for one, two in pairs]
    with tempfile.TemporaryDirectory() as folder:
        bare = session(bare_encoder(model.file("reader.onnx"), Path(folder) / "bare.onnx"), threads)
        times = []
        for _ in range(_ROUNDS):
            aligner = _fresh_aligner(threads)
            times.append(
                (
                    seconds(lambda: read_all(bare, inputs, words, _BATCH)),
                    *(seconds(lambda a=aligner: _text_to_wa(a, pairs)) for _ in range(2)),
                )
            )
    encoder, first, again = (min(column) for column in zip(*times, strict=True))
    print(
        f"{threads} thread(s), batch {_BATCH}: bare 8-bit encoder {len(pairs) / encoder:.0f} "
        f"pairs/s; text to .wa: words new {len(pairs) / first:.0f} pairs/s, "
        f"ratio {encoder / first:.2f}; words met before {len(pairs) / again:.0f} pairs/s, "
        f"ratio {encoder / again:.2f}"
    )


def _fresh_aligner(threads: int) -> Aligner:
    """A loaded aligner with empty caches of words and chunks."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("ists.lexicon", "ists.labeler")):
            for value in vars(module).values():
                getattr(value, "cache_clear", lambda: None)()
    aligner = Aligner.load(threads=threads)
    aligner.align("A hen lays an egg.", "An owl sleeps.")
    return aligner


def _text_to_wa(aligner: Aligner, pairs: list[tuple[str, str]]) -> None:
    wa.write(aligner.align_many(pairs, batch_size=_BATCH), io.BytesIO())


def _time_by_stage(pairs: list[tuple[str, str]]) -> None:
    aligner = _fresh_aligner(threads=1)
    for words in ("new", "met before"):
        with watched() as stages:
            whole = seconds(lambda: _text_to_wa(aligner, pairs))
        print(f"words {words}:", stages.table(whole, len(pairs)), sep="\n")


def _growth(pairs: list[tuple[str, str]]) -> None:
    """Measure the cost per pair by length: concatenated sentences, both sides of equal length."""
    aligner = Aligner.load(threads=1)
    for tokens in (10, 25, 50, 100, 200):
        longer = [
            tuple(_first_words((some[side] for some in pairs[at:]), tokens) for side in (0, 1))
            for at in range(0, 64, 2)
        ]
        # Beyond 512 word pieces, pairs are rejected.
        longer = [p for p in longer if not isinstance(next(aligner.align_each([p])), RejectedItem)]
        aligned = list(aligner.align_many(longer, batch_size=_BATCH))
        cells = sum(len(p.chunks1) * len(p.chunks2) for p in aligned) / len(longer)
        spent = min(
            seconds(lambda some=longer: list(aligner.align_many(some, batch_size=_BATCH)))
            for _ in range(3)
        )
        print(
            f"{tokens:6.0f} tokens a sentence, {cells:6.0f} pairs of chunks: "
            f"{1000 * spent / len(longer):7.1f} ms ({len(longer)} pairs)"
        )


def _first_words(sentences: Iterable[str], count: int) -> list[str]:
    words = (word for sentence in sentences for word in sentence.split())
    return list(islice(words, count))


def _workers() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = _pairs_file(Path(folder), _WORKED_THROUGH)
        walls = {}
        for workers in ("1", "2", "0"):
            out = str(Path(folder) / f"{workers}.wa")
            walls[workers] = cost_of(
                *(sys.executable, "-m", "ists", "align", str(file), "-o", out),
                *("--workers", workers),
            ).wall
        print(
            f"{_WORKED_THROUGH} pairs: one worker {walls['1']:.1f} s, two {walls['2']:.1f} s: "
            f"{walls['1'] / walls['2']:.2f} times as fast; one process with all threads "
            f"{walls['0']:.1f} s"
        )


def _pairs_file(folder: Path, count: int) -> Path:
    file = folder / f"{count}.tsv"
    text = "".join(f"{one}\t{two}\n" for one, two in corpus(count))
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    return file


def _cold_and_large() -> None:
    with tempfile.TemporaryDirectory() as folder:
        costs = {}
        for count in (1, 1_000, 10_000):
            file = _pairs_file(Path(folder), count)
            out = str(Path(folder) / "out.wa")
            costs[count] = cost_of(sys.executable, "-m", "ists", "align", str(file), "-o", out)
            print(
                f"{count:>6} pairs: {costs[count].wall:.1f} s wall, "
                f"{costs[count].cpu:.1f} s CPU, {costs[count].peak_mb:.0f} MB"
            )
        growth = costs[10_000].cpu / costs[1_000].cpu
        print(f"10,000 pairs cost {growth:.1f} times what 1,000 cost")
