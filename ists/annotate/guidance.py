"""Short texts from the guidelines for the page's buttons."""

from typing import NamedTuple

from ists.annotate.draft import Step
from ists.pairs import LINKING, Flag, Relation


class StepGuide(NamedTuple):
    """A step's name on the page."""

    step: Step
    name: str


class Choice(NamedTuple):
    """A value to choose, and its meaning."""

    value: str
    meaning: str


STEPS = (
    StepGuide(Step.CHUNKS1, "Chunks 1"),
    StepGuide(Step.CHUNKS2, "Chunks 2"),
    StepGuide(Step.LINKS, "Link, score, label"),
    StepGuide(Step.REST, "Left alone"),
    StepGuide(Step.DONE, "Done"),
)
SCORES = (
    Choice("5", "equivalent"),
    Choice("4", "very close"),
    Choice("3", "close"),
    Choice("2", "slight"),
    Choice("1", "faint"),
)
_MEANINGS = {
    Relation.EQUI: "same meaning here",
    Relation.OPPO: "opposite meanings",
    Relation.SPE1: "sentence 1 is more specific",
    Relation.SPE2: "sentence 2 is more specific",
    Relation.SIMI: "similar, none of these",
    Relation.REL: "related in another way",
    Relation.NOALI: "nothing corresponds",
    Relation.ALIC: "its partner is linked to another chunk",
}
LABELS = tuple(Choice(relation.value, _MEANINGS[relation]) for relation in LINKING)
LONE_LABELS = tuple(
    Choice(relation.value, _MEANINGS[relation]) for relation in (Relation.NOALI, Relation.ALIC)
)
FLAGS = (
    Choice(Flag.FACT.value, "fact against speculation"),
    Choice(Flag.POL.value, "another opinion"),
)
