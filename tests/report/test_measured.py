"""What the report says of how often its bands and verdicts held in simulations, and its sources."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from costcurves.report import measured as simulations
from costcurves.report import rendering
from costcurves.report.document import Facts, Numbering
from costcurves.report.material import Material
from costcurves.report.measured import (
    BY_COST,
    MEASURED,
    WORDS,
    Measured,
    measured,
    nearest,
    of_costs,
    of_dataset,
    quantities_of,
)
from costcurves.report.methods import Methods, methods
from costcurves.settings import Cases, Claim
from tests.fake_report import THREE, assembled, study, tables
from tests.simulations.atlas import written

ROOT = Path(__file__).parents[2]
FACTS = Facts(
    "d",
    "D",
    positive=None,
    about=Cases(),
    of="d",
    instances=130,
    positives=30,
    negatives=100,
    clusters=0,
    effective=130.0,
    repeats=1,
    folds=5,
    all_folds=5,
    prior=0.2,
    expected=(),
    level="repeat",
    estimate="cross-fitted",
    models=("A", "B"),
    fixed=(),
    same_counts=True,
)
MATERIAL = Material(FACTS, tables(), {}, (*THREE,), Numbering())


def test_the_table_is_that_of_the_simulations() -> None:
    again = "run python -m tests.simulations.atlas"
    assert MEASURED.read_text(encoding="utf-8") == written(), again


def factor(one: int, other: int) -> Fraction:
    return max(Fraction(one, other), Fraction(other, one))


@pytest.mark.parametrize("asked", [(1, 3, 1), (25, 10**6, 10), (10**6, 10**6, 100)])
@pytest.mark.parametrize("kind", ["folds", "one test set", "clusters", "weights"])
def test_no_design_is_a_guide_to_data_that_are_far(asked: tuple[int, int, int], kind: str) -> None:
    assert nearest("verdicts", *asked, kind) is None
    facts = replace(FACTS, positives=asked[0], negatives=asked[1], folds=asked[2])
    both = [MATERIAL, replace(MATERIAL, facts=replace(facts, title="far"))]
    content: Methods = methods(study(), both, {FACTS.estimate}).content
    titles = {it.words: it.titles for it in content.measured}
    assert titles[WORDS["verdicts"]] == ("D",)


@pytest.mark.parametrize("asked", [(22, 17, 8), (30, 100, 5), (30, 900, 10), (70, 45, 12)])
@pytest.mark.parametrize("quantity", ["verdicts", "curve, each", "rate-fixed, area"])
def test_the_nearest_design_has_the_least_product_of_factors(
    quantity: str, asked: tuple[int, int, int]
) -> None:
    def apart(one: Measured) -> Fraction:
        sizes = zip((one.positives, one.negatives, one.folds), asked, strict=True)
        factors = [factor(*size) for size in sizes]
        return factors[0] * factors[1] * factors[2]

    found, rivals = nearest(quantity, *asked), measured()[quantity]
    assert found is not None
    rivals = [one for one in rivals if one.kind in ("folds", "")]
    assert apart(found) == min(map(apart, rivals))
    rivals = [one for one in rivals if apart(one) == apart(found)]
    assert found.share == (max if quantity == "verdicts" else min)(one.share for one in rivals)


@pytest.mark.parametrize(
    ("quantity", "share", "error", "approximate"),
    [
        ("verdicts", 0.147, 0.02, True),
        ("verdicts", 0.147, 0.025, False),  # may be the simulation's error
        ("score-fixed, verdicts", 0.12, 0.001, False),
        ("curve, whole", 0.86, 0.019, True),
        ("curve, whole", 0.88, 0.001, False),  # misses by less than 3 %
        ("curve, whole", 1.0, 0.0, False),  # wide, not wrong
        ("running", 0.0, 0.0, False),
    ],
)
def test_approximate_is_what_holds_too_seldom(
    quantity: str, share: float, error: float, approximate: bool
) -> None:
    assert Measured(quantity, 50, 50, 10, share, error).approximate is approximate


@pytest.mark.parametrize(
    ("changes", "verdicts"),
    [
        ({}, ["verdicts"]),
        ({"folds": 1}, ["verdicts"]),
        ({"models": ("A",)}, []),
        ({"fixed": ("A",)}, []),  # one of each kind: not simulated
        ({"fixed": ("A", "B"), "estimate": "fixed in advance"}, ["sign flips"]),
        ({"estimate": "in-sample selection"}, []),
    ],
)
def test_what_is_cited_is_what_is_said(changes: dict[str, Any], verdicts: list[str]) -> None:
    facts = replace(FACTS, **changes)
    names = quantities_of(facts)
    found = of_dataset(facts, names)
    assert [one.quantity for one in found] == names  # all that is said was simulated
    assert [one.quantity for one in found if one.of_verdicts] == verdicts
    assert set(names) <= set(WORDS)


def test_a_view_by_cost_is_held_to_instances_of_equal_cost() -> None:
    found = of_costs(FACTS, negatives=17.4, positives=61.6)
    assert [one.quantity for one in found] == [*BY_COST]
    assert found == [nearest(one, 62, 17, FACTS.folds) for one in BY_COST]
    assert found != of_costs(FACTS, negatives=400, positives=61.6)


@pytest.mark.parametrize("claimed", [False, True])
def test_claims_are_listed_where_there_are_any(claimed: bool) -> None:
    claim = Claim(
        sentence="c",
        kind="cheaper",
        models=("A", "B"),
        criteria=("", ""),
        datasets=("toy",),
        ends=(0.4, 0.8),
        level=0.9,
    )
    one = replace(study(), claims=(claim,) * claimed)
    section = methods(one, [MATERIAL], {FACTS.estimate})
    words = [it.words for it in section.content.measured]
    assert (WORDS["claims"] in words) == claimed
    assert len(words) == len(set(words)) == len(quantities_of(FACTS)) + claimed


def test_estimates_costhave_their_paragraph_too() -> None:
    kinds = ["cross-fitted", "in-sample selection", "cross-fitted"]
    found = methods(study(), [MATERIAL], kinds).content.estimates
    assert found == ("cross-fitted", "in-sample selection")


QUANTITIES = ["curve, whole", "cross-fitted, cost", "verdicts", "claims", "running"]


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, {"folds", ""}),
        ({"folds": 1}, {"one test set", ""}),
        ({"clusters": 40}, {"clusters"}),
        ({"clusters": 40, "folds": 1}, {"clusters"}),
        ({"effective": 96.5}, {"weights"}),
        ({"effective": 96.5, "folds": 1}, {"weights"}),
        ({"effective": 96.5, "clusters": 40}, {"clusters"}),
    ],
)
def test_a_design_is_of_the_kind_of_the_data(changes: dict[str, Any], kinds: set[str]) -> None:
    found = of_dataset(replace(FACTS, **changes), QUANTITIES)
    assert {one.kind for one in found} == kinds
    assert len(found) == (len(QUANTITIES) if "" in kinds else 3)
    assert all(one.folds == 10 for one in found if "folds" in changes)


def test_sizes_of_clusters_are_numbers_of_clusters() -> None:
    """130 cases of 65 clusters, 30 positive: as many as 15 and 50 clusters say."""
    (found,) = of_dataset(replace(FACTS, clusters=65), ["verdicts"])
    assert found == nearest("verdicts", 15, 50, 5, "clusters")


def test_sizes_of_weighted_cases_are_those_of_as_informative_ones() -> None:
    """130 cases that say as much as 104, 30 positive: 24 and 80."""
    (found,) = of_dataset(replace(FACTS, effective=104.0), ["verdicts"])
    assert found == nearest("verdicts", 24, 80, 5, "weights")
    assert of_costs(replace(FACTS, effective=104.0), 80, 24) == of_costs(FACTS, 80, 24)


METHODS = ["resampled instances", "wilson", "sign flips"]


@pytest.mark.parametrize("appendix", [True, False])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_every_listed_reference_is_cited_and_every_cited_one_listed(
    method: str, several: bool, appendix: bool
) -> None:
    data = tables(THREE if several else {"A": THREE["A"]})
    data |= {name: data[name].assign(method=method) for name in ("intervals", "verdicts")}
    made = assembled({"toy": data}, study(appendix=appendix))
    page = rendering.html(made).partition("<main")[2].replace("<li>", "\n")
    page = re.sub(r"<[^>]+>", "", page)
    cited, _, behind = page.partition("The papers that this report cites.")
    listed, _, rest = behind.partition("The same inputs")
    assert listed
    assert rest
    for name, year in re.findall(r"^\s*([^,\n]+), .*? \((\d{4})\)\.", listed, re.MULTILINE):
        where = rf"{name}[^.;()]*[ (;]\(?(\d{{4}}; )?{year}"
        assert re.search(where, cited + rest), (name, year)
    for name, year in re.findall(
        r"(\w[\w-]+)(?: and [\w-]+)? \(?((?:19|20)\d\d)[),;]", cited + rest
    ):
        assert re.search(rf"{name}.*\({year}\)", listed), (name, year)


def test_methods_list_the_worst_of_the_nearest_designs(monkeypatch: pytest.MonkeyPatch) -> None:
    near = nearest("verdicts", 100, 100, 10)
    assert near is not None
    missed = replace(near, share=0.1467, error=0.0204)
    monkeypatch.setattr(simulations, "measured", lambda: {**measured(), "verdicts": [missed]})
    data = tables()
    sizes = {"instances": 200, "positives": 100, "negatives": 100, "folds": 10, "effective": 200.0}
    data["measures"] = data["measures"].assign(**sizes)
    page = rendering.html(assembled({"toy": data}, study()))
    assert missed.approximate
    assert "<b>15\u202f% ± 2\u202f%</b>" in page


@pytest.mark.parametrize(
    "page",
    [
        "docs/concepts.md",
        "docs/from-scikit-learn.md",
        "workflow/costcurves/api/comparison.py",
    ],
)
def test_pages_say_how_often_any_verdict_was_false(page: str) -> None:
    """Where the error is meant to be a tenth, what it was in simulations stands beside it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    shares = [one.share for one in measured()["verdicts"]]
    said = f"in simulations it was {100 * min(shares):.0f} to {100 * max(shares):.0f} %"
    assert text.replace("\n", " ").count(said) == 1
    assert not re.search(r"(?<!meant to be )at\s+most a\s+tenth", text)
