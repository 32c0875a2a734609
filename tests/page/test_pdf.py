"""The PDF: accessible, whole in itself, and the same bytes every time."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from costcurves.report import rendering
from costcurves.report.document import Section
from costcurves.text import plain
from tests.fake_report import FIGURES, assembled, dataset, report, tables

REFERENCES = 2  # of an array of the structure's numbers: a number and what it stands for


def rendered() -> bytes:
    """The report as PDF."""
    return rendering.pdf(report(), "00ff")


@pytest.fixture(scope="module")
def content(request: pytest.FixtureRequest) -> bytes:
    request.getfixturevalue("pango")
    return rendered()


@pytest.fixture(scope="module")
def pdf(content: bytes) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(BytesIO(content)) as opened:
        yield opened


def typed(pdf: pikepdf.Pdf, key: str, value: str) -> list[Any]:
    """Every object of a kind."""
    found: list[Any] = [
        one
        for one in pdf.objects
        if isinstance(one, pikepdf.Dictionary | pikepdf.Stream) and one.get(key) == value
    ]
    return found


def elements(pdf: pikepdf.Pdf, kind: str) -> list[Any]:
    """Every element of the structure that is a heading, a figure and so on."""
    return [one for one in typed(pdf, "/Type", "/StructElem") if f"/{kind}" == one.S]


def links(pdf: pikepdf.Pdf) -> list[Any]:
    """Every link of every page."""
    found: list[Any] = [
        one for page in pdf.pages for one in page.get("/Annots", []) if one.Subtype == "/Link"
    ]
    return found


# Accessible


def test_it_is_tagged_and_says_title_and_language(pdf: pikepdf.Pdf) -> None:
    assert pdf.Root.MarkInfo.Marked
    assert pdf.Root.StructTreeRoot.K[0].S == "/Document"
    assert str(pdf.Root.Lang) == "en-GB"
    assert pdf.Root.ViewerPreferences.DisplayDocTitle
    assert str(pdf.docinfo.Title) == "Tiny"
    with pdf.open_metadata() as metadata:
        assert metadata["pdfuaid:part"] == "1"
        assert metadata["dc:title"] == "Tiny"


def test_every_picture_says_what_it_shows(pdf: pikepdf.Pdf) -> None:
    said = [str(one.Alt) for one in elements(pdf, "Figure")]
    assert len(said) >= len(FIGURES)
    assert all(len(words) > 10 for words in said)


def test_each_link_is_one_element(pdf: pikepdf.Pdf) -> None:
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    parents = dict(zip(map(int, numbers[::REFERENCES]), numbers[1::REFERENCES], strict=True))
    found = links(pdf)
    assert len(found) > 5
    for one in found:
        assert parents[int(one.StructParent)].S == "/Link"
        assert str(one.Contents)


# Whole in itself


def test_every_font_is_embedded(pdf: pikepdf.Pdf) -> None:
    fonts = typed(pdf, "/Type", "/FontDescriptor")
    assert fonts
    assert all("/FontFile2" in one or "/FontFile3" in one for one in fonts)
    assert all("DejaVu" in str(one.FontName) for one in fonts)


def test_nothing_is_a_raster(pdf: pikepdf.Pdf) -> None:
    assert not typed(pdf, "/Subtype", "/Image")


def test_links_lead_to_places_of_the_report_or_to_papers(pdf: pikepdf.Pdf) -> None:
    places = {str(one) for one in pdf.Root.Names.Dests.Names[::2]}
    inside = {str(one.Dest) for one in links(pdf) if "/Dest" in one}
    assert {"data/toy", "methods/criteria"} <= inside <= places
    away = {str(one.A.URI) for one in links(pdf) if "/A" in one}
    assert away
    assert all(uri.startswith(("https://doi.org/", "https://arxiv.org/")) for uri in away)


def test_bookmarks_are_the_sections(pdf: pikepdf.Pdf) -> None:
    def listed(sections: tuple[Section, ...]) -> list[str]:
        return [plain(one.title) for one in sections]

    sections = report().sections[1:]
    with pdf.open_outline() as outline:
        found = [str(one.title) for one in outline.root]
        assert found == ["Tiny", *listed(sections)]
        for shown, section in zip(outline.root[1:], sections, strict=True):
            if section.sections:  # others may have headings of their own
                assert [str(one.title) for one in shown.children] == listed(section.sections)
            for inner, one in zip(shown.children, section.sections, strict=False):
                assert [str(deep.title) for deep in inner.children] == listed(one.sections)


@pytest.mark.usefixtures("pango")
def test_the_first_class_shares_a_page_with_what_is_said_of_all() -> None:
    made = report(datasets=[{**dataset("toy", "Toy"), "classes": ["a", "b", "c"]}])
    with pikepdf.open(BytesIO(rendering.pdf(made))) as opened, opened.open_outline() as outline:
        (classes,) = (one for one in outline.root if one.title == "Toy")
        places: list[Any] = [one.destination for one in (classes, *classes.children)]
        of_all, first, second, _ = (place[0].objgen for place in places)
        assert of_all == first != second


# Tables

NAMES = {"C4.5": (0.2, 0.1), "C4.5 undersampled": (0.3, 0.2), "HistGradientBoosting": (0.2, 0.2)}
PAPER, MARGIN = 210 * 96 / 25.4, 13 * 96 / 25.4  # widths in CSS pixels


@pytest.mark.usefixtures("pango")
def test_names_and_intervals_stay_whole_and_in_their_place_where_a_table_is_crowded() -> None:
    import weasyprint

    data = tables(NAMES, conditions=(0.2, 0.4, 0.6, 0.8))
    data["constructions"] = data["constructions"].assign(exceeded=5600, folds=10_000)
    page, fetcher = rendering._page(assembled({"toy": data}), "print"), rendering._fetcher()
    laid: Any = weasyprint.HTML(string=page, url_fetcher=fetcher).render()
    boxes = [box for sheet in laid.pages for box in sheet._page_box.descendants()]
    laid_tables = [box for box in boxes if type(box).__name__ == "TableBox"]
    inside = [box for table in laid_tables for box in table.descendants()]
    texts = [box for box in inside if type(box).__name__ == "TextBox"]
    words = {word.rstrip(",") for box in texts for word in box.text.split() if word != ","}
    assert {"undersampled", "HistGradientBoosting"} <= words
    assert not {word for word in words if word.startswith("undersam")} - {"undersampled"}
    assert not [word for word in words if word[0] == "(" and word.endswith("\N{EN DASH}")]
    assert [box.text for box in texts].count("5600 of 10\N{NARROW NO-BREAK SPACE}000") == 6
    assert max(box.position_x + box.width for box in texts) <= PAPER - MARGIN + 0.5


# The same again


def test_it_is_the_same_in_another_process_and_time_zone(content: bytes) -> None:
    code = (
        "import hashlib; from tests.page.test_pdf import rendered;"
        "print(hashlib.sha256(rendered()).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Pacific/Kiritimati"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [hashlib.sha256(content).hexdigest()]
