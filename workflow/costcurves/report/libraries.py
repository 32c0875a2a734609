"""Libraries that no Python package names, but which shape the bytes of a report."""

import ctypes
import zlib
from typing import Final

ABSENT: Final = "not there"
# By WeasyPrint; what each is called.
LOADED: Final = {
    "Pango": "pango-1.0",
    "PangoFT2": "pangoft2-1.0",
    "HarfBuzz-Subset": "harfbuzz-subset",
}
# As Linux, macOS (whose Pango has the version in its name) and Windows call them.
NAMES: Final = ("lib{}.so.0", "lib{}.0.dylib", "lib{}.dylib", "lib{}-0.dll")
INSTALL: Final = (
    "apt-get install --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
)


def pdf_missing() -> str | None:
    """Return in one line what to install where the PDF can't be made; None where it can."""
    missing = [name for name, file in LOADED.items() if _library(file) is None]
    if not missing:
        return None
    return f"No PDF, as {', '.join(missing)} can't be loaded; to have it: {INSTALL}"


def libraries() -> dict[str, str]:
    """Return the versions of libraries; "not there" where the system has none."""
    from matplotlib import ft2font

    pango = _library(LOADED["Pango"])
    version = ABSENT
    if pango is not None:
        pango.pango_version_string.restype = ctypes.c_char_p
        version = str(pango.pango_version_string().decode())
    freetype = str(ft2font.__freetype_version__)
    return {"Pango": version, "FreeType of matplotlib": freetype, "zlib": zlib.ZLIB_RUNTIME_VERSION}


def _library(name: str) -> ctypes.CDLL | None:
    """Load a library; None where the system has none."""
    for form in NAMES:
        try:
            return ctypes.CDLL(form.format(name))
        except OSError:
            continue
    return None
