"""Names of chunks."""

import pytest

from ists.lexicon import NameMatch, name_match

CASES = """
Angela Merkel|Angela Merkel|same
ANGELA MERKEL|Angela Merkel|same
London|london|same
in London|from London|same
Obama 's|Obama|same
Apple|Apple Inc.|same
the United Nations|United Nations|same
U.S.|US|same
Angela Merkel|Merkel|surname
Mr. Smith|John Smith|surname
Dr. Jane Brown|Brown|surname
President Barack Obama|Obama|surname
J. Smith|John Smith|surname
Angela|Angela Merkel|surname
Chancellor Merkel|Angela Merkel|surname
The World Health Organization|The WHO|acronym
EU|European Union|acronym
The E.U.|the European Union|acronym
FDA|Food and Drug Administration|acronym
by NATO|by the North Atlantic Treaty Organization|acronym
Putin and Obama|Obama|coordinated1
Vladimir Putin and Barack Obama|Obama|coordinated1
Obama|Putin and Obama|coordinated2
France|Germany , France and Italy|coordinated2
France and Italy|Italy and France|same
France and Italy|Italy and Spain|partial
Bank of Japan|Bank of England|partial
John Smith|Mary Smith|partial
Stanford University|Harvard University|partial
Obama|Putin|different
in Paris|in Rome|different
Mr. Jones|Mr. Smith|different
EU|United Nations|different
Putin and Obama|Merkel|different
a dog|the cat|none
Obama|the president|none
He|She|none
Staff|Employees|none
The Visitors|Guests|none
Apple|Apple Corp|same
Paris|Rome|different
the old bank|Barclays|none
I|You|none
|Obama|none
,|.|none
"""


@pytest.mark.parametrize("case", CASES.strip("\n").split("\n"))
def test_two_names_compare(case: str) -> None:
    one, other, match = case.split("|")
    assert name_match(one.split(), other.split()) is NameMatch(match)
    mirrored = {"coordinated1": "coordinated2", "coordinated2": "coordinated1"}.get(match, match)
    assert name_match(other.split(), one.split()) is NameMatch(mirrored)
