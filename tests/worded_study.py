"""A report in memory that has all parts, and in which no number, name or place agrees with another.

Its words are held to a list (`tests/golden/page.txt`). Curves are lines to check by hand, as in
`fake_report`; all that is no place on a curve is scattered, so that a number out of another row or
column is another number.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import combinations, pairwise, product
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.contracts import CONTRACTS
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.pairs.verdicts import NARROW
from costcurves.predictions.predicted import PLAUSIBILITY
from costcurves.report.document import Report
from costcurves.settings import Study
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE, PAIR
from tests import fake_report
from tests.fake_report import Models, Row

Tables = dict[str, pd.DataFrame]

CONFIDENCE: Final = 0.8
FOUR: Final[Models] = {
    "Vote": (0.21, 0.06),
    "Bayes": (0.04, 0.37),
    "Ladder": (0.13, 0.17),
    "Rule": (0.44, 0.49),
}
SEVEN: Final[Models] = {f"M{n}": (0.02 + 0.055 * n, 0.45 - 0.06 * n) for n in range(7)}
TWO: Final[Models] = {"Vote": (0.31, 0.22), "Bayes": (0.08, 0.53)}
ONE: Final[Models] = {"Ladder": (0.17, 0.26)}
# A dataset's models, prior and number of instances; of the first costs are given.
DATASETS: Final[dict[str, tuple[Models, float, int]]] = {
    "ward": (FOUR, 0.2, 431),
    "scans": (TWO, 0.31, 97),
    "many": (SEVEN, 0.57, 260),
    "alone": (ONE, 0.46, 173),
    "rare": (TWO, 0.013, 5281),
    "old": (TWO, 0.27, 311),
    "later": (FOUR, 0.64, 607),
    "last": (TWO, 0.38, 229),
}
IN_SAMPLE_ON: Final = "scans"
COSTED: Final = "ward--costs"
UNIT: Final = "kCHF"
CONDITIONS: Final = (0.7, 0.2, 0.45, 0.33, 0.95)
# Of each table what is scattered: all of a row by the same factor, so that ends stay ends.
NUMBERS: Final = {
    "intervals": ("value", "low", "high"),
    "criteria": ("area", "regret", "regret_tec", "largest_regret", "worse_than_trivial_share"),
    "choice_intervals": ("value", "low", "high"),
    "calibration": ("value", "by_chance", "low", "high", "p_value"),
    "measures": ("auc", "auc_se", "auc_low", "auc_high", "auch", "brier"),
    "constructions": ("fp", "tp", "share", "held_out_fp", "held_out_tp", "held_out"),
}
COUNTS: Final = {"measures": ("curves", "points"), "constructions": ("exceeded",)}
WEIGHTED: Final = 0.043  # by which what the study's weight makes of a cost differs from the cost


def study() -> Study:
    """Its configuration."""
    datasets: list[dict[str, Any]] = [
        {**fake_report.dataset(name, name.capitalize()), "prior": prior}
        for name, (_, prior, _) in DATASETS.items()
    ]
    datasets[0] |= {"costs": {"unit": UNIT}, "positive": "ill", "expected": ["few-cases"]}
    datasets[0]["about"] = {"case": "patients", "positive": "feverish"}
    return fake_report.study(
        title="Words",
        datasets=datasets,
        level="repeat",
        inference={"confidence": CONFIDENCE, "equivalence": 0.03},
        reference="Bayes",
        prior={"kind": "beta", "a": 2, "b": 4, "low": 0.05, "high": 0.9},
        selection={"max_fp_rate": 0.15, "capacity": "25%", "rate": 0.3, "score_threshold": 0.35},
        operating_conditions=[{"name": f"at {pc:g}", "pc": pc} for pc in CONDITIONS],
        claims=[{"claim": "c", "kind": "cheaper", "models": ["Vote", "Bayes"], "pc": [0.2, 0.4]}],
    )


@cache
def report() -> Report:
    """The report."""
    data = {
        name: _tables(name, prior, size, models, place)
        for place, (name, (models, prior, size)) in enumerate(DATASETS.items())
    }
    data[IN_SAMPLE_ON] = _in_sample(data[IN_SAMPLE_ON])
    data[COSTED] = _by_cost()
    data["ward"]["plausibility"] = _findings()
    whole = {"claims": claims(), "map": votes()}
    figures: dict[str, tuple[str, ...]] = dict.fromkeys(data, fake_report.FIGURES) | {"": ("map",)}
    figures[COSTED] += ("case_costs",)
    drawings = {
        slug: {name: fake_report.drawing(name) for name in names} for slug, names in figures.items()
    }
    return fake_report.assembled(data | {"": whole}, study(), drawings)


def _tables(name: str, prior: float, size: int, models: Models, place: int) -> Tables:
    data = fake_report.tables(models, prior=prior, conditions=CONDITIONS)
    data["verdicts"] = fake_report.frame(CONTRACTS["verdicts"], _verdicts(models, prior))
    data["hybrids"] = fake_report.frame(CONTRACTS["hybrids"], _hybrids(models))
    data = {stage: scattered(stage, rows, place) for stage, rows in data.items()}
    positives = round(size * (0.3 + 0.02 * place))
    sizes = {"instances": size, "positives": positives, "negatives": size - positives}
    folds = {"effective": float(size), "repeats": 2 + place, "folds": 3 + place}
    data["measures"] = data["measures"].assign(**sizes, **folds)
    for stage in ("intervals", "choice_intervals"):
        data[stage] = _weighted(data[stage]).assign(confidence=CONFIDENCE)
    for stage in ("measures", "criteria"):
        data[stage] = data[stage].assign(tec=data[stage]["area"] + WEIGHTED)
    for stage in ("intervals", "duality"):
        names = data[stage]["condition"].str.replace("PC(+) =", "at", regex=False)
        data[stage]["condition"] = names
    for stage in ("deployment", "operating_points", "duality"):
        rows, number = data[stage], data[stage]["model"].map([*models].index)
        if stage != "duality":
            scores = 0.5 + 0.013 * number + 0.05 * place
            rows["threshold"] = rows["threshold"].where(np.isinf(rows["threshold"]), scores)
        if stage != "operating_points":
            fixed = rows["holder"].str.startswith("threshold")
            rows.loc[fixed, "holder"] = "threshold 0." + number[fixed].add(1).astype(str)
    return {stage: rows.assign(dataset=name) for stage, rows in data.items()}


def _hybrids(models: Models) -> Iterator[Row]:
    """The cost curve of three criteria for each model: lines from which it is easy to be told."""
    kinds = {"cost-minimizing": IN_SAMPLE, "cross-fitted": CROSS_FITTED, "score-fixed": FIXED}
    for at, (model, criterion) in enumerate(product(models, kinds)):
        fp, fn = models[model]
        names = {"model": model, "criterion": criterion, "estimate": kinds[criterion]}
        ends = {"nec_from": fp + 0.011 * at, "nec_to": fn + 0.007 * at}
        yield names | {"pc_from": 0.0, "pc_to": 1.0} | ends


def scattered(stage: str, rows: pd.DataFrame, place: int) -> pd.DataFrame:
    """Let what agrees in a table made by rule differ, row by row."""
    by = np.arange(len(rows)) + 7 * place
    factor = 1 + 0.0137 * (by % 23)
    if stage == "intervals":  # ends of ranges are places
        factor = np.where(rows["quantity"].str.startswith("range"), 1.0, factor)
    changed = {name: rows[name] * factor for name in NUMBERS.get(stage, ())}
    changed |= {name: rows[name] + by % 5 for name in COUNTS.get(stage, ())}
    return rows.assign(**changed)


def _weighted(rows: pd.DataFrame) -> pd.DataFrame:
    """Let what the study weighs differ from the mean over all PC(+)."""
    ends = ["value", "low", "high"]
    more = WEIGHTED * (rows["quantity"] == "tec").to_numpy()[:, np.newaxis]
    return rows.assign(**dict(zip(ends, (rows[ends].to_numpy() + more).T, strict=True)))


def _verdicts(models: Models, prior: float) -> Iterator[Row]:
    """Verdicts of each kind; nothing is known of the first pair, and of the last least."""
    pairs = list(enumerate(combinations(models, 2)))
    every = [(False, *pair) for pair in pairs]
    every += [(True, *pair) for pair in pairs if "Bayes" in pair[1]]
    for other, number, (a, b) in every:
        finding = ("undecided", "A cheaper", "B cheaper", "A cheaper", "equivalent")[number % 5]
        low, high, last = 0.11 + 0.011 * number, 0.39 + 0.007 * number, 0.66 + 0.013 * number
        adjusted = 0.0083 if number % 5 else 0.2147
        shared = (
            {"model_a": a, "model_b": b, "family": "reference" if other else "all pairs"}
            | {"p_value": 0.0021 + 0.0009 * number + 0.0004 * other, "familywise": CONFIDENCE}
            | {"adjusted": adjusted + 0.0031 * number + 0.001 * other, "equivalence": 0.03}
            | {"confidence": 0.85 + 0.0049 * number, "projected": 713.0 + 540 * ((number + 3) % 6)}
        )
        ends = [0.0, low, high, high + 0.003, last - 0.2, last, 1.0]
        decided = {1: finding, 4: finding if number % 2 else "undecided"}
        for at, (start, end) in enumerate(pairwise(ends)):
            by = 0.031 + 0.007 * number + 0.002 * at + 0.001 * other
            verdict = decided.get(at, "undecided")
            by = -by if verdict == "A cheaper" else by
            yield (
                shared
                | fake_report.stretch(start, end, prior)
                | {"finding": verdict, "reason": NARROW if at == 2 and number % 3 == 1 else ""}
                | {"at_pc": start + 0.3 * (end - start), "largest_difference": by}
                | {"low": by - 0.013 - 0.001 * at, "high": by + 0.011}
            )


def _in_sample(data: Tables) -> Tables:
    """The same dataset judged on the data that chose."""
    judged = dict(data)
    for stage in ("measures", "headline", "intervals", "bands"):
        judged[stage] = judged[stage].assign(estimate=IN_SAMPLE)
    pairs = judged["verdicts"].drop_duplicates(["family", *PAIR])
    judged["verdicts"] = pairs.assign(reason=IN_SAMPLE, finding="undecided", pc_to=1.0)
    return judged


def _by_cost() -> Tables:
    """The first dataset weighted by cost: other curves, other verdicts, and what decisions cost."""
    turned = dict(zip(FOUR, [*list(FOUR.values())[1:], (0.3, 0.12)], strict=True))
    shared = (
        {"pc": 0.414, "prior": 0.2, "mean_cost_fp": 3.958, "mean_cost_fn": 11.19}
        | {"negatives": 302, "positives": 129, "confidence": CONFIDENCE, "estimate": FIXED}
        | {"negatives_effective": 187.3, "positives_effective": 64.9, "warning": "so uneven"}
    )
    costs = {"Vote": 1.31, "Bayes": 1.17, "Ladder": 2.09, "Rule": 2.71}
    costs |= {"always negative": 2.47, "always positive": 3.33}
    rows = [
        shared
        | {"model": name, "trivial": name not in FOUR, "cost": cost, "nec": cost / 7.1}
        | {"low": cost - 0.21 - 0.01 * at, "high": cost + 0.34, "more": cost - 1.17}
        | {"more_low": cost - 1.17 - 0.29, "more_high": cost - 1.17 + 0.37 + 0.01 * at}
        | ({"auc": 0.91 - 0.03 * at, "auciv": 0.84 - 0.05 * at} if name in FOUR else {})
        for at, (name, cost) in enumerate(costs.items())
    ]
    costs_of = fake_report.frame(CONTRACTS["instance_costs"], rows)
    return _tables("ward", 0.2, 431, turned, 11) | {"instance_costs": costs_of}


def _findings() -> pd.DataFrame:
    each = [
        ("few-cases", "note", "", "", "9 cases"),
        ("reversed", "grave", "Vote", "", "AUC 0.153"),
        ("reversed", "grave", "Rule", "", "AUC 0.217"),
    ]
    names = ("finding", "grade", "model", "other", "seen")
    return PLAUSIBILITY.rows([dict(zip(names, row, strict=True), dataset="ward") for row in each])


def claims() -> pd.DataFrame:
    """A claim that came out in each way."""
    pair = {"model_a": "Vote", "model_b": "Bayes", "stage": "headline", "key": "piece = 1"}
    of_use = {"model_a": "Ladder", "model_b": "no model", "stage": "bands"}
    euros = {"condition": "5:1", "unit": "EUR", "most": 90.0, "pc_to": 0.3}
    mean = {"mean": "tec", "at_pc": np.nan}
    each: list[tuple[str, str, Row]] = [
        ("SUPPORTED", "cheaper", {**pair, "pc_from": 0.2, "pc_to": 0.4, "limit": 0.0}),
        ("CONTRADICTED", "equivalent", {**pair, "pc_from": 0.7, "pc_to": 0.7, "limit": 0.02}),
        ("UNDECIDED", "not worse", {**pair, "kept_share": 0.37, "limit": 0.04, "by_cost": True}),
        ("UNDECIDED", "cheaper", {**of_use, "limit": 0.0, "crossing": 0.636}),
        ("UNDECIDED", "at most", {"model_a": "Rule", "limit": 0.31, **mean}),
        ("UNDECIDED", "at most", {"model_a": "Rule", "limit": 0.32, **euros}),
    ]
    rows = []
    for at, (verdict, kind, more) in enumerate(each, 1):
        value = -0.021 * at if verdict == "SUPPORTED" else 0.017 * at
        rows.append(
            {"dataset": "ward", "decides": True, "claim": f"Claim {at}", "number": at}
            | {"verdict": verdict, "kind": kind, "confidence": 0.87}
            | {"value": value, "low": value - 0.011 * at, "high": value + 0.006 * at}
            | {"pc_from": 0.3, "pc_to": 0.6 + 0.01 * at, "at_pc": 0.31 + 0.02 * at, "most": 1.0}
            | {"kept_from": 0.42, "kept_to": 0.53, "p_value": 0.041 * at, "level": 0.8 + 0.01 * at}
            | more
        )
    return fake_report.frame(CLAIMS, rows)


def votes() -> pd.DataFrame:
    """What was counted of three models against the reference on the datasets."""
    rows = []
    findings = {"Vote": "A cheaper", "Ladder": "B cheaper", "Rule": "undecided"}
    for number, (model, finding) in enumerate(findings.items()):
        ends = [0.0, 0.17 + 0.03 * number, 0.61 + 0.02 * number, 1.0]
        for at, (low, high) in enumerate(pairwise(ends)):
            counts = {"a_cheaper": 5 - at - number, "b_cheaper": 1 + at, "equivalent": (at + 1) % 3}
            counts |= {"undecided": 8 - sum(counts.values())}
            sure = 0.0043 + 0.013 * number + 0.11 * (at != 1)
            rows.append(
                {"family": "reference", "model_a": model, "model_b": "Bayes"}
                | {"pc_from": low, "pc_to": high, **counts}
                | {"a_lower": 5 - number, "equal": 0, "b_lower": 2 + number}
                | {"finding": finding if at == 1 else "undecided", "pointwise": sure / 3}
                | {"p_value": sure, "familywise": CONFIDENCE, "confidence": 0.91 - 0.02 * number}
                | {"adjusted": 0.0129 + 0.109 * number, "changes": 128}
                | {"method": "all sign changes", "shown": "" if number else "most decided"}
            )
    return MAP.rows(rows)


UNSPOKEN: Final = r"<(style|script|title|text|nav)\b.*?</\1>"  # drawings are stand-ins here
INLINE: Final = {"a", "b", "bdi", "br", "code", "i", "noscript", "span", "td", "th"}
# Of datasets after the first the parts in which something else is said.
PARTS: Final = {
    *("verdict", "claims", "datasets", "choices", "methods", "provenance", "appendix"),
    *("data/scans", "data/scans/cost-curves", "data/scans/differences"),
    *("data/many", "data/many/cost-curves", "data/many/differences", "data/many/pairs"),
    *("data/alone", "data/alone/cost-curves", "data/rare", "data/rare/cost-curves"),
    *("data/rare/thresholds", "data/later"),
}


def spoken(page: str) -> list[str]:
    """List a page's blocks: its words, where its links lead, whose colour something has."""
    lines, sections, link, led = [""], ["verdict"], "", ""
    markup = re.sub(UNSPOKEN, "", page, flags=re.DOTALL)
    for slash, tag, inside, text in re.findall(r"<(/?)(\w+)([^>]*)>([^<]*)", markup):
        words, has = [], dict(re.findall(r'([\w-]+)="([^"]*)"', inside))
        if tag == "section":
            sections = sections[:-1] if slash else [*sections, has["id"]]
        if tag == "a" and not slash:
            link = has["href"]
        elif tag == "a" and link != led:  # not again in the same block
            words, led = [f" <{link}>"], link
        if tag not in INLINE:
            lines, led = [*lines, ""], ""
        if tag in ("td", "th") and not slash:
            words = [" | "]
        coloured = re.findall(r"\b(?:model|wins)-\S+", has.get("class", ""))
        marks = [has.get("aria-label"), has.get("alt"), *coloured]
        words += [f" [{mark}] " for mark in marks if mark]
        if "ward" in sections[-1] or sections[-1] in PARTS:
            lines[-1] += unescape("".join([*words, text]))
    return [line for line in (" ".join(line.split()) for line in lines) if line]
