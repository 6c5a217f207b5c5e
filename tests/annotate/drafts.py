"""Drafts the tests share: a pair of our own, and hypothesis strategies for any action on it."""

from functools import cache

from hypothesis import strategies as st

from ists.annotate import actions
from ists.annotate.draft import Draft, Step, fresh
from ists.pairs import Edition, Flag, Relation

WORDS1 = ["A", "tabby", "cat", "sleeps", "."]
WORDS2 = ["A", "cat", "is", "sleeping", "."]


def cat_draft(edition: Edition = "2015") -> Draft:
    return fresh(WORDS1, WORDS2, edition)


def after(draft: Draft, *acts: actions.Action) -> Draft:
    for act in acts:
        draft = act.apply(draft)
    return draft


CHUNKED = (
    actions.Recut(1, (1, 4, 5)),
    actions.Advance(),
    actions.Cut(2, 3),
    actions.Cut(2, 5),
    actions.Advance(),
)
LINKED = (
    *CHUNKED,
    actions.Connect(4, 3),
    actions.Score(4, 5),
    actions.Label(4, Relation.EQUI),
    actions.Connect(1, 1),
    actions.Score(1, 4),
    actions.Label(1, Relation.SPE1),
    actions.Advance(),
)
DONE = (*LINKED, actions.LeaveAllAlone(), actions.Advance())

sides = st.sampled_from([1, 2])
positions = st.integers(0, 7)
relations = st.sampled_from(Relation)
flags = st.sampled_from(Flag)
scores = st.integers(0, 6)
chunks = st.lists(positions, max_size=3).map(tuple)

any_action = st.one_of(
    st.just(actions.Advance()),
    st.builds(actions.Cut, sides, positions),
    st.builds(actions.Recut, sides, st.lists(positions, max_size=5).map(tuple)),
    st.builds(actions.Return, st.sampled_from(Step)),
    st.builds(actions.Connect, positions, positions),
    st.builds(actions.Disconnect, positions),
    st.builds(actions.Score, positions, scores),
    st.builds(actions.Label, positions, relations),
    st.builds(actions.FlagLink, positions, flags),
    st.builds(actions.Accept, chunks, chunks, scores, relations, st.frozensets(flags, max_size=2)),
    st.builds(actions.Join, positions, sides, positions),
    st.builds(actions.Leave, sides, positions),
    st.builds(actions.LeaveAlone, sides, positions, relations),
    st.builds(actions.FlagAlone, sides, positions, flags),
    st.just(actions.LeaveAllAlone()),
)


def likely_actions(draft: Draft) -> st.SearchStrategy[actions.Action]:
    """Mostly what the page would offer now, so that walks get somewhere; sometimes anything."""
    return _likely_actions(draft.step, *draft.starts, tuple(link.first for link in draft.links))


@cache  # making a strategy takes longer than drawing from it
def _likely_actions(
    step: Step, starts1: tuple[int, ...], starts2: tuple[int, ...], firsts: tuple[int, ...]
) -> st.SearchStrategy[actions.Action]:
    chunks1, chunks2 = st.sampled_from(starts1 or (1,)), st.sampled_from(starts2 or (1,))
    links = st.sampled_from(firsts or (1,))
    offered = {
        Step.CHUNKS1: [st.builds(actions.Cut, st.just(1), st.integers(2, 5))],
        Step.CHUNKS2: [st.builds(actions.Cut, st.just(2), st.integers(2, 5))],
        Step.LINKS: [
            st.builds(actions.Connect, chunks1, chunks2),
            st.builds(actions.Score, links, st.integers(1, 5)),
            st.builds(actions.Label, links, relations),
            st.builds(actions.FlagLink, links, flags),
            st.builds(
                actions.Accept,
                chunks1.map(lambda start: (start,)),
                chunks2.map(lambda start: (start,)),
                scores,
                relations,
                st.frozensets(flags),
            ),
            *(
                st.builds(act, *before, st.just(side), starts)
                for act, before in ((actions.Join, (links,)), (actions.Leave, ()))
                for side, starts in ((1, chunks1), (2, chunks2))
            ),
        ],
        Step.REST: [
            st.builds(actions.LeaveAlone, st.just(1), chunks1, relations),
            st.builds(actions.LeaveAlone, st.just(2), chunks2, relations),
            st.just(actions.LeaveAllAlone()),
        ],
        Step.DONE: [],
    }
    return st.one_of(st.just(actions.Advance()), *offered[step], any_action)
