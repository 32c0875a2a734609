"""Braces in what a user writes are text: the engine, which fills in its own, finds none of them."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command import main
from docs.site.reference import schema
from tests.small_study import folds_of, scored

# What is no text of a user's own: names of ours, and what must be a number or a name for files.
OURS: Final = {
    *("study", "selection.capacity", "claims.criterion", "datasets.format"),
    "datasets.expected",  # names of findings
}
STUDY: Final[dict[str, Any]] = yaml.safe_load("""
study: braces
title: "Title {x} { } {wildcards.batch}"
description: "Said {x}: { and } of {wildcards.batch} and {{7}} {0}."
operating_conditions:
- {name: "early {x} {", pc: 0.3}
- {name: "} late", prior: 0.5, cost_fn: 4, cost_fp: 1, unit: "{EUR} } {x"}
inference: {confidence: 0.8, resamples: 60}
reference: "old {x} {"
claims:
- claim: "Claim {x} { } {wildcards.batch}"
  kind: cheaper
  models: ["new } {wildcards.batch}", "old {x} {"]
  datasets: ["{paid} {wildcards.batch}"]
  at: "early {x} {"
datasets:
- name: "{paid} {wildcards.batch}"
  title: "Paid {x} { }"
  predictions: ["{x} {wildcards.batch}.csv"]
  positive: "ill {x"
  models: ["new } {wildcards.batch}", "old {x} {"]
  missing: ["{", "}", "{x}"]
  columns: {instance: "{i", label: "{truth} }", model: "{wildcards.model}"}
  where: ["{part} == {kept} }"]
  about: {case: "{0} of {wildcards.batch} }", positive: "} ill"}
  delimiter: "}"
  costs:
    unit: "EUR {x} {"
    column: "{amount} {wildcards.batch}"
    benefit: {tn: 0, fp: -3, fn: {constant: -1, coefficient: -1}, tp: 0}
- name: "} of classes {x}"
  predictions: ["{.csv"]
  classes: {"red {x} {": "{red}", "tea } {wildcards.batch}": "} tea {x}", "{": "{wildcards.batch}"}
""")
PAID, WIDE = STUDY["datasets"]


def write(folder: Path) -> None:
    rows = folds_of(40, 1, 2, seed=11)
    number = rows["instance"].astype(int)
    new, old = PAID["models"]
    paid = pd.concat([scored(rows, old, 1.0, 12), scored(rows, new, 2.5, 13)])
    paid["label"] = paid["label"].map({1: PAID["positive"], 0: "{wildcards.batch} well"})
    amount = paid["instance"].astype(int) % 7 + 1
    paid["{part}"], paid[PAID["costs"]["column"]] = "{kept} }", amount
    paid = paid.rename(columns=PAID["columns"])
    paid.to_csv(folder / PAID["predictions"][0], index=False, sep="}")
    names, columns = [*WIDE["classes"]], [*WIDE["classes"].values()]
    wide = []
    for seed, (model, skill) in enumerate(((old, 0.4), (new, 2.0))):
        noise = np.random.default_rng(seed).normal(size=(len(rows), 3))
        scores = pd.DataFrame(skill * np.eye(3)[number % 3] + noise, columns=columns).round(1)
        labels = number.mod(3).map(dict(enumerate(names)))
        wide.append(rows.assign(model=model, label=labels).join(scores))
    pd.concat(wide).to_csv(folder / WIDE["predictions"][0], index=False)
    (folder / "study.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False), encoding="utf-8")


def free(part: Mapping[str, Any], values: list[Any], name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield keys of a schema that take any text, each with nothing and with the values there."""
    if "$ref" in part:
        part = schema()["$defs"][part["$ref"].rpartition("/")[2]]
    for choice in part.get("anyOf", []):
        yield from free(choice, values, name)
    if "string" in part.get("type", []) and not {"enum", "const"} & {*part}:
        yield from ((name, value) for value in [None, *values])
    for key, below in part.get("properties", {}).items():
        there = [value[key] for value in values if isinstance(value, dict) and key in value]
        yield from free(below, there, f"{name}.{key}".lstrip("."))
    for inner in ("items", "additionalProperties"):
        if isinstance(part.get(inner), dict):
            maps = [value.values() for value in values if isinstance(value, dict)]
            lists = [value for value in values if isinstance(value, list)]
            every = chain(*(lists if inner == "items" else maps))
            yield from free(part[inner], [*every], name)


def test_a_study_full_of_braces_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every key that takes a text has braces in it."""
    texts = [*free(schema(), [STUDY])]
    braced = {(key, text) for key, text in texts if isinstance(text, str) and {*"{}"} & {*text}}
    assert {key for key, _ in texts} - {key for key, _ in braced} == OURS
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main.main(["report", "study.yaml", "--html", "--cores", "2"]) == 0, capsys.readouterr()
    markup = Path("reports", "braces", "report.html").read_text("utf-8")
    page = unescape(re.sub("<[^>]+>|[\u2066-\u2069]", "", markup))
    assert [text for _, text in braced if text not in page] == []
