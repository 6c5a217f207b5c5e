"""Check the corpus; problems are listed as ``file:line: pair ID: reason``."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from ists.corpus import overlap
from ists.corpus.accept import Accepted, AcceptedLink, Choice
from ists.corpus.datasets import join
from ists.corpus.folder import Corpus
from ists.corpus.standoff import Standoff
from ists.errors import FormatError
from ists.formats import scan
from ists.formats.problems import Problem, problem_at
from ists.formats.text import shown
from ists.pairs import Chunk, Relation, Sentence, SentencePair, comment_for
from scorer.wellformed import check as check_file

COMMON_PHRASES = "common-phrases.txt"
"""File of common six-word sequences that also occur in other data sets."""
OURS = ("everyday", "scorer-cases")
"""Folders that are not compared: our own data, or copies of other data sets."""
TEST_RELATED = ("ists201*/**/*.wa", "sts/2014/headlines.test.tsv", "sts/2014/images.test.tsv")
"""Files of the task's data sets, with which no real pair may share six words."""

_PUNCTUATION = re.compile(r"[^\w$%#@&]+")
_WRITTEN_ID = re.compile(r"[1-9][0-9]*")

Value = TypeVar("Value")


def check(corpus: Corpus, data: Path | None = None) -> Iterator[Problem]:
    """Yield all problems of a corpus; with a folder of data sets, also shared text."""
    yield from check_annotation(corpus)
    if corpus.second.path.is_dir():
        yield from check_annotation(corpus.second)
        yield from _check_second(corpus)
    yield from _check_written(corpus.test)
    yield from _check_test_text(corpus)
    _, faults = _read(corpus.alternatives)
    yield from faults
    chunked, faults = _read(corpus.chunked)
    yield from faults
    real = _read(corpus.real)[0]
    yield from _check_chunked(chunked, real)
    if data is not None:
        for part in (corpus, corpus.test):
            sets = overlap.passages(data, leave_out=OURS)
            yield from _check_written_text(part, sets, common_phrases(corpus))
        related = list(overlap.passages(data, TEST_RELATED))
        for annotations in (real, chunked):
            yield from _check_real_text(annotations, data, related)


def check_annotation(corpus: Corpus) -> Iterator[Problem]:
    """Yield the problems of the files of one annotation, without comparing other data sets."""
    yield from _check_written(corpus)
    real, faults = _read(corpus.real)
    yield from faults
    for one in real:
        broken = (*one.pair.problems(), *one.pair.violations())
        yield from (problem_at(one.pair, *misuse) for misuse in dict.fromkeys(broken))
        yield from _check_accepted(one.pair, one.accepted)


def _check_written(corpus: Corpus) -> Iterator[Problem]:
    for theme in corpus.themes:
        found = list(check_file(scan(corpus.file(theme)), guidelines=True))
        yield from found
        pairs = [item.pair for item in scan(corpus.file(theme)) if item.pair] if not found else []
        yield from _check_ids(pairs)
        for pair in pairs:
            yield from _check_text(pair)
            yield from _check_punctuation(pair)
        accepted, faults = _read(partial(corpus.accepted, theme))
        yield from faults
        if not faults and pairs:
            file = str(corpus.accept_file(theme))
            yield from _check_accepted_file(pairs, accepted, file)


def _read(reader: Callable[[], list[Value]]) -> tuple[list[Value], list[Problem]]:
    """Read a file; return its content and the problem that stopped the reader, if any."""
    try:
        return reader(), []
    except FormatError as error:
        return [], [Problem(error.file, error.line, None, error.reason)]


def _check_ids(pairs: Iterable[SentencePair]) -> Iterator[Problem]:
    numbered = []
    for pair in pairs:
        if _WRITTEN_ID.fullmatch(pair.id):
            numbered.append(pair)
        else:
            yield problem_at(pair, None, f"id {shown(pair.id)}, expected a number from 1")
    for one, two in pairwise(numbered):
        if int(two.id) <= int(one.id):
            yield problem_at(two, None, f"follows pair {one.id}, expected ids in ascending order")


def _check_text(pair: SentencePair) -> Iterator[Problem]:
    for side, sentence in _sides(pair):
        if sentence.tokens is None or sentence.text != " ".join(sentence.tokens):
            reason = f"sentence {side} is not its tokens joined by blanks"
            yield problem_at(pair, None, reason)
    for place, alignment in enumerate(pair.alignments):
        expected = comment_for(alignment, pair.sentence1, pair.sentence2)
        if alignment.comment != expected:
            reason = f"comment {shown(alignment.comment or '')}, expected {shown(expected)}"
            yield problem_at(pair, place, reason)


def _check_punctuation(pair: SentencePair) -> Iterator[Problem]:
    for place, alignment in enumerate(pair.alignments):
        ends = (alignment.chunk1, pair.sentence1), (alignment.chunk2, pair.sentence2)
        if alignment.is_link and any(_is_punctuation(*end) for end in ends):
            reason = "punctuation is linked, expected it unaligned"
            yield problem_at(pair, place, reason)


def _is_punctuation(chunk: Chunk | None, sentence: Sentence) -> bool:
    return chunk is not None and bool(_PUNCTUATION.fullmatch(chunk.text(sentence.words)))


def _sides(pair: SentencePair) -> Iterator[tuple[int, Sentence]]:
    return enumerate((pair.sentence1, pair.sentence2), start=1)


def _check_accepted_file(
    pairs: list[SentencePair], accepted: list[Accepted], file: str
) -> Iterator[Problem]:
    if [pair.id for pair in pairs] != [one.id for one in accepted]:
        yield Problem(file, None, None, "the ids are not those of the .wa file, in its order")
        return
    for pair, one in zip(pairs, accepted, strict=True):
        yield from _check_accepted(pair, one)


def _check_accepted(pair: SentencePair, accepted: Accepted) -> Iterator[Problem]:
    def problem(reason: str) -> Problem:
        return Problem(accepted.file, accepted.line, accepted.id, reason)

    links = {(link.chunk1, link.chunk2): Choice.of(link) for link in pair.links}
    listed = [(Chunk(link.tokens1), Chunk(link.tokens2)) for link in accepted.links]
    if len(set(listed)) != len(listed) or set(listed) != set(links):
        yield problem("the acceptable labels are not those of the pair's links, each once")
        return
    for ends, link in zip(listed, accepted.links, strict=True):
        yield from (problem(reason) for reason in _wrong_choices(link, links[ends]))


def _wrong_choices(link: AcceptedLink, gold: Choice) -> Iterator[str]:
    where = f"link {' '.join(map(str, link.tokens1))} – {' '.join(map(str, link.tokens2))}: "
    if not link.choices or link.choices[0] != gold:
        first = link.choices[0] if link.choices else "nothing"
        yield f"{where}the first acceptable label is {first}, expected the gold, {gold}"
    if len(set(link.choices)) != len(link.choices):
        yield f"{where}an acceptable label is listed twice"
    for choice in link.choices:
        alignment = choice.on(Chunk(link.tokens1), Chunk(link.tokens2))
        for reason in (*alignment.problems(), *alignment.violations()):
            yield f"{where}{reason}"


def _check_second(corpus: Corpus) -> Iterator[Problem]:
    """Yield an error for each pair of the second annotation that differs from the first's text."""
    first, second = corpus, corpus.second
    for theme in second.themes:
        if theme not in first.themes:
            yield Problem(str(second.file(theme)), None, None, "no such theme in the first")
            continue
        ours, _ = _read(partial(first.written, theme))
        theirs, _ = _read(partial(second.written, theme))
        known = {pair.id: (pair.sentence1, pair.sentence2) for pair in ours}
        for pair in theirs:
            if known.get(pair.id) != (pair.sentence1, pair.sentence2):
                yield problem_at(pair, None, "these are not the sentences of the first annotation")
    annotated = {one.id: _place(one) for one in _read(first.real)[0]}
    for one in _read(second.real)[0]:
        if annotated.get(one.id) != _place(one):
            yield problem_at(one.pair, None, "is not the pair of the first annotation")


def _place(one: Standoff) -> tuple[object, ...]:
    return one.file, one.line, one.sha256, one.tokens_sha256


def common_phrases(corpus: Corpus) -> set[overlap.Words]:
    """Read the common word sequences that may occur in other data sets."""
    file = corpus.path / COMMON_PHRASES
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return {overlap.words_of(line) for line in lines if line and not line.startswith("#")}


def _check_test_text(corpus: Corpus) -> Iterator[Problem]:
    """Yield sentences for testing that share words with those that models are trained on."""
    trained_on = overlap.passages(corpus.path, ("written/*.wa",))
    yield from _check_written_text(corpus.test, trained_on, common_phrases(corpus))


def _check_written_text(
    corpus: Corpus, others: Iterable[overlap.Passage], common: set[overlap.Words]
) -> Iterator[Problem]:
    """Yield written sentences that occur among others, or share six uncommon words with one."""
    pairs = [pair for theme in corpus.themes for pair in _read_pairs(corpus, theme)]
    found = overlap.shared_with(
        (str(sentence) for pair in pairs for _, sentence in _sides(pair)), others
    )
    for pair in pairs:
        for side, sentence in _sides(pair):
            words = overlap.words_of(str(sentence))
            shared = [found[run] for run in (words, *sorted(overlap.runs(words))) if run in found]
            for one in dict.fromkeys(shared):
                if one.whole or one.words not in common:
                    yield problem_at(pair, None, f"sentence {side} has {one}")


def _read_pairs(corpus: Corpus, theme: str) -> list[SentencePair]:
    return _read(partial(corpus.written, theme))[0]


def _check_chunked(chunked: Iterable[Standoff], real: Iterable[Standoff]) -> Iterator[Problem]:
    """Yield pairs annotated with chunks alone that have alignments, or are among the real pairs."""
    places = {(one.file, one.line) for one in real}
    for one in chunked:
        if any(alignment.relation is not Relation.NOALI for alignment in one.pair.alignments):
            yield problem_at(one.pair, None, "has alignments, expected chunks alone")
        if (one.file, one.line) in places:
            yield problem_at(one.pair, None, "is a real pair with alignments as well")


def _check_real_text(
    annotations: Sequence[Standoff], data: Path, others: Iterable[overlap.Passage]
) -> Iterator[Problem]:
    """Yield real pairs that cannot be joined, or share six words with the task's data sets."""
    pairs, faults = _read(lambda: list(join(annotations, data)))
    yield from faults
    found = overlap.shared_with(
        (str(sentence) for pair in pairs for _, sentence in _sides(pair)), others
    )
    for pair in pairs:
        for side, sentence in _sides(pair):
            for run in overlap.runs(overlap.words_of(str(sentence))) & found.keys():
                yield problem_at(pair, None, f"sentence {side} has {found[run]}")
