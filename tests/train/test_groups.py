import json
import shutil

import numpy as np
import pytest

from ists.formats import wa
from ists.pairs import Alignment, Chunk, Relation
from ists.resources import models_path
from tests.golden import outputs

pytest.importorskip("torch", reason="the extra 'train' is not installed")
pytest.importorskip("sklearn", reason="the extra 'train' is not installed")

from ists.errors import FormatError
from ists.models import open_model
from ists.pipeline import Aligner
from ists.train.aligner.groups import (
    GroupHyperparameters,
    UnseenPairs,
    add_groups,
    fit_groups,
    split_groups,
)
from ists.train.gold import Example, GoldPairs, Link
from tests.samples import CAT_PAIR


def test_a_group_is_split_into_its_contiguous_chunks():
    pair = CAT_PAIR
    words = len(pair.sentence1.words)
    group = Alignment(Chunk((1, words)), Chunk((1,)), Relation.EQUI, 5.0)
    example = Example.of("cats", type(pair)("1", pair.sentence1, pair.sentence2, (group,)))
    split = split_groups(example)
    assert split.chunks1 == ((0,), (words - 1,))
    relation, score = example.links[0].relation, example.links[0].score
    assert split.links == (Link(0, 0, relation, score), Link(1, 0, relation, score))


def test_the_classifier_is_added_to_a_model_with_its_figures(tmp_path):
    gold = GoldPairs.read([outputs.ALIGNED_2016])
    pilot = open_model(str(models_path("pilot")), "aligner")
    pairs = UnseenPairs.by_model(gold, pilot, 2)
    rows = pairs.rows()
    assert set(np.unique(rows.folds)) <= set(pairs.folds.tolist())
    fitted = fit_groups(pairs, GroupHyperparameters(trees=5))
    model = shutil.copytree(models_path("pilot"), tmp_path / "mine")
    assert not Aligner.load(str(model)).makes_groups
    add_groups(model, fitted, "pilot")
    assert Aligner.load(str(model), edition="2016").makes_groups
    card = json.loads((model / "model.json").read_text())
    assert card["groups"]["cross_validated"] == fitted.figures()
    with pytest.raises(FormatError, match="was trained on 12 of the 12 pairs"):
        UnseenPairs.by_model(gold, open_model(str(model), "aligner"), 2)


def test_options_of_fold_networks_need_them(ists, tmp_path):
    file = tmp_path / "gold.wa"
    file.write_bytes(wa.render(CAT_PAIR))
    outcome = ists("train", "groups", models_path("pilot"), file, "--chunker", "chunker")
    assert outcome.code == 2
    assert "--chunker requires --networks" in outcome.err


def test_the_classifier_may_be_trained_on_some_corpora(tmp_path):
    files = [tmp_path / "students.wa", tmp_path / "STSint.gs.cats.wa"]
    shutil.copy(outputs.ALIGNED_2016, files[0])
    files[1].write_bytes(wa.render(CAT_PAIR))
    gold = GoldPairs.read(files)
    pairs = UnseenPairs.by_model(gold, open_model(str(models_path("pilot")), "aligner"), 2)
    cats = pairs.of_corpora(["cats"])
    assert [pair.sentence1 for pair in cats.gold.pairs] == [CAT_PAIR.sentence1]
    assert list(cats.gold.files) == ["STSint.gs.cats.wa"]
    assert len(cats.folds) == len(cats.scored["gold_chunks"]) == 1
    with pytest.raises(FormatError, match="no corpus 'dogs', expected one of: students, cats"):
        pairs.of_corpora(["dogs"])
