"""Acceptable labels: for every link of a pair, all labels and scores that are acceptable.

    {"id": "1", "domain": "caption", "phenomena": "hypernym, clothes",
     "links": [{"tokens1": [1, 2], "tokens2": [1, 2, 3], "accept": [["EQUI", 5], ["SPE1", 4]]}]}

The first is the label in the annotation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ists.corpus.records import Fields, read
from ists.errors import FormatError
from ists.formats import wa
from ists.formats.text import shown
from ists.pairs import Alignment, Chunk, Flag, Relation


class Choice(NamedTuple):
    """A label with its score."""

    relation: Relation
    flags: frozenset[Flag]
    score: float | None

    @classmethod
    def of(cls, alignment: Alignment) -> "Choice":
        """Return the label and score of an alignment."""
        return cls(alignment.relation, alignment.flags, alignment.score)

    def on(self, chunk1: Chunk | None, chunk2: Chunk | None) -> Alignment:
        """Return an alignment of two chunks with this label."""
        return Alignment(chunk1, chunk2, self.relation, self.score, self.flags)

    @property
    def label(self) -> str:
        """The relation and its flags as written in files."""
        return self.on(None, None).label

    def to_json(self) -> list[Any]:
        """Return label and score for JSON; a whole number is written without decimals."""
        whole = self.score is not None and self.score == int(self.score)
        return [self.label, int(self.score or 0) if whole else self.score]

    def __str__(self) -> str:
        label, score = self.to_json()
        return f"{label} {score}"


class AcceptedLink(NamedTuple):
    """The chunks of a link and its acceptable labels."""

    tokens1: tuple[int, ...]
    tokens2: tuple[int, ...]
    choices: tuple[Choice, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of a file."""
        return {
            "tokens1": list(self.tokens1),
            "tokens2": list(self.tokens2),
            "accept": [choice.to_json() for choice in self.choices],
        }


@dataclass(frozen=True)
class Accepted:
    """The acceptable labels of one pair, its domain and its phenomena."""

    id: str
    links: tuple[AcceptedLink, ...]
    domain: str = ""
    phenomena: str = ""
    file: str = ""
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of its line."""
        return {
            "id": self.id,
            "domain": self.domain,
            "phenomena": self.phenomena,
            "links": [link.to_json() for link in self.links],
        }


def read_accepted(path: Path) -> Iterator[Accepted]:
    """Read an ``*.accept.jsonl`` file, one entry per line."""
    return read(path, _parse)


def _parse(fields: Fields, file: str, line: int) -> Accepted:
    return Accepted(
        fields.text("id"),
        tuple(_link(one) for one in fields.objects("links")),
        fields.text("domain"),
        fields.text("phenomena"),
        file,
        line,
    )


def _link(fields: Fields) -> AcceptedLink:
    return AcceptedLink(fields.tokens("tokens1"), fields.tokens("tokens2"), choices_of(fields))


def choices_of(fields: Fields) -> tuple[Choice, ...]:
    """Parse the list ``accept`` of a link."""
    return tuple(_choice(item) for item in fields.items("accept"))


def _choice(item: object) -> Choice:
    match item:
        case [str() as label, int() | float() as score] if not isinstance(score, bool):
            return Choice(*wa.parse_label(label), float(score))
    raise FormatError(f"'accept' has {shown(str(item))}, expected [label, score]")
