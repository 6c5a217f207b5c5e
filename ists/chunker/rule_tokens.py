"""spaCy's English tokeniser without spaCy, whose import takes over a second and 66 MB.

The patterns and special words are spaCy's own, in the table ``data/lexicon/spacy_rules.json``,
which `tests/chunker/spacy_rules.py` writes. The procedure is that of its ``Tokenizer``:

1. White space separates; white space other than a single blank is a token.
2. Signs are stripped from both ends of what is between, until a special word is left.
3. What is left is a special word, an address, or is split at hyphens and similar signs.
4. Neighbouring tokens that together are a special word are replaced by its tokens.
"""

import json
import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

from ists.resources import data_path

Span = tuple[int, int]
"""Offset of the first character and of the one after the last."""


def spans(line: str) -> list[Span]:
    """Return the tokens of a line, with those of white space, as offsets."""
    return _rules().spans(line)


@cache
def special_words() -> dict[str, list[str]]:
    """The words for which spaCy's English tokeniser has a rule of its own, with their tokens."""
    return {"".join(parts): parts for parts in _table()["words"]}


@cache
def _rules() -> "Rules":
    return Rules(**_table())


@cache
def _table() -> dict[str, Any]:
    text = data_path("lexicon", "spacy_rules.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


class Rules:
    """The patterns and special words of a tokeniser."""

    def __init__(
        self, source: str, prefix: str, suffix: str, infix: str, url: str, words: list[list[str]]
    ) -> None:
        self.source = source
        self._prefix = re.compile(prefix)
        self._suffix = re.compile(suffix)
        self._infix = re.compile(infix)
        self._url_pattern = url
        self._words = {"".join(parts): parts for parts in words}

    def spans(self, line: str) -> list[Span]:
        """Return the tokens of a line as offsets."""
        return self._with_special_words(line, self._affix_spans(line, self._words))

    @cached_property
    def _url(self) -> "re.Pattern[str]":
        return re.compile(self._url_pattern)

    @cached_property
    def _sequences(self) -> dict[str, set[tuple[str, ...]]]:
        """Special words as they would be split without being special, by their first token."""
        sequences: dict[str, set[tuple[str, ...]]] = {}
        for word in self._words:
            if (
                self._prefix.search(word)
                or self._infix.search(word)
                or self._suffix.search(word)
                or " " in word
            ):
                tokens = tuple(word[begin:end] for begin, end in self._affix_spans(word, {}))
                sequences.setdefault(tokens[0], set()).add(tokens)
        return sequences

    @cached_property
    def _longest(self) -> int:
        return max(len(tokens) for own in self._sequences.values() for tokens in own)

    def _affix_spans(self, line: str, special: dict[str, list[str]]) -> list[Span]:
        found: list[Span] = []
        for begin, end in _chunks(line):
            found += self._chunk_spans(line[begin:end], begin, special)
        return found

    def _chunk_spans(self, text: str, begin: int, special: dict[str, list[str]]) -> Iterator[Span]:
        if text in special:
            yield from _parts(special[text], begin)
            return
        before, inner, after = self._strip(text, special)
        for size in before:
            yield begin, begin + size
            begin += size
        if inner in special:
            yield from _parts(special[inner], begin)
        elif inner:
            yield from self._inner_spans(inner, begin)
        begin += len(inner)
        for size in reversed(after):
            yield begin, begin + size
            begin += size

    def _strip(self, text: str, special: dict[str, list[str]]) -> tuple[list[int], str, list[int]]:
        """Strip signs from both ends; return their lengths, outermost first, and what is left."""
        before: list[int] = []
        after: list[int] = []
        last_size = 0
        while text and len(text) != last_size and text not in special:
            last_size = len(text)
            first = _length(self._prefix.search(text))
            if first and text[first:] in special:
                return [*before, first], text[first:], after
            last = _length(self._suffix.search(text[first:]))
            if last and text[:-last] in special:
                return before, text[:-last], [*after, last]
            if first and last and first + last <= len(text):
                text = text[first:-last]
                before.append(first)
                after.append(last)
            elif first:
                text = text[first:]
                before.append(first)
            elif last:
                text = text[:-last]
                after.append(last)
        return before, text, after

    def _inner_spans(self, text: str, offset: int) -> Iterator[Span]:
        begin = 0
        if not self._url.match(text):
            for infix in self._infix.finditer(text):
                start, end = infix.span()
                if start == 0:
                    continue
                if start != begin:
                    yield offset + begin, offset + start
                if start != end:
                    yield offset + start, offset + end
                begin = end
        if begin < len(text):
            yield offset + begin, offset + len(text)

    def _with_special_words(self, line: str, found: list[Span]) -> list[Span]:
        """Replace neighbouring tokens that are a special word by its tokens."""
        tokens = [line[begin:end] for begin, end in found]
        matches = [
            (at, at + size)
            for at, token in enumerate(tokens)
            if token in self._sequences
            for size in range(1, min(self._longest, len(tokens) - at) + 1)
            if tuple(tokens[at : at + size]) in self._sequences[token]
        ]
        replaced: list[Span] = []
        at = 0
        for start, end in _without_overlaps(matches):
            text = line[found[start][0] : found[end - 1][1]]
            if text in self._words:
                replaced += found[at:start]
                replaced += _parts(self._words[text], found[start][0])
                at = end
        return [*replaced, *found[at:]]


def _chunks(line: str) -> Iterator[Span]:
    """Yield runs of white space and of other characters, without the blank before a word."""
    if not line:
        return
    start, in_space = 0, line[0].isspace()
    for at, sign in enumerate(line):
        if sign.isspace() != in_space:
            if start < at:
                yield start, at
            start = at + (sign == " ")
            in_space = not in_space
    if start < len(line):
        yield start, len(line)


def _parts(parts: list[str], begin: int) -> Iterator[Span]:
    for part in parts:
        yield begin, begin + len(part)
        begin += len(part)


def _length(found: "re.Match[str] | None") -> int:
    return 0 if found is None else found.end() - found.start()


def _without_overlaps(matches: list[Span]) -> list[Span]:
    """Return the longest matches, the first of equally long ones, in their order."""
    chosen: list[Span] = []
    seen: set[int] = set()
    for start, end in sorted(matches, key=lambda match: (match[0] - match[1], match[0])):
        if start not in seen and end - 1 not in seen:
            chosen.append((start, end))
        seen.update(range(start, end))
    return sorted(chosen)
