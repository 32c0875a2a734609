"""A tiny study with the tables that the report reads; a model is one line, to check by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, Final
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

from costcurves.contracts import CONTRACTS
from costcurves.curves.cost_space import ratio_from_pc
from costcurves.curves.curves import Curve, better_than, largest
from costcurves.curves.pieces import piece_columns
from costcurves.curves.stretches import furthest
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.pairs.not_ruled_out import standings
from costcurves.report.answer import answer_of
from costcurves.report.answer_text import fitting
from costcurves.report.document import Drawing, Figure, Numbering, Report, Section, Table
from costcurves.report.mapped import votes_of
from costcurves.report.material import Material
from costcurves.report.summary import materials_of, summarise
from costcurves.settings import Study
from costcurves.study.reading import parse_study
from costcurves.tables.contract import Contract
from costcurves.tables.keys import ALWAYS, CROSS_FITTED, FIXED, IN_SAMPLE, LEVELS
from tests.oracle.exact import lower_envelope

Rates = tuple[float, float]  # FP and FN of a model
Models = Mapping[str, Rates]
Row = dict[str, Any]

FIGURES = (
    *("cost_lines", "cost_curves", "roc_and_cost", "differences", "hybrids", "calibration"),
    *("loss_curves", "decision_curves", "averages"),
)
CRITERIA = ("cross-fitted", "cost-minimizing", "score-driven", "score-fixed")
# Where a model's ROC hull meets a constraint, and the constraints.
HULL: Row = (
    {"fp": 0.1, "tp": 0.45, "share": 0.5, "positives": 40.0, "negatives": 60.0, "folds": 10}
    | {"first": "always negative", "first_fp": 0.0, "first_tp": 0.0}
    | {"second": "threshold 0.5", "second_fp": 0.2, "second_tp": 0.9}
    | {"held_out_fp": 0.12, "held_out_tp": 0.44}
)
CONSTRAINTS: dict[str, Row] = {
    "neyman-pearson": {"limit": 0.1, "held_out": 0.12, "dual_pc": 0.0, "dual_nec": 0.1}
    | {"exceeded": 4},
    "workforce": {"limit": 30.0, "held_out": 24.8, "dual_pc": -2.0, "dual_nec": 0.5},
}
DEPLOYED: tuple[Row, ...] = (
    {"holder": "always negative", "threshold": np.inf, "pc_from": 0.0, "pc_to": 0.2},
    {"holder": "threshold 0.5", "threshold": 0.5, "pc_from": 0.2, "pc_to": 0.8, "piece": 1},
    {"holder": "always positive", "threshold": -np.inf, "pc_from": 0.8, "pc_to": 1.0, "piece": 2},
)
EDGES = {"lower": 0.8, "upper": 1.2}  # of a band, times the headline
PROMISED = {"fold": 0.8, "repeat": 0.9, "pooled": 0.95}  # of the headline's area

NOTHING = {"str": "", "bool": False, "int64": 0, "float64": np.nan}
CHANCE = {"method": "resampled instances", "confidence": 0.9, "familywise": 0.9}
SIZES = {"instances": 100, "effective": 100.0, "repeats": 2, "folds": 5}
USUAL = {"dataset": "toy", "family": "all pairs", "estimate": CROSS_FITTED, **CHANCE, **SIZES}


# B is cheaper below PC(+) = 1/3, A above; C never beats a trivial classifier.
THREE: Models = {"A": (0.2, 0.1), "B": (0.1, 0.3), "C": (0.5, 0.5)}


def row(contract: Contract, *values: Mapping[str, object], **more: object) -> Row:
    """A row of a table: these values, or else what is usual here, or nothing."""
    known: Row = reduce(or_, (*values, more), USUAL)
    return {
        column.name: known.get(column.name, NOTHING[column.dtype]) for column in contract.columns
    }


def frame(contract: Contract, rows: Iterable[Mapping[str, object]]) -> pd.DataFrame:
    """A table of such rows."""
    return pd.DataFrame([row(contract, each) for each in rows], columns=contract.names)


def curve(rates: Rates) -> Curve:
    """The lower envelope of one cost line and the trivial ones."""
    return lower_envelope([(Fraction(rates[0]), Fraction(rates[1]))]).rounded()


def study(**changes: Any) -> Study:
    """A study of one dataset with all that can be shown, or as changed."""
    content: dict[str, Any] = {
        "study": "tiny",
        "title": "Tiny",
        "datasets": [dataset("toy", "Toy")],
    }
    content |= {"appendix": True, **changes}
    return parse_study(content, files=False)


def dataset(name: str, title: str) -> dict[str, Any]:
    """A dataset's configuration."""
    return {"name": name, "title": title, "predictions": [f"data/{name}.csv"]}


def tables(
    models: Models = THREE, *, prior: float = 0.4, conditions: Sequence[float] = (0.5,)
) -> dict[str, pd.DataFrame]:
    """The tables of one dataset that the report reads."""
    curves = {model: curve(rates) for model, rates in models.items()}
    bands = [
        ({"model": m, "edge": e}, c * by) for m, c in curves.items() for e, by in EDGES.items()
    ]
    rows: dict[str, Iterable[Row]] = {
        "measures": (
            *(_measure(m, c, level, prior) for m, c in curves.items() for level in LEVELS),
            *(_measure(m, c, "", prior) for m, c in curves.items()),
        ),
        "crossovers": _crossovers(curves, prior),
        "not_ruled_out": running(curves, prior),
        "duality": (_touch(m, models[m], pc, prior) for pc in conditions for m in models),
        "intervals": _intervals(curves, conditions),
        "verdicts": (
            verdict(a, b, low, high, {-1: "A cheaper", 0: "undecided", 1: "B cheaper"}[sign])
            for a, b in combinations(curves, 2)
            for low, high, sign in better_than(curves[a], curves[b])
        ),
        "criteria": (_criterion(m, c, name) for m, c in curves.items() for name in CRITERIA),
        "choice_intervals": _choices(curves),
        "deployment": ({"model": m} | piece for m in models for piece in DEPLOYED),
        "calibration": _calibration(models),
        "constructions": (
            {"model": m, "criterion": name} | HULL | values
            for name, values in CONSTRAINTS.items()
            for m in models
        ),
        "operating_points": _points(models),
        "hybrids": (
            {"model": m, "criterion": rule} for m in models for rule in (*CRITERIA, *CONSTRAINTS)
        ),
        "headline": pieces(({"model": m}, c) for m, c in curves.items()),
        "envelopes": _envelopes(curves),
        "bands": pieces(bands, extent="pointwise"),
        **dict.fromkeys(("instance_costs", "plausibility", "pair_intervals"), ()),
    }
    return {stage: frame(CONTRACTS[stage], made) for stage, made in rows.items()}


def pieces(curves: Iterable[tuple[Row, Curve]], **shared: object) -> Iterator[Row]:
    """The rows of curves, one a piece, with what names each curve."""
    for names, line in curves:
        _, columns = piece_columns([line])
        for values in pd.DataFrame(columns).to_dict("records"):
            yield names | shared | {str(name): value for name, value in values.items()}


def verdict(a: str, b: str, low: float, high: float, finding: str, **changes: object) -> Row:
    """One interval of a pair."""
    difference = -0.05 if finding == "A cheaper" else 0.05
    chance = (0.5, 0.75) if finding == "undecided" else (0.004, 0.012)
    return row(
        CONTRACTS["verdicts"],
        {"model_a": a, "model_b": b, "finding": finding, "largest_difference": difference},
        stretch(low, high, 0.4) | {"at_pc": (low + high) / 2},
        {"low": difference - 0.04, "high": difference + 0.04, "confidence": 0.95},
        {"equivalence": 0.01 if finding == "equivalent" else np.nan, "projected": 951.0},
        dict(zip(("p_value", "adjusted"), chance, strict=True)),
        changes,
    )


def _useful(line: Curve) -> Sequence[float]:
    """Return where a model is better than the trivial ones."""
    return (line.pc[1], line.pc[-2]) if len(line) == 3 else (np.nan, np.nan)


def _intervals(curves: Mapping[str, Curve], conditions: Sequence[float]) -> Iterator[Row]:
    for model, line in curves.items():
        start, end = _useful(line)
        values = {"area": line.area(), "tec": line.area(), "range start": start, "range end": end}
        for quantity, value in values.items():
            around = _around(value, 0.05 if quantity.startswith("range") else 0.02)
            yield {"model": model, "quantity": quantity} | around
        for pc in conditions:
            names = {"quantity": "cost", "condition": f"PC(+) = {pc:g}", "pc": pc}
            yield {"model": model} | names | _around(line(pc), 0.03)


def _around(value: float, width: float) -> Row:
    return {"value": value, "low": value - width, "high": value + width}


def _criterion(model: str, line: Curve, criterion: str) -> Row:
    """Cross-fitted choice is best, "score-fixed" costs 0.1 more, "score-driven" does not apply."""
    applies, more = criterion != "score-driven", 0.1 * (criterion == "score-fixed")
    kind = {"cross-fitted": CROSS_FITTED, "cost-minimizing": IN_SAMPLE}.get(criterion, FIXED)
    names = {"model": model, "criterion": criterion, "applies": applies, "estimate": kind}
    if not applies:
        return names | {"reason": "its scores are no probabilities: calibrate them"}
    regret = {"regret": more, "regret_tec": more, "largest_regret": 2 * more}
    worse = (0.0, 0.3) if more else (np.nan, np.nan)
    ends = {f"worse_than_trivial_{end}": pc for end, pc in zip(("from", "to"), worse, strict=True)}
    share = {"largest_regret_pc": 0.9, "worse_than_trivial_share": 3 * more}
    area = dict.fromkeys(("area", "tec"), line.area() + more)
    return names | regret | ends | share | area | {"best": criterion == "cross-fitted"}


def _choices(curves: Mapping[str, Curve]) -> Iterator[Row]:
    """What each criterion costs, and what it costs more than an earlier one and another model."""
    area = {
        (model, criterion): line.area() + 0.1 * (criterion == "score-fixed")
        for model, line in curves.items()
        for criterion in ("cross-fitted", "cost-minimizing", "score-fixed")
    }
    rows = [chance(way, ("", ""), value) for way, value in area.items()]
    for b, a in combinations(area, 2):
        if a[0] == b[0]:
            rows.append(chance(a, b, area[a] - area[b]))
        elif a[1] == b[1]:
            rows.append(chance(b, a, area[b] - area[a]))
    return ({**each, "quantity": quantity} for each in rows for quantity in ("area", "tec"))


def chance(a: tuple[str, str], b: tuple[str, str], value: float) -> Row:
    """An interval of what A costs, or of what it costs more than B."""
    names = ("model_a", "criterion_a", "model_b", "criterion_b")
    return dict(zip(names, (*a, *b), strict=True)) | _around(value, 0.02)


def _calibration(models: Models) -> Iterator[Row]:
    parts = {"brier": 0.21, "miscalibration": 0.06, "discrimination": 0.09, "uncertainty": 0.24}
    for a, b in [*((model, "") for model in models), *combinations(models, 2)]:
        for part, value in parts.items():
            rest = {"by_chance": 0.007, "low": value - 0.02, "high": value + 0.013}
            tested = {"p_value": 0.031} if part == "miscalibration" and not b else {}
            yield {"model": a, "minus": b, "part": part, "value": value} | rest | tested


def _measure(model: str, line: Curve, level: str, prior: float) -> Row:
    """Measure an in-sample average at a level, or the headline: no level."""
    peak, area = largest(line), PROMISED.get(level, 1.0) * line.area()
    return (
        {"model": model, "level": level or "fold", "headline": not level, "prior": prior}
        | {"area": area, "tec": area, "largest_nec": peak.nec, "largest_pc": peak.pc}
        | dict(zip(("range_from", "range_to"), _useful(line), strict=True))
        | {"auc": 0.75, "auc_se": 0.03, "auc_low": 0.684, "auc_high": 0.806, "auch": 0.8}
        | {"positives": 40, "negatives": 60, "points": 30}
        | {"curves": {"repeat": 2, "pooled": 1}.get(level, 10)}
        | {"estimate": IN_SAMPLE if level else CROSS_FITTED}
    )


def _envelopes(curves: Mapping[str, Curve]) -> Iterator[Row]:
    """The one decision between the trivial ones; a useless model has only those."""
    decisions = {(0.0, 1.0): (-1, "always negative"), (1.0, 0.0): (-2, "always positive")}
    for piece in pieces(({"model": m}, c) for m, c in curves.items()):
        point, holder = decisions.get((piece["at0"], piece["at1"]), (1, "threshold 0.5"))
        yield piece | {"level": "pooled", "point": point, "holder": holder}


def _points(models: Models) -> Iterator[Row]:
    """Predicting nothing, and what a threshold of 0.5 predicts of 80 negatives and 60 positives."""
    for model, rates in models.items():
        for point, threshold, (fp, fn) in ((0, np.inf, (0.0, 1.0)), (1, 0.5, rates)):
            fps, tps = round(80 * fp), round(60 * (1 - fn))
            yield (
                {"model": model, "level": "pooled", "point": point, "threshold": threshold}
                | {"negatives": 80, "fp": fp, "fp_count": fps, "fp_weight": float(fps)}
                | {"positives": 60, "fn": fn, "tp_count": tps, "tp_weight": float(tps)}
                | {"negatives_weight": 80.0, "positives_weight": 60.0}
            )


def stretch(low: float, high: float, prior: float) -> Row:
    """The ends of a range of PC(+), as cost ratios too."""
    ratios = {"ratio_from": ratio_from_pc(low, prior), "ratio_to": ratio_from_pc(high, prior)}
    return {"pc_from": low, "pc_to": high, **ratios}


def _crossovers(curves: Mapping[str, Curve], prior: float) -> Iterator[Row]:
    for a, b in combinations(curves, 2):
        parts = better_than(curves[a], curves[b])
        extremes = furthest(curves[a] - curves[b], [0.0, *(part.high for part in parts)])
        for (low, high, sign), pc, nec in zip(parts, *extremes, strict=True):
            crossed = {} if high == 1 else {"to_low": high - 0.01, "to_high": high + 0.02}
            by = {"largest_difference": nec if sign else 0.0, "at_pc": pc}
            names = {"model_a": a, "model_b": b, "cheaper": {-1: a, 0: "equal", 1: b}[sign]}
            yield names | stretch(low, high, prior) | by | crossed


def running(curves: Mapping[str, Curve], prior: float) -> Iterator[Row]:
    """Models that nothing puts out, but where they cost a tenth more than the cheapest one."""
    least = min(curves.values(), key=Curve.area)
    decisions = standings(list(curves.values()), {}, [], {}, 0.9)
    for decision, stretches in zip([*curves, *ALWAYS], decisions, strict=True):
        far = decision in curves and curves[decision].area() > least.area() + 0.1
        for low, high, standing in stretches:
            out = far and standing == "not ruled out"
            names = {"decision": decision, "standing": "ruled out" if out else standing}
            yield names | stretch(low, high, prior)


def _touch(model: str, rates: Rates, pc: float, prior: float) -> Row:
    fp, fn = rates
    nec = fn * pc + fp * (1 - pc)
    return (
        {"condition": f"PC(+) = {pc:g}", "pc": pc, "cost_ratio": ratio_from_pc(pc, prior)}
        | {"model": model, "point": 1, "holder": "threshold 0.5", "threshold": 0.5}
        | {"fp": fp, "tp": 1 - fn, "nec": nec, "slope": 1 / pc - 1, "intercept": 1 - nec / pc}
    )


def drawings() -> dict[str, Drawing]:
    """A drawing for each figure."""
    return dict.fromkeys(FIGURES, drawing("PC(+)"))


def drawing(words: str) -> Drawing:
    """A drawing with some words in it."""
    text = f'<text style="font-size: 7.5px" x="126" y="90">{escape(words)}</text>'
    size = 'width="252pt" height="100pt" viewBox="0 0 252 100" data-axes="20 240 20 80 0 1"'
    line = '<path d="M 20 80 240 20" style="stroke: #0069a8"/>'
    panel = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{line}{text}</svg>'
    return Drawing("A finding", "A caption.", "What it shows", (panel,))


FILES: Final = (
    *("figures/map.csv", "figures/toy/cost_curves-a.svg", "figures/toy/cost_curves.csv"),
    *("tables/headline/toy.parquet", "tables/intervals/old.csv", "tables/intervals/toy.csv"),
    *("tables/map.csv", "what_to_use.json"),
)


def provenance() -> dict[str, Any]:
    """What the manifest knows."""
    return {
        "sources": [{"path": "data/toy.csv", "sha256": "ab" * 32, "rows": 600}],
        "versions": {"python": "3.11.7", "numpy": "2.4.0"},
        "libraries": {"Pango": "1.50.12", "Fontconfig": "not there"},
        "configuration": {"study": "tiny", "models": ["A", "B"]},
        "seed": 20061,
        "code": "cd" * 32,
        "fingerprint": "ef" * 32,
        "files": dict.fromkeys(FILES, "01" * 32),
    }


def report(models: Models = THREE, **changes: Any) -> Report:
    """The report of one dataset of these models."""
    made = study(**changes)
    data = {each.slug: tables(models) for each in made.datasets}
    return assembled(data, made)


def assembled(
    data: Mapping[str, Mapping[str, pd.DataFrame]],
    made: Study | None = None,
    drawn: Mapping[str, Mapping[str, Drawing]] | None = None,
) -> Report:
    """The report of these tables, with a drawing for each figure, or with what is drawn."""
    whole = {"map": MAP.empty(), "claims": CLAIMS.empty(), **data.get("", {})}
    data = {**data, "": whole}
    shown = {slug: drawings() for slug in data} | {**(drawn or {})}
    kept = made or study()
    materials = materials_of(kept, data, shown)
    answer = fitting(answer_of(materials, votes_of(whole["map"])))
    return summarise(kept, materials, data, shown, provenance(), answer)


def toy(models: Models = THREE, **changed: pd.DataFrame) -> Material:
    """One dataset of these models as its sections see it, with some tables changed."""
    (only,) = study().datasets
    data = tables(models) | changed
    return Material(study(), only, data, drawings(), tuple(models), Numbering())


def in_sample() -> dict[str, pd.DataFrame]:
    """Tables of a dataset whose thresholds can't be cross-fitted."""
    data = tables()
    measures = data["measures"]
    kept = measures["estimate"] == IN_SAMPLE
    data["measures"] = measures[kept].assign(headline=measures["level"] == "repeat")
    data["intervals"]["estimate"] = IN_SAMPLE
    data["criteria"] = data["criteria"][data["criteria"]["criterion"] != "cross-fitted"]
    data["choice_intervals"] = data["choice_intervals"].iloc[:0]
    return data


def shown_in(value: Any) -> list[Any]:
    """List every figure and table in the values of a section."""
    if isinstance(value, Figure | Table):
        return [value]
    if is_dataclass(value):
        parts = [getattr(value, field.name) for field in fields(value)]
    else:
        parts = list(value) if isinstance(value, tuple) else []
    return [shown for part in parts for shown in shown_in(part)]


def parts_of(made: Report, slug: str = "toy") -> dict[str, Section]:
    """The sections of a dataset by their parts, as they are read; the appendix comes last."""
    anchors = f"data/{slug}", f"appendix/{slug}"
    homes = (section for section in _all(made.sections) if section.anchor in anchors)
    return {inner.part: inner for home in homes for inner in home.sections}


def _all(sections: Iterable[Section]) -> Iterator[Section]:
    for section in sections:
        yield from (section, *_all(section.sections))
