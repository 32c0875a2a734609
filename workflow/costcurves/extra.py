"""What reports and prediction files need beside the Python interface: the extra `report`."""

from importlib.util import find_spec
from typing import Final

MODULES: Final = (
    *("brotli", "jinja2", "markdown_it", "pikepdf", "pyarrow"),
    *("snakemake", "tinyhtml5", "weasyprint", "yaml"),
)


def lacking(what: str) -> str | None:
    """Say in one line how to install what is missing for this; None: nothing is."""
    missing = [name for name in MODULES if find_spec(name) is None]
    if not missing:
        return None
    more = f"needs packages that are not installed, {missing[0]} among them"
    return f'{what} {more}; to install them: pip install "costcurves[report]"'
