"""What the page's interactive figures know of a dataset, as one compact JSON text.

Curves are lists of vertices, in steps from one to the next of `GRAIN`; of the vertices stay those
without which a curve would be off by more than `TOLERANCE`, upwards or sideways. At the marked
operating conditions curves are exact to the grain.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.figures.polylines import UNSEEN, cost_vertices, height_at, thinned
from costcurves.figures.style import colour, dash
from costcurves.maths.geometry.curves import Curve
from costcurves.report.material import Material
from costcurves.report.outcomes import A_CHEAPER, B_CHEAPER, EQUIVALENT
from costcurves.report.thresholds import chooses, used
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.inference.comparisons import ALL_PAIRS
from costcurves.tables.inference.verdicts import CHEAPEST, OUT
from costcurves.tables.keys import ALWAYS

GRAIN: Final = 1e-5  # of PC(+) and of costs
TOLERANCE: Final = {"headline": 2e-4, "band": 5e-4}  # of costs; three decimals are shown
SEEN: Final = 5e-4  # of rates: half a case of 1000
FOUND: Final = {A_CHEAPER: "A", B_CHEAPER: "B", EQUIVALENT: "="}
ESCAPED: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}

Plain = dict[str, Any]


def explorer(material: Material) -> str:
    """Write what the interactive figures of a dataset show, as a JSON object."""
    facts, inference = material.facts, material.tables["verdicts"]
    content = {
        "slug": facts.slug,
        "title": facts.title,
        "prior": facts.prior,
        "decades": facts.decades,
        "pc": _start(material),
        "grain": GRAIN,
        "confidence": material.confidence,
        "familywise": None if inference.empty else float(inference["familywise"].iloc[0]),
        "models": [_model(material, name) for name in facts.models],
        "verdicts": list(_verdicts(material)),
        "standings": list(_standings(material)),
        "named": list(_named(material)),
        "price": _price(material),
        "amounts": material.weighted is not None or any(it.unit for it in material.marked.values()),
        "rates": _rates(material),
        "uses": [_uses(material, name) for name in facts.models] if chooses(material) else None,
    }
    return compact(content)


def compact(content: Any) -> str:
    r"""Write JSON in ASCII that no text in it takes out of a script element: without <, > and &.

    >>> print(compact({"name": "</script>\u2028"}))
    {"name":"\u003c/script\u003e\u2028"}
    """
    return json.dumps(content, separators=(",", ":"), allow_nan=False).translate(ESCAPED)


def _start(material: Material) -> float:
    """Where a reader begins: at the dataset's own costs, or else where its answers do."""
    if material.weighted is not None:
        return float(material.weighted.tables["instance_costs"]["pc"].iloc[0])
    return material.conditions[material.start]


def _conditions(material: Material) -> list[float]:
    """List the marked PC(+), as the figure of the same section does."""
    return [*map(float, material.tables["duality"]["pc"].unique())] or [
        *material.conditions.values()
    ]


def _model(material: Material, name: str) -> Plain:
    place = material.model(name).index
    tables = {stage: _own(material, stage, name) for stage in ("headline", "bands")}
    bands = tables["bands"][tables["bands"]["extent"] == "pointwise"]
    marked = _conditions(material)
    return {
        "name": name,
        "index": place,
        "colour": colour(place),
        "dash": dash(place)[1] or [],
        "estimate": str(tables["headline"]["estimate"].iloc[0]),
        "points": _points(material, name),
        "curve": _curve(tables["headline"], marked, TOLERANCE["headline"]),
        **{
            edge: _curve(bands[bands["edge"] == edge], marked, TOLERANCE["band"])
            for edge in ("lower", "upper")
        },
    }


def _own(material: Material, stage: str, model: str) -> pd.DataFrame:
    table = material.tables[stage]
    return table[table["model"] == model]


def _points(material: Material, model: str) -> Plain:
    """List the operating points on a model's pooled hull, from (0, 0) on, as counts."""
    pooled = _own(material, "operating_points", model)
    pooled = pooled[pooled["level"] == "pooled"].set_index("point")
    pieces = _own(material, "envelopes", model)
    pieces = pieces[(pieces["level"] == "pooled") & (pieces["point"] >= 0)]
    rows = pooled.loc[pieces["point"]]
    return {
        "negatives": int(pooled["negatives"].iloc[0]),
        "positives": int(pooled["positives"].iloc[0]),
        "fp": rows["fp_count"].tolist(),
        "tp": rows["tp_count"].tolist(),
        "holder": pieces["holder"].tolist(),
    }


def _curve(pieces: pd.DataFrame, marked: list[float], tolerance: float) -> dict[str, list[int]]:
    """Write a curve as steps from vertex to vertex, in grains; the first is from 0."""
    scale = np.sqrt(2) * UNSEEN / tolerance  # no curve is steeper than 1
    parts = _divided(cost_vertices(pieces, []), marked)
    kept = thinned(parts, ["part"], (scale, scale))
    grains = np.rint(kept[["pc", "nec"]].to_numpy() / GRAIN).astype(np.int64)
    steps = np.diff(grains, axis=0, prepend=0)
    moved = steps[(steps != 0).any(axis=1) | (np.arange(len(steps)) == 0)]
    return {"pc": moved[:, 0].tolist(), "nec": moved[:, 1].tolist()}


def _divided(vertices: pd.DataFrame, marked: list[float]) -> pd.DataFrame:
    """Divide a curve at marked PC(+) into parts, each with a vertex at either end."""
    places = np.unique([pc for pc in marked if 0 < pc < 1])
    inner = vertices[["pc", "nec"]].to_numpy()[~vertices["pc"].isin(places)].T
    before, after = height_at(vertices, places, "left"), height_at(vertices, places, "right")
    number = np.arange(len(places))
    part = np.concatenate([number + 1, np.searchsorted(places, inner[0]), number])
    pc, nec = np.hstack([[places, after], inner, [places, before]])
    order = np.lexsort((pc, part))
    return pd.DataFrame({"part": part[order], "pc": pc[order], "nec": nec[order]})


def _verdicts(material: Material) -> Iterator[list[Any]]:
    """List what was found about pairs of models, by their places; nothing where undecided."""
    place = {name: number for number, name in enumerate(material.facts.models)}
    for row in material.rows("verdicts"):
        if row["family"] == ALL_PAIRS and row["finding"] in FOUND:
            ends = (round(row[end], 5) for end in ("pc_from", "pc_to"))
            yield [place[row["model_a"]], place[row["model_b"]], *ends, FOUND[row["finding"]]]


def _standings(material: Material) -> Iterator[list[Any]]:
    """List where a decision is in the running, and whether it is the cheapest by estimate there.

    A decision is the place of a model; behind the last model come always negative and positive.
    """
    place = {name: number for number, name in enumerate([*material.facts.models, *ALWAYS])}
    for row in material.rows("in_the_running"):
        if row["standing"] != OUT:
            ends = (round(row[end], 9) for end in ("pc_from", "pc_to"))
            yield [place[row["decision"]], *ends, int(row["standing"] == CHEAPEST)]


def _named(material: Material) -> Iterator[list[Any]]:
    """List the models that are out at each named condition, by its own test, behind its PC(+)."""
    for name, dearer in material.dearer.items():
        places = [place for place, one in enumerate(material.facts.models) if one in dearer]
        yield [material.conditions[name], places]


def _price(material: Material) -> tuple[float, str] | None:
    """Give what a false alarm costs and its unit; None: the conditions name none, or several.

    None, too, where a condition has a share of positives of its own, which a ratio does not say.
    """
    priced = [one for one in material.marked.values() if one.unit]
    prices = {(one.cost_fp, one.unit) for one in priced}
    known = len(prices) == 1 and all(one.prior is None for one in priced)
    return prices.pop() if known else None


def _rates(material: Material) -> dict[str, list[int]]:
    """List the rates of the cheapest model, up to one PC(+) after the other, in steps.

    Neighbours that no count of 1000 cases tells apart are one, but for those at conditions. Ends
    are rounded down, so that a condition at an end has the rates behind it.
    """
    curves, marked = headline_of(material.tables["headline"]), sorted(material.conditions.values())
    pieces = [
        (min(end, row["pc_to"]), *(bisect_left(marked, at) for at in (low, end)), fp, fn)
        for row in material.rows("in_the_running")
        if row["standing"] == CHEAPEST and (curve := curves.get(row["decision"]))
        for low, end, fp, fn in _between(curve, row["pc_from"], row["pc_to"])
    ]
    seen = groupby(sorted(pieces), lambda it: (it[1:3], it[3] // SEEN, it[4] // SEEN))
    rows = np.array([[*own][-1] for _, own in seen]).reshape(-1, 5)[:, [0, 3, 4]] / GRAIN
    grains = np.hstack([np.floor(rows[:, :1]), np.rint(rows[:, 1:])]).astype(np.int64)
    steps = np.diff(grains, axis=0, prepend=0).T.tolist()
    return dict(zip(("pc", "fp", "fn"), steps, strict=True))


def _between(curve: Curve, low: float, high: float) -> Iterator[tuple[float, float, float, float]]:
    """List the pieces of a curve between two PC(+): ends, and rates."""
    first, last = curve.pc.searchsorted(low, "right") - 1, curve.pc.searchsorted(high, "left")
    ends = curve.pc[first:last], curve.pc[first + 1 : last + 1]
    return zip(*ends, curve.at0[first:last], curve.at1[first:last], strict=True)


def _uses(material: Material, model: str) -> Plain:
    """List what to use from one PC(+) to the next, in steps; alike neighbours are one."""
    rows = groupby((it for it in material.served if it["model"] == model), key=used)
    ranges = [(words, [*own][-1]["pc_to"]) for words, own in rows]
    ends = np.rint([end / GRAIN for _, end in ranges]).astype(np.int64)
    return {"pc": np.diff(ends, prepend=0).tolist(), "words": [words for words, _ in ranges]}
