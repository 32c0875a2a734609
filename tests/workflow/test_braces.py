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
from tests.reference import schema
from tests.small_study import folds_of, scored

TEXTS: Final = ("{x}", "{", "}", "{wildcards.batch}")
# What is no text of a user's own: names of ours, and what must be a number or a name for files.
OURS: Final = {
    *("study", "selection.capacity", "claims.criterion", "datasets.format"),
    "datasets.expected",  # names of findings
}
OLD, NEW = "old {x} {", "new } {wildcards.batch}"
RED, TEA, ILL, WELL = "red {x} {", "tea } {wildcards.batch}", "ill {x", "{wildcards.batch} well"
PLAIN, WIDE, PAID = "plain {wildcards.batch}", "} of classes {x}", "{paid} {"
CLASSES: Final = {RED: "{red}", TEA: "} tea {x}", "{": "{wildcards.batch}"}
ROLES: Final = {"instance": "{i", "label": "{truth} }", "model": "{wildcards.model}"}
SAID: Final = "Said {x}: { and } of {wildcards.batch} and {{7}} {0}."
STUDY: Final[dict[str, Any]] = {
    "study": "braces",
    "title": "Title {x} { } {wildcards.batch}",
    "operating_conditions": [
        {"name": "early {x} {", "pc": 0.3},
        {"name": "} late", "prior": 0.5, "cost_fn": 4, "cost_fp": 1, "unit": "{EUR} } {x"},
    ],
    "inference": {"confidence": 0.8, "resamples": 100},
    "reference": OLD,
    "claims": [
        {
            "claim": f"Claim {text}",
            "kind": "cheaper",
            "models": [NEW, OLD],
            "datasets": [PLAIN],
            "at": "early {x} {",
        }
        for text in TEXTS
    ],
    "description": SAID,
    "datasets": [
        {
            "name": PLAIN,
            "title": "Plain {x} { }",
            "predictions": ["{x} {wildcards.batch}.csv"],
            "positive": ILL,
            "models": [NEW, OLD],
            "missing": ["{", "}", "{x}"],
            "columns": ROLES,
            "where": ["{part} == {kept} }"],
            "about": {"case": "{0} of {wildcards.batch} }", "positive": "} ill"},
        },
        {
            "name": PAID,
            "predictions": ["{.csv"],
            "positive": ILL,
            "delimiter": "}",
            "costs": {
                "unit": "EUR {x} {",
                "column": "{amount} {wildcards.batch}",
                "benefit": {"tn": 0, "fp": -3, "fn": {"constant": -1, "coefficient": -1}, "tp": 0},
            },
        },
        {"name": WIDE, "predictions": ["{wildcards.batch}.csv"], "classes": CLASSES},
    ],
}


def write(folder: Path) -> None:
    rows = folds_of(40, 1, 2, seed=11)
    both = pd.concat([scored(rows, OLD, 1.0, 12), scored(rows, NEW, 2.5, 13)])
    both["label"] = both["label"].map({1: ILL, 0: WELL})
    both["fold"] = both["fold"].astype(str)
    plain = both.rename(columns=ROLES)
    plain["{site} {wildcards.batch}"] = [f"{{{int(one) % 3}" for one in both["instance"]]
    plain["{part}"] = "{kept} }"
    plain.to_csv(folder / "{x} {wildcards.batch}.csv", index=False)
    amounts = both["instance"].astype(int) % 7 + 1
    paid = both.assign(**{"{amount} {wildcards.batch}": amounts})
    paid.to_csv(folder / "{.csv", index=False, sep="}")
    each = list(CLASSES)
    labels = [each[int(one) % 3] for one in rows["instance"]]
    wide = []
    for model, skill in ((OLD, 0.4), (NEW, 2.0)):
        own = rows.assign(model=model, label=labels)
        for at, (one, column) in enumerate(CLASSES.items()):
            of_one = rows.assign(label=[int(label == one) for label in labels])
            own[column] = scored(of_one, model, skill, 20 + at)["score"].to_numpy() / 3
        wide.append(own)
    pd.concat(wide).to_csv(folder / "{wildcards.batch}.csv", index=False)
    (folder / "study.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False), encoding="utf-8")


def free(part: Mapping[str, Any], name: str = "") -> Iterator[str]:
    """The keys of a schema that take any text."""
    if "$ref" in part:
        part = schema()["$defs"][part["$ref"].rpartition("/")[2]]
    for choice in part.get("anyOf", []):
        yield from free(choice, name)
    kinds = part.get("type", [])
    if "string" in kinds and not {"enum", "const"} & {*part}:
        yield name
    for key, one in part.get("properties", {}).items():
        yield from free(one, f"{name}.{key}".lstrip("."))
    for inner in ("items", "additionalProperties"):
        if isinstance(part.get(inner), dict):
            yield from free(part[inner], name)


def filled(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a configuration, each by the key that has it."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            inside = name if {"{", "}"} & {*key} or name == "datasets.columns" else f"{name}.{key}"
            yield from filled(one, inside.lstrip("."))
    elif isinstance(value, list):
        for one in value:
            yield from filled(one, name)
    elif isinstance(value, str):
        yield name, value


def test_every_key_that_takes_a_text_is_filled_with_braces() -> None:
    braced = {key for key, text in filled(STUDY) if {"{", "}"} & {*text}}
    assert {*free(schema())} - OURS == braced
    assert all(any(text in said for _, said in filled(STUDY)) for text in TEXTS)


def test_a_study_full_of_braces_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main.main(["check", "study.yaml"]) == 0, capsys.readouterr()
    assert main.main(["report", "study.yaml", "--html", "--cores", "2"]) == 0, capsys.readouterr()
    markup = Path("reports", "braces", "report.html").read_text("utf-8")
    page = unescape(re.sub("<[^>]+>|[\u2066-\u2069]", "", markup))
    assert [
        text for _, text in filled(STUDY) if not {*"{}"}.isdisjoint(text) and text not in page
    ] == []
