import numpy as np
import pytest

from ists.errors import ModelError
from ists.labeler import Labeler, LabelModel, NetworkSignals, Question
from ists.labeler.committee import Committee, Linear
from ists.labeler.evidence import find_evidence
from ists.labeler.features import FEATURES, NAMES
from ists.labeler.lone import LONE_FEATURES
from ists.pairs import LINKING, Relation
from tests.labeler.conftest import cut


def linear(features: int, classes: int, rules: dict[tuple[int, int], float]) -> Committee:
    weights = np.zeros((features, classes), np.float32)
    for (feature, target), weight in rules.items():
        weights[feature, target] = weight
    nothing, one = np.zeros(features, np.float32), np.ones(features, np.float32)
    return Committee({"linear": Linear(weights, np.zeros(classes, np.float32), nothing, one)})


def at(name: str) -> int:
    return NAMES.index(name)


@pytest.fixture(scope="module")
def model() -> LabelModel:
    """A model of four rules, easy to foresee."""
    rules = {
        (at("same lemmas"), LINKING.index(Relation.EQUI)): 5.0,
        (at("only this side adds 1"), LINKING.index(Relation.SPE1)): 5.0,
        (at("only this side adds 2"), LINKING.index(Relation.SPE2)): 5.0,
        (at("heads opposed"), LINKING.index(Relation.OPPO)): 9.0,
    }
    said = [feature.name for feature in LONE_FEATURES].index("said")
    return LabelModel(
        relation=linear(len(FEATURES), 6, rules),
        score=linear(len(FEATURES), 4, {(at("tokens 1"), 3): 2.0, (at("tokens 2"), 3): 2.0}),
        lone=linear(len(LONE_FEATURES), 2, {(said, 1): 5.0}),
        alic_from=0.9,
    )


@pytest.fixture(scope="module")
def labeler(model) -> Labeler:
    return Labeler(model)


def question(one: str, two: str, links) -> Question:
    tokens1, chunks1 = cut(one)
    tokens2, chunks2 = cut(two)
    absent = NetworkSignals.absent(len(chunks1), len(chunks2))
    return Question(tokens1, chunks1, tokens2, chunks2, links, absent)


BOATS = question(
    "[ A wooden boat ] [ leaves ] [ the harbour ] [ . ]",
    "[ A boat ] [ is leaving ] [ slowly ] [ its harbour ]",
    [(0, 0), (1, 1)],
)


def test_links_and_lone_chunks_all_get_a_label(labeler):
    [answer] = labeler.label([BOATS])
    assert [decision.relation for decision in answer.links] == [Relation.SPE1, Relation.EQUI]
    assert {place: lone.relation for place, lone in answer.alone1.items()} == {
        2: Relation.ALIC,
        3: Relation.NOALI,
    }
    assert {place: lone.relation for place, lone in answer.alone2.items()} == {
        2: Relation.NOALI,
        3: Relation.ALIC,
    }


def test_punctuation_is_never_alic(labeler):
    [answer] = labeler.label([question("[ . ]", "[ . ]", [])])
    assert answer.alone1[0].relation is Relation.NOALI


def test_exchanging_the_sentences_exchanges_the_specific_relations(labeler):
    swapped = Question(
        BOATS.tokens2,
        BOATS.chunks2,
        BOATS.tokens1,
        BOATS.chunks1,
        [(j, i) for i, j in BOATS.links],
        BOATS.signals.swapped,
    )
    [there], [back] = labeler.label([BOATS]), labeler.label([swapped])
    assert back.links[0].relation is Relation.SPE2
    assert back.links[0].score == there.links[0].score
    assert back.links[0].confidence == pytest.approx(there.links[0].confidence)


def test_the_batch_makes_no_difference(labeler):
    others = [question("[ prices ] [ rise ]", "[ prices ] [ fall ]", [(0, 0), (1, 1)]), BOATS]
    assert labeler.label(others)[1] == labeler.label([BOATS])[0]
    assert labeler.label([]) == []


def test_an_empty_sentence_is_no_problem(labeler):
    [answer] = labeler.label([question("", "[ A boat ]", [])])
    assert answer.links == ()
    assert set(answer.alone2) == {0}


def test_the_evidence_says_what_decided(labeler):
    [answer] = labeler.label([BOATS], why=True)
    assert answer.evidence[0].extra1 == ("wooden",)
    assert "only sentence 1 says 'wooden'" in answer.evidence[0].in_words()
    assert answer.evidence[0].weights[0].feature == "only this side adds 1"
    assert labeler.label([BOATS])[0].evidence == ()


def test_evidence_in_plain_words(view):
    pair = view("[ Prices ] [ rose ] [ in 3 cities ]", "[ Prices ] [ fell ] [ in 5 cities ]")
    assert find_evidence(pair, 0, 0).in_words() == "both say 'Prices'"
    assert "'rose' is the opposite of 'fell'" in find_evidence(pair, 1, 1).in_words()
    assert "the numbers differ" in find_evidence(pair, 2, 2).in_words()
    nothing = view("[ boats ]", "[ sleepily ]")
    assert "sentence 1 says 'boats'" in find_evidence(nothing, 0, 0).in_words()


def test_a_stored_model_answers_the_same(model, labeler, tmp_path):
    path = tmp_path / "labeler.npz"
    with path.open("wb") as stream:
        model.write(stream)
    assert Labeler.load(path).label([BOATS]) == labeler.label([BOATS])
    again = tmp_path / "again.npz"
    with again.open("wb") as stream:
        LabelModel.read(path).write(stream)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_one_clear_error(tmp_path, content):
    path = tmp_path / "labeler.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"labeler\.npz"):
        LabelModel.read(path)


def test_a_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(ModelError, match="no such file"):
        LabelModel.read(tmp_path / "absent.npz")


def test_a_model_of_other_features_is_refused(model):
    arrays = {**model.arrays(), "features": np.frombuffer(b"tea leaves", np.uint8)}
    with pytest.raises(ModelError, match="other features"):
        LabelModel.from_arrays(arrays)


def test_training_learns_what_the_features_say():
    training = pytest.importorskip("ists.train.labeler")
    random = np.random.default_rng(0)
    rows = np.zeros((240, len(FEATURES)), np.float32)
    relations = np.arange(240) % 6
    for place, relation in enumerate(relations):
        one_way = {2: "only this side adds 1", 3: "only this side adds 2"}
        mutual = {0: "same lemmas", 1: "heads opposed", 4: "both quantities", 5: "abbreviation"}
        rows[place, at({**one_way, **mutual}[int(relation)])] = 1
    links = training.LinkRows(
        rows,
        relations,
        np.where(relations == 0, 5, 1 + np.arange(240) // 6 % 4).astype(np.float32),
        np.ones(240, np.float32),
    )
    lone = training.LoneRows(
        random.random((60, len(LONE_FEATURES)), np.float32), np.arange(60) % 3 == 0
    )
    recipe = training.Recipe(forest_trees=10, boosting_rounds=10, score_trees=5, lone_trees=5)
    model = training.fit(links, lone, recipe)
    assert (model.relations_of(rows).argmax(axis=1) == relations).all()
    again = training.fit(links, lone, recipe)
    assert all((model.arrays()[name] == array).all() for name, array in again.arrays().items())
    assert recipe.recorded()["seed"] == 0
