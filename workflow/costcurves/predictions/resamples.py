"""Folds and repeats, where a file has one column for both, as R's tools do."""

import re
from typing import Final

import pandas as pd

_BOTH: Final = re.compile(r"(Fold\d+)\.(Rep\d+)")
Folds = tuple[pd.Categorical, pd.Categorical, list[str]]


def folds_of(resamples: pd.Categorical, instances: pd.Categorical) -> Folds:
    """Return repeat and fold of each row by its resample, and how they were understood.

    Where a case recurs in a model's resamples, these are the folds of several repeats if such make
    up all cases one after the other; else each is a repeat of its own, as of a bootstrap.
    """
    names = [str(name) for name in resamples.categories]
    both = {name: match for name in names if (match := _BOTH.fullmatch(name))}
    if len(both) == len(names):
        repeats = [match[2] for match in both.values()]
        folds = [match[1] for match in both.values()]
        return _mapped(resamples, repeats), _mapped(resamples, folds), []
    frame = pd.DataFrame({"resample": resamples.codes, "case": instances.codes}).drop_duplicates()
    cases_of = frame.groupby("resample")["case"]
    members = {name: {*cases_of.get_group(code)} for code, name in enumerate(names)}
    if sum(len(cases) for cases in members.values()) == frame["case"].nunique():
        return _mapped(resamples, ["1"] * len(names)), resamples, []
    repeat_of = _blocks(members, {*frame["case"]})
    if repeat_of is None:
        note = f"its {len(names):,} resamples overlap, so each is read as a repeat"
        return resamples, _mapped(resamples, ["1"] * len(names)), [note]
    note = (
        f"its {len(names):,} resamples are read as the folds of {max(repeat_of.values())} repeats"
    )
    return _mapped(resamples, [str(repeat_of[name]) for name in names]), resamples, [note]


def _mapped(values: pd.Categorical, names: list[str]) -> pd.Categorical:
    codes, distinct = pd.factorize(pd.Index(names))
    return pd.Categorical.from_codes(codes[values.codes], pd.Index(distinct, dtype="str"))


def _blocks(members: dict[str, set[int]], every: set[int]) -> dict[str, int] | None:
    """Return the repeat of each resample, if these, by number or as they come, are its folds."""
    repeat, seen, repeats = 1, set[int](), dict[str, int]()
    order = sorted(members, key=int) if all(map(str.isdecimal, members)) else [*members]
    for resample in order:
        if seen == every:
            repeat, seen = repeat + 1, set()
        if seen & members[resample]:
            return None
        seen |= members[resample]
        repeats[resample] = repeat
    return repeats if seen == every else None
