"""The manifest: what a report was made of and with, what its files must be, whether they are.

The report shows the fingerprint of its manifest, so that a printed copy says which manifest is its
own. No file can show a hash of itself: the fingerprint covers all files but those that show it.
`SHA256SUMS` has a line for every file, the manifest included, and is what a signature signs.
A report's folder holds regular files that the manifest lists, and nothing else is opened.
"""

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from costcurves.code import PACKAGE
from costcurves.errors import InputError, refuse

PACKAGES: Final = (  # that shape the bytes of a report
    *("numpy", "scipy", "pandas", "pyarrow", "matplotlib"),
    *("jinja2", "weasyprint", "pydyf", "fonttools", "brotli"),
)
RELEASED: Final = PACKAGE / "released.json"  # the hash of the code of each version
MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
SIGNATURE: Final = f"{SUMS}.sig"  # by `ssh-keygen -Y sign`, if the author made one: never opened
RECORD: Final = (MANIFEST, SUMS, SIGNATURE)  # of all other files
# The files that show the fingerprint.
SHOWING: Final = ("report.html", "report.pdf")
# The most bytes of files that are read whole. With 26 datasets a manifest has 90 kB, a page 1.5 MB.
LARGEST: Final = {
    MANIFEST: 2**25,
    SUMS: 2**25,
    SIGNATURE: 2**16,
    **dict.fromkeys(SHOWING, 2**28),
}
# What a file that is no manifest raises, or one that nests too deeply.
UNREADABLE: Final = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


def sha256(path: str | Path) -> str:
    """Hash a file's bytes, as 64 hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_hash(files: Sequence[str | Path]) -> str:
    """Hash the contents of source files in any order, whatever folder they lie in."""
    return hashlib.sha256("".join(sorted(map(sha256, files))).encode()).hexdigest()


def released(code: str) -> str | None:
    """Return the version that was released with this code, by its hash; None: no release has it."""
    versions = json.loads(RELEASED.read_text("utf-8"))
    return next((version for version, known in versions.items() if known == code), None)


def check_unchanged(sources: Iterable[Mapping[str, Any]], known: Mapping[str, str | None]) -> None:
    """Make sure that what was read is what the run began with, `known` by path.

    Were a file changed back, nothing would tell what was made of it.
    """
    read = {source["path"]: source["sha256"] for source in sources}
    changed = [path for path, digest in read.items() if known.get(path, digest) != digest]
    refuse(f"{path}: changed since this run began; build it again" for path in changed)


def unchanged_sources(staged: Sequence[str | Path]) -> list[dict[str, Any]]:
    """Read what the predictions stage listed, and make sure that the sources are still the same.

    A source is given once where several classes are of the same.
    """
    listed = [source for file in staged for source in json.loads(Path(file).read_bytes())]
    sources = [source for place, source in enumerate(listed) if source not in listed[:place]]
    findings = []
    for source in sources:
        file = Path(source["path"])
        if not file.is_file() or sha256(file) != source["sha256"]:
            change = "changed" if file.is_file() else "is gone"
            mixed = "the report would mix old and new data, so none was written"
            findings.append(f"{file}: {change} since it was staged; {mixed}; build it again")
    refuse(findings)
    return sources


def provenance(
    sources: Sequence[Mapping[str, Any]],
    study: Mapping[str, Any],
    code: Sequence[str | Path],
    *,
    given: Mapping[str, Any],
    results: Mapping[str, str],
    libraries: Mapping[str, str],
) -> dict[str, Any]:
    """Say what a report is made of and with. It names no host, user, folder or time.

    `study` is the configuration as used, with its defaults; `given` is as it was given, from which
    the report can be built again. `libraries` are the versions of system libraries.
    """
    digest = code_hash(code)
    return {
        "sources": sources,
        "versions": versions(),
        "libraries": libraries,
        "given": given,
        "configuration": study,
        "seed": study["seed"],
        "code": digest,
        "released": released(digest) is not None,
        "results": results,
    }


def versions() -> dict[str, str]:
    """Say which versions of Python and its packages are here."""
    from importlib.metadata import version

    packages = {name: version(name) for name in ("costcurves", *PACKAGES)}
    return {"python": platform.python_version(), **packages}


def anonymous(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Replace every path of a file by a name without its folder, wherever the path is said.

    Versions of packages and of system libraries stay: many machines have them, and without them
    nobody could tell why a report comes out differently elsewhere.

    >>> anonymous({"sources": [{"path": "/home/jo/a.csv"}], "given": {"files": ["/home/jo/a.csv"]}})
    {'sources': [{'path': 'a.csv'}], 'given': {'files': ['a.csv']}}
    """
    names = base_names([source["path"] for source in facts["sources"]])
    return {key: _replaced(value, names) for key, value in facts.items()}


def base_names(paths: Sequence[str]) -> dict[str, str]:
    """Name files without their folders; where two names are the same their order tells which.

    Doing it twice changes nothing: a report that is built again from such names has the same.

    >>> base_names(["/home/jo/a.csv", "b/x.csv", "../c/x.csv"])
    {'/home/jo/a.csv': 'a.csv', 'b/x.csv': '2/x.csv', '../c/x.csv': '3/x.csv'}
    """
    names = {path: PurePath(path).name for path in paths}
    uses = Counter(map(str.casefold, names.values()))
    return {
        path: name if uses[name.casefold()] == 1 else f"{number}/{name}"
        for number, (path, name) in enumerate(names.items(), start=1)
    }


def _replaced(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: _replaced(part, names) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(part, names) for part in value]
    return value


def with_files(folder: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Make the manifest of a folder as it is now, of the `facts` that `provenance` gives."""
    files = {name: sha256(folder / name) for name in names_of_files(folder) if name not in RECORD}
    content = {**facts, "files": files}
    return {"fingerprint": fingerprint(content), **content}


def names_of_files(folder: Path) -> list[str]:
    """List all files of a folder, relative to it, in order."""
    files = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in files)


def fingerprint(manifest: Mapping[str, Any]) -> str:
    """Hash a manifest's canonical JSON, but for this hash itself and the files that show it."""
    files = {name: digest for name, digest in manifest["files"].items() if name not in SHOWING}
    covered = {**manifest, "files": files}
    covered.pop("fingerprint", None)
    text = json.dumps(
        covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


def write_manifest(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the manifest of a report's folder and its sums, when everything else is there."""
    made = with_files(folder, facts)
    (folder / MANIFEST).write_bytes(as_written(made))
    (folder / SUMS).write_text(sums(folder, made["files"]), "utf-8")


def sums(folder: Path, files: Mapping[str, str]) -> str:
    """Write the sums of these hashes and of the manifest."""
    return as_sums({**files, MANIFEST: sha256(folder / MANIFEST)})


def as_sums(hashes: Mapping[str, str]) -> str:
    """Write hashes of files as `sha256sum --check` reads them."""
    return "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))


def as_written(manifest: Mapping[str, Any]) -> bytes:
    """Write a manifest down."""
    text = json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a report."""
    path = folder / MANIFEST
    no_manifest = f"{path}: is no manifest of a report"
    if why := irregular(path):
        raise InputError([f"{no_manifest} (it {why})"])
    try:
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
        texts = [content["fingerprint"], *content["files"].values()]
        fingerprint(content)
    except FileNotFoundError:
        raise InputError([f"{path}: is missing, so nothing says what the files must be"]) from None
    except UNREADABLE as error:
        raise InputError([f"{no_manifest} ({type(error).__name__}: {error})"]) from error
    if not all(isinstance(text, str) for text in texts):
        raise InputError([f"{no_manifest} (hashes are text)"])
    return content


def verify(folder: Path) -> list[str]:
    """Compare every file of a report with its manifest, and the manifest with its fingerprint.

    What shows the fingerprint isn't covered by it, and may be changed along with its hash in the
    manifest: that is found by a signature, or where the report is built again. A table that was
    changed along with the manifest is found by the fingerprint, too.
    """
    try:
        manifest = read_manifest(folder)
    except InputError as error:
        return list(error.findings)
    files = manifest["files"]
    findings = [*unfit(folder, files), *_files(folder, files), *_fingerprint(folder, manifest)]
    return findings or [*_sums(folder, files)]


def unfit(folder: Path, listed: Collection[str]) -> list[str]:
    """List what no report's folder has: what is no regular file, and files that are not listed."""
    findings = []
    for name in names_of_files(folder):
        why = irregular(folder / name)
        if why is None and name not in {*listed, *RECORD}:
            why = "extra, the manifest does not list it"
        if why:
            findings.append(f"{name}: {why}")
    return findings


def irregular(path: Path) -> str | None:
    """Return why a file is not read: a link leads elsewhere, a pipe waits; None: it may be."""
    if path.is_symlink():
        return "is a link, expected a regular file"
    if path.exists() and not path.is_file():
        return "is a pipe or device, expected a regular file"
    most = LARGEST.get(path.name)
    size = path.stat().st_size if most and path.exists() else 0
    return f"has {size} bytes, expected at most {most}" if most and size > most else None


def _files(folder: Path, known: Mapping[str, str]) -> Iterator[str]:
    there = names_of_files(folder)
    for name in sorted(known):
        file = folder / name
        if name not in there:
            yield f"{name}: missing"
        elif not irregular(file) and sha256(file) != known[name]:
            yield f"{name}: changed, its sha256 is not the manifest's"


def _fingerprint(folder: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    stated, made = manifest["fingerprint"], fingerprint(manifest)
    if made != stated:
        why = f"it says the fingerprint {stated[:12]}, what it holds gives {made[:12]}"
        yield f"{MANIFEST}: changed, {why}"
    elif (folder / MANIFEST).read_bytes() != as_written(manifest):
        why = "it holds what its fingerprint says, and says it in other words or twice"
        yield f"{MANIFEST}: changed, {why}"
    for name in SHOWING:
        page = folder / name
        if page.is_file() and not irregular(page) and stated.encode() not in page.read_bytes():
            yield f"{name}: is of another manifest, it does not show the fingerprint {stated[:12]}"


def _sums(folder: Path, files: Mapping[str, str]) -> Iterator[str]:
    file = folder / SUMS
    if not file.exists():
        yield f"{SUMS}: is missing"
    elif file.read_bytes() != sums(folder, files).encode():
        yield f"{SUMS}: changed, it does not have the manifest's sha256 of each file, and its own"
