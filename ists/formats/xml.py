"""XML format, defined by the schema ``ists.rng`` beside this file.

    <ists>
      <pair id="6" status="">
        <sentence1><text>A woman rides</text><tokens><t>A</t>…</tokens></sentence1>
        <sentence2>…</sentence2>
        <alignment tokens1="1 2" tokens2="1 2" relation="SIMI" score="4">
          <comment>A woman &lt;==&gt; A girl</comment>
        </alignment>
      </pair>
    </ists>

Every pair is validated against the schema separately, so files of any size are streamed. Documents
with a DOCTYPE are rejected: no entity is expanded and nothing is fetched. Characters that XML
forbids, among them invalid UTF-8 bytes, are written as ``<char code="DCE2"/>``.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from lxml import etree

from ists.errors import FormatError
from ists.formats.problems import Problem, Scanned
from ists.formats.text import shown
from ists.pairs import (
    Alignment,
    Chunk,
    Flag,
    Origin,
    Relation,
    Sentence,
    SentencePair,
    format_score,
)

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_READ_SIZE = 1 << 16

HEAD = b"<?xml version='1.0' encoding='utf-8'?>\n<ists>\n"
FOOT = b"</ists>\n"


def scan(stream: BinaryIO, name: str) -> Iterator[Scanned]:
    """Yield the pairs of a file, each with its problems."""
    try:
        for pair_element in _pair_elements(stream, name):
            yield _scan_pair(pair_element, name)
    except etree.XMLSyntaxError as error:
        line, _ = error.position
        reason = " ".join(error.msg.split()).partition(", line ")[0]
        raise FormatError(f"not well-formed XML: {reason}", name, line or None) from None


def _pair_elements(stream: BinaryIO, name: str) -> Iterator[etree._Element]:
    """Yield the pair elements; each is dropped from the tree after use, to limit memory."""
    parser = etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,  # long texts are allowed; entities are not expanded
        remove_comments=True,
        remove_pis=True,
    )
    root: etree._Element | None = None
    found_any = False
    while data := stream.read(_READ_SIZE):
        parser.feed(data)
        for event, element in parser.read_events():
            if root is None:
                root = _check_root(element, name)
            elif event == "start" and element.getparent() is root:
                _reject_other_content(root, name)
                if element.tag != "pair":
                    raise FormatError(
                        f"<{element.tag!s}>, expected <pair>", name, element.sourceline
                    )
            elif event == "end" and element.getparent() is root:
                yield element
                found_any = True
                element.clear(keep_tail=True)
                while element.getprevious() is not None:
                    del root[0]
    parser.close()
    if root is not None:
        _reject_other_content(root, name)
    if not found_any:
        raise FormatError("no sentence pair found, expected <pair> elements in <ists>", name)


def _check_root(root: etree._Element, name: str) -> etree._Element:
    if root.getroottree().docinfo.doctype:
        raise FormatError("a DOCTYPE is not allowed", name, 1)
    if root.tag != "ists" or root.attrib:
        raise FormatError(f"root element <{root.tag!s}>, expected <ists>", name, root.sourceline)
    return root


def _reject_other_content(root: etree._Element, name: str) -> None:
    """Raise a `FormatError` if the root element has text between the pairs."""
    for text in (root.text, *(child.tail for child in root)):
        if text and text.strip():
            reason = f"text {shown(text)} between the pairs, expected none"
            raise FormatError(reason, name, root.sourceline)


def _scan_pair(element: etree._Element, name: str) -> Scanned:
    pair_id = element.get("id")
    line = element.sourceline or 1
    schema = _schema()
    try:
        if not schema.validate(element):
            fault = schema.error_log[-1]
            raise FormatError(fault.message, line=fault.line)
        return Scanned(_pair(element, name, line))
    except FormatError as error:
        problem = Problem(name, error.line or line, pair_id, error.reason)
        return Scanned(None, (problem,))


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(Path(__file__).with_name("ists.rng")))


def _pair(element: etree._Element, name: str, line: int) -> SentencePair:
    alignments = element.findall("alignment")
    lines = tuple(alignment.sourceline or line for alignment in alignments)
    return SentencePair(
        element.get("id", ""),
        _sentence(element.find("sentence1")),
        _sentence(element.find("sentence2")),
        tuple(map(_alignment, alignments)),
        element.get("status", ""),
        Origin(name, line, lines),
    )


def _sentence(element: etree._Element | None) -> Sentence:
    if element is None:
        return Sentence()
    text, tokens = element.find("text"), element.find("tokens")
    return Sentence(
        None if text is None else _text_of(text),
        None if tokens is None else tuple(_text_of(token) for token in tokens.findall("t")),
    )


def _alignment(element: etree._Element) -> Alignment:
    score = element.get("score")
    comment = element.find("comment")
    return Alignment(
        _chunk(element.get("tokens1", "")),
        _chunk(element.get("tokens2", "")),
        Relation[element.get("relation", "")],
        None if score is None else float(score),
        frozenset(Flag[flag] for flag in element.get("flags", "").split()),
        None if comment is None else _text_of(comment),
    )


def _chunk(tokens: str) -> Chunk | None:
    return Chunk(tuple(map(int, tokens.split()))) if tokens.strip() else None


def _text_of(element: etree._Element) -> str:
    parts = [element.text or ""]
    for char in element:
        parts += [chr(int(char.get("code", ""), 16)), char.tail or ""]
    return "".join(parts)


def write(pairs: Iterable[SentencePair], stream: BinaryIO) -> None:
    """Write pairs as one document, one at a time."""
    stream.write(HEAD)
    for pair in pairs:
        stream.write(render(pair))
    stream.write(FOOT)


def render(pair: SentencePair) -> bytes:
    """Render a pair as an element, without `HEAD` and `FOOT`."""
    data: bytes = etree.tostring(_pair_element(pair), encoding="utf-8")
    return data + b"\n"


def _pair_element(pair: SentencePair) -> etree._Element:
    for what, text in (("id", pair.id), ("status", pair.status)):
        if _FORBIDDEN.search(text):
            raise FormatError(f"pair {pair.id!r}: XML cannot hold the {what} {text!r}")
    element = etree.Element("pair", id=pair.id, status=pair.status)
    for tag, sentence in (("sentence1", pair.sentence1), ("sentence2", pair.sentence2)):
        side = etree.SubElement(element, tag)
        if sentence.text is not None:
            _fill(etree.SubElement(side, "text"), sentence.text)
        if sentence.tokens is not None:
            tokens = etree.SubElement(side, "tokens")
            for token in sentence.tokens:
                _fill(etree.SubElement(tokens, "t"), token)
    for alignment in pair.alignments:
        element.append(_alignment_element(alignment))
    return element


def _alignment_element(alignment: Alignment) -> etree._Element:
    element = etree.Element("alignment")
    for key, chunk in (("tokens1", alignment.chunk1), ("tokens2", alignment.chunk2)):
        element.set(key, " ".join(map(str, chunk.tokens)) if chunk else "")
    element.set("relation", alignment.relation.value)
    if alignment.flags:
        element.set("flags", " ".join(sorted(flag.value for flag in alignment.flags)))
    if alignment.score is not None:
        element.set("score", format_score(alignment.score))
    if alignment.comment is not None:
        _fill(etree.SubElement(element, "comment"), alignment.comment)
    return element


def _fill(element: etree._Element, text: str) -> None:
    """Put text into an element, with forbidden characters as ``<char>`` elements."""
    last: etree._Element | None = None
    position = 0
    for found in [*_FORBIDDEN.finditer(text), None]:
        plain = text[position : found.start() if found else len(text)]
        if last is None:
            element.text = plain
        else:
            last.tail = plain
        if found:
            last = etree.SubElement(element, "char", code=f"{ord(found[0]):04X}")
            position = found.end()
