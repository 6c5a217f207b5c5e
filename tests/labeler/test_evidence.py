"""The evidence: true, for the label that was given, and in words that do not contradict it."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.labeler.evidence import Reason, ReasonKind, Reasons, find_evidence
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.pairs import LINKING, Flag, Relation, exchanged

CASES = Path(__file__).with_name("evidence_cases.tsv")
READER = PhraseReader(WordKnowledge(Lexicon.load()))


class Case(NamedTuple):
    label: str
    chunk1: str
    chunk2: str
    must: str
    must_not: str = ""


def cases() -> list[Case]:
    lines = [line for line in CASES.read_text().splitlines() if line and line[0] != "#"]
    assert lines[0].split("\t") == ["label", "chunk1", "chunk2", "must", "must not"]
    return [Case(*line.split("\t")) for line in lines[1:]]


def view_of(chunk1: str, chunk2: str) -> PairView:
    words1, words2 = chunk1.split(), chunk2.split()
    chunks = [list(range(len(words1)))], [list(range(len(words2)))]
    return PairView.read(words1, chunks[0], words2, chunks[1], READER)


def evidence_of(label: str, chunk1: str, chunk2: str) -> Reasons:
    relation, *flags = label.split("_")
    named = frozenset(map(Flag, flags))
    return find_evidence(view_of(chunk1, chunk2), 0, 0, Relation(relation), named)


@pytest.mark.parametrize("case", cases(), ids=lambda case: " ".join(case[:3]))
def test_what_the_evidence_says(case):
    text = evidence_of(*case[:3]).in_words()
    if case.must.startswith("="):
        assert text == case.must[1:]
    for fragment in case.must.lstrip("=").split("|"):
        assert fragment in text
    for fragment in filter(None, case.must_not.split("|")):
        assert fragment not in text


def test_there_are_cases_of_every_relation():
    found = [case.label.partition("_")[0] for case in cases()]
    assert len(found) >= 150
    assert all(found.count(relation) >= 10 for relation in LINKING)
    assert len(set(cases())) == len(cases())


WORDS = (
    "a the his all in on before after to from not never may is are was will has does and "
    "boat boats ferry wooden big large small red blue cat dog poodle animal tabby sinks goes down "
    "up takes off climb climbs fall falls rise rose fell sleeps sleeping asleep opens closed open "
    "kill dies dead death retire retires retirement finger hand river lake Oslo Norway Norwegian "
    "UK United Kingdom NATO North Atlantic Treaty Organization UN Nations 2 two three $1.65 bn "
    "$1.65bn billion hundreds 120 % percent Monday Friday May 2011 colour color fails agree agrees "
    "prime minister premier police officer policeman nobody people one couple more than"
)
chunks = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=5).map(" ".join)
labels = st.builds(
    lambda relation, flags: "_".join([relation, *sorted(flags)]),
    st.sampled_from([relation.value for relation in LINKING]),
    st.frozensets(st.sampled_from([flag.value for flag in Flag])),
)


def own_words(text: str) -> str:
    """A text without the words it cites."""
    return re.sub(r"'[^']*'", "_", text)


@settings(deadline=None, max_examples=400)
@given(labels, chunks, chunks)
def test_evidence_is_there_and_does_not_contradict_itself(label, chunk1, chunk2):
    evidence = evidence_of(label, chunk1, chunk2)
    text = own_words(evidence.in_words())
    assert text.strip()
    assert all(reason.text for reason in evidence.reasons)
    assert not ("the same" in text and "differ" in text)
    texts = [reason.text for reason in evidence.reasons]
    assert len(set(texts)) == len(texts)


@settings(deadline=None, max_examples=300)
@given(chunks, chunks)
def test_an_equivalence_is_never_explained_by_a_difference(chunk1, chunk2):
    reasons = evidence_of("EQUI_FACT_POL", chunk1, chunk2).reasons
    # A judgement may name what speaks against it: "although only sentence 1 says ...".
    stated = [reason.text for reason in reasons if reason.kind is not ReasonKind.JUDGEMENT]
    text = own_words("; ".join(stated))
    for fragment in ("more specific", "kind of", "opposite", "only sentence", "another", "negat"):
        assert fragment not in text


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(["SPE1", "SPE2"]), chunks, chunks)
def test_what_is_more_specific_is_told_of_the_right_side(label, chunk1, chunk2):
    text = own_words(evidence_of(label, chunk1, chunk2).in_words())
    wrong = ("only sentence 2", "second more") if label == "SPE1" else ("only sentence 1", "first")
    assert not any(fragment in text for fragment in wrong)
    assert "opposite" not in text


@settings(deadline=None, max_examples=300)
@given(chunks, chunks)
def test_an_opposition_names_the_opposition_and_nothing_else(chunk1, chunk2):
    reasons = evidence_of("OPPO", chunk1, chunk2).reasons
    named = {ReasonKind.OPPOSITE, ReasonKind.NEGATION, ReasonKind.JUDGEMENT}
    if chunk1.lower() == chunk2.lower():
        named |= {ReasonKind.SAME_WORDS}
    assert {reason.kind for reason in reasons} <= named


@settings(deadline=None, max_examples=300)
@given(labels, chunks)
def test_identical_chunks_have_the_same_words(label, chunk):
    first, *more = evidence_of(label, chunk, chunk).reasons
    assert first.text == "the same words"
    assert all(reason.kind in (ReasonKind.JUDGEMENT, ReasonKind.FLAG) for reason in more)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(LINKING), chunks, chunks)
def test_the_words_a_reason_cites_are_there(relation, chunk1, chunk2):
    for reason in find_evidence(view_of(chunk1, chunk2), 0, 0, relation).reasons:
        for words, chunk in ((reason.words1, chunk1), (reason.words2, chunk2)):
            assert all(f" {word} ".lower() in f" {chunk} ".lower() for word in words)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(LINKING), chunks, chunks)
def test_exchanged_sentences_need_a_judgement_alike(relation, chunk1, chunk2):
    there = find_evidence(view_of(chunk1, chunk2), 0, 0, relation).reasons
    back = find_evidence(view_of(chunk2, chunk1), 0, 0, exchanged(relation)).reasons
    assert is_judged(there) == is_judged(back)
    assert len(there) == len(back)


def is_judged(reasons: tuple[Reason, ...]) -> bool:
    return any(reason.kind is ReasonKind.JUDGEMENT for reason in reasons)


def test_a_word_said_elsewhere_in_the_other_sentence_is_not_only_in_one(view):
    pair = view("[ An old boat ] [ sinks ]", "[ A boat ] [ sinks ] [ near old docks ]")
    text = find_evidence(pair, 0, 0, Relation.SPE1).in_words()
    assert text == "both say 'boat'; here only sentence 1 says 'old'"
    pair = view("[ his boat ] [ sinks ]", "[ a boat ] [ with his crew ] [ sinks ]")
    assert "here only sentence 1 says 'his'" in find_evidence(pair, 0, 0, Relation.SPE1).in_words()


def test_what_the_other_sentence_says_elsewhere_in_other_words_is_not_only_in_one(view):
    pair = view("[ tickets ] [ for thirty pounds ]", "[ tickets for £30 ]")
    text = find_evidence(pair, 0, 0, Relation.SPE2).in_words()
    assert text == "both say 'tickets'; here only sentence 2 says '£30'"


@pytest.mark.parametrize("context", ["[ gave up ]", "[ has quit ]", "[ after years he stopped ]"])
def test_a_denial_that_both_sentences_make_opposes_nothing(view, context):
    pair = view(f"[ smoking ] {context}", "[ stopped smoking ]")
    text = find_evidence(pair, 0, 0, Relation.OPPO).in_words()
    assert text == "the model judges them opposite in this context"
    alone = find_evidence(view("[ smoking ]", "[ stopped smoking ]"), 0, 0, Relation.OPPO)
    assert alone.in_words() == "'stopped' negates it in sentence 2"


def test_a_negation_that_the_chunk_before_makes_as_well_opposes_nothing(view):
    pair = view("[ came ]", "[ did not come ]")
    assert "'not' negates it" in find_evidence(pair, 0, 0, Relation.OPPO).in_words()
    pair = view("[ Nobody ] [ came ]", "[ They ] [ did not come ]")
    assert "negates" not in find_evidence(pair, 1, 1, Relation.OPPO).in_words()


def test_an_hour_of_the_other_half_of_the_day_is_not_the_same_time(view):
    pair = view("[ at 7 pm ]", "[ at 7 ] [ in the morning ]")
    text = find_evidence(pair, 0, 0, Relation.EQUI).in_words()
    assert text == "the model judges them equivalent in this context"


def test_who_judged_is_named(view):
    pair = view("[ a ladder ]", "[ a violin ]")
    told = find_evidence(pair, 0, 0, Relation.REL, judge="Ada")
    assert told.in_words() == "Ada judges them related in this context"


def test_a_new_source_of_evidence_is_one_more_finder(monkeypatch, view):
    def same_length(comparison):
        if len(comparison.one.words) == len(comparison.two.words):
            related = frozenset({Relation.REL})
            yield Reason(ReasonKind.RELATED, "they are equally long", related, related)

    finders = "ists.labeler.evidence.FINDERS"
    monkeypatch.setattr(finders, (same_length,))
    pair = view("[ a ladder ]", "[ a violin ]")
    assert find_evidence(pair, 0, 0, Relation.REL).in_words() == "they are equally long"
    assert "judges" in find_evidence(pair, 0, 0, Relation.SIMI).in_words()


def test_chunks_and_words_of_any_length_are_compared():
    one = " ".join(f"boat{number}" for number in range(1500))
    two = " ".join(f"boat{number}" for number in range(1000, 2500))
    long = "x" * 2_000
    for chunk1, chunk2 in ((one, two), (long, long[1:]), (f"a {long}", "a boat")):
        assert evidence_of("SIMI", chunk1, chunk2).in_words()
