"""Rows of features by the extension: as by `feature_matrix`, `link_matrix` and `lone_features`.

`native/rows.c` computes what all pairs of chunks have. What only few have, such as two amounts or
two names, is completed here.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ists.arrays import Floats
from ists.compiled import kernels
from ists.labeler import signs
from ists.labeler.comparisons import (
    AMOUNT_RELATIONS,
    NAME_MATCHES,
    is_converse,
    opposition_of_chunks,
)
from ists.labeler.features import FEATURES, date_features, head_fields, quantity_features
from ists.labeler.linking import LINK_FEATURES, Cell
from ists.labeler.lone import LONE_FEATURES
from ists.labeler.phrases import Phrase, preposition_class
from ists.labeler.views import PairView
from ists.labeler.words import NO_MATCH, WordKnowledge
from ists.lexicon import (
    AmountRelation,
    NameMatch,
    are_opposite,
    compare_amounts,
    known_opposition,
    name_match,
    position,
    time_limit,
)
from ists.lexicon.spelling import letters_of, trigram_text
from ists.scored_pair import PairScores

_CACHED_PAIRS = 1 << 14
_AT = {feature.name: at for at, feature in enumerate(FEATURES)}
_QUANTITIES_AT, _DATES_AT = _AT["both quantities"], _AT["dates same"]
_AMOUNTS_AT, _NAMES_AT = _AT["amounts equal"], _AT[f"names {NAME_MATCHES[0].value}"]
_head_opposition = lru_cache(maxsize=_CACHED_PAIRS)(known_opposition)

# Properties of a chunk, as in `native/chunks.h`. Of two chunks that both have one of the first
# eight, Python completes the row; ABBREVIATION and NAMES are enough in one of them. PREPOSITIONS is
# no property of a chunk: the extension gives it to rows of two chunks with prepositions.
QUANTITIES, DATES, ABBREVIATION, PREPOSITIONS = 1, 2, 4, 8
AMOUNTS, NAMES, CONVERSES, PERSONS = 16, 32, 64, 128
NEGATED, DENIED, IS_TIME, WORDED = 256, 512, 1024, 2048


def _compiled(phrases: Sequence[Phrase], knowledge: WordKnowledge) -> tuple[Any, ...]:
    return tuple([phrase.compiled or _compile(phrase, knowledge) for phrase in phrases])


def lone_rows(view: PairView, scores: PairScores, links: Sequence[Cell], count: int) -> Floats:
    """Return (chunks, lone features): those of sentence 1, then of 2, that have words and no link.

    `count`: the number of these chunks.
    """
    rows = np.empty((count, len(LONE_FEATURES)), np.float32)
    if count:
        kernels.lone_rows(  # type: ignore[union-attr]
            _compiled(view.one.phrases, view.knowledge),
            _compiled(view.two.phrases, view.knowledge),
            list(links),
            *map(np.ascontiguousarray, (scores.link, scores.alic1, scores.alic2)),
            rows,
            view.knowledge.tie,
            NO_MATCH,
        )
    return rows


def link_rows(view: PairView, scores: PairScores, cells: list[Cell]) -> Floats:
    """Return (cells, link features), as `feature_matrix` and `link_matrix` compute them."""
    rows = np.empty((len(cells), len(LINK_FEATURES)), np.float32)
    if not cells:
        return rows
    phrases1, phrases2 = view.one.phrases, view.two.phrases
    knowledge = view.knowledge

    def known(i: int, j: int) -> float:
        return opposition_of_chunks(phrases1[i], phrases2[j])

    left = kernels.feature_rows(  # type: ignore[union-attr]
        _compiled(phrases1, knowledge),
        _compiled(phrases2, knowledge),
        cells,
        *map(np.ascontiguousarray, (scores.link, scores.relation, scores.score)),
        *map(np.ascontiguousarray, (scores.alic1, scores.alic2)),
        rows,
        knowledge.tie,
        knowledge.kinship_of,
        known,
        _head_opposition,
        NO_MATCH,
    )
    for row, i, j, traits in left:
        _complete(rows[row], phrases1[i], phrases2[j], view, traits)
    return rows


def _complete(row: Floats, own: Phrase, other: Phrase, view: PairView, traits: int) -> None:
    if traits & QUANTITIES:
        row[_QUANTITIES_AT : _QUANTITIES_AT + 8] = quantity_features(own, other)
    if traits & DATES:
        row[_DATES_AT : _DATES_AT + 2] = date_features(own, other)
    if traits & ABBREVIATION and own.content_texts != other.content_texts:
        lexicon = view.knowledge.lexicon
        row[_AT["abbreviation"]] = lexicon.abbreviates(own.content_texts, other.content_texts)
    if traits & PREPOSITIONS:
        row[_AT["opposite prepositions"]] = are_opposite(own.preposition, other.preposition)
    if traits & AMOUNTS:
        _complete_amounts(row, own, other)
    if traits & NAMES:
        _complete_names(row, own, other)
    if traits & CONVERSES:
        row[_AT["converse"]] = is_converse(own.meaning.converses, other.meaning.converses)
    if traits & PERSONS:
        row[_AT["persons differ"]] = own.meaning.persons.isdisjoint(other.meaning.persons)


def _complete_amounts(row: Floats, own: Phrase, other: Phrase) -> None:
    found = compare_amounts(own.meaning.amount, other.meaning.amount)
    row[_AT["amount inside 1"]] = found.relation is AmountRelation.INSIDE1
    row[_AT["amount inside 2"]] = found.relation is AmountRelation.INSIDE2
    if found.relation in AMOUNT_RELATIONS:
        row[_AMOUNTS_AT + AMOUNT_RELATIONS.index(found.relation)] = 1
    row[_AT["amounts near"]] = found.ratio


def _complete_names(row: Floats, own: Phrase, other: Phrase) -> None:
    found = name_match(own.meaning.tokens, other.meaning.tokens)
    if found is NameMatch.COORDINATED1:
        row[_AT["names more 1"]] = 1
    elif found is NameMatch.COORDINATED2:
        row[_AT["names more 2"]] = 1
    elif found is not NameMatch.NONE:
        row[_NAMES_AT + NAME_MATCHES.index(found)] = 1


def _compile(phrase: Phrase, knowledge: WordKnowledge) -> Any:
    chunk = compiled_chunk(phrase, knowledge)
    object.__setattr__(phrase, "compiled", chunk)
    vars(phrase).pop("grammar", None)  # the chunk has it
    return chunk


def compiled_chunk(phrase: Phrase, knowledge: WordKnowledge) -> Any:
    """Return a chunk for `feature_rows`.

    Most of its properties are needed here only, and so not kept as those of the phrase.
    """
    words, content, meaning, head = phrase.words, phrase.content, phrase.meaning, phrase.head
    lowers = [word.lower for word in words]
    content_lowers = tuple([word.lower for word in content])
    content_texts = tuple([word.text for word in content])
    text = " ".join(lowers)
    share, certainty, clues = meaning.quantifier, meaning.modality, meaning.clues
    return kernels.Chunk(  # type: ignore[union-attr]
        content,
        tuple(map(knowledge.key, content_texts)),
        head,
        tuple({word.lemma for word in content}),
        tuple(set(lowers)),
        tuple({word.lower for word in words if word.function is not None}),
        text,
        content_lowers,
        content_texts,
        letters_of(content_texts),
        trigram_text(" ".join(content_lowers) or text),
        phrase.preposition,
        preposition_class(phrase.preposition),
        phrase.kind,
        phrase.determiner,
        meaning.gender,
        time_limit(phrase.preposition),
        position(phrase.preposition),
        "" if head is None else head.field,
        len(words),
        sum([word.signs & signs.ALPHABETIC for word in words]),
        sum([word.signs & signs.CAPITALISED for word in words]) // signs.CAPITALISED,
        phrase.count,
        phrase.quantities[0].value if phrase.quantities else 0.0,
        meaning.opinion,
        -1.0 if share is None else share,
        certainty.strength,
        -1 if certainty.certainty is None else certainty.certainty,
        _traits(phrase),
        clues.rows,
        clues.roots,
        clues.beginnings,
        (*phrase.grammar, *head_fields(head)),
        meaning.features,
    )


def _traits(phrase: Phrase) -> int:
    meaning = phrase.meaning
    return (
        QUANTITIES * bool(phrase.quantities)
        | DATES * bool(phrase.dates)
        | ABBREVIATION * any(word.may_abbreviate for word in phrase.content)
        | AMOUNTS * (meaning.amount is not None)
        | NAMES * any(token[:1].isupper() for token in meaning.tokens)
        | CONVERSES * bool(meaning.converses)
        | PERSONS * bool(meaning.persons)
        | NEGATED * phrase.is_negated
        | DENIED * meaning.denied
        | IS_TIME * phrase.is_time
        | WORDED * bool(phrase.signs & signs.WORDED)
    )
