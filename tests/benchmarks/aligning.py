"""`ists align`, raw text in and `.wa` out, against the bare encoder on the same pairs."""

import io
import sys
import tempfile
from pathlib import Path

from ists import read
from ists.encoder import words_of
from ists.formats import wa
from ists.pipeline import Aligner
from tests.benchmarks.chunking import bare_encoder, read_all, seconds, session
from tests.benchmarks.material import cost_of, gold_file

_PAIRS = 320
_ROUNDS = 4
_BATCH = 32
_THREADS = 2


def run() -> None:
    pairs = [(str(pair.sentence1), str(pair.sentence2)) for pair in read(gold_file())]
    pairs = (pairs * (_PAIRS // len(pairs) + 1))[:_PAIRS]
    _against_the_encoder(pairs)
    _cold_and_large(pairs)


def _against_the_encoder(pairs: list[tuple[str, str]]) -> None:
    aligner = Aligner.load(threads=_THREADS)
    words = words_of(aligner.model)
    units = [words.unit(one.split(), two.split()) for one, two in pairs]
    with tempfile.TemporaryDirectory() as folder:
        bare = session(
            bare_encoder(aligner.model.file("reader.onnx"), Path(folder) / "bare.onnx"), _THREADS
        )
        times = [
            (
                seconds(lambda: read_all(bare, units, words, _BATCH)),
                seconds(lambda: wa.write(aligner.align_many(pairs, _BATCH), io.BytesIO())),
            )
            for _ in range(_ROUNDS)
        ]
    encoder, whole = (min(column) for column in zip(*times, strict=True))
    print(f"bare 8-bit encoder {len(pairs) / encoder:.0f} pairs/s, batch {_BATCH}")
    print(f"text to .wa        {len(pairs) / whole:.0f} pairs/s, ratio {encoder / whole:.2f}")


def _cold_and_large(pairs: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        costs = {}
        for count in (1, 1_000, 10_000):
            file = Path(folder) / f"{count}.tsv"
            chosen = (pairs * (count // len(pairs) + 1))[:count]
            text = "".join(f"{one}\t{two}\n" for one, two in chosen)
            file.write_text(text, encoding="utf-8", errors="surrogateescape")
            out = str(Path(folder) / "out.wa")
            costs[count] = cost_of(sys.executable, "-m", "ists", "align", str(file), "-o", out)
            print(
                f"{count:>6} pairs: {costs[count].wall:.1f} s wall, "
                f"{costs[count].cpu:.1f} s CPU, {costs[count].peak_mb:.0f} MB"
            )
        growth = costs[10_000].cpu / costs[1_000].cpu
        print(f"10,000 pairs cost {growth:.1f} times what 1,000 cost")
