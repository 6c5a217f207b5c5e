import pytest

from ists import FormatError
from ists.corpus.stats import count, of_corpus, of_folder, to_dict
from tests.corpus.conftest import dogs_pair, real_pair
from tests.samples import CAT_PAIR


def test_pairs_chunks_and_labels_are_counted():
    counts = count([CAT_PAIR, real_pair(), dogs_pair()]).to_dict()
    assert (counts["pairs"], counts["chunks"], counts["links"]) == (3, 16, 6)
    assert [counts[name] for name in ("EQUI", "SPE1", "SIMI", "ALIC", "NOALI", "FACT")] == [
        3,
        2,
        1,
        1,
        3,
        0,
    ]


def test_stand_off_pairs_count_without_their_sentences(corpus):
    figures = to_dict(of_corpus(corpus))
    assert {name: one["pairs"] for name, one in figures.items()} == {
        "everyday-talk": 1,
        "real-sick": 1,
        "real-small-talk": 1,
        "all": 3,
    }
    assert figures["real-small-talk"] == count([real_pair()]).to_dict()


def test_an_empty_folder_is_reported(tmp_path):
    with pytest.raises(FormatError, match=r"no \.wa file in this folder"):
        of_folder(tmp_path)
