"""PDFs: accessible, whole in themselves, with their data, and the same bytes every time."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pikepdf
import pytest

from costcurves.report import rendering
from costcurves.report.attachments import (
    CONFIGURATION,
    Attachment,
    attached_name,
    attachments,
    described,
)
from costcurves.report.document import Report, Section
from costcurves.tables.configuration.stages import Edition
from costcurves.text import plain
from tests.fake_report import FIGURES, dataset, report

# What links of an edition lead to, among others; those to another edition are but words.
LED_TO: dict[Edition, set[str]] = {
    "brief": set(),
    "report": {"methods/measured"},
    "annex": {"figure-5", "figure-8", "data/toy/choosing", "data/toy/calibration"},
}
REFERENCES = 2  # of an array of the structure's numbers: a number and what it stands for


def printed(edition: Edition) -> Report:
    """What an edition shows of the report."""
    made = report()
    return replace(made, sections=made.shown(edition))


def written(folder: Path, edition: Edition) -> tuple[Attachment, ...]:
    """The files behind an edition as they would be in the report's folder."""
    made = printed(edition)
    for href in described(made):
        (folder / href).parent.mkdir(parents=True, exist_ok=True)
        (folder / href).write_text(f"file\n{href}\n" * len(href))
    return attachments(made, folder)


def rendered(folder: Path, edition: Edition) -> bytes:
    """An edition as PDF."""
    return rendering.pdf(report(), written(folder, edition), edition=edition)


@pytest.fixture(scope="module", params=get_args(Edition))
def edition(request: pytest.FixtureRequest) -> Edition:
    chosen: Edition = request.param
    return chosen


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def content(folder: Path, edition: Edition, request: pytest.FixtureRequest) -> bytes:
    request.getfixturevalue("pango")
    return rendered(folder, edition)


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


def drawn(edition: Edition) -> set[str]:
    """The data of every figure that an edition shows."""
    return {href for href in described(printed(edition)) if href.startswith("figures/")}


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


def test_every_picture_says_what_it_shows(pdf: pikepdf.Pdf, edition: Edition) -> None:
    said = [str(one.Alt) for one in elements(pdf, "Figure")]
    assert len(said) >= len(drawn(edition))
    assert all(len(words) > 15 for words in said)


def test_headers_say_what_they_are_the_head_of(pdf: pikepdf.Pdf) -> None:
    headers = elements(pdf, "TH")
    assert {str(one.A.Scope) for one in headers} == {"/Column", "/Row"}
    for one in headers:
        column = one.P.P.S == "/THead"
        assert one.A.Scope == ("/Column" if column else "/Row")
        assert "/ID" not in one, "a head that is repeated would have it twice"


def test_each_link_is_one_element(pdf: pikepdf.Pdf, edition: Edition) -> None:
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    parents = dict(zip(map(int, numbers[::REFERENCES]), numbers[1::REFERENCES], strict=True))
    found = links(pdf)
    assert len(found) > 5 or (edition == "brief" and not found)
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


def test_links_lead_to_places_of_the_edition_or_to_papers(
    pdf: pikepdf.Pdf, edition: Edition
) -> None:
    names: Any = pdf.Root.get("/Names", {})
    places = {str(one) for one in names["/Dests"].Names[::2]} if "/Dests" in names else set()
    inside = {str(one.Dest) for one in links(pdf) if "/Dest" in one}
    assert inside <= places
    assert inside >= LED_TO[edition]
    away = {str(one.A.URI) for one in links(pdf) if "/A" in one}
    assert bool(away) == (edition == "report")
    assert all(uri.startswith(("https://doi.org/", "https://arxiv.org/")) for uri in away)


def test_bookmarks_are_the_sections(pdf: pikepdf.Pdf, edition: Edition) -> None:
    def listed(sections: tuple[Section, ...]) -> list[str]:
        return [plain(one.title) for one in sections]

    made = printed(edition)
    with pdf.open_outline() as outline:
        found = [str(one.title) for one in outline.root]
        assert found == ["Tiny", *listed(made.sections)]
        for shown, section in zip(outline.root[1:], made.sections, strict=True):
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


# Its data


def test_report_and_annex_together_show_all_tables_and_figures() -> None:
    every = described(report())
    assert every.keys() == set().union(*(described(printed(one)) for one in get_args(Edition)))
    assert {f"figures/toy/{name}.csv" for name in FIGURES} == {
        href for href in every if href.startswith("figures/")
    }
    in_report = ("reading", "cost_curves", "cost_ratios", "segments")
    assert drawn("report") == {f"figures/toy/{name}.csv" for name in in_report}
    assert {"tables/verdicts/toy.csv", "tables/intervals/toy.csv"} < set(
        described(printed("report"))
    )


def test_the_data_of_each_table_and_figure_are_attached(
    pdf: pikepdf.Pdf, folder: Path, edition: Edition
) -> None:
    shown = described(printed(edition))
    others = [CONFIGURATION] if edition == "report" else []
    assert sorted(pdf.attachments) == sorted([*map(attached_name, shown), *others])
    for href, words in shown.items():
        file = pdf.attachments[attached_name(href)]
        assert file.description == words
        assert file.relationship == pikepdf.Name.Data
        assert file.get_file().read_bytes() == (folder / href).read_bytes()
        assert file.get_file().mime_type == "text/csv"


def test_the_configuration_is_attached_to_the_report_alone(
    pdf: pikepdf.Pdf, edition: Edition
) -> None:
    (made,) = (one.content for one in report().sections if one.part == "provenance")
    assert (CONFIGURATION in pdf.attachments) == (edition == "report")
    if edition == "report":
        file = pdf.attachments[CONFIGURATION]
        assert file.description == "The configuration as used"
        assert file.get_file().read_bytes() == made.configuration.encode()


def test_attached_files_are_the_documents_and_have_no_time(
    pdf: pikepdf.Pdf, edition: Edition
) -> None:
    files = typed(pdf, "/Type", "/Filespec")
    if edition == "brief":
        assert not files
        assert "/AF" not in pdf.Root
        return
    assert len(pdf.Root.AF) == len(files) == len(pdf.attachments)
    names = [str(one) for one in pdf.Root.Names.EmbeddedFiles.Names[::2]]
    assert names == sorted(names), "readers look them up by bisection"
    assert all(set(one.EF.F.Params.keys()) == {"/Size", "/CheckSum"} for one in files)
    kinds = {str(one.UF): str(one.EF.F.Subtype) for one in files}
    yaml = {CONFIGURATION: "/application/yaml"} if CONFIGURATION in kinds else {}
    assert kinds == dict.fromkeys(kinds, "/text/csv") | yaml


def test_descriptions_number_what_the_files_show() -> None:
    shown = described(report())
    assert shown["figures/toy/hybrids.csv"].startswith("Figure ")
    assert shown["figures/toy/hybrids.csv"].endswith(", Toy: the data drawn")
    assert shown["tables/criteria/toy.csv"].endswith("Toy: what each threshold rule costs")


def test_the_largest_files_are_left_out_where_all_are_too_many(tmp_path: Path) -> None:
    made, every = printed("annex"), written(tmp_path, "annex")
    largest = max(every, key=lambda one: (len(one.content), one.href))
    most = sum(len(one.content) for one in every) - 1
    kept = attachments(made, tmp_path, most)
    assert {one.href for one in every} - {one.href for one in kept} == {largest.href}
    assert attachments(made, tmp_path, 0) == ()


def test_a_table_that_is_capped_names_the_attached_file() -> None:
    many = {f"m{place}": (0.01 * place, 0.3 - 0.01 * place) for place in range(1, 14)}
    made = report(many)
    file = Attachment("table-verdicts-toy.csv", "tables/verdicts/toy.csv", "", b"")
    page = rendering._page(made, "report", [file])
    words = "rows; all of them are in the attached file table-verdicts-toy.csv."
    assert words in re.sub("<[^>]*>", "", page)
    plain = re.sub("<[^>]*>", "", rendering.html(made))
    assert "rows; all of them are in" in plain
    assert "rows; all of them are in the attached" not in plain


def test_the_cover_of_the_annex_says_that_it_is_one(edition: Edition) -> None:
    page = rendering._page(report(), edition)
    assert ("annex to the report" in page) == (edition == "annex")
    assert ('class="verdicts"' in page) == (edition != "annex")


def test_an_edition_without_provenance_shows_the_fingerprint_on_its_first_page(
    edition: Edition,
) -> None:
    page = rendering._page(report(), edition)
    (made,) = (one.content for one in report().sections if one.part == "provenance")
    before, _ = page.split(made.fingerprint)
    assert ("<section" not in before) == (edition != "report")


# The same again


def test_it_is_the_same_in_another_process_and_time_zone(
    content: bytes, edition: Edition, tmp_path: Path
) -> None:
    code = (
        "import hashlib, sys; from pathlib import Path; from tests.page.test_pdf import rendered;"
        "print(hashlib.sha256(rendered(Path(sys.argv[1]), sys.argv[2])).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), edition],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Pacific/Kiritimati"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [hashlib.sha256(content).hexdigest()]
