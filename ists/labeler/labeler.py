"""The labeller: link probabilities of chunk pairs, and labels of the links that are chosen.

A link gets a relation and a score, a chunk without a link NOALI or ALIC. All links of a batch are
classified at once, in both directions, and the probabilities are averaged, so that exchanging the
sentences exchanges SPE1 and SPE2 and changes nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ists.arrays import Floats
from ists.compiled import kernels
from ists.labeler.committee import Linear
from ists.labeler.compiled_rows import link_rows, lone_rows
from ists.labeler.decide import (
    EQUI_AT,
    LOWER_SCORES,
    SURE_EQUI,
    Decision,
    LoneDecision,
    decide,
)
from ists.labeler.features import FEATURES, MIRROR, NAMES, WHOLE_FROM, feature_matrix
from ists.labeler.groups import GROUP_FEATURES, candidates_to_join, group_rows, groups_of, join
from ists.labeler.label_model import LabelModel
from ists.labeler.linking import (
    LINK_FEATURES,
    Cell,
    candidates,
    link_matrix,
)
from ists.labeler.lone import LONE_FEATURES, lone_matrix
from ists.labeler.merging import Merging
from ists.labeler.phrases import PhraseReader
from ists.labeler.reasons import Reasons, Weight
from ists.labeler.views import PairView
from ists.labeler.words import WordKnowledge
from ists.lexicon import Lexicon
from ists.pairs import LINKING, Relation, exchanged
from ists.scored_pair import Group, PairScores, ScoredPair
from ists.stages import stage

_SHOWN_WEIGHTS = 5


@dataclass(frozen=True, eq=False)
class ScoredLinks:
    """A scored pair with the probability of every link."""

    pair: ScoredPair
    view: PairView
    cells: Sequence[Cell]
    """The chunk pairs that may be linked."""
    rows: Floats
    """(cells, features): the labeller's features."""
    link: Floats
    """(chunks 1, chunks 2): probabilities; 0 for pairs that are not candidates."""

    def rows_of(self, links: Sequence[Cell]) -> Floats:
        """Return (links, features), also for links that are not candidates."""
        places = {cell: place for place, cell in enumerate(self.cells)}
        if all(link in places for link in links):
            return self.rows[[places[link] for link in links]]
        return feature_matrix(self.view, self.pair.scores, links)


@dataclass(frozen=True)
class PairLabels:
    """The labels of one sentence pair."""

    links: tuple[Decision, ...]
    """In the order of the links."""
    alone1: Mapping[int, LoneDecision]
    """By the index of each chunk of sentence 1 that has no link."""
    alone2: Mapping[int, LoneDecision]
    evidence: tuple[Reasons, ...] = ()
    """Of each link, if requested."""

    def without_alic(self) -> "PairLabels":
        """Return the labels of the 2016 edition: a chunk left alone is NOALI."""
        return replace(self, alone1=_as_noali(self.alone1), alone2=_as_noali(self.alone2))


def _as_noali(alone: Mapping[int, LoneDecision]) -> dict[int, LoneDecision]:
    return {
        chunk: one if one.relation is Relation.NOALI else LoneDecision(Relation.NOALI, 1.0)
        for chunk, one in alone.items()
    }


class Labeler:
    """The classifiers of a model with the word knowledge they need."""

    def __init__(self, model: LabelModel, lexicon: Lexicon | None = None) -> None:
        self.model = model
        self.reader = PhraseReader(WordKnowledge(lexicon or Lexicon.load()))
        self._compare = bool((model.columns.label >= WHOLE_FROM).any())

    @classmethod
    def load(cls, path: str | Path, lexicon: Lexicon | None = None) -> "Labeler":
        """Load the labeller from a file, and the tables of the lexicon."""
        labeler = cls(LabelModel.read(path), lexicon)
        # Now rather than for the first pair: the aligner's network is being opened meanwhile.
        labeler.reader.knowledge.lexicon.load_tables()
        labeler.model.prepare()
        return labeler

    def score_links(self, pairs: Sequence[ScoredPair]) -> list[ScoredLinks]:
        """Return the link probabilities of a batch of sentence pairs."""
        with stage("features"):
            views, scores = [self.view(pair) for pair in pairs], [pair.scores for pair in pairs]
            cells = [candidates(*items) for items in zip(views, scores, strict=True)]
            rows_of = self._rows if kernels is None or not self._compare else link_rows
            rows = [rows_of(*items) for items in zip(views, scores, cells, strict=True)]
        with stage("trees"):
            nothing = np.zeros((0, len(LINK_FEATURES)), np.float32)
            likely = iter(self.model.links_of(np.concatenate([nothing, *rows])).tolist())
        scored = []
        for view, pair, own, own_rows in zip(views, pairs, cells, rows, strict=True):
            link = np.zeros_like(pair.scores.link)
            for cell in own:
                link[cell] = next(likely)
            scored.append(ScoredLinks(pair, view, own, own_rows[:, : len(FEATURES)], link))
        return scored

    def _rows(self, view: PairView, scores: PairScores, cells: list[Cell]) -> Floats:
        """Return (cells, link features)."""
        return link_matrix(view, scores, cells, feature_matrix(view, scores, cells, self._compare))

    def group(
        self, scored: Sequence[ScoredLinks], links: Sequence[Sequence[Cell]]
    ) -> tuple[list[ScoredLinks], list[Sequence[Cell]]]:
        """Join unlinked chunks to links, as the 2016 edition allows.

        Returns the pairs with the chunks of each group merged, and the links between them. Without
        a classifier of groups in the model, nothing changes.
        """
        pairs, chosen = list(scored), list(links)
        if self.model.group is not None:
            for at, groups in enumerate(self._groups(scored, links)):
                if any(len(chunks) > 1 for group in groups for chunks in group):
                    pairs[at], chosen[at] = self._merged(scored[at], groups)
        return pairs, chosen

    def _groups(
        self, scored: Sequence[ScoredLinks], links: Sequence[Sequence[Cell]]
    ) -> list[tuple[Group, ...]]:
        """Return the groups of each pair, after as many rounds of joining as change anything."""
        groups = [groups_of(own) for own in links]
        growing = list(range(len(groups)))
        while growing:
            with stage("features"):
                candidates = [
                    candidates_to_join(scored[at].view, scored[at].pair.scores, groups[at])
                    for at in growing
                ]
                rows = [
                    row
                    for at, own in zip(growing, candidates, strict=True)
                    for row in group_rows(
                        scored[at].view, scored[at].pair.scores, scored[at].link, groups[at], own
                    )
                ]
            with stage("trees"):
                matrix = np.array(rows, np.float32).reshape(len(rows), len(GROUP_FEATURES))
                likely = iter(self.model.joining_of(matrix).tolist())
            grown = []
            for at, own in zip(growing, candidates, strict=True):
                joined = join(groups[at], own, [next(likely) for _ in own], self.model.group_from)
                if joined != groups[at]:
                    groups[at] = joined
                    grown.append(at)
            growing = grown
        return groups

    def _merged(
        self, one: ScoredLinks, groups: Sequence[Group]
    ) -> tuple[ScoredLinks, Sequence[Cell]]:
        merging = Merging.of(groups, one.pair)
        pair = merging.pair(one.pair)
        no_rows = np.zeros((0, len(FEATURES)), np.float32)
        merged = ScoredLinks(pair, self.view(pair), (), no_rows, merging.highest(one.link))
        return merged, merging.links

    def label(
        self, scored: Sequence[ScoredLinks], links: Sequence[Sequence[Cell]], why: bool = False
    ) -> list[PairLabels]:
        """Label the links of a batch of sentence pairs; with `why`, each has its evidence.

        `links`: for each sentence pair, the indices of the aligned chunks, each chunk at most once.
        """
        with stage("features"):
            rows = [one.rows_of(chosen) for one, chosen in zip(scored, links, strict=True)]
            together = np.concatenate(rows) if rows else np.zeros((0, len(FEATURES)), np.float32)
        with stage("trees"):
            decisions = self._decide(together)
            lone = iter(self._decide_lone(scored, links))
        answers, start = [], 0
        for one, chosen in zip(scored, links, strict=True):
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
            answers.append(PairLabels(tuple(decisions[start:end]), alone1, alone2, evidence))
            start = end
        return answers

    def view(self, pair: ScoredPair) -> PairView:
        """Return the view of the pair that features are computed from."""
        return PairView.read(pair.tokens1, pair.chunks1, pair.tokens2, pair.chunks2, self.reader)

    def _evidence(self, one: ScoredLinks, link: Cell, row: Floats, decision: Decision) -> Reasons:
        from ists.labeler.evidence import find_evidence  # needed only if it is asked why

        weights = self.weights(row, decision)
        relation, flags = decision.relation, decision.flags
        if not one.pair.exchanged:
            return find_evidence(one.view, *link, relation, flags, weights)
        renamed = [replace(weight, feature=_EXCHANGED_NAMES[weight.feature]) for weight in weights]
        swapped = exchanged(relation)
        return find_evidence(one.view.swapped, link[1], link[0], swapped, flags, renamed)

    def weights(self, row: Floats, decision: Decision) -> tuple[Weight, ...]:
        """Return the features with the largest weight for the relation, by the linear model."""
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
        self, scored: Sequence[ScoredLinks], links: Sequence[Sequence[Cell]]
    ) -> list[dict[int, LoneDecision]]:
        """Return for each pair the decisions of the lone chunks of sentence 1, then of 2."""
        found: list[dict[int, LoneDecision]] = []
        alone: list[tuple[int, int]] = []
        rows: list[Floats] = [np.zeros((0, len(LONE_FEATURES)), np.float32)]
        for one, chosen in zip(scored, links, strict=True):
            view, own = one.view, one.pair.scores
            with_words = []
            for side, phrases in enumerate((view.one.phrases, view.two.phrases)):
                taken = {link[side] for link in chosen}
                free = [place for place in range(len(phrases)) if place not in taken]
                found.append(dict.fromkeys(free, _PUNCTUATION))
                with_words += [(side, at) for at in free if not phrases[at].is_wordless]
            alone += [(len(found) - 2 + side, place) for side, place in with_words]
            if kernels is None:
                rows.append(lone_matrix(view, own, chosen, with_words))
            else:
                rows.append(lone_rows(view, own, chosen, len(with_words)))
        shares = self.model.alic_shares_of(np.concatenate(rows)).tolist()
        for (at, place), share in zip(alone, shares, strict=True):
            found[at][place] = (
                LoneDecision(Relation.ALIC, share)
                if share >= self.model.alic_from
                else LoneDecision(Relation.NOALI, 1 - share)
            )
        return found


_PUNCTUATION = LoneDecision(Relation.NOALI, 1.0)
_EXCHANGED_NAMES = {name: NAMES[at] for name, at in zip(NAMES, MIRROR, strict=True)}
