"""The sources that a manifest names: which of them are here, and may be opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from costcurves.errors import InputError
from costcurves.names import URL
from costcurves.record.manifest import sha256


@dataclass
class Named:
    """The sources that a manifest names, by whether they are the files that it was made of."""

    files: dict[str, Path] = field(default_factory=dict)  # by their paths in the manifest
    missing: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # of other bytes, or not opened


def named(manifest: Mapping[str, Any], folders: Sequence[Path]) -> Named:
    """Compare the sources of a report, whose paths begin in folders, with their hashes."""
    sources = Named()
    for source in manifest["sources"]:
        path, name = source["path"], folders[0] / source["path"]
        try:
            file = local(path, folders)
        except InputError as error:
            sources.wrong += error.findings
            continue
        if file is None:
            why = "is not there; name the folder of the sources with --sources"
            sources.missing.append(f"{name}: {why}")
        elif sha256(file) != source["sha256"]:
            why = "is not the file that the report was made of (its sha256)"
            sources.wrong.append(f"{name}: {why}")
        else:
            sources.files[path] = file
    return sources


def local(path: str, folders: Sequence[Path]) -> Path | None:
    """Find the regular file that a manifest's path names; None: there is none.

    Whoever wrote the manifest may be a stranger: InputError where the path or a link on it leads
    out of the folders, which the user named, and of the current one; or to what is no file.
    """
    if URL.match(path):
        raise InputError([f"{path}: is a URL, which is not opened; expected a local file"])
    try:
        places = [(folder / path).resolve() for folder in folders]
        within = [folder.resolve() for folder in (*folders, Path())]
        inside = [place for place in places if any(map(place.is_relative_to, within))]
        there = next(filter(Path.exists, inside), None)
    except (OSError, ValueError, RuntimeError) as error:  # no path can be so, or links in a ring
        raise InputError([f"{path}: can't be the path of a file ({error})"]) from error
    if not inside:
        why = "leads out of the folders of sources, so it was not opened"
        mend = "if you trust that path, name its folder with --sources as well"
        raise InputError([f"{path}: {why}; {mend}"])
    if there is not None and not there.is_file():
        raise InputError([f"{path}: is no regular file, so it was not opened"])
    return there
