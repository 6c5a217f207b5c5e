"""Explanation for a terminal: the chunks, the alignments as a table, and the sentences.

Colour adds no information: numbers connect chunks with links, signs and labels show the relations.
"""

import textwrap
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import click

from ists.errors import printable
from ists.explanation.boxes import Box, boxes_of
from ists.explanation.explanation import Explained, Explanation
from ists.explanation.relations import RELATION_STYLES
from ists.pairs import Relation, format_score

DEFAULT_WIDTH = 100
_MARGIN = 2
_BESIDE_CHUNKS = 28
"""Columns of a table row besides the two chunks."""
_WIDEST_CHUNK = 40
_NARROWEST_CHUNK = 10

Numbers = Mapping[int, int]
"""Displayed number of each link, by its index among the alignments."""


def show(explanation: Explanation, width: int = DEFAULT_WIDTH) -> str:
    """Render the explanation as text with colour codes (`click.unstyle` removes them)."""
    numbers = explanation.numbers
    parts = [
        [line for side in (1, 2) for line in _sentence(explanation, side, numbers, width)],
        list(_table(explanation, numbers, width)),
        [line for sentence in explanation.sentences for line in _wrapped(sentence, width)],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _sentence(explanation: Explanation, side: int, numbers: Numbers, width: int) -> Iterator[str]:
    """Yield one sentence with its chunks in brackets, wrapped between chunks."""
    line, used = [str(side)], _MARGIN
    for box in boxes_of(explanation, side):
        plain = _bracketed(box, numbers)
        if used > _MARGIN and used + columns(plain) > width:
            yield " ".join(line)
            line, used = [" "], _MARGIN
        line.append(_coloured(plain, _relation(explanation, box)))
        used += columns(plain) + 1
    yield " ".join(line)


def _bracketed(box: Box, numbers: Numbers) -> str:
    if not box.alignments:
        return printable(box.text)
    links = ",".join(str(numbers[place]) for place in box.alignments if place in numbers)
    return f"[{printable(box.text)}]{links}"


def _relation(explanation: Explanation, box: Box) -> Relation | None:
    relations = {explanation.alignments[place].alignment.relation for place in box.alignments}
    return relations.pop() if len(relations) == 1 else None


def _coloured(text: str, relation: Relation | None) -> str:
    return text if relation is None else click.style(text, fg=RELATION_STYLES[relation].terminal)


def _table(explanation: Explanation, numbers: Numbers, width: int) -> Iterator[str]:
    """Yield the rows of the table: links first, then unaligned chunks."""
    order = sorted(
        range(len(explanation.alignments)), key=lambda place: (place not in numbers, place)
    )
    rows = [explanation.alignments[place] for place in order]
    widest = min(_WIDEST_CHUNK, max(_NARROWEST_CHUNK, (width - _BESIDE_CHUNKS) // 2))
    sides = [[_cut(printable(text), widest) for text in texts] for texts in _texts(rows)]
    widths = [max(map(columns, texts), default=0) for texts in sides]
    label_width = max((len(explained.alignment.label) for explained in rows), default=0)
    for place, explained, text1, text2 in zip(order, rows, *sides, strict=True):
        alignment = explained.alignment
        look = RELATION_STYLES[alignment.relation]
        number = str(numbers.get(place, "-"))
        score = "" if alignment.score is None else f"{format_score(alignment.score)}/5"
        line = (
            f"{number:>2} {_padded(text1, widths[0])}  {look.sign:^3}  "
            f"{_padded(text2, widths[1])}  {alignment.label:<{label_width}}  {score}"
        )
        yield _coloured(line.rstrip(), alignment.relation)


def _texts(rows: Sequence[Explained]) -> tuple[list[str], list[str]]:
    return [explained.text1 for explained in rows], [explained.text2 for explained in rows]


def _wrapped(sentence: str, width: int) -> list[str]:
    return textwrap.wrap(printable(sentence), width, subsequent_indent="  ", break_on_hyphens=False)


def columns(text: str) -> int:
    """Number of terminal columns of a text: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _cut(text: str, width: int) -> str:
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[:-1]
    return text + "…"
