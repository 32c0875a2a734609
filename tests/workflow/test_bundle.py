"""A report as journals, conferences and archives take it: all that it says, and nothing else."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import pytest
import yaml
from markdown_it import MarkdownIt
from matplotlib.figure import Figure
from pikepdf import Pdf, parse_content_stream
from PIL import Image

from costcurves import markdown
from costcurves.archive import bundle, columns
from costcurves.archive.latex import bibliography, booktabs
from costcurves.archive.markup import in_yaml, strip, tex
from costcurves.archive.page import Page, read_page, text_of
from costcurves.archive.records import About, citation, crate, deposit
from costcurves.code import PACKAGE, REPORT
from costcurves.command.main import main
from costcurves.figures import style
from costcurves.figures.saving import drawn
from costcurves.report import pictures
from costcurves.tables.record.manifest import read_manifest
from tests.small_study import HOSTILE, ROOT, snakemake, write_study

DAY: Final = "1164153600"  # 2006-11-22
STUDY: Final[dict[str, Any]] = {
    "study": "sent",
    "title": "Costs & benefits of 100% of_all",
    "seed": 11,
    "level": "fold",
    "anonymous": True,
    "detail": "essential",
    "operating_conditions": [{"name": "dear", "pc": 0.7}, {"prior": 0.2, "cost_ratio": 3}],
    "inference": {"confidence": 0.8, "resamples": 60},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with predictions and their anonymous report."""
    folder = tmp_path_factory.mktemp("secret-institute")
    run = snakemake(folder, write_study(folder, **STUDY).name)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="module")
def archive(home: Path) -> zipfile.ZipFile:
    """An archive of it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(home)
        patched.setenv("SOURCE_DATE_EPOCH", DAY)
        told = ["--for", "archive", "--output", "archive.zip", "--license", "CC-BY-4.0"]
        assert main(["bundle", "reports/sent", *told]) == 0
    return zipfile.ZipFile(home / "archive.zip")


@pytest.fixture(scope="module")
def page(home: Path) -> Page:
    """The report's page."""
    return read_page((home / "reports/sent/report.html").read_text("utf-8"))


def text(archive: zipfile.ZipFile, name: str) -> str:
    return archive.read(name).decode("utf-8")


def under(archive: zipfile.ZipFile, start: str, end: str = "") -> list[str]:
    return [name for name in archive.namelist() if name.startswith(start) and name.endswith(end)]


def test_the_report_in_it_is_the_report(home: Path, archive: zipfile.ZipFile) -> None:
    report = home / "reports" / "sent"
    files = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    assert {name.removeprefix("report/") for name in under(archive, "report/")} == files
    assert all(archive.read(f"report/{name}") == (report / name).read_bytes() for name in files)
    for name in under(archive, "figures/data/"):
        shown = report / "figures" / name.removeprefix("figures/data/")
        assert archive.read(name) == shown.read_bytes()


@pytest.mark.parametrize("width", columns.WIDTHS)
def test_figures_have_the_widths_of_columns(archive: zipfile.ZipFile, width: int) -> None:
    names = under(archive, f"figures/{width}mm/", ".pdf")
    assert any(name.endswith("/cost_curves.pdf") for name in names)
    for name in names:
        with Pdf.open(BytesIO(archive.read(name))) as pdf:
            left, bottom, right, top = map(float, pdf.pages[0].MediaBox)
            sizes = letters(pdf)
            fonts = [font for font in pdf.objects if "/FontFile2" in font_keys(font)]
        across, down = (25.4 / 72 * size for size in (right - left, top - bottom))
        assert down <= 170.01
        assert across == pytest.approx(width, abs=0.05) or down == pytest.approx(170, abs=0.05)
        assert fonts, name
        assert 5 <= min(sizes) <= max(sizes) <= 7.001, name
        svg = text(archive, name.replace(".pdf", ".svg"))
        assert f'width="{across:.2f}mm" height="{down:.2f}mm"' in svg[:400]
        with Image.open(BytesIO(archive.read(name.replace(".pdf", ".png")))) as picture:
            assert picture.width == pytest.approx(across / 25.4 * 600, abs=1)
            inch = [round(dots) for dots in picture.info["dpi"]]
            assert inch == [600, 600]
            sizes = [25.4 * pixels / dots for pixels, dots in zip(picture.size, inch, strict=True)]
            assert sizes == pytest.approx([across, down], abs=0.05)


def font_keys(one: Any) -> list[str]:
    return list(one.keys()) if hasattr(one, "keys") else []


def letters(pdf: Pdf) -> list[float]:
    """Give the sizes of letters as they are printed: those of the fonts, scaled."""
    scale = 1.0
    sizes: list[float] = []
    for one in parse_content_stream(pdf.pages[0]):
        operands: list[Any] = list(one.operands)
        operator = one.operator
        if str(operator) == "cm" and not sizes and operands[1] == 0 and scale == 1:
            scale = float(Decimal(operands[0]))
        if str(operator) == "Tf":
            sizes.append(scale * float(operands[1]))
    return sizes


def test_each_table_says_what_the_page_says(archive: zipfile.ZipFile, page: Page) -> None:
    assert len(under(archive, "latex/tables/")) == len(page.tables) > 3
    numbers = pictures = 0
    for one in page.tables:
        written = text(archive, f"latex/tables/table-{one.number}.tex")
        rows = [row for row in one.table.iter("tr") if row[0].get("scope") != "rowgroup"]
        ends = [line for line in written.splitlines() if line.endswith(r" \\")]
        lines = [line for line in ends if r"\multicolumn" not in line]
        for row, line in zip(rows, lines, strict=True):
            said = [tex(in_print(cell)) for cell in row]
            numbers += sum(any(letter.isdigit() for letter in cell) for cell in said)
            assert [*map(bare, said)] == [*map(bare, line[:-3].split(" & "))]
            strips = [it.get("src", "") for it in row.iterfind(".//img[@class='strip']")]
            assert line.count(r"\put(") == sum(unquote(it).count("<path") for it in strips)
            pictures += len(strips)
        [heading] = one.table.iterfind("caption")
        assert bare(tex(text_of(heading).split(". ", 1)[1])) in bare(written)
        if one.note is not None:
            assert bare(tex(in_print(one.note))) in bare(written)
    assert numbers > 30
    assert pictures > 5


def in_print(part: Element) -> str:
    """Words of a table or note as print has them: small ones in brackets, no names of files."""
    own: dict[str, Any] = {
        "span.at": lambda it: f"[{in_print(it)}]",
        "span.counts": lambda it: f"[{in_print(it)}]",
        "span.small": lambda _: "In brackets",
        "span.stored": lambda _: "",
        "a.like": lambda it: f"Read as Table {it.get('href')}",
    }
    inside = [part.text or ""]
    for it in part:
        inside += [own.get(f"{it.tag}.{it.get('class')}", in_print)(it), it.tail or ""]
    return re.sub(r"\] *\[", "; ", "".join(inside))


def bare(written: str) -> str:
    """Leave out how a text looks, pictures, and spaces."""
    text = re.sub(r"\{\\setlength\{\\unitlength.*?\\end\{picture\}\}", "", written)
    text = re.sub(r"Table~\\ref\{tab:(\d+)\}", r"Table \1", text)
    looks = re.sub(r"\\(?:textbf|emph|texttt|textsubscript|raggedright) ?", "", text)
    return re.sub(r"[{}\s~]|\\,", "", looks)


def test_print_has_no_paths_ticks_or_small_words(archive: zipfile.ZipFile) -> None:
    names = under(archive, "latex/tables/") + under(archive, "latex/figures/")
    for name in [*names, "captions.md"]:
        told = re.sub(r"\\includegraphics.*|`figures/[^`]*`|data: ", "", text(archive, name))
        for words in ("tables/", ".csv", "surd", "Small:", "How to read it", "scriptsize"):
            assert words not in told, (words, name)
    for name in names:
        assert "resizebox" not in text(archive, name)
    said = text(archive, "latex/tables/table-1.tex")
    assert re.search(r"0\.\d+ \{\[0\.\d+.0\.\d+\]\}", said)
    assert "In brackets: PC(+)" in said
    methods = text(archive, "latex/methods.tex")
    assert "docs/" not in methods
    assert tex("\N{CHECK MARK} supported") == r"$\checkmark$ supported"


def test_a_strip_is_the_picture_that_the_page_has() -> None:
    drawn = pictures.strip(
        [(0, 0.25, "", False), (0.25, 0.5, pictures.LIGHT, True), (0.5, 1, pictures.LINE, False)],
        "#d55e00",
        "",
    )
    written = strip(drawn.uri)
    found = re.findall(
        r"put\(([\d.]+),([\d.]+)\).*?RGB\]\{([\d,]+)\}.*?\{([\d.]+)\\u.*?\{(\d+)\\u", written
    )
    assert found == [
        ("0.00", "0", "213,94,0", "50.00", "12"),
        ("50.00", "3", "240,199,166", "50.00", "6"),  # 35 % of the colour on white
        ("100.00", "5.5", "212,212,212", "100.00", "1"),
    ]


def test_methods_say_what_the_page_says(archive: zipfile.ZipFile, page: Page) -> None:
    written = re.sub("^- ", "", text(archive, "methods.md"), flags=re.MULTILINE)
    told = " ".join(re.sub(r"[\\*`>#]", "", written).split())
    paragraphs = [it for it in page.methods.iter("p") if it.get("class") != "intro"]
    assert len(paragraphs) > 10
    for one in [*paragraphs, *page.methods.iter("dd"), *page.methods.iter("li")]:
        assert " ".join(re.sub(r"[\\*`>#]", "", text_of(one)).split()) in told


def test_captions_have_alternative_texts(archive: zipfile.ZipFile, page: Page) -> None:
    told = text(archive, "captions.md").replace("\\", "")
    for one in page.figures:
        assert f"Alternative text: {one.alt}".replace("\\", "") in told
        assert f"data: `figures/data/{one.stem}.csv`" in told
        assert f"figures/data/{one.stem}.csv" in archive.namelist()
    named = re.findall(r"`(figures/[^`]+)`", told)
    assert {name for name in named if name.endswith(".pdf")} == {
        *under(archive, "figures/", ".pdf")
    }


def test_references_are_those_of_the_page(archive: zipfile.ZipFile, page: Page) -> None:
    entries = text(archive, "latex/references.bib").split("\n\n")
    assert len(entries) == len(page.references)
    [curves] = [entry for entry in entries if entry.startswith("@article{drummond2006,")]
    assert curves.split("\n")[1:-1] == [
        "  author = {Drummond, C. and Holte, R. C.},",
        "  year = {2006},",
        "  title = {{Cost curves: an improved method for visualizing classifier performance}},",
        "  doi = {10.1007/s10994-006-8199-5},",
        "  journal = {Machine Learning},",
        "  volume = {65},",
        "  pages = {95--130},",
    ]
    keys = [entry.split("{", 1)[1].split(",")[0] for entry in entries]
    assert len({*keys}) == len(keys)
    assert all(key.isascii() and key.isalnum() for key in keys)


def test_every_reference_that_a_report_may_have_is_of_a_kind() -> None:
    listed = (REPORT / "templates" / "parts" / "references.html.j2").read_text("utf-8")
    items = re.findall(r"<li>.*?</li>", listed)
    written, cited = bibliography(map(fromstring, items))
    entries = written.split("\n\n")
    assert len(entries) == len(items) > 15
    kinds = [entry.split("{")[0] for entry in entries]
    assert (kinds.count("@inproceedings"), kinds.count("@book"), kinds.count("@misc")) == (2, 1, 1)
    keys = [entry.split("{", 1)[1].split(",")[0] for entry in entries]
    assert len({*keys}) == len(keys)
    # Each one is named in the methods, a caption or a note of some study, so that print cites it.
    said = " ".join(
        cited(re.sub("<[^>]*>", "", it.read_text("utf-8")))
        for folder in (REPORT, PACKAGE)
        for it in folder.rglob("*.j2")
        if it.name != "references.html.j2"
    )
    assert not {key for key in keys if f"{{{key}}}" not in said}


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("(Holm 1979)", r"(\citealp{holm1979})"),
        ("the steps of Holm (1979) give", r"the steps of \citet{holm1979} give"),
        ("DeLong, DeLong and Clarke-Pearson 1988; Sun", r"\citealp{delong1988}; Sun"),
        (
            "Obuchowski\u2019s (1997).",
            r"\citeauthor{obuchowski1997}'s (\citeyear{obuchowski1997}).",
        ),
        ("Holms (1979), Holm 1980, AHolm 1979", "Holms (1979), Holm 1980, AHolm 1979"),
    ],
)
def test_names_and_years_of_references_cite_them(said: str, written: str) -> None:
    listed = (REPORT / "templates" / "parts" / "references.html.j2").read_text("utf-8")
    _, cited = bibliography(map(fromstring, re.findall(r"<li>.*?</li>", listed)))
    assert cited(said) == written


def has_tex() -> bool:
    """Whether LaTeX is here with the fonts that the document needs."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    return (
        subprocess.run(["kpsewhich", "lmodern.sty"], capture_output=True, check=False).returncode
        == 0
    )


@pytest.mark.skipif(not has_tex(), reason="there is no pdflatex with lmodern here")
def test_latex_makes_a_document(archive: zipfile.ZipFile, tmp_path: Path, page: Page) -> None:
    archive.extractall(tmp_path)
    folder = tmp_path / "latex"
    commands = ["pdflatex -interaction=nonstopmode -halt-on-error", "bibtex"]
    for command in (commands[0], commands[1], commands[0], commands[0]):
        done = subprocess.run(
            [*command.split(), "supplement"], cwd=folder, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:]
    log = (folder / "supplement.log").read_text("latin-1")
    assert "undefined" not in log
    beyond = map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log))
    assert max(beyond, default=0) < 8  # a name without a space, in a column
    entries = (folder / "supplement.bbl").read_text("utf-8")
    keys = re.findall(r"@\w+\{(\w+),", (folder / "references.bib").read_text("utf-8"))
    assert [entries.count(f"{{{key}}}") for key in keys] == [1] * len(keys)  # all are cited
    assert "[Drummond and Holte(2006)]" in entries
    with Pdf.open(folder / "supplement.pdf") as made:
        assert len(made.pages) > 5
        kinds = [*map(kind_of_font, made.objects)]
    assert {kind for kind in kinds if kind} == {"/Type1 embedded", "/CIDFontType2 embedded"}
    labels = re.findall(
        r"newlabel\{(tab:\d+)\}\{\{(\d+)\}", (folder / "supplement.aux").read_text()
    )
    assert labels == [(f"tab:{one.number}", f"{one.number}") for one in page.tables]


def kind_of_font(one: Any) -> str:
    """Say of which kind a font is, and whether its letters are in the file; empty: it is none."""
    keys = font_keys(one)
    if "/Subtype" not in keys or "/BaseFont" not in keys or str(one.Subtype) == "/Type0":
        return ""
    files = {"/FontFile", "/FontFile2", "/FontFile3"} & {*font_keys(one.get("/FontDescriptor"))}
    return f"{one.Subtype} {'embedded' if files else 'named'}"


def test_the_main_workflow_of_an_archive_runs(archive: zipfile.ZipFile, tmp_path: Path) -> None:
    archive.extractall(tmp_path)
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", run.stdout + run.stderr, re.MULTILINE))
    assert {name: jobs[name] for name in ("predictions", "report", "again")} == {
        "predictions": "2",
        "report": "1",
        "again": "1",
    }
    given = read_manifest(tmp_path / "report")["given"]
    assert yaml.safe_load((tmp_path / "config.yaml").read_text("utf-8")) == given


def test_a_bundle_without_sources_has_no_workflow(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setattr(bundle, "draw", lambda *_: [])
    told = ["--for", "conference", "--output", str(tmp_path / "c.zip")]
    assert main(["bundle", "reports/sent", *told]) == 0
    with zipfile.ZipFile(tmp_path / "c.zip") as made:
        assert not {"Snakefile", "config.yaml"} & {*made.namelist()}
        graph = json.loads(made.read("ro-crate-metadata.json"))["@graph"]
        assert "FOLDER is where these files are" in text(made, "README.md")
    known = {one["@id"]: one for one in graph}
    assert "mainEntity" not in known["./"]
    assert known[known["#run"]["instrument"]["@id"]]["@type"] == "SoftwareApplication"
    assert [it["@id"] for it in known["./"]["conformsTo"]] == [
        "https://w3id.org/ro/wfrun/process/0.5"
    ]


def test_the_crate_describes_each_file(home: Path, archive: zipfile.ZipFile) -> None:
    crate = json.loads(archive.read("ro-crate-metadata.json"))
    known = {one["@id"]: one for one in crate["@graph"]}
    assert len(known) == len(crate["@graph"])
    files = [name for name in archive.namelist() if name != "ro-crate-metadata.json"]
    assert [part["@id"] for part in known["./"]["hasPart"]] == files
    for name in files:
        content = archive.read(name)
        assert known[name]["sha256"] == hashlib.sha256(content).hexdigest()
        assert known[name]["contentSize"] == f"{len(content)}"
    manifest = json.loads((home / "reports/sent/manifest.json").read_text())
    run = known["#run"]
    assert [known[it["@id"]]["sha256"] for it in run["object"]] == [
        source["sha256"] for source in manifest["sources"]
    ]
    assert known[known["./"]["mainEntity"]["@id"]]["programmingLanguage"]["@id"] in known
    assert known["./"]["datePublished"] == "2006-11-22"
    bill = json.loads(archive.read("bom.json"))
    made = {(one["name"], one["version"]) for one in bill["components"]}
    assert made == {*manifest["versions"].items(), *manifest["libraries"].items()}


def test_an_anonymous_report_has_an_anonymous_archive(home: Path, archive: zipfile.ZipFile) -> None:
    for secret in (home.name, str(home.parent)):
        for name in archive.namelist():
            assert secret not in name
            for content in unpacked(name, archive.read(name)):
                assert secret.encode() not in content, (secret, name)
    assert yaml.safe_load(archive.read("CITATION.cff"))["authors"] == [{"name": "anonymous"}]
    assert json.loads(archive.read(".zenodo.json"))["creators"] == [{"name": "anonymous"}]
    times = {member.date_time for member in archive.infolist()}
    assert times == {(1980, 1, 1, 0, 0, 0)}


def unpacked(name: str, content: bytes) -> list[bytes]:
    """Give a file's bytes, and those of the streams within."""
    if not name.endswith(".pdf"):
        return [content]
    with Pdf.open(BytesIO(content)) as pdf:
        streams = [one for one in pdf.objects if hasattr(one, "read_bytes")]
        return [content, *(one.read_bytes() for one in streams if "/Filter" in font_keys(one))]


def test_it_comes_out_the_same(
    home: Path, archive: zipfile.ZipFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", DAY)
    told = ["--for", "archive", "--output", "again.zip", "--license", "CC-BY-4.0"]
    assert main(["bundle", "reports/sent", *told]) == 0
    assert (home / "again.zip").read_bytes() == Path(str(archive.filename)).read_bytes()


def test_what_does_not_fit_is_left_out_and_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    told = ["--for", "journal", "--output", "small.zip", "--most", "0.9", "--letters", "6"]
    assert main(["bundle", "reports/sent", *told, "--font", "DejaVu Serif"]) == 0
    said = capsys.readouterr().out
    assert (home / "small.zip").stat().st_size < 0.9e6
    with zipfile.ZipFile(home / "small.zip") as small:
        readme = text(small, "README.md").replace("\\", "")
        assert not under(small, "", ".png")
        assert under(small, "figures/89mm/", ".pdf")
        assert not under(small, "sources/")
        pdf = small.read(under(small, "figures/89mm/", "cost_curves.pdf")[0])
        with Pdf.open(BytesIO(pdf)) as drawn:
            families = {str(it.BaseFont) for it in drawn.objects if "/BaseFont" in font_keys(it)}
            assert any("DejaVuSerif" in family for family in families)
            assert max(letters(drawn)) == pytest.approx(6)
    assert re.search(
        r"left out: Figures as PNG, 600 dots an inch: [\d.]+ MB, too much for 0.9 MB", said
    )
    for line in re.findall("left out: (.*)", said):
        assert f"- {line}" in readme


REFUSED: Final[dict[str, tuple[list[str], str]]] = {
    "an author": (
        ["--author", "Holte, Robert"],
        "--author names 'Holte, Robert': the report is anonymous",
    ),
    "a name": (
        ["--author", "Robert"],
        "--author is 'Robert', expected family name, comma, given names",
    ),
    "half a character": (
        ["--author", "Holte, R\udcff"],
        "--author is 'Holte, R\\udcff', which has '\\udcff', which is half a character",
    ),
    "letters": (["--letters", "8"], "--letters is 8, expected 5.7 to 7 points"),
    "small letters": (["--letters", "5"], "--letters is 5, expected 5.7 to 7 points"),
    "a font": (["--font", "No Such"], "--font is 'No Such', which is not among the fonts"),
    "a size": (["--most", "0"], "--most is 0, expected a size in MB above 0"),
    "a licence": (["--license", "my own"], "--license is 'my own', expected a name of SPDX"),
    "an ending": (["--output", "a.tar"], "a.tar: does not end in .zip; name another file"),
    "a folder": (["--output", "none/a.zip"], "none/a.zip: there is no folder 'none'; make it, or"),
    "a file": (["--output", "archive.zip"], "archive.zip: exists and is left as it is"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(
    case: str,
    home: Path,
    archive: zipfile.ZipFile,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(home)
    before = Path(str(archive.filename)).read_bytes()
    words, expected = REFUSED[case]
    assert main(["bundle", "reports/sent", "--for", "journal", *words]) == 2
    assert expected in capsys.readouterr().err
    assert not (home / "sent-journal.zip").exists()
    assert (home / "archive.zip").read_bytes() == before


def test_only_a_whole_report_is_bundled(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(home / "reports" / "sent", tmp_path / "sent")
    page = tmp_path / "sent" / "report.html"
    page.write_text(page.read_text("utf-8").replace("cheaper", "dearer"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["bundle", "sent", "--for", "journal"]) == 4
    assert "report.html: changed" in capsys.readouterr().err
    assert not (tmp_path / "sent-journal.zip").exists()


def test_figures_are_drawn_by_the_code_that_made_the_report(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bundle, "code_hash", lambda _: "0" * 64)
    assert main(["bundle", str(home / "reports/sent"), "--for", "journal"]) == 4
    assert "than draws its figures here (000000000000)" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("kind", ["conference", "journal", "archive"])
def test_a_first_look_is_no_supplement(
    kind: str,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    told = read_manifest(home / "reports/sent")
    told["configuration"]["detail"] = "quick"
    monkeypatch.setattr(bundle, "manifest_of", lambda _: told)
    assert main(["bundle", str(home / "reports/sent"), "--for", kind]) == 4
    said = "is a first look, with few resamples, so it is no supplement; build it without --quick"
    assert said in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_an_archive_says_what_it_needs(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told = read_manifest(home / "reports/sent")
    told["configuration"]["anonymous"] = False
    monkeypatch.setattr(bundle, "manifest_of", lambda _: told)
    assert main(["bundle", str(home / "reports/sent"), "--for", "archive"]) == 2
    needed = [
        '--author "Holte, Robert" for each author',
        "--license with an SPDX name such as CC-BY-4.0",
    ]
    assert f"--for archive needs {' and '.join(needed)}\n" in capsys.readouterr().err
    told["configuration"]["anonymous"] = True
    assert main(["bundle", str(home / "reports/sent"), "--for", "archive"]) == 2
    assert f"--for archive needs {needed[1]}\n" in capsys.readouterr().err


def test_sources_are_in_an_archive_and_those_that_are_away_are_named(
    home: Path,
    archive: zipfile.ZipFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ["family.csv.gz", "one.csv", "two.csv"]
    assert under(archive, "sources/") == [f"sources/{name}" for name in names]
    assert all(archive.read(f"sources/{name}") == (home / name).read_bytes() for name in names)
    shutil.copy(home / "one.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bundle, "draw", lambda *_: [])
    told = ["--for", "archive", "--sources", str(tmp_path), "--license", "CC0-1.0"]
    assert main(["bundle", str(home / "reports" / "sent"), *told]) == 0
    said = capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "sent-archive.zip") as made:
        assert under(made, "sources/") == ["sources/one.csv"]
        readme = text(made, "README.md").replace("\\", "")
    whole = (tmp_path / "sent-archive.zip").stat().st_size
    least = ["--output", "less.zip", "--most", f"{whole / 1e6 - 0.001:.6f}"]
    assert main(["bundle", str(home / "reports" / "sent"), *told, *least]) == 0
    assert (tmp_path / "less.zip").stat().st_size < whole - 1000
    for name in ("family.csv.gz", "two.csv"):
        wanted = f"{name}: not found; --sources names the folder it is in"
        assert f"left out: {wanted}\n" in said
        assert f"- {wanted}" in readme


def sheet(*words: tuple[float, float, str]) -> Figure:
    figure = Figure(figsize=(4, 2), dpi=72)
    for x, y, said in words:
        figure.text(x, y, said, size=8)
    return figure


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (((0.1, 0.5, "one"), (0.5, 0.5, "two")), ""),
        (((0.1, 0.5, "one"), (0.1, 0.8, "above")), ""),
        (((0.1, 0.5, "one"), (0.12, 0.5, "upon")), "its words would overlap"),
        (((0.1, 0.5, "one"), (0.95, 0.5, "over the edge")), "its words would leave the sheet"),
    ],
)
def test_a_figure_whose_words_do_not_fit(
    words: tuple[tuple[float, float, str], ...], found: str
) -> None:
    with style.house_style():
        assert drawn(sheet(*words)).misfit(5) == found


def test_a_figure_whose_panels_do_not_fit_or_whose_letters_are_small() -> None:
    figure = sheet((0.1, 0.95, "one"))
    for left in (0.2, 0.5):
        figure.add_axes((left, 0.2, 0.4, 0.5)).set_axis_off()
    assert drawn(figure).misfit(5) == "its panels would overlap"
    small = sheet((0.1, 0.5, "one"))
    small.text(0.1, 0.8, "larger", size=20)
    assert drawn(small).misfit(5, 0.6) == "its smallest letters would have 4.8 points"


NAMES: Final = (
    *HOSTILE,
    r"\input{/etc/passwd}",
    "a & b \\\\ c %",
    "50 % ^ ~ # --",
    "[1cm] *x* ]",
    "* x",
    "\u05d0\u05d1 \U0001f642",  # letters that T1 fonts lack
    "- x: y",
    "7. x",
    "no",
    "1e3",
    "0o17",
    "2006-11-22",
    "~",
    "\"a\": 'b' # c",
    "a: &b !c |",
    "&lt;i&gt; <!-- x",
    "`a` ``b``",
    "Dvo\u0159\xe1k",
    "% x",
    "@x #1 $x$",
    "100%25/#?",
)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_letters_to_latex(name: str) -> None:
    signs = {r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~"}
    signs |= {r"\textasciigrave{}": "`", r"\textquotedbl{}": '"'}
    written = tex(name)
    for sign, letter in signs.items():
        written = written.replace(sign, f"\0{letter}")
    back = re.sub(
        r"\0(.)|\\([#$%&_{}])|\{\}|\{([][*])\}",
        lambda it: it[1] or it[2] or it[3] or "",
        written,
    )
    lacking = re.sub("[\u200f\u05d0\u05d1\U0001f642]", lambda it: f"[U+{ord(it[0]):04X}]", name)
    assert back == lacking
    assert not re.search(r"(?<!\\)[$&%#_]", tex(name).replace(r"\textbackslash{}", ""))
    assert not re.match(r"[][*]", tex(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_itself_wherever_a_bundle_says_it(name: str) -> None:
    about = About(name, (f"{name}, {name[::-1]}",), anonymous=False, date="2006-11-22", license="X")
    cited = in_yaml(citation(about))
    family, given = (f'"{one}"' for one in (name, name[::-1]))
    assert yaml.safe_load(cited)["title"] == name
    if (
        name.isprintable() and max(name) < "\uffff" and not {'"', "\\"} & {*name}
    ):  # in quotes, so text to every reader
        assert f"\ntitle: {family}\n" in cited
        assert f"- family-names: {family}\n  given-names: {given}\n" in cited
    made = yaml.safe_load(cited)["authors"]
    assert made == [{"family-names": name.strip(), "given-names": name[::-1].strip()}]
    for written in (markdown.inside(f"x {name}"), markdown.line(name)):
        [token] = [it for it in MarkdownIt().parse(written) if it.type == "inline"]
        kinds = {it.type for it in token.children or ()}
        assert kinds <= {"text", "text_special"}
        shown = "".join(it.content for it in token.children or ())
        assert shown.removeprefix("x ") == name
    assert len(MarkdownIt().parse(f"- {markdown.line(name)}")) == 7  # one list of one paragraph
    told = deposit(about)
    assert told["title"] == name
    assert "".join(fromstring(f"<p>{told['description']}</p>").itertext()).startswith(f"{name}: ")
    files = {f"sources/{name}": b"", "Snakefile": b""}
    paths = (name, f"away/{name}", "run", "author-1")
    manifest = {
        "sources": [{"path": path, "sha256": "ab"} for path in paths],
        "versions": {"costcurves": "1"},
        "fingerprint": "cd",
    }
    graph = json.loads(json.dumps(crate(about, files, manifest)))["@graph"]
    known = {one["@id"]: one for one in graph}
    assert len(known) == len(graph)
    assert all(re.fullmatch(r"[\w#./:~%-]+", one, re.ASCII) for one in known)
    assert unquote(graph[1]["hasPart"][0]["@id"]) == f"sources/{name}"
    read = [known[it["@id"]] for it in known["#run"]["object"]]
    assert [one.get("name") for one in read] == [None, *paths[1:]]


def test_a_long_table_runs_over_pages() -> None:
    rows = "".join(f"<tr><th>m{n}</th><td>x &amp; y</td><td>{n}</td></tr>" for n in range(41))
    html = (
        "<h1>t</h1><section id=methods></section><div class=scroll><table>"
        "<caption><b>Table 3.</b> x</caption><thead><tr><th>M</th><th>S</th><th class=n>N"
        f"</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
    [one] = read_page(html).tables
    written = booktabs(one, str)
    assert r"\begin{longtable}{llr}" in written
    assert "m40 & x \\& y & 40 \\\\" in written
