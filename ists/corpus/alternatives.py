"""Sentences whose chunks have alternatives, and the aligned pairs made from them.

One sentence a line, one bracket a chunk. The first group of a chunk is the reference; ``=`` joins
expressions of one meaning, and every other group says how it relates to the reference:

    [The board = The directors] [turned down = rejected / approved ~ postponed] [the plan] [.]

``/`` begins an opposite, ``~`` something similar, ``>`` something more specific, ``<`` something
more general, ``&`` something related. A pair takes one expression of every chunk for each sentence.
One line gives many pairs, so these pairs are for training networks on word meanings; they are too
much alike to measure anything.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ists.errors import FormatError
from ists.files import open_input
from ists.formats.text import decode, numbered_lines, shown
from ists.pairs import (
    MAX_SCORE,
    Alignment,
    Chunk,
    Relation,
    Sentence,
    SentencePair,
    commented,
    exchanged,
)

_RELATIONS = {
    "/": (Relation.OPPO, 4),
    "~": (Relation.SIMI, 3),
    ">": (Relation.SPE2, 4),
    "<": (Relation.SPE1, 4),
    "&": (Relation.REL, 3),
}
"""Relation and score of the reference as chunk 1 and the group as chunk 2, by sign."""
_EQUAL = (Relation.EQUI, MAX_SCORE)
_CHUNK = re.compile(r"\[([^\[\]]*)\]")
_UNCHANGED = 0.2
"""Share of the chunks that are the same in both sentences although there are alternatives."""
_WITHIN_GROUP = 0.25
"""Share of the choices outside the reference that are compared with another one of their group."""
_CONJUNCTIONS = frozenset({"and", "but", "or", "that"})

Label = tuple[Relation, int]


@dataclass(frozen=True)
class Group:
    """Expressions of one meaning, and the relation of the reference to them."""

    expressions: tuple[str, ...]
    label: Label = _EQUAL


@dataclass(frozen=True)
class ChunkChoice:
    """A chunk and its alternatives; the first group is the reference."""

    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Line:
    """A sentence as its chunks, from left to right."""

    number: int
    chunks: tuple[ChunkChoice, ...]


def read_alternatives(path: Path) -> list[Line]:
    """Read a file of sentences with alternatives; lines that begin with ``#`` are comments."""
    lines = []
    with open_input(path) as stream:
        for number, raw in numbered_lines(stream):
            text = decode(raw).strip()
            if not text or text.startswith("#"):
                continue
            try:
                lines.append(Line(number, _chunks(text)))
            except FormatError as error:
                raise FormatError(error.reason, str(path), number) from None
    return lines


def _chunks(text: str) -> tuple[ChunkChoice, ...]:
    if outside := _CHUNK.sub("", text).strip():
        raise FormatError(f"{shown(outside)} is outside of brackets, expected [chunk] [chunk] …")
    return tuple(_choice(body) for body in _CHUNK.findall(text))


def _choice(body: str) -> ChunkChoice:
    groups: list[Group] = []
    label, found, words = _EQUAL, list[str](), list[str]()
    for word in (*body.split(), None):
        if word is not None and word != "=" and word not in _RELATIONS:
            words.append(word)
            continue
        if not words:
            raise FormatError(f"an expression without words in {shown(f'[{body}]')}")
        found.append(" ".join(words))
        words.clear()
        if word != "=":
            groups.append(Group(tuple(found), label))
            label, found = _RELATIONS.get(word or "", _EQUAL), []
    expressions = [text.lower() for group in groups for text in group.expressions]
    if len(set(expressions)) < len(expressions):
        raise FormatError(f"an expression is listed twice in {shown(f'[{body}]')}")
    return ChunkChoice(tuple(groups))


def pairs_of(lines: Sequence[Line], each: int, seed: int) -> Iterator[SentencePair]:
    """Yield pairs drawn at random: of every line, the different ones among `each` draws."""
    rng = random.Random(seed)
    for line in lines:
        drawn = dict.fromkeys(_draw(line.chunks, rng) for _ in range(each))
        for count, choices in enumerate(drawn, start=1):
            yield _pair(f"{line.number}.{count}", choices)


class _Choice(NamedTuple):
    """The expressions of one chunk in both sentences."""

    text1: str
    text2: str
    label: Label

    @property
    def swapped(self) -> "_Choice":
        relation, score = self.label
        return _Choice(self.text2, self.text1, (exchanged(relation), score))


def _draw(chunks: Sequence[ChunkChoice], rng: random.Random) -> tuple[_Choice, ...]:
    """Choose the expressions of a pair; at most one chunk is opposed, as two might cancel out."""
    drawn = [_choose(chunk, rng, True) for chunk in chunks]
    opposed = [at for at, one in enumerate(drawn) if one.label[0] is Relation.OPPO]
    kept = rng.choice(opposed) if opposed else None
    for at in opposed:
        if at != kept:
            drawn[at] = _choose(chunks[at], rng, False)
    if rng.random() < 0.5:
        drawn = [choice.swapped for choice in drawn]
    return tuple(drawn)


def _choose(chunk: ChunkChoice, rng: random.Random, may_oppose: bool) -> _Choice:
    reference, *others = chunk.groups
    allowed = [one for one in others if may_oppose or one.label[0] is not Relation.OPPO]
    first = rng.choice(reference.expressions)
    if rng.random() < _UNCHANGED:
        return _Choice(first, first, _EQUAL)
    # Every expression but the first one is equally likely.
    second, group = rng.choice(
        [(text, one) for one in (reference, *allowed) for text in one.expressions if text != first]
        or [(first, reference)]
    )
    if group is reference:
        return _Choice(first, second, _EQUAL)
    same = [text for text in group.expressions if text != second]
    if same and rng.random() < _WITHIN_GROUP:
        return _Choice(rng.choice(same), second, _EQUAL)
    return _Choice(first, second, group.label)


def _pair(number: str, choices: Sequence[_Choice]) -> SentencePair:
    words1, words2, alignments = list[str](), list[str](), list[Alignment]()
    for choice in choices:
        chunk1, chunk2 = _append(words1, choice.text1), _append(words2, choice.text2)
        if _stays_alone(choice.text1) or _stays_alone(choice.text2):
            alignments.append(Alignment(chunk1, None, Relation.NOALI))
            alignments.append(Alignment(None, chunk2, Relation.NOALI))
        else:
            alignments.append(Alignment(chunk1, chunk2, *choice.label))
    sentence1, sentence2 = Sentence.of(words1), Sentence.of(words2)
    return SentencePair(number, sentence1, sentence2, commented(alignments, sentence1, sentence2))


def _append(words: list[str], text: str) -> Chunk:
    """Add the words of a chunk to a sentence and return their positions."""
    start = len(words)
    words += text.split()
    return Chunk(tuple(range(start + 1, len(words) + 1)))


def _stays_alone(text: str) -> bool:
    """Return whether the guidelines leave such a chunk unaligned, whatever the other sentence."""
    return text.lower() in _CONJUNCTIONS or not any(map(str.isalnum, text))
