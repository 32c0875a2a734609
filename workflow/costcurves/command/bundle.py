"""`costcurves bundle`: the figures, tables and words of a report as files for a paper."""

import json
import re
import zipfile
from argparse import Namespace
from collections.abc import Mapping
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any, Final

import jinja2
import pandas as pd

from costcurves.atomic import atomic
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.verify import manifest_of
from costcurves.errors import of_stranger, under
from costcurves.printing import say
from costcurves.report.libraries import pdf_missing
from costcurves.report.rendering import figure_pdf
from costcurves.study.strict_yaml import as_yaml
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.files import read_csv
from costcurves.tables.record.manifest import verify
from costcurves.tables.record.places import WHAT_TO_USE_FILE

DESCRIPTION: Final = """\
Write the figures, tables and words of a report as files for a paper, in one zip: figures as PDF,
tables as CSV and for LaTeX, captions with alternative texts, methods, and the configuration.
"""
EXAMPLES: Final = """\
examples:
  costcurves bundle reports/default --output supplement.zip
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--output": {"metavar": "FILE", "help": "the file to write; default is <report>.zip here"},
}
MOST_ROWS: Final = 60  # of a table for LaTeX
BLOCKS: Final = {"p": "", "h2": "# ", "h3": "## ", "li": "- ", "dt": "", "dd": ""}
SIGNS: Final = re.compile(r"[\\`*_{}\[\]<>#|~@$&]")  # that Markdown reads
PARTS: Final = ("title", "caption", "alt")  # of what is said of a figure
MARKS: Final = {"b": "**", "i": "*"}
LEFT_OUT: Final = ("button", "style", "script", "svg", ".intro", ".stored")
TEMPLATES: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    autoescape=False,  # noqa: S701 - Markdown
)


def run(options: Namespace) -> int:
    """Write the bundle of a report that is as its manifest says."""
    report = Path(options.report)
    path = Path(options.output or f"{report.resolve().name}.zip")
    if path.suffix != ".zip" or path.exists() or not path.parent.is_dir():
        why = "expected a new file that ends in .zip, in a folder that is there"
        raise CommandError(USAGE, f"{path}: {why}; name another with --output")
    if findings := verify(report):
        headline = f"{report}: is not what its manifest says, so it was not bundled"
        raise CommandError(UNVERIFIED, *under(headline, findings))
    if missing := pdf_missing():
        raise CommandError(USAGE, missing)
    manifest = manifest_of(report)
    try:
        files = contents(report, manifest)
    except Exception as error:
        headline = f"{report}: can't be bundled (see 'costcurves verify')"
        raise CommandError(UNVERIFIED, *under(headline, of_stranger(error))) from error
    with atomic(path) as unfinished, zipfile.ZipFile(unfinished, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    say(f"{path}: {len(files)} files, {path.stat().st_size / 1e6:.1f} MB")
    return FINE


def contents(report: Path, manifest: Mapping[str, Any]) -> dict[str, bytes]:
    """Make the files of a bundle, by their names in it."""
    page = PageText((report / "report.html").read_text("utf-8"))
    answers = pd.DataFrame(json.loads((report / WHAT_TO_USE_FILE).read_bytes()))
    answers["not_ruled_out"] = answers["not_ruled_out"].str.join("; ")
    files = {
        "captions.md": _filled("captions.md.j2", figures=_figures(report)),
        "methods.md": page.methods,
        "config.yaml": as_yaml(manifest["given"]),
        "README.md": _filled("README.md.j2", title=page.title, made=manifest, most=MOST_ROWS),
        "tables/what_to_use.csv": answers.to_csv(index=False),
        "tables/what_to_use.tex": latex(answers),
    }
    written = {name: text.encode() for name, text in files.items()}
    for name in manifest["files"]:
        file = report / name
        if name.startswith("figures/") and file.suffix == ".svg":
            pdf = Path(name).with_suffix(".pdf").as_posix()
            written[pdf] = figure_pdf(file.read_text("utf-8"))
        elif file.suffix == ".csv":
            written[name] = file.read_bytes()
            stage = Path(name).parts[1].removesuffix(".csv")
            if name.startswith("tables/"):
                table = read_csv(file, CONTRACTS[stage])
                if 0 < len(table) <= MOST_ROWS:
                    written[name.replace(".csv", ".tex")] = latex(table).encode()
    return written


def _filled(template: str, **values: Any) -> str:
    return TEMPLATES.get_template(template).render(values)


def escaped(text: str) -> str:
    """Write text for Markdown, shown as it is whatever signs are in it."""
    return SIGNS.sub(r"\\\g<0>", text)


def latex(table: pd.DataFrame) -> str:
    """Write a table for LaTeX, without its empty columns."""
    shown = table.replace("", None).dropna(axis="columns", how="all")
    text = StringIO()
    shown.to_latex(text, index=False, escape=True, na_rep="", float_format="%.4g")
    # LaTeX would take a bracket or star at the beginning of a row for an option of `\\`.
    return text.getvalue().replace("\\\\\n[", "\\\\\n{}[").replace("\\\\\n*", "\\\\\n{}*")


def _figures(report: Path) -> list[dict[str, Any]]:
    """Read the words of a report's figures as Markdown, with the names of their files."""
    figures = []
    for file in sorted((report / "figures").rglob("*.json")):
        words = json.loads(file.read_text("utf-8"))
        place = file.parent.relative_to(report).as_posix()
        figure: dict[str, Any] = {
            name: escaped(words[name]) for name in ("title", "caption", "alt")
        }
        figure["files"] = [f"{place}/{Path(name).stem}.pdf" for name in words["panels"]]
        figure["data"] = f"{place}/{file.stem}.csv"
        figures.append(figure)
    return figures


class PageText(HTMLParser):
    """Read the title and the methods of a report's page as Markdown."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.title = self.methods = ""
        self.part = ""  # the element that is read; "": none
        self.skipped = ""  # the element that is left out
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a part, a paragraph or a mark."""
        values = {name: value or "" for name, value in attrs}
        if self.skipped:
            return
        if tag in LEFT_OUT or f".{values.get('class')}" in LEFT_OUT:
            self.skipped = tag
        elif tag == "h1" or values.get("id") in ("methods", "references"):
            self.part, self.text = tag, ""
        elif tag in BLOCKS:
            self.text += "\0" + BLOCKS[tag]
        self.text += MARKS.get(tag, "")

    def handle_endtag(self, tag: str) -> None:
        """End what began."""
        if self.skipped:
            self.skipped = "" if tag == self.skipped else self.skipped
            return
        self.text += MARKS.get(tag, "")
        if tag == self.part:
            paragraphs = [" ".join(one.split()) for one in self.text.split("\0")]
            text = "\n\n".join(one for one in paragraphs if one)
            if tag == "h1":
                self.title = text
            else:
                self.methods += text + "\n\n"
            self.part = ""

    def handle_data(self, data: str) -> None:
        """Add text, its signs escaped."""
        if self.part and not self.skipped:
            self.text += escaped(data)
