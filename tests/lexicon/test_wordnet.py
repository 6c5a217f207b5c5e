"""WordNet's relations, on the shipped table."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.compiled import kernels
from ists.lexicon import UNRELATED, Lexicon, PartOfSpeech, RelationKind, WordNet, WordRelation
from ists.lexicon.morphology import normal_form
from ists.lexicon.profiles import Graph, Profile, compiled_graph
from ists.lexicon.table import read_table
from ists.lexicon.wordnet import _relate_by_links

WORDS = "dog animal hot icy kill die rose wheel car quickly size paris unheardof 7 men"


@pytest.mark.parametrize(
    ("word", "pos", "lemma"),
    [
        ("men", None, "man"),
        ("dies", None, "die"),
        ("was", None, "be"),
        ("saw", None, "see"),
        ("saw", PartOfSpeech.NOUN, "saw"),
        ("building", None, "building"),
        ("building", PartOfSpeech.VERB, "build"),
        ("happiest", None, "happy"),
        ("Abducted", None, "abduct"),
        ("stopped", None, "stop"),
        ("geese", None, "goose"),
        ("boss", None, "boss"),
        ("fire trucks", None, "fire truck"),
        ("takes off", None, "take off"),
        ("Kenya's", None, "kenya"),
        ("selfies", None, "selfie"),
        ("Demjanjuk", None, "demjanjuk"),
        ("", None, ""),
    ],
)
def test_a_word_has_its_lemma(
    wordnet: WordNet, word: str, pos: PartOfSpeech | None, lemma: str
) -> None:
    assert wordnet.lemma(word, pos) == lemma


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Dog", "dog", RelationKind.EQUAL),
        ("sits", "sitting", RelationKind.SAME_LEMMA),
        ("rose", "rising", RelationKind.SAME_LEMMA),
        ("rose", "roses", RelationKind.SAME_LEMMA),
        ("number", "numb", RelationKind.NONE),
        ("couch", "sofa", RelationKind.SYNONYM),
        ("kidnapped", "abducts", RelationKind.SYNONYM),
        ("dog", "animals", RelationKind.HYPONYM),
        ("fire truck", "truck", RelationKind.HYPONYM),
        ("vehicle", "car", RelationKind.HYPERNYM),
        ("hot", "cold", RelationKind.ANTONYM),
        ("fiery", "icy", RelationKind.ANTONYM),
        ("man", "woman", RelationKind.ANTONYM),
        ("retires", "retirement", RelationKind.DERIVED),
        ("quickly", "quick", RelationKind.PERTAINYM),
        ("lunar", "moon", RelationKind.PERTAINYM),
        ("kill", "died", RelationKind.CAUSES),
        ("snores", "sleep", RelationKind.ENTAILS),
        ("big", "size", RelationKind.ATTRIBUTE),
        ("sofa", "chair", RelationKind.COHYPONYM),
        ("dog", "cat", RelationKind.NEAR),
        ("snowboarders", "people", RelationKind.HYPONYM),
        ("table", "idea", RelationKind.NONE),
        ("unheardof", "dog", RelationKind.NONE),
    ],
)
def test_two_words_have_their_strongest_relation(
    wordnet: WordNet, a: str, b: str, kind: RelationKind
) -> None:
    assert wordnet.relate(a, b).kind is kind


def test_direction_is_read_from_the_first_word() -> None:
    specific = WordRelation(RelationKind.HYPONYM, 1, 0.5)
    assert specific.reversed().kind is RelationKind.HYPERNYM
    assert specific.reversed().reversed() == specific
    assert WordRelation(RelationKind.SYNONYM).reversed().kind is RelationKind.SYNONYM


def test_no_relation_is_false_and_has_no_strength() -> None:
    assert not UNRELATED
    assert UNRELATED.strength == 0


@settings(deadline=None)
@given(st.sampled_from(WORDS.split()), st.sampled_from(WORDS.split()))
def test_reversed_relations_are_mirrored(a: str, b: str) -> None:
    wordnet = Lexicon.load().wordnet
    forwards = {relation.reversed() for relation in wordnet.relations(a, b)}
    backwards = set(wordnet.relations(b, a))
    assert {r.kind: round(r.strength, 9) for r in forwards} == {
        r.kind: round(r.strength, 9) for r in backwards
    }


@settings(deadline=None)
@given(st.text(max_size=20), st.text(max_size=20))
def test_any_text_can_be_related(a: str, b: str) -> None:
    for relation in Lexicon.load().relations(a, b):
        assert 0 < relation.strength <= 1


def test_strength_falls_with_distance(wordnet: WordNet) -> None:
    near, far = wordnet.relate("poodle", "dog"), wordnet.relate("poodle", "carnivore")
    assert near.distance < far.distance
    assert near.strength > far.strength


def test_common_senses_count_more_than_rare_ones(wordnet: WordNet) -> None:
    common = wordnet.relate("dog", "domestic dog")  # dog, the animal
    rare = wordnet.relate("dog", "frump")  # dog, an unattractive woman
    assert common.kind is rare.kind is RelationKind.SYNONYM
    assert common.strength > rare.strength


def test_a_part_of_speech_narrows_the_senses(wordnet: WordNet) -> None:
    as_noun = {r.kind for r in wordnet.relations("rose", "rise", PartOfSpeech.NOUN)}
    assert RelationKind.SAME_LEMMA not in as_noun
    assert wordnet.relate("rose", "rise", PartOfSpeech.VERB).kind is RelationKind.SAME_LEMMA


def test_close_words_share_more_information(wordnet: WordNet) -> None:
    assert wordnet.shared_information("car", "truck") > wordnet.shared_information("car", "rock")


def test_a_word_has_its_broad_classes(wordnet: WordNet) -> None:
    assert wordnet.lexicographer_files("teacher")[0] == "noun.person"
    assert wordnet.lexicographer_files("walk", PartOfSpeech.VERB)[0] == "verb.motion"
    assert wordnet.lexicographer_files("unheardof") == ()


def test_names_are_distinguished_from_common_words(wordnet: WordNet) -> None:
    assert wordnet.is_name("Cairo")
    assert not wordnet.is_name("city")
    assert not wordnet.is_name("unheardof")


def test_synonyms_and_hypernyms_can_be_listed(wordnet: WordNet) -> None:
    assert "automobile" in wordnet.synonyms("cars")
    assert "car" not in wordnet.synonyms("cars")
    assert "motor vehicle" in wordnet.hypernyms("car")


def test_multi_word_entries_are_words(wordnet: WordNet) -> None:
    assert "fire truck" in wordnet
    assert "fire_trucks" in wordnet
    assert "truck fire" not in wordnet


FILTERED_WORDS = (
    "dog wolf animal entity person thing hot cold fiery aglow rise fall go kill die wheel car "
    "Brooklyn America big size quickly quick snore sleep table idea set run unheardof"
)


@settings(deadline=None)
@given(st.sampled_from(FILTERED_WORDS.split()), st.sampled_from(FILTERED_WORDS.split()))
def test_the_fast_filter_misses_no_relation(a: str, b: str) -> None:
    """Words that the fast filter calls unrelated have no relation by the full comparison."""
    wordnet = Lexicon.load().wordnet
    one, other = plain_profile(wordnet, a), plain_profile(wordnet, b)
    if not one._shares_ancestor(other):
        assert not one._relate_by_ancestors(other)
    found: dict[RelationKind, WordRelation] = {}
    for (word, own), profile in (((a, one), other), ((b, other), one)):
        if own.linked.isdisjoint(profile.own):
            _relate_by_links(wordnet._linked(word, None), profile, found, mirrored=False)
    assert not found


def plain_profile(wordnet: WordNet, word: str) -> Profile:
    form = normal_form(word)
    lemmas = wordnet.morphology.lemmas_of_form(form, None)
    return wordnet._graph.profile(lemmas, wordnet._commonness(form, None))


every_word = st.integers(0, 1 << 20).map(
    lambda at: (words := Lexicon.load().wordnet.table.words)[at % len(words)]
)
some_word = st.sampled_from(FILTERED_WORDS.split()) | every_word


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
@settings(deadline=None, max_examples=500)
@given(some_word, some_word)
def test_compiled_and_python_profiles_are_the_same(a: str, b: str) -> None:
    wordnet = Lexicon.load().wordnet
    plain = plain_profile(wordnet, a), plain_profile(wordnet, b)
    compiled = wordnet._profile(normal_form(a), None), wordnet._profile(normal_form(b), None)
    assert type(compiled[0]) is not type(plain[0])
    for own, expected in zip(compiled, plain, strict=True):
        assert own.lemmas == expected.lemmas
        assert list(own.senses.items()) == list(expected.senses.items())
        assert list(own.synsets.items()) == list(expected.synsets.items())
    assert compiled[0].relate(compiled[1]) == plain[0].relate(plain[1])
    assert compiled[0].shared_information(compiled[1]) == plain[0].shared_information(plain[1])


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
def test_the_extension_reports_what_does_not_fit_the_table(tiny_table: Path) -> None:
    table = read_table(tiny_table)
    with pytest.raises(IndexError, match="sense outside"):
        compiled_graph(Graph(table)).profile(frozenset(), {len(table.sense_synset): 1.0})
    with pytest.raises(ValueError, match="different tables"):
        compiled_graph(Graph(replace(table, synset_breadth=table.synset_breadth[1:])))
    with pytest.raises(TypeError, match="keyword"):
        kernels.Graph(column=1)
    with pytest.raises(TypeError, match="keyword"):
        kernels.Key(0, "", "", "", "", (), None, flags=1)
