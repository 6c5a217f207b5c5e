"""Report of the benchmark: tables, JSON document and reliability diagrams."""

from collections.abc import Iterator, Sequence
from itertools import product

from ists.bench.everyday.figures import Figures, Result
from ists.bench.everyday.systems import System
from ists.bench.everyday.themes import SCENARIOS, Scenario, Theme, data_digest
from ists.bench.reliability import Panel, reliability_diagram
from ists.bench.report import Report, seen_notes, training_mark
from ists.pairs import Flag, Relation
from scorer.calibration import Bin, bar, bounds
from scorer.report import NAMES, format_signature
from scorer.tables import Row, Table

TITLE = "Everyday English"
_NONE = "-"
_HIGHLIGHTED = Relation.OPPO
_MARK = " *"


def report(
    themes: Sequence[Theme],
    systems: Sequence[System],
    results: Sequence[Result],
    notes: Sequence[str] = (),
) -> Report:
    """Build the report of all systems; ``notes`` are added to the report's own notes."""
    document = {
        "signature": format_signature(
            bench="everyday",
            data=f"{len(themes)}themes#{data_digest(themes)}",
            pairs=sum(len(theme.pairs) for theme in themes),
            match="strict",
            model="+".join(system.identity for system in systems),
        ),
        "themes": [
            {
                "theme": theme.name,
                "pairs": len(theme.pairs),
                "with_acceptable_labels": len(theme.acceptable),
            }
            for theme in themes
        ],
        "systems": [{"system": one.name, "identity": one.identity} for one in systems],
        "results": [result.to_dict() for result in results],
    }
    return Report(
        TITLE,
        list(_tables(themes, results)),
        [*_training_notes(systems, results), *_reading_notes(themes, results), *notes],
        document,
    )


def plot(results: Sequence[Result]) -> str | None:
    """Draw reliability diagrams as SVG, one row per system; None without confidences."""
    by_system: dict[str, list[Panel]] = {}
    for result in results:
        if has_confidences(result):
            by_system.setdefault(result.system, []).extend(_panels(result))
    return (
        reliability_diagram(f"{TITLE}: calibration", list(by_system.values()))
        if by_system
        else None
    )


def has_confidences(result: Result) -> bool:
    """Return whether the system's output has confidences."""
    return bool(result.total.link.total.count or result.total.label.total.count)


def _panels(result: Result) -> Iterator[Panel]:
    for kind, reliability in (("links", result.total.link), ("labels", result.total.label)):
        yield Panel(f"{result.system}, {result.scenario}: {kind}", reliability)


def _tables(themes: Sequence[Theme], results: Sequence[Result]) -> Iterator[Table]:
    by_scenario = {
        scenario: found
        for scenario in SCENARIOS
        if (found := [result for result in results if result.scenario == scenario])
    }
    for scenario, found in by_scenario.items():
        yield _overview(themes, scenario, found)
    for scenario, found in by_scenario.items():
        yield _by_theme(themes, scenario, found)
    for scenario, found in by_scenario.items():
        yield _by_label(scenario, found)
        yield _by_flag(scenario, found)
    yield from (_calibration(result) for result in results if has_confidences(result))


def _overview(themes: Sequence[Theme], scenario: Scenario, results: Sequence[Result]) -> Table:
    pairs = sum(len(theme.pairs) for theme in themes)
    head = ("system", *NAMES, "acceptable", "chunk F1", "ECE link", "ECE label")
    rows = [
        (
            _with_mark(result.system, result.total),
            *_f1(result.total),
            _figure(result.total.labels.share),
            _chunk_f1(result.total, scenario),
            _figure(result.total.link.ece),
            _figure(result.total.label.ece),
        )
        for result in results
    ]
    return Table(f"{TITLE}, {scenario} ({pairs} pairs, {len(themes)} themes)", head, rows)


def _by_theme(themes: Sequence[Theme], scenario: Scenario, results: Sequence[Result]) -> Table:
    rows = []
    for theme, result in product(themes, results):
        figures = result.themes[theme.name]
        rows.append(
            (
                theme.name,
                str(figures.pairs),
                _with_mark(result.system, figures),
                *_f1(figures),
                _figure(figures.labels.share),
                _chunk_f1(figures, scenario),
            )
        )
    head = ("theme", "pairs", "system", *NAMES, "acceptable", "chunk F1")
    return Table(f"By theme, {scenario}", head, rows)


def _by_label(scenario: Scenario, results: Sequence[Result]) -> Table:
    by_label = [result.total.report.by_label() for result in results]
    rows = [
        (
            f"> {relation}" if relation is _HIGHLIGHTED else relation.value,
            f"{max(found[relation]['gold'] for found in by_label if relation in found):.1f}",
            *(_figure(found[relation]["f1"] if relation in found else 0.0) for found in by_label),
        )
        for relation in Relation
        if any(relation in found for found in by_label)
    ]
    head = ("label", "weight in gold", *(f"F1 {_name(result)}" for result in results))
    return Table(f"By label, {scenario}", head, rows)


def _by_flag(scenario: Scenario, results: Sequence[Result]) -> Table:
    rows = []
    for flag in Flag:
        cells: Row = ()
        for result in results:
            found = result.total.flags[flag]
            precision = found.precision.ali if found.system_weight else None
            recall = found.recall.ali if found.gold_weight else None
            cells += (_figure(precision), _figure(recall))
        weight = results[0].total.flags[flag].gold_weight
        rows.append((flag.value, f"{weight:.1f}", *cells))
    columns = (f"{kind} {_name(result)}" for result in results for kind in ("P", "R"))
    return Table(f"Flags, {scenario}", ("flag", "weight in gold", *columns), rows)


def _calibration(result: Result) -> Table:
    total = result.total
    rows = [
        (f"{low:.1f} to {high:.1f}", *_bin_cells(link), *_bin_cells(label))
        for (low, high), link, label in zip(
            bounds(), total.link.bins, total.label.bins, strict=True
        )
    ]
    columns = ("sure", "right", "= right, + sure")
    title = (
        f"Calibration, {result.scenario}: {_name(result)} "
        f"(ECE of links {_figure(total.link.ece)}, of labels {_figure(total.label.ece)})"
    )
    return Table(title, ("confidence", "links", *columns, "labels", *columns), rows)


def _bin_cells(one: Bin) -> Row:
    figures = (
        _NONE if value is None else f"{value:.3f}"
        for value in (one.mean_confidence, one.share_right)
    )
    return (str(one.count), *figures, bar(one))


def _training_notes(systems: Sequence[System], results: Sequence[Result]) -> Iterator[str]:
    marked = False
    for system in systems:
        total = next(result.total for result in results if result.system == system.name)
        mark = training_mark(total.seen, total.pairs)
        marked = marked or bool(mark)
        for note in seen_notes({system.name: mark}, system.seen):
            yield note if note.startswith("*") else f"{system.name}: {note}"
    if marked:
        yield (
            "Figures marked * are not a test: the model was trained on these pairs. "
            "--cross-validated evaluates models that were not."
        )


def _reading_notes(themes: Sequence[Theme], results: Sequence[Result]) -> Iterator[str]:
    without = [theme.name for theme in themes if not theme.acceptable]
    yield (
        "acceptable: of the links whose chunks are the gold's, the share with a label that the "
        "annotators accept" + (f" (not known for {', '.join(without)})." if without else ".")
    )
    if any(result.scenario == "system chunks" for result in results):
        yield "chunk F1: of the system's chunks; a chunk is correct if both boundaries are."
    if any(map(has_confidences, results)):
        yield (
            "Calibration: a link counts as correct by the share of its token links that the gold "
            "has; a label counts, where the chunks are those of the gold, if the relation is the "
            "gold's. Only links of the system are counted."
        )
    silent = dict.fromkeys(one.system for one in results if not has_confidences(one))
    if silent:
        yield f"No confidences, so no calibration: {', '.join(silent)}."


def _with_mark(system: str, figures: Figures) -> str:
    return f"{system}{_MARK if figures.seen else ''}"


def _name(result: Result) -> str:
    return _with_mark(result.system, result.total)


def _f1(figures: Figures) -> Row:
    return tuple(map(_figure, figures.report.f1))


def _chunk_f1(figures: Figures, scenario: Scenario) -> str:
    return _figure(figures.chunks.f1) if scenario == "system chunks" else _NONE


def _figure(value: float | None) -> str:
    return _NONE if value is None else f"{value:.4f}"
