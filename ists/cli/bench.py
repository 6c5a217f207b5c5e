"""``ists bench``."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ists.cli.options import (
    Warnings,
    format_promised,
    model_option,
    reject_given,
    text_or_json_option,
)
from ists.errors import FormatError, UndefinedError
from ists.files import atomic_output, is_standard_output, reject_replacing
from ists.formats.text import encode

if TYPE_CHECKING:
    from ists.bench.report import Report
    from ists.bench.systems import Ists


@click.group(name="bench")
def command() -> None:
    """Run a benchmark and compare its figures with the published ones.

    \b
    Examples:
      ists bench pilot DIR
      ists bench sts DIR --format json
    """


@command.command(name="pilot")
@click.argument("folder", metavar="DIR", type=click.Path())
@model_option("pilot")
@text_or_json_option()
def pilot(folder: str, model: str, format_: str) -> None:
    """SemEval-2015 pilot: Tables 5 and 6 of the task paper with our rows added by rank.

    DIR holds the official files: STSint.gs.NAME.wa, and the split sent*.txt and *.chunk.txt if
    available. Both scenarios are run: gold chunks given, and raw sentences. Pairs that the model
    was trained on are marked and counted: figures on them are not a test.

    \b
    Examples:
      ists bench pilot semeval2015/test
      ists bench pilot semeval2015/test --format json
    """
    from ists.bench import pilot as benchmark
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)
    warnings = Warnings()
    results = benchmark.run(Path(folder), aligner, _progress, warnings)
    _echo(benchmark.report(results, aligner), format_)
    warnings.end()


@command.command(name="pilot2016")
@click.argument("folder", metavar="DIR", type=click.Path())
@model_option()
@text_or_json_option()
def pilot2016(folder: str, model: str, format_: str) -> None:
    """SemEval-2016 Task 2: headlines, images, students' answers, and the mean of the three.

    DIR holds the official files as the task gave them: STSint.testinput.NAME.wa (the gold), and the
    split sent*.txt and *.chunk.txt if available. Both scenarios are run: gold chunks given, and raw
    sentences. Malformed lines are read with a warning. Pairs that the model was trained on are
    marked and counted: figures on them are not a test.

    \b
    Examples:
      ists bench pilot2016 semeval2016/test
      ists bench pilot2016 semeval2016/test --format json
    """
    from ists.bench import pilot2016 as benchmark
    from ists.pipeline import Aligner

    aligner = Aligner.load(model, edition="2016")
    warnings = Warnings()
    results = benchmark.run(Path(folder), aligner, _progress, warnings)
    _echo(benchmark.report(results, aligner), format_)
    warnings.end()


@command.command(name="sts")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option(
    "--outputs",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Evaluate these files (STS.output.NAME.txt, one score per line) instead of our system.",
)
@click.option(
    "--language",
    type=click.Choice(["auto", "en", "es"]),
    default="auto",
    show_default=True,
    help="English (gold 0 to 5) or Spanish (gold 0 to 4); auto decides by the data sets' names.",
)
@click.option("--baseline-only", is_flag=True, help="Run only the token-cosine baseline.")
@model_option()
@text_or_json_option()
def sts(
    folder: str, outputs: str | None, language: str, baseline_only: bool, model: str, format_: str
) -> None:
    """Semantic textual similarity: Pearson per data set, with the task's baseline.

    DIR or its subfolders hold NAME.tsv files (score, sentence, sentence) or the official
    STS.input.NAME.txt and STS.gs.NAME.txt. The mean is weighted by number of pairs. Results on the
    data sets of 2015 are ranked among the published runs. Our model is English: for Spanish, only
    the baseline and given output files are evaluated.

    \b
    Examples:
      ists bench sts sts/2015
      ists bench sts sts/2015 --format json
      ists bench sts sts2015-es --outputs my-run
      ists bench sts sts --baseline-only
    """
    from ists.bench import sts as benchmark

    if outputs and baseline_only:
        raise click.UsageError("--outputs cannot be combined with --baseline-only")
    if outputs or baseline_only:
        reject_given("--outputs" if outputs else "--baseline-only", "model")
    data_sets = benchmark.find_data_sets(Path(folder))
    found = benchmark.language_of(data_sets)
    chosen = next((one for one in benchmark.LANGUAGES if one == language), found)
    run_ours = chosen == "en" and not outputs and not baseline_only
    system = _system(model) if run_ours else None
    given = Path(outputs) if outputs else None
    _echo(benchmark.run(data_sets, chosen, system, given, _progress), format_)


@command.command(name="stss131")
@click.argument("file", type=click.Path())
@click.option(
    "--plot", metavar="OUT.svg", type=click.Path(), help="Write a scatter plot of the ratings."
)
@click.option(
    "--ratings",
    metavar="FILE",
    type=click.Path(),
    help="Evaluate these ratings (0 to 1, one per line) instead of our system.",
)
@click.option(
    "--other",
    "others",
    metavar="NAME=FILE",
    multiple=True,
    help="Ratings of another system to compare with, which makes Steiger's Z exact.",
)
@model_option()
@text_or_json_option()
def stss131(
    file: str,
    plot: str | None,
    ratings: str | None,
    others: tuple[str, ...],
    model: str,
    format_: str,
) -> None:
    """STSS-131: Pearson r with human ratings over 64 pairs, compared with STASIS and LSA.

    FILE has the tab-separated columns sp, sentence1, sentence2, mean (and sd). The calibration
    pairs SP99 and SP129 are left out, ratings are rounded to three decimals. Steiger's Z needs the
    correlation of two systems with each other; where it is not known, z is given for the whole
    range of possible values.

    \b
    Examples:
      ists bench stss131 stss131.tsv --plot scatter.svg
      ists bench stss131 stss131.tsv --other STASIS=stasis.txt --format json
      ists bench stss131 stss131.tsv --ratings mine.txt
    """
    from ists.bench import stss131 as benchmark
    from ists.seen import Seen

    named = [other.partition("=") for other in others]
    if any(not (name and path) for name, _, path in named):
        raise click.UsageError("--other expects NAME=FILE")
    if ratings:
        reject_given("--ratings", "model")
    if plot:
        _check_plot(plot, [file, *filter(None, [ratings]), *(where for _, _, where in named)])
    path = Path(file)
    pairs = benchmark.read_pairs(path)
    known = {name: benchmark.read_ratings(Path(where), pairs) for name, _, where in named}
    seen = Seen()
    if ratings:
        name, ours = Path(ratings).name, benchmark.read_ratings(Path(ratings), pairs)
    else:
        system = _system(model)
        name, ours, seen = system.name, benchmark.rate(pairs, system), system.seen
    with _naming_files(file, ratings):
        result = benchmark.judge(pairs, name, ours, known)
    if plot:
        with atomic_output(plot) as stream:
            stream.write(result.plot().encode())
    _echo(benchmark.report(result, path, seen), format_)


@command.command(name="str2021")
@click.argument("file", type=click.Path())
@click.option(
    "--scores",
    metavar="FILE",
    type=click.Path(),
    help="Evaluate these scores (one per line, in the file's order) instead of our system.",
)
@click.option(
    "--baseline-only", is_flag=True, help="Run only the Dice baseline: no model is loaded."
)
@click.option(
    "--questions/--no-questions",
    default=True,
    show_default=True,
    help="Answer Table 4's questions with our chunker and vectors.",
)
@click.option(
    "--training/--no-training",
    default=True,
    show_default=True,
    help="Also train a regression on the folds, listed separately.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Seed of the five folds.",
)
@model_option()
@text_or_json_option()
def str2021(
    file: str,
    scores: str | None,
    baseline_only: bool,
    questions: bool,
    training: bool,
    seed: int,
    model: str,
    format_: str,
) -> None:
    """STR-2021: Spearman with human relatedness over five folds, overall and by source.

    FILE is the data set's CSV (SourceID, PairID, Text with one sentence per line, Score). Prints
    Tables 5, 6 and 4 of the paper with our figures. Our model was not trained on the ratings; pairs
    in its training data from the STS tasks are counted. A regression on its frozen features is also
    trained on the folds, and marked as trained.

    \b
    Examples:
      ists bench str2021 sem_text_rel_ranked.csv
      ists bench str2021 sem_text_rel_ranked.csv --no-questions --format json
      ists bench str2021 sem_text_rel_ranked.csv --scores mine.txt
      ists bench str2021 sem_text_rel_ranked.csv --baseline-only
    """
    from ists.bench import str2021 as benchmark
    from scorer.scores import read_scores

    if scores and baseline_only:
        raise click.UsageError("--scores cannot be combined with --baseline-only")
    if scores or baseline_only:
        reject_given("--scores" if scores else "--baseline-only", "model")
    path = Path(file)
    pairs = benchmark.read_pairs(path)
    given = read_scores(scores) if scores else None
    if given is not None and len(given) != len(pairs):
        raise FormatError(f"{len(given)} scores, expected {len(pairs)} as in {file}", scores or "")
    if given is not None or baseline_only:
        named = (Path(scores).name, given) if scores and given is not None else None
        with _naming_files(file, scores):
            result = benchmark.run_without_model(path, pairs, named, seed)
    else:
        system = _system(model)
        with _naming_files(file):
            result = benchmark.run(
                path, pairs, system, system.encoder, questions, training, seed, _progress
            )
    _echo(result, format_)


@command.command(name="everyday")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
@click.option(
    "--model",
    default=("pilot", "default"),
    show_default=True,
    multiple=True,
    metavar="NAME|DIR",
    help="An aligner model; repeat the option to compare several.",
)
@click.option("--baseline", is_flag=True, help="Also run the pilot task's baseline.")
@click.option(
    "--cross-validated",
    metavar="FOLDER",
    type=click.Path(),
    help="Evaluate the outputs of 'ists crossval GOLD... -o FOLDER' instead of running a model.",
)
@click.option(
    "--plot",
    metavar="OUT.svg",
    type=click.Path(),
    help="Write reliability diagrams of all systems.",
)
@text_or_json_option()
def everyday(
    folder: str | None,
    model: tuple[str, ...],
    baseline: bool,
    cross_validated: str | None,
    plot: str | None,
    format_: str,
) -> None:
    """Everyday English: the four F1 by theme and label, acceptable labels, calibration.

    DIR holds one gold file per theme, and the labels that annotators accept: THEME.accept.jsonl
    for THEME.wa, or one accept.jsonl. The default DIR is data/everyday/written of the checkout.
    Both scenarios are run: gold chunks given, and only the gold's tokens. Pairs that a model was
    trained on are marked and counted: figures on them are not a test.

    \b
    Examples:
      ists bench everyday
      ists bench everyday DIR --model pilot --model my-aligner --baseline
      ists bench everyday DIR --plot calibration.svg --format json
      ists crossval DIR/*.wa -o judged
      ists bench everyday DIR --cross-validated judged
    """
    from ists.bench import everyday as benchmark

    if cross_validated is not None:
        reject_given("--cross-validated", "model")
    if plot:
        _check_plot(plot)
    themes = benchmark.read_themes(Path(folder) if folder else benchmark.default_folder())
    systems: list[benchmark.System] = []
    notes: list[str] = []
    if cross_validated is not None:
        systems.append(benchmark.cross_validated(Path(cross_validated), themes))
    else:
        found, notes = benchmark.load_models(model)
        systems.extend(found)
    if baseline:
        systems.append(benchmark.Baseline())
    with atomic_output(plot) if plot else nullcontext() as stream:
        results = benchmark.run(themes, systems, progress=_progress)
        if stream is not None:
            drawn = benchmark.plot(results)
            if drawn is None:
                raise FormatError("the outputs have no confidences to plot", cross_validated or "")
            stream.write(drawn.encode())
    _echo(benchmark.report(themes, systems, results, notes), format_)


@command.command(name="all")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option(
    "-o",
    "--output",
    default="bench-report",
    show_default=True,
    metavar="STEM",
    help="Write STEM.md and STEM.json.",
)
@click.option("--baseline-only", is_flag=True, help="Run only the baselines: no model is loaded.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the folds."
)
@model_option()
def everything(folder: str, output: str, baseline_only: bool, seed: int, model: str) -> None:
    """Run every benchmark whose data is found below DIR; write one report, Markdown and JSON.

    The pilot's files are recognised by their names, gold files of everyday English by their files
    of acceptable labels, the data sets of STS, STSS-131 and STR-2021 by their first line. Both
    report files are written only when all benchmarks have finished.

    \b
    Examples:
      ists bench all data
      ists bench all data -o reports/today
      ists bench all data --baseline-only
    """
    from ists.bench import run_all as benchmarks

    if baseline_only:
        reject_given("--baseline-only", "model")
    root = Path(folder)
    found = benchmarks.find(root)
    with (
        atomic_output(f"{output}.md") as markdown,
        atomic_output(f"{output}.json") as document,
    ):
        system = None if baseline_only else _system(model)
        reports = list(benchmarks.run(found, root, system, seed, _progress))
        if not reports:
            raise FormatError("only the pilot's data found, which has no baseline to run", folder)
        markdown.write(encode(benchmarks.as_markdown(reports)))
        document.write((json.dumps(benchmarks.as_document(reports), indent=2) + "\n").encode())
    for place, report in reports:
        click.echo(f"{report.title}: {place}\n{report.signature}")
    click.echo(f"written: {output}.md, {output}.json")


def _check_plot(plot: str, inputs: Iterable[str] = ()) -> None:
    if is_standard_output(plot):
        raise click.UsageError("--plot needs a file: the figures are printed on standard output")
    reject_replacing(plot, inputs)
    format_promised(plot, "svg")


def _system(model: str) -> "Ists":
    from ists.bench.systems import Ists
    from ists.pipeline import Aligner

    return Ists(Aligner.load(model))


@contextmanager
def _naming_files(*files: str | None) -> Iterator[None]:
    """Turn an UndefinedError into a FormatError that names the files."""
    try:
        yield
    except UndefinedError as error:
        raise FormatError(str(error), " and ".join(filter(None, files))) from None


def _progress(text: str) -> None:
    click.echo(text, err=True)


def _echo(report: "Report", format_: str) -> None:
    click.echo(json.dumps(report.document, indent=2) if format_ == "json" else report.text())
