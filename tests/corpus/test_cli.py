import json

import pytest

from ists import read
from ists.corpus import folder
from tests.conftest import Outcome


def test_build_and_count(ists, corpus, data, tmp_path):
    out = tmp_path / "out"
    outcome = ists("corpus", "build", data, "-o", out, "--corpus", corpus.path)
    assert outcome.code == 0
    assert "real-small-talk.wa: 1 pairs" in outcome.err
    assert ists("check", "--guidelines", *out.glob("[er]*.wa")).code == 0
    outcome = ists("corpus", "stats", out)
    assert outcome.out.splitlines()[0].split()[:4] == ["corpus", "pairs", "chunks", "links"]
    assert outcome.out.splitlines()[-1].split()[:4] == ["all", "4", "22", "8"]


def test_everyday_pairs_need_no_data(ists, corpus, tmp_path):
    arguments = ["corpus", "build", "-o", tmp_path / "out", "--corpus", corpus.path]
    outcome = ists(*arguments)
    assert outcome.code == 2
    assert "real and official pairs need DATA" in outcome.err
    assert ists(*arguments, "--only", "everyday").code == 0
    assert [pair.id for pair in read(tmp_path / "out" / "everyday-talk.wa")] == ["1"]
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_check_lists_problems(ists, corpus, data):
    arguments = ["corpus", "check", data, "--corpus", corpus.path]
    assert ists(*arguments) == Outcome(0, "", "")
    file = corpus.file("talk")
    file.write_text(file.read_text().replace("EQUI // 5", "EQUI // 4"))
    outcome = ists(*arguments)
    assert outcome.code == 1
    assert outcome.out.startswith(f"{file}:20: pair 1: EQUI has score 4, expected 5\n")
    assert outcome.err.endswith("found\n")


def test_agreement_is_printed(ists, corpus, data):
    arguments = ["corpus", "agreement", data, "--corpus", corpus.path]
    assert ists(*arguments).out.splitlines()[3].split()[:3] == ["all", "2", "1.000"]
    assert "pair r1, label" in ists(*arguments, "--disagreements", "5").out
    assert ists(*arguments, "--format", "markdown").out.startswith("| part | pairs |")
    record = json.loads(ists(*arguments, "--format", "json").out)
    assert record["real"]["accepted"] == 0.5
    assert record["all"]["disagreements"][0]["pair_id"] == "r1"


@pytest.mark.parametrize("command", ["check", "agreement", "stats"])
def test_a_folder_that_is_not_the_corpus_is_rejected(ists, tmp_path, command):
    outcome = ists("corpus", command, "--corpus", tmp_path)
    assert outcome.code == 1
    assert "no written/*.wa, expected the folder data/everyday" in outcome.err
    outcome = ists("corpus", command, "--corpus", tmp_path / "nowhere")
    assert "nowhere: no such folder" in outcome.err


def test_a_missing_data_folder_is_named(ists, corpus):
    outcome = ists("corpus", "check", "no-data", "--corpus", corpus.path)
    assert (outcome.code, outcome.err) == (1, "no-data: no such folder\n")


def test_an_installed_package_reports_where_to_get_the_corpus(ists, monkeypatch, tmp_path):
    monkeypatch.setattr(folder, "data_path", lambda *_: tmp_path)
    outcome = ists("corpus", "stats")
    assert outcome.code == 1
    assert "not part of an installed package" in outcome.err
    assert "--corpus" in outcome.err
