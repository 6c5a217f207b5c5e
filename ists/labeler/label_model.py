"""The fitted classifiers of a labeller: stored, loaded, and applied in both directions."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ists.arrays import Floats
from ists.errors import ModelError
from ists.labeler.committee import Committee
from ists.labeler.decide import LOWER_SCORES, sharpened
from ists.labeler.features import FEATURES, MIRROR
from ists.labeler.groups import GROUP_FEATURES
from ists.labeler.linking import LINK_FEATURES, LINK_MIRROR, LINK_NAMES
from ists.labeler.lone import LONE_FEATURES
from ists.pairs import LINKING, Flag
from ists.scored_pair import SWAPPED_RELATIONS

Places = NDArray[np.intp]

_FORMAT = 2
_FLAG_ABOVE = 0.5
"""A flag that is wrong costs as much as one that is missing."""
_ROUNDING = 1e-3
"""Much more than any rounding error of a probability."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The features a model was trained on, as columns of today's feature matrices.

    Features that were added later are not used by an older model.
    """

    link: Places
    label: Places
    lone: Places
    group: Places

    @classmethod
    def of(cls, names: Sequence[str]) -> "Columns":
        """Build from stored feature names; raise `ModelError` for an unknown one."""
        known = {name: at for at, name in enumerate(_all_names())}
        missing = [name for name in names if name not in known]
        if missing:
            raise ModelError(f"this labeller was trained on other features, such as '{missing[0]}'")
        at = np.array([known[name] for name in names], np.intp)
        links = len(LINK_FEATURES)
        groups = links + len(LONE_FEATURES)
        lone = at[(at >= links) & (at < groups)] - links
        return cls(at[at < links], at[at < len(FEATURES)], lone, at[at >= groups] - groups)

    def names(self) -> list[str]:
        """Return the names of the features, to store."""
        every = _all_names()
        links = len(LINK_FEATURES)
        groups = links + len(LONE_FEATURES)
        return [every[at] for at in (*self.link, *(self.lone + links), *(self.group + groups))]


@dataclass(frozen=True, eq=False)
class LabelModel:
    """The fitted classifiers."""

    link: Committee
    """Classes: no link, link."""
    relation: Committee
    """Classes: the six linking relations."""
    score: Committee
    """Classes: the scores 1 to 4, if the relation is not EQUI."""
    lone: Committee
    """Classes: NOALI, ALIC."""
    flags: Mapping[Flag, Committee] = field(default_factory=dict)
    """Classes: without the flag, with it. Empty if the model has no flags."""
    sharpness: float = 1.0
    """The exponent that calibrates the relation's probabilities."""
    alic_from: float = 0.5
    """The probability from which an unlinked chunk is labelled ALIC."""
    columns: Columns = field(default_factory=lambda: Columns.of(_names_without_groups()))
    group: Committee | None = None
    """Stays unlinked, joins a group; None for a model that was not trained to make groups."""
    group_from: float = 0.5
    """The probability above which an unlinked chunk joins a group."""

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the model as named arrays."""
        stored: dict[str, NDArray[np.generic]] = {
            "format": np.array([_FORMAT], np.int32),
            "features": np.frombuffer("\n".join(self.columns.names()).encode(), np.uint8),
            "constants": np.array(self._constants(), np.float64),
        }
        for name, committee in self._committees().items():
            stored |= {f"{name}/{key}": array for key, array in committee.arrays().items()}
        return stored

    def write(self, stream: BinaryIO) -> None:
        """Store the model as an npz file, the same bytes for the same model.

        It is not compressed: that would save half of its size, and cost more time to load than
        anything else in the model.
        """
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            for name, array in sorted(self.arrays().items()):
                entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
                content = io.BytesIO()
                np.lib.format.write_array(content, array, allow_pickle=False)
                archive.writestr(entry, content.getvalue())

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
        """Build the model from stored arrays."""
        if arrays["format"].tolist() != [_FORMAT]:
            raise ModelError("this labeller is of another version of ists")
        columns = Columns.of(bytes(arrays["features"].astype(np.uint8)).decode().split("\n"))
        sharpness, alic_from, *group_from = arrays["constants"].tolist()

        def committee(name: str, features: Places, classes: int) -> Committee:
            own = {
                key.partition("/")[2]: a for key, a in arrays.items() if key.startswith(f"{name}/")
            }
            found = Committee.from_arrays(own, len(features))
            if found.classes != classes:
                raise ModelError("the labeller's classes are not those of the task")
            return found

        flags = [flag for flag in Flag if any(key.startswith(f"{flag}/") for key in arrays)]
        has_groups = any(key.startswith("group/") for key in arrays)
        return cls(
            committee("link", columns.link, 2),
            committee("relation", columns.label, len(LINKING)),
            committee("score", columns.label, len(LOWER_SCORES)),
            committee("lone", columns.lone, 2),
            {flag: committee(flag, columns.label, 2) for flag in flags},
            sharpness,
            alic_from,
            columns,
            committee("group", columns.group, 2) if has_groups else None,
            *group_from,
        )

    def prepare(self) -> None:
        """Compute now what the trees would otherwise compute when they get their first row."""
        row = np.zeros((1, len(FEATURES)), np.float32)
        self.relations_of(row)
        self.lower_scores_of(row)
        self.flags_of(row)
        self.links_of(np.zeros((1, len(LINK_FEATURES)), np.float32))
        self.alic_shares_of(np.zeros((1, len(LONE_FEATURES)), np.float32))

    def links_of(self, rows: Floats) -> Floats:
        """Return (rows,): link probabilities, the same from both directions."""
        shares = _both_ways(self.link.probabilities, rows, LINK_MIRROR, self.columns.link)
        likely: Floats = _mean(*shares)[:, 1]
        return likely

    def relations_of(self, rows: Floats) -> Floats:
        """Return (rows, 6): calibrated relation probabilities, the same from both directions."""
        there, back = self._label_both_ways(self.relation.probabilities, rows)
        return sharpened(_mean(there, back[:, list(SWAPPED_RELATIONS)]), self.sharpness)

    def lower_scores_of(self, rows: Floats) -> Floats:
        """Return (rows, 4): probabilities of the scores 1 to 4, the same from both directions."""
        return _mean(*self._label_both_ways(self.score.probabilities, rows))

    def flags_of(self, rows: Floats) -> list[frozenset[Flag]]:
        """Return the flags of each row, the same from both directions."""
        likely = {flag: self._likely(own, rows).tolist() for flag, own in self.flags.items()}
        return [
            frozenset(flag for flag, own in likely.items() if own[at]) for at in range(len(rows))
        ]

    def _likely(self, flag: Committee, rows: Floats) -> NDArray[np.bool_]:
        """Return (rows,): whether the flag is probable; most rows are decided by its ceiling."""
        ceilings = _mean(*self._label_both_ways(flag.ceilings, rows))[:, 1]
        likely = ceilings > _FLAG_ABOVE - _ROUNDING
        shares = _mean(*self._label_both_ways(flag.probabilities, rows[likely]))[:, 1]
        likely[likely] = shares > _FLAG_ABOVE
        return likely

    def alic_shares_of(self, rows: Floats) -> Floats:
        """Return (rows,): probabilities of ALIC of chunks without a link."""
        shares: Floats = self.lone.probabilities(rows[:, self.columns.lone])[:, 1]
        return shares

    def joining_of(self, rows: Floats) -> Floats:
        """(rows,): the probability that chunks left alone join a group."""
        if self.group is None:
            return np.zeros(len(rows), np.float32)
        shares: Floats = self.group.probabilities(rows[:, self.columns.group])[:, 1]
        return shares

    def _label_both_ways(
        self, probabilities: Callable[[Floats], Floats], rows: Floats
    ) -> tuple[Floats, Floats]:
        return _both_ways(probabilities, rows, MIRROR, self.columns.label)

    def _constants(self) -> list[float]:
        groups = [] if self.group is None else [self.group_from]
        return [self.sharpness, self.alic_from, *groups]

    def _committees(self) -> dict[str, Committee]:
        return {
            "link": self.link,
            "relation": self.relation,
            "score": self.score,
            "lone": self.lone,
            **({} if self.group is None else {"group": self.group}),
            **{flag.value: committee for flag, committee in self.flags.items()},
        }


def _both_ways(
    probabilities: Callable[[Floats], Floats],
    rows: Floats,
    mirror: Sequence[int],
    columns: Places,
) -> tuple[Floats, Floats]:
    """Return the probabilities of rows and of their mirror images, computed in one call."""
    mirrored = np.asarray(mirror, np.intp)[columns]
    answers = probabilities(np.concatenate([rows[:, columns], rows[:, mirrored]]))
    return answers[: len(rows)], answers[len(rows) :]


def _mean(there: Floats, back: Floats) -> Floats:
    return ((there + back) / np.float32(2)).astype(np.float32)


def _all_names() -> list[str]:
    return [*_names_without_groups(), *(f"group {feature.name}" for feature in GROUP_FEATURES)]


def _names_without_groups() -> list[str]:
    return [*LINK_NAMES, *(f"lone {feature.name}" for feature in LONE_FEATURES)]
