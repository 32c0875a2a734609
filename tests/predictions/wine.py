"""Prediction files of a dataset that is called wine."""

from pathlib import Path
from typing import Any

import pandas as pd

from costcurves.predictions.staged import stage
from costcurves.settings import Costs, Dataset

NAMED = "model,instance,label"
COLUMNS = f"{NAMED},score"


def csv(rows: str, columns: str = COLUMNS) -> str:
    """Rows that are written with ``|`` between them, below a header."""
    return "".join(f"{line}\n" for line in (columns, *rows.split("|")))


def wine(*paths: str, **options: Any) -> Dataset:
    return Dataset("wine", paths or ("a.csv",), title="wine", slug="wine", **options)


def paid(**costs: Any) -> dict[str, Any]:
    """Options of a dataset that is weighted by cost."""
    return {"costs": Costs.from_plain(costs), "weighted": True}


def one_of(positive: str, *others: str) -> dict[str, Any]:
    """Options of a dataset that is a class of another against all others."""
    classes = (positive, *others)
    return {"classes": classes, "positive": positive, "score": f"score_{positive}"}


def staged(rows: str, of: str = COLUMNS, **options: Any) -> pd.DataFrame:
    """What is read of a file of such rows."""
    Path("a.csv").write_text(csv(rows, of))
    return stage(wine(**options))
