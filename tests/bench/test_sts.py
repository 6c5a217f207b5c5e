import json
from math import sqrt

import pytest

from ists.bench.sts import find_data_sets, language_of, published_runs, run
from ists.bench.systems import TokenCosine, token_cosine
from ists.errors import FormatError
from ists.models import sha256_of
from ists.seen import Seen, fingerprint
from scorer.correlation import pearson

ENGLISH = ("answers-forums", "answers-students", "belief", "headlines", "images")


class Shy:
    """System for tests: the baseline with its last score inverted."""

    name = "shy one"
    seen = Seen()

    def similarity_many(self, pairs):
        scores = list(TokenCosine().similarity_many(pairs))
        yield from [*scores[:-1], 1.0]


@pytest.fixture
def official(tmp_path, pairs):
    """The task's split files, with two more pairs without a gold score."""
    padded = [(None, "Not judged", "neither"), *pairs[:2], (None, "x y", "y z"), *pairs[2:]]
    inputs = "".join(f"{one}\t{two}\n" for _, one, two in padded)
    gold = "".join("\n" if score is None else f"{score}\n" for score, _, _ in padded)
    (tmp_path / "STS.input.belief.txt").write_text(inputs)
    (tmp_path / "STS.gs.belief.txt").write_text(gold)
    return tmp_path


def test_the_baseline_is_the_cosine_of_token_sets():
    assert token_cosine("a b b c", "b  c d\n") == pytest.approx(2 / 3)
    assert token_cosine("The cat", "the cat") == pytest.approx(1 / 2)
    assert token_cosine("a b", "a") == pytest.approx(1 / sqrt(2))
    assert token_cosine("", "a") == 0


def test_json_has_the_promised_shape(ists, tmp_path, write_tsv, pairs):
    write_tsv(tmp_path / "headlines.test.tsv")
    write_tsv(tmp_path / "images.test.tsv", pairs[:4])
    outcome = ists("bench", "sts", tmp_path, "--baseline-only", "--format", "json")
    document = json.loads(outcome.out)
    headlines, images = document["sets"]
    assert (headlines["name"], headlines["pairs"]) == ("headlines", 6)
    assert (images["name"], images["pairs"]) == ("images", 4)
    assert headlines["pearson"] is None
    assert document["mean"] is None
    weighted = (6 * headlines["baseline"] + 4 * images["baseline"]) / 10
    assert document["baseline_mean"] == pytest.approx(weighted)
    assert document["signature"].startswith("ists|bench:sts|data:2sets#")


def test_a_system_is_evaluated_beside_the_baseline(tmp_path, write_tsv, pairs):
    write_tsv(tmp_path / "2013" / "FNWN.tsv")
    data_sets = find_data_sets(tmp_path)
    report = run(data_sets, "en", Shy())
    (figures,) = report.document["sets"]
    scores = list(Shy().similarity_many([pair[1:] for pair in pairs]))
    assert figures["name"] == "2013/FNWN"
    assert figures["pearson"] == pytest.approx(pearson([pair[0] for pair in pairs], scores).r)
    assert figures["pearson"] == report.document["mean"] != figures["baseline"]
    assert report.document["placings"] == []
    assert "shy one" in report.text()
    assert "| 2013/FNWN | 6 |" in report.markdown()


def test_split_files_and_one_file_give_the_same(official, write_tsv, tmp_path):
    one = find_data_sets(write_tsv(tmp_path / "belief.tsv"))
    split = find_data_sets(official)[0:1]
    figures = [run(sets, "en", Shy()).document["sets"] for sets in (one, split)]
    assert figures[0] == figures[1]
    assert figures[0][0]["pairs"] == 6


def test_outputs_are_evaluated_and_ranked(ists, tmp_path, write_tsv, pairs):
    for name in ENGLISH:
        write_tsv(tmp_path / "gold" / f"{name}.test.tsv")
        output = tmp_path / "out" / f"STS.output.{name}.txt"
        output.parent.mkdir(exist_ok=True)
        output.write_text("".join(f"{score + score % 2}\t100\n" for score, _, _ in pairs))
    arguments = ("bench", "sts", tmp_path / "gold", "--outputs", tmp_path / "out")
    document = json.loads(ists(*arguments, "--format", "json").out)
    (placing,) = document["placings"]
    assert placing["mean"] == document["mean"] > 0.9
    assert placing["rank"] == 1
    assert placing["published_runs"] == 74
    assert placing["best_run"]["name"] == "DLS@CU-S1"
    assert set(placing["by_set"]) == set(ENGLISH)
    assert placing["difference"]["z"] > 0
    text = ists(*arguments).out
    assert "rank 1 among the 74 published runs" in text
    assert "Our model is English" not in text


def test_the_rank_is_that_of_the_best_run_beaten(tmp_path, write_tsv, pairs):
    for name in ENGLISH:
        write_tsv(tmp_path / f"{name}.tsv")

    class Weak(Shy):
        def similarity_many(self, pairs):
            yield from (5, 0, 5, 0, 5, 1)

    report = run(find_data_sets(tmp_path), "en", Weak())
    (placing,) = report.document["placings"]
    runs, _ = published_runs("en")
    beaten = [run.rank for run in runs if run.mean is not None and run.mean < placing["mean"]]
    assert placing["rank"] == min(beaten)
    assert 60 < placing["rank"] < 75
    assert placing["difference"]["z"] < 0


def test_the_published_tables_are_complete():
    english, baselines = published_runs("en")
    assert english[0].mean == 0.8015
    assert [run.name for run in baselines] == ["Baseline-tokencos", "Baseline-TakeLab"]
    assert len(english) + 4 == 74  # four rows are not legible in our copy
    spanish, _ = published_runs("es")
    assert len(spanish) == 16
    assert spanish[0].r == {"wikipedia": 0.705, "newswire": 0.683}


@pytest.mark.parametrize("language", ["en", "es"])
def test_published_means_are_the_weighted_ones(language):
    weights = {"answers-forums": 375, "belief": 375, "wikipedia": 251, "newswire": 500}
    runs, baselines = published_runs(language)
    for run_ in [*runs, *baselines]:
        if None in run_.r.values() or run_.mean is None:
            continue
        pairs = {name: weights.get(name, 750) for name in run_.r}
        mean = sum(pairs[name] * r for name, r in run_.r.items()) / sum(pairs.values())
        assert run_.mean == pytest.approx(mean, abs=0.0011 if language == "es" else 0.0003)


def test_spanish_is_detected_by_name_and_our_model_is_not_run(ists, tmp_path, write_tsv, pairs):
    smaller = [(score * 0.8, one, two) for score, one, two in pairs]
    for name in ("wikipedia", "newswire"):
        write_tsv(tmp_path / f"{name}.tsv", smaller)
    assert language_of(find_data_sets(tmp_path)) == "es"
    outcome = ists("bench", "sts", tmp_path)
    assert outcome.code == 0
    assert "Our model is English" in outcome.out
    document = json.loads(ists("bench", "sts", tmp_path, "--format", "json").out)
    assert document["mean"] is None
    assert document["language"] == "Spanish"
    assert document["baseline_mean"] > 0


def test_training_data_is_marked(tmp_path, write_tsv):
    file = write_tsv(tmp_path / "OnWN.tsv")

    class Trained(Shy):
        seen = Seen(files=frozenset({sha256_of(file)}))

    report = run(find_data_sets(tmp_path), "en", Trained())
    assert report.document["sets"][0]["trained_on"]
    assert "TRAINING DATA of this model (6 of 6 pairs)" in report.text()


def test_pairs_of_the_training_data_are_counted(tmp_path, write_tsv, pairs):
    file = write_tsv(tmp_path / "news.tsv")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    write_tsv(tmp_path / "other.tsv", [(s, f"{one} Yes", two) for s, one, two in pairs])

    class Trained(Shy):
        seen = Seen(frozenset(fingerprint(two, one) for _, one, two in pairs[:4]))

    report = run(find_data_sets(tmp_path), "en", Trained())
    assert [(one["trained_on"], one["seen"]) for one in report.document["sets"]] == [
        (True, 4),
        (False, 0),
    ]
    assert "* news: TRAINING DATA of this model (4 of 6 pairs)" in report.text()


def test_given_outputs_were_not_trained_by_us(ists, shared, tmp_path):
    file = shared / "sts/2014/deft-news.test.tsv"
    output = tmp_path / "STS.output.deft-news.txt"
    output.write_text("".join(f"{n % 5}\n" for n, _ in enumerate(file.read_text().splitlines())))
    assert "TRAINING DATA" not in ists("bench", "sts", file, "--outputs", tmp_path).out


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.tsv", "4\tone sentence\n", "a.tsv:1: '4\\tone sentence' has 2 columns"),
        ("a.tsv", "four\tone\ttwo\n", "a.tsv:1: score 'four', expected a number"),
        ("a.tsv", "nan\tone\ttwo\n", "a.tsv:1: score 'nan' is not finite"),
        ("a.tsv", "7\tone\ttwo\n", "a.tsv:1: gold score 7, expected 0 to 5 (English)"),
        ("a.tsv", "4\tone\ttwo\n" * 5, "a.tsv: all gold scores are 4"),
        ("a.tsv", "4\tone\ttwo\n3\tone\ttwo\n", "a.tsv: 2 pairs, expected at least 4"),
        ("a.tsv", "", "a.tsv: is empty"),
        ("a.doc", "4\tone\ttwo\n", "no data set found"),
        ("STS.input.x.txt", "one\ttwo\n", "STS.gs.x.txt: no such file"),
    ],
)
def test_invalid_data_sets_give_a_one_line_error(ists, tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    outcome = ists("bench", "sts", tmp_path, "--baseline-only")
    assert outcome.code == 1
    assert not outcome.out
    assert words in outcome.err.splitlines()[-1]


def test_missing_and_short_outputs_are_rejected(ists, tmp_path, write_tsv):
    write_tsv(tmp_path / "a.tsv")
    (tmp_path / "out").mkdir()
    missing = ists("bench", "sts", tmp_path, "--outputs", tmp_path / "out")
    assert (missing.code, "no STS.output.a.txt found" in missing.err) == (1, True)
    (tmp_path / "out" / "a.txt").write_text("1\n2\n3\n")
    short = ists("bench", "sts", tmp_path / "a.tsv", "--outputs", tmp_path / "out")
    assert (short.code, "has 6 lines and" in short.err) == (1, True)


def test_outputs_cannot_be_combined_with_the_baseline_alone(ists, tmp_path, write_tsv):
    file = write_tsv(tmp_path / "a.tsv")
    assert ists("bench", "sts", file, "--outputs", tmp_path, "--baseline-only").code == 2


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        find_data_sets(tmp_path / "nowhere")


# Golden figures: if they change, the baseline is no longer the published one.
@pytest.mark.parametrize(
    ("file", "r"),
    [
        ("2012/MSRpar.test.tsv", 0.4334),
        ("2012/SMTeuroparl.test.tsv", 0.4542),
        ("2012/SMTnews.test.tsv", 0.3908),
        ("2013/FNWN.test.tsv", 0.2146),
        ("2013/headlines.test.tsv", 0.5399),
        ("2014/deft-news.test.tsv", 0.5957),
        ("2014/tweet-news.test.tsv", 0.6539),
    ],
)
def test_the_baseline_has_the_recorded_figures(shared, file, r):
    document = run(find_data_sets(shared / "sts" / file), "en", None).document
    assert document["baseline_mean"] == pytest.approx(r, abs=0.00005)
