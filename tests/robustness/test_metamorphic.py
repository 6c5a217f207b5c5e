"""Changes of the text that should change nothing, or little, in the alignment.

Exchanged sentences and doubled blanks must change nothing. A final full stop or a capital at the
beginning of a sentence is seen by the network: the share of pairs whose links or labels it changes
is bounded by what was measured, so that it cannot grow unnoticed.
"""

import pytest

from ists import Aligner
from ists.chunker.tokens import tokenize
from tests.golden import outputs

PAIRS = [
    tuple(line.split("\t"))
    for line in outputs.PAIRS.read_text(encoding="utf-8").splitlines()
    if line.count("\t") == 1
]
MOST_BY_FULL_STOP = 0.25
MOST_BY_CAPITAL = 0.15


@pytest.fixture(scope="module")
def aligner():
    return Aligner.load(threads=1)


def alignment_of(pair, exchanged=False):
    """Links, labels and scores of a pair, without punctuation."""
    alignments = [a.exchanged() for a in pair.alignments] if exchanged else pair.alignments
    words = (pair.sentence1.words, pair.sentence2.words)[:: -1 if exchanged else 1]
    return {
        (
            a.chunk1.text(words[0]).casefold() if a.chunk1 else "",
            a.chunk2.text(words[1]).casefold() if a.chunk2 else "",
            a.label,
            a.score,
        )
        for a in alignments
        if any(
            c is not None and any(map(str.isalnum, c.text(w)))
            for c, w in zip((a.chunk1, a.chunk2), words, strict=True)
        )
    }


def share_changed(aligner, change, exchanged=False):
    before = [alignment_of(pair) for pair in aligner.align_many(PAIRS)]
    changed = [change(*pair) for pair in PAIRS]
    after = [alignment_of(pair, exchanged) for pair in aligner.align_many(changed)]
    return sum(a != b for a, b in zip(before, after, strict=True)) / len(PAIRS)


def test_exchanging_the_sentences_changes_nothing(aligner):
    assert share_changed(aligner, lambda one, two: (two, one), exchanged=True) == 0


def test_exchanging_the_sentences_changes_no_digit_of_the_similarity(aligner):
    there = [found.on("0-5") for found in aligner.similarity_many(PAIRS)]
    back = [found.on("0-5") for found in aligner.similarity_many([(b, a) for a, b in PAIRS])]
    assert there == back


def test_doubled_blanks_change_nothing(aligner):
    assert share_changed(aligner, lambda *pair: tuple(s.replace(" ", "  ") for s in pair)) == 0


def test_a_final_full_stop_changes_little(aligner):
    """Added where it is missing, to both sentences; the tokens stay those of the line."""

    def stopped(sentence):
        words = tokenize(sentence)
        return list(words[:-1]) if words[-1] == "." else [*words, "."]

    share = share_changed(aligner, lambda *pair: tuple(map(stopped, pair)))
    assert share <= MOST_BY_FULL_STOP


def test_the_case_of_the_first_letter_changes_little(aligner):
    def turned(sentence):
        first = sentence[:1]
        return (first.lower() if first.isupper() else first.upper()) + sentence[1:]

    share = share_changed(aligner, lambda *pair: tuple(map(turned, pair)))
    assert share <= MOST_BY_CAPITAL
