"""Sentences of any characters are chunked, aligned and written in every format, and read back."""

import gc
import io
import os
import signal
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.chunker.rendering import RENDERERS
from ists.chunker.tagger import Chunker
from ists.chunker.tokens import TOKENIZATIONS, tokenize
from ists.formats import jsonl, wa, xml
from ists.formats.problems import valid_pairs
from ists.pipeline import Aligner
from tests.conftest import ROOT

ODD = [
    "",
    " ",
    "\0 \x01 \x7f",
    "a\0b",
    "caf\udce9 closes, they say",
    "שלום עולם , the gate opens",
    "\u202eright to left\u202c and back .",
    "e\u0301" * 30 + " opens",
    "\u0301\u0302 \u200d \ufeff",
    "👩\u200d👩\u200d👧 walk , 🦀🦀",
    "日本語の文 is Japanese",
    "a\u2028b\x85c\x1cd \xa0 e",
    "[ A cat ] [ sits",
    "<==> // NIL // -not aligned-",
    '<sentence id="1"> & &amp; ]]>',
    "1 2 3,000 1e999 ½ ² Ⅻ ٣ 9" + "9" * 400,
    "-" * 200,
    "a" * 5000,
    "''''' `` '' n't 's",
    "%s %d {} {0} $HOME `id` ../..",
]


@pytest.fixture(scope="module")
def aligner():
    return Aligner.load(threads=1)


@pytest.fixture(scope="module")
def chunker():
    return Chunker.load(threads=1)


def assert_kept_in_every_format(pair):
    for module in (wa, jsonl, xml):
        stream = io.BytesIO()
        module.write([pair], stream)
        back = list(valid_pairs(module.scan(io.BytesIO(stream.getvalue()), "x"), "2015"))
        assert back == [pair]


@pytest.mark.parametrize("how", TOKENIZATIONS)
def test_odd_sentences_are_aligned_and_written(aligner, how):
    pairs = [(one, two) for one in ODD for two in (one, "A cat sits on 3 mats .")]
    for pair in aligner.align_many(pairs, tokens=how, why=True):
        assert not list(pair.problems("2015"))
        assert not list(pair.violations())
        assert_kept_in_every_format(pair)


@pytest.mark.parametrize("how", TOKENIZATIONS)
def test_odd_sentences_are_chunked_and_written(chunker, how):
    for sentence in chunker.chunk_many([tokenize(text, how) for text in ODD]):
        assert tuple(token for chunk in sentence.chunks for token in chunk) == sentence.tokens
        assert all(render(sentence, True).endswith(b"\n") for render in RENDERERS.values())


any_text = st.one_of(
    st.text(max_size=40),
    st.binary(max_size=40).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.lists(st.sampled_from([*ODD[2:], "cat", "not", "No.", "U.S.", "3"]), max_size=6).map(
        " ".join
    ),
)


@given(one=any_text, two=any_text, how=st.sampled_from(TOKENIZATIONS))
@settings(max_examples=60)
def test_any_two_texts_are_aligned(aligner, one, two, how):
    texts = [text.replace("\n", " ").replace("\r", " ")[:300] for text in (one, two)]
    (pair,) = aligner.align_many([tuple(texts)], tokens=how)
    assert not list(pair.problems("2015"))
    assert not list(pair.violations())


@given(st.text(max_size=60), st.sampled_from(TOKENIZATIONS))
def test_tokens_have_all_characters_but_white_space(text, how):
    assert "".join(tokenize(text, how)) == "".join(text.split())


def test_a_line_of_a_million_characters_is_tokenised():
    assert tokenize("cat, " * 200_001) == ("cat", ",") * 200_001


def test_many_pairs_do_not_increase_memory_or_open_files(aligner):
    """Memory and open files do not grow after the second round."""
    pairs = [(one, f"{two} {n}") for n in range(4) for one, two in pairwise(ODD)]

    def after_a_round() -> tuple[int, int]:
        for _ in aligner.align_many(pairs):
            pass
        gc.collect()
        return tracemalloc.get_traced_memory()[0], sum(1 for _ in Path("/proc/self/fd").iterdir())

    tracemalloc.start()
    try:
        after_a_round()
        (memory, files), (later, open_files) = after_a_round(), after_a_round()
    finally:
        tracemalloc.stop()
    assert open_files == files
    assert later < memory + (64 << 10)


def test_a_closed_pipe_is_not_an_error(tmp_path):
    file = tmp_path / "s.txt"
    file.write_text("A cat sleeps on the roof .\n" * 20_000)
    command = [sys.executable, "-m", "ists", "chunk", str(file), "--batch-size", "1"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline().startswith(b"[ A cat ]")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_an_interruption_exits_with_130(tmp_path):
    fifo = tmp_path / "in.txt"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "ists", "chunk", str(fifo), "-o", str(tmp_path / "out")]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process:
        with Path(fifo).open("wb"):
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 130
        assert process.stderr.read().split() == [b"interrupted"]
    assert list(tmp_path.iterdir()) == [fifo]
