import json
from dataclasses import replace

import pytest
from hypothesis import given

import ists
from ists.explanation import explain
from ists.explanation.wording import as_written
from ists.pairs import Alignment, Chunk, Evidence, Flag, Relation, Sentence, SentencePair
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR, pairs


def pair_of(words1: str, words2: str, relation: Relation, score: float = 4.0) -> SentencePair:
    """Two sentences of one chunk each."""
    sentences = Sentence.of(words1.split()), Sentence.of(words2.split())
    chunks = (Chunk(tuple(range(1, len(s.words) + 1))) for s in sentences)
    return SentencePair("1", *sentences, (Alignment(*chunks, relation, score),))


def kinds(pair: SentencePair) -> list[str]:
    return [finding.kind for finding in explain(pair).alignments[0].findings]


@pytest.mark.parametrize(
    ("words1", "words2", "relation", "kind"),
    [
        ("The roof", "the roof", Relation.EQUI, "same words"),
        ("sleeps", "sleeping", Relation.SIMI, "other form"),
        ("a big boat", "a large boat", Relation.EQUI, "synonym"),
        ("dog", "animal", Relation.SPE1, "more specific"),
        ("an animal", "a dog", Relation.SPE2, "more general"),
        ("climb", "fall", Relation.OPPO, "opposite"),
        ("12 boats", "10 boats", Relation.SIMI, "other amount"),
        ("two boats", "2 boats", Relation.EQUI, "same amount"),
        ("warm roof", "roof", Relation.SPE1, "only in sentence 1"),
        ("roof", "warm roof", Relation.SPE2, "only in sentence 2"),
        ("on the roof", "near the roof", Relation.SIMI, "grammar"),
        ("welcome", "spanner", Relation.REL, "judgement"),
    ],
)
def test_the_evidence_is_named(words1, words2, relation, kind):
    assert kind in kinds(pair_of(words1, words2, relation))


def test_the_sentences_name_label_score_and_evidence():
    pair = pair_of("12", "10", Relation.SIMI)
    assert explain(pair).sentences == (
        "“12” and “10” are similar but differ (SIMI, 4 of 5): “12” is another number than “10”.",
    )


def test_who_judged_is_told_where_the_words_do_not_show_why():
    pair = pair_of("welcome", "spanner", Relation.REL)
    assert explain(pair).alignments[0].why == "the annotation judges them related in this context"
    judged = replace(pair.alignments[0], evidence=Evidence(0.9, 0.8))
    (explained,) = explain(replace(pair, alignments=(judged,))).alignments
    assert explained.why == "the model judges them related in this context"


def test_a_label_that_breaks_the_rules_is_explained_all_the_same():
    (explained,) = explain(pair_of("roof", "spanner", Relation.NOALI)).alignments
    assert explained.why == "the annotation aligns them in this context"


def test_the_more_specific_side_is_named_first():
    pair = pair_of("roof", "warm roof", Relation.SPE2)
    assert explain(pair).sentences[0].startswith("“warm roof” is more specific than “roof” (SPE2")


def test_flags_are_told_in_words():
    pair = pair_of("may resign", "resigns", Relation.SIMI)
    flagged = replace(pair.alignments[0], flags=frozenset({Flag.FACT}))
    sentence = explain(replace(pair, alignments=(flagged,))).sentences[0]
    assert "SIMI_FACT" in sentence
    assert "sentence 2 states it as a fact, sentence 1 says “may”" in sentence


def test_a_flag_without_a_word_that_shows_it_is_told_too():
    pair = pair_of("praise", "criticise", Relation.OPPO)
    flagged = replace(pair.alignments[0], flags=frozenset(Flag))
    why = explain(replace(pair, alignments=(flagged,))).alignments[0].why
    assert why.endswith("only one is stated as a fact; one is favourable, the other unfavourable")


def test_what_both_say_is_told_once_and_a_lone_full_stop_not_at_all():
    pair = CAT_PAIR
    same = replace(pair.alignments[1], chunk2=Chunk((4,)))
    pair = replace(
        pair,
        sentence2=Sentence.of(["A", "cat", "soundly", "sleeps", "."]),
        alignments=(pair.alignments[0], same, *pair.alignments[2:]),
    )
    sentences = explain(pair).sentences
    assert sentences[0] == "Both sentences say “sleeps” (EQUI, 5 of 5)."
    assert len(sentences) == 2


def test_chunks_left_alone_are_told_side_by_side():
    pair = list(ists.read(EXAMPLES / "gold.wa"))[-1]
    assert explain(pair).sentences == (
        "No chunk of one sentence is aligned with a chunk of the other.",
        "Nothing in sentence 2 corresponds to “Snow”, “closes”, “mountain roads” (NOALI).",
        "Nothing in sentence 1 corresponds to “Orchestra”, “tours”, “Japan”, “in spring” (NOALI).",
    )


def test_the_similarity_is_told_where_it_is_known():
    assert explain(CAT_PAIR, 3.96).sentences[-1] == "Overall similarity: 4.0 of 5."
    assert explain(CAT_PAIR, 2 / 3).to_dict()["similarity"] == 0.6667
    assert "similarity" not in explain(CAT_PAIR).to_dict()


def test_a_file_without_sentences_is_explained_by_its_comments():
    bare = replace(CAT_PAIR, sentence1=Sentence(), sentence2=Sentence())
    explained = explain(bare).alignments[0]
    assert (explained.text1, explained.text2) == ("A tabby cat", "A cat")
    nameless = replace(bare, alignments=(replace(bare.alignments[0], comment=None),))
    assert explain(nameless).alignments[0].text1 == "1 2 3"


def lone(words1: str, words2: str) -> SentencePair:
    """Two sentences of which every token is an unaligned chunk."""
    sentences = Sentence.of(words1.split()), Sentence.of(words2.split())
    chunks = [[Chunk((at,)) for at, _ in enumerate(s.words, start=1)] for s in sentences]
    alone = [Alignment(chunk, None, Relation.NOALI) for chunk in chunks[0]]
    alone += [Alignment(None, chunk, Relation.NOALI) for chunk in chunks[1]]
    return SentencePair("1", *sentences, tuple(alone))


def test_sentences_without_words_are_told_and_have_no_similarity():
    assert explain(lone("...", "!"), 5.0).sentences == ("Neither sentence has words to align.",)
    assert explain(lone("", "roof"), 0.0).sentences == (
        "Sentence 1 has no words to align.",
        "Nothing in sentence 1 corresponds to “roof” (NOALI).",
    )
    assert explain(lone("roof", "?"), 0.0).sentences[0] == "Sentence 2 has no words to align."


def test_an_emoji_of_one_side_is_named():
    assert explain(lone("roof 😀 .", "cat")).sentences[1] == (
        "Nothing in sentence 2 corresponds to “roof”, “😀” (NOALI)."
    )


def test_the_text_is_quoted_as_it_was_written():
    tokens = (("He", "wo", "n't", "pay", "39", "°", "C"), ("They", "wo", "n't", "go"))
    sources = "He won't  pay 39°C", "They won't go"
    one, two = (Sentence.of(t, source=s) for t, s in zip(tokens, sources, strict=True))
    links = (
        Alignment(Chunk((2, 3, 4)), Chunk((2, 3, 4)), Relation.SIMI, 3),
        Alignment(Chunk((1, 5, 6, 7)), None, Relation.NOALI),
        Alignment(None, Chunk((1,)), Relation.NOALI),
    )
    explanation = explain(SentencePair("1", one, two, links))
    assert explanation.sentences[0].startswith("“won't pay” and “won't go” are similar")
    assert explanation.sentences[1].endswith("corresponds to “He … 39°C” (NOALI).")
    given = explain(SentencePair("1", replace(one, source=None), two, links))
    assert given.sentences[0].startswith("“wo n't pay” and “won't go” are similar")


@pytest.mark.parametrize(
    ("clause", "shown"),
    [
        ("'wo n't' negates it in sentence 1", "“won't” negates it in sentence 1"),
        ("both say 'the dog 's bone', 'it'", "both say “the dog's bone”, “it”"),
        ("'dogs ' tails' is one", "“dogs ' tails” is one"),
        ("sentence 1's word", "sentence 1's word"),
    ],
)
def test_what_the_evidence_quotes_is_quoted_alike(clause, shown):
    sentence = Sentence.of(["wo", "n't", "the", "dog", "'s", "bone"], source="won't the dog's bone")
    assert as_written(clause, [sentence]) == shown


def test_the_source_of_a_label_can_be_named():
    pair = pair_of("welcome", "spanner", Relation.REL)
    (explained,) = explain(pair, judge="the baseline").alignments
    assert explained.why == "the baseline judges them related in this context"


def test_a_gap_is_marked():
    pair = pair_of("picks it up", "lifts it", Relation.SIMI)
    gap = replace(pair.alignments[0], chunk1=Chunk((1, 3)))
    assert explain(replace(pair, alignments=(gap,))).alignments[0].text1 == "picks … up"


@given(pairs())
def test_any_pair_a_file_may_hold_can_be_explained(pair):
    explanation = explain(pair)
    assert len(explanation.alignments) == len(pair.alignments)
    json.dumps(explanation.to_dict())
