"""Training the chunker.

1. Pre-training on CoNLL-2000: its chunk tags, its parts of speech, and the pilot's chunks as the
   adaptation rules derive them; a share of the sentences is spelled as headlines are.
2. Fine-tuning on the gold chunks, with a share of CoNLL-2000 mixed in so that its tags survive.
3. With several seeds, the weights of stage 2's networks are averaged: they start from one network
   and end in one basin.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.encoder import EncoderInput, WordPieces, padded
from ists.train.corpora import LabelledSentence, recased, with_adapted_chunks
from ists.train.loop import Descent, optimizer_of
from ists.train.network import ChunkerNetwork, base_folder

_IGNORED = -100
_LAG = 10
_POOL = 50
"""Batches are made of sentences of near lengths, drawn from this many batches' worth."""


@dataclass(frozen=True)
class Recipe:
    """All that decides how a chunker comes out, besides the data."""

    pretraining_epochs: int = 4
    pretraining_rate: float = 2e-4
    epochs: int = 5
    rate: float = 1.5e-4
    head_rate: float = 1e-3
    batch: int = 32
    conll_share: float = 0.2
    """CoNLL-2000 sentences per gold sentence while fine-tuning."""
    recased_share: float = 0.3
    dropout: float = 0.15
    smoothing: float = 0.03
    """Of the boundary labels: annotators differ."""
    averaging: float = 0.99
    """Of the weights along a run: an exponential mean, whose last value is taken."""
    iob_weight: float = 1.0
    pos_weight: float = 0.5
    warm_up: float = 0.1
    weight_decay: float = 0.01
    seeds: tuple[int, ...] = (1,)

    def to_dict(self) -> dict[str, Any]:
        """For the model's card."""
        return asdict(self)


@dataclass(frozen=True)
class Tags:
    """The labels of the two tagging heads, in the order of their logits."""

    iob: tuple[str, ...]
    pos: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Sequence[LabelledSentence]) -> "Tags":
        """All tags that occur."""
        return cls(
            tuple(sorted({tag for s in sentences for tag in s.iob or ()})),
            tuple(sorted({tag for s in sentences for tag in s.pos or ()})),
        )


@dataclass(frozen=True)
class Example:
    """A sentence as the network reads it, with the labels it should give."""

    encoded: EncoderInput
    starts: list[float]
    iob: list[int]
    pos: list[int]


class Trainer:
    """Trains networks by a recipe; `progress` hears of every epoch."""

    def __init__(
        self, recipe: Recipe, tags: Tags, progress: Callable[[str], None] = lambda _: None
    ) -> None:
        self.recipe = recipe
        self.tags = tags
        self._progress = progress
        self._word_pieces = WordPieces(base_folder() / "tokenizer.json")

    def pretrain(self, conll: Sequence[LabelledSentence], seed: int) -> dict[str, Tensor]:
        """Stage 1, from the base model."""
        network = self._network(None, seed)
        sentences = [with_adapted_chunks(sentence) for sentence in conll]
        rng = random.Random(seed)
        epochs = [
            [self._example(s, rng, self.recipe.recased_share) for s in sentences]
            for _ in range(self.recipe.pretraining_epochs)
        ]
        return self._fit(
            network, epochs, self.recipe.pretraining_rate, 0.0, 0.0, seed, "CoNLL-2000"
        )

    def fine_tune(
        self,
        start: dict[str, Tensor] | None,
        gold: Sequence[LabelledSentence],
        conll: Sequence[LabelledSentence],
        seed: int,
    ) -> dict[str, Tensor]:
        """Stage 2, from a pre-trained network or, without one, from the base model."""
        network = self._network(start, seed)
        rng = random.Random(seed)
        adapted = [with_adapted_chunks(sentence) for sentence in conll]
        drawn = min(len(adapted), int(self.recipe.conll_share * len(gold)))
        epochs = []
        for _ in range(self.recipe.epochs):
            examples = [self._example(sentence, rng, 0.0) for sentence in gold]
            epochs.append(
                [
                    *examples,
                    *(
                        self._example(sentence, rng, self.recipe.recased_share)
                        for sentence in rng.sample(adapted, drawn)
                    ),
                ]
            )
        rate, averaging, smoothing = self.recipe.rate, self.recipe.averaging, self.recipe.smoothing
        return self._fit(network, epochs, rate, averaging, smoothing, seed, f"seed {seed}")

    def train(
        self,
        start: dict[str, Tensor] | None,
        gold: Sequence[LabelledSentence],
        conll: Sequence[LabelledSentence],
    ) -> dict[str, Tensor]:
        """Stages 2 and 3: the weights of the network to ship."""
        return averaged([self.fine_tune(start, gold, conll, seed) for seed in self.recipe.seeds])

    def _network(self, start: dict[str, Tensor] | None, seed: int) -> ChunkerNetwork:
        torch.manual_seed(seed)
        network = ChunkerNetwork(len(self.tags.iob), len(self.tags.pos), self.recipe.dropout)
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
    ) -> dict[str, Tensor]:
        rng = random.Random(seed)
        torch.manual_seed(seed)
        plan = [list(_batches(examples, self.recipe.batch, rng)) for examples in epochs]
        return Descent(self.recipe.warm_up, averaging, _LAG).run(
            network,
            optimizer_of(network, rate, self.recipe.head_rate, self.recipe.weight_decay),
            plan,
            lambda batch: self._loss(network, batch, smoothing),
            lambda text: self._progress(f"{name}: {text}"),
        )

    def _loss(self, network: ChunkerNetwork, batch: list[Example], smoothing: float) -> Tensor:
        logits = network(*tensors([example.encoded for example in batch]))
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
            loss = loss + self.recipe.iob_weight * tagging + self.recipe.pos_weight * speech
        return loss


def averaged(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of networks that were trained from one starting point.

    Counted from the first one, so that what is the same in all of them stays so to the last bit.
    """
    first = states[0]
    return {
        name: own + torch.stack([state[name] - own for state in states]).mean(0)
        for name, own in first.items()
    }


def tensors(inputs: Sequence[EncoderInput]) -> tuple[Tensor, ...]:
    """Units as the network takes them: pieces, shapes, segments, mask, here, before."""
    width = max(len(encoded.pieces) for encoded in inputs)
    arrays = {name: torch.from_numpy(array) for name, array in padded(inputs, width).items()}
    mask = torch.arange(width)[None, :] < arrays["lengths"][:, None]
    return (
        arrays["pieces"],
        arrays["shapes"],
        arrays["segments"],
        mask,
        arrays["here"],
        arrays["before"],
    )


def _batches(examples: Sequence[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    shuffled = list(examples)
    rng.shuffle(shuffled)
    batches = []
    for begin in range(0, len(shuffled), size * _POOL):
        pool = sorted(
            shuffled[begin : begin + size * _POOL], key=lambda example: len(example.encoded.pieces)
        )
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    rng.shuffle(batches)
    yield from batches
