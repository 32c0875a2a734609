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
        json.loads(one.RESULTS.read_text(encoding="utf-8"))
        for one in (inference, choices, verdicts, claims, by_design)
    )
    yield from _worst("line, each", of_coverage["lines"], "mean", min)
    yield from _worst("line, whole", of_coverage["lines"], "whole", min)
    yield from _worst("sign flips", of_coverage["equal_crisp"], "any", max)
    for one in of_coverage["curves"]:
        yield _row("envelope, each", one, "each, mean", folds=1)
        yield _row("envelope, whole", one, "whole", folds=1)
    for one in of_coverage["cross_fits"]:
        if one["choices"] == "between" and one["distance of B"] == 1:
            yield _row("curve, each", one, "curve, each, mean", kind=IN_FOLDS)
            yield _row("curve, whole", one, "curve, whole", kind=IN_FOLDS)
    for one in of_choices["rows"]:
        of = one["criterion"]
        for name, quantity in (CRITERIA | (REGRETS if of != "cross-fitted" else {})).items():
            same = (of, quantity) == ("cross-fitted", "verdicts")
            kind = IN_FOLDS if of == "cross-fitted" else ""
            yield _row(quantity if same else f"{of}, {quantity}", one, name, kind=kind)
    for one in of_coverage["instance_costs"]:
        size = round(one["effective size"])  # of equal cost: what is weighted by cost says as much
        for name, quantity in BY_COST.items():
            yield _row(quantity, one | {"positives": size, "negatives": size}, name)
    for one in of_claims["rows"]:
        folds = 1 if one["kind"] == "decisions" else FOLDS
        name = max("any", "alone", key=one.__getitem__)
        row = _row("claims", one, name, folds)
        twice = 2 * one["alone"]  # the share that was counted
        half = sqrt(twice * (1 - twice) / one["datasets"]) / 2
        yield row | {"error": round(half, 4)} if name == "alone" else row
    designs = {one.name: one for one in (*verdicts.EQUAL, *verdicts.RUNNING)}
    for one in of_verdicts["equal"]:
        yield _row("verdicts", one, "any", designs[one["design"]].folds, IN_FOLDS)
    for one in of_verdicts["dealt"]:
        yield _row("verdicts", one, "any", kind=ONE_TEST_SET)
    for one in of_verdicts["running"]:
        yield _row("running", one, "any")
    for one in of_designs["designs"]:
        own = one | {"least of costs": min(one["cost"])}
        for quantity, name in BY_KIND.items():
            yield _row(quantity, own, name, one["folds"], one["kind"])


def _worst(quantity: str, found: Iterable[Row], name: str, worst: Any) -> Iterator[Row]:
    """Of designs of the same sizes and no folds the worst."""
    sizes: dict[tuple[int, int], list[Row]] = {}
    for one in found:
        own = {"datasets": 0, **one}  # 0: exact
        sizes.setdefault((one["positives"], one["negatives"]), []).append(own)
    for rows in sizes.values():
        yield _row(quantity, worst(rows, key=itemgetter(name)), name, folds=1)


def _row(quantity: str, one: Row, name: str, folds: int = FOLDS, kind: str = "") -> Row:
    share, datasets = one[name], one["datasets"]
    error = sqrt(share * (1 - share) / datasets) if datasets else 0.0
    sizes = one["positives"], one["negatives"], folds
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
