"""Features of chunks without a link: does the other sentence say the same elsewhere?

If it does, the chunk is ALIC: only the one-to-one rule prevents a link.
"""

from collections.abc import Collection, Sequence

import numpy as np

from ists.arrays import Floats
from ists.labeler.features import Feature
from ists.labeler.phrases import PhraseKind
from ists.labeler.views import PairView
from ists.labeler.words import SAME_MEANING
from ists.scored_pair import PairScores

LONE_FEATURES = (
    Feature("tokens", "how many tokens the chunk has"),
    Feature("content words", "how many content words the chunk has"),
    Feature("said", "share of content words the other sentence says, in whatever form"),
    Feature("said by taken chunks", "the same, in chunks that are aligned"),
    Feature("strength", "mean strength of the content words' closest relations"),
    Feature("head said", "the other sentence says the head"),
    Feature("verb chain", "the chunk looks like a verb chain"),
    Feature("prepositional", "the chunk opens with a preposition"),
    Feature("bare number", "the chunk is a number and no more"),
    Feature("place", "the chunk names a place"),
    Feature("position", "where in the sentence the chunk stands"),
    Feature("chunks", "how many chunks its sentence has"),
    Feature("other chunks", "how many chunks the other sentence has"),
    Feature("free chunks", "how many chunks of the other sentence are left alone"),
    Feature("aligned share", "share of its sentence's chunks that are aligned"),
    Feature("sentence overlap", "shared lemmas of the sentences against all"),
    Feature("network ALIC", "the network's probability of ALIC"),
    Feature("network taken", "the network's strongest link to a chunk that is taken"),
    Feature("network free", "the network's strongest link to a chunk left alone"),
)


def lone_features(
    view: PairView,
    scores: PairScores,
    place: int,
    taken1: Collection[int],
    taken2: Collection[int],
) -> tuple[float, ...]:
    """Return the features of chunk `place` of sentence 1, in the order of `LONE_FEATURES`.

    For a chunk of sentence 2, pass the swapped view and scores.
    """
    phrase = view.one.phrases[place]
    own, theirs = len(view.one.phrases), len(view.two.phrases)
    said = said_by_taken = 0
    strength = 0.0
    head_said = False
    for word in phrase.content:
        best, same, same_taken = 0.0, False, False
        for at, other in enumerate(view.two.phrases):
            for candidate in other.content:
                match = view.knowledge.match(word.text, candidate.text)
                best = max(best, match.strength)
                if match.kind <= SAME_MEANING:
                    same = True
                    same_taken = same_taken or at in taken2
        said += same
        said_by_taken += same_taken
        strength += best
        head_said = head_said or (same and word is phrase.head)
    count = max(1, len(phrase.content))
    links = scores.link[place].tolist()
    return (
        float(len(phrase.words)),
        float(len(phrase.content)),
        said / count,
        said_by_taken / count,
        strength / count,
        float(head_said),
        float(phrase.kind is PhraseKind.VERB),
        float(phrase.kind is PhraseKind.PREPOSITION),
        float(phrase.kind is PhraseKind.NUMBER),
        float(any(word.is_place for word in phrase.content)),
        (place + 0.5) / own,
        float(own),
        float(theirs),
        float(theirs - len(taken2)),
        len(taken1) / own,
        view.overlap,
        float(scores.alic1[place]),
        max((link for at, link in enumerate(links) if at in taken2), default=0.0),
        max((link for at, link in enumerate(links) if at not in taken2), default=0.0),
    )


def lone_matrix(
    view: PairView,
    scores: PairScores,
    links: Sequence[tuple[int, int]],
    alone: Sequence[tuple[int, int]],
) -> Floats:
    """Return (chunks, features) of chunks without a link, each by its sentence (0, 1) and place."""
    taken1, taken2 = frozenset(i for i, _ in links), frozenset(j for _, j in links)
    rows = [
        lone_features(view.swapped, scores.swapped, place, taken2, taken1)
        if side
        else lone_features(view, scores, place, taken1, taken2)
        for side, place in alone
    ]
    return np.array(rows, np.float32).reshape(len(rows), len(LONE_FEATURES))
