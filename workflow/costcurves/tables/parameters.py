"""What the tables of a dataset depend on beside its predictions, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from costcurves.tables.configuration.settings import Inference, OperatingCondition

if TYPE_CHECKING:
    from costcurves.tables.configuration.dataset import Dataset
    from costcurves.tables.configuration.study import Study


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The parameters of one dataset, those of its study among them."""

    dataset: str
    original: str  # the dataset whose cases and random numbers it shares, or itself
    level: str
    seed: int
    every_threshold: bool
    selection: Mapping[str, Any]
    weight_of_pc: Mapping[str, Any]  # for total expected cost
    prior: float | None  # the proportion of positives in deployment; None: that of the data
    inference: Mapping[str, Any]
    operating_conditions: Sequence[Mapping[str, Any]]
    weighted: bool
    cost_matrix: Mapping[str, Mapping[str, float]] | None = None

    @property
    def confidence(self) -> float:
        """The level of intervals and bands."""
        return float(self.inference["confidence"])

    @property
    def of_ranges(self) -> dict[str, Any]:
        """How uncertainty of verdicts on ranges of PC(+) is measured."""
        named = any(OperatingCondition(**one).named for one in self.operating_conditions)
        return Inference(**self.inference).of_ranges(named).plain()


def parameters_of(study: "Study", dataset: "Dataset") -> Parameters:
    """Take the parameters of one of a study's datasets."""
    return Parameters(
        dataset=dataset.name,
        original=dataset.original,
        level=study.level,
        seed=study.seed,
        every_threshold=study.every_threshold,
        selection=study.applied.plain(),
        weight_of_pc=study.prior.plain(),
        prior=dataset.prior,
        inference=study.inference.plain(),
        operating_conditions=[one.plain() for one in study.operating_conditions],
        weighted=dataset.weighted,
        cost_matrix=dataset.cost_matrix,
    )
