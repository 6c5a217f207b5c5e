import json
import sys

import pytest

from tests.conftest import EXAMPLES

GOLD = EXAMPLES / "sent1.chunk.txt"


@pytest.fixture
def sentences(tmp_path):
    file = tmp_path / "sentences.txt"
    file.write_text("The cat sleeps on the roof .\n\nThe dog doesn't sleep.\n")
    return file


def test_lines_become_bracketed_lines(ists, sentences):
    outcome = ists("chunk", sentences)
    assert outcome.out.splitlines() == [
        "[ The cat ] [ sleeps ] [ on the roof ] [ . ]",
        "",
        "[ The dog ] [ does n't sleep ] [ . ]",
    ]
    assert (outcome.code, outcome.err) == (0, "")


def test_types_can_be_named(ists, sentences):
    first = ists("chunk", "--types", sentences).out.splitlines()[0]
    assert first == "[ The cat ]/NP [ sleeps ]/VP [ on the roof ]/PP [ . ]/PUNCT"


def test_columns_and_json_hold_the_same_chunks(ists, sentences):
    columns = ists("chunk", "--format", "conll", "--types", sentences).out
    assert columns.startswith("The DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n")
    records = [
        json.loads(line)
        for line in ists("chunk", "--format", "jsonl", "--types", sentences).out.splitlines()
    ]
    assert records[0]["chunks"][2] == ["on", "the", "roof"]
    assert records[0]["types"] == ["NP", "VP", "PP", "PUNCT"]
    assert records[1] == {"tokens": [], "chunks": [], "types": [], "pos": []}


def test_tokens_can_be_left_alone(ists, sentences):
    outcome = ists("chunk", "--tokens", "whitespace", sentences)
    assert "doesn't" in outcome.out


def test_the_output_file_is_complete_or_absent(ists, sentences, tmp_path):
    out = tmp_path / "out.chunk.txt"
    assert ists("chunk", sentences, "-o", out).code == 0
    assert len(out.read_text().splitlines()) == 3
    assert ists("chunk", tmp_path / "missing.txt", "-o", out).code == 1
    assert len(out.read_text().splitlines()) == 3


def test_two_bracketed_files_are_compared_without_a_model(ists, tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text(
        GOLD.read_text().replace("[ A tabby cat ] [ sleeps ]", "[ A tabby cat sleeps ]")
    )
    outcome = ists("chunk", "--eval", GOLD, mine, "--model", "nowhere")
    assert "8 sentences, 7 of them with exactly the gold chunks" in outcome.out
    assert "1 × missing boundary before 'sleeps'" in outcome.out
    figures = json.loads(ists("chunk", "--eval", GOLD, mine, "--json").out)
    assert figures["chunks"]["both"] == figures["chunks"]["gold"] - 2


def test_the_model_is_evaluated_against_gold_chunks(ists, tmp_path):
    alone = json.loads(ists("chunk", "--eval", GOLD, "--json").out)
    text = tmp_path / "sentences.txt"
    text.write_text(GOLD.read_text().replace("[ ", "").replace(" ]", ""))
    given = json.loads(ists("chunk", "--eval", GOLD, text, "--json").out)
    assert alone == given
    assert alone["chunks"]["f1"] > 0.8


def test_conll_columns_are_evaluated_as_typed_chunks(ists, tmp_path):
    file = tmp_path / "columns.txt"
    file.write_text("The DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n. . O\n")
    outcome = ists("chunk", "--eval", file)
    assert outcome.out.splitlines()[1].split() == ["all", "1.0000", "1.0000", "1.0000", "2", "2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[ A [ cat ] ]\n[ b ]\n", ":1: a bracket opens inside a chunk"),
        ("[ A cat ]\n[ b ] c ]\n", ":2: 'c' is outside any chunk"),
    ],
)
def test_malformed_brackets_are_read_with_a_warning(ists, tmp_path, text, words):
    file = tmp_path / "x.chunk.txt"
    file.write_text(text)
    outcome = ists("chunk", "--eval", file, file)
    assert outcome.code == 0
    assert outcome.out.startswith("2 sentences, 2 of them with exactly the gold chunks")
    assert outcome.err.count(f"warning: {file}{words}") == 2
    assert outcome.err.endswith("2 lines were read with a warning\n")


def test_a_line_that_ends_inside_a_chunk_is_named(ists, tmp_path):
    file = tmp_path / "x.chunk.txt"
    file.write_text("[ A cat ]\n[ A dog\n")
    outcome = ists("chunk", "--eval", file, file)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{file}:2: a bracket is not closed at the end of the line")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", GOLD],
        ["--eval", GOLD, "-"],
        ["--eval", "-"],
        ["--eval", GOLD, "--with", "-"],
        ["--format", "pdf", GOLD],
        ["-", "--with", "-"],
    ],
)
def test_wrong_usage_exits_with_2(ists, arguments):
    assert ists("chunk", *arguments).code == 2


def test_an_unknown_model_is_reported(ists, sentences):
    outcome = ists("chunk", sentences, "--model", "nowhere")
    assert outcome.code == 1
    assert outcome.err.startswith("no model 'nowhere': ")


def test_invalid_bytes_and_control_characters_are_preserved(ists, tmp_path):
    file, out = tmp_path / "x.txt", tmp_path / "out.txt"
    file.write_bytes(b"A caf\xe9 \x01 closes\n\xf0\x9f\xa6\x80 walks\n")
    assert ists("chunk", file, "-o", out).code == 0
    words = out.read_bytes().replace(b"[ ", b"").replace(b" ]", b"")
    assert words == file.read_bytes()


@pytest.fixture
def columns(tmp_path):
    file = tmp_path / "chunked.conll"
    file.write_text(
        "The DT B-NP\ncat NN I-NP\nsits VBZ B-VP\non IN B-PP\nmats NNS B-NP\n. . O\n\n"
        "It PRP B-NP\nis VBZ B-VP\nstill RB I-VP\nopen JJ B-ADJP\n"
    )
    return file


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ((), "[ The cat ] [ sits ] [ on mats ] [ . ]\n[ It ] [ is ] [ still ] [ open ]\n"),
        (("--types",), "[ The cat ]/NP [ sits ]/VP [ on mats ]/PP [ . ]/PUNCT\n[ It ]/NP "),
        (
            ("--format", "conll"),
            "The DT B\ncat NN I\nsits VBZ B\non IN B\nmats NNS I\n. . B\n\nIt ",
        ),
        (("--format", "conll", "--types"), "The DT B-NP\ncat NN I-NP\nsits VBZ B-VP\non IN B-PP\n"),
        (
            ("--format", "jsonl"),
            '{"tokens": ["The", "cat", "sits", "on", "mats", "."], "chunks": [[',
        ),
    ],
)
def test_conll_chunks_become_the_guidelines_chunks(ists, columns, arguments, first):
    pytest.importorskip("nltk", reason="the extra 'nltk' is not installed")
    outcome = ists("chunk", "--from-conll", columns, *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(first)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("mats NNS E-NP", "5: 'E-NP' is not a chunk tag, expected O, B-TYPE or I-TYPE"),
        ("mats NNS", "5: 'mats NNS', expected token, part of speech and chunk tag"),
    ],
)
def test_a_bad_line_of_conll_is_named_and_nothing_is_written(ists, columns, tmp_path, line, reason):
    pytest.importorskip("nltk", reason="the extra 'nltk' is not installed")
    columns.write_text(columns.read_text().replace("mats NNS B-NP", line))
    out = tmp_path / "out.chunk.txt"
    outcome = ists("chunk", "--from-conll", columns, "-o", out)
    assert (outcome.code, outcome.err) == (1, f"{columns}:{reason}\n")
    assert not out.exists()


def test_conll_chunks_do_not_replace_their_file(ists, columns):
    before = columns.read_bytes()
    outcome = ists("chunk", "--from-conll", columns, "-o", columns)
    assert (outcome.code, columns.read_bytes()) == (1, before)
    assert "is read by this command, expected another name" in outcome.err


def test_conll_chunks_need_nltk(ists, columns, monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.delitem(sys.modules, "nltk.chunk", raising=False)
    outcome = ists("chunk", "--from-conll", columns)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        "chunk trees need nltk, which is not installed: pip install 'ists[nltk]'\n"
    )


@pytest.mark.parametrize(
    "option",
    [
        ("--model", "chunker"),
        ("--tokens", "spacy"),
        ("--batch-size", "8"),
        ("--from", "csv"),
        ("--column", "2"),
        ("--workers", "2"),
        ("--on-error", "skip"),
        ("--restart",),
        ("--profile",),
        ("--json",),
        ("--eval", GOLD),
        ("--with", GOLD),
    ],
)
def test_conll_chunks_need_no_chunker(ists, columns, option):
    outcome = ists("chunk", "--from-conll", columns, *option)
    assert outcome.code == 2
    assert f"--from-conll cannot be combined with {option[0]}\n" in outcome.err


PAIR = "How do I reset it?", "How can I reset the password?"


def test_a_sentence_is_chunked_with_the_other_one_as_align_does(ists, tmp_path):
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file, sentence in zip(files, PAIR, strict=True):
        file.write_text(sentence + "\n")
    chunked = ists("chunk", files[0], "--with", files[1])
    assert chunked.code == 0
    aligned = ists("align", *files, "--format", "wa")
    words = [line.split(" // ")[-1].split(" <==> ")[0] for line in aligned.out.splitlines()]
    for chunk in chunked.out.strip("[] \n").split(" ] [ "):
        assert chunk in words


def test_chunks_with_the_other_sentence_are_written_as_json(ists, tmp_path):
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file, sentence in zip(files, PAIR, strict=True):
        file.write_text(sentence + "\n")
    record = json.loads(ists("chunk", files[0], "--with", files[1], "--format", "jsonl").out)
    assert [token for chunk in record["chunks"] for token in chunk] == record["tokens"]


def test_chunks_with_the_other_sentence_are_compared_with_gold(ists):
    gold = [EXAMPLES / f"sent{side}.chunk.txt" for side in (1, 2)]
    figures = json.loads(ists("chunk", "--eval", gold[0], "--with", gold[1], "--json").out)
    assert figures["chunks"]["f1"] > 0.8


def test_other_sentences_of_another_number_are_rejected(ists, tmp_path):
    short = tmp_path / "short.chunk.txt"
    short.write_text("[ A cat ]\n")
    gold = EXAMPLES / "sent1.chunk.txt"
    outcome = ists("chunk", "--eval", gold, "--with", short)
    assert outcome.code == 1
    assert "has 1 lines, expected" in outcome.err


def test_types_are_not_known_of_chunks_with_the_other_sentence(ists, tmp_path):
    assert ists("chunk", "x.txt", "--with", "y.txt", "--types").code == 2
