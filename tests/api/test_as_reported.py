"""The facade's numbers are the report's, to the last bit."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

import costcurves as cc
from costcurves.api.curve import CostCurve
from costcurves.api.trusted import trusted
from costcurves.contracts import CONTRACTS
from costcurves.curves.curves import Curve, operating_range
from costcurves.predictions.staged import stage
from costcurves.study.reading import parse_study
from costcurves.tables.files import read
from tests.api.data import FIFTEEN as Y
from tests.api.data import GOOD
from tests.api.test_trusted import compared, judged
from tests.asymmetric_study import NAME, calls
from tests.small_study import result

SAME = [
    *("operating_points", "envelopes", "averages", "hybrids", "headline", "measures"),
    *("deployment", "duality", "bands", "intervals", "comparisons", "verdicts", "crossovers"),
    "not_ruled_out",
]
pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


@pytest.fixture(scope="module")
def of_calls() -> cc.Comparison:
    """A dataset of the asymmetric study, as arrays: scores and decisions, folds and repeats."""
    keys = ("prior", "selection")
    return compared(calls(), pos_label="left", prior=0.06, name="calls", keys=keys)


def assert_equal(*frames: pd.DataFrame) -> None:
    """Compare to the last bit, but for how text is kept."""
    first, second = (
        frame.reset_index(drop=True).astype(dict.fromkeys(frame.select_dtypes("category"), "str"))
        for frame in frames
    )
    pd.testing.assert_frame_equal(first, second, check_exact=True)


@pytest.mark.parametrize("table", SAME)
def test_tables_are_those_of_the_workflow(
    table: str, of_calls: cc.Comparison, asymmetric_tables: Path
) -> None:
    expected = of_workflow(asymmetric_tables, table, "calls")
    assert_equal(of_calls.table(table), expected)
    for curve in of_calls.values() if table == "measures" else ():
        assert curve.area == curve.table("measures").query("headline")["area"].item()
        assert (curve.operating_range, curve.prior) == (operating_range(curve.curve), 0.06)


def test_a_report_is_of_the_same_predictions(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    given: dict[str, Any] = {"costs": np.arange(1, 16) * 1.5, "name": "few", "prior": 0.3}
    comparison = cc.compare_models(Y, {"good": GOOD, "rule": Y}, folds=np.arange(15) % 2, **given)
    assert comparison.report(tmp_path) == tmp_path / "reports" / "few" / "report.html"
    monkeypatch.chdir(tmp_path)
    study = parse_study(yaml.safe_load(Path("few.yaml").read_text()))
    assert_equal(stage(study.datasets[-1]), comparison._tables["predictions"])
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="--quick leaves out what --appendix adds"):
        comparison.report(tmp_path, "--quick", "--appendix")


def of_workflow(tables: Path, name: str, dataset: str = "loans") -> pd.DataFrame:
    return read(result(tables / "results" / NAME, name, dataset), CONTRACTS[name])


def test_of_as_many_positives_they_are_the_criterion_of_the_report(
    asymmetric_tables: Path,
) -> None:
    intervals = of_workflow(asymmetric_tables, "choice_intervals").fillna({"model_b": ""})
    tables = trusted(compared(judged())._tables, 0.5)
    curves = {name: CostCurve(tables, name).curve for name in ("Vote", "Bayes")}
    rule = intervals["criterion_a"].eq("score-driven") & intervals["model_b"].eq("")
    areas = intervals[rule & intervals["quantity"].eq("area")].set_index("model_a")
    for name, curve in curves.items():
        area = tables.resamples.of(name, curve, "fixed in advance").scalar(Curve.area, 0.8)
        assert areas.loc[[name], ["low", "value", "high"]].to_numpy().tolist() == [[*area]]
