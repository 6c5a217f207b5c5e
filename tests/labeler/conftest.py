from collections.abc import Sequence

import pytest

from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon


@pytest.fixture(scope="session")
def reader() -> PhraseReader:
    return PhraseReader(WordKnowledge(Lexicon.load()))


def cut(bracketed: str) -> tuple[list[str], list[list[int]]]:
    """``[ A cat ] [ sits ]`` → tokens and chunks, counted from 0."""
    tokens: list[str] = []
    chunks: list[list[int]] = []
    for word in bracketed.split():
        if word == "[":
            chunks.append([])
        elif word != "]":
            chunks[-1].append(len(tokens))
            tokens.append(word)
    return tokens, chunks


@pytest.fixture
def view(reader: PhraseReader):
    def read(one: str, two: str) -> PairView:
        tokens1, chunks1 = cut(one)
        tokens2, chunks2 = cut(two)
        return PairView.read(tokens1, chunks1, tokens2, chunks2, reader)

    return read


def named(names: Sequence[str], row: Sequence[float]) -> dict[str, float]:
    return dict(zip(names, row, strict=True))
