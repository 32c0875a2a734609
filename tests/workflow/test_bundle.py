"""A bundle: the figures, tables and words of a report as files for a paper."""

import json
import re
import shutil
import subprocess
import zipfile
from html import unescape
from io import BytesIO
from pathlib import Path

import pandas as pd
import pikepdf
import pytest
import yaml
from markdown_it import MarkdownIt

from costcurves.command import bundle
from costcurves.command.bundle import MOST_ROWS, latex
from costcurves.command.main import main
from costcurves.record.manifest import read_manifest
from tests.small_study import HOSTILE

pytestmark = pytest.mark.usefixtures("pango")


@pytest.fixture
def report(small: Path) -> Path:
    return small / "reports" / "small"


@pytest.fixture(scope="module")
def files(small: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of its bundle, which comes out the same when it is made again."""
    folder = tmp_path_factory.mktemp("bundles")
    bundles = [folder / "first.zip", folder / "second.zip"]
    for file in bundles:
        assert main(["bundle", str(small / "reports" / "small"), "--output", str(file)]) == 0
    assert bundles[0].read_bytes() == bundles[1].read_bytes()
    assert sorted(folder.iterdir()) == bundles
    with zipfile.ZipFile(bundles[0]) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def plain(markup: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", markup)).split())


def test_it_holds_what_the_report_holds(report: Path, files: dict[str, bytes]) -> None:
    manifest = read_manifest(report)
    listed = manifest["files"]
    pdfs = {name for name in files if name.endswith(".pdf")}
    assert pdfs == {name.replace(".svg", ".pdf") for name in listed if name.endswith(".svg")}
    for name in listed:
        if name.endswith(".csv"):
            assert files[name] == (report / name).read_bytes()
        if name.endswith(".csv") and name.startswith("tables/"):
            rows = len(pd.read_csv(report / name))
            assert (name.replace(".csv", ".tex") in files) == (0 < rows <= MOST_ROWS), name
    assert yaml.safe_load(files["config.yaml"]) == manifest["given"]
    captions = files["captions.md"].decode()
    shown = plain(MarkdownIt().render(captions))
    for file in (report / "figures").rglob("*.json"):
        words = json.loads(file.read_text("utf-8"))
        assert all(" ".join(words[part].split()) in shown for part in ("title", "caption", "alt"))
    assert {*re.findall("`(figures/.*?.pdf)`", captions)} == pdfs
    readme = files["README.md"].decode()
    assert manifest["fingerprint"] in readme
    assert "Costs \\& benefits" in readme
    assert not [name for name, content in files.items() if str(report).encode() in content]


def test_figures_have_their_size_and_fonts(report: Path, files: dict[str, bytes]) -> None:
    name = next(name for name in files if name.endswith("cost_curves-a.pdf"))
    svg = (report / name.replace(".pdf", ".svg")).read_text("utf-8")
    (size,) = re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)
    with pikepdf.open(BytesIO(files[name])) as pdf:
        (page,) = pdf.pages
        box = [float(place) for place in page.MediaBox]
        kinds = [part for part in pdf.objects if isinstance(part, pikepdf.Dictionary)]
        fonts = [part for part in kinds if part.get("/Type") == "/FontDescriptor"]
    assert box[2:] == pytest.approx([float(length) for length in size], abs=0.5)
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("50 % & more", r"50 \% \& more"),
        (r"\input{x}", r"\textbackslash input\{x\}"),
        ("$x_1^2$", r"\$x\_1\textasciicircum 2\$"),
        ("[1cm]", "{}[1cm]"),
        ("*", "{}*"),
        (0.123456, "0.1235"),
        (1_234_567, "1234567"),
    ],
)
def test_cells_are_text_to_latex_and_empty_columns_left_out(cell: object, written: str) -> None:
    first = "first" if isinstance(cell, str) else 1
    table = pd.DataFrame({"a_b": [first, cell], "b": "", "c": float("nan")})
    lines = latex(table).splitlines()
    assert (lines[2], lines[5]) == (r"a\_b \\", rf"{written} \\")


def test_methods_are_those_of_the_page(report: Path, files: dict[str, bytes]) -> None:
    page = (report / "report.html").read_text("utf-8")
    shown = plain(MarkdownIt().render(files["methods.md"].decode()))
    for name in ("methods", "references"):
        section = page.partition(f'<section id="{name}"')[2].partition("</section>")[0]
        for paragraph in re.findall("<(?:p|li)>(.*?)</(?:p|li)>", section, re.DOTALL):
            assert plain(paragraph) in shown
    assert "Cost curves: an improved method" in shown


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
def test_latex_makes_a_document(files: dict[str, bytes], tmp_path: Path) -> None:
    hostile = pd.DataFrame({"model": [name for name in HOSTILE if name.isascii()]})
    tables = [text for name, text in files.items() if name.endswith(".tex")]
    lines = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}"]
    lines += [r"\usepackage{booktabs,graphicx}", r"\begin{document}"]
    for place, text in enumerate([*tables, latex(hostile).encode()]):
        # One name has a letter that needs LuaLaTeX.
        (tmp_path / f"{place}.tex").write_bytes(text.replace("\u200f".encode(), b""))
        lines += [rf"\noindent\resizebox{{\linewidth}}{{!}}{{\input{{{place}}}}}\clearpage"]
    (tmp_path / "all.tex").write_text("\n".join([*lines, r"\end{document}"]))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    with pikepdf.open(tmp_path / "all.pdf") as made:
        assert len(made.pages) > len(tables) > 2


def test_what_is_refused_writes_nothing(
    report: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bundle, "pdf_missing", lambda: "No PDF, as Pango can't be loaded")
    edited = Path(shutil.copytree(report, tmp_path / "small"))
    page = edited / "report.html"
    page.write_text(page.read_text("utf-8").replace("cheaper", "dearer"), "utf-8")
    (tmp_path / "there.zip").write_text("mine")
    for folder, name, status, message in (
        (report, "a.tar", 2, "a.tar: expected a new file that ends in .zip"),
        (report, "there.zip", 2, "there.zip: expected a new file"),
        (edited, "a.zip", 4, "report.html: changed"),
        (report, "a.zip", 2, "Pango"),
    ):
        assert main(["bundle", str(folder), "--output", str(tmp_path / name)]) == status
        assert message in capsys.readouterr().err
        assert [file.name for file in tmp_path.glob("*.*")] == ["there.zip"]
    assert (tmp_path / "there.zip").read_text() == "mine"
