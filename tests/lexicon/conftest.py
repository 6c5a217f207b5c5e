from pathlib import Path

import pytest

from ists.lexicon import Lexicon, WordNet
from ists.lexicon.build import build
from tests.lexicon.tiny_wordnet import write_tiny_wordnet


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return Lexicon.load()


@pytest.fixture(scope="session")
def wordnet(lexicon: Lexicon) -> WordNet:
    return lexicon.wordnet


@pytest.fixture
def tiny_dict(tmp_path: Path) -> Path:
    return write_tiny_wordnet(tmp_path / "dict")


@pytest.fixture
def tiny_table(tiny_dict: Path, tmp_path: Path) -> Path:
    build(tiny_dict, tmp_path / "tiny.table")
    return tmp_path / "tiny.table"
