"""What files leave open and a configuration settles: labels, abstentions, whose score it is."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.errors import refuse
from costcurves.tables.findings import Found
from costcurves.tables.input.checking import abstentions
from costcurves.tables.input.rows import UNKNOWN, Rows


def labelled(rows: Rows) -> Rows:
    """Drop cases without a label, if that is said."""
    lacks = (rows.frame["label"] == "").to_numpy()
    if rows.dataset.missing_labels != "drop" or not lacks.any() or lacks.all():
        return rows
    found = Found("missing-labels", f"{rows.cases(lacks)} have no label")
    return replace(rows.keeping(np.flatnonzero(~lacks)), seen=(*rows.seen, found))


def answered(rows: Rows) -> Rows:
    """Let cases on which a model abstains count as predicted of one class, if that is said."""
    wanted, lacks = rows.dataset.abstain, abstentions(rows)
    if wanted == "refuse" or not lacks.any():
        return rows
    positive, codes, seen = wanted == "positive", rows.codes("model"), [*rows.seen]
    score, decision = (rows.frame[it].to_numpy(copy=True) for it in ("score", "decision"))
    classes = [text for text, one in rows.classes.items() if one == positive]
    for code in np.unique(codes[lacks]):
        own = codes == code
        taken = f"{rows.cases(lacks & own, own)}, taken as {wanted}"
        seen.append(Found("abstained", taken, rows.values("model")[code]))
        if not np.isnan(score[own]).all():
            score[own & np.isnan(score)] = _beyond(score[own], above=positive)
        if (decision[own] != "").any():
            decision[own & (decision == "")] = classes[0]
    frame = rows.frame.assign(score=score, decision=pd.Categorical(decision, pd.unique(decision)))
    return replace(rows, frame=frame, seen=tuple(seen))


def of_positive(rows: Rows) -> Rows:
    """Make scores of the predicted class scores of the positive one, if that is said."""
    if rows.dataset.higher_is != "predicted":
        return rows
    score, decisions = rows.frame["score"].to_numpy(), rows.decisions
    undecided = np.flatnonzero(~np.isnan(score) & (decisions == UNKNOWN))
    why = "has a score and no decision: 'higher_is: predicted' needs the decision of each score"
    mend = "name its column ('columns: {decision: NAME}' or --column decision=NAME)"
    refuse(rows.at(undecided, lambda row: f"model {rows.text('model', row)} {why}; {mend}"))
    codes = rows.codes("model")
    highest = np.zeros(len(rows.values("model")))
    np.fmax.at(highest, codes, np.abs(score))
    other = np.where(highest[codes] <= 1, 1 - score, -score)
    return replace(rows, frame=rows.frame.assign(score=np.where(decisions == 1, score, other)))


def _beyond(scores: NDArray[np.float64], *, above: bool) -> float:
    """Give a score beyond all others; of probabilities 0 or 1, so that they stay such."""
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    if low >= 0 and high <= 1:
        return float(above)
    if above:
        return max(high + 1, float(np.nextafter(high, np.inf)))
    return min(low - 1, float(np.nextafter(low, -np.inf)))
