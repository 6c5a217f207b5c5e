import csv
import json
import shutil

import pytest

from ists.bench.run_all import find
from tests.conftest import EXAMPLES


@pytest.fixture
def folder(tmp_path, write_tsv, pairs):
    """A folder with data of every benchmark, and other files."""
    root = tmp_path / "data"
    write_tsv(root / "sts" / "2013" / "headlines.test.tsv")
    write_tsv(root / "sts" / "2014" / "images.test.tsv")
    (root / "pilot").mkdir()
    shutil.copy(EXAMPLES / "gold.wa", root / "pilot" / "STSint.gs.images.wa")
    shutil.copy(EXAMPLES / "sentences.txt", root / "pilot")
    (root / "everyday").mkdir()
    shutil.copy(EXAMPLES / "gold.wa", root / "everyday" / "animals.wa")
    (root / "everyday" / "animals.accept.jsonl").write_text('{"id": "1", "links": []}\n')
    rated = [
        f"{sp}\t{one}\t{two}\t{score * 0.8:.2f}\t.5"
        for sp, (score, one, two) in enumerate(pairs, start=66)
    ]
    head = "sp\tsentence1\tsentence2\tmean\tsd"
    (root / "rated.tsv").write_text("\n".join([head, *rated, ""]))
    (root / "notes.tsv").write_text("a\tb\n")
    with (root / "related.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["Index", "SourceID", "SubsetID", "PairID", "Text", "Score"])
        for number in range(36):
            score, one, two = pairs[number % 6]
            text = f"{one} {number % 5}\n{two} {number % 3}"
            writer.writerow([number, "STS", "STS", f"p{number}", text, score / 5])
    return root


def test_only_the_data_of_benchmarks_is_found(folder):
    found = [(one.kind, one.files[0].name) for one in find(folder)]
    assert sorted(found) == [
        ("everyday", "animals.wa"),
        ("pilot", "STSint.gs.images.wa"),
        ("str2021", "related.csv"),
        ("sts", "headlines.test.tsv"),
        ("sts", "images.test.tsv"),
        ("stss131", "rated.tsv"),
    ]


def test_the_report_is_written_as_markdown_and_json(ists, folder, tmp_path):
    stem = tmp_path / "report"
    outcome = ists("bench", "all", folder, "-o", stem, "--baseline-only")
    assert outcome.code == 0
    document = json.loads(stem.with_suffix(".json").read_text())
    places = [one["data"] for one in document["reports"]]
    assert places == ["related.csv", "rated.tsv", "everyday", "sts/2013", "sts/2014"]
    markdown = stem.with_suffix(".md").read_text()
    for one in document["reports"]:
        assert f": {one['data']}\n" in markdown
        assert f"`{one['signature']}`" in markdown
        assert one["signature"] in outcome.out
    assert document["reports"][3]["sets"][0]["name"] == "sts/2013/headlines"


def test_our_system_runs_every_benchmark(ists, folder, tmp_path):
    stem = tmp_path / "report"
    outcome = ists("bench", "all", folder, "-o", stem)
    assert outcome.code == 0
    reports = json.loads(stem.with_suffix(".json").read_text())["reports"]
    by_title = {one["title"]: one for one in reports}
    assert len(by_title["The SemEval-2015 pilot"]["results"]) == 2
    systems = [one["system"] for one in by_title["Everyday English"]["results"]]
    assert systems == ["default", "default", "baseline", "baseline"]
    assert by_title["STS, English"]["mean"] > by_title["STS, English"]["baseline_mean"]
    assert by_title["STSS-131"]["r"] > 0.8
    kinds = [one["kind"] for one in by_title["STR-2021"]["figures"]]
    assert kinds == ["baseline", "not trained on STR", "trained on STR folds"]
    assert len(by_title["STR-2021"]["questions"]) == 16


def test_the_same_data_give_the_same_report(ists, folder, tmp_path):
    for name in ("a", "b"):
        ists("bench", "all", folder, "-o", tmp_path / name, "--baseline-only")
    for suffix in (".md", ".json"):
        one, other = ((tmp_path / name).with_suffix(suffix) for name in ("a", "b"))
        assert one.read_bytes() == other.read_bytes()


def test_invalid_data_leave_no_report(ists, folder, tmp_path):
    (folder / "rated.tsv").write_text("sp\tsentence1\tsentence2\tmean\n66\tone\ttwo\tmuch\n")
    stem = tmp_path / "report"
    stem.with_suffix(".md").write_text("precious")
    outcome = ists("bench", "all", folder, "-o", stem, "--baseline-only")
    assert outcome.code == 1
    assert "rated.tsv:2: score 'much', expected a number" in outcome.err
    assert stem.with_suffix(".md").read_text() == "precious"
    assert not stem.with_suffix(".json").exists()


def test_too_little_data_is_named(ists, folder, tmp_path):
    file = folder / "rated.tsv"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]))
    outcome = ists("bench", "all", folder, "--baseline-only", "-o", tmp_path / "report")
    assert outcome.code == 1
    assert f"{file}: 2 pairs, expected at least 4" in outcome.err


def test_a_folder_without_data_is_rejected(ists, tmp_path):
    outcome = ists("bench", "all", tmp_path, "-o", tmp_path / "report")
    assert (outcome.code, "no data of any benchmark found" in outcome.err) == (1, True)
    missing = ists("bench", "all", tmp_path / "nowhere")
    assert (missing.code, "no such folder" in missing.err) == (1, True)
    file = tmp_path / "notes.txt"
    file.touch()
    outcome = ists("bench", "all", file)
    assert (outcome.code, outcome.err) == (1, f"{file}: is a file, expected a folder\n")


def test_a_report_without_a_figure_is_not_written(ists, tmp_path):
    (tmp_path / "STSint.gs.images.wa").write_bytes((EXAMPLES / "gold.wa").read_bytes())
    outcome = ists("bench", "all", tmp_path, "--baseline-only", "-o", tmp_path / "report")
    assert outcome.code == 1
    assert f"{tmp_path}: only the pilot's data found, which has no baseline" in outcome.err
    assert len(list(tmp_path.iterdir())) == 1
