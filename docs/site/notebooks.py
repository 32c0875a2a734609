"""Notebooks as pages: their cells are run from top to bottom, and what each shows stands below it.

Without Jupyter: cells share one namespace, and the value of a cell's last line is shown as a
notebook would, by its `_repr_html_`.
"""

import ast
import html
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any


def page(notebook: Path) -> str:
    """Run a notebook, and give it as Markdown."""
    space: dict[str, Any] = {}
    parts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            shown = _shown(source, space, notebook.name)
            source = f"```python\n{source}\n```\n\n<div>{shown}</div>"
        parts.append(source)
    return "\n\n".join(parts)


def _shown(source: str, space: dict[str, Any], name: str) -> str:
    """Run a cell, and give what it shows as HTML."""
    cell = ast.parse(source)
    last = cell.body.pop() if isinstance(cell.body[-1], ast.Expr) else None
    with redirect_stdout(StringIO()) as printed:
        exec(compile(cell, name, "exec"), space)
        value = last and eval(compile(ast.Expression(last.value), name, "eval"), space)
    said, drawn = printed.getvalue(), getattr(value, "_repr_html_", str)()
    if value is not None and not drawn:
        said += repr(value)
    return (f"<pre>{html.escape(said)}</pre>" if said else "") + drawn
