"""What machines read of a bundle: a crate, a bill of materials, how it is cited and deposited."""

import hashlib
import html
import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass
from mimetypes import guess_type
from typing import Any, Final
from urllib.parse import quote

from costcurves.archive.markup import Words

Entity = dict[str, Any]

CRATE: Final = "ro-crate-metadata.json"
WORKFLOW: Final = "Snakefile"
SPECIFICATION: Final = "https://w3id.org/ro/crate/1.1"
PROFILES: Final = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
SNAKEMAKE: Final = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"


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

    Sources that are not among the files are named with their hashes; without them there is no
    workflow to run, and the program is what made it.
    """
    whole = WORKFLOW in files
    program = WORKFLOW if whole else "#costcurves"
    profiles = dict([*PROFILES.items()][: None if whole else 1])
    made_by = {"name": "costcurves", "version": manifest["versions"]["costcurves"]}
    people = [{"@id": f"#author-{number}"} for number in range(1, len(about.authors) + 1)]
    parts = [{"@id": quote(name)} for name in files]
    read = [_source(one, files) for one in manifest["sources"]]
    license_ = {"@id": f"https://spdx.org/licenses/{about.license}"}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": about.title,
        "description": about.summary,
        "datePublished": about.date,
        "conformsTo": [{"@id": profile} for profile in profiles],
        "hasPart": parts,
        **({"mainEntity": {"@id": WORKFLOW}} if whole else {}),
        "mentions": {"@id": "#run"},
        **({"author": people} if people else {}),
        **({"license": license_} if about.license else {}),
    }
    metadata = {
        "@id": CRATE,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": [
            {"@id": SPECIFICATION},
            *({"@id": one} for one in profiles if "workflowhub" in one),
        ],
    }
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"costcurves {manifest['versions']['costcurves']}",
        "description": f"The report with the fingerprint {manifest['fingerprint']}",
        "instrument": {"@id": program},
        "object": [{"@id": one["@id"]} for one in read],
        "result": [one for one in parts if one["@id"].startswith("report/")] or parts,
        "endTime": about.date,
    }
    return {
        "@context": [f"{SPECIFICATION}/context", "https://w3id.org/ro/terms/workflow-run/context"],
        "@graph": [
            metadata,
            root,
            run,
            *(_file(name, content) for name, content in files.items()),
            *(one for one in read if one["@id"].startswith("#")),
            _engine() if whole else {"@id": program, "@type": "SoftwareApplication", **made_by},
            *(
                {
                    "@id": profile,
                    "@type": ["CreativeWork", "Profile"],
                    "name": name,
                    "version": version,
                }
                for profile, (name, version) in profiles.items()
            ),
            *(
                {"@id": it["@id"], "@type": "Person", "name": name}
                for it, name in zip(people, about.people(), strict=True)
            ),
        ],
    }


def _file(name: str, content: bytes) -> Entity:
    told: Entity = {
        "@id": quote(name),
        "@type": "File",
        "contentSize": f"{len(content)}",
        "encodingFormat": guess_type(name)[0] or "text/plain",  # README, Snakefile, sums
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    if name == WORKFLOW:
        told["@type"] = ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
        told |= {"name": "costcurves", "programmingLanguage": {"@id": SNAKEMAKE}}
    return told


def _source(one: Mapping[str, Any], files: Mapping[str, bytes]) -> Entity:
    inside = f"sources/{one['path']}"
    place = quote(inside) if inside in files else f"#source/{quote(one['path'])}"
    return {"@id": place, "@type": "CreativeWork", "name": one["path"], "sha256": one["sha256"]}


def _engine() -> Entity:
    return {
        "@id": SNAKEMAKE,
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "version": importlib.metadata.version("snakemake"),
        "identifier": {"@id": "https://doi.org/10.1093/bioinformatics/bts480"},
        "url": {"@id": "https://snakemake.github.io"},
    }


def materials(manifest: Mapping[str, Any]) -> Entity:
    """Write the bill of materials of what the report was made with, as CycloneDX."""
    packages = [
        {
            "type": "library" if name != "python" else "platform",
            "name": name,
            "version": version,
            "bom-ref": f"{name}@{version}",
            "purl": f"pkg:{'generic' if name == 'python' else 'pypi'}/{name}@{version}",
        }
        for name, version in manifest["versions"].items()
    ]
    system = [
        {"type": "library", "name": name, "version": version, "bom-ref": f"{name}@{version}"}
        for name, version in manifest["libraries"].items()
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "data",
                "name": manifest["given"]["study"],
                "bom-ref": "report",
                "hashes": [{"alg": "SHA-256", "content": manifest["fingerprint"]}],
            }
        },
        "components": [*packages, *system],
    }


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
    return {
        "title": about.title,
        "upload_type": "dataset",
        "description": html.escape(about.summary, quote=False),  # which Zenodo reads as HTML
        "creators": [{"name": name} for name in about.authors] or [{"name": "anonymous"}],
        "publication_date": about.date,
        "keywords": ["cost curves", "classifier comparison"],
        **({"license": about.license.lower()} if about.license else {}),
    }
