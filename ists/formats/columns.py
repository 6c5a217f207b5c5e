"""Decide which two columns of a table are the sentences.

The columns are those that the user chooses (`Choice`), else those named in a header, else those
whose content looks like sentences rather than numbers, codes or a few repeated labels. If this does
not leave exactly two columns, an error shows how to choose them: a wrong guess would give
meaningless results.

The decision depends only on the first rows of a file, so that all readers agree.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ists.errors import FormatError
from ists.formats import csv
from ists.formats.text import shown

Choice = tuple[str, str]
"""The two columns chosen by the user: each a name, or a number from 1."""

_STEMS = (
    "sentence",
    "sent",
    "text",
    "txt",
    "string",
    "question",
    "phrase",
    "caption",
    "headline",
    "snippet",
    "utterance",
    "segment",
)
_PAIRS = (
    *((f"{stem}1", f"{stem}2") for stem in (*_STEMS, "s", "t", "q")),
    *((f"{stem}a", f"{stem}b") for stem in _STEMS),
    *((f"1{stem}", f"2{stem}") for stem in _STEMS),
    ("premise", "hypothesis"),
    ("firstsentence", "secondsentence"),
    ("sentenceone", "sentencetwo"),
)
"""Names of two columns of sentences, letters and digits only; our own names come first."""
_IDS = frozenset({"id", "pairid"})
_OTHERS = _IDS | {
    *("annotator", "captionid", "category", "class", "confidence", "dataset", "domain", "filename"),
    *("entailmentjudgement", "entailmentjudgment", "entailmentlabel", "genre", "goldlabel"),
    *("goldscore", "idx", "index", "isduplicate", "judgement", "judgment", "label", "labels"),
    *("quality", "rating", "relatedness", "relatednessscore", "relation", "score", "scores", "sd"),
    *("sim", "similarity", "similarityscore", "source", "sourceid", "split", "std", "stdev"),
    *("subset", "topic", "type", "url", "year"),
}
"""Names of columns that are not sentences."""
_LABELS = frozenset(
    {"entailment", "neutral", "contradiction", "yes", "no", "true", "false", "paraphrase", "-"}
)
_NUMBER = re.compile(r"[-+−]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d+)?%?")
_NAME = re.compile(r"[^\W\d]\w*(?:[ ./-]?\(?\w+\)?)?")
_ENOUGH = 5
"""Minimum number of rows to classify a column by its content."""
_SHORT = 4
"""Maximum number of words in a label."""
_LONGEST_NAME = 60
_MOST_WORDS_OF_NAME = 2
_ROWS_BELOW_NAMES = 2
_DIGITS = 9
_LISTED = 12


class Layout(NamedTuple):
    """The layout of a table: column indices, from 0."""

    header: bool
    """Whether the first row names the columns."""
    columns: tuple[int, int]
    """The two columns of sentences."""
    id: int | None = None
    width: int | None = None
    """The number of columns every row must have; None if only the columns above are required."""

    def sentences(self, cells: Sequence[str]) -> tuple[str, str]:
        """Return the two sentences of a row."""
        if self.width is not None and len(cells) != self.width:
            raise FormatError(
                f"{_column_count(cells)}, expected {self.width} as in the "
                + ("header" if self.header else "other rows (--columns also reads longer rows)")
            )
        if max(self.columns) >= len(cells):
            raise FormatError(f"{_column_count(cells)}, expected a column {max(self.columns) + 1}")
        return cells[self.columns[0]], cells[self.columns[1]]


def _column_count(cells: Sequence[str]) -> str:
    return "1 column" if len(cells) == 1 else f"{len(cells)} columns"


def parse_choice(text: str) -> Choice:
    """Parse two column names or numbers separated by a comma."""
    try:
        names = [name.strip() for name in csv.parse(text)]
    except FormatError as error:
        raise ValueError(error.reason) from None
    numbers = [int(name) for name in names if is_number(name)]
    if len(names) != 2 or not all(names) or names[0] == names[1] or 0 in numbers:
        raise ValueError(f"{text!r}, expected two columns, such as sentence1,sentence2 or 2,3")
    return names[0], names[1]


def layout_of(rows: Sequence[Sequence[str]], choice: Choice | None = None) -> Layout:
    """Return the layout of a table from its first rows."""
    if not rows:
        return Layout(False, (0, 1))
    first = rows[0]
    if choice is not None and not is_header(rows) and all(map(is_number, choice)):
        return Layout(False, (int(choice[0]) - 1, int(choice[1]) - 1))
    if choice is not None:
        return Layout(True, _chosen_columns(first, choice), _id_of(first), len(first))
    if is_header(rows):
        return Layout(True, _by_header(first, rows[1:]), _id_of(first), len(first))
    width = _usual_width(rows)
    found = _of_sentences(rows, range(width), width)
    if found is None:
        raise _uncertain_columns(next(row for row in rows if len(row) == width))
    return Layout(False, found, None, width)


def pair_of_names(names: Sequence[str], choice: Choice | None) -> Choice | None:
    """Return the names of the two columns of sentences; None if the names do not decide it."""
    places = _columns_by_name(names) if choice is None else _chosen_columns(names, choice)
    return None if places is None else (names[places[0]], names[places[1]])


def is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row is a header.

    It is if it names two columns of sentences; or if all its cells look like names, and one of them
    is a known name of another column that does not occur below, or is above numbers only.
    """
    first = rows[0] if rows else ()
    names = [_plain(cell) for cell in first]
    if any(one in names and two in names for one, two in _PAIRS):
        return True
    if not all(not cell.strip() or _looks_like_name(cell.strip()) for cell in first):
        return False
    below = [
        [row[place].strip() for row in rows[1:] if place < len(row)] for place in range(len(names))
    ]
    known = sum(
        name in _OTHERS and name not in map(_plain, cells)
        for name, cells in zip(names, below, strict=True)
    )
    if known and (len(names) > 2 or known == len(names)):
        return True
    return len(names) > 2 and any(
        name and len(cells) >= _ENOUGH and _are_numbers(cells)
        for name, cells in zip(names, below, strict=True)
    )


def looks_like_header(rows: Sequence[Sequence[str]], columns: tuple[int, int]) -> bool:
    """Return whether a first row without known names may name the columns nevertheless.

    It may if its cells are different names, both capitalised or both not, above sentences only.
    """
    if not rows or len(rows[0]) <= max(columns):
        return False
    (one, two), *below = (
        [row[place].strip() for place in columns] for row in rows if len(row) > max(columns)
    )
    return (
        len(below) >= _ROWS_BELOW_NAMES
        and one != two
        and all(map(_looks_like_name, (one, two)))
        and one[0].isupper() == two[0].isupper()
        and all(len(cell.split()) > _MOST_WORDS_OF_NAME for cells in below for cell in cells)
    )


def _looks_like_name(cell: str) -> bool:
    return len(cell) <= _LONGEST_NAME and _NAME.fullmatch(cell) is not None


def is_number(name: str) -> bool:
    """Return whether a column is given by number."""
    return name.isascii() and name.isdigit() and len(name) <= _DIGITS


def place_of(name: str, header: Sequence[str]) -> int:
    """Return the index of a column by name or number; case is ignored if that is unambiguous."""
    if is_number(name):
        if 0 < int(name) <= len(header):
            return int(name) - 1
    else:
        names = [cell.strip() for cell in header]
        folded = [cell.casefold() for cell in names]
        for wanted, among in ((name, names), (name.casefold(), folded)):
            if among.count(wanted) == 1:
                return among.index(wanted)
    raise FormatError(f"no column {shown(name)}, expected one of {listed_columns(header)}")


def listed_columns(cells: Sequence[str]) -> str:
    """List columns with their numbers, for a message."""
    named = [f"{place} {shown(cell, 20)}" for place, cell in enumerate(cells[:_LISTED], start=1)]
    return ", ".join(named) + (", …" if len(cells) > _LISTED else "")


def _chosen_columns(header: Sequence[str], choice: Choice) -> tuple[int, int]:
    one, two = (place_of(name, header) for name in choice)
    if one == two:
        raise FormatError(f"{' and '.join(map(shown, choice))} are the same column, expected two")
    return one, two


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _id_of(header: Sequence[str]) -> int | None:
    places = [place for place, name in enumerate(header) if _plain(name) in _IDS]
    return places[0] if len(places) == 1 else None


def _columns_by_name(header: Sequence[str]) -> tuple[int, int] | None:
    """Return the two columns of sentences by their names; None if there are not exactly two."""
    names = [_plain(name) for name in header]
    found = [pair for pair in _PAIRS if all(names.count(name) == 1 for name in pair)]
    if not found or (len(found) > 1 and found[0] != _PAIRS[0]):
        return None
    one, two = found[0]
    return names.index(one), names.index(two)


def _by_header(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    unknown = [place for place, name in enumerate(header) if _plain(name) not in _OTHERS]
    places = _columns_by_name(header) or _of_sentences(rows, unknown, len(header))
    if places is None:
        raise _uncertain_columns(header)
    return places


def _uncertain_columns(cells: Sequence[str]) -> FormatError:
    return FormatError(
        f"cannot decide which two of the {len(cells)} columns are the sentences, expected "
        f"--columns with two of {listed_columns(cells)}"
    )


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    widths = Counter(len(row) for row in rows if len(row) > 1)
    return widths.most_common(1)[0][0] if widths else 2


def _of_sentences(
    rows: Sequence[Sequence[str]], places: Sequence[int], width: int
) -> tuple[int, int] | None:
    """Return the two columns whose content may be sentences; None if there are not exactly two."""
    rows = [row for row in rows if len(row) == width]
    cells = {place: [row[place].strip() for row in rows if row[place].strip()] for place in places}
    numbers = [place for place in places if not cells[place] or _are_numbers(cells[place])]
    if width == 2 and len(places) == 2 and (len(numbers) != 1 or len(rows) < _ENOUGH):
        return 0, 1  # the only two columns, unless one is all numbers
    texts = [place for place in places if place not in numbers]
    for are_no_texts in (_are_codes, _are_labels):
        if len(texts) > 2:
            texts = [place for place in texts if not are_no_texts(cells[place])]
    if len(texts) != 2:
        return None
    if len(rows) >= _ENOUGH and len({_are_codes(cells[place]) for place in texts}) > 1:
        return None
    return texts[0], texts[1]


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(map(_NUMBER.fullmatch, cells))


def _are_codes(cells: Sequence[str]) -> bool:
    """Return whether all cells are single words: in enough rows, or all labels or with digits."""
    if any(len(cell.split()) > 1 for cell in cells):
        return False
    return len(cells) >= _ENOUGH or all(
        cell.casefold() in _LABELS or any(map(str.isdigit, cell)) for cell in cells
    )


def _are_labels(cells: Sequence[str]) -> bool:
    """Return whether the cells are short and have few distinct values."""
    kinds = set(cells)
    return (
        len(cells) >= _ENOUGH
        and len(kinds) <= max(2, len(cells) // _ENOUGH)
        and all(len(kind.split()) <= _SHORT for kind in kinds)
    )
