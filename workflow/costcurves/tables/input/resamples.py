"""Folds and repeats, where a file has one column for both, as R's tools do."""

import re
from collections.abc import Sequence
from typing import Final

_BOTH: Final = re.compile(r"(Fold\d+)\.(Rep\d+)")


def folds_of(
    resamples: Sequence[str], instances: Sequence[str], models: Sequence[str]
) -> tuple[list[str], list[str], list[str]]:
    """Tell repeat and fold of each row from its resample, and say how.

    Where an instance recurs in a model's resamples, these are the folds of several repeats if such
    make up all instances one after the other; else each is a repeat of its own, as of a bootstrap.
    """
    both = {one: _BOTH.fullmatch(one) for one in dict.fromkeys(resamples)}
    if all(both.values()):
        found = {one: (match[2], match[1]) for one, match in both.items() if match}
        return [found[one][0] for one in resamples], [found[one][1] for one in resamples], []
    members: dict[str, set[str]] = {one: set() for one in both}
    pairs = set(zip(models, resamples, instances, strict=True))
    for _, resample, instance in pairs:
        members[resample].add(instance)
    if sum(map(len, members.values())) == len(set(instances)):
        return ["1"] * len(resamples), [*resamples], []
    repeats = _blocks(members, set(instances))
    if repeats is None:
        how = f"its {len(members):,} resamples overlap, so each is read as a repeat"
        return [*resamples], ["1"] * len(resamples), [how]
    how = f"its {len(members):,} resamples are read as the folds of {max(repeats.values())} repeats"
    return [str(repeats[one]) for one in resamples], [*resamples], [how]


def _blocks(members: dict[str, set[str]], every: set[str]) -> dict[str, int] | None:
    """Give the repeat of each resample, if these, by number or as they come, are its folds."""
    repeat, seen, repeats = 1, set[str](), {}
    order = sorted(members, key=int) if all(map(str.isdecimal, members)) else [*members]
    for resample in order:
        own = members[resample]
        if seen == every:
            repeat, seen = repeat + 1, set()
        if seen & own:
            return None
        seen |= own
        repeats[resample] = repeat
    return repeats if seen == every else None
