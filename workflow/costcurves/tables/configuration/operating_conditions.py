"""The operating conditions that a study marks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from costcurves.formats import condition
from costcurves.tables.configuration.declared import Must, Name, Plain, Positive, Proportion, Share

GIVEN: Final = Must(type="number")  # one that is not given is left out: null is none
WAYS: Final = (("pc",), ("prior", "cost_ratio"), ("prior", "cost_fn", "cost_fp"))


@dataclass(frozen=True)
class ConditionKeys(Plain):
    """What a configuration says of an operating condition."""

    name: Name | None = None
    """How figures and tables call it. Default: its PC(+), such as "PC(+) = 0.5"."""

    pc: Annotated[Share | None, GIVEN] = None
    """PC(+), the probability cost, from 0 to 1."""

    prior: Annotated[Proportion | None, GIVEN] = None
    """The proportion of positives in deployment, between 0 and 1."""

    cost_ratio: Annotated[Positive | None, GIVEN] = None
    """C(-|+) / C(+|-), the cost of a false negative over that of a false positive."""

    cost_fn: Annotated[Positive | None, GIVEN] = None
    """C(-|+), the cost of a false negative, above 0."""

    cost_fp: Annotated[Positive | None, GIVEN] = None
    """C(+|-), the cost of a false positive, above 0."""


OneWay = Annotated[
    ConditionKeys,
    Must(
        title="either pc, or prior with cost_ratio, or prior with cost_fn and cost_fp (and in each "
        "case an optional name)",
        oneOf=[{"required": [*way], "propertyNames": {"enum": ["name", *way]}} for way in WAYS],
    ),
]


@dataclass(frozen=True)
class OperatingCondition(Plain):
    """A marked operating condition."""

    name: str
    pc: float
    prior: float | None = None  # in deployment; None: given as PC(+)
    cost_ratio: float | None = None  # C(-|+) / C(+|-)

    @classmethod
    def configured(cls, content: Mapping[str, Any]) -> "OperatingCondition":
        """Make one of its configuration: a PC(+), or a prior and a ratio of costs.

        >>> OperatingCondition.configured({"prior": 0.5, "cost_fn": 3, "cost_fp": 1})
        OperatingCondition(name='PC(+) = 0.75', pc=0.75, prior=0.5, cost_ratio=3.0)
        """
        if content.get("pc") is not None:
            pc, prior, ratio = float(content["pc"]), None, None
        else:
            from costcurves.maths import cost_space  # imports numpy

            prior = float(content["prior"])
            ratio = float(content.get("cost_ratio") or content["cost_fn"] / content["cost_fp"])
            pc = float(cost_space.pc_from_ratio(ratio, prior))
        return cls(content.get("name") or condition(pc), pc, prior, ratio)
