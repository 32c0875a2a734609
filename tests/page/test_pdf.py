"""The PDF: accessible, whole in itself, and the same bytes every time."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf
import pytest

from costcurves.report import rendering
from costcurves.report.document import Section
from costcurves.text import plain
from tests.fake_report import FIGURES, assembled, dataset, report, tables

REFERENCES = 2  # of an array of the structure's numbers: a number and what it stands for


@pytest.fixture(scope="module")
def content(request: pytest.FixtureRequest) -> bytes:
    request.getfixturevalue("pango")
    return rendering.pdf(report(), "00ff")


@pytest.fixture(scope="module")
def pdf(content: bytes) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(BytesIO(content)) as opened:
        yield opened


def typed(pdf: pikepdf.Pdf, key: str, value: str) -> list[Any]:
    """Every object of a kind."""
    kinds = pikepdf.Dictionary | pikepdf.Stream
    return [each for each in pdf.objects if isinstance(each, kinds) and each.get(key) == value]


def links(pdf: pikepdf.Pdf) -> list[Any]:
    """Every link of every page."""
    notes = [note for page in pdf.pages for note in page.get("/Annots", [])]
    return [note for note in notes if note.Subtype == "/Link"]


def test_it_is_accessible(pdf: pikepdf.Pdf) -> None:
    """It is tagged, says title and language, and what every picture shows; links are elements."""
    assert pdf.Root.MarkInfo.Marked
    assert pdf.Root.StructTreeRoot.K[0].S == "/Document"
    assert str(pdf.Root.Lang) == "en-GB"
    assert pdf.Root.ViewerPreferences.DisplayDocTitle
    assert str(pdf.docinfo.Title) == "Tiny"
    with pdf.open_metadata() as metadata:
        assert (metadata["pdfuaid:part"], metadata["dc:title"]) == ("1", "Tiny")
    elements = typed(pdf, "/Type", "/StructElem")
    pictures = [str(element.Alt) for element in elements if element.S == "/Figure"]
    assert len(pictures) >= len(FIGURES)
    assert all(len(words) > 10 for words in pictures)
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    parents = dict(zip(map(int, numbers[::REFERENCES]), numbers[1::REFERENCES], strict=True))
    assert len(links(pdf)) > 5
    for link in links(pdf):
        assert parents[int(link.StructParent)].S == "/Link"
        assert str(link.Contents)


def test_it_is_whole_in_itself(pdf: pikepdf.Pdf) -> None:
    fonts = typed(pdf, "/Type", "/FontDescriptor")
    assert fonts
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)
    assert all("DejaVu" in str(font.FontName) for font in fonts)
    assert not typed(pdf, "/Subtype", "/Image")
    places = {str(place) for place in pdf.Root.Names.Dests.Names[::2]}
    inside = {str(link.Dest) for link in links(pdf) if "/Dest" in link}
    assert {"data/toy", "methods/criteria"} <= inside <= places
    away = {str(link.A.URI) for link in links(pdf) if "/A" in link}
    assert away
    assert all(uri.startswith(("https://doi.org/", "https://arxiv.org/")) for uri in away)


def test_bookmarks_are_the_sections(pdf: pikepdf.Pdf) -> None:
    def listed(sections: tuple[Section, ...]) -> list[str]:
        return [plain(section.title) for section in sections]

    sections = report().sections[1:]
    with pdf.open_outline() as outline:
        assert [str(mark.title) for mark in outline.root] == ["Tiny", *listed(sections)]
        for shown, section in zip(outline.root[1:], sections, strict=True):
            if section.sections:  # others may have headings of their own
                assert [str(mark.title) for mark in shown.children] == listed(section.sections)
            for inner, part in zip(shown.children, section.sections, strict=False):
                assert [str(deep.title) for deep in inner.children] == listed(part.sections)


@pytest.mark.usefixtures("pango")
def test_the_first_class_shares_a_page_with_what_is_said_of_all() -> None:
    made = report(datasets=[{**dataset("toy", "Toy"), "classes": ["a", "b", "c"]}])
    with pikepdf.open(BytesIO(rendering.pdf(made))) as opened, opened.open_outline() as outline:
        (classes,) = (mark for mark in outline.root if mark.title == "Toy")
        places: list[Any] = [mark.destination for mark in (classes, *classes.children)]
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
