"""The extension reads blocks exactly as the Python code does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import FormatError
from ists.compiled import kernels
from scorer import annotations
from scorer.annotations import read_bytes
from scorer.measures import NO_TOKENS, Link
from tests.samples import CAT_WA

pytestmark = pytest.mark.skipif(kernels is None, reason="the extension is not compiled")

_BLOCK = """<sentence id="{}" status="">
// A cat
{}
<source>
{}
</source>
<translation>
{}
</translation>
<alignment>
{}
</alignment>
</sentence>{}"""


def some_lines(*odd: str, usual: list[str]) -> st.SearchStrategy[str]:
    lines = st.sampled_from(usual) | st.sampled_from(odd)
    return st.lists(lines, max_size=6).map("\n".join)


_TOKENS = some_lines(
    "",
    "1 , ",
    "1, : ",
    "  \t7\t.\t:\t\r",
    "000000004 ' :",
    "1234567890 ? :",
    "3 :",
    "4 : :",
    "x . : ",
    "5 . : x",
    "6 .. : ",
    "7 \0 : ",
    "8 \udcff : ",
    "9 ’ : ",
    "<==> . :",
    usual=["1 A : ", "2 cat : ", "3 . : ", "12 , : ", '4 " : '],
)
_ALIGNMENTS = some_lines(
    "",
    "  ",
    "a",
    "//",
    "1 <==> 1 // EQUI",
    "1 <==> 1 // EQUI // 5",
    "1 <==> 1 // EQUI // 5 // a // b",
    "1 <==> 1 // EQUI // 5 ///",
    "1 <==> 1 // equi // 5x // a",
    "x 2 <==> 3 // BOGUS // // a",
    "4 // EQUI // 5 // a",
    "1 <==> 2 <==> 3 // EQUI // 5 // a",
    "0 <==> 0 // NOALI // NIL // a",
    "1\t2 <==> 1 // SIMI // 3 // \udcff",
    "\udce2\udc82<==> 1 // SIMI // 3 // a",
    "1 <==> 1 // EQUI // 5 // a \r",
    "1 <==> 1 // EQUI // 5 // a </b>",
    "</alignment>",
    "<alignment>",
    "1 <==> ² // EQUI // 5 // a",
    usual=[
        "1 <==> 1 // EQUI // 5 // A <==> A",
        "2 3 <==> 2 // SPE1_FACT // 4 // a <==> b",
        "0 <==> 3 // NOALI // NIL // -not aligned- <==> c",
        "4 <==> 0 // ALIC // NIL // d <==> -not aligned-",
        "4 <==> 3 // REL // 2.5 // \0 ½",
    ],
)
_BLOCKS = st.builds(
    _BLOCK.format,
    st.sampled_from(["1", "", "a b", "é", "\udcff"]),
    st.sampled_from(["// A dog", "", "// a < b", "// a <==> b"]),
    _TOKENS,
    _TOKENS,
    _ALIGNMENTS,
    st.sampled_from(["", "\n", "\n\n\n", "\r\n", "\n \n", "x"]),
)


def read_twice(data: bytes, as_gold: bool) -> tuple[object, object]:
    """Return what is read with the extension and without it, which may be an error."""
    return read(data, as_gold, kernels), read(data, as_gold, None)


def read(data: bytes, as_gold: bool, compiled: object) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(annotations, "kernels", compiled)
        patch.setattr(annotations, "_known", {})
        try:
            return read_bytes(data, "x.wa", 7, as_gold), annotations._known
        except FormatError as error:
            return str(error)


@given(_BLOCKS, st.booleans())
def test_the_same_is_read(text, as_gold):
    compiled, plain = read_twice(text.encode("utf-8", "surrogateescape"), as_gold)
    assert repr(compiled) == repr(plain)


@given(st.integers(0, len(CAT_WA)), st.integers(0, 12), st.binary(max_size=3), st.booleans())
def test_the_same_is_read_from_a_damaged_block(place, length, inserted, as_gold):
    data = CAT_WA.encode()
    damaged = data[:place] + inserted + data[place + length :]
    # As `wa.split` returns it: it begins with a header.
    compiled, plain = read_twice(b"<sentence" + damaged.removeprefix(b"<sentence"), as_gold)
    assert repr(compiled) == repr(plain)


def test_the_usual_layout_is_read_by_the_extension():
    def read_line(line: str) -> tuple[None, bool]:
        lines.append(line)
        return None, True

    lines: list[str] = []
    read = kernels.read_usual_block(CAT_WA.encode(), b".", {}, read_line, Link, NO_TOKENS)
    assert read == ("1", ((), (), {5}, {5}), True, CAT_WA.count("\n"))
    assert "\n".join(lines) in CAT_WA
    assert len(lines) == 4


def test_an_empty_set_is_not_created_again():
    read = kernels.read_usual_block(
        CAT_WA.encode(), b"", {}, lambda _: (None, True), Link, NO_TOKENS
    )
    assert read[1][2] is read[1][3] is NO_TOKENS


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, CAT_WA), (1, "."), (2, []), (3, len), (3, None), (4, Link.of), (5, set())],
)
def test_other_arguments_of_a_block_are_rejected(place, value):
    arguments = [CAT_WA.encode(), b".", {}, lambda _: (None, True), Link, NO_TOKENS]
    arguments[place] = value
    with pytest.raises(TypeError):
        kernels.read_usual_block(*arguments)
    with pytest.raises(TypeError):
        kernels.read_usual_block(*arguments[:5])
