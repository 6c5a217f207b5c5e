"""Templates, style sheets and scripts of pictures, which pages of other packages use as well."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ists.explanation import layout
from ists.explanation.relations import RELATION_STYLES

_FONTS = '"Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif'
SHARED_STYLES = {"colours.css": "colours.css", "relations.css": "relations.css.j2"}
"""Style sheets of the pages of all servers, by the name under static/, with their templates."""


def filled(template: str, **values: Any) -> str:
    """Return a template with these values; all text is escaped."""
    return _environment().get_template(template).render(**values)


def source(name: str, environment: Environment | None = None) -> str:
    """Return a template's source."""
    environment = environment or _environment()
    assert environment.loader is not None  # noqa: S101 (see `_environment`)
    return environment.loader.get_source(environment, name)[0]


def picture_style() -> str:
    """Return the style sheet of pictures that a script draws."""
    return filled("style.css.j2", links=0, themes="page")


def picture_script() -> str:
    """Return the script that draws pictures from their records (see `ists.explanation.records`)."""
    return source("picture.js")


@cache
def shared_style(name: str) -> str:
    """Return one of the `SHARED_STYLES`."""
    environment = page_environment("ists.explanation")
    return environment.get_template(SHARED_STYLES[name]).render(looks=RELATION_STYLES)


@cache
def page_environment(package: str) -> Environment:
    """Return the environment of a package's page templates; all text is escaped."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def script_hash(script: str) -> str:
    """Return the hash by which a page's policy allows a script."""
    return b64encode(sha256(script.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ists.explanation"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters["short"] = layout.short
    environment.globals.update(
        looks=RELATION_STYLES,
        fonts=_FONTS,
        font_size=layout.FONT_SIZE,
        small_size=layout.SMALL_SIZE,
        line_height=layout.LINE,
        label_height=layout.LABEL_HEIGHT,
        padding=layout.PADDING,
        margin=layout.MARGIN,
    )
    return environment
