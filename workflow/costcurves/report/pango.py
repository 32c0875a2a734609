"""Whether a PDF can be made: WeasyPrint draws it with Pango, which no Python package brings along.

This is asked before any job runs, so nothing else is imported here.
"""

import ctypes
from typing import Final

LIBRARIES: Final = {  # what WeasyPrint loads, as Linux, macOS and Windows call it
    "Pango": ("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll"),
    "PangoFT2": ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll"),
    "HarfBuzz-Subset": (
        "libharfbuzz-subset.so.0",
        "libharfbuzz-subset.0.dylib",
        "libharfbuzz-subset-0.dll",
    ),
}
INSTALL: Final = (
    "apt-get install --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
)


def pdf_missing() -> str | None:
    """Say in one line what to install where the PDF can't be made; None where it can.

    It looks for the system's libraries only and is quick: WeasyPrint itself is not imported.
    """
    missing = [name for name, files in LIBRARIES.items() if not any(map(_loads, files))]
    if not missing:
        return None
    return f"No PDF, as {', '.join(missing)} can't be loaded; to have it: {INSTALL}"


def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True
