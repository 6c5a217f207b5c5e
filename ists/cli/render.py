"""``ists render``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ists.cli.explain import chosen_pairs
from ists.cli.options import (
    aligned_format_option,
    edition_option,
    format_promised,
    output_option,
    reject_terminal,
)
from ists.files import atomic_output, reject_replacing
from ists.formats import shown_name
from ists.pairs import Edition

if TYPE_CHECKING:
    from ists.explanation.export import ImageFormat
    from ists.explanation.picture import PictureFormat

    Format = PictureFormat | ImageFormat

_FORMATS: "tuple[Format, ...]" = ("html", "svg", "png", "pdf")


@click.command(name="render")
@click.argument("file", type=click.Path())
@output_option("The output file (default: standard output, unless it is a terminal).")
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    help="An HTML page or a picture (default: by OUT's extension; without one, html).",
)
@click.option(
    "--pair",
    "ids",
    metavar="ID",
    multiple=True,
    help="Which pair to draw; may be given more than once (default: all).",
)
@click.option("--title", metavar="TEXT", help="The page's title (default: FILE's name).")
@click.option(
    "--width",
    type=click.IntRange(min=200),
    default=960,
    show_default=True,
    help="Maximum width of a picture; longer sentences are wrapped.",
)
@aligned_format_option()
@edition_option()
def command(
    file: str,
    output: str,
    format_: "Format | None",
    ids: tuple[str, ...],
    title: str | None,
    width: int,
    from_: str | None,
    edition: Edition,
) -> None:
    """Draw the aligned pairs of FILE: chunks as boxes, links as curves, labels and scores.

    The output is one self-contained file that loads nothing; HTML and SVG have a light and a dark
    colour scheme. Point at a link or a chunk, or go to a link with the Tab and arrow keys, to
    highlight it and to see the evidence. PNG and PDF need: pip install 'ists[pictures]'.

    \b
    Examples:
      ists render gold.wa -o gold.html
      ists render gold.wa --pair 12 -o pair12.svg
      ists render gold.wa --pair 12 --pair 15 -o pairs.pdf
      ists align s1.txt s2.txt | ists render - --from wa -o aligned.html
    """
    from ists.explanation import export, render

    reject_terminal(output, *_FORMATS)
    reject_replacing(output, (file,))
    format_ = format_ or format_promised(output, *_FORMATS)
    pairs = chosen_pairs(file, from_, edition, ids)
    if format_ == "png" or format_ == "pdf":
        picture = export(pairs, format_, width=width)
    else:
        title = title or Path(shown_name(file)).name
        picture = render(pairs, format_, title=title, width=width).encode()
    with atomic_output(output) as stream:
        stream.write(picture)
