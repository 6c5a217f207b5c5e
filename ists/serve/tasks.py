"""Tasks that only the server has: explanations and pictures. See also `ists.runs.tasks`."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ists.chunker.tokens import Tokenization
from ists.explanation import Explanation, explain, render
from ists.explanation.relations import RELATION_STYLES
from ists.formats.rows import RejectedItem
from ists.formats.sentences import InputPair
from ists.labeler import FEATURES
from ists.language import is_english
from ists.pairs import Alignment, SentencePair
from ists.pipeline import Aligner, BaseAligner
from ists.runs.tasks import Work
from ists.similarity import Similarity

_BASELINE = "the baseline"
Explained = SentencePair | Similarity | RejectedItem


@dataclass(frozen=True)
class ExplainTask:
    """Explain pairs: the JSON of ``ists explain``, or an SVG picture.

    `details` adds what the page shows: tokens, contributions and the strongest features.
    """

    tokens: Tokenization = "auto"
    details: bool = False
    format: str = "json"
    width: int = 960

    def work_of(self, aligner: BaseAligner) -> Work:
        """Return the function that explains and renders pairs with a loaded aligner."""

        def work(items: Iterable[InputPair | RejectedItem]) -> Iterator[bytes | RejectedItem]:
            return map(self._rendered, self._outcomes(aligner, items))

        return work

    def _outcomes(
        self, aligner: BaseAligner, items: Iterable[InputPair | RejectedItem]
    ) -> Iterator[Explained]:
        if isinstance(aligner, Aligner) and self.format == "json":
            return aligner.similarity_each(items, tokens=self.tokens, why=self.details)
        return aligner.align_each(items, tokens=self.tokens)

    def _rendered(self, found: Explained) -> bytes | RejectedItem:
        if isinstance(found, RejectedItem):
            return found
        if isinstance(found, Similarity):
            explanation = explain(found.pair, found.score)
        elif self.format == "svg":
            return render(found, "svg", width=self.width).encode()
        else:
            explanation = explain(found, judge=_BASELINE)
        record = explanation.to_dict()
        if self.details:
            record |= _details(explanation, found if isinstance(found, Similarity) else None)
        return json.dumps(record).encode() + b"\n"


def _details(explanation: Explanation, found: Similarity | None) -> dict[str, Any]:
    pair = explanation.pair
    alignments = []
    records = explanation.to_dict()["alignments"]
    for place, (record, alignment) in enumerate(zip(records, pair.alignments, strict=True)):
        added: dict[str, Any] = {
            "meaning": RELATION_STYLES[alignment.relation].meaning,
            "features": _features(alignment),
        }
        if found is not None:
            added["contribution"] = found.contributions_on("0-5")[place]
            added["share"] = round(found.shares[place], 4)
        alignments.append(record | added)
    return {
        "tokens1": list(pair.sentence1.words),
        "tokens2": list(pair.sentence2.words),
        "alignments": alignments,
        "english": is_english([str(pair.sentence1), str(pair.sentence2)]),
    }


def _features(alignment: Alignment) -> list[dict[str, Any]]:
    if alignment.evidence is None:
        return []
    return [
        {"name": name, "description": _descriptions()[name], "value": value, "pull": pull}
        for name, value, pull in alignment.evidence.features
    ]


@cache
def _descriptions() -> dict[str, str]:
    return {feature.name: feature.description for feature in FEATURES}
