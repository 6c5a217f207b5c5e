"""The benchmark of everyday English, on our own example pairs."""

import json
import shutil
from dataclasses import dataclass, field, replace

import pytest
from lxml import etree

from ists import read, write
from ists.bench import everyday
from ists.bench.everyday import Theme, judge, read_themes
from ists.bench.everyday.acceptable import LabelCounts
from ists.bench.everyday.systems import load_models
from ists.bench.everyday.themes import Scenario
from ists.pairs import Alignment, Chunk, Evidence, Flag, Relation, SentencePair
from ists.resources import models_path
from ists.seen import Seen, fingerprint
from scorer import score
from tests.conftest import EXAMPLES
from tests.samples import CAT_PAIR

GOLD = EXAMPLES / "gold.wa"
EQUI, SIMI, SPE1 = ((relation, frozenset()) for relation in ("EQUI", "SIMI", "SPE1"))


def accept_line(pair: SentencePair, **more) -> dict:
    links = [
        {
            "tokens1": list(link.chunk1.tokens),
            "tokens2": list(link.chunk2.tokens),
            "accept": [[link.label, link.score], ["REL", 2]],
        }
        for link in pair.links
    ]
    return {"id": pair.id, "domain": "example", "phenomena": "any", "links": links, **more}


def write_lines(file, records) -> None:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def folder(tmp_path):
    """Two themes: one with acceptable labels, one without."""
    folder = tmp_path / "themes"
    folder.mkdir()
    pairs = list(read(GOLD))
    write(pairs[:4], folder / "animals.wa")
    write(pairs[2:], folder / "news.wa")
    write_lines(folder / "animals.accept.jsonl", map(accept_line, pairs[:4]))
    return folder


@pytest.fixture
def judged(folder, tmp_path):
    """Output of a cross-validation that finds everything."""
    judged = tmp_path / "judged"
    judged.mkdir()
    for theme in ("animals", "news"):
        for scenario in ("gold_chunks", "own_chunks"):
            shutil.copy(folder / f"{theme}.wa", judged / f"{theme}.{scenario}.wa")
    return judged


@dataclass(frozen=True)
class Copy:
    """A system that returns the gold with a given confidence."""

    sure: float | None = None
    seen: Seen = field(default_factory=Seen)
    name: str = "copy"
    identity: str = "copy"

    def align(self, theme: Theme, scenario: Scenario) -> list[SentencePair]:
        evidence = None if self.sure is None else Evidence(self.sure, self.sure)
        return [
            replace(pair, alignments=tuple(replace(a, evidence=evidence) for a in pair.alignments))
            for pair in theme.pairs
        ]


# Reading


def test_both_files_of_acceptable_labels_give_the_same(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for file in folder.glob("*.wa"):
        shutil.copy(file, other)
    pairs = list(read(folder / "animals.wa"))
    write_lines(other / "accept.jsonl", (accept_line(pair, corpus="animals") for pair in pairs))
    one, two = ([theme.acceptable for theme in read_themes(where)] for where in (folder, other))
    assert one == two
    assert list(map(len, one)) == [4, 0]
    assert one[0]["1"][(1, 2, 3), (1, 2)] == {SPE1, (Relation.REL, frozenset())}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": "99"}, "pair 99: animals.wa has no such pair"),
        ({"id": "1"}, "pair 1: its acceptable labels are given twice, expected once"),
        ({"id": None}, "no 'id', expected a string or a whole number"),
        ({"corpus": "news"}, "corpus 'news' in the file of 'animals'"),
        ({"links": None}, "no 'links', expected a list"),
        ({"links": [7]}, "link '7', expected a JSON object"),
        (
            {"links": [{"tokens1": [1], "tokens2": [2, 3], "accept": [["EQUI", 5]]}]},
            "pair 2: the gold has no link 1 <==> 2 3",
        ),
        (
            {"links": [{"tokens1": [1, 2], "tokens2": [1], "accept": ["EQUI"]}]},
            "'EQUI' in 'accept', expected [LABEL, SCORE]",
        ),
        (
            {"links": [{"tokens1": [1, 2], "tokens2": [1], "accept": []}]},
            "'accept' is empty, expected at least one label",
        ),
        (
            {"links": [{"tokens1": ["1"], "tokens2": [1], "accept": [["EQUI", 5]]}]},
            "'tokens1' has items that are not token numbers",
        ),
    ],
)
def test_an_invalid_line_of_acceptable_labels_is_reported_with_its_line(
    ists, folder, changes, reason
):
    file = folder / "animals.accept.jsonl"
    records = [json.loads(line) for line in file.read_text().splitlines()]
    write_lines(file, [records[0], records[1] | changes, *records[2:]])
    outcome = ists("bench", "everyday", folder)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"{file}:2: {reason}\n"


def test_an_unknown_label_is_reported_with_its_line(ists, folder):
    file = folder / "animals.accept.jsonl"
    file.write_text(file.read_text().replace('"REL"', '"NEAR"', 1))
    outcome = ists("bench", "everyday", folder)
    assert outcome.err.startswith(f"{file}:1: label 'NEAR', expected one of EQUI")


def test_acceptable_labels_without_their_gold_are_reported(ists, folder):
    (folder / "animals.wa").unlink()
    outcome = ists("bench", "everyday", folder)
    assert outcome.code == 1
    assert outcome.err.endswith(":1: pair 1: no animals.wa in the folder of this file\n")


def test_a_common_file_names_the_corpus_in_each_line(ists, folder):
    (folder / "animals.accept.jsonl").rename(folder / "accept.jsonl")
    outcome = ists("bench", "everyday", folder)
    assert outcome.code == 1
    assert outcome.err == (
        f"{folder / 'accept.jsonl'}:1: no 'corpus', expected the name of a gold file without its "
        "ending\n"
    )


def test_a_missing_or_empty_folder_is_reported(ists, tmp_path):
    nowhere = tmp_path / "nowhere"
    outcome = ists("bench", "everyday", nowhere)
    assert (outcome.code, outcome.err) == (1, f"{nowhere}: no such folder\n")
    nowhere.mkdir()
    outcome = ists("bench", "everyday", nowhere)
    assert outcome.code == 1
    assert outcome.err == f"{nowhere}: no .wa file found, expected gold files, one per theme\n"


def test_missing_data_of_an_installation_is_reported(ists, monkeypatch, tmp_path):
    monkeypatch.setattr("ists.resources._PACKAGE", tmp_path / "ists")
    outcome = ists("bench", "everyday")
    assert outcome.code == 1
    assert outcome.err == (
        "data/everyday/written is not in this installation, expected the name of a folder\n"
    )


def test_gold_chunks_that_do_not_cover_a_sentence_are_reported(ists, folder):
    file = folder / "news.wa"
    lines = file.read_text().splitlines(keepends=True)
    lone = next(place for place, line in enumerate(lines) if "NOALI" in line)
    file.write_text("".join(lines[:lone] + lines[lone + 1 :]))
    outcome = ists("bench", "everyday", folder)
    assert outcome.code == 1
    assert "pair 4: the chunks of sentence 1 do not cover it" in outcome.err
    assert outcome.err.startswith(f"{file}:")


def test_the_inputs_are_the_gold_chunks_or_the_gold_tokens(folder):
    theme = read_themes(folder)[0]
    chunked, bare = (theme.inputs(scenario)[0] for scenario in everyday.SCENARIOS)
    assert chunked.sentence1.chunks[0] == ("A", "tabby", "cat")
    assert bare.sentence1.tokens == theme.pairs[0].sentence1.tokens
    assert bare.file == str(folder / "animals.wa")


# Evaluation


def linked(tokens1, tokens2, relation, link=None, label=0.5, flags=frozenset()) -> Alignment:
    evidence = None if link is None else Evidence(link, label)
    score = 5.0 if relation is Relation.EQUI else 4.0
    return Alignment(Chunk(tokens1), Chunk(tokens2), relation, score, flags, evidence=evidence)


def test_the_acceptable_share_by_hand():
    acceptable = {((1, 2, 3), (1, 2)): frozenset({SPE1, EQUI}), ((4,), (3, 4)): frozenset({EQUI})}
    theme = Theme("cats", GOLD, (CAT_PAIR,), {"1": acceptable})

    def counted(*links: Alignment) -> LabelCounts:
        return judge(theme, [replace(CAT_PAIR, alignments=links)]).labels

    first = linked((1, 2, 3), (1, 2), Relation.EQUI)  # another label than the gold's, accepted
    second = linked((4,), (3, 4), Relation.SIMI)  # not accepted
    assert counted(first, second) == LabelCounts(links=2, as_gold=0, acceptable=1)
    assert counted(first, second).share == 0.5
    assert counted(first).share == 1
    assert counted(*CAT_PAIR.links) == LabelCounts(links=2, as_gold=2, acceptable=2)
    elsewhere = linked((1, 2), (1, 2), Relation.EQUI)  # chunks that the gold does not link
    assert counted(elsewhere, second) == LabelCounts(links=1, as_gold=0, acceptable=0)
    assert counted(elsewhere).share is None


def test_labels_with_and_without_a_flag_differ():
    fact = (Relation.SPE1, frozenset({Flag.FACT}))
    theme = Theme("cats", GOLD, (CAT_PAIR,), {"1": {((1, 2, 3), (1, 2)): frozenset({fact})}})
    plain = replace(CAT_PAIR, alignments=(linked((1, 2, 3), (1, 2), Relation.SPE1),))
    flagged = linked((1, 2, 3), (1, 2), Relation.SPE1, flags=fact[1])
    assert judge(theme, [plain]).labels.acceptable == 0
    assert judge(theme, [replace(plain, alignments=(flagged,))]).labels.acceptable == 1


def test_without_acceptable_labels_there_is_no_share():
    theme = Theme("cats", GOLD, (CAT_PAIR,))
    assert judge(theme, [CAT_PAIR]).labels.share is None


def test_calibration_by_hand():
    theme = Theme("cats", GOLD, (CAT_PAIR,))
    links = (
        linked((1, 2, 3), (1, 2), Relation.SPE1, link=0.95, label=0.65),  # right, right
        linked((4,), (3,), Relation.EQUI, link=0.75, label=0.85),  # right; no chunk of the gold
        linked((5,), (5,), Relation.EQUI, link=0.45, label=0.95),  # punctuation, not counted
    )
    figures = judge(theme, [replace(CAT_PAIR, alignments=links)])
    assert [one.count for one in figures.link.bins] == [0] * 7 + [1, 0, 1]
    assert figures.link.ece == pytest.approx((0.05 + 0.25) / 2)
    assert [one.count for one in figures.label.bins] == [0] * 6 + [1, 0, 0, 0]
    assert figures.label.ece == pytest.approx(0.35)


def test_a_partly_correct_link_counts_in_part():
    theme = Theme("cats", GOLD, (CAT_PAIR,))
    wide = linked((3, 4), (3, 4), Relation.EQUI, link=0.5)  # two of its four token links
    figures = judge(theme, [replace(CAT_PAIR, alignments=(wide,))])
    assert figures.link.total.share_right == 0.5
    assert figures.label.total.count == 0


def test_flags_have_their_own_precision_and_recall(folder):
    news = read_themes(folder)[1]
    found = judge(news, list(news.pairs))
    assert [found.flags[flag].f1.ali for flag in Flag] == [1, 1]
    bare = [
        replace(pair, alignments=tuple(replace(a, flags=frozenset()) for a in pair.alignments))
        for pair in news.pairs
    ]
    without = judge(news, bare)
    assert without.flags[Flag.FACT].recall.ali == 0
    assert without.flags[Flag.FACT].gold_weight == 1


def test_the_total_is_that_of_all_pairs(folder):
    themes = read_themes(folder)
    results = everyday.run(themes, [everyday.Baseline()], everyday.SCENARIOS[:1])
    gold, system = [], []
    for theme in themes:
        for pair, other in zip(
            theme.pairs, everyday.Baseline().align(theme, "gold chunks"), strict=True
        ):
            name = f"{theme.name} {pair.id}"
            gold.append(replace(pair, id=name))
            system.append(replace(other, id=name))
    whole = score(gold, system)
    (result,) = results
    assert result.total.report.f1 == pytest.approx(whole.f1)
    assert result.total.report.by_label() == whole.by_label()
    assert result.total.pairs == 10
    assert result.total.chunks.f1 == 1


def test_training_pairs_are_counted_and_marked(folder):
    themes = read_themes(folder)
    known = themes[0].pairs[0]
    seen = Seen(frozenset({fingerprint(str(known.sentence2), str(known.sentence1))}))
    systems = [Copy(seen=seen)]
    results = everyday.run(themes, systems)
    report = everyday.report(themes, systems, results)
    text = report.text()
    assert "* copy: TRAINING DATA of this model (1 of 10 pairs)" in text
    assert "Figures marked * are not a test" in text
    rows = [line.split() for line in text.splitlines() if line.startswith(("animals", "news"))]
    assert [row[2:4] for row in rows[:2]] == [["copy", "*"], ["copy", "1.0000"]]
    first = report.document["results"][0]
    assert (first["seen"], first["trained_on"]) == (1, True)
    assert [one["seen"] for one in first["themes"].values()] == [1, 0]
    unseen = everyday.report(themes, [Copy()], everyday.run(themes, [Copy()]))
    assert "TRAINING" not in unseen.text()
    assert "not a test" not in unseen.text()


def test_a_model_with_two_names_is_run_once(tmp_path):
    twin = shutil.copytree(models_path("pilot"), tmp_path / "twin")
    systems, notes = load_models(["pilot", str(models_path("pilot"))])
    assert [one.name for one in systems] == ["pilot"]
    assert notes == [f"pilot and {models_path('pilot')} are one model, which is run once."]
    systems, notes = load_models(["pilot", str(twin)])
    assert [one.name for one in systems] == ["pilot", str(twin)]
    assert notes == []


# The command


def test_models_and_baseline_are_in_one_table(ists, folder, tmp_path):
    plot = tmp_path / "calibration.svg"
    outcome = ists("bench", "everyday", folder, "--model", "pilot", "--baseline", "--plot", plot)
    assert outcome.code == 0
    text = outcome.out
    assert "Everyday English, gold chunks (10 pairs, 2 themes)" in text
    assert "Everyday English, system chunks (10 pairs, 2 themes)" in text
    assert text.count("> OPPO") == 2
    assert "F1 pilot  F1 baseline" in text
    assert "P pilot  R pilot  P baseline  R baseline" in text
    assert "Calibration, gold chunks: pilot (ECE of links 0." in text
    assert "No confidences, so no calibration: baseline." in text
    assert "(not known for news)" in text
    last = text.splitlines()[-1]
    assert last.startswith("ists|bench:everyday|data:2themes#")
    assert "|pairs:10|match:strict|model:pilot#" in last
    assert "+baseline|version:" in last
    root = etree.fromstring(plot.read_bytes())
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == 4


def test_json_has_everything(ists, folder):
    outcome = ists("bench", "everyday", folder, "--model", "pilot", "--format", "json")
    document = json.loads(outcome.out)
    assert document.keys() == {"signature", "themes", "systems", "results"}
    assert document["themes"] == [
        {"theme": "animals", "pairs": 4, "with_acceptable_labels": 4},
        {"theme": "news", "pairs": 6, "with_acceptable_labels": 0},
    ]
    assert [one["scenario"] for one in document["results"]] == list(everyday.SCENARIOS)
    figures = {
        *("pairs", "seen", "trained_on", "f1", "precision", "recall"),
        *("by_label", "flags", "acceptable", "chunks", "calibration"),
    }
    for result in document["results"]:
        assert result.keys() == {"system", "scenario", "themes", *figures}
        assert result["f1"].keys() == {"ali", "type", "score", "type_score"}
        assert result["by_label"]["OPPO"].keys() >= {"precision", "recall", "f1"}
        assert result["flags"].keys() == {"FACT", "POL"}
        assert result["acceptable"].keys() == {"share", "links", "as_gold", "acceptable"}
        assert result["calibration"].keys() == {"link", "label"}
        assert len(result["calibration"]["link"]["bins"]) == 10
        assert result["themes"].keys() == {"animals", "news"}
        assert all(one.keys() == figures for one in result["themes"].values())
    assert document["results"][0]["chunks"]["f1"] == 1
    assert document["results"][1]["chunks"]["f1"] < 1


def test_outputs_of_a_cross_validation_are_evaluated(ists, folder, judged):
    arguments = ("bench", "everyday", folder, "--cross-validated", judged)
    text = ists(*arguments).out
    rows = [line.split() for line in text.splitlines() if line.startswith("cross-validated")]
    assert [row[1:5] for row in rows] == [["1.0000"] * 4] * 2
    assert "No confidences, so no calibration: cross-validated." in text
    assert "TRAINING" not in text
    assert "|model:cross-validated#" in text
    document = json.loads(ists(*arguments, "--format", "json").out)
    assert document["results"][0]["calibration"] == {"link": None, "label": None}


def test_confidences_are_read_from_jsonl_if_it_exists(ists, folder, judged, tmp_path):
    for theme in read_themes(folder):
        for scenario in ("gold_chunks", "own_chunks"):
            pairs = Copy(sure=0.75).align(theme, "gold chunks")
            write(pairs, judged / f"{theme.name}.{scenario}.jsonl")
    plot = tmp_path / "plot.svg"
    arguments = ("bench", "everyday", folder, "--cross-validated", judged)
    document = json.loads(ists(*arguments, "--format", "json", "--plot", plot).out)
    link = document["results"][0]["calibration"]["link"]
    assert (link["ece"], link["bins"][7]["right"]) == (0.25, 1)
    assert plot.exists()


def test_a_plot_of_nothing_is_an_error(ists, folder, judged, tmp_path):
    plot = tmp_path / "plot.svg"
    outcome = ists("bench", "everyday", folder, "--cross-validated", judged, "--plot", plot)
    assert outcome.code == 1
    assert outcome.err.endswith(f"{judged}: the outputs have no confidences to plot\n")
    assert not plot.exists()


def test_outputs_for_another_gold_are_reported(ists, folder, judged):
    arguments = ("bench", "everyday", folder, "--cross-validated", judged)
    file = judged / "animals.gold_chunks.wa"
    original = file.read_text()
    file.write_text(original.replace("2 tabby : ", "2 ginger : "))
    assert "pair 1: the tokens of sentence 1 are not those of" in ists(*arguments).err
    file.write_text(original[original.index('<sentence id="2"') :])
    assert f"{file}: lacks pair 1 of {folder / 'animals.wa'}" in ists(*arguments).err
    file.write_text(original + original.replace('id="', 'id="x'))
    assert f"pair x1: is not in {folder / 'animals.wa'}" in ists(*arguments).err
    file.unlink()
    outcome = ists(*arguments)
    assert outcome.code == 1
    assert outcome.err.endswith(f"{file}: no such file or folder\n")


@pytest.mark.parametrize("confidence", ["high", {"link": 1.5, "label": 1}, {"label": None}])
def test_an_invalid_confidence_is_reported_with_its_line(ists, folder, judged, confidence):
    file = judged / "animals.gold_chunks.jsonl"
    write(read(folder / "animals.wa"), file)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    records[1]["alignments"][0]["confidence"] = confidence
    write_lines(file, records)
    outcome = ists("bench", "everyday", folder, "--cross-validated", judged)
    assert outcome.code == 1
    assert f"{file}:2: pair 2: " in outcome.err
    assert "confidence" in outcome.err


def test_the_files_of_crossval_are_evaluated(ists, folder, monkeypatch, tmp_path):
    pytest.importorskip("torch", reason="the extra 'train' is not installed")
    pytest.importorskip("sklearn", reason="the extra 'train' is not installed")
    from ists.train.aligner import train as aligner_training
    from ists.train.aligner.crossval import CrossValidation, Decisions
    from ists.train.aligner.jobs import SCENARIOS

    def sure(gold, *_, **__) -> CrossValidation:
        theme = Theme("all", folder, gold.pairs)
        pairs = tuple(Copy(sure=1.0).align(theme, "gold chunks"))
        return CrossValidation(gold, dict.fromkeys(SCENARIOS, pairs), Decisions(0.5, None))

    monkeypatch.setattr(aligner_training, "cross_validate", sure)
    judged = tmp_path / "written"
    assert ists("crossval", *sorted(folder.glob("*.wa")), "-o", judged).code == 0
    text = ists("bench", "everyday", folder, "--cross-validated", judged).out
    assert "Calibration, gold chunks: cross-validated (ECE of links 0.0000" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--cross-validated", "x", "--model", "pilot"),
            "--cross-validated cannot be combined with --model",
        ),
        (("--plot", "-"), "--plot needs a file: the figures are printed on standard output"),
        (("--plot", "x.png"), "'x.png' ends in '.png', expected .svg"),
    ],
)
def test_wrong_options_are_reported(ists, folder, arguments, message):
    outcome = ists("bench", "everyday", folder, *arguments)
    assert outcome.code == 2
    assert outcome.err.endswith(f"Error: {message}\n")


def test_a_missing_folder_of_outputs_is_reported(ists, folder, tmp_path):
    nowhere = tmp_path / "nowhere"
    outcome = ists("bench", "everyday", folder, "--cross-validated", nowhere)
    assert (outcome.code, outcome.err) == (1, f"{nowhere}: no such folder\n")
