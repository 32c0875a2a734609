"""The pages: one file that needs nothing, says what it shows, and keeps names as text."""

import ctypes
import hashlib
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path

import jinja2
import pandas as pd
import pytest

from costcurves.code import REPORT
from costcurves.contracts import CONTRACTS
from costcurves.predictions.predicted import PLAUSIBILITY
from costcurves.report import libraries, rendering
from costcurves.report.appendix import Pair
from costcurves.report.document import Report, Table
from tests.fake_report import (
    FIGURES,
    FILES,
    THREE,
    assembled,
    drawings,
    parts_of,
    provenance,
    report,
    study,
    tables,
)
from tests.fake_tables import HOSTILE

VOID = {"meta", "img", "br", "hr", "link", "input", "col"}

Attributes = dict[str, str]


class Page(HTMLParser):
    """A page's elements in order, and the text of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.texts: list[str] = []
        self.parents: list[list[int]] = []
        self._open: list[int] = []
        self.feed(html)
        self.close()
        assert not self._open, "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.append("")
        self.parents.append([*self._open])
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
        found = zip(self.elements, self.texts, strict=True)
        return [" ".join(text.split()) for (name, _), text in found if name == tag]

    def inside(self, tag: str, outer: str) -> list[bool]:
        """Whether each element `tag` lies inside an element `outer`."""
        return [
            any(self.elements[parent][0] == outer for parent in parents)
            for (name, _), parents in zip(self.elements, self.parents, strict=True)
            if name == tag
        ]


@pytest.fixture(scope="module")
def made() -> Report:
    return report()


@pytest.fixture(scope="module")
def html(made: Report) -> str:
    return rendering.html(made)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


@pytest.fixture(scope="module")
def hostile() -> Report:
    rates = {name: (0.05 * place, 0.3 - 0.05 * place) for place, name in enumerate(HOSTILE)}
    about = dict(zip(("case", "positive"), HOSTILE, strict=False))
    datasets = [{"name": "x", "title": HOSTILE[0], "predictions": ["data/<b>.csv"], "about": about}]
    data = tables(rates)
    data["criteria"]["reason"] = data["criteria"]["reason"].where(
        data["criteria"]["applies"], HOSTILE[1]
    )
    return assembled({"x": data}, study(title=HOSTILE[3], datasets=datasets))


# What it is


def test_the_page_shows_the_fingerprint_and_paper_no_hash(made: Report) -> None:
    hashes = r"[0-9a-f]{64}"
    assert not re.findall(hashes, rendering._page(made, "print"))
    assert re.findall(hashes, rendering.html(made)) == [provenance()["fingerprint"]]


# What looks wrong


def test_a_dataset_says_what_looks_wrong_with_it(html: str) -> None:
    data, names = tables(THREE), list(THREE)
    seen = {"dataset": "toy", "other": "", "seen": "AUC 0.153", "grade": "grave"}
    backwards = [{**seen, "finding": "reversed", "model": name} for name in names[:2]]
    price = {"finding": "amounts", "model": "", "seen": "price", "grade": "note"}
    data["plausibility"] = PLAUSIBILITY.rows([*backwards, {**seen, **price}])
    page = Page(rendering.html(assembled({"toy": data})))
    of = zip(page.elements, page.texts, strict=True)
    grave, note = (text for (tag, has), text in of if tag == "li" and has.get("class") == "note")
    what = f"Ranks worse than chance: {names[0]} (AUC 0.153) and {names[1]} (AUC 0.153)."
    assert grave.startswith(f"Grave (reversed). {what} Its ranking is")
    assert note.startswith(
        "Note (amounts). A column that is not used may hold the cost of a miss: price. Then"
    )
    assert [text for text in page.texts if text.strip() == f"Toy, caution: {what}"]
    assert "Possible problems" not in html


# Structure


def test_every_figure_says_what_it_shows(page: Page) -> None:
    pictures = page.all("svg")
    assert len(pictures) == len(FIGURES)
    assert all(it["role"] == "img" and it["aria-label"] == "What it shows" for it in pictures)
    assert not any("width" in it or "style" in it for it in pictures)


def test_every_figure_has_a_numbered_caption(page: Page) -> None:
    captions = page.text("figcaption")
    assert len(captions) == len(page.all("figure"))
    numbered = [it["id"] for it in page.all("figure")]
    assert numbered == [f"figure-{n}" for n in range(1, len(FIGURES))]  # one is on page 1
    assert {*captions} == {"A caption."}


def test_tables_have_captions_and_headers(page: Page) -> None:
    captions = page.text("caption")
    assert len(captions) == len(page.all("table"))
    numbered = [it.split(".")[0] for it in captions if it.startswith("Table ")]
    assert numbered == [f"Table {n}" for n in range(1, len(captions) - 2)]
    assert all(it.get("scope") in {"col", "row", "rowgroup"} for it in page.all("th"))
    assert all(it for it in page.text("th"))


def test_wide_tables_scroll_in_a_box_that_keys_reach(page: Page) -> None:
    boxes = [it for it in page.all("div") if it.get("class") == "scroll"]
    assert len(boxes) == len(page.all("table"))
    assert all(it["role"] == "region" and it["tabindex"] == "0" for it in boxes)
    ids = {it["id"] for _, it in page.elements if "id" in it}
    assert all(it["aria-labelledby"] in ids for it in boxes)


def test_headings_step_down_one_at_a_time(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(next_ <= level + 1 for level, next_ in pairwise(levels))


def test_ids_are_unique_and_internal_links_resolve(page: Page) -> None:
    ids = [it["id"] for _, it in page.elements if "id" in it]
    assert len(ids) == len(set(ids))
    targets = {it["href"][1:] for it in page.all("a") if it["href"].startswith("#")}
    labels = {it["aria-labelledby"] for _, it in page.elements if "aria-labelledby" in it}
    assert targets | labels <= set(ids)
    assert targets >= {"report", "data/toy", "methods", "references", "provenance"}


def test_language_title_and_way_to_the_content(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en-GB"
    assert page.text("title") == ["Tiny"] == page.text("h1")
    assert page.all("a")[0] == {"class": "skip", "href": "#report"}
    assert len(page.all("main")) == 1
    assert page.all("nav")[0]["aria-labelledby"] == "contents"


def test_figures_that_are_not_drawn_leave_a_whole_page() -> None:
    made = assembled({"toy": tables()}, drawn={"toy": {}})
    page = Page(rendering.html(made))
    assert not page.all("img")
    assert not page.all("svg")
    assert not page.all("figure")
    assert len(page.all("table")) > 8


# Nothing from outside


def test_nothing_is_loaded(page: Page, html: str) -> None:
    tags = {tag for tag, _ in page.elements}
    assert not tags & {
        "link",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
        "input",
    }
    attributes = {name for _, it in page.elements for name in it}
    assert not [name for name in attributes if name.startswith("on") or name in {"style", "srcset"}]
    (style,) = page.text("style")
    assert "@import" not in style
    assert all(uri.startswith('"data:') for uri in re.findall(r"url\((.{8})", style))
    assert "file:" not in html


def test_links_lead_to_files_beside_the_report_or_to_papers(page: Page) -> None:
    away = {it["href"] for it in page.all("a")} - {None}
    away = {href for href in away if not href.startswith("#")}
    papers = {href for href in away if href.startswith(("https://doi.org/", "https://arxiv.org/"))}
    kept = {f"tables/{stage}/toy.csv" for stage in CONTRACTS}
    listed = {file for file in FILES if file.endswith((".csv", ".parquet"))}
    assert listed <= away - papers <= kept | listed


def test_the_policy_allows_this_style_and_this_script_only(page: Page, html: str) -> None:
    (policy,) = [it["content"] for it in page.all("meta") if "http-equiv" in it]
    assert policy.startswith("default-src 'none'; ")
    for element in ("style", "script"):
        (source,) = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
        digest = b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_scripts_fetch_nothing_and_make_no_markup_of_words() -> None:
    sources = [file.read_text("utf-8") for file in sorted((REPORT / "scripts").glob("*.js"))]
    assert sources
    for source in sources:
        code = re.sub(r"//.*", "", source)
        found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|fetch\(|XMLHttp", code)
        assert not found
        assert "</script" not in source


def test_every_script_is_part_of_the_page() -> None:
    assert sorted(rendering.SCRIPTS) == sorted(file.name for file in (REPORT / "scripts").iterdir())


def test_paper_has_no_script(hostile: Report) -> None:
    printed = rendering._page(hostile, "print")
    assert "<script" not in printed
    assert 'class="explorer"' not in printed


# Names are text


def test_names_are_isolated_wherever_they_stand(hostile: Report) -> None:
    page = Page(rendering.html(hostile))
    outside = "".join(
        text
        for (tag, _), text, parents in zip(page.elements, page.texts, page.parents, strict=True)
        if tag == "p" and parents
    )
    inside = sum(text.count(HOSTILE[0]) for text in page.text("bdi"))
    assert outside.count(HOSTILE[0]) <= inside


def test_an_unknown_value_in_a_template_is_an_error(made: Report) -> None:
    template = rendering._environment("screen").from_string("{{ report.nobody }}")
    with pytest.raises(jinja2.UndefinedError, match="nobody"):
        template.render(report=made)


def test_everything_is_escaped_in_every_template() -> None:
    text = "{{ '<u>' }}{{ '<u>' | name }}{{ '<u>' | text }}"
    for medium in ("screen", "print"):
        shown = rendering._environment(medium).from_string(text).render()
        assert "<u>" not in shown
        assert shown.count("&lt;u&gt;") == 3


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


# The same again


def test_the_page_is_the_same_bytes_in_another_process(html: str) -> None:
    code = (
        "import hashlib; from tests.fake_report import report;"
        "from costcurves.report.rendering import html; page = html(report());"
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [hashlib.sha256(html.encode()).hexdigest()]


# Compiled templates


def test_templates_are_compiled_once_for_each_medium(
    made: Report, html: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "CACHE", tmp_path)
    assert rendering.html(made) == html
    monkeypatch.setattr(jinja2.Environment, "compile", None)
    assert rendering.html(made) == html
    with pytest.raises(TypeError):
        rendering._page(made, "print")


@pytest.mark.parametrize("changed", ["code", "template"])
def test_templates_of_other_code_are_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    """What filters make of constants is part of what is compiled."""
    monkeypatch.setattr(rendering, "CACHE", tmp_path)
    monkeypatch.setattr(rendering, "REPORT", tmp_path)
    (tmp_path / "one").write_text("{{ 'a' | name }}")
    first = rendering._environment("screen").get_template("one").render()
    monkeypatch.setitem(rendering.FILTERS, "name", str.upper)
    if changed == "code":
        monkeypatch.setattr(rendering, "_code", lambda: "other")
    else:
        (tmp_path / "one").write_text("{{ 'a' | name }}b")
    second = rendering._environment("screen").get_template("one").render()
    assert (first, second) == ("<bdi>a</bdi>", "A" if changed == "code" else "Ab")


@pytest.mark.parametrize("place", ["a file", "damaged"])
def test_without_a_cache_the_page_is_the_same(
    made: Report, html: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    if place == "a file":
        (tmp_path / "file").touch()
        monkeypatch.setattr(rendering, "CACHE", tmp_path / "file")
    else:
        monkeypatch.setattr(rendering, "CACHE", tmp_path)
        rendering.html(made)
        kept = [file for file in tmp_path.rglob("*") if file.is_file()]
        assert kept
        for file in kept:
            whole = file.read_bytes()
            file.write_bytes(whole[: len(whole) // 2] + bytes(len(whole) // 2))
    assert rendering.html(made) == html


def test_what_others_could_write_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "CACHE", tmp_path)
    assert rendering._compiled("screen")
    (tmp_path / "costcurves" / "templates-screen").chmod(0o775)
    assert rendering._compiled("screen") is None
    assert rendering._compiled("print")


# The PDF


def test_print_says_how_much_of_a_long_table_it_shows() -> None:
    many = {f"m{place}": (0.01 * place, 0.3 - 0.01 * place) for place in range(1, 14)}
    made = report(many)
    rows = sum(len(pair.rows) for pair in _table(made, "pairs").rows)
    shown = {
        href: (int(some), int(whole))
        for some, whole, href in re.findall(
            r'class="note">(\d+) of (\d+) rows; all are in (\S*)\. ',
            rendering._page(made, "print"),
        )
    }
    some, whole = shown["tables/crossovers/toy.csv"]
    assert some <= rendering.ROWS["print"] < whole == rows
    assert "tables/verdicts/toy.csv" in shown


def test_tables_of_many_pairs_list_those_that_differ_most() -> None:
    def apart(pair: Pair) -> float:
        return max(abs(float(row["largest_difference"])) for row in pair.rows)

    made = report({f"m{place}": (0.01 * place, 0.3 - 0.01 * place) for place in range(1, 8)})
    rows = _table(made, "pairs").rows
    assert [apart(one) for one in rows] == sorted(map(apart, rows), reverse=True)
    some = sum(len(pair.rows) for pair in rows[:15])
    whole = sum(len(pair.rows) for pair in rows)
    page = rendering.html(made)
    assert len(rows) == 21
    assert f"{some} of {whole} rows; all are in tables/crossovers/toy.csv. " in page
    assert " rows; all are in tables/verdicts/toy.csv. " in page


def test_tables_of_few_pairs_list_them_all_in_their_order() -> None:
    made = report({f"m{place}": (0.01 * place, 0.3 - 0.01 * place) for place in range(1, 7)})
    rows = _table(made, "pairs").rows
    names = [(pair.a.name, pair.b.name) for pair in rows]
    assert names == list(combinations([f"m{place}" for place in range(1, 7)], 2))
    page = rendering.html(made)
    assert "rows; all of them are in" not in page
    assert "pairs those" not in page


def test_styles_are_put_together_without_comments_and_indents(html: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert "/*" not in style
    assert not re.search(r"\n[ \t]", style)
    assert "th, td {" in style


def test_the_files_of_all_numbers_are_listed_at_the_end(html: str) -> None:
    _, _, listed = html.partition('id="provenance/files"')
    found = re.findall(r'<th scope="row">([^<]*)</th><td>(<a .*)</td>', listed)
    assert [(name, *re.findall('href="([^"]*)">([^<]*)', links)) for name, links in found] == [
        ("headline", ("tables/headline/toy.parquet", "toy")),
        ("intervals", ("tables/intervals/old.csv", "old"), ("tables/intervals/toy.csv", "toy")),
        ("map", ("tables/map.csv", "all datasets")),
        ("cost_curves (figure)", ("figures/toy/cost_curves.csv", "toy")),
        ("map (figure)", ("figures/map.csv", "all datasets")),
    ]


def _table(made: Report, part: str) -> Table:
    table: Table = parts_of(made)[part].content.table
    return table


def test_a_missing_library_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", str)
    assert libraries.pdf_missing() is None
    monkeypatch.setattr(ctypes, "CDLL", absent)
    message = libraries.pdf_missing()
    assert message is not None
    assert "\n" not in message
    assert "Pango" in message
    assert message.endswith(libraries.INSTALL)


def test_asking_for_the_pdf_is_light() -> None:
    code = (
        "import sys; from costcurves.report.libraries import pdf_missing; pdf_missing();"
        "sys.exit(bool({'weasyprint', 'matplotlib'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_provenance_is_there_in_full(page: Page) -> None:
    assert page.text("pre") == ["study: tiny models: - A - B"]


def test_methods_follow_the_configuration() -> None:
    def words(models: Mapping[str, tuple[float, float]] = THREE, **changes: object) -> str:
        made = assembled({"toy": tables(models)}, study(**changes))
        return " ".join(Page(rendering.html(made)).text("main"))

    default = words()
    assert "the mean over the repeats of cross-validation" in default
    assert "refused" not in default  # of what did not happen nothing is said
    assert "resampling the cases 2000 times" in default
    assert "resampling the cases 2999 times" in words(inference={"confidence": 0.999})
    assert "equivalent" not in default
    assert "cross-fitted: for each fold" in default
    changed = words(
        level="fold",
        folds_without_a_class="pool",
        pairing="unpaired",
        inference={"equivalence": 0.02},
        reference="B",
        selection={"max_fp_rate": 0.1, "capacity": "10%", "rate": 0.25},
    )
    assert "within 0.020 of zero the two are called equivalent" in changed
    assert "Comparisons with the reference B are a family of their own." in changed
    assert "predicted positive at every PC(+)" not in changed  # no curve is chosen by that rule
    assert "can be handled (10%)" in changed
    assert "the mean over the folds, each with an envelope of its own" in changed
    assert "is pooled with the other folds of its repeat" in changed
    assert "pairing: unpaired" in changed
    data = tables()
    ruled = data["hybrids"].iloc[[0]].assign(criterion="rate-fixed")
    data["hybrids"] = pd.concat([data["hybrids"], ruled], ignore_index=True)
    made = assembled({"toy": data}, study(selection={"rate": 0.25}))
    said = " ".join(Page(rendering.html(made)).text("main"))
    assert "predicted positive at every PC(+): 25 %." in said
    alone = words({"A": THREE["A"]}, pairing="unpaired")
    assert "Against the no-model baselines" in alone
    assert "is not ruled out at a PC(+)" in alone
    for said in ("Comparing models", "Two models", "Familywise", "pairing"):
        assert said not in alone.partition("Against the no-model")[2].partition("How often")[0]
        assert said in changed
