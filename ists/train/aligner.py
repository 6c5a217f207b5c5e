"""Training the aligner's network: one reading of both sentences answers five questions.

Which chunks belong together, by what relation, with what score; which chunks left alone are ALIC;
and where chunks begin. The start lies between MiniLM, which knows meaning, and the chunker, which
knows syntax. Every epoch shows each pair in one of its two directions, with some of its word pieces
hidden. What is kept is the moving average of the weights.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (the customary name)

from ists.aligner.reader import Positions
from ists.aligner.surface import SURFACE, Floats, membership, surface_features
from ists.encoder import LONGEST, SHAPES, Unit, WordPieces
from ists.errors import FormatError, ModelError
from ists.formats import read
from ists.labeler.signals import SCORES, SWAPPED_RELATIONS
from ists.pairs import LINKING, Alignment, Chunk, Relation, SentencePair
from ists.train.chunker import averaged
from ists.train.corpora import FOLDS, fold_of
from ists.train.loop import Descent, State
from ists.train.network import FROZEN, LAYERS, base_folder
from ists.train.pair_network import AlignerNetwork, PairInputs, PairLogits, Side

_UNKNOWN = -1
_HIDDEN_PIECE = 103
"""The vocabulary's own sign for a piece that is not shown."""
_SPECIAL = SHAPES.index("special")
_NEVER = -1e4
_POOL = 8
"""Batches are made of pairs of near lengths, drawn from this many batches' worth."""
_DROPOUT_SEED = 1000
_LAG = 9
"""Added to the seed of the order, so that dropout is drawn apart from it."""


@dataclass(frozen=True)
class Recipe:
    """All that decides how an aligner's network comes out, besides the data."""

    epochs: int = 9
    batch: int = 16
    rate: float = 1.5e-4
    """Of the encoder's last layer."""
    head_rate: float = 1e-3
    layer_decay: float = 0.95
    """Each layer learns by this factor more slowly than the one above it."""
    warm_up: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.1
    head_dropout: float = 0.3
    averaging: float = 0.98
    """Of the weights along a run: an exponential mean, whose last value is taken."""
    chunker_share: float = 0.5
    """Where the start lies between MiniLM (0) and the pre-trained chunker (1)."""
    link_weight: float = 1.0
    relation_weight: float = 0.5
    score_weight: float = 0.4
    boundary_weight: float = 1.5
    alone_weight: float = 0.1
    smoothing: float = 0.05
    """Of relations and scores: annotators differ."""
    link_smoothing: float = 0.05
    """Of links: the gold itself is unsure which weak links to make."""
    swapped_share: float = 0.5
    hidden_share: float = 0.08
    """Of the word pieces, not shown to the encoder while it learns."""
    seeds: tuple[int, ...] = (1,)
    """Of order, direction and dropout; the networks of several are averaged. The first is also the
    seed of the heads' first weights, which all of them share."""

    def to_dict(self) -> dict[str, Any]:
        """For the model's card."""
        return asdict(self)


class Link(NamedTuple):
    """Two chunks the gold aligns, by their places, with the places of their labels."""

    chunk1: int
    chunk2: int
    relation: int
    """In `ists.pairs.LINKING`."""
    score: int
    """In `ists.labeler.signals.SCORES`."""


@dataclass(frozen=True)
class Example:
    """A gold pair as the network learns it: chunks from left to right, tokens counted from 0."""

    corpus: str
    id: str
    tokens1: tuple[str, ...]
    tokens2: tuple[str, ...]
    chunks1: Positions
    chunks2: Positions
    links: tuple[Link, ...]
    alone1: tuple[int, ...]
    """For each chunk of sentence 1: 1 ALIC, 0 NOALI, -1 aligned."""
    alone2: tuple[int, ...]
    teaches_chunks: bool
    """Whether the chunks cover the sentences one after the other, as the chunker's do."""

    @classmethod
    def of(cls, corpus: str, pair: SentencePair) -> "Example":
        """One gold pair as an example."""
        chunks1, chunks2 = pair.chunks1, pair.chunks2
        words1, words2 = pair.sentence1.words, pair.sentence2.words
        places1: dict[Chunk | None, int] = {chunk: at for at, chunk in enumerate(chunks1)}
        places2: dict[Chunk | None, int] = {chunk: at for at, chunk in enumerate(chunks2)}
        return cls(
            corpus,
            pair.id,
            words1,
            words2,
            _positions(chunks1),
            _positions(chunks2),
            tuple(_link(alignment, places1, places2) for alignment in pair.links),
            _alone(chunks1, [(a.chunk1, a) for a in pair.alignments]),
            _alone(chunks2, [(a.chunk2, a) for a in pair.alignments]),
            _is_segmentation(chunks1, len(words1)) and _is_segmentation(chunks2, len(words2)),
        )

    @property
    def swapped(self) -> "Example":
        """The pair with its sentences exchanged; SPE1 becomes SPE2."""
        return replace(
            self,
            tokens1=self.tokens2,
            tokens2=self.tokens1,
            chunks1=self.chunks2,
            chunks2=self.chunks1,
            links=tuple(
                Link(link.chunk2, link.chunk1, SWAPPED_RELATIONS[link.relation], link.score)
                for link in self.links
            ),
            alone1=self.alone2,
            alone2=self.alone1,
        )

    def fold(self, folds: int = FOLDS) -> int:
        """The fold of cross-validation: a pure function of the pair's name.

        With the usual number of folds it is the fold that every other stage puts the pair in.
        """
        if folds == FOLDS:
            return fold_of(self.corpus, self.id)
        return random.Random(f"{self.corpus}:{self.id}").randrange(folds)


def read_pairs(path: Path) -> list[SentencePair]:
    """The gold pairs of a file; gaps and many-to-many alignments of 2016 are welcome."""
    return list(read(path))


def corpus_of(path: Path) -> str:
    """``STSint.gs.headlines.wa`` is the corpus ``headlines``, as its chunk files are."""
    return path.stem.rpartition(".")[2]


def _positions(chunks: Sequence[Chunk]) -> Positions:
    return tuple(tuple(token - 1 for token in chunk.tokens) for chunk in chunks)


def _link(
    alignment: Alignment, places1: Mapping[Chunk | None, int], places2: Mapping[Chunk | None, int]
) -> Link:
    score = min(max(round(alignment.score or 0), SCORES[0]), SCORES[-1])
    return Link(
        places1[alignment.chunk1],
        places2[alignment.chunk2],
        LINKING.index(alignment.relation),
        SCORES.index(score),
    )


def _alone(
    chunks: Sequence[Chunk], alignments: Sequence[tuple[Chunk | None, Alignment]]
) -> tuple[int, ...]:
    linked = {chunk for chunk, alignment in alignments if alignment.is_link}
    alic = {chunk for chunk, alignment in alignments if alignment.relation is Relation.ALIC}
    return tuple(_UNKNOWN if chunk in linked else int(chunk in alic) for chunk in chunks)


def _is_segmentation(chunks: Sequence[Chunk], tokens: int) -> bool:
    return [token for chunk in chunks for token in chunk.tokens] == list(range(1, tokens + 1))


Spans = list[tuple[int, int]]
"""For every token, its first piece and the one after its last."""


@dataclass(frozen=True)
class PreparedPair:
    """An example with all that the network is told of it."""

    example: Example
    unit: Unit
    spans1: Spans
    spans2: Spans
    surface: Floats

    @classmethod
    def of(cls, example: Example, word_pieces: WordPieces) -> "PreparedPair":
        """Cut into word pieces; a pair too long for the network is refused by its name."""
        unit = word_pieces.unit(example.tokens1, example.tokens2)
        if len(unit.pieces) > LONGEST:
            raise FormatError(
                f"pair {example.id} of {example.corpus} has {len(unit.pieces)} word pieces, "
                f"the network reads at most {LONGEST} at once"
            )
        pieces1 = [word_pieces.of(token) for token in example.tokens1]
        pieces2 = [word_pieces.of(token) for token in example.tokens2]
        border = len(pieces1)
        return cls(
            example,
            unit,
            _spans(unit.here[:border], pieces1),
            _spans(unit.here[border:], pieces2),
            surface_features(
                example.tokens1, example.tokens2, pieces1, pieces2, example.chunks1, example.chunks2
            ),
        )

    def with_hidden_pieces(self, share: float, rng: random.Random) -> "PreparedPair":
        """The same with some word pieces hidden from the encoder; the surface stays as it is."""
        pieces = [
            _HIDDEN_PIECE if shape != _SPECIAL and rng.random() < share else piece
            for piece, shape in zip(self.unit.pieces, self.unit.shapes, strict=True)
        ]
        return replace(self, unit=self.unit._replace(pieces=pieces))


def _spans(here: Sequence[int], pieces: Sequence[Sequence[int]]) -> Spans:
    return [(begin, begin + len(own)) for begin, own in zip(here, pieces, strict=True)]


@dataclass(frozen=True)
class Targets:
    """What the network should say of a batch; -1 where nothing is asked."""

    link: Tensor
    """(pairs, chunks 1, chunks 2): 1 where the gold links."""
    relation: Tensor
    score: Tensor
    alone: Tensor
    """Of both sides, one after the other, as `PairLogits` gives them."""
    starts: Tensor


def inputs_of(pairs: Sequence[PreparedPair]) -> PairInputs:
    """Pad pairs to one batch."""
    width = max(len(pair.unit.pieces) for pair in pairs)
    rows = np.zeros((4, len(pairs), width), np.int64)
    for row, pair in enumerate(pairs):
        unit = pair.unit
        rows[:, row, : len(unit.pieces)] = (
            unit.pieces,
            unit.shapes,
            unit.segments,
            [1] * len(unit.pieces),
        )
    pieces, shapes, segments, mask = torch.from_numpy(rows)
    side1 = _side(
        [pair.spans1 for pair in pairs],
        [pair.unit.before[: len(pair.spans1)] for pair in pairs],
        [pair.example.chunks1 for pair in pairs],
        width,
    )
    side2 = _side(
        [pair.spans2 for pair in pairs],
        [pair.unit.before[len(pair.spans1) :] for pair in pairs],
        [pair.example.chunks2 for pair in pairs],
        width,
    )
    cells = side1.last.shape[1], side2.last.shape[1]
    surface = torch.zeros(len(pairs), *cells, len(SURFACE))
    for row, pair in enumerate(pairs):
        count1, count2, _ = pair.surface.shape
        surface[row, :count1, :count2] = torch.from_numpy(pair.surface)
    return PairInputs(pieces, shapes, segments, mask, side1, side2, surface)


def _side(
    spans: Sequence[Spans],
    before: Sequence[Sequence[int]],
    chunks: Sequence[Positions],
    width: int,
) -> Side:
    """Pad one side; an empty sentence still gets a place, where there is no token and no chunk."""
    pairs, most_tokens, most_chunks = len(spans), _most(spans), _most(chunks)
    pool = np.zeros((pairs, most_tokens, width), np.float32)
    places = np.zeros((2, pairs, most_tokens), np.int64)
    inside = np.zeros((pairs, most_chunks, most_tokens), np.float32)
    last = np.zeros((pairs, most_chunks), np.int64)
    is_token = np.zeros((pairs, most_tokens), bool)
    is_chunk = np.zeros((pairs, most_chunks), bool)
    for row, (own_spans, own_before, own_chunks) in enumerate(
        zip(spans, before, chunks, strict=True)
    ):
        for token, (begin, end) in enumerate(own_spans):
            pool[row, token, begin:end] = 1 / (end - begin)
        tokens, count = len(own_spans), len(own_chunks)
        places[:, row, :tokens] = [begin for begin, _ in own_spans], own_before
        is_token[row, :tokens] = True
        inside[row, :count, :tokens] = membership(own_chunks, tokens)
        last[row, :count] = [chunk[-1] for chunk in own_chunks]
        is_chunk[row, :count] = True
    here, previous = torch.from_numpy(places)
    tensors = map(torch.from_numpy, (is_token, inside, last, is_chunk))
    return Side(torch.from_numpy(pool), here, previous, *tensors)


def _most(sequences: Sequence[Sequence[Any]]) -> int:
    return max(1, *map(len, sequences))


def targets_of(pairs: Sequence[PreparedPair], inputs: PairInputs) -> Targets:
    """The labels of a batch, padded as its inputs are."""
    size = inputs.is_cell.shape
    link, relation, score = (
        torch.zeros(size),
        torch.full(size, _UNKNOWN),
        torch.full(size, _UNKNOWN),
    )
    for row, pair in enumerate(pairs):
        for one in pair.example.links:
            at = row, one.chunk1, one.chunk2
            link[at], relation[at], score[at] = 1, one.relation, one.score
    examples = [pair.example for pair in pairs]
    alone = [
        _padded([example.alone1 for example in examples], inputs.side1.last.shape[1]),
        _padded([example.alone2 for example in examples], inputs.side2.last.shape[1]),
    ]
    starts = [
        _padded([_starts(e, e.tokens1, e.chunks1) for e in examples], inputs.side1.here.shape[1]),
        _padded([_starts(e, e.tokens2, e.chunks2) for e in examples], inputs.side2.here.shape[1]),
    ]
    return Targets(
        link,
        relation,
        score,
        torch.cat([side.flatten() for side in alone]),
        torch.cat([side.flatten() for side in starts]),
    )


def _starts(example: Example, tokens: Sequence[str], chunks: Positions) -> list[int]:
    if not example.teaches_chunks:
        return [_UNKNOWN] * len(tokens)
    begins = {chunk[0] for chunk in chunks}
    # A sentence's first token begins a chunk whatever the network says.
    return [_UNKNOWN if not token else int(token in begins) for token in range(len(tokens))]


def _padded(rows: Sequence[Sequence[int]], width: int) -> Tensor:
    return torch.tensor([[*row, *[_UNKNOWN] * (width - len(row))] for row in rows])


def loss_of(logits: PairLogits, inputs: PairInputs, targets: Targets, recipe: Recipe) -> Tensor:
    """The weighted sum of the five tasks' losses."""
    cells = logits.cells
    loss = recipe.link_weight * _link_loss(cells.link, targets.link, inputs, recipe.link_smoothing)
    linked = targets.relation != _UNKNOWN
    if linked.any():
        loss = loss + recipe.relation_weight * F.cross_entropy(
            cells.relation[linked], targets.relation[linked], label_smoothing=recipe.smoothing
        )
        loss = loss + recipe.score_weight * F.cross_entropy(
            cells.score[linked], targets.score[linked], label_smoothing=recipe.smoothing
        )
    alone = torch.cat([cells.alone1.flatten(), cells.alone2.flatten()])
    loss = loss + recipe.alone_weight * _binary_loss(alone, targets.alone)
    starts = torch.cat([logits.start1.flatten(), logits.start2.flatten()])
    return loss + recipe.boundary_weight * _binary_loss(starts, targets.starts)


def _binary_loss(logits: Tensor, targets: Tensor) -> Tensor:
    known = targets != _UNKNOWN
    if not known.any():
        return logits.sum() * 0
    return F.binary_cross_entropy_with_logits(logits[known], targets[known].float())


def _link_loss(link: Tensor, wanted: Tensor, inputs: PairInputs, smoothing: float) -> Tensor:
    """Each cell by itself, and each chunk choosing among its cells and none (logit 0)."""
    is_cell = inputs.is_cell
    soft = wanted * (1 - smoothing) + 0.25 * smoothing * (1 - wanted)
    cells = F.binary_cross_entropy_with_logits(link[is_cell], soft[is_cell], reduction="sum")
    rows, columns = inputs.side1.is_chunk, inputs.side2.is_chunk
    chosen = _choice_loss(link, wanted, is_cell, smoothing)[rows].sum()
    turned = [tensor.transpose(1, 2) for tensor in (link, wanted, is_cell)]
    chosen = chosen + _choice_loss(turned[0], turned[1], turned[2], smoothing)[columns].sum()
    return (cells + chosen) / (rows.sum() + columns.sum()).clamp(min=1)


def _choice_loss(link: Tensor, wanted: Tensor, is_cell: Tensor, smoothing: float) -> Tensor:
    low = link.masked_fill(~is_cell, _NEVER)
    choices = F.log_softmax(torch.cat([low, torch.zeros_like(low[..., :1])], -1), -1)
    count = wanted.sum(-1, keepdim=True)
    share = torch.cat([wanted / count.clamp(min=1), (count == 0).float()], -1)
    open_to = torch.cat([is_cell, is_cell.any(-1, keepdim=True)], -1).float()
    even = open_to / open_to.sum(-1, keepdim=True).clamp(min=1)
    return -((share * (1 - smoothing) + even * smoothing) * choices).sum(-1)


class Trainer:
    """Trains networks by a recipe; `progress` hears of every epoch."""

    def __init__(
        self,
        recipe: Recipe,
        chunker: Mapping[str, Tensor] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``chunker``: the network pre-trained on CoNLL-2000; without it, MiniLM is the start."""
        self.recipe = recipe
        self._chunker = chunker
        self._progress = progress
        self._word_pieces = WordPieces(base_folder() / "tokenizer.json")

    def train(self, examples: Sequence[Example]) -> State:
        """The weights to ship: the mean of the networks of all seeds."""
        return averaged([self._fit(examples, seed) for seed in self.recipe.seeds])

    def start(self) -> AlignerNetwork:
        """A network before its first step."""
        torch.manual_seed(self.recipe.seeds[0])
        network = AlignerNetwork(self.recipe.dropout, self.recipe.head_dropout)
        network.encoder.load_base()
        if self._chunker is not None:
            own = network.state_dict()
            mixed = _between(own, self._chunker, self.recipe.chunker_share)
            network.load_state_dict(own | mixed)
        return network

    def _fit(self, examples: Sequence[Example], seed: int) -> State:
        network = self.start()
        rng = random.Random(seed)
        epochs = list(self._epochs(examples, rng))
        torch.manual_seed(_DROPOUT_SEED + seed)

        def loss(batch: list[PreparedPair]) -> Tensor:
            inputs = inputs_of(batch)
            return loss_of(network(inputs), inputs, targets_of(batch, inputs), self.recipe)

        descent = Descent(self.recipe.warm_up, self.recipe.averaging, _LAG)
        optimizer = self._optimizer(network)
        return descent.run(
            network, optimizer, epochs, loss, lambda text: self._progress(f"seed {seed}: {text}")
        )

    def _epochs(
        self, examples: Sequence[Example], rng: random.Random
    ) -> Iterator[list[list[PreparedPair]]]:
        """The batches of each epoch, every pair in one of its directions."""
        directions = [
            (
                PreparedPair.of(example, self._word_pieces),
                PreparedPair.of(example.swapped, self._word_pieces),
            )
            for example in examples
        ]
        for _ in range(self.recipe.epochs):
            pairs = []
            for straight, turned in directions:
                pair = turned if rng.random() < self.recipe.swapped_share else straight
                pairs.append(pair.with_hidden_pieces(self.recipe.hidden_share, rng))
            yield list(_batches(pairs, self.recipe.batch, rng))

    def _optimizer(self, network: AlignerNetwork) -> torch.optim.Optimizer:
        """Lower layers learn more slowly; the heads and letter shapes, which are new, faster."""
        recipe, groups = self.recipe, []
        for name, parameter in network.named_parameters():
            # A few hundred pairs teach nothing about thirty thousand words.
            if name in FROZEN:
                parameter.requires_grad_(False)
                continue
            rate = recipe.rate * recipe.layer_decay**LAYERS
            if name.startswith("encoder.layers."):
                above = LAYERS - 1 - int(name.split(".")[2])
                rate = recipe.rate * recipe.layer_decay**above
            elif name == "encoder.shapes.weight" or not name.startswith("encoder."):
                rate = recipe.head_rate
            decay = recipe.weight_decay if parameter.ndim > 1 else 0.0
            groups.append({"params": [parameter], "lr": rate, "weight_decay": decay})
        return torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)


def _between(own: State, chunker: Mapping[str, Tensor], share: float) -> State:
    """Encoder and boundary head of a start between MiniLM and the chunker.

    Letter shapes and boundaries are the chunker's alone: MiniLM knows neither.
    """
    mixed = {}
    for name, value in own.items():
        if name.startswith("pairs."):
            continue
        if name not in chunker or chunker[name].shape != value.shape:
            raise ModelError(f"this is no pre-trained chunker network: no fitting '{name}' in it")
        is_theirs = name == "encoder.shapes.weight" or not name.startswith("encoder.")
        mixed[name] = chunker[name] if is_theirs else torch.lerp(value, chunker[name], share)
    return mixed


def _batches(
    pairs: Sequence[PreparedPair], size: int, rng: random.Random
) -> Iterator[list[PreparedPair]]:
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    batches = []
    for begin in range(0, len(shuffled), size * _POOL):
        pool = sorted(
            shuffled[begin : begin + size * _POOL], key=lambda pair: len(pair.unit.pieces)
        )
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    rng.shuffle(batches)
    yield from batches
