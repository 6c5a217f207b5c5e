"""Many pairs in a notebook, as a table whose rows open to pictures."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ists.explanation.display import displayed, displayed_id
from ists.explanation.explanation import Explanation
from ists.explanation.markup import filled
from ists.explanation.picture import CELL, WIDE, Drawable, explained, most_links, plate
from ists.pairs import Relation

DEFAULT_ROWS = 20


@dataclass(frozen=True)
class PairTable:
    """Aligned pairs that a notebook shows as a table."""

    pairs: tuple[Drawable, ...]
    most: int = DEFAULT_ROWS
    """Maximum number of rows."""

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Drawable]:
        return iter(self.pairs)

    def __repr__(self) -> str:
        return f"<PairTable of {len(self.pairs)} pairs>"

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        explanations = explained(self.pairs[: self.most])
        return filled(
            "table.html.j2",
            rows=[_row(explanation) for explanation in explanations],
            with_similarity=any(one.similarity is not None for one in explanations),
            more=len(self.pairs) - len(explanations),
            total=len(self.pairs),
            displayed=displayed,
            links=most_links(explanations),
            themes="notebook",
        )


def show(pairs: Drawable | Iterable[Drawable], most: int = DEFAULT_ROWS) -> PairTable:
    """Return pairs, explanations or similarities as a value that a notebook shows as a table."""
    many = [pairs] if isinstance(pairs, Drawable) else pairs
    return PairTable(tuple(many), most)


def _row(explanation: Explanation) -> dict[str, Any]:
    pair = explanation.pair
    return {
        "id": displayed_id(pair.id),
        "sentences": [displayed(str(pair.sentence1)), displayed(str(pair.sentence2))],
        "labels": _labels(explanation),
        "wide": plate([explanation], WIDE),
        "narrow": plate([explanation], CELL),
        "explanation": explanation,
    }


def _labels(explanation: Explanation) -> str:
    """Return how often each relation occurs: ``2 EQUI, 1 SIMI``."""
    counts = Counter(found.alignment.relation for found in explanation.alignments)
    found = [f"{counts[relation]} {relation}" for relation in Relation if counts[relation]]
    return ", ".join(found) or "no alignment"
