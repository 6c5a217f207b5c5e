"""`Lexicon.relate` over all lexical resources."""

import subprocess
import sys

import pytest

import ists.lexicon
from ists.lexicon import Lexicon, PartOfSpeech, RelationKind


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Dog", "dog", RelationKind.EQUAL),
        ("dogs", "dog", RelationKind.SAME_LEMMA),
        ("is", "are", RelationKind.SAME_LEMMA),
        ("airstrikes", "air strike", RelationKind.SPELLING),
        ("acouch", "a couch", RelationKind.SPELLING),
        ("Rouhani", "Rohani", RelationKind.SPELLING),
        ("bike", "bicycle", RelationKind.SYNONYM),
        ("govt", "government", RelationKind.ACRONYM),
        ("US", "America", RelationKind.SAME_PLACE),
        ("Syrian", "Syria", RelationKind.DEMONYM),
        ("2", "two", RelationKind.SAME_QUANTITY),
        ("hundreds", "120", RelationKind.ABOUT_QUANTITY),
        ("5", "7", RelationKind.OTHER_QUANTITY),
        ("poodle", "dog", RelationKind.HYPONYM),
        ("with", "without", RelationKind.ANTONYM),
        ("Islamabad", "Pakistan", RelationKind.PART),
        ("Syria", "Israel", RelationKind.OTHER_PLACE),
        ("dead", "dies", RelationKind.FAMILY),
        ("eastern", "southern", RelationKind.CONTRAST),
        ("soars", "slumped", RelationKind.ANTONYM),
        ("US", "us", RelationKind.NONE),
        ("in", "indium", RelationKind.NONE),
        ("zzz", "yyy", RelationKind.NONE),
    ],
)
def test_two_words_have_their_strongest_relation(
    lexicon: Lexicon, a: str, b: str, kind: RelationKind
) -> None:
    assert lexicon.relate(a, b).kind is kind
    assert lexicon.relate(b, a).kind is lexicon.relate(a, b).reversed().kind


def test_all_relations_come_strongest_first_and_once_each(lexicon: Lexicon) -> None:
    found = lexicon.relations("Syrian", "Syria")
    assert len(found) > 1
    assert found[0] == lexicon.relate("Syrian", "Syria")
    strengths = [relation.strength for relation in found]
    assert strengths == sorted(strengths, reverse=True)
    assert len({relation.kind for relation in found}) == len(found)


def test_lemmas_leave_function_words_alone(lexicon: Lexicon) -> None:
    assert lexicon.lemma("As") == "as"
    assert lexicon.lemma("us") == "us"
    assert lexicon.lemma("were") == "be"
    assert lexicon.lemma("saws", PartOfSpeech.NOUN) == "saw"


def test_words_have_parts_of_speech_and_classes(lexicon: Lexicon) -> None:
    assert lexicon.parts_of_speech("dog")[0] is PartOfSpeech.NOUN
    assert lexicon.parts_of_speech("the") == ()
    assert lexicon.classes("doctor")[0] == "noun.person"
    assert lexicon.classes("in") == ()
    assert lexicon.knows("fire truck")
    assert not lexicon.knows("zzzz")


def test_token_lists_are_read(lexicon: Lexicon) -> None:
    tokens = ["at", "least", "ten", "Syrians", "killed", "on", "Friday"]
    found = lexicon.quantity(tokens)
    assert found is not None
    assert found.value == 10
    assert lexicon.quantities(tokens) == (found,)
    assert [mention.start for mention in lexicon.place_mentions(tokens)] == [3]
    assert [mention.start for mention in lexicon.dates(tokens)] == [6]
    assert lexicon.abbreviates(["EU"], ["European", "Union"])


def test_loading_twice_gives_the_same_lexicon() -> None:
    assert Lexicon.load() is Lexicon.load()
    assert Lexicon.load().wordnet is Lexicon.load().wordnet


def test_loading_reads_nothing_until_asked() -> None:
    assert "wordnet" not in vars(Lexicon())


def test_the_public_names_are_sorted_and_exist() -> None:
    names = ists.lexicon.__all__
    assert len(set(names)) == len(names)
    assert all(hasattr(ists.lexicon, name) for name in names)


def test_importing_the_lexicon_imports_nothing_heavy() -> None:
    code = "import sys, ists.lexicon; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "nltk", "spacy", "onnxruntime", "sklearn"} & set(done.stdout.split())
