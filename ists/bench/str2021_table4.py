"""STR-2021's Table 4, "what makes sentences more related?", computed with our own models.

The paper averages the word2vec vectors of some words of each sentence (all, those of one part of
speech, subjects, objects), takes the cosine of the two averages, and correlates it with the gold
over the pairs in which both sentences have such words. Here the vectors are our encoder's, of each
word on its own; parts of speech are our chunker's; the subject is the noun chunk directly before
the first verb chunk, the object the first noun chunk directly after a verb chunk.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ists.bench import published
from ists.bench.systems import SentenceVectors, TextPair
from ists.chunker.tokens import tokenize
from ists.errors import UndefinedError
from ists.lexicon.function_words import FunctionClass, function_class
from ists.lexicon.morphology import normal_form
from scorer.correlation import spearman
from scorer.tables import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ists.chunker.tagger import ChunkedSentence, Chunker

    Vector = NDArray[np.floating[Any]]

_UNIVERSAL = {
    "NN": "NOUN",
    "NNS": "NOUN",
    "NNP": "PROPN",
    "NNPS": "PROPN",
    "PRP": "PRON",
    "PRP$": "PRON",
    "WP": "PRON",
    "WP$": "PRON",
    "EX": "PRON",
    "JJ": "ADJ",
    "JJR": "ADJ",
    "JJS": "ADJ",
    "RB": "ADV",
    "RBR": "ADV",
    "RBS": "ADV",
    "WRB": "ADV",
    "MD": "AUX",
    "IN": "ADP",
    "RP": "ADP",
    "DT": "DET",
    "PDT": "DET",
    "WDT": "DET",
}
_GROUPS = {
    "noun group": ("NOUN", "PRON", "PROPN"),
    "verb group": ("VERB", "AUX"),
    "adjective group": ("ADJ", "ADP", "ADV"),
}
_TO_BE = {"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"}
_NOTABLE = 0.05

Words = Callable[["ChunkedSentence"], Iterable[str]]


@dataclass(frozen=True)
class Answer:
    """One row of the table: the paper's figures and ours."""

    question: str
    paper: float
    paper_pairs: int
    rho: float | None
    """None if undefined, such as with too few pairs."""
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "paper": {"spearman": self.paper, "pairs": self.paper_pairs},
            "spearman": self.rho,
            "pairs": self.pairs,
        }


def answer_all(
    pairs: Sequence[TextPair],
    gold: Sequence[float],
    overlap: Sequence[float],
    chunker: "Chunker",
    encoder: SentenceVectors,
) -> list[Answer]:
    """Compute all rows of the paper's Table 4; ``overlap`` is for the row of lexical overlap."""
    sentences = [tokenize(sentence) for pair in pairs for sentence in pair]
    chunked = list(chunker.chunk_many(sentences))
    vectors = _word_vectors(chunked, encoder)
    answers = []
    for row in published.rows("str2021-questions"):
        question = row["question"]
        if question == "lexical overlap":
            cosines: list[float | None] = list(overlap)
        else:
            means = [_mean(_words_for(question)(one), vectors) for one in chunked]
            cosines = [_cosine(*two) for two in zip(means[::2], means[1::2], strict=True)]
        known = [(g, c) for g, c in zip(gold, cosines, strict=True) if c is not None]
        try:
            rho: float | None = spearman([g for g, _ in known], [c for _, c in known]).r
        except UndefinedError:
            rho = None
        answers.append(Answer(question, float(row["spearman"]), int(row["pairs"]), rho, len(known)))
    return answers


def table(answers: Sequence[Answer]) -> Table:
    """Tabulate the paper's figures and ours."""
    rows = [
        (
            answer.question,
            f"{answer.paper:.2f}",
            "-" if answer.rho is None else f"{answer.rho:.2f}",
            str(answer.paper_pairs),
            str(answer.pairs),
        )
        for answer in answers
    ]
    head = ("related", "Spearman (paper)", "ours", "pairs (paper)", "ours")
    return Table("Table 4: what makes sentences more related?", head, rows)


def differences(answers: Sequence[Answer]) -> list[str]:
    """Return notes on the differences in method, and on rows with notable differences."""
    notable = [
        f"{answer.question} {answer.rho - answer.paper:+.2f}"
        for answer in answers
        if answer.rho is not None and abs(answer.rho - answer.paper) >= _NOTABLE
    ]
    return [
        "Table 4, other means than the paper's: vectors of single words by our sentence encoder "
        "(paper: word2vec); parts of speech by our chunker, from the Penn Treebank's tags (paper: "
        "spaCy); subject and object by our chunks, the noun phrase before the first verb chunk and "
        "the one after a verb chunk (paper: a dependency parse).",
        f"Table 4 differs by {_NOTABLE} or more in: {', '.join(notable) or 'nothing'}.",
    ]


def universal_tag(word: str, penn: str, verb_follows: bool) -> str:
    """Map a Penn Treebank tag to a universal tag; ``verb_follows`` is within the same chunk."""
    if penn.startswith("VB"):
        helps = function_class(word) is FunctionClass.AUXILIARY and verb_follows
        return "AUX" if helps or normal_form(word) in _TO_BE else "VERB"
    return _UNIVERSAL.get(penn, "X")


def _tag_words(sentence: "ChunkedSentence") -> list[tuple[str, str]]:
    """Return the words of a sentence with their universal tags."""
    tagged: list[tuple[str, str]] = []
    for chunk in sentence.positions():
        places = [number - 1 for number in chunk.tokens]
        verbs = [place for place in places if sentence.pos[place].startswith("VB")]
        tagged += [
            (
                sentence.tokens[place],
                universal_tag(
                    sentence.tokens[place], sentence.pos[place], bool(verbs) and place < verbs[-1]
                ),
            )
            for place in places
        ]
    return tagged


def _words_for(question: str) -> Words:
    """Return a function that selects the words of a row from a sentence."""
    if question == "related words":
        return lambda sentence: sentence.tokens
    if question in ("subject", "object"):
        return lambda sentence: _argument(sentence, question)
    wanted = _GROUPS.get(question, (question,))
    return lambda sentence: [word for word, tag in _tag_words(sentence) if tag in wanted]


def _argument(sentence: "ChunkedSentence", which: str) -> list[str]:
    """Return the nouns and pronouns of the subject or the object (see the module)."""
    types = sentence.types
    for place, type_ in enumerate(types):
        if type_ != "VP":
            continue
        wanted = place - 1 if which == "subject" else place + 1
        if 0 <= wanted < len(types) and types[wanted] == "NP":
            return _nouns(sentence, wanted)
        if which == "subject":
            return []
    return []


def _nouns(sentence: "ChunkedSentence", chunk: int) -> list[str]:
    places = [number - 1 for number in sentence.positions()[chunk].tokens]
    tags = _GROUPS["noun group"]
    return [
        sentence.tokens[place]
        for place in places
        if _UNIVERSAL.get(sentence.pos[place], "X") in tags
    ]


def _word_vectors(
    sentences: Iterable["ChunkedSentence"], encoder: SentenceVectors
) -> dict[str, "Vector"]:
    forms = (normal_form(token) for sentence in sentences for token in sentence.tokens)
    words = list(dict.fromkeys(form for form in forms if any(map(str.isalnum, form))))
    return dict(zip(words, encoder.vectors(words), strict=True))


def _mean(words: Iterable[str], vectors: dict[str, "Vector"]) -> "Vector | None":
    found = [vectors[form] for word in words if (form := normal_form(word)) in vectors]
    if not found:
        return None
    total = found[0].copy()
    for vector in found[1:]:
        total += vector
    return total


def _cosine(one: "Vector | None", two: "Vector | None") -> float | None:
    if one is None or two is None:
        return None
    length = float((one @ one) * (two @ two)) ** 0.5
    return float(one @ two) / length if length else None
