"""Modality of chunks."""

import pytest

from ists.lexicon import ModalityKind, factuality_differs, modality

CASES = """
wins|asserted
was arrested|asserted
the old park|asserted
may win|possible
might have won|possible
could reach|possible
possibly|possible
Perhaps|possible
is likely|possible
appears to be|possible
seems|possible
reportedly|reported
allegedly stole|reported
is said to own|reported
claims|reported
According to police|reported
plans to visit|planned
will win|planned
wo n't come|planned
is going to leave|planned
is going to the park|asserted
intends to sell|planned
is expected|planned
to visit|planned
To Visit|planned
to the park|asserted
to London|asserted
due to rain|asserted
is due to open|planned
must pay|obliged
have to leave|obliged
should wear|obliged
is required|obliged
are allowed to park|permitted
can use|permitted
if it rains|conditional
unless|conditional
would help|conditional
Is he|question
Did you see|question
What time|question
How many people|question
why|question
is open ?|question
could not find|asserted
a can|asserted
in May|asserted
when the ferry sank|asserted
how it works|asserted
|asserted
"""
FACTS = """
wins|may win|True
was killed|was reportedly killed|True
will visit|visits|True
to visit|visited|False
is to visit|will visit|True
plans to visit|visited|True
will win|might win|True
must pay|may pay|False
must pay|can pay|False
may win|could win|False
reportedly won|might have won|False
wins|won|False
is open|Is it open ?|False
pays|must pay|False
"""


@pytest.mark.parametrize("case", CASES.strip("\n").split("\n"))
def test_a_chunk_has_a_modality(case: str) -> None:
    chunk, kind = case.split("|")
    found = modality(chunk.split())
    assert found.kind is ModalityKind(kind)
    assert 0 <= found.strength <= 1
    assert (found.strength == 0) == (found.kind is ModalityKind.ASSERTED)


@pytest.mark.parametrize("case", FACTS.strip("\n").split("\n"))
def test_factuality_differs(case: str) -> None:
    one, other, differs = case.split("|")
    assert factuality_differs(one.split(), other.split()) is (differs == "True")
    assert factuality_differs(other.split(), one.split()) is (differs == "True")
