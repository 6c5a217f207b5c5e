import csv
import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ists.bench.features import pair_features
from ists.bench.regression import Block, predict
from ists.bench.str2021 import (
    TRAINED,
    UNTRAINED,
    RelatedPair,
    dice,
    draw_folds,
    judge,
    judge_trained,
    read_pairs,
    run,
)
from ists.bench.str2021_table4 import answer_all, universal_tag
from ists.bench.systems import TokenCosine
from ists.chunker.tagger import Chunker
from ists.models import open_model
from ists.seen import Seen, fingerprint
from scorer.correlation import spearman

ANIMALS = ("cat", "dog", "horse", "goat", "hen", "duck", "frog", "mouse")
DOINGS = ("sleeps", "eats", "swims", "jumps", "hides")


class Letters:
    """Encoder for tests: vectors of letter counts."""

    def vectors(self, texts):
        rows = np.zeros((len(texts), 26), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[[ord(sign) - 97 for sign in text.lower() if "a" <= sign <= "z"]] = 1
            row += 0.01
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def read(self, sentences):
        return [SimpleNamespace(rows=self.vectors(tokens)) for tokens in sentences]


@pytest.fixture(scope="module")
def pairs():
    found = []
    for number in range(60):
        animal, doing = ANIMALS[number % 8], DOINGS[number % 5]
        other, deed = ANIMALS[number * 3 % 8], DOINGS[number * 7 % 5]
        score = (2 * (animal == other) + (doing == deed) + number % 7 / 7) / 4
        sentences = (f"The {animal} {doing} near the barn.", f"A {other} {deed} by the barn.")
        found.append(RelatedPair(f"p{number}", ("STS", "Farm")[number % 2], sentences, score))
    return found


@pytest.fixture
def file(tmp_path, pairs):
    path = tmp_path / "str.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["Index", "SourceID", "SubsetID", "PairID", "Text", "Score"])
        for number, pair in enumerate(pairs):
            text = "\n".join(pair.sentences)
            writer.writerow([number, pair.source, pair.source, pair.id, text, pair.score])
    return path


def test_dice_counts_each_word_once_in_lower_case():
    assert dice("The cat, the CAT!", "a cat") == pytest.approx(2 * 1 / (2 + 2))
    assert dice("", "") == 0
    assert dice("same words", "Words: same") == 1


def test_pairs_are_read_as_written(file, pairs):
    assert read_pairs(file) == pairs


def test_folds_are_equal_and_seeded():
    fold = draw_folds(103, 5, seed=4)
    assert sorted(np.bincount(fold)) == [20, 20, 21, 21, 21]
    assert (fold == draw_folds(103, 5, seed=4)).all()
    assert (fold != draw_folds(103, 5, seed=5)).any()


def test_figures_are_means_over_the_folds(pairs):
    fold = draw_folds(len(pairs))
    scores = [dice(*pair.sentences) for pair in pairs]
    figures = judge("x", UNTRAINED, pairs, scores, fold)
    first = [place for place in range(len(pairs)) if fold[place] == 0]
    gold = [pairs[place].score for place in first]
    assert figures.folds[0] == spearman(gold, [scores[place] for place in first]).r
    assert figures.mean == pytest.approx(np.mean(figures.folds))
    assert list(figures.by_source) == ["STS", "Farm"]


def test_a_regression_predicts_unseen_targets():
    random = np.random.default_rng(2)
    features = random.normal(size=(300, 5))
    targets = np.tanh(features[:, 0]) + 0.2 * features[:, 1]
    known = np.arange(300) < 200
    predicted = predict([Block(features, 1.0)], targets, known)
    assert np.corrcoef(predicted, targets[~known])[0, 1] > 0.9


def test_a_block_counts_by_its_weight_not_its_width():
    random = np.random.default_rng(2)
    features, noise = random.normal(size=(300, 1)), random.normal(size=(300, 200))
    known = np.arange(300) < 200
    alone = predict([Block(features, 1.0)], features[:, 0], known)
    muffled = predict([Block(features, 1.0), Block(noise, 1e-9)], features[:, 0], known)
    assert muffled == pytest.approx(alone, abs=1e-3)


def test_training_excludes_the_evaluated_fold(pairs):
    """A feature that identifies the pair helps only if the pair was in the training data."""
    fold = draw_folds(len(pairs))
    noise = np.random.default_rng(3).normal(size=(len(pairs), 3))
    features = [Block(np.eye(len(pairs)), 1.0), Block(noise, 1.0)]
    figures = judge_trained("numbers", pairs, features, fold)
    assert figures.kind == TRAINED
    assert max(figures.folds) < 0.9


def test_features_do_not_depend_on_which_sentence_comes_first(pairs):
    texts = [pair.sentences for pair in pairs[:9]]
    turned = [(two, one) for one, two in texts]
    scores = [1.0] * 9
    for one, other in zip(
        pair_features(texts, scores, Letters()),
        pair_features(turned, scores, Letters()),
        strict=True,
    ):
        assert one.rows == pytest.approx(other.rows, abs=1e-6)


def test_features_of_odd_pairs_are_numbers():
    odd = [("", ""), ("...", "?"), ("Same words", "same words"), ("one", "")]
    for block in pair_features(odd, [0.0] * 4, Letters()):
        assert np.isfinite(block.rows).all()


def test_a_complete_run_has_marks_and_answers(file, pairs):
    report = run(file, pairs, TokenCosine(), Letters())
    baseline, untrained, trained = report.document["figures"]
    assert (baseline["kind"], untrained["kind"], trained["kind"]) == (
        "baseline", UNTRAINED, TRAINED,
    )  # fmt: skip
    assert set(trained["leave_one_source_out"]) == {"STS", "Farm"}
    questions = {row["question"]: row for row in report.document["questions"]}
    assert questions["lexical overlap"]["pairs"] == 60
    assert questions["NOUN"]["pairs"] == 60
    assert questions["NOUN"]["spearman"] > 0.3
    assert questions["DET"]["spearman"] is None  # the same in all pairs
    assert questions["PRON"]["pairs"] == 0
    assert "RoBERTa-base (mean), fine-tuned" in report.text()
    assert "other means than the paper's" in report.text()


def test_subjects_and_objects_come_from_chunks():
    texts = [
        (f"The {one} chases the {two} .", f"A {two} watches the {one} .")
        for one, two in pairwise(ANIMALS)
    ]
    gold = [number / 10 for number in range(len(texts))]
    answers = answer_all(texts, gold, gold, Chunker.load(), Letters())
    pairs = {answer.question: answer.pairs for answer in answers}
    assert pairs["subject"] == pairs["object"] == len(texts)


@pytest.mark.parametrize(
    ("word", "penn", "follows", "tag"),
    [
        ("has", "VBZ", True, "AUX"),
        ("has", "VBZ", False, "VERB"),
        ("is", "VBZ", False, "AUX"),
        ("runs", "VBZ", True, "VERB"),
        ("would", "MD", True, "AUX"),
        ("Paris", "NNP", False, "PROPN"),
        (",", ",", False, "X"),
    ],
)
def test_penn_tags_become_universal_ones(word, penn, follows, tag):
    assert universal_tag(word, penn, follows) == tag


def test_the_baseline_needs_no_model(ists, file):
    document = json.loads(ists("bench", "str2021", file, "--baseline-only", "--format", "json").out)
    (figures,) = document["figures"]
    assert figures["kind"] == "baseline"
    assert document["questions"] is None
    assert document["signature"].startswith("ists|bench:str2021|data:str.csv#")


def test_given_scores_are_evaluated(ists, file, pairs, tmp_path):
    scores = tmp_path / "mine.txt"
    scores.write_text("".join(f"{pair.score}\n" for pair in pairs))
    outcome = ists("bench", "str2021", file, "--scores", scores)
    assert "> mine.txt" in outcome.out
    assert "1.0000" in outcome.out
    scores.write_text("1\n2\n")
    short = ists("bench", "str2021", file, "--scores", scores)
    assert (short.code, "2 scores, expected 60" in short.err) == (1, True)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("SourceID", "Source", ":1: no column 'SourceID'"),
        ("barn.\n", "barn. ", "is 1 lines, expected two sentences"),
        (",0.75\n", ",high\n", "score 'high', expected a number"),
        (",0.75\n", ",7\n", "score 7, expected 0 to 1"),
        (",0.75\n", ',"0.75\n', "invalid CSV"),
    ],
)
def test_invalid_files_give_a_one_line_error(ists, file, old, new, words):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    outcome = ists("bench", "str2021", file, "--baseline-only")
    assert outcome.code == 1
    (line,) = outcome.err.splitlines()
    assert words in line


def test_too_few_pairs_are_rejected(ists, file):
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[: 1 + 2 * 12]))
    outcome = ists("bench", "str2021", file, "--baseline-only")
    assert outcome.code == 1
    assert outcome.err.startswith(f"{file}: ")
    assert "expected at least 4" in outcome.err


def test_an_empty_file_is_reported_without_a_line(ists, file):
    file.write_text("")
    outcome = ists("bench", "str2021", file, "--baseline-only")
    assert outcome.err.startswith(f"{file}: no column 'SourceID'")


def test_dice_on_the_real_data_equals_the_papers_figure(shared):
    path: Path = shared / "str2021" / "sem_text_rel_ranked.csv"
    pairs = read_pairs(path)
    assert len(pairs) == 5500
    fold = draw_folds(len(pairs))
    figures = judge("dice", "baseline", pairs, [dice(*pair.sentences) for pair in pairs], fold)
    assert round(figures.mean, 2) == 0.57
    assert figures.by_source["Formality"] == pytest.approx(0.69, abs=0.01)


def test_pairs_of_the_training_data_are_counted(file, pairs):
    class Trained(TokenCosine):
        seen = Seen(frozenset(fingerprint(*pair.sentences) for pair in pairs[:4]))

    found = run(file, pairs, Trained(), Letters(), questions=False, training=False)
    known = sum(fingerprint(*pair.sentences) in Trained.seen.pairs for pair in pairs)
    assert known >= 4
    assert (found.document["trained_on"], found.document["seen"]) == (True, known)
    assert f"TRAINING DATA of this model ({known} of 60 pairs)" in found.text()


def test_the_real_data_have_pairs_of_the_sts_tasks(shared):
    """Some pairs are also in the STS tasks, as the report says of our models."""
    pairs = read_pairs(shared / "str2021" / "sem_text_rel_ranked.csv")
    models = open_model("pilot", "aligner"), open_model("similarity", "similarity")
    seen = Seen.by(*models)
    known = [pair for pair in pairs if seen.count([pair.sentences])]
    assert len(known) == 96
    assert {pair.source for pair in known} == {"STS"}
