"""A second implementation of what a study's tables say: slow, in fractions, and by definition.

It begins with the raw rows and shares no code with the package. Lower envelopes are minima over all
lines, thresholds are tried one by one, and curves are lists of pieces with exact ends.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

INFINITY = float("inf")
ONE, ZERO = Fraction(1), Fraction(0)


class Line(NamedTuple):
    """A cost line: its heights at PC(+) = 0 and 1, which are the rates fp and fn."""

    at0: Fraction
    at1: Fraction

    def __call__(self, pc: Fraction) -> Fraction:
        return self.at0 * (1 - pc) + self.at1 * pc


class Piece(NamedTuple):
    """A line from one PC(+) to another."""

    low: Fraction
    high: Fraction
    line: Line


Curve = list[Piece]
Point = tuple[Fraction, Fraction]
NEGATIVE, POSITIVE = Line(ZERO, ONE), Line(ONE, ZERO)  # the trivial classifiers


class Row(NamedTuple):
    """What one classifier says of one instance."""

    model: str
    member: str
    train_pc: Fraction | None
    repeat: str
    fold: str
    instance: str
    positive: bool
    value: float  # a score; a decision is 0 or 1
    crisp: bool
    cost: Fraction  # of a mistake on it, or 1


Key = tuple[str, bool]  # a classifier of a model: its member, and whether it decides


class Candidate(NamedTuple):
    """A threshold of one classifier; a decision's is 1."""

    key: Key
    threshold: float


NOBODY, EVERYBODY = Candidate(("", False), INFINITY), Candidate(("", False), -INFINITY)


def mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, ZERO) / len(listed)


def mean_line(lines: Iterable[Line]) -> Line:
    listed = list(lines)
    return Line(mean(line.at0 for line in listed), mean(line.at1 for line in listed))


def crossing(line: Line, other: Line) -> Fraction | None:
    """The PC(+) inside (0, 1) at which two lines meet."""
    apart = (line.at1 - line.at0) - (other.at1 - other.at0)
    if apart == 0:
        return None
    pc = (other.at0 - line.at0) / apart
    return pc if 0 < pc < 1 else None


def envelope(lines: Iterable[Line]) -> Curve:
    """The lowest of some lines at each PC(+): from 0 on, ever the next that crosses from above."""
    different = sorted(set(lines))
    now = min(different, key=lambda line: (line.at0, line.at1))
    low, pieces = ZERO, []
    while low < 1:
        later = [
            (pc, other.at1, other)
            for other in different
            if (pc := crossing(now, other)) is not None and pc > low and other.at1 < now.at1
        ]
        high, _, after = min(later, default=(ONE, ZERO, now))
        pieces.append(Piece(low, high, now))
        low, now = high, after
    for low, high, line in pieces:
        for pc in (low, (low + high) / 2, high):
            assert line(pc) == min(other(pc) for other in different)
    return pieces


def ends_of(curves: Iterable[Curve]) -> list[Fraction]:
    return sorted({end for curve in curves for piece in curve for end in (piece.low, piece.high)})


def at(curve: Curve, pc: Fraction) -> Line:
    """The line that holds a curve at an inner point of one of its pieces."""
    return next(piece.line for piece in curve if piece.low <= pc <= piece.high)


def value(curve: Curve, pc: Fraction) -> Fraction:
    """The height of a curve, at the right of a jump: who serves from there on serves there."""
    return [piece.line for piece in curve if piece.low <= pc][-1](pc)


def together(combine: Callable[..., Line], *curves: Curve) -> Curve:
    """Combine the lines of several curves between all of their ends."""
    left = [list(reversed(curve)) for curve in curves]
    combined = []
    for low, high in pairwise(ends_of(curves)):
        for pieces in left:
            if pieces[-1].high <= low:
                pieces.pop()
        combined.append(Piece(low, high, combine(*(pieces[-1].line for pieces in left))))
    return combined


def average(curves: Sequence[Curve]) -> Curve:
    return together(lambda *lines: mean_line(lines), *curves)


def minus(a: Curve, b: Curve) -> Curve:
    return together(
        lambda first, second: Line(first.at0 - second.at0, first.at1 - second.at1), a, b
    )


def whole(line: Line) -> Curve:
    return [Piece(ZERO, ONE, line)]


TRIVIAL = envelope([NEGATIVE, POSITIVE])


def heights(curve: Curve) -> list[Point]:
    """PC(+) and height at both ends of every piece."""
    return [(pc, line(pc)) for low, high, line in curve for pc in (low, high)]


def area(curve: Curve) -> Fraction:
    return sum(((high - low) * (line(low) + line(high)) / 2 for low, high, line in curve), ZERO)


def expected(curve: Curve, a: int, b: int, low: Fraction, high: Fraction) -> Fraction:
    """The mean over a Beta(a, b) of PC(+) that is cut off at `low` and `high`."""
    density = [ZERO] * (a - 1) + [ONE]
    for _ in range(b - 1):
        density = times(density, [ONE, -ONE])
    total = integral(density, low, high)
    parts = (
        integral(times(density, [line.at0, line.at1 - line.at0]), max(low, left), min(high, right))
        for left, right, line in curve
        if max(low, left) < min(high, right)
    )
    return sum(parts, ZERO) / total


def times(first: list[Fraction], second: list[Fraction]) -> list[Fraction]:
    """Multiply two polynomials, given by their coefficients."""
    product = [ZERO] * (len(first) + len(second) - 1)
    for i, left in enumerate(first):
        for j, right in enumerate(second):
            product[i + j] += left * right
    return product


def integral(polynomial: list[Fraction], low: Fraction, high: Fraction) -> Fraction:
    terms = (
        coefficient * (high ** (power + 1) - low ** (power + 1)) / (power + 1)
        for power, coefficient in enumerate(polynomial)
    )
    return sum(terms, ZERO)


def signs(difference: Curve) -> list[tuple[Fraction, Fraction, int]]:
    """Where a difference is negative, zero and positive; neighbours of one sign are one."""
    stretches: list[tuple[Fraction, Fraction, int]] = []
    for low, high, line in difference:
        inner = crossing(line, Line(ZERO, ZERO))
        cuts = sorted({low, high, *([inner] if inner and low < inner < high else [])})
        for left, right in pairwise(cuts):
            height = line((left + right) / 2)
            sign = (height > 0) - (height < 0)
            if stretches and stretches[-1][2] == sign:
                left = stretches.pop()[0]
            stretches.append((left, right, sign))
    return stretches


def ranges(curve: Curve, sign: int) -> list[Point]:
    """Where a curve lies below (-1) or above (1) the cheaper trivial classifier."""
    return [
        (low, high) for low, high, sign_there in signs(minus(curve, TRIVIAL)) if sign_there == sign
    ]


def hull(points: Iterable[Point]) -> list[Point]:
    """Vertices of the upper convex hull from (0, 0) to (1, 1), of points (fp, tp)."""
    vertices: list[Point] = []
    for x, y in sorted({*points, (ZERO, ZERO), (ONE, ONE)}):
        while len(vertices) > 1:
            (x0, y0), (x1, y1) = vertices[-2:]
            if (x1 - x0) * (y - y0) < (y1 - y0) * (x - x0):  # it turns to the right
                break
            vertices.pop()
        vertices.append((x, y))
    return vertices


def trapezoids(points: Sequence[Point]) -> Fraction:
    return sum(
        ((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points)),
        ZERO,
    )


def heights_of_hull(vertices: Sequence[Point], x: Fraction) -> Fraction:
    """The highest ordinate of a polyline at an abscissa."""
    ends = [y for fp, y in vertices if fp == x]
    for (x0, y0), (x1, y1) in pairwise(vertices):
        if x0 < x < x1:
            ends.append(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return max(ends)


class Mix(NamedTuple):
    """A draw between two candidates' rates: `share` of the second."""

    first: Point
    second: Point
    share: Fraction

    @property
    def point(self) -> Point:
        (x0, y0), (x1, y1) = self.first, self.second
        return x0 + self.share * (x1 - x0), y0 + self.share * (y1 - y0)


def on_hull(
    points: Iterable[Point],
    used: Callable[[Point], Fraction],
    limit: Fraction,
) -> Mix:
    """The point of the hull farthest along where what it uses comes to a limit."""
    vertices = hull(points)
    place = max(i for i, vertex in enumerate(vertices) if used(vertex) <= limit)
    if place == len(vertices) - 1:
        return Mix(vertices[-1], vertices[-1], ZERO)
    first, second = vertices[place], vertices[place + 1]
    return Mix(first, second, (limit - used(first)) / (used(second) - used(first)))


@dataclass(frozen=True)
class Rows:
    """The rows of one model, or some of them."""

    rows: tuple[Row, ...]

    def where(self, keep: Callable[[Row], bool]) -> "Rows":
        return Rows(tuple(row for row in self.rows if keep(row)))

    def without(self, fold: "Rows") -> "Rows":
        name = fold.rows[0].fold
        return self.where(lambda row: row.fold != name)

    def parts(self, *names: str) -> list["Rows"]:
        """The rows with each value of some columns."""

        def values(row: Row) -> tuple[Any, ...]:
            return tuple(getattr(row, name) for name in names)

        return [Rows(tuple(rows)) for _, rows in groupby(sorted(self.rows, key=values), values)]

    @property
    def folds(self) -> list["Rows"]:
        return self.parts("repeat", "fold")

    @property
    def repeats(self) -> list["Rows"]:
        return self.parts("repeat")

    @cached_property
    def keys(self) -> list[Key]:
        return sorted({(row.member, row.crisp) for row in self.rows})

    @cached_property
    def classifiers(self) -> dict[Key, "Rows"]:
        rows_of: dict[Key, list[Row]] = {key: [] for key in self.keys}
        for row in self.rows:
            rows_of[row.member, row.crisp].append(row)
        return {key: Rows(tuple(rows)) for key, rows in rows_of.items()}

    @property
    def instances(self) -> dict[str, bool]:
        """Whether each instance is positive."""
        return {row.instance: row.positive for row in self.rows}

    @cached_property
    def sizes(self) -> Point:
        """What the negatives and the positives that one classifier predicted weigh."""
        rows = self.classifiers[self.keys[0]].rows
        weights = [ZERO, ZERO]
        for row in rows:
            weights[row.positive] += row.cost
        return weights[0], weights[1]

    @cached_property
    def counts(self) -> tuple[int, int]:
        """How many negatives and positives one classifier predicted."""
        positives = [row.positive for row in self.classifiers[self.keys[0]].rows]
        return len(positives) - sum(positives), sum(positives)

    def predicted(self, candidate: Candidate) -> list[Row]:
        """The rows that a threshold predicts positive."""
        rows = self.classifiers[candidate.key].rows
        return [row for row in rows if row.value >= candidate.threshold]

    def line(self, candidate: Candidate) -> Line:
        if candidate.threshold == INFINITY:
            return NEGATIVE
        if candidate.threshold == -INFINITY:
            return POSITIVE
        weighed = [ZERO, ZERO]
        for row in self.predicted(candidate):
            weighed[row.positive] += row.cost
        return Line(weighed[0] / self.sizes[0], 1 - weighed[1] / self.sizes[1])

    def point(self, candidate: Candidate) -> Point:
        line = self.line(candidate)
        return line.at0, 1 - line.at1

    @cached_property
    def operating_points(self) -> list[Candidate]:
        """Every distinct score and "predict nothing" of each classifier, or its decision."""
        points = []
        for key, rows in self.classifiers.items():
            scores = {row.value for row in rows.rows}
            values = [1.0] if key[1] else [INFINITY, *sorted(scores, reverse=True)]
            points += [Candidate(key, value) for value in values]
        return points

    @property
    def candidates(self) -> list[Candidate]:
        """What may be chosen: predicting nothing, each score or decision, and all of decisions."""
        points = [point for point in self.operating_points if point.threshold != INFINITY]
        only_decisions = all(decides for _, decides in self.keys)
        return [NOBODY, *points, *([EVERYBODY] if only_decisions else [])]

    @cached_property
    def envelope(self) -> Curve:
        lines = [self.line(line) for line in self.operating_points]
        return envelope([*lines, NEGATIVE, POSITIVE])

    @property
    def hull(self) -> list[Point]:
        return hull(self.point(candidate) for candidate in self.operating_points)


def over_folds(rows: Rows, curve_of: Callable[[Rows], Curve]) -> Curve:
    """The mean over the folds of each repeat, then over repeats."""
    repeats = [average([curve_of(fold) for fold in repeat.folds]) for repeat in rows.repeats]
    return average(repeats)


def held_out(repeat: Rows) -> list[Curve]:
    """Each fold's curve of what costs least on the other folds of the repeat, on average."""
    lines = [{each: fold.line(each) for each in repeat.candidates} for fold in repeat.folds]
    curves = []
    for place, on_fold in enumerate(lines):
        rest = [of for number, of in enumerate(lines) if number != place]
        others = {each: mean_line(of[each] for of in rest) for each in on_fold}
        curve = []
        for low, high, least in envelope(others.values()):
            tied = [on_fold[each] for each, line in others.items() if line == least]
            curve.append(Piece(low, high, mean_line(tied)))
        curves.append(curve)
    return curves


def cross_fitted(rows: Rows) -> Curve:
    return average([average(held_out(repeat)) for repeat in rows.repeats])


def deployed(rows: Rows) -> list[tuple[Piece, Candidate]]:
    """Who serves each PC(+) if all folds choose; of candidates that cost the same the first."""
    lines = {
        candidate: mean_line(fold.line(candidate) for fold in rows.folds)
        for candidate in rows.candidates
    }
    serving = {line: candidate for candidate, line in reversed(lines.items())}
    return [(piece, serving[piece.line]) for piece in envelope(lines.values())]


def nearest_train_pc(rows: Rows) -> Curve:
    trained = {row.train_pc: (row.member, row.crisp) for row in rows.rows}
    order = sorted(pc for pc in trained if pc is not None)
    cuts = [ZERO, *((low + high) / 2 for low, high in pairwise(order)), ONE]
    return [
        Piece(low, high, rows.line(Candidate(trained[pc], 1.0)))
        for (low, high), pc in zip(pairwise(cuts), order, strict=True)
    ]


def score_driven(rows: Rows) -> Curve:
    """Positive where the score is at least 1 - PC(+)."""
    scores = sorted({row.value for row in rows.rows})
    cuts = sorted({ZERO, ONE, *(1 - Fraction(str(score)) for score in scores)})  # 0.3 is 3/10
    return [
        Piece(low, high, rows.line(Candidate(("", False), float(1 - (low + high) / 2))))
        for low, high in pairwise(cuts)
    ]


def score_fixed(rows: Rows, threshold: float) -> Curve:
    return whole(rows.line(Candidate(("", False), threshold)))


def rate_fixed(rows: Rows, rate: Fraction) -> Line:
    """A share of all cases is predicted positive; a draw among ties."""
    positives = share_of_positives(rows)
    points = [rows.point(point) for point in rows.operating_points]

    def used(point: Point) -> Fraction:
        return (1 - positives) * point[0] + positives * point[1]

    for point, other in pairwise(points):
        if used(point) <= rate < used(other):
            part = (rate - used(point)) / (used(other) - used(point))
            fp, tp = Mix(point, other, part).point
            return Line(fp, 1 - tp)
    return POSITIVE


def share_of_positives(rows: Rows) -> Fraction:
    return Fraction(rows.counts[1], sum(rows.counts))


def rate_driven(rows: Rows) -> Curve:
    """The cut behind each instance serves where it stands nearest; both classes weigh the same."""
    points = [rows.point(point) for point in rows.operating_points]
    scores = [row.value for row in rows.rows]
    cuts = []
    for point, other, score in zip(
        points, points[1:], sorted(set(scores), reverse=True), strict=False
    ):
        block = scores.count(score)  # among ties a cut is as likely to take any
        cuts += [Mix(point, other, Fraction(taken, block)).point for taken in range(block)]
    cuts.append((ONE, ONE))
    rates = [(fp + tp) / 2 for fp, tp in cuts]
    stands = [(len(scores) * rate + Fraction(1, 2)) / (len(scores) + 1) for rate in rates]
    ends = [ZERO, *((low + high) / 2 for low, high in pairwise(stands)), ONE]
    return [
        Piece(low, high, Line(fp, 1 - tp))
        for (low, high), (fp, tp) in zip(pairwise(ends), cuts, strict=True)
        if low < high
    ]


def limited(rows: Rows, mix_of: Callable[[Rows], Mix]) -> list[tuple[Rows, Fraction, Fraction]]:
    """What a limit kept on a repeat's other folds, pooled, comes to on each held-out fold."""
    rates = []
    for repeat in rows.repeats:
        for fold in repeat.folds:
            others = repeat.without(fold)
            mix = mix_of(others)
            first = served(repeat.candidates, mix.first, others, fold)
            second = served(repeat.candidates, mix.second, others, fold)
            rates.append((fold, *Mix(first, second, mix.share).point))
    return rates


def served(candidates: Sequence[Candidate], vertex: Point, others: Rows, fold: Rows) -> Point:
    """Where on a fold all candidates lie, on average, that are at a vertex on the others."""
    if vertex in ((ZERO, ZERO), (ONE, ONE)):
        return vertex
    points = [fold.point(each) for each in candidates if others.point(each) == vertex]
    return mean(fp for fp, _ in points), mean(tp for _, tp in points)


def mean_rates(of_folds: Sequence[tuple[Rows, Fraction, Fraction]]) -> Line:
    """Average rates over the folds of each repeat, then over repeats."""
    repeats: dict[str, list[Line]] = {}
    for fold, fp, tp in of_folds:
        repeats.setdefault(fold.rows[0].repeat, []).append(Line(fp, 1 - tp))
    return mean_line(mean_line(lines) for lines in repeats.values())


def brier(rows: Rows) -> Fraction:
    return mean((Fraction(row.value) - row.positive) ** 2 for row in rows.rows)


def auc(rows: Rows) -> Fraction:
    """The chance that a positive scores higher than a negative, by cost; a tie is half of it."""
    won = total = ZERO
    for positive in rows.rows:
        for negative in rows.rows:
            if positive.positive and not negative.positive:
                both = positive.cost * negative.cost
                higher = Fraction((positive.value > negative.value) * 2)
                won += both * (higher + (positive.value == negative.value)) / 2
                total += both
    return won / total


def components(rows: Rows, positive: bool) -> dict[str, Fraction]:
    """By how much each instance of a class moves the AUC off what it is."""
    same, others = (
        [row for row in rows.rows if row.positive is kind] for kind in (positive, not positive)
    )
    moves, whole = dict.fromkeys((row.instance for row in same), ZERO), auc(rows)
    for row in same:
        apart = [(row.value - other.value) * (1 if positive else -1) for other in others]
        right = mean((ONE + (difference > 0) - (difference < 0)) / 2 for difference in apart)
        moves[row.instance] += (right - whole) / len(same)
    return moves


def auc_variance(curves: Sequence[Rows], less: Sequence[Rows] = ()) -> Fraction | None:
    """The variance of a mean AUC, perhaps less another, from each two curves and what both judge.

    Deviations are from a mean of few, so products of them are too small by what is left of them.
    None: from one instance of a class nothing is left.
    """
    total = ZERO
    for positive in (False, True):
        of_curves = [components(rows, positive) for rows in curves]
        for moves, rows in zip(of_curves, less, strict=False):
            for name, off in components(rows, positive).items():
                moves[name] -= off
        for first, second in product(of_curves, repeat=2):
            both = first.keys() & second.keys()
            few = Fraction(1, len(first)) + Fraction(1, len(second))
            left = 1 - few + Fraction(len(both), len(first) * len(second))
            if both and left == 0:
                return None
            total += sum((first[name] * second[name] / left for name in both), ZERO)
    return total / len(curves) ** 2


def ratio(pc: Fraction, prior: Fraction) -> Fraction | None:
    """C(-|+) / C(+|-) at a PC(+) = p C(-|+) / (p C(-|+) + (1 - p) C(+|-)); None: infinite."""
    return None if pc == 1 else pc * (1 - prior) / ((1 - pc) * prior)


def holm(p_values: Sequence[float], level: float) -> list[float]:
    """The level at which each of several is read, the smallest p-value at the highest level.

    The first that is not significant ends the steps: it and the rest are read at its level.
    """
    error, count = 1 - level, len(p_values)
    levels = [0.0] * count
    left, stopped = count, False
    for place in sorted(range(count), key=lambda index: p_values[index]):
        levels[place] = 1 - error / left
        if not stopped and p_values[place] <= error / left:
            left -= 1
        else:
            stopped = True
    return levels


def read(
    path: Path,
    positive: str,
    *,
    only: Sequence[str] | None = None,
    score: str = "score",
    costs: Callable[[bool, Fraction], Fraction] | None = None,
) -> dict[str, Rows]:
    """The rows of a file by model; `costs` gives what a mistake costs from class and amount."""
    with path.open(encoding="utf-8", newline="") as file:
        given = list(csv.DictReader(file))
    names = dict.fromkeys(row["model"] for row in given) if only is None else only
    rows_of: dict[str, list[Row]] = {name: [] for name in names}
    for row in given:
        is_positive = row["label"] == positive
        value = row.get(score, "")
        crisp = value == ""
        cost = ONE if costs is None else costs(is_positive, Fraction(row["amount"]))
        trained = row.get("train_pc", "")
        judged = float(row["decision"] == positive) if crisp else float(value)
        trained_at = Fraction(trained) if trained else None
        places = row["repeat"], row["fold"], row["instance"]
        who = row["model"], row.get("member", ""), trained_at
        rows_of[row["model"]].append(Row(*who, *places, is_positive, judged, crisp, cost))
    return {name: Rows(tuple(rows)) for name, rows in rows_of.items()}
