"""The cost curve of one model, from the same tables as the report's."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import costcurves  # imports displays when they are drawn: they make curves themselves
from costcurves.api.conditions import Condition, Costs, Value, operating_condition, single
from costcurves.api.estimators import with_threshold
from costcurves.api.study import Options, Tables, tables_of
from costcurves.api.trusted import trusted
from costcurves.chance.intervals import height_at, in_use
from costcurves.chance.resampling import share_error
from costcurves.counts.elementwise import plain
from costcurves.curves.bands import Band
from costcurves.curves.curves import Curve, operating_range
from costcurves.curves.pieces import curve_from
from costcurves.names import some
from costcurves.ranking import net_benefit
from costcurves.tables.keys import IN_SAMPLE, group_codes, unit_of

Floats = NDArray[np.float64]
Frame = pd.DataFrame
Extent = Literal["pointwise", "simultaneous"]


class InUse(NamedTuple):
    """What a threshold costs that was fixed beforehand; `CostCurve.cost_at` computes it."""

    cost: float
    low: float
    high: float
    misses: float
    false_alarms: float


class CostCurve:
    """What a model costs under every operating condition; `cost_curve` makes it.

    Attributes
    ----------
    name : str
        The model's name.
    curve : costcurves.curves.curves.Curve
        The curve itself: exact, piecewise linear, callable.
    estimate : str
        "cross-fitted" (thresholds chosen on other folds than they are judged on), "fixed in
        advance" (decisions) or "in-sample selection" (in hindsight: too low).
    prior : float
        Proportion of positives in deployment: where cost ratios lie on PC(+).
    pc, cost : ndarray of shape (n_vertices,)
        What a line through the curve's vertices is drawn with: PC(+) rises from 0 to 1, and stands
        twice where the normalized expected cost jumps.
    thresholds : ndarray of shape (n_vertices,)
        Score from which on to predict positive at each `pc`, chosen with all data: ``inf`` never,
        ``-inf`` always, ``nan`` as the model's own decision.
    area : float
        Mean cost if every PC(+) is equally likely.
    operating_range : list of (float, float)
        Stretches of PC(+) where the model costs less than always negative and always positive.

    Notes
    -----
    A pickle holds the curve, its thresholds, and the tables that were asked for, not the cases: ask
    for a band before pickling. Asking for what needs the cases afterwards is a ValueError.
    """

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables, self.name = tables, name
        pieces = self.table("headline")
        self.curve, self.estimate = curve_from(pieces), str(pieces["estimate"].iloc[0])
        self.pc, self.cost = vertices(self.curve)
        self.area, self.operating_range = self.curve.area(), operating_range(self.curve)

    def table(self, name: str) -> pd.DataFrame:
        """Return the rows of this model in a table of the report, by the table's name."""
        frame = self._tables[name]
        rows = frame[frame["model"] == self.name] if "model" in frame else frame
        return rows.reset_index(drop=True)

    @property
    def prior(self) -> float:
        """Proportion of positives in deployment."""
        return self._tables.prior

    @property
    def thresholds(self) -> Floats:
        """Threshold to use at each vertex."""
        return np.asarray(self.threshold_for(self.pc))

    @property
    def area_interval(self) -> tuple[float, float]:
        """Confidence interval of `area`."""
        row = self.table("intervals").query("quantity == 'area'").iloc[0]
        return float(row["low"]), float(row["high"])

    def band(self, extent: Extent = "simultaneous") -> tuple[Curve, Curve]:
        """Return the confidence band of the curve, lower and upper edge.

        "simultaneous" holds for all PC(+) at once, "pointwise" for each by itself.
        """
        expect_extent(extent)
        edges = self.table("bands")
        edges = edges[edges["extent"] == extent]
        lower, upper = (curve_from(edges[edges["edge"] == edge]) for edge in ("lower", "upper"))
        return lower, upper

    def pc_at(self, pc: Any = None, **costs: Unpack[Costs]) -> Value:
        """Place operating conditions, as in `cost_at`, on PC(+).

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
        >>> curve.pc_at(cost_ratio=3), curve.pc_at(cost_fn=60, cost_fp=5, prior=0.2)
        (0.5, 0.75)
        """
        return operating_condition(self.prior, pc, **costs).pc

    def cost_at(self, pc: Any = None, threshold: Any = None, **costs: Unpack[Costs]) -> Any:
        """Return the expected cost under operating conditions: normalized, or in amounts.

        An operating condition is `cost_ratio`, or `cost_fn` with `cost_fp`, or `pc`. Each is a
        number or an array.

        Parameters
        ----------
        pc : array-like, optional
            PC(+), from 0 to 1.
        threshold : float, optional
            A score from which on cases are predicted positive, such as the one in use. Default: the
            cheapest threshold at each condition, as the curve has it.
        cost_ratio : array-like, optional
            How many false alarms a miss costs, ``C(-|+) / C(+|-)``.
        cost_fn, cost_fp : array-like, optional
            What a miss and a false alarm cost in any unit, above 0. The result is then the expected
            cost of a case in that unit.
        prior : float, optional
            Proportion of positives, beside costs. Default: `self.prior`. A band at a cost ratio
            takes it as known.

        Returns
        -------
        float, or ndarray where several conditions are given
            With a threshold an `InUse`: ``cost``, the ends ``low`` and ``high`` of its interval,
            and the rates of ``misses`` and ``false_alarms``, over all cases. The interval is that
            of a threshold that was fixed beforehand, at the curve's `confidence`; at costs without
            a prior it includes the sampling error of the data's.

        Raises
        ------
        ValueError
            For no condition or several, or one out of range; with a threshold, of a model that
            decides without scores, and for several conditions.

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
        >>> curve.cost_at(cost_ratio=3), curve.cost_at(cost_fn=60, cost_fp=5, prior=0.2)
        (0.08333333333333333, 0.6666666666666666)
        >>> used = curve.cost_at(cost_ratio=3, threshold=0.55)
        >>> round(used.cost, 3), round(used.low, 3), round(used.high, 3), used.misses
        (0.333, 0.189, 0.492, 0.5)
        """
        place = operating_condition(self.prior, pc, **costs)
        if threshold is None:
            return plain(place.most * np.asarray(self.curve(place.pc)))
        at, most = single(place)
        band, odds = self._in_use(float(threshold))
        known = pc is not None or costs.get("prior") is not None
        low, cost, high = (most * end for end in height_at(band, at, 0.0 if known else odds))
        return InUse(cost, low, high, misses=band.estimate(1.0), false_alarms=band.estimate(0.0))

    def _in_use(self, threshold: float) -> tuple[Band, float]:
        """Return the band of a threshold, and the error of `prior` in log odds."""
        rows = self.table("predictions").query("weight > 0")
        if rows["score"].isna().any():
            raise ValueError(f"{self.name!r} decides without scores: it has no threshold")
        clusters, label = group_codes(rows, [unit_of(rows)]), rows["label"].to_numpy()
        scores, weights = rows["score"].to_numpy(), rows["weight"].to_numpy()
        level = self._tables.study.inference.confidence
        band = in_use(scores, label, threshold, level, weights, clusters)
        if self._tables.dataset.prior is not None:
            return band, 0.0
        return band, share_error(label, clusters, rows["case_weight"].to_numpy())

    def saved_at(self, pc: Any = None, **costs: Unpack[Costs]) -> Value:
        """Return what is saved compared with the cheaper of always negative and always positive.

        Conditions and amounts are those of `cost_at`. Below 0: the model costs more.

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
        >>> round(curve.saved_at(cost_ratio=3), 3), round(curve.saved_at(cost_fn=60, cost_fp=20), 3)
        (0.417, 12.5)
        """
        at, most = operating_condition(self.prior, pc, **costs)
        return plain(most * (np.minimum(at, 1 - np.asarray(at)) - self.curve(at)))

    def threshold_for(self, pc: Any = None, **costs: Unpack[Costs]) -> Value:
        """Return the score from which on to predict positive, by conditions as in `cost_at`.

        Chosen with all data; what choosing so costs is the curve. ``inf``: never predict positive;
        ``-inf``: always; ``nan``: as the model decided. Just where one threshold follows another it
        is the one before, as in the report; both cost the same there.

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
        >>> curve.threshold_for(cost_ratio=3), curve.threshold_for(cost_fn=2, cost_fp=10)
        (0.5, 0.7)
        """
        at = operating_condition(self.prior, pc, **costs).pc
        served = self.table("deployment")
        piece = np.searchsorted(served["pc_to"].to_numpy()[:-1], at)
        return plain(served["threshold"].to_numpy()[piece])

    def deploy(
        self, estimator: Any, *, response_method: Any = "auto", **costs: Unpack[Condition]
    ) -> Any:
        """Return an estimator that decides by the threshold for a condition, as in `cost_at`.

        Parameters
        ----------
        estimator : classifier of scikit-learn
            What made the scores; fitted, or to be fitted with all data.
        response_method : {"auto", "predict_proba", "decision_function"}
            Which method made the scores. "auto" is "predict_proba" where the estimator has it.
        **costs
            One operating condition.

        Returns
        -------
        sklearn.model_selection.FixedThresholdClassifier
            `predict` says positive where the score is at least the threshold.

        Raises
        ------
        ValueError
            For several conditions, of a model that decides without scores, and for a threshold that
            no probability can be where these are to be compared with it.
        ImportError
            Where scikit-learn 1.5 is not installed.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
        >>> curve.deploy(LogisticRegression(), cost_ratio=3).threshold
        0.5
        """
        threshold = self.threshold_for(single(operating_condition(self.prior, **costs))[0])
        return with_threshold(estimator, threshold, self._tables.positive, response_method)

    def plot_thresholds(
        self, ax: Any = None, *, threshold: Any = None, **costs: Unpack[Condition]
    ) -> Any:
        """Draw the cost of every threshold under one condition, as in `cost_at`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; default: on a new figure of pyplot's.
        threshold : float, optional
            The threshold in use, which is marked with the interval of its cost.
        **costs
            One operating condition.

        Returns
        -------
        matplotlib axes
            With the cost over thresholds, over all cases, and the threshold for the condition.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
        >>> axes = curve.plot_thresholds(Figure().subplots(), threshold=0.6, cost_ratio=3)
        >>> [text.get_text() for text in axes.get_legend().get_texts()]
        ['every threshold', 'cheapest: 0.5', 'in use: 0.6']
        """
        from costcurves.figures import style

        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(layout="constrained")
        pc, most = single(operating_condition(self.prior, **costs))
        points, best = self.table("operating_points"), self.threshold_for(pc)
        points = points.query("level == 'pooled'")
        cost = most * (pc * points["fn"] + (1 - pc) * points["fp"])
        ax.step(points["threshold"], cost, where="post", color=style.INK, label="every threshold")
        ax.axvline(best, color=style.colour(0), label=f"cheapest: {best:.3g}")
        if threshold is not None:
            used = self.cost_at(threshold=threshold, **costs)
            ends = [[used.cost - used.low], [used.high - used.cost]]
            mark = {"fmt": "o", "color": style.colour(1), "label": f"in use: {threshold:.3g}"}
            ax.errorbar(threshold, used.cost, ends, **mark)
        ax.set(xlabel="threshold", ylabel="expected cost", ylim=(0, None))
        ax.legend(frameon=False)
        return ax

    def rule(self, method: str) -> Curve:
        """Return the loss curve of a threshold choice method, over PC(+).

        "score-driven" is the Brier curve, its area the (class-balanced) Brier score;
        "score-fixed", "rate-fixed", "rate-driven" and "optimal" are the others. "score-driven"
        needs scores that are probabilities.
        """
        pieces = self.table("threshold_choice").query("axis == 'skew'")
        known = pieces["method"].unique().tolist()
        if method not in known:
            raise ValueError(f"method is {str(method)!r}, expected one of {known}")
        return curve_from(pieces[pieces["method"] == method])

    def net_benefit(
        self,
        thresholds: Any = None,
        *,
        prior: Any = None,
        extent: Any = "simultaneous",
    ) -> Frame:
        """Return net benefit and its kin at threshold probabilities: a decision curve analysis.

        Parameters
        ----------
        thresholds : array-like of shape (n_thresholds,), optional
            Threshold probabilities above 0 and below 1. Default: .01 to .99.
        prior : float, optional
            Proportion of positives, the prevalence. Default: `self.prior`.
        extent : {"simultaneous", "pointwise"} or None
            Of both bands: for all threshold probabilities at once, or for each by itself. None:
            without bands and their columns, so that nothing is resampled.

        Returns
        -------
        pandas.DataFrame
            A row for each ``threshold``, with ``pc``, where it lies on PC(+); ``net_benefit``,
            ``standardized`` and ``interventions_avoided`` (a share of all cases) of treating
            where the score is at least the threshold (of decisions: as decided), of folds their
            mean; the confidence band of ``net_benefit`` from ``low`` to ``high``; ``chosen``, the
            net benefit where the score to treat from is chosen by the data instead, as the curve
            has it, with its band from ``chosen_low`` to ``chosen_high``; ``treat_all``.

        Raises
        ------
        ValueError
            For scores that are not probabilities, and thresholds or priors out of range.

        See Also
        --------
        Comparison.net_benefit_verdicts : which of two models has the greater net benefit.
        costcurves.ranking.net_benefit : the identities with normalized expected cost.

        Notes
        -----
        The bands have the curve's `confidence`, and come from resamples of the cases (those of
        decisions on one test set from their rates). The prior is taken as known.

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
        >>> table = cost_curve([0, 0, 0, 1] * 8, scores).net_benefit([0.15, 0.5], extent=None)
        >>> threshold, benefit = table[["threshold", "net_benefit"]].to_numpy().T
        >>> threshold.tolist(), benefit.round(3).tolist()
        ([0.15, 0.5], [0.162, 0.125])
        """
        if thresholds is None:
            thresholds = np.linspace(0.01, 0.99, 99)
        t = np.atleast_1d(np.asarray(thresholds, float))
        p = float(self.prior if prior is None else prior)
        if not ((t > 0) & (t < 1)).all():
            raise ValueError("threshold probabilities must be above 0 and below 1")
        asked = (self.name, p, repr(extent), t.shape, t.tobytes())
        return self._tables.answer(asked, lambda: self._net_benefit(t, p, extent))

    def _net_benefit(self, t: Floats, p: float, extent: Any) -> Frame:
        pc = 1 - np.asarray(net_benefit.balanced(t, p))
        as_risks = CostCurve(trusted(self._tables, p), self.name)
        columns: dict[str, Any] = {"threshold": t, "pc": pc}
        for curve, name, *ends in (
            (as_risks, "net_benefit", "low", "high"),
            (self, "chosen", "chosen_low", "chosen_high"),
        ):
            columns[name] = net_benefit.net_benefit(curve.curve(pc), pc, p)
            edges = () if extent is None else curve.band(extent)[::-1]  # a low cost is a benefit
            for end, edge in zip(ends, edges, strict=False):
                columns[end] = net_benefit.net_benefit(edge(pc), pc, p)
        nec = as_risks.curve(pc)
        columns["standardized"] = net_benefit.standardized(nec, pc)
        columns["interventions_avoided"] = net_benefit.interventions_avoided(nec, pc, p)
        columns["treat_all"] = net_benefit.treat_all(t, p)
        return pd.DataFrame(columns)

    def to_frame(self) -> Frame:
        """Return the vertices as a frame: ``pc``, ``cost``, ``threshold``."""
        return pd.DataFrame({"pc": self.pc, "cost": self.cost, "threshold": self.thresholds})

    def plot(
        self, ax: Any = None, *, band: bool = True, **look: Any
    ) -> costcurves.CostCurveDisplay:
        """Draw the curve, and its band, which takes seconds; see `CostCurveDisplay.plot`."""
        display = costcurves.CostCurveDisplay.from_comparison({self.name: self}, band=band)
        return display.plot(ax, **look)

    def __repr__(self) -> str:
        """Describe the curve: its model, kind of estimate, and area."""
        return f"CostCurve({self.name!r}, {self.estimate}, area {self.area:.4f})"

    def _repr_html_(self) -> str:
        """Show the curve in a notebook, with its band once it was asked for."""
        display = costcurves.CostCurveDisplay.from_comparison
        return display({self.name: self}, band=self._tables.resampled)._repr_html_()


def cost_curve(y_true: Any, y_score: Any, **options: Unpack[Options]) -> CostCurve:
    """Return the cost curve of a classifier on cases that it was not trained on.

    The numbers are those of the report: thresholds are chosen on other folds than they are judged
    on. One test set without folds is split at random into folds for that choice.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels: 0 and 1, -1 and 1, booleans, or two others with `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores, higher is more positive; or decisions, which are booleans or the labels themselves
        (but not as floats).
    pos_label : object, optional
        Which label is positive. Never guessed where labels are not 0/1, -1/1 or booleans.
    sample_weight : array-like of shape (n_samples,), optional
        How many cases each sample stands for, as in scikit-learn: in the share of positives, rates,
        ranking and resamples.
    folds : array-like of shape (n_samples,), or splitter, optional
        The fold in which each row was held out; or what ``cross_val_predict`` had as `cv`, such as
        ``StratifiedKFold(5)``.
    repeats : array-like of shape (n_samples,), optional
        The repeat of cross-validation in which each row was held out.
    instance : array-like of shape (n_samples,), optional
        Which rows are of the same case. Needed with `repeats`.
    groups : array-like of shape (n_samples,), optional
        Which samples belong together, such as the lesions of a patient. Such clusters are resampled
        whole, and stay whole where samples are split into folds at random. With fewer than ten
        clusters of a class nothing is decided.
    costs : array-like of shape (n_samples,), optional
        What a mistake on each sample costs; only shares within its class matter for the curve.
    prior : float, optional
        Proportion of positives in deployment. Default: that of the data, whose sampling error is
        then in the intervals of costs at cost ratios (not in bands, which are over PC(+)).
    confidence : float
        Level of bands and intervals.
    n_resamples : int, optional
        How many resamples of the cases bands and intervals rest on. Default: 2,000, or more if many
        models need them.
    random_state : int, numpy.random.Generator or RandomState, optional
        Where random numbers start, for resamples and for splits at random. A generator gives the
        seed, and moves on. Default: a fixed seed, so that the same data give the same numbers.
    name : str
        The model's name.
    settings : mapping, optional
        Other keys of a study's configuration, such as ``{"level": "fold"}``; see config/README.md.

    Returns
    -------
    CostCurve

    Raises
    ------
    ValueError
        Where arrays, labels or settings can't be used, with every finding; where pandas columns
        have unequal indexes; where something is given both by name and in `settings`.

    Warns
    -----
    UserWarning
        Where the estimate is in-sample: thresholds are chosen on the cases that judge them. Where
        scores rank worse than chance, as those of the other class do. Where rows seem to be of the
        same case, and `instance` does not say so.

    See Also
    --------
    compare_models : several models on the same cases, with verdicts.
    CostCurveDisplay : the curve on axes of your own.
    cost_loss : the cost of these very decisions, or of scores that are trusted.

    Examples
    --------
    >>> scores = [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4
    >>> curve = cost_curve([0, 0, 0, 1] * 8, scores)
    >>> curve.estimate, curve.cost_at(cost_ratio=3), curve.threshold_for(cost_ratio=3)
    ('cross-fitted', 0.08333333333333333, 0.5)

    Of cross-validation, with the splitter that ``cross_val_predict(..., cv=cv)`` had:

    >>> from sklearn.model_selection import StratifiedKFold
    >>> cost_curve([0, 0, 0, 1] * 8, scores, folds=StratifiedKFold(4))
    CostCurve('model', cross-fitted, area 0.0625)
    """
    name = str(options.get("name", "model"))
    curve = CostCurve(tables_of(y_true, {name: y_score}, "data", options), name)
    warn_in_sample([curve])
    return curve


def expect_extent(extent: str) -> None:
    """Refuse an extent that no band has."""
    if extent not in get_args(Extent):
        raise ValueError(f"extent is {extent!r}, expected 'pointwise' or 'simultaneous'")


def warn_in_sample(curves: Iterable[CostCurve]) -> None:
    """Warn the caller of a public function of in-sample estimates, which are too low."""
    names = [curve.name for curve in curves if curve.estimate == IN_SAMPLE]
    if names:
        why = "thresholds are chosen on the cases that judge them, so costs are too low"
        mend = "give folds, or more cases of both classes"
        warnings.warn(f"in-sample estimate of {some(names)}: {why}; {mend}", stacklevel=3)


def vertices(curve: Curve) -> tuple[Floats, Floats]:
    """Return what a line through a curve is drawn with: PC(+) and heights; jumps have both ends."""
    pc = np.repeat(curve.pc, 2)[1:-1]
    cost = np.column_stack([curve.starts, curve.ends]).ravel()
    new = np.append(True, (np.diff(pc) != 0) | (np.diff(cost) != 0))
    return pc[new], cost[new]
