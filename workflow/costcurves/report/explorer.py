"""What the interactive figure of a dataset draws, as one compact JSON text.

Curves are lists of vertices, in steps from one to the next of `GRAIN`; of the vertices stay those
without which a curve would be off by more than `TOLERANCE`, upwards or sideways.
"""

from typing import Any, Final

import numpy as np
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from costcurves.figures.polylines import UNSEEN, cost_vertices, filtered, thinned
from costcurves.figures.style import colour, dash
from costcurves.report.material import Material

GRAIN: Final = 1e-5  # of PC(+) and of costs
TOLERANCE: Final = 5e-5  # of costs; three decimals are shown

Plain = dict[str, Any]


def explorer(material: Material) -> str:
    """Write what the interactive figure of a dataset draws, as a JSON object."""
    conditions, models = material.conditions, []
    for name in material.facts.models:
        place = material.roster.index(name)
        model = {"name": name, "colour": colour(place), "dash": dash(place)[1]}
        lines = {"points": _points(material, name), "curve": _curve(material, name)}
        models.append(model | lines)
    return compact(
        {
            "prior": material.facts.prior,
            "pc": conditions[material.start] if conditions else 0.5,
            "grain": GRAIN,
            "models": models,
        }
    )


def compact(content: Any) -> Markup:
    r"""Write JSON in ASCII that no text in it takes out of a script element: without <, > and &.

    >>> print(compact({"name": "</script>\u2028"}))
    {"name":"\u003c/script\u003e\u2028"}
    """
    return htmlsafe_json_dumps(content, separators=(",", ":"), allow_nan=False)


def _points(material: Material, model: str) -> Plain:
    """List the operating points on a model's pooled hull, from (0, 0) on, as counts."""
    pooled = filtered(material.tables["operating_points"], model=model, level="pooled")
    pooled = pooled.set_index("point")
    pieces = filtered(material.tables["envelopes"], model=model, level="pooled")
    pieces = pieces[pieces["point"] >= 0]
    rows = pooled.loc[pieces["point"]]
    return {
        "negatives": int(pooled["negatives"].iloc[0]),
        "positives": int(pooled["positives"].iloc[0]),
        "fp": rows["fp_count"].tolist(),
        "tp": rows["tp_count"].tolist(),
        "holder": pieces["holder"].tolist(),
    }


def _curve(material: Material, model: str) -> dict[str, list[int]]:
    """Write the curve by which a model is judged as steps from vertex to vertex, in grains."""
    vertices = cost_vertices(filtered(material.tables["headline"], model=model), ["model"])
    scale = np.sqrt(2) * UNSEEN / TOLERANCE  # no curve is steeper than 1
    kept = thinned(vertices, ["model"], (scale, scale))
    grains = np.rint(kept[["pc", "nec"]].to_numpy() / GRAIN).astype(np.int64)
    steps = np.diff(grains, axis=0, prepend=0).T.tolist()
    return dict(zip(("pc", "nec"), steps, strict=True))
