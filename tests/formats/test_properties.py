"""Properties of all formats, for any pairs and any bytes."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ists.errors import FormatError
from ists.formats import brackets, jsonl, wa, xml
from ists.formats.problems import valid_pairs
from tests.samples import CAT_WA, distinct_pairs

FORMATS = [wa, jsonl, xml]


@pytest.mark.parametrize("module", FORMATS)
@given(distinct_pairs())
@settings(deadline=None)
def test_any_pairs_come_back_as_they_were(module, pairs):
    stream = io.BytesIO()
    module.write(pairs, stream)
    back = list(valid_pairs(module.scan(io.BytesIO(stream.getvalue()), "x"), "2016"))
    assert back == pairs


def read_anything(module, data: bytes) -> None:
    try:
        if module is brackets:
            list(brackets.read(io.BytesIO(data), "x"))
        else:
            list(valid_pairs(module.scan(io.BytesIO(data), "x"), "2015"))
    except FormatError:
        pass


@pytest.mark.parametrize("module", [*FORMATS, brackets])
@given(st.binary())
@settings(deadline=None)
def test_any_bytes_end_in_pairs_or_a_format_error(module, data):
    read_anything(module, data)


@pytest.mark.parametrize("module", [*FORMATS, brackets])
@given(st.data())
@settings(deadline=None)
def test_nearly_valid_files_end_in_pairs_or_a_format_error(module, data):
    stream = io.BytesIO()
    if module is brackets:
        stream.write(b"[ A cat ] [ sits ]\n" * 3)
    else:
        module.write(wa_pairs(), stream)
    sound = stream.getvalue()
    start = data.draw(st.integers(0, len(sound)))
    end = data.draw(st.integers(start, min(len(sound), start + 20)))
    read_anything(module, sound[:start] + data.draw(st.binary(max_size=8)) + sound[end:])


def wa_pairs():
    return list(valid_pairs(wa.scan(io.BytesIO(CAT_WA.encode()), "x"), "2015"))
