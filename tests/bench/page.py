"""The page in a browser: how long readers wait, and what the interactive parts of a page weigh."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page

from costcurves.report import rendering
from tests.bench.measuring import Ratio, case
from tests.browsed_study import large_report
from tests.browser import TEMPLATES, chromium, visit, write_page

MODELS, INSTANCES = 10, 5000
STEP, PAINT = 50, 1000  # milliseconds
WEIGHT, WHOLE = 160, 620  # kB, of data and code, and of the page in all
# From a step of the slider until its frame has been painted, in milliseconds, for each of 60 steps.
SLIDE = """async () => {
  const slider = document.querySelector('.condition-bar input[type=range]');
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  }));
  const times = [];
  for (let step = 0; step < 60; step += 1) {
    await painted();
    const start = performance.now();
    slider.value = step / 20 - 1.5;
    slider.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    const drawn = performance.now();
    await painted();
    times.push([drawn - start, performance.now() - start]);
  }
  return times;
}"""
FIRST = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@case
def exploring() -> Iterator[Ratio]:
    """The interactive figure of 10 models on 5,000 instances: slider, first paint, size."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        file = write_page(large_report(MODELS, INSTANCES), Path(folder))
        paints = []
        for _ in range(7):
            with visit(browser, file) as seen:
                paints.append(seen.number(FIRST))
        with visit(browser, file) as seen:
            yield from sliding(seen.page)
        note = f"median of 7, slowest {max(paints):.0f} ms"
        yield Ratio("first paint / 1 s", median(paints) / PAINT, 1, note)
        html = file.read_text("utf-8")
        yield weight(html)
        yield whole(html)


def sliding(page: Page) -> Iterator[Ratio]:
    times: Any = page.evaluate(SLIDE)
    for what, own in zip(("drawn", "painted"), zip(*times, strict=True), strict=True):
        note = f"median of {len(own)} steps, slowest {max(own):.0f} ms"
        yield Ratio(f"slider step until {what} / 50 ms", median(own) / STEP, 1, note)


def whole(html: str) -> Ratio:
    """Weigh the page with all that it shows."""
    drawn = [len(it.encode()) for it in re.findall(r"<svg .*?</svg>", html, re.DOTALL)]
    listed = [len(it.encode()) for it in re.findall(r"<table .*?</table>", html, re.DOTALL)]
    note = f"{len(drawn)} figures {sum(drawn) / 1000:.0f} kB, "
    note += f"{len(listed)} tables {sum(listed) / 1000:.0f} kB"
    return Ratio("page / 620 kB", len(html.encode()) / 1000 / WHOLE, 1, note)


def weight(html: str) -> Ratio:
    """Weigh what is there for scripts: their data, their code and their style."""
    data = sum(map(len, re.findall(r'class="explored".*?>(.*?)</script>', html)))
    (code,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    styles = (TEMPLATES / "styles" / name for name in ("explorer.css", "condition.css"))
    style = sum(len(one.read_text("utf-8")) for one in styles)
    parts = {"data": data, "code": len(code), "style": style}
    note = ", ".join(f"{name} {size / 1000:.0f} kB" for name, size in parts.items())
    note += f"; {len(rendering.SCRIPTS)} scripts, the page {len(html) / 1000:.0f} kB"
    return Ratio("data and code / 160 kB", sum(parts.values()) / 1000 / WEIGHT, 1, note)
