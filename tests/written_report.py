"""A small report as the workflow would have written it, with its manifest and its sources."""

import json
from pathlib import Path
from typing import Any, Final

from costcurves.record.manifest import read_manifest, sha256, with_files, write_manifest

STUDY: Final = "honest"
DATASETS: Final = ("tea", "wine")
MEASURES: Final = "tables/measures/wine.csv"


def facts(folder: Path, paths: tuple[str, ...] = ("tea.csv", "wine.csv")) -> dict[str, Any]:
    """What a manifest knows besides its files; the sources are written where they are lacking."""
    sources = []
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)
        sources.append({"path": path, "sha256": sha256(file), "rows": 1})
    datasets = [{"name": Path(path).stem, "predictions": [path]} for path in paths]
    return {
        "sources": sources,
        "versions": {"python": "3.11.7", "numpy": "2.4.6"},
        "libraries": {"Pango": "1.50.12"},
        "given": {"study": STUDY, "datasets": datasets},
        "configuration": {"study": STUDY, "level": "repeat", "seed": 3},
        "seed": 3,
        "code": "cd" * 32,
        "released": False,
        "results": {f"{stage}/wine.parquet": "0f" for stage in ("predictions", "measures")},
    }


def written(report: Path, known: dict[str, Any], *, tec: str = "0.25") -> Path:
    """A finished report of two datasets; one number of it can be given."""
    for place, name in enumerate(DATASETS):
        rows = f"dataset,model,tec\n{name},Bayes,0.{place + 1}\n{name},Trees,{tec}\n"
        files = {
            f"tables/measures/{name}.csv": rows,
            f"figures/{name}/cost_curves.csv": f"pc,nec\n0,0.{place + 3}\n",
            f"figures/{name}/cost_curves-a.svg": f"<svg>{name}: Bayes, Trees</svg>",
        }
        for file, text in files.items():
            (report / file).parent.mkdir(parents=True, exist_ok=True)
            (report / file).write_text(text)
    mark = with_files(report, known)["fingerprint"]
    (report / "report.html").write_text(f"<style></style>Verdict: Trees. {mark}\n")
    (report / "report.pdf").write_text(f"%PDF {mark}\n")
    write_manifest(report, known)
    return report


def edited(report: Path, **changes: Any) -> None:
    """Change the manifest alone."""
    content = json.loads((report / "manifest.json").read_text())
    (report / "manifest.json").write_text(json.dumps(content | changes))


def renewed(report: Path, **changes: Any) -> None:
    """Write manifest and sums anew, as if they had always said so."""
    manifest = read_manifest(report)
    known = {key: value for key, value in manifest.items() if key not in ("files", "fingerprint")}
    write_manifest(report, known | changes)


def stamped(report: Path, **changes: Any) -> None:
    """Write them anew, and the new fingerprint into the pages."""
    old = read_manifest(report)["fingerprint"]
    renewed(report, **changes)
    new = read_manifest(report)["fingerprint"]
    for page in report.glob("report.*"):
        page.write_bytes(page.read_bytes().replace(old.encode(), new.encode()))
    renewed(report, **changes)
