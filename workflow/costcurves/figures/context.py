"""What a figure has to know besides its tables: the data set's names, sizes and conditions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from costcurves.figures import style, tags
from costcurves.formats import count, counted
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.operating_conditions import OperatingCondition


@dataclass(frozen=True)
class Context:
    """One data set of a study, as its figures speak of it.

    >>> sonar = Context("Sonar", ("C4.5", "1R"), 0.53, "repeat", 208, 111, 10, 10,
    ...                 roster=("Naive Bayes", "C4.5", "1R"))
    >>> sonar.index("C4.5")
    1
    >>> sonar.counts
    '208 instances (111 positive), 10 × 10 folds'
    >>> sonar.averaged
    'mean of 10 repeats'
    """

    title: str
    models: tuple[str, ...]
    prior: float  # deployment p(+), strictly between 0 and 1: the cost-ratio scale comes from it
    level: str  # of in-sample averages: "fold", "repeat" or "pooled"
    instances: int  # distinct ones
    positives: int
    repeats: int
    folds: int  # in each repeat
    conditions: tuple[tuple[str, float], ...] = ()  # names and their PC(+)
    roster: tuple[str, ...] = ()  # all models of the study, which colours and dashes come from
    ranked: tuple[str, ...] = ()  # the cheapest over all PC(+) first; by default as `models`

    @property
    def numbered(self) -> tuple[str, ...]:
        """The models in the order of their numbers, in all figures of the data set that have any.

        >>> Context("T", ("A", "B"), 0.5, "repeat", 9, 3, 1, 2, ranked=("B", "A")).numbered
        ('B', 'A')
        """
        return self.ranked or self.models

    def index(self, model: str) -> int:
        """Give the place of a model in the roster: the same in all figures of a study."""
        models = list(dict.fromkeys([*self.roster, *self.models]))
        if model not in models:
            raise ValueError(f"no model {model!r} among {models}")
        return models.index(model)

    def line(self, model: str) -> dict[str, Any]:
        """Colour, dash and tag of a model's lines."""
        index = self.index(model)
        look = {"color": style.colour(index), "linestyle": style.dash(index)}
        return {**look, "gid": tags.model(index)}

    def words(self, model: str) -> dict[str, Any]:
        """Colour, weight and tag of a model's name."""
        index = self.index(model)
        return {"color": style.ink(index), "weight": "bold", "gid": tags.name(index)}

    def tag(self, model: str) -> str:
        """Tag of what is drawn of a model."""
        return tags.model(self.index(model))

    @property
    def counts(self) -> str:
        """Instances, repeats and folds in words."""
        folds = counted(self.folds, "fold")
        if self.repeats > 1:
            folds = f"{self.repeats} \N{MULTIPLICATION SIGN} {folds}"
        return f"{counted(self.instances, 'instance')} ({count(self.positives)} positive), {folds}"

    @property
    def averaged(self) -> str:
        """What the in-sample averages are averages of, in words."""
        return self.averaged_over(self.level)

    def averaged_over(self, level: str) -> str:
        """Say what averages at a level of pooling are averages of."""
        counts = {"fold": self.repeats * self.folds, "repeat": self.repeats}
        if level not in counts or counts[level] == 1:
            return "all predictions pooled"
        return f"mean of {counted(counts[level], level)}"


def context_from(
    dataset: Dataset,
    conditions: Sequence[OperatingCondition],
    measures: pd.DataFrame,
    roster: Sequence[pd.DataFrame],
    level: str = "repeat",
) -> Context:
    """Make a data set's context from its measures; its sizes are those of the largest model.

    `roster` holds the measures of all data sets of the study, in order.
    """
    headline = measures[measures["headline"]]
    largest = headline.iloc[int(headline["instances"].argmax())]
    return Context(
        title=dataset.title,
        models=tuple(headline["model"]),
        prior=float(largest["prior"]),
        level=level,
        instances=int(largest["instances"]),
        positives=int(largest["positives"]),
        repeats=int(largest["repeats"]),
        folds=int(largest["folds"]),
        conditions=tuple((condition.name, condition.pc) for condition in conditions),
        roster=tuple(pd.concat(roster)["model"].drop_duplicates()),
        ranked=tuple(headline.sort_values("area", kind="stable")["model"]),
    )
