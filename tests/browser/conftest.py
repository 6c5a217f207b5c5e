"""A real browser for what only a browser can tell: one for all tests of this folder.

It is closed when the folder's last test is done: playwright's loop occupies the main thread, and
tests of other folders may want to run a loop of their own.
"""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page


@pytest.fixture(scope="package")
def browser() -> "Iterator[Browser]":
    """Headless Chromium, as Debian ships it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium on this machine")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def requests() -> list[str]:
    """The addresses the test's `page` asked for, in their order."""
    return []


def asked_stopped_server(page: "Page", message: "ConsoleMessage") -> bool:
    """Return whether the page's own server did not answer.

    A test may stop it while the page still asks for suggestions. A server that stops too early
    fails the test by what the page then lacks.
    """
    asked, shown = urlsplit(message.location["url"]), urlsplit(page.url)
    return "net::ERR_" in message.text and asked.netloc == shown.netloc


@pytest.fixture
def page(browser, requests) -> "Iterator[Page]":
    """A fresh page; the test fails if its console shows an error or a script breaks."""
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    context.set_default_timeout(60_000)  # a busy machine is no failure of a page
    fresh = context.new_page()
    complaints: list[str] = []
    fresh.on("request", lambda request: requests.append(request.url))
    fresh.on("pageerror", lambda error: complaints.append(str(error)))

    def listen(message: "ConsoleMessage") -> None:
        if message.type == "error" and not asked_stopped_server(fresh, message):
            complaints.append(message.text)

    fresh.on("console", listen)
    yield fresh
    context.close()
    assert not complaints
