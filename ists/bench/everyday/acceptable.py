"""Acceptable labels: for a gold link, every label that a careful annotator might choose.

    {"id": "7", "links": [{"tokens1": [1, 2], "tokens2": [1, 2, 3],
                           "accept": [["EQUI", 5], ["SPE1", 4]]}]}

One object per line, in ``THEME.accept.jsonl`` beside ``THEME.wa``, or in one ``accept.jsonl`` in
which the key ``corpus`` is the theme. Other keys (``domain``, ``phenomena``) are ignored.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ists.errors import FormatError
from ists.formats.rows import rows
from ists.formats.text import shown
from ists.formats.wa import parse_label
from ists.pairs import LINK_SIGN, Alignment, Flag, Relation, SentencePair

ENDING = ".accept.jsonl"
FOR_ALL = "accept.jsonl"

Label = tuple[Relation, frozenset[Flag]]
Place = tuple[tuple[int, ...], tuple[int, ...]]
"""The tokens of both chunks of a link."""
Acceptable = Mapping[Place, frozenset[Label]]
"""The acceptable labels of a pair's links."""


class Entry(NamedTuple):
    """One line of a file of acceptable labels."""

    corpus: str
    id: str
    links: Acceptable
    file: str
    line: int

    def error(self, reason: str) -> FormatError:
        """Return an error at the file and line of the entry."""
        return FormatError(f"pair {self.id}: {reason}", self.file, self.line)


def read_entries(file: Path) -> Iterator[Entry]:
    """Yield the entries of a file; the theme is the file name, or a key in ``accept.jsonl``."""
    named = None if file.name == FOR_ALL else file.name.removesuffix(ENDING)
    for row in rows(file, "jsonl"):
        try:
            record = row.record()
            corpus = _corpus(record, named)
            yield Entry(corpus, _id(record), dict(_links(record)), row.file, row.line)
        except FormatError as error:
            raise FormatError(error.reason, row.file, row.line) from None


def beside(gold: Path) -> Path | None:
    """Return the file with the acceptable labels of a gold file's links, if there is one."""
    files = gold.with_name(f"{gold.stem}{ENDING}"), gold.with_name(FOR_ALL)
    return next((file for file in files if file.is_file()), None)


def check_links(entry: Entry, pair: SentencePair) -> None:
    """Raise a `FormatError` if an entry has a link that the gold pair does not have."""
    unknown = entry.links.keys() - {place_of(link) for link in pair.links}
    if unknown:
        one, two = (" ".join(map(str, tokens)) for tokens in min(unknown))
        raise entry.error(f"the gold has no link {one} {LINK_SIGN} {two}")


def place_of(link: Alignment) -> Place:
    """Return the tokens of both chunks of a link."""
    one, two = (chunk.tokens if chunk else () for chunk in (link.chunk1, link.chunk2))
    return one, two


def _corpus(record: dict[str, Any], named: str | None) -> str:
    corpus = record.get("corpus", named)
    if not isinstance(corpus, str):
        raise FormatError("no 'corpus', expected the name of a gold file without its ending")
    if named is not None and corpus != named:
        raise FormatError(f"corpus {shown(corpus)} in the file of '{named}'")
    return corpus


def _id(record: dict[str, Any]) -> str:
    pair_id = record.get("id")
    if isinstance(pair_id, bool) or not isinstance(pair_id, str | int):
        raise FormatError("no 'id', expected a string or a whole number")
    return str(pair_id)


def _links(record: dict[str, Any]) -> Iterator[tuple[Place, frozenset[Label]]]:
    for link in _list(record, "links"):
        if not isinstance(link, dict):
            raise FormatError(f"link {shown(str(link))}, expected a JSON object")
        labels = frozenset(map(_label, _list(link, "accept")))
        if not labels:
            raise FormatError("'accept' is empty, expected at least one label")
        yield (_tokens(link, "tokens1"), _tokens(link, "tokens2")), labels


def _label(item: object) -> Label:
    match item:
        case [str(label), int() | float()] if not isinstance(item[1], bool):
            return parse_label(label)
    raise FormatError(f"{shown(str(item))} in 'accept', expected [LABEL, SCORE]")


def _tokens(link: dict[str, Any], key: str) -> tuple[int, ...]:
    tokens = _list(link, key)
    if not all(type(token) is int for token in tokens):
        raise FormatError(f"'{key}' has items that are not token numbers")
    return tuple(tokens)


def _list(record: dict[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    if not isinstance(value, list):
        raise FormatError(f"no '{key}', expected a list")
    return value


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Label counts over the links that system and gold share, if acceptable labels are known."""

    links: int = 0
    as_gold: int = 0
    acceptable: int = 0

    def __add__(self, other: "LabelCounts") -> "LabelCounts":
        return LabelCounts(
            self.links + other.links,
            self.as_gold + other.as_gold,
            self.acceptable + other.acceptable,
        )

    @property
    def share(self) -> float | None:
        """The share of links with an acceptable label; None without links."""
        return self.acceptable / self.links if self.links else None

    def to_dict(self) -> dict[str, Any]:
        """Return the share with its counts."""
        return {
            "share": self.share,
            "links": self.links,
            "as_gold": self.as_gold,
            "acceptable": self.acceptable,
        }


def count_labels(
    gold: SentencePair, system: Iterable[Alignment], acceptable: Acceptable
) -> LabelCounts:
    """Count the labels of the system's links that have the same chunks as a gold link."""
    labels = {place_of(link): (link.relation, link.flags) for link in gold.links}
    both = [
        (place, (link.relation, link.flags))
        for link in system
        if (place := place_of(link)) in labels and place in acceptable
    ]
    return LabelCounts(
        len(both),
        sum(label == labels[place] for place, label in both),
        sum(label in acceptable[place] for place, label in both),
    )
