"""The finders of reasons, in the order in which their reasons are stated.

A finder looks at two compared chunks and gives reasons, each with the relations it may be named
for. It knows nothing of the label: what does not go with it is left out later. A new source of
evidence is one more function in this list.
"""

from collections.abc import Callable, Iterable

from ists.labeler.evidence.comparison import Comparison
from ists.labeler.evidence.differences import (
    additions,
    compounds,
    denial,
    directions,
    function_words,
    grammatical_number,
    modality,
    negation,
)
from ists.labeler.evidence.meaning import meanings
from ists.labeler.evidence.sameness import same_words, shared_words
from ists.labeler.evidence.values import amounts, measures, times
from ists.labeler.reasons import Reason

Finder = Callable[[Comparison], Iterable[Reason]]

FINDERS: tuple[Finder, ...] = (
    same_words,
    shared_words,
    amounts,
    measures,
    times,
    meanings,
    negation,
    denial,
    directions,
    compounds,
    additions,
    modality,
    grammatical_number,
    function_words,
)
