import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.errors import ModelError
from ists.resources import models_path
from ists.word_pieces import Vocabulary

_FILE = Path(models_path("words")) / "tokenizer.json"


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary(_FILE)


@pytest.fixture(scope="module")
def library():
    """The pieces by the library that wrote the file."""
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    tokenizer = tokenizers.Tokenizer.from_file(str(_FILE))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    "word",
    [
        *(
            "cat",
            "Cats",
            "U.S.",
            "antidisestablishmentarianism",
            "don't",
            "café",
            "naïve",
            "ΣΊΣΥΦΟΣ",
        ),
        *(
            "1,200",
            "€5",
            "…",
            "日本語",
            "a\x00b\u200d",
            "\x85",
            "\x0b",
            "İstanbul",
            "ﬁne",
            "🙂",
            "�",
            "",
        ),
        *("x" * 99, "x" * 101, "a b\tc\u00a0d", "www.example.org/~x?y=z", "–—‘’“”", "Ð", "ß", "ŉ"),
    ],
)
def test_a_word_has_the_pieces_of_the_library(word, vocabulary, library):
    assert vocabulary.pieces(word) == library(word)


# Scripts of which the library's tables of characters are complete.
_SIGNS = st.characters(max_codepoint=0x52F) | st.characters(
    min_codepoint=0x1E00, max_codepoint=0x206F
)


@given(st.text(_SIGNS, max_size=12))
@settings(max_examples=500)
def test_any_text_has_the_pieces_of_the_library(vocabulary, library, text):
    if not any(special in text for special in ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")):
        assert vocabulary.pieces(text) == library(text)


def test_the_words_of_the_data_have_the_pieces_of_the_library(shared, vocabulary, library):
    files = [*shared.glob("sts/201[34]/*.tsv"), *shared.glob("ists201*/**/*.wa")]
    words = {word for file in files for word in file.read_text(errors="replace").split()}
    assert [word for word in words if vocabulary.pieces(word) != library(word)] == []


def test_the_name_of_a_special_piece_is_text(vocabulary):
    assert len(vocabulary.pieces("[MASK]")) == 3


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"model": {"type": "BPE", "vocab": {}}}', '{"model": {"type": 1}}']
)
def test_another_file_is_rejected(text, tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_text(text)
    with pytest.raises(ModelError, match="not a tokenizer"):
        Vocabulary(file).pieces("cat")


def test_a_vocabulary_needs_no_other_part_of_the_file(tmp_path):
    file = tmp_path / "tokenizer.json"
    pieces = {"[UNK]": 100, "cat": 1, "##s": 2}
    file.write_text(json.dumps({"model": {"type": "WordPiece", "vocab": pieces}}))
    assert Vocabulary(file).pieces("Cats, dogs") == [1, 2, 100, 100]
