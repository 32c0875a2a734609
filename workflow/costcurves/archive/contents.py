"""What is in a bundle, by groups: where not all fits, those that come first stay."""

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from costcurves.archive.columns import WIDTHS
from costcurves.archive.latex import bibliography, booktabs, figure
from costcurves.archive.markup import LATEX, MARKDOWN, in_yaml, tex
from costcurves.archive.page import Page, PageFigure, read_page, text_of
from costcurves.archive.records import (
    CRATE,
    TEMPLATES,
    WORKFLOW,
    About,
    citation,
    crate,
    deposit,
    materials,
)
from costcurves.formats import level
from costcurves.markdown import inside, line
from costcurves.tables.record.manifest import SIGNATURE, names_of_files
from costcurves.tables.record.named import Named, made_of

Files = dict[str, bytes]  # by their names in the bundle

MEGABYTE: Final = 10**6
AWAY: Final = "not found; --sources names the folder it is in"
LEAVES: Final = "outside of the configuration's folder; copy it there, build again with that path"
ALWAYS, TOLD = 10_000, 400  # bytes of what each bundle has, and of what is told of each file


@dataclass(frozen=True)
class Material:
    """What a bundle is made of."""

    report: Path
    manifest: Mapping[str, Any]
    drawn: Path  # figures, in a folder for each width
    sources: Named
    about: About

    @cached_property
    def page(self) -> Page:
        """The report's page, which says all that is said here."""
        return read_page((self.report / "report.html").read_text("utf-8"))

    def figures(self, ending: str) -> Files:
        """Give the figures in a format."""
        return _files(self.drawn, "figures", ending)

    def data(self) -> Files:
        """Give what figures show."""
        return _files(self.report / "figures", "figures/data", ".csv")

    def whole_report(self) -> Files:
        """Give the report as it is, without a signature, which is never opened."""
        return _files(self.report, "report")

    def predictions(self) -> Files:
        """Give what the report was made of, as far as it is there, and within its folder.

        With all of it a workflow that makes the report again.
        """
        files = {
            packed(name): file.read_bytes()
            for name, file in self.sources.files.items()
            if not _leaves(name)
        }
        if {packed(one["path"]) for one in made_of(self.manifest)} - {*files}:
            return files
        version = self.manifest["versions"]["costcurves"]
        main = TEMPLATES.get_template("Snakefile.j2").render(version=version)
        again = {WORKFLOW: main, "config.yaml": in_yaml(self.manifest["given"])}
        return files | {name: text.encode() for name, text in again.items()}

    def latex(self) -> Files:
        """Give methods, tables, figures and references for LaTeX, and a document of all."""
        wide = [one for one in self.page.figures if self.drawn_at(WIDTHS[-1], one)]
        told = {
            "title": tex(self.page.title),
            "authors": [tex(name) for name in self.about.people()],
            "figures": [one.number for one in wide],
            "tables": [one.number for one in self.page.tables],
        }
        references, cited = bibliography(self.page.references)
        texts = {
            "supplement": TEMPLATES.get_template("supplement.tex.j2").render(told),
            "methods": f"{cited(LATEX.written(self.page.methods))}\n",
            **{f"tables/table-{one.number}": booktabs(one, cited) for one in self.page.tables},
            **{f"figures/figure-{it.number}": figure(it, WIDTHS[-1], cited) for it in wide},
        }
        files = {f"latex/{name}.tex": text.encode() for name, text in texts.items()}
        return files | {"latex/references.bib": references.encode()}

    def drawn_at(self, width: int, one: PageFigure) -> bool:
        """Say whether a figure could be drawn so wide, in mm."""
        return (self.drawn / f"{width}mm" / f"{one.stem}.pdf").is_file()

    def captions(self) -> str:
        """Give of each figure its caption, alternative text and files."""
        wide = {
            it: [width for width in WIDTHS if self.drawn_at(width, it)] for it in self.page.figures
        }
        figures = [(MARKDOWN.written(it.caption), inside(it.alt), it.stem, wide[it]) for it in wide]
        return TEMPLATES.get_template("captions.md.j2").render(figures=figures)

    def checklist(self) -> str:
        """Answer what reporting checklists ask of statistics."""
        datasets = [(line(name), line(said)) for name, said in self.page.datasets]
        headings = {it.get("id"): text_of(it) for it in self.page.methods.iter("h3")}
        return TEMPLATES.get_template("checklist.md.j2").render(
            datasets=datasets,
            headings=headings,
            compares="methods/comparing" in headings,
            confidence=level(self.manifest["configuration"]["inference"]["confidence"]),
            made=self.manifest,
        )

    def texts(self) -> Files:
        """Give what every bundle has, be it small."""
        named = {"CITATION.cff": in_yaml(citation(self.about))}
        texts = {
            "methods.md": f"{MARKDOWN.written(self.page.methods)}\n",
            "captions.md": self.captions(),
            "checklist.md": self.checklist(),
            "bom.json": _json(materials(self.manifest)),
            **(named if self.about.named else {}),
        }
        return {name: text.encode() for name, text in texts.items()}

    def depositing(self) -> Files:
        """Give what an archive reads."""
        return {".zenodo.json": _json(deposit(self.about)).encode()}


Group = tuple[str, str, Callable[[Material], Files]]  # its words, where it is, what makes it
GROUPS: Final[tuple[Group, ...]] = (
    (
        "Methods, captions, checklist, bill of materials (CycloneDX)",
        "*.md, bom.json",
        Material.texts,
    ),
    ("Methods, tables, figures and references for LaTeX", "latex", Material.latex),
    (
        f"Figures as PDF, {WIDTHS[-1]} mm wide, and {WIDTHS[0]} mm where they fit",
        "figures",
        lambda it: it.figures(".pdf"),
    ),
    ("Data behind each figure", "figures/data", Material.data),
    ("The report: pages, tables, manifest, sums", "report", Material.whole_report),
    ("Figures as SVG", "figures", lambda it: it.figures(".svg")),
    ("Figures as PNG, 600 dots an inch", "figures", lambda it: it.figures(".png")),
    ("What the report was made of, and the workflow", "sources, Snakefile", Material.predictions),
    ("What Zenodo shows", ".zenodo.json", Material.depositing),
)
KINDS: Final = {  # for whom, and how many of the groups
    "conference": ("a conference", GROUPS[:5]),
    "journal": ("a journal", GROUPS[:7]),
    "archive": ("an archive", GROUPS),
}


def _files(folder: Path, place: str, ending: str = "") -> Files:
    """Read the files of a folder with an ending, but no signature, to a place in the bundle."""
    names = [it for it in names_of_files(folder) if it.endswith(ending) and it != SIGNATURE]
    return {f"{place}/{name}": (folder / name).read_bytes() for name in names}


def _leaves(path: str) -> bool:
    """Say whether a source is outside of the folder that the bundle's workflow can have."""
    return Path(path).is_absolute() or ".." in Path(path).parts


def packed(path: str) -> str:
    """Name a source in the bundle."""
    return f"sources/{Path(path).as_posix()}"


def collect(kind: str, material: Material, most: int, left_out: list[str]) -> Files:
    """Take together what a bundle of a kind has, of at most so many bytes, packed.

    What was left out is told in `left_out`.
    """
    whom, groups = KINDS[kind]
    files: Files = {}
    taken, shown = ALWAYS, []
    for words, place, make in groups:
        made = make(material)
        if make == Material.predictions:
            away = [
                it["path"] for it in made_of(material.manifest) if packed(it["path"]) not in made
            ]
            left_out += [f"{path}: {LEAVES if _leaves(path) else AWAY}" for path in away]
        size = sum(len(zlib.compress(content)) + TOLD for content in made.values())
        if taken + size > most:
            left_out.append(
                f"{words}: {size / MEGABYTE:.1f} MB, too much for {most / MEGABYTE:g} MB"
            )
        elif made:
            files |= made
            taken += size
            shown.append((words, place))
    if not (material.report / "annex.pdf").is_file():
        left_out.append("The annex: the report has none ('costcurves report --annex' makes it)")
    sources = [(line(one["path"]), one["sha256"]) for one in made_of(material.manifest)]
    readme = TEMPLATES.get_template("README.md.j2").render(
        title=line(material.page.title),
        whom=whom,
        contents=shown,
        left_out=list(map(line, left_out)),
        files=files,
        sources=sources,
        made=material.manifest,
    )
    files["README.md"] = readme.encode()
    files = dict(sorted(files.items()))
    return {CRATE: _json(crate(material.about, files, material.manifest)).encode(), **files}


def _json(content: Mapping[str, Any]) -> str:
    return f"{json.dumps(content, indent=2, ensure_ascii=False)}\n"
