"""Possible problems in predictions that can be read; nothing is changed, all of them are listed.

What is counted and compared is whole numbers, so that no order of rows and no processor makes a
difference. `kinds` has the words of each kind.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.formats import amount, cost, count, counted, share
from costcurves.names import quoted
from costcurves.predictions import words
from costcurves.predictions.kinds import KINDS
from costcurves.predictions.predicted import PLAUSIBILITY
from costcurves.tables.codes import Floats
from costcurves.tables.keys import group_codes, unit_of

if TYPE_CHECKING:
    from costcurves.counts.counted import Counted

# Models that know nothing, cross-validated, rank worse than this once in thousands of times: as
# each fold is one that others were trained on, their spread is up to 1.4 times that of chance.
REVERSED: Final = -5.0  # standard deviations
FEWEST: Final = 10  # cases, or clusters, of a class
FEW: Final = 10  # scores, of which more tell cases apart
FOLLOWS: Final = 0.75  # share of pairs, from which on decisions are made of scores
SHARED: Final = 0.05  # of the cases, that have the value of another one
LEAST_CLUSTERS: Final = 5  # fewer are more likely a property of cases; likewise amounts
_NO_UNIT: Final = re.compile(
    r"(?i)fold|split|repeat|sampl|run|model|class|label|target|type|kind"
).search


class Finding(NamedTuple):
    """One finding: what was seen, and of which models."""

    finding: str
    seen: str = ""
    model: str = ""
    other: str = ""


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
    ]
    for text in predictions["seen"].cat.categories:
        findings += [Finding(*each) for each in json.loads(text or "[]")]
    findings.sort(key=lambda finding: [*KINDS].index(finding.finding))
    rows = [{**each._asdict(), "grade": KINDS[each.finding].grade} for each in findings]
    return PLAUSIBILITY.rows(rows, dataset=str(predictions["dataset"].iloc[0]))


def _scored(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of each model that ranks."""
    ranking = rows[rows["score"].notna() & rows["member"].eq("")]
    groups = ranking.groupby("model", sort=False, observed=True)
    return {str(name): of_model for name, of_model in groups}


def _ranking(rows: pd.DataFrame, counts: "Sequence[Counted]") -> Iterator[Finding]:
    """Find models that rank worse than chance, or not at all."""
    from costcurves.ranking.measures import measured_curves

    # Cases of a cluster say together as much as one at the least.
    alike = math.sqrt(rows["instance"].nunique() / rows[unit_of(rows)].nunique())
    curves = measured_curves([part for part in counts if part.level == "fold"])
    folds = curves[curves["ranks"]]
    for name, each in folds.groupby("model", sort=False):
        # Pooled folds are left out: where one class is held out the other is learnt.
        above_chance = each.loc[each["fold"].ne(""), "above_chance"] / alike
        if (above_chance < REVERSED).any():
            yield Finding("reversed", f"AUC {cost(float(each['auc'].mean()))}", str(name))
        if each["lowest"].eq(each["highest"]).all():
            yield Finding("constant-scores", "", str(name))


def _decisions(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find models whose decisions do not follow their scores: in each fold the higher is positive.

    Thresholds may differ between folds, and a class of several be the most likely one of all: then
    decisions follow the score, if not to the last. Those of the predicted class are never low.
    """
    for model, of_model in _scored(rows).items():
        decided, scores = of_model["decision"].to_numpy(), of_model["score"].to_numpy()
        if decided.min() < 0 or decided.min() == decided.max():
            continue
        fold = group_codes(of_model, ("repeat", "fold"))
        ranks = of_model["score"].groupby(fold).rank().to_numpy()
        ones, sizes = np.bincount(fold, decided), np.bincount(fold)
        above = ranks[decided == 1].sum() - (ones * (ones + 1)).sum() / 2
        pairs = (ones * (sizes - ones)).sum()
        follow = above / pairs if pairs else 1.0
        highest = 1 if scores.min() >= 0 and scores.max() <= 1 else 100
        confident = scores.min() >= highest / 2 and scores.max() <= highest
        if follow < FOLLOWS or (confident and follow < 1):
            least = f"none is below {amount(highest / 2)}; " if confident else ""
            seen = f"{least}a case decided positive outscores one decided negative in"
            yield Finding("contradiction", f"{seen} {share(follow)} of pairs", model)


def _copies(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find models that have every score of an earlier one."""
    known = dict[tuple[int, int], str]()
    unit = pd.DataFrame({name: rows[name].array.codes for name in ("instance", "repeat")})
    prints = pd.util.hash_pandas_object(unit.assign(score=rows["score"] + 0.0), index=False)
    for model, of_model in _scored(rows).items():
        key = (len(of_model), int(prints[of_model.index].to_numpy().sum()))
        first = known.setdefault(key, model)
        if first != model and of_model["score"].nunique() > FEW:
            yield Finding("identical-models", "", first, model)


def _units(rows: pd.DataFrame) -> Iterator[Finding]:
    """Find repeats of other cases, clusters in several folds, and classes with few of a unit."""
    pairs = rows[["repeat", "instance"]].drop_duplicates()
    sizes, cases = pairs["repeat"].value_counts(), rows["instance"].nunique()
    if len(sizes) > 1 and len(pairs) == cases:
        each = " to ".join(dict.fromkeys([count(int(sizes.min())), count(int(sizes.max()))]))
        yield Finding("disjoint-repeats", f"{len(sizes)} repeats of {each} cases")
    for unit in dict.fromkeys(["instance", unit_of(rows)]):
        size, of_class = rows[unit].nunique(), rows.groupby("label")[unit].nunique()
        if of_class.min() < FEWEST:
            positive, negative = map(count, of_class[[1, 0]].tolist())
            if unit == "instance":
                seen = f"{counted(size, 'case')}: {positive} positive, {negative} negative"
                yield Finding("few-cases", seen)
            else:
                seen = f"{positive} with positives, {negative} with negatives"
                yield Finding("few-clusters", f"{counted(size, 'cluster')}: {seen}")
    if unit_of(rows) == "cluster":
        places = rows[["cluster", "repeat", "fold"]].drop_duplicates()
        split = places.loc[places.duplicated(["cluster", "repeat"]), "cluster"].nunique()
        if split:
            every = counted(rows["cluster"].nunique(), "cluster")
            yield Finding("split-clusters", f"{count(split)} of {every}")


def missed(
    columns: pd.DataFrame,
    numbers: Callable[[str], Floats | None],
    instances: pd.Categorical,
) -> Iterator[Finding]:
    """Find what is called as clusters of cases, or amounts, among the columns that are not used."""
    for name in map(str, columns.select_dtypes("category")):
        pairs = pd.DataFrame({"case": instances.codes, "value": columns[name]}).drop_duplicates()
        cases, sizes = pairs["case"].nunique(), pairs.loc[pairs["value"] != "", "value"]
        sizes = sizes.value_counts()[lambda each: each > 0]
        shared = int(sizes[sizes > 1].sum())
        unit = words.UNIT.fullmatch(name) or (words.IDS.fullmatch(name) and not _NO_UNIT(name))
        clustered = len(sizes) >= LEAST_CLUSTERS and shared >= SHARED * cases
        if unit and clustered and len(pairs) == cases:
            seen = f"column {quoted(name)} has {count(len(sizes))} values in {count(cases)} cases"
            yield Finding("clusters", seen)
    for name in filter(words.AMOUNT.fullmatch, map(str, columns)):
        values = numbers(name)
        if values is not None and (values >= 0).all() and len(np.unique(values)) >= FEWEST:
            yield Finding("amounts", name)
