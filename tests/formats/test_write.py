"""Written files can be read again."""

from dataclasses import replace

import pytest

from ists import Alignment, Chunk, FormatError, read, write
from tests.samples import CAT_PAIR

FORMATS = ["wa", "jsonl", "xml"]
FAR = Alignment(Chunk((99,)), None, "NOALI")


def with_alignment(alignment):
    return replace(CAT_PAIR, alignments=(alignment,))


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    ("alignment", "reason"),
    [
        (Alignment(Chunk((1,)), Chunk((1,)), "SIMI", 9), "score 9, expected a number from 0 to 5"),
        (Alignment(Chunk((1,)), Chunk((1,)), "SIMI", float("nan")), "score nan, expected a number"),
        (Alignment(Chunk((1,)), Chunk((1,)), "SIMI"), "NIL as the score of two aligned chunks"),
        (Alignment(Chunk((1,)), None, "EQUI", 5), "EQUI on an unaligned chunk"),
        (Alignment(Chunk(()), None, "NOALI"), "a chunk without tokens"),
        (FAR, "token 99 is past the end of sentence 1, which has 5 tokens"),
    ],
)
def test_a_pair_that_could_not_be_read_is_not_written(tmp_path, format_, alignment, reason):
    out = tmp_path / f"out.{format_}"
    with pytest.raises(FormatError, match=reason) as error:
        write([with_alignment(alignment)], out)
    assert str(error.value).startswith(f"{out}: pair 1: ")
    assert not out.exists()


def test_a_repeated_id_is_not_written(tmp_path):
    with pytest.raises(FormatError, match="pair 1: this id is already in the file"):
        write([CAT_PAIR, CAT_PAIR], tmp_path / "out.wa")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_2016_edition_ignores_the_length(tmp_path, format_):
    out = tmp_path / f"out.{format_}"
    write([with_alignment(FAR)], out, edition="2016")
    assert list(read(out, edition="2016")) == [with_alignment(FAR)]


def test_conversion_follows_the_edition(ists, tmp_path):
    source, out = tmp_path / "in.wa", tmp_path / "out.jsonl"
    write([with_alignment(FAR)], source, edition="2016")
    assert ists("convert", source, out).code == 1
    assert ists("convert", source, out, "--edition", "2016").code == 0


@pytest.mark.parametrize("pairs", [CAT_PAIR, None, 5])
def test_one_pair_instead_of_a_list_is_an_error(tmp_path, pairs):
    with pytest.raises(TypeError, match="expected a list or another iterable of pairs"):
        write(pairs, tmp_path / "out.wa")
    assert not list(tmp_path.iterdir())


def test_anything_but_a_pair_is_not_written(tmp_path):
    with pytest.raises(TypeError, match="a pair is 'A cat', expected a SentencePair"):
        write(["A cat"], tmp_path / "out.wa")
    assert not list(tmp_path.iterdir())


def test_an_unknown_edition_is_a_value_error(tmp_path):
    for run in (lambda: read("x.wa", edition="2017"), lambda: write([], "x.wa", edition="2017")):
        with pytest.raises(ValueError, match="edition is '2017', expected one of 2015, 2016"):
            run()
