"""HTML page of the disagreements between annotators, pair by pair, with a picture of each version.

The page is one file without scripts: filters work by style alone.
"""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from markupsafe import Markup

from ists.errors import printable
from ists.explanation.markup import page_environment
from ists.explanation.picture import render as picture
from ists.pairs import SentencePair
from scorer.agreement import AgreementReport, Disagreement, Kind

_WIDTH = 560
KINDS: tuple[str, ...] = get_args(Kind)


def render(
    files: Sequence[Iterable[SentencePair]],
    names: Sequence[str],
    reports: Iterable[AgreementReport],
) -> str:
    """Return the page; `reports` compare two of the files each and have all disagreements."""
    known = [{pair.id: pair for pair in pairs} for pairs in files]
    found: dict[str, list[dict[str, Any]]] = {}
    figures = []
    for report in reports:
        both = report.by_first.gold, report.by_first.system
        figures.append({"names": [*map(printable, both)], "rows": report.figures()})
        for disagreement in report.disagreements:
            found.setdefault(disagreement.pair_id, []).append(_shown(disagreement, both))
    order = [pair_id for pair_id in known[0] if pair_id in found]
    order += [pair_id for pair_id in found if pair_id not in known[0]]
    pairs = [
        {
            "id": printable(pair_id),
            "disagreements": found[pair_id],
            "versions": [
                {"name": printable(name), "picture": _picture(pairs[pair_id])}
                for name, pairs in zip(names, known, strict=True)
                if pair_id in pairs
            ],
        }
        for pair_id in order
    ]
    template = page_environment("ists.annotate").get_template("disagreements.html")
    return template.render(
        title=printable(f"Disagreements of {', '.join(names)}"),
        figures=figures,
        pairs=pairs,
        kinds=KINDS,
        count=sum(map(len, found.values())),
    )


def _picture(pair: SentencePair) -> Markup:
    # The fragment is HTML made by our own renderer, which escapes all text.
    return Markup(picture(pair, page=False, width=_WIDTH))  # noqa: S704


def _shown(disagreement: Disagreement, names: tuple[str, str]) -> dict[str, Any]:
    said = disagreement.first, disagreement.second
    return {
        "kind": disagreement.kind,
        "said": [
            (printable(name), printable(text)) for name, text in zip(names, said, strict=True)
        ],
    }
