"""Input of a new gold file: sentences, given chunks or alignments."""

from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path

from ists.annotate.draft import Starts, chunked, draft_of, fresh
from ists.annotate.workbook import Beginning
from ists.chunker.tokens import Tokenization, tokenize
from ists.errors import FormatError
from ists.formats import read
from ists.formats.brackets import Chunks
from ists.formats.columns import Choice
from ists.formats.rows import raise_rejected, rows
from ists.formats.sentences import (
    InputPair,
    InputSentence,
    alike,
    looks_bracketed,
    scan_pairs,
    scan_two_files,
)
from ists.pairs import UNFINISHED, Edition, Sentence, SentencePair


def two_files(
    first: str | Path,
    second: str | Path,
    tokens: Tokenization = "auto",
    warn: Callable[[str], None] = lambda _: None,
    edition: Edition = "2015",
) -> list[Beginning]:
    """Pair line i of one file with line i of the other; bracketed lines give the chunks.

    Warnings about repaired lines are passed to `warn`.
    """
    one, two = ((str(file), looks_bracketed(file)) for file in (first, second))
    pairs = raise_rejected(scan_two_files(first, second, alike(one, two)))
    return _beginnings(pairs, str(first), tokens, warn, edition)


def one_table(
    path: str | Path,
    format: str,
    columns: Choice | None = None,
    tokens: Tokenization = "auto",
    warn: Callable[[str], None] = lambda _: None,
    edition: Edition = "2015",
) -> list[Beginning]:
    """Read the pairs of a table; bracketed sentences give the chunks."""
    pairs = raise_rejected(scan_pairs(path, format, columns=columns))
    return _beginnings(pairs, str(path), tokens, warn, edition)


def _beginnings(
    pairs: Iterable[InputPair],
    file: str,
    tokens: Tokenization,
    warn: Callable[[str], None],
    edition: Edition,
) -> list[Beginning]:
    begun = []
    for pair in pairs:
        for warning in pair.warnings:
            warn(warning)
        begun.append(_beginning(pair, tokens, edition))
    if not any(one.pair.sentence1.words or one.pair.sentence2.words for one in begun):
        raise FormatError("no sentence found, expected one per line", file)
    return begun


def one_file(path: str | Path, edition: Edition = "2015", format: str = "wa") -> list[Beginning]:
    """Read the pairs of a ``.wa`` or JSONL file with their annotations."""
    return [Beginning(pair, draft_of(pair, edition)) for pair in read(path, format)]


def is_aligned(path: str | Path) -> bool:
    """Return whether the first pair of a JSONL file has alignments."""
    first = next(rows(path, "jsonl"), None)
    try:
        return first is not None and "alignments" in first.record()
    except FormatError:
        return False  # reading the pairs will raise the error


def _beginning(given: InputPair, tokens: Tokenization, edition: Edition) -> Beginning:
    words1, words2 = (_words(side, tokens) for side in (given.sentence1, given.sentence2))
    pair = SentencePair(given.id, Sentence.of(words1), Sentence.of(words2), status=UNFINISHED)
    draft = fresh(words1, words2, edition)
    chunks1, chunks2 = given.sentence1.chunks, given.sentence2.chunks
    if chunks1 is not None and chunks2 is not None:
        draft = chunked(draft, starts_of(chunks1), starts_of(chunks2))
    return Beginning(pair, draft)


def _words(given: InputSentence, tokens: Tokenization) -> tuple[str, ...]:
    if given.chunks is not None:
        return tuple(word for chunk in given.chunks for word in chunk)
    if given.tokens is not None:
        return given.tokens
    return tokenize(given.text or "", tokens)


def starts_of(chunks: Chunks) -> Starts:
    """The first token of each chunk."""
    return tuple(accumulate((len(chunk) for chunk in chunks[:-1]), initial=1)) if chunks else ()
