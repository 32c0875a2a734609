"""What was simulated of each quantity of a report, in one table: it cites the nearest design.

A row a design: the share of data sets in which an interval or band held what it claims, or any
verdict was false, and the simulation's standard error (0: exact). Of exact designs that differ in
error rates, the worst. Written to measured.csv of
workflow/costcurves/report from tests/simulations/results.

Run: ``python -m tests.simulations.atlas`` (in no time).
"""

import csv
import json
from collections.abc import Iterable, Iterator
from io import StringIO
from math import sqrt
from operator import itemgetter
from typing import Any

from costcurves.report.measured import COLUMNS, MEASURED, ONE_TEST_SET
from costcurves.report.measured import FOLDS as IN_FOLDS
from tests.simulations import by_design, choices, claims, inference, verdicts
from tests.simulations.datasets import FOLDS
from tests.simulations.making import Row

CRITERIA = {"area": "area", "cost at .5": "cost", "whole": "band", "any": "verdicts"}
BY_COST = {
    "curve, each, mean": "by cost, each",
    "curve, whole": "by cost, whole",
    "equal models, any": "by cost, verdicts",
    "cost per instance": "cost per instance",
}
BY_KIND = {
    "verdicts": "any",
    "means": "mean",
    "named": "named",
    "statements": "statement",
    "curve, each": "each",
    "curve, whole": "band",
    "cross-fitted, area": "area",
    "cross-fitted, cost": "least of costs",
}
REGRETS = {"regret": "regret", "regret, whole": "band of the regret"}


def rows() -> Iterator[Row]:
    """List what was simulated."""
    of_coverage, of_choices, of_verdicts, of_claims, of_designs = (
        json.loads(module.RESULTS.read_text(encoding="utf-8"))
        for module in (inference, choices, verdicts, claims, by_design)
    )
    yield from _worst("line, each", of_coverage["lines"], "mean", min)
    yield from _worst("line, whole", of_coverage["lines"], "whole", min)
    yield from _worst("sign flips", of_coverage["equal_crisp"], "any", max)
    for row in of_coverage["curves"]:
        yield _row("envelope, each", row, "each, mean", folds=1)
        yield _row("envelope, whole", row, "whole", folds=1)
    for row in of_coverage["cross_fits"]:
        if row["choices"] == "between" and row["distance of B"] == 1:
            yield _row("curve, each", row, "curve, each, mean", kind=IN_FOLDS)
            yield _row("curve, whole", row, "curve, whole", kind=IN_FOLDS)
    for row in of_choices["rows"]:
        criterion = row["criterion"]
        for name, quantity in (CRITERIA | (REGRETS if criterion != "cross-fitted" else {})).items():
            same = (criterion, quantity) == ("cross-fitted", "verdicts")
            kind = IN_FOLDS if criterion == "cross-fitted" else ""
            yield _row(quantity if same else f"{criterion}, {quantity}", row, name, kind=kind)
    for row in of_coverage["instance_costs"]:
        size = round(row["effective size"])  # of equal cost: what is weighted by cost says as much
        for name, quantity in BY_COST.items():
            yield _row(quantity, row | {"positives": size, "negatives": size}, name)
    for row in of_claims["rows"]:
        folds = 1 if row["kind"] == "decisions" else FOLDS
        name = max("any", "alone", key=row.__getitem__)
        shown = _row("claims", row, name, folds)
        twice = 2 * row["alone"]  # the share that was counted
        half = sqrt(twice * (1 - twice) / row["datasets"]) / 2
        yield shown | {"error": round(half, 4)} if name == "alone" else shown
    designs = {design.name: design for design in (*verdicts.EQUAL, *verdicts.RUNNING)}
    for row in of_verdicts["equal"]:
        yield _row("verdicts", row, "any", designs[row["design"]].folds, IN_FOLDS)
    for row in of_verdicts["dealt"]:
        yield _row("verdicts", row, "any", kind=ONE_TEST_SET)
    for row in of_verdicts["running"]:
        yield _row("running", row, "any")
    for row in of_designs["designs"]:
        with_least = row | {"least of costs": min(row["cost"])}
        for quantity, name in BY_KIND.items():
            yield _row(quantity, with_least, name, row["folds"], row["kind"])


def _worst(quantity: str, rows: Iterable[Row], name: str, worst: Any) -> Iterator[Row]:
    """Of designs of the same sizes and no folds the worst."""
    sizes: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        with_datasets = {"datasets": 0, **row}  # 0: exact
        sizes.setdefault((row["positives"], row["negatives"]), []).append(with_datasets)
    for of_size in sizes.values():
        yield _row(quantity, worst(of_size, key=itemgetter(name)), name, folds=1)


def _row(quantity: str, row: Row, name: str, folds: int = FOLDS, kind: str = "") -> Row:
    share, datasets = row[name], row["datasets"]
    error = sqrt(share * (1 - share) / datasets) if datasets else 0.0
    sizes = row["positives"], row["negatives"], folds
    return dict(zip(COLUMNS, (quantity, kind, *sizes, share, round(error, 4)), strict=True))


def written() -> str:
    """Write the table as CSV."""
    text = StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows())
    return text.getvalue()


if __name__ == "__main__":
    MEASURED.write_text(written(), encoding="utf-8")
