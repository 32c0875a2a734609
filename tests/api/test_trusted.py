"""Scores that are trusted: their bands and verdicts are the report's, and what they mean."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from tests.api.data import FIFTEEN, GOOD
from tests.asymmetric_study import STUDY, loans

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "peers" / "dcurves.json").read_text("utf-8")
)
P = 0.2
QUICK = {"inference": {"resamples": 400, "confidence": 0.8}}

pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


def judged() -> pd.DataFrame:
    rows = loans()
    return rows[rows["model"].isin(["Vote", "Bayes", "Rule"])]


def compared(rows: pd.DataFrame, keys: tuple[str, ...] = (), **given: Any) -> cc.Comparison:
    """Compare scores and decisions of a dataset of the asymmetric study, as arrays."""
    models = {}
    for name, of_model in rows.groupby("model", sort=False):
        column = "decision" if of_model["score"].isna().all() else "score"
        models[str(name)] = of_model[column].tolist()
    rows = rows[rows["model"] == "Bayes"]
    keys = ("seed", "level", "operating_conditions", "inference", "reference", *keys)
    settings = {key: STUDY[key] for key in keys}
    given = {"prior": P, "name": "loans", "settings": settings, **given}
    given |= {"repeats": rows["repeat"], "folds": rows["fold"], "instance": rows["instance"]}
    return cc.compare_models(rows["label"], models, **given)


@pytest.fixture(scope="module")
def of_loans() -> cc.Comparison:
    return compared(judged())


@pytest.mark.parametrize("model", ["cancerpredmarker", "famhistory"])
def test_numbers_are_those_of_dcurves(model: str) -> None:
    """Scores that have a model's counts at all of its thresholds."""
    rows = pd.DataFrame(GOLDEN["rows"])
    rows = rows[rows["model"] == model]
    at, scores, labels = rows["threshold"].to_numpy(), [], []
    for label, word, whole in ((1, "tp", GOLDEN["positives"]), (0, "fp", GOLDEN["negatives"])):
        fewer = -np.diff([whole, *rows[word], 0])
        scores.append(np.repeat(np.append(0.0, at), fewer))
        labels.append(np.full(whole, label))
    curve = cc.cost_curve(np.concatenate(labels), np.concatenate(scores), settings=QUICK)
    table = curve.net_benefit(at, extent=None)
    for name in ("net_benefit", "interventions_avoided"):
        assert table[name].to_numpy() == pytest.approx(rows[name], rel=1e-12, abs=1e-14)


def test_decisions_stay_what_they_are(of_loans: cc.Comparison) -> None:
    table = of_loans["Rule"].net_benefit([0.1, 0.3])
    assert table["net_benefit"].equals(table["chosen"])
    for edge in ("low", "high"):  # resampled at other PC(+), between which it is a straight line
        assert table[edge].to_numpy() == pytest.approx(table[f"chosen_{edge}"], rel=1e-3)


def test_verdicts_are_where_one_net_benefit_is_the_greater(of_loans: cc.Comparison) -> None:
    verdicts = of_loans.net_benefit_verdicts(prior=0.3)
    assert (verdicts["threshold_from"] < verdicts["threshold_to"]).all()
    for _, pair in verdicts.groupby(["family", "model_a", "model_b"], sort=False):
        assert pair["threshold_from"].tolist()[1:] == pair["threshold_to"].tolist()[:-1]
    for name, end in (("threshold_from", "to"), ("threshold_to", "from")):
        pc, odds = verdicts[f"pc_{end}"], verdicts[name] / (1 - verdicts[name])
        assert (0.3 / (0.3 + 0.7 * odds)).to_numpy() == pytest.approx(pc.to_numpy(), rel=1e-9)
        ratio = verdicts[f"ratio_{end}"].to_numpy()
        assert (1 / odds).to_numpy() == pytest.approx(ratio, rel=1e-9)
    decided = verdicts[verdicts["finding"].isin(["A cheaper", "B cheaper"])]
    assert {*decided["finding"]} == {"A cheaper", "B cheaper"}
    for _, row in decided.iterrows():
        t = np.linspace(row["threshold_from"], row["threshold_to"], 12)[1:-1]
        a, b = (
            of_loans[row[name]].net_benefit(t, prior=0.3, extent=None)["net_benefit"]
            for name in ("model_a", "model_b")
        )
        assert ((a > b) if row["finding"] == "A cheaper" else (a < b)).all()


def test_net_benefit_is_of_trusted_scores_and_of_the_curve() -> None:
    curve, share = cc.cost_curve(FIFTEEN, GOOD, settings=QUICK), FIFTEEN.mean()
    table = curve.net_benefit([0.2, 0.45]).set_index("threshold")
    for t, row in table.iterrows():
        treated, weight = t <= GOOD, t / (1 - t)  # type: ignore[operator]
        benefit = (treated & (FIFTEEN == 1)).mean() - (treated & (FIFTEEN == 0)).mean() * weight
        chosen = share - curve.cost_at(row["pc"]) * (share + (1 - share) * weight)
        expected = [benefit, benefit / share, share - (1 - share) * weight, chosen]
        names = ["net_benefit", "standardized", "treat_all", "chosen"]
        assert row[names].tolist() == pytest.approx(expected, rel=1e-12)
        assert row["low"] <= row["net_benefit"] <= row["high"]
        edges = [edge(row["pc"]) * (share + (1 - share) * weight) for edge in curve.band()[::-1]]
        assert [share - row["chosen_low"], share - row["chosen_high"]] == pytest.approx(edges)
    alone = curve.net_benefit([0.2, 0.45], extent=None).set_index("threshold")
    bands = ["low", "high", "chosen_low", "chosen_high"]
    assert table.drop(columns=bands).equals(alone)
    decided = cc.cost_curve(FIFTEEN, GOOD >= 0.45, settings=QUICK).net_benefit(0.45).iloc[0]
    assert decided["net_benefit"] == decided["chosen"] == pytest.approx(table["net_benefit"][0.45])
