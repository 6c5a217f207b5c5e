import random

import pytest

from ists.chunker.tagger import Chunker
from ists.formats.brackets import parse, render
from tests.conftest import EXAMPLES

SENTENCES = [
    "A tabby cat sleeps on the warm roof .",
    "Ferry sinks off Lisbon , 14 rescued",
    "Two children are building a sandcastle at the beach .",
    "The Minister May Resign In May",
    "",
    "cat",
    "The orchestra that toured Japan in spring has not yet come home .",
]


@pytest.fixture(scope="module")
def chunker():
    return Chunker.load()


def cut(chunker, lines, **options):
    return [
        render(s.chunks) for s in chunker.chunk_many([line.split() for line in lines], **options)
    ]


@pytest.mark.parametrize(
    "chunks",
    [
        "[ A tabby cat ] [ sleeps ] [ on the warm roof ] [ . ]",
        "[ Shares ] [ climb ] [ after bank report ]",
        "[ Two children ] [ are building ] [ a sandcastle ] [ at the beach ] [ . ]",
        "[ The lamp ] [ is ] [ in front of the window ] [ . ]",
        "[ A kettle and two cups ] [ on a shelf ] [ . ]",
    ],
)
def test_sentences_are_chunked_by_the_guidelines(chunker, chunks):
    tokens = [token for chunk in parse(chunks) for token in chunk]
    assert render(chunker.chunk(tokens).chunks) == chunks


def test_chunks_have_types_and_tokens_parts_of_speech(chunker):
    sentence = chunker.chunk(["The", "cat", "sleeps", "on", "the", "warm", "roof", "."])
    assert sentence.types == ("NP", "VP", "PP", "PUNCT")
    assert sentence.pos[:3] == ("DT", "NN", "VBZ")
    assert sentence.iob[:3] == ("B-NP", "I-NP", "B-VP")
    assert [chunk.type for chunk in sentence.positions(types=True)] == list(sentence.types)


def test_an_empty_sentence_has_no_chunks(chunker):
    sentence = chunker.chunk([])
    assert sentence.chunks == ()
    assert sentence.types == ()
    assert sentence.positions() == ()


def test_no_token_is_lost_or_moved(chunker):
    for line, chunks in zip(SENTENCES, cut(chunker, SENTENCES), strict=True):
        assert [token for chunk in parse(chunks) for token in chunk] == line.split()


@pytest.mark.parametrize("batch_size", [1, 2, 5, 64])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_chunks_do_not_depend_on_batches_order_or_threads(chunker, batch_size, threads):
    lines = SENTENCES * 3
    expected = dict(zip(SENTENCES, cut(chunker, SENTENCES), strict=True))
    random.Random(batch_size).shuffle(lines)
    found = cut(Chunker.load(threads=threads), lines, batch_size=batch_size)
    assert found == [expected[line] for line in lines]


def test_real_sentences_get_the_same_chunks_in_any_batch(chunker, shared):
    file = shared / "ists2015/train/STSint.input.headlines.sent1.txt"
    lines = file.read_bytes().decode("utf-8", "surrogateescape").split("\n")[:120]
    assert cut(chunker, lines, batch_size=1) == cut(chunker, lines, batch_size=32)


def test_a_sentence_of_ten_thousand_tokens_is_read_in_windows(chunker):
    tokens = (SENTENCES[0] + " ") * 1112
    sentence = chunker.chunk(tokens.split())
    assert len(sentence.tokens) > 10_000
    assert [token for chunk in sentence.chunks for token in chunk] == tokens.split()
    middle = [chunk for chunk in sentence.chunks if chunk == ("on", "the", "warm", "roof")]
    assert len(middle) > 1000


def test_windows_can_hold_tokens_of_many_pieces(chunker):
    tokens = ["/".join("abcdefghijklmnopqrstuvwxyz")] * 300
    assert sum(map(len, chunker.chunk(tokens).chunks)) == 300


@pytest.mark.parametrize(
    "tokens",
    [
        ["/".join("abcdefghijklmnopqrstuvwxyz")] * 300,
        ["Donaudampfschifffahrtskapitän"] * 400,
        SENTENCES[0].split() * 200,
        [SENTENCES[0].split()[n % 9] if n % 50 < 40 else "~" * 40 for n in range(900)],
    ],
    ids=["signs", "long words", "plain words", "mixed"],
)
def test_windows_advance_by_at_least_half_a_window(chunker, tokens):
    windows = chunker._windows(tokens)
    answered = [end - begin for _, begin, end in windows]
    assert sum(answered) == len(tokens)
    assert all(len(encoded.pieces) <= 512 for encoded, _, _ in windows)
    total = chunker._words.count(tokens)
    assert len(windows) <= 1 + total / 256
    for encoded, begin, end in windows[:-1]:
        assert begin <= 32
        assert len(encoded.first_piece) - end <= 32
        pieces_answered = (*encoded.first_piece, len(encoded.pieces) - 1)[
            end
        ] - encoded.first_piece[begin]
        assert pieces_answered >= 256


def test_a_window_of_plain_words_keeps_its_whole_context(chunker):
    windows = chunker._windows(SENTENCES[0].split() * 200)
    assert len(windows) > 3
    assert all(begin == 32 for _, begin, _ in windows[1:])
    assert all(len(encoded.first_piece) - end == 32 for encoded, _, end in windows[:-1])


@pytest.mark.parametrize("token", ["\x01", "🦀", "\udce9", "\u202e", "e\u0301", "x" * 3000])
def test_unusual_tokens_are_chunked(chunker, token):
    tokens = ["A", token, "cat", "sleeps"]
    assert sum(chunker.chunk(tokens).chunks, ()) == tuple(tokens)


def test_the_examples_get_nearly_the_gold_chunks(chunker):
    gold = [parse(line) for line in (EXAMPLES / "sent1.chunk.txt").read_text().splitlines()]
    lines = [" ".join(token for chunk in chunks for token in chunk) for chunks in gold]
    same = sum(a == render(b) for a, b in zip(cut(chunker, lines), gold, strict=True))
    assert same >= len(gold) - 2


@pytest.mark.parametrize("sentence", ["The cat", b"The cat", None, 3, ["The", 2]])
def test_anything_but_a_list_of_tokens_is_a_type_error(chunker, sentence):
    with pytest.raises(
        TypeError, match=r"sentence 1 is .*, expected tokens such as \['A', 'cat'\]"
    ):
        chunker.chunk(sentence)
    with pytest.raises(TypeError, match="sentence 2 is "):
        list(chunker.chunk_many([["fine"], sentence]))
