"""Pairs from which only the networks of an aligner learn.

They are in no fold, the labeller learns nothing from them, and no figure counts them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ists.seen import fingerprint
from ists.train.gold import Example, GoldPairs, without_shared_phrases
from ists.train.seen import gold_texts


@dataclass(frozen=True)
class ExtraPairs:
    """Pairs that teach one thing each: the labels of their links, or their chunk boundaries.

    Pairs drawn from sentences with alternatives are alike and would teach wrong habits of linking
    and chunking. Pairs of which only the chunks were annotated have no links to learn from.
    """

    labels: GoldPairs | None = None
    chunks: GoldPairs | None = None

    @classmethod
    def read(cls, labels: Sequence[Path] = (), chunks: Sequence[Path] = ()) -> "ExtraPairs":
        """Read the gold files of each kind."""
        return cls(
            GoldPairs.read(labels) if labels else None,
            GoldPairs.read(chunks, with_links=False) if chunks else None,
        )

    def examples(self, gold: GoldPairs) -> tuple[Example, ...]:
        """Return the pairs that share no long phrase with a gold pair."""
        found: list[Example] = []
        if self.labels is not None:
            found += (example.with_labels_alone() for example in self.labels.examples)
        if self.chunks is not None:
            found += (example.with_boundaries_alone() for example in self.chunks.examples)
        return without_shared_phrases(found, gold.examples)

    def files(self) -> Mapping[str, str]:
        """Return the names and hashes of the files, for the card."""
        return {name: own for part in self._parts() for name, own in part.files.items()}

    def fingerprints(self) -> frozenset[str]:
        """Return the hashes of all pairs, for the list of pairs that a model was trained on."""
        pairs = [pair for part in self._parts() for pair in part.pairs]
        return frozenset(fingerprint(*texts) for texts in gold_texts(pairs))

    def _parts(self) -> list[GoldPairs]:
        return [part for part in (self.labels, self.chunks) if part is not None]


NO_EXTRA = ExtraPairs()
