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
def test_a_tie_read_from_the_other_word_is_what_the_lexicon_says(one: str, two: str) -> None:
    lexicon = Lexicon.load()
    tie = WordKnowledge(lexicon).tie(one, two)
    found = lexicon.relations(one, two)
    assert tie.relation.kind is (found[0].kind if found else RelationKind.NONE)
    assert tie.strength == (found[0].strength if found else 0.0)
    back = WordKnowledge(lexicon).tie(two, one)
    assert back == tie.mirrored()
    assert back.mirrored() == tie


def test_a_narrower_word_is_broader_from_the_other_side() -> None:
    knowledge = WordKnowledge(Lexicon.load())
    there, back = knowledge.tie("poodle", "dog"), knowledge.tie("dog", "poodle")
    assert (there.tie, back.tie) == (MatchKind.NARROWER, MatchKind.BROADER)
    assert there.narrower == back.broader > there.broader == back.narrower == 0


def test_kinship_grows_with_the_common_class() -> None:
    knowledge = WordKnowledge(Lexicon.load())
    assert knowledge.kinship("poodle", "terrier") > knowledge.kinship("poodle", "stone")
