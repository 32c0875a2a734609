"""The map: what is decided on how many datasets, along PC(+), and whether that is more than chance.

Costs are never averaged over datasets: verdicts are counted, and the observed costs vote.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.chance.resampling import generator
from costcurves.many.sign_test import SignTest, sign_test
from costcurves.pairs.comparisons import REFERENCE, adjusted, families_of, holm
from costcurves.settings import Inference
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import IN_SAMPLE, OF_PAIR, PAIR, STRETCH, in_order

MAP: Final = Contract(
    "map",
    *OF_PAIR,
    *STRETCH,
    Column("a_cheaper", "int64", "datasets", "on which A is cheaper, by their verdicts"),
    Column("equivalent", "int64", "datasets", "on which both are equivalent, by verdict"),
    Column("undecided", "int64", "datasets", "on which the data can't tell, or aren't asked"),
    Column("b_cheaper", "int64", "datasets", "on which B is cheaper, by their verdicts"),
    Column("a_lower", "int64", "votes", "datasets on which A costs less, as observed"),
    Column("equal", "int64", "votes", "datasets that have none: equal, or a constant costs less"),
    Column("b_lower", "int64", "votes", "datasets on which B costs less, as observed"),
    Column("finding", "str", "", "A cheaper or B cheaper on more datasets, or undecided"),
    Column("pointwise", "float64", "probability", "p-value of the sign test there by itself"),
    Column("p_value", "float64", "probability", "of so uneven a vote at any PC(+)"),
    Column("adjusted", "float64", "probability", "the pair's smallest, by Holm's steps"),
    Column("familywise", "float64", "probability", "level of all findings of the family"),
    Column("confidence", "float64", "probability", "level of the pair, by Holm's steps"),
    Column("changes", "int64", "sign changes", "that the p-value rests on"),
    Column("method", "str", "", "all sign changes, or random ones"),
    Column("shown", "str", "", "why the large map shows this pair; empty: it does not"),
)

COUNTS: Final = ("a_cheaper", "equivalent", "undecided", "b_cheaper")
VOTES: Final = ("a_lower", "equal", "b_lower")
LEAST: Final = 3  # datasets on which a pair was judged, for a map of it; classes of one are one
MOST_DECIDED = "most decided"
FINDINGS: Final = ("A cheaper", "equivalent", "undecided", "B cheaper")
SWAPPED: Final = {"A cheaper": "B cheaper", "B cheaper": "A cheaper"}

CODES: Final = dict(zip(FINDINGS, (-1, 2, 0, 1), strict=True))  # negative of a pair turned round

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Columns = dict[str, Any]
Pair = tuple[str, str, str]  # family of comparisons and the two models


class Along(NamedTuple):
    """What one dataset says of a pair along PC(+), from where to where in order."""

    dataset: str
    starts: Floats
    values: Integers  # `CODES` of findings, or signs of a difference

    def at(self, starts: Floats) -> Integers:
        """Read it in the finer intervals that begin at `starts`."""
        return self.values[np.searchsorted(self.starts, starts, side="right") - 1]


def study_map(
    measures: pd.DataFrame,
    verdicts: pd.DataFrame,
    crossovers: pd.DataFrame,
    *,
    voters: Mapping[str, str],
    inference: Inference,
    reference: str | None,
    seed: int,
) -> pd.DataFrame:
    """Count along PC(+) on how many datasets which of two models is cheaper.

    One dataset makes no map: it says what its verdicts do. Unpaired models have no verdicts. A
    dataset votes for the model observed to cost less on it (all its classes have one vote together,
    as `voters` says), unless a curve is in-sample: such curves favour one side. Nor has it a vote
    outside the operating ranges of both models: there a constant decision costs no more, and what
    differs is a mistake or two. Exchanging the two models leaves that range as it is, so the sign
    test stays exact: familywise over PC(+), and over a family's pairs by Holm.
    """
    models = in_order(measures["model"])
    named = crossovers[["model_a", "model_b"]].drop_duplicates()
    met = {frozenset(pair) for pair in named.itertuples(index=False, name=None)}
    honest = crossovers[crossovers["estimate"] != IN_SAMPLE]
    signs = _by_pair(honest, np.sign(honest["largest_difference"]))
    judges = measures[measures["headline"]].set_index(["dataset", "model"])
    ends = dict(zip(judges.index, judges[["range_from", "range_to"]].to_numpy(), strict=True))
    frames = []
    families = families_of(models, reference) if len(voters) > 1 else {}
    for family, pairs in families.items():
        of_family = verdicts[verdicts["family"] == family]
        judged = _by_pair(of_family, of_family["finding"].map(CODES))
        votes, tests = [], []
        for a, b in pairs:
            if {a, b} in met:
                ranges = [(ends[name, a], ends[name, b]) for name, *_ in signs[a, b]]
                of_datasets, columns = _votes(judged[a, b], signs[a, b], ranges, voters)
                rng = generator(seed, "map", a, b, "sign changes")
                tests.append(sign_test(of_datasets, inference.resamples, rng))
                votes.append({"family": family, "model_a": a, "model_b": b, **columns})
        smallest = [float(test.familywise.min()) for test in tests]
        steps = holm(smallest, inference.confidence), adjusted(smallest)
        for columns, test, level, p in zip(votes, tests, *steps, strict=True):
            frames.append(pd.DataFrame(columns | _tested(columns, test, level, p)))
    rows = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=MAP.names)
    rows = rows.assign(familywise=inference.confidence)
    return MAP.frame(**rows.assign(shown=_shown(rows)))


def of_pair(rows: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """Take the verdicts of a pair with A first, turned where they are the other way round."""
    straight = rows[(rows["model_a"] == a) & (rows["model_b"] == b)]
    turned = rows[(rows["model_a"] == b) & (rows["model_b"] == a)]
    turned = turned.assign(
        model_a=a,
        model_b=b,
        finding=turned["finding"].replace(SWAPPED),
        largest_difference=-turned["largest_difference"],
    )
    return pd.concat([straight, turned]).sort_index(kind="stable")


def _tested(votes: Columns, test: SignTest, level: float, p_value: float) -> Columns:
    """Return what the sign test says of the votes on a pair."""
    lead = np.sign(votes["b_lower"] - votes["a_lower"])
    finding = np.where(test.familywise <= 1 - level + 1e-9, lead, 0)
    return {
        "finding": np.array(["A cheaper", "undecided", "B cheaper"])[finding + 1],
        "pointwise": test.pointwise,
        "p_value": test.familywise,
        "adjusted": p_value,
        "confidence": level,
        "changes": test.changes,
        "method": "all sign changes" if test.exact else "random sign changes",
    }


def _by_pair(rows: pd.DataFrame, values: "pd.Series") -> dict[tuple[str, str], list[Along]]:
    """Return what each dataset says of each pair; of pairs the other way round last, turned."""
    starts, whole = rows["pc_from"].to_numpy(float), values.to_numpy(np.int64)
    groups: Any = rows.groupby(["model_a", "model_b", "dataset"], sort=False).indices
    by_pair: dict[tuple[str, str], list[Along]] = defaultdict(list)
    in_order_of_rows = sorted(groups.items(), key=lambda group: group[1][0])
    for way in (1, -1):
        for (a, b, dataset), places in in_order_of_rows:
            by_pair[(a, b)[::way]].append(Along(dataset, starts[places], way * whole[places]))
    return by_pair


def _votes(
    judged: Sequence[Along],
    signs: Sequence[Along],
    ranges: Sequence[tuple[Floats, Floats]],
    voters: Mapping[str, str],
) -> tuple[Integers, Columns]:
    """Return the sign of each dataset along PC(+), and verdicts and votes counted.

    There are no votes outside of both ranges; NaN: an empty range.
    """
    lows, highs = [np.fmin(*both)[0] for both in ranges], [np.fmax(*both)[1] for both in ranges]
    starts = np.unique(
        np.concatenate([[0.0, *lows, *highs], *(x.starts for x in [*judged, *signs])])
    )
    starts = starts[starts < 1]
    table = np.array([each.at(starts) for each in judged]).reshape(len(judged), len(starts))
    table[table == -2] = 2  # equivalent, whichever way round
    total: dict[str, Integers] = defaultdict(lambda: np.zeros(len(starts), np.int64))
    for sign, low, high in zip(signs, lows, highs, strict=True):
        total[voters[sign.dataset]] += sign.at(starts) * ((low <= starts) & (starts < high))
    votes = np.sign(np.array([*total.values()], np.int64).reshape(len(total), len(starts)))
    columns: Columns = {"pc_from": starts, "pc_to": np.append(starts[1:], 1.0)}
    for name, code in zip(COUNTS, CODES.values(), strict=True):
        columns[name] = (table == code).sum(axis=0)
    for name, vote in zip(VOTES, (-1, 0, 1), strict=True):
        columns[name] = (votes == vote).sum(axis=0)
    return votes, columns


def leading_pairs(counts: pd.DataFrame) -> list[Pair]:
    """List the pairs judged on enough datasets for a map: with the reference, or else all.

    Those datasets count that have a vote: all classes of one have one, in-sample curves none.
    """
    judged = counts[[*COUNTS]].sum(axis=1).clip(upper=counts[[*VOTES]].sum(axis=1))
    names = counts.loc[judged >= LEAST, PAIR].drop_duplicates()
    pairs: list[Pair] = [*names.itertuples(index=False, name=None)]
    against = [pair for pair in pairs if pair[0] == REFERENCE]
    return against or pairs


def shown_pair(counts: pd.DataFrame) -> Pair | None:
    """Read which pair the large map shows; None: there is no map."""
    shown = counts.loc[counts["shown"] != "", PAIR].itertuples(index=False, name=None)
    return next(shown, None)


def _shown(rows: pd.DataFrame) -> "pd.Series":
    """Return of each row of a map why the large map shows its pair; empty: it does not.

    It shows the pair about which most is decided: on most datasets, on most of PC(+).
    """
    pairs = leading_pairs(rows)
    if not pairs:  # none was judged on enough datasets
        return pd.Series("", rows.index)
    width = (rows["pc_to"] - rows["pc_from"]) * (rows["a_cheaper"] + rows["b_cheaper"])
    decided: Any = width.groupby([rows[name] for name in PAIR]).sum().round(9).to_dict()
    most = max(pairs, key=lambda pair: float(decided[pair]))
    shown = (rows[PAIR] == list(most)).all(axis=1)
    return pd.Series(np.where(shown, MOST_DECIDED, ""), rows.index)
