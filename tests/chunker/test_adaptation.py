"""Each rule on sentences of our own, tagged by hand: word/part-of-speech/CoNLL-tag."""

import sys

import pytest

from ists.chunker.adaptation import RULES, adapt, adapt_tree, adapted_spans
from ists.errors import IstsError
from ists.formats.brackets import render

CASES = {
    "punctuation_alone": (
        "The/DT/B-NP tram/NN/I-NP ,/,/O late/JJ/B-ADJP again/RB/B-ADVP ,/,/O stops/VBZ/B-VP ././O",
        "[ The tram ] [ , ] [ late ] [ again ] [ , ] [ stops ] [ . ]",
    ),
    "verb_particle": (
        "The/DT/B-NP firm/NN/I-NP shut/VBD/B-VP down/RP/B-PRT two/CD/B-NP plants/NNS/I-NP",
        "[ The firm ] [ shut down ] [ two plants ]",
    ),
    "negated_verb": (
        "The/DT/B-NP lamp/NN/I-NP is/VBZ/B-VP not/RB/O on/IN/B-PP the/DT/B-NP table/NN/I-NP",
        "[ The lamp ] [ is not ] [ on the table ]",
    ),
    "infinitive_apart": (
        "She/PRP/B-NP hopes/VBZ/B-VP to/TO/I-VP win/VB/I-VP",
        "[ She ] [ hopes ] [ to win ]",
    ),
    "adverb_apart": (
        "The/DT/B-NP cable/NN/I-NP is/VBZ/B-VP still/RB/I-VP attached/VBN/I-VP",
        "[ The cable ] [ is ] [ still ] [ attached ]",
    ),
    "counted_state": (
        "4/CD/B-NP dead/JJ/B-ADJP in/IN/B-PP ferry/NN/B-NP fire/NN/I-NP",
        "[ 4 dead ] [ in ferry fire ]",
    ),
    "coordinated_nouns": (
        "A/DT/B-NP kettle/NN/I-NP and/CC/O two/CD/B-NP cups/NNS/I-NP or/CC/O mugs/NNS/B-NP",
        "[ A kettle and two cups or mugs ]",
    ),
    "compound_preposition": (
        "A/DT/B-NP goat/NN/I-NP next/RB/B-ADVP to/TO/B-PP a/DT/B-NP red/JJ/I-NP gate/NN/I-NP",
        "[ A goat ] [ next to a red gate ]",
    ),
    "whole_pp": (
        "the/DT/B-NP roof/NN/I-NP of/IN/B-PP that/DT/B-NP barn/NN/I-NP",
        "[ the roof ] [ of that barn ]",
    ),
    "gerund_pp": (
        "after/IN/B-PP losing/VBG/B-VP the/DT/B-NP final/NN/I-NP",
        "[ after losing ] [ the final ]",
    ),
}


def read(tagged: str):
    return zip(*(word.rsplit("/", 2) for word in tagged.split()), strict=True)


def test_every_rule_has_a_case():
    assert sorted(CASES) == sorted(rule.__name__ for rule in RULES)


@pytest.mark.parametrize("rule", CASES)
def test_the_rules_give_the_chunks_of_the_guidelines(rule):
    tagged, chunks = CASES[rule]
    tokens, pos, iob = read(tagged)
    assert render(adapt(tokens, iob, pos)) == chunks


@pytest.mark.parametrize("left_out", [rule for rule in RULES if rule.__name__ in CASES])
def test_a_case_differs_without_its_rule(left_out):
    tagged, chunks = CASES[left_out.__name__]
    tokens, pos, iob = read(tagged)
    rules = [rule for rule in RULES if rule is not left_out]
    spans = adapted_spans(tokens, iob, pos, rules)
    assert render(tokens[span.begin : span.end] for span in spans) != chunks


@pytest.mark.parametrize(
    ("tagged", "chunks"),
    [
        (
            "It/PRP/B-NP is/VBZ/B-VP going/VBG/I-VP to/TO/I-VP rain/VB/I-VP",
            "[ It ] [ is going to rain ]",
        ),
        (
            "He/PRP/B-NP does/VBZ/B-VP not/RB/I-VP like/VB/I-VP tea/NN/B-NP",
            "[ He ] [ does not like ] [ tea ]",
        ),
        ("4/CD/B-NP hurt/VBN/B-VP", "[ 4 ] [ hurt ]"),
        (
            "talks/NNS/B-NP in/IN/B-PP Peru/NNP/B-NP 's/POS/B-NP capital/NN/I-NP",
            "[ talks ] [ in Peru ] [ 's capital ]",
        ),
        ("look/VB/B-VP out/IN/B-PP", "[ look ] [ out ]"),
    ],
)
def test_exceptions_of_the_rules_are_kept(tagged, chunks):
    tokens, pos, iob = read(tagged)
    assert render(adapt(tokens, iob, pos)) == chunks


def test_no_token_is_lost(shared):
    text = (shared / "conll2000" / "test.txt").read_text()
    for block in text.strip().split("\n\n")[:300]:
        tokens, pos, iob = zip(*(row.split() for row in block.split("\n")), strict=True)
        chunks = adapt(tokens, iob, pos)
        assert tuple(token for chunk in chunks for token in chunk) == tokens


def test_trees_of_nltk_are_adapted():
    tree = pytest.importorskip("nltk.tree").Tree
    sentence = tree(
        "S",
        [
            tree("NP", [("The", "DT"), ("cat", "NN")]),
            tree("VP", [("sits", "VBZ")]),
            tree("PP", [("on", "IN")]),
            tree("NP", [("mats", "NNS")]),
            (".", "."),
        ],
    )
    adapted = adapt_tree(sentence)
    assert render(adapted.chunks, adapted.types) == (
        "[ The cat ]/NP [ sits ]/VP [ on mats ]/PP [ . ]/PUNCT"
    )


def test_an_empty_tree_has_no_chunks():
    tree = pytest.importorskip("nltk.tree").Tree
    assert adapt_tree(tree("S", [])).chunks == ()


def test_the_extra_is_named_where_nltk_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.delitem(sys.modules, "nltk.chunk", raising=False)
    with pytest.raises(IstsError, match=r"need nltk.* pip install 'ists\[nltk\]'"):
        adapt_tree(None)
