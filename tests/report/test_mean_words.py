"""What a report says of pairs whose mean costs differ though no range is decided."""

import pandas as pd
import pytest

from costcurves.report import rendering
from costcurves.report.document import Report
from tests.fake_report import assembled, study, tables, verdict
from tests.report.test_rendering import Page

ENDS = {"family": "all pairs", "quantity": "area", "condition": "", "p_value": 0.02}
PLACES = ("quantity", "model_a", "model_b", "value", "low", "high", "p_value")


def made(*rows: tuple[object, ...]) -> Report:
    """A and B undecided everywhere, and so B and C; A cheaper than C on a range."""
    data = tables()
    data["verdicts"] = pd.DataFrame(
        [
            verdict("A", "B", 0.0, 1.0, "undecided"),
            verdict("B", "C", 0.0, 1.0, "undecided"),
            verdict("A", "C", 0.0, 0.4, "undecided"),
            verdict("A", "C", 0.4, 1.0, "A cheaper"),
        ]
    )
    each = [ENDS | dict(zip(PLACES, row, strict=True)) for row in rows]
    data["pair_intervals"] = pd.DataFrame(each)
    return assembled({"toy": data}, study())


def said(report: Report) -> str:
    (text,) = Page(rendering.html(report)).text("main")
    return text


LESS = ("area", "A", "B", -0.031, -0.052, -0.01, 0.02)
MORE = ("area", "A", "B", 0.031, 0.01, 0.052, 0.02)
SURER = ("area", "B", "C", 0.07, 0.04, 0.1, 0.003)
OF_LESS = "A costs 0.031 less than B (0.010 to 0.052)"
OF_SURER = "C costs 0.070 less than B (0.040 to 0.100)"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([LESS], f"{OF_LESS}."),
        ([MORE], "B costs 0.031 less than A (0.010 to 0.052)."),
        ([LESS, SURER], f"{OF_SURER} and {OF_LESS}."),
    ],
)
def test_pairs_that_differ_in_their_means_alone_are_named(
    rows: list[tuple[object, ...]], words: str
) -> None:
    start = "but their mean costs over all PC(+) (adjusted for all pairs): "
    assert start + words in said(made(*rows))


@pytest.mark.parametrize(
    "row",
    [
        ("area", "A", "B", -0.031, -0.07, 0.01, 0.2),  # may be chance
        ("tec", "A", "B", -0.031, -0.052, -0.01, 0.02),  # another mean
        ("area", "A", "C", -0.031, -0.052, -0.01, 0.02),  # a range is decided
    ],
)
def test_of_other_pairs_there_is_nothing(row: tuple[object, ...]) -> None:
    assert "but their mean costs over all" not in said(made(row))
