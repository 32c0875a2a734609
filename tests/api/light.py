"""The Python interface where the extra `report` is not installed: a program of its own.

`python -m tests.api.light > tests/golden/api/light.json` writes numbers of each public name; with
words behind it, it is the command `costcurves`.
"""

import json
import pickle
import sys
import warnings
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Final

from costcurves.extra import MODULES

HIDDEN: Final = {*MODULES, "brotli", "jsonschema", "markupsafe", "openpyxl"}
GOLDEN: Final = Path(__file__).parents[1] / "golden" / "api" / "light.json"
NAMES: Final = ("ä{}", "z{}", "\ufb01{}", "\U0001f980{}")  # ids that UTF-16 would order otherwise

TABLES: Final = (
    *("verdicts", "crossovers", "not_ruled_out", "pair_intervals", "intervals"),
    *("deployment", "plausibility", "calibration", "optimism"),
    *("auc_differences", "criteria", "duality"),
)


class Without(PathFinder):
    """Finds modules as ever, but none of the extra's."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        hidden = fullname.partition(".")[0] in HIDDEN
        return None if hidden else super().find_spec(fullname, path, target)


def hide() -> None:
    """Hide what the extra brings."""
    sys.meta_path[sys.meta_path.index(PathFinder)] = Without


def numbers() -> dict[str, Any]:
    """Use each public name, and give what comes of it."""
    import numpy as np
    import pandas as pd
    from sklearn.naive_bayes import GaussianNB

    import costcurves as cc

    rng = np.random.default_rng(3)
    y = (rng.random(240) < 0.4).astype(int)
    logits = {"one": rng.normal(size=240) + 2 * y, "other": rng.normal(size=240) + y}
    scores = {name: np.round(1 / (1 + np.exp(-logit)), 6) for name, logit in logits.items()}
    rule = (scores["one"] > 0.6) ^ (rng.random(240) < 0.1)
    ids = [np.str_(NAMES[i % 4].format(i)) for i in range(240)]  # old pandas keeps it as it is
    few: dict[str, Any] = {"n_resamples": 400}
    named = cc.compare_models(y, {**scores, "rule": rule}, instance=ids, **few)
    curve = cc.cost_curve(y, scores["other"], folds=np.arange(240) % 5, **few)
    trusted = cc.compare_models(y, scores, costs=np.round(10 * scores["one"], 2) + 1, **few)
    both = np.stack([1 - scores["one"], scores["one"]], axis=1)
    decided = cc.compare_decisions(y, {"one": both}, cost_matrix=[[0, 1], [4, 0]])
    x = np.stack([*logits.values()], axis=1)
    made: dict[str, Any] = {
        "cost_curve": [curve.area, curve.cost_at(0.3), curve.threshold_for(cost_ratio=2)],
        "CostCurve": [
            *curve.area_interval,
            curve.saved_at(0.3),
            *curve.cost_at(0.3, threshold=0.5),
        ],
        "compare_models": {name: each.area for name, each in trusted.items()},
        "Comparison": {
            "net_benefit_verdicts": _columns(trusted.net_benefit_verdicts(prior=0.3)),
            "summary": _columns(named.summary()),
            **{name: _columns(named.table(name)) for name in TABLES},
        },
        "compare_decisions": _columns(decided.costs),
        "Decisions": _columns(decided.differences),
        "cost_loss": cc.cost_loss(y, scores["one"], pc=0.3),
        "make_cost_scorer": cc.make_cost_scorer(cost_ratio=3)(GaussianNB().fit(x, y), x, y),
        "read_predictions": _refused(lambda: cc.read_predictions("a.csv")),
    }
    made["Comparison"]["report"] = _refused(lambda: named.report("a"))
    for kind in (cc.CostCurveDisplay, cc.CostDifferenceDisplay, cc.DualityDisplay):
        shown = kind.from_predictions(y, scores, **few)
        lines: list[Any] = [line.get_xydata() for line in shown.lines_]
        made[kind.__name__] = [[len(line), *line.mean(axis=0).tolist()] for line in lines]
        assert shown._repr_html_().startswith("<svg")
    pd.testing.assert_frame_equal(trusted.verdicts, pickle.loads(pickle.dumps(trusted)).verdicts)
    return made


def _columns(frame: Any) -> dict[str, list[Any]]:
    return {str(name): frame[name].tolist() for name in frame}


def _refused(call: Callable[[], Any]) -> str:
    try:
        call()
    except ImportError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    hide()
    if sys.argv[1:]:
        from costcurves.command.main import main

        sys.exit(main(sys.argv[1:]))
    warnings.filterwarnings("ignore", "in-sample", UserWarning)
    print(json.dumps(numbers(), default=lambda number: number.item()))
