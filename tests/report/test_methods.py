"""Methods name the constants of the code where a study rests on them, and one estimand."""

import dataclasses
import re
from functools import cache
from typing import Any

import pytest

from costcurves.chance import resampling
from costcurves.report import methods, rendering
from costcurves.tables.keys import FIXED
from tests.fake_report import assembled, study, tables
from tests.report.test_rendering import Page

ESTIMAND = "these models as trained (with folds: the average of the folds\u2019 models)"
SPLIT: dict[str, Any] = {"folds": 1, "curves": 1}
CLUSTERS: dict[str, Any] = {"clusters": 37}
FOLDS: dict[str, Any] = {"folds": 5}


def page_of(data: dict[str, Any], **configured: Any) -> str:
    """A page of the chapter alone, without figures."""
    made = assembled({"toy": data}, study(**configured), {"toy": {}})
    alone = tuple(one for one in made.sections if one.part == "methods")
    return rendering.html(dataclasses.replace(made, sections=alone))


def said(changes: dict[str, Any], **configured: Any) -> str:
    """Words of the section of methods where a dataset has those measures."""
    data = tables()
    data["measures"] = data["measures"].assign(**(FOLDS | changes))
    page = Page(page_of(data, **configured))
    (text,) = page.text("main")
    return text[text.index("What is drawn") :]


@pytest.mark.parametrize(
    ("module", "name", "value", "changes", "words"),
    [
        (methods, "FOLDS", 7, SPLIT, "is split at random into 7 folds (fewer where"),
        (methods, "SPLITS", 4, SPLIT, "evenly: 4 times, or until"),
        (methods, "ENOUGH", 900, SPLIT, "or until 900 cases are split"),
        (resampling, "FEWEST", 12, CLUSTERS, "With fewer than 12 clusters of a class nothing"),
    ],
)
def test_a_constant_is_that_of_the_code(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    value: float,
    changes: dict[str, Any],
    words: str,
) -> None:
    monkeypatch.setattr(module, name, value)
    assert words in said(changes)


def test_what_a_study_does_not_use_is_not_named() -> None:
    assert "is split at random into" not in said({})


def test_the_estimand_is_said_once() -> None:
    text = said({})
    assert text.count("What is estimated") == 1
    assert text.count(ESTIMAND) == 1
    assert "What is estimated is the cost of" in text
    assert "The chapter “Derivations” of the documentation of costcurves derives each step" in text
    clustered = said(CLUSTERS)
    assert "on new clusters from the same source" in clustered


Case = tuple[dict[str, Any], dict[str, Any], str]  # measures, configuration, what is then said
CLAIM = {"claim": "A wins.", "kind": "cheaper", "models": ["A", "B"]}
ONLY_WHERE_USED: dict[str, Case] = {
    "equivalence": ({}, {"inference": {"equivalence": 0.05}}, "the two are called equivalent"),
    "families": ({"member": "p=0.2"}, {}, "every member of a family as many as it has"),
    "members to choose": ({"member": "p=0.2"}, {}, "the threshold (or member) with"),
    "decisions": ({"estimate": FIXED}, {}, "gives one decision for each case"),
    "other means": ({}, {"prior": {"kind": "beta", "a": 2, "b": 3}}, "The total expected cost"),
    "repeats": ({"repeats": 3}, {}, "A repeat of cross-validation adds no new cases"),
    "conditions": ({}, {"operating_conditions": [{"pc": 0.3}]}, "Operating conditions that are"),
    "claims": ({}, {"claims": [CLAIM]}, "A claim says that a curve"),
    "means": ({}, {"claims": [CLAIM | {"average": True}]}, "or that a mean over PC(+) does"),
    "one test set": (SPLIT, {}, "A test set without folds is split at random"),
}

OTHERWISE: dict[str, dict[str, Any]] = {  # what is configured where the words are not said
    "means": {"claims": [CLAIM]},
}


def methods_alone(changes: dict[str, Any], **configured: Any) -> str:
    """Words of the section alone, of one dataset."""
    data = tables()
    measures = data["measures"].assign(folds=5, repeats=1)
    for name, value in changes.items():
        if name == "member":
            data["operating_points"] = data["operating_points"].assign(member=value)
        elif name == "estimate":
            measures[name] = measures[name].mask(measures["headline"], value)
        else:
            measures[name] = value
    data["measures"] = measures
    page = page_of(data, **({"operating_conditions": []} | configured))
    (section,) = re.findall('<section id="methods".*?</section>', page, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", "", section).split())


@cache
def otherwise(case: str) -> str:
    return methods_alone({}, **OTHERWISE.get(case, {}))


@pytest.mark.parametrize("case", ONLY_WHERE_USED)
def test_methods_are_those_of_this_study_only(case: str) -> None:
    changes, configured, words = ONLY_WHERE_USED[case]
    assert words in methods_alone(changes, **configured)
    assert words not in otherwise(case if case in OTHERWISE else "")


def test_methods_do_not_say_what_was_not_done() -> None:
    text = methods_alone({})
    for words in (
        *("No difference was declared", "would have been refused", ": none"),
        *("family of its own", "Without other folds", "split at random, several times", "docs/"),
    ):
        assert words not in text
    assert "pc(+)" not in text


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clusters", [0, 4])
def test_between_sentences_is_a_space(clusters: int, weighted: bool) -> None:
    text = methods_alone({"clusters": clusters, "effective": 70.5 if weighted else 100.0})
    assert ("cases have weights" in text, "clusters are drawn whole" in text) == (
        weighted,
        clusters > 0,
    )
    assert not re.search(r"[a-z)][.][A-Z][a-z]|how often one was[.] [a-z]", text)


ONE_SET: dict[str, Any] = {"folds": 1, "repeats": 1}
OF_FOLDS = ("repeats of cross-validation", "folds of one repeat", "with folds")


def test_of_decisions_no_threshold_is_chosen() -> None:
    text = methods_alone({"estimate": FIXED} | ONE_SET, appendix=False)
    rule = text.index("Threshold rules")
    for words in (
        *("thresholds from other folds", "cross-fitted", "hindsight, with the labels"),
        *("may jump", "narrow", "thresholds chosen in the same way"),
        *(words.lower() for words in OF_FOLDS),
    ):
        assert words not in text[:rule].lower(), words
    assert "the envelope of the test set. " in text
    assert "Every decision is an operating point" in text


def test_of_scores_in_folds_they_are_named() -> None:
    text = methods_alone({})
    for words in ("The curve may jump", "thresholds chosen in the same way", *OF_FOLDS):
        assert words in text
    assert "the envelope of the test set" not in text
