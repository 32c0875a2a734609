"""Where the workflow lies: inside the installed package, or around it in a clone."""

from pathlib import Path
from typing import Final

_INSIDE = Path(__file__).parent / "project"
HOME: Final = _INSIDE if _INSIDE.is_dir() else Path(__file__).resolve().parents[2]
SNAKEFILE: Final = HOME / "Snakefile"
WORKFLOW: Final = HOME / "workflow"
