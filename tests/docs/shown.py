"""What the documents show: blocks of code, commands with their output, and tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from tests.conftest import ROOT

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "data/everyday/README.md",
    *sorted(f"docs/{path.name}" for path in ROOT.glob("docs/*.md")),
)
ANYTHING = "…"
"""By itself any lines, in a line anything."""
_FENCE = "```"
_INDENT = " " * 4
_PROMPT = "$ "


@dataclass(frozen=True)
class Block:
    """A block of code, fenced or indented."""

    document: str
    line: int
    """Where its first line stands."""
    language: str
    """What the fence names, if anything."""
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A command, and what it is said to print, if anything."""

    document: str
    line: int
    text: str
    output: tuple[str, ...]

    @property
    def bare(self) -> str:
        """Without a comment."""
        return re.sub(r"\s+#.*", "", self.text)

    def __str__(self) -> str:
        return f"{self.document}:{self.line} {self.bare}"


@dataclass(frozen=True)
class Table:
    """A table: its head and its rows, each cell without its marks of emphasis."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, lines: Sequence[str]) -> Self:
        head, _, *rows = (_cells(line) for line in lines)
        return cls(head, tuple(rows))

    def figures(self) -> dict[tuple[str, str], str]:
        """Each cell by the first cell of its row and the head of its column."""
        return {
            (row[0], column): cell
            for row in self.rows
            for column, cell in zip(self.head[1:], row[1:], strict=True)
        }


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(document: str, text: str) -> Iterator[Block]:
    """All blocks of code, in their order."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        begin = at
        if lines[at].startswith(_FENCE):
            end = lines.index(_FENCE, at + 1)
            language = lines[at].removeprefix(_FENCE).strip()
            yield Block(document, begin + 2, language, tuple(lines[begin + 1 : end]))
            at = end
        elif lines[at].startswith(_INDENT) and not (at and lines[at - 1].strip()):
            while at < len(lines) and (lines[at].startswith(_INDENT) or not lines[at].strip()):
                at += 1
            inside = [line.removeprefix(_INDENT) for line in lines[begin:at]]
            yield Block(document, begin + 1, "", tuple(_without_blank_end(inside)))
        at += 1


def commands(block: Block) -> list[Command]:
    """Lines after a `$` with the output below them; else lines that begin with `ists`."""
    if block.language not in ("", "sh"):
        return []
    prompt = any(line.startswith(_PROMPT) for line in block.lines)
    begins = [
        at for at, line in enumerate(block.lines) if line.startswith(_PROMPT if prompt else "ists ")
    ]
    ends = [*begins[1:], len(block.lines)] if prompt else [at + 1 for at in begins]
    return [
        Command(
            block.document,
            block.line + begin,
            block.lines[begin].removeprefix(_PROMPT),
            tuple(_without_blank_end(block.lines[begin + 1 : end])),
        )
        for begin, end in zip(begins, ends, strict=True)
    ]


def tables(text: str) -> Iterator[Table]:
    """All tables, in their order."""
    for found in re.finditer(r"^\|.*\n\|[-|]+\n(?:\|.*\n)*", text, re.MULTILINE):
        yield Table.of(found[0].splitlines())


def agrees(shown: Iterable[str], printed: str) -> bool:
    """Whether output is what is shown; runs of white space are equal."""
    lines = _without_blank_end([_evened(line) for line in printed.splitlines()])
    return re.fullmatch("".join(map(_pattern, shown)), "".join(f"{x}\n" for x in lines)) is not None


def _pattern(line: str) -> str:
    if line.strip() == ANYTHING:
        return r"(?:.*\n)*"
    return ".*".join(re.escape(part) for part in _evened(line).split(ANYTHING)) + r"\n"


def _evened(line: str) -> str:
    return " ".join(line.split())


def _without_blank_end(lines: Sequence[str]) -> Sequence[str]:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def _cells(line: str) -> tuple[str, ...]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return tuple(cell.strip().replace("**", "") for cell in cells)
