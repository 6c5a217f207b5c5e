import json
from math import isclose

import numpy as np
import pytest

from ists.errors import FormatError
from ists.pairs import Alignment, Chunk, Relation, Sentence, SentencePair
from ists.similarity import Points, WordVectors
from ists.train.ratings import RatedPair, RatedSet, read_rated

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")
pytest.importorskip("scipy", reason="the extra 'train' is not installed")

from ists.pipeline import Aligner  # noqa: E402
from ists.seen import Seen  # noqa: E402
from ists.similarity import SentenceEncoder  # noqa: E402
from ists.train.similarity.fit import Hyperparameters, Trainer  # noqa: E402
from ists.train.similarity.points import JudgedPair, fit_points  # noqa: E402
from ists.train.similarity.train import Ratings, train_similarity  # noqa: E402

STS = (
    "4.5\tA cat sleeps.\tA cat naps.\n"
    "0\tA dog barks.\tSnow fell.\n"
    "3\tA bus stops.\tThe bus stopped.\n"
)
SICK = (
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    "1\tA girl runs\tA girl is running\t5\tENTAILMENT\n"
    "2\tA girl runs\tNobody swims\t1\tNEUTRAL\n"
)


@pytest.fixture
def files(tmp_path):
    sts, sick = tmp_path / "images.test.tsv", tmp_path / "SICK_train.txt"
    sts.write_text(STS)
    sick.write_text(SICK)
    return sts, sick


def test_ratings_are_read_and_brought_to_one_scale(files):
    sts, sick = map(read_rated, files)
    assert [pair.rating for pair in sts.pairs] == [4.5, 0, 3]
    assert [pair.rating for pair in sick.pairs] == [5, 0]
    assert sts.name.endswith("/images")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5\tA cat\tA dog\nx\tA\tB\n", "2: 'x' is not a rating"),
        ("nan\tA\tB\n", "1: 'nan' is not a rating"),
        ("7\tA\tB\n", "1: rating 7, expected a number from 0 to 5"),
        ("5\tA\n", "1: .* has 2 columns"),
        ("5\tA\t\n", "1: a sentence is empty, expected two sentences"),
        ("5\tA\tB\n", "fewer than two rated pairs"),
        (SICK + "3\tA\n", "4: has 2 columns"),
        (SICK + "3\tA\tB\t4\tMAYBE\n", "4: judgement 'maybe', expected entailment, neutral"),
    ],
)
def test_bad_ratings_are_named(tmp_path, text, reason):
    file = tmp_path / "x.tsv"
    file.write_text(text)
    with pytest.raises(FormatError, match=reason):
        read_rated(file)


def test_what_is_judged_on_is_not_learnt_in_either_order():
    one = RatedPair(("a",), ("b",), 1)
    learnt, held = RatedSet("x", (one, RatedPair(("c",), ("d",), 2))), RatedPair(("b",), ("a",), 3)
    assert learnt.without([RatedSet("y", (held,))]).pairs == learnt.pairs[1:]


def _judged(relation, score, cosine, rating):
    link = Alignment(Chunk((1,)), Chunk((1,)), relation, score)
    pair = SentencePair("1", Sentence.of(["x"]), Sentence.of(["y"]), (link,))
    one, two = np.array([[1.0, 0.0]]), np.array([[cosine, np.sqrt(1 - cosine**2)]])
    return JudgedPair(pair, (WordVectors(one), WordVectors(two)), rating)


def test_points_are_found_again():
    true = Points(4.0, {"OPPO": (2.0,) * 5, "SIMI": (1.2, 1.0, 0.8, 0.6, 0.4)})
    cases = [(Relation.EQUI, 5), (Relation.OPPO, 3), (Relation.SIMI, 1), (Relation.SIMI, 4)]
    rng = np.random.default_rng(1)
    pairs = []
    for relation, score in cases * 200:
        bare = _judged(relation, score, rng.uniform(0.6, 1), 0)
        rating = bare.similarity(true).score
        pairs.append(JudgedPair(bare.pair, bare.vectors, rating))
    found = fit_points([pairs])
    assert isclose(found.angle, true.angle, rel_tol=0.1)
    assert found.lost["SIMI"][0] > found.lost["SIMI"][3]
    off = [pair.similarity(found).score - pair.rating for pair in pairs]
    assert np.abs(off).mean() < 0.05


@pytest.mark.usefixtures("base_model")
def test_training_is_repeatable_and_keeps_what_is_fixed(files):
    sets = [read_rated(file) for file in files]
    parameters = Hyperparameters(epochs=1, batch=2, seeds=(3,))
    one, two = (Trainer(parameters).train(sets) for _ in range(2))
    assert all(torch.equal(one[name], two[name]) for name in one)
    base = Trainer(Hyperparameters(epochs=1, batch=2, kept=1.0)).train(sets)
    moved = {name.split(".")[2] for name in one if not torch.equal(one[name], base[name])}
    assert moved == {"3", "4", "5"}


@pytest.mark.usefixtures("base_model")
def test_a_model_folder_comes_of_it(files, tmp_path):
    sts, sick = files
    folder = tmp_path / "mine"
    found = train_similarity(
        Ratings.read([sick], [sts]),
        folder,
        Hyperparameters(epochs=1, batch=2),
        Aligner.load(threads=1),
    )
    card = json.loads((folder / "model.json").read_text())
    assert card["figures"] == found.to_dict()
    assert card["training"]["judged_on"] == list(found.sets)
    assert SentenceEncoder.load(str(folder)).vectors(["A cat"]).shape == (1, 384)
    rated = [pair for file in files for pair in read_rated(file).pairs]
    texts = [(" ".join(pair.tokens1), " ".join(pair.tokens2)) for pair in rated]
    assert Seen.by(SentenceEncoder.load(str(folder)).model).count(texts) == len(texts)
    aligner = Aligner.load(threads=1, similarity_model=str(folder))
    assert 0 <= aligner.similarity("A cat sleeps", "A cat naps").score <= 5
