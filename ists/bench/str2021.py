"""STR-2021: 5,500 sentence pairs with relatedness scores, evaluated by Spearman over five folds.

As in the paper, every system, trained or not, is evaluated on each fold separately and the five
figures are averaged, so that all are comparable. Systems trained on the other folds are marked.
"""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ists.bench import published
from ists.bench.report import Report, digest, seen_notes, training_mark
from ists.bench.systems import SentenceVectors, System, TextPair
from ists.errors import FormatError, UndefinedError
from ists.files import open_input
from ists.formats.text import decode, shown
from ists.seen import Seen
from scorer.correlation import spearman
from scorer.report import format_signature
from scorer.scores import parse_score
from scorer.tables import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ists.bench.regression import Block
    from ists.bench.str2021_table4 import Answer

FOLDS = 5
DEFAULT_SEED = 1
DICE = "Dice of the unigrams"
UNTRAINED = "not trained on STR"
TRAINED = "trained on STR folds"
_COLUMNS = ("SourceID", "PairID", "Text", "Score")
_UNIGRAM = re.compile(r"\w+")
_PAPERS_SOURCES = {"Wikipedia": "Wiki"}


@dataclass(frozen=True)
class RelatedPair:
    """Two sentences, their source and their relatedness from 0 to 1."""

    id: str
    source: str
    """The name in the paper's Table 6."""
    sentences: TextPair
    score: float


@dataclass(frozen=True)
class Figures:
    """Spearman's rho of a system's scores with the gold."""

    name: str
    kind: str
    overall: float
    """Over all pairs."""
    folds: tuple[float, ...]
    by_source: dict[str, float]
    """Mean over the folds, by source; without sources that have too few pairs in all folds."""
    left_out: dict[str, float] | None = None
    """By source, trained on all other sources; None for untrained systems."""

    @property
    def mean(self) -> float:
        """The mean over the folds, which is the paper's measure."""
        return sum(self.folds) / len(self.folds)

    def to_dict(self) -> dict[str, Any]:
        return {
            "system": self.name,
            "kind": self.kind,
            "mean": self.mean,
            "folds": list(self.folds),
            "overall": self.overall,
            "by_source": self.by_source,
            "leave_one_source_out": self.left_out,
        }


def read_pairs(path: Path) -> list[RelatedPair]:
    """Read the pairs of the data set's CSV file."""
    with open_input(path) as stream:
        text = io.StringIO(decode(stream.read()), newline="")
    reader = csv.DictReader(text, strict=True)
    pairs = []
    try:
        if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
            raise FormatError(f"no column {missing[0]!r}, expected {', '.join(_COLUMNS)}")
        pairs = [_pair(row) for row in reader]
    except FormatError as error:
        raise FormatError(error.reason, str(path), reader.line_num or None) from None
    except csv.Error as error:
        raise FormatError(f"invalid CSV: {error}", str(path), reader.line_num) from None
    if not pairs:
        raise FormatError("no pair found", str(path))
    return pairs


def dice(sentence1: str, sentence2: str) -> float:
    """Return the Dice coefficient of the unigram sets of two sentences."""
    one, two = (set(_UNIGRAM.findall(text.lower())) for text in (sentence1, sentence2))
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 0.0


def draw_folds(pairs: int, folds: int = FOLDS, seed: int = DEFAULT_SEED) -> "NDArray[np.int64]":
    """Draw the fold of each pair at random; the folds have equal size."""
    import numpy as np

    fold = np.arange(pairs) % folds
    np.random.default_rng(seed).shuffle(fold)
    return fold


def judge(
    name: str,
    kind: str,
    pairs: Sequence[RelatedPair],
    scores: Sequence[float],
    fold: "NDArray[np.int64]",
    left_out: dict[str, float] | None = None,
) -> Figures:
    """Evaluate scores of all pairs, fold by fold."""
    by_fold = [
        [place for place, number in enumerate(fold) if number == wanted]
        for wanted in range(int(fold.max()) + 1)
    ]
    rho = tuple(_spearman(pairs, scores, places) for places in by_fold)
    by_source = {}
    for source in sources(pairs):
        figures = []
        for places in by_fold:
            here = [place for place in places if pairs[place].source == source]
            with suppress(UndefinedError):
                figures.append(_spearman(pairs, scores, here))
        if figures:
            by_source[source] = sum(figures) / len(figures)
    overall = _spearman(pairs, scores, range(len(pairs)))
    return Figures(name, kind, overall, rho, by_source, left_out)


def judge_trained(
    name: str,
    pairs: Sequence[RelatedPair],
    features: Sequence["Block"],
    fold: "NDArray[np.int64]",
    progress: Callable[[str], None] = lambda _: None,
) -> Figures:
    """Evaluate a regression on fixed features, trained on all folds but the evaluated one.

    As in the paper's Table 6, it is also trained on all sources but one and evaluated on that one.
    """
    import numpy as np

    from ists.bench.regression import predict

    gold = np.array([pair.score for pair in pairs])
    source = np.array([pair.source for pair in pairs])
    scores = np.empty(len(pairs))
    for number in range(int(fold.max()) + 1):
        progress(f"training without fold {number + 1}")
        held = fold == number
        scores[held] = predict(features, gold, ~held)
    left_out = {}
    for other in sources(pairs):
        held = source == other
        if held.all():
            break
        progress(f"training without {other}")
        with suppress(UndefinedError):  # too few pairs of a source
            found = predict(features, gold, ~held)
            left_out[other] = spearman(gold[held].tolist(), found.tolist()).r
    return judge(name, TRAINED, pairs, scores.tolist(), fold, left_out)


def run_without_model(
    file: Path,
    pairs: Sequence[RelatedPair],
    given: tuple[str, Sequence[float]] | None = None,
    seed: int = DEFAULT_SEED,
) -> Report:
    """Evaluate the baseline and, if given, the scores of another system by name."""
    fold = draw_folds(len(pairs), seed=seed)
    figures = [_dice_figures(pairs, fold)]
    if given is not None:
        figures.append(judge(given[0], "given scores", pairs, given[1], fold))
    return report(file, pairs, figures, None, seed)


def run(
    file: Path,
    pairs: Sequence[RelatedPair],
    system: System,
    encoder: SentenceVectors,
    questions: bool = True,
    training: bool = True,
    seed: int = DEFAULT_SEED,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Evaluate the baseline, our system, the regression and the questions of Table 4."""
    fold = draw_folds(len(pairs), seed=seed)
    texts = [pair.sentences for pair in pairs]
    baseline = _dice_figures(pairs, fold)
    progress(f"{system.name}: {len(pairs)} pairs")
    ours = list(system.similarity_many(texts))
    figures = [baseline, judge(system.name, UNTRAINED, pairs, ours, fold)]
    if training:
        from ists.bench.features import pair_features

        progress("features")
        features = pair_features(texts, ours, encoder)
        name = f"{system.name} + kernel ridge"
        figures.append(judge_trained(name, pairs, features, fold, progress))
    answers = None
    if questions:
        from ists.bench.str2021_table4 import answer_all
        from ists.chunker.tagger import Chunker

        progress("questions of Table 4")
        gold, overlap = [pair.score for pair in pairs], [dice(*text) for text in texts]
        answers = answer_all(texts, gold, overlap, Chunker.load(), encoder)
    return report(file, pairs, figures, answers, seed, system.seen)


def sources(pairs: Sequence[RelatedPair]) -> list[str]:
    """Return the sources that occur, those of the paper's Table 6 first, in its order."""
    present = dict.fromkeys(pair.source for pair in pairs)
    known = [row["source"] for row in published.rows("str2021-sources")]
    return [*(s for s in known if s in present), *(s for s in present if s not in known)]


def report(
    file: Path,
    pairs: Sequence[RelatedPair],
    figures: Sequence[Figures],
    answers: Sequence["Answer"] | None,
    seed: int,
    seen: Seen = Seen(),  # noqa: B008 (frozen)
) -> Report:
    """Build the paper's Tables 5, 6 and 4 with our figures; ``seen`` is our training data."""
    folds = len(figures[0].folds)
    trained_on = seen.count([pair.sentences for pair in pairs], [file])
    document = {
        "pairs": len(pairs),
        "folds": folds,
        "trained_on": bool(trained_on),
        "seen": trained_on,
        "figures": [one.to_dict() for one in figures],
        "questions": None if answers is None else [answer.to_dict() for answer in answers],
        "signature": format_signature(
            bench="str2021",
            data=f"{file.name}#{digest([file])}",
            pairs=len(pairs),
            system="+".join(one.name.replace(" ", "-") for one in figures),
            folds=folds,
            seed=seed,
        ),
    }
    tables = [_models(figures), _by_source(pairs, figures)]
    notes = [
        f"{folds} folds drawn with seed {seed}; the paper's own folds are not known.",
        *seen_notes({"": training_mark(trained_on, len(pairs))}, seen),
    ]
    if any(one.kind == TRAINED for one in figures):
        notes.append(f"'{TRAINED}': fitted again for each fold, and never shipped.")
    if answers is not None:
        from ists.bench.str2021_table4 import differences, table

        tables.append(table(answers))
        notes += differences(answers)
    return Report("STR-2021", tables, notes, document)


def _pair(row: Mapping[str, str | None]) -> RelatedPair:
    text, score = row["Text"] or "", row["Score"]
    sentences = text.splitlines()
    if len(sentences) != 2:
        raise FormatError(f"{shown(text)} is {len(sentences)} lines, expected two sentences")
    value = parse_score(score or "")
    if not 0 <= value <= 1:
        raise FormatError(f"score {value:g}, expected 0 to 1")
    source = row["SourceID"] or ""
    named = _PAPERS_SOURCES.get(source, source)
    return RelatedPair(row["PairID"] or "", named, (sentences[0], sentences[1]), value)


def _dice_figures(pairs: Sequence[RelatedPair], fold: "NDArray[np.int64]") -> Figures:
    scores = [dice(*pair.sentences) for pair in pairs]
    return judge(DICE, "baseline", pairs, scores, fold)


def _spearman(
    pairs: Sequence[RelatedPair], scores: Sequence[float], places: Sequence[int]
) -> float:
    return spearman([pairs[place].score for place in places], [scores[p] for p in places]).r


def _models(figures: Sequence[Figures]) -> Table:
    rows = [
        (row["model"], row["kind"], row["spearman"]) for row in published.rows("str2021-models")
    ]
    rows += [(f"> {one.name}", one.kind, f"{one.mean:.4f}") for one in figures]
    title = f"Table 5: Spearman, mean of {len(figures[0].folds)} folds (> measured here)"
    return Table(title, ("model", "kind", "Spearman"), sorted(rows, key=lambda row: float(row[2])))


def _by_source(pairs: Sequence[RelatedPair], figures: Sequence[Figures]) -> Table:
    paper = {row["source"]: row for row in published.rows("str2021-sources")}
    head = ["source", "Dice (paper)", "RoBERTa CV (paper)", "RoBERTa LOOut (paper)"]
    head += [f"> {one.name}" + (" CV" if one.left_out else "") for one in figures]
    head += [f"> {one.name} LOOut" for one in figures if one.left_out]
    rows = []
    for source in sources(pairs):
        known = paper.get(source, {})
        row = [source, *(known.get(key, "-") for key in ("dice", "roberta_cv", "roberta_looout"))]
        row += [_shown(one.by_source.get(source)) for one in figures]
        row += [_shown(one.left_out.get(source)) for one in figures if one.left_out]
        rows.append(tuple(row))
    return Table("Table 6: Spearman by source", tuple(head), rows)


def _shown(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"
