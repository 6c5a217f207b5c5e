"""How explanations quote the sentences: as they were written, not as tokens."""

import re
from collections.abc import Iterable

from ists.pairs import Chunk, Sentence

_QUOTATION = re.compile(r"(?<!\S)'(\S(?:.*?\S)?)'(?=[\s,;.:]|$)")
"""What the evidence quotes; an apostrophe inside has a letter after it or a blank before it."""


def quoted(texts: Iterable[str]) -> str:
    """Return texts in quotation marks, which an apostrophe cannot be mistaken for."""
    return ", ".join(f"“{text}”" for text in texts)


def words_of(chunk: Chunk, sentence: Sentence) -> str:
    """Return the words of a chunk as they were written, with ``…`` for gaps."""
    tokens = [token for token in chunk.tokens if 0 < token <= len(sentence.words)]
    runs: list[list[int]] = []
    for token in tokens:
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return " … ".join(_written(sentence, run[0] - 1, run[-1]) for run in runs)


def as_written(clause: str, sentences: Iterable[Sentence]) -> str:
    """Return a clause of the evidence with what it quotes as it was written in a sentence."""
    sentences = tuple(sentences)
    return _QUOTATION.sub(lambda found: quoted([_original(found[1], sentences)]), clause)


def _original(text: str, sentences: Iterable[Sentence]) -> str:
    tokens = tuple(text.split())
    if len(tokens) > 1:
        for sentence in sentences:
            for begin in range(len(sentence.words) - len(tokens) + 1):
                end = begin + len(tokens)
                if sentence.words[begin:end] == tokens:
                    return _written(sentence, begin, end)
    return text


def _written(sentence: Sentence, begin: int, end: int) -> str:
    """Return the tokens from `begin` to `end` (exclusive) with the spaces of the original text."""
    offsets = sentence.offsets
    if sentence.source is None or offsets is None:
        return " ".join(sentence.words[begin:end])
    return " ".join(sentence.source[offsets[begin][0] : offsets[end - 1][1]].split())
