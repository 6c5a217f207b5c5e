"""The documentation site builds strictly, its links lead somewhere, and it fetches nothing."""

import json
import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml import html

import ists
from ists.cli import cli
from tests.conftest import ROOT
from tests.docs import shown

_LOADED = {"img": "src", "script": "src", "link": "href", "source": "srcset", "iframe": "src"}
"""Elements whose address a browser fetches by itself."""
_FOREIGN = re.compile(r"(?:https?:)?//")
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: extra 'dev'")
    folder = tmp_path_factory.mktemp("site")
    # Not with --quiet, which hides the warnings that --strict counts.
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site) -> dict[str, html.HtmlElement]:
    """All pages by their path on the site."""
    files = (file for file in sorted(site.rglob("*.html")) if file.name != "404.html")
    return {file.relative_to(site).as_posix(): html.parse(file).getroot() for file in files}


def test_every_link_within_the_site_leads_to_a_file_and_an_anchor(site, pages):
    ids = {name: {"__top", *page.xpath("//@id | //a/@name")} for name, page in pages.items()}
    broken = []
    for name, page in pages.items():
        for link in page.xpath("//a/@href"):
            address = urlsplit(unquote(link))
            if address.scheme or address.netloc:
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), address.path))
            target = path if address.path else name
            anchors = ids.get(target, {address.fragment}) | {""}
            if not (site / target).exists() or address.fragment not in anchors:
                broken.append((name, link))
    assert broken == []


def test_no_page_fetches_anything_from_another_host(site, pages):
    fetched = {
        address
        for page in pages.values()
        for element in page.iter(*_LOADED)
        if _FOREIGN.match(address := element.get(_LOADED[element.tag], ""))
        and element.get("rel") != "canonical"
    }
    styles = [file.read_text() for file in site.rglob("*.css")]
    styles += [style.text_content() for page in pages.values() for style in page.iter("style")]
    imported = {found for text in styles for found in re.findall(r"url\(['\"]?(http[^)]*)", text)}
    assert (fetched, imported) == (set(), set())


def test_every_command_is_in_the_reference(pages):
    ids = set(pages["commands.html"].xpath("//@id"))
    assert {f"ists-{name}" for name in cli.list_commands(None)} <= ids
    assert {"ists-bench-pilot", "ists-train-aligner"} <= ids


def test_every_public_name_is_in_the_reference(pages):
    text = shown.text_of("docs/api.md")
    named = set(re.findall(r"^::: ists\.(\w+)$", text, re.MULTILINE))
    assert named == set(ists.__all__) - {"__version__"}
    ids = set(pages["api.html"].xpath("//@id"))
    assert {f"ists.{name}" for name in named} <= ids


def test_the_notebook_is_a_page_and_a_file(site, pages):
    assert "align_many" in pages["tour.html"].text_content()
    assert pages["tour.html"].xpath("//*[local-name()='svg' and contains(@class, 'ists')]")
    assert json.loads((site / "tour.ipynb").read_text()) == json.loads(
        (ROOT / "docs/tour.ipynb").read_text()
    )


@pytest.mark.parametrize("document", shown.DOCUMENTS)
def test_every_relative_link_of_a_source_leads_to_a_file(document):
    """So that the documents can be read in a plain checkout as well."""
    folder = (ROOT / document).parent
    links = ("".join(found) for found in _LINK.findall(shown.text_of(document)))
    paths = [urlsplit(link).path for link in links if not urlsplit(link).scheme]
    assert [path for path in paths if path and not (folder / path).exists()] == []


def test_the_readme_fits_on_one_screen():
    assert len(shown.text_of("README.md").splitlines()) <= 150
