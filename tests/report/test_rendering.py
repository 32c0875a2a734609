"""HTML and PDF: whole, safe, readable without anything else, and the same every time."""

import ctypes
import hashlib
import re
from base64 import b64encode
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final

import jinja2
import pytest

from costcurves.contracts import CONTRACTS
from costcurves.errors import InputError
from costcurves.report import libraries, rendering
from costcurves.report.document import Report
from tests.fake_report import FIGURES, FILES, drawings, parts_of, provenance, report

MEDIA: Final[tuple[rendering.Medium, ...]] = ("screen", "print")
VOID = {"meta", "img", "br", "hr", "link", "input", "col"}
Attributes = dict[str, str]


class Page(HTMLParser):
    """A page's elements in order, and the text of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.texts: list[str] = []
        self._open: list[int] = []
        self.feed(html)
        self.close()
        assert not self._open, "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.append("")
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for place in self._open:
            self.texts[place] += data

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, tag: str) -> list[str]:
        texts = zip(self.elements, self.texts, strict=True)
        return [" ".join(text.split()) for (name, _), text in texts if name == tag]


@pytest.fixture(scope="module")
def made() -> Report:
    return report()


@pytest.fixture(scope="module")
def html(made: Report) -> str:
    return rendering.html(made)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


# Structure


def test_figures_and_tables_are_numbered_named_and_described(page: Page) -> None:
    pictures = page.all("svg")
    assert len(pictures) == len(FIGURES)
    assert {(each["role"], each["aria-label"]) for each in pictures} == {("img", "What it shows")}
    assert not any("width" in picture or "style" in picture for picture in pictures)
    numbered = [figure["id"] for figure in page.all("figure")]
    assert numbered == [f"figure-{n}" for n in range(1, len(FIGURES))]  # one is on page 1
    assert page.text("figcaption") == ["A caption."] * len(numbered)
    captions = page.text("caption")
    boxes = [box for box in page.all("div") if box.get("class") == "scroll"]
    assert len(captions) == len(page.all("table")) == len(boxes)
    assert all(box["role"] == "region" and box["tabindex"] == "0" for box in boxes)
    numbered = [words.split(".")[0] for words in captions if words.startswith("Table ")]
    assert numbered == [f"Table {n}" for n in range(1, len(captions) - 2)]
    assert all(head.get("scope") in {"col", "row", "rowgroup"} for head in page.all("th"))
    assert all(page.text("th"))


def test_headings_and_links_lead_somewhere(page: Page) -> None:
    """Away from the page are files beside it, and papers."""
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(following <= level + 1 for level, following in pairwise(levels))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {link["href"] for link in page.all("a")}
    targets = {href[1:] for href in links if href.startswith("#")}
    labels = {has["aria-labelledby"] for _, has in page.elements if "aria-labelledby" in has}
    assert targets | labels <= set(ids)
    assert targets >= {"report", "data/toy", "methods", "references", "provenance"}
    assert page.all("html")[0]["lang"] == "en-GB"
    assert page.text("title") == ["Tiny"] == page.text("h1")
    assert page.all("a")[0] == {"class": "skip", "href": "#report"}
    assert page.all("nav")[0]["aria-labelledby"] == "contents"
    papers = {href for href in links if href.startswith(("https://doi.org/", "https://arxiv.org/"))}
    away = {href for href in links - papers if href[0] != "#"}
    listed = {file for file in FILES if file.endswith((".csv", ".parquet"))}
    assert listed <= away <= {f"tables/{stage}/toy.csv" for stage in CONTRACTS} | listed


# Nothing from outside


def test_nothing_is_loaded_and_the_policy_allows_this_style_and_script_only(
    made: Report, page: Page, html: str
) -> None:
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"link", "iframe", "object", "embed", "base", "form", "input"}
    names = {name for _, attributes in page.elements for name in attributes}
    assert not [name for name in names if name.startswith("on") or name in {"style", "srcset"}]
    (style,) = page.text("style")
    assert all(uri.startswith('"data:') for uri in re.findall(r"url\((.{8})", style))
    assert not re.search("@import|file:", html)
    (policy,) = [meta["content"] for meta in page.all("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for element in ("style", "script"):
        (source,) = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
        digest = b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
        assert not re.search(r"/\*|\n[ \t]", source)
    hashes = r"[0-9a-f]{64}"
    assert not re.findall(f"{hashes}|<script", rendering._page(made, "print"))
    assert re.findall(hashes, html) == [provenance()["fingerprint"]]


def test_templates_escape_everything_and_know_what_is_missing(made: Report) -> None:
    for medium in MEDIA:
        environment = rendering._environment(medium)
        shown = environment.from_string("{{ '<u>' }}{{ '<u>' | name }}{{ '<u>' | text }}").render()
        assert (shown.count("<u>"), shown.count("&lt;u&gt;")) == (0, 3)
        with pytest.raises(jinja2.UndefinedError, match="nobody"):
            environment.from_string("{{ report.nobody }}").render(report=made)


def test_a_description_stands_below_the_title_in_paragraphs(made: Report) -> None:
    described = report(description="One {{7*7}} {% raw %}\n\n \t\n*Not*\non two lines\n\n")
    for medium in MEDIA:
        _, below = rendering._page(described, medium).split("<h1>")
        shown = re.findall(r'<p class="description">(.*?)</p>', below, re.DOTALL)
        assert shown == ["One {{7*7}} {% raw %}", "*Not*\non two lines"]
        assert 'class="description"' not in rendering._page(made, medium)
    for changes, message in (
        ({"description": ""}, "description is empty"),
        ({"report": {}}, "report was removed: put your words into 'description'"),
    ):
        with pytest.raises(InputError, match=message):
            report(**changes)


@pytest.mark.usefixtures("pango")
def test_a_page_can_fetch_nothing(
    made: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from weasyprint.urls import FatalURLFetchingError

    secret = tmp_path / "secret.svg"
    secret.write_text(drawings()["hybrids"].panels[0])
    for address in (secret.as_uri(), "font:../matplotlibrc", "http://127.0.0.1:9/x.svg"):
        page = f'<img alt="x" src="{address}">'
        monkeypatch.setattr(rendering, "_page", lambda *_, page=page: page)
        with pytest.raises(FatalURLFetchingError, match="Error fetching"):
            rendering.pdf(made)


# Long tables


@pytest.mark.parametrize(
    ("medium", "models", "shown"), [("print", 13, 48), ("screen", 7, 15), ("screen", 6, None)]
)
def test_a_long_table_says_how_much_of_it_is_shown(
    medium: rendering.Medium, models: int, shown: int | None
) -> None:
    """Of more than 15 pairs those first that differ most; of few all, in their order."""
    rates = {f"m{place}": (0.01 * place, 0.3 - 0.01 * place) for place in range(1, models + 1)}
    made = report(rates)
    pairs = parts_of(made)["pairs"].content.table.rows
    listed = r'class="note">(\d+) of (\d+) rows; all are in tables/(\S*)/toy.csv\. '
    notes = {note[2]: note[:2] for note in re.findall(listed, rendering._page(made, medium))}
    if shown is None:
        assert notes == {}
        assert [(pair.a, pair.b) for pair in pairs] == list(combinations(rates, 2))
        return
    apart = [max(abs(row["largest_difference"]) for row in pair.rows) for pair in pairs]
    assert apart == sorted(apart, reverse=True)
    assert {*notes} >= {"crossovers", "verdicts"}
    some, whole = map(int, notes["crossovers"])
    sizes = [len(pair.rows) for pair in pairs]
    assert whole == sum(sizes) > some
    assert some == sum(sizes[:15]) if medium == "screen" else some <= shown


# Libraries


def test_a_missing_library_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", str)
    assert libraries.pdf_missing() is None
    monkeypatch.setattr(ctypes, "CDLL", absent)
    message = str(libraries.pdf_missing())
    assert message.startswith("No PDF, as Pango, ")
    assert message.endswith(libraries.INSTALL)
