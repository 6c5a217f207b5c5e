import csv as standard
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import FormatError
from ists.formats import csv
from ists.formats.text import numbered_lines

fields = st.text(alphabet='ab",\n \té', max_size=6)
tables = st.lists(st.lists(fields, min_size=2, max_size=4), max_size=4)


def records(data: bytes, longest: int = 1 << 20):
    return list(csv.records(numbered_lines(io.BytesIO(data)), longest))


def parsed(data: bytes):
    return [csv.parse(record.decode()) for _, record in records(data)]


@given(tables, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_csv_of_other_programs_is_read(table, end, quote_all):
    stream = io.StringIO(newline="")
    quoting = standard.QUOTE_ALL if quote_all else standard.QUOTE_MINIMAL
    standard.writer(stream, lineterminator=end, quoting=quoting).writerows(table)
    expected = [row for row in table if quote_all or any(map(str.strip, row)) or len(row) > 1]
    assert parsed(stream.getvalue().encode()) == expected


def test_fields_hold_commas_quotes_and_line_breaks():
    data = b'id,a\n1,"A cat, ""Tom"", sits\non the mat"\n\n2,plain'
    assert records(data) == [
        (1, b"id,a\n"),
        (2, b'1,"A cat, ""Tom"", sits\non the mat"\n'),
        (5, b"2,plain"),
    ]
    assert parsed(data)[1] == ["1", 'A cat, "Tom", sits\non the mat']


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ('a,5" disk', "a quote inside a field without quotes"),
        ('a,"b"c', "'c' after a closing quote"),
        ('a,"b', "a quote is not closed"),
    ],
)
def test_misplaced_quotes_are_reported(record, words):
    with pytest.raises(FormatError, match=words):
        csv.parse(record)


def semicolons(*lines):
    cells = []
    for line in lines:
        try:
            cells.append(csv.parse(line))
        except FormatError:
            cells.append([])
    return csv.is_separated_by_semicolons(lines, cells)


def test_columns_separated_by_semicolons_are_recognised():
    assert semicolons("A;B", "C;D")
    assert semicolons("sentence1;sentence2", "A cat, black;A dog", '"A; cat";"A dog, too"')
    assert semicolons("sep=;", "a;b;c")
    assert semicolons("A, b;C", "D;E")


def test_commas_are_not_taken_for_semicolons():
    assert not semicolons()
    assert not semicolons("A; b,C; d", "E; f,G; h")
    assert not semicolons("A", "B")
    assert not semicolons("A;B", "C,D", "E;F;G")
    assert not semicolons('A,"B;C"', "D;E,F")


def test_an_error_does_not_affect_the_next_records():
    data = b'a,5" disk\nb,"c"d\ne,f\n'
    assert [number for number, _ in records(data)] == [1, 2, 3]


def test_an_unclosed_quote_does_not_read_the_whole_file():
    data = b'a,"b\n' + b"c,d\n" * 10
    assert [number for number, _ in records(data, longest=12)] == [1, 4, 5, 6, 7, 8, 9, 10, 11]
    assert len(records(data)) == 1
