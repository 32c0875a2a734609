"""What reports and prediction files need beside the Python interface: the extra `report`."""

from importlib.util import find_spec
from typing import Final

MODULES: Final = ("jinja2", "pyarrow", "ruamel", "snakemake", "weasyprint")


def lacking(what: str) -> str | None:
    """Say in one line how to install what is missing for this; None: nothing is."""
    missing = next((name for name in MODULES if find_spec(name) is None), None)
    why = f"needs packages that are not installed, such as {missing}"
    return f'{what} {why}: pip install "costcurves[report]"' if missing else None
