"""STSS-131: 64 sentence pairs with mean human ratings from 0 to 4, by the rules of its appendix.

The two calibration pairs, SP99 and SP129, are left out. A system's ratings, on a scale from 0 to 1,
are rounded to three decimals and evaluated by Pearson's r. Systems are compared by Steiger's Z,
which needs the correlation between the ratings of the two systems: where these are not known, the
range of Z over all possible correlations is given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ists.bench import published
from ists.bench.report import Report, digest, seen_notes, training_mark
from ists.bench.scatter import Axis, Point, scatter
from ists.bench.systems import LARGEST, System, TextPair
from ists.errors import FormatError
from ists.files import open_input
from ists.formats.text import decode, shown
from ists.seen import Seen
from scorer.correlation import Correlation, Significance, pearson, steiger_bounds, steiger_z
from scorer.report import format_signature
from scorer.scores import parse_score, read_scores
from scorer.tables import Table

CALIBRATION = frozenset({"99", "129"})
_HUMANS = "humans"
_LARGEST_RATING = 4.0
_DECIMALS = 3
_HEAD = ("sp", "sentence1", "sentence2", "mean")


@dataclass(frozen=True)
class RatedPair:
    """A sentence pair and its mean human rating."""

    sp: str
    sentences: TextPair
    rating: float

    @property
    def calibrates(self) -> bool:
        """Whether the pair is from another data set, for calibrating the raters."""
        return self.sp in CALIBRATION


@dataclass(frozen=True)
class Comparison:
    """Comparison of our system with another over the same pairs."""

    name: str
    r: float
    between: float | None
    """The correlation between the two systems; None if unknown."""
    weakest: Significance
    """Steiger's test; with the smallest possible |z| if ``between`` is unknown."""
    strongest: Significance

    def to_dict(self) -> dict[str, Any]:
        known = self.between is not None
        return {
            "system": self.name,
            "r": self.r,
            "between": self.between,
            "steiger": self.weakest.to_dict() if known else None,
            "steiger_bounds": None if known else [self.weakest.to_dict(), self.strongest.to_dict()],
        }


@dataclass(frozen=True)
class Result:
    """A system's ratings and their correlation with the human ratings."""

    system: str
    pairs: tuple[RatedPair, ...]
    """Without the calibration pairs."""
    ratings: tuple[float, ...]
    correlation: Correlation
    comparisons: tuple[Comparison, ...]

    def plot(self) -> str:
        """Plot the system's ratings against the human ratings as SVG."""
        points = [
            Point(pair.rating, rating, f"SP{pair.sp}: {pair.rating:g}, {rating:g}")
            for pair, rating in zip(self.pairs, self.ratings, strict=True)
        ]
        title = f"STSS-131: {self.system}, r = {self.correlation.r:.{_DECIMALS}f}"
        x = Axis("mean human rating", 0.0, _LARGEST_RATING)
        ends = min(0.0, *self.ratings), max(1.0, *self.ratings)
        return scatter(title, x, Axis(f"rating of {self.system}", *ends), points)


def read_pairs(path: Path) -> list[RatedPair]:
    """Read all pairs of the file, including the calibration pairs."""
    with open_input(path) as stream:
        lines = [decode(line).rstrip("\r\n").split("\t") for line in stream]
    if not lines or lines[0][: len(_HEAD)] != list(_HEAD):
        raise FormatError(f"expected the columns {', '.join(_HEAD)}", str(path), 1)
    pairs = []
    for number, columns in enumerate(lines[1:], start=2):
        if len(columns) < len(_HEAD):
            reason = f"{shown(chr(9).join(columns))} has {len(columns)} columns, expected "
            raise FormatError(reason + ", ".join(_HEAD), str(path), number)
        sp, one, two, mean = columns[: len(_HEAD)]
        try:
            pairs.append(RatedPair(sp.strip().removeprefix("SP"), (one, two), _rating(mean)))
        except FormatError as error:
            raise FormatError(error.reason, str(path), number) from None
    return pairs


def rate(pairs: Sequence[RatedPair], system: System) -> list[float]:
    """Return a system's ratings of the pairs, from 0 to 1."""
    return [score / LARGEST for score in system.similarity_many(pair.sentences for pair in pairs)]


def read_ratings(path: Path, pairs: Sequence[RatedPair]) -> list[float]:
    """Read ratings, one per line, of all pairs or of those that are not calibration pairs."""
    ratings = read_scores(path)
    counting = [pair for pair in pairs if not pair.calibrates]
    if len(ratings) == len(counting):
        given = iter(ratings)
        return [0.0 if pair.calibrates else next(given) for pair in pairs]
    if len(ratings) != len(pairs):
        raise FormatError(
            f"{len(ratings)} ratings, expected {len(counting)} or {len(pairs)}", str(path)
        )
    return ratings


def judge(
    pairs: Sequence[RatedPair],
    system: str,
    ratings: Sequence[float],
    others: Mapping[str, Sequence[float]] | None = None,
) -> Result:
    """Evaluate ratings by the appendix's rules; ``others`` are ratings of systems to compare."""
    used = [index for index, pair in enumerate(pairs) if not pair.calibrates]
    ours = _round(ratings, used)
    gold = [pairs[index].rating for index in used]
    correlation = pearson(gold, ours)
    known = {name: _round(theirs, used) for name, theirs in (others or {}).items()}
    return Result(
        system,
        tuple(pairs[index] for index in used),
        tuple(ours),
        correlation,
        tuple(_compare(correlation, gold, ours, known)),
    )


def report(result: Result, file: Path, seen: Seen = Seen()) -> Report:  # noqa: B008 (frozen)
    """Tabulate our figures and the published ones; ``seen`` is the system's training data."""
    r = result.correlation
    trained_on = seen.count([pair.sentences for pair in result.pairs], [file])
    mark = training_mark(trained_on, r.n)
    document = {
        "system": result.system,
        "pairs": r.n,
        "r": round(r.r, _DECIMALS),
        "p": r.p,
        "trained_on": bool(trained_on),
        "seen": trained_on,
        "comparisons": [comparison.to_dict() for comparison in result.comparisons],
        "ratings": {
            pair.sp: rating for pair, rating in zip(result.pairs, result.ratings, strict=True)
        },
        "signature": format_signature(
            bench="stss131",
            data=f"{file.name}#{digest([file])}",
            pairs=r.n,
            system=result.system.replace(" ", "-"),
        ),
    }
    overview = Table(
        f"STSS-131: Pearson r with the mean human ratings ({r.n} pairs)",
        ("system", "r", "p"),
        [
            (f"> {result.system}{' *' if mark else ''}", f"{r.r:.{_DECIMALS}f}", f"{r.p:.2g}"),
            *((one.name, f"{one.r:.{_DECIMALS}f}", "") for one in result.comparisons),
        ],
    )
    tests = Table(
        "Ours against the others (Steiger's Z; + is ours ahead)",
        ("system", "r of the two", "z", "p"),
        [_comparison_row(one) for one in result.comparisons],
    )
    notes = [*_notes(result), *seen_notes({"": mark}, seen)]
    return Report("STSS-131", [overview, tests], notes, document)


def _rating(text: str) -> float:
    rating = parse_score(text)
    if not 0 <= rating <= _LARGEST_RATING:
        raise FormatError(f"rating {rating:g}, expected 0 to {_LARGEST_RATING:g}")
    return rating


def _round(ratings: Sequence[float], used: Sequence[int]) -> list[float]:
    return [round(ratings[index], _DECIMALS) for index in used]


def _compare(
    correlation: Correlation,
    gold: Sequence[float],
    ours: Sequence[float],
    known: Mapping[str, Sequence[float]],
) -> list[Comparison]:
    comparisons = []
    for name, ratings in known.items():
        theirs, between = pearson(gold, ratings), pearson(ours, ratings)
        outcome = steiger_z(correlation.r, theirs.r, between.r, correlation.n)
        comparisons.append(Comparison(name, theirs.r, between.r, outcome, outcome))
    for row in published.rows("stss131"):
        if row["other"] == _HUMANS and row["one"] not in known:
            r = float(row["r"])
            bounds = steiger_bounds(correlation.r, r, correlation.n)
            comparisons.append(Comparison(row["one"], r, None, *bounds))
    return comparisons


def _comparison_row(one: Comparison) -> tuple[str, ...]:
    low, high = one.weakest, one.strongest
    if one.between is not None:
        return (one.name, f"{one.between:.3f}", f"{low.statistic:+.3f}", f"{low.p:.4f}")
    return (
        one.name,
        "not known",
        f"{low.statistic:+.3f} to {high.statistic:+.3f}",
        f"{low.p:.2g} to {high.p:.2g}",
    )


def _notes(result: Result) -> list[str]:
    notes = ["The calibration pairs SP99 and SP129 are left out; ratings have three decimals."]
    if any(one.between is None for one in result.comparisons):
        triangle = {
            (row["one"], row["other"]): float(row["r"]) for row in published.rows("stss131")
        }
        stasis, lsa = triangle["STASIS", _HUMANS], triangle["LSA", _HUMANS]
        between = triangle["STASIS", "LSA"]
        test = steiger_z(stasis, lsa, between, result.correlation.n)
        notes += [
            "The ratings of STASIS and LSA are not published, so their correlation with ours is "
            "not known: z is given for the whole range that it can have.",
            f"The one known triangle is theirs: STASIS {stasis:.3f}, LSA {lsa:.3f}, with each "
            f"other {between:.2f}: z = {test.statistic:.3f}, p = {test.p:.4f}.",
        ]
    return notes
