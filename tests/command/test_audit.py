"""The audit of claims: its lines and its status."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command.audit import claims_of, report_claims
from costcurves.command.ending import CommandError
from costcurves.command.main import main
from costcurves.command.report import study_of
from costcurves.errors import InputError
from costcurves.many.audit import audit
from costcurves.many.claims import CLAIMS
from costcurves.tables.files import read, write
from tests import worded_study
from tests.claimed_data import claim, decide, good_and_bad
from tests.small_study import ROOT

TABLE: Final = "claims.parquet"


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
    ("study", "allow_undecided", "status"),
    [("s1", False, 0), ("s2", False, 4), ("s2", True, 4), ("s3", False, 4), ("s3", True, 0)],
)
def test_the_status_is_4_where_a_claim_fails(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    study: str,
    allow_undecided: bool,
    status: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = config(tmp_path, study)
    verdicts = read(results / study / TABLE, CLAIMS)
    assert (
        report_claims(study_of(path), verdicts, as_document=False, allow_undecided=allow_undecided)
        == status
    )


def test_each_claim_has_a_line(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = config(tmp_path, "s2")
    report_claims(study_of(path), read(results / "s2" / TABLE, CLAIMS), as_document=False)
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
        "condition": "",
        "unit": "",
        "most": 1.0,
        "crossing": np.nan,
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
    stated = {"claim": "1", "kind": "cheaper", "models": ["no model", "Good"]}
    with pytest.raises(InputError, match="not a readable table of claims"):
        claims_of(study_of(config(tmp_path, "s1", claims=[stated])))


def test_a_study_without_claims_says_so_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    study = study_of(config(tmp_path, "s"))
    table = claims_of(study)
    assert report_claims(study, table, as_document=False) == 0
    assert capsys.readouterr().out == "The study makes no claims: there is nothing to audit\n"
    assert report_claims(study, table, as_document=False, need_claims=True) == 4
    capsys.readouterr()
    assert report_claims(study, table, as_document=True) == 0
    assert json.loads(capsys.readouterr().out)["result"] == "nothing to audit"


WORDS = "Good | <b>Bad</b> *is* [it](x)\x0b"


def test_json_has_every_claim_and_its_numbers(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of a claim that is supported and one that is contradicted."""
    monkeypatch.chdir(tmp_path)
    study = study_of(config(tmp_path, "s2"))
    verdicts = read(results / "s2" / TABLE, CLAIMS)
    verdicts["claim"] = [WORDS, "Twice"]
    assert report_claims(study, verdicts, as_document=True, allow_undecided=True) == 4
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["study"], found["result"]) == (2, "s2", "failed")
    one, two = found["claims"]
    assert (one["verdict"], one["failed"], two["verdict"], two["failed"]) == (
        "supported",
        False,
        "contradicted",
        True,
    )
    assert (one["claim"], two["claim"]) == (WORDS, "Twice")
    assert one["low"] <= one["value"] <= one["high"] < one["limit"] == 0
    assert one["source"]["table"] == "headline"
    documented = (ROOT / "docs" / "claims.md").read_text("utf-8")
    assert all(f"`{name}`" in documented for name in {*found, *one})


@pytest.mark.parametrize(
    "words", [["audit", "none.yaml"], ["gate", "a", "b", "--at=dear", "--margin=1"]]
)
def test_a_document_says_why_there_is_no_audit(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    text, message = capsys.readouterr()
    assert (text, bool(message)) == ("", True)
    assert main([*words, "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert said == {"error": {"status": 2, "message": message.strip()}}


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[bool], str]:
    """What is printed of five claims of all kinds, none of whose numbers agree."""
    monkeypatch.chdir(tmp_path)
    found = worded_study.claims()
    study = study_of(config(tmp_path, "w"))

    def of(as_document: bool) -> str:
        given = report_claims(study, found, as_document=as_document, allow_undecided=True)
        assert given == 4
        return capsys.readouterr().out

    return of


TESTED = [
    "'Vote' cheaper than 'Bayes', PC(+) 0.20 to 0.40",
    "'Vote' equivalent to 'Bayes', PC(+) = 0.70",
    "'Vote' not worse than 'Bayes', PC(+) 0.30 to 0.63",
    "'Ladder' cheaper than no model, PC(+) 0.30 to 0.64",
    "'Rule', at most, the mean over PC(+), weighted by the prior of the study",
    "'Rule', at most, 5:1 (PC(+) = 0.30)",
]
FOUND = [
    "-0.021 (-0.032 to -0.015), claimed below 0 at PC(+) = 0.33; p = 0.041;",
    "+0.034 (0.012 to 0.046), claimed within +-0.020 at PC(+) = 0.35; p = 0.082;",
    "+0.051 (0.018 to 0.069), claimed below 0.040 at PC(+) = 0.37; p = 0.123; supported on 37 % of "
    "the range, the longest stretch PC(+) 0.42 to 0.53;",
    "+0.068 (0.024 to 0.092), claimed below 0 at PC(+) = 0.39; p = 0.164; by estimate the curves "
    "cross at PC(+) = 0.64: where they cross, no data could support the claim;",
    "0.085 (0.030 to 0.115), claimed below 0.310; p = 0.205;",
    "9.18 EUR a case (3.24 to 12.42), claimed below 28.8 EUR a case at PC(+) = 0.43; p = 0.246;",
]


def test_a_line_says_what_was_tested_found_and_claimed(printed: Callable[[bool], str]) -> None:
    *lines, last = printed(False).splitlines()
    assert last == "1 of 6 claims are supported"
    for number, (line, tested, found) in enumerate(zip(lines, TESTED, FOUND, strict=True), 1):
        assert line[14:].startswith(f"{number}. Claim {number}  [tested: {tested}; {found} dataset")


def test_json_says_what_was_tested_and_all_numbers(printed: Callable[[bool], str]) -> None:
    table = worded_study.claims().to_dict("records")
    document = json.loads(printed(True))
    for one, tested, row in zip(document["claims"], TESTED, table, strict=True):
        assert one["tested"] == tested
        numbers = ("value", "low", "high", "limit", "at_pc", "pc_from", "pc_to", "p_value", "most")
        expected = [None if np.isnan(row[name]) else row[name] for name in numbers]
        assert [one[name] for name in numbers] == expected
