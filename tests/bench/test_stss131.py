import json

import pytest
from lxml import etree

from ists.bench.scatter import Axis, Point, scatter
from ists.bench.stss131 import judge, rate, read_pairs, report
from ists.bench.systems import TokenCosine
from ists.seen import Seen, fingerprint
from scorer.correlation import pearson

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def file(tmp_path, pairs):
    """Our own pairs in the data set's columns, two of them numbered as its calibration pairs."""
    numbers = [66, 67, 99, 70, 71, 72]
    lines = [
        f"{sp}\t{one}\t{two}\t{score * 0.8:.2f}\t0.5"
        for sp, (score, one, two) in zip(numbers, pairs, strict=True)
    ]
    lines.append("129\tNothing counts here\tNothing at all\t4.00\t0.1")
    path = tmp_path / "stss131.tsv"
    path.write_text("\n".join(["sp\tsentence1\tsentence2\tmean\tsd", *lines, ""]))
    return path


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("0.9\n0.71449\n0.2\n0.1\n0.12\n")
    return path


def test_the_calibration_pairs_are_left_out_and_ratings_rounded(file):
    pairs = read_pairs(file)
    assert len(pairs) == 7
    result = judge(pairs, "token cosine", rate(pairs, TokenCosine()))
    assert [pair.sp for pair in result.pairs] == ["66", "67", "70", "71", "72"]
    assert all(rating == round(rating, 3) for rating in result.ratings)
    assert result.ratings[0] == 1.0
    gold = [pair.rating for pair in result.pairs]
    assert result.correlation.r == pearson(gold, result.ratings).r


def test_ratings_are_of_all_pairs_or_without_calibration_pairs(ists, file, ratings, tmp_path):
    some = ists("bench", "stss131", file, "--ratings", ratings, "--format", "json")
    every = tmp_path / "all.txt"
    every.write_text("0.9\n0.71449\n0.77\n0.2\n0.1\n0.12\n0\n")
    whole = ists("bench", "stss131", file, "--ratings", every, "--format", "json")
    one, other = json.loads(some.out), json.loads(whole.out)
    assert one["r"] == other["r"] == round(one["r"], 3)
    assert one["pairs"] == 5
    assert one["ratings"] == other["ratings"]
    assert one["ratings"]["67"] == 0.714


def test_an_unknown_correlation_of_two_systems_is_reported(ists, file, ratings):
    arguments = ("bench", "stss131", file, "--ratings", ratings)
    document = json.loads(ists(*arguments, "--format", "json").out)
    assert [one["system"] for one in document["comparisons"]] == ["STASIS", "LSA"]
    assert [one["r"] for one in document["comparisons"]] == [0.636, 0.693]
    for one in document["comparisons"]:
        assert one["steiger"] is None
        weakest, strongest = one["steiger_bounds"]
        assert 0 < weakest["z"] < strongest["z"]
    assert "not known" in ists(*arguments).out


def test_a_known_correlation_of_two_systems_gives_steigers_z(ists, file, ratings, tmp_path):
    other = tmp_path / "stasis.txt"
    other.write_text("0.3\n0.9\n0.6\n0.2\n0.4\n")
    outcome = ists(
        *("bench", "stss131", file, "--ratings", ratings),
        *("--other", f"STASIS={other}", "--format", "json"),
    )
    stasis, lsa = json.loads(outcome.out)["comparisons"]
    assert stasis["system"] == "STASIS"
    assert stasis["steiger"]["z"] > 0
    assert lsa["steiger"] is None


def test_the_plot_has_a_mark_for_each_pair(ists, file, ratings, tmp_path):
    plot = tmp_path / "out.svg"
    assert ists("bench", "stss131", file, "--ratings", ratings, "--plot", plot).code == 0
    tree = etree.parse(plot)
    assert len(tree.findall(f"{SVG}circle")) == 5
    assert "SP67: 3.36, 0.714" in plot.read_text()
    before = plot.read_bytes()
    ists("bench", "stss131", file, "--ratings", ratings, "--plot", plot)
    assert plot.read_bytes() == before


def test_a_plot_must_be_an_svg_file(ists, file, ratings, tmp_path):
    plot = tmp_path / "out.png"
    outcome = ists("bench", "stss131", file, "--ratings", ratings, "--plot", plot)
    assert outcome.code == 2
    assert "ends in '.png', expected .svg" in outcome.err
    assert not plot.exists()


@pytest.mark.parametrize("plot", ["-", "/dev/stdout"])
def test_a_plot_cannot_go_to_standard_output(ists, file, ratings, plot):
    outcome = ists("bench", "stss131", file, "--ratings", ratings, "--plot", plot)
    assert (outcome.code, outcome.out) == (2, "")
    assert "--plot needs a file" in outcome.err


def test_a_plot_escapes_its_labels():
    axis = Axis("a < b & c", 0, 1)
    text = scatter("<script>\x00", axis, axis, [Point(0.5, 0.5, '"</title>')])
    root = etree.fromstring(text.encode())
    assert root.findtext(f"{SVG}circle/{SVG}title") == '"</title>'
    assert not root.findall(f".//{SVG}script")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("80\tone\ttwo", "stss131.tsv:9: '80\\tone\\ttwo' has 3 columns"),
        ("80\tone\ttwo\tmuch", "stss131.tsv:9: score 'much', expected a number"),
        ("80\tone\ttwo\t4.5", "stss131.tsv:9: rating 4.5, expected 0 to 4"),
    ],
)
def test_invalid_lines_are_named(ists, file, ratings, line, words):
    file.write_text(file.read_text() + line + "\n")
    outcome = ists("bench", "stss131", file, "--ratings", ratings)
    assert outcome.code == 1
    assert words in outcome.err


def test_a_file_without_the_header_is_rejected(ists, ratings):
    outcome = ists("bench", "stss131", ratings, "--ratings", ratings)
    assert (outcome.code, "expected the columns sp, sentence1" in outcome.err) == (1, True)


def test_a_wrong_number_of_ratings_is_rejected(ists, file, ratings):
    ratings.write_text("0.1\n0.2\n")
    outcome = ists("bench", "stss131", file, "--ratings", ratings)
    assert (outcome.code, "2 ratings, expected 5 or 7" in outcome.err) == (1, True)


def test_constant_ratings_are_named(ists, file, ratings):
    ratings.write_text("0.5\n" * 5)
    outcome = ists("bench", "stss131", file, "--ratings", ratings)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{file} and {ratings}: all system scores are 0.5")


def test_a_plot_does_not_replace_the_data(ists, file, ratings):
    before = file.read_bytes()
    outcome = ists("bench", "stss131", file, "--ratings", ratings, "--plot", file)
    assert (outcome.code, "is read by this command" in outcome.err) == (1, True)
    assert file.read_bytes() == before


def test_other_expects_a_name(ists, file, ratings):
    assert ists("bench", "stss131", file, "--ratings", ratings, "--other", "x.txt").code == 2


def test_the_real_data_set_has_64_pairs(shared):
    pairs = read_pairs(shared / "stss131" / "stss131.tsv")
    result = judge(pairs, "token cosine", rate(pairs, TokenCosine()))
    assert result.correlation.n == 64
    assert round(result.correlation.r, 3) == 0.592


def test_pairs_of_the_training_data_are_counted(file):
    pairs = read_pairs(file)
    result = judge(pairs, "token cosine", rate(pairs, TokenCosine()))
    seen = Seen(frozenset(fingerprint(*pair.sentences) for pair in pairs[:3]))
    marked = report(result, file, seen)  # one of the three only calibrates
    assert (marked.document["trained_on"], marked.document["seen"]) == (True, 2)
    assert "* TRAINING DATA of this model (2 of 5 pairs)" in marked.text()
    assert "TRAINING DATA" not in report(result, file).text()
