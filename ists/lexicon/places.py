"""Countries, regions and cities: the place a word names, and relations between places.

The data is the table ``data/lexicon/places.tsv``. Matching is case-sensitive for names that are
also common words (``Turkey``, ``Polish``, ``US``) and case-insensitive otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from ists.errors import ModelError
from ists.lexicon.relations import EQUAL, UNRELATED, RelationKind, WordRelation
from ists.resources import data_path

COLUMNS = ["name", "kind", "also", "people", "capitals", "inside", "within"]
_COMMON_WORDS = (
    "turkey china chad jordan polish pole poles finn dane danes guinea guineas swede swedes "
    "java cologne hamburg congo panama lima phoenix boulder manila kiwi kiwis"
)
_ONLY_WITH_CAPITAL = frozenset(_COMMON_WORDS.split())
_SHORTEST_CASELESS = 4  # "us", "car", "la" in lower case are words, not places
_CACHED_LOOKUPS = 4096
_MAX_WITHIN = 4


class PlaceRole(StrEnum):
    """How a word refers to a place."""

    NAME = "name"  # Pakistan, Burma, US
    PEOPLE = "people"  # Pakistani, Briton, Dutch
    CAPITAL = "capital"  # Islamabad
    INSIDE = "inside"  # Karachi


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A reading of a word as a place: the row of the table, and the role."""

    place: str
    role: PlaceRole


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """Tokens ``start`` to ``end`` (exclusive) that name a place, with every reading of them."""

    start: int
    end: int
    names: tuple[PlaceName, ...]


class Places:
    """The table of places."""

    def __init__(self, rows: Sequence[dict[str, str]]) -> None:
        self._exact: dict[str, list[PlaceName]] = {}
        self._caseless: dict[str, list[PlaceName]] = {}
        self._within = {row["name"]: _values(row["within"]) for row in rows}
        for row in rows:
            self._add(row, PlaceRole.NAME, [row["name"], *_values(row["also"])])
            people = _values(row["people"])
            self._add(row, PlaceRole.PEOPLE, people + [_plural(one) for one in people])
            self._add(row, PlaceRole.CAPITAL, _values(row["capitals"]))
            self._add(row, PlaceRole.INSIDE, _values(row["inside"]))
        self._longest = max((name.count(" ") + 1 for name in self._exact), default=1)
        self._relate = lru_cache(maxsize=_CACHED_LOOKUPS)(self._find_relation)

    @classmethod
    def load(cls, path: str | Path | None = None) -> "Places":
        """Read the table at `path`, or the one shipped."""
        return cls(read_rows(data_path("lexicon", "places.tsv") if path is None else path, COLUMNS))

    def _add(self, row: dict[str, str], role: PlaceRole, names: Sequence[str]) -> None:
        reading = PlaceName(row["name"], role)
        for name in names:
            for index, key in ((self._exact, name), (self._caseless, name.casefold())):
                readings = index.setdefault(key, [])
                if reading not in readings:
                    readings.append(reading)

    def lookup(self, name: str) -> tuple[PlaceName, ...]:
        """Return all readings of a word or phrase as a place; empty if there are none."""
        name = name.removesuffix("'s").removesuffix("’s")
        if name in self._exact:
            return tuple(self._exact[name])
        folded = name.casefold()
        if len(folded) < _SHORTEST_CASELESS or (name == folded and folded in _ONLY_WITH_CAPITAL):
            return ()
        return tuple(self._caseless.get(folded, ()))

    def mentions(self, tokens: Sequence[str]) -> tuple[PlaceMention, ...]:
        """Return the places named in a list of tokens, left to right, by longest match."""
        found: list[PlaceMention] = []
        at = 0
        while at < len(tokens):
            for end in range(min(len(tokens), at + self._longest), at, -1):
                names = self.lookup(" ".join(tokens[at:end]))
                if names:
                    found.append(PlaceMention(at, end, names))
                    at = end - 1
                    break
            at += 1
        return tuple(found)

    def relate(self, a: str, b: str) -> WordRelation:
        """Return the relation of place `a` to place `b`; `UNRELATED` unless both are places."""
        return self._relate(a, b)

    def _find_relation(self, a: str, b: str) -> WordRelation:
        readings = [(one, other) for one in self.lookup(a) for other in self.lookup(b)]
        relations = [self._relate_names(a, b, one, other) for one, other in readings]
        return max(relations, key=lambda relation: relation.strength, default=UNRELATED)

    def _relate_names(self, a: str, b: str, one: PlaceName, other: PlaceName) -> WordRelation:
        cities = {PlaceRole.CAPITAL, PlaceRole.INSIDE}
        if one.place == other.place:
            if a.casefold() == b.casefold():
                return EQUAL
            if one.role == other.role and one.role not in cities:
                return WordRelation(RelationKind.SAME_PLACE, 0, 0.96)
            if one.role in cities and other.role in cities:
                return WordRelation(RelationKind.OTHER_PLACE, 2, 0.6)
            if one.role in cities or other.role in cities:
                return _inside(one, other)
            return WordRelation(RelationKind.DEMONYM, 1, 0.92)
        for low, high, kind in (
            (one, other, RelationKind.PART),
            (other, one, RelationKind.WHOLE),
        ):
            steps = self._steps_up(low.place, high.place)
            if steps and high.role not in cities:
                steps += low.role in cities
                return WordRelation(kind, steps, 0.7 * 0.85 ** (steps - 1))
        alike = (one.role in cities) == (other.role in cities)
        return WordRelation(RelationKind.OTHER_PLACE, 2, 0.6 if alike else 0.4)

    def _steps_up(self, low: str, high: str) -> int:
        """Return the number of "is within" steps from one row to the other; 0 if unconnected."""
        reached = [low]
        for steps in range(1, _MAX_WITHIN + 1):
            reached = [outer for inner in reached for outer in self._within.get(inner, ())]
            if high in reached:
                return steps
        return 0


def _inside(one: PlaceName, other: PlaceName) -> WordRelation:
    """Relate a city and its country; a capital is closer, as it often means the government."""
    low = one if one.role in (PlaceRole.CAPITAL, PlaceRole.INSIDE) else other
    high = other if low is one else one
    strength = 0.8 if low.role is PlaceRole.CAPITAL else 0.7
    distance = 1 if high.role is PlaceRole.NAME else 2
    kind = RelationKind.PART if low is one else RelationKind.WHOLE
    return WordRelation(kind, distance, strength * 0.9 ** (distance - 1))


def read_rows(path: str | Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """Read one of our tab-separated tables: comments, a line of column names, rows."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(f"{path}: the table cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path}: the table is damaged (not UTF-8 text)") from None
    lines = [
        (number, line.split("\t"))
        for number, line in enumerate(text.split("\n"), 1)
        if line and not line.startswith("#")
    ]
    if not lines or lines[0][1] != list(columns):
        raise ModelError(f"{path}: not the expected table (columns {', '.join(columns)})")
    for number, row in lines[1:]:
        if len(row) != len(columns):
            raise ModelError(f"{path}:{number}: {len(row)} columns, expected {len(columns)}")
    return [dict(zip(columns, row, strict=True)) for _, row in lines[1:]]


def _values(cell: str) -> list[str]:
    return [value for value in cell.split(",") if value]


def _plural(people: str) -> str:
    """Return the plural: Syrian → Syrians, Frenchman → Frenchmen; Chinese and Dutch unchanged."""
    if people.endswith(("man", "woman")) and not people.endswith(("German", "Roman", "Ottoman")):
        return people[:-2] + "en"
    return people if people.endswith(("s", "sh", "ch", "ese")) else people + "s"
