from ists.aligner.baseline import align
from ists.formats.brackets import parse, unaligned_pair


def baseline(first: str, second: str):
    pair = unaligned_pair("1", parse(first), parse(second))
    return align("1", pair.sentence1, pair.sentence2, pair.chunks1, pair.chunks2)


def lines(pair):
    return [f"{a.comment} {a.label}" for a in pair.alignments]


def test_chunks_with_the_most_identical_tokens_are_equivalent():
    pair = baseline("[ A Cat ] [ sits ] [ . ]", "[ the cat ] [ sleeps ] [ . ]")
    assert lines(pair) == [
        "A Cat <==> the cat EQUI",
        "sits <==> -not aligned- NOALI",
        ". <==> -not aligned- NOALI",
        "-not aligned- <==> sleeps NOALI",
        "-not aligned- <==> . NOALI",
    ]
    assert pair.alignments[0].score == 5


def test_a_chunk_whose_partner_is_taken_is_alic():
    pair = baseline("[ red house ] [ on the red hill ]", "[ the red house ]")
    assert lines(pair) == [
        "red house <==> the red house EQUI",
        "on the red hill <==> -not aligned- ALIC",
    ]


def test_the_output_keeps_every_rule():
    pair = baseline("[ A Cat ] [ sits ] [ . ]", "[ the cat ] [ . ]")
    assert not list(pair.problems("2015"))
    assert not list(pair.violations())
