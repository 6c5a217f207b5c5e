"""Training of the chunker's network.

1. Pre-training on CoNLL-2000: its chunk tags, its parts of speech, and the pilot's chunks that the
   adaptation rules derive from them; some of the sentences are rewritten in other capitalisation or
   as headlines.
2. Fine-tuning on the gold chunks, mixed with sentences of CoNLL-2000 so that the network still
   predicts its tags.
3. With several seeds, the weights of stage 2's networks, which all start from the network of stage
   1, are averaged.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import EncoderInput
from ists.train.base import base_word_pieces
from ists.train.batching import encoder_batch, length_bucketed_batches
from ists.train.chunker.network import ChunkerNetwork
from ists.train.corpora import LabelledSentence, recased, with_adapted_chunks
from ists.train.loop import Progress, State, TrainingLoop, averaged, optimizer_of

_IGNORED = -100
_LAG = 10
_POOL = 50
"""Batches per pool of sentences that are sorted by length."""


@dataclass(frozen=True)
class Hyperparameters:
    """Hyperparameters of the chunker's training."""

    pretraining_epochs: int = 4
    pretraining_rate: float = 2e-4
    epochs: int = 5
    rate: float = 1.5e-4
    head_rate: float = 1e-3
    batch: int = 32
    conll_share: float = 0.2
    """CoNLL-2000 sentences per gold sentence in fine-tuning."""
    recased_share: float = 0.3
    """Share of the CoNLL-2000 sentences in other capitalisation or as headlines."""
    dropout: float = 0.15
    smoothing: float = 0.03
    """Label smoothing of the boundaries: annotators differ."""
    averaging: float = 0.99
    """Decay of the moving average of the weights."""
    iob_weight: float = 1.0
    pos_weight: float = 0.5
    warm_up: float = 0.1
    weight_decay: float = 0.01
    seeds: tuple[int, ...] = (1,)


@dataclass(frozen=True)
class Tags:
    """The labels of the two tagging heads, in the order of their logits."""

    iob: tuple[str, ...]
    pos: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Sequence[LabelledSentence]) -> "Tags":
        """Return all tags that occur in the sentences."""
        return cls(
            tuple(sorted({tag for s in sentences for tag in s.iob or ()})),
            tuple(sorted({tag for s in sentences for tag in s.pos or ()})),
        )


@dataclass(frozen=True)
class Example:
    """A sentence as input of the network, with its labels."""

    encoded: EncoderInput
    starts: list[float]
    iob: list[int]
    pos: list[int]


class Trainer:
    """Trains networks; `progress` is called after every epoch."""

    def __init__(
        self, hyperparameters: Hyperparameters, tags: Tags, progress: Progress = lambda _: None
    ) -> None:
        self.hyperparameters = hyperparameters
        self.tags = tags
        self._progress = progress
        self._word_pieces = base_word_pieces()

    def pretrain(self, conll: Sequence[LabelledSentence], seed: int) -> State:
        """Stage 1: return a network pre-trained on CoNLL-2000, from the base model."""
        network = self._network(None, seed)
        sentences = [with_adapted_chunks(sentence) for sentence in conll]
        rng = random.Random(seed)
        epochs = [
            [self._example(s, rng, self.hyperparameters.recased_share) for s in sentences]
            for _ in range(self.hyperparameters.pretraining_epochs)
        ]
        return self._fit(
            network, epochs, self.hyperparameters.pretraining_rate, 0.0, 0.0, seed, "CoNLL-2000"
        )

    def fine_tune(
        self,
        start: State | None,
        gold: Sequence[LabelledSentence],
        conll: Sequence[LabelledSentence],
        seed: int,
    ) -> State:
        """Stage 2, from a pre-trained network or, if there is none, from the base model."""
        network = self._network(start, seed)
        rng = random.Random(seed)
        adapted = [with_adapted_chunks(sentence) for sentence in conll]
        drawn = min(len(adapted), int(self.hyperparameters.conll_share * len(gold)))
        epochs = []
        for _ in range(self.hyperparameters.epochs):
            examples = [self._example(sentence, rng, 0.0) for sentence in gold]
            epochs.append(
                [
                    *examples,
                    *(
                        self._example(sentence, rng, self.hyperparameters.recased_share)
                        for sentence in rng.sample(adapted, drawn)
                    ),
                ]
            )
        parameters = self.hyperparameters
        return self._fit(
            network,
            epochs,
            parameters.rate,
            parameters.averaging,
            parameters.smoothing,
            seed,
            f"seed {seed}",
        )

    def train(
        self,
        start: State | None,
        gold: Sequence[LabelledSentence],
        conll: Sequence[LabelledSentence],
    ) -> State:
        """Stages 2 and 3: return the final weights."""
        return averaged(
            [self.fine_tune(start, gold, conll, seed) for seed in self.hyperparameters.seeds]
        )

    def _network(self, start: State | None, seed: int) -> ChunkerNetwork:
        torch.manual_seed(seed)
        network = ChunkerNetwork(
            len(self.tags.iob), len(self.tags.pos), self.hyperparameters.dropout
        )
        network.encoder.load_base()
        if start is not None:
            network.load_state_dict(start)
        return network

    def _example(
        self, sentence: LabelledSentence, rng: random.Random, recased_share: float
    ) -> Example:
        if recased_share and rng.random() < recased_share:
            sentence = recased(sentence, rng)
        blank = [_IGNORED] * len(sentence.tokens)
        return Example(
            self._word_pieces.encode(sentence.tokens),
            list(map(float, sentence.starts)) if sentence.starts else list(map(float, blank)),
            [self.tags.iob.index(tag) for tag in sentence.iob] if sentence.iob else blank,
            [self.tags.pos.index(tag) for tag in sentence.pos] if sentence.pos else blank,
        )

    def _fit(
        self,
        network: ChunkerNetwork,
        epochs: list[list[Example]],
        rate: float,
        averaging: float,
        smoothing: float,
        seed: int,
        name: str,
    ) -> State:
        rng = random.Random(seed)
        torch.manual_seed(seed)
        parameters = self.hyperparameters
        batches = [
            length_bucketed_batches(examples, parameters.batch, _POOL, _length, rng)
            for examples in epochs
        ]
        return TrainingLoop(parameters.warm_up, averaging, _LAG).run(
            network,
            optimizer_of(network, rate, parameters.head_rate, parameters.weight_decay),
            batches,
            lambda batch: self._loss(network, batch, smoothing),
            lambda text: self._progress(f"{name}: {text}"),
        )

    def _loss(self, network: ChunkerNetwork, batch: list[Example], smoothing: float) -> Tensor:
        logits = network(encoder_batch([example.encoded for example in batch]))
        starts = torch.tensor([start for example in batch for start in example.starts])
        iob = torch.tensor([tag for example in batch for tag in example.iob])
        pos = torch.tensor([tag for example in batch for tag in example.pos])
        loss = torch.zeros(())
        known = starts != _IGNORED
        if known.any():
            target = starts[known] * (1 - 2 * smoothing) + smoothing
            loss = loss + F.binary_cross_entropy_with_logits(logits.start[known], target)
        if (iob != _IGNORED).any():
            tagging = F.cross_entropy(logits.iob, iob, ignore_index=_IGNORED)
            speech = F.cross_entropy(logits.pos, pos, ignore_index=_IGNORED)
            loss = (
                loss
                + self.hyperparameters.iob_weight * tagging
                + self.hyperparameters.pos_weight * speech
            )
        return loss


def _length(example: Example) -> int:
    return len(example.encoded.pieces)
