"""Adds the pages whose sources are not Markdown files of docs/, and adjusts the links to them.

Links in the sources are relative to the source file, so that they work in a plain checkout; on the
site the same links lead to the pages.
"""

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "data/everyday/README.md": "corpus.md",
    "docs/tour.ipynb": "tour.md",
}
"""Pages of the site by the files they are made from, both relative to their roots."""
_SOURCES = {page: source for source, page in PAGES.items()}
_LINK = re.compile(r"(\[[^\]]*\])\(([^)#\s:]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each of the files."""
    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        markdown = notebook_as_markdown(json.loads(text)) if source.endswith(".ipynb") else text
        files.append(File.generated(config, page, content=markdown))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point the links of a page to pages of the site."""
    name = page.file.src_uri
    source = _SOURCES.get(name, posixpath.join("docs", name))
    return _LINK.sub(lambda link: _on_site(link, posixpath.dirname(source)), markdown)


def _on_site(link: re.Match[str], folder: str) -> str:
    text, target, anchor = link[1], link[2], link[3] or ""
    path = posixpath.normpath(posixpath.join(folder, target))
    if path in PAGES:
        return f"{text}({PAGES[path]}{anchor})"
    if path.startswith("docs/"):
        return f"{text}({path.removeprefix('docs/')}{anchor})"
    return link[0]


def notebook_as_markdown(notebook: dict[str, Any]) -> str:
    """Return the cells of a notebook with their outputs as Markdown."""
    parts = [part for cell in notebook["cells"] for part in _cell(cell)]
    return "\n\n".join([*parts, "[Download this page as a notebook](tour.ipynb){ download }", ""])


def _cell(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    outputs = (_output(output) for output in cell["outputs"])
    return [_fenced(source, "python"), *outputs]


def _output(output: dict[str, Any]) -> str:
    """Return one output of a code cell: a picture where there is one, else its text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "text/html" in data:
        return f'<div class="notebook-output">{"".join(data["text/html"])}</div>'
    return _fenced("".join(data["text/plain"]), "text")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
