"""Generates the reference of all commands from the program itself."""

import inspect
import re
import textwrap
from collections.abc import Iterator

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from ists.cli import cli

_PAGE = "commands.md"
_PLACE = re.compile(r"<!-- commands -->.*<!-- /commands -->", re.DOTALL)
_VERBATIM = "\b"
"""The line by which click recognises a paragraph that keeps its line breaks."""


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the reference into its place on the page of the commands."""
    if page.file.src_uri != _PAGE:
        return markdown
    return _PLACE.sub(lambda _: "\n\n".join(reference(cli, "ists")), markdown)


def reference(command: click.Command, name: str, parent: click.Context | None = None) -> list[str]:
    """Return the description of a command and of all commands below it, as Markdown."""
    context = click.Context(command, info_name=name.split()[-1], parent=parent)
    usage = " ".join(command.collect_usage_pieces(context))
    level = "#" * (len(name.split()) + 1)
    parts = [f"{level} {name}", f"```text\n{name} {usage}\n```", *_paragraphs(command.help or "")]
    options = [_row(record) for record in _records(command, context)]
    if options:
        parts.append("\n".join(["| option | |", "|---|---|", *options]))
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                parts += reference(found, f"{name} {below}", context)
    return parts


def _records(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        is_option = isinstance(parameter, click.Option) and "--help" not in parameter.opts
        if is_option and record is not None:
            yield record


def _row(record: tuple[str, str]) -> str:
    option, meaning = record[0].replace("|", r"\|"), _escaped(record[1])
    return f"| `{option}` | {meaning} |"


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; those with fixed line breaks as code."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        first, _, rest = paragraph.partition("\n")
        if first.strip() != _VERBATIM:
            yield _escaped(" ".join(paragraph.split()))
            continue
        title, _, lines = rest.partition("\n")
        if title.endswith(":") and lines:
            yield _escaped(title)
            rest = lines
        yield f"```text\n{textwrap.dedent(rest)}\n```"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)
