import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists.chunker.iob import Span, best_tags, spans
from ists.chunker.types import chunk_type

TAGS = ("B-NP", "B-VP", "I-NP", "I-VP", "O")


def test_tags_are_read_as_conlleval_reads_them():
    tags = ["B-NP", "I-NP", "O", "I-VP", "I-VP", "B-NP", "B-NP"]
    assert spans(tags) == [Span(0, 2, "NP"), Span(3, 5, "VP"), Span(5, 6, "NP"), Span(6, 7, "NP")]


def test_an_inside_tag_of_another_type_begins_a_chunk():
    assert spans(["B-NP", "I-VP"]) == [Span(0, 1, "NP"), Span(1, 2, "VP")]


@given(st.lists(st.lists(st.floats(-5, 5, width=32), min_size=5, max_size=5), max_size=6))
def test_the_best_tags_are_well_formed_and_best(rows):
    scores = np.array(rows, np.float32).reshape(-1, 5)
    found = best_tags(scores, TAGS)
    assert is_well_formed(found)
    if len(rows) <= 4:
        assert score(found, scores) == pytest.approx(
            max(score(tags, scores) for tags in all_sequences(len(rows))), abs=1e-4
        )


def is_well_formed(tags):
    previous = ["O", *tags]
    return all(
        not tag.startswith("I-") or before[1:] == tag[1:]
        for before, tag in zip(previous, tags, strict=False)
    )


def all_sequences(length):
    from itertools import product

    return filter(is_well_formed, map(list, product(TAGS, repeat=length)))


def score(tags, scores):
    return float(sum(row[TAGS.index(tag)] for row, tag in zip(scores, tags, strict=True)))


@pytest.mark.parametrize(
    ("tagged", "type_"),
    [
        ("The/DT/B-NP cat/NN/I-NP", "NP"),
        ("on/IN/B-PP the/DT/B-NP mat/NN/I-NP", "PP"),
        ("has/VBZ/B-VP been/VBN/I-VP", "VP"),
        ("at/IN/B-ADVP least/JJS/I-ADVP nine/CD/B-NP", "NP"),
        ("././O", "PUNCT"),
        ("and/CC/O", "CONJ"),
        ("who/WP/B-NP runs/VBZ/B-VP", "SBAR"),
        ("that/IN/B-SBAR they/PRP/B-NP left/VBD/B-VP", "SBAR"),
        ("quickly/RB/O", "ADVP"),
        ("dogs/NNS/O", "NP"),
        ("xyz/FW/O", "O"),
    ],
)
def test_a_chunk_has_the_type_of_its_beginning_or_its_head(tagged, type_):
    tokens, pos, iob = zip(*(word.rsplit("/", 2) for word in tagged.split()), strict=True)
    assert chunk_type(tokens, iob, pos) == type_
