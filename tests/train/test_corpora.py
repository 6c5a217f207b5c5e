import random

import pytest

from ists import FormatError
from ists.train.corpora import (
    LabelledSentence,
    _as_headline,
    fold_of,
    read_corpus,
    recased,
    with_adapted_chunks,
)

PROSE = LabelledSentence(
    ("The", "cat", "sat", "on", "the", "mat", "."),
    None,
    ("B-NP", "I-NP", "B-VP", "B-PP", "B-NP", "I-NP", "O"),
    ("DT", "NN", "VBD", "IN", "DT", "NN", "."),
)


def test_both_sides_of_a_pair_are_in_one_fold(tmp_path):
    folds = []
    for side in (1, 2):
        file = tmp_path / f"X.input.cats.sent{side}.chunk.txt"
        file.write_text("[ A cat ]\n[ sits ]\n")
        folds.append([(s.corpus, s.fold) for s in read_corpus(file)])
    assert folds[0] == folds[1] == [("cats", fold_of("cats", "1")), ("cats", fold_of("cats", "2"))]


def test_a_line_with_broken_brackets_is_left_out(tmp_path):
    file = tmp_path / "cats.chunk.txt"
    file.write_text("[ A cat ]\n[ in [ a box ]\n\n[ sits ]\n")
    assert [s.line for s in read_corpus(file)] == [1, 4]


def test_folds_are_of_even_size():
    sizes = [0] * 5
    for number in range(2000):
        sizes[fold_of("x", str(number))] += 1
    assert min(sizes) > 300


def test_columns_are_read_with_their_tags(tmp_path):
    file = tmp_path / "conll.txt"
    file.write_text("A DT B-NP\ncat NN I-NP\n\nsits VBZ B-VP\n")
    first, second = read_corpus(file)
    assert first.iob == ("B-NP", "I-NP")
    assert second.tokens == ("sits",)


def test_a_file_that_is_neither_is_rejected(tmp_path):
    file = tmp_path / "x.txt"
    file.write_text("A DT B-NP\njust some text here\n")
    with pytest.raises(FormatError, match=r"x\.txt:2: "):
        read_corpus(file)


def test_conll_chunks_are_adapted():
    assert with_adapted_chunks(PROSE).starts == (True, False, True, True, False, False, True)


def test_a_headline_keeps_its_chunks():
    headline = _as_headline(with_adapted_chunks(PROSE))
    assert headline.tokens == ("cat", "sat", "on", "mat")
    assert headline.starts == (True, True, True, False)
    assert headline.iob == ("B-NP", "B-VP", "B-PP", "B-NP")
    assert headline.pos == ("NN", "VBD", "IN", "NN")


def test_spelling_changes_words_and_never_their_number_of_labels():
    rng = random.Random(1)
    for _ in range(50):
        changed = recased(with_adapted_chunks(PROSE), rng)
        assert len(changed.tokens) == len(changed.starts) == len(changed.iob) == len(changed.pos)
