"""A picture as plain data, which the script in a page draws (``templates/picture.js``).

    {"lines": [[chunk 1, chunk 2, label, score, number, hint], …],     one per alignment
     "boxes": [[side, [index of a line, …], text if in no line or part of a chunk], …],
     "layouts": [[width, height,
                  [[x, y, width, height, [line of text, …] if wrapped], …],   one per box
                  [[index of a line, path, x, y, label width], …]], …]}

The number of an unaligned chunk is 0. A chunk with gaps has a box for each of its parts. There is
one layout per width; the data of many pairs take a quarter of the space of their SVG elements.
"""

from typing import Any

from ists.explanation.boxes import Box
from ists.explanation.display import displayed
from ists.explanation.explanation import Explained, Explanation
from ists.explanation.layout import Layout, lay_out
from ists.pairs import format_score

Record = dict[str, Any]


def picture_record(explanation: Explanation, widths: tuple[float, ...], suffix: str = "") -> Record:
    """Return the picture of a pair at several widths; labels have space for a suffix."""
    layouts = [lay_out(explanation, width, suffix) for width in widths]
    places = {number: place for place, number in explanation.numbers.items()}
    return {
        "lines": [
            _line(explained, explanation.numbers.get(place, 0))
            for place, explained in enumerate(explanation.alignments)
        ],
        "boxes": [_box(placed.box) for placed in layouts[0].boxes],
        "layouts": [_layout(layout, places) for layout in layouts],
    }


def _line(explained: Explained, number: int) -> list[Any]:
    alignment = explained.alignment
    return [
        displayed(explained.text1),
        displayed(explained.text2),
        alignment.label,
        "" if alignment.score is None else format_score(alignment.score),
        number,
        displayed(explained.sentence) + _confidence(explained),
    ]


def _confidence(explained: Explained) -> str:
    evidence = explained.alignment.evidence
    if evidence is None:
        return ""
    link = "" if evidence.link is None else f"link {evidence.link:.2f}, "
    return f" Confidence: {link}label {evidence.label:.2f}."


def _box(box: Box) -> list[Any]:
    own_text = box.is_part or not box.alignments
    return [box.side, list(box.alignments), *([displayed(box.text)] if own_text else [])]


def _layout(layout: Layout, places: dict[int, int]) -> list[Any]:
    return [
        round(layout.width),
        round(layout.height),
        [
            [
                *map(round, (box.x, box.y, box.width, box.height)),
                *([list(box.lines)] if len(box.lines) > 1 else []),
            ]
            for box in layout.boxes
        ],
        [
            [places[link.number], link.path, round(link.x), round(link.y), round(link.width)]
            for link in layout.links
        ],
    ]
