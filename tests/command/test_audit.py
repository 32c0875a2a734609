"""The audit of claims: its lines and its status."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command.audit import audited
from costcurves.command.ending import CommandError
from costcurves.command.report import study_of
from costcurves.errors import InputError
from costcurves.tables.contract import write
from costcurves.tables.inference.claims import CLAIMS
from costcurves.tables.record.audit import audit
from tests.claimed_data import claim, decide, good_and_bad


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
        write(chosen, folder / f"s{count}" / "claims.parquet", CLAIMS)
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
    read = study_of(config(tmp_path, study, audit={"fail_on": fail_on}))
    assert audited(read, results) == status


def test_each_claim_has_a_line(
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    audited(study_of(config(tmp_path, "s2")), results)
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
    with pytest.raises(InputError, match="not a readable table of claims"):
        audited(study_of(config(tmp_path, "s1")))


def test_a_study_without_claims_says_so_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(CLAIMS.empty(), tmp_path / "results" / "s" / "claims.parquet", CLAIMS)
    assert audited(study_of(config(tmp_path, "s"))) == 0
    assert capsys.readouterr().out == "The study makes no claims: there is nothing to audit\n"
