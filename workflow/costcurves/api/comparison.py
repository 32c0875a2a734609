"""Models compared on the same cases: curves, differences, verdicts, as in the report."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd

import costcurves  # imports displays when they are drawn: they make curves themselves
from costcurves.api.conditions import Costs, operating_condition, single
from costcurves.api.curve import CostCurve, Extent, expect_extent, warn_in_sample
from costcurves.api.estimators import held_out
from costcurves.api.inputs import column, expect_order, expect_same_rows, shown
from costcurves.api.study import FILE, Options, Tables, tables_of
from costcurves.api.trusted import trusted
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import curves_of
from costcurves.extra import lacking
from costcurves.pairs.comparisons import ALL_PAIRS
from costcurves.predictions.rows import COSTS
from costcurves.ranking.net_benefit import pc_at
from costcurves.tables.keys import group_codes

ANSWERING = (
    *("measures", "headline", "intervals", "not_ruled_out", "pair_intervals"),
    *("deployment", "operating_points", "verdicts", "plausibility"),
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
    not_ruled_out : pandas.DataFrame
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

    Examples
    --------
    The calibration of a model as arrays: scores, and the share of positives that they stand for.

    >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
    >>> comparison = compare_models([0, 0, 0, 1] * 8, {"forest": scores})
    >>> rows = comparison.reliability.query("model == 'forest' and line == 'curve'")
    >>> score, rate = rows["score_to"].to_numpy(), rows["rate"].to_numpy()
    >>> score.tolist(), rate.tolist()
    ([0.3, 0.6, 0.7], [0.0, 0.5, 1.0])
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        names = tables["headline"]["model"].unique()
        self.curves = {str(name): CostCurve(tables, str(name)) for name in names}

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of the report, by its name."""
        return self._tables[name]

    def __getitem__(self, name: str) -> CostCurve:
        """Return the curve of a model."""
        if name not in self.curves:
            raise KeyError(f"no model {shown(name)}; there are {[*self.curves]}")
        return self.curves[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the models."""
        return iter(self.curves)

    def __len__(self) -> int:
        """Count the models."""
        return len(self.curves)

    @cached_property
    def differences(self) -> dict[tuple[str, str], Curve]:
        """Difference of each pair's curves."""
        return self._lines("difference")

    def band(self, extent: Extent = "simultaneous") -> dict[tuple[str, str], tuple[Curve, Curve]]:
        """Return the band of each difference that has one, lower and upper edge.

        "simultaneous" holds for all pairs and PC(+) at once, "pointwise" for each by itself.
        """
        expect_extent(extent)
        lower, upper = (self._lines(f"{extent} {edge}") for edge in ("lower", "upper"))
        return {pair: (lower[pair], upper[pair]) for pair in lower}

    def _lines(self, line: str) -> dict[tuple[str, str], Curve]:
        rows = self.table("comparisons")
        pieces = rows[(rows["line"] == line) & (rows["family"] == ALL_PAIRS)]
        return {(row["model_a"], row["model_b"]): curve for row, curve in curves_of(pieces, PAIR)}

    @property
    def verdicts(self) -> pd.DataFrame:
        """What the data can decide of each pair."""
        return self.table("verdicts")

    @property
    def not_ruled_out(self) -> pd.DataFrame:
        """Which decisions may be the cheapest, and where."""
        return self.table("not_ruled_out")

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
        """Return what to use at each condition, as the report's first table does.

        A row for each operating condition. Where no `prior` is given, the interval of the cost at
        a cost ratio includes the sampling error of the share of positives, and amounts are those of
        1000 cases with that interval. What its columns are says
        `costcurves.report.what_to_use.WHAT_TO_USE`. With costs of cases models are weighted by
        cost, and there is no row of own costs.
        """
        return self._tables.answer("summary", self._summary)

    def _summary(self) -> pd.DataFrame:
        from costcurves.report.answer import dataset_answer
        from costcurves.report.document import Numbering
        from costcurves.report.material import Material
        from costcurves.report.what_to_use import as_frame, what_to_use

        study, tables = self._tables.study, {name: self.table(name) for name in ANSWERING}
        dataset = study.datasets[-1]
        models = tuple(tables["measures"]["model"].unique())
        material = Material(study, dataset, tables, {}, models, Numbering())
        return as_frame(what_to_use([dataset_answer(material)]))

    def net_benefit_verdicts(self, *, prior: float | None = None) -> pd.DataFrame:
        """Return which of two models has the greater net benefit if scores are trusted as risks.

        Parameters
        ----------
        prior : float, optional
            Proportion of positives, the prevalence. Default: the prior of the comparison.

        Returns
        -------
        pandas.DataFrame
            As `verdicts`, of decision curves as `CostCurve.net_benefit` has them: "A cheaper" is a
            greater net benefit of A. Stretches rise by threshold probabilities, which are given as
            ``threshold_from`` and ``threshold_to``. Familywise over all pairs and thresholds.

        Raises
        ------
        ValueError
            For scores that are not probabilities, and priors out of range.
        """
        p = float(self._tables.prior if prior is None else prior)
        return self._tables.answer(p, lambda: self._of_risks(p))

    def _of_risks(self, prior: float) -> pd.DataFrame:
        rows = trusted(self._tables, prior)["verdicts"]
        low, high = (pc_at(rows[end], prior) for end in ("pc_to", "pc_from"))
        rows = rows.assign(threshold_from=low, threshold_to=high)
        rising = np.lexsort((rows["threshold_from"], group_codes(rows, ["family", *PAIR])))
        return rows.iloc[rising].reset_index(drop=True)

    def cheapest_at(self, pc: Any = None, **costs: Unpack[Costs]) -> str:
        """Return the model or no-model baseline with the lowest estimate at a condition.

        The condition is one as in `CostCurve.cost_at`. At an end of two stretches it is the later.

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> models = {"rule": [score >= 0.4 for score in scores], "score": scores}
        >>> comparison = compare_models([0, 0, 0, 1] * 8, models)
        >>> comparison.cheapest_at(cost_ratio=3), comparison.cheapest_at(cost_fn=60, cost_fp=1)
        ('score', 'score')
        """
        at, _ = single(operating_condition(self._tables.prior, pc, **costs))
        rows = self.not_ruled_out.query("standing == 'cheapest'")
        return str(rows.loc[rows["pc_from"].le(at) & rows["pc_to"].ge(at), "decision"].iloc[-1])

    def plot(
        self, ax: Any = None, *, band: bool = True, **look: Any
    ) -> costcurves.CostCurveDisplay:
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
        frame = frame.astype(dict.fromkeys(frame.select_dtypes("category"), "str"))
        frame = frame.replace("", None).dropna(axis="columns", how="all")
        frame.to_parquet(folder / FILE, index=False)
        config = f"{content['study']}.yaml"
        (folder / config).write_text(as_yaml(content), encoding="utf-8")
        command = [sys.executable, "-m", "costcurves", "report", config, *options]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
        if run.returncode:
            raise RuntimeError(run.stderr.strip() or run.stdout.strip())
        return folder / "reports" / str(content["study"]) / "report.html"

    def __repr__(self) -> str:
        """Describe the comparison: its models with the areas of their curves."""
        areas = ", ".join(f"{name!r} {curve.area:.4f}" for name, curve in self.curves.items())
        return f"Comparison of {len(self)} models (areas: {areas})"

    def _repr_html_(self) -> str:
        """Show curves in a notebook; bands and verdicts once one of them was asked for."""
        display = costcurves.CostCurveDisplay.from_comparison
        drawn = display(self, band=self._tables.resampled)._repr_html_()
        if not self._tables.resampled:
            hint = "<p>Ask for <code>verdicts</code> to see them here, with bands.</p>"
            return drawn + hint * (self._tables.rows is not None)
        verdicts = self.verdicts[SHOWN].round(4).to_html(index=False, escape=True, border=0)
        return f"{drawn}<p>Verdicts</p>{verdicts}"


def compare_models(
    y_true: Any, models: Any, *, X: Any = None, **options: Unpack[Options]
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
    reference : str, optional
        The model in use. Differences from it are a family of their own in `Comparison.verdicts`,
        and `Comparison.summary` compares with it.
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
    >>> models = {"rule": [score >= 0.4 for score in scores], "score": scores}
    >>> comparison = compare_models(labels, models, reference="rule")
    >>> comparison["score"].estimate, comparison.cheapest_at(pc=0.01)
    ('cross-fitted', 'score')
    >>> comparison.verdicts["finding"].unique().tolist()
    ['undecided']
    """
    expect_order("compare_models", y_true, models)
    given: dict[str, Any] = {**options}
    if X is not None:
        expect_same_rows(y_true, {"X": X, **options})
        size = len(y_true)
        models, y_true, layout = held_out(models, X, y_true, given.get("pos_label"))
        given |= layout
        for of in ("groups", "sample_weight", "costs") if layout else ():
            if given.get(of) is not None:
                given[of] = column(of, given[of], size)[layout["instance"]]
    name = options.get("name", "comparison")
    comparison = Comparison(tables_of(y_true, models, name, given))
    warn_in_sample(comparison.values())
    return comparison
