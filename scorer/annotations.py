"""The scored parts of sentence pairs: of blocks of `.wa` files, and of pairs in memory.

The scorer accepts what the official program accepts: unknown labels, scores out of range and
non-numeric tokens are counted as it counts them and reported as problems. For that reason, and for
speed, blocks are not read with `ists.formats.wa.parse`.
"""

import re

from ists.compiled import kernels
from ists.errors import FormatError
from ists.formats import wa
from ists.pairs import LINK_SIGN, Alignment, SentencePair
from scorer.measures import NO_TOKENS, PUNCTUATION, Annotation, Link, Lone, Tokens
from scorer.sentences import hash_of_sections, hash_of_usual

_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_PUNCTUATION_TOKEN = re.compile(
    r"\n[ \t]*([0-9]{1,9})[ \t]+[" + re.escape("".join(sorted(PUNCTUATION))) + r"][ \t]*:[ \t\r]*$",
    re.MULTILINE,
)
_LARGEST_NUMBER = 1e9
_MARKS = "".join(sorted(PUNCTUATION)).encode()

_known: dict[str, Link | Lone] = {}
"""The alignments of well-formed lines by what precedes their comments.

Chunks, labels and scores repeat a lot, within a file and between system and gold: nearly every line
is found here.
"""
_MOST_KNOWN = 1 << 16


def read_bytes(
    data: bytes, name: str, line: int, as_gold: bool
) -> tuple[str, Annotation, int, bool, int]:
    """Read the block that begins on a line of a file.

    Return its id, its annotation, the hash of its tokens, whether all lines of its alignment
    section are well-formed, and the number of its lines. Raises a `FormatError` as `read_block`.
    """
    if kernels is not None:
        marks = _MARKS if as_gold else b""
        read = kernels.read_usual_block(data, marks, _known, _read_line, Link, NO_TOKENS)
        if read is not None:
            pair_id, fields, well_formed, lines = read
            return pair_id, Annotation._make(fields), hash_of_usual(data), well_formed, lines
    block = wa.block_of(data, name, line)
    annotation, well_formed = read_block(block, as_gold)
    if block.usual is not None:
        tokens = hash_of_usual(data)
    else:
        tokens = hash_of_sections(block.section("source"), block.section("translation"))
    return block.id, annotation, tokens, well_formed, data.count(b"\n")


def read_block(block: wa.Block, as_gold: bool) -> tuple[Annotation, bool]:
    """Return a block's annotation and whether all its lines are well-formed.

    Raises a `FormatError` if the block has no alignment section or no valid header.
    """
    section = block.section("alignment")
    if section is None or block.fault is not None:
        reason = f"pair {block.id}: {block.what_is_missing()}" if block.id else block.fault
        raise FormatError(reason or "", block.file, block.line)
    links, lone, well_formed = _read_alignments(section)
    punctuation1, punctuation2 = _punctuation(block) if as_gold else (NO_TOKENS, NO_TOKENS)
    annotation = Annotation(links, lone, punctuation1, punctuation2)
    return annotation, well_formed and block.has_one_alignment_section


def _read_alignments(section: str) -> tuple[tuple[Link, ...], tuple[Lone, ...], bool]:
    links, lone = [], []
    all_well_formed = True
    for line in section.split("\n"):
        alignment = _known.get(line.rpartition("//")[0])
        if alignment is None:
            alignment, well_formed = _read_line(line)
            all_well_formed = all_well_formed and well_formed
        if isinstance(alignment, Link):
            links.append(alignment)
        elif alignment is not None:
            lone.append(alignment)
    return tuple(links), tuple(lone), all_well_formed


def _read_line(line: str) -> tuple[Link | Lone | None, bool]:
    """Parse a line; also return whether it is well-formed."""
    fields = line.split("//", 3)
    if len(fields) < 3:
        return None, not line.strip()
    start = "//".join(fields[:3])
    alignment = _well_formed(start)
    if alignment is None:
        return _as_official(*fields[:3]), False
    # A line without a comment, or with "//" in it, would be looked up by another start.
    if start == line.rpartition("//")[0]:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[start] = alignment
    return alignment, True


def _well_formed(line: str) -> Link | Lone | None:
    """Parse a line; None if it is not well-formed."""
    try:
        alignment = wa.parse_alignment(line)
    except FormatError:
        return None
    return None if any(alignment.problems()) else _scored(alignment)


def _as_official(sides: str, label: str, score: str) -> Link | Lone | None:
    """Parse the first three fields of a line as the official program does."""
    chunks = sides.split(LINK_SIGN)
    if len(chunks) != 2:
        return None
    tokens1, tokens2 = map(_tokens, chunks)
    labels = frozenset(label.strip().upper().split("_"))
    if tokens1 and tokens2:
        return Link.of(tokens1, tokens2, labels, _number(score))
    return Lone(1 if tokens1 else 2, tokens1 or tokens2, labels)


def _tokens(text: str) -> Tokens:
    numbers = (int(_number(word)) for word in text.split())
    return frozenset(number for number in numbers if number)


def _number(text: str) -> float:
    """Parse a number as the official program does: the numeric prefix of the text, or 0."""
    found = _NUMBER.match(text)
    value = float(found[1]) if found else 0.0
    return max(-_LARGEST_NUMBER, min(_LARGEST_NUMBER, value))


def _punctuation(block: wa.Block) -> tuple[Tokens, Tokens]:
    """Return the positions of both sentences' punctuation."""
    usual = block.usual
    if usual is not None:  # mostly neither sentence has any, which one search for both shows
        begin, end = usual.start("source") - 1, usual.end("translation")
        if _PUNCTUATION_TOKEN.search(block.text, begin, end) is None:
            return NO_TOKENS, NO_TOKENS
    return _punctuation_of(block.section("source")), _punctuation_of(block.section("translation"))


def _punctuation_of(section: str | None) -> Tokens:
    found = _PUNCTUATION_TOKEN.findall("\n" + section) if section else ()
    return frozenset(map(int, found)) if found else NO_TOKENS


def annotation_of(pair: SentencePair) -> Annotation:
    """Return the parts of a pair that are scored."""
    links, lone = [], []
    for alignment in map(_scored, pair.alignments):
        if isinstance(alignment, Link):
            links.append(alignment)
        else:
            lone.append(alignment)
    punctuation = (
        frozenset(n for n, token in enumerate(s.tokens or (), start=1) if token in PUNCTUATION)
        for s in (pair.sentence1, pair.sentence2)
    )
    return Annotation(tuple(links), tuple(lone), *punctuation)


def _scored(alignment: Alignment) -> Link | Lone:
    tokens1, tokens2 = (
        frozenset(chunk.tokens if chunk else ()) for chunk in (alignment.chunk1, alignment.chunk2)
    )
    labels = frozenset(alignment.label.split("_"))
    if tokens1 and tokens2:
        return Link.of(tokens1, tokens2, labels, alignment.score or 0.0)
    return Lone(1 if tokens1 else 2, tokens1 or tokens2, labels)
