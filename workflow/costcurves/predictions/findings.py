"""What looks wrong with predictions that can be read; nothing is changed, all of it is said.

What is counted and compared is whole numbers, so that no order of rows and no processor makes a
difference. The words are in ``findings.toml``.
"""

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.formats import amount, cost, count, counted, share
from costcurves.names import quoted
from costcurves.predictions import words
from costcurves.tables.codes import Floats, Integers, first_rows
from costcurves.tables.keys import group_codes, unit_of
from costcurves.tables.predicted import PLAUSIBILITY

if TYPE_CHECKING:
    from costcurves.tables.curves.operating_points import Counted

Grade = Literal["grave", "look", "note"]

# Models that know nothing, cross-validated, rank worse than this once in thousands of times: as
# each fold is one that others were trained on, their spread is up to 1.4 times that of chance.
REVERSED: Final = -5.0  # standard deviations
FEWEST: Final = 10  # cases, or clusters, of a class
FEW: Final = 10  # scores, of which more tell cases apart
FOLLOWS: Final = 0.75  # share of pairs, from which on decisions are made of scores
RUNS: Final = -5.0  # standard deviations
SORTED: Final = 4  # runs at most, or one for 40 cases: classes one after the other
SHARED: Final = 0.05  # of the cases, that have the value of another one
LEAST_CLUSTERS: Final = 5  # fewer are more likely a property of cases; likewise amounts
IN_RUNS: Final = 10  # clusters that stand one after the other, whatever their column is called


@dataclass(frozen=True)
class Kind:
    """A kind of finding: what was seen, why that matters for cost curves, and what to do."""

    grade: Grade
    what: str
    why: str
    mend: str


class Finding(NamedTuple):
    """One finding: what was seen, and of which models."""

    finding: str
    seen: str = ""
    model: str = ""
    other: str = ""


_WORDS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS: Final = {name: Kind(**each) for name, each in _WORDS.items()}


def plausibility(
    predictions: pd.DataFrame, counts: "Sequence[Counted]", *, by_cost: bool = False
) -> pd.DataFrame:
    """Return all findings, in the order of their kinds; weighing by cost makes no new ones."""
    if by_cost:
        return PLAUSIBILITY.empty()
    predictions = predictions.reset_index(drop=True)
    findings = [
        *_ranking(predictions, counts),
        *_decisions(predictions),
        *_copies(predictions),
        *_units(predictions),
        *_labels(predictions),
    ]
    for text in predictions["seen"].cat.categories:
        findings += [Finding(*each) for each in json.loads(text or "[]")]
    kinds = list(KINDS)
    findings.sort(key=lambda finding: kinds.index(finding.finding))
    rows = [{**each._asdict(), "grade": KINDS[each.finding].grade} for each in findings]
    return PLAUSIBILITY.rows(rows, dataset=str(predictions["dataset"].iloc[0]))


def _scored(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Return the rows of each model that ranks."""
    ranks = rows["score"].notna() & rows["member"].eq("")
    for name, own in rows[ranks].groupby("model", sort=False, observed=True):
        yield str(name), own


def _ranking(rows: pd.DataFrame, counts: "Sequence[Counted]") -> Iterator[Finding]:
    """Find models that rank worse than chance, or not at all."""
    from costcurves.tables.curves.operating_points import measured_curves

    # Cases of a cluster say together as much as one at the least.
    alike = math.sqrt(rows["instance"].nunique() / rows[unit_of(rows)].nunique())
    curves = measured_curves(counts)
    folds = curves[curves["ranks"] & curves["level"].eq("fold")]
    for name, own in folds.groupby("model", sort=False):
        # Pooled folds are left out: where one class is held out the other is learnt.
        above_chance = own.loc[own["fold"].ne(""), "auc_z"] / alike
        model = str(name)
        if (above_chance < REVERSED).any():
            yield Finding("reversed", f"AUC {cost(float(own['auc'].mean()))}", model)
        if own["lowest"].eq(own["highest"]).all():
            yield Finding("constant-scores", "", model)


def _decisions(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find models whose decisions do not follow their scores: in each fold the higher is positive.

    Thresholds may differ between folds, and a class of several be the most likely one of all: then
    decisions follow the score, if not to the last. Those of the predicted class are never low.
    """
    for model, own in _scored(rows):
        decided, scores = own["decision"].to_numpy(), own["score"].to_numpy()
        if decided.min() < 0 or decided.min() == decided.max():
            continue
        follow = _following(scores, decided, group_codes(own, ("repeat", "fold")))
        highest = 1 if scores.min() >= 0 and scores.max() <= 1 else 100
        confident = scores.min() >= highest / 2 and scores.max() <= highest
        if follow < FOLLOWS or (confident and follow < 1):
            least = f"none is below {amount(highest / 2)}; " if confident else ""
            seen = f"{least}a case decided positive outscores one decided negative in"
            yield Finding("contradiction", f"{seen} {share(follow)} of pairs", model)


def _following(scores: Floats, decided: NDArray[Any], fold: Integers) -> float:
    """Return the share of pairs, decided differently in a fold, whose scores differ likewise."""
    above = pairs = 0  # twice
    order = np.lexsort((scores, fold))
    for own in np.split(order, np.flatnonzero(np.diff(fold[order])) + 1):
        _, tied = np.unique(scores[own], return_inverse=True)
        every = np.bincount(tied)
        ones = np.bincount(tied[decided[own] == 1], minlength=len(every))
        zeros = every - ones
        above += int((ones * (2 * np.cumsum(zeros) - zeros)).sum())
        pairs += int(2 * ones.sum() * zeros.sum())
    return above / pairs if pairs else 1.0


def _copies(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find models that have every score of an earlier one."""
    known = dict[tuple[int, int], str]()
    unit = pd.DataFrame({name: rows[name].array.codes for name in ("instance", "repeat")})
    unit["score"] = rows["score"].to_numpy() + 0.0
    prints = pd.util.hash_pandas_object(unit, index=False).to_numpy()
    for model, own in _scored(rows):
        if own["score"].nunique() > FEW:
            key = (len(own), int(prints[own.index].sum()))
            first = known.setdefault(key, model)
            if first != model:
                yield Finding("identical-models", "", first, model)


def _units(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find repeats of other cases, clusters in several folds, and classes with few of a unit."""
    repeats, cases = rows["repeat"].nunique(), rows["instance"].nunique()
    if repeats > 1:
        pairs = rows[["repeat", "instance"]].drop_duplicates()
        if len(pairs) == cases:
            sizes = pairs["repeat"].value_counts()
            low, high = count(int(sizes.min())), count(int(sizes.max()))
            each = low if low == high else f"{low} to {high}"
            yield Finding("disjoint-repeats", f"{repeats} repeats of {each} cases")
    each_class = rows.groupby("label")["instance"].nunique()
    if each_class.min() < FEWEST:
        seen = f"{count(each_class[1])} positive, {count(each_class[0])} negative"
        yield Finding("few-cases", f"{counted(cases, 'case')}: {seen}")
    if unit_of(rows) == "instance":
        return
    every = rows["cluster"].nunique()
    places = rows[["cluster", "repeat", "fold"]].drop_duplicates()
    split = places.loc[places.duplicated(["cluster", "repeat"]), "cluster"].nunique()
    if split:
        yield Finding("split-clusters", f"{count(split)} of {counted(every, 'cluster')}")
    each_class = rows.groupby("label")["cluster"].nunique()
    if each_class.min() < FEWEST:
        seen = f"{count(each_class[1])} with positives, {count(each_class[0])} with negatives"
        yield Finding("few-clusters", f"{counted(every, 'cluster')}: {seen}")


def _labels(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find labels in runs."""
    first = first_rows(group_codes(rows, ["instance"]))
    labels = rows["label"].to_numpy()[first].astype(np.int64)
    positives, size = int(labels.sum()), len(labels)
    order = _order(rows["instance"].iloc[first].astype("str"))
    if order is None or unit_of(rows) != "instance":
        return
    runs = 1 + int(np.count_nonzero(np.diff(labels[order])))
    expected, z = runs_by_chance(runs, positives, size)
    if z < RUNS and runs > max(SORTED, size / 40):
        random = f"{count(round(expected))} in random order"
        yield Finding("label-runs", f"{count(runs)} runs of equal labels, {random}")


def runs_by_chance(runs: int, positives: int, size: int) -> tuple[float, float]:
    """Return how many runs of labels are expected in random order, and the excess of those seen.

    The excess is in standard deviations (Wald and Wolfowitz 1940,
    https://doi.org/10.1214/aoms/1177731909); NaN where a label is missing.
    """
    pairs = 2 * positives * (size - positives)
    variance = pairs * (pairs - size) / (size**2 * (size - 1)) if size > 2 else 0
    expected = 1 + pairs / size
    return expected, (runs - expected) / math.sqrt(variance) if variance > 0 else math.nan


def _order(ids: pd.Series) -> Integers | None:
    """Return the order of ids, where all are whole numbers, or all times."""
    with suppress(ValueError, OverflowError):
        whole = ids.str.fullmatch("-?[0-9]+").all()
        places = ids if whole else pd.to_datetime(ids, format="ISO8601", utc=True).dt.as_unit("us")
        return np.argsort(places.astype(np.int64).to_numpy(), kind="stable")
    return None


def missed(
    columns: Mapping[str, pd.Categorical],
    numbers: Mapping[str, Floats | None],
    instances: pd.Categorical,
) -> Iterator[Finding]:
    """Find clusters of cases, and amounts, among the columns that are not used.

    Without a name for it, a column of clusters has to hold neither fractions nor times, and its
    values stand one after the other, as in a file that is sorted by them.
    """
    for name, values in columns.items():
        pairs = pd.DataFrame({"case": instances.codes, "value": values}).drop_duplicates()
        cases = pairs["case"].nunique()
        sizes = pairs.loc[pairs["value"] != "", "value"].value_counts()
        sizes = sizes[sizes > 0]
        shared = int(sizes[sizes > 1].sum())
        if len(pairs) > cases or len(sizes) < LEAST_CLUSTERS or shared < SHARED * cases:
            continue
        if may_be_cluster(name) or (len(sizes) >= IN_RUNS and _in_runs(pairs["value"])):
            seen = f"column {quoted(name)} has {count(len(sizes))} values in {count(cases)} cases"
            yield Finding("clusters", seen)
    for name, values_ in numbers.items():
        paid = values_ is not None and (values_ >= 0).all() and len(np.unique(values_)) >= FEWEST
        if paid and words.AMOUNT.fullmatch(name):
            yield Finding("amounts", name)


def may_be_cluster(name: str) -> bool:
    """Return whether a column is called as an id of clusters."""
    no_unit = re.search(r"(?i)fold|split|repeat|sampl|run|model|class|label|target|type|kind", name)
    is_id = bool(words.IDS.fullmatch(name)) and not no_unit
    return bool(words.UNIT.fullmatch(name)) or is_id


def _in_runs(values: pd.Series) -> bool:
    """Return whether equal values stand together, and are no times."""
    with suppress(ValueError):
        pd.to_datetime(values.astype("str"), format="ISO8601")
        return False
    codes = values.array.codes
    return bool(np.count_nonzero(np.diff(codes)) == len(np.unique(codes)) - 1)
