"""The audit of claims: its lines and its status."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command import audit as command
from costcurves.command.audit import claims_of
from costcurves.command.ending import CommandError
from costcurves.command.main import main
from costcurves.command.report import study_of
from costcurves.errors import InputError
from costcurves.tables.claims import CLAIMS
from costcurves.tables.configuration.strict_yaml import read_document
from costcurves.tables.configuration.study import Study
from costcurves.tables.files import read, write
from costcurves.tables.record.audit import audit
from tests import worded_study
from tests.claimed_data import claim, decide, good_and_bad
from tests.small_study import ROOT

TABLE: Final = "claims.parquet"


def audited(
    study: Study, file: Path, verdicts: pd.DataFrame, *, form: str = "text", need: bool = False
) -> int:
    """Print the audit of claims that a configuration makes."""
    return command.said(study, verdicts, file, read_document(file).lines, form=form, need=need)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with one claim that is supported, one contradicted and one undecided."""
    data, tables = good_and_bad()
    pairs = ("Good", "Bad"), ("Bad", "Good"), ("Good", "Twin")
    wanted = [claim("cheaper", *pair) for pair in pairs]
    found = decide({"d": data}, [tables], *wanted)
    folder = tmp_path_factory.mktemp("results")
    for count in (1, 2, 3):
        chosen = found[found["number"].isin([1] if count == 1 else [1, count])]
        write(chosen, folder / f"s{count}" / TABLE, CLAIMS)
    return folder


def config(folder: Path, study: str, **keys: object) -> Path:
    (folder / "d.csv").touch()
    content = {"study": study, "datasets": [{"name": "d", "predictions": ["d.csv"]}], **keys}
    (folder / "study.yaml").write_text(yaml.safe_dump(content))
    return folder / "study.yaml"


@pytest.mark.parametrize(
    ("study", "fail_on", "status"),
    [
        ("s1", ["contradicted", "undecided"], 0),
        ("s2", ["contradicted", "undecided"], 4),
        ("s2", ["undecided"], 0),
        ("s3", ["undecided"], 4),
        ("s3", ["contradicted"], 0),
        ("s3", [], 0),
    ],
)
def test_the_status_says_what_the_configuration_asks(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    study: str,
    fail_on: list[str],
    status: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = config(tmp_path, study, audit={"fail_on": fail_on})
    assert audited(study_of(path), path, read(results / study / TABLE, CLAIMS)) == status


def test_each_claim_has_a_line(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = config(tmp_path, "s2")
    audited(study_of(path), path, read(results / "s2" / TABLE, CLAIMS))
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith("SUPPORTED     1. cheaper ('Good', 'Bad')  [tested: ")
    assert "[tested: 'Good' cheaper than 'Bad', PC(+) 0.30 to 0.70; -0." in first
    assert "claimed below 0 at PC(+) = 0." in first
    assert "dataset 'd', table headline: model = Good, piece = " in first
    assert second.startswith("CONTRADICTED  2. ")
    assert last == "1 of 2 claims are supported"


def test_a_claim_that_holds_on_a_part_says_on_which() -> None:
    row: dict[str, object] = {
        **dict.fromkeys(CLAIMS.names, 0.5),
        "verdict": "UNDECIDED",
        "kind": "cheaper",
        "mean": "",
        "decides": True,
        "dataset": "d",
    }
    for share, said in ((0.5, True), (0.0, False), (np.nan, False)):
        lines, _ = audit(pd.DataFrame([{**row, "kept_share": share}]), [])
        whole, _ = audit(pd.DataFrame([{**row, "verdict": "SUPPORTED", "kept_share": share}]), [])
        assert "; supported on" not in whole[0]
        part = "; supported on 50 % of the range, the longest stretch PC(+) 0.50 to 0.50; dataset"
        assert (part in lines[0]) == said


def test_a_missing_configuration_and_missing_results_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=r"nowhere\.yaml") as refused:
        study_of(Path("nowhere.yaml"))
    assert refused.value.status == 2
    stated = {"claim": "1", "kind": "worse than trivial", "models": ["Good"]}
    with pytest.raises(InputError, match="not a readable table of claims"):
        claims_of(study_of(config(tmp_path, "s1", claims=[stated])))


def test_a_study_without_claims_says_so_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = claims_of(study_of(config(tmp_path, "s")))
    path = config(tmp_path, "s")
    assert audited(study_of(path), path, table) == 0
    assert capsys.readouterr().out == "The study makes no claims: there is nothing to audit\n"
    assert audited(study_of(path), path, table, need=True) == 4
    capsys.readouterr()
    assert audited(study_of(path), path, table, form="json") == 0
    assert json.loads(capsys.readouterr().out)["result"] == "nothing to audit"
    audited(study_of(path), path, table, form="markdown")
    assert capsys.readouterr().out.startswith("**s**: The study makes no claims")


WORDS = "Good | <b>Bad</b> *is* [it](x)\x0b"


@pytest.fixture
def said(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[str], str]:
    """What is printed of a claim that is supported and one that is contradicted, in a format."""
    monkeypatch.chdir(tmp_path)
    claims = [
        {"claim": f"{number}", "kind": "cheaper", "models": ["Good", "Bad"], "pc": [0.3, 0.7]}
        for number in (1, 2)
    ]
    path = config(tmp_path, "s2", claims=claims, audit={"fail_on": ["contradicted"]})
    found = read(results / "s2" / TABLE, CLAIMS).assign(number=[1, 2])
    found["claim"] = [WORDS, "Twice"]

    def printed(form: str) -> str:
        assert audited(study_of(path), path.relative_to(tmp_path), found, form=form) == 4
        return capsys.readouterr().out

    return printed


def test_json_has_every_claim_and_its_numbers(said: Callable[[str], str]) -> None:
    found = json.loads(said("json"))
    assert (found["schema"], found["study"], found["result"]) == (1, "s2", "failed")
    one, two = found["claims"]
    assert (one["verdict"], one["failed"], two["verdict"], two["failed"]) == (
        "supported",
        False,
        "contradicted",
        True,
    )
    assert one["claim"] == WORDS
    assert one["low"] <= one["value"] <= one["high"] < one["limit"] == 0
    assert one["source"]["table"] == "headline"
    documented = (ROOT / "config" / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in documented for name in {*found, *one})


def test_junit_has_a_test_for_each_claim(said: Callable[[str], str]) -> None:
    suites = ET.fromstring(said("junit"))
    (suite,) = suites
    assert (suite.get("tests"), suite.get("failures"), suite.get("name")) == ("2", "1", "s2")
    one, two = suite
    assert one.get("name") == f"1. {WORDS[:-1]}\ufffd"
    assert (one.find("failure"), one.get("classname")) == (None, "s2.d")
    failure = two.find("failure")
    assert failure is not None
    assert failure.get("type") == "contradicted"
    assert "CONTRADICTED  2. Twice  [tested: 'Bad' cheaper than 'Good'" in str(
        failure.get("message")
    )


def test_sarif_names_the_line_of_what_is_not_supported(said: Callable[[str], str]) -> None:
    found = json.loads(said("sarif"))
    assert found["version"] == "2.1.0"
    (run,) = found["runs"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("contradicted", "error")
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    (place,) = (one["physicalLocation"] for one in result["locations"])
    assert place["artifactLocation"]["uri"] == "study.yaml"
    line = Path("study.yaml").read_text().splitlines()[place["region"]["startLine"] - 1]
    assert line.startswith("- claim: '2'")


def test_markdown_is_one_table_and_nothing_in_it_is_markup(said: Callable[[str], str]) -> None:
    head, _, *rows = said("markdown").splitlines()
    assert head == "**s2**: 1 of 2 claims are supported, the audit fails."
    assert rows[2].startswith(r"| supported | 1. Good \| \<b\>Bad\</b\> \*is\* \[it\](x) | d | ")
    assert rows[3].startswith("| **contradicted** | 2. Twice | d | ")
    assert all(row.replace(r"\|", "").count("|") == 7 for row in rows)
    assert all("| PC(+) 0.30\u20130.70 |" in row for row in rows[2:])


@pytest.mark.parametrize(
    "words", [["audit", "none.yaml"], ["gate", "a", "b", "--at=dear", "--margin=1"]]
)
def test_a_document_says_why_there_is_no_audit(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = {}
    for form in ("text", "json", "junit", "sarif", "markdown"):
        assert main([*words, "--format", form]) == 2
        said[form], message = capsys.readouterr()
    message = message.strip()
    assert message
    assert said["text"] == ""
    whole = json.loads(said["json"])
    assert (whole["result"], whole["passed"], whole["claims"]) == ("error", False, [])
    assert whole["error"] == {"status": 2, "message": message}
    (error,) = ET.fromstring(said["junit"]).iter("error")
    assert (error.attrib["type"], error.attrib["message"]) == ("status 2", message)
    ((ended,),) = (one["invocations"] for one in json.loads(said["sarif"])["runs"])
    assert (ended["executionSuccessful"], ended["exitCode"]) == (False, 2)
    assert [one["message"]["text"] for one in ended["toolExecutionNotifications"]] == [message]
    assert said["markdown"].startswith("**costcurves**: there is no audit. ")


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], str]:
    """What is printed of five claims of all kinds, none of whose numbers agree."""
    monkeypatch.chdir(tmp_path)
    found = worded_study.claims()
    claims = [
        {"claim": claim, "kind": "cheaper", "models": ["Good", "Bad"], "pc": [0.3, 0.7]}
        for claim in found["claim"]
    ]
    path = config(tmp_path, "w", claims=claims, audit={"fail_on": ["contradicted"]})

    def of(form: str) -> str:
        assert audited(study_of(path), path.relative_to(tmp_path), found, form=form) == 4
        return capsys.readouterr().out

    return of


TESTED = [
    "'Vote' cheaper than 'Bayes', PC(+) 0.20 to 0.40",
    "'Vote' equivalent to 'Bayes', PC(+) = 0.70",
    "'Vote' not worse than 'Bayes', PC(+) 0.30 to 0.63",
    "'Ladder', operating range, PC(+) 0.30 to 0.64",
    "'Rule', expected cost, the mean over PC(+), weighted by the prior of the study",
    "'Rule', worse than trivial, PC(+) 0.30 to 0.66",
]
FOUND = [
    "-0.021 (-0.032 to -0.015), claimed below 0 at PC(+) = 0.33; p = 0.041;",
    "+0.034 (0.012 to 0.046), claimed within +-0.020 at PC(+) = 0.35; p = 0.082;",
    "+0.051 (0.018 to 0.069), claimed below 0.040 at PC(+) = 0.37; p = 0.123; supported on 37 % of "
    "the range, the longest stretch PC(+) 0.42 to 0.53;",
    "0.068 (0.024 to 0.092), claimed below 0 at PC(+) = 0.39; p = 0.164;",
    "0.085 (0.030 to 0.115), claimed below 0.310; p = 0.205;",
    "0.102 (0.036 to 0.138), claimed above 0 at PC(+) = 0.43; p = 0.246;",
]


def test_a_line_says_what_was_tested_found_and_claimed(printed: Callable[[str], str]) -> None:
    *lines, last = printed("text").splitlines()
    assert last == "1 of 6 claims are supported"
    for number, (line, tested, found) in enumerate(zip(lines, TESTED, FOUND, strict=True), 1):
        assert line[14:].startswith(f"{number}. Claim {number}  [tested: {tested}; {found} dataset")


def test_json_says_what_was_tested_and_all_numbers(printed: Callable[[str], str]) -> None:
    table = worded_study.claims().to_dict("records")
    document = json.loads(printed("json"))
    for one, tested, row in zip(document["claims"], TESTED, table, strict=True):
        assert one["tested"] == tested
        numbers = ("value", "low", "high", "limit", "at_pc", "pc_from", "pc_to", "p_value")
        expected = [None if np.isnan(row[name]) else row[name] for name in numbers]
        assert [one[name] for name in numbers] == expected


def test_sarif_calls_errors_what_fails_and_leads_to_each_claim(
    printed: Callable[[str], str],
) -> None:
    results = json.loads(printed("sarif"))["runs"][0]["results"]
    lines = Path("study.yaml").read_text().splitlines()
    for number, result in enumerate(results, 2):  # the first is supported
        place = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert lines[place - 1] == f"- claim: Claim {number}"
        assert result["level"] == ("error" if result["ruleId"] == "contradicted" else "note")


def test_each_cell_of_markdown_stands_under_its_head(printed: Callable[[str], str]) -> None:
    heads, _, first, *_ = printed("markdown").splitlines()[2:]
    cells = dict(zip(heads.split(" | "), first.split(" | "), strict=True))
    assert (cells["found"], cells["claimed |"]) == (
        "\N{MINUS SIGN}0.021 (\N{MINUS SIGN}0.032 to \N{MINUS SIGN}0.015)",
        "below 0 at PC(+) = 0.33 |",
    )
