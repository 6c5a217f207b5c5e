"""Reading input pairs and sentences."""

import json

import pytest

from ists import FormatError
from ists.formats.rows import RejectedItem, raise_rejected
from ists.formats.sentences import scan_pairs, scan_sentences, scan_two_files
from tests.samples import CAT_WA

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
RIGHT = "[ A cat ] [ sits ]\n"


def written(path, text):
    path.write_text(text, newline="")
    return path


def texts(items):
    return [(item.id, str(item.sentence1), str(item.sentence2)) for item in raise_rejected(items)]


def test_the_columns_of_sick_are_found_by_their_names(tmp_path):
    file = written(tmp_path / "s.tsv", SICK + "7\tA cat\tA dog\t3.6\tNEUTRAL\n")
    assert texts(scan_pairs(file, "tsv")) == [("7", "A cat", "A dog")]


def test_real_files_are_read_by_their_sentences(shared):
    for file, header in (
        (shared / "sick2014" / "SICK_trial.txt", 1),
        (shared / "sts" / "2012" / "MSRpar.test.tsv", 0),
        (shared / "snli" / "test.tsv", 0),
        (shared / "stss131" / "stss131.tsv", 1),
    ):
        lines = file.read_text(encoding="utf-8").rstrip("\n").split("\n")[header:]
        pairs = [
            (str(one.sentence1), str(one.sentence2))
            for one in raise_rejected(scan_pairs(file, "tsv"))
        ]
        assert pairs == [tuple(line.rstrip("\r").split("\t")[1:3]) for line in lines]


def test_a_score_may_be_first_or_last(tmp_path):
    for text in ("4.5\tA cat\tA dog\n", "A cat\tA dog\t4.5\n", "A cat\tA dog\n"):
        file = written(tmp_path / "p.tsv", text)
        assert texts(scan_pairs(file, "tsv")) == [("1", "A cat", "A dog")]


def test_pairs_below_a_header_are_numbered_from_one_and_named_by_their_line(tmp_path):
    file = written(tmp_path / "p.tsv", "sentence1\tsentence2\nA\tB\nno tab\nC\tD\n")
    one, bad, three = scan_pairs(file, "tsv")
    assert (one.id, one.line, three.id, three.line) == ("1", 2, "3", 4)
    assert str(bad.error).startswith(f"{file}:3: 'no tab' has no tab")


def test_the_first_rows_decide_not_only_the_first_one(tmp_path):
    rows = [f"{word}\tA cat {n}\tA dog {n}\n" for n, word in enumerate(("ja", "nein", "ja") * 3)]
    file = written(tmp_path / "p.tsv", "".join(rows))
    assert texts(scan_pairs(file, "tsv"))[0] == ("1", "A cat 0", "A dog 0")
    with pytest.raises(
        FormatError, match=r"p\.tsv:1: cannot decide which two of the 3 columns .* --columns"
    ):
        list(scan_pairs(written(file, rows[0]), "tsv"))
    assert texts(scan_pairs(file, "tsv", columns=("2", "3"))) == [("1", "A cat 0", "A dog 0")]


def test_a_repeated_id_is_rejected(tmp_path):
    file = written(tmp_path / "s.csv", "id,s1,s2\n7,A,B\n7,C,D\n,E,F\n")
    one, bad, three = scan_pairs(file, "csv")
    assert (one.id, three.id) == ("7", "3")
    assert str(bad.error).startswith(f"{file}:3: pair 7: this id is already")


def test_csv_holds_commas_quotes_and_line_breaks(tmp_path):
    text = 'sentence1,sentence2\r\n"A cat, ""Tom"",\r\nsits",A dog\r\n\r\nC,D\r\n'
    one, two = raise_rejected(scan_pairs(written(tmp_path / "p.csv", text), "csv"))
    assert one.sentence1.text == 'A cat, "Tom",\r\nsits'
    assert (two.id, two.line, two.sentence1.text) == ("2", 5, "C")


def test_csv_errors_have_their_line_and_the_rest_is_read(tmp_path):
    file = written(tmp_path / "p.csv", 'A,B\nC,"D"x\nE,F" G\nH,I\n"J,K\nL,M\n')
    items = list(scan_pairs(file, "csv"))
    assert [str(item.error) for item in items if isinstance(item, RejectedItem)] == [
        f"{file}:2: 'x' after a closing quote, expected quotes around the whole field, and "
        "doubled inside it",
        f"{file}:3: a quote inside a field without quotes, expected quotes around the whole "
        "field, and doubled inside it",
        f"{file}:5: a quote is not closed, expected quotes around the whole field, and doubled "
        "inside it",
    ]
    assert [str(item.sentence1) for item in items if not isinstance(item, RejectedItem)] == [
        "A",
        "H",
    ]


@pytest.mark.parametrize("text", ["A cat;A dog\nA hen;An owl\n", "sep=;\nid;text1;text2\n1;A;B\n"])
def test_columns_separated_by_semicolons_are_reported(tmp_path, text):
    file = written(tmp_path / "p.csv", text)
    reason = r"p\.csv:1: the columns seem to be separated by semicolons, expected commas: save"
    for scan in (scan_pairs, scan_sentences):
        with pytest.raises(FormatError, match=reason):
            list(scan(file, "csv"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\n" + CAT_WA, "an aligned file (.wa)"),
        ('{"id": "1", "tokens1": ["A"]}\n', "a file of JSON objects (.jsonl)"),
        ("<?xml version='1.0'?>\n<ists>\n", "an XML file"),
        ("<ists>\n", "an XML file"),
    ],
)
def test_files_of_other_formats_are_not_sentences(tmp_path, text, what):
    file = written(tmp_path / "x", text)
    for read in (scan_sentences(file), scan_two_files(file, file, bracketed=None)):
        with pytest.raises(FormatError) as caught:
            list(read)
        assert str(caught.value) == f"{file}: is {what}, expected one sentence per line"


def test_sentences_may_begin_with_signs_of_other_formats(tmp_path):
    for line in ("{}", "{ a set }", "<b> is a tag .", "<sentence> is one , too .", "[1]"):
        file = written(tmp_path / "x", f"{line}\n{CAT_WA}")
        assert str(next(scan_sentences(file)).sentence) == line


def test_one_column_is_reported_without_mentioning_rows_that_are_not_there(tmp_path):
    (bad,) = scan_pairs(written(tmp_path / "p.csv", "A cat\n"), "csv")
    assert bad.error.reason == (
        "'A cat' has no comma between columns, expected two sentences separated by one"
    )


def test_a_file_that_is_not_utf_8_has_one_warning(tmp_path):
    file = tmp_path / "p.txt"
    file.write_bytes("A cat\nA café\nA café\n".encode("latin-1"))
    reason = f"{file}:2: is not valid UTF-8, and later lines may not be"
    for items in (scan_sentences(file), scan_two_files(file, tmp_path / "b", bracketed=False)):
        written(tmp_path / "b", "A\nB\nC\n")
        (warning,) = (one for item in items for one in item.warnings)
        assert warning.startswith(reason)
    for format_, between in (("tsv", b"\t"), ("csv", b","), ("jsonl", b"")):
        row = b"A caf\xe9" + between + b"B\n"
        if format_ == "jsonl":
            row = b'{"sentence1": "A caf\xe9", "sentence2": "B"}\n'
        file.write_bytes(row * 2)
        one, two = scan_pairs(file, format_)
        assert (len(one.warnings), two.warnings) == (1, ())


def test_an_empty_table_has_no_pairs(tmp_path):
    for format_ in ("tsv", "csv"):
        file = written(tmp_path / f"p.{format_}", "")
        assert list(scan_pairs(file, format_)) == []
        assert list(scan_pairs(file, format_, columns=("a", "b"))) == []


def test_the_columns_of_jsonl_are_chosen_by_name(tmp_path):
    record = {"id": "x", "premise": "A cat", "hypothesis": "A dog"}
    file = written(tmp_path / "p.jsonl", json.dumps(record) + "\n")
    chosen = ("premise", "hypothesis")
    assert texts(scan_pairs(file, "jsonl", columns=chosen)) == [("x", "A cat", "A dog")]
    with pytest.raises(FormatError, match="JSONL have names, not numbers"):
        list(scan_pairs(file, "jsonl", columns=("1", "2")))
    (bad,) = scan_pairs(file, "jsonl", columns=("premise", "nonsense"))
    assert "no 'nonsense' among the keys 'id', 'premise', 'hypothesis', expected" in str(bad.error)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"sentence1": 5, "sentence2": "B"}', "'sentence1' is 5, expected a string"),
        ('{"sentence1": null, "sentence2": "B"}', "'sentence1' is null, expected a string"),
        ('{"sentence1": ["A"], "sentence2": "B"}', "'sentence1' is a list, expected a string"),
        (
            '{"text1": "A", "text2": "B"}',
            "no 'sentence1' among the keys 'text1', 'text2', expected",
        ),
        ('{"id": null}', "no 'sentence1' among the keys 'id', expected a string"),
        ("{}", "no 'sentence1', expected a string"),
        ('["A", null]', "a list, expected a JSON object"),
        ('{"id": {}, "sentence1": "A"}', "'id' is an object, expected a string or a whole number"),
    ],
)
def test_a_wrong_value_of_jsonl_is_named_as_json(tmp_path, line, reason):
    (bad,) = scan_pairs(written(tmp_path / "p.jsonl", line + "\n"), "jsonl")
    assert str(bad.error).startswith(f"{tmp_path / 'p.jsonl'}:1: {reason}")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("A c\0at", "has a NUL character (U+0000), expected text"),
        ("A c\ud800at", "U+D800 is not a character, UTF-8 cannot encode it"),
    ],
)
def test_characters_that_no_text_file_holds_are_rejected(tmp_path, value, reason):
    chunks = {"chunks1": [["A"], [value.replace(" ", "")]]}
    for key, one in (
        ("sentence1", {"sentence1": value}),
        ("tokens1", {"tokens1": value.split()}),
        ("chunks1", chunks),
        ("id", {"id": value, "sentence1": "A"}),
    ):
        file = written(tmp_path / "p.jsonl", json.dumps({**one, "sentence2": "B"}) + "\n")
        (bad,) = scan_pairs(file, "jsonl")
        assert str(bad.error) == f"{file}:1: '{key}': {reason}"
    file.write_text(json.dumps({"sentence": value}) + "\n")
    (bad,) = scan_sentences(file, "jsonl")
    assert str(bad.error) == f"{file}:1: 'sentence': {reason}"


def test_a_nul_far_into_a_text_file_is_rejected_with_its_line(tmp_path):
    file = tmp_path / "s.txt"
    file.write_bytes(b"A cat sits .\n" * 500 + b"A\0B\tC\n")
    for items in (
        scan_two_files(file, file, bracketed=False),
        scan_sentences(file),
        scan_pairs(file, "csv"),
        scan_pairs(file, "tsv"),
    ):
        *_, bad = items
        assert str(bad.error) == f"{file}:501: has a NUL character (U+0000), expected text"


def test_an_escape_may_stand_for_a_byte_that_is_not_utf_8(tmp_path):
    file = written(tmp_path / "p.jsonl", '{"sentence1": "caf\\udce9", "sentence2": "B"}\n')
    (pair,) = raise_rejected(scan_pairs(file, "jsonl"))
    assert pair.sentence1.text == "caf\udce9"


@pytest.fixture
def parquet_file(tmp_path):
    def write(**columns):
        import pyarrow as pa
        from pyarrow import parquet

        file = tmp_path / "p.parquet"
        parquet.write_table(pa.table({name: [value] for name, value in columns.items()}), file)
        return file

    return write


def test_the_columns_of_parquet_are_found_or_chosen(parquet_file):
    file = parquet_file(label="x", sentence_A="A cat", sentence_B="A dog")
    assert texts(scan_pairs(file, "parquet")) == [("1", "A cat", "A dog")]
    chosen = scan_pairs(file, "parquet", columns=("sentence_b", "2"))
    assert texts(chosen) == [("1", "A dog", "A cat")]
    with pytest.raises(FormatError, match=r"p\.parquet: no column 'left', expected one of 1 'lab"):
        list(scan_pairs(file, "parquet", columns=("left", "2")))


def test_our_own_names_come_first_in_parquet(parquet_file):
    file = parquet_file(text1="x", text2="y", tokens1=["A", "cat"], sentence2="A dog")
    assert texts(scan_pairs(file, "parquet")) == [("1", "A cat", "A dog")]


def test_parquet_without_known_names_says_how_to_choose(parquet_file):
    file = parquet_file(left="A cat", right="A dog")
    with pytest.raises(
        FormatError, match="no 'sentence1' and 'sentence2', expected these, or --co"
    ):
        list(scan_pairs(file, "parquet"))


@pytest.mark.parametrize(
    ("format_", "text", "column", "found"),
    [
        ("csv", 'id,sentence\n1,"A cat, sits"\n', None, ["A cat, sits"]),
        ("csv", "id,left\n1,A cat\n", "left", ["A cat"]),
        ("csv", "id,left,score\n1,A cat,3\n", "2", ["A cat"]),
        ("csv", "1,A cat\n", None, ["A cat"]),
        ("tsv", SICK + "1\tA cat\tA dog\t3\tNEUTRAL\n", "2", ["A cat"]),
        ("tsv", "1\tA cat\n", None, ["A cat"]),
    ],
)
def test_single_sentences_are_read_from_a_column(tmp_path, format_, text, column, found):
    file = written(tmp_path / f"s.{format_}", text)
    items = raise_rejected(scan_sentences(file, format_, column))
    assert [item.sentence.text for item in items] == found


def test_a_column_of_sentences_that_is_missing_is_named(tmp_path):
    file = written(tmp_path / "s.csv", "id,left\n1,A cat\n")
    with pytest.raises(FormatError, match=r"s\.csv:1: no column 'right', expected one of 1 'id'"):
        list(scan_sentences(file, "csv", "right"))


def two(tmp_path, one, two):
    return written(tmp_path / "1.txt", one), written(tmp_path / "2.txt", two)


def test_repaired_lines_give_a_warning_with_file_and_line(tmp_path):
    files = two(tmp_path, RIGHT + "[ A cat ] [is ] [ here ]\n", RIGHT + "\n")
    for bracketed in (None, True):
        _, pair = raise_rejected(scan_two_files(*files, bracketed))
        assert pair.sentence1.chunks == (("A", "cat"), ("is",), ("here",))
        assert pair.sentence2.chunks == ()
        one, other = pair.warnings
        assert one.startswith(f"{files[0]}:2: '[is' is outside any chunk, expected")
        assert other.startswith(f"{files[1]}:2: an empty line, expected")


def test_the_official_files_of_2016_are_read(shared):
    folder = shared / "ists2016" / "train"
    files = [folder / f"STSint.input.answers-students.sent{n}.chunk.txt" for n in (1, 2)]
    pairs = list(raise_rejected(scan_two_files(*files, None)))
    assert len(pairs) == 330
    (warning,) = [warning for pair in pairs for warning in pair.warnings]
    assert warning.startswith(f"{files[0]}:203: a bracket opens inside a chunk")


def test_plain_text_is_not_repaired(tmp_path):
    files = two(tmp_path, "A cat sits\n", "A dog sits\n")
    (bad,) = scan_two_files(*files, bracketed=True)
    assert "'A' is outside any chunk" in str(bad.error)


def test_brackets_on_one_side_only_are_an_error(tmp_path):
    files = two(tmp_path, "\n" + RIGHT, "A cat\nA dog sits\n")
    with pytest.raises(FormatError, match=r"1\.txt: is bracketed, but .*2\.txt is not: expected"):
        list(scan_two_files(*files, None))
    file = written(tmp_path / "p.tsv", "[ A cat ]\tA dog\n")
    with pytest.raises(FormatError, match=r"p\.tsv:1: column 1 is bracketed, but column 2 is not"):
        list(scan_pairs(file, "tsv"))


def test_bracketed_files_may_begin_with_an_empty_line(tmp_path):
    files = two(tmp_path, "\n" + RIGHT, "\n" + RIGHT)
    _, pair = raise_rejected(scan_two_files(*files, None))
    assert pair.sentence1.chunks == (("A", "cat"), ("sits",))


def test_bracketed_columns_may_have_a_header(tmp_path):
    text = "sentence1\tsentence2\n[ A cat ] [is ]\t[ A dog ]\n[ A ]\t[ B ]\n"
    one, _ = raise_rejected(scan_pairs(written(tmp_path / "p.tsv", text), "tsv"))
    assert one.sentence1.chunks == (("A", "cat"), ("is",))
    assert len(one.warnings) == 1
