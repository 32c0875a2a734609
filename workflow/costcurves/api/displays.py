"""Curves on the user's own axes, in the manner of scikit-learn's displays."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import pandas as pd
from matplotlib.cbook import normalize_kwargs
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from costcurves.api.comparison import PAIR, Comparison, compare_models
from costcurves.api.curve import CostCurve, vertices
from costcurves.api.inputs import is_table
from costcurves.api.signatures import brief
from costcurves.curves.cost_space import cost_point_to_roc_line
from costcurves.curves.pieces import curve_from
from costcurves.figures import style
from costcurves.figures.axes import NEC, PC, empty_cost_space, roc_space
from costcurves.pairs.not_ruled_out import OUT

STRIP: Final = 0.02  # height of a strip, as a share of the axes
Looks = Sequence[Mapping[str, Any]]


class _Display(ABC):
    """Lines as arrays, how they are drawn on axes, and how a notebook shows them."""

    size = (5.6, 3.9)  # inches
    panels = 1
    ax_: Any
    figure_: Any
    lines_: list[Line2D]

    def __init__(self, count: int, name: Any, band: Any = None) -> None:
        self._count = count
        self.name: list[str] = _names([""] * count if name is None else name)
        self.band = [None] * count if band is None else _arrays(band, 2)

    @classmethod
    @abstractmethod
    def from_comparison(cls, comparison: Comparison) -> Self:
        """Take the arrays from a comparison."""

    @classmethod
    def from_predictions(cls, y_true: Any, y_score: Any, **options: Any) -> Self:
        """Draw what models predicted.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels, as for `cost_curve`.
        y_score : array-like of shape (n_samples,), mapping or frame
            Scores or decisions of one model, or by name those of several.
        ax : matplotlib axes, optional
            Where to draw; default: on a new figure.
        name : str, optional
            What one model is called. Default: "model", or the class of an estimator.
        curve_kwargs : dict or list of dict, optional
            As for `plot`.
        **options
            Those of `compare_models`, such as `pos_label`, `sample_weight`, `groups`, `folds`,
            `random_state` and `n_resamples`.

        Raises
        ------
        ValueError, TypeError
            As of `compare_models`.
        """
        usual = "" if is_table(y_score) else "model"
        return cls._drawn(y_true, y_score, None, usual, **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        """Draw what a fitted classifier, or a mapping of several, predicts for rows it never saw.

        `ax`, `name` and `options` are as in `from_predictions`.
        """
        usual = "" if isinstance(estimator, Mapping) else type(estimator).__name__
        return cls._drawn(y, estimator, X, usual, **options)

    @classmethod
    def from_cv_results(cls, cv_results: Any, X: Any, y: Any, **options: Any) -> Self:
        """Draw what was held out of a cross-validation, or a mapping of several by name.

        Each is what ``cross_validate(..., return_estimator=True, return_indices=True)`` gave.
        `ax`, `name` and `options` are as in `from_predictions`.
        """
        return cls._drawn(y, cv_results, X, "model" if "estimator" in cv_results else "", **options)

    @classmethod
    def _drawn(
        cls,
        y: Any,
        models: Any,
        X: Any,
        usual: str,
        *,
        ax: Any = None,
        name: Any = None,
        curve_kwargs: Any = None,
        **options: Any,
    ) -> Self:
        """Draw several models, or one, which has a usual name."""
        models = {name or usual: models} if usual else models
        display = cls.from_comparison(compare_models(y, models, X=X, **options))
        return display.plot(ax, curve_kwargs=curve_kwargs)

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

            ax = pyplot.figure(figsize=self.size, layout="constrained").subplots(1, self.panels)
        names = self.name if name is None else _names(name)
        single = curve_kwargs is None or isinstance(curve_kwargs, Mapping)
        looks = [curve_kwargs or {}] * self._count if single else [*curve_kwargs]
        if not len(names) == len(looks) == self._count:
            raise ValueError(f"expected a name and a dict for each of {self._count} lines")
        self._draw(ax, names, looks)
        self.ax_ = ax
        self.figure_ = np.ravel(ax)[0].figure
        return self

    @abstractmethod
    def _draw(self, ax: Any, names: list[str], looks: Looks) -> None:
        """Draw on axes, and keep the lines as `lines_`."""

    @property
    def line_(self) -> Any:
        """The line, if one was drawn, else all of them."""
        return self.lines_[0] if len(self.lines_) == 1 else self.lines_

    def _plot(self, ax: Any, x: Any, y: Any, looks: Looks, **usual: Any) -> list[Line2D]:
        """Draw lines, each with its own colour and dashes."""
        lines = []
        for i, look in enumerate(looks):
            default = {"color": style.colour(i), "linestyle": style.dash(i), "linewidth": 1.9}
            options = {**default, "zorder": 3, **usual, **normalize_kwargs(dict(look), Line2D)}
            lines += ax.plot(x[i], y[i], **options)
        return lines

    def _fill(self, ax: Any) -> None:
        """Draw the band of each line in its colour."""
        for line, band in zip(self.lines_, self.band, strict=True):
            if band is not None:
                ax.fill(*band, color=line.get_color(), alpha=0.16, linewidth=0, zorder=1.2)

    def _legend(self, ax: Any, names: list[str]) -> None:
        """Name the lines that have a name, no dollar sign being mathematics."""
        named = {line: name for line, name in zip(self.lines_, names, strict=True) if name}
        legend = ax.legend([*named], [""] * len(named), frameon=False)
        for text, name in zip(legend.get_texts(), named.values(), strict=True):
            text.set(text=name, parse_math=False)

    def save(self, path: str | Path, **options: Any) -> None:
        """Write the figure in the report's style, as the file's ending says: SVG, PDF or PNG.

        The same numbers give the same bytes. `options` are those of `plot`.
        """
        kind = Path(path).suffix.lstrip(".").lower()
        Path(path).write_bytes(self._written(kind, **options))

    def _written(self, kind: str, **options: Any) -> bytes:
        with style.house_style():
            figure = Figure(figsize=self.size, layout="constrained")
            self.plot(figure.subplots(1, self.panels), **options)
            content = io.BytesIO()
            dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
            figure.savefig(content, format=kind, metadata=dates.get(kind))
        return content.getvalue()

    def __repr__(self) -> str:
        """Name the lines."""
        return f"{type(self).__name__}({', '.join(map(repr, self.name))})"

    def _repr_html_(self) -> str:
        """Draw as SVG, for a notebook."""
        drawn = self._written("svg").decode()
        return drawn[drawn.index("<svg") :]


class CostCurveDisplay(_Display):
    """Cost curves of one model or several, with their bands and verdicts.

    Parameters
    ----------
    pc, cost : array-like of shape (n_vertices,), or list of such
        Vertices of each curve: PC(+), which rises from 0 to 1, and normalized expected cost.
    name : str or list of str, optional
        What the legend calls each curve.
    band : array-like of shape (2, n_corners), or list of such, optional
        PC(+) and cost along the outline of each band.
    not_ruled_out : list of array-like of shape (n_stretches, 2), optional
        Where on PC(+) each model is not ruled out as the cheapest: strips along the axis.

    See Also
    --------
    cost_curve : the curve of predictions.

    Examples
    --------
    >>> CostCurveDisplay([0, 0.5, 1], [0, 0.2, 0], name="forest")
    CostCurveDisplay('forest')
    """

    @brief
    def __init__(
        self, pc: Any, cost: Any, *, name: Any = None, band: Any = None, not_ruled_out: Any = ()
    ) -> None:
        self.pc, self.cost = _arrays(pc), _arrays(cost)
        super().__init__(len(self.pc), name, band)
        self.not_ruled_out = not_ruled_out

    @classmethod
    def from_comparison(cls, comparison: Mapping[str, CostCurve], *, band: bool = True) -> Self:
        """Show the curves of a comparison, or of a mapping, with bands for all PC(+) at once.

        Bands and verdicts take seconds, as cases are resampled for them. Verdicts are those of a
        comparison.
        """
        curves = [*comparison.values()]
        bands = [_outline(*map(vertices, curve.band())) for curve in curves] if band else None
        possible: list[Any] = []
        if band and isinstance(comparison, Comparison):
            rows = comparison.not_ruled_out
            rows = rows[rows["standing"] != OUT]
            possible = _stretches(rows, "decision", comparison)
        pc, cost = [curve.pc for curve in curves], [curve.cost for curve in curves]
        return cls(pc, cost, name=[*comparison], band=bands, not_ruled_out=possible)

    def _draw(self, ax: Any, names: list[str], looks: Looks) -> None:
        self.lines_ = self._plot(ax, self.pc, self.cost, looks)
        self._fill(ax)
        _cost_space(ax, [*self.cost, *(band[1] for band in self.band if band is not None)])
        _strips(ax, self.not_ruled_out)
        self._legend(ax, names)


class CostDifferenceDisplay(_Display):
    """The difference of two models' costs, with its band and verdicts.

    Parameters
    ----------
    pc, difference : array-like of shape (n_vertices,)
        PC(+), and cost(A) - cost(B) there: positive where B is cheaper.
    pair : (str, str)
        What A and B are called.
    band : array-like of shape (2, n_corners), optional
        PC(+) and difference along the outline of the band.
    cheaper : pair of array-like of shape (n_stretches, 2), optional
        Where on PC(+) A, and where B, is shown to be cheaper: a strip along the axis.

    See Also
    --------
    compare_models : differences and verdicts of predictions.
    """

    @brief
    def __init__(
        self,
        pc: Any,
        difference: Any,
        *,
        pair: tuple[str, str] = ("A", "B"),
        band: Any = None,
        cheaper: Any = ((), ()),
    ) -> None:
        title = f"cost({pair[0]}) \N{MINUS SIGN} cost({pair[1]})"
        super().__init__(1, title, band)
        self.pc, self.difference = _arrays(pc), _arrays(difference)
        self.pair, self.cheaper = pair, cheaper

    @classmethod
    def from_comparison(
        cls, comparison: Any, model_a: Any = None, model_b: Any = None, *, band: bool = True
    ) -> Self:
        """Show two models, by default the first two, and with `band` band and verdicts.

        These take seconds, as cases are resampled for them. A pair that the comparison does not
        have is a ValueError.
        """
        pairs = [*combinations(comparison, 2)]
        pair: Any = (model_a, model_b) if model_a or model_b else next(iter(pairs), None)
        if pair not in pairs:
            expected = pairs or "none, as there is one model"
            named = tuple(map(str, pair or ()))
            raise ValueError(f"there is no difference of {named}; differences are {expected}")
        options: dict[str, Any] = {}
        if band:
            if edges := comparison.band().get(pair):
                options["band"] = _outline(*map(vertices, edges))
            rows = comparison.verdicts.set_index(PAIR).loc[[pair]].drop_duplicates("pc_from")
            options["cheaper"] = _stretches(rows, "finding", ("A cheaper", "B cheaper"))
        a, b = comparison[pair[0]].curve, comparison[pair[1]].curve
        return cls(*vertices(a - b), pair=pair, **options)

    def _draw(self, ax: Any, names: list[str], looks: Looks) -> None:
        usual = {"color": style.INK, "linestyle": "-"}
        self.lines_ = self._plot(ax, self.pc, self.difference, looks, **usual)
        self._fill(ax)
        _strips(ax, self.cheaper)
        ax.axhline(0, color=style.QUIET, linewidth=0.9)
        ax.set_title(names[0]).set_parse_math(False)
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
        For another `at`.
    """

    size = (8.4, 3.9)
    panels = 2

    def __init__(
        self, fp: Any, tp: Any, pc: Any, cost: Any, *, at: float = 0.5, name: Any = None
    ) -> None:
        if not 0 < at <= 1:
            raise ValueError(f"at is {at}, expected a PC(+) above 0 and at most 1")
        self.fp, self.tp, self.pc, self.cost = map(_arrays, (fp, tp, pc, cost))
        super().__init__(len(self.fp), name)
        self.at = at

    @classmethod
    def from_comparison(cls, comparison: Mapping[str, CostCurve], at: float = 0.5) -> Self:
        """Show all models of a comparison, or of a mapping, at the best thresholds: in-sample."""
        tables = [model.table("envelopes") for model in comparison.values()]
        hulls = [curve_from(pieces.query("level == 'pooled'")) for pieces in tables]
        fp = [[0, *hull.at0, 1] for hull in hulls]
        tp = [[0, *(1 - hull.at1), 1] for hull in hulls]
        pc, cost = zip(*map(vertices, hulls), strict=True)
        return cls(fp, tp, pc, cost, at=at, name=[*comparison])

    def _draw(self, ax: Any, names: list[str], looks: Looks) -> None:
        if np.size(ax) != 2:
            raise ValueError("ax has to be two axes: of ROC space, and of cost space")
        roc, costs = ax
        self._plot(costs, self.pc, self.cost, looks)
        self.lines_ = self._plot(roc, self.fp, self.tp, looks)
        for fp, tp, line in zip(self.fp, self.tp, self.lines_, strict=True):
            nec = (1 - tp) * self.at + fp * (1 - self.at)
            best, colour = np.argmin(nec), line.get_color()
            slope, start = cost_point_to_roc_line(self.at, nec[best])
            for space, ends, point in (
                (roc, [start, start + slope], (fp[best], tp[best])),
                (costs, [fp[best], 1 - tp[best]], (self.at, nec[best])),
            ):
                space.plot([0, 1], ends, color=colour, linewidth=0.8, zorder=2)
                space.plot(*point, color=colour, marker="o", zorder=4)
        costs.axvline(self.at, color=style.QUIET, linewidth=0.9, linestyle=":")
        roc_space(roc)
        _cost_space(costs, self.cost)
        self._legend(roc, names)


def _arrays(values: Any, ndim: int = 1) -> list[Any]:
    """Return the arrays of several lines, given as a list of them or as one of `ndim` axes."""
    lines = [*values]
    if all(line is not None and np.ndim(line) < ndim for line in lines):
        lines = [values]
    return [None if line is None else np.asarray(line, float) for line in lines]


def _names(name: Any) -> list[str]:
    return [name] if isinstance(name, str) else [*name]


def _stretches(rows: pd.DataFrame, column: str, values: Iterable[str]) -> list[Any]:
    """Return (n_stretches, 2) ends of the rows that have each value of a column."""
    return [rows.loc[rows[column] == value, ["pc_from", "pc_to"]].to_numpy() for value in values]


def _outline(lower: Any, upper: Any) -> Any:
    """Go along a band's lower edge and back along the upper one, both (2, n)."""
    return np.concatenate([lower, np.asarray(upper)[:, ::-1]], axis=1)


def _strips(ax: Any, stretches: Iterable[Any]) -> None:
    """Draw stretches of PC(+) along the axis, a row and colour for each line."""
    for i, ends in enumerate(stretches):
        for low, high in np.reshape(ends, (-1, 2)):
            ax.axvspan(low, high, i * STRIP, (i + 1) * STRIP, color=style.colour(i), linewidth=0)


def _cost_space(ax: Any, heights: Sequence[Any]) -> None:
    """Set up axes as a cost space, as high as what is drawn on them."""
    highest = max(0.05, *(height.max() for height in heights))
    top = min(1.0 if highest > 0.5 else 0.5, 1.2 * highest)
    if ax.get_xlabel() == PC and ax.get_ylim()[1] >= top:  # others are drawn there
        return
    empty_cost_space(ax, top)
    ax.set(xlabel=PC, ylabel=NEC)
