"""The cost curve of one model, from the same tables as the report's."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

import costcurves  # imports displays when they are drawn: they make curves themselves
from costcurves.api.study import Tables, tables_of
from costcurves.api.trusted import trusted
from costcurves.counts.elementwise import plain, rate
from costcurves.curves import cost_space
from costcurves.curves.curves import Curve, operating_range
from costcurves.curves.pieces import curve_from
from costcurves.names import some
from costcurves.ranking import net_benefit
from costcurves.tables.keys import IN_SAMPLE

Floats = NDArray[np.float64]
Value = float | Floats
RandomState = int | np.random.Generator | np.random.RandomState | None
LEVEL: Final = 0.9


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
        """Give the rows of this model in a table of the report, by the table's name."""
        frame = self._tables[name]
        own = frame[frame["model"] == self.name] if "model" in frame else frame
        return own.reset_index(drop=True)

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
        found = self.table("intervals")
        row = found[found["quantity"] == "area"].iloc[0]
        return float(row["low"]), float(row["high"])

    def band(
        self, extent: Literal["pointwise", "simultaneous"] = "simultaneous"
    ) -> tuple[Curve, Curve]:
        """Give the confidence band of the curve, lower and upper edge.

        "simultaneous" holds for all PC(+) at once, "pointwise" for each by itself.
        """
        edges = self.table("bands")
        edges = edges[edges["extent"] == extent]
        if edges.empty:
            raise ValueError(f"extent is {extent!r}, expected 'pointwise' or 'simultaneous'")
        lower, upper = (curve_from(edges[edges["edge"] == edge]) for edge in ("lower", "upper"))
        return lower, upper

    def pc_at(
        self,
        pc: ArrayLike | None = None,
        *,
        cost_ratio: ArrayLike | None = None,
        prior: float | None = None,
    ) -> Value:
        """Place operating conditions on PC(+): themselves, or ``C(-|+) / C(+|-)`` at a prior."""
        return pc_at(pc, cost_ratio, self.prior if prior is None and pc is None else prior)

    def cost_at(
        self,
        pc: ArrayLike | None = None,
        *,
        cost_ratio: ArrayLike | None = None,
        prior: float | None = None,
        cost_fn: ArrayLike | None = None,
        cost_fp: ArrayLike | None = None,
    ) -> Value:
        """Give the expected cost under operating conditions: normalized, or in amounts.

        Parameters
        ----------
        pc : array-like, optional
            PC(+), from 0 to 1: a number or an array of any shape.
        cost_ratio : array-like, optional
            In its place ``C(-|+) / C(+|-)``: what a false negative costs, in false positives.
        prior : float, optional
            Proportion of positives for cost ratios and amounts. Default: `self.prior`. The band at
            a ratio's PC(+) takes it as known; `Comparison.summary` does not where it is sampled.
        cost_fn, cost_fp : array-like, optional
            In their place what a false negative and a false positive cost in any unit, above 0: the
            result is then the expected cost of a case in that unit.
        """
        at, most = self._at(pc, cost_ratio, prior, cost_fn, cost_fp)
        return plain(most * np.asarray(self.curve(at)))

    def saved_at(
        self,
        pc: ArrayLike | None = None,
        *,
        cost_ratio: ArrayLike | None = None,
        prior: float | None = None,
        cost_fn: ArrayLike | None = None,
        cost_fp: ArrayLike | None = None,
    ) -> Value:
        """Give what is saved, compared with always negative or always positive; as `cost_at`.

        That is the one of the two that costs less. Below 0: the model costs more.
        """
        at, most = self._at(pc, cost_ratio, prior, cost_fn, cost_fp)
        return plain(most * (np.minimum(at, 1 - np.asarray(at)) - self.curve(at)))

    def _at(
        self,
        pc: ArrayLike | None,
        cost_ratio: ArrayLike | None,
        prior: float | None,
        cost_fn: ArrayLike | None,
        cost_fp: ArrayLike | None,
    ) -> tuple[Value, Value]:
        """Place conditions on PC(+), and give what a case costs if every decision is wrong."""
        if cost_fn is None and cost_fp is None:
            return self.pc_at(pc, cost_ratio=cost_ratio, prior=prior), 1.0
        if cost_fn is None or cost_fp is None or pc is not None or cost_ratio is not None:
            raise ValueError("expected cost_fn and cost_fp together, in place of pc and cost_ratio")
        fn, fp = np.asarray(cost_fn, float), np.asarray(cost_fp, float)
        if not ((fn > 0) & (fp > 0) & np.isfinite(fn + fp)).all():
            raise ValueError(f"cost_fn is {cost_fn!r} and cost_fp {cost_fp!r}, expected above 0")
        share = self.prior if prior is None else prior
        return pc_at(None, fn / fp, share), plain(share * fn + (1 - share) * fp)

    def threshold_for(
        self,
        pc: ArrayLike | None = None,
        *,
        cost_ratio: ArrayLike | None = None,
        prior: float | None = None,
    ) -> Value:
        """Give the score from which on to predict positive, by conditions as in `cost_at`.

        Chosen with all data; what choosing so costs is the curve. ``inf``: never predict positive;
        ``-inf``: always; ``nan``: as the model decided. Just where one threshold follows another it
        is the one before, as in the report; both cost the same there.
        """
        at = self.pc_at(pc, cost_ratio=cost_ratio, prior=prior)
        served = self.table("deployment")
        piece = np.searchsorted(served["pc_to"].to_numpy()[:-1], at)
        return plain(served["threshold"].to_numpy()[piece])

    def rule(self, method: str) -> Curve:
        """Give the loss curve of a threshold choice method, over PC(+).

        "score-driven" is the Brier curve, its area the (class-balanced) Brier score;
        "score-fixed", "rate-fixed", "rate-driven" and "optimal" are the others. "score-driven"
        needs scores that are probabilities.
        """
        found = self.table("threshold_choice")
        found = found[found["axis"] == "skew"]
        known = found["method"].unique().tolist()
        if method not in known:
            raise ValueError(f"method is {method!r}, expected one of {known} for {self.name!r}")
        return curve_from(found[found["method"] == method])

    def net_benefit(
        self,
        thresholds: ArrayLike | None = None,
        *,
        prevalence: float | None = None,
        extent: Literal["pointwise", "simultaneous"] | None = "simultaneous",
    ) -> pd.DataFrame:
        """Give net benefit and its kin at threshold probabilities: a decision curve analysis.

        Parameters
        ----------
        thresholds : array-like of shape (n_thresholds,), optional
            Threshold probabilities above 0 and below 1. Default: .01 to .99.
        prevalence : float, optional
            Proportion of positives. Default: `self.prior`.
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
            For scores that are not probabilities, and thresholds or prevalences out of range.

        See Also
        --------
        Comparison.net_benefit_verdicts : which of two models has the greater net benefit.
        costcurves.ranking.net_benefit : the identities with normalized expected cost.

        Notes
        -----
        The bands have the curve's `confidence`, and come from resamples of the cases (those of
        decisions on one test set from their rates). The prevalence is taken as known.
        """
        asked = np.linspace(0.01, 0.99, 99) if thresholds is None else thresholds
        t = np.atleast_1d(np.asarray(asked, float))
        p = float(self.prior if prevalence is None else prevalence)
        if not ((t > 0) & (t < 1)).all():
            raise ValueError("threshold probabilities must be above 0 and below 1")
        key, answers = (self.name, p, repr(extent), t.shape, t.tobytes()), self._tables.answers
        if key in answers:
            return answers[key].copy()
        pc = 1 - np.asarray(net_benefit.balanced(t, p))
        own = CostCurve(trusted(self._tables, p), self.name)
        nec = own.cost_at(pc)

        def band(one: CostCurve, names: tuple[str, str]) -> dict[str, Any]:
            edges = () if extent is None else one.band(extent)[::-1]  # a low cost is a high benefit
            benefits = (net_benefit.net_benefit(edge(pc), pc, p) for edge in edges)
            return dict(zip(names, benefits, strict=False))

        found = pd.DataFrame(
            {
                "threshold": t,
                "pc": pc,
                "net_benefit": net_benefit.net_benefit(nec, pc, p),
                **band(own, ("low", "high")),
                "standardized": net_benefit.standardized(nec, pc),
                "interventions_avoided": net_benefit.interventions_avoided(nec, pc, p),
                "chosen": net_benefit.net_benefit(self.curve(pc), pc, p),
                **band(self, ("chosen_low", "chosen_high")),
                "treat_all": net_benefit.treat_all(t, p),
            }
        )
        return answers.setdefault(key, found).copy()

    def resampled(self) -> bool:
        """Say whether cases were resampled for bands."""
        return self._tables.resampled

    def to_frame(self) -> pd.DataFrame:
        """Give the vertices as a frame: ``pc``, ``cost``, ``threshold``."""
        return pd.DataFrame({"pc": self.pc, "cost": self.cost, "threshold": self.thresholds})

    def plot(
        self, ax: Any = None, *, band: bool = True, **look: Any
    ) -> costcurves.CostCurveDisplay:
        """Draw the curve, and its band, which takes seconds; see `CostCurveDisplay.plot`."""
        made = costcurves.CostCurveDisplay.from_comparison({self.name: self}, band=band)
        return made.plot(ax, **look)

    def __repr__(self) -> str:
        """Say what it is and its area."""
        return f"CostCurve({self.name!r}, {self.estimate}, area {self.area:.4f})"

    def _repr_html_(self) -> str:
        """Show the curve in a notebook, with its band once it was asked for."""
        made = costcurves.CostCurveDisplay.from_comparison
        return made({self.name: self}, band=self.resampled())._repr_html_()


def cost_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    folds: Any = None,
    repeats: Any = None,
    instance: Any = None,
    groups: Any = None,
    costs: Any = None,
    prior: float | None = None,
    confidence: float = LEVEL,
    n_resamples: int | None = None,
    random_state: RandomState = None,
    name: str = "model",
    settings: Mapping[str, Any] | None = None,
) -> CostCurve:
    """Give the cost curve of a classifier on cases that it was not trained on.

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
    folds, repeats : array-like of shape (n_samples,), optional
        The fold, and the repeat of cross-validation, in which each row was held out.
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
        Where the estimate is in-sample: thresholds are chosen on the cases that judge them.

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
    """
    own = settings_of(settings, confidence, n_resamples, random_state)
    columns = {"folds": folds, "repeats": repeats, "instance": instance, "pos_label": pos_label}
    columns |= {"groups": groups, "sample_weight": sample_weight}
    models = {str(name): y_score}
    tables = tables_of(
        y_true, models, name="data", prior=prior, costs=costs, settings=own, **columns
    )
    found = CostCurve(tables, str(name))
    warn_in_sample([found])
    return found


def settings_of(settings: Mapping[str, Any] | None, *given: Any) -> dict[str, Any]:
    """Add confidence, resamples and seed to settings of a study, which must not have them, too."""
    own = dict(settings or {})
    inference = own["inference"] = {**own.get("inference", {})}
    keys_of = (inference, "confidence"), (inference, "resamples"), (own, "seed")
    names = "confidence", "n_resamples", "random_state"
    for name, (keys, key), value in zip(names, keys_of, given, strict=True):
        if key in keys and value not in (None, LEVEL):
            raise ValueError(f"{name} and {key!r} of settings are the same: expected one of them")
        if key not in keys and value is not None:
            keys[key] = value
    draw = getattr(own.get("seed"), "integers", getattr(own.get("seed"), "randint", None))
    return own if draw is None else own | {"seed": int(draw(2**31 - 1))}


def warn_in_sample(curves: Iterable[CostCurve]) -> None:
    """Warn the caller of a public function of in-sample estimates, which are too low."""
    names = [one.name for one in curves if one.estimate == IN_SAMPLE]
    if names:
        why = "thresholds are chosen on the cases that judge them, so costs are too low"
        mend = "give folds, or more cases of both classes"
        warnings.warn(f"in-sample estimate of {some(names)}: {why}; {mend}", stacklevel=3)


def pc_at(pc: ArrayLike | None, cost_ratio: ArrayLike | None, prior: float | None) -> Value:
    """Place operating conditions on PC(+); they are given in one of two ways."""
    if (pc is None) == (cost_ratio is None):
        raise ValueError("expected either pc, or cost_ratio with a prior, not both or neither")
    if cost_ratio is None:
        if prior is not None:
            raise ValueError("PC(+) has the prior in it: expected prior beside cost_ratio alone")
        return plain(rate("PC(+)", pc))  # type: ignore[arg-type]
    if prior is None:
        raise ValueError("a cost_ratio needs a prior, the proportion of positives")
    return cost_space.pc_from_ratio(cost_ratio, prior)


def vertices(curve: Curve) -> tuple[Floats, Floats]:
    """Give what a line through a curve is drawn with: PC(+) and heights; jumps have both ends."""
    pc = np.repeat(curve.pc, 2)[1:-1]
    cost = np.column_stack([curve.starts, curve.ends]).ravel()
    new = np.append(True, (np.diff(pc) != 0) | (np.diff(cost) != 0))
    return pc[new], cost[new]
