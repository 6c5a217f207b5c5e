"""The extension's rows of features are those of the Python code, to the last bit."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists.compiled import kernels
from ists.labeler.compiled_rows import compiled_chunk, link_rows, lone_rows
from ists.labeler.features import feature_matrix
from ists.labeler.linking import LINK_NAMES, Cell, link_matrix
from ists.labeler.lone import LONE_FEATURES, lone_matrix
from ists.labeler.phrases import PhraseReader
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.scored_pair import PairScores, Positions

pytestmark = pytest.mark.skipif(kernels is None, reason="the extension is not compiled")

_READER = PhraseReader(WordKnowledge(Lexicon.load()))
_WORDS = (
    "a an the some all few no not never without dog dogs animal car cars boat violin instrument "
    "buys sells bought rising falling rose fell open closed big small happy unhappy Obama Putin "
    "Barack President Mr. Mrs. EU European Union U.S. US Iran Pakistani Karachi Pakistan in on "
    "behind near after before until by from with to is was has will may reportedly likely must 2 "
    "two 1,200 hundred dozens at least most more than $ 5 million percent 10 km Monday Tuesday "
    "May 2012 nine pm yesterday my his her and , . ? \" ' -- (x) acouch couch air strike airstrike "
    "A B careful careless great terrible kills denies fails people person man woman said 'A n't "
    f"selfies Éire ½ ‘dogs’ İstanbul ſ {'very' * 40} {'very' * 40}s d{'.' * 130}r"
).split()
_CHUNKS = st.lists(
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5), min_size=1, max_size=6
)


def positions(chunks: list[list[str]]) -> tuple[list[str], Positions]:
    ends = np.cumsum([len(chunk) for chunk in chunks]).tolist()
    starts = [0, *ends[:-1]]
    tokens = [token for chunk in chunks for token in chunk]
    return tokens, tuple(tuple(range(*edge)) for edge in zip(starts, ends, strict=True))


def view_of(chunks1: list[list[str]], chunks2: list[list[str]]) -> PairView:
    return PairView.read(*positions(chunks1), *positions(chunks2), _READER)


def scores_of(rows: int, columns: int, seed: int) -> PairScores:
    random = np.random.default_rng(seed)
    link = random.random((rows, columns), np.float32) ** 3
    if seed % 3 == 0:
        link = np.round(link)  # certain and impossible links, and equal ones
    relation, score = (random.dirichlet(np.ones(n), (rows, columns)) for n in (6, 5))
    return PairScores(
        link,
        relation.astype(np.float32),
        score.astype(np.float32),
        random.random(rows, np.float32),
        random.random(columns, np.float32),
    )


def differences(view: PairView, scores: PairScores) -> Iterator[str]:
    rows, columns = scores.link.shape
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    expected = link_matrix(view, scores, cells, feature_matrix(view, scores, cells))
    found = link_rows(view, scores, cells)
    for row, column in zip(*(found.view("u4") != expected.view("u4")).nonzero(), strict=True):
        yield f"{cells[row]} {LINK_NAMES[column]}: {found[row, column]}, {expected[row, column]}"


def lone_differences(view: PairView, scores: PairScores, links: list[Cell]) -> Iterator[str]:
    alone = [
        (side, place)
        for side, phrases in enumerate((view.one.phrases, view.two.phrases))
        for place, phrase in enumerate(phrases)
        if not phrase.is_wordless and all(link[side] != place for link in links)
    ]
    expected = lone_matrix(view, scores, links, alone)
    found = lone_rows(view, scores, links, len(alone))
    for row, column in zip(*(found.view("u4") != expected.view("u4")).nonzero(), strict=True):
        name = LONE_FEATURES[column].name
        yield f"{alone[row]} {name}: {found[row, column]}, {expected[row, column]}"


@given(_CHUNKS, _CHUNKS, st.integers(0, 2**32 - 1))
def test_rows_are_those_of_the_python_code(chunks1, chunks2, seed):
    view, scores = view_of(chunks1, chunks2), scores_of(len(chunks1), len(chunks2), seed)
    assert not [*differences(view, scores)]
    assert not [*differences(view.swapped, scores.swapped)]
    links = [(k, (k * seed) % len(chunks2)) for k in range(min(len(chunks1), len(chunks2), 2))]
    for some in ([], links[:1], links):
        assert not [*lone_differences(view, scores, some)]


def test_long_sentences_have_the_same_rows():
    chunks1, chunks2 = ([_WORDS[k : k + 4] for k in range(start, 120, 2)] for start in (0, 1))
    assert not [*differences(view_of(chunks1, chunks2), scores_of(60, 60, 1))]


def test_a_word_that_was_read_twice_has_the_same_rows():
    view = view_of([["bulb", "A", "and", "A"], ["A"]], [["bulb", "A"], ["a", "A", "A"]])
    assert not [*differences(view, scores_of(2, 2, 1))]


def test_an_abbreviation_with_many_dots_has_the_same_rows():
    view = view_of([[f"d{'.' * 130}r"]], [["doctor"]])
    assert not [*differences(view, scores_of(1, 1, 1))]


def test_no_cells_have_no_rows():
    view = view_of([["dogs"]], [["cats"]])
    assert link_rows(view, scores_of(1, 1, 1), []).shape == (0, len(LINK_NAMES))


ARGUMENTS = ("chunks1", "chunks2", "cells", "link", "relation", "score", "alic1", "alic2", "rows")
OTHER = np.zeros(3, np.float32)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("chunks1", [], TypeError),
        ("chunks1", (), ValueError),
        ("chunks2", ("dogs",), TypeError),
        ("cells", [(0, 1)], IndexError),
        ("cells", [(-1, 0)], IndexError),
        ("cells", [0], IndexError),
        ("cells", [("0", 0)], TypeError),
        ("cells", [], ValueError),
        *((name, OTHER, ValueError) for name in ARGUMENTS[3:]),
        ("link", np.zeros((1, 1)), ValueError),
    ],
)
def test_wrong_arguments_are_rejected(name, value, error):
    view, scores = view_of([["dogs"]], [["cats"]]), scores_of(1, 1, 1)
    chunks = [
        (compiled_chunk(side.phrases[0], _READER.knowledge),) for side in (view.one, view.two)
    ]
    signals = scores.link, scores.relation, scores.score, scores.alic1, scores.alic2
    rows = np.zeros((1, len(LINK_NAMES)), np.float32)
    arguments = dict(zip(ARGUMENTS, (*chunks, [(0, 0)], *signals, rows), strict=True))
    knowledge = view.knowledge
    others = knowledge.tie, knowledge.kinship_of, lambda i, j: 0.0, lambda a, b: 0.0, None
    with pytest.raises(error):
        kernels.feature_rows(*(arguments | {name: value}).values(), *others)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("chunks1", [], TypeError),
        ("chunks1", (), ValueError),
        ("chunks2", ("dogs",), TypeError),
        ("links", [(0, 1)], IndexError),
        ("links", [(-1, 0)], IndexError),
        ("links", [0], IndexError),
        ("links", [(0, 0)], ValueError),
        *((name, OTHER, ValueError) for name in ("link", "alic1", "alic2")),
        *(("rows", np.zeros((count, 19), np.float32), ValueError) for count in (0, 1, 3)),
        ("rows", np.zeros(20, np.float32), ValueError),
        ("tie", None, TypeError),
    ],
)
def test_wrong_arguments_for_lone_chunks_are_rejected(name, value, error):
    view, scores = view_of([["dogs"]], [["dog"]]), scores_of(1, 1, 1)
    chunks = [compiled_chunk(side.phrases[0], _READER.knowledge) for side in (view.one, view.two)]
    arguments = {
        "chunks1": (chunks[0],),
        "chunks2": (chunks[1],),
        "links": [],
        **{own: getattr(scores, own) for own in ("link", "alic1", "alic2")},
        "rows": np.zeros((2, 19), np.float32),
        "tie": _READER.knowledge.tie,
        "none": None,
    }
    kernels.lone_rows(*arguments.values())
    with pytest.raises(error):
        kernels.lone_rows(*(arguments | {name: value}).values())


@pytest.mark.parametrize("which", range(5))
def test_errors_of_the_functions_are_passed_on(which):
    view, scores = view_of([["A", "5"]], [["5", "A"]]), scores_of(1, 1, 1)
    chunks = [
        (compiled_chunk(side.phrases[0], _READER.knowledge),) for side in (view.one, view.two)
    ]
    signals = scores.link, scores.relation, scores.score, scores.alic1, scores.alic2

    def fails(*_: object) -> float:
        raise KeyError("lost")

    knowledge = view.knowledge
    others = [knowledge.tie, knowledge.kinship_of, lambda i, j: 0.0, lambda a, b: 0.0, None]
    others[which] = fails
    rows = np.zeros((1, len(LINK_NAMES)), np.float32)
    if which == 4:
        kernels.feature_rows(*chunks, [(0, 0)], *signals, rows, *others)
        return
    with pytest.raises(KeyError):
        kernels.feature_rows(*chunks, [(0, 0)], *signals, rows, *others)


def test_cells_may_be_changed_while_rows_are_computed():
    view, scores = view_of([["dogs"]], [["dog"]]), scores_of(1, 1, 1)
    chunks = [
        (compiled_chunk(side.phrases[0], _READER.knowledge),) for side in (view.one, view.two)
    ]
    signals = scores.link, scores.relation, scores.score, scores.alic1, scores.alic2
    rows = np.zeros((3, len(LINK_NAMES)), np.float32)
    knowledge = view.knowledge
    cells = [(0, 0)] * 2

    def longer(*words: str) -> object:
        cells.append((0, 0))
        return knowledge.tie(*words)

    def shorter(*words: str) -> object:
        cells.clear()
        return knowledge.tie(*words)

    others = knowledge.kinship_of, lambda i, j: 0.0, lambda a, b: 0.0, None
    kernels.feature_rows(*chunks, cells, *signals, rows[:2], longer, *others)
    assert rows[0].any()
    assert not rows[2].any()
    cells[:] = [(0, 0)] * 2
    with pytest.raises(IndexError):
        kernels.feature_rows(*chunks, cells, *signals, rows[:2], shorter, *others)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda own: own[:-1],
        lambda own: [("dogs",), *own[1:]],
        lambda own: [*own[:2], (), *own[3:]],
        lambda own: [*own[:2], (1,), *own[3:]],
        lambda own: [own[0], "dogs", *own[2:]],
        lambda own: [*own[:6], (), *own[7:]],
        lambda own: [*own[:7], (1,), *own[8:]],
        lambda own: [*own[:-1], (0.0,)],
        lambda own: [*own[:-2], ("x",) * 45, own[-1]],
    ],
)
def test_a_wrong_chunk_is_rejected(spoil, monkeypatch):
    taken: list[object] = []

    class Recorder:
        @staticmethod
        def Chunk(*own: object) -> None:  # noqa: N802
            taken.extend(own)

    with monkeypatch.context() as patch:
        patch.setattr("ists.labeler.compiled_rows.kernels", Recorder)
        assert compiled_chunk(_READER.read(["the", "dogs"]), _READER.knowledge) is None
    with pytest.raises((TypeError, ValueError, AttributeError)):
        kernels.Chunk(*spoil(taken))
    with pytest.raises(TypeError):
        kernels.Chunk(*taken, trait=1)
    assert kernels.Chunk(*taken)
