"""From what a caller or a file gives to tokenised pairs in reading order."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from ists.chunker.tokens import Tokenization, tokenize
from ists.errors import FormatError
from ists.formats.rows import RejectedItem
from ists.formats.sentences import InputPair, InputSentence
from ists.pairs import Origin, Sentence, as_tokens, brief
from ists.scored_pair import Positions

Text = str | Sequence[str] | InputSentence
"""A sentence as a caller may give it: text, tokens, or text, tokens or chunks of a file."""


@dataclass(frozen=True)
class PreparedSentence:
    """A tokenised sentence, with its chunks if they were given."""

    sentence: Sentence
    chunks: Positions | None

    @classmethod
    def of(cls, given: InputSentence, tokens: Tokenization) -> "PreparedSentence":
        """Tokenise a sentence that was given as text; take tokens and chunks as they are."""
        if given.chunks is not None:
            words = tuple(token for chunk in given.chunks for token in chunk)
            return cls(Sentence.of(words), _positions(given.chunks))
        if given.tokens is not None:
            return cls(Sentence.of(given.tokens), None)
        text = given.text or ""
        return cls(Sentence.of(tokenize(text, tokens), source=text), None)


class PreparedPair(NamedTuple):
    """A tokenised pair."""

    id: str
    sides: tuple[PreparedSentence, PreparedSentence]
    origin: Origin | None = None
    exchanged: bool = False
    """Whether sentence 2 is read first (see `is_exchanged`)."""

    @property
    def in_reading_order(self) -> tuple[PreparedSentence, PreparedSentence]:
        """Both sentences in the order in which they are read."""
        one, two = self.sides
        return (two, one) if self.exchanged else (one, two)

    @property
    def words(self) -> tuple[Sequence[str], Sequence[str]]:
        """The tokens of both sentences, in reading order."""
        one, two = self.in_reading_order
        return one.sentence.words, two.sentence.words

    def rejected(self, reason: str) -> RejectedItem:
        """Return the pair as a rejected item, with the reason and its place in the file."""
        reason = f"pair {self.id}: {reason}"
        place = (self.origin.file, self.origin.line) if self.origin else ("", None)
        return RejectedItem(
            FormatError(reason, *place), "\t".join(str(side.sentence) for side in self.sides)
        )


def prepare(number: int, pair: InputPair | tuple[Text, Text], tokens: Tokenization) -> PreparedPair:
    """Tokenise a pair and decide its reading order.

    Raises `TypeError` or `ValueError` if `pair` is not a pair of sentences.
    """
    one, two = _two_sentences(number, pair)
    sides = PreparedSentence.of(one, tokens), PreparedSentence.of(two, tokens)
    if not isinstance(pair, InputPair):
        return PreparedPair(str(number), sides, None, is_exchanged(*sides))
    origin = Origin(pair.file, pair.line) if pair.file else None
    return PreparedPair(pair.id, sides, origin, is_exchanged(*sides))


def is_exchanged(one: PreparedSentence, two: PreparedSentence) -> bool:
    """Return whether the second sentence of a pair is read first.

    The network's output depends slightly on the order of the sentences. Reading a pair in an order
    that depends on the sentences alone makes the answer the same whichever of them comes first.
    Case counts last, so that a capital does not change the order.
    """
    return _order_key(two) < _order_key(one)


def _order_key(side: PreparedSentence) -> tuple[object, ...]:
    words = side.sentence.words
    return tuple(word.casefold() for word in words), words, side.chunks or ()


def _two_sentences(
    number: int, pair: InputPair | tuple[Text, Text]
) -> tuple[InputSentence, InputSentence]:
    """Return the two sentences of a pair; reject every other shape.

    Strings and longer tuples are rejected, although they could be unpacked.
    """
    expected = "expected two sentences: (sentence1, sentence2)"
    if isinstance(pair, InputPair):
        texts: tuple[Any, ...] = (pair.sentence1, pair.sentence2)
    elif isinstance(pair, str | bytes | InputSentence | Mapping | Set) or not isinstance(
        pair, Iterable
    ):
        raise TypeError(f"pair {number} is {brief(pair)}, {expected}")
    else:
        texts = tuple(pair)
    if len(texts) != 2:
        raise ValueError(f"pair {number} has {len(texts)} items, {expected}")
    one, two = (
        _as_input_sentence(text, f"sentence {side} of pair {number}")
        for side, text in enumerate(texts, start=1)
    )
    return one, two


def _as_input_sentence(text: Any, what: str) -> InputSentence:
    if isinstance(text, InputSentence):
        return text
    if isinstance(text, str):
        return InputSentence(text)
    if text is None or isinstance(text, bytes | Mapping | Set) or not isinstance(text, Iterable):
        raise TypeError(f"{what} is {brief(text)}, expected a string or a list of tokens")
    return InputSentence(tokens=as_tokens(text, what))


def _positions(chunks: Sequence[Sequence[str]]) -> Positions:
    positions = []
    end = 0
    for chunk in chunks:
        begin, end = end, end + len(chunk)
        positions.append(tuple(range(begin, end)))
    return tuple(positions)
