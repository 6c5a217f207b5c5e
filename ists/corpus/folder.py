"""The folder of the corpus.

written/THEME.wa             written pairs
written/THEME.accept.jsonl   their acceptable labels
real.jsonl                   stand-off annotation of other data sets' pairs
second/                      a second annotation of some of them, in the same layout
test/                        written pairs for testing only, in the same layout
chunked.jsonl                stand-off annotation of the chunks alone of other pairs
alternatives.txt             sentences whose chunks have alternatives, for training networks
"""

from dataclasses import dataclass
from pathlib import Path

from ists.corpus.accept import Accepted, read_accepted
from ists.corpus.alternatives import Line, read_alternatives
from ists.corpus.standoff import Standoff, read_standoff
from ists.errors import FormatError
from ists.files import reject_no_folder
from ists.formats import read
from ists.pairs import SentencePair
from ists.resources import data_path

_NAME = "everyday"


@dataclass(frozen=True)
class Corpus:
    """A folder of annotated pairs."""

    path: Path

    @property
    def themes(self) -> tuple[str, ...]:
        """Return the names of the files of written pairs, without extension."""
        return tuple(sorted(file.stem for file in self.path.glob("written/*.wa")))

    def file(self, theme: str) -> Path:
        """Return the path of a theme's pairs."""
        return self.path / "written" / f"{theme}.wa"

    def accept_file(self, theme: str) -> Path:
        """Return the path of a theme's acceptable labels."""
        return self.path / "written" / f"{theme}.accept.jsonl"

    @property
    def real_file(self) -> Path:
        """The path of the stand-off annotation."""
        return self.path / "real.jsonl"

    def chunked(self) -> list[Standoff]:
        """Read the real pairs of which only the chunks were annotated, without their sentences."""
        file = self.path / "chunked.jsonl"
        return list(read_standoff(file)) if file.is_file() else []

    @property
    def alternatives_file(self) -> Path:
        """The path of the sentences with alternatives."""
        return self.path / "alternatives.txt"

    def alternatives(self) -> list[Line]:
        """Read the sentences with alternatives; without the file there are none."""
        file = self.alternatives_file
        return read_alternatives(file) if file.is_file() else []

    def written(self, theme: str) -> list[SentencePair]:
        """Read the pairs of a theme."""
        return list(read(self.file(theme)))

    def accepted(self, theme: str) -> list[Accepted]:
        """Read the acceptable labels of a theme's pairs."""
        return list(read_accepted(self.accept_file(theme)))

    def real(self) -> list[Standoff]:
        """Read the real pairs, without their sentences."""
        return list(read_standoff(self.real_file))

    @property
    def second(self) -> "Corpus":
        """The second annotation."""
        return Corpus(self.path / "second")

    @property
    def test(self) -> "Corpus":
        """The pairs for testing, which `ists corpus build` leaves out; written ones only."""
        return Corpus(self.path / "test")


def open_corpus(folder: str | None = None) -> Corpus:
    """Open the corpus in a folder (default: the checkout's); raise a `FormatError` if missing."""
    path = Path(folder) if folder is not None else _in_checkout()
    reject_no_folder(path)
    corpus = Corpus(path)
    if not corpus.themes:
        raise FormatError("no written/*.wa, expected the folder data/everyday of ists", str(path))
    return corpus


def _in_checkout() -> Path:
    path = data_path() / _NAME
    if not path.is_dir():
        raise FormatError(
            "the corpus is not part of an installed package: get data/everyday from the source "
            "of ists and give its path with --corpus"
        )
    return path
