"""Curves on axes of the user's own, in the manner of scikit-learn's displays."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from matplotlib.cbook import normalize_kwargs
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from costcurves.api.comparison import PAIR, Comparison, compare_models
from costcurves.api.curve import CostCurve, vertices
from costcurves.api.inputs import expect_options, options_of
from costcurves.figures import style
from costcurves.figures.axes import FP, NEC, PC, TP, empty_cost_space, empty_roc_space
from costcurves.maths.geometry.cost_space import cost_point_to_roc_line
from costcurves.tables.curves.pieces import curve_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

EDGES = ("low", "high")
COLUMNS = ("threshold", "net_benefit", "chosen", "treat_all")


class _Display(ABC):
    """Lines held as arrays, where they come from, and how a notebook shows them."""

    size = (5.6, 3.9)  # inches
    ax_: Any
    figure_: Any
    lines_: list[Line2D]
    _looks: list[dict[str, Any]]

    def __init__(self, x: Any, y: Any, name: Any, band: Any = None) -> None:
        self._x, self._y = _listed(x, 1), _listed(y, 1)
        given = [""] * len(self._x) if name is None else name
        self.name: list[str] = [given] if isinstance(given, str) else [*given]
        self.band = _listed(band, 2, len(self._x))
        shapes = [[it.shape for it in each] for each in (self._x, self._y)]
        if shapes[0] != shapes[1] or not len(self.name) == len(self.band) == len(self._x):
            others = f"{len(self.name)} names, {len(self.band)} bands"
            raise ValueError(f"lines have arrays of shapes {shapes[0]} and {shapes[1]}, {others}")

    @classmethod
    @abstractmethod
    def from_comparison(cls, comparison: Comparison) -> Self:
        """Take the arrays from a comparison."""

    @abstractmethod
    def draw(self, ax: Any, *, name: Any = None, curve_kwargs: Any = None) -> None:
        """Draw on axes, as `plot` does, and keep the lines as `lines_`."""

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_score: Any, *, ax: Any = None, name: str = "model", **options: Any
    ) -> Self:
        """Draw what models predicted.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels, as for `cost_curve`.
        y_score : array-like of shape (n_samples,), mapping or frame
            Scores or decisions of one model, or by name those of several.
        ax : matplotlib axes, optional
            Where to draw; default: on a new figure.
        name : str
            What one model is called.
        **options
            `curve_kwargs` of `plot`, and those of `compare_models`, such as `pos_label`,
            `sample_weight`, `groups`, `folds`, `random_state` and `n_resamples`.

        Raises
        ------
        ValueError, TypeError
            As of `compare_models`; for another option.
        """
        named = hasattr(type(y_score), "column_names") or hasattr(y_score, "columns")
        models = y_score if named or isinstance(y_score, Mapping) else {name: y_score}
        return cls._drawn("from_predictions", ax, y_true, models, None, options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, name: Any = None, **options: Any
    ) -> Self:
        """Draw what a fitted classifier, or a mapping of several, predicts for rows it never saw.

        `options` are as in `from_predictions`.
        """
        several = isinstance(estimator, Mapping)
        models = estimator if several else {name or type(estimator).__name__: estimator}
        return cls._drawn("from_estimator", ax, y, models, X, options)

    @classmethod
    def from_cv_results(
        cls, cv_results: Any, X: Any, y: Any, *, ax: Any = None, name: Any = None, **options: Any
    ) -> Self:
        """Draw what was held out of a cross-validation, or a mapping of several by name.

        Each is what ``cross_validate(..., return_estimator=True, return_indices=True)`` gave.
        """
        models = {name or "model": cv_results} if "estimator" in cv_results else cv_results
        return cls._drawn("from_cv_results", ax, y, models, X, options)

    @classmethod
    def _drawn(
        cls, called: str, ax: Any, y: Any, models: Any, X: Any, options: dict[str, Any]
    ) -> Self:
        look = options.pop("curve_kwargs", None)
        known = options_of(compare_models) - {"X"}
        mend = "how lines look is given as curve_kwargs, a dict"
        expect_options(f"{cls.__name__}.{called}", options, known, mend)
        made = cls.from_comparison(compare_models(y, models, X=X, **options))
        return made.plot(ax, curve_kwargs=look)

    def plot(self, ax: Any = None, *, name: Any = None, curve_kwargs: Any = None) -> Self:
        """Draw on axes; nothing is computed.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; default: on a new figure of pyplot's.
        name : str or list of str, optional
            What the legend calls each line. Default: as the display does.
        curve_kwargs : dict or list of dict, optional
            What ``Axes.plot`` takes, for all lines or for each.

        Returns
        -------
        object
            The display, with `ax_`, `figure_`, `lines_`, and `line_`, which is the line if there is
            one, else the list of them.

        Raises
        ------
        ValueError
            Where there are not as many names or dicts as lines.
        """
        if ax is None:
            from matplotlib import pyplot

            ax = self.new_axes(pyplot.figure(figsize=self.size, layout="constrained"))
        self.draw(ax, name=name, curve_kwargs=curve_kwargs)
        self.ax_, first = ax, np.ravel(ax)[0]
        self.figure_ = first.figure
        return self

    @property
    def line_(self) -> Any:
        """The line, if one was drawn, else all of them."""
        return self.lines_[0] if len(self.lines_) == 1 else self.lines_

    def _lines(self, ax: Axes, name: Any, curve_kwargs: Any, **usual: Any) -> dict[str, Line2D]:
        """Draw lines and their bands, and give by name those that have one."""
        count = len(self._x)
        names = self.name if name is None else [name] if isinstance(name, str) else [*name]
        single = curve_kwargs is None or isinstance(curve_kwargs, Mapping)
        looks = [curve_kwargs or {}] * count if single else [*curve_kwargs]
        if len(names) != count or len(looks) != count:
            raise ValueError(f"expected a name and a dict for each of {count} lines")
        self.lines_, self._looks = [], []
        for i, look in enumerate(looks):
            own: dict[str, Any] = {"color": style.colour(i), "linestyle": style.dash(i)}
            own |= {"linewidth": 1.9, "zorder": 3} | usual | normalize_kwargs(look, Line2D)
            if self.band[i] is not None:
                ax.fill(*self.band[i], color=own["color"], alpha=0.16, linewidth=0, zorder=1.2)
            self.lines_ += ax.plot(self._x[i], self._y[i], **own)
            self._looks.append(own)
        return {one: line for one, line in zip(names, self.lines_, strict=True) if one}

    def new_axes(self, figure: Figure) -> Any:
        """Add the axes that `draw` needs to a figure."""
        return figure.add_subplot()

    def save(self, path: str | Path, **look: Any) -> None:
        """Write it in the report's style, as what the file's ending says: SVG, PDF or PNG.

        The same numbers give the same bytes. `look` is as of `plot`.
        """
        kind = Path(path).suffix.lstrip(".").lower()
        Path(path).write_bytes(self._written(kind, **look))

    def _written(self, kind: str, **options: Any) -> bytes:
        with style.house_style(), style.any_glyph():
            figure = Figure(figsize=self.size, layout="constrained")
            self.draw(self.new_axes(figure), **options)
            written = io.BytesIO()
            dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
            figure.savefig(written, format=kind, metadata=dates.get(kind))
        return written.getvalue()

    def __repr__(self) -> str:
        """Name the lines."""
        return f"{type(self).__name__}({', '.join(map(repr, self.name))})"

    def _repr_html_(self) -> str:
        """Draw as SVG, for a notebook."""
        drawn = self._written("svg").decode()
        return drawn[drawn.index("<svg") :]


class CostCurveDisplay(_Display):
    """Cost curves of one model or several, with their bands.

    Parameters
    ----------
    pc, cost : array-like of shape (n_vertices,), or list of such
        Vertices of each curve: PC(+), which rises from 0 to 1, and normalized expected cost.
    name : str or list of str, optional
        What the legend calls each curve.
    band : array-like of shape (2, n_corners), or list of such, optional
        PC(+) and cost along the outline of each band.

    Raises
    ------
    ValueError
        Where the arrays do not go together.

    See Also
    --------
    cost_curve : the curve of predictions.

    Examples
    --------
    >>> CostCurveDisplay([0, 0.5, 1], [0, 0.2, 0], name="forest")
    CostCurveDisplay('forest')
    """

    def __init__(self, pc: Any, cost: Any, *, name: Any = None, band: Any = None) -> None:
        super().__init__(pc, cost, name, band)
        self.pc, self.cost = self._x, self._y

    @classmethod
    def from_comparison(cls, comparison: Mapping[str, CostCurve], *, band: bool = True) -> Self:
        """Show the curves of a comparison, or of a mapping, with bands for all PC(+) at once.

        Bands take seconds, as cases are resampled for them.
        """
        each = [*comparison.values()]
        bands = [_outline(*map(vertices, one.band())) for one in each] if band else None
        lines = [one.pc for one in each], [one.cost for one in each]
        return cls(*lines, name=[*comparison], band=bands)

    def draw(self, ax: Axes, *, name: Any = None, curve_kwargs: Any = None) -> None:
        """Draw the curves and their bands."""
        lines = self._lines(ax, name, curve_kwargs)
        heights = [*self.cost, *(it[1] for it in self.band if it is not None)]
        _cost_space(ax, min(1.0, max(0.05, *(it.max() for it in heights))))
        _legend(ax, lines)


class CostDifferenceDisplay(_Display):
    """The difference of two models' costs, with its band and what the data decide.

    Parameters
    ----------
    pc, difference : array-like of shape (n_vertices,)
        PC(+), and cost(A) - cost(B) there: positive where B is cheaper.
    pair : (str, str)
        What A and B are called.
    band : array-like of shape (2, n_corners), optional
        PC(+) and difference along the outline of the band.
    cheaper : pair of array-like of shape (n_stretches, 2), optional
        Where on PC(+) the data decide for A, and for B.

    Raises
    ------
    ValueError
        Where the arrays do not go together.

    See Also
    --------
    compare_models : differences and verdicts of predictions.
    """

    def __init__(
        self,
        pc: Any,
        difference: Any,
        *,
        pair: tuple[str, str] = ("A", "B"),
        band: Any = None,
        cheaper: Any = ((), ()),
    ) -> None:
        named = f"cost({pair[0]}) \N{MINUS SIGN} cost({pair[1]})"
        super().__init__(pc, difference, named, band)
        self.pc, self.difference, self.pair = self._x, self._y, pair
        self.cheaper = [np.reshape(it, (-1, 2)).astype(float) for it in cheaper]

    @classmethod
    def from_comparison(
        cls, comparison: Any, model_a: Any = None, model_b: Any = None, *, band: bool = True
    ) -> Self:
        """Show two models, by default the first two, and with `band` band and verdicts.

        These take seconds, as cases are resampled for them. A pair that the comparison does not
        have is a ValueError.
        """
        pairs = [*combinations(comparison, 2)]
        pair: Any = (model_a, model_b) if model_a or model_b else pairs[0] if pairs else None
        if pair not in pairs:
            named = pairs or "none, as there is one model"
            raise ValueError(f"there is no difference of {pair}; differences are {named}")
        decided: dict[str, Any] = {}
        if band:
            edges = [comparison.band(f"simultaneous {edge}") for edge in ("lower", "upper")]
            if all(pair in edge for edge in edges):
                decided["band"] = _outline(*(vertices(edge[pair]) for edge in edges))
            rows = comparison.verdicts.set_index(PAIR).loc[[pair]].drop_duplicates("pc_from")
            found = (rows[rows["finding"] == f"{it} cheaper"] for it in "AB")
            decided["cheaper"] = [own[["pc_from", "pc_to"]].to_numpy() for own in found]
        a, b = (comparison[name].curve for name in pair)
        return cls(*vertices(a - b), pair=pair, **decided)

    def draw(self, ax: Axes, *, name: Any = None, curve_kwargs: Any = None) -> None:
        """Draw the difference and its band, and verdicts along the axis."""
        title = "".join(self._lines(ax, name, curve_kwargs, color=style.INK, linestyle="-"))
        for index, stretches in enumerate(self.cheaper):
            for low, high in stretches:
                ax.axvspan(low, high, ymax=0.03, color=style.colour(index))
        ax.axhline(0, color=style.QUIET, linewidth=0.9)
        _text(ax.set_title(title))
        ax.set(xlim=(0, 1), xlabel=PC, ylabel="difference of normalized expected cost")


class DualityDisplay(_Display):
    """One operating condition in ROC space and in cost space, side by side.

    Parameters
    ----------
    fp, tp : array-like of shape (n_points,), or list of such
        False and true positive rates along each ROC hull.
    pc, cost : array-like of shape (n_vertices,), or list of such
        PC(+) and normalized expected cost of the same hulls' lower envelopes.
    at : float
        The operating condition, a PC(+) above 0: an iso-performance line in ROC space, a place on
        the x axis in cost space.
    name : str or list of str, optional
        What the legend calls each model.

    Raises
    ------
    ValueError
        Where the arrays do not go together, and for another `at`.
    """

    size = (8.4, 3.9)

    def __init__(
        self, fp: Any, tp: Any, pc: Any, cost: Any, *, at: float = 0.5, name: Any = None
    ) -> None:
        if not 0 < at <= 1:
            raise ValueError(f"at is {at}, expected a PC(+) above 0 and at most 1")
        super().__init__(fp, tp, name)
        self.fp, self.tp, self.at = self._x, self._y, at
        self.pc, self.cost = _listed(pc, 1), _listed(cost, 1)

    @classmethod
    def from_comparison(cls, comparison: Mapping[str, CostCurve], at: float = 0.5) -> Self:
        """Show all models of a comparison, or of a mapping, at the best thresholds: in-sample."""
        pooled = [one.table("envelopes").query("level == 'pooled'") for one in comparison.values()]
        each = [curve_from(rows) for rows in pooled]
        fp, tp = [[0, *it.at0, 1] for it in each], [[0, *(1 - it.at1), 1] for it in each]
        spaced = ([vertices(it)[i] for it in each] for i in (0, 1))
        return cls(fp, tp, *spaced, at=at, name=[*comparison])

    def new_axes(self, figure: Figure) -> Any:
        """Add axes for both spaces."""
        return figure.subplots(1, 2)

    def draw(self, ax: Any, *, name: Any = None, curve_kwargs: Any = None) -> None:
        """Draw ROC hulls and lower envelopes, both in-sample, on two axes."""
        if np.size(ax) != 2:
            raise ValueError("ax has to be two axes: of ROC space, and of cost space")
        roc, costs = ax
        named = self._lines(roc, name, curve_kwargs)
        for i, (fp, tp, line) in enumerate(zip(self.fp, self.tp, self.lines_, strict=True)):
            costs.plot(self.pc[i], self.cost[i], **self._looks[i])
            heights = (1 - tp) * self.at + fp * (1 - self.at)
            place, nec = np.argmin(heights), heights.min()
            slope, intercept = cost_point_to_roc_line(self.at, nec)
            thin = {"color": line.get_color(), "linewidth": 0.8, "zorder": 2}
            roc.plot([0, 1], [intercept, intercept + slope], **thin)
            costs.plot([0, 1], [fp[place], 1 - tp[place]], **thin)
            for axes, point in ((roc, (fp[place], tp[place])), (costs, (self.at, nec))):
                axes.plot(*point, marker="o", color=line.get_color(), zorder=4)
        costs.axvline(self.at, color=style.QUIET, linewidth=0.9, linestyle=":")
        empty_roc_space(roc)
        roc.set(xlabel=FP, ylabel=TP)
        _cost_space(costs, min(1.0, 1.3 * max(0.05, *(it.max() for it in self.cost))))
        _legend(roc, named)


class DecisionCurveDisplay(_Display):
    """Net benefit against the threshold probability: decision curves.

    Parameters
    ----------
    threshold, net_benefit : array-like of shape (n_thresholds,), or list of such
        Threshold probabilities, and the net benefit of trusted scores there.
    name : str or list of str, optional
        What the legend calls each model.
    band : array-like of shape (2, n_corners), or list of such, optional
        Threshold probabilities and net benefit along the outline of each band.
    chosen : array-like of shape (n_thresholds,), or list of such, optional
        Net benefit where the score to treat from is chosen by the data: thin lines.
    treat_all : array-like of shape (n_thresholds,), optional
        Net benefit of treating all, at the thresholds of the last model.

    Raises
    ------
    ValueError
        Where the arrays do not go together.

    See Also
    --------
    CostCurve.net_benefit : the numbers that are drawn.
    Comparison.net_benefit_verdicts : which of two is the greater, and where.
    """

    def __init__(
        self,
        threshold: Any,
        net_benefit: Any,
        *,
        name: Any = None,
        band: Any = None,
        chosen: Any = None,
        treat_all: Any = None,
    ) -> None:
        super().__init__(threshold, net_benefit, name, band)
        self.threshold, self.net_benefit = self._x, self._y
        self.chosen, self.treat_all = _listed(chosen, 1, len(self._x)), treat_all

    @classmethod
    def from_comparison(
        cls, comparison: Any, thresholds: Any = None, prevalence: Any = None, *, band: bool = True
    ) -> Self:
        """Show all models of a comparison, or of a mapping, whose scores must be probabilities.

        At threshold probabilities, by default .01 to .99, and at a prevalence, by default that of
        each curve; with `band`, which takes seconds, what holds for all thresholds at once.
        """
        own = {"prevalence": prevalence, "extent": "simultaneous" if band else None}
        each = [one.net_benefit(thresholds, **own) for one in comparison.values()]
        edges = ([it[["threshold", edge]].to_numpy().T for edge in EDGES if band] for it in each)
        bands = [_outline(*edge) for edge in edges] if band else None
        columns = {name: [it[name].to_numpy() for it in each] for name in COLUMNS}
        columns["treat_all"] = columns["treat_all"][-1]
        return cls(**columns, name=[*comparison], band=bands)

    def draw(self, ax: Axes, *, name: Any = None, curve_kwargs: Any = None) -> None:
        """Draw what trusted scores bring, and thin what chosen thresholds do."""
        lines, at = self._lines(ax, name, curve_kwargs), self.threshold[-1]
        for x, y, line in zip(self.threshold, self.chosen, self.lines_, strict=True):
            if y is not None:
                ax.plot(x, y, linewidth=0.8, zorder=2, color=line.get_color())
        if self.treat_all is not None:
            (lines["treat all"],) = ax.plot(at, self.treat_all, color=style.QUIET, linewidth=0.9)
        lines["treat none"] = ax.axhline(0, color=style.INK, linewidth=0.9)
        highest = max(0.0, *(it.max() for it in self.net_benefit))
        ax.set(xlabel="threshold probability", ylabel="net benefit", xlim=(0, 1))
        ax.set_ylim(-0.3 * highest, 1.3 * highest)
        _legend(ax, lines)


class CalibrationDisplay(_Display):
    """Reliability curves: the share of positives that scores in [0, 1] stand for.

    Isotonic regression, without bins (CORP, Dimitriadis, Gneiting and Jordan 2021).

    Parameters
    ----------
    score, rate : array-like of shape (n_ends,), or list of such
        Scores, and the share of positives that they stand for.
    name : str or list of str, optional
        What the legend calls each model.
    band : array-like of shape (2, n_corners), or list of such, optional
        Scores and rates along the outline of each band.

    Raises
    ------
    ValueError
        Where the arrays do not go together.

    See Also
    --------
    Comparison.calibration : the Brier scores and their parts.
    """

    def __init__(self, score: Any, rate: Any, *, name: Any = None, band: Any = None) -> None:
        super().__init__(score, rate, name, band)
        self.score, self.rate = self._x, self._y

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, band: bool = True) -> Self:
        """Show the models that have scores in [0, 1]; `band` is where the true curves lie."""
        lines, names, bands = [], [], []
        for name, rows in comparison.reliability.groupby("model", sort=False):
            ends = {line: _ends(part) for line, part in rows.groupby("line")}
            edges = [ends.get(f"simultaneous {edge}") for edge in ("lower", "upper")]
            if "curve" in ends:
                lines.append(ends["curve"])
                names.append(str(name))
                bands.append(_outline(*edges) if band and edges[0] is not None else None)
        return cls(*([it[i] for it in lines] for i in (0, 1)), name=names, band=bands)

    def draw(self, ax: Axes, *, name: Any = None, curve_kwargs: Any = None) -> None:
        """Draw the curves and their bands."""
        ax.plot([0, 1], [0, 1], color=style.QUIET, linewidth=0.9)
        lines = self._lines(ax, name, curve_kwargs)
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="score", ylabel="share of positives")
        _legend(ax, lines)


def _listed(values: Any, ndim: int, count: int = 0) -> list[Any]:
    """Give the arrays of several lines, of a list of them or of one; None: there are none."""
    each = [None] * count if values is None else [*values]
    single = bool(each) and all(it is not None and np.ndim(it) < ndim for it in each)
    found = [values] if single else each
    return [None if it is None else np.asarray(it, float) for it in found]


def _outline(lower: Any, upper: Any) -> NDArray[np.float64]:
    """Go along a band's lower edge and back along the upper one, both (2, n)."""
    return np.concatenate([lower, np.asarray(upper)[:, ::-1]], axis=1)


def _ends(blocks: pd.DataFrame) -> NDArray[np.float64]:
    """Give both ends of each block of a line, (2, ends): scores and rates."""
    scores = blocks[["score_from", "score_to"]].to_numpy().ravel()
    return np.stack([scores, np.repeat(blocks["rate"].to_numpy(), 2)])


def _cost_space(ax: Axes, highest: float) -> None:
    """Set up axes as a cost space, as high as what is drawn on them."""
    top = min(1.0 if highest > 0.5 else 0.5, 1.2 * highest)
    if ax.get_xlabel() == PC and ax.get_ylim()[1] >= top:  # others are drawn there
        return
    empty_cost_space(ax, top)
    ax.set(xlabel=PC, ylabel=NEC)


def _legend(ax: Axes, lines: Mapping[str, Line2D]) -> None:
    """Name all lines, whatever their names are."""
    legend = ax.legend([*lines.values()], [""] * len(lines), frameon=False)
    for text, name in zip(legend.get_texts(), lines, strict=True):
        _text(text).set_text(name)


def _text(text: Text) -> Text:
    """Show a name as it is, no dollar sign being mathematics."""
    text.set_parse_math(False)
    return text
