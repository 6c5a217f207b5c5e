"""What a single word shows about its chunk, as bits: a chunk has the signs of all its words."""

from ists.lexicon import FunctionClass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEDGES = _words(
    "suspected alleged allegedly reportedly possible possibly likely believed may might could "
    "would accused claim claims claimed plan plans planned set due"
)

ALPHABETIC, CAPITALISED = 1, 2
"""Has letters only; begins with a capital as well."""
BE, HAVE, MODAL, HEDGE, JOINT, GROUP = 4, 8, 16, 32, 64, 128
DOUBTS, PUNCTUATION, PRONOUN, WORDED = 256, 512, 1024, 2048
"""Negates without being a negation word, …, has a letter or digit."""
_LISTED = {
    MODAL: _words("will would shall should can could may might must 'll 'd wo ca"),
    HAVE: _words("have has had having 've"),
    BE: _words("am is are was were be been being 'm 's 're"),
    HEDGE: HEDGES,
    JOINT: _words("and or ,"),
}
_GROUPS = _words("group couple pair crowd row flock herd bunch team series number")
_SIGNS_OF: dict[str, int] = {}
for _sign, _listed in _LISTED.items():
    for _word in _listed:
        _SIGNS_OF[_word] = _SIGNS_OF.get(_word, 0) | _sign


def signs_of(text: str, lemma: str, function: FunctionClass | None, doubts: bool) -> int:
    """Return the signs of a word."""
    signs = _SIGNS_OF.get(text.lower(), 0)
    if function is None and lemma in _GROUPS:
        signs |= GROUP
    elif function is FunctionClass.PUNCTUATION:
        signs |= PUNCTUATION
    elif function is FunctionClass.PRONOUN:
        signs |= PRONOUN
    if doubts:
        signs |= DOUBTS
    if text.isalpha():
        return signs | (ALPHABETIC | CAPITALISED | WORDED if text[0].isupper() else _PLAIN)
    return signs | WORDED if any(map(str.isalnum, text)) else signs


_PLAIN = ALPHABETIC | WORDED
