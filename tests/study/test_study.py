"""A study's configuration: what it means, and what each mistake is answered with."""

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from costcurves import settings
from costcurves.choosing.rules import LIMITS, RULES
from costcurves.errors import InputError
from costcurves.settings import KNOWN_CRITERIA, Place, Prior, Study, keys_of
from costcurves.study.reading import parse_study, read_study
from costcurves.study.strict_yaml import read_document
from docs.site import reference
from tests.small_study import ROOT

WINE: dict[str, Any] = {"name": "wine", "predictions": ["wine.csv"]}
TEXT: Final = """\
study: full-1.0
title: <b>Which?</b>
seed: 0
level: pooled
folds_without_a_class: pool
pairing: unpaired
reference: 1R
anonymous: true
appendix: true
operating_conditions:
- {pc: 0}
- {name: costly, prior: 0.2, cost_ratio: 4}
- {prior: 0.2, cost_fn: 8, cost_fp: 1}
- {cost_fn: 5, cost_fp: 2, unit: EUR}
prior: {kind: beta, a: 2, b: 5.5, low: 0.1, high: 0.9}
inference: {confidence: 0.95, resamples: 600, equivalence: 0.01, band: normal}
selection: {criteria: [workforce, score-fixed, neyman-pearson], score_threshold: -1.5, rate: 0.25,
  max_fp_rate: 0, capacity: 2.5%}
claims:
- {claim: c, kind: cheaper, models: [1R, NA], pc: [0.445, 0.5]}
- {claim: d, kind: at most, models: [NA], at_most: 0.5, pc: 0.3}
datasets:
- {name: e, predictions: [b.csv], classes: {a: p, b: q, c: r}}
- name: wine
  predictions: [wine.csv]
  title: The wine
  about: {case: wines, positive: reds}
  positive: "yes"
  prior: 0.2
  models: [1R, NA]
  costs: {column: x, benefit: {tp: 1, fp: {coefficient: -1}, fn: 0.5, tn: {constant: 1}}}
  columns: {label: q, score: [a, b]}
  where: [a == b]
  abstain: negative
  expected: [reversed]
"""
WHOLE: Final[dict[str, Any]] = yaml.safe_load(TEXT)


def parsed(**changes: Any) -> Study:
    return parse_study({"study": "s", "datasets": [WINE], **changes}, files=False)


def test_the_least_configuration_and_its_defaults() -> None:
    conditions = [
        {"name": name, "pc": None, "cost_ratio": ratio, "named": False}
        for name, ratio in {"1:5": 0.2, "1:1": 1.0, "5:1": 5.0}.items()
    ]
    plain = {"study": "s", "title": "s", "operating_conditions": conditions, "claims": []}
    dataset = WINE | {"title": "wine", "slug": "wine"}
    assert parsed() == Study.from_plain({**plain, "datasets": [dataset]})


def test_everything_that_can_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"wine.csv": "", "b.csv": "", "c.yaml": TEXT}.items():
        Path(name).write_text(text)
    study = read_study("c.yaml")
    assert [(place.name, place.pc, place.cost_ratio) for place in study.operating_conditions] == [
        ("PC(+) = 0", 0.0, None),
        ("costly", 0.5, 4.0),
        ("PC(+) = 0.6667", pytest.approx(2 / 3, abs=1e-15), 8.0),
        ("2.5:1", None, 2.5),
    ]
    assert study.selection.criteria == ("workforce", "score-fixed", "neyman-pearson")
    assert study.prior == Prior("beta", a=2, b=5.5, low=0.1, high=0.9)
    names = [dataset.name for dataset in study.datasets]
    assert names == ["e: a", "e: b", "e: c", "wine", "wine--costs"]
    wine = study.datasets[3]
    assert (wine.title, wine.positive, wine.models) == ("The wine", "yes", ("1R", "NA"))
    assert (wine.reference, wine.pairing, wine.folds_without_a_class) == ("1R", "unpaired", "pool")
    assert Study.from_plain(json.loads(json.dumps(asdict(study)))) == study


def test_criteria_are_considered_when_they_have_what_they_need() -> None:
    """And a capacity is cases of each pass, or a share."""
    chosen = (*KNOWN_CRITERIA[:2], "score-driven", "rate-fixed")
    for keys, considered in (
        ({"max_fp_rate": 0.1, "capacity": 0}, KNOWN_CRITERIA),
        ({}, KNOWN_CRITERIA[:-2]),
        ({"criteria": ["rate-fixed", "score-driven"]}, chosen),
    ):
        made = parsed(selection=keys).selection
        assert made.considered() == considered
        whose_chance_is_measured = [name for name in considered if name in {*RULES} - {*LIMITS}]
        assert [*made.unlimited()] == whose_chance_is_measured
    each = (30, 2000, 10, 300), (0, 200, 1, 0), ("10%", 208, 1, 20.8), ("150%", 200, 0.5, 300)
    for capacity, cases, passes, handled in each:
        made = parsed(selection={"capacity": capacity}).selection
        assert made.handled(cases, passes) == pytest.approx(handled, abs=1e-12)


def test_the_default_study_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = read_study("config/config.yaml")
    meant = {dataset.name: dataset.about.positive for dataset in study.counted}
    credit = {"japanese-credit": "approved", "german-credit": "good customers"}
    assert meant == {"sonar": "mines", **credit}  # as data/README.md has it


# What is refused. What a file is, before its keys are looked at, is in `test_yaml`.


def inside(group: str, **keys: Any) -> dict[str, Any]:
    """A configuration with these keys in a group."""
    whole = {"operating_conditions": [keys], "datasets": [WINE | keys]}
    return {group: whole.get(group, keys)}


prior, selection = partial(inside, "prior"), partial(inside, "selection")
place, wine = partial(inside, "operating_conditions"), partial(inside, "datasets")
NAME = "expected a name of letters, digits, '.'"
AMOUNT = "expected a whole number of cases, or a share of them such as '10%'"
EITHER = "expected either pc, or cost_ratio, or cost_fn and cost_fp"
LIST = "expected a list (- before each item)"
BENEFIT = dict.fromkeys(("tp", "fp", "tn"), 0) | {"fn": {"coefficient": -1}}
FIVES = [{"cost_ratio": 5}, {"cost_fn": 10, "cost_fp": 2}]

REFUSED: list[tuple[dict[str, Any], str]] = [
    # keys, types and bounds
    ({"sead": 1}, "configuration: sead is not a known key; did you mean 'seed'?"),
    ({"xyzzy": 1}, "xyzzy is not a known key; known are 'study', 'title', 'description',"),
    ({"inference": {"baseline": "A"}}, "inference.baseline was replaced: name the model in use in"),
    ({"study": None}, "configuration: study is null, expected text"),
    ({"study": "s\n"}, f"study is 's\\n', {NAME}"),
    ({"title": ""}, "title is empty, expected text"),
    ({"title": "a\u202eb"}, r"title has the control or text-reordering character '\u202e'"),
    ({"description": "a\ud800"}, r"description has the character '\ud800', expected plain text"),
    ({"detail": "full"}, "expected one of 'standard', 'quick'; 'appendix: true' adds further figu"),
    ({"level": "folds"}, "level is 'folds', expected one of 'fold', 'repeat', 'pooled'"),
    ({"reference": " "}, "reference is blank"),
    ({"datasets": []}, "datasets is a list of 0, expected 1 or more"),
    ({"datasets": {"name": "a"}}, f"datasets is keys 'name', {LIST}"),
    ({"datasets": [WINE, WINE]}, "datasets[1] is called 'wine' like one before"),
    ({"datasets": [WINE, WINE | {"name": "wine "}]}, "is called 'wine ', which looks like 'wine'"),
    # operating conditions and priors
    (place(pc="1e-3"), "pc is '1e-3', expected a number (no quotes; 1.0e-3, not 1e-3)"),
    (place(pc=0.5, prior=0.1), f"[0] is given with 'pc', 'prior', {EITHER}"),
    (place(cost_ratio=2, unit="EUR"), f"given with 'cost_ratio', 'unit', {EITHER}"),
    ({"operating_conditions": [{"pc": 0.5}] * 101}, "is a list of 101, expected 100 or fewer"),
    ({"operating_conditions": FIVES}, "operating_conditions[1] is called '5:1' like one before it"),
    (prior(kind="beta", a=1), "prior lacks the key 'b', which 'beta' needs"),
    (prior(kind="uniform", a=1), "prior.a is given, but 'uniform' has none"),
    (prior(kind="uniform", low=0.5, high=0.5), "prior is no distribution: Uniform: the bounds of"),
    (prior(kind="beta", a=1e6, b=1, high=0.1), "Beta(1000000.0, 1) has no mass between"),
    # inference and selection
    (selection(criteria=["neyman-pearson"]), "is 'neyman-pearson', which needs selection.max_fp_r"),
    (selection(criteria=["workforce"], max_fp_rate=0.1), "which needs selection.capacity: give it"),
    (selection(capacity=0.1), f"selection.capacity is 0.1, {AMOUNT}"),
    (selection(capacity="10%\n"), f"capacity is '10%\\n', {AMOUNT}"),
    # datasets
    (wine(predictions=["a", "a"]), "predictions has 'a' twice"),
    (wine(about={"positive": "x" * 201}), "positive has 201 characters, expected at most 200"),
    (wine(expected=["reverse"]), "[0] is 'reverse', which is no finding; did you mean 'reversed'"),
    (wine(classes=["a", "b", "c"], costs={}), "costs can't be given with 'classes:': what a mista"),
    (wine(costs={"benefit": BENEFIT}), "costs lacks the key 'column': benefit.fn grows with its"),
    (wine(costs={"column": "x"}), "costs.column is given, but no cell of 'benefit:' has a coeff"),
    (wine(costs={"column": "label", "benefit": BENEFIT}), "is 'label', which holds names, expec"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_what_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        parsed(**changes)


LARGE = [10**400, -(10**400), float("inf"), -float("inf"), float("nan"), 1e101, -1e308]


def test_no_key_takes_a_number_that_cannot_be_computed_with() -> None:
    limit = "at least|more than|less than|at most"
    expected = rf"is \S+, expected a (number that is ({limit}) [-+0-9.e]+|whole number)"
    every = [kind for group in reference.GROUPS.values() for kind in keys_of(group).values()]
    kinds = [kind for kind in every if {int, float} & {of for of, _ in settings.alternatives(kind)}]
    assert len(kinds) > 25
    for kind, value in product(kinds, LARGE):
        findings: list[tuple[Place, str]] = []
        settings.built(kind, value, (), findings)
        assert [bool(re.match(expected, why)) for _, why in findings] == [True], kind


def test_findings_are_listed_at_once_in_the_order_of_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("sead: 1\nstudy: [s]\nlevel: all\ndatasets:\n  - name: 1\n    positve: a\n")
    with pytest.raises(InputError) as caught:
        read_study(path)
    lines = [re.findall(r" line (\d+: \S+)", finding) for finding in caught.value.findings]
    inside = ["5: datasets[0]"], ["5: datasets[0].name"], ["6: datasets[0].positve"]
    assert lines == [["1: sead"], ["2: study"], ["3: level"], *inside]
    assert read_document(path).lines["datasets", 0, "positve"] == 6
    lacks = [f"configuration: lacks the key {key!r}" for key in ("study", "datasets")]
    with pytest.raises(InputError) as caught:
        parse_study({})
    assert [*caught.value.findings] == lacks
    with pytest.raises(InputError, match="configuration: is a list of 0, expected keys with"):
        parse_study([])  # type: ignore[arg-type]


# The schema, which is written of the same declarations.


def test_what_is_written_of_keys_is_what_is_declared() -> None:
    """`make reference` writes both anew."""
    Draft202012Validator.check_schema(reference.schema())
    assert sum(len(keys_of(group)) for group in reference.GROUPS.values()) <= 86  # as was agreed
    text = reference.README.read_text(encoding="utf-8")
    assert text == reference.readme()
    tables = sorted(table[2] for table in reference.TABLE.finditer(text))
    assert tables == sorted(reference.GROUPS)
    assert reference.SCHEMA.read_text(encoding="utf-8") == reference.published()
    for example in re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL):
        assert parse_study(yaml.safe_load(example), files=False)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=3)
KEYS = WORDS | st.sampled_from(["kind", "Cell", "float", "a", "name", "tp", "pc"])
# A float such as 1.0 is a whole number to the schema.
FLOATS = st.floats(allow_nan=False).filter(lambda number: not number.is_integer())
SCALARS = st.none() | st.booleans() | st.integers() | FLOATS | KEYS
ANYTHING = st.recursive(
    SCALARS | st.sampled_from(["10%", "wide", 10**400, "x" * 300]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
VALIDATOR = Draft202012Validator(reference.schema())


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Each place in a configuration."""
    parts = value.items() if isinstance(value, dict) else ()
    for part, inner in enumerate(value) if isinstance(value, list) else parts:
        yield (*at, part)
        yield from places(inner, (*at, part))


@given(st.sampled_from([*places(WHOLE)]), ANYTHING, st.booleans())
def test_the_schema_takes_what_is_taken(at: Place, value: Any, beside: bool) -> None:
    content = copy.deepcopy(WHOLE)
    group: Any = content
    for part in at[:-1]:
        group = group[part]
    group[f"{at[-1]}x" if beside and isinstance(group, dict) else at[-1]] = value
    findings: list[tuple[Place, str]] = []
    settings.built(settings.StudyKeys, content, (), findings)
    assert (not findings) == VALIDATOR.is_valid(content), findings
