"""The manifest: what a report was made of and with, and what each of its files must be."""

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from costcurves.errors import InputError

PACKAGES: Final = ("numpy", "scipy", "pandas", "pyarrow", "matplotlib", "jinja2", "weasyprint")
MANIFEST: Final = "manifest.json"


def sha256(path: str | Path) -> str:
    """Hash a file's bytes.

    Returns
    -------
    str
        The sha256 as 64 hexadecimal digits.

    Raises
    ------
    OSError
        If the file can't be read.
    """
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_hash(files: Sequence[str | Path]) -> str:
    """Hash the contents of source files, whatever folder they lie in.

    Parameters
    ----------
    files
        The files, in any order.

    Returns
    -------
    str
        One sha256 over the sorted hashes of the files.
    """
    return hashlib.sha256("".join(sorted(map(sha256, files))).encode()).hexdigest()


def unchanged_sources(staged: Sequence[str | Path]) -> list[dict[str, Any]]:
    """Read what was staged and make sure that the sources are still the same.

    Parameters
    ----------
    staged
        The JSON files that the predictions stage wrote: a list of sources each.

    Returns
    -------
    list of dict
        `path`, `sha256` and `rows` of each source, once where several classes are of the same.

    Raises
    ------
    InputError
        If a source is gone or has other bytes than when it was staged.
    """
    found = (one for file in staged for one in json.loads(Path(file).read_text("utf-8")))
    sources = [dict(one) for one in dict.fromkeys(tuple(one.items()) for one in found)]
    findings = [finding for source in sources if (finding := _changed(source))]
    if findings:
        raise InputError(findings)
    return sources


def _changed(source: Mapping[str, Any]) -> str | None:
    path = Path(source["path"])
    mend = "the report would mix old and new data, so none was written; build it again"
    if not path.is_file():
        return f"{path}: is gone since it was staged; {mend}"
    if sha256(path) != source["sha256"]:
        return f"{path}: changed since it was staged; {mend}"
    return None


def provenance(
    sources: Sequence[Mapping[str, Any]],
    study: Mapping[str, Any],
    code: Sequence[str | Path],
    added: Sequence[str] = (),
) -> dict[str, Any]:
    """Say what a report is made of and with.

    Parameters
    ----------
    sources
        `path`, `sha256` and `rows` of each source.
    study
        The configuration as used, with its defaults.
    code
        The package's source files behind the report.
    added
        Files of text and templates that the study adds to the report.

    Returns
    -------
    dict
        `sources`, `report_sources` (`path` and `sha256` of what was added), `versions` (of Python
        and the packages that shape the bytes), `configuration`, `seed` and `code` (a hash). It
        names no host, user, folder or time.
    """
    versions = {name: importlib.metadata.version(name) for name in ("costcurves", *PACKAGES)}
    return {
        "sources": list(sources),
        "report_sources": [{"path": path, "sha256": sha256(path)} for path in added],
        "versions": {"python": platform.python_version(), **versions},
        "configuration": study,
        "seed": study["seed"],
        "code": code_hash(code),
    }


def write_manifest(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write what a folder holds, and from what it was made, into the folder.

    Parameters
    ----------
    folder
        The report's folder with everything in it.
    facts
        As `provenance` gives them.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    hashes = {path.relative_to(folder).as_posix(): sha256(path) for path in files}
    text = json.dumps({**facts, "files": hashes}, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
