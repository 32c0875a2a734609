"""Check the built site: no page, style or script loads anything from elsewhere."""

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LOADS: Final = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\b(?:src|srcset|data)=["']?
        (?:https?:)?//[^"'\s>]+
      | <link\b(?=[^>]*\brel=["']?(?:stylesheet|icon|preload|preconnect|shortcut))[^>]*?
        \bhref=["']?(?:https?:)?//[^"'\s>]+
      | (?:url\(\s*|@import\s+)["']?(?:https?:)?//[^"')\s]+""",
    re.VERBOSE | re.IGNORECASE,
)


def remote(folder: Path) -> list[str]:
    """List what pages and styles load from elsewhere."""
    files = [*folder.rglob("*.html"), *folder.rglob("*.css")]
    return [
        f"{file.relative_to(folder)}: {found[0][-80:]}"
        for file in sorted(files)
        for found in LOADS.finditer(file.read_text("utf-8"))
    ]


if __name__ == "__main__":
    found = remote(ROOT / "build" / "docs")
    print(*found, sep="\n", file=sys.stderr)
    sys.exit(bool(found))
