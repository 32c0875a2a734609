"""Sources that are named by URLs: the engine's storage plugins fetch them, and copies are read."""

import hashlib
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from costcurves.tables.input.databases import is_database, not_queried

COPIES: Final = Path(".snakemake", "sources")  # in the folder of the run
PLUGINS: Final = {"az": "azure", "gs": "gcs", "https": "http"}  # others are called as their scheme
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+-]*)://")


def is_remote(path: str) -> bool:
    """Whether a source is named by a URL."""
    return _SCHEME.match(path) is not None


def copy_of(path: str) -> Path:
    """Give the file in which a source is read: its own, or the copy of what a URL names."""
    if not is_remote(path):
        return Path(path)
    return COPIES / hashlib.sha256(path.encode()).hexdigest()


def plugin_of(url: str) -> str:
    """Name the storage plugin for a URL.

    >>> plugin_of("s3://bucket/a.csv"), plugin_of("https://example.org/a.csv")
    ('s3', 'http')
    """
    scheme = url.split("://")[0]
    return PLUGINS.get(scheme, scheme)


def package_of(url: str) -> str:
    """Name the package of the storage plugin for a URL."""
    return f"snakemake-storage-plugin-{plugin_of(url)}"


def not_fetchable(url: str) -> str | None:
    """Say why nothing can be fetched from a URL here; None: it can be tried."""
    if "@" in url.split("#")[0].split("/")[2]:
        return "has a user in it, which the report would show; give credentials otherwise"
    if is_database(url):
        return not_queried(url)
    package = package_of(url)
    if find_spec(package.replace("-", "_")) is None:
        return f"needs {package}, which is not installed: pip install {package}"
    return None
