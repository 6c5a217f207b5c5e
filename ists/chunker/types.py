"""The type of a chunk (NP, VP, PP, …), from the CoNLL-2000 tags and parts of speech of its tokens.

A chunk of ours may contain several of CoNLL's. By Abney's definition, a chunk extends from its
beginning to its head: a preposition, a subordinator or a verb at the beginning gives the type, else
the last CoNLL chunk inside, which has the head.
"""

from collections.abc import Sequence

_SIGNS = frozenset({".", ",", ":", "``", "''", "(", ")", "#", "$"})
_LEADING = ("PP", "SBAR", "VP")
_BY_TAG = (
    ("N", "NP"),
    ("CD", "NP"),
    ("PRP", "NP"),
    ("EX", "NP"),
    ("DT", "NP"),
    ("V", "VP"),
    ("MD", "VP"),
    ("RB", "ADVP"),
    ("JJ", "ADJP"),
    ("IN", "PP"),
    ("TO", "PP"),
    ("UH", "INTJ"),
    ("RP", "PRT"),
)


def chunk_type(tokens: Sequence[str], iob: Sequence[str], pos: Sequence[str]) -> str:
    """Return the type of a chunk, given its tokens, their IOB tags and parts of speech."""
    signs = (
        tag in _SIGNS or not any(sign.isalnum() for sign in token)
        for token, tag in zip(tokens, pos, strict=True)
    )
    if all(signs):
        return "PUNCT"
    if all(tag == "CC" for tag in pos):
        return "CONJ"
    inside = [
        mark[2:] for mark, tag in zip(iob, pos, strict=True) if mark != "O" and tag not in _SIGNS
    ]
    if not inside:
        return next((type_ for tag, type_ in _BY_TAG if pos[-1].startswith(tag)), "O")
    # A wh-word or subordinator before a verb: a simple subordinate clause, kept whole.
    if "VP" in inside[1:] and (pos[0].startswith("W") or inside[0] == "SBAR"):
        return "SBAR"
    return inside[0] if inside[0] in _LEADING else inside[-1]
