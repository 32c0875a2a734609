"""Looking at a report as a reader does: headless Chromium, and a page that must stay quiet.

Chromium is Debian's; the tests that need it are skipped where there is none, and fail where `CI` is
set, which installs it. A page may load its
own file and nothing else, and may not complain: whatever it says on the console as a warning or an
error, throws, or asks for is a finding.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from costcurves.report import rendering
from costcurves.report.document import Report
from costcurves.report.libraries import pdf_missing

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
AXE = "COSTCURVES_AXE"  # names the file axe.min.js, or lies in the project's node_modules
GRAVE = ("serious", "critical")
FREE: Final[dict[Browser, list["Visit"]]] = {}  # windows without settings, a process each
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Visit:
    """A page that a browser shows, and what it should not have said or asked for."""

    def __init__(self, page: Page) -> None:
        self.page, self.address = page, ""
        self.complaints: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"threw {error}"))
        page.on("request", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"console: {message.text}")

    def _asked(self, request: Any) -> None:
        address = request.url.partition("#")[0]
        if address != self.address and not address.startswith("data:"):
            self.complaints.append(f"asked for {request.url}")

    def leave(self) -> None:
        """Make the window fit for another visit: nothing shown, pointed at or heard."""
        self.page.mouse.move(-9, -9)
        self.page.goto("about:blank")
        self.page.emulate_media(media="null", color_scheme="null")
        self.complaints.clear()

    def settle(self) -> None:
        """Wait until scripts have drawn what they draw when nothing else is to be done."""
        self.page.wait_for_selector(".explorer:empty", state="detached")
        self.page.evaluate(TWO_FRAMES)


@contextmanager
def visit(
    browser: Browser, file: Path, *, fragment: str = "", width: int = 1280, **settings: Any
) -> Iterator[Visit]:
    """Open a file and close it again; fail if the page complained or asked for anything.

    Parameters
    ----------
    browser
        A running browser.
    file
        A page.
    fragment
        What follows its address, with the `#`.
    width
        Of the window, in CSS pixels.
    **settings
        Of the browser's context, such as `java_script_enabled` or `color_scheme`.
    """
    size: Any = {"width": width, "height": 900}
    free = FREE.setdefault(browser, [])
    if settings or not free:
        seen = Visit(browser.new_context(viewport=size, **settings).new_page())
    else:
        seen = free.pop()
        seen.page.set_viewport_size(size)
    seen.address = file.as_uri()
    seen.page.goto(seen.address + fragment)
    if settings.get("java_script_enabled", True):
        seen.settle()
    yield seen
    complaints = [*seen.complaints]
    if settings:
        seen.page.context.close()
    else:
        seen.leave()
        free.append(seen)
    assert not complaints, complaints


def write_page(report: Report, folder: Path) -> Path:
    """Write the HTML of a report as its file."""
    file = folder / "report.html"
    file.write_text(rendering.html(report), encoding="utf-8")
    return file


def violations(visited: Visit) -> list[str]:
    """List what axe-core finds of serious and critical obstacles, by rule and element."""
    visited.page.evaluate(_axe())
    results = visited.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['html'][:120]}"
        for rule in results["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def cut_off(visited: Visit) -> list[str]:
    """Name the tables that have to be scrolled sideways."""
    boxes = visited.page.locator(".scroll").all()
    wide = (box for box in boxes if box.evaluate("it => it.scrollWidth > it.clientWidth"))
    return [(box.text_content() or "").strip()[:40] for box in wide]


def _axe() -> str:
    beside = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
    file = Path(os.environ.get(AXE, beside))
    if not file.is_file():
        _missing(f"axe-core is not installed: {AXE} names its file axe.min.js")
    return file.read_text("utf-8")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    if shutil.which("chromium") is None:
        _missing("no browser is installed: apt-get install chromium")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def pango() -> None:
    """Look at a PDF only where one can be made."""
    if why := pdf_missing():
        _missing(why)


def _missing(why: str) -> None:
    """Skip a test for want of an optional program; continuous integration may not want for it."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(why)


def word_sizes(figures: Locator) -> list[float]:
    """Measure the words of figures, as many as are shown, in CSS pixels."""
    sizes: list[float] = figures.locator("text:visible").evaluate_all(
        """texts => texts.map(text => {
          const { a, b } = text.getScreenCTM();
          return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
        })"""
    )
    return sizes
