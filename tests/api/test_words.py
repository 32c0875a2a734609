"""Python, the command and a configuration call one thing by one name."""

from argparse import SUPPRESS
from inspect import signature
from typing import Any

import costcurves as cc
from costcurves.api.conditions import Condition
from costcurves.api.study import Options
from costcurves.command.gate import OPTIONS as GATE
from costcurves.command.init import OPTIONS as INIT
from costcurves.predictions.columns import ROLES
from costcurves.settings import ReadingKeys, keys_of
from docs.site.reference import GROUPS

KEYS = {key for group in GROUPS.values() for key in keys_of(group)} | {*ROLES}
OTHERWISE = {  # scikit-learn's words, and arrays of many: what files and configurations call them
    "pos_label": "positive",
    "random_state": "seed",
    "n_resamples": "resamples",
    "sample_weight": "weight",
    "groups": "cluster",
    "folds": "fold",
    "repeats": "repeat",
    "name": "study",
}
READ = {*signature(cc.read_predictions).parameters} - {"files", "keys"} | {"unpaired"}
ALONE = {"files", "output", "json", "allow_undecided", "old", "new", "over"}  # no study has these


def test_words_of_python_and_options_are_keys() -> None:
    words = {*Options.__annotations__, *Condition.__annotations__, *keys_of(ReadingKeys)}
    assert {OTHERWISE.get(word, word) for word in words} - KEYS == {"settings"}
    given: dict[str, Any] = {**INIT, **GATE}
    options = [name for name, option in given.items() if option["help"] != SUPPRESS]
    options = [name.removeprefix("--").replace("-", "_") for name in options]
    assert {*options} - KEYS == ALONE | READ
