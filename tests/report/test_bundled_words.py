"""What a bundle says of itself: records for machines, captions, the checklist, LaTeX's pictures."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from costcurves.archive.columns import WIDTHS
from costcurves.archive.contents import Material, collect
from costcurves.archive.latex import booktabs
from costcurves.archive.page import read_page, text_of
from costcurves.archive.records import About, citation, crate, deposit, materials
from costcurves.report.rendering import html
from costcurves.tables.keys import CROSS_FITTED, FIXED
from costcurves.tables.record.named import Named
from tests import fake_report
from tests.fake_report import dataset, tables
from tests.report.test_left_out import of_classes

ABOUT = About("Costs of wards", ("Curie, Marie", "van Dyck, Anton"), False, "2024-05-06", "CC0-1.0")
MANIFEST: dict[str, Any] = {
    "sources": [{"path": "a.csv", "sha256": "ab" * 32, "rows": 9}],
    "report_sources": [],
    "versions": {"python": "3.11", "numpy": "2.4", "costcurves": "9.1"},
    "libraries": {"Pango": "1.50"},
    "code": "cd" * 32,
    "fingerprint": "ef" * 32,
    "seed": 41,
    "given": {"study": "wards"},
    "configuration": {
        "pairing": "paired",
        "claims": [{}] * 3,
        "datasets": [{}] * 2,
        "inference": {"resamples": 700, "confidence": 0.85},
    },
}
TABLE: Final = (
    "<div class=scroll><table id=table-3><caption><b>Table 3.</b> x</caption>"
    "<thead><tr><th>M</th></tr></thead><tbody><tr><th>m</th></tr></tbody></table></div>"
)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """A report whose figures could all be drawn in both widths."""
    folder = tmp_path_factory.mktemp("drawn")
    made = Material(Path("report"), MANIFEST, folder, Named(), ABOUT)
    vars(made)["page"] = read_page(html(fake_report.report()))
    for one in made.page.figures:
        for width in WIDTHS:
            path = folder / f"{width}mm" / f"{one.stem}.pdf"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return made


def test_captions_have_their_figures_words_and_files(material: Material) -> None:
    parts = material.captions().split("\n\n---\n\n")
    assert len({one.alt for one in material.page.figures}) == len(parts) > 5
    for one, part in zip(material.page.figures, parts, strict=True):
        _, said = part.split("Alternative text: ")
        alt, files = said.split("\n\n")[:2]
        assert alt.replace("\\", "") == one.alt.replace("\\", "")
        pdfs = [f"`figures/{width}mm/{one.stem}.pdf`" for width in WIDTHS]
        assert files.strip() == "; ".join([*pdfs, f"data: `figures/data/{one.stem}.csv`"])


def test_a_table_is_read_as_one_that_is_there() -> None:
    names = ["first", "second", "third"]
    data = {name: {k: it.assign(dataset=name) for k, it in tables().items()} for name in names}
    data["first"]["verdicts"] = data["first"]["verdicts"].assign(finding="undecided")
    configured = fake_report.study(datasets=[dataset(name, name.upper()) for name in names])
    page = html(fake_report.assembled(data, configured))
    pointed = re.findall(r'class="like" href="#([^"]*/differences)"', page)
    assert pointed == ["data/second/differences"]  # by the third
    for name, explained in zip(names, (True, True, False), strict=True):
        (part,) = re.findall(rf'id="data/{name}/differences".*?</section>', page, re.DOTALL)
        assert ("Two models are compared on the same cases" in part) == explained
    table = next(it for it in read_page(page).tables if "Read as" in booktabs(it, str))
    assert re.search(r"Read as Table~\\ref\{tab:\d+\}", booktabs(table, str))


def test_a_link_to_where_no_table_is_becomes_words() -> None:
    note = '<p class="note"><a class="like" href="#words">How to read it</a>. Holm: 85 %.</p>'
    table = f"{TABLE}{note}<section id=words><p>None is decided.</p></section>"
    (one,) = read_page(f"<h1>t</h1><section id=methods></section>{table}").tables
    assert "Read as the report explains. Holm: 85" in booktabs(one, str)


def test_latex_takes_the_wide_figures(material: Material) -> None:
    files = material.latex()
    for one in material.page.figures:
        text = files[f"latex/figures/figure-{one.number}.tex"].decode()
        assert f"../figures/{max(WIDTHS)}mm/{one.stem}.pdf" in text


def test_the_checklist_has_the_numbers_of_the_study(material: Material) -> None:
    said = material.checklist()
    for words in (
        "3 claims, tested as described",
        "confidence of 85\N{NARROW NO-BREAK SPACE}%",
        "resampled, 700 times",
        "costcurves 9.1, code cdcdcdcdcdcd, seed 41; python 3.11, numpy 2.4, costcurves 9.1.",
    ):
        assert words in said


@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("claims", [0, 1])
@pytest.mark.parametrize("estimate", [CROSS_FITTED, FIXED])
def test_the_checklist_is_that_of_the_study(models: int, claims: int, estimate: str) -> None:
    data = tables(dict([*fake_report.THREE.items()][:models]))
    measures = data["measures"]
    data["measures"] = measures.assign(
        estimate=measures["estimate"].mask(measures["headline"], estimate)
    )
    used = MANIFEST["configuration"] | {"claims": [{}] * claims}
    manifest = MANIFEST | {"configuration": used}
    made = Material(Path("report"), manifest, Path("drawn"), Named(), ABOUT)
    claimed = [{"claim": "A.", "kind": "worse than trivial", "models": ["A"]}] * claims
    configured = fake_report.study(claims=claimed)
    vars(made)["page"] = read_page(html(fake_report.assembled({"toy": data}, configured)))
    said = made.checklist()
    headings = {text_of(one) for one in made.page.methods.iter("h3")}
    named = re.findall('"([^"]*)"', said)
    assert len(named) == 4 + claims
    assert {*named} <= headings
    for words in ("comparisons are paired", "for all pairs of models", "Verdicts are corrected"):
        assert (words in said) == (models > 1)
    assert ("1 claim, tested as" in said) == (claims == 1)
    assert "claims" not in said
    assert not re.search(r"[^\n]\n[*][*]", said)


def test_the_checklist_has_each_class_of_a_dataset() -> None:
    made = Material(Path("report"), MANIFEST, Path("drawn"), Named(), ABOUT)
    vars(made)["page"] = page = read_page(html(of_classes("toy")))
    names, sizes = zip(*page.datasets, strict=True)
    assert [*names] == ["toy", "tea: red", "tea: green", "tea: black"]
    assert all(re.match(r"\d+ cases, \d+ positive and \d+ negative; ", one) for one in sizes)
    assert f"- tea: green: {sizes[2]}\n" in made.checklist()
    assert len(made.latex()) > len(page.tables) > 4


def test_a_source_outside_of_its_folder_has_a_way_in(tmp_path: Path) -> None:
    sources = [{"path": it, "sha256": "ab" * 32} for it in ("../up.csv", "/far/a.csv", "b.csv")]
    (tmp_path / "report.html").write_text(html(fake_report.report()), "utf-8")
    found = Named({it["path"]: Path(__file__) for it in sources[:2]})
    made = Material(tmp_path, MANIFEST | {"sources": sources}, tmp_path / "drawn", found, ABOUT)
    left_out: list[str] = []
    files = collect("archive", made, 10**8, left_out)
    away = [it for it in left_out if ".csv" in it]
    why = "outside of the configuration's folder; copy it there, build again with that path"
    assert away == [
        f"../up.csv: {why}",
        f"/far/a.csv: {why}",
        "b.csv: not found; --sources names the folder it is in",
    ]
    assert not any(name.startswith("sources/") for name in files)


def test_records_name_authors_dates_and_the_fingerprint() -> None:
    assert ABOUT.people() == ["Marie Curie", "Anton van Dyck"]
    cited = citation(ABOUT)
    assert cited["authors"] == [
        {"family-names": "Curie", "given-names": "Marie"},
        {"family-names": "van Dyck", "given-names": "Anton"},
    ]
    assert (cited["title"], cited["date-released"]) == ("Costs of wards", "2024-05-06")
    left = deposit(ABOUT)
    assert (left["title"], left["publication_date"]) == ("Costs of wards", "2024-05-06")
    assert left["creators"] == [{"name": "Curie, Marie"}, {"name": "van Dyck, Anton"}]
    graph = crate(ABOUT, {"a": b"1"}, MANIFEST)["@graph"]
    (run,) = (one for one in graph if one["@type"] == "CreateAction")
    assert run["description"] == f"The report with the fingerprint {MANIFEST['fingerprint']}"
    assert (run["name"], run["endTime"]) == ("costcurves 9.1", "2024-05-06")
    assert [one["name"] for one in graph if one["@type"] == "Person"] == ABOUT.people()
    bill = materials(MANIFEST)
    component = bill["metadata"]["component"]
    assert component["hashes"] == [{"alg": "SHA-256", "content": MANIFEST["fingerprint"]}]
    found = {one["name"]: one["version"] for one in bill["components"]}
    assert found == MANIFEST["versions"] | MANIFEST["libraries"]
