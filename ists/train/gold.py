"""Gold pairs as training examples of the aligner, and their folds."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ists.bench.everyday.acceptable import (
    Acceptable,
    Entry,
    Label,
    beside,
    check_links,
    place_of,
    read_entries,
)
from ists.errors import FormatError
from ists.formats import read
from ists.models import sha256_of
from ists.pairs import LINKING, Alignment, Chunk, Relation, SentencePair
from ists.scored_pair import SCORES, SWAPPED_RELATIONS, Positions
from ists.train.corpora import FOLDS, fold_of

_PHRASE = 6
"""Length in words of a phrase by which two pairs belong to one group."""
_LARGEST_GROUP = 0.1
UNKNOWN = -1
"""Label of a chunk or cell that has no gold label."""


class Link(NamedTuple):
    """A gold link: the indices of its chunks, and of its labels."""

    chunk1: int
    chunk2: int
    relation: int
    """Index in `ists.pairs.LINKING`."""
    score: int
    """Index in `ists.scored_pair.SCORES`."""

    @property
    def swapped(self) -> "Link":
        """The link with the sentences exchanged."""
        return Link(self.chunk2, self.chunk1, SWAPPED_RELATIONS[self.relation], self.score)


@dataclass(frozen=True)
class Example:
    """A gold pair for training: chunks from left to right, tokens counted from 0.

    The names of this class and its fields are part of the file names of saved networks.
    """

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
    """Whether the chunks are contiguous and cover the sentences, as the chunker's do."""
    teaches_links: bool = field(default=True, repr=False)
    """Whether links can be learnt from the pair, not only the labels of its links."""
    others: Mapping[Link, frozenset[int]] = field(default_factory=dict, repr=False, hash=False)
    """The other acceptable relations of the links that have some."""

    @classmethod
    def of(
        cls, corpus: str, pair: SentencePair, acceptable: Acceptable = MappingProxyType({})
    ) -> "Example":
        """Convert a gold pair; ``acceptable``: the acceptable labels of its links, if known."""
        chunks1, chunks2 = pair.chunks1, pair.chunks2
        words1, words2 = pair.sentence1.words, pair.sentence2.words
        places1: dict[Chunk | None, int] = {chunk: at for at, chunk in enumerate(chunks1)}
        places2: dict[Chunk | None, int] = {chunk: at for at, chunk in enumerate(chunks2)}
        links = tuple(_link(alignment, places1, places2) for alignment in pair.links)
        others = {
            link: relations
            for link, alignment in zip(links, pair.links, strict=True)
            if (relations := _other_relations(link, acceptable.get(place_of(alignment), ())))
        }
        return cls(
            corpus,
            pair.id,
            words1,
            words2,
            _positions(chunks1),
            _positions(chunks2),
            links,
            _alone(chunks1, [(a.chunk1, a) for a in pair.alignments]),
            _alone(chunks2, [(a.chunk2, a) for a in pair.alignments]),
            _is_segmentation(chunks1, len(words1)) and _is_segmentation(chunks2, len(words2)),
            others=others,
        )

    @property
    def swapped(self) -> "Example":
        """The pair with its sentences exchanged; SPE1 becomes SPE2 and vice versa."""
        return replace(
            self,
            tokens1=self.tokens2,
            tokens2=self.tokens1,
            chunks1=self.chunks2,
            chunks2=self.chunks1,
            links=tuple(link.swapped for link in self.links),
            alone1=self.alone2,
            alone2=self.alone1,
            others={
                link.swapped: frozenset(SWAPPED_RELATIONS[relation] for relation in relations)
                for link, relations in self.others.items()
            },
        )

    def fold(self, folds: int = FOLDS) -> int:
        """Return the fold of cross-validation, which depends only on the pair's corpus and id.

        With the default number of folds it is the fold of the chunker's cross-validation.
        """
        if folds == FOLDS:
            return fold_of(self.corpus, self.id)
        return random.Random(f"{self.corpus}:{self.id}").randrange(folds)

    def with_full_stops_toggled(self) -> "Example":
        """Remove the final full stops of both sentences, or add them if both have none."""
        stopped = [tokens[-1:] == (".",) for tokens in (self.tokens1, self.tokens2)]
        if all(stopped) and self.alone1[-1] == self.alone2[-1] == 0:
            return replace(
                self,
                tokens1=self.tokens1[:-1],
                tokens2=self.tokens2[:-1],
                chunks1=self.chunks1[:-1],
                chunks2=self.chunks2[:-1],
                alone1=self.alone1[:-1],
                alone2=self.alone2[:-1],
            )
        if any(stopped) or not self.teaches_chunks:
            return self
        return replace(
            self,
            tokens1=(*self.tokens1, "."),
            tokens2=(*self.tokens2, "."),
            chunks1=(*self.chunks1, (len(self.tokens1),)),
            chunks2=(*self.chunks2, (len(self.tokens2),)),
            alone1=(*self.alone1, 0),
            alone2=(*self.alone2, 0),
        )

    def in_lower_case(self) -> "Example":
        """Return both sentences in lower case."""
        return replace(
            self,
            tokens1=tuple(token.lower() for token in self.tokens1),
            tokens2=tuple(token.lower() for token in self.tokens2),
        )

    def with_labels_alone(self) -> "Example":
        """Return the pair as an example of the labels of its links, of nothing else."""
        return replace(self.without_lone_labels(), teaches_chunks=False, teaches_links=False)

    def with_boundaries_alone(self) -> "Example":
        """Return the pair as an example of its chunk boundaries, of nothing else."""
        return replace(self.without_lone_labels(), links=(), teaches_links=False, others={})

    def without_lone_labels(self) -> "Example":
        """Return the pair without labels of unaligned chunks, for editions that have no ALIC."""
        return replace(
            self, alone1=(UNKNOWN,) * len(self.alone1), alone2=(UNKNOWN,) * len(self.alone2)
        )


def read_pairs(path: Path) -> list[SentencePair]:
    """Read the gold pairs of a file; discontinuous chunks and many-to-many links are valid."""
    return list(read(path))


def corpus_of(path: Path) -> str:
    """Return the corpus of a file: ``headlines`` for ``STSint.gs.headlines.wa``."""
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


def _other_relations(link: Link, acceptable: Iterable[Label]) -> frozenset[int]:
    """Return the acceptable relations but the gold one; flags are another task."""
    return frozenset(LINKING.index(relation) for relation, _ in acceptable) - {link.relation}


def _alone(
    chunks: Sequence[Chunk], alignments: Sequence[tuple[Chunk | None, Alignment]]
) -> tuple[int, ...]:
    linked = {chunk for chunk, alignment in alignments if alignment.is_link}
    alic = {chunk for chunk, alignment in alignments if alignment.relation is Relation.ALIC}
    return tuple(UNKNOWN if chunk in linked else int(chunk in alic) for chunk in chunks)


def _is_segmentation(chunks: Sequence[Chunk], tokens: int) -> bool:
    return [token for chunk in chunks for token in chunk.tokens] == list(range(1, tokens + 1))


def _examples(
    corpus: str, pairs: Sequence[SentencePair], acceptable: Mapping[str, Entry]
) -> list[Example]:
    examples = []
    for pair in pairs:
        entry = acceptable.get(pair.id)
        if entry is None:
            examples.append(Example.of(corpus, pair))
        else:
            check_links(entry, pair)
            examples.append(Example.of(corpus, pair, entry.links))
    if any(a.relation is Relation.ALIC for pair in pairs for a in pair.alignments):
        return examples
    return [example.without_lone_labels() for example in examples]


def _acceptable(files: Iterable[Path]) -> dict[str, dict[str, Entry]]:
    """Return the acceptable labels of files, by theme and pair id."""
    found: dict[str, dict[str, Entry]] = {}
    for file in files:
        for entry in read_entries(file):
            found.setdefault(entry.corpus, {})[entry.id] = entry
    return found


def first_with_shared_phrase(examples: Sequence[Example]) -> list[int]:
    """Return for each example the first of its group: examples with a common phrase of six words.

    A group of more than a tenth of all examples is not used: answers to one question all repeat the
    words of the question.
    """
    first = list(range(len(examples)))

    def root(at: int) -> int:
        while first[at] != at:
            first[at] = first[first[at]]
            at = first[at]
        return at

    seen: dict[tuple[str, ...], int] = {}
    for at, example in enumerate(examples):
        for phrase in _phrases(example):
            one, two = sorted((root(seen.setdefault(phrase, at)), root(at)))
            first[two] = one
    roots = [root(at) for at in range(len(examples))]
    sizes = Counter(roots)
    largest = max(2.0, _LARGEST_GROUP * len(examples))
    return [own if sizes[own] <= largest else at for at, own in enumerate(roots)]


def without_shared_phrases(
    examples: Iterable[Example], others: Iterable[Example]
) -> tuple[Example, ...]:
    """Return the examples that have no phrase of six words in common with any of the others."""
    known = {phrase for other in others for phrase in _phrases(other)}
    return tuple(example for example in examples if known.isdisjoint(_phrases(example)))


def _phrases(example: Example) -> Iterator[tuple[str, ...]]:
    """Yield all phrases of six words of both sentences."""
    for tokens in (example.tokens1, example.tokens2):
        words = [token.lower() for token in tokens if any(map(str.isalnum, token))]
        for begin in range(len(words) - _PHRASE + 1):
            yield tuple(words[begin : begin + _PHRASE])


@dataclass(frozen=True)
class GoldPairs:
    """The training pairs."""

    pairs: tuple[SentencePair, ...]
    examples: tuple[Example, ...]
    """One for each pair, in the same order."""
    files: Mapping[str, str]
    """File names and their hashes, for the card."""

    @classmethod
    def read(cls, paths: Sequence[Path], with_links: bool = True) -> "GoldPairs":
        """Read gold files, each a separate corpus, and the acceptable labels beside them.

        ``with_links``: raise a `FormatError` if there is no link in any of them.
        """
        accept_files = [file for path in paths if (file := beside(path)) is not None]
        acceptable = _acceptable(dict.fromkeys(accept_files))
        pairs: list[SentencePair] = []
        examples: list[Example] = []
        known: dict[str, Path] = {}
        for path in paths:
            corpus = corpus_of(path)
            if corpus in known:
                raise FormatError(
                    f"is the corpus '{corpus}', and so is {known[corpus]}: folds depend on the "
                    "name of the corpus, expected a file of another name",
                    str(path),
                )
            known[corpus] = path
            own = read_pairs(path)
            pairs += own
            examples += _examples(corpus, own, acceptable.get(path.stem, {}))
        if with_links and not any(example.links for example in examples):
            raise FormatError("no aligned chunks in the training pairs, expected at least one link")
        files = {path.name: sha256_of(path) for path in (*paths, *accept_files)}
        return cls(tuple(pairs), tuple(examples), files)

    def folds(self, folds: int) -> list[int]:
        """Return the fold of each pair; pairs with a common long phrase are in one fold."""
        firsts = first_with_shared_phrase(self.examples)
        return [self.examples[first].fold(folds) for first in firsts]

    def chosen(self, places: Sequence[int]) -> "GoldPairs":
        """Return some of the pairs, and the files of their corpora."""
        corpora = {self.examples[at].corpus for at in places}
        return GoldPairs(
            tuple(self.pairs[at] for at in places),
            tuple(self.examples[at] for at in places),
            {name: own for name, own in self.files.items() if corpus_of(Path(name)) in corpora},
        )

    def of_corpus(self) -> dict[str, list[int]]:
        """Return the indices of the pairs of each corpus."""
        indices: dict[str, list[int]] = {}
        for index, example in enumerate(self.examples):
            indices.setdefault(example.corpus, []).append(index)
        return indices
