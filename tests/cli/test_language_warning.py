"""Text in another language is processed with a warning."""

import subprocess
import sys

import pytest

from tests.conftest import EXAMPLES, ROOT
from tests.test_language import FOREIGN, HEADLINES

WARNING = "warning: {}: most words are not English, and the models support English only\n"
GERMAN = FOREIGN["German"]


@pytest.fixture
def write(tmp_path):
    def write(name, lines):
        file = tmp_path / name
        file.write_text("".join(f"{line}\n" for line in lines))
        return file

    return write


@pytest.mark.parametrize("workers", [0, 2])
def test_a_german_file_is_chunked_with_one_warning(ists, write, tmp_path, workers):
    file = write("de.txt", GERMAN * 30)
    outcome = ists("chunk", file, "-o", tmp_path / "out", "--workers", workers)
    assert (outcome.code, outcome.err) == (0, WARNING.format(file))
    assert len((tmp_path / "out").read_text().splitlines()) == len(GERMAN) * 30


def test_a_short_file_is_checked(ists, write):
    file = write("zh.txt", FOREIGN["Chinese"])
    assert ists("chunk", file).err == WARNING.format(file)


def test_pairs_are_checked(ists, write, tmp_path):
    one, two = write("1.txt", GERMAN), write("2.txt", GERMAN[::-1])
    outcome = ists("align", one, two, "--baseline", "-o", tmp_path / "out.wa")
    assert outcome.err == WARNING.format(f"{one} and {two}")


def test_given_chunks_are_checked(ists, write, tmp_path):
    lines = [" ".join(f"[ {word} ]" for word in line.split()) for line in GERMAN]
    one, two = write("1.chunk.txt", lines), write("2.chunk.txt", lines)
    outcome = ists("align", one, two, "--baseline", "-o", tmp_path / "out.wa")
    assert outcome.err == WARNING.format(f"{one} and {two}")


def test_a_pipe_is_named(write):
    done = subprocess.run(
        [sys.executable, "-m", "ists", "chunk"],
        input="\n".join(GERMAN),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stderr == WARNING.format("<stdin>")


def test_english_text_has_no_warning(ists, write):
    assert ists("chunk", EXAMPLES / "sentences.txt").err == ""
    assert ists("chunk", write("en.txt", HEADLINES)).err == ""


def test_two_sentences_are_checked(ists):
    outcome = ists("explain", GERMAN[0], " ".join(GERMAN[1:3]))
    assert outcome.err == WARNING.format("the sentences")
    assert ists("explain", "A tabby cat sleeps.", "A cat is sleeping.").err == ""


def test_scoring_does_not_check_the_language(ists, tmp_path):
    gold = (EXAMPLES / "gold.wa").read_text()
    file = tmp_path / "de.wa"
    file.write_text(gold.replace("the", "der"))
    assert ists("score", file, file).err == ""
