"""Where the workflow lies, in a clone or in the package, and the files that a report comes from."""

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent
_INSIDE = PACKAGE / "project"
HOME: Final = _INSIDE if _INSIDE.is_dir() else PACKAGE.parents[1]
PROFILES: Final = HOME / "profiles"
SNAKEFILE: Final = HOME / "Snakefile"
WORKFLOW: Final = HOME / "workflow"
REPORT: Final = PACKAGE / "report"

KINDS: Final = (".py", ".j2", ".toml", ".mplstyle", ".css", ".js", ".csv", ".rst", ".smk")


def all_files() -> list[Path]:
    """List every file that a report comes from: of the package, and of the workflow around it."""
    folders = PACKAGE, WORKFLOW / "rules"
    files = {file for folder in folders for file in folder.rglob("*") if file.suffix in KINDS}
    return [SNAKEFILE, *sorted(files)]
