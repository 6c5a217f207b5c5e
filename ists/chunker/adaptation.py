"""Conversion of CoNLL-2000's chunks to the pilot's, one function per rule of the guidelines.

The guidelines follow CoNLL-2000 and adapt it: whole PPs, verb chains, adverbs and expressions as
separate chunks, punctuation alone. Each rule takes all spans of a sentence and returns the changed
spans; `adapt` applies the rules in order. A rule that follows the annotators' practice rather than
the text of the guidelines says so.

    >>> tags = ["B-NP", "I-NP", "B-VP", "B-PP", "B-NP", "I-NP", "O"]
    >>> pos = ["DT", "NN", "VBZ", "IN", "DT", "NN", "."]
    >>> adapt("The cat sits on the mat .".split(), tags, pos)
    # [ The cat ] [ sits ] [ on the mat ] [ . ]

Cases in which annotators disagree are left to the trained tagger: a preposition that may belong to
the preceding verb, light verbs, whether a subordinate clause is simple.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import chain, pairwise
from types import ModuleType
from typing import TYPE_CHECKING

from ists.chunker.iob import Span, spans
from ists.chunker.types import chunk_type
from ists.errors import IstsError
from ists.formats.brackets import Chunks

if TYPE_CHECKING:
    from nltk.tree import Tree

_OUTSIDE = "O"
_NEGATIONS = frozenset({"not", "n't"})
_STAY_IN_VERB_CHAIN = frozenset({"not", "n't", "never"})
_JOINS_INFINITIVE = frozenset({"not", "going", "have", "has", "had", "order"})
_COORDINATORS = frozenset({"and", "or", "&"})
_EXPRESSIONS = frozenset(
    {
        ("according", "to"),
        ("because", "of"),
        ("close", "to"),
        ("due", "to"),
        ("in", "front", "of"),
        ("in", "the", "middle", "of"),
        ("instead", "of"),
        ("next", "to"),
        ("on", "top", "of"),
        ("out", "of"),
        ("such", "as"),
    }
)
_LONGEST_EXPRESSION = 4


@dataclass(frozen=True)
class Words:
    """The tokens of a sentence and their parts of speech, for use by rules."""

    tokens: Sequence[str]
    pos: Sequence[str]

    def of(self, span: Span) -> tuple[str, ...]:
        """Return a span's words in lower case."""
        return tuple(token.lower() for token in self.tokens[span.begin : span.end])

    def tags(self, span: Span) -> Sequence[str]:
        """Return a span's parts of speech."""
        return self.pos[span.begin : span.end]


Rule = Callable[[list[Span], Words], list[Span]]


def punctuation_alone(found: list[Span], words: Words) -> list[Span]:
    """Punctuation alone is a chunk, and so is every other token outside CoNLL's chunks.

    `[ The tram ] [ , ] [ late again ] [ , ] [ stops ]`
    """
    inside = {token for span in found for token in range(span.begin, span.end)}
    outside = (token for token in range(len(words.tokens)) if token not in inside)
    return sorted([*found, *(Span(token, token + 1, _OUTSIDE) for token in outside)])


def verb_particle(found: list[Span], words: Words) -> list[Span]:
    """Verb chain: a particle belongs to its verb. `[ The firm ] [ shut down ] [ two plants ]`."""
    return _join(found, lambda rest: 2 * (_types(rest, 2) == ["VP", "PRT"]))


def negated_verb(found: list[Span], words: Words) -> list[Span]:
    """Verb chain: a negation belongs to its verb. `[ The lamp ] [ is not ] [ on the table ]`."""

    def negated(rest: list[Span]) -> int:
        verb_first = rest[0].type == "VP" and len(rest) > 1
        return 2 * (verb_first and set(words.of(rest[1])) <= _NEGATIONS)

    return _join(found, negated)


def infinitive_apart(found: list[Span], words: Words) -> list[Span]:
    """Verb chain: an infinitive begins a new one. `[ She ] [ hopes ] [ to win ]`.

    Except after verbs that it completes: `[ is going to win ]`, `[ had to leave ]`.
    """

    def begins(span: Span, token: int) -> bool:
        before = words.tokens[token - 1].lower()
        return span.type == "VP" and words.pos[token] == "TO" and before not in _JOINS_INFINITIVE

    return list(chain.from_iterable(_split_before(span, begins) for span in found))


def adverb_apart(found: list[Span], words: Words) -> list[Span]:
    """Adverbs are chunks, also inside a verb chain. `[ The cable ] [ is ] [ still ] [ attached ]`.

    A negation stays: `[ does not like ]`.
    """

    def is_loose(token: int) -> bool:
        adverb = words.pos[token].startswith("RB")
        return adverb and words.tokens[token].lower() not in _STAY_IN_VERB_CHAIN

    def changes(span: Span, token: int) -> bool:
        return span.type == "VP" and is_loose(token) != is_loose(token - 1)

    cut = chain.from_iterable(_split_before(span, changes) for span in found)
    return [
        span._replace(type="ADVP") if span.type == "VP" and is_loose(span.begin) else span
        for span in cut
    ]


def counted_state(found: list[Span], words: Words) -> list[Span]:
    """NP, in headlines: a number and an adjective of state. `[ 4 dead ] [ in ferry fire ]`.

    The annotators' practice; a participle is a verb and stays separate: `[ 4 ] [ hurt ]`.
    """

    def counted(rest: list[Span]) -> int:
        return 2 * (_types(rest, 2) == ["NP", "ADJP"] and words.tags(rest[0])[-1] == "CD")

    return _join(found, counted)


def coordinated_nouns(found: list[Span], words: Words) -> list[Span]:
    """NP: coordinated noun phrases are one chunk. `[ A kettle and two cups ] [ on a shelf ]`."""

    def coordinated(rest: list[Span]) -> int:
        length = 1
        while (
            _types(rest[length - 1 :], 3) == ["NP", _OUTSIDE, "NP"]
            and words.of(rest[length])[0] in _COORDINATORS
        ):
            length += 2
        return length

    return _join(found, coordinated)


def compound_preposition(found: list[Span], words: Words) -> list[Span]:
    """Expressions: some are one preposition. `[ A goat ] [ next to a red gate ]`."""

    def expression(rest: list[Span]) -> int:
        for length in range(_LONGEST_EXPRESSION, 1, -1):
            spelled = tuple(chain.from_iterable(map(words.of, rest[:length])))
            if len(rest) >= length and spelled in _EXPRESSIONS:
                return length
        return 1

    return _join(found, expression, type_="PP")


def whole_pp(found: list[Span], words: Words) -> list[Span]:
    """PPs are whole chunks: preposition and noun phrase. `[ the roof ] [ of that barn ]`.

    A noun phrase that begins with a possessive (`'s new cabinet`) is not joined.
    """

    def prepositional(rest: list[Span]) -> int:
        length = 0
        while length < len(rest) and rest[length].type == "PP":
            length += 1
        noun = rest[length : length + 1]
        if length and noun and noun[0].type == "NP" and words.tags(noun[0])[0] != "POS":
            length += 1
        return length

    return _join(found, prepositional)


def gerund_pp(found: list[Span], words: Words) -> list[Span]:
    """PP: a preposition and its gerund (annotators' practice). `[ after losing ] [ the final ]`."""

    def with_gerund(rest: list[Span]) -> int:
        bare = rest[0].end - rest[0].begin == 1
        return 2 * (bare and _types(rest, 2) == ["PP", "VP"] and words.tags(rest[1])[0] == "VBG")

    return _join(found, with_gerund)


RULES: tuple[Rule, ...] = (
    punctuation_alone,
    verb_particle,
    negated_verb,
    infinitive_apart,
    adverb_apart,
    counted_state,
    coordinated_nouns,
    compound_preposition,
    whole_pp,
    gerund_pp,
)


def adapted_spans(
    tokens: Sequence[str], iob: Sequence[str], pos: Sequence[str], rules: Sequence[Rule] = RULES
) -> list[Span]:
    """Return the pilot's chunks of an IOB-tagged sentence as spans."""
    found, words = spans(iob), Words(tokens, pos)
    for rule in rules:
        found = rule(found, words)
    return found


def adapt(tokens: Sequence[str], iob: Sequence[str], pos: Sequence[str]) -> Chunks:
    """Return the pilot's chunks of an IOB-tagged sentence as words."""
    return tuple(tuple(tokens[s.begin : s.end]) for s in adapted_spans(tokens, iob, pos))


@dataclass(frozen=True)
class AdaptedSentence:
    """A sentence with the pilot's chunks, derived from CoNLL-2000's."""

    tokens: tuple[str, ...]
    pos: tuple[str, ...]
    iob: tuple[str, ...]
    """The CoNLL-2000 chunk tags."""

    @property
    def chunks(self) -> Chunks:
        """The pilot's chunks as words."""
        return tuple(self.tokens[s.begin : s.end] for s in self._spans)

    @property
    def types(self) -> tuple[str, ...]:
        """The type of each chunk."""
        parts = [slice(s.begin, s.end) for s in self._spans]
        return tuple(chunk_type(self.tokens[p], self.iob[p], self.pos[p]) for p in parts)

    @cached_property
    def _spans(self) -> list[Span]:
        return adapted_spans(self.tokens, self.iob, self.pos)


def adapt_tree(tree: "Tree") -> AdaptedSentence:
    """Return the pilot's chunks of a chunk tree, as nltk's chunkers and corpus readers give them.

    Needs the extra ``nltk``.
    """
    rows = import_nltk_chunk().tree2conlltags(tree)
    return AdaptedSentence(*(tuple(row[column] for row in rows) for column in range(3)))


def import_nltk_chunk() -> ModuleType:
    """Import ``nltk.chunk``; raise an `IstsError` that names the extra if it is missing."""
    try:
        return import_module("nltk.chunk")
    except ModuleNotFoundError as error:
        package = (error.name or "nltk").partition(".")[0]
        raise IstsError(
            f"chunk trees need {package}, which is not installed: pip install 'ists[nltk]'"
        ) from None


def _types(rest: list[Span], count: int) -> list[str]:
    return [span.type for span in rest[:count]]


def _join(
    found: list[Span], how_many: Callable[[list[Span]], int], type_: str | None = None
) -> list[Span]:
    """Join spans from left to right; ``how_many`` gives the number of remaining spans to join."""
    result = []
    at = 0
    while at < len(found):
        group = found[at : at + max(1, how_many(found[at:]))]
        first, last = group[0], group[-1]
        joined = Span(first.begin, last.end, type_ or first.type) if len(group) > 1 else first
        result.append(joined)
        at += len(group)
    return result


def _split_before(span: Span, where: Callable[[Span, int], bool]) -> list[Span]:
    cuts = [token for token in range(span.begin + 1, span.end) if where(span, token)]
    edges = [span.begin, *cuts, span.end]
    return [Span(a, b, span.type) for a, b in pairwise(edges)]
