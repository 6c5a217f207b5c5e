import numpy as np
import pytest

from ists.errors import ModelError
from ists.labeler import Labeler, LabelModel, PairLabels
from ists.labeler.committee import Committee, Linear
from ists.labeler.features import FEATURES, MIRROR, NAMES
from ists.labeler.label_model import Columns, _all_names
from ists.labeler.linking import LINK_FEATURES, LINK_NAMES
from ists.labeler.lone import LONE_FEATURES
from ists.labeler.trees import LEAF, Forest, Trees
from ists.lexicon import Lexicon
from ists.pairs import LINKING, Flag, Relation
from ists.scored_pair import PairScores, ScoredPair
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
    """A model of few rules, easy to foresee."""
    rules = {
        (at("same lemmas"), LINKING.index(Relation.EQUI)): 5.0,
        (at("only this side adds 1"), LINKING.index(Relation.SPE1)): 5.0,
        (at("only this side adds 2"), LINKING.index(Relation.SPE2)): 5.0,
        (at("heads opposed"), LINKING.index(Relation.OPPO)): 9.0,
    }
    said = [feature.name for feature in LONE_FEATURES].index("said")
    return LabelModel(
        link=linear(
            len(LINK_FEATURES),
            2,
            {(LINK_NAMES.index("link"), 1): 3.0, (LINK_NAMES.index("same lemmas"), 1): 3.0},
        ),
        relation=linear(len(FEATURES), 6, rules),
        score=linear(len(FEATURES), 4, {(at("tokens 1"), 3): 2.0, (at("tokens 2"), 3): 2.0}),
        lone=linear(len(LONE_FEATURES), 2, {(said, 1): 5.0}),
        alic_from=0.9,
    )


@pytest.fixture(scope="module")
def labeler(model) -> Labeler:
    return Labeler(model)


def question(one: str, two: str, *likely: tuple[int, int]) -> ScoredPair:
    """A question on which the network has nothing to say but which links are likely."""
    tokens1, chunks1 = cut(one)
    tokens2, chunks2 = cut(two)
    signals = PairScores.empty(len(chunks1), len(chunks2))
    for cell in likely:
        signals.link[cell] = 0.5
    return ScoredPair(tokens1, chunks1, tokens2, chunks2, signals)


LINKS = [(0, 0), (1, 1)]
BOATS = question(
    "[ A wooden boat ] [ leaves ] [ the harbour ] [ . ]",
    "[ A boat ] [ is leaving ] [ slowly ] [ its harbour ]",
    *LINKS,
)


def answers(labeler: Labeler, *questions: ScoredPair, links=LINKS, why=False) -> list[PairLabels]:
    return labeler.label(labeler.score_links(questions), [links] * len(questions), why)


def test_links_and_lone_chunks_all_get_a_label(labeler):
    [answer] = answers(labeler, BOATS)
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
    [answer] = answers(labeler, question("[ . ]", "[ . ]"), links=[])
    assert answer.alone1[0].relation is Relation.NOALI


def test_exchanging_the_sentences_exchanges_the_specific_relations(labeler):
    swapped = ScoredPair(
        BOATS.tokens2,
        BOATS.chunks2,
        BOATS.tokens1,
        BOATS.chunks1,
        BOATS.scores.swapped,
    )
    [there], [back] = answers(labeler, BOATS), answers(labeler, swapped)
    assert back.links[0].relation is Relation.SPE2
    assert back.links[0].score == there.links[0].score
    assert back.links[0].confidence == pytest.approx(there.links[0].confidence)


def test_the_batch_makes_no_difference(labeler):
    other = question("[ prices ] [ rise ]", "[ prices ] [ fall ]", *LINKS)
    assert answers(labeler, other, BOATS)[1] == answers(labeler, BOATS)[0]
    together, alone = labeler.score_links([other, BOATS])[1], labeler.score_links([BOATS])[0]
    assert (together.link == alone.link).all()
    assert labeler.score_links([]) == labeler.label([], []) == []


def test_links_are_weighed_by_the_words_too(labeler):
    [weighed] = labeler.score_links([BOATS])
    assert set(weighed.cells) == set(LINKS)
    assert weighed.link[1, 1] > weighed.link[0, 0] > 0.5
    assert weighed.link.sum() == pytest.approx(weighed.link[0, 0] + weighed.link[1, 1])


def test_links_are_weighed_the_same_in_both_directions(labeler):
    turned = ScoredPair(
        BOATS.tokens2, BOATS.chunks2, BOATS.tokens1, BOATS.chunks1, BOATS.scores.swapped
    )
    [there], [back] = labeler.score_links([BOATS]), labeler.score_links([turned])
    np.testing.assert_allclose(there.link, back.link.T, atol=1e-6)


def test_a_link_nobody_thought_of_is_labelled_all_the_same(labeler):
    unthought = question(
        "[ A wooden boat ] [ leaves ] [ the harbour ] [ . ]",
        "[ A boat ] [ is leaving ] [ slowly ] [ its harbour ]",
    )
    assert not labeler.score_links([unthought])[0].link.any()
    [answer], [expected] = answers(labeler, unthought), answers(labeler, BOATS)
    assert [d.relation for d in answer.links] == [d.relation for d in expected.links]


def test_an_empty_sentence_is_no_problem(labeler):
    [answer] = answers(labeler, question("", "[ A boat ]"), links=[])
    assert answer.links == ()
    assert set(answer.alone2) == {0}


def test_the_evidence_says_what_decided(labeler):
    [answer] = answers(labeler, BOATS, why=True)
    assert answer.evidence[0].in_words() == "both say 'boat'; only sentence 1 says 'wooden'"
    assert answer.evidence[1].in_words() == "the same words but for inflection"
    assert answer.evidence[0].weights[0].feature == "only this side adds 1"
    assert answers(labeler, BOATS)[0].evidence == ()


def test_the_evidence_is_worded_for_the_pair_where_its_sentences_were_read_in_turn(labeler):
    turned = ScoredPair(
        BOATS.tokens2, BOATS.chunks2, BOATS.tokens1, BOATS.chunks1, BOATS.scores.swapped, True
    )
    [there], [back] = answers(labeler, BOATS, why=True), answers(labeler, turned, why=True)
    assert back.links[0].relation is Relation.SPE2
    assert [e.in_words() for e in back.evidence] == [e.in_words() for e in there.evidence]
    assert back.evidence[0].weights[0].feature == there.evidence[0].weights[0].feature


def test_a_stored_model_answers_the_same(model, labeler, tmp_path):
    path = tmp_path / "labeler.npz"
    with path.open("wb") as stream:
        model.write(stream)
    assert answers(Labeler.load(path), BOATS) == answers(labeler, BOATS)
    again = tmp_path / "again.npz"
    with again.open("wb") as stream:
        LabelModel.read(path).write(stream)
    assert again.read_bytes() == path.read_bytes()


def test_loading_a_labeller_reads_the_tables_of_the_lexicon(tmp_path, labeler):
    path = tmp_path / "labeler.npz"
    with path.open("wb") as stream:
        labeler.model.write(stream)
    (tmp_path / "wordnet.table").write_bytes(b"nonsense")
    with pytest.raises(ModelError, match=r"wordnet\.table: not a word table"):
        Labeler.load(path, Lexicon(tmp_path))


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_one_clear_error(tmp_path, content):
    path = tmp_path / "labeler.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"labeler\.npz"):
        LabelModel.read(path)


def test_a_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(ModelError, match="no such file"):
        LabelModel.read(tmp_path / "absent.npz")


def test_a_model_of_other_features_is_rejected(model):
    arrays = {**model.arrays(), "features": np.frombuffer(b"tea leaves", np.uint8)}
    with pytest.raises(ModelError, match="other features"):
        LabelModel.from_arrays(arrays)


def test_a_labeller_from_before_links_were_weighed_is_rejected(model):
    arrays = {**model.arrays(), "format": np.array([1], np.int32)}
    with pytest.raises(ModelError, match="another version of ists"):
        LabelModel.from_arrays(arrays)


def test_a_labeller_goes_on_with_its_features_when_others_are_added():
    names = [name for name in _all_names() if not name.startswith("modality")]
    columns = Columns.of(names)
    assert columns.names() == names
    assert [NAMES[at] for at in columns.label] == [name for name in NAMES if name in names]


def test_a_labeller_with_an_unknown_feature_is_rejected():
    with pytest.raises(ModelError, match="trained on other features, such as 'phase of the moon'"):
        Columns.of([*_all_names(), "phase of the moon"])


def test_training_learns_what_the_features_say():
    training = pytest.importorskip("ists.train.aligner.labeler")
    random = np.random.default_rng(0)
    rows = np.zeros((240, len(FEATURES)), np.float32)
    relations = np.arange(240) % 6
    for place, relation in enumerate(relations):
        one_way = {2: "only this side adds 1", 3: "only this side adds 2"}
        mutual = {0: "same lemmas", 1: "heads opposed", 4: "both quantities", 5: "abbreviation"}
        rows[place, at({**one_way, **mutual}[int(relation)])] = 1
    flags = np.zeros((240, 2), bool)
    flags[:, 0] = np.arange(240) // 6 % 2 == 0
    rows[flags[:, 0], at("certainty differs")] = 1
    links = training.LinkRows(
        rows,
        relations,
        np.where(relations == 0, 5, 1 + np.arange(240) // 6 % 4).astype(np.float32),
        np.ones(240, np.float32),
        flags,
        np.zeros((240, 6), bool),
    )
    lone = training.LoneRows(
        random.random((60, len(LONE_FEATURES)), np.float32), np.arange(60) % 3 == 0
    )
    candidates = training.CandidateRows(
        random.random((80, len(LINK_FEATURES)), np.float32),
        np.tile(np.array([0, 1, 0.5, 1], np.float32), 20),
        np.ones(80, np.float32),
    )
    candidates.features[:, LINK_NAMES.index("same lemmas")] = candidates.shares
    parameters = training.LabelerHyperparameters(
        link_trees=10, forest_trees=10, boosting_rounds=10, score_trees=5, lone_trees=5
    )
    model = training.fit(candidates, links, lone, parameters)
    likely = model.links_of(candidates.features)
    assert likely[candidates.shares == 0].max() < likely[candidates.shares == 1].min()
    assert (model.relations_of(rows).argmax(axis=1) == relations).all()
    assert list(model.flags) == [Flag.FACT]  # nothing teaches POL
    assert [Flag.FACT in found for found in model.flags_of(rows)] == flags[:, 0].tolist()
    again = training.fit(candidates, links, lone, parameters)
    assert all((model.arrays()[name] == array).all() for name, array in again.arrays().items())


def test_flags_are_those_of_the_whole_forest():
    """Most rows are decided by a few trees; the other trees must not decide otherwise."""
    random = np.random.default_rng(4)
    trees = Trees(
        feature=np.array([0, LEAF, LEAF] * 40, np.int16),
        threshold=random.normal(size=40).astype(np.float32),
        right=np.full(40, 2, np.uint16),
        sizes=np.full(40, 3, np.int32),
    )
    shares = np.tile([[1, 0], [0, 1]], (40, 1)).astype(np.float16)
    committee = Committee({"forest": Forest(trees, shares)})
    plain = linear(len(FEATURES), 6, {})
    model = LabelModel(plain, plain, plain, plain, flags={Flag.FACT: committee})
    rows = random.normal(size=(300, len(FEATURES))).astype(np.float32)
    there = committee.probabilities(rows[:, model.columns.label])[:, 1]
    back = committee.probabilities(rows[:, list(MIRROR)][:, model.columns.label])[:, 1]
    expected = (there + back) / 2 > 0.5
    assert [bool(flags) for flags in model.flags_of(rows)] == expected.tolist()
    assert 0 < sum(expected) < len(rows)
