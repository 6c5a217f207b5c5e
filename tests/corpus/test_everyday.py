"""The corpus of this checkout."""

import re
import tomllib

import pytest

from ists.corpus import agreement, stats
from ists.corpus.build import parts
from ists.corpus.check import check
from ists.corpus.datasets import OFFICIAL, join
from ists.corpus.folder import open_corpus
from ists.models import open_model
from ists.pipeline import KIND
from ists.seen import Seen
from scorer.tables import as_markdown
from tests.conftest import ROOT

CORPUS = open_corpus()
THEMES = {
    "captions",
    "conversation",
    "forum",
    "headlines",
    "long",
    "minimal",
    "news",
    "opposition",
    "prose",
    "quantities",
    "questions",
    "rules",
    "service",
    "students",
}


def card_table(name: str) -> str:
    text = (CORPUS.path / "README.md").read_text(encoding="utf-8")
    return re.search(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", text, re.DOTALL)[1]


def test_all_themes_exist():
    assert set(CORPUS.themes) == THEMES
    assert {*CORPUS.second.themes} <= THEMES


@pytest.mark.parametrize("theme", CORPUS.themes)
def test_every_written_pair_is_well_formed(theme):
    for pair in CORPUS.written(theme):
        assert [*pair.problems(), *pair.violations()] == [], pair.id


def test_the_corpus_has_no_problem():
    assert list(map(str, check(CORPUS))) == []


def test_nothing_is_shared_with_the_data_sets_but_common_phrases(shared):
    assert list(map(str, check(CORPUS, shared))) == []


def test_no_model_was_trained_on_the_pairs_for_testing():
    seen = Seen.by(*(open_model(name, KIND) for name in ("default", "pilot")))
    pairs = [pair for theme in CORPUS.test.themes for pair in CORPUS.test.written(theme)]
    assert len(pairs) == 544
    assert seen.count([(str(pair.sentence1), str(pair.sentence2)) for pair in pairs]) == 0


def test_no_real_sentence_is_in_the_repository(shared):
    for corpus in (CORPUS, CORPUS.second):
        text = corpus.real_file.read_text(encoding="utf-8").lower()
        for pair in join(corpus.real(), shared):
            for sentence in (pair.sentence1, pair.sentence2):
                words = str(sentence).lower()
                assert len(sentence.words) < 4 or words not in text, pair.id


def test_the_corpus_can_be_built_with_the_data_sets(shared):
    built = {part.name: part for part in parts(CORPUS, shared)}
    assert {f"everyday-{theme}" for theme in THEMES} | {*OFFICIAL} < set(built)
    assert sum(part.pairs for name, part in built.items() if name.startswith("real-")) == 1000
    for name, file in OFFICIAL.items():
        assert built[name].content == (shared / file).read_bytes()


def test_the_data_card_has_the_current_counts():
    assert card_table("stats") == as_markdown(stats.table(stats.of_corpus(CORPUS)))


def test_the_data_card_has_the_current_agreement(shared):
    compared = agreement.compare(CORPUS, shared)
    assert card_table("agreement") == as_markdown(agreement.table(compared))


def test_the_wheel_has_all_data_but_the_corpus():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    targets = settings["tool"]["hatch"]["build"]["targets"]
    forced = {name for name in targets["wheel"]["force-include"] if name.startswith("data")}
    folders = {f"data/{folder.name}" for folder in (ROOT / "data").iterdir() if folder.is_dir()}
    assert forced == folders - {"data/everyday"}
    assert "data" in targets["sdist"]["include"]
