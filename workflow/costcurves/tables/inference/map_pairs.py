"""The pairs of models that a map is drawn of, and the one that the large map shows."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.tables.configuration.names import nearest, quoted, some
from costcurves.tables.inference.pairs import BASELINE

COUNTS: Final = ("a_cheaper", "equivalent", "undecided", "b_cheaper")
LEAST: Final = 3  # datasets on which a pair was judged, for a map of it
PAIR: Final = ["family", "model_a", "model_b"]
CHOSEN, MOST_DECIDED = "chosen", "most decided"
NOWHERE: Final = "which no dataset has"

Pair = tuple[str, str, str]  # family of comparisons and the two models


def leading_pairs(counts: pd.DataFrame, least: int = LEAST) -> list[Pair]:
    """List the pairs judged on enough datasets for a map: with the baseline, or else all."""
    pairs = _judged_pairs(counts, least)
    against = [pair for pair in pairs if pair[0] == BASELINE]
    return against or pairs


def _judged_pairs(counts: pd.DataFrame, least: int = LEAST) -> list[Pair]:
    """List the pairs of both families that were judged on so many datasets."""
    judged = counts[list(COUNTS)].sum(axis=1)
    own = counts.loc[judged >= least, PAIR].drop_duplicates()
    return [(str(f), str(a), str(b)) for f, a, b in own.itertuples(index=False, name=None)]


def shown_pair(counts: pd.DataFrame) -> Pair | None:
    """Read which pair the large map shows; None: there is no map."""
    for family, a, b in counts.loc[counts["shown"] != "", PAIR].itertuples(index=False, name=None):
        return str(family), str(a), str(b)
    return None


def shown(rows: pd.DataFrame, models: Sequence[str], chosen: Sequence[str] | None) -> "pd.Series":
    """Say of each row of a map whether, and why, the large map shows its pair."""
    pair = _pair(rows, models, chosen)
    own = (rows[PAIR] == list(pair)).all(axis=1) if pair else pd.Series(False, rows.index)
    return pd.Series(np.where(own, CHOSEN if chosen else MOST_DECIDED, ""), rows.index)


def _pair(rows: pd.DataFrame, models: Sequence[str], chosen: Sequence[str] | None) -> Pair | None:
    """Find the pair of the large map; None: no pair was judged on enough datasets."""
    if chosen:
        return _chosen(rows, models, chosen)
    pairs = leading_pairs(rows)
    return _most_decided(rows, pairs) if pairs else None


def _chosen(rows: pd.DataFrame, models: Sequence[str], chosen: Sequence[str]) -> Pair:
    """Find the chosen models' pair, if there is one among the comparisons with the baseline."""
    if unknown := [model for model in chosen if model not in models]:
        raise InputError(
            [f"map.models: is {quoted(it)}, {NOWHERE}; {nearest(it, models)}" for it in unknown]
        )
    pairs = [pair for pair in _judged_pairs(rows) if set(pair[1:]) == set(chosen)]
    if not pairs:
        found = f"{some(list(chosen))} have verdicts together on fewer than {LEAST} datasets"
        raise InputError([f"map.models: {found}, expected {LEAST}: name others, or leave it out"])
    return pairs[-1]


def _most_decided(counts: pd.DataFrame, pairs: Sequence[Pair]) -> Pair:
    """Choose the pair about which most is decided: on most datasets, on most of PC(+)."""
    width = (counts["pc_to"] - counts["pc_from"]) * (counts["a_cheaper"] + counts["b_cheaper"])
    decided = width.groupby([counts[name] for name in PAIR]).sum().round(9).to_dict()
    return max(pairs, key=lambda pair: float(decided[pair]))
