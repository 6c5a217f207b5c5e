"""`Aligner`, which aligns sentence pairs with a trained model, and the pilot's baseline."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from ists.aligner import baseline
from ists.aligner.reader import PairReader
from ists.chunker.tagger import Chunker
from ists.chunker.tokens import Tokenization
from ists.errors import ModelError
from ists.formats.problems import reject_unknown
from ists.formats.rows import RejectedItem, raise_rejected
from ists.formats.sentences import InputPair
from ists.models import Model, open_model
from ists.pairs import Chunk, Edition, SentencePair
from ists.pipeline.assemble import as_chunk
from ists.pipeline.prepare import PreparedPair, PreparedSentence, Text, prepare
from ists.pipeline.read_ahead import in_one_thread, one_ahead
from ists.pipeline.steps import align_scored, score_pairs
from ists.scored_pair import ScoredPair
from ists.stages import stage

if TYPE_CHECKING:
    from ists.similarity import Points, SentenceEncoder, Similarity

DEFAULT_MODEL = "default"
KIND = "aligner"
_BATCHES_AT_ONCE = 4
"""More would fill batches of one width better, fewer would start sooner."""

Item = TypeVar("Item")
Pair = InputPair | tuple[Text, Text]


class BaseAligner(ABC):
    """Anything that aligns sentence pairs."""

    @abstractmethod
    def align_each(
        self,
        pairs: Iterable[Pair | RejectedItem],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair | RejectedItem]:
        """Yield each pair aligned, in order, or a `RejectedItem` if it cannot be aligned."""

    def align_many(
        self,
        pairs: Iterable[Pair],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair]:
        """Yield each pair aligned, in order, with a few batches in memory at a time.

        `why` adds the evidence in words, `matrix` the link probability of every two chunks. Raises
        `FormatError` at the first pair that cannot be aligned.
        """
        return raise_rejected(
            self.align_each(pairs, batch_size=batch_size, tokens=tokens, why=why, matrix=matrix)
        )

    def align(
        self,
        sentence1: Text,
        sentence2: Text,
        *,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> SentencePair:
        """Align two sentences: strings, token lists, or chunks as `InputSentence`."""
        pair = (sentence1, sentence2)
        return next(self.align_many([pair], tokens=tokens, why=why, matrix=matrix))


class Aligner(BaseAligner):
    """A trained model that aligns sentence pairs, loaded once."""

    def __init__(
        self,
        model: Model,
        *,
        threads: int = 0,
        threshold: float | None = None,
        similarity_model: str = "similarity",
        edition: Edition = "2015",
    ) -> None:
        reject_unknown(edition)
        self.model = model
        self.edition = edition
        self.threshold = _threshold(model) if threshold is None else threshold
        self._threads = threads
        self._similarity_model = similarity_model
        self._reader = PairReader(model, threads)
        # Imported here because the network is opened meanwhile, which takes as long.
        from ists.labeler import Labeler

        self._labeler = Labeler.load(model.file("labeler.npz"))

    @classmethod
    def load(
        cls,
        name: str = DEFAULT_MODEL,
        *,
        threads: int = 0,
        threshold: float | None = None,
        similarity_model: str = "similarity",
        edition: Edition = "2015",
    ) -> "Aligner":
        """Load a shipped model by name, or any model by its folder.

        `threads` are those of the network (0: one per core), `threshold` is the link probability
        from which chunks are linked (None: the model's own). The similarity model is loaded when it
        is first needed. In the `edition` 2016, several chunks may be linked together, with gaps
        between them, if the model can make groups (`makes_groups`), and no chunk is ALIC. Raises
        `ModelError` if there is no such model or it is damaged.
        """
        return cls(
            open_model(name, KIND),
            threads=threads,
            threshold=threshold,
            similarity_model=similarity_model,
            edition=edition,
        )

    def in_edition(self, edition: Edition) -> "Aligner":
        """Return the aligner with the rules of another edition; the model is not loaded again."""
        reject_unknown(edition)
        other = copy(self)
        other.edition = edition
        return other

    @property
    def makes_groups(self) -> bool:
        """Whether the model was trained on groups of chunks, for the 2016 edition."""
        return self._labeler.model.group is not None

    def align_each(
        self,
        pairs: Iterable[Pair | RejectedItem],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair | RejectedItem]:
        """Yield each pair aligned, in order, or a `RejectedItem` if it cannot be aligned."""
        for block, scored in self._scored_blocks(pairs, batch_size, tokens):
            aligned = iter(
                align_scored(
                    _accepted(block),
                    scored,
                    self._labeler,
                    self.threshold,
                    why,
                    matrix,
                    self.edition,
                )
            )
            yield from (pair if isinstance(pair, RejectedItem) else next(aligned) for pair in block)

    def chunk_each(
        self,
        pairs: Iterable[Pair | RejectedItem],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
    ) -> Iterator[tuple[PreparedPair, tuple[Chunk, ...], tuple[Chunk, ...]] | RejectedItem]:
        """Yield each pair with the chunks of both its sentences, as aligning uses them."""
        for block, scored in self._scored_blocks(pairs, batch_size, tokens):
            chunked = iter(scored)
            for pair in block:
                if isinstance(pair, RejectedItem):
                    yield pair
                    continue
                one = next(chunked)
                sides = [tuple(map(as_chunk, chunks)) for chunks in (one.chunks1, one.chunks2)]
                chunks1, chunks2 = reversed(sides) if pair.exchanged else sides
                yield pair, chunks1, chunks2

    def similarity(
        self, sentence1: Text, sentence2: Text, *, tokens: Tokenization = "auto"
    ) -> "Similarity":
        """Return how similar two sentences are, from 0 to 5, and each alignment's contribution."""
        return next(self.similarity_many([(sentence1, sentence2)], tokens=tokens))

    def similarity_many(
        self,
        pairs: Iterable[Pair],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
    ) -> "Iterator[Similarity]":
        """Yield the similarity of each pair, in order, with a few batches in memory at a time."""
        return raise_rejected(self.similarity_each(pairs, batch_size=batch_size, tokens=tokens))

    def similarity_each(
        self,
        pairs: Iterable[Pair | RejectedItem],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
    ) -> "Iterator[Similarity | RejectedItem]":
        """Yield the similarity of each pair, or a `RejectedItem` if it cannot be aligned."""
        from ists.similarity import similarity

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
    def sentence_encoder(self) -> "SentenceEncoder":
        """The network that encodes single sentences, for the similarity."""
        from ists.similarity import SentenceEncoder

        return SentenceEncoder.load(self._similarity_model, self._threads)

    @cached_property
    def _points(self) -> "Points":
        from ists.similarity import Points

        return Points.of(self.sentence_encoder.model)

    def _scored_blocks(
        self, pairs: Iterable[Pair | RejectedItem], batch_size: int, tokens: Tokenization
    ) -> Iterator[tuple[list[PreparedPair | RejectedItem], list[ScoredPair]]]:
        if batch_size < 1:  # otherwise the first block would be empty, and the run end silently
            raise ValueError(f"batch_size is {batch_size}, expected at least 1")
        prepared = (self._prepare(*item, tokens) for item in enumerate(pairs, start=1))
        blocks = iter(lambda: _take(prepared, batch_size * _BATCHES_AT_ONCE), [])
        in_turn = in_one_thread if self._threads == 1 else one_ahead
        return in_turn(blocks, lambda b: score_pairs(self._reader, _accepted(b), batch_size))

    def _prepare(
        self, number: int, pair: Pair | RejectedItem, tokens: Tokenization
    ) -> PreparedPair | RejectedItem:
        if isinstance(pair, RejectedItem):
            return pair
        prepared = prepare(number, pair, tokens)
        reason = self._reader.rejection(*prepared.words)
        return prepared if reason is None else prepared.rejected(reason)


class BaselineAligner(BaseAligner):
    """The pilot's baseline: links of identical words; it has no evidence."""

    def __init__(self, chunker: str = "chunker") -> None:
        self._chunker_name = chunker

    @cached_property
    def _chunker(self) -> Chunker:
        return Chunker.load(self._chunker_name)

    def align_each(
        self,
        pairs: Iterable[Pair | RejectedItem],
        *,
        batch_size: int = 32,
        tokens: Tokenization = "auto",
        why: bool = False,
        matrix: bool = False,
    ) -> Iterator[SentencePair | RejectedItem]:
        """Yield each pair aligned, in order; `why` and `matrix` have no effect."""
        for number, pair in enumerate(pairs, start=1):
            if isinstance(pair, RejectedItem):
                yield pair
                continue
            pair_id, (one, two), origin, _ = prepare(number, pair, tokens)
            chunks1, chunks2 = self._chunks(one), self._chunks(two)
            aligned = baseline.align(pair_id, one.sentence, two.sentence, chunks1, chunks2)
            yield replace(aligned, origin=origin)

    def _chunks(self, side: PreparedSentence) -> tuple[Chunk, ...]:
        if side.chunks is not None:
            return tuple(map(as_chunk, side.chunks))
        return self._chunker.chunk(side.sentence.words).positions()


def _threshold(model: Model) -> float:
    value = model.card.get("threshold")
    if not isinstance(value, int | float):
        raise ModelError(f"{model.folder}: its card has no link threshold")
    return float(value)


def _take(prepared: Iterator[Item], count: int) -> list[Item]:
    with stage("tokens"):
        return list(islice(prepared, count))


def _accepted(block: Sequence[PreparedPair | RejectedItem]) -> list[PreparedPair]:
    return [pair for pair in block if not isinstance(pair, RejectedItem)]
