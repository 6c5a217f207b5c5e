"""Where the sentences of a new file come from."""

from itertools import accumulate
from pathlib import Path

from ists.annotate.draft import UNFINISHED, Starts, chunked, draft_of, fresh
from ists.annotate.workbook import Beginning
from ists.chunker.tokens import Tokenization, tokenize
from ists.errors import FormatError
from ists.formats import read
from ists.formats.brackets import Chunks
from ists.formats.sentences import Given, InputPair, looks_bracketed, read_two_files
from ists.pairs import Sentence, SentencePair


def two_files(
    first: str | Path, second: str | Path, tokens: Tokenization = "auto"
) -> list[Beginning]:
    """Line i of one file with line i of the other; bracketed lines give the chunks."""
    looks = [looks_bracketed(file) for file in (first, second)]
    if looks[0] != looks[1]:
        with_, without = (first, second) if looks[0] else (second, first)
        reason = f"is bracketed, but {without} is not: expected chunks in both files or in none"
        raise FormatError(reason, str(with_))
    pairs = [_beginning(pair, tokens) for pair in read_two_files(first, second, looks[0])]
    if not any(one.pair.sentence1.words or one.pair.sentence2.words for one in pairs):
        raise FormatError("no sentence found, expected one a line", str(first))
    return pairs


def one_file(path: str | Path) -> list[Beginning]:
    """The pairs of a ``.wa`` file, annotated as far as they are."""
    return [Beginning(pair, draft_of(pair)) for pair in read(path, "wa")]


def _beginning(given: InputPair, tokens: Tokenization) -> Beginning:
    words1, words2 = (_words(side, tokens) for side in (given.sentence1, given.sentence2))
    pair = SentencePair(given.id, Sentence.of(words1), Sentence.of(words2), status=UNFINISHED)
    draft = fresh(words1, words2)
    chunks1, chunks2 = given.sentence1.chunks, given.sentence2.chunks
    if chunks1 is not None and chunks2 is not None:
        draft = chunked(draft, starts_of(chunks1), starts_of(chunks2))
    return Beginning(pair, draft)


def _words(given: Given, tokens: Tokenization) -> tuple[str, ...]:
    if given.chunks is not None:
        return tuple(word for chunk in given.chunks for word in chunk)
    return tokenize(given.text or "", tokens)


def starts_of(chunks: Chunks) -> Starts:
    """The first token of each chunk."""
    return tuple(accumulate((len(chunk) for chunk in chunks[:-1]), initial=1)) if chunks else ()
