"""Take the screenshots of the documentation again: ``python -m tests.screenshots [FOLDER]``.

All show our own example sentences in Debian's Chromium; the folder is ``docs`` by default.
"""

import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import ists
from ists.cli.annotate import suggester_of
from ists.explanation import render, show
from ists.report import compile_report
from ists.report import render as render_report
from tests.browser.annotating import served
from tests.browser.notebook import cell
from tests.browser.test_annotate import CATS, SNOW, TO_CHUNK, TO_CHUNK_2, press, visit
from tests.browser.test_annotate_groups import ADD_TWINS, BAKED, CHUNKS
from tests.browser.test_serve import type_pair
from tests.conftest import EXAMPLES, ROOT
from tests.report.test_report import with_confidences
from tests.serve import serving

GOLD, SYSTEM = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
ROOF = {
    "sentence1": "A tabby cat is sleeping on the barn roof.",
    "sentence2": "In the sun a cat sleeps on the roof.",
}


def main(folder: Path) -> None:
    program = shutil.which("chromium")
    if program is None:
        sys.exit("there is no chromium on this machine")
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as scratch,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for shots in (_pictures, _report, _notebook, _annotation, _serving):
            shots(browser, Path(scratch), folder)
        browser.close()


@contextmanager
def _window(browser: Browser, width: int, height: int, scheme: str = "light", scale: float = 1):
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        device_scale_factor=scale,
        reduced_motion="reduce",
    )
    yield context.new_page()
    context.close()


def _open(page: Page, file: Path, html: str) -> None:
    file.write_text(html)
    page.goto(file.as_uri())


def _pictures(browser: Browser, scratch: Path, folder: Path) -> None:
    pairs = {pair.id: pair for pair in ists.read(GOLD)}
    for scheme in ("light", "dark"):
        with _window(browser, 720, 800, scheme, 1.25) as page:
            _open(page, scratch / "pair.svg", render([pairs["2"], pairs["7"]], "svg", width=700))
            page.locator("svg").screenshot(path=folder / f"picture-{scheme}.png")
    with _window(browser, 900, 620) as page:
        _open(page, scratch / "page.html", render(ists.read(GOLD), title="gold.wa"))
        page.locator("[id='pair-2']").scroll_into_view_if_needed()
        page.locator("[id='pair-2'] .ists-label.ists-k3").hover()
        page.screenshot(path=folder / "picture-page.png")


def _report(browser: Browser, scratch: Path, folder: Path) -> None:
    sure = with_confidences(SYSTEM, scratch / "system.jsonl")
    contents = compile_report(GOLD, [sure, GOLD], bootstrap=1000, trials=1000)
    with _window(browser, 1000, 640) as page:
        _open(page, scratch / "report.html", render_report(contents))
        page.screenshot(path=folder / "report-figures.png")
    with _window(browser, 1240, 760) as page:
        _open(page, scratch / "report.html", render_report(contents))
        page.check("#differences")
        page.evaluate("document.getElementById('pairs').scrollIntoView()")
        page.locator("article .ists-label").first.wait_for()
        page.screenshot(path=folder / "report-pairs.png")


def _notebook(browser: Browser, scratch: Path, folder: Path) -> None:
    with _window(browser, 760, 560) as page:
        _open(page, scratch / "notebook.html", cell(show(list(ists.read(GOLD))[1:5])))
        page.evaluate("document.querySelector('h1').remove()")
        page.locator("summary").first.click()
        page.screenshot(path=folder / "notebook.png")


def _annotation(browser: Browser, scratch: Path, folder: Path) -> None:
    for name, width, height in (("annotate", 1320, 900), ("annotate-phone", 400, 860)):
        with (
            served(_gold(scratch, name), CATS, SNOW, suggester=suggester_of("default")) as address,
            _window(browser, width, height) as page,
        ):
            visit(page, address)
            press(page, *TO_CHUNK, *TO_CHUNK_2)
            page.wait_for_selector(".chunk.proposed")
            press(page, "Home", "1", "4")
            page.screenshot(path=folder / f"{name}.png")
    gold = _gold(scratch, "annotate-groups")
    with (
        served(gold, BAKED, edition="2016") as address,
        _window(browser, 1240, 760) as page,
    ):
        visit(page, address)
        press(page, *CHUNKS, "1", *ADD_TWINS, "5")
        page.screenshot(path=folder / "annotate-groups.png")


def _serving(browser: Browser, _: Path, folder: Path) -> None:
    with serving.served() as address:
        for scheme in ("light", "dark"):
            with _window(browser, 860, 1211, scheme) as page:
                page.goto(address)
                type_pair(page, ROOF)
                page.evaluate("document.activeElement.blur()")
                page.screenshot(path=folder / f"serve-{scheme}.png")


def _gold(scratch: Path, name: str) -> Path:
    folder = scratch / name
    folder.mkdir()
    return folder / "gold.wa"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
