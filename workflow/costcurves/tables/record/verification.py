"""Whether a report is still what its manifest says."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from costcurves.errors import InputError
from costcurves.tables.record.manifest import (
    MANIFEST,
    SHOWING,
    as_written,
    fingerprint,
    names_of_files,
    read_manifest,
    sha256,
)


def verify(folder: Path) -> list[str]:
    """Compare every file of a report with its manifest, and the manifest with its fingerprint.

    Only a rebuild (`differences`) finds a page that shows the fingerprint, and so isn't covered by
    it, changed along with its hash in the manifest; or a file changed along with the manifest, its
    fingerprint and the pages.
    """
    try:
        manifest = read_manifest(folder)
    except InputError as error:
        return list(error.findings)
    return [*_files(folder, manifest["files"]), *_fingerprint(folder, manifest)]


def _files(folder: Path, known: Mapping[str, str]) -> Iterator[str]:
    found = [name for name in names_of_files(folder) if name != MANIFEST]
    for name in sorted({*found, *known}):
        if name not in known:
            yield f"{name}: extra, the manifest does not know it"
        elif name not in found:
            yield f"{name}: missing"
        elif (folder / name).is_symlink():
            yield f"{name}: changed, it is a link to another file"
        elif not (folder / name).is_file():
            yield f"{name}: changed, it is no file"
        elif sha256(folder / name) != known[name]:
            yield f"{name}: changed, its sha256 is not the manifest's"


def _fingerprint(folder: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    told = manifest["fingerprint"]
    made = fingerprint(manifest)
    if made != told:
        why = f"it says the fingerprint {told[:12]}, what it holds gives {made[:12]}"
        yield f"{MANIFEST}: changed, {why}"
    elif (folder / MANIFEST).read_bytes() != as_written(manifest):
        why = "it holds what its fingerprint says, and says it in other words or twice"
        yield f"{MANIFEST}: changed, {why}"
    for name in SHOWING:
        page = folder / name
        if page.is_file() and told.encode() not in page.read_bytes():
            yield f"{name}: is of another manifest, it does not show the fingerprint {told[:12]}"
