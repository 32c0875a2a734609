"""Models compared on the same cases: curves, differences, verdicts, as in the report."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import costcurves  # imports displays when they are drawn: they make curves themselves
from costcurves.api.curve import LEVEL, CostCurve, RandomState, settings_of, warn_in_sample
from costcurves.api.estimators import held_out
from costcurves.api.inputs import column, expect_order, expect_same_rows
from costcurves.api.study import FILE, Tables, tables_of
from costcurves.api.trusted import trusted
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import curves_of
from costcurves.extra import lacking
from costcurves.pairs.differences import ALL_PAIRS
from costcurves.predictions.rows import COSTS
from costcurves.ranking.net_benefit import pc_at
from costcurves.tables.keys import group_codes

ANSWERING = (
    *("measures", "headline", "intervals", "in_the_running", "pair_intervals"),
    *("deployment", "operating_points", "verdicts"),
)
PAIR = ["model_a", "model_b"]
SHOWN = ["model_a", "model_b", "finding", "pc_from", "pc_to", "ratio_from", "ratio_to"]


class Comparison(Mapping[str, CostCurve]):
    """Models on the same cases; `compare_models` makes it.

    A mapping of each model's name to its `CostCurve`, in order.

    Attributes
    ----------
    curves : dict of str to CostCurve
        The curve of each model, in order.
    differences : dict of (str, str) to costcurves.curves.curves.Curve
        cost(A) - cost(B) of each pair: positive where B is cheaper.
    verdicts : pandas.DataFrame
        What the data can decide of each pair, on stretches of PC(+): "A cheaper", "B cheaper",
        "equivalent" or "undecided"; familywise over all pairs and PC(+), see `compare_models`.
    in_the_running : pandas.DataFrame
        Which models and no-model baselines could still be cheapest, on stretches of PC(+).
    pair_intervals : pandas.DataFrame
        Differences of each pair that were fixed beforehand: of the mean cost over all PC(+)
        ("area"), by the weights of the study's `prior` ("tec"), and of the cost at each condition
        that `settings` names under "operating_conditions" ("cost"); with interval and p-value,
        adjusted over the pairs and conditions. Named conditions take half of the error, so that
        verdicts are read at 1 - (1 - confidence) / 2.
    calibration : pandas.DataFrame
        Of each model whose scores all lie in [0, 1] the Brier score and its parts (`part`):
        brier = miscalibration - discrimination + uncertainty, of isotonic regression (CORP). What
        fits gain by chance, `by_chance`, is taken off both, and intervals, each by itself, are of
        these values. Where `minus` names a model, the difference from it, on the same cases, with
        intervals that hold for all pairs at once.
    reliability : pandas.DataFrame
        Their reliability curves (`line` "curve"): blocks of scores that stand for one `rate`; with
        the edges of a band where calibrated scores would lie ("consistent lower", "consistent
        upper"), unless cases belong to clusters or count differently; and how many scores there
        are ("scores").

    Notes
    -----
    A pickle holds curves, their thresholds, and what was asked for, not the cases: ask for
    `verdicts` before pickling, and for `summary`, net benefits and their verdicts with the same
    arguments as afterwards. What needs the cases and was not asked for is a ValueError.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        names = tables["headline"]["model"].unique()
        self.curves = {str(name): CostCurve(tables, str(name)) for name in names}

    def table(self, name: str) -> pd.DataFrame:
        """Give a table of the report, by its name."""
        return self._tables[name]

    def __getitem__(self, name: str) -> CostCurve:
        """Give the curve of a model."""
        if name not in self.curves:
            raise KeyError(f"no model {name!r}; there are {[*self.curves]}")
        return self.curves[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the models."""
        return iter(self.curves)

    def __len__(self) -> int:
        """Count the models."""
        return len(self.curves)

    @cached_property
    def differences(self) -> dict[tuple[str, str], Curve]:
        """Difference of each pair's curves."""
        return self._lines("difference")

    def band(self, edge: str) -> dict[tuple[str, str], Curve]:
        """Give one edge of the bands of all differences.

        One of "pointwise lower", "pointwise upper", "simultaneous lower", "simultaneous upper".
        """
        return self._lines(edge)

    def _lines(self, line: str) -> dict[tuple[str, str], Curve]:
        rows = self.table("comparisons")
        own = rows[(rows["line"] == line) & (rows["family"] == ALL_PAIRS)]
        return {(one["model_a"], one["model_b"]): curve for one, curve in curves_of(own, PAIR)}

    @property
    def verdicts(self) -> pd.DataFrame:
        """What the data can decide of each pair."""
        return self.table("verdicts")

    @property
    def in_the_running(self) -> pd.DataFrame:
        """Which decisions may be the cheapest, and where."""
        return self.table("in_the_running")

    @property
    def pair_intervals(self) -> pd.DataFrame:
        """Differences of mean costs and of costs at named conditions."""
        return self.table("pair_intervals")

    @property
    def calibration(self) -> pd.DataFrame:
        """Brier scores and their parts, where scores are in [0, 1]."""
        return self.table("calibration")

    @property
    def reliability(self) -> pd.DataFrame:
        """The share of positives that scores in [0, 1] stand for."""
        return self.table("reliability")

    def summary(self) -> pd.DataFrame:
        """Say what to use at each condition, as the report's first table does.

        A row for each operating condition. Where no `prior` is given, the interval of the cost at
        a cost ratio includes the sampling error of the share of positives, and amounts are those of
        1000 cases with that interval. What its columns are says
        `costcurves.report.what_to_use.WHAT_TO_USE`. With costs of cases models are weighted by
        cost, and there is no row of own costs.
        """
        if "summary" in (answers := self._tables.answers):
            return answers["summary"].copy()
        from costcurves.report.answer import dataset_answer
        from costcurves.report.document import Numbering
        from costcurves.report.material import facts_of, material_of
        from costcurves.report.what_to_use import as_frame, what_to_use

        study, tables = self._tables.study, {name: self.table(name) for name in ANSWERING}
        dataset = study.datasets[-1]
        facts = facts_of(dataset, tables, study.level)
        material = material_of(study, dataset, facts, tables, {}, facts.models, Numbering())
        rows = what_to_use([dataset_answer(material)], material.confidence)
        return answers.setdefault("summary", as_frame(rows)).copy()

    def resampled(self) -> bool:
        """Say whether cases were resampled, as bands and verdicts need it."""
        return self._tables.resampled

    def net_benefit_verdicts(self, *, prevalence: float | None = None) -> pd.DataFrame:
        """Say which of two models has the greater net benefit where scores are trusted as risks.

        Parameters
        ----------
        prevalence : float, optional
            Proportion of positives. Default: the prior of the comparison.

        Returns
        -------
        pandas.DataFrame
            As `verdicts`, of decision curves as `CostCurve.net_benefit` has them: "A cheaper" is a
            greater net benefit of A. Stretches rise by threshold probabilities, which are given as
            ``threshold_from`` and ``threshold_to``. Familywise over all pairs and thresholds.

        Raises
        ------
        ValueError
            For scores that are not probabilities, and prevalences out of range.
        """
        p = float(self._tables.prior if prevalence is None else prevalence)
        if p in (answers := self._tables.answers):
            return answers[p].copy()
        found = trusted(self._tables, p)["verdicts"]
        low, high = (pc_at(found[end], p) for end in ("pc_to", "pc_from"))
        found = found.assign(threshold_from=low, threshold_to=high)
        rising = np.lexsort((found["threshold_from"], group_codes(found, ["family", *PAIR])))
        return answers.setdefault(p, found.iloc[rising].reset_index(drop=True)).copy()

    def cheapest_at(self, pc: float) -> str:
        """Name the model or no-model baseline that costs least at PC(+), by estimate."""
        rows = self.in_the_running
        here = (rows["standing"] == "cheapest") & (rows["pc_from"] <= pc) & (pc <= rows["pc_to"])
        if not here.any():
            raise ValueError(f"PC(+) is {pc}, expected a number from 0 to 1")
        return str(rows.loc[here, "decision"].iloc[-1])

    def plot(
        self, ax: Any = None, *, band: bool = True, **look: Any
    ) -> "costcurves.CostCurveDisplay":
        """Draw all curves, and their bands, which takes seconds; see `CostCurveDisplay.plot`."""
        return costcurves.CostCurveDisplay.from_comparison(self, band=band).plot(ax, **look)

    def report(self, path: str | Path, *options: str) -> Path:
        """Write the predictions and their configuration into a folder, and build the report there.

        Parameters
        ----------
        path : str or Path
            The folder; it is made if need be.
        *options : str
            As for the command ``costcurves report``, such as "--quick".

        Returns
        -------
        Path
            The page. Beside it are the PDF, tables and figures.

        Raises
        ------
        RuntimeError
            With what the command said, if there is no report.
        ImportError
            Where the extra `report` is not installed.
        """
        if why := lacking("Comparison.report"):
            raise ImportError(why)
        from costcurves.study.strict_yaml import as_yaml

        folder, content, rows = Path(path), dict(self._tables.configuration), self._tables.cases()
        folder.mkdir(parents=True, exist_ok=True)
        names = ["model", "repeat", "fold", "instance", "cluster", "label", "score", "decision"]
        frame = rows.frame[[*names, "weight", *COSTS]]
        frame = frame.dropna(axis="columns", how="all")
        frame = frame.drop(columns=[name for name in frame if frame[name].eq("").all()])
        columns = frame.select_dtypes("category")
        frame.astype(dict.fromkeys(columns, "str")).to_parquet(folder / FILE, index=False)
        config = f"{content['study']}.yaml"
        (folder / config).write_text(as_yaml(content), encoding="utf-8")
        command = [sys.executable, "-m", "costcurves", "report", config, *options]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
        if run.returncode:
            raise RuntimeError(run.stderr.strip() or run.stdout.strip())
        return folder / "reports" / str(content["study"]) / "report.html"

    def __repr__(self) -> str:
        """Name the models with the areas of their curves."""
        areas = ", ".join(f"{name!r} {one.area:.4f}" for name, one in self.curves.items())
        return f"Comparison(areas: {areas})"

    def _repr_html_(self) -> str:
        """Show curves in a notebook; bands and verdicts once one of them was asked for."""
        made = costcurves.CostCurveDisplay.from_comparison
        drawn = made(self, band=self.resampled())._repr_html_()
        if not self._tables.resampled:
            hint = "<p>Ask for <code>verdicts</code> to see them here, with bands.</p>"
            return drawn + hint * (self._tables.rows is not None)
        verdicts = self.verdicts[SHOWN].round(4).to_html(index=False, escape=True, border=0)
        return f"{drawn}<p>Verdicts</p>{verdicts}"


def compare_models(
    y_true: Any,
    models: Any,
    *,
    X: Any = None,
    pos_label: Any = None,
    folds: Any = None,
    repeats: Any = None,
    instance: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    costs: Any = None,
    prior: float | None = None,
    confidence: float = LEVEL,
    n_resamples: int | None = None,
    random_state: RandomState = None,
    name: str = "comparison",
    settings: Mapping[str, Any] | None = None,
) -> Comparison:
    """Compare classifiers on the same cases, none of which they were trained on.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels, as for `cost_curve`.
    models : mapping or frame
        By name, or as columns: scores or decisions as for `cost_curve`; or, with `X`, fitted
        classifiers; or what ``cross_validate(..., return_estimator=True, return_indices=True)``
        gave, whose folds and repeats are then used.
    X : array-like, optional
        What classifiers predict from.
    pos_label, folds, repeats, instance, groups, sample_weight, prior
        As for `cost_curve`.
    confidence, n_resamples, random_state
        As for `cost_curve`. The confidence is that of all verdicts together: at 0.9 the chance that
        any is false is meant to be at most 10 %; in simulations it was 1 to 10 %, depending on the
        design.
    costs : array-like of shape (n_samples,), optional
        What a mistake on each case costs; curves are then weighted by it.
    name : str
        What the dataset and its report are called.
    settings : mapping, optional
        Other keys of a study's configuration.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError, TypeError
        Where something can't be used, with every finding; where labels and models are exchanged.

    Warns
    -----
    UserWarning
        As of `cost_curve`.

    See Also
    --------
    cost_curve : one model.
    CostDifferenceDisplay : the difference of two of them, drawn.

    Examples
    --------
    >>> labels = [0, 0, 0, 1] * 8
    >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
    >>> found = compare_models(labels, {"rule": [one >= 0.4 for one in scores], "score": scores})
    >>> found["score"].estimate, found.cheapest_at(0.01)
    ('cross-fitted', 'score')
    >>> found.verdicts["finding"].unique().tolist()
    ['undecided']
    """
    expect_order("compare_models", y_true, models)
    own = {"folds": folds, "repeats": repeats, "instance": instance}
    of_samples = {"groups": groups, "sample_weight": sample_weight}
    of_samples["costs"] = costs
    if X is not None:
        expect_same_rows(y_true, {"X": X, **own, **of_samples})
        seen = len(y_true)
        models, y_true, layout = held_out(models, X, y_true, pos_label)
        own |= layout
        for of, values in of_samples.items() if layout else ():
            if values is not None:
                of_samples[of] = column(of, values, seen)[layout["instance"]]
    tables = tables_of(
        y_true,
        models,
        name=name,
        prior=prior,
        settings=settings_of(settings, confidence, n_resamples, random_state),
        pos_label=pos_label,
        **own,
        **of_samples,
    )
    found = Comparison(tables)
    warn_in_sample(found.values())
    return found
