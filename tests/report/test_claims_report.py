"""The section of claims: every verdict in words and a sign, the author's words as text."""

import numpy as np
import pandas as pd
import pytest

from costcurves.many.claims import CLAIMS
from costcurves.report import rendering
from costcurves.report.claims import Claims
from costcurves.report.claims import claims as section_of_claims
from costcurves.report.document import Numbering
from tests import fake_report
from tests.fake_report import Row
from tests.markup import say

TITLES = {"toy": "Toy"}
TITLES |= {f"{name.lower()}--costs": f"{name}, weighted by cost" for name in ("Toy", "Other")}


def claims(*changes: Row) -> pd.DataFrame:
    """A table of claims about the models of the fake report, one dataset each."""
    row = fake_report.row(
        CLAIMS,
        {"claim": "A <b>wins</b> {{7*7}} </script>", "verdict": "SUPPORTED", "kind": "cheaper"},
        {"model_a": "A", "model_b": "B", "pc_from": 0.4, "pc_to": 0.8, "at_pc": 0.4},
        {"value": -0.05, "low": -0.09, "high": -0.01, "limit": 0.0, "decides": True},
        {"kept_from": 0.4, "kept_to": 0.8, "kept_share": 1.0, "most": 1.0, "crossing": np.nan},
        {"level": 0.9, "confidence": 0.95, "stage": "headline"},
    )
    return CLAIMS.rows([{**row, "number": at, **change} for at, change in enumerate(changes, 1)])


def content_of(*changes: Row) -> Claims:
    section = section_of_claims(claims(*changes), TITLES, Numbering())
    assert section is not None
    content: Claims = section.content
    return content


IN_SAMPLE: Row = {"criterion_a": "cost-minimizing", "in_sample": True}
RULES: Row = {"criterion_a": "score-driven", "criterion_b": "cross-fitted", "model_b": "A"}
NO_MODEL: Row = {"model_a": "no model", "model_b": "A", "criterion_b": "rate-fixed"}
EXACT: Row = {"pc_from": 0.445, "pc_to": 0.84, "kind": "not worse", "limit": 0.0125}
BY_COST: Row = {"number": 1, "by_cost": True, "pc_from": 0.2, "pc_to": 0.2}
OTHER: Row = BY_COST | {"pc_from": 0.3, "pc_to": 0.3, "decides": False, "dataset": "other"}
ALL = "for PC(+) 0.40\u20130.80, on Toy"


@pytest.mark.parametrize(
    ("changes", "asserted"),
    [  # numbers of the configuration are not rounded
        ([EXACT], "A costs at most 0.0125 more than B for PC(+) 0.445\u20130.84, on Toy"),
        (
            [IN_SAMPLE],
            f"A (cost-minimizing) costs less than B {ALL} (in-sample: thresholds chosen in "
            "hindsight, so nothing can be decided)",
        ),
        ([RULES], f"A (score-driven) costs less than A (cross-fitted) {ALL}"),
        ([NO_MODEL], f"the cheaper no-model baseline costs less than A (rate-fixed) {ALL}"),
        (
            [BY_COST, OTHER],
            "A costs less than B at the PC(+) of the mean costs of each, on Toy, weighted by cost "
            "and Other, weighted by cost",
        ),
    ],
)
def test_what_was_tested_is_said_in_our_words(changes: list[Row], asserted: str) -> None:
    (row,) = content_of(*changes).table.rows
    assert say("asserted", row) == asserted
    assert row.numbers["limit"] == f"below {changes[0].get('limit', 0)}"


UNDECIDED: Row = {"verdict": "UNDECIDED", "kept_share": 0.0}


def test_undecided_claims_are_counted_below_and_the_authors_words_are_text() -> None:
    none = say("claims", content_of(UNDECIDED, UNDECIDED))
    assert none.endswith("2 claims: none contradicted and 2 undecided")
    whole = {"claims": claims(UNDECIDED)}
    page = rendering.html(fake_report.assembled({"toy": fake_report.tables(), "": whole}))
    first, section = page.split('<section id="claims"')
    assert 'class="more kind" href="#claims"' not in first
    assert "<b>wins</b>" not in page
    assert "A &lt;b&gt;wins&lt;/b&gt; {{7*7}} &lt;/script&gt;" in section
