"""Word families and closed sets, for relations that WordNet lacks.

``dead`` and ``dies`` are a family without an edge in WordNet; ``eastern`` and ``southern``, or
``sitting`` and ``standing``, are mutually exclusive alternatives. The data is the table
``data/lexicon/word_sets.tsv``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ists.errors import ModelError
from ists.lexicon.places import read_rows
from ists.lexicon.relations import UNRELATED, RelationKind, WordRelation
from ists.resources import data_path

COLUMNS = ["name", "between", "words"]
_BETWEEN = {
    "contrast": WordRelation(RelationKind.CONTRAST, 2, 0.65),
    "opposite": WordRelation(RelationKind.ANTONYM, 2, 0.75),
}
_FAMILY = WordRelation(RelationKind.FAMILY, 1, 0.82)


class WordSets:
    """The table of families and closed sets."""

    def __init__(self, sets: Iterable[tuple[str, Sequence[Sequence[str]]]]) -> None:
        self._between: list[WordRelation] = []
        self._members: dict[str, dict[int, int]] = {}  # word → set → its member
        for number, (between, members) in enumerate(sets):
            self._between.append(_BETWEEN[between])
            for member, words in enumerate(members):
                for word in words:
                    self._members.setdefault(word, {})[number] = member

    @classmethod
    def load(cls, path: str | Path | None = None) -> "WordSets":
        """Read the table at `path`, or the one shipped."""
        source = data_path("lexicon", "word_sets.tsv") if path is None else path
        rows = read_rows(source, COLUMNS)
        for row in rows:
            if row["between"] not in _BETWEEN:
                raise ModelError(f"{source}: unknown kind of set '{row['between']}'")
        return cls(
            (row["between"], [member.split("/") for member in row["words"].split(",")])
            for row in rows
        )

    def __contains__(self, word: str) -> bool:
        """Return whether a word (in lower case) is in any set."""
        return word in self._members

    def relate(self, a: str, b: str) -> WordRelation:
        """Return family, contrast, opposite or `UNRELATED` for two words in lower case."""
        one, other = self._members.get(a), self._members.get(b)
        if a == b or not one or not other:
            return UNRELATED
        found = [
            _FAMILY if one[number] == other[number] else self._between[number]
            for number in sorted(one.keys() & other.keys())
        ]
        return max(found, key=lambda relation: relation.strength, default=UNRELATED)
