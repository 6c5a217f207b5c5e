"""Training sentences with labels: bracketed gold chunks and CoNLL-2000."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ists.chunker.adaptation import adapted_spans
from ists.errors import FormatError
from ists.files import open_input
from ists.formats import brackets, conll
from ists.formats.sentences import looks_bracketed
from ists.formats.text import decode, numbered_lines

FOLDS = 5
_SIDE = re.compile(r"\.?sent[12](?=\.|$)")
_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True)
class LabelledSentence:
    """Tokens with the labels that their corpus has."""

    tokens: tuple[str, ...]
    starts: tuple[bool, ...] | None = None
    """For each token, whether one of the pilot's chunks begins there."""
    iob: tuple[str, ...] | None = None
    pos: tuple[str, ...] | None = None
    corpus: str = ""
    line: int = 0

    @property
    def fold(self) -> int:
        """The fold of cross-validation; both sentences of a pair are in the same one."""
        return fold_of(self.corpus, str(self.line))


def fold_of(corpus: str, pair_id: str) -> int:
    """Return a pair's fold, which depends only on its corpus and id."""
    return sha256(f"{corpus}:{pair_id}".encode()).digest()[0] % FOLDS


def read_corpus(path: Path) -> list[LabelledSentence]:
    """Read a file of bracketed chunks or one in CoNLL-2000's columns."""
    return read_chunks(path) if looks_bracketed(path) else read_conll(path)


def read_chunks(path: Path) -> list[LabelledSentence]:
    """Read gold chunks; ``X.sent1.chunk.txt`` and ``X.sent2.chunk.txt`` are one corpus, ``X``.

    A line with unbalanced brackets is skipped (the official files of 2016 have one).
    """
    corpus = _SIDE.sub("", path.name.removesuffix(".txt").removesuffix(".chunk"))
    corpus = corpus.rpartition(".")[2]
    sentences = []
    with open_input(path) as stream:
        for number, line in numbered_lines(stream):
            with suppress(FormatError):
                chunks = brackets.parse(decode(line))
                tokens = tuple(token for chunk in chunks for token in chunk)
                starts = tuple(not index for chunk in chunks for index in range(len(chunk)))
                if tokens:
                    sentences.append(LabelledSentence(tokens, starts, corpus=corpus, line=number))
    return sentences


def read_conll(path: Path) -> list[LabelledSentence]:
    """Read a file in CoNLL-2000's columns."""
    with open_input(path) as stream:
        return [
            LabelledSentence(s.tokens, None, s.iob, s.pos, "conll2000", number)
            for number, s in enumerate(conll.read(stream, str(path)), start=1)
        ]


def with_adapted_chunks(sentence: LabelledSentence) -> LabelledSentence:
    """Return a CoNLL sentence with the pilot's chunks, by the adaptation rules."""
    if sentence.iob is None or sentence.pos is None:
        return sentence
    begins = {s.begin for s in adapted_spans(sentence.tokens, sentence.iob, sentence.pos)}
    return replace(sentence, starts=tuple(i in begins for i in range(len(sentence.tokens))))


def recased(sentence: LabelledSentence, rng: random.Random) -> LabelledSentence:
    """Return a sentence in lower case, capitalised, in upper case, or as a headline.

    CoNLL-2000 is newspaper prose; headlines omit articles and vary in capitalisation.
    """
    changes: tuple[Callable[[LabelledSentence], LabelledSentence], ...] = (
        lambda s: _spelled(s, str.lower),
        lambda s: _spelled(s, _capitalised),
        lambda s: _spelled(s, str.upper),
        _as_headline,
        _as_headline,
        lambda s: _spelled(_as_headline(s), _capitalised),
    )
    return rng.choice(changes)(sentence)


def _spelled(sentence: LabelledSentence, spell: Callable[[str], str]) -> LabelledSentence:
    return replace(sentence, tokens=tuple(map(spell, sentence.tokens)))


def _capitalised(token: str) -> str:
    return token[:1].upper() + token[1:]


def _as_headline(sentence: LabelledSentence) -> LabelledSentence:
    """Remove articles and the final stop; a chunk without its first word begins at the next."""
    tokens = sentence.tokens
    kept = [
        i
        for i, token in enumerate(tokens)
        if token.lower() not in _ARTICLES and not (token == "." and i == len(tokens) - 1)
    ]
    if not kept:
        return sentence
    previous = [-1, *kept]
    dropped = [range(a + 1, b) for a, b in zip(previous, kept, strict=False)]
    return replace(
        sentence,
        tokens=tuple(tokens[i] for i in kept),
        starts=_inherited(sentence.starts, kept, dropped),
        iob=_inherited_tags(sentence.iob, kept, dropped),
        pos=None if sentence.pos is None else tuple(sentence.pos[i] for i in kept),
    )


def _inherited(
    starts: Sequence[bool] | None, kept: Sequence[int], dropped: Iterable[range]
) -> tuple[bool, ...] | None:
    if starts is None:
        return None
    return tuple(
        starts[i] or any(starts[j] for j in gap) for i, gap in zip(kept, dropped, strict=True)
    )


def _inherited_tags(
    iob: Sequence[str] | None, kept: Sequence[int], dropped: Iterable[range]
) -> tuple[str, ...] | None:
    if iob is None:
        return None
    tags = []
    for i, gap in zip(kept, dropped, strict=True):
        lost_begin = any(iob[j].startswith("B-") for j in gap)
        tags.append(f"B-{iob[i][2:]}" if lost_begin and iob[i].startswith("I-") else iob[i])
    return tuple(tags)
