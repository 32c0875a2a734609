"""A study's configuration: what it means, and what each mistake is answered with."""

import copy
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from costcurves.errors import InputError
from costcurves.settings import (
    KNOWN_CRITERIA,
    Cases,
    Dataset,
    Inference,
    Place,
    Prior,
    Selection,
    Study,
    StudyKeys,
    alternatives,
    built,
    keys_of,
)
from costcurves.study.models import validated
from costcurves.study.reading import parse_study, read_study
from costcurves.study.strict_yaml import read_document
from tests.reference import GROUPS, README, ROOT, SCHEMA, TABLE, meanings, published, readme, schema

PLAIN = """\
study: s
datasets:
  - name: wine
    predictions: [wine.csv]
"""


def written(folder: Path, text: str | bytes) -> Path:
    """A configuration file beside the prediction files that it may name."""
    path = folder / "config.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wine.csv").touch()
    return tmp_path


def config(**changes: Any) -> dict[str, Any]:
    return {"study": "s", "datasets": [{"name": "wine", "predictions": ["wine.csv"]}], **changes}


def parsed(**changes: Any) -> Study:
    return parse_study(config(**changes), files=False)


def with_dataset(**changes: Any) -> Study:
    return parsed(datasets=[{"name": "wine", "predictions": ["wine.csv"], **changes}])


def test_the_least_configuration_and_its_defaults(folder: Path) -> None:
    study = read_study(written(folder, PLAIN))
    assert study == Study.from_plain(
        {
            "study": "s",
            "title": "s",
            "seed": 20061,
            "level": "repeat",
            "folds_without_a_class": "refuse",
            "pairing": "paired",
            "operating_conditions": [
                {"name": name, "pc": None, "prior": None, "cost_ratio": ratio, "named": False}
                for name, ratio in {"1:5": 0.2, "1:1": 1, "5:1": 5}.items()
            ],
            "prior": {"kind": "uniform"},
            "inference": {
                "confidence": 0.9,
                "resamples": 2000,
                "band": "wilson",
                "equivalence": None,
            },
            "selection": {
                "criteria": None,
                "score_threshold": 0.5,
                "rate": None,
                "max_fp_rate": None,
                "capacity": None,
            },
            "claims": [],
            "anonymous": False,
            "detail": "standard",
            "appendix": False,
            "datasets": [Dataset("wine", ("wine.csv",), title="wine", slug="wine").plain()],
        }
    )


def test_everything_that_can_be_said(folder: Path) -> None:
    text = PLAIN.replace("study: s", "study: full-1.0") + (
        "    title: The wine\n    about: {case: wines, positive: reds}\n"
        "    positive: 'yes'\n    prior: 0.2\n    models: ['1R', NA]\n"
        "title: <b>Which?</b>\nseed: 0\nlevel: pooled\nfolds_without_a_class: pool\n"
        "pairing: unpaired\n"
        "operating_conditions:\n"
        "  - {pc: 0}\n"
        "  - {name: costly, prior: 0.2, cost_ratio: 4}\n"
        "  - {prior: 0.2, cost_fn: 8, cost_fp: 1}\n"
        "  - {cost_fn: 5, cost_fp: 2}\n"
        "  - {name: alike, cost_ratio: 1}\n"
        "prior: {kind: beta, a: 2, b: 5, low: 0.1, high: 0.9}\n"
    )
    study = read_study(written(folder, text))
    assert study.datasets[0] == Dataset(
        name="wine",
        title="The wine",
        about=Cases(case="wines", positive="reds"),
        slug="wine",
        predictions=("wine.csv",),
        positive="yes",
        prior=0.2,
        models=("1R", "NA"),
        folds_without_a_class="pool",
        pairing="unpaired",
    )
    assert [(one.name, one.pc, one.cost_ratio) for one in study.operating_conditions] == [
        ("PC(+) = 0", 0.0, None),
        ("costly", 0.5, 4.0),
        ("PC(+) = 0.6667", pytest.approx(2 / 3, abs=1e-15), 8.0),
        ("2.5:1", None, 2.5),
        ("alike", None, 1.0),
    ]
    assert (study.seed, study.level, study.title) == (0, "pooled", "<b>Which?</b>")
    assert study.prior == Prior("beta", a=2, b=5, low=0.1, high=0.9)


def test_everything_that_can_be_said_of_inference_and_selection(folder: Path) -> None:
    text = PLAIN + (
        "inference: {confidence: 0.95, resamples: 100, equivalence: 0.01,\n"
        "  band: normal}\n"
        "reference: 1R\n"
        "selection:\n"
        "  criteria: [workforce, score-fixed, neyman-pearson]\n"
        "  score_threshold: -1.5\n"
        "  rate: 0.25\n"
        "  max_fp_rate: 0\n"
        "  capacity: 2.5%\n"
    )
    study = read_study(written(folder, text))
    assert study.inference == Inference(0.95, 100, "normal", 0.01)
    assert study.datasets[0].reference == "1R"
    assert study.selection == Selection(
        ("workforce", "score-fixed", "neyman-pearson"), -1.5, 0.25, 0, "2.5%"
    )
    assert Study.from_plain(json.loads(json.dumps(study.plain()))) == study


def test_a_rule_gets_only_the_keys_that_it_needs() -> None:
    chosen = parsed(selection={"capacity": "10%"}).selection
    assert chosen.plain("rate", "capacity") == {"rate": None, "capacity": "10%"}
    assert Selection.from_plain(chosen.plain("capacity")) == chosen
    assert Selection.from_plain(chosen.plain()) == chosen


def test_criteria_are_considered_when_they_have_what_they_need() -> None:
    everything = parsed(selection={"max_fp_rate": 0.1, "capacity": 0}).selection
    assert everything.considered() == KNOWN_CRITERIA
    assert parsed().selection.considered() == KNOWN_CRITERIA[:-2]
    chosen = parsed(selection={"criteria": ["rate-fixed", "score-driven"]}).selection
    assert chosen.considered() == (*KNOWN_CRITERIA[:2], "score-driven", "rate-fixed")


@pytest.mark.parametrize(
    ("capacity", "cases", "passes", "handled"),
    [
        (30, 200, 1, 30),
        (30, 2000, 10, 300),
        (0, 200, 1, 0),
        (500, 200, 1, 500),
        ("10%", 208, 1, 20.8),
        ("0%", 208, 1, 0),
        ("150%", 200, 0.5, 300),
    ],
)
def test_a_capacity_is_cases_of_each_pass_or_a_share(
    capacity: float | str, cases: float, passes: float, handled: float
) -> None:
    selection = parsed(selection={"capacity": capacity}).selection
    assert selection.handled(cases, passes) == pytest.approx(handled, abs=1e-12)


def test_the_schema_knows_the_criteria() -> None:
    criteria = schema()["$defs"]["Selection"]["properties"]["criteria"]["anyOf"][0]
    assert tuple(criteria["items"]["enum"]) == KNOWN_CRITERIA


def test_the_default_study_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = read_study("config/config.yaml")
    assert [dataset.name for dataset in study.counted] == [
        "sonar",
        "japanese-credit",
        "german-credit",
    ]
    meant = [one.about.positive for one in study.counted]
    assert meant == ["mines", "approved", "good customers"]  # as data/README.md has it


def test_a_study_goes_through_json_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study = read_study("config/config.yaml")
    assert Study.from_plain(json.loads(json.dumps(study.plain()))) == study
    dataset = with_dataset(models=["a", "b"]).datasets[0]
    assert Dataset.from_plain(json.loads(json.dumps(dataset.plain()))) == dataset


def test_datasets_that_differ_in_case_get_different_files() -> None:
    names = ["Wine", "wine", "../../wine"]
    study = parsed(datasets=[{"name": name, "predictions": ["w.csv"]} for name in names])
    assert [dataset.name for dataset in study.datasets] == names
    assert len({dataset.slug.casefold() for dataset in study.datasets}) == 3


def test_importing_it_is_light() -> None:
    code = (
        "import sys; import costcurves.settings, costcurves.study.reading; heavy = {'pandas', "
        "'pyarrow', 'scipy', 'matplotlib', 'numpy', 'pydantic', 'ruamel', 'yaml'}; "
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# What the file is, before any schema, is in `test_hostile_input`.


def test_lines_are_those_of_the_keys(folder: Path) -> None:
    document = read_document(written(folder, PLAIN))
    assert document.lines["datasets", 0, "predictions"] == 4
    assert document.lines["datasets", 0, "predictions", 0] == 4


# What breaks the schema: a rule of each kind. Which keys have which is in the published one.


def prior(kind: str, **keys: Any) -> dict[str, Any]:
    return {"prior": {"kind": kind, **keys}}


def inference(**keys: Any) -> dict[str, Any]:
    return {"inference": keys}


def selection(**keys: Any) -> dict[str, Any]:
    return {"selection": keys}


BREAKS_THE_SCHEMA: list[tuple[dict[str, Any], str]] = [
    ({"sead": 1}, r"configuration: sead is not a known key; did you mean 'seed'\?"),
    ({"xyzzy": 1}, "xyzzy is not a known key; known are 'study', 'title', 'description',"),
    ({"<<": {}}, r"\['<<'\] is not a known key"),
    ({"a\u202eb": {}}, r"configuration: \['a\\u202eb'\] is not a known key"),
    ({"study": None}, "configuration: study is null, expected text"),
    ({"study": False}, r"study is false, expected text \(in quotes\)"),
    ({"study": "../../x"}, r"study is '../../x', expected a name of letters, digits, '\.'"),
    ({"study": "a" * 65}, r"study is 'aaa.*'\.\.\., expected a name of letters"),
    ({"study": "s\n"}, r"study is 's\\n', expected a name of letters"),
    ({"study": "CON"}, "study is 'CON', expected a name of letters"),
    ({"title": ""}, "title is empty, expected text"),
    ({"title": ["a"]}, "title is a list of 1, expected text"),
    ({"seed": -1}, "seed is -1, expected a number that is at least 0"),
    ({"seed": 0.5}, "seed is 0.5, expected a whole number"),
    ({"seed": True}, "seed is true, expected a whole number"),
    ({"level": "folds"}, "level is 'folds', expected one of 'fold', 'repeat', 'pooled'"),
    ({"level": None}, "level is null, expected one of 'fold'"),
    ({"datasets": []}, "datasets is a list of 0, expected 1 or more"),
    ({"datasets": {"name": "a"}}, r"datasets is keys 'name', expected a list \(- before each item"),
    ({"datasets": None}, "datasets is null, expected a list"),
    ({"datasets": ["a"]}, r"datasets\[0\] is 'a', expected keys with values"),
    ({"datasets": [{}]}, r"datasets\[0\] lacks the key 'name'"),
    ({"operating_conditions": [{"pc": 1.5}]}, r"\[0\]\.pc is 1\.5, expected .* at most 1"),
    (
        {"operating_conditions": [{"pc": float("nan")}]},
        r"pc is nan, expected a number that is at least 0",
    ),
    ({"operating_conditions": [{"pc": "1e-3"}]}, r"is '1e-3', .*; 1\.0e-3, not 1e-3\)"),
    ({"operating_conditions": [{"pc": 0.5, "prior": 0.1}]}, r"given with 'pc', 'prior', expected"),
    (
        {"operating_conditions": [{"pc": 0.5, "cost_ratio": 2}]},
        r"given with 'pc', 'cost_ratio', expected either pc, or cost_ratio, or cost_fn and cost_fp",
    ),
    ({"operating_conditions": [{"prior": 0.5}]}, r"is given with 'prior', expected either pc, or"),
    (
        {"operating_conditions": [{"cost_ratio": 2, "unit": "EUR"}]},
        r"given with 'cost_ratio', 'unit', expected either pc, or cost_ratio, or cost_fn and "
        r"cost_fp \(with an optional unit",
    ),
    ({"operating_conditions": [{}]}, "is given with none, expected either pc, or cost_ratio, or"),
    ({"operating_conditions": [{"pc": 0.5}] * 101}, "is a list of 101, expected 100 or fewer"),
    ({"operating_conditions": [{"cost_ratio": 0}]}, r"\[0\]\.cost_ratio is 0, .* at least 1e-12"),
    ({"operating_conditions": ["0.5"]}, r"\[0\] is '0.5', expected keys with values"),
    ({"operating_conditions": [{"pcc": 0.5}]}, r"pcc is not a known key; did you mean 'pc'\?"),
    (
        {"operating_conditions": [{"prior": 0, "cost_ratio": 1}]},
        r"prior is 0, expected a number that is more than 0",
    ),
    (prior("gamma"), r"prior\.kind is 'gamma', expected one of 'uniform', 'beta'"),
    ({"prior": {}}, "prior lacks the key 'kind'"),
    (prior("beta", a=1), "prior lacks the key 'b'"),
    (prior("uniform", lo=0), r"prior\.lo is not a known key; did you mean 'low'\?"),
    (prior("cost ratio", low=1, high=2), "prior lacks the key 'prior'"),
    (prior("cost ratio", high=2, prior=0.2), "prior lacks the key 'low'"),
    (prior("cost ratio", low=1, prior=0.2), "prior lacks the key 'high'"),
    (prior("cost ratio", low=0, high=2, prior=0.2), r"prior\.low is 0, expected .* at least 1e-12"),
    (prior("cost ratio", low=1, high=1e13, prior=0.2), r"prior\.high is 1.*, expected .* at most"),
    (prior("cost ratio", low=1, high=2, prior=1), r"prior\.prior is 1, expected .* less than 1"),
    ({"inference": None}, "inference is null, expected keys with values"),
    (inference(confidence=1), r"confidence is 1, expected a number that is less than 1"),
    (inference(confidence="90%"), r"confidence is '90%', expected a number \(no quotes"),
    ({"map": {"models": ["A", "B"]}}, "map was removed: the large map shows the pair about which"),
    ({"report": {}}, "report was removed: put your words into 'description'"),
    ({"audit": {}}, "audit was removed: .* 'costcurves audit --allow-undecided'"),
    (inference(unit="instances"), r"inference\.unit was removed: cases are resampled"),
    (
        prior("discrete", pc=[0], weight=[1]),
        r"prior\.kind is 'discrete', expected one of 'uniform'",
    ),
    (prior("histogram", edges=[0, 1], weight=[1]), r"prior\.edges was removed: use the kind 'unif"),
    ({"selection": ["score-fixed"]}, "selection is a list of 1, expected keys with values"),
    (selection(criterion=[]), r"criterion is not a known key; did you mean 'criteria'\?"),
    (selection(criteria=[]), r"selection\.criteria is a list of 0, expected 1 or more"),
    (selection(criteria="workforce"), r"is 'workforce', expected a list \(- before"),
    (selection(criteria=["scores"]), r"criteria\[0\] is 'scores', expected one of 'cross-fitted'"),
    (selection(criteria=["rate-fixed"] * 2), "criteria has 'rate-fixed' twice"),
    (selection(score_threshold=None), "score_threshold is null, expected a number"),
    (selection(score_threshold=float("inf")), "is inf, expected a number that is at most"),
    (selection(capacity=-1), r"capacity is -1, expected a number that is at least 0"),
    (selection(capacity="10 of 100"), r"is '10 of 100', expected a whole number of cases, or a"),
    (selection(capacity="-10%"), r"is '-10%', expected a whole number of cases, or a share of th"),
    (selection(capacity="10%\n"), r"is '10%\\n', expected a whole number of cases, or a"),
    (selection(capacity=True), "capacity is true, expected a number .* or text"),
]


@pytest.mark.parametrize(("changes", "message"), BREAKS_THE_SCHEMA)
def test_what_breaks_the_schema(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_study(config() | changes, files=False)


NUMBERS = [
    (f"{name}.{key}", kind)
    for name, group in GROUPS.items()
    for key, kind in keys_of(group).items()
    if {int, float} & {choice for choice, _ in alternatives(kind)}
]
LARGE = [10**400, -(10**400), float("inf"), -float("inf"), float("nan"), 1e101, -1e308]


@pytest.mark.parametrize(("place", "kind"), NUMBERS)
@pytest.mark.parametrize("value", LARGE)
def test_no_key_takes_a_number_that_cannot_be_computed_with(
    place: str, kind: Any, value: float
) -> None:
    findings: list[tuple[Place, str]] = []
    built(kind, value, (place,), findings)
    limit = " (at least|more than|less than|at most) [-+0-9.e]+"
    expected = f"expected a (number that is{limit}|whole number)"
    assert [bool(re.match(f"is [-0-9a-z.+]+, {expected}", why)) for _, why in findings] == [True]


def test_numbers_of_all_groups_of_keys_are_looked_at() -> None:
    places = " ".join(place for place, _ in NUMBERS)
    for key in ("constant", "tp", "score_threshold", "seed", "a", "margin", "prior"):
        assert f".{key}" in places
    assert len(NUMBERS) > 25
    assert parsed(selection={"score_threshold": -1e100}).selection.score_threshold == -1e100


DATASETS_BREAK_THE_SCHEMA: list[tuple[dict[str, Any], str]] = [
    ({"positve": "a"}, r"datasets\[0\]\.positve is not a known key; did you mean 'positive'\?"),
    ({"name": 7}, r"datasets\[0\]\.name is 7, expected text \(in quotes\)"),
    ({"predictions": "a.csv"}, r"predictions is 'a\.csv', expected a list \(- before each item\)"),
    ({"predictions": ["a", "a"]}, "predictions has 'a' twice"),
    ({"positive": 1}, "positive is 1, expected text "),
    ({"prior": "1"}, "prior is '1', expected a number "),
    ({"about": {"cases": "wines"}}, r"\.about\.cases is not a known key; did you mean 'case'\?"),
    ({"about": {"positive": ""}}, r"datasets\[0\]\.about\.positive is empty, expected text"),
    ({"about": {"case": 2006}}, r"about\.case is 2006, expected text \(in quotes\)"),
    ({"about": {"source": "UCI"}}, r"about\.source was removed: say it in the 'description'"),
    ({"about": {"period": "2006"}}, r"about\.period was removed: say it in the 'description'"),
    ({"segments": ["site"]}, "segments was removed: describe each segment in a dataset of its own"),
    ({"cost_matrix": {}}, "cost_matrix was removed: 'compare_decisions' in Python compares models"),
    ({"about": "wines"}, r"about is 'wines', expected keys with values"),
    ({"models": [1]}, r"models\[0\] is 1, expected text"),
]


@pytest.mark.parametrize(("changes", "message"), DATASETS_BREAK_THE_SCHEMA)
def test_what_breaks_the_schema_of_a_dataset(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_dataset(**changes)


def test_a_list_is_no_configuration() -> None:
    with pytest.raises(InputError, match="configuration: is a list of 0, expected keys with"):
        parse_study([])  # type: ignore[arg-type]


def test_keys_that_are_needed() -> None:
    with pytest.raises(InputError) as caught:
        parse_study({})
    assert caught.value.findings == (
        "configuration: lacks the key 'study'",
        "configuration: lacks the key 'datasets'",
    )


# What fits the schema and still means nothing.

MEANS_NOTHING: list[tuple[dict[str, Any], str]] = [
    ({"title": "a\u202eb"}, r"title has the control or text-reordering character '\\u202e'"),
    ({"datasets": [{"name": "a", "predictions": ["a\0"]}]}, r"predictions\[0\] has the control"),
    (
        {"datasets": [{"name": "a", "predictions": ["a"]}] * 2},
        r"\[1\] is called 'a' like one before",
    ),
    (
        {"operating_conditions": [{"pc": 0.5}, {"prior": 0.5, "cost_ratio": 1}]},
        r"operating_conditions\[1\] is called 'PC\(\+\) = 0\.5' like one before it",
    ),
    (
        {"operating_conditions": [{"cost_ratio": 5}, {"cost_fn": 10, "cost_fp": 2}]},
        r"operating_conditions\[1\] is called '5:1' like one before it",
    ),
    ({"operating_conditions": [{"pc": 0.5, "name": " "}]}, r"\[0\]\.name is blank"),
    (prior("uniform", low=0.5, high=0.5), "goes from 0.5 to 0.5, expected low < high"),
    (prior("beta", a=1, b=1, low=1), "goes from 1 to 1, expected low < high"),
    (prior("cost ratio", low=4, high=1, prior=0.2), "goes from 4 to 1, expected low < high"),
    ({"reference": " "}, "reference is blank"),
    (inference(baseline="A"), "inference.baseline was replaced: name the model in use in 'ref"),
    (
        {"datasets": [{"name": "a", "predictions": ["a"], "about": {"positive": "x" * 201}}]},
        r"datasets\[0\]\.about\.positive has 201 characters, expected at most 200",
    ),
    (
        {"datasets": [{"name": "a", "predictions": ["a"], "about": {"case": "a\u202eb"}}]},
        r"datasets\[0\]\.about\.case has the control or text-reordering character",
    ),
    (
        selection(capacity=0.1),
        r"capacity is 0\.1, expected a whole number of cases, or a share of them such as '10%'",
    ),
    (
        selection(criteria=["score-fixed", "neyman-pearson"]),
        r"criteria\[1\] is 'neyman-pearson', which needs selection\.max_fp_rate: give it, or leave",
    ),
    (
        selection(criteria=["workforce"], max_fp_rate=0.1),
        r"criteria\[0\] is 'workforce', which needs selection\.capacity",
    ),
]


@pytest.mark.parametrize(("changes", "message"), MEANS_NOTHING)
def test_what_means_nothing(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parsed(**changes)


def test_files_must_exist(folder: Path) -> None:
    path = written(folder, PLAIN.replace("[wine.csv]", "\n      - wine.csv\n      - beer.csv"))
    with pytest.raises(InputError) as caught:
        read_study(path)
    assert caught.value.findings == (
        f"{path} line 6: datasets[0].predictions[1] is 'beer.csv', which does not exist in the "
        "folder where the command runs",
    )


def test_all_findings_at_once_in_the_order_of_the_lines(folder: Path) -> None:
    text = "sead: 1\nstudy: [s]\nlevel: all\ndatasets:\n  - name: 1\n    positve: a\n"
    with pytest.raises(InputError) as caught:
        read_study(written(folder, text))
    found = [finding.split(" line ")[1] for finding in caught.value.findings]
    assert [finding.split(" ")[:2] for finding in found] == [
        ["1:", "sead"],
        ["2:", "study"],
        ["3:", "level"],
        ["5:", "datasets[0]"],
        ["5:", "datasets[0].name"],
        ["6:", "datasets[0].positve"],
    ]


# The schema itself.


def test_the_schema_is_one_and_every_key_is_described_and_closed() -> None:
    Draft202012Validator.check_schema(schema())
    assert {*schema()["$defs"]} == {*GROUPS}
    for name, group in GROUPS.items():
        assert {*meanings(group)} == {*keys_of(group)}
        assert schema()["$defs"][name]["additionalProperties"] is False


def test_there_are_no_more_keys_than_agreed() -> None:
    assert sum(len(keys_of(group)) for group in GROUPS.values()) <= 86


def test_what_is_written_of_keys_is_what_is_declared() -> None:
    """`make reference` writes both anew."""
    text = README.read_text(encoding="utf-8")
    assert text == readme()
    assert sorted(found[2] for found in TABLE.finditer(text)) == sorted(GROUPS)
    assert SCHEMA.read_text(encoding="utf-8") == published()
    assert not [word for word in KNOWN_CRITERIA if f"`{word}`" not in text]


def test_examples_for_users_are_configurations() -> None:
    text = "".join(page.read_text("utf-8") for page in [README, *(ROOT / "docs").glob("*.md")])
    examples = re.findall(r"```yaml\n(study: .*?)```", text, flags=re.DOTALL)
    assert len(examples) > 4
    for example in examples:
        assert parse_study(yaml.safe_load(example), files=False)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"operating_conditions": [{"pc": float("nan")}]}, ["operating_conditions[0].pc is nan"]),
        (
            {"prior": {"kind": "beta", "a": float("nan"), "b": 1, "zzz": 3}},
            ["prior.a is nan", "prior.zzz is not a known key"],
        ),
    ],
)
def test_a_number_that_is_none_is_found_beside_the_others(
    changes: dict[str, Any], found: list[str]
) -> None:
    with pytest.raises(InputError) as caught:
        parsed(**changes)
    assert len(caught.value.findings) == len(found)
    assert all(any(one in it for it in caught.value.findings) for one in found)


# Pydantic and `built`, which serves where the extra is not installed, find the same.

WHOLE: dict[str, Any] = {
    **config(title="t", seed=3, level="fold", anonymous=True, detail="quick", pdf=False),
    "appendix": True,
    "operating_conditions": [{"pc": 0.5}, {"cost_fn": 5, "cost_fp": 1, "unit": "EUR", "name": "n"}],
    "prior": {"kind": "beta", "a": 1, "b": 2.5, "low": 0.1, "high": 0.9},
    "inference": {"confidence": 0.9, "resamples": 500, "equivalence": 0.1},
    "reference": "A",
    "selection": {"criteria": ["rate-fixed"], "rate": 0.5, "capacity": "10%"},
    "claims": [
        {"claim": "c", "kind": "cheaper", "models": ["A", "B"], "pc": [0.1, 0.2]},
        {"claim": "d", "kind": "at most", "models": ["A"], "at_most": 0.5, "pc": 0.3},
    ],
    "datasets": [
        {
            **config()["datasets"][0],
            "about": {"case": "wines"},
            "costs": {
                "column": "x",
                "benefit": {"tp": 1, "fp": {"coefficient": -1}, "fn": 0.5, "tn": {"constant": 1}},
            },
            "columns": {"label": "q", "score": ["a", "b"]},
            "where": ["a == b"],
            "abstain": "negative",
        },
        {"name": "e", "predictions": ["b.csv"], "classes": {"a": "p", "b": "q", "c": "r"}},
        {"name": "f", "predictions": ["b.csv"], "classes": ["a", "b", "c"]},
    ],
}
KEYS = st.text(max_size=3) | st.sampled_from(["kind", "Cell", "float", "a", "name", "tp", "pc"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | KEYS
ANYTHING = st.recursive(
    SCALARS | st.sampled_from(["10%", "wide", 10**400, 1e300, 2.0, "x" * 300]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Each place in a configuration."""
    parts = value.items() if isinstance(value, dict) else ()
    for part, inner in enumerate(value) if isinstance(value, list) else parts:
        yield (*place, part)
        yield from places(inner, (*place, part))


@settings(deadline=None)
@given(st.sampled_from([*places(WHOLE)]), ANYTHING, st.booleans())
def test_both_checks_of_types_find_the_same(place: Place, value: Any, beside: bool) -> None:
    content = copy.deepcopy(WHOLE)
    group: Any = content
    for part in place[:-1]:
        group = group[part]
    group[f"{place[-1]}x" if beside and isinstance(group, dict) else place[-1]] = value
    keys, findings = validated(content)
    plain: list[tuple[Place, str]] = []
    assert built(StudyKeys, json.loads(json.dumps(content)), (), plain) == keys
    assert sorted(map(str, findings)) == sorted(map(str, plain))
