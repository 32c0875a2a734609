"""Curves on axes of the user's own, in the manner of scikit-learn's displays."""

import io
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from costcurves.api.comparison import Comparison, compare_models
from costcurves.api.curve import CostCurve, vertices
from costcurves.api.inputs import expect_options, options_of
from costcurves.figures import spaces, style
from costcurves.maths.geometry.cost_space import cost_point_to_roc_line
from costcurves.maths.geometry.curves import Curve
from costcurves.tables.curves.pieces import curve_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

STANDING = {"A cheaper": 0, "B cheaper": 1}


class _Display(ABC):
    """What all displays share: where they come from, and how a notebook shows them.

    After `plot`, `ax_` and `figure_` are what was drawn on.
    """

    size = (5.6, 3.9)  # inches
    ax_: Any
    figure_: Any

    def __init__(self, curves: Mapping[str, CostCurve]) -> None:
        self.curves = dict(curves)

    @classmethod
    def of(cls, comparison: Comparison) -> Self:
        """Take what is shown from a comparison: all models, where a display is not of two."""
        return cls(comparison.curves)

    @abstractmethod
    def draw(self, ax: Any, **look: Any) -> None:
        """Draw on axes."""

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_score: Any, *, ax: Any = None, name: str = "model", **options: Any
    ) -> Self:
        """Draw what models predicted.

        `y_score` is of one model, called `name`, or a mapping or frame of several; `options` are
        those of `compare_models`.
        """
        named = hasattr(type(y_score), "column_names") or hasattr(y_score, "columns")
        models = y_score if named or isinstance(y_score, Mapping) else {name: y_score}
        return cls._drawn("from_predictions", ax, models, y_true, None, options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        ax: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Draw what a fitted classifier, or a mapping of several, predicts for rows it never saw.

        `options` are as in `from_predictions`.
        """
        several = isinstance(estimator, Mapping)
        models = estimator if several else {name or type(estimator).__name__: estimator}
        return cls._drawn("from_estimator", ax, models, y, X, options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        ax: Any = None,
        name: str = "model",
        **options: Any,
    ) -> Self:
        """Draw what was held out of a cross-validation, or a mapping of several by name.

        Each is what ``cross_validate(..., return_estimator=True, return_indices=True)`` gave.
        """
        models = {name: cv_results} if "estimator" in cv_results else cv_results
        return cls._drawn("from_cv_results", ax, models, y, X, options)

    @classmethod
    def _drawn(
        cls, called: str, ax: Any, models: Any, y: Any, X: Any, options: Mapping[str, Any]
    ) -> Self:
        known = options_of(compare_models) - {"X"}
        look = f"lines look as plot() is told: {cls.__name__}.of(compare_models(...)).plot(...)"
        expect_options(f"{cls.__name__}.{called}", options, known, look)
        return cls.of(compare_models(models, y, X=X, **options)).plot(ax)

    def plot(self, ax: Any = None, **look: Any) -> Self:
        """Draw on `ax`, or on axes of a new figure of pyplot's."""
        if ax is None:
            from matplotlib import pyplot

            ax = self.new_axes(pyplot.figure(figsize=self.size, layout="constrained"))
        self.draw(ax, **look)
        self.ax_, first = ax, np.ravel(ax)[0]
        self.figure_ = first.figure
        return self

    def computed(self) -> dict[str, bool]:
        """Give the options with which `draw` resamples nothing anew."""
        return {}

    def new_axes(self, figure: Figure) -> Any:
        """Add the axes that `draw` needs to a figure."""
        return figure.add_subplot()

    def save(self, path: str | Path, **look: Any) -> None:
        """Write it in the report's style, as what the file's ending says: SVG, PDF or PNG.

        The same numbers give the same bytes.
        """
        kind = Path(path).suffix.lstrip(".").lower()
        Path(path).write_bytes(self._written(kind, **look))

    def _written(self, kind: str, **look: Any) -> bytes:
        with style.house_style(), style.any_glyph():
            figure = Figure(figsize=self.size, layout="constrained")
            self.draw(self.new_axes(figure), **look)
            written = io.BytesIO()
            dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
            figure.savefig(written, format=kind, metadata=dates.get(kind))
        return written.getvalue()

    def _repr_html_(self) -> str:
        """Draw as SVG, for a notebook: bands take seconds, and wait until they are asked for."""
        drawn = self._written("svg", **self.computed()).decode()
        return drawn[drawn.index("<svg") :]


class CostCurveDisplay(_Display):
    """Cost curves of one model or several, with their bands.

    Parameters
    ----------
    curves : mapping of str to CostCurve
        By the names that the legend has.
    """

    def computed(self) -> dict[str, bool]:
        """Leave out bands that nobody asked for."""
        return {"band": all(one.resampled() for one in self.curves.values())}

    def draw(self, ax: "Axes", *, band: bool = True, **look: Any) -> None:
        """Draw the curves, and with `band` what holds for all PC(+) at once; `look` is of lines."""
        highest, lines = 0.05, {}
        for index, (name, one) in enumerate(self.curves.items()):
            if band:
                lower, upper = one.band()
                _fill(ax, lower, upper, color=style.colour(index), alpha=0.16, linewidth=0)
                highest = max(highest, float(upper.starts.max()))
            highest = max(highest, float(one.cost.max()))
            own = {"color": style.colour(index), "linestyle": style.dash(index), **look}
            (lines[name],) = ax.plot(one.pc, one.cost, **{"linewidth": 1.9, "zorder": 3, **own})
        _cost_space(ax, min(1.0, highest))
        _legend(ax, lines)


class CostDifferenceDisplay(_Display):
    """The difference of two models' costs, with its band and what the data decide.

    Parameters
    ----------
    comparison : Comparison
        Of two models or more.
    model_a, model_b : str, optional
        Which two; the difference is cost(A) - cost(B). Default: the first two.
    """

    def __init__(
        self, comparison: Comparison, model_a: str | None = None, model_b: str | None = None
    ) -> None:
        pairs = [*combinations(comparison.curves, 2)]
        pair = (model_a, model_b) if model_a or model_b else pairs[0] if pairs else None
        if pair not in pairs:
            named = pairs or "none, as there is one model"
            raise ValueError(f"there is no difference of {pair}; differences are {named}")
        self.comparison, self.pair = comparison, pair

    @classmethod
    def of(cls, comparison: Comparison) -> Self:
        """Show the first two models."""
        return cls(comparison)

    def computed(self) -> dict[str, bool]:
        """Leave out a band and verdicts that nobody asked for."""
        return {"band": self.comparison.resampled()}

    def draw(self, ax: "Axes", *, band: bool = True, **look: Any) -> None:
        """Draw the difference; with `band` its simultaneous one, and verdicts along the axis."""
        a, b = (self.comparison[name].curve for name in self.pair)
        if band:
            self._draw_band(ax)
        ax.plot(*vertices(a - b), **{"color": style.INK, "linewidth": 1.9, "zorder": 3, **look})
        ax.axhline(0, color=style.QUIET, linewidth=0.9)
        _text(ax.set_title(f"cost({self.pair[0]}) \N{MINUS SIGN} cost({self.pair[1]})"))
        ax.set(xlim=(0, 1), xlabel=spaces.PC, ylabel="difference of normalized expected cost")

    def _draw_band(self, ax: "Axes") -> None:
        edges = [self.comparison.band(f"simultaneous {edge}") for edge in ("lower", "upper")]
        if all(self.pair in edge for edge in edges):
            lower, upper = (edge[self.pair] for edge in edges)
            _fill(ax, lower, upper, color=style.QUIET, alpha=0.25, linewidth=0)
        rows = self.comparison.verdicts
        named = (rows["model_a"] == self.pair[0]) & (rows["model_b"] == self.pair[1])
        own = rows[named].drop_duplicates("pc_from")
        for finding, low, high in zip(own["finding"], own["pc_from"], own["pc_to"], strict=True):
            if finding in STANDING:
                ax.axvspan(low, high, ymax=0.03, color=style.colour(STANDING[finding]))


class DualityDisplay(_Display):
    """One operating condition in ROC space and in cost space, side by side.

    Parameters
    ----------
    curves : mapping of str to CostCurve
        By name.
    pc : float
        The operating condition, above 0: an iso-performance line in ROC space, a place on the x
        axis in cost space.
    """

    size = (8.4, 3.9)

    def __init__(self, curves: Mapping[str, CostCurve], pc: float = 0.5) -> None:
        if not 0 < pc <= 1:
            raise ValueError(f"pc is {pc}, expected a PC(+) above 0 and at most 1")
        super().__init__(curves)
        self.pc = pc

    def new_axes(self, figure: Figure) -> Any:
        """Add axes for both spaces."""
        return figure.subplots(1, 2)

    def draw(self, ax: Any, **look: Any) -> None:
        """Draw ROC hulls and lower envelopes, both in-sample, on two axes."""
        if np.size(ax) != 2:
            raise ValueError("ax has to be two axes: of ROC space, and of cost space")
        roc, costs = ax
        highest, lines = 0.05, {}
        for index, (name, one) in enumerate(self.curves.items()):
            pooled = one.table("envelopes")
            pooled = pooled[pooled["level"] == "pooled"]
            envelope = curve_from(pooled)
            own = {"color": style.colour(index), "linestyle": style.dash(index), **look}
            fp, tp = [0, *envelope.at0, 1], [0, *(1 - envelope.at1), 1]
            (lines[name],) = roc.plot(fp, tp, **own)
            costs.plot(*vertices(envelope), **own)
            place = np.searchsorted(envelope.pc[1:-1], self.pc, side="right")
            nec, point = envelope(self.pc), (envelope.at0[place], 1 - envelope.at1[place])
            slope, intercept = cost_point_to_roc_line(self.pc, nec)
            thin = {"color": style.colour(index), "linewidth": 0.8, "zorder": 2}
            roc.plot([0, 1], [intercept, intercept + slope], **thin)
            costs.plot([0, 1], [envelope.at0[place], envelope.at1[place]], **thin)
            for axes, at in ((roc, point), (costs, (self.pc, nec))):
                axes.plot(*at, marker="o", color=style.colour(index), zorder=4)
            highest = max(highest, float(envelope.starts.max()), nec)
        costs.axvline(self.pc, color=style.QUIET, linewidth=0.9, linestyle=":")
        spaces.roc_space(roc)
        roc.set(xlabel=spaces.FP, ylabel=spaces.TP)
        _cost_space(costs, min(1.0, 1.3 * highest))
        _legend(roc, lines)


class DecisionCurveDisplay(_Display):
    """Net benefit against the threshold probability: decision curves.

    Parameters
    ----------
    curves : mapping of str to CostCurve
        By name; their scores must be probabilities.
    thresholds : array-like, optional
        Threshold probabilities. Default: .01 to .99.
    prevalence : float, optional
        Proportion of positives. Default: that of each curve.

    See Also
    --------
    CostCurve.net_benefit : the numbers that are drawn.
    Comparison.net_benefit_verdicts : which of two is the greater, and where.
    """

    def __init__(
        self,
        curves: Mapping[str, CostCurve],
        thresholds: ArrayLike | None = None,
        prevalence: float | None = None,
    ) -> None:
        super().__init__(curves)
        self.thresholds, self.prevalence = thresholds, prevalence

    def computed(self) -> dict[str, bool]:
        """Leave out bands that nobody asked for."""
        each, at = self.curves.values(), self.prevalence
        return {"band": all(one.resampled(one.prior if at is None else at) for one in each)}

    def draw(self, ax: "Axes", *, band: bool = True, chosen: bool = True, **look: Any) -> None:
        """Draw what trusted scores bring, and thin, with `chosen`, what chosen thresholds do.

        `band` is for all threshold probabilities at once, of trusted scores; `look` is of lines.
        """
        lines, highest, all_treated = {}, 0.0, None
        for index, (name, one) in enumerate(self.curves.items()):
            extent: Any = "simultaneous" if band else None
            found = one.net_benefit(self.thresholds, prevalence=self.prevalence, extent=extent)
            at, own = found["threshold"], dict[str, Any](color=style.colour(index))
            dashed = {"linestyle": style.dash(index), "linewidth": 1.9, **own, **look}
            (lines[name],) = ax.plot(at, found["net_benefit"], zorder=3, **dashed)
            if band:
                ax.fill_between(at, found["low"], found["high"], alpha=0.16, linewidth=0, **own)
            if chosen:
                ax.plot(at, found["chosen"], linewidth=0.8, zorder=2, **own)
            highest = max(highest, found["net_benefit"].max())
            all_treated = at, found["treat_all"]
        if all_treated is not None:
            (lines["treat all"],) = ax.plot(*all_treated, color=style.QUIET, linewidth=0.9)
        lines["treat none"] = ax.axhline(0, color=style.INK, linewidth=0.9)
        ax.set(xlabel="threshold probability", ylabel="net benefit", xlim=(0, 1))
        ax.set_ylim(-0.3 * highest, 1.3 * highest)
        _legend(ax, lines)


class CalibrationDisplay(_Display):
    """Reliability curves: the share of positives that scores in [0, 1] stand for.

    Isotonic regression, without bins (CORP, Dimitriadis, Gneiting and Jordan 2021).

    Parameters
    ----------
    comparison : Comparison
        Models without scores in [0, 1] are left out.

    See Also
    --------
    Comparison.calibration : the Brier scores and their parts.
    """

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(comparison.curves)
        self.comparison = comparison

    @classmethod
    def of(cls, comparison: Comparison) -> Self:
        """Show all models."""
        return cls(comparison)

    def draw(self, ax: "Axes", *, band: bool = True, **look: Any) -> None:
        """Draw the curves, and with `band` where the true ones lie, all scores at once."""
        rows, lines = self.comparison.reliability, {}
        ax.plot([0, 1], [0, 1], color=style.QUIET, linewidth=0.9)
        for index, name in enumerate(self.curves):
            own = dict(iter(rows[rows["model"] == name].groupby("line")))
            ends = {line: _ends(part) for line, part in own.items()}
            if band and "simultaneous lower" in ends:
                lower, upper = (ends[f"simultaneous {edge}"] for edge in ("lower", "upper"))
                x, y = np.concatenate([lower, upper[:, ::-1]], axis=1)
                ax.fill(x, y, color=style.colour(index), alpha=0.12, linewidth=0)
            if "curve" in ends:
                drawn = {"color": style.colour(index), "linestyle": style.dash(index), **look}
                (lines[name],) = ax.plot(*ends["curve"], **{"linewidth": 1.9, **drawn})
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="score", ylabel="share of positives")
        _legend(ax, lines)


def _ends(blocks: pd.DataFrame) -> NDArray[np.float64]:
    """Give both ends of each block of a line, (2, ends): scores and rates."""
    scores = blocks[["score_from", "score_to"]].to_numpy().ravel()
    return np.stack([scores, np.repeat(blocks["rate"].to_numpy(), 2)])


def _cost_space(ax: "Axes", highest: float) -> None:
    """Set up axes as a cost space, as high as what is drawn on them."""
    top, step = style.round_top(highest)
    if ax.get_xlabel() == spaces.PC and ax.get_ylim()[1] >= min(1, top):  # others are drawn there
        return
    spaces.cost_space(ax, min(1, top), step)
    ax.set(xlabel=spaces.PC, ylabel=spaces.NEC)


def _fill(ax: "Axes", lower: Curve, upper: Curve, **look: Any) -> None:
    below, above = vertices(lower), vertices(upper)
    x = np.concatenate([below[0], above[0][::-1]])
    ax.fill(x, np.concatenate([below[1], above[1][::-1]]), zorder=1.2, **look)


def _legend(ax: "Axes", lines: Mapping[str, "Line2D"]) -> None:
    """Name all lines, whatever their names are."""
    legend = ax.legend([*lines.values()], [""] * len(lines), frameon=False)
    for text, name in zip(legend.get_texts(), lines, strict=True):
        _text(text).set_text(name)


def _text(text: "Text") -> "Text":
    """Show a name as it is, no dollar sign being mathematics."""
    text.set_parse_math(False)
    return text
