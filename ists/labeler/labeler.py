"""The labeller itself: it weighs which chunks are worth a link, and labels the links then chosen.

A chosen link gets a relation and a score, a chunk left alone NOALI or ALIC. All links of a batch
are judged at once. Each is judged in both directions and the answers are averaged, so that
exchanging the sentences exchanges SPE1 and SPE2 and changes nothing else.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ists.errors import ModelError
from ists.labeler.committee import Committee, Linear
from ists.labeler.decide import (
    EQUI_AT,
    LOWER_SCORES,
    SURE_EQUI,
    Decision,
    LoneDecision,
    decide,
    sharpened,
)
from ists.labeler.evidence import Reasons, Weight, find_evidence
from ists.labeler.features import FEATURES, MIRROR, NAMES, WHOLE_FROM, feature_matrix
from ists.labeler.linking import (
    LINK_FEATURES,
    LINK_MIRROR,
    LINK_NAMES,
    Cell,
    candidates,
    link_matrix,
)
from ists.labeler.lone import LONE_FEATURES, lone_features
from ists.labeler.phrases import PhraseReader
from ists.labeler.signals import SWAPPED_RELATIONS, NetworkSignals
from ists.labeler.views import Chunks, PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.pairs import LINKING, Flag, Relation, exchanged
from ists.stages import stage

Floats = NDArray[np.float32]
Places = NDArray[np.intp]

_FORMAT = 2
_FLAG_ABOVE = 0.5
"""A flag that is wrong costs as much as one that is missing."""
_SHOWN_WEIGHTS = 5


@dataclass(frozen=True)
class Question:
    """A sentence pair whose chunks are neither aligned nor labelled."""

    tokens1: Sequence[str]
    chunks1: Chunks
    tokens2: Sequence[str]
    chunks2: Chunks
    signals: NetworkSignals
    exchanged: bool = False
    """Whether the first sentence here is the pair's second: evidence is worded for the pair."""


@dataclass(frozen=True, eq=False)
class ScoredLinks:
    """A question with the probability of every link."""

    question: Question
    view: PairView
    cells: Sequence[Cell]
    """The chunk pairs that might be linked."""
    rows: Floats
    """(cells, features), as the labels are judged by."""
    link: Floats
    """(chunks 1, chunks 2): probabilities; 0 where a link is out of the question."""

    def rows_of(self, links: Sequence[Cell]) -> Floats:
        """(links, features), also of links that nobody would have thought of."""
        places = {cell: place for place, cell in enumerate(self.cells)}
        if all(link in places for link in links):
            return self.rows[[places[link] for link in links]]
        return feature_matrix(self.view, self.question.signals, links)


@dataclass(frozen=True)
class Answer:
    """The labels of one sentence pair."""

    links: tuple[Decision, ...]
    """In the order of the links."""
    alone1: Mapping[int, LoneDecision]
    """By the place of each chunk of sentence 1 that has no link."""
    alone2: Mapping[int, LoneDecision]
    evidence: tuple[Reasons, ...] = ()
    """Of each link, where it was asked for."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The features a model was trained on, as columns of the matrices made today.

    A feature that is added later does not concern an older model, which goes on with its own.
    """

    link: Places
    label: Places
    lone: Places

    @classmethod
    def of(cls, names: Sequence[str]) -> "Columns":
        """From the names of features, as a model stores them."""
        known = {name: at for at, name in enumerate(_all_names())}
        missing = [name for name in names if name not in known]
        if missing:
            raise ModelError(f"this labeller was trained on other features, such as '{missing[0]}'")
        at = np.array([known[name] for name in names], np.intp)
        links = len(LINK_FEATURES)
        return cls(at[at < links], at[at < len(FEATURES)], at[at >= links] - links)

    def names(self) -> list[str]:
        """The names of the features, to be stored."""
        every = _all_names()
        return [every[at] for at in (*self.link, *(self.lone + len(LINK_FEATURES)))]


@dataclass(frozen=True, eq=False)
class LabelModel:
    """The fitted classifiers."""

    link: Committee
    """No link, a link."""
    relation: Committee
    """The six linking relations."""
    score: Committee
    """The scores 1 to 4, should the relation not be EQUI."""
    lone: Committee
    """NOALI, ALIC."""
    flags: Mapping[Flag, Committee] = field(default_factory=dict)
    """Without the flag, with it; none of a model that knows no flags."""
    sharpness: float = 1.0
    """The exponent that calibrates the relation's probabilities."""
    alic_from: float = 0.5
    """The probability from which a chunk left alone is called ALIC."""
    columns: Columns = field(default_factory=lambda: Columns.of(_all_names()))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What has to be stored, as named arrays."""
        stored: dict[str, NDArray[np.generic]] = {
            "format": np.array([_FORMAT], np.int32),
            "features": np.frombuffer("\n".join(self.columns.names()).encode(), np.uint8),
            "constants": np.array([self.sharpness, self.alic_from], np.float64),
        }
        for name, committee in self._committees().items():
            stored |= {f"{name}/{key}": array for key, array in committee.arrays().items()}
        return stored

    def write(self, stream: BinaryIO) -> None:
        """Store the model as a compressed npz file, the same bytes for the same model."""
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, array in sorted(self.arrays().items()):
                entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                content = io.BytesIO()
                np.lib.format.write_array(content, array, allow_pickle=False)
                archive.writestr(entry, content.getvalue(), compresslevel=9)

    @classmethod
    def read(cls, path: str | Path) -> "LabelModel":
        """Read a stored model and reject one that is damaged or was trained on other features."""
        try:
            with Path(path).open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            return cls.from_arrays(arrays)
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from None
        except Exception as error:  # zip, zlib, struct and numpy have many ways to say it
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "damaged"
            raise ModelError(f"{path}: the labeller cannot be read: {reason.lower()}") from None

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "LabelModel":
        """The model of stored arrays."""
        if arrays["format"].tolist() != [_FORMAT]:
            raise ModelError("this labeller is of another version of ists")
        columns = Columns.of(bytes(arrays["features"].astype(np.uint8)).decode().split("\n"))
        sharpness, alic_from = arrays["constants"].tolist()

        def committee(name: str, features: Places, classes: int) -> Committee:
            own = {
                key.partition("/")[2]: a for key, a in arrays.items() if key.startswith(f"{name}/")
            }
            found = Committee.from_arrays(own, len(features))
            if found.classes != classes:
                raise ModelError("the labeller's classes are not those of the task")
            return found

        flags = [flag for flag in Flag if any(key.startswith(f"{flag}/") for key in arrays)]
        return cls(
            committee("link", columns.link, 2),
            committee("relation", columns.label, len(LINKING)),
            committee("score", columns.label, len(LOWER_SCORES)),
            committee("lone", columns.lone, 2),
            {flag: committee(flag, columns.label, 2) for flag in flags},
            sharpness,
            alic_from,
            columns,
        )

    def links_of(self, rows: Floats) -> Floats:
        """(rows,): how likely a link is, the same from both directions."""
        likely: Floats = _mean(*_both_ways(self.link, rows, LINK_MIRROR, self.columns.link))[:, 1]
        return likely

    def relations_of(self, rows: Floats) -> Floats:
        """(rows, 6): calibrated, and the same from both directions."""
        there, back = _both_ways(self.relation, rows, MIRROR, self.columns.label)
        return sharpened(_mean(there, back[:, list(SWAPPED_RELATIONS)]), self.sharpness)

    def lower_scores_of(self, rows: Floats) -> Floats:
        """(rows, 4): the scores 1 to 4, the same from both directions."""
        return _mean(*_both_ways(self.score, rows, MIRROR, self.columns.label))

    def flags_of(self, rows: Floats) -> list[frozenset[Flag]]:
        """The flags of each row, the same from both directions."""
        likely = {
            flag: _mean(*_both_ways(committee, rows, MIRROR, self.columns.label))[:, 1].tolist()
            for flag, committee in self.flags.items()
        }
        return [
            frozenset(flag for flag, shares in likely.items() if shares[at] > _FLAG_ABOVE)
            for at in range(len(rows))
        ]

    def alic_shares_of(self, rows: Floats) -> Floats:
        """(rows,): how likely ALIC is for chunks left alone."""
        shares: Floats = self.lone.probabilities(rows[:, self.columns.lone])[:, 1]
        return shares

    def _committees(self) -> dict[str, Committee]:
        return {
            "link": self.link,
            "relation": self.relation,
            "score": self.score,
            "lone": self.lone,
            **{flag.value: committee for flag, committee in self.flags.items()},
        }


class Labeler:
    """A model with the word knowledge it asks."""

    def __init__(self, model: LabelModel, lexicon: Lexicon | None = None) -> None:
        self.model = model
        self.reader = PhraseReader(WordKnowledge(lexicon or Lexicon.load()))
        self._compare = bool((model.columns.label >= WHOLE_FROM).any())

    @classmethod
    def load(cls, path: str | Path, lexicon: Lexicon | None = None) -> "Labeler":
        """The labeller stored in a file."""
        return cls(LabelModel.read(path), lexicon)

    def weigh(self, questions: Sequence[Question]) -> list[ScoredLinks]:
        """How likely each link is, for a batch of sentence pairs."""
        with stage("features"):
            views = [self.view(question) for question in questions]
            cells, rows, places = [], [], []
            for view, question in zip(views, questions, strict=True):
                cells.append(candidates(view, question.signals))
                rows.append(feature_matrix(view, question.signals, cells[-1], self._compare))
                places.append(link_matrix(view, question.signals, cells[-1], rows[-1]))
        with stage("trees"):
            nothing = np.zeros((0, len(LINK_FEATURES)), np.float32)
            likely = iter(self.model.links_of(np.concatenate([nothing, *places])).tolist())
        weighed = []
        for view, question, own, own_rows in zip(views, questions, cells, rows, strict=True):
            link = np.zeros_like(question.signals.link)
            for cell in own:
                link[cell] = next(likely)
            weighed.append(ScoredLinks(question, view, own, own_rows, link))
        return weighed

    def label(
        self, weighed: Sequence[ScoredLinks], links: Sequence[Sequence[Cell]], why: bool = False
    ) -> list[Answer]:
        """Label the links of a batch of sentence pairs; with `why`, each comes with its evidence.

        `links`: for each sentence pair, the places of the aligned chunks, each chunk at most once.
        """
        with stage("features"):
            rows = [one.rows_of(chosen) for one, chosen in zip(weighed, links, strict=True)]
            together = np.concatenate(rows) if rows else np.zeros((0, len(FEATURES)), np.float32)
        with stage("trees"):
            decisions = self._decide(together)
            lone = iter(self._decide_lone(weighed, links))
        answers, start = [], 0
        for one, chosen in zip(weighed, links, strict=True):
            end = start + len(chosen)
            alone1, alone2 = next(lone), next(lone)
            evidence = (
                tuple(
                    self._evidence(one, link, row, decision)
                    for link, row, decision in zip(
                        chosen, together[start:end], decisions[start:end], strict=True
                    )
                )
                if why
                else ()
            )
            answers.append(Answer(tuple(decisions[start:end]), alone1, alone2, evidence))
            start = end
        return answers

    def view(self, question: Question) -> PairView:
        """The question as the features see it."""
        return PairView.read(
            question.tokens1, question.chunks1, question.tokens2, question.chunks2, self.reader
        )

    def _evidence(self, one: ScoredLinks, link: Cell, row: Floats, decision: Decision) -> Reasons:
        weights = self.weights(row, decision)
        relation, flags = decision.relation, decision.flags
        if not one.question.exchanged:
            return find_evidence(one.view, *link, relation, flags, weights)
        renamed = [replace(weight, feature=_EXCHANGED_NAMES[weight.feature]) for weight in weights]
        swapped = exchanged(relation)
        return find_evidence(one.view.swapped, link[1], link[0], swapped, flags, renamed)

    def weights(self, row: Floats, decision: Decision) -> tuple[Weight, ...]:
        """The features that pulled hardest to the relation given, by the linear classifier."""
        linear = self.model.relation.members.get("linear")
        if not isinstance(linear, Linear):
            return ()
        given = LINKING.index(decision.relation)
        ranked = np.argsort([-share for share in decision.probabilities], kind="stable")
        rival = int(ranked[0]) if ranked[0] != given else int(ranked[1])
        columns = self.model.columns.label
        pull = linear.pull(row[columns], given, rival)
        strongest = np.argsort(-pull, kind="stable")[:_SHOWN_WEIGHTS]
        return tuple(
            Weight(NAMES[columns[at]], float(row[columns[at]]), float(pull[at]))
            for at in strongest
            if pull[at] > 0
        )

    def _decide(self, rows: Floats) -> list[Decision]:
        if not len(rows):
            return []
        relations = self.model.relations_of(rows)
        lower_scores = np.zeros((len(rows), len(LOWER_SCORES)), np.float32)
        unsure = relations[:, EQUI_AT] < SURE_EQUI
        lower_scores[unsure] = self.model.lower_scores_of(rows[unsure])
        return decide(relations, lower_scores, self.model.flags_of(rows))

    def _decide_lone(
        self, weighed: Sequence[ScoredLinks], links: Sequence[Sequence[Cell]]
    ) -> list[dict[int, LoneDecision]]:
        """For every sentence pair, the lone chunks of sentence 1 and then those of sentence 2."""
        places: list[tuple[int, int]] = []
        rows: list[tuple[float, ...]] = []
        found: list[dict[int, LoneDecision]] = []
        for one, chosen in zip(weighed, links, strict=True):
            view, own = one.view, one.question.signals
            taken1 = frozenset(i for i, _ in chosen)
            taken2 = frozenset(j for _, j in chosen)
            for side, signals, taken, others in (
                (view, own, taken1, taken2),
                (view.swapped, own.swapped, taken2, taken1),
            ):
                found.append({})
                for place, phrase in enumerate(side.one.phrases):
                    if place in taken:
                        continue
                    found[-1][place] = _PUNCTUATION
                    if not phrase.is_wordless:
                        places.append((len(found) - 1, place))
                        rows.append(lone_features(side, signals, place, taken, others))
        matrix = np.array(rows, np.float32).reshape(len(rows), len(LONE_FEATURES))
        for (at, place), share in zip(
            places, self.model.alic_shares_of(matrix).tolist(), strict=True
        ):
            found[at][place] = (
                LoneDecision(Relation.ALIC, share)
                if share >= self.model.alic_from
                else LoneDecision(Relation.NOALI, 1 - share)
            )
        return found


_PUNCTUATION = LoneDecision(Relation.NOALI, 1.0)
_EXCHANGED_NAMES = {name: NAMES[at] for name, at in zip(NAMES, MIRROR, strict=True)}


def _both_ways(
    committee: Committee, rows: Floats, mirror: Sequence[int], columns: Places
) -> tuple[Floats, Floats]:
    """The answers on some columns of the rows and of their mirror images, asked for in one go."""
    mirrored = np.asarray(mirror, np.intp)[columns]
    answers = committee.probabilities(np.concatenate([rows[:, columns], rows[:, mirrored]]))
    return answers[: len(rows)], answers[len(rows) :]


def _mean(there: Floats, back: Floats) -> Floats:
    return ((there + back) / np.float32(2)).astype(np.float32)


def _all_names() -> list[str]:
    return [*LINK_NAMES, *(f"lone {feature.name}" for feature in LONE_FEATURES)]
