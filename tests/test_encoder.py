import pytest

from ists.encoder import SHAPES, WordPieces, feed, shape_of, shapes_of
from ists.errors import ModelError
from ists.resources import models_path


@pytest.fixture(scope="module")
def word_pieces():
    return WordPieces(models_path("chunker", "tokenizer.json"))


@pytest.mark.parametrize(
    ("token", "shape"),
    [
        ("cat", "lower"),
        ("Cat", "Title"),
        ("US", "UPPER"),
        ("A", "Letter"),
        ("iPhone", "miXed"),
        ("1,200", "number"),
        ("G20", "alnum"),
        (",", "sign"),
        ("—", "other"),
        ("pro-Peace", "miXed"),
    ],
)
def test_a_token_has_a_letter_shape(token, shape):
    assert SHAPES[shape_of(token)] == shape


def test_capitalised_sentences_have_shapes_of_their_own():
    prose, title = (
        shapes_of(["The", "cat", "sits", "on", "mats"]),
        shapes_of(["The", "Cat", "Sits", "On", "Mats"]),
    )
    assert max(prose) < len(SHAPES)
    assert min(title) >= len(SHAPES)


def test_a_unit_knows_where_its_tokens_begin(word_pieces):
    unit = word_pieces.unit(["Cats", "antidisestablish", "."], ["Dogs"])
    assert len(unit.here) == len(unit.before) == 4
    assert unit.before[0] == 0
    assert unit.before[1] == unit.here[0]
    assert unit.segments[unit.here[3]] == 1
    assert len(unit.pieces) == len(unit.shapes) == len(unit.segments)


@pytest.mark.parametrize("token", ["\x01", "\u200b", "\udce9", "🦀", "x" * 5000, "." * 5000])
def test_every_token_has_some_pieces_but_never_too_many(word_pieces, token):
    assert 1 <= len(word_pieces.of(token)) <= 24


def test_padding_does_not_move_a_token(word_pieces):
    units = [word_pieces.unit(["Cats", "sleep"]), word_pieces.unit(["Yes"])]
    arrays = feed(units, 8)
    assert arrays["here"].tolist() == [1, 2, 9]
    assert arrays["lengths"].tolist() == [4, 3]


def test_a_foreign_tokenizer_is_told(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="no tokenizer"):
        WordPieces(tmp_path / "tokenizer.json").of("cat")
