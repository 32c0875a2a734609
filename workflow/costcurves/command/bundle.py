"""`costcurves bundle`: the figures, tables and words of a report as files for a paper."""

import json
import re
import zipfile
from argparse import Namespace
from collections.abc import Mapping
from html import unescape
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Any, Final

import jinja2
import pandas as pd

from costcurves.atomic import atomic
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.verify import manifest_of
from costcurves.contracts import CONTRACTS
from costcurves.errors import of_stranger, under
from costcurves.printing import say
from costcurves.record.manifest import verify
from costcurves.record.places import WHAT_TO_USE_FILE
from costcurves.report.libraries import pdf_missing
from costcurves.report.rendering import figure_pdf
from costcurves.study.strict_yaml import as_yaml
from costcurves.tables.files import read_csv

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
HEADINGS: Final = {"h2": "# ", "h3": "## ", "li": "- "}
BLOCK: Final = re.compile(r"<(p|h2|h3|li|dt|dd)\b[^>]*>(.*?)</\1>", re.DOTALL)
LEFT_OUT: Final = re.compile(
    r'<(button|style|script|svg)\b.*?</\1>|<(\w+)[^>]* class="(?:intro|stored)".*?</\2>', re.DOTALL
)
SIGNS: Final = re.compile(r"[\\`*_{}\[\]<>#|~@$&]")  # that Markdown reads
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
    page = (report / "report.html").read_text("utf-8")
    methods = [markdown(page, f'section id="{anchor}"') for anchor in ("methods", "references")]
    answers = pd.DataFrame(json.loads((report / WHAT_TO_USE_FILE).read_bytes()))
    answers["not_ruled_out"] = answers["not_ruled_out"].str.join("; ")
    captions, readme = map(TEMPLATES.get_template, ("captions.md.j2", "README.md.j2"))
    files = {
        "captions.md": captions.render(figures=_figures(report)),
        "methods.md": "\n\n".join([*methods, ""]),
        "config.yaml": as_yaml(manifest["given"]),
        "README.md": readme.render(title=markdown(page, "h1"), made=manifest, most=MOST_ROWS),
        "tables/what_to_use.csv": answers.to_csv(index=False),
        "tables/what_to_use.tex": latex(answers),
    }
    written = {name: text.encode() for name, text in files.items()}
    for name in map(PurePosixPath, manifest["files"]):
        file = report / name
        if name.parts[0] == "figures" and name.suffix == ".svg":
            written[f"{name.with_suffix('.pdf')}"] = figure_pdf(file.read_text("utf-8"))
        elif name.suffix == ".csv":
            written[f"{name}"] = file.read_bytes()
            if name.parts[0] == "tables":
                table = read_csv(file, CONTRACTS[name.parts[1].removesuffix(".csv")])
                if 0 < len(table) <= MOST_ROWS:
                    written[f"{name.with_suffix('.tex')}"] = latex(table).encode()
    return written


def escaped(text: str) -> str:
    """Write text for Markdown, shown as it is whatever signs are in it."""
    return SIGNS.sub(r"\\\g<0>", text)


TEMPLATES.filters["escaped"] = escaped


def latex(table: pd.DataFrame) -> str:
    """Write a table for LaTeX, without its empty columns."""
    shown = table.replace("", None).dropna(axis="columns", how="all")
    text = StringIO()
    shown.to_latex(text, index=False, escape=True, na_rep="", float_format="%.4g")
    # LaTeX would take a bracket or star at the beginning of a row for an option of `\\`.
    return text.getvalue().replace("\\\\\n[", "\\\\\n{}[").replace("\\\\\n*", "\\\\\n{}*")


def _figures(report: Path) -> list[dict[str, Any]]:
    """Read the words of a report's figures, with where each is."""
    figures = []
    for file in sorted((report / "figures").rglob("*.json")):
        place = file.relative_to(report).with_suffix("")
        words = json.loads(file.read_text("utf-8"))
        figures.append(words | {"folder": place.parent.as_posix(), "name": place.name})
    return figures


def markdown(page: str, element: str) -> str:
    """Write the first element of a report's page that begins so as Markdown."""
    tag = element.split()[0]
    text = page.partition(f"<{element}")[2].partition(">")[2].partition(f"</{tag}>")[0]
    blocks = BLOCK.findall(LEFT_OUT.sub("", text)) or [("p", text)]
    paragraphs = []
    for name, content in blocks:
        words = unescape(re.sub("<[^>]+>", "", content))
        paragraphs.append(HEADINGS.get(name, "") + escaped(" ".join(words.split())))
    return "\n\n".join(paragraphs)
