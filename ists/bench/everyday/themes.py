"""Data of the benchmark: a folder of gold ``.wa`` files, one per theme, and acceptable labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from ists.bench.everyday.acceptable import (
    ENDING,
    FOR_ALL,
    Acceptable,
    Entry,
    beside,
    check_links,
    read_entries,
)
from ists.bench.report import digest
from ists.errors import FormatError, ModelError
from ists.files import reject_no_folder
from ists.formats import brackets, read
from ists.formats.problems import problem_at
from ists.formats.sentences import InputPair, InputSentence
from ists.pairs import SentencePair
from ists.resources import data_path
from ists.seen import Seen

Scenario = Literal["gold chunks", "system chunks"]
SCENARIOS: tuple[Scenario, ...] = ("gold chunks", "system chunks")


@dataclass(frozen=True)
class Theme:
    """A gold file and its acceptable labels."""

    name: str
    file: Path
    pairs: tuple[SentencePair, ...]
    acceptable: Mapping[str, Acceptable] = field(default_factory=dict)
    """By pair id; empty if no acceptable labels are known."""

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of the pairs."""
        return frozenset(pair.id for pair in self.pairs)

    def inputs(self, scenario: Scenario) -> list[InputPair]:
        """Return the input of a system: the gold chunks, or tokens only."""
        return [_input(pair, scenario) for pair in self.pairs]

    def count_seen(self, seen: Seen) -> int:
        """Return the number of pairs that are training data."""
        texts = [
            (" ".join(pair.sentence1.words), " ".join(pair.sentence2.words)) for pair in self.pairs
        ]
        return seen.count(texts, [self.file])


def default_folder() -> Path:
    """Return the folder of gold pairs in a checkout."""
    try:
        return data_path("everyday", "written")
    except ModelError:
        raise FormatError(
            "data/everyday/written is not in this installation, expected the name of a folder"
        ) from None


def read_themes(folder: Path) -> list[Theme]:
    """Read all gold files of a folder, with the acceptable labels beside them."""
    reject_no_folder(folder)
    files = sorted(folder.glob("*.wa"))
    if not files:
        raise FormatError("no .wa file found, expected gold files, one per theme", str(folder))
    gold = {file.stem: _read_gold(file) for file in files}
    acceptable = _read_acceptable(folder, gold)
    return [
        Theme(file.stem, file, tuple(gold[file.stem].values()), acceptable[file.stem])
        for file in files
    ]


def accept_files(folder: Path) -> list[Path]:
    """Find the files of acceptable labels in a folder."""
    return [*sorted(folder.glob(f"*{ENDING}")), *folder.glob(FOR_ALL)]


def is_gold(file: Path) -> bool:
    """Return whether a file is a theme's gold: a ``.wa`` file with acceptable labels beside it."""
    return file.suffix == ".wa" and beside(file) is not None


def data_digest(themes: Sequence[Theme]) -> str:
    """Return a short hash of the gold files and acceptable labels."""
    folders = dict.fromkeys(theme.file.parent for theme in themes)
    accepted = (file for folder in folders for file in accept_files(folder))
    return digest([*(theme.file for theme in themes), *accepted])


def _read_gold(file: Path) -> dict[str, SentencePair]:
    pairs = {}
    for pair in read(file):
        for side, sentence, chunks in (
            (1, pair.sentence1, pair.chunks1),
            (2, pair.sentence2, pair.chunks2),
        ):
            tokens = [token for chunk in chunks for token in chunk.tokens]
            if tokens != list(range(1, len(sentence.words) + 1)):
                reason = f"the chunks of sentence {side} do not cover it, expected every token in "
                raise problem_at(pair, None, reason + "one chunk").error()
        pairs[pair.id] = pair
    return pairs


def _read_acceptable(
    folder: Path, gold: Mapping[str, Mapping[str, SentencePair]]
) -> dict[str, dict[str, Acceptable]]:
    found: dict[str, dict[str, Acceptable]] = {theme: {} for theme in gold}
    for file in accept_files(folder):
        for entry in read_entries(file):
            pair = _gold_pair(entry, gold)
            if entry.id in found[entry.corpus]:
                raise entry.error("its acceptable labels are given twice, expected once")
            check_links(entry, pair)
            found[entry.corpus][entry.id] = entry.links
    return found


def _gold_pair(entry: Entry, gold: Mapping[str, Mapping[str, SentencePair]]) -> SentencePair:
    if entry.corpus not in gold:
        raise entry.error(f"no {entry.corpus}.wa in the folder of this file")
    if entry.id not in gold[entry.corpus]:
        raise entry.error(f"{entry.corpus}.wa has no such pair")
    return gold[entry.corpus][entry.id]


def _input(pair: SentencePair, scenario: Scenario) -> InputPair:
    if scenario == "gold chunks":
        one, two = (InputSentence(chunks=brackets.chunks_of(pair, side)) for side in (1, 2))
    else:
        one, two = (InputSentence(tokens=side.words) for side in (pair.sentence1, pair.sentence2))
    origin = pair.origin
    file, line = (origin.file, origin.line) if origin else ("", 0)
    return InputPair(pair.id, one, two, line, file)
