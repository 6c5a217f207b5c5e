import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import FormatError
from ists.formats.brackets import parse
from scorer.chunk_agreement import Agreement, Confusion, compare_chunks


def compare(gold: str, system: str):
    return compare_chunks([parse(gold)], [parse(system)])


def test_a_chunk_counts_only_if_both_boundaries_are_correct():
    report = compare("[ A cat ] [ sits ] [ on a mat ]", "[ A cat ] [ sits ] [ on ] [ a mat ]")
    assert report.chunks == Agreement(2, 3, 4)
    assert report.boundaries == Agreement(2, 2, 3)
    assert report.chunks.f1 == pytest.approx(4 / 7)


def test_confusions_have_the_token_and_an_example():
    report = compare("[ A cat ] [ sits ] [ on a mat ]", "[ A cat sits ] [ on ] [ a mat ]")
    assert report.commonest() == [(Confusion("extra", "a"), 1), (Confusion("missing", "sits"), 1)]
    (example,) = report.examples[Confusion("missing", "sits")]
    assert example == (1, "[ A cat ] [ sits ]", "[ A cat sits ]")


def test_equal_files_agree_in_full():
    report = compare("[ A cat ] [ sits ]", "[ A cat ] [ sits ]")
    assert (report.chunks.f1, report.boundaries.f1, report.identical) == (1, 1, 1)


def test_empty_sentences_are_sentences_too():
    assert compare_chunks([(), (("A",),)], [(), (("A",),)]).sentences == 2


@pytest.mark.parametrize(
    ("gold", "system", "words"),
    [
        (["[ A ]"], ["[ B ]"], "x.txt:1: the tokens differ from those"),
        (["[ A ]", "[ B ]"], ["[ A ]"], "x.txt:2: has fewer lines than the gold"),
        (["[ A ]"], ["[ A ]", "[ B ]"], "x.txt:2: has more lines"),
        ([], [], "no line to compare"),
    ],
)
def test_files_with_other_tokens_or_lines_are_rejected(gold, system, words):
    with pytest.raises(FormatError, match=words):
        compare_chunks(map(parse, gold), map(parse, system), "x.txt")


def cut(starts):
    chunks: list[list[str]] = []
    for number, start in enumerate(starts):
        if start or not chunks:
            chunks.append([])
        chunks[-1].append(str(number))
    return tuple(map(tuple, chunks))


two_ways_to_cut = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.booleans(), min_size=n, max_size=n)] * 2)
)


@given(two_ways_to_cut)
def test_agreement_is_symmetric(both):
    one, other = map(cut, both)
    there, back = compare_chunks([one], [other]), compare_chunks([other], [one])
    assert there.chunks.f1 == back.chunks.f1
    assert there.chunks.precision == back.chunks.recall
    assert sum(there.confusions.values()) == sum(back.confusions.values())
