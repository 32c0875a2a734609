"""A tiny study with the tables that the report reads; a model is one line, to check by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, Final
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

from costcurves.contracts import CONTRACTS
from costcurves.curves.curves import Curve, better_than, largest
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

FIGURES = (
    *("cost_lines", "cost_curves", "roc_and_cost", "differences", "hybrids", "calibration"),
    *("loss_curves", "decision_curves", "averages"),
)
CRITERIA = ("cross-fitted", "cost-minimizing", "score-driven", "score-fixed")
CONSTRAINTS = ("neyman-pearson", "workforce")
EDGES = {"lower": 0.8, "upper": 1.2}  # of a band, times the headline
PROMISED = {"fold": 0.8, "repeat": 0.9, "pooled": 0.95}  # of the headline's area

NOTHING = {"str": "", "bool": False, "int64": 0, "float64": np.nan}
CHANCE = {"method": "resampled instances", "confidence": 0.9, "familywise": 0.9}
SIZES = {"instances": 100, "effective": 100.0, "repeats": 2, "folds": 5}
USUAL = {"dataset": "toy", "family": "all pairs", "estimate": CROSS_FITTED, **CHANCE, **SIZES}

Rates = tuple[float, float]  # FP and FN of a model
Models = Mapping[str, Rates]
Row = dict[str, Any]
Tables = Mapping[str, pd.DataFrame]

# B is cheaper below PC(+) = 1/3, A above; C never beats a trivial classifier.
THREE: Models = {"A": (0.2, 0.1), "B": (0.1, 0.3), "C": (0.5, 0.5)}


def row(contract: Contract, *values: Mapping[str, object], **more: object) -> Row:
    """A row of a table: these values, or else what is usual here, or nothing."""
    known: Row = reduce(or_, (*values, more), USUAL)
    return {
        column.name: known.get(column.name, NOTHING[column.dtype]) for column in contract.columns
    }


def curve(fp: float, fn: float) -> Curve:
    """The lower envelope of one cost line and the trivial ones."""
    tp = 1 - fn
    if tp <= fp:
        return Curve([0, 0.5, 1], [0, 1], [1, 0])
    low, high = fp / (fp + tp), (1 - fp) / (1 - fp + fn)
    breaks, at0, at1 = [0.0], [], []
    for end, line in ((low, (0.0, 1.0)), (high, (fp, fn)), (1.0, (1.0, 0.0))):
        if end > breaks[-1]:
            breaks.append(end)
            at0.append(line[0])
            at1.append(line[1])
    return Curve(breaks, at0, at1)


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
    curves = {model: curve(*rates) for model, rates in models.items()}
    in_sample = [_measure(m, curves[m], at, prior) for m in models for at in LEVELS]
    headline = [_measure(m, curves[m], "", prior) for m in models]
    touching = [_touch(m, models[m], pc, prior) for pc in conditions for m in models]
    intervals = [row for m in models for row in _intervals(m, curves[m], conditions)]
    rows = {
        "measures": [*in_sample, *headline],
        "crossovers": _crossovers(curves, prior),
        "not_ruled_out": list(running(curves, prior)),
        "duality": touching,
        "intervals": intervals,
        "verdicts": [
            verdict(a, b, low, high, {-1: "A cheaper", 0: "undecided", 1: "B cheaper"}[sign])
            for a, b in combinations(curves, 2)
            for low, high, sign in better_than(curves[a], curves[b])
        ],
        "criteria": [_criterion(m, curves[m], name) for m in models for name in CRITERIA],
        "choice_intervals": _choices(curves),
        "deployment": [_deployment(m, piece) for m in models for piece in range(3)],
        "calibration": [*_calibration(models)],
        "constructions": [_construction(m, name) for name in CONSTRAINTS for m in models],
        "operating_points": [row for m in models for row in _points(m, models[m])],
        "hybrids": [
            row(CONTRACTS["hybrids"], model=m, criterion=rule)
            for m in models
            for rule in (*CRITERIA, *CONSTRAINTS)
        ],
        "instance_costs": [],
        "plausibility": [],
        "pair_intervals": [],
    }
    of_pieces = {
        "headline": [piece for m in models for piece in _pieces("headline", curves[m], model=m)],
        "envelopes": [piece for m in models for piece in _envelope(m, curves[m])],
        "bands": [piece for m in models for edge in EDGES for piece in _band(m, curves[m], edge)],
    }
    return {
        stage: pd.DataFrame(made, columns=CONTRACTS[stage].names)
        for stage, made in (of_pieces | rows).items()
    }


def verdict(a: str, b: str, low: float, high: float, finding: str, **changes: object) -> Row:
    """One interval of a pair."""
    difference = -0.05 if finding == "A cheaper" else 0.05
    values: Row = {
        "at_pc": (low + high) / 2,
        "low": difference - 0.04,
        "high": difference + 0.04,
        "p_value": 0.5 if finding == "undecided" else 0.004,
        "adjusted": 0.75 if finding == "undecided" else 0.012,
        "confidence": 0.95,
        "equivalence": 0.01 if finding == "equivalent" else np.nan,
        "projected": 951.0,
    }
    pair = {"model_a": a, "model_b": b, "finding": finding, "largest_difference": difference}
    return row(CONTRACTS["verdicts"], _stretch(low, high, 0.4), pair, values, changes)


def _construction(model: str, criterion: str) -> Row:
    """Where a model's ROC hull meets a constraint."""
    workforce = criterion == "workforce"
    return row(
        CONTRACTS["constructions"],
        {"model": model, "criterion": criterion, "limit": 30.0 if workforce else 0.1},
        {"fp": 0.1, "tp": 0.45, "share": 0.5, "positives": 40.0, "negatives": 60.0},
        {"first": "always negative", "first_fp": 0.0, "first_tp": 0.0},
        {"second": "threshold 0.5", "second_fp": 0.2, "second_tp": 0.9},
        {"held_out_fp": 0.12, "held_out_tp": 0.44, "held_out": 24.8 if workforce else 0.12},
        dual_pc=-2.0 if workforce else 0.0,
        dual_nec=0.5 if workforce else 0.1,
        folds=10,
        exceeded=0 if workforce else 4,
    )


def _intervals(model: str, line: Curve, conditions: Sequence[float]) -> list[Row]:
    start, end = line.pc[[1, -2]] if len(line) == 3 else [np.nan, np.nan]
    values = [
        ("area", "", np.nan, line.area(), 0.02),
        ("tec", "", np.nan, line.area(), 0.02),
        ("range start", "", np.nan, start, 0.05),
        ("range end", "", np.nan, end, 0.05),
        *(("cost", f"PC(+) = {pc:g}", pc, line(pc), 0.03) for pc in conditions),
    ]
    return [
        row(
            CONTRACTS["intervals"],
            {"model": model, "quantity": quantity, "condition": condition, "pc": pc},
            _around(value, width),
        )
        for quantity, condition, pc, value, width in values
    ]


def _around(value: float, width: float) -> Row:
    return {"value": value, "low": value - width, "high": value + width}


def _criterion(model: str, line: Curve, criterion: str) -> Row:
    """Cross-fitted choice is best, "score-fixed" costs 0.1 more, "score-driven" does not apply."""
    applies, more = criterion != "score-driven", 0.1 * (criterion == "score-fixed")
    worse = ("from", 0.0 if more else np.nan), ("to", 0.3 if more else np.nan), ("share", 3 * more)
    numbers = {
        **dict.fromkeys(("area", "tec"), line.area() + more),
        **dict.fromkeys(("regret", "regret_tec"), more),
        "largest_regret": 2 * more,
        "largest_regret_pc": 0.9,
        **{f"worse_than_trivial_{name}": value for name, value in worse},
    }
    kinds = {"cross-fitted": CROSS_FITTED, "cost-minimizing": IN_SAMPLE}
    return row(
        CONTRACTS["criteria"],
        {"model": model, "criterion": criterion, "applies": applies},
        numbers if applies else {},
        reason="" if applies else "its scores are no probabilities: calibrate them",
        estimate=kinds.get(criterion, FIXED),
        best=criterion == "cross-fitted",
    )


Way = tuple[str, str]


def _choices(curves: Mapping[str, Curve]) -> list[Row]:
    """What each criterion costs, and what it costs more than an earlier one and another model."""
    area = {
        (model, criterion): line.area() + 0.1 * (criterion == "score-fixed")
        for model, line in curves.items()
        for criterion in ("cross-fitted", "cost-minimizing", "score-fixed")
    }
    rows = [chance(way, None, value) for way, value in area.items()]
    for b, a in combinations(area, 2):
        if a[0] == b[0]:
            rows.append(chance(a, b, area[a] - area[b]))
        elif a[1] == b[1]:
            rows.append(chance(b, a, area[b] - area[a]))
    return [{**each, "quantity": quantity} for each in rows for quantity in ("area", "tec")]


def chance(a: Way, b: Way | None, value: float, width: float = 0.02) -> Row:
    """An interval of what A costs, or of what it costs more than B."""
    names = "model_a", "criterion_a", "model_b", "criterion_b"
    of = dict(zip(names, (*a, *(b or ("", ""))), strict=True))
    return row(CONTRACTS["choice_intervals"], quantity="tec", **of, **_around(value, width))


def _deployment(model: str, piece: int) -> Row:
    return row(
        CONTRACTS["deployment"],
        {"model": model, "piece": piece, "threshold": [np.inf, 0.5, -np.inf][piece]},
        {"pc_from": [0.0, 0.2, 0.8][piece], "pc_to": [0.2, 0.8, 1.0][piece]},
        holder=["always negative", "threshold 0.5", "always positive"][piece],
    )


def _calibration(models: Models) -> Iterator[Row]:
    parts = {"brier": 0.21, "miscalibration": 0.06, "discrimination": 0.09, "uncertainty": 0.24}
    for a, b in [*((model, "") for model in models), *combinations(models, 2)]:
        for part, value in parts.items():
            rest = {"by_chance": 0.007, "low": value - 0.02, "high": value + 0.013}
            tested = {"p_value": 0.031} if part == "miscalibration" and not b else {}
            names = {"model": a, "minus": b, "part": part, "value": value}
            yield row(CONTRACTS["calibration"], names, rest, tested)


def _measure(model: str, line: Curve, level: str, prior: float) -> Row:
    """Measure an in-sample average at a level, or the headline: no level."""
    peak = largest(line)
    useful = line.pc[[1, -2]] if len(line) == 3 else [np.nan, np.nan]
    area = PROMISED.get(level, 1.0) * line.area()
    return row(
        CONTRACTS["measures"],
        {"model": model, "level": level or "fold", "headline": not level, "prior": prior},
        {"area": area, "tec": area, "largest_nec": peak.nec, "largest_pc": peak.pc},
        {"range_from": useful[0], "range_to": useful[1]},
        {"auc": 0.75, "auc_se": 0.03, "auc_low": 0.684, "auc_high": 0.806},
        {"auch": 0.8, "positives": 40, "negatives": 60, "points": 30},
        estimate=IN_SAMPLE if level else CROSS_FITTED,
        curves={"repeat": 2, "pooled": 1}.get(level, 10),
    )


def _envelope(model: str, line: Curve) -> Iterator[Row]:
    """The one decision between the trivial ones; a useless model has only those."""
    trivial = {(0.0, 1.0): -1, (1.0, 0.0): -2}
    words = {-1: "always negative", 1: "threshold 0.5", -2: "always positive"}
    for piece in _pieces("envelopes", line, model=model, level="pooled"):
        point = trivial.get((piece["at0"], piece["at1"]), 1)
        yield piece | {"point": point, "holder": words[point]}


def _band(model: str, line: Curve, edge: str) -> Iterator[Row]:
    """The pointwise band: EDGES times the curve."""
    factor = EDGES[edge]
    scaled = Curve(line.pc, factor * line.at0, factor * line.at1)
    return _pieces("bands", scaled, model=model, extent="pointwise", edge=edge)


def _points(model: str, rates: Rates) -> list[Row]:
    """Predicting nothing, and what a threshold of 0.5 predicts of 80 negatives and 60 positives."""
    fp, fn = rates
    return [
        row(
            CONTRACTS["operating_points"],
            {"model": model, "level": "pooled", "point": point, "threshold": threshold},
            {"negatives": 80, "positives": 60, "fp": at0, "fn": at1},
            {"negatives_weight": 80.0, "positives_weight": 60.0},
            {"fp_count": round(80 * at0), "fp_weight": float(round(80 * at0))},
            {"tp_count": round(60 * (1 - at1)), "tp_weight": float(round(60 * (1 - at1)))},
        )
        for point, threshold, at0, at1 in ((0, np.inf, 0.0, 1.0), (1, 0.5, fp, fn))
    ]


def _pieces(stage: str, line: Curve, **values: object) -> Iterator[Row]:
    """The rows of a curve in a table, one a piece."""
    names = "pc_from", "pc_to", "at0", "at1", "nec_from", "nec_to"
    ends = line.pc[:-1], line.pc[1:], line.at0, line.at1, line.starts, line.ends
    for piece, ends_of_piece in enumerate(np.transpose(ends).tolist()):
        yield row(
            CONTRACTS[stage], piece=piece, **dict(zip(names, ends_of_piece, strict=True)), **values
        )


def _stretch(low: float, high: float, prior: float) -> Row:
    ratios = {"ratio_from": ratio(low, prior), "ratio_to": ratio(high, prior)}
    return {"pc_from": low, "pc_to": high, **ratios}


def _crossovers(curves: Mapping[str, Curve], prior: float) -> list[Row]:
    return [
        row(
            CONTRACTS["crossovers"],
            {"model_a": a, "model_b": b, "cheaper": {-1: a, 0: "equal", 1: b}[sign]},
            _stretch(low, high, prior),
            largest_difference=nec if sign else 0.0,
            at_pc=pc,
            to_low=np.nan if high == 1 else high - 0.01,
            to_high=np.nan if high == 1 else high + 0.02,
        )
        for a, b in combinations(curves, 2)
        for parts in [better_than(curves[a], curves[b])]
        for extremes in [furthest(curves[a] - curves[b], [0.0, *(part.high for part in parts)])]
        for (low, high, sign), pc, nec in zip(parts, *extremes, strict=True)
    ]


def running(curves: Mapping[str, Curve], prior: float) -> Iterator[Row]:
    """Models that nothing puts out, but where they cost a tenth more than the cheapest one."""
    least = min(curves.values(), key=Curve.area)
    decisions = standings(list(curves.values()), {}, [], {}, 0.9)
    for decision, stretches in zip([*curves, *ALWAYS], decisions, strict=True):
        far = decision in curves and curves[decision].area() > least.area() + 0.1
        for low, high, standing in stretches:
            yield row(
                CONTRACTS["not_ruled_out"],
                _stretch(low, high, prior),
                decision=decision,
                standing="ruled out" if far and standing == "not ruled out" else standing,
            )


def ratio(pc: float, prior: float) -> float:
    """PC(+) as a cost ratio."""
    return np.inf if pc == 1 else pc / (1 - pc) * (1 - prior) / prior


def _touch(model: str, rates: Rates, pc: float, prior: float) -> Row:
    fp, fn = rates
    nec = fn * pc + fp * (1 - pc)
    return row(
        CONTRACTS["duality"],
        {"condition": f"PC(+) = {pc:g}", "pc": pc, "cost_ratio": ratio(pc, prior)},
        {"model": model, "point": 1, "holder": "threshold 0.5", "threshold": 0.5},
        {"fp": fp, "tp": 1 - fn, "nec": nec, "slope": 1 / pc - 1, "intercept": 1 - nec / pc},
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
