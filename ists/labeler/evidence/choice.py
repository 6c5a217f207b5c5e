"""From all reasons to those that are stated: true ones that go with the label that was given."""

from collections.abc import Iterable, Sequence

from ists.labeler.evidence.comparison import Comparison
from ists.labeler.reasons import ALL, REL, Reason, ReasonKind, only
from ists.pairs import Flag, Relation

_JUDGED = {
    Relation.EQUI: "judges them equivalent",
    Relation.OPPO: "judges them opposite",
    Relation.SPE1: "judges the first more specific",
    Relation.SPE2: "judges the second more specific",
    Relation.SIMI: "judges them similar",
    Relation.REL: "judges them related",
}
_ALIGNED = "aligns them"
"""For what breaks the rules of the task, such as NOALI on two chunks."""
_FLAGGED = {
    Flag.FACT: "only one is stated as a fact",
    Flag.POL: "one is favourable, the other unfavourable",
}


def choose(
    comparison: Comparison,
    reasons: Iterable[Reason],
    relation: Relation,
    flags: frozenset[Flag],
    judge: str,
) -> tuple[Reason, ...]:
    """The reasons to state for a label; if they are not enough, also who gave it."""
    found = list(reasons)
    named = relation if relation in _JUDGED else Relation.REL
    fitting = [r for r in found if named in r.supports and r.flag is None]
    stated = _for_relation(fitting, named)
    if not _is_enough(comparison, stated, relation):
        stated.append(_judgement(judge, relation, _concession(comparison, stated, relation)))
    flagged = _for_flags(found, flags)
    shown = {(reason.words1, reason.words2) for reason in flagged}
    kept = [reason for reason in stated if (reason.words1, reason.words2) not in shown - {((), ())}]
    return (*kept, *flagged)


def _for_relation(fitting: Sequence[Reason], relation: Relation) -> list[Reason]:
    whole = [reason for reason in fitting if reason.is_whole]
    if whole:
        return whole[:1]
    if not any(reason.words1 and reason.words2 for reason in fitting):
        fitting = [reason for reason in fitting if not reason.needs_company]
    settled = any(relation in r.settles and not r.is_last_resort for r in fitting)
    usable = [r for r in fitting if not (settled and r.is_last_resort)]
    stated = {r.text: r for r in usable if r is _best(usable, r, relation)}
    return list(stated.values())


def _best(usable: Sequence[Reason], reason: Reason, relation: Relation) -> Reason:
    """Of the reasons that rest on the same words: the first that settles the relation, if any.

    Reasons that rest on no particular words of both chunks have no rivals.
    """
    if not reason.places1 or not reason.places2:
        return reason
    rivals = [r for r in usable if (r.places1, r.places2) == (reason.places1, reason.places2)]
    return next((r for r in rivals if relation in r.settles), rivals[0])


def _is_enough(comparison: Comparison, stated: Sequence[Reason], relation: Relation) -> bool:
    if any(relation in reason.settles for reason in stated):
        return True
    return relation is Relation.EQUI and comparison.is_accounted_for(stated)


def _judgement(judge: str, relation: Relation, concession: str) -> Reason:
    says = _JUDGED.get(relation, _ALIGNED)
    return Reason(ReasonKind.JUDGEMENT, f"{judge} {says} in this context{concession}", ALL, ALL)


def _concession(comparison: Comparison, stated: Sequence[Reason], relation: Relation) -> str:
    """The words of one chunk that decide what the rest means, if equivalent chunks share the rest.

    ``, although only sentence 1 says 'hardly'``.
    """
    deciding = [(own, other) for own, other in comparison.sides if own.deciding]
    if relation is not Relation.EQUI or not stated or len(deciding) != 1:
        return ""
    own, other = deciding[0]
    words = " ".join(own.deciding).split()
    if other.missing or any(unit.text not in words for unit in own.missing):
        return ""
    said = any(word.lower() in other.elsewhere for word in words)
    opening = "here only" if said else "only"
    return f", although {only(own.sentence, own.deciding, ALL, opening).text}"


def _for_flags(found: Sequence[Reason], flags: frozenset[Flag]) -> list[Reason]:
    stated = []
    for flag in sorted(flags):
        shown = [reason for reason in found if reason.flag is flag]
        stated += shown[:1] or [Reason(ReasonKind.FLAG, _FLAGGED[flag], ALL, REL, flag=flag)]
    return stated
