"""The PDF: accessible, whole in itself, and laid out for paper."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, NamedTuple

import pikepdf
import pytest

from costcurves.report import rendering
from costcurves.report.document import Report, Section
from costcurves.text import plain
from tests.fake_report import FIGURES, assembled, dataset, drawings, study, tables

REFERENCES = 2  # of an array of the structure's numbers: a number and what it stands for
TITLE = "</script>{{7*7}}\\input{x} file:///etc/passwd url(http://127.0.0.1:9/x)"
ACTIONS = {"/JavaScript", "/Launch", "/SubmitForm", "/GoToR", "/ImportData"}
NAMES = {"C4.5": (0.2, 0.1), "C4.5 undersampled": (0.3, 0.2), "HistGradientBoosting": (0.2, 0.2)}
PAPER, MARGIN = 210 * 96 / 25.4, 13 * 96 / 25.4  # widths in CSS pixels


class Printed(NamedTuple):
    """A report, its PDF, and the boxes of its pages."""

    report: Report
    pdf: pikepdf.Pdf
    boxes: list[Any]


@pytest.fixture(scope="module")
def printed(request: pytest.FixtureRequest) -> Iterator[Printed]:
    """Three classes of a dataset with long names, crowded tables and large numbers."""
    request.getfixturevalue("pango")
    import weasyprint

    data = tables(NAMES, conditions=(0.2, 0.4, 0.6, 0.8))
    data["constructions"] = data["constructions"].assign(exceeded=5600, folds=10_000)
    classes = {"classes": ["a", "b", "c"]}
    made = study(title=TITLE, datasets=[dataset("toy", "Toy") | classes])
    report = assembled({each.slug: data for each in made.datasets}, made)
    documents: list[Any] = []
    write: Any = weasyprint.Document.write_pdf

    def keep(document: Any, *given: Any, **options: Any) -> Any:
        documents.append(document)
        return write(document, *given, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(weasyprint.Document, "write_pdf", keep)
        content = rendering.pdf(report, "00ff")
    boxes = [box for page in documents[0].pages for box in page._page_box.descendants()]
    with pikepdf.open(BytesIO(content)) as pdf:
        yield Printed(report, pdf, boxes)


def typed(pdf: pikepdf.Pdf, key: str, value: str) -> list[Any]:
    """Every object of a kind."""
    kinds = pikepdf.Dictionary | pikepdf.Stream
    return [each for each in pdf.objects if isinstance(each, kinds) and each.get(key) == value]


def test_it_is_accessible_and_whole_in_itself(printed: Printed) -> None:
    """It is tagged, says title and language, and what every picture shows; links are elements."""
    pdf = printed.pdf
    assert pdf.Root.MarkInfo.Marked
    assert pdf.Root.StructTreeRoot.K[0].S == "/Document"
    assert str(pdf.Root.Lang) == "en-GB"
    assert pdf.Root.ViewerPreferences.DisplayDocTitle
    assert (str(pdf.docinfo.Title), bytes(pdf.trailer.ID[0])) == (TITLE, b"00ff")
    with pdf.open_metadata() as metadata:
        assert (metadata["pdfuaid:part"], metadata["dc:title"]) == ("1", TITLE)
    elements = typed(pdf, "/Type", "/StructElem")
    pictures = [str(element.Alt) for element in elements if element.S == "/Figure"]
    assert len(pictures) >= len(FIGURES)
    assert all(len(words) > 10 for words in pictures)
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    parents = dict(zip(map(int, numbers[::REFERENCES]), numbers[1::REFERENCES], strict=True))
    notes = [note for page in pdf.pages for note in page.get("/Annots", [])]
    links = [note for note in notes if note.Subtype == "/Link"]
    for link in links:
        assert parents[int(link.StructParent)].S == "/Link"
        assert str(link.Contents)
    fonts = typed(pdf, "/Type", "/FontDescriptor")
    assert fonts
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)
    assert all("DejaVu" in str(font.FontName) for font in fonts)
    assert not typed(pdf, "/Subtype", "/Image")
    assert not [action for action in ACTIONS if typed(pdf, "/S", action)]
    places = {str(place) for place in pdf.Root.Names.Dests.Names[::2]}
    inside = {str(link.Dest) for link in links if "/Dest" in link}
    assert {"data/toy--a", "methods/criteria"} <= inside <= places
    away = {str(link.A.URI) for link in links if "/A" in link}
    assert away
    assert all(uri.startswith(("https://doi.org/", "https://arxiv.org/")) for uri in away)


def check_marks(marks: Sequence[Any], sections: Sequence[Section]) -> None:
    """Sections in classes have none; others may have headings of their own."""
    assert [str(mark.title) for mark in marks] == [plain(section.title) for section in sections]
    for mark, section in zip(marks, sections, strict=True):
        if section.sections and not section.anchor.startswith("data/"):
            check_marks(mark.children, section.sections)


def test_bookmarks_are_the_sections(printed: Printed) -> None:
    """The first class shares a page with what is said of all."""
    with printed.pdf.open_outline() as outline:
        title, *marks = outline.root
        assert title.title == TITLE
        check_marks(marks, printed.report.sections[1:])
        (classes,) = (mark for mark in marks if mark.title == "Toy")
        places: list[Any] = [mark.destination for mark in (classes, *classes.children)]
        of_all, first, second, _ = (place[0].objgen for place in places)
        assert of_all == first != second


def test_names_and_intervals_stay_whole_and_in_their_place_where_a_table_is_crowded(
    printed: Printed,
) -> None:
    laid = [box for box in printed.boxes if type(box).__name__ == "TableBox"]
    inside = [box for table in laid for box in table.descendants()]
    texts = [box for box in inside if type(box).__name__ == "TextBox"]
    words = {word.rstrip(",") for box in texts for word in box.text.split() if word != ","}
    assert {"undersampled", "HistGradientBoosting"} <= words
    assert not {word for word in words if word.startswith("undersam")} - {"undersampled"}
    assert not [word for word in words if word[0] == "(" and word.endswith("\N{EN DASH}")]
    exceeded = "5600 of 10\N{NARROW NO-BREAK SPACE}000"
    assert [box.text for box in texts].count(exceeded) == 3 * 2 * len(NAMES)
    assert max(box.position_x + box.width for box in texts) <= PAPER - MARGIN + 0.5


@pytest.mark.usefixtures("pango")
def test_26_datasets_of_four_models_take_40_pages() -> None:
    """As a standard report has them, each figure as tall as one row of panels."""
    four = {"A": (0.1, 0.3), "B": (0.2, 0.15), "C": (0.3, 0.1), "D": (0.15, 0.25)}
    made = study(datasets=[dataset(f"d{n}", f"d{n}") for n in range(26)], appendix=False)
    data = {
        each.slug: {
            name: table.iloc[:0] if name in made.left_out else table
            for name, table in tables(four, prior=0.16 + 0.02 * n).items()
        }
        for n, each in enumerate(made.datasets)
    }
    drawing = drawings()["cost_curves"]
    two = replace(drawing, panels=2 * (drawing.panels[0].replace("100", "190"),))
    report = assembled(data, made, {slug: {"cost_curves": two} for slug in data})
    with pikepdf.open(BytesIO(rendering.pdf(report))) as pdf:
        assert len(pdf.pages) <= 40
