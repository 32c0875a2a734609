"""What the chapter on methods says of a study, of simulations and of sources."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path

import pytest

from costcurves.chance.resampling import FEWEST
from costcurves.code import REPORT
from costcurves.counts.folds import ENOUGH, FOLDS, SPLITS
from costcurves.formats import count
from costcurves.report import measured as simulations
from costcurves.report import rendering
from costcurves.report.answer import answer_of
from costcurves.report.document import Facts
from costcurves.report.material import Material
from costcurves.report.measured import (
    BY_COST,
    MEASURED,
    WORDS,
    Measured,
    measured,
    of_costs,
    of_dataset,
    quantities_of,
)
from costcurves.report.methods import methods
from costcurves.tables.keys import FIXED
from tests.approved import PAGE
from tests.fake_report import THREE, Row, assembled, study, tables, toy
from tests.markup import part, words
from tests.simulations.atlas import written

ROOT = Path(__file__).parents[2]

# The methods of a study


@cache
def methods_of(case: str = "") -> str:
    """Words of the chapter, of one dataset."""
    changes, configured, _ = CASES.get(case, ({}, {}, ""))
    data = tables({"A": THREE["A"]} if case == "alone" else THREE)
    measures = data["measures"].assign(folds=5, repeats=1)
    for name, value in changes.items():
        stage = {"member": "operating_points", "criterion": "hybrids"}.get(name)
        if stage is not None:
            data[stage] = data[stage].assign(**{name: value})
        else:
            measures[name] = measures[name].mask(measures["headline"] | (name != "estimate"), value)
    data["measures"] = measures
    made = assembled({"toy": data}, study(**({"operating_conditions": []} | configured)))
    (section,) = (section for section in made.sections if section.part == "methods")
    return words(part(section))


CLUSTERS: Row = {"clusters": 37}
DECISIONS: Row = {"estimate": FIXED, "folds": 1, "repeats": 1}
CLAIM = {"claim": "A wins.", "kind": "cheaper", "models": ["A", "B"]}
FEW = f"into {FOLDS} folds (fewer|{SPLITS} times, or until {count(ENOUGH)}"
# Measures, configuration, and what is then said, in parts, but not of the usual study.
CASES: dict[str, tuple[Row, Row, str]] = {
    "families": ({"member": "p=0.2"}, {}, "every member of a family as|threshold (or member) with"),
    "decisions": (DECISIONS, {"appendix": False}, "the envelope of the test set. |Every decision"),
    "mean claims": ({}, {"claims": [CLAIM | {"average": True}]}, "or that a mean over PC(+) does"),
    "one test set": ({"folds": 1, "curves": 1}, {}, FEW),
    "clusters": (CLUSTERS, {}, f"on new clusters|drawn whole|fewer than {FEWEST} clusters of a"),
    "weights": ({"effective": 70.5}, {}, "cases have weights"),
    "99.9 %": ({}, {"inference": {"confidence": 0.999}}, "cases 2999 times|not at the 99.9\u202f%"),
    "rate": ({"criterion": "rate-fixed"}, {"selection": {"rate": 0.25}}, ": 25\u202f%"),
    "capacity": ({}, {"selection": {"capacity": "10%"}}, "can be handled (10%)"),
    "unpaired": ({}, {"pairing": "unpaired"}, "pairing: unpaired"),
    "pooled": ({}, {"folds_without_a_class": "pool"}, "is pooled with the other folds of its"),
    "fold": ({}, {"level": "fold"}, "the mean over the folds, each with an envelope of its own"),
    "alone": ({}, {}, "Against the no-model baselines"),
}
OF_FOLDS = ("repeats of cross-validation", "folds of one repeat", "with folds")
OF_CHOICE = ("The curve may jump", "thresholds chosen in the same way")
UNSAID = "refused|: none|family of its own|docs/|pc(+)|not drawn"
# Methods of the approved page that are not of every study
APPROVED = (
    *("of zero the two are called equivalent", "The total expected cost", "A claim says that"),
    *("A repeat of cross-validation adds no new cases", "Operating conditions that are"),
    *("with the reference Bayes", WORDS["claims"]),
)
NOT_OF_ONE = "Comparing models|Two models|Familywise"
NOT_OF_DECISIONS = "|".join(
    (*OF_FOLDS, *OF_CHOICE, "other folds", "cross-fitted", "with the labels")
)


@pytest.mark.parametrize("case", CASES)
def test_methods_are_those_of_this_study_only(case: str) -> None:
    text = methods_of(case)
    for phrase in CASES[case][2].split("|"):
        assert phrase in text
        assert phrase not in methods_of()
    assert not re.search(r"[a-z)][.][A-Z][a-z]|how often one was[.] [a-z]", text)


def test_methods_say_what_was_done_and_nothing_else() -> None:
    text = methods_of()
    page = PAGE.read_text("utf-8")
    assert [phrase for phrase in APPROVED if phrase in text or phrase not in page] == []
    assert [phrase for phrase in (*OF_FOLDS, *OF_CHOICE) if phrase not in text] == []
    decisions = methods_of("decisions").partition("Threshold rules")[0]
    alone = methods_of("alone").partition("Against the no-model")[2].partition("How often")[0]
    assert "is not ruled out at a PC(+)" in alone
    each = (text, UNSAID), (decisions, NOT_OF_DECISIONS), (alone, NOT_OF_ONE)
    for here, unsaid in each:
        assert [phrase for phrase in unsaid.split("|") if phrase in here] == []


def test_constants_are_those_of_the_code() -> None:
    template = (REPORT / "templates" / "parts" / "methods.html.j2").read_text("utf-8")
    text = re.sub(r"</?[a-z]\w*[^>{}]*>", "", template.replace("&nbsp;", " "))
    for sentence in (
        f"Simulated at a nominal {100 * simulations.NOMINAL:g} %",
        f"if confidence != {simulations.NOMINAL:g} %",
        f"by more than {100 * simulations.MISSED:g} % and two standard",
    ):
        assert sentence in " ".join(text.split())


# Simulations

SIZES: Row = {"instances": 130, "positives": 30, "negatives": 100, "effective": 130.0}
FACTS = replace(toy().facts, models=("A", "B"), **SIZES)


def test_the_table_is_that_of_the_simulations() -> None:
    again = "run python -m tests.simulations.atlas"
    assert MEASURED.read_text(encoding="utf-8") == written(), again


def known(facts: Facts) -> Material:
    """A dataset of which these are the facts, whatever its tables say."""
    material = toy()
    material.__dict__["facts"] = facts  # as if they had been read
    return material


def apart(design: Measured, sizes: Sequence[Fraction]) -> Fraction:
    """How far a design is from data: the product of factors between what they have."""
    both = zip((design.positives, design.negatives, design.folds), sizes, strict=True)
    return prod((max(ours / theirs, theirs / ours) for ours, theirs in both), start=Fraction(1))


def guides(facts: Facts, quantities: Iterable[str]) -> Iterator[Measured]:
    """The worst of the nearest designs of each quantity; of data that are far there is none."""
    cases = Fraction(facts.clusters or facts.effective) / facts.instances
    sizes = facts.positives * cases, facts.negatives * cases, Fraction(facts.folds)
    kinds = {"folds", ""}
    if facts.folds == 1:
        sizes, kinds = (*sizes[:2], Fraction(10)), {"one test set", ""}
    if facts.effective != facts.instances:
        kinds = {"weights"}
    if facts.clusters:
        kinds = {"clusters"}
    for quantity in quantities:
        designs = [design for design in measured()[quantity] if design.kind in kinds]
        least = min((apart(design, sizes) for design in designs), default=Fraction(21))
        near = [design for design in designs if apart(design, sizes) == least <= 20]
        if near:
            worst = max if near[0].false else min
            yield worst(near, key=lambda design: design.share)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"positives": 22, "negatives": 17, "instances": 39, "effective": 39.0, "folds": 8},
        {"folds": 1},
        {"clusters": 65},
        {"clusters": 40, "folds": 1},
        {"effective": 104.0},
        {"effective": 96.5, "clusters": 40},
        {"positives": 1, "negatives": 3, "instances": 4, "effective": 4.0, "folds": 1},
        {"positives": 25, "negatives": 10**6, "instances": 10**6 + 25, "effective": 10**6 + 25},
    ],
)
def test_of_each_quantity_the_worst_of_the_nearest_designs_is_shown(changes: Row) -> None:
    facts = replace(FACTS, **changes)
    assert of_dataset(facts, WORDS) == [*guides(facts, WORDS)]


def test_data_that_are_far_from_all_designs_have_no_guide() -> None:
    far = replace(FACTS, title="far", positives=10**6, negatives=10**6, folds=100)
    assert of_dataset(far, WORDS) == []
    shown = methods(study(), [known(FACTS), known(far)]).content.simulated
    assert {each.words: each.titles for each in shown}[WORDS["verdicts"]] == ("Toy",)


def test_what_is_weighted_by_cost_is_compared_with_cases_of_equal_cost() -> None:
    equal = replace(FACTS, positives=62, negatives=17)
    designs = of_costs(replace(FACTS, effective=104.0), negatives=17.4, positives=61.6)
    assert designs == [*guides(equal, BY_COST)]
    assert [design.quantity for design in designs] == [*BY_COST]


@pytest.mark.parametrize(
    ("quantity", "share", "error", "approximate"),
    [
        ("verdicts", 0.147, 0.02, True),
        ("score-fixed, verdicts", 0.147, 0.025, False),  # may be the simulation's error
        ("curve, whole", 0.86, 0.019, True),
        ("curve, whole", 0.88, 0.001, False),  # misses by less than 3 %
        ("running", 0.0, 0.0, False),  # wide, not wrong
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
        ({"models": ("A",)}, []),
        ({"fixed": ("A",)}, []),  # one of each kind: not simulated
        ({"fixed": ("A", "B"), "estimate": FIXED, "all_folds": 1}, ["sign flips"]),
        ({"estimate": "in-sample selection"}, []),
    ],
)
def test_what_is_cited_is_what_is_said(changes: Row, verdicts: list[str]) -> None:
    facts = replace(FACTS, **changes)
    names = quantities_of(facts)
    designs = [design.quantity for design in of_dataset(facts, names)]
    assert designs == names  # all that is said was simulated
    assert [name for name in designs if name in simulations.VERDICTS] == verdicts
    assert ("line, whole" in names) is ("all_folds" in changes)
    assert answer_of([known(facts)]).simulated is bool(verdicts)


@pytest.mark.parametrize(
    "page",
    ["docs/concepts.md", "docs/from-scikit-learn.md", "workflow/costcurves/api/comparison.py"],
)
def test_pages_say_how_often_any_verdict_was_false(page: str) -> None:
    """Where the error is meant to be a tenth, what it was in simulations stands beside it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    shares = [design.share for design in measured()["verdicts"]]
    phrase = f"in simulations it was {100 * min(shares):.0f} to {100 * max(shares):.0f} %"
    assert text.replace("\n", " ").count(phrase) == 1
    assert not re.search(r"(?<!meant to be )at\s+most a\s+tenth", text)


# Sources


@pytest.mark.parametrize(
    ("method", "models", "appendix"),
    [
        ("resampled instances", "ABC", True),
        ("resampled instances", "A", False),
        ("wilson", "A", True),
        ("sign flips", "ABC", False),
    ],
)
def test_every_listed_reference_is_cited_and_every_cited_one_listed(
    method: str, models: str, appendix: bool
) -> None:
    data = tables({model: THREE[model] for model in models})
    data |= {name: data[name].assign(method=method) for name in ("intervals", "verdicts")}
    made = assembled({"toy": data}, study(appendix=appendix))
    page = rendering.html(made).partition("<main")[2].replace("<li>", "\n")
    page = re.sub(r"<[^>]+>", "", page)
    before, _, behind = page.partition("The papers that this report cites.")
    listed, _, rest = behind.partition("The same inputs")
    cited = before + rest
    for name, year in re.findall(r"^\s*([^,\n]+), .*? \((\d{4})\)\.", listed, re.MULTILINE):
        assert re.search(rf"{name}[^.;()]*[ (;]\(?(\d{{4}}; )?{year}", cited), (name, year)
    names = re.findall(r"(\w[\w-]+)(?: and [\w-]+)? \(?((?:19|20)\d\d)[),;]", cited)
    assert len(names) > 9
    for name, year in names:
        assert re.search(rf"{name}.*\({year}\)", listed), (name, year)
