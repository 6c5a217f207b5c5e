"""Words and what two of them are to each other, as the labeller asks for it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ists.labeler.words import MatchKind, WordKnowledge
from ists.lexicon import Lexicon, RelationKind

WORDS = (
    "dog dogs animal poodle hot cold fiery kill dies dead rose rise wheel car Syria Syrian Aleppo "
    "seven 7 12 happy unhappy careful careless eastern southern govt government Rouhani Rohani the"
)
words = st.sampled_from(WORDS.split())


@settings(deadline=None)
@given(words, words)
def test_a_match_seen_from_the_other_word_is_what_the_lexicon_says(one: str, two: str) -> None:
    lexicon = Lexicon.load()
    match = WordKnowledge(lexicon).match(one, two)
    found = lexicon.relations(one, two)
    assert match.relation.kind is (found[0].kind if found else RelationKind.NONE)
    assert match.strength == (found[0].strength if found else 0.0)
    back = WordKnowledge(lexicon).match(two, one)
    assert back == match.mirrored()
    assert back.mirrored() == match


def test_a_narrower_word_is_broader_from_the_other_side() -> None:
    knowledge = WordKnowledge(Lexicon.load())
    there, back = knowledge.match("poodle", "dog"), knowledge.match("dog", "poodle")
    assert (there.kind, back.kind) == (MatchKind.NARROWER, MatchKind.BROADER)
    assert there.narrower == back.broader > there.broader == back.narrower == 0


def test_kinship_grows_with_the_common_class() -> None:
    knowledge = WordKnowledge(Lexicon.load())
    assert knowledge.kinship("poodle", "terrier") > knowledge.kinship("poodle", "stone")
