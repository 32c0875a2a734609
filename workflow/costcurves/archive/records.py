"""What machines read of a bundle: a crate, a bill of materials, how it is cited and deposited."""

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping
from dataclasses import dataclass
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jinja2

from costcurves.archive.markup import Words
from costcurves.formats import counted

Entity = dict[str, Any]

CRATE: Final = "ro-crate-metadata.json"
WORKFLOW: Final = "Snakefile"
TEMPLATES: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    autoescape=False,  # noqa: S701 - of no HTML
)
TEMPLATES.filters["counted"] = counted


@dataclass(frozen=True)
class About:
    """Who made what is bundled, when (an ISO date), and under which licence: an SPDX name."""

    title: str
    authors: tuple[str, ...]  # family name, given names
    anonymous: bool
    date: str
    license: str | None

    @property
    def named(self) -> bool:
        """Say whether it is known how to cite it: by authors, or without any."""
        return self.anonymous or bool(self.authors)

    def people(self) -> list[str]:
        """Write the names of authors as people say them."""
        return [" ".join(part.strip() for part in name.split(",")[::-1]) for name in self.authors]

    @property
    def summary(self) -> str:
        """Say what it is."""
        return (
            f"{self.title}: which classifier is cheaper under which operating conditions. Figures, "
            "tables and methods of a report on cost curves, with what is needed to check it."
        )


def crate(about: About, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> Entity:
    """Describe the bundle's files as an RO-Crate, and the run of the workflow that made them.

    Sources that are not among the files are named with their hashes. Without the workflow the
    program is what made them.
    """
    each = [
        {
            "id": quote(name),
            "size": len(content),
            "encoding": guess_type(name)[0] or "text/plain",  # README, Snakefile, sums
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for name, content in files.items()
    ]
    inside = (f"sources/{it['path']}" in files for it in manifest["sources"])
    sources = [
        {**it, "id": f"{'sources/' if here else '#source/'}{quote(it['path'])}"}
        for it, here in zip(manifest["sources"], inside, strict=True)
    ]
    results = [it for it in each if f"{it['id']}".startswith("report/")] or each
    told = {"about": about, "files": each, "results": results, "sources": sources}
    return _filled("crate", **told, made=manifest, engine=importlib.metadata.version("snakemake"))


def _filled(name: str, **values: Any) -> Entity:
    filled: Entity = json.loads(TEMPLATES.get_template(f"{name}.json.j2").render(values))
    return filled


def materials(manifest: Mapping[str, Any]) -> Entity:
    """Write the bill of materials of what the report was made with, as CycloneDX."""
    return _filled("bom", **manifest)


def citation(about: About) -> Entity:
    """Say how the bundle is cited, as CITATION.cff has it."""
    return {
        "cff-version": "1.2.0",
        "message": "Please cite this supplement with the paper that it belongs to.",
        "type": "dataset",
        "title": Words(about.title),
        "authors": [_person(name) for name in about.authors] or [{"name": "anonymous"}],
        "date-released": about.date,
        **({"license": about.license} if about.license else {}),
    }


def _person(name: str) -> Entity:
    family, given = (part.strip() for part in name.split(",", 1))
    return {"family-names": Words(family), "given-names": Words(given)}


def deposit(about: About) -> Entity:
    """Say what Zenodo shows of the bundle, as .zenodo.json has it."""
    return _filled("zenodo", about=about)
