"""One dataset of a study, as its configuration says it.

Like `study`, this is imported before any job runs and needs neither pandas nor pyarrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from costcurves.tables.settings import Costs, Plain


@dataclass(frozen=True)
class Dataset(Plain):
    """One dataset of a study.

    Parameters
    ----------
    name
        Its name, as in the column ``dataset`` of its files.
    title
        How the report calls it.
    slug
        What its files are called.
    predictions
        Its files, as the configuration gives them: relative to the working directory.
    positive
        Which label is positive; None: labels are 0 and 1 or true and false.
    prior
        The deployment proportion of positives; None: that of the data.
    models
        Which models, in which order; None: all in order of appearance.
    folds_without_a_class
        "refuse" or "pool", as in the study.
    pairing
        "paired" or "unpaired", as in the study.
    baseline
        The model that all others are compared with, as in the study; None: none.
    costs
        What mistakes on its instances cost; None: that is not said, or all cost the same.
    weighted
        Whether instances count by their costs here: see `Study.views`.
    of
        The dataset that has several classes, of which this is one against all others; None: it has
        two classes.
    classes
        All classes of that dataset.
    score
        The column of its scores.
    """

    name: str
    title: str
    slug: str
    predictions: tuple[str, ...]
    positive: str | None = None
    prior: float | None = None
    models: tuple[str, ...] | None = None
    folds_without_a_class: str = "refuse"
    pairing: str = "paired"
    baseline: str | None = None
    costs: Costs | None = None
    weighted: bool = False
    of: str | None = None
    classes: tuple[str, ...] | None = None
    score: str = "score"

    @property
    def in_files(self) -> str:
        """Its name in the column ``dataset`` of its files."""
        return self.of or self.name

    @property
    def by_cost(self) -> "Dataset":
        """The same dataset with instances that count by their costs."""
        title = f"{self.title}, instances by cost"
        return replace(self, slug=f"{self.slug}--costs", title=title, weighted=True)

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Dataset":
        """Make a dataset of what `plain` gave."""
        models, costs, classes = plain["models"], plain["costs"], plain.get("classes")
        return cls(
            **{
                **plain,
                "predictions": tuple(plain["predictions"]),
                "models": None if models is None else tuple(models),
                "costs": None if costs is None else Costs.from_plain(costs),
                "classes": None if classes is None else tuple(classes),
            }
        )
