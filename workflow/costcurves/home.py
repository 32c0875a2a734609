"""Where the workflow lies: inside the installed package, or around it in a clone."""

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent
_INSIDE = PACKAGE / "project"
HOME: Final = _INSIDE if _INSIDE.is_dir() else PACKAGE.parents[1]
PROFILES: Final = HOME / "profiles"
SNAKEFILE: Final = HOME / "Snakefile"
WORKFLOW: Final = HOME / "workflow"
FETCH: Final = WORKFLOW / "rules" / "fetch.smk"
