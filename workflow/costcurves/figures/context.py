"""What a figure has to know besides its tables, and what it says of estimates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from costcurves.figures import style
from costcurves.formats import condition_by_ratio, count, counted, folds
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.settings import Dataset
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE
from costcurves.text import Name, names, phrase, plain

Tables = Mapping[str, pd.DataFrame]
Row = dict[str, Any]

AND: Final = ", "  # between the kinds of a pair
CHOSEN_HOW: Final = {
    CROSS_FITTED: "cross-fitted: threshold chosen on other folds",
    FIXED: "fixed in advance: no threshold to choose",
    IN_SAMPLE: "in-sample selection: threshold chosen in hindsight (too low)",
}
METHODS: Final = {
    "resampled instances": "cases resampled",
    "wilson": "Wilson",
}


def ratio_tag(pc: float) -> str:
    """Tag of the cost ratio of a PC(+) in words: scripts write it at other shares of positives."""
    return f"ratio:{pc:.12g}"


@dataclass(frozen=True)
class Context:
    """One data set of a study, as its figures speak of it.

    >>> sonar = Context("Sonar", ("1R", "C4.5"), 0.53, "repeat", 208, 111, 10, 10, 100, (),
    ...                 roster=("Naive Bayes", "C4.5", "1R"), ranked=("C4.5", "1R"))
    >>> sonar.chosen(pd.DataFrame({"model": ["1R"], "estimate": ["cross-fitted"]}))
    'cross-fitted: threshold chosen on other folds; 208 cases (111 positive), 10 × 10 folds'
    >>> sonar.averaged_over("repeat")
    'mean of 10 repeats'
    """

    title: str
    models: tuple[str, ...]
    prior: float  # deployment p(+), strictly between 0 and 1: the cost-ratio scale comes from it
    level: str  # of in-sample averages: "fold", "repeat" or "pooled"
    instances: int  # distinct ones
    positives: int
    repeats: int
    folds: int  # of a repeat, the most of any
    all_folds: int  # of all repeats
    conditions: tuple[tuple[str, float], ...]  # names and their PC(+)
    roster: tuple[str, ...]  # all models of the study, which colours and dashes come from
    ranked: tuple[str, ...]  # by their numbers in all figures: the cheapest over all PC(+) first

    def colour(self, model: str) -> str:
        """Colour of what is drawn of a model."""
        return style.colour(self.roster.index(model))

    def tag(self, model: str) -> str:
        """Tag of what is drawn of a model; in the file it becomes a class."""
        return f"model-{self.roster.index(model)}"

    def mark(self, model: str) -> dict[str, Any]:
        """Colour and tag of what is drawn of a model."""
        return {"color": self.colour(model), "gid": self.tag(model)}

    def line(self, model: str) -> dict[str, Any]:
        """Colour, dash and tag of a model's lines."""
        return {**self.mark(model), "linestyle": style.dash(self.roster.index(model))}

    def words(self, model: str) -> dict[str, Any]:
        """Colour, weight and tag of a model's name."""
        index = self.roster.index(model)
        return {"color": style.ink(index), "weight": "bold", "gid": f"name-{index}"}

    @property
    def ratios(self) -> dict[str, str]:
        """Tags of the marked conditions that are called by their cost ratio."""
        inner = ((name, pc) for name, pc in self.conditions if 0 < pc < 1)
        return {
            name: ratio_tag(pc)
            for name, pc in inner
            if name == condition_by_ratio(ratio_from_pc(pc, self.prior))
        }

    @property
    def who(self) -> str:
        """Whom alternative texts speak of: models, and the data set."""
        return plain(phrase("{} on {}", names(self.models), Name(self.title)))

    @property
    def counts(self) -> str:
        """Cases, repeats and folds in words."""
        cases = f"{counted(self.instances, 'case')} ({count(self.positives)} positive)"
        return f"{cases}, {folds(self.repeats, self.folds, self.all_folds)}"

    def averaged_over(self, level: str) -> str:
        """Say what averages at a level of pooling are averages of."""
        counts = {"fold": self.all_folds, "repeat": self.repeats}
        if level not in counts or counts[level] == 1:
            return "all predictions pooled"
        return f"mean of {counted(counts[level], level)}"

    def chosen(self, data: pd.DataFrame) -> str:
        """Say how thresholds of the headline curves were chosen, and the counts."""
        how = kinds(data)
        return f"{CHOSEN_HOW.get(how, how)}; {self.counts}"

    def first(self, most: int, which: str = "first {} models") -> str:
        """Say which models are shown where there are more than `most`."""
        return f"; the {which.format(most)}" if len(self.models) > most else ""


def context_from(
    dataset: Dataset,
    conditions: Sequence[Mapping[str, Any]],
    measures: pd.DataFrame,
    roster: Sequence[str],
    level: str = "repeat",
) -> Context:
    """Make a data set's context; `roster`: the models of all data sets of the study, in order."""
    headline = headline_rows(measures)
    largest = headline.iloc[int(headline["instances"].argmax())]
    return Context(
        title=dataset.title,
        models=tuple(headline["model"]),
        prior=float(largest["prior"]),
        level=level,
        **{name: int(largest[name]) for name in ("instances", "positives", "repeats", "folds")},
        all_folds=all_folds(measures, str(largest["model"])),
        conditions=tuple((str(one["name"]), float(one["pc"])) for one in conditions),
        roster=tuple(roster),
        ranked=tuple(headline.sort_values("area", kind="stable")["model"]),
    )


def headline_rows(measures: pd.DataFrame) -> pd.DataFrame:
    """Take the headline's row of each model, in order of the models."""
    order = {model: place for place, model in enumerate(measures["model"].unique())}
    headline = measures[measures["headline"]]
    return headline.iloc[headline["model"].map(order).to_numpy().argsort(kind="stable")]


def rows_of(table: pd.DataFrame) -> list[Row]:
    """Give a table row by row."""
    rows = table.itertuples(index=False, name=None)
    return [dict(zip(table.columns, row, strict=True)) for row in rows]


def all_folds(measures: pd.DataFrame, model: str) -> int:
    """Count the folds of all repeats, which need not have equally many: at most a curve each."""
    return int(measures.loc[measures["model"] == model, "curves"].max())


def kinds(data: pd.DataFrame) -> str:
    """Say of which kinds the headline curves are (`estimate`), how many of each if of several."""
    own = [name for name in ("model", "model_a", "model_b") if name in data]
    if "headline" in set(data.get("series", ())):
        data = data[data["series"] == "headline"]
    each = data.drop_duplicates(own)["estimate"].str.split(AND).explode()  # two of a pair
    found = each.value_counts(sort=False)
    if "model" not in own or len(found) == 1:
        return " or ".join(map(str, found.index))
    return ", ".join(f"{count} {kind}" for kind, count in found.items())


def estimate_of_pairs(rows: pd.DataFrame, headline: pd.DataFrame) -> "pd.Series[str]":
    """Say of which kind the headlines of `model_a` and `model_b` are, once if it is the same."""
    kinds = headline.drop_duplicates("model").set_index("model")["estimate"]
    a, b = (rows[name].map(kinds) for name in ("model_a", "model_b"))
    return a.where(a == b, a + AND + b)


def methods(data: pd.DataFrame) -> str:
    """Name the methods of inference, and say of which rows there is no verdict."""
    names = [str(name) for name in data["method"].unique()]
    untested = "no verdict where thresholds are chosen in hindsight"
    told = ", ".join(METHODS.get(name, name) for name in names if name != IN_SAMPLE)
    return "; ".join(filter(None, [told, untested if IN_SAMPLE in names else ""]))
