"""Training on the acceptable labels of links."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from ists.errors import FormatError
from ists.labeler.features import FEATURES
from ists.pairs import LINKING, Relation
from ists.train.aligner.labeler import LinkRows
from ists.train.gold import Example, GoldPairs

EQUI, SPE1, SPE2, SIMI = (
    LINKING.index(one) for one in (Relation.EQUI, Relation.SPE1, Relation.SPE2, Relation.SIMI)
)
WA = """<sentence id="1" status="">
// the old cat
// a cat
<source>
1 the :
2 old :
3 cat :
</source>
<translation>
1 a :
2 cat :
</translation>
<alignment>
1 2 3 <==> 1 2 // SPE1 // 4 // the old cat <==> a cat
</alignment>
</sentence>
"""
ACCEPTED = [["SPE1", 4], ["SPE1", 3], ["EQUI", 5], ["EQUI_FACT", 5], ["SIMI", 3]]


def cats(folder: Path, *accepted: list[object], tokens2: tuple[int, ...] = (1, 2)) -> Example:
    """Write a pair with its acceptable labels, and read it."""
    gold = folder / "cats.wa"
    gold.write_text(WA)
    links = [{"tokens1": [1, 2, 3], "tokens2": tokens2, "accept": accepted}]
    entry = {"id": "1", "corpus": "cats", "links": links}
    (folder / "accept.jsonl").write_text(json.dumps(entry) + "\n")
    (example,) = GoldPairs.read([gold]).examples
    return example


def test_other_acceptable_relations_are_read_from_the_file_beside_the_gold(tmp_path):
    example = cats(tmp_path, *ACCEPTED)
    (link,) = example.links
    assert link.relation == SPE1
    assert example.others[link] == {EQUI, SIMI}
    assert GoldPairs.read([tmp_path / "cats.wa"]).files.keys() == {"cats.wa", "accept.jsonl"}


def test_gold_without_such_a_file_has_no_other_labels(tmp_path):
    (tmp_path / "cats.wa").write_text(WA)
    gold = GoldPairs.read([tmp_path / "cats.wa"])
    assert gold.examples[0].others == {}
    assert gold.files.keys() == {"cats.wa"}


def test_acceptable_labels_of_a_link_that_the_gold_lacks_are_an_error(tmp_path):
    with pytest.raises(FormatError, match=r"accept\.jsonl:1: pair 1: the gold has no link"):
        cats(tmp_path, *ACCEPTED, tokens2=(2,))


def test_exchanged_sentences_exchange_the_other_labels_too(tmp_path):
    example = cats(tmp_path, ["SPE1", 4], ["SPE2", 3]).swapped
    (link,) = example.links
    assert (link.relation, example.others[link]) == (SPE2, {SPE1})


def test_the_weight_of_a_link_is_shared_by_its_acceptable_relations():
    rows = LinkRows(
        np.arange(2 * len(FEATURES), dtype=np.float32).reshape(2, -1),
        np.array([SPE1, SIMI]),
        np.array([4, 3], np.float32),
        np.array([2, 1], np.float32),
        np.zeros((2, 2), bool),
        np.array([[at in (EQUI, SIMI) for at in range(6)], [False] * 6]),
    )
    shared = rows.with_others(0.5)
    assert shared.relations.tolist() == [SPE1, SIMI, EQUI, SIMI]
    assert shared.weights.tolist() == [1, 1, 0.5, 0.5]
    np.testing.assert_array_equal(shared.features, rows.features[[0, 1, 0, 0]])
    assert rows.with_others(0.0) is rows
    assert rows.both_ways().relations.tolist() == [SPE1, SIMI, SPE2, SIMI]
