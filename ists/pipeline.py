"""The whole way from text to an aligned pair; the only place that knows the order of the steps.

text ─ tokens ─ one reading of both sentences ─ chunks and pair scores ─ link probabilities
─ 1:1 matching ─ relations and scores ─ SentencePair ─ one number for the two sentences

>>> from ists import Aligner
>>> aligner = Aligner.load("default")
>>> aligner.align("A cat sits on the mat.", "A cat is sleeping.").links
"""

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from ists.aligner import baseline
from ists.aligner.matching import match
from ists.aligner.reader import PairReader, Positions, Reading
from ists.chunker.tagger import Chunker
from ists.chunker.tokens import Tokenization, tokenize
from ists.errors import FormatError, ModelError
from ists.formats.rows import RejectedItem, raise_rejected
from ists.formats.sentences import InputPair, InputSentence
from ists.labeler import (
    Answer,
    Labeler,
    LoneDecision,
    NetworkSignals,
    Question,
    ScoredLinks,
    Weight,
)
from ists.models import Model, open_model
from ists.pairs import (
    Alignment,
    Chunk,
    Evidence,
    FeatureWeight,
    Origin,
    Relation,
    Sentence,
    SentencePair,
    as_tokens,
    brief,
    commented,
)
from ists.similarity import Points, SentenceEncoder, Similarity, similarity
from ists.stages import stage

DEFAULT_MODEL = "default"
KIND = "aligner"
_BATCHES_AT_ONCE = 4
"""More would fill batches of one width better, fewer would start sooner."""
_DECIMALS = 4
_WHY_ALONE = {
    Relation.NOALI: "nothing in the other sentence corresponds to it",
    Relation.ALIC: "the other sentence says it too, but in a chunk that is aligned already",
}

Text = str | Sequence[str] | InputSentence
Block = TypeVar("Block")
Result = TypeVar("Result")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Side:
    """One sentence on its way: its text, its tokens, and its chunks where these were given."""

    sentence: Sentence
    chunks: Positions | None

    @classmethod
    def of(cls, text: Text, tokens: Tokenization) -> "Side":
        """A sentence as text, as tokens, or as its file gave it."""
        given = _as_given(text, "the sentence")
        if given.chunks is not None:
            words = tuple(token for chunk in given.chunks for token in chunk)
            return cls(Sentence.of(words), _positions(given.chunks))
        if given.tokens is not None:
            return cls(Sentence.of(given.tokens), None)
        return cls(Sentence.of(tokenize(given.text or "", tokens)), None)


class Prepared(NamedTuple):
    """A pair on its way."""

    id: str
    sides: tuple[Side, Side]
    origin: Origin | None
    exchanged: bool = False
    """Whether sentence 2 is read first (see `_is_exchanged`)."""

    @property
    def in_reading_order(self) -> tuple[Side, Side]:
        """Both sides in the order in which they are read."""
        one, two = self.sides
        return (two, one) if self.exchanged else (one, two)

    @property
    def words(self) -> tuple[Sequence[str], Sequence[str]]:
        """The tokens of both sentences, in reading order."""
        one, two = self.in_reading_order
        return one.sentence.words, two.sentence.words

    def rejected(self, reason: str) -> RejectedItem:
        """The pair with the reason why nothing can be done with it."""
        reason = f"pair {self.id}: {reason}"
        place = (self.origin.file, self.origin.line) if self.origin else ("", None)
        return RejectedItem(
            FormatError(reason, *place), "\t".join(str(side.sentence) for side in self.sides)
        )


class BaseAligner(ABC):
    """Whatever aligns pairs: those that can be aligned, and those that come back rejected."""

    @abstractmethod
    def align_each(
        self,
        pairs: Iterable[InputPair | tuple[Text, Text] | RejectedItem],
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair | RejectedItem]:
        """Align many pairs; what cannot be aligned comes back rejected, in its place."""

    def align_many(
        self,
        pairs: Iterable[InputPair | tuple[Text, Text]],
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair]:
        """Align many pairs, in their order, holding a few batches at a time."""
        return raise_rejected(self.align_each(pairs, batch_size, tokens, why, matrix))


class Aligner(BaseAligner):
    """A trained model, loaded once, that aligns one pair or millions."""

    def __init__(
        self,
        model: Model,
        threads: int = 0,
        threshold: float | None = None,
        similarity_model: str = "similarity",
    ) -> None:
        self.model = model
        self._read_ahead = threads != 1
        self.threshold = _threshold(model) if threshold is None else threshold
        self._threads = threads
        self._similarity_model = similarity_model
        self._reader = PairReader(model, threads)
        self._labeler = Labeler.load(model.file("labeler.npz"))

    @classmethod
    def load(
        cls,
        name: str = DEFAULT_MODEL,
        threads: int = 0,
        threshold: float | None = None,
        similarity_model: str = "similarity",
    ) -> "Aligner":
        """A shipped model by name, or any by its folder; the similarity's is loaded when needed."""
        return cls(open_model(name, KIND), threads, threshold, similarity_model)

    def align(
        self, sentence1: Text, sentence2: Text, tokens: Tokenization = "auto"
    ) -> SentencePair:
        """Align two sentences: strings, token lists, or chunks as `InputSentence`."""
        return next(self.align_many([(sentence1, sentence2)], tokens=tokens))

    def align_each(
        self,
        pairs: Iterable[InputPair | tuple[Text, Text] | RejectedItem],
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair | RejectedItem]:
        """Align many pairs; what cannot be aligned comes back rejected, in its place."""
        if batch_size < 1:  # which would end before the first pair, and silently
            raise ValueError(f"batch_size is {batch_size}, expected at least 1")
        prepared = (self._prepared(*item, tokens) for item in enumerate(pairs, start=1))
        blocks = iter(lambda: _taken(prepared, batch_size * _BATCHES_AT_ONCE), [])
        in_turn = _one_ahead if self._read_ahead else _one_by_one
        for block, readings in in_turn(blocks, lambda block: self._read(block, batch_size)):
            rest = _sound(block)
            with _collector_paused():
                decisions = decided(rest, readings, self._labeler, self.threshold, why, matrix)
                aligned = iter(list(decisions))
            yield from (pair if isinstance(pair, RejectedItem) else next(aligned) for pair in block)

    def similarity(
        self, sentence1: Text, sentence2: Text, tokens: Tokenization = "auto"
    ) -> Similarity:
        """How similar two sentences are, from 0 to 5, and what each alignment adds to it."""
        return next(self.similarity_many([(sentence1, sentence2)], tokens=tokens))

    def similarity_many(
        self,
        pairs: Iterable[InputPair | tuple[Text, Text]],
        batch_size: int = 32,
        tokens: Tokenization = "auto",
    ) -> Iterator[Similarity]:
        """The similarity of many pairs, in their order, holding a few batches at a time."""
        return raise_rejected(self.similarity_each(pairs, batch_size, tokens))

    def similarity_each(
        self,
        pairs: Iterable[InputPair | tuple[Text, Text] | RejectedItem],
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
    ) -> Iterator[Similarity | RejectedItem]:
        """Yield the similarity of each pair, or a `RejectedItem` if it cannot be aligned."""
        aligned = self.align_each(pairs, batch_size=batch_size, tokens=tokens, why=why)
        while block := list(islice(aligned, batch_size * _BATCHES_AT_ONCE)):
            sentences = [
                sentence.words
                for pair in block
                if not isinstance(pair, RejectedItem)
                for sentence in (pair.sentence1, pair.sentence2)
            ]
            vectors = iter(self.sentence_encoder.read(sentences, batch_size))
            for pair in block:
                if isinstance(pair, RejectedItem):
                    yield pair
                else:
                    yield similarity(pair, (next(vectors), next(vectors)), self._points)

    def with_threshold(self, threshold: float) -> "Aligner":
        """Return this aligner with another link threshold; both share their networks."""
        _ = self._points  # loaded before the copy, so that it is shared as well
        other = copy(self)
        other.threshold = threshold
        return other

    @cached_property
    def sentence_encoder(self) -> SentenceEncoder:
        """The network that reads single sentences, for the similarity."""
        return SentenceEncoder.load(self._similarity_model, self._threads)

    @cached_property
    def _points(self) -> Points:
        return Points.of(self.sentence_encoder.model)

    def _prepared(
        self, number: int, pair: InputPair | tuple[Text, Text] | RejectedItem, tokens: Tokenization
    ) -> Prepared | RejectedItem:
        if isinstance(pair, RejectedItem):
            return pair
        prepared = _prepared(number, pair, tokens)
        rejection = self._reader.rejection(*prepared.words)
        return prepared if rejection is None else prepared.rejected(rejection)

    def _read(self, block: Sequence[Prepared | RejectedItem], batch_size: int) -> list[Reading]:
        pairs = _sound(block)
        ids = [pair.id for pair in pairs]
        words = [pair.words for pair in pairs]
        chunks = [(one.chunks, two.chunks) for one, two in (p.in_reading_order for p in pairs)]
        return self._reader.read(ids, words, chunks, batch_size)


def _is_exchanged(one: Side, two: Side) -> bool:
    """Whether the second sentence of a pair is read first.

    The network sees a pair slightly differently in its two orders. Reading it in an order that
    depends on the sentences alone makes the answer the same whichever of them comes first. Case
    counts last, so that a capital does not change the order.
    """
    return _order_key(two) < _order_key(one)


def _order_key(side: Side) -> tuple[object, ...]:
    words = side.sentence.words
    return tuple(word.casefold() for word in words), words, side.chunks or ()


def _threshold(model: Model) -> float:
    value = model.card.get("threshold")
    if not isinstance(value, int | float):
        raise ModelError(f"{model.folder}: its card has no link threshold")
    return float(value)


class BaselineAligner(BaseAligner):
    """The pilot's baseline: identical words; there is nothing to explain."""

    def __init__(self, chunker: str = "chunker") -> None:
        self._chunker_name = chunker

    @cached_property
    def _chunker(self) -> Chunker:
        return Chunker.load(self._chunker_name)

    def align_each(
        self,
        pairs: Iterable[InputPair | tuple[Text, Text] | RejectedItem],
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair | RejectedItem]:
        """Align many pairs; what was rejected before comes back in its place."""
        for number, pair in enumerate(pairs, start=1):
            if isinstance(pair, RejectedItem):
                yield pair
                continue
            pair_id, (one, two), origin, _ = _prepared(number, pair, tokens)
            chunks1, chunks2 = self._chunks(one), self._chunks(two)
            aligned = baseline.align(pair_id, one.sentence, two.sentence, chunks1, chunks2)
            yield replace(aligned, origin=origin)

    def _chunks(self, side: Side) -> tuple[Chunk, ...]:
        if side.chunks is not None:
            return tuple(map(as_chunk, side.chunks))
        return self._chunker.chunk(side.sentence.words).positions()


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Let nobody look for garbage meanwhile.

    What is learnt of new words is kept by the ten thousand; the collector would take each heap of
    them for a reason to go through all that is there, and find nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _taken(prepared: Iterator[Item], count: int) -> list[Item]:
    with stage("tokens"):
        return list(islice(prepared, count))


def _one_by_one(
    blocks: Iterator[Block], work: Callable[[Block], Result]
) -> Iterator[tuple[Block, Result]]:
    """All in one thread: who asked for one thread gets no second."""
    return ((block, work(block)) for block in blocks)


def _one_ahead(
    blocks: Iterator[Block], work: Callable[[Block], Result]
) -> Iterator[tuple[Block, Result]]:
    """Do the work of the next block while the caller is busy with this one.

    The network needs no Python while it runs: reading and labelling share the machine's cores.
    """
    with ThreadPoolExecutor(1) as reader:
        block = next(blocks, None)
        pending = reader.submit(work, block) if block is not None else None
        while block is not None and pending is not None:
            following = next(blocks, None)
            done = pending.result()
            if following is not None:
                pending = reader.submit(work, following)
            yield block, done
            block = following


def _prepared(number: int, pair: InputPair | tuple[Text, Text], tokens: Tokenization) -> Prepared:
    one, two = _two_sentences(number, pair)
    sides = Side.of(one, tokens), Side.of(two, tokens)
    if not isinstance(pair, InputPair):
        return Prepared(str(number), sides, None, _is_exchanged(*sides))
    origin = Origin(pair.file, pair.line) if pair.file else None
    return Prepared(pair.id, sides, origin, _is_exchanged(*sides))


def _sound(block: Sequence[Prepared | RejectedItem]) -> list[Prepared]:
    return [pair for pair in block if not isinstance(pair, RejectedItem)]


def _two_sentences(
    number: int, pair: InputPair | tuple[Text, Text]
) -> tuple[InputSentence, InputSentence]:
    """The sentences of what a caller gives as a pair; any other shape is a TypeError or ValueError.

    Strings and longer tuples could be taken apart, too, but nobody means their first two items.
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
        _as_given(text, f"sentence {side} of pair {number}")
        for side, text in enumerate(texts, start=1)
    )
    return one, two


def _as_given(text: Any, what: str) -> InputSentence:
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


def as_chunk(positions: Sequence[int]) -> Chunk:
    """A chunk of token positions from 0, as pairs hold it."""
    return Chunk(tuple(position + 1 for position in positions))


def decided(
    pairs: Sequence[Prepared],
    readings: Sequence[Reading],
    labeler: Labeler,
    threshold: float,
    why: bool = False,
    matrix: bool = False,
) -> Iterator[SentencePair]:
    """Decide links, relations and scores; ``readings`` are those of the pairs in reading order."""
    questions = [
        question_of(reading, *pair.words, pair.exchanged)
        for reading, pair in zip(readings, pairs, strict=True)
    ]
    weighed = labeler.weigh(questions)
    with stage("matching"):
        links = [match(one.link.tolist(), threshold) for one in weighed]
    answers = labeler.label(weighed, links, why)
    for pair, one, chosen, answer in zip(pairs, weighed, links, answers, strict=True):
        yield _aligned(pair, one, chosen, answer, why, matrix)


def question_of(
    reading: Reading, tokens1: Sequence[str], tokens2: Sequence[str], exchanged: bool = False
) -> Question:
    """What the labeller is asked after a reading."""
    signals = NetworkSignals(
        reading.link, reading.relation, reading.score, reading.alic1, reading.alic2
    )
    return Question(tokens1, reading.chunks1, tokens2, reading.chunks2, signals, exchanged)


def _aligned(
    pair: Prepared,
    weighed: ScoredLinks,
    links: list[tuple[int, int]],
    answer: Answer,
    why: bool,
    matrix: bool,
) -> SentencePair:
    """Links first, from left to right, then what stays alone, as a reader would go through them."""
    chunks1 = [as_chunk(chunk) for chunk in weighed.question.chunks1]
    chunks2 = [as_chunk(chunk) for chunk in weighed.question.chunks2]
    evidence = answer.evidence or (None,) * len(links)
    alignments = [
        Alignment(
            chunks1[i],
            chunks2[j],
            decision.relation,
            decision.score,
            decision.flags,
            evidence=Evidence(
                round(float(weighed.link[i, j]), _DECIMALS),
                round(decision.confidence, _DECIMALS),
                (found.in_words(),) if found is not None else (),
                _weights(found.weights) if found is not None else (),
            ),
        )
        for (i, j), decision, found in zip(links, answer.links, evidence, strict=True)
    ]
    for i, lone in answer.alone1.items():
        alignments.append(Alignment(chunks1[i], None, lone.relation, evidence=_alone(lone, why)))
    for j, lone in answer.alone2.items():
        alignments.append(Alignment(None, chunks2[j], lone.relation, evidence=_alone(lone, why)))
    scores = weighed.link
    if pair.exchanged:
        alignments = [alignment.exchanged() for alignment in alignments]
        scores = scores.T
    rows = None
    if matrix:
        rows = tuple(tuple(round(x, _DECIMALS) for x in row) for row in scores.tolist())
    sentence1, sentence2 = (side.sentence for side in pair.sides)
    return SentencePair(
        pair.id,
        sentence1,
        sentence2,
        commented(sorted(alignments, key=_reading_place), sentence1, sentence2),
        origin=pair.origin,
        matrix=rows,
    )


def _weights(weights: Iterable[Weight]) -> tuple[FeatureWeight, ...]:
    return tuple(
        FeatureWeight(one.feature, round(one.value, _DECIMALS), round(one.pull, _DECIMALS))
        for one in weights
    )


def _reading_place(alignment: Alignment) -> tuple[int, tuple[int, ...]]:
    """The place of an alignment: links first, then lone chunks of sentence 1, then those of 2."""
    one, two = alignment.chunk1, alignment.chunk2
    if one is not None:
        return (0 if two is not None else 1), one.tokens
    return 2, two.tokens if two is not None else ()


def _alone(lone: LoneDecision, why: bool) -> Evidence:
    return Evidence(
        None, round(lone.confidence, _DECIMALS), (_WHY_ALONE[lone.relation],) if why else ()
    )
