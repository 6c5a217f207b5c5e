"""Shared test data: a small pair, and hypothesis strategies for arbitrary pairs."""

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from ists.pairs import Alignment, Chunk, Flag, Relation, Sentence, SentencePair

CAT_PAIR = SentencePair(
    "1",
    Sentence.of(["A", "tabby", "cat", "sleeps", "."]),
    Sentence.of(["A", "cat", "is", "sleeping", "."]),
    (
        Alignment(
            Chunk((1, 2, 3)), Chunk((1, 2)), Relation.SPE1, 4.0, comment="A tabby cat <==> A cat"
        ),
        Alignment(
            Chunk((4,)), Chunk((3, 4)), Relation.EQUI, 5.0, comment="sleeps <==> is sleeping"
        ),
        Alignment(Chunk((5,)), None, Relation.NOALI, comment=". <==> -not aligned-"),
        Alignment(None, Chunk((5,)), Relation.NOALI, comment="-not aligned- <==> ."),
    ),
)

CAT_WA = """<sentence id="1" status="">
// A tabby cat sleeps .
// A cat is sleeping .
<source>
1 A :\x20
2 tabby :\x20
3 cat :\x20
4 sleeps :\x20
5 . :\x20
</source>
<translation>
1 A :\x20
2 cat :\x20
3 is :\x20
4 sleeping :\x20
5 . :\x20
</translation>
<alignment>
1 2 3 <==> 1 2 // SPE1 // 4 // A tabby cat <==> A cat\x20
4 <==> 3 4 // EQUI // 5 // sleeps <==> is sleeping\x20
5 <==> 0 // NOALI // NIL // . <==> -not aligned-\x20
0 <==> 5 // NOALI // NIL // -not aligned- <==> .\x20
</alignment>
</sentence>


"""


def any_text(forbidden: str, min_size: int = 0) -> st.SearchStrategy[str]:
    """Text that files can hold, including invalid UTF-8."""
    return (
        st.binary(min_size=min_size, max_size=12)
        .map(lambda data: data.decode("utf-8", "surrogateescape"))
        .filter(lambda text: not any(sign in text for sign in forbidden))
        .filter(lambda text: len(text) >= min_size)
    )


plain_ids = st.text("0123456789abcXYZ-._ é", max_size=6)
tokens = any_text(" \t\n\r", min_size=1)
sentences = st.builds(
    lambda words, text: Sentence.of(words) if text is None else Sentence(text, tuple(words)),
    st.lists(tokens, max_size=8),
    st.sampled_from([None, "free text", ""]),
)
scores = st.one_of(
    st.integers(0, 5).map(float),
    st.floats(0, 5, allow_nan=False, allow_subnormal=False),
)


# Making a strategy takes longer than drawing from it: each is made once.
_flags = st.frozensets(st.sampled_from(Flag))
_comments = st.none() | any_text("\n\r").map(lambda text: text.strip(" \t"))
_links = st.sampled_from([relation for relation in Relation if relation.links])
_lone = st.sampled_from([Relation.ALIC, Relation.NOALI])
_lone_scores = st.none() | scores
_missing = st.sampled_from(["nothing", "text 2", "texts", "tokens", "all"])
_sides = cache(st.sampled_from)


@cache
def chunks(length: int) -> st.SearchStrategy[Chunk]:
    positions = st.lists(st.integers(1, length), min_size=1, max_size=length, unique=True)
    return positions.map(lambda tokens: Chunk(tuple(sorted(tokens))))


@st.composite
def alignments(draw: st.DrawFn, length1: int, length2: int) -> Alignment:
    flags = draw(_flags)
    comment = draw(_comments)
    sides = tuple(side for side, length in ((1, length1), (2, length2)) if length)
    if len(sides) == 2 and draw(st.booleans()):
        relation = draw(_links)
        pair = draw(chunks(length1)), draw(chunks(length2))
        return Alignment(*pair, relation, draw(scores), flags, comment)
    side = draw(_sides(sides))
    chunk = draw(chunks(length1 if side == 1 else length2))
    relation = draw(_lone)
    score = draw(_lone_scores)
    return Alignment(
        chunk if side == 1 else None, chunk if side == 2 else None, relation, score, flags, comment
    )


@cache
def _lines(length1: int, length2: int) -> st.SearchStrategy[list[Alignment]]:
    return st.lists(alignments(length1, length2), max_size=5)


@st.composite
def pairs(draw: st.DrawFn) -> SentencePair:
    """Any pair that a file can hold, not only what the guidelines allow."""
    sentence1, sentence2 = draw(sentences), draw(sentences)
    length1, length2 = len(sentence1.words), len(sentence2.words)
    lines = ()
    if length1 or length2:
        lines = tuple(draw(_lines(length1, length2)))
    # A system file may leave out the sentences, the tokens or both.
    missing = draw(_missing)
    if missing == "text 2":
        sentence2 = replace(sentence2, text=None)
    if missing in ("texts", "all"):
        sentence1, sentence2 = replace(sentence1, text=None), replace(sentence2, text=None)
    if missing in ("tokens", "all"):
        sentence1, sentence2 = replace(sentence1, tokens=None), replace(sentence2, tokens=None)
    return SentencePair(draw(plain_ids), sentence1, sentence2, lines, draw(plain_ids))


def distinct_pairs() -> st.SearchStrategy[list[SentencePair]]:
    return st.lists(pairs(), min_size=1, max_size=4, unique_by=lambda pair: pair.id)
