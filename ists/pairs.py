"""Core types: relations, chunks, alignments and sentence pairs.

All values are frozen. Violations of the annotation guidelines are reported by methods
(`Alignment.problems`, `Alignment.violations`, …) instead of raised by constructors: the output of
ists follows all rules, but the official gold violates some (an EQUI scored 4, an OPPO scored 5) and
must be read and written unchanged. Arguments of a wrong type, such as a string for a `Sentence`,
raise a `TypeError`; names of relations and flags are converted.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from numbers import Real
from operator import index as position
from typing import Any, Literal, NamedTuple

Edition = Literal["2015", "2016"]
EDITIONS: tuple[Edition, ...] = ("2015", "2016")

MAX_SCORE = 5
NOT_ALIGNED = "-not aligned-"
LINK_SIGN = "<==>"
UNFINISHED = "unfinished"
"""Status of a pair whose annotation is not finished."""


class Relation(StrEnum):
    """The eight exclusive labels of the guidelines; the last two are for unaligned chunks."""

    EQUI = "EQUI"
    OPPO = "OPPO"
    SPE1 = "SPE1"
    SPE2 = "SPE2"
    SIMI = "SIMI"
    REL = "REL"
    ALIC = "ALIC"
    NOALI = "NOALI"

    @property
    def links(self) -> bool:
        """Whether the label is for two aligned chunks, not for an unaligned chunk."""
        return self not in UNALIGNED


class Flag(StrEnum):
    """The two labels that may be added to any relation."""

    FACT = "FACT"
    POL = "POL"


UNALIGNED = frozenset({Relation.ALIC, Relation.NOALI})
_EXCHANGED = {Relation.SPE1: Relation.SPE2, Relation.SPE2: Relation.SPE1}
LINKING = tuple(relation for relation in Relation if relation not in UNALIGNED)


def exchanged(relation: Relation) -> Relation:
    """Return the relation for exchanged sentences: SPE1 becomes SPE2."""
    return _EXCHANGED.get(relation, relation)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Token positions, counted from 1, in the order of the file.

    The pilot's chunks are contiguous; the 2016 edition also has chunks with gaps.
    """

    tokens: tuple[int, ...]
    type: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not _is_tuple_of(int, self.tokens):
            object.__setattr__(self, "tokens", _positions(self.tokens))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def contiguous(self) -> bool:
        """Whether the tokens follow one another without a gap."""
        return all(b - a == 1 for a, b in zip(self.tokens, self.tokens[1:], strict=False))

    @property
    def parts(self) -> "tuple[Chunk, ...]":
        """The contiguous parts of the chunk, from left to right."""
        tokens = sorted(set(self.tokens))
        starts = [at for at, token in enumerate(tokens) if not at or token - tokens[at - 1] != 1]
        ends = [*starts[1:], len(tokens)]
        return tuple(
            Chunk(tuple(tokens[a:b]), self.type) for a, b in zip(starts, ends, strict=True)
        )

    def text(self, words: "tuple[str, ...] | None") -> str:
        """Return the chunk's words, as far as the sentence has them."""
        words = words or ()
        return " ".join(words[token - 1] for token in self.tokens if 0 < token <= len(words))


class FeatureWeight(NamedTuple):
    """A feature of two chunks and how far it pulled towards the relation given."""

    name: str
    value: float
    pull: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A system's confidence in a decision and its reasons; not part of the task's file formats."""

    link: float | None
    """The probability that the two chunks are linked; None for an unaligned chunk."""
    label: float
    """The probability that the label is correct."""
    why: tuple[str, ...] = ()
    """The evidence, in plain words."""
    features: tuple[FeatureWeight, ...] = ()
    """The features that weighed most for the relation, strongest first."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two chunks and their relation, or one unaligned chunk and its label (NOALI or ALIC)."""

    chunk1: Chunk | None
    chunk2: Chunk | None
    relation: Relation
    score: float | None = None
    flags: frozenset[Flag] = frozenset()
    comment: str | None = None
    evidence: Evidence | None = field(default=None, compare=False, repr=False)
    text1: str | None = field(default=None, compare=False, repr=False)
    """The words of `chunk1`, on the links of a pair (see `SentencePair.links`)."""
    text2: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, chunk in (("chunk1", self.chunk1), ("chunk2", self.chunk2)):
            if chunk is not None and not isinstance(chunk, Chunk):
                raise TypeError(f"{name} is {brief(chunk)}, expected a Chunk or None")
        if type(self.relation) is not Relation:
            object.__setattr__(self, "relation", _named(Relation, self.relation, "relation"))
        if type(self.score) is not float and not _is_score(self.score):
            raise TypeError(f"score is {brief(self.score)}, expected a number from 0 to 5 or None")
        if type(self.flags) is not frozenset or not all(type(flag) is Flag for flag in self.flags):
            object.__setattr__(self, "flags", _flags(self.flags))

    @property
    def is_link(self) -> bool:
        """Whether there is a chunk on both sides."""
        return self.chunk1 is not None and self.chunk2 is not None

    @property
    def label(self) -> str:
        """The relation and its flags as the file formats write them, e.g. ``SPE1_FACT``."""
        if not self.flags:
            return self.relation.value
        return "_".join([self.relation.value, *sorted(flag.value for flag in self.flags)])

    def exchanged(self) -> "Alignment":
        """Return the alignment for exchanged sentences: SPE1 becomes SPE2."""
        return replace(
            self,
            chunk1=self.chunk2,
            chunk2=self.chunk1,
            relation=exchanged(self.relation),
            text1=self.text2,
            text2=self.text1,
        )

    def problems(self) -> Iterator[str]:
        """Yield what is ill-formed in every edition of the task."""
        if self.chunk1 is None and self.chunk2 is None:
            yield "no token on either side"
        elif self.is_link and not self.relation.links:
            yield f"{self.relation} on two aligned chunks, expected it on an unaligned chunk"
        elif not self.is_link and self.relation.links:
            yield f"{self.relation} on an unaligned chunk, expected NOALI or ALIC"
        for chunk in (self.chunk1, self.chunk2):
            if chunk is not None and not chunk.tokens:
                yield "a chunk without tokens"
            if chunk is not None and any(token < 1 for token in chunk.tokens):
                yield "token 0 inside a chunk, expected positions from 1 (a single 0 is no chunk)"
        if self.score is None:
            if self.is_link:
                yield "NIL as the score of two aligned chunks, expected a number from 0 to 5"
        elif not 0 <= self.score <= MAX_SCORE:
            yield f"score {format_score(self.score)}, expected a number from 0 to 5 or NIL"

    def violations(self) -> Iterator[str]:
        """Yield the violated rules of the guidelines on scores and labels."""
        if not self.relation.links:
            if self.score is not None:
                yield f"{self.relation} has score {format_score(self.score)}, expected none (NIL)"
        elif self.score is not None:
            if self.relation is Relation.EQUI and self.score != MAX_SCORE:
                yield f"EQUI has score {format_score(self.score)}, expected 5"
            elif self.relation is not Relation.EQUI and not 0 < self.score < MAX_SCORE:
                yield (
                    f"{self.relation} has score {format_score(self.score)}, "
                    "expected more than 0 and less than 5"
                )


@dataclass(frozen=True, slots=True)
class Sentence:
    """One side of a pair. A system file may leave out the text, the tokens or both (``None``)."""

    text: str | None = None
    tokens: tuple[str, ...] | None = None
    source: str | None = field(default=None, compare=False, repr=False)
    """The original text that was tokenised, if it is known."""

    def __post_init__(self) -> None:
        if self.text is not None and not isinstance(self.text, str):
            raise TypeError(f"text is {brief(self.text)}, expected a string or None")
        if self.tokens is not None and not _is_tuple_of(str, self.tokens):
            object.__setattr__(self, "tokens", as_tokens(self.tokens, "tokens"))

    @classmethod
    def of(cls, tokens: Iterable[str], *, source: str | None = None) -> "Sentence":
        """Return the sentence of these tokens; its text is the tokens joined by blanks."""
        tokens = as_tokens(tokens, "tokens")
        return cls(" ".join(tokens), tokens, source)

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens; if there are none, the text split at white space."""
        if self.tokens is not None:
            return self.tokens
        return tuple((self.text or "").split())

    @property
    def offsets(self) -> tuple[tuple[int, int], ...] | None:
        """Begin and end of each token in `source`; None if a token is not found there."""
        if self.source is None:
            return None
        offsets = []
        end = 0
        for word in self.words:
            begin = self.source.find(word, end)
            if begin < 0:
                return None
            end = begin + len(word)
            offsets.append((begin, end))
        return tuple(offsets)

    def __str__(self) -> str:
        return self.text if self.text is not None else " ".join(self.words)


class RuleViolation(NamedTuple):
    """A rule violated by one of a pair's alignments, or by the whole pair (place is None)."""

    place: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a pair was read, for messages and for writing unchanged pairs byte by byte."""

    file: str
    line: int
    lines: tuple[int, ...] = ()
    """The line of each alignment."""
    text: str | None = None
    """The lines the pair was read from, with the blank lines around them."""
    value: "tuple[object, ...]" = ()
    """The pair's value when it was read; a changed pair is not written with these lines."""


@dataclass(frozen=True)
class SentencePair:
    """Two sentences and the alignments of their chunks."""

    id: str
    sentence1: Sentence = Sentence()
    sentence2: Sentence = Sentence()
    alignments: tuple[Alignment, ...] = ()
    status: str = ""
    origin: Origin | None = field(default=None, compare=False, repr=False)
    matrix: tuple[tuple[float, ...], ...] | None = field(default=None, compare=False, repr=False)
    """The link score of every chunk of sentence 1 with every chunk of sentence 2."""

    def __post_init__(self) -> None:
        for name, value in (("id", self.id), ("status", self.status)):
            if not isinstance(value, str):
                raise TypeError(f"{name} is {brief(value)}, expected a string")
        for name, sentence in (("sentence1", self.sentence1), ("sentence2", self.sentence2)):
            if not isinstance(sentence, Sentence):
                raise TypeError(
                    f"{name} is {brief(sentence)}, expected a Sentence, such as "
                    'Sentence("A cat sits")'
                )
        if not _is_tuple_of(Alignment, self.alignments):
            object.__setattr__(self, "alignments", _alignments(self.alignments))

    @property
    def value(self) -> tuple[object, ...]:
        """The content of the pair without its origin."""
        return (self.id, self.sentence1, self.sentence2, self.alignments, self.status)

    @cached_property
    def chunks1(self) -> tuple[Chunk, ...]:
        """The chunks of sentence 1, from left to right."""
        return _in_order(alignment.chunk1 for alignment in self.alignments)

    @cached_property
    def chunks2(self) -> tuple[Chunk, ...]:
        """The chunks of sentence 2, from left to right."""
        return _in_order(alignment.chunk2 for alignment in self.alignments)

    @cached_property
    def links(self) -> tuple[Alignment, ...]:
        """The alignments that have a chunk on both sides, each with the words of its chunks."""
        words1, words2 = self.sentence1.words, self.sentence2.words
        return tuple(
            replace(link, text1=link.chunk1.text(words1), text2=link.chunk2.text(words2))
            for link in self.alignments
            if link.chunk1 is not None and link.chunk2 is not None
        )

    def line_of(self, index: int | None) -> int | None:
        """Return the line an alignment was read from; without an index, the line of the pair."""
        if self.origin is None:
            return None
        if index is None or index >= len(self.origin.lines):
            return self.origin.line
        return self.origin.lines[index]

    def problems(self, edition: Edition = "2015") -> Iterator[RuleViolation]:
        """Yield what is ill-formed by the rules of an edition of the task.

        2015 requires one-to-one alignments of contiguous chunks inside the sentence; 2016 allows
        many-to-many and gaps, and its checker ignores the sentence's length.
        """
        for index, alignment in enumerate(self.alignments):
            yield from (RuleViolation(index, reason) for reason in alignment.problems())
            if edition == "2015":
                for chunk, _ in self._sides(alignment):
                    if not chunk.contiguous:
                        tokens = " ".join(map(str, chunk.tokens))
                        yield RuleViolation(index, f"chunk '{tokens}' is not contiguous")
        if edition == "2015":
            yield from self.stray_tokens()
            yield from self._tokens_used_twice()

    def violations(self) -> Iterator[RuleViolation]:
        """Yield the violated rules of the guidelines (see `problems` for the rest)."""
        for index, alignment in enumerate(self.alignments):
            yield from (RuleViolation(index, reason) for reason in alignment.violations())
        yield from self._tokens_used_twice()
        yield from self._tokens_unused()

    def stray_tokens(self) -> Iterator[RuleViolation]:
        """Yield the tokens past the end of their sentence."""
        for index, alignment in enumerate(self.alignments):
            for chunk, side in self._sides(alignment):
                tokens = self._sentence(side).tokens
                if tokens is not None and max(chunk.tokens, default=0) > len(tokens):
                    yield RuleViolation(
                        index,
                        f"token {max(chunk.tokens)} is past the end of sentence {side}, "
                        f"which has {len(tokens)} tokens",
                    )

    def _tokens_used_twice(self) -> Iterator[RuleViolation]:
        seen: set[tuple[int, int]] = set()
        for index, alignment in enumerate(self.alignments):
            for chunk, side in self._sides(alignment):
                for token in chunk.tokens:
                    if (side, token) in seen:
                        yield RuleViolation(
                            index, f"token {token} of sentence {side} is used twice"
                        )
                    seen.add((side, token))

    def _tokens_unused(self) -> Iterator[RuleViolation]:
        for side in (1, 2):
            chunks = self.chunks1 if side == 1 else self.chunks2
            used = {token for chunk in chunks for token in chunk.tokens}
            tokens = self._sentence(side).tokens or ()
            for number, word in enumerate(tokens, start=1):
                if number not in used:
                    yield RuleViolation(
                        None, f"token {number} ('{word}') of sentence {side} is not used"
                    )

    def _repr_html_(self) -> str:
        """Return the picture and the explanation for a notebook."""
        import ists

        return ists.render(self, "html", page=False)

    def _sentence(self, side: int) -> Sentence:
        return self.sentence1 if side == 1 else self.sentence2

    @staticmethod
    def _sides(alignment: Alignment) -> Iterator[tuple[Chunk, int]]:
        if alignment.chunk1 is not None:
            yield alignment.chunk1, 1
        if alignment.chunk2 is not None:
            yield alignment.chunk2, 2


def as_tokens(value: object, what: str) -> tuple[str, ...]:
    """Return a sentence given as tokens; raise a `TypeError` that names it `what` otherwise.

    A string is rejected too, although it is a sequence of strings.
    """
    if not isinstance(value, str | bytes) and isinstance(value, Iterable):
        tokens = tuple(value)
        if all(isinstance(token, str) for token in tokens):
            return tokens
    raise TypeError(f"{what} is {brief(value)}, expected tokens such as ['A', 'cat']")


def _is_tuple_of(kind: type, values: object) -> bool:
    return type(values) is tuple and set(map(type, values)) <= {kind}


def _is_score(value: object) -> bool:
    return value is None or (isinstance(value, Real) and not isinstance(value, bool))


def _positions(values: Any) -> tuple[int, ...]:
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        return tuple(map(position, values))
    except TypeError:
        reason = f"tokens is {brief(values)}, expected token positions such as (1, 2)"
        raise TypeError(reason) from None


def _named(kind: type[StrEnum], name: object, what: str) -> StrEnum:
    expected = f"expected {'one of' if kind is Relation else 'any of'} {', '.join(kind)}"
    if not isinstance(name, str):
        raise TypeError(f"{what} is {brief(name)}, {expected}")
    try:
        return kind(name)
    except ValueError:
        raise ValueError(f"{what} is {brief(name)}, {expected}") from None


def _flags(names: Any) -> frozenset[StrEnum]:
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, Iterable):
        raise TypeError(f"flags is {brief(names)}, expected any of {', '.join(Flag)}")
    return frozenset(_named(Flag, name, "a flag") for name in names)


def _alignments(values: Any) -> tuple[Alignment, ...]:
    alignments = tuple(values) if isinstance(values, Iterable) else (values,)
    for value in alignments:
        if not isinstance(value, Alignment):
            raise TypeError(f"an alignment is {brief(value)}, expected an Alignment")
    return alignments


def brief(value: object) -> str:
    """Return a value shortened for an error message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def comment_for(alignment: Alignment, sentence1: Sentence, sentence2: Sentence) -> str:
    """Return the comment of the official files: both chunks in words."""
    return comment_of(alignment.chunk1, alignment.chunk2, sentence1, sentence2)


def comment_of(
    chunk1: Chunk | None, chunk2: Chunk | None, sentence1: Sentence, sentence2: Sentence
) -> str:
    """Return the comment of two aligned chunks, or of one chunk that is not aligned."""
    left = chunk1.text(sentence1.words) if chunk1 else NOT_ALIGNED
    right = chunk2.text(sentence2.words) if chunk2 else NOT_ALIGNED
    return f"{left} {LINK_SIGN} {right}"


def commented(
    alignments: Iterable[Alignment], sentence1: Sentence, sentence2: Sentence
) -> tuple[Alignment, ...]:
    """Return the alignments with the official comment on each."""
    return tuple(replace(a, comment=comment_for(a, sentence1, sentence2)) for a in alignments)


def format_score(score: float | None) -> str:
    """Return a score as in the file formats: ``NIL``, ``4``, ``2.5``."""
    if score is None:
        return "NIL"
    text = str(int(score)) if float(score).is_integer() else repr(score)
    if "e" not in text:
        return text
    from decimal import Decimal  # slow to import, and hardly ever needed

    return format(Decimal(text), "f")  # no 1e-07 in a file


def _in_order(chunks: Iterable[Chunk | None]) -> tuple[Chunk, ...]:
    present = dict.fromkeys(chunk for chunk in chunks if chunk is not None)
    return tuple(sorted(present, key=lambda chunk: chunk.tokens))
