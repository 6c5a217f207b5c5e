"""Text that occurs in two places: equal sentences, or six consecutive words.

Words are compared without case, punctuation and apostrophes, whether the text is tokenised or not.
"""

import csv
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ists.files import open_input
from ists.formats import conll
from ists.formats.text import decode

RUN = 6
Words = tuple[str, ...]

_APOSTROPHE = re.compile(r"\s+(?=n['’]t\b|['’])|['’]")
_WORD = re.compile(r"\w+")
_TEXT_FILES = (".csv", ".tsv", ".txt", ".wa")
_CONLL_FOLDER = "conll2000"


class Passage(NamedTuple):
    """A sentence or table cell with its file and line."""

    text: str
    file: str
    line: int


class Shared(NamedTuple):
    """Words that occur in two places."""

    words: Words
    whole: bool
    """Whether they are the complete text in both places."""
    at: Passage

    def __str__(self) -> str:
        what = "the sentence" if self.whole else f"{RUN} consecutive words,"
        return f"{what} '{' '.join(self.words)}' as in {self.at.file}:{self.at.line}"


def words_of(text: str) -> Words:
    """Return the words of a text in the form that is compared."""
    return tuple(_WORD.findall(_APOSTROPHE.sub("", text.lower())))


def runs(words: Words) -> set[Words]:
    """Yield all sequences of six consecutive words; for a shorter text, all its words."""
    return {words[at : at + RUN] for at in range(len(words) - RUN + 1)} or ({words} - {()})


def shared_with(texts: Iterable[str], passages: Iterable[Passage]) -> dict[Words, Shared]:
    """Return the shared word sequences, each with its first occurrence in the passages."""
    known: set[Words] = set()
    wholes: set[Words] = set()
    for words in map(words_of, texts):
        known |= runs(words)
        wholes.add(words)
    found: dict[Words, Shared] = {}
    for passage in passages:
        words = words_of(passage.text)
        if words in wholes and not (words in found and found[words].whole):
            found[words] = Shared(words, True, passage)
        for run in (runs(words) & known) - found.keys():
            found[run] = Shared(run, False, passage)
    return found


def passages(
    data: Path, patterns: Iterable[str] = ("**/*",), leave_out: Collection[str] = ()
) -> Iterator[Passage]:
    """Yield the text of all files in a folder that match a pattern, except in some subfolders."""
    for file in sorted({file for pattern in patterns for file in data.glob(pattern)}):
        relative = file.relative_to(data)
        known = file.is_file() and file.suffix in _TEXT_FILES
        if known and relative.parts[0] not in leave_out:
            yield from _read(file, str(relative))


def _read(file: Path, name: str) -> Iterator[Passage]:
    if file.parent.name == _CONLL_FOLDER:
        return _conll_sentences(file, name)
    lines = decode(file.read_bytes()).split("\n")
    if file.suffix == ".csv":
        return _csv_cells(lines, name)
    numbered = enumerate(lines, start=1)
    if file.suffix == ".wa":
        return (Passage(line[3:], name, at) for at, line in numbered if line.startswith("// "))
    return (Passage(cell, name, at) for at, line in numbered for cell in line.split("\t"))


def _conll_sentences(file: Path, name: str) -> Iterator[Passage]:
    with open_input(file) as stream:
        line = 1
        for sentence in conll.read(stream, name):
            yield Passage(" ".join(sentence.tokens), name, line)
            line += len(sentence.tokens) + 1


def _csv_cells(lines: Iterable[str], name: str) -> Iterator[Passage]:
    table = csv.reader(f"{line}\n" for line in lines)
    for row in table:
        pieces = [piece for cell in row for piece in cell.split("\n")]
        yield from (Passage(piece, name, table.line_num) for piece in pieces)
