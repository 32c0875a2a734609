"""The asymmetric study from its raw rows, by `slow_study`; and how its tables are held to that."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pandas as pd

from costcurves.contracts import CONTRACTS
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.tables.files import read, write_csv
from tests.asymmetric_study import BY_COST, DATASETS, NAME, STUDY
from tests.oracle import slow_study as slow
from tests.oracle.slow_study import Candidate, Curve, Line, Rows
from tests.small_study import result

VIEWS = [*DATASETS, BY_COST]
WHOLE = {"map": MAP, "claims": CLAIMS}
CROSS_FITTED, IN_SAMPLE, FIXED = "cross-fitted", "in-sample selection", "fixed in advance"
CONDITIONS = {"late in the year": Fraction(7, 10), "early": Fraction(1, 5)}
CRITERIA = [
    *("cross-fitted", "cost-minimizing", "nearest-train-pc", "score-driven", "score-fixed"),
    *("rate-driven", "rate-fixed", "neyman-pearson", "workforce"),
]
LIMITS = {"neyman-pearson": Fraction(15, 100), "workforce": Fraction(1, 4)}
RATE, THRESHOLD, LEVEL = Fraction(3, 10), 0.35, 0.8
OF_RANGES = 0.9  # half of the error is for the conditions that the study names
CLOSE = 1e-9
FEWEST = 5  # of a class, to choose a threshold on


Published = Callable[..., pd.DataFrame]


def tables_of(study: Path) -> Published:
    """Give the table of a stage and view, or of the whole study, as it is published."""
    results = study / "results" / NAME

    @cache
    def table(stage: str, view: str = "") -> pd.DataFrame:
        if not view:
            return published(read(result(results, stage), WHOLE[stage]))
        return published(read(result(results, stage, view), CONTRACTS[stage]))

    return table


def published(table: pd.DataFrame) -> pd.DataFrame:
    """Write a table as CSV and read it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        write_csv(table, path)
        return pd.read_csv(path, dtype={"fold": str, "repeat": str})


Made = TypeVar("Made")


class View:
    """A view of a dataset: its raw rows by model, and what follows from them."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        if name in ("loans", BY_COST):
            self.models = slow.read(
                folder / "loans.csv",
                "1",
                only=STUDY["datasets"][0]["models"],
                costs=_cost if name == BY_COST else None,
            )
            self.prior = Fraction(1, 5)
        elif name == "calls":
            self.models, self.prior = slow.read(folder / "calls.csv", "left"), Fraction(6, 100)
        else:
            label = name.removeprefix("species--")
            self.models = slow.read(folder / "species.csv", label, score=f"score_{label}")
            labels = next(iter(self.models.values())).instances.values()
            self.prior = Fraction(sum(labels), len(labels))
        self.dataset = name if name == BY_COST else name.replace("--", ": ")
        self.weighed = name == BY_COST
        self._kept: dict[Any, Any] = {}

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """Make something at the first time it is needed."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made

    def curves(self, model: str, level: str) -> list[Rows]:
        rows = self.models[model]
        return self.once(
            (model, level),
            lambda: {"fold": rows.folds, "repeat": rows.repeats, "pooled": [rows]}[level],
        )

    def average(self, model: str, level: str) -> Curve:
        """The in-sample average of lower envelopes."""
        return self.once(
            ("average", model, level),
            lambda: slow.average([rows.envelope for rows in self.curves(model, level)]),
        )

    @property
    def can_choose(self) -> bool:
        """Whether enough of each class is left without any fold; folds are those of all models."""
        left = []
        for repeat in next(iter(self.models.values())).repeats:
            for fold in repeat.folds:
                left += [
                    whole - part for whole, part in zip(repeat.counts, fold.counts, strict=True)
                ]
        return min(left) >= FEWEST

    def applies(self, model: str, criterion: str) -> bool:
        rows = self.models[model]
        ranks = rows.keys == [("", False)]
        probabilities = ranks and all(0 <= row.value <= 1 for row in rows.rows)
        rules = {
            "cross-fitted": self.can_choose,
            "cost-minimizing": True,
            "nearest-train-pc": any(row.member for row in rows.rows),
            "score-fixed": ranks,
            "score-driven": probabilities,
            **dict.fromkeys(("rate-driven", "rate-fixed"), ranks and not self.weighed),
        }
        return rules.get(criterion, not self.weighed)

    def estimate(self, criterion: str) -> str:
        if criterion in LIMITS:
            return CROSS_FITTED if self.can_choose else IN_SAMPLE
        kinds = {"cross-fitted": CROSS_FITTED, "cost-minimizing": IN_SAMPLE}
        return kinds.get(criterion, FIXED)

    def hybrid(self, model: str, criterion: str) -> Curve:
        return self.once((model, criterion), lambda: self._hybrid(model, criterion))

    def _hybrid(self, model: str, criterion: str) -> Curve:
        rows = self.models[model]
        if criterion in LIMITS:
            if not self.can_choose:
                mixes = [self.mix(criterion, fold) for fold in self.curves(model, "fold")]
                points = [mix.point for mix in mixes]
                return slow.whole(slow.mean_line(Line(fp, 1 - tp) for fp, tp in points))
            return slow.whole(slow.mean_rates(self.held_out(model, criterion)))
        if criterion == "cross-fitted":
            return slow.cross_fitted(rows)
        if criterion == "cost-minimizing":
            return self.average(model, "fold")
        on_fold: dict[str, Callable[[Rows], Curve]] = {
            "nearest-train-pc": slow.nearest_train_pc,
            "score-driven": slow.score_driven,
            "score-fixed": lambda fold: slow.score_fixed(fold, THRESHOLD),
            "rate-driven": slow.rate_driven,
            "rate-fixed": lambda fold: slow.whole(slow.rate_fixed(fold, RATE)),
        }
        return slow.over_folds(rows, on_fold[criterion])

    def mix(self, criterion: str, rows: Rows) -> slow.Mix:
        """The point of the ROC hull of some rows at a limit."""
        points = [rows.point(candidate) for candidate in rows.operating_points]
        positives = slow.share_of_positives(rows)
        used = {
            "neyman-pearson": lambda point: point[0],
            "workforce": lambda point: (1 - positives) * point[0] + positives * point[1],
        }
        return slow.on_hull(points, used[criterion], LIMITS[criterion])

    def held_out(self, model: str, criterion: str) -> list[tuple[Rows, Fraction, Fraction]]:
        return self.once(
            ("held out", model, criterion),
            lambda: slow.limited(self.models[model], lambda rows: self.mix(criterion, rows)),
        )

    def is_crisp(self, model: str) -> bool:
        return self.models[model].keys == [("", True)]

    def headline_estimate(self, model: str) -> str:
        if self.is_crisp(model):
            return FIXED
        return CROSS_FITTED if self.can_choose else IN_SAMPLE

    def headline(self, model: str) -> Curve:
        if self.is_crisp(model):
            rows, decision = self.models[model], Candidate(("", True), 1.0)
            return self.once(
                ("fixed", model),
                lambda: slow.over_folds(rows, lambda fold: slow.whole(fold.line(decision))),
            )
        return self.hybrid(model, "cross-fitted" if self.can_choose else "cost-minimizing")


def _cost(positive: bool, amount: Fraction) -> Fraction:
    """The benefit of the right decision less that of the mistake, as `STUDY` gives them."""
    if positive:
        return Fraction("-1.5") - (Fraction("-4") + Fraction("-1.3") * amount)
    mistake = Fraction("-1.7") + Fraction("-0.5") * amount
    return Fraction("0.1") + Fraction("0.02") * amount - mistake


def expected_cost(curve: Curve) -> Fraction:
    return slow.expected(curve, 2, 4, Fraction(5, 100), Fraction(9, 10))


def is_close(number: float, expected: Fraction | float | None) -> bool:
    if expected is None:
        return math.isnan(number)
    return math.isclose(number, float(expected), rel_tol=CLOSE, abs_tol=CLOSE)


def assert_close(number: float, expected: Fraction | float | None, what: Any = "") -> None:
    assert is_close(number, expected), (what, number, expected and float(expected))


def assert_row(row: dict[Any, Any], **expected: Fraction | float | None) -> None:
    """Compare numbers of a row of a table, by their columns."""
    for name, number in expected.items():
        assert_close(row[name], number, name)


def pieces_of(rows: pd.DataFrame) -> list[tuple[float, ...]]:
    """The ends and lines of the pieces of a table's curve."""
    names = ["pc_from", "pc_to", "at0", "at1"]
    return [tuple(map(float, row)) for row in rows[names].itertuples(index=False, name=None)]


def assert_curve(rows: pd.DataFrame, curve: Curve, what: Any = "") -> None:
    """Compare a table's curve with another one at two points between any two ends of both."""
    pieces = pieces_of(rows)
    expected = [tuple(map(float, (low, high, *line))) for low, high, line in curve]
    assert [piece[0] for piece in pieces] == [0, *(piece[1] for piece in pieces[:-1])], what
    assert pieces[-1][1] == 1, what
    assert rows["piece"].tolist() == list(range(len(rows))), what
    for name, pc_name in (("nec_from", "pc_from"), ("nec_to", "pc_to")):
        heights = rows["at0"] * (1 - rows[pc_name]) + rows["at1"] * rows[pc_name]
        assert (rows[name] - heights).abs().max() < CLOSE, what
    ends = sorted({end for piece in (*pieces, *expected) for end in piece[:2]})
    for low, high in pairwise(ends):
        if high - low > CLOSE:
            for pc in ((2 * low + high) / 3, (low + 2 * high) / 3):
                assert_close(height(pieces, pc), height(expected, pc), (what, pc))


def height(pieces: Sequence[tuple[float, ...]], pc: float) -> float:
    """The height of a curve of `pieces_of`, at the right of a jump."""
    at0, at1 = next((piece[2:] for piece in pieces if pc < piece[1]), pieces[-1][2:])
    return at0 * (1 - pc) + at1 * pc


def assert_ratios(row: dict[Any, Any], prior: Fraction) -> None:
    """Both ends of an interval of PC(+) as cost ratios at a prior."""
    for end in ("from", "to"):
        ratio = slow.ratio(Fraction(row[f"pc_{end}"]), prior)
        assert_close(row[f"ratio_{end}"], math.inf if ratio is None else ratio)


def assert_largest(row: dict[Any, Any], difference: Curve) -> None:
    """The largest difference of an interval is that at its PC(+), on one side of it."""
    low, high = Fraction(row["pc_from"]), Fraction(row["pc_to"])
    inside = []
    for left, right, line in difference:
        ends = max(left, low), min(right, high)
        inside += [(pc, line(pc)) for pc in ends if ends[1] - ends[0] > CLOSE]
    assert_close(abs(row["largest_difference"]), max(abs(height) for _, height in inside))
    assert any(
        is_close(row["at_pc"], pc) and is_close(row["largest_difference"], height)
        for pc, height in inside
    )


def each(rows: pd.DataFrame, *names: str) -> Iterator[tuple[Any, pd.DataFrame]]:
    """The rows with each value of some columns, in order of appearance."""
    yield from rows.groupby(list(names) if len(names) > 1 else names[0], sort=False, dropna=False)


def text(value: object) -> str:
    return "" if value is None or value != value else str(value)
