"""Hostile names: refused with the reason, or carried as they are and shown as text everywhere."""

import csv
import functools
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.names import quoted, unusable
from costcurves.predictions.asking import of_files
from costcurves.predictions.staged import stage
from costcurves.report import rendering
from costcurves.report.document import Report
from costcurves.settings import Dataset, Study
from costcurves.study.initial import find_datasets, initial_config
from costcurves.study.reading import read_study
from costcurves.tables.files import write_csv
from tests import fake_report
from tests.report.test_rendering import Page

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(1)", "-1+1", "'=1+1", " =2+2", "\uff1d1+1", "-rf"]
CARRIED = [
    *FORMULAS,
    *("../../x", "a/b", "a\\b", "$(id)", "`id`", "%s%n {0} {wildcards.x}", "&lt;b&gt;"),
    *("<script>alert(1)</script>", "</script>", '"><img src=x onerror=alert(1)>', "<!-- -->"),
    *("]]>", "{{7*7}}", "{% raw %}", "\\input{x}", "$\\foo$", "http://127.0.0.1:9/x.png"),
    *("file:///etc/passwd", "![x](http://127.0.0.1:9/x.png)", "url(http://127.0.0.1:9/x)"),
    *("javascript:alert(1)", "CON", "con", "nul.txt", "point.", "space ", "🙂", "-0.5", "NaN"),
    "x" * 200,
]
REFUSED = [
    ("", "is blank"),
    ("\u200d\u2060", "is blank"),
    ("a\u202eb", "has the control or text-reordering character '\\u202e'"),
    ("x" * 300, "has 300 characters, expected at most 200"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a folder of its own, and no network."""

    def refuse(*_: object) -> None:
        raise AssertionError("something is fetched")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return tmp_path


def put(*names: str) -> None:
    """Write predictions of models of these names."""
    rows = [(name, at, label, 0.5) for name in names for at, label in enumerate("01")]
    with Path("a.csv").open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file, lineterminator="\n")
        written.writerows([("model", "instance", "label", "score"), *rows])


def staged() -> pd.DataFrame:
    return stage(Dataset("wine", ("a.csv",), title="wine", slug="wine"))


def configured(*names: str) -> Study:
    """A study of datasets of these names, read from its file."""
    put("NB")
    datasets = [{"name": name, "predictions": ["a.csv"]} for name in names]
    content = {"study": "s", "title": names[0], "datasets": datasets}
    Path("c.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    return read_study("c.yaml")


# Refused


def findings_of(read: Callable[[], object]) -> tuple[str, ...]:
    with pytest.raises(InputError) as caught:
        read()
    return caught.value.findings


@pytest.mark.parametrize(("name", "why"), REFUSED)
def test_what_cannot_be_called_so(name: str, why: str) -> None:
    put(name)
    shown = f"{name[:60]!r}..." if len(name) > 60 else repr(name)
    assert findings_of(staged) == (f"a.csv line 2: model {shown} {why}",)
    if name:
        (finding,) = findings_of(lambda: configured("wine", name))
        assert finding.partition(": ")[2] == f"datasets[1].name {why}"


def test_names_that_look_the_same() -> None:
    first, second = "ab", "a\u200db"
    put(first, second)
    alike = f"models {quoted(first)} and {quoted(second)} look alike; rename one"
    assert findings_of(staged) == (f"dataset 'wine': {alike}",)
    (finding,) = findings_of(lambda: configured(first, second))
    assert f"datasets[1] is called {second!r}, which looks like {first!r}" in finding


USABLE = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(
    lambda name: unusable(name) is None
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(USABLE, st.lists(USABLE, min_size=1, max_size=3, unique=True), USABLE, USABLE)
def test_an_initial_configuration_is_what_was_found(
    dataset: str, models: list[str], positive: str, other: str
) -> None:
    """Of any names that are accepted, in YAML's own words and as its comments say them."""
    labels = [positive, other]
    columns = {"dataset": dataset, "instance": "1", "score": 0.5}
    rows = [{**columns, "model": model, "label": label} for model in models for label in labels]
    pq.write_table(pa.Table.from_pylist(rows), "a.parquet")
    how = of_files(["a.parquet"], positive=positive)
    text = initial_config("s", find_datasets(how), how)
    Path("c.yaml").write_text(text, encoding="utf-8")
    (read,) = read_study("c.yaml").datasets
    assert (read.name, read.positive, read.models) == (dataset, positive, None)
    alive = re.sub("^  # (?=models:)", "  ", text, flags=re.MULTILINE)
    Path("c.yaml").write_text(alive, encoding="utf-8")
    (read,) = read_study("c.yaml").datasets
    assert (read.name, read.models) == (dataset, tuple(models))


# Carried

RUN = [*FORMULAS, "\tx", "=x", "+x", "-x", "@x", "''=x", "-", "-1 to 1"]
LEFT = ["+1", "-1e-3", "-.5", "-inf", "1-2", "a=b", "'a", *CARRIED[len(FORMULAS) :]]


def test_names_are_carried_as_they_are_and_no_spreadsheet_runs_a_cell() -> None:
    put(*CARRIED)
    assert list(staged()["model"].unique()) == CARRIED
    write_csv(pd.DataFrame({"model": [*RUN, *LEFT], "cost": -0.5}), "a.csv")
    with Path("a.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    assert rows == [*([f"'{name}", "-0.5"] for name in RUN), *([name, "-0.5"] for name in LEFT)]


# Shown


def named(names: tuple[str, ...]) -> Report:
    """A report of a dataset, with models, of these names."""
    rates = {name: (0.02 * at, 0.3 - 0.02 * at) for at, name in enumerate(names)}
    title = names[0]
    about = dict(zip(("case", "positive"), names, strict=False))
    dataset = fake_report.dataset("x", title) | {"about": about}
    made = fake_report.study(title=title, datasets=[dataset], description="\n\n".join(names))
    return fake_report.assembled({"x": fake_report.tables(rates)}, made)


BATCHES = [tuple(CARRIED[at : at + 10]) for at in range(0, len(CARRIED), 10)]


@functools.cache
def page(names: tuple[str, ...]) -> Page:
    return Page(rendering.html(named(names)))


@pytest.mark.parametrize("names", BATCHES)
def test_a_page_shows_names_as_text(names: tuple[str, ...]) -> None:
    """Elements are those of harmless names; JSON is strict and ends no element."""
    hostile, quiet = page(names), page(tuple("ABCDEFGHIJ"[: len(names)]))
    for (tag, has), (other, expected) in zip(hostile.elements, quiet.elements, strict=True):
        assert (tag, [*has]) == (other, [*expected])
        assert all(has.get(key) == expected.get(key) for key in ("href", "src", "action"))
    assert {" ".join(name.split()) for name in names} <= set(hostile.text("bdi"))
    both = zip(hostile.elements, hostile.texts, strict=True)
    written = [text for (_, has), text in both if has.get("type") == "application/json"]
    assert not set("<>&\u2028\u2029") & set("".join(written))
    parsed = [json.dumps(json.loads(text, parse_constant=pytest.fail)) for text in written]
    assert all(any(json.dumps(name) in text for text in parsed) for name in names)
