"""The task's official ``.wa`` format.

    <sentence id="6" status="">
    // A woman rides
    // A girl rides
    <source>
    1 A :
    …
    </source>
    <translation>
    …
    </translation>
    <alignment>
    1 2 <==> 1 2 // SIMI // 4 // A woman <==> A girl
    3 <==> 3 // EQUI // 5 // rides <==> rides
    </alignment>
    </sentence>

A file is split into blocks, one per sentence pair, and each block is parsed separately, so files
are streamed. Only the id and the alignment section are required.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import BinaryIO, NamedTuple

from ists.errors import FormatError
from ists.formats.problems import Problem, Scanned
from ists.formats.text import decode, encode, shown
from ists.pairs import (
    LINK_SIGN,
    Alignment,
    Chunk,
    Flag,
    Origin,
    Relation,
    Sentence,
    SentencePair,
    format_score,
)

_READ_SIZE = 1 << 16
"""So little that it stays in the processor's cache while it is parsed; more of longer blocks."""
_LARGEST_READ = 1 << 20
_LARGEST_BLOCK = 64 << 20

_BLOCK_START = b"<sentence"
_BLANK = " \t\ufeff".encode()
_END_OF_LINE = ord("\n")
_NO_HEADER = 'expected <sentence id="…" status="…">'
_HEADER = re.compile(r'[ \t\ufeff]*<sentence\s+id="([^"\n]*)"(?:\s+status="([^"\n]*)")?[^>\n]*>')
_USUAL_LAYOUT = re.compile(
    r'<sentence id="(?P<id>[^"<\n]*)" status="(?P<status>[^"<\n]*)">\n//[^<]*\n'
    r"<source>\n(?P<source>[^<]*)\n</source>\n"
    r"<translation>\n(?P<translation>[^<]*)\n</translation>\n"
    r"<alignment>\n(?P<alignment>(?:[^<]*<==>)*+[^<]*)\n</alignment>\n</sentence>\n*"
)
_TOKEN = re.compile(r"[ \t]*([0-9]+)[ \t]+([^ \t]+)[ \t]*:[ \t]*")
_SCORE = re.compile(r"[0-9]{1,300}(?:\.[0-9]{1,1100})?")
_POSITION = re.compile(r"[0-9]{1,9}")

_SIDES = {"source": 1, "translation": 2}
_SECTION_OPENS = {f"<{name}>": name for name in (*_SIDES, "alignment")}
_SECTION_CLOSES = {f"</{name}>": name for name in (*_SIDES, "alignment")}


class Block(NamedTuple):
    """The text of one sentence pair, from its ``<sentence`` line to the next."""

    file: str
    line: int
    text: str
    id: str
    status: str
    head: int
    """The offset of the ``<sentence`` line in the text (the first block may have blank lines)."""

    fault: str | None = None
    """What is wrong with the ``<sentence`` line, or None."""

    usual: re.Match[str] | None = None
    """The match of the whole text if it has the usual layout, which is found in one step."""

    def section(self, name: str) -> str | None:
        """Return the lines between ``<name>`` and ``</name>``; None if there are none."""
        if self.usual is not None:
            return self.usual[name]
        opening, closing = f"\n<{name}>\n", f"\n</{name}>"
        start = self.text.find(opening, self.head)
        end = self.text.find(closing, start)
        if 0 < start < end:
            return self.text[start + len(opening) : end]
        found = _section_pattern(name).search(self.text, self.head)  # blanks around it, CRLF
        return found[1] if found else None

    @property
    def has_one_alignment_section(self) -> bool:
        """Whether no other line could be taken for the beginning of the section."""
        return self.usual is not None or self.text.count("<alignment>") == 1

    def what_is_missing(self) -> str | None:
        """Return why the block cannot be read, or None."""
        if self.fault is not None:
            return self.fault
        if self.section("alignment") is not None:
            return None
        if re.search(r"^[ \t]*<alignment>", self.text, re.MULTILINE):
            return "no </alignment>, the file may be truncated"
        return "no <alignment> section, the file may be truncated"


@cache
def _section_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t]*<{name}>[ \t]*\r?\n(.*?)^[ \t]*</{name}>", re.MULTILINE | re.DOTALL)


def blocks(stream: BinaryIO, name: str) -> Iterator[Block]:
    """Yield the blocks of a file, one per sentence pair, with one in memory at a time."""
    line = 1
    for data in split(stream, name):
        yield block_of(data, name, line)
        line += data.count(b"\n")


def block_of(data: bytes, name: str, line: int) -> Block:
    """Return the block of a part of a file, which begins on a line."""
    text = decode(data)
    start = 0 if data.startswith(_BLOCK_START) else next(_block_starts(data, 0))
    head = len(decode(data[:start])) if start else 0
    if head:
        _reject_text_outside(text[:head], name)
        line += text.count("\n", 0, head)
    if usual := _USUAL_LAYOUT.fullmatch(text, head):
        pair_id, status = usual.group(1, 2)
        return Block(name, line, text, pair_id, status, head, None, usual)
    if header := _HEADER.match(text, head):
        return Block(name, line, text, header[1], header[2] or "", head)
    return Block(name, line, text, "", "", head, _NO_HEADER)


def split(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Split a file before each ``<sentence`` line but the first, so that each part has one.

    Raises a `FormatError` if there is none.
    """
    buffer = b""
    searched = 0
    seen_any = False
    while more := stream.read(max(_READ_SIZE, min(len(buffer), _LARGEST_READ))):
        buffer += more
        whole_lines = buffer.rfind(b"\n") + 1  # the last line may be incomplete
        cut = 0
        for start in _block_starts(buffer, searched, whole_lines):
            if seen_any:
                yield buffer[cut:start]
                cut = start
            seen_any = True
        buffer = buffer[cut:]
        searched = whole_lines - cut
        if len(buffer) > _LARGEST_BLOCK:
            raise FormatError("64 MiB without a <sentence> line: this is not a .wa file", name)
    for start in _block_starts(buffer, searched):
        if seen_any:
            yield buffer[:start]
            buffer = buffer[start:]
        seen_any = True
    if not seen_any:
        _reject_text_outside(decode(buffer), name)
        raise FormatError('no sentence pair found, expected <sentence id="…">', name)
    yield buffer


def _block_starts(data: bytes, begin: int, end: int | None = None) -> Iterator[int]:
    """Yield the offsets of lines that start with ``<sentence`` after optional blanks."""
    at = data.find(_BLOCK_START, begin, end)
    while at >= 0:
        line_start = at
        while line_start > 0 and data[line_start - 1] != _END_OF_LINE:
            if data[line_start - 1] not in _BLANK:
                break
            line_start -= 1
        else:
            yield line_start
        at = data.find(_BLOCK_START, at + 1, end)


def _reject_text_outside(text: str, name: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        if LINK_SIGN in line or line.strip() == "<alignment>":
            raise FormatError("an alignment before any <sentence>", name, number)
        raise FormatError(_NO_HEADER, name, number)


def scan(stream: BinaryIO, name: str) -> Iterator[Scanned]:
    """Yield the pairs of a file, each with its problems."""
    for block in blocks(stream, name):
        yield parse(block)


def parse(block: Block) -> Scanned:
    """Parse a block; invalid lines are left out and reported as problems."""
    if block.fault is not None:
        return Scanned(None, (Problem(block.file, block.line, None, block.fault),))
    draft = _Draft(block)
    missing = block.what_is_missing()
    if missing is not None:
        draft.problems.append(Problem(block.file, block.line, block.id, missing))
    lines = block.text[block.head :].split("\n")
    for number, line in enumerate(lines[1:], start=block.line + 1):
        draft.take(line.removesuffix("\r"), number)
    return draft.finish()


@dataclass
class _Draft:
    """Parser state: the parts of a pair read so far."""

    block: Block
    section: str | None = None
    opened: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    tokens: dict[str, list[str]] = field(default_factory=dict)
    alignments: list[Alignment] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def take(self, line: str, number: int) -> None:
        word = line.strip()
        try:
            if self.section == "alignment" and word not in _SECTION_CLOSES:
                if word:
                    self.alignments.append(parse_alignment(line))
                    self.lines.append(number)
            elif self.section is not None and word not in _SECTION_CLOSES:
                self._take_token(line)
            else:
                self._take_frame(line, word)
        except FormatError as error:
            problem = Problem(self.block.file, number, self.block.id, error.reason)
            self.problems.append(problem)

    def _take_frame(self, line: str, word: str) -> None:
        if word in _SECTION_CLOSES and self.section == _SECTION_CLOSES[word]:
            self.section = None
        elif word in _SECTION_OPENS and self.section is None:
            self.section = _SECTION_OPENS[word]
            if self.section in self.opened:
                raise FormatError(f"a second {word} section, expected one")
            self.opened.add(self.section)
            if self.section in _SIDES:
                self.tokens[self.section] = []
        elif line.startswith("//") and len(self.texts) < 2:
            self.texts.append(line[2:].removeprefix(" "))
        elif word and word != "</sentence>":
            raise FormatError(f"unexpected line {shown(word)}")

    def _take_token(self, line: str) -> None:
        if not line.strip():
            return
        tokens = self.tokens[self.section or ""]
        found = _TOKEN.fullmatch(line)
        if found is None:
            raise FormatError(f"{shown(line)} is not a token line, expected 'NUMBER TOKEN : '")
        if found[1] != str(len(tokens) + 1):
            raise FormatError(f"token number {found[1][:20]}, expected {len(tokens) + 1}")
        tokens.append(found[2])

    def finish(self) -> Scanned:
        sentence1, sentence2 = (
            Sentence(
                self.texts[side - 1] if len(self.texts) >= side else None,
                tuple(self.tokens[section]) if section in self.tokens else None,
            )
            for section, side in _SIDES.items()
        )
        block = self.block
        pair = SentencePair(block.id, sentence1, sentence2, tuple(self.alignments), block.status)
        origin = Origin(block.file, block.line, tuple(self.lines), block.text, pair.value)
        # The pair is frozen, and its origin needs the pair's value, so it is set afterwards.
        object.__setattr__(pair, "origin", origin)
        return Scanned(pair, tuple(self.problems))


def parse_alignment(line: str) -> Alignment:
    """Parse one line of the alignment section."""
    fields = line.split("//", 3)
    sides = fields[0].split(LINK_SIGN)
    if len(fields) < 3 or len(sides) != 2:
        raise FormatError(
            f"{shown(line)} is not an alignment, "
            "expected 'TOKENS <==> TOKENS // LABEL // SCORE // COMMENT'"
        )
    relation, flags = parse_label(fields[1].strip())
    return Alignment(
        _parse_chunk(sides[0]),
        _parse_chunk(sides[1]),
        relation,
        parse_score(fields[2].strip()),
        flags,
        fields[3].strip(" \t") if len(fields) > 3 else None,
    )


# Chunks, labels and scores repeat often in a file, and their values are immutable.
@lru_cache(maxsize=1 << 14)
def _parse_chunk(text: str) -> Chunk | None:
    tokens = text.split()
    for token in tokens:
        if not _POSITION.fullmatch(token):
            raise FormatError(f"token {shown(token)} is not a number")
    if tokens == ["0"]:
        return None
    if not tokens:
        raise FormatError("no token on one side, expected 0 for a side that is not aligned")
    return Chunk(tuple(map(int, tokens)))


@lru_cache(maxsize=1 << 10)
def parse_label(text: str) -> tuple[Relation, frozenset[Flag]]:
    """Parse a label such as ``SPE1`` or ``EQUI_FACT_POL``: one relation and any flags."""
    relations, flags = [], []
    for name in text.split("_"):
        if name in Relation.__members__:
            relations.append(Relation[name])
        elif name in Flag.__members__:
            flags.append(Flag[name])
        else:
            raise FormatError(f"label {shown(name)}, expected one of {', '.join(Relation)}")
    if len(relations) != 1:
        raise FormatError(
            f"label {shown(text)}, "
            f"expected exactly one of {', '.join(Relation)} and any of FACT, POL"
        )
    if len(set(flags)) != len(flags):
        raise FormatError(f"label {shown(text)} names a flag twice")
    return relations[0], frozenset(flags)


@lru_cache(maxsize=1 << 10)
def parse_score(text: str) -> float | None:
    """Parse a score: a plain number, or NIL for None."""
    if text == "NIL":
        return None
    if not _SCORE.fullmatch(text):
        raise FormatError(f"score {shown(text)}, expected a number from 0 to 5 or NIL")
    return float(text)


def write(pairs: Iterable[SentencePair], stream: BinaryIO) -> None:
    """Write pairs; an unchanged pair from a ``.wa`` file is written with its original bytes."""
    for pair in pairs:
        stream.write(render(pair))


def render(pair: SentencePair) -> bytes:
    """Render a pair as its block; raise a `FormatError` if UTF-8 cannot encode it."""
    text = _verbatim(pair) or _render_block(pair)
    try:
        return encode(text)
    except FormatError as error:
        raise FormatError(f"pair {pair.id}: {error.reason}") from None


def _verbatim(pair: SentencePair) -> str | None:
    origin = pair.origin
    if origin is None or origin.value != pair.value:
        return None
    return origin.text


def _render_block(pair: SentencePair) -> str:
    _reject_unwritable(pair)
    lines = [f'<sentence id="{pair.id}" status="{pair.status}">']
    texts = (pair.sentence1.text, pair.sentence2.text)
    lines += [f"// {text}" for text in texts if text is not None]
    for section, sentence in zip(_SIDES, (pair.sentence1, pair.sentence2), strict=True):
        if sentence.tokens is not None:
            lines.append(f"<{section}>")
            lines += [f"{n} {token} : " for n, token in enumerate(sentence.tokens, start=1)]
            lines.append(f"</{section}>")
    lines.append("<alignment>")
    lines += [_alignment_line(alignment) for alignment in pair.alignments]
    lines += ["</alignment>", "</sentence>", "", "", ""]
    return "\n".join(lines)


def _alignment_line(alignment: Alignment) -> str:
    sides = [
        " ".join(map(str, chunk.tokens)) if chunk is not None else "0"
        for chunk in (alignment.chunk1, alignment.chunk2)
    ]
    fields = [f"{sides[0]} {LINK_SIGN} {sides[1]}", alignment.label, format_score(alignment.score)]
    if alignment.comment is not None:
        fields.append(f"{alignment.comment} ")
    return " // ".join(fields)


def _reject_unwritable(pair: SentencePair) -> None:
    """Raise a `FormatError` for values that could not be read back: the format has no escapes."""
    if pair.sentence1.text is None and pair.sentence2.text is not None:
        raise FormatError(f"pair {pair.id!r}: .wa cannot hold sentence 2 without sentence 1")
    for what, text, forbidden in (
        ("id", pair.id, '"\n'),
        ("status", pair.status, '"\n'),
        *(("sentence", s.text or "", "\n") for s in (pair.sentence1, pair.sentence2)),
        *(("comment", a.comment or "", "\n") for a in pair.alignments),
    ):
        if any(sign in text for sign in forbidden) or text.endswith("\r"):
            raise FormatError(f"pair {pair.id!r}: .wa cannot hold the {what} {shown(text)}")
    for sentence in (pair.sentence1, pair.sentence2):
        for token in sentence.tokens or ():
            if not token or " " in token or "\t" in token or "\n" in token:
                raise FormatError(f"pair {pair.id!r}: .wa cannot hold the token {token!r}")
