"""Texts from the guidelines for the page: names, meanings, examples and the decision tree."""

from typing import NamedTuple

from ists.annotate.draft import Step, lone_labels
from ists.pairs import LINKING, Edition, Flag, Relation


class StepGuide(NamedTuple):
    """A step's name on the page, and a shorter one for narrow screens."""

    step: Step
    name: str
    short: str


class Choice(NamedTuple):
    """A value to choose, and its meaning."""

    value: str
    meaning: str


class Example(NamedTuple):
    """Two chunks in context, their score, and the reason for the label."""

    first: str
    second: str
    score: int | None
    why: str


class Card(NamedTuple):
    """A label's definition and examples."""

    value: str
    definition: str
    examples: tuple[Example, Example]


STEPS = (
    StepGuide(Step.CHUNKS1, "Chunks 1", "Chunks 1"),
    StepGuide(Step.CHUNKS2, "Chunks 2", "Chunks 2"),
    StepGuide(Step.LINKS, "Link, score, label", "Links"),
    StepGuide(Step.REST, "Unaligned chunks", "Unaligned"),
    StepGuide(Step.DONE, "Done", "Done"),
)
STEP_NAMES = {guide.step: guide.name for guide in STEPS}
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
    Relation.ALIC: "partner is linked, or can be inferred",
}
LABELS = tuple(Choice(relation.value, _MEANINGS[relation]) for relation in LINKING)
FLAGS = (
    Choice(Flag.FACT.value, "fact against speculation"),
    Choice(Flag.POL.value, "another opinion"),
)

CHUNK_RULES = (
    "A chunk is a noun phrase, a verb chain with its auxiliaries and negation, a prepositional "
    "phrase with its noun, an adverb or a fixed expression.",
    "A short subordinate clause stays whole: [ when the ferry sank ].",
    "Copula and predicate adjective are two chunks; ‘'s harbour’ is a chunk of its own; "
    "coordinators and punctuation stand alone.",
    "Do not think of the other sentence yet.",
)
DECISION_TREE = (
    Choice(
        "Score first",
        "How close are the two chunks in these sentences, from 5 to 1? 0 would "
        "mean unrelated: remove the link.",
    ),
    Choice(
        "5",
        "Same meaning in this context, whatever the words: EQUI. EQUI always has 5, and 5 is "
        "always EQUI.",
    ),
    Choice("4 to 1", "Do they exclude each other, like two poles? OPPO."),
    Choice(
        "",
        "Else, does one say all that the other says and more? SPE1 if sentence 1 says more, SPE2 "
        "if sentence 2 does.",
    ),
    Choice("", "Else, are they of the same kind with other values or attributes? SIMI."),
    Choice("", "Else they are related in another way, such as place and event: REL."),
    Choice(
        "Flags",
        "FACT if one is a fact and the other is possible, planned or reported. POL if they "
        "express another opinion.",
    ),
    Choice(
        "Unaligned",
        "Does the meaning exist in the other sentence, in a chunk that is linked "
        "already, or can it be inferred from the context? ALIC. Else NOALI; punctuation is NOALI.",
    ),
)
_GROUPS = (
    Choice(
        "Groups",
        "If only several chunks together say what the other side says, add them to one link and "
        "score the group as a whole. They need not be neighbours.",
    ),
    Choice("Unaligned", "A chunk that belongs to no link is NOALI; so is punctuation."),
)
CARDS = (
    Card(
        "EQUI",
        "Both chunks have the same meaning in this context: they refer to the same thing or event. "
        "The score is 5.",
        (
            Example("the mayor of Orvik", "Orvik 's mayor", 5, "the same person"),
            Example("was bought by Norvane", "sold to Norvane", 5, "the same event, other words"),
        ),
    ),
    Card(
        "OPPO",
        "The meanings exclude each other, like two poles: negation, antonyms, opposite directions.",
        (
            Example("the bridge opens", "the bridge closes", 4, "antonyms"),
            Example("before lunch", "after lunch", 3, "opposite sides of the same time"),
        ),
    ),
    Card(
        "SPE1",
        "Similar meanings, but the chunk of sentence 1 is more specific or gives more details.",
        (
            Example("an old wooden ferry", "a ferry", 4, "sentence 1 adds age and material"),
            Example("in northern Lapland", "in Finland", 3, "a part of the country"),
        ),
    ),
    Card(
        "SPE2",
        "Like SPE1, but the chunk of sentence 2 is more specific.",
        (
            Example("a child", "a girl with a red kite", 3, "sentence 2 adds much"),
            Example("at least 14 goats", "17 goats", 4, "an exact number inside the bound"),
        ),
    ),
    Card(
        "SIMI",
        "Similar meanings with shared attributes, and none of EQUI, OPPO, SPE1 and SPE2.",
        (
            Example("14 sailors", "11 sailors", 4, "the same kind, another number"),
            Example("green tea", "black coffee", 2, "two hot drinks"),
        ),
    ),
    Card(
        "REL",
        "Closely related by another relation: none of the labels above.",
        (
            Example("the bakery", "fresh bread", 3, "place and product"),
            Example("in the harbour", "on the boat", 2, "place and what is in it"),
        ),
    ),
    Card(
        "NOALI",
        "Nothing in the other sentence corresponds. No score.",
        (
            Example(
                "Snow closes roads [ in the north ]", "Snow closes roads", None, "said only once"
            ),
            Example("The cat sleeps [ . ]", "The cat sleeps", None, "punctuation"),
        ),
    ),
    Card(
        "ALIC",
        "It corresponds to a chunk that is linked to another one already, or its meaning can be "
        "inferred from the context of the other sentence. No score.",
        (
            Example(
                "[ Norway ] lets women sail",
                "Norwegian women may sail",
                None,
                "‘Norwegian women’ is linked to ‘women’",
            ),
            Example(
                "The firm [ suffered ] a loss", "The firm lost money", None, "inferred from ‘lost’"
            ),
        ),
    ),
)


def lone_choices(edition: Edition) -> tuple[Choice, ...]:
    """Return the labels for unaligned chunks."""
    return tuple(Choice(label.value, _MEANINGS[label]) for label in lone_labels(edition))


def decision_tree(edition: Edition) -> tuple[Choice, ...]:
    """Return how to decide on score and label; the 2016 edition has groups and no ALIC."""
    return DECISION_TREE if edition == "2015" else (*DECISION_TREE[:-1], *_GROUPS)


def cards(edition: Edition) -> tuple[Card, ...]:
    """Return the cards of the labels that the edition has."""
    labels = {*LINKING, *lone_labels(edition)}
    return tuple(card for card in CARDS if card.value in labels)
