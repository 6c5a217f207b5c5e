"""The models of a server: each is loaded when first used, and has a queue and a worker thread."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ists.errors import ModelError
from ists.formats.rows import RejectedItem
from ists.formats.sentences import InputPair, InputSentence
from ists.models import open_model, read_card, shipped
from ists.pairs import Edition
from ists.pipeline import DEFAULT_MODEL, KIND, Aligner, BaseAligner, BaselineAligner
from ists.resources import models_path
from ists.runs.tasks import ChunkTask, Work
from ists.serve.batching import Batcher, Outcome, QueueFullError
from ists.serve.limits import Limits
from ists.serve.tasks import ExplainTask

BASELINE = "baseline"
CHUNKER = "chunker"
_EXAMPLE = ("A tabby cat sleeps on the roof.", "A cat is sleeping on a barn.")


class PairTask(Protocol):
    """A task on pairs for an aligner that is loaded already."""

    def work_of(self, aligner: Any) -> Work:
        """Return the function that does the work."""


@dataclass(frozen=True)
class AlignerTask:
    """A task with the settings of the aligner; the threshold None is the model's own."""

    task: PairTask
    threshold: float | None = None
    edition: Edition = "2015"


BatchObserver = Callable[[str, int, float], None]


class Engine:
    """All models of a server by name."""

    def __init__(
        self,
        models: Sequence[str] = (),
        limits: Limits | None = None,
        threads: int = 0,
        observe: BatchObserver | None = None,
    ) -> None:
        names = list(dict.fromkeys(models)) or _in_order(shipped(KIND))
        self.models = [*names, BASELINE]
        self.default = names[0]
        self.limits = limits or Limits()
        self._observe = observe
        self._threads = threads
        self._cards = {name: open_model(name, KIND).card for name in names}
        loaders = {name: _aligner_loader(name, threads) for name in names}
        loaders[BASELINE] = lambda: _PairRun(BaselineAligner())
        loaders[CHUNKER] = self._load_chunker
        self._batchers = {name: self._batcher(name, load) for name, load in loaders.items()}

    def cards(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards of the models; the baseline has that of its chunker."""
        return {**self._cards, BASELINE: read_card(models_path(CHUNKER))}

    @property
    def queues(self) -> Mapping[str, int]:
        """Number of pairs that wait or are being computed, by model."""
        return {name: batcher.reserved for name, batcher in self._batchers.items()}

    def outcomes(
        self, model: str, task: Any, items: Sequence[Any]
    ) -> AsyncGenerator[Outcome, None]:
        """Yield the outcome of each item, in order; raise `QueueFullError` if the queue is full."""
        if model not in self._batchers:
            raise ModelError(f"no model '{model}', expected one of: {', '.join(self.models)}")
        return self._batchers[model].outcomes(task, items)

    async def warm_up(self) -> None:
        """Load the default model and align an example, so that the first request is fast."""
        one, two = map(InputSentence, _EXAMPLE)
        task = AlignerTask(ExplainTask(details=True))
        async for _ in self.outcomes(self.default, task, [InputPair("1", one, two, 1)]):
            pass

    def stop(self) -> None:
        """Finish what was accepted and end all worker threads."""
        for batcher in self._batchers.values():
            batcher.stop()

    def _batcher(self, name: str, load: Callable[[], Any]) -> Batcher:
        def observe(pairs: int, seconds: float) -> None:
            if self._observe is not None:
                self._observe(name, pairs, seconds)

        return Batcher(name, load, self.limits.queue, observe)

    def _load_chunker(self) -> Any:
        from ists.chunker.tagger import Chunker

        chunker = Chunker.load(CHUNKER, threads=self._threads)

        def run(task: ChunkTask, items: Sequence[Any]) -> list[Outcome]:
            return list(task.work_of(chunker)(items))

        return run


class _PairRun:
    """Runs tasks with one aligner."""

    def __init__(self, aligner: BaseAligner) -> None:
        self._aligners: dict[Edition, BaseAligner] = {"2015": aligner}

    def __call__(
        self, key: AlignerTask, items: Sequence[InputPair | RejectedItem]
    ) -> list[Outcome]:
        aligner = self._aligner_of(key.edition)
        if key.threshold is not None and isinstance(aligner, Aligner):
            aligner = aligner.with_threshold(key.threshold)
        return list(key.task.work_of(aligner)(items))

    def _aligner_of(self, edition: Edition) -> BaseAligner:
        """Return the aligner with the rules of an edition; kept, so that it loads nothing twice."""
        own = self._aligners["2015"]
        if edition not in self._aligners and isinstance(own, Aligner):
            self._aligners[edition] = own.in_edition(edition)
        return self._aligners.get(edition, own)


def _aligner_loader(name: str, threads: int) -> Callable[[], Any]:
    return lambda: _PairRun(Aligner.load(name, threads=threads))


def _in_order(names: Sequence[str]) -> list[str]:
    """Return the names with the default model first."""
    return sorted(names, key=lambda name: (name != DEFAULT_MODEL, name))


__all__ = ["BASELINE", "CHUNKER", "AlignerTask", "Engine", "QueueFullError"]
