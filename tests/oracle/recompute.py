"""Recompute numbers of a report from its raw predictions, by definition: a second implementation.

    make oracle REPORT=reports/default

It reads the report's folder and the predictions that manifest.json names, and shares no code with
the package. Definitions: Drummond and Holte (2006), https://doi.org/10.1007/s10994-006-8199-5. A
classifier with the rates fp and fn costs fp (1 - x) + fn x where PC(+) is x. The status is 1 where
a number differs.
"""

import argparse
import csv
import gzip
import hashlib
import json
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from math import isclose, isnan
from pathlib import Path

import numpy as np
from pyarrow import parquet

READABLE = (".csv", ".csv.gz", ".parquet")
WORDS = {"True": "true", "False": "false"}  # as CSV has them
TRUE = ("1", "1.0", "true")
CLOSE = 1e-9
# As curves: from which PC(+) to which a piece goes, then its FP and FN rates.
BASELINES = {
    "no model": np.array([[0, 0.5], [0.5, 1], [0, 1], [1, 0]]),
    "always negative": np.array([[0], [1], [0], [1]]),
    "always positive": np.array([[0], [1], [1], [0]]),
}
STEPS = ((0, 1, 13, 32), (2, 3, 16, 0), (0, 3, 21, 0), (2, 1, 17, 32))  # of SipHash
CHECKED = ("operating_points", "measures", "intervals", "instance_costs", "claims")


class UnreadableError(Exception):
    """What can't be read, and where."""


class Model:
    """The rows of one model; a classifier is a member of it that scores, or one that decides."""

    def __init__(self, rows):
        keys = sorted({(row["member"], row["crisp"]) for row in rows})
        self.keys = {key: number for number, key in enumerate(keys)}
        self.key = np.array([self.keys[row["member"], row["crisp"]] for row in rows])
        self.trained = {self.keys[row["member"], row["crisp"]]: row["train_pc"] for row in rows}
        self.unit = np.array([(row["repeat"], row["fold"]) for row in rows])
        columns = ("positive", "value", "weight", "cases")
        self.positive, self.value, self.weight, self.cases = (
            np.array([row[name] for row in rows]) for name in columns
        )
        self.ranks = keys == [("", False)]

    def rows(self, repeat="", fold=""):
        """Say which rows are of a repeat, or of a fold of it."""
        wanted = np.array([repeat, fold])
        return ((self.unit == wanted) | (wanted == "")).all(axis=1)

    def repeats(self):
        """List the rows of each fold, by repeat."""
        units = dict.fromkeys(map(tuple, self.unit.tolist()))
        names = dict.fromkeys(repeat for repeat, _ in units)
        return [[self.rows(*unit) for unit in units if unit[0] == name] for name in names]

    def units(self, level):
        """List the rows of each fold or repeat, or all."""
        folds = [[self.rows()]] if level == "pooled" else self.repeats()
        joined = folds if level == "fold" else [[np.any(rows, axis=0)] for rows in folds]
        return [rows for repeat in joined for rows in repeat]

    def candidates(self, rows):
        """List classifiers and thresholds: every score; of a decision, itself."""
        candidates = []
        for (_, crisp), key in self.keys.items():
            scores = np.unique(self.value[rows & (self.key == key)])
            candidates += [(key, threshold) for threshold in ([1.0] if crisp else scores[::-1])]
        return [np.array(column) for column in zip(*candidates, strict=True)]

    def counts(self, rows, keys, thresholds, weight):
        """Sum up what is predicted positive, of negatives and positives, and what there is."""
        above = np.zeros((2, len(keys)))
        sizes = np.zeros((2, len(keys)))
        for key in np.unique(keys):
            for positive in (0, 1):
                chosen = rows & (self.key == key) & (self.positive == positive)
                order = np.argsort(self.value[chosen], kind="stable")
                sums = np.append(np.cumsum(weight[chosen][order][::-1])[::-1], 0)
                at = np.searchsorted(self.value[chosen][order], thresholds[keys == key])
                above[positive, keys == key] = sums[at]
                sizes[positive, keys == key] = sums[0]
        return above, sizes

    def lines(self, rows, keys, thresholds):
        """Give the rates fp and fn of classifiers at thresholds."""
        (false, true), (negatives, positives) = self.counts(rows, keys, thresholds, self.weight)
        return np.stack([false / negatives, 1 - true / positives])

    def auc(self, level):
        """Average the area under the ROC curve over units, ties counting half."""
        lines = [self.lines(rows, *self.candidates(rows)) for rows in self.units(level)]
        every = [np.hstack([[[0], [1]], points]) for points in lines]
        return np.mean([np.diff(fp) @ (2 - fn[1:] - fn[:-1]) / 2 for fp, fn in every])

    def curves(self, how, threshold):
        """Give the curve of each fold by repeat: pieces (from, to, height at 0, height at 1)."""
        of_folds = {
            "cross-fitted": self.cross_fitted,
            "nearest-train-pc": lambda folds: map(self.nearest, folds),
            "score-driven": lambda folds: map(self.score_driven, folds),
            "score-fixed": lambda folds: [self.fixed(rows, threshold) for rows in folds],
            "fixed in advance": lambda folds: [self.fixed(rows, 1.0) for rows in folds],
        }
        return [list(of_folds[how](folds)) for folds in self.repeats()] if how in of_folds else None

    def envelopes(self, level):
        """Give the lower envelope of each unit, as if all were of one repeat."""
        lines = [self.lines(rows, *self.candidates(rows)) for rows in self.units(level)]
        every = [lowest(np.hstack([points, [[0, 1], [1, 0]]])) for points in lines]
        return [[[(low, high, *line) for low, high, line in points] for points in every]]

    def cross_fitted(self, folds):
        """Choose where the mean cost on the other folds is least, and judge on the one left out."""
        candidates = self.candidates(np.any(folds, axis=0))
        always = [[0, 1], [1, 0]] if all(crisp for _, crisp in self.keys) else [[0], [1]]
        every = [np.hstack([always, self.lines(rows, *candidates)]) for rows in folds]
        for place, on_fold in enumerate(every):
            others = np.mean([lines for at, lines in enumerate(every) if at != place], axis=0)
            curve = []
            for low, high, line in lowest(others):
                tied = (np.abs(others - np.array(line)[:, None]) < 1e-12).all(axis=0)
                curve.append((low, high, *on_fold[:, tied].mean(axis=1)))
            yield curve

    def fixed(self, rows, threshold):
        """Use one threshold everywhere."""
        line = self.lines(rows, np.array([0]), np.array([threshold]))
        return [(0.0, 1.0, *line[:, 0])]

    def nearest(self, rows):
        """Use the member that was trained for the nearest PC(+)."""
        order = sorted((pc, key) for key, pc in self.trained.items())
        cuts = [0.0, *((a[0] + b[0]) / 2 for a, b in pairwise(order)), 1.0]
        lines = self.lines(rows, np.array([key for _, key in order]), np.ones(len(order)))
        return [(*ends, *line) for ends, line in zip(pairwise(cuts), lines.T, strict=True)]

    def score_driven(self, rows):
        """Predict positive where the score is at least 1 - PC(+)."""
        cuts = np.unique([0, 1, *(1 - self.value[rows])])
        middle = 1 - (cuts[1:] + cuts[:-1]) / 2
        lines = self.lines(rows, np.zeros(len(middle), int), middle)
        return list(zip(cuts[:-1], cuts[1:], *lines, strict=True))


def lowest(lines):
    """Give the lower envelope of cost lines (fp, fn): each piece's ends and its line."""
    hull = []
    for x, y in sorted(set(zip(*lines.tolist(), strict=True))):
        if hull and y >= hull[-1][1]:
            continue
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 1e-15:
                break
            hull.pop()
        hull.append((x, y))
    drops = ((a[1] - b[1], b[0] - a[0]) for a, b in pairwise(hull))
    cuts = [0.0, *(right / (right + drop) for drop, right in drops), 1.0]
    return [(*ends, line) for ends, line in zip(pairwise(cuts), hull, strict=True)]


def average(curves):
    """Average curves over the folds of each repeat, then over repeats: pieces, in columns."""
    cuts = np.unique([0.5, 1.0, *(low for folds in curves for curve in folds for low, *_ in curve)])
    lines = np.zeros((len(cuts) - 1, 2))
    for folds in curves:
        for pieces in map(np.array, folds):
            at = np.searchsorted(pieces[:, 0], cuts[:-1], side="right") - 1
            lines += pieces[at, 2:] / len(folds) / len(curves)
    return np.array([cuts[:-1], cuts[1:], *lines.T])


def height(curve, pc, side=1):
    """Give a curve's height at PC(+), at the right or left (-1) of a jump."""
    near = min(max(pc + side * 1e-10, 1e-12), 1 - 1e-12)
    return np.dot(curve[2:, np.searchsorted(curve[0], near) - 1], (1 - pc, pc))


def mean(curve, kind="uniform", low=0, high=1, a=1, b=1, prior=0.5):
    """Give the mean height where PC(+) has a distribution: of Beta(1, 1) the area."""
    cuts = np.linspace(low, high, 101)
    if kind == "cost ratio":  # the density of its logarithm is 1 / (x (1 - x)) where PC(+) is x
        odds = np.geomspace(low, high, 101) * prior / (1 - prior)
        a, b, cuts = 0, 0, odds / (1 + odds)
    elif min(a, b) < 1:
        return None  # the density has no bound
    cuts = np.unique(np.clip([*curve[0], *cuts], cuts[0], cuts[-1]))
    nodes, weights = np.polynomial.legendre.leggauss(20)
    x = cuts[:-1, None] + np.diff(cuts)[:, None] * (nodes + 1) / 2
    density = np.diff(cuts)[:, None] * weights * x ** (a - 1) * (1 - x) ** (b - 1)
    fp, fn = curve[2:, np.searchsorted(curve[0], x, side="right") - 1]
    return (density * (fp * (1 - x) + fn * x)).sum() / density.sum()


def useful(curve):
    """Give from where to where at most a curve is below both trivial classifiers."""
    low, high, fp, fn = curve
    above = [fp * (1 - x) + fn * x - np.minimum(x, 1 - x) for x in (low, high)]
    below = np.array(above) < -1e-12
    if not below.any():
        return np.nan, np.nan
    with np.errstate(all="ignore"):
        cross = low + (high - low) * above[0] / (above[0] - above[1])
    of = np.flatnonzero(below.any(axis=0))[[0, -1]]
    return np.where(below[0], low, cross)[of[0]], np.where(below[1], high, cross)[of[1]]


def split(rows, seed):
    """Split what has one fold into several, classes evenly, in the order of a hash of names."""
    folds, inside, into = defaultdict(set), defaultdict(set), {}
    for row in rows:
        folds[row["model"], row["repeat"]].add(row["fold"])
        of = row["model"], row["repeat"], row["member"], row["crisp"], row["positive"]
        inside[of].add(row["unit"])
    for (*of, _, _, _), units in inside.items():
        into[*of] = min(into.get((*of,), 10), len(units)) if len(folds[*of]) < 2 else 0
    ill, well = (
        {row["unit"] for row in rows if row["positive"] == label} for label in (True, False)
    )
    together = bool(ill & well)  # then clusters of both come between those of one class
    later = {unit: together * ((unit in well) + (unit not in ill)) for unit in ill | well}
    single = [row for row in rows if into[row["model"], row["repeat"]] > 1]
    chosen = [row for row in rows if into[row["model"], row["repeat"]] < 2]
    hashed = {name: siphash(name.encode()) for name in {row["unit"] for row in single}}
    draws = min(5, -(-10_000 // max(1, len(hashed)))) if all(into.values()) else 1
    for draw in range(1, draws + 1):
        key = int.from_bytes(hashlib.sha256(f"{seed} {draw}".encode()).digest()[:8], "little")
        places = defaultdict(dict)
        order = {unit: (later[unit], mixed(hashed[unit] ^ key), unit) for unit in hashed}
        for row in sorted(single, key=lambda row: order[row["unit"]]):
            of, kind = (row["model"], row["repeat"]), together or row["positive"]
            of_unit = places[*of, row["member"], row["crisp"], kind]
            fold = of_unit.setdefault(row["unit"], len(of_unit)) % into[of] + 1
            chosen.append({**row, "repeat": f"{of[1]} split {draw}", "fold": str(fold)})
    weight = Counter()
    for row in chosen:
        weight[row["model"], row["repeat"], row["fold"], row["positive"]] += row["weight"]
    return chosen if all(weight.values()) else rows


def siphash(data):
    """Hash by SipHash-2-4 (Aumasson and Bernstein 2012), its bits mixed again as pandas does."""
    halves = [int.from_bytes(part, "little") for part in (b"01234567", b"89123456")] * 2
    words = (b"somepseu", b"dorandom", b"lygenera", b"tedbytes")
    state = [int.from_bytes(word, "big") ^ half for word, half in zip(words, halves, strict=True)]
    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) % 256])
    blocks = [int.from_bytes(padded[at : at + 8], "little") for at in range(0, len(padded), 8)]
    for block, last in [*((block, False) for block in blocks), (255, True)]:
        state[2 if last else 3] ^= block
        for first, second, by, far in STEPS * (4 if last else 2):
            state[first] = (state[first] + state[second]) % 2**64
            state[second] = (state[second] << by | state[second] >> 64 - by) % 2**64 ^ state[first]
            state[first] = (state[first] << far | state[first] >> 64 - far) % 2**64
        state[0] ^= 0 if last else block
    return mixed(state[0] ^ state[1] ^ state[2] ^ state[3])


def mixed(made):
    """Mix 64 bits, one to one (Steele, Lea and Flood 2014)."""
    for by, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        made = (made ^ made >> by) * factor % 2**64
    return made ^ made >> 31


class View:
    """A dataset as the report judges it: unweighted, or weighted by what mistakes cost."""

    def __init__(self, study, dataset, rows, weighted):
        self.weighted, ending = ("true", "--costs") if weighted else ("false", "")
        names = dataset["name"], dataset["name"] + ending
        self.names = {*names, *(f"'{name}" for name in names)}
        self.slug = dataset["slug"] + ending
        self.level, self.threshold = study["level"], study["selection"]["score_threshold"]
        self.weights = study["prior"]
        rows = [{**row, "weight": row["cases"] * (row["cost"] if weighted else 1)} for row in rows]
        names = dataset.get("models") or dict.fromkeys(row["model"] for row in rows)
        rows = [row for row in rows if row["model"] in names]
        self.models, self.judged = (
            {name: Model([row for row in of if row["model"] == name]) for name in names}
            for of in (rows, split(rows, study["seed"]))
        )
        for models in (self.models, self.judged):
            models |= {f"'{name}": model for name, model in models.items()}
        self.first = next(iter(self.models.values()))
        self.prior = dataset.get("prior") or np.average(
            self.first.positive, weights=self.first.cases
        )
        self.averages = {}
        self.conditions = {each["name"]: each for each in study["operating_conditions"]}

    def curve(self, model, how, level=None):
        """Give a curve by how thresholds are chosen; None where this file can't tell."""
        level = how in ("in-sample selection", "cost-minimizing") and (level or self.level)
        if (of := (model, how, level)) not in self.averages:
            models = (self.judged if how == "cross-fitted" else self.models)[model]
            made = models.envelopes(level) if level else models.curves(how, self.threshold)
            self.averages[of] = None if made is None else average(made)
        return self.averages[of]

    def expected(self, table, rows):
        """Give rows with what the predictions say of them, (column, number) pairs or None."""
        if table != "operating_points":
            return [(row, self.of_row(table, row)) for row in rows]
        groups = {}
        for row in rows:
            of = tuple(row[name] for name in ("model", "member", "repeat", "fold", "level"))
            groups.setdefault(of, []).append(row)
        return [result for of, of_group in groups.items() for result in self.counted(*of, of_group)]

    def counted(self, name, member, repeat, fold, level, rows):
        """Count what is predicted positive at the thresholds of one classifier, in a unit."""
        model = (self.judged if level == "split" else self.models)[name]
        keys = [model.keys[member, row["threshold"] == ""] for row in rows]
        at = np.array(keys), np.array([number(row, "threshold", "1") for row in rows])
        chosen = model.rows(repeat, fold)
        (false, true), (negatives, positives) = model.counts(chosen, *at, np.ones(len(chosen)))
        numbers = zip(false, true, negatives, positives, *model.lines(chosen, *at), strict=True)
        names = ("fp_count", "tp_count", "negatives", "positives", "fp", "fn")
        return [
            (row, [*zip(names, counts, strict=True)])
            for row, counts in zip(rows, numbers, strict=True)
        ]

    def of_row(self, table, row):
        """Recompute a row; a value in a tuple may be any of these."""
        if table in ("instance_costs", "claims"):
            return list((self.instance_costs if table == "instance_costs" else self.claimed)(row))
        curve = self.curve(row["model"], row["estimate"], row.get("level"))
        if curve is None:
            return None
        if row.get("quantity") == "cost":
            pc = self.condition(**self.conditions[row["condition"]])
            return [("pc", pc), ("value", height(curve, pc))]
        of = {"area": mean(curve), "tec": mean(curve, **self.weights)}
        of |= zip(("range_from", "range_to"), useful(curve), strict=True)
        if table == "intervals":
            of = {"value": of[row["quantity"].replace(" start", "_from").replace(" end", "_to")]}
        elif (model := self.models[row["model"]]).ranks:
            of["auc"] = model.auc(row["level"])
        return [(column, value) for column, value in of.items() if value is not None]

    def condition(self, pc=None, prior=None, cost_ratio=None, **_):
        """Give the PC(+) of an operating condition."""
        prior = prior or self.prior
        return cost_ratio * prior / (cost_ratio * prior + 1 - prior) if pc is None else pc

    def instance_costs(self, row):
        """Give what mistakes cost, on average, and what decisions do at the PC(+) that follows."""
        model = self.first
        label, weight, cases = model.positive, model.weight, model.cases
        cost_fp, cost_fn = np.bincount(label, weight) / np.bincount(label, cases)
        yield from (("prior", self.prior), ("mean_cost_fp", cost_fp), ("mean_cost_fn", cost_fn))
        whole = self.prior * cost_fn + (1 - self.prior) * cost_fp
        yield "pc", (pc := self.prior * cost_fn / whole)
        if row["trivial"] == "true":
            nec = pc if row["model"] == "always negative" else 1 - pc
        elif (curve := self.curve(row["model"], row["estimate"])) is not None:
            nec = height(curve, pc)
        else:
            return
        yield from (("nec", nec), ("cost", nec * whole))

    def claimed(self, row):
        """Give what may be the value of a claim: at a jump, that of either side."""
        curves = []
        for side in "ab":
            model, how = row[f"model_{side}"], row[f"criterion_{side}"]
            if model in BASELINES:
                curves.append(BASELINES[model])
            elif model:
                curves.append(self.curve(model, how or self.headline[model]))
        if any(curve is None for curve in curves):
            return
        at, low, high = (number(row, name, "nan") for name in ("at_pc", "pc_from", "pc_to"))
        weights = self.weights if row["mean"] == "tec" else {"low": low, "high": high}
        if row["mean"] == "cost ratio":
            weights = {name: pc / (1 - pc) for name, pc in weights.items()} | {"kind": row["mean"]}
        heights = [[height(curve, at, side) for curve in curves] for side in (1, -1)]
        made = [[mean(curve, **weights) for curve in curves]] if row["mean"] else heights
        if None not in made[0]:
            yield "value", tuple(first - sum(others) for first, *others in made)


def read(files, dataset):
    """Read the raw rows of a dataset; a text where they are nothing that this file can read."""
    usual = {"format": "long", "delimiter": ",", "decimal": ".", "higher_is": "positive"}
    usual |= {"missing_labels": "refuse", "abstain": "refuse"}
    odd = [key for key, value in usual.items() if dataset.get(key, value) != value]
    odd += [key for key in ("columns", "missing", "where") if dataset.get(key)]
    if odd:
        return f"its files are read in a way of their own ({', '.join(odd)})"
    if odd := [path for path in dataset["predictions"] if not path.endswith(READABLE)]:
        return f"{odd[0]} is neither CSV nor Parquet"
    if odd := [path for path in dataset["predictions"] if path not in files]:
        raise UnreadableError(f"{odd[0]}: is not among the sources that manifest.json names")
    name, positive = dataset.get("of", dataset["name"]), dataset.get("positive")
    yes = (lambda label: label == positive) if positive else (lambda label: label.lower() in TRUE)
    rows = []
    for path in dataset["predictions"]:
        for row in rows_of(files[path], path):
            if "label" not in row or "model" not in row:
                return f"{path} has other columns than ours"
            if row.get("dataset", name) != name:
                continue
            score, decision = row.get(dataset["score"], ""), row.get("decision", "")
            made = {name: row.get(name, "") for name in ("model", "member")}
            made["unit"] = row.get("cluster") or row["instance"]
            made["cases"] = number(row, "weight", "1")
            made |= {name: row.get(name, "1") for name in ("repeat", "fold")}
            made |= {"train_pc": number(row, "train_pc", "nan"), "positive": yes(row["label"])}
            made |= {"cost": cost(dataset.get("costs"), row, made["positive"])}
            if score != "":
                rows.append({**made, "crisp": False, "value": number(row, dataset["score"])})
            if decision != "":
                rows.append({**made, "crisp": True, "value": float(yes(decision))})
    units = {(row["repeat"], row["fold"]) for row in rows}
    classes = {(row["repeat"], row["fold"], row["positive"]) for row in rows if row["cases"]}
    return rows if len(classes) == 2 * len(units) else "a fold has one class only"


def cost(costs, row, positive):
    """Give what a mistake on an instance costs."""
    if costs is None:
        return 1.0
    if "benefit" not in costs:
        return number(row, "cost_fn" if positive else "cost_fp")
    right, wrong = (costs["benefit"][name] for name in (("tp", "fn") if positive else ("tn", "fp")))
    amount = number(row, costs["column"]) if "column" in costs else 0.0
    by = right["coefficient"] - wrong["coefficient"]
    return right["constant"] - wrong["constant"] + by * amount


def main():
    """Recompute, and say which numbers agree and which rows differ."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("report", type=Path, metavar="REPORT")
    parser.add_argument("--sources", type=Path, default=Path(), metavar="FOLDER")
    options = parser.parse_args()
    lines, differ = recomputed(options.report, options.sources)
    print(*lines, sep="\n")
    sys.exit(differ)


def recomputed(report, folder):
    """Return lines on what agrees and what differs, and whether anything does.

    Paths of predictions begin in the folder.
    """
    manifest = json.loads((report / "manifest.json").read_text("utf-8"))
    agree, differ, unseen = Counter(), [], Counter()
    files = {source["path"]: folder / source["path"] for source in manifest["sources"]}
    for source in manifest["sources"]:
        path = files[source["path"]]
        same = hashlib.sha256(path.read_bytes()).hexdigest() == source["sha256"]
        agree["sha256 of predictions"] += same
        differ += [] if same else [f"{path}: is not the file that manifest.json names"]
    for dataset in manifest["configuration"]["datasets"]:
        try:
            rows = read(files, dataset)
            if isinstance(rows, str):
                unseen[f"dataset {dataset['name']}: {rows}"] += 1
                continue
            for weighted in (False, True) if "costs" in dataset else (False,):
                view = View(manifest["configuration"], dataset, rows, weighted)
                for table in CHECKED:
                    compare(report, table, view, agree, differ, unseen)
        except UnreadableError as error:
            differ.append(str(error))
    lines = [f"agree: {count} {name}" for name, count in agree.items() if count]
    lines += [f"not looked at: {count} {name}" for name, count in unseen.items() if count]
    others = {file.stem for file in (report / "tables").iterdir()} - {*CHECKED}
    lines += [f"not looked at, whole tables: {', '.join(sorted(others))}"] * bool(others)
    lines += [f"DIFFERS: {difference}" for difference in differ[:50]]
    lines += [f"... and {len(differ) - 50} more"] if len(differ) > 50 else []
    return [*lines, f"{len(differ)} numbers differ"], bool(differ)


def compare(report, table, view, agree, differ, unseen):
    """Hold a table of a view to its predictions."""
    name = f"{table}/{view.slug}.csv" if table != "claims" else "claims.csv"
    file = report / "tables" / name
    if file.with_suffix(".parquet").is_file():
        file = file.with_suffix(".parquet")
    try:
        rows = [row for row in rows_of(file, f"tables/{name}") if row["dataset"] in view.names]
        rows = [row for row in rows if row.get("by_cost", view.weighted) == view.weighted]
        if table == "measures":
            first = [row for row in rows if row["headline"] == "true"]
            view.headline = {row["model"]: row["estimate"] for row in first}
        for row, numbers in view.expected(table, rows):
            unseen[f"rows of {table}"] += not numbers
            for column, value in numbers or ():
                values = value if isinstance(value, tuple) else (value,)
                cell, shown = row[column], number(row, column, "nan")
                agree[f"{table}: {column}"] += (same := any(close(shown, each) for each in values))
                if not same:
                    why = f"{column} is {cell}, not {float(values[0])!r}"
                    differ.append(f"tables/{name}, row {row['row']}: {why}")
    except UnreadableError as error:
        differ.append(str(error))
    except (LookupError, ValueError, TypeError) as error:
        differ.append(f"tables/{name}: can't be of these predictions ({error!r})")


def rows_of(file, name):
    """Read a table, its cells as text; each row has its number below the heads, and the file."""
    if not file.is_file() or not file.name.endswith(READABLE):
        return []
    try:
        if file.suffix == ".parquet":
            cells = parquet.read_table(file).to_pylist()
            rows = [{key: text(cell) for key, cell in row.items()} for row in cells]
        else:
            unpacked = gzip.open if file.suffix == ".gz" else open
            with unpacked(file, "rt", encoding="utf-8-sig", newline="") as opened:
                rows = [*csv.DictReader(opened, restval="")]
    except Exception as error:
        raise UnreadableError(f"{name}: can't be read ({error!r})") from error
    return [{**row, "row": place, "file": name} for place, row in enumerate(rows, 1)]


def text(cell):
    """Return a cell as CSV has it."""
    return "" if cell is None else WORDS.get(str(cell), str(cell))


def number(row, column, empty=""):
    """Read a cell as a number."""
    try:
        return float(row.get(column) or empty)
    except ValueError:
        cell = repr(row[column]) if column in row else "not there"
    where = f"{row['file']}, row {row['row']}"
    raise UnreadableError(f"{where}: {column} is {cell}, expected a number")


def close(shown, value):
    """Say whether a cell has this number, but for rounding."""
    return isclose(shown, value, rel_tol=CLOSE, abs_tol=CLOSE) or (isnan(shown) and isnan(value))


if __name__ == "__main__":
    main()
