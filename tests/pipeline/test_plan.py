"""What a result is made of decides its name: code, parameters, sources and inputs, never a date."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from costcurves.pipeline import plan as planning
from costcurves.pipeline.plan import OF_BATCHES, OF_STUDIES, STAGES, Plan, load_plan, plan_of
from costcurves.tables.configuration.stages import STAGES as TABLES
from costcurves.tables.configuration.study import parse_study
from costcurves.tables.record.manifest import sha256
from costcurves.tables.record.places import PUBLISHED

CODE = {layer: {"code": layer, "bytes": f"{layer} bytes"} for layer in ("tables", "figures")}
CODE |= {"report": {"code": "report", "bytes": "report bytes"}}
BETA = {"kind": "beta", "a": 2, "b": 5}
CLAIM = {"models": ["Bayes", "Trees"], "kind": "cheaper", "datasets": ["wine"], "claim": "So."}
WINE: dict[str, Any] = {"name": "wine", "predictions": ["rows.csv"], "costs": {"unit": "EUR"}}
SONAR = {"name": "sonar", "predictions": ["rows.csv", "large.csv"]}
OF_ALL = {(stage, batch) for stage in OF_BATCHES for batch in ("wine", "sonar", "wine--costs")}
OF_ALL |= {("map", ""), ("claims", ""), ("report", "")}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources, and code that has its own hashes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(planning, "code_hashes", lambda: CODE)
    Path("rows.csv").write_text("a")
    Path("large.csv").write_bytes(bytes(2**21))
    return tmp_path


def planned(wine: dict[str, Any] | None = None, **keys: Any) -> Plan:
    """Plan a study of two datasets, one of them with costs."""
    datasets = [{**WINE, **(wine or {})}, SONAR]
    content = {"study": "asked", "datasets": datasets, "claims": [CLAIM], **keys}
    return plan_of(parse_study(content, files=False), content)


def keys(plan: Plan) -> dict[tuple[str, str], str]:
    return {(stage, batch): plan.key(stage, batch) for stage, batch in OF_ALL}


def changed(one: Plan, other: Plan) -> set[str]:
    """The stages of which any result has another name."""
    first, then = keys(one), keys(other)
    return {stage for stage, batch in OF_ALL if first[stage, batch] != then[stage, batch]}


DRAWN = {"figures", "report"}
INFERRED = {"resampling", "confidence", "comparisons", "map", *DRAWN}


@pytest.mark.parametrize(
    ("wine", "study", "stages"),
    [
        ({}, {"title": "Another"}, {"map", "report"}),
        ({"title": "Another"}, {}, {"map", *DRAWN}),
        ({"about": {"positive": "corked"}}, {}, {"report"}),
        ({"expected": ["block-folds"]}, {}, DRAWN),
        ({"prior": 0.2}, {}, {"duality", "claims", *INFERRED}),
        ({}, {"operating_conditions": [{"pc": 0.2}]}, {"duality", "claims", *INFERRED}),
        ({}, {"level": "fold"}, {*STAGES} - {"predictions", "cost_lines"}),
        ({}, {"seed": 7}, {*STAGES} - {"predictions"}),
        ({}, {"selection": {"rate": 0.3}, "detail": "full"}, {*STAGES} - {"predictions"}),
        (
            {},
            {"prior": {"kind": "beta", "a": 2, "b": 5}},
            {*STAGES} - {"predictions", "cost_lines", "averages"},
        ),
        ({}, {"inference": {"resamples": 300}}, {*INFERRED, "claims"}),
        ({}, {"inference": {"band": "normal"}}, {"confidence", "comparisons", "map", *DRAWN}),
        ({}, {"inference": {"equivalence": 0.01}}, {"comparisons", "map", *DRAWN}),
        ({}, {"inference": {"confidence": 0.8}}, {"duality", "claims", *INFERRED}),
        ({}, {"claims": [CLAIM, {**CLAIM, "pc": 0.3}]}, {"claims", "report"}),
        ({}, {"pdf": False}, {"report"}),
        ({"models": ["Trees", "Bayes"]}, {}, {*STAGES}),
        ({"costs": {"unit": "USD"}}, {}, DRAWN),
    ],
)
def test_a_parameter_changes_the_names_of_what_depends_on_it(
    wine: dict[str, Any], study: dict[str, Any], stages: set[str]
) -> None:
    assert changed(planned(), planned(wine, **study)) == stages


def test_another_title_of_a_study_of_one_dataset_draws_no_figure_again() -> None:
    def titled(title: str) -> Plan:
        return plan_of(
            parse_study({"study": "s", "datasets": [SONAR], "title": title}, files=False), {}
        )

    one, other = titled("One"), titled("Another")
    assert one.study.title != other.study.title
    assert {stage for stage in OF_STUDIES if one.key(stage) != other.key(stage)} == {"report"}


def test_a_band_that_takes_more_resamples_than_there_are_has_others() -> None:
    few, many = (
        [planned(inference={"resamples": drawn, "band": it}) for it in ("normal", "bootstrap")]
        for drawn in (19, 20)
    )
    assert "resampling" in changed(*few)
    assert "resampling" not in changed(*many)


def test_code_changes_the_names_of_what_it_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = planned()
    for layer, stages in (("report", {"report"}), ("figures", {"map", *DRAWN})):
        monkeypatch.setattr(planning, "code_hashes", lambda own=layer: {**CODE, own: {"code": "x"}})
        assert changed(before, planned()) == stages


def test_dates_of_sources_decide_nothing_and_what_they_hold_does() -> None:
    before = planned()
    os.utime("rows.csv", (10**9, 10**9))
    assert not changed(before, planned())
    Path("large.csv").write_bytes(bytes(2**20))
    os.utime("large.csv", (10**9, 10**9))
    first, then = keys(before), keys(planned())
    assert first["figures", "wine"] != then["figures", "wine"]  # a model looks the same in both
    for stage in {*OF_BATCHES} - {"figures"}:
        assert first[stage, "wine"] == then[stage, "wine"]
        assert first[stage, "sonar"] != then[stage, "sonar"]


def test_a_source_that_is_missing_is_no_fault_of_the_plan() -> None:
    before = planned()
    Path("large.csv").unlink()
    assert planned().sources["large.csv"] is None
    assert "predictions" in changed(before, planned())


def test_what_a_stage_reads_is_named_by_its_key_and_that_by_the_stages_before() -> None:
    plan = planned()
    for stage, batch in OF_ALL:
        for needed, of in plan.needed(stage, batch):
            assert plan.folder(needed, of) in plan.inputs(stage, batch)
            assert {*STAGES[needed].inputs} <= {*STAGES}
    assert not [it for it in plan.inputs("map") if "--costs" in it]
    assert {it.split("/")[2] for it in plan.inputs("claims")} == {"wine"}
    beside = plan.inputs("figures", "wine--costs")
    assert plan.folder("confidence", "wine") in beside
    assert plan.folder("confidence", "sonar") not in beside
    assert {plan.folder("duality", it) for it in plan.batches} <= {*beside}
    assert {plan.folder("map"), plan.folder("claims")} <= {*plan.inputs("report")}


def test_every_table_is_written_by_one_stage() -> None:
    written = [table for stage in STAGES.values() for table in stage.tables]
    assert len(written) == len({*written})
    assert {*written} - {*TABLES} == {
        *("predictions", "check_results", "map", "check_map", "claims", "check_claims"),
    }


def test_a_plan_that_was_saved_gives_the_same_names() -> None:
    plan = planned({"prior": 0.3}, inference={"resamples": 400})
    plan.save()
    assert keys(load_plan(plan.file)) == keys(plan)
    assert load_plan(plan.file).file == plan.file


def test_a_report_that_is_not_in_its_place_has_another_name() -> None:
    plan = planned(pdf=False)
    record, report = Path("results", "asked", PUBLISHED), Path("reports", "asked")
    record.parent.mkdir(parents=True)
    report.mkdir(parents=True)
    (report / "manifest.json").write_text(json.dumps({"fingerprint": "f", "files": {}}))
    (report / "SHA256SUMS").touch()
    Path(plan.folder("report")).mkdir()
    told = {"made_of": plan.key("report"), "key": plan.key("report")}
    told["manifest"] = sha256(report / "manifest.json")
    record.write_text(json.dumps(told))
    assert planned(pdf=False).in_place
    assert planned(pdf=False).report_key == plan.key("report")
    assert not planned(pdf=False, title="Other").in_place
    (report / "SHA256SUMS").unlink()
    assert not planned(pdf=False).in_place
    assert planned(pdf=False).report_key != plan.key("report")
    record.unlink()
    assert planned(pdf=False).report_key != plan.key("report")


def test_memory_grows_with_what_a_stage_reads_of_the_sources() -> None:
    plan = planned()
    assert {plan.memory(stage, "wine--costs") for stage in OF_BATCHES} == {1225}
    assert plan.memory("predictions", "sonar") == 1225 + 5 * 2
    assert plan.memory("cost_lines", "sonar") == 1225 + 7 * 2
    assert plan.memory("averages", "sonar") == 1225  # counts alone
    assert plan.memory("report", "") == 1200 + 25 * 3
    assert plan.memory("claims", "") == 1200 + 25 * 3 + 3 * 2
