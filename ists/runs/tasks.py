"""Tasks: what a run does with its items.

A task is a picklable value; each worker loads its model once. Loading returns a function from items
to outcomes: for each item, in order, the bytes to be written, or the item as `RejectedItem`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from ists.chunker.tokens import Tokenization, tokenize
from ists.errors import FormatError
from ists.formats import rendering
from ists.formats.jsonl import line_of
from ists.formats.rows import RejectedItem
from ists.formats.sentences import InputLine, InputPair, InputSentence
from ists.models import CARD, find_model, sha256_of
from ists.pairs import Edition, SentencePair
from ists.stages import stage

if TYPE_CHECKING:
    from ists.chunker.tagger import Chunker
    from ists.pipeline import Aligner, BaseAligner
    from ists.similarity import Scale, Similarity

Work = Callable[[Iterable[Any]], Iterator[bytes | RejectedItem]]
Outcomes = list[bytes | RejectedItem]


class Task(Protocol):
    """Picklable task: the operation, its model and its output format."""

    @property
    def block(self) -> int:
        """Number of items that are processed and written together."""

    @property
    def frame(self) -> tuple[bytes, bytes]:
        """Header and footer of the output."""

    def identity(self) -> Mapping[str, Any]:
        """Return all but the input that determines the output."""

    def load(self, threads: int) -> Work:
        """Load the model and return the function that does the work; 0 threads: one per core."""


class _OfPairs:
    """Mixin of tasks on pairs."""

    batch_size: int

    @property
    def block(self) -> int:
        """Four batches of pairs."""
        return self.batch_size * 4


class _Unframed:
    """Mixin of tasks whose output has neither header nor footer."""

    @property
    def frame(self) -> tuple[bytes, bytes]:
        """Empty header and footer."""
        return b"", b""


@dataclass(frozen=True)
class AlignTask(_OfPairs):
    """Align pairs and write them in a format."""

    format: str
    model: str = "default"
    threshold: float | None = None
    baseline: bool = False
    tokens: Tokenization = "auto"
    why: bool = False
    matrix: bool = False
    batch_size: int = 32
    edition: Edition = "2015"

    @property
    def frame(self) -> tuple[bytes, bytes]:
        """Header and footer of the format."""
        parts = rendering(self.format)
        return parts.head, parts.foot

    def identity(self) -> Mapping[str, Any]:
        """Return the options by their names, and the hash of the model."""
        name, kind = ("chunker", "chunker") if self.baseline else (self.model, "aligner")
        return {
            "model": model_hash(name, kind),
            "--format": self.format,
            "--threshold": self.threshold,
            "--baseline": self.baseline,
            "--tokens": self.tokens,
            "--why": self.why,
            "--matrix": self.matrix,
            "--edition": self.edition,
        }

    def load(self, threads: int) -> Work:
        """Load the aligner; the work aligns and renders pairs."""
        from ists.pipeline import Aligner, BaselineAligner

        aligner = (
            BaselineAligner()
            if self.baseline
            else Aligner.load(
                self.model, threads=threads, threshold=self.threshold, edition=self.edition
            )
        )
        return self.work_of(aligner)

    def work_of(self, aligner: "BaseAligner") -> Work:
        """Return the function that aligns and renders pairs with a loaded aligner."""
        render = rendering(self.format).pair

        def work(items: Iterable[InputPair | RejectedItem]) -> Iterator[bytes | RejectedItem]:
            outcomes = aligner.align_each(
                items,
                batch_size=self.batch_size,
                tokens=self.tokens,
                why=self.why,
                matrix=self.matrix,
            )
            return (render_outcome(outcome, render) for outcome in outcomes)

        return work


@dataclass(frozen=True)
class SimilarityTask(_OfPairs, _Unframed):
    """Score the similarity of pairs: one number per line, or JSONL with contributions."""

    format: str
    scale: "Scale" = "0-5"
    model: str = "default"
    similarity_model: str = "similarity"
    tokens: Tokenization = "auto"
    batch_size: int = 32

    def identity(self) -> Mapping[str, Any]:
        """Return the options by their names, and the hashes of both models."""
        return {
            "model": model_hash(self.model, "aligner"),
            "similarity model": model_hash(self.similarity_model, "similarity"),
            "--format": self.format,
            "--scale": self.scale,
            "--tokens": self.tokens,
        }

    def load(self, threads: int) -> Work:
        """Load the aligner; the work scores and renders pairs."""
        from ists.pipeline import Aligner

        return self.work_of(
            Aligner.load(self.model, threads=threads, similarity_model=self.similarity_model)
        )

    def work_of(self, aligner: "Aligner") -> Work:
        """Return the function that scores and renders pairs with a loaded aligner."""

        def work(items: Iterable[InputPair | RejectedItem]) -> Iterator[bytes | RejectedItem]:
            outcomes = aligner.similarity_each(
                items, batch_size=self.batch_size, tokens=self.tokens
            )
            return (
                outcome if isinstance(outcome, RejectedItem) else self._line(outcome)
                for outcome in outcomes
            )

        return work

    def _line(self, found: "Similarity") -> bytes:
        if self.format == "jsonl":
            return line_of(found.to_record(self.scale))
        return f"{found.on(self.scale):.4f}\n".encode()


@dataclass(frozen=True)
class ChunkTask(_Unframed):
    """Chunk sentences and write them in a format."""

    format: str
    model: str = "chunker"
    tokens: Tokenization = "auto"
    types: bool = False
    batch_size: int = 32

    @property
    def block(self) -> int:
        """As many sentences as the chunker processes together: 32 batches."""
        return self.batch_size * 32

    def identity(self) -> Mapping[str, Any]:
        """Return the options by their names, and the hash of the model."""
        return {
            "model": model_hash(self.model, "chunker"),
            "--format": self.format,
            "--tokens": self.tokens,
            "--types": self.types,
        }

    def load(self, threads: int) -> Work:
        """Load the chunker; the work chunks and renders sentences."""
        from ists.chunker.tagger import Chunker

        return self.work_of(Chunker.load(self.model, threads=threads))

    def work_of(self, chunker: "Chunker") -> Work:
        """Return the function that chunks and renders sentences with a loaded chunker."""
        from ists.chunker.rendering import RENDERERS

        render = RENDERERS[self.format]

        def work(items: Iterable[InputLine | RejectedItem]) -> Iterator[bytes | RejectedItem]:
            waiting = iter(items)
            while block := list(islice(waiting, self.block)):
                valid = (item.sentence for item in block if not isinstance(item, RejectedItem))
                chunked = chunker.chunk_many(map(self._tokens, valid), self.batch_size)
                for item in block:
                    if isinstance(item, RejectedItem):
                        yield item
                        continue
                    try:
                        yield render(next(chunked), self.types)
                    except FormatError as error:
                        placed = FormatError(error.reason, item.file, item.line)
                        yield RejectedItem(placed, str(item.sentence))

        return work

    def _tokens(self, given: InputSentence) -> tuple[str, ...]:
        if given.chunks is not None:
            return tuple(token for chunk in given.chunks for token in chunk)
        return given.tokens if given.tokens is not None else tokenize(given.text or "", self.tokens)


def model_hash(name: str, kind: str) -> str:
    """Return the hash of a model's card, which contains the hashes of all its files."""
    return sha256_of(find_model(name, kind).folder / CARD)


def render_outcome(
    outcome: SentencePair | RejectedItem, render: Callable[[SentencePair], bytes]
) -> bytes | RejectedItem:
    """Render an aligned pair; one that the format cannot represent becomes `RejectedItem`."""
    if isinstance(outcome, RejectedItem):
        return outcome
    try:
        with stage("writing"):
            return render(outcome)
    except FormatError as error:
        origin = outcome.origin
        place = (origin.file, origin.line) if origin else ("", None)
        text = f"{outcome.sentence1}\t{outcome.sentence2}"
        return RejectedItem(FormatError(error.reason, *place), text)
