"""Libraries that no Python package names, but which shape the bytes of a report."""

import ctypes
import zlib
from collections.abc import Callable
from typing import Final

ABSENT: Final = "not there"
FILES: Final = {  # what each is called, and which version of its interface
    "Pango": ("pango-1.0", 0),
    "PangoFT2": ("pangoft2-1.0", 0),
    "HarfBuzz-Subset": ("harfbuzz-subset", 0),
    "HarfBuzz": ("harfbuzz", 0),
    "Fontconfig": ("fontconfig", 1),
    "FreeType": ("freetype", 6),
}
# As Linux, macOS (whose Pango has the version in its name) and Windows call them.
NAMES: Final = ("lib{}.so.{}", "lib{}.{}.dylib", "lib{}.dylib", "lib{}-{}.dll")
LOADED: Final = ("Pango", "PangoFT2", "HarfBuzz-Subset")  # by WeasyPrint
INSTALL: Final = (
    "apt-get install --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
)


def pdf_missing() -> str | None:
    """Say in one line what to install where the PDF can't be made; None where it can."""
    missing = [name for name in LOADED if _asked(name, lambda _: "") == ABSENT]
    if not missing:
        return None
    return f"No PDF, as {', '.join(missing)} can't be loaded; to have it: {INSTALL}"


def libraries() -> dict[str, str]:
    """Ask each library for its version; "not there" where the system has none."""
    from matplotlib import ft2font

    system = {name: _asked(name, ask) for name, ask in ASKED.items()}
    own = {"FreeType of matplotlib": str(ft2font.__freetype_version__)}
    return {**system, **own, "zlib": zlib.ZLIB_RUNTIME_VERSION}


def _asked(name: str, ask: Callable[[ctypes.CDLL], str]) -> str:
    for form in NAMES:
        try:
            return ask(ctypes.CDLL(form.format(*FILES[name])))
        except (OSError, AttributeError):
            continue
    return ABSENT


def _said(function: str) -> Callable[[ctypes.CDLL], str]:
    """Make what calls a function that gives the version as text."""

    def ask(library: ctypes.CDLL) -> str:
        call = getattr(library, function)
        call.restype = ctypes.c_char_p
        return str(call().decode())

    return ask


def _fontconfig(library: ctypes.CDLL) -> str:
    number = int(library.FcGetVersion())  # 21401 is 2.14.1
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _freetype(library: ctypes.CDLL) -> str:
    handle, numbers = ctypes.c_void_p(), [ctypes.c_int() for _ in range(3)]
    library.FT_Init_FreeType(ctypes.byref(handle))
    library.FT_Library_Version(handle, *map(ctypes.byref, numbers))
    library.FT_Done_FreeType(handle)
    return ".".join(str(number.value) for number in numbers)


ASKED: Final[dict[str, Callable[[ctypes.CDLL], str]]] = {
    "Pango": _said("pango_version_string"),
    "HarfBuzz": _said("hb_version_string"),
    "Fontconfig": _fontconfig,
    "FreeType": _freetype,
}
