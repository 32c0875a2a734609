"""The section of claims: every verdict in words and a sign, the author's words as text."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from costcurves.many.claims import CLAIMS
from costcurves.report import rendering
from costcurves.report.claims import claims as section_of_claims
from costcurves.report.document import Numbering, Report
from costcurves.report.material import facts_of
from costcurves.settings import Claim
from tests import fake_report
from tests.said import say

SENTENCE = "A <b>wins</b> {{7*7}} </script>"


def claims(*changes: dict[str, object]) -> pd.DataFrame:
    """A table of claims about the models of the fake report, one dataset each."""
    row = fake_report.row(
        CLAIMS,
        {"claim": SENTENCE, "verdict": "SUPPORTED", "kind": "cheaper", "decides": True},
        {"model_a": "A", "model_b": "B", "pc_from": 0.4, "pc_to": 0.8, "at_pc": 0.4},
        {"value": -0.05, "low": -0.09, "high": -0.01, "limit": 0.0},
        {"kept_from": 0.4, "kept_to": 0.8, "kept_share": 1.0},
        {"dataset_p_value": 0.01, "p_value": 0.03, "level": 0.9, "confidence": 0.95},
        {"stage": "headline", "most": 1.0, "crossing": np.nan},
        key="model = A, piece = 1; model = B, piece = 0",
    )
    return CLAIMS.rows([{**row, "number": at, **change} for at, change in enumerate(changes, 1)])


THREE = claims(
    {},
    {"verdict": "CONTRADICTED", "kind": "equivalent", "limit": 0.02, "pc_from": 0.8},
    {
        "verdict": "UNDECIDED",
        "kind": "at most",
        "model_b": "",
        "mean": "tec",
        "at_pc": np.nan,
        "limit": 0.2,
        "value": 0.19,
        "low": 0.15,
        "high": 0.23,
        "stage": "measures",
    },
)


def report(table: pd.DataFrame | None, prior: float = 0.4) -> Report:
    whole = {} if table is None else {"": {"claims": table}}
    return fake_report.assembled({"toy": fake_report.tables(prior=prior), **whole})


@pytest.fixture(scope="module")
def page() -> str:
    return rendering.html(report(THREE))


def test_verdicts_have_a_sign_and_a_word(page: str) -> None:
    for shown in ("✓ supported", "✗ contradicted", "? undecided"):
        assert f"<b>{shown}</b>" in page


def test_the_first_page_counts_what_is_supported_and_leads_there(page: str) -> None:
    first = page.split('<section id="claims"')[0]
    partly = "1 undecided (1 supported on a part of the range)"
    assert f"3 claims: 1 supported, 1 contradicted and {partly}." in first
    assert 'href="#claims"' in first


def test_the_first_page_is_silent_where_no_claim_is_decided() -> None:
    made = rendering.html(report(THREE.assign(verdict="UNDECIDED")))
    first, own = made.split('<section id="claims"')
    said = "3 claims: none contradicted and 3 undecided"
    assert said not in first
    assert said in own


def test_the_authors_words_are_text(page: str) -> None:
    assert "<b>wins</b>" not in page
    assert "A &lt;b&gt;wins&lt;/b&gt; {{7*7}} &lt;/script&gt;" in page


def test_what_was_tested_is_said_in_our_words() -> None:
    section = next(one for one in report(THREE).sections if one.part == "claims")
    assert [say("asserted", row) for row in section.content.table.rows] == [
        "A costs less than B for PC(+) 0.40\u20130.80, on Toy",
        "A and B differ by less than 0.020 at PC(+) = 0.80, on Toy",
        "A costs at most 0.200 in the mean over PC(+), weighted by the prior of the study, on Toy",
    ]
    assert [row.numbers["limit"] for row in section.content.table.rows] == [
        "below 0",
        "within ±0.020",
        "below 0.200",
    ]


def test_what_was_judged_on_the_data_that_chose_is_called_so() -> None:
    changes = {"criterion_a": "cost-minimizing", "in_sample": True}
    section = next(one for one in report(claims(changes)).sections if one.part == "claims")
    (row,) = section.content.table.rows
    assert say("asserted", row).endswith(
        "on Toy (in-sample: thresholds chosen in hindsight, so nothing can be decided)"
    )


def test_numbers_of_the_configuration_are_not_rounded() -> None:
    changes = {
        "pc_from": 0.445,
        "pc_to": 0.84,
        "at_pc": 0.445,
        "kind": "not worse",
        "limit": 0.0125,
    }
    section = next(one for one in report(claims(changes)).sections if one.part == "claims")
    (row,) = section.content.table.rows
    asserted = "A costs at most 0.0125 more than B for PC(+) 0.445\u20130.84, on Toy"
    assert say("asserted", row) == asserted
    assert (row.numbers["where"], row.numbers["limit"]) == ("at PC(+) = 0.445", "below 0.0125")


def test_a_part_of_the_range_that_is_supported_is_named() -> None:
    part: dict[str, object] = {"verdict": "UNDECIDED", "kept_from": 0.53, "kept_share": 0.7}
    nothing: dict[str, object] = {"verdict": "UNDECIDED", "kept_share": 0.0}
    found = report(claims({}, part, nothing))
    section = next(one for one in found.sections if one.part == "claims")
    assert [row.numbers["kept"] for row in section.content.table.rows] == [
        "",
        "supported on 70\u202f% of the range, the longest stretch PC(+) 0.53\u20130.80",
        "",
    ]
    text = rendering.html(found)
    undecided = "2 undecided (1 supported on a part of the range)"
    assert f"3 claims: 1 supported, none contradicted and {undecided}" in text
    assert text.count("<b>? undecided</b>") == 2
    assert text.count("the longest stretch PC(+) 0.53\u20130.80") == 1


def test_the_methods_explain_claims_where_there_are_any() -> None:
    one = Claim(
        sentence="c",
        kind="cheaper",
        models=("A", "B"),
        criteria=("", ""),
        datasets=("toy",),
        ends=(0.4, 0.8),
        level=0.9,
    )
    for claimed in ((), (one,)):
        made = replace(fake_report.study(), claims=claimed)
        text = rendering.html(fake_report.assembled({"toy": fake_report.tables()}, made))
        assert ('id="methods/claims"' in text) == bool(claimed)
        assert ("fixed before the data were looked at" in text) == bool(claimed)


def test_criteria_are_named_beside_their_models() -> None:
    kinds: tuple[dict[str, object], ...] = (
        {"criterion_a": "score-driven", "criterion_b": "cross-fitted", "model_b": "A"},
        {
            "model_a": "no model",
            "model_b": "A",
            "criterion_b": "rate-fixed",
            "stage": "hybrids",
        },
    )
    section = next(one for one in report(claims(*kinds)).sections if one.part == "claims")
    pair, single = section.content.table.rows
    assert say("asserted", pair).startswith("A (score-driven) costs less than A (cross-fitted) for")
    assert say("asserted", single).startswith(
        "the cheaper no-model baseline costs less than A (rate-fixed) for PC(+) 0.40"
    )


def test_a_claim_by_cost_says_so_and_where_each_dataset_is_judged() -> None:
    kinds: dict[str, object] = {
        "number": 1,
        "by_cost": True,
        "kept_from": np.nan,
        "kept_share": np.nan,
    }
    at = [{**kinds, "pc_from": pc, "pc_to": pc, "at_pc": pc} for pc in (0.2, 0.3)]
    both = claims(at[0], {**at[1], "decides": False, "dataset": "other"})
    toy = facts_of(fake_report.study().datasets[0], fake_report.tables(), "fold")
    facts = {
        "toy": toy,
        "toy--costs": replace(toy, slug="toy--costs", title="Toy, weighted by cost"),
        "other--costs": replace(toy, slug="other--costs", title="Other, weighted by cost"),
    }
    section = section_of_claims(both, facts, Numbering())
    assert section is not None
    (row,) = section.content.table.rows
    assert say("asserted", row) == (
        "A costs less than B at the PC(+) of the mean costs of each, on Toy, weighted by cost and "
        "Other, weighted by cost"
    )
    one = section_of_claims(claims(at[0]), facts, Numbering())
    assert one is not None
    (row,) = one.content.table.rows
    said = "A costs less than B at PC(+) = 0.20, on Toy, weighted by cost"
    assert say("asserted", row) == said


def test_without_claims_there_is_no_section() -> None:
    for table in (None, claims()):
        assert "claims" not in [one.part for one in report(table).sections]
