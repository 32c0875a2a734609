"""Braces in what a user writes are text: the engine, which fills in its own, finds none of them."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pytest
import yaml

from costcurves.command import main
from docs.site.reference import schema
from tests.small_study import folds_of, scored

TEXTS: Final = ("{x}", "{", "}", "{wildcards.batch}")
# What is no text of a user's own: names of ours, and what must be a number or a name for files.
OURS: Final = {
    *("study", "selection.capacity", "claims.criterion", "datasets.format"),
    "datasets.expected",  # names of findings
}
OLD, NEW = "old {x} {", "new } {wildcards.batch}"
RED, TEA, ILL, WELL = "red {x} {", "tea } {wildcards.batch}", "ill {x", "{wildcards.batch} well"
PAID, WIDE, AMOUNT = "{paid} {wildcards.batch}", "} of classes {x}", "{amount} {wildcards.batch}"
CLASSES: Final = {RED: "{red}", TEA: "} tea {x}", "{": "{wildcards.batch}"}
ROLES: Final = {"instance": "{i", "label": "{truth} }", "model": "{wildcards.model}"}
STUDY: Final[dict[str, Any]] = {
    "study": "braces",
    "title": "Title {x} { } {wildcards.batch}",
    "operating_conditions": [
        {"name": "early {x} {", "pc": 0.3},
        {"name": "} late", "prior": 0.5, "cost_fn": 4, "cost_fp": 1, "unit": "{EUR} } {x"},
    ],
    "inference": {"confidence": 0.8, "resamples": 60},
    "reference": OLD,
    "claims": [
        {
            "claim": f"Claim {text}",
            "kind": "cheaper",
            "models": [NEW, OLD],
            "datasets": [PAID],
            "at": "early {x} {",
        }
        for text in TEXTS
    ],
    "description": "Said {x}: { and } of {wildcards.batch} and {{7}} {0}.",
    "datasets": [
        {
            "name": PAID,
            "title": "Paid {x} { }",
            "predictions": ["{x} {wildcards.batch}.csv"],
            "positive": ILL,
            "models": [NEW, OLD],
            "missing": ["{", "}", "{x}"],
            "columns": ROLES,
            "where": ["{part} == {kept} }"],
            "about": {"case": "{0} of {wildcards.batch} }", "positive": "} ill"},
            "delimiter": "}",
            "costs": {
                "unit": "EUR {x} {",
                "column": AMOUNT,
                "benefit": {"tn": 0, "fp": -3, "fn": {"constant": -1, "coefficient": -1}, "tp": 0},
            },
        },
        {"name": WIDE, "predictions": ["{.csv"], "classes": CLASSES},
    ],
}


def write(folder: Path) -> None:
    rows = folds_of(40, 1, 2, seed=11)
    both = pd.concat([scored(rows, OLD, 1.0, 12), scored(rows, NEW, 2.5, 13)])
    both["label"] = both["label"].map({1: ILL, 0: WELL})
    paid = both.rename(columns=ROLES)
    paid["{part}"] = "{kept} }"
    paid[AMOUNT] = both["instance"].astype(int) % 7 + 1
    paid.to_csv(folder / "{x} {wildcards.batch}.csv", index=False, sep="}")
    labels = rows["instance"].astype(int) % len(CLASSES)
    wide = []
    for model, skill in ((OLD, 0.4), (NEW, 2.0)):
        of_model = rows.assign(model=model, label=labels.map(dict(enumerate(CLASSES))))
        for number, column in enumerate(CLASSES.values()):
            of_class = rows.assign(label=labels.eq(number).astype(int))
            of_model[column] = scored(of_class, model, skill, 20 + number)["score"] / 3
        wide.append(of_model)
    pd.concat(wide).to_csv(folder / "{.csv", index=False)
    (folder / "study.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False), encoding="utf-8")


def free(part: Mapping[str, Any], name: str = "") -> Iterator[str]:
    """The keys of a schema that take any text."""
    if "$ref" in part:
        part = schema()["$defs"][part["$ref"].rpartition("/")[2]]
    for choice in part.get("anyOf", []):
        yield from free(choice, name)
    if "string" in part.get("type", []) and not {"enum", "const"} & {*part}:
        yield name
    for key, value in part.get("properties", {}).items():
        yield from free(value, f"{name}.{key}".lstrip("."))
    for inner in ("items", "additionalProperties"):
        if isinstance(part.get(inner), dict):
            yield from free(part[inner], name)


def filled(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a configuration, each by the key that has it."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            inside = name if {"{", "}"} & {*key} or name == "datasets.columns" else f"{name}.{key}"
            yield from filled(part, inside.lstrip("."))
    elif isinstance(value, list):
        for part in value:
            yield from filled(part, name)
    elif isinstance(value, str):
        yield name, value


BRACED: Final = [(key, text) for key, text in filled(STUDY) if {"{", "}"} & {*text}]


def test_every_key_that_takes_a_text_is_filled_with_braces() -> None:
    assert {*free(schema())} - OURS == {key for key, _ in BRACED}
    assert all(any(text in value for _, value in BRACED) for text in TEXTS)


def test_a_study_full_of_braces_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main.main(["report", "study.yaml", "--html", "--cores", "2"]) == 0, capsys.readouterr()
    markup = Path("reports", "braces", "report.html").read_text("utf-8")
    page = unescape(re.sub("<[^>]+>|[\u2066-\u2069]", "", markup))
    assert [text for _, text in BRACED if text not in page] == []
