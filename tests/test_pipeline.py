import gc
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from ists import FormatError
from ists.explanation import explain
from ists.explanation.wording import as_written
from ists.formats import brackets
from ists.formats.sentences import InputSentence
from ists.pairs import Relation
from ists.pipeline import Aligner, BaselineAligner
from tests.conftest import EXAMPLES

PAIRS = [
    ("A tabby cat sleeps on the warm roof .", "A cat is sleeping on a roof ."),
    ("Harbour ferry sinks off Lisbon , 14 rescued", "Ferry goes down near Lisbon ; 11 saved"),
    ("Shares climb after bank report", "Shares tumble after bank report"),
    ("Snow closes mountain roads", "Orchestra tours Japan in spring"),
    ("The minister, who may resign, said nothing.", "The minister resigns!"),
    ("", "A dog barks ."),
    ("A dog barks .", ""),
    ("", ""),
    (", . !", "- ?"),
    ("caf\udce9 \x01 🦀 opens", "The café opens"),
]


@pytest.fixture(scope="module")
def aligner():
    return Aligner.load()


def test_the_output_keeps_every_rule(aligner):
    for pair in aligner.align_many(PAIRS):
        assert not list(pair.problems("2015"))
        assert not list(pair.violations())
        assert all(alignment.comment for alignment in pair.alignments)


def test_several_threads_may_share_an_aligner(aligner):
    def work(first: int) -> list[tuple[str, float]]:
        pairs = [*PAIRS[first:], *PAIRS[:first]]
        found = list(aligner.similarity_many(pairs))
        return [(repr(one.pair.alignments), one.score) for one in found[-first:] + found[:-first]]

    expected = work(len(PAIRS))
    with ThreadPoolExecutor(4) as threads:
        assert all(found == expected for found in threads.map(work, range(1, len(PAIRS))))


def test_identical_sentences_are_equivalent(aligner):
    sentence = "Two children are building a sandcastle at the beach ."
    pair = aligner.align(sentence, sentence)
    assert [(a.relation, a.score) for a in pair.links] == [(Relation.EQUI, 5)] * 4
    assert all(a.chunk1 == a.chunk2 for a in pair.links)


def test_opposites_and_details_are_reported(aligner):
    shares = aligner.align(*PAIRS[2])
    assert [a.relation for a in shares.links] == [Relation.EQUI, Relation.OPPO, Relation.EQUI]
    cat = aligner.align(*PAIRS[0])
    assert cat.links[0].relation is Relation.SPE1


def test_exchanging_the_sentences_exchanges_the_specific_side(aligner):
    there, back = aligner.align(*PAIRS[0]), aligner.align(*reversed(PAIRS[0]))
    mirror = {Relation.SPE1: Relation.SPE2, Relation.SPE2: Relation.SPE1}
    assert there.links[0].relation is mirror[back.links[0].relation]


def test_unrelated_sentences_stay_apart(aligner):
    pair = aligner.align(*PAIRS[3])
    assert not pair.links
    assert {a.relation for a in pair.alignments} == {Relation.NOALI}


def test_an_empty_sentence_leaves_the_other_alone(aligner):
    pair = aligner.align("", "A dog barks .")
    assert not pair.links
    assert [a.chunk2.tokens for a in pair.alignments] == [(1, 2), (3,), (4,)]
    assert aligner.align("", "").alignments == ()


def test_punctuation_is_never_aligned(aligner):
    pair = aligner.align("A dog barks .", "A dog barks .")
    assert {a.relation for a in pair.alignments if not a.is_link} == {Relation.NOALI}
    assert len(pair.alignments) - len(pair.links) == 2


def test_given_chunks_are_kept(aligner):
    gold = [
        brackets.parse(line) for line in (EXAMPLES / "sent1.chunk.txt").read_text().splitlines()
    ]
    other = [
        brackets.parse(line) for line in (EXAMPLES / "sent2.chunk.txt").read_text().splitlines()
    ]
    inputs = [
        (InputSentence(chunks=a), InputSentence(chunks=b)) for a, b in zip(gold, other, strict=True)
    ]
    for pair, (one, two) in zip(aligner.align_many(inputs), inputs, strict=True):
        assert brackets.chunks_of(pair, 1) == one.chunks
        assert brackets.chunks_of(pair, 2) == two.chunks


@pytest.mark.parametrize(("batch_size", "threads"), [(1, 1), (3, 2), (64, 2)])
def test_the_output_does_not_depend_on_batches_order_or_threads(aligner, batch_size, threads):
    expected = dict(zip(PAIRS, aligner.align_many(PAIRS), strict=True))
    shuffled = PAIRS * 2
    random.Random(batch_size).shuffle(shuffled)
    other = Aligner.load(threads=threads)
    for pair, aligned in zip(
        shuffled, other.align_many(shuffled, batch_size=batch_size), strict=True
    ):
        assert aligned.alignments == expected[pair].alignments


def test_every_decision_says_how_sure_it_is_and_why(aligner):
    (pair,) = aligner.align_many([PAIRS[2]], why=True, matrix=True)
    opposite = pair.links[1]
    assert 0 < opposite.evidence.link <= 1
    assert 0 < opposite.evidence.label <= 1
    assert "opposite" in opposite.evidence.why[0]
    assert len(pair.matrix) == len(pair.chunks1)
    assert len(pair.matrix[0]) == len(pair.chunks2)
    plain = aligner.align(*PAIRS[2])
    assert plain.matrix is None
    assert plain.links[1].evidence.why == ()


def test_an_explanation_says_the_same_as_the_decision_itself(aligner):
    turned = [(two, one) for one, two in PAIRS]
    for pair in aligner.align_many([*PAIRS, *turned], why=True):
        sentences = pair.sentence1, pair.sentence2
        for explained in explain(pair).alignments:
            if explained.alignment.is_link:
                (why,) = explained.alignment.evidence.why
                assert explained.why == as_written(why, sentences)


def test_a_higher_threshold_aligns_less(aligner):
    strict = Aligner.load(threshold=0.999)
    for loose, tight in zip(aligner.align_many(PAIRS), strict.align_many(PAIRS), strict=True):
        assert len(tight.links) <= len(loose.links)


def test_tokens_may_be_given(aligner):
    pair = aligner.align(["A", "dog", "barks"], "A dog barks.")
    assert pair.sentence1.tokens == ("A", "dog", "barks")
    assert pair.sentence2.tokens == ("A", "dog", "barks", ".")


def test_sentences_too_long_to_be_read_are_rejected_by_name(aligner):
    pairs = [PAIRS[0], ("word " * 2000, "word")]
    with pytest.raises(FormatError, match="pair 2: the two sentences have 2004 word pieces"):
        list(aligner.align_many(pairs))


def test_chunks_left_alone_are_explained_too(aligner):
    (pair,) = aligner.align_many([PAIRS[3]], why=True)
    assert all(a.evidence.why for a in pair.alignments)


def test_the_baseline_aligns_raw_sentences_too():
    (pair,) = BaselineAligner().align_many([PAIRS[0]])
    assert [a.label for a in pair.links] == ["EQUI"] * len(pair.links)
    assert not list(pair.violations())


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(aligner: Aligner, enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        for _ in aligner.align_many([("A hen lays an egg .", "An owl sleeps .")] * 3):
            assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.parametrize(
    ("pair", "error", "message"),
    [
        (
            "hello",
            TypeError,
            r"pair 1 is 'hello', expected two sentences: \(sentence1, sentence2\)",
        ),
        (None, TypeError, "pair 1 is None, expected two sentences"),
        ({"sentence1": "a", "sentence2": "b"}, TypeError, "pair 1 is {.*, expected two sentences"),
        (InputSentence("A cat"), TypeError, "pair 1 is InputSentence.*expected two sentences"),
        (("a", "b", "c"), ValueError, "pair 1 has 3 items, expected two sentences"),
        (("a",), ValueError, "pair 1 has 1 items, expected two sentences"),
        (("a", None), TypeError, "sentence 2 of pair 1 is None, expected a string or a list"),
        ((b"a", "b"), TypeError, "sentence 1 of pair 1 is b'a', expected a string"),
        ((3, "b"), TypeError, "sentence 1 of pair 1 is 3, expected a string"),
        (([1, 2], "b"), TypeError, r"sentence 1 of pair 1 is \[1, 2\], expected tokens"),
        (([["A", "cat"]], "b"), TypeError, "sentence 1 of pair 1 is .*, expected tokens"),
    ],
)
def test_what_is_no_pair_is_an_error_that_names_what_was_expected(aligner, pair, error, message):
    for run in (aligner.align_many, aligner.similarity_many, BaselineAligner().align_many):
        with pytest.raises(error, match=message):
            list(run([pair]))


def test_one_pair_in_place_of_many_is_an_error(aligner):
    with pytest.raises(TypeError, match="pair 1 is 'A cat', expected two sentences"):
        list(aligner.align_many(("A cat", "A dog")))
    with pytest.raises(TypeError, match="sentence 1 of pair 1 is None"):
        aligner.align(None, "A dog")


def test_pairs_may_be_lists_and_their_sentences_token_lists(aligner):
    (pair,) = aligner.align_many([[["A", "cat"], ("A", "dog")]])
    assert (str(pair.sentence1), str(pair.sentence2)) == ("A cat", "A dog")


def test_options_that_mean_nothing_are_an_error(aligner):
    with pytest.raises(ValueError, match="tokens is 'words', expected one of auto"):
        aligner.align("A cat", "A dog", tokens="words")
    with pytest.raises(ValueError, match="batch_size is 0, expected at least 1"):
        list(aligner.align_many([("A cat", "A dog")], batch_size=0))
