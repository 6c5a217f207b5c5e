"""The extension reads blocks and judges pairs exactly as the Python code does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ists import FormatError
from ists.compiled import kernels
from scorer import annotations, measures
from scorer.annotations import read_bytes
from scorer.measures import MATCHES, NO_TOKENS, Annotation, Link, judge_pair
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


_POSITIONS = st.integers(1, 12) | st.sampled_from([31, 32, 33, 64, 127, 128, 129, 10**9, -1])
_CHUNKS = st.frozensets(_POSITIONS, min_size=1, max_size=4)
_LABELS = st.sampled_from(["EQUI", "SIMI", "SPE1", "REL", "SIMI_FACT", "SPE1_SIMI", ""])
_LINKS = st.builds(
    Link.of,
    _CHUNKS,
    _CHUNKS,
    _LABELS.map(lambda label: frozenset(label.split("_"))),
    st.sampled_from([0.0, 1.0, 2.5, 4.0, 5.0, -3.0, 1e9]),
)
_FILES = st.lists(_LINKS, max_size=6).map(tuple)


def separate(links: list[Link]) -> tuple[Link, ...]:
    """Return the links that share no token with one before."""
    kept: list[Link] = []
    for link in links:
        if not any(link.tokens1 & one.tokens1 or link.tokens2 & one.tokens2 for one in kept):
            kept.append(link)
    return tuple(kept)


_SEPARATE = st.lists(_LINKS, max_size=10).map(separate)
_MARKS = st.frozensets(_POSITIONS, max_size=3)


@given(_SEPARATE | _FILES, _SEPARATE | _FILES, _MARKS, _MARKS, st.sampled_from(MATCHES))
def test_pairs_are_judged_the_same_to_the_last_bit(gold, system, marks1, marks2, match):
    pair = Annotation(gold, (), marks1, marks2), Annotation(system)
    compiled = judge_pair("1", *pair, match)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measures, "kernels", None)
        assert repr(compiled) == repr(judge_pair("1", *pair, match))


def link(*tokens: int) -> Link:
    return Link.of(frozenset(tokens), frozenset(tokens), frozenset({"EQUI"}), 5.0)


def judge(gold: tuple[Link, ...], system: tuple[Link, ...], skip: int = 0) -> object:
    return kernels.judge_links(gold, system, skip, "strict", lambda *_: (1.0, 0.5, 0.25))


def test_usual_links_are_judged_by_the_extension():
    gold, system = (link(1, 2), link(3)), (link(1), link(3))
    hits = ((2.0, 2.0, 1.0, 0.5), (1.5, 1.5, 0.75, 0.375))
    assert judge(gold, system) == (2.0, 3.0, *hits)


@pytest.mark.parametrize(
    "links",
    [
        (link(1, 2), link(2, 3)),
        (link(129),),
        (link(1)._replace(bits=0),),
        tuple(link(k + 1) for k in range(65)),
    ],
    ids=["a token in two links", "no bit for a token", "no bits", "too many links"],
)
def test_other_links_are_left_to_python(links):
    assert judge(links, ()) is None
    assert judge((), links) is None


def test_a_link_without_its_punctuation_in_several_links_is_left_to_python():
    """The order of its tokens in Python is not known."""
    gold, system = (link(1), link(2)), (link(1, 2, 3),)
    assert judge(gold, system) is not None
    assert judge(gold, system, skip=link(3).bits) is None


@pytest.mark.parametrize(
    "arguments",
    [
        ([], (), 0, "strict", len),
        ((), [], 0, "strict", len),
        ((), (), None, "strict", len),
        ((1,), (), 0, "strict", len),
        ((link(1)[:6],), (), 0, "strict", len),
        ((link(1)._replace(weight="1"),), (), 0, "strict", len),
        ((link(1)._replace(tokens1=(1,)),), (), 0, "strict", len),
        ((link(1),), (link(1),), 0, "strict", len),
        ((link(1),), (link(1),), 0, "strict", lambda *_: (1.0, 1.0)),
        ((link(1),), (link(1),), 0, "strict", lambda *_: (1.0, 1.0, "1")),
    ],
)
def test_other_arguments_of_a_judgement_are_rejected(arguments):
    with pytest.raises(TypeError):
        kernels.judge_links(*arguments)
    with pytest.raises(TypeError):
        kernels.judge_links(*arguments[:4])


@pytest.mark.parametrize("bits", [-4, 1 << 400])
def test_bits_that_no_tokens_have_are_rejected(bits):
    with pytest.raises((OverflowError, ValueError)):
        judge((link(1)._replace(bits=bits),), ())
