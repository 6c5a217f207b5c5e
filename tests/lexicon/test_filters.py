"""The fast filters agree with the full computation: what they skip has no result."""

from importlib import import_module
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists import lexicon
from ists.compiled import kernels
from ists.lexicon import (
    Lexicon,
    amount,
    amounts,
    are_converse,
    has_converse,
    known_opposition,
    modality,
    opinion,
    opposition_clues,
    polarity,
)

# The package exports functions of the same names as these modules.
_AMOUNTS, _MODALITY, _OPINION, _POLARITY = (
    import_module(f"ists.lexicon.{name}") for name in ("amounts", "modality", "opinion", "polarity")
)
_NEGATING = (
    "no not n't don’t didn't non non-profit never Nobody without hardly few little denies fails "
    "stopped to smoking a the longer one doubt only"
)
_CHANGING = (
    "may May Could reportedly plans to is are who what how many ? going gonna due wo n't if would "
    "will the it he visit in according"
)
_COUNTING = (
    "two Twenty-one half-hour 3 3.2m $ ½ third dozen few of hundreds noon twice daily hour hours "
    "an a at least past B-52 per cent million sixties the seconds"
)
_EVALUATING = (
    "good Good's bad awful loved likes like do n't not very slightly pretty big kind of fine "
    "badly hatefully dog’s table"
)
_OPPOSED = (
    "win lost winning happy unhappy legal illegal careful careless open closed rose fell same "
    "different dog table at least most nonsense sense inform uniform"
)
_CONVERSE = "bought sells buy sold above below parent child dog table teach learns"
_PLAIN = "dog cats playing in red house green Paris"


def _chunks(words: str) -> st.SearchStrategy[tuple[str, ...]]:
    pool = (*words.split(), *_PLAIN.split())
    return st.lists(st.sampled_from(pool), max_size=6).map(tuple)


@given(_chunks(_NEGATING))
def test_a_chunk_that_is_not_read_for_negations_has_none(chunk: tuple[str, ...]) -> None:
    assert polarity(chunk) == _POLARITY._read(chunk)


@given(_chunks(_CHANGING))
def test_a_chunk_that_is_not_read_for_modality_is_asserted(chunk: tuple[str, ...]) -> None:
    assert modality(chunk) == (_MODALITY._read(chunk) if chunk else _MODALITY.ASSERTED)


@given(_chunks(_COUNTING))
def test_a_chunk_that_is_not_read_for_amounts_has_none(chunk: tuple[str, ...]) -> None:
    assert amounts(chunk) == _AMOUNTS._amounts(chunk)
    assert amount(chunk) == _AMOUNTS._amount(chunk)


@given(_chunks(_EVALUATING))
def test_a_chunk_that_is_not_read_for_opinions_has_none(chunk: tuple[str, ...]) -> None:
    assert opinion(chunk) == _OPINION._shipped()._find(chunk)


@settings(max_examples=200)
@given(_chunks(_OPPOSED), _chunks(_OPPOSED))
def test_words_without_common_clues_are_not_opposed(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    if not opposition_clues(one).may_oppose(opposition_clues(other)):
        assert not any(known_opposition(a, b) for a, b in product(one, other))


@given(_chunks(_CONVERSE), _chunks(_CONVERSE))
def test_only_words_of_the_table_are_converses(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    listed = product(filter(has_converse, one), tuple(filter(has_converse, other)))
    assert any(are_converse(a, b) for a, b in listed) == any(
        are_converse(a, b) for a, b in product(one, other)
    )


_RELATED = (
    "dog animal cat careful careless happy unhappy seven 7 12 Syria Syrian Aleppo in the US us EU "
    "govt government Rouhani Rohani selfie selfies airstrike air-strike acouch ten-year eastern "
    "southern dead dies rose rising un n't kidnaped kidnapped Xyzzy Xyzzys ' é"
)
_related = st.sampled_from([*_RELATED.split(), "", "air strike", "European Union"]) | st.builds(
    lambda at: (words := Lexicon.load().wordnet.table.words)[at % len(words)],
    st.integers(0, 1 << 20),
)


@pytest.mark.skipif(kernels is None, reason="the extension is not compiled")
@settings(deadline=None, max_examples=500)
@given(_related, _related)
def test_words_that_the_extension_calls_unrelated_have_no_relation(one: str, two: str) -> None:
    compiled = Lexicon.load().relations(one, two)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexicon, "kernels", None)
        assert Lexicon.load().relations(one, two) == compiled
