"""What the papers do has a place in a report: a table that holds it, and words that show it."""

import html
import re
from pathlib import Path

import pandas as pd
import pytest

from tests.asymmetric_study import BY_COST, NAME

# What it is: the section that shows it, words there, the table that holds it, a mark of its rows.
PLACES = {
    "cost lines and lower envelopes": ("cost-lines", "makes the envelope", "envelopes", {}),
    "operating range": ("cost-curves", "Useful", "intervals", {"quantity": "range start"}),
    "area under any prior": ("cost-curves", "Weighted cost", "intervals", {"quantity": "tec"}),
    "averages in cost space": ("cost-lines", "average", "averages", {"method": "cost-space"}),
    "averages in ROC space": ("averages", "In ROC space", "roc", {}),
    "Neyman-Pearson": ("limits", "limit", "constructions", {"criterion": "neyman-pearson"}),
    "workforce": ("limits", "limit", "constructions", {"criterion": "workforce"}),
    "suboptimal selection": ("thresholds", "rule", "criteria", {"criterion": "score-driven"}),
    "confidence bands": ("cost-curves", "band", "bands", {}),
    "paired significance": ("differences", "Costs less", "verdicts", {}),
    "hybrids by every rule, with bands": ("thresholds", "score-fixed", "choice_bands", {}),
    "one ROC/cost pair": ("roc-and-cost", "both spaces", "duality", {}),
    "threshold choice methods": ("loss_curves", "Loss", "threshold_choice", {}),
    "calibration loss": ("calibration", "Miscalibration", "calibration", {"part": "brier"}),
    "AUC": ("cost-curves", "AUC", "auc_differences", {}),
}


@pytest.fixture(scope="module")
def report(asymmetric: Path) -> Path:
    return asymmetric / "reports" / NAME


@pytest.fixture(scope="module")
def sections(report: Path) -> dict[str, str]:
    """The words of each section of the first dataset, in report and appendix."""
    page = (report / "report.html").read_text("utf-8")
    found = {}
    for part in re.split(r'(?=<section id=")', page):
        anchor = part.removeprefix('<section id="').partition('"')[0]
        words = html.unescape(re.sub(r"<(style|svg)\b.*?</\1>|<[^>]+>", " ", part, flags=re.DOTALL))
        found[anchor] = " ".join(words.split())
    return found


@pytest.mark.parametrize("what", PLACES)
def test_what_the_papers_do_is_shown_and_held(
    report: Path, sections: dict[str, str], what: str
) -> None:
    section, words, table, mark = PLACES[what]
    home = next(home for home in ("data", "appendix") if f"{home}/loans/{section}" in sections)
    assert words in sections[f"{home}/loans/{section}"]
    rows = pd.read_csv(report / "tables" / table / "loans.csv")
    for column, value in mark.items():
        rows = rows[rows[column] == value]
    assert len(rows)


def test_roc_with_costs_per_case_has_its_place(report: Path, sections: dict[str, str]) -> None:
    assert "ROC" in sections["data/loans/case-costs"]
    assert len(pd.read_csv(report / "tables" / "instance_costs" / f"{BY_COST}.csv"))


def test_one_class_against_the_rest_and_reids_axes_have_their_places(
    report: Path, sections: dict[str, str]
) -> None:
    assert {f"data/species--{one}/cost-curves" for one in ("setosa", "virginica")} <= {*sections}
    page = (report / "report.html").read_text("utf-8")
    assert '"Reid (2009): c and loss"' in page
