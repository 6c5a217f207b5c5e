"""Real pairs of which only the chunks were annotated."""

from dataclasses import replace

import pytest

from ists import read
from ists.corpus.check import check
from ists.formats import jsonl, write
from ists.pairs import Alignment, Relation
from tests.corpus.conftest import TEXTS, real_pair
from tests.corpus.conftest import standoff as with_alignments


def without_alignments(pair):
    """The pair's chunks, none of them aligned."""
    alone = [Alignment(one, None, Relation.NOALI) for one in pair.chunks1]
    alone += [Alignment(None, one, Relation.NOALI) for one in pair.chunks2]
    return replace(pair, alignments=tuple(alone))


def write_chunked(corpus, *annotations):
    lines = [jsonl.line_of(one.to_json()) for one in annotations]
    (corpus.path / "chunked.jsonl").write_bytes(b"".join(lines))


@pytest.fixture
def chunked():
    whole = with_alignments()
    return replace(
        whole,
        pair=without_alignments(whole.pair),
        accepted=replace(whole.accepted, links=()),
    )


def test_a_corpus_without_them_has_none(corpus):
    assert corpus.chunked() == []


def test_they_are_built_with_their_sentences_beside_other_extra_pairs(
    ists, corpus, data, chunked, tmp_path
):
    write_chunked(corpus, chunked)
    outcome = ists("corpus", "build", data, "-o", tmp_path / "out", "--corpus", corpus.path)
    assert outcome.code == 0
    assert "extra/chunked.wa: 1 pairs" in outcome.err
    (pair,) = read(tmp_path / "out" / "extra" / "chunked.wa")
    assert (pair.chunks1, pair.chunks2) == (real_pair().chunks1, real_pair().chunks2)
    assert " ".join(pair.sentence2.words) == TEXTS[1]
    assert not pair.links


def test_they_are_not_built_without_real_pairs(ists, corpus, chunked, tmp_path):
    write_chunked(corpus, chunked)
    out = tmp_path / "out"
    ists("corpus", "build", "-o", out, "--only", "everyday", "--corpus", corpus.path)
    assert not (out / "extra").exists()


def test_those_with_words_of_a_pair_for_testing_are_left_out(ists, corpus, data, chunked, tmp_path):
    write_chunked(corpus, chunked)
    corpus.test.file("talk").parent.mkdir(parents=True)
    write([without_alignments(replace(real_pair(), id="1"))], corpus.test.file("talk"))
    outcome = ists("corpus", "build", data, "-o", tmp_path / "out", "--corpus", corpus.path)
    assert "extra/" not in outcome.err


def test_alignments_are_reported(corpus):
    write_chunked(corpus, replace(with_alignments(), line=1))
    assert "has alignments, expected chunks alone" in [one.reason for one in check(corpus)]


def test_a_pair_that_is_annotated_twice_is_reported(corpus, chunked):
    write_chunked(corpus, chunked)
    assert [one.reason for one in check(corpus)] == ["is a real pair with alignments as well"]


def test_a_pair_that_cannot_be_joined_is_reported(corpus, data, chunked):
    write_chunked(corpus, replace(chunked, line=1))
    assert [one.reason.partition(",")[0] for one in check(corpus, data)] == [
        "pair r1: the sentences are not those that were annotated"
    ]
