"""Training on the acceptable labels of links."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from ists.errors import FormatError, ModelError
from ists.pairs import LINKING, Relation
from ists.train.aligner.inputs import PreparedPair, inputs_of, targets_of
from ists.train.base import base_word_pieces
from ists.train.gold import Example, GoldPairs, Label

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
    assert link.label == Label(SPE1, 3)
    assert set(example.others[link]) == {Label(EQUI, 4), Label(SIMI, 2)}
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
    assert (link.relation, example.others[link]) == (SPE2, (Label(SPE1, 2),))


def test_the_target_of_a_link_is_shared_by_its_acceptable_labels(tmp_path):
    try:
        pair = PreparedPair.of(cats(tmp_path, *ACCEPTED), base_word_pieces())
    except ModelError as error:
        pytest.skip(str(error))
    inputs = inputs_of([pair])
    for share in (0.0, 0.4):
        targets = targets_of([pair], inputs, share)
        relation, score = targets.relation.numpy(), targets.score.numpy()
        assert relation.shape == (1, 6)
        assert score.shape == (1, 5)
        wanted = {SPE1: 1 - share, EQUI: share / 2, SIMI: share / 2}
        np.testing.assert_allclose(relation[0], [wanted.get(at, 0) for at in range(6)], atol=1e-6)
        np.testing.assert_allclose(score[0], [0, 0, share / 2, 1 - share, share / 2], atol=1e-6)
