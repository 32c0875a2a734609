"""Several classes: each against all others, from the configuration to staged predictions."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.errors import InputError
from costcurves.predictions.staged import stage, stage_with_sources
from costcurves.report.document import Section
from costcurves.report.summary import grouped
from costcurves.settings import Dataset, Study
from costcurves.study.reading import parse_study
from tests.small_study import folds_of

CLASSES = ["red", "green", "blue"]


def rows(seed: int = 1) -> pd.DataFrame:
    """Two models' scores of three classes, in folds that have all of them."""
    frame = folds_of(36, 1, 2, seed).drop(columns="label")
    number = frame["instance"].astype(int) % 3
    frame["label"] = np.array(CLASSES)[number]
    rng, parts = np.random.default_rng(seed), []
    for model in ("M", "N"):
        scores = {
            f"score_{name}": (number == place) + rng.normal(size=len(frame))
            for place, name in enumerate(CLASSES)
        }
        parts.append(frame.assign(model=model, **scores))
    return pd.concat(parts, ignore_index=True)


def configured(folder: Path, frame: pd.DataFrame, **changes: Any) -> Study:
    """Write predictions; give a study of them."""
    if "parquet" in changes:
        path = folder / changes.pop("parquet")
        frame.to_parquet(path)
    else:
        path = folder / "three.csv"
        frame.to_csv(path, index=False)
    dataset = {"name": "three", "predictions": [str(path)], "classes": CLASSES, **changes}
    return parse_study({"study": "s", "datasets": [dataset]})


def test_each_class_is_a_dataset_in_the_given_order(tmp_path: Path) -> None:
    study = configured(tmp_path, rows(), title="Three colours")
    assert [part.name for part in study.datasets] == ["three: red", "three: green", "three: blue"]
    assert [part.slug for part in study.datasets] == ["three--red", "three--green", "three--blue"]
    assert study.datasets[1].title == "Three colours: green"
    assert [part.positive for part in study.datasets] == CLASSES
    assert {part.in_files for part in study.datasets} == {"three"}
    assert Study.from_plain(asdict(study)) == study
    assert [Dataset.from_plain(asdict(part)) for part in study.datasets] == list(study.datasets)


@pytest.mark.parametrize("ending", ["csv", "parquet", "other names"])
def test_a_class_is_staged_against_all_others(ending: str, tmp_path: Path) -> None:
    frame, more = rows(), dict[str, Any]()
    written = frame.assign(dataset="three")
    if ending == "parquet":
        more = {"parquet": "three.parquet"}
        written = pd.concat([written, rows(2).assign(dataset="other")])  # which is passed over
    if ending == "other names":
        written = frame.rename(columns=lambda name: name.replace("score_", "p"))
        more = {"classes": {name: f"p{name}" for name in CLASSES}}
    for dataset, name in zip(configured(tmp_path, written, **more).datasets, CLASSES, strict=True):
        staged, sources = stage_with_sources(dataset)
        assert staged["label"].tolist() == (frame["label"] == name).astype(int).tolist()
        assert staged["score"].tolist() == frame[f"score_{name}"].tolist()
        assert ({*staged["dataset"]}, sources[0]["rows"]) == ({f"three: {name}"}, len(frame))


def test_decisions_alone_will_do_and_no_is_a_name(tmp_path: Path) -> None:
    frame = rows().replace({"label": {"red": "no"}})
    frame["decision"] = np.roll(frame["label"], 1)
    frame = frame.drop(columns=[f"score_{name}" for name in CLASSES])
    classes = yaml.safe_load('["no", green, blue]')
    staged = stage(configured(tmp_path, frame, classes=classes).datasets[0])
    assert staged["decision"].tolist() == (frame["decision"] == "no").astype(int).tolist()
    assert staged["label"].sum() == (frame["label"] == "no").sum()
    assert staged["score"].isna().all()


CHANGES: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], int, str]] = {
    "no scores": (lambda frame: frame.drop(columns="score_green"), 1,
        r"has scores of the classes 'red', 'blue'; .* or add 'score_green'"),
    "a score": (lambda frame: frame.assign(score=0.5), 0,
        "has a column 'score'; which of several classes"),
    "no label": (lambda frame: frame.assign(score_grey=0.5), 3,
        r"no label is 'grey' \('classes:'\); labels are"),
    "another label": (lambda frame: frame.replace({"label": {"blue": "grey"}}), 0,
        "line 4: label is 'grey'; expected one of the classes 'red', 'green', 'blue'"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_files_that_do_not_fit_the_classes_are_refused(name: str, tmp_path: Path) -> None:
    change, place, message = CHANGES[name]
    classes = [*CLASSES, "grey"] if place == 3 else CLASSES
    study = configured(tmp_path, change(rows()), classes=classes)
    with pytest.raises(InputError, match=message):
        stage(study.datasets[place])


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        ({"positive": "red"}, "positive can't be given with 'classes:': each class is"),
        ({"prior": 0.2}, "prior can't be given with 'classes:': each class has its own"),
        ({"about": {"positive": "corked"}}, "about.positive can't be given with 'classes:': each"),
        ({"classes": {"a": "p", "b": "p", "c": "q"}}, "classes has the column 'p' twice"),
        ({"classes": ["a", "b"]}, "classes"),
        ({"classes": ["a", "b", "b"]}, "classes"),
        ({"classes": ["a", "b", " "]}, "classes"),
    ],
)
def test_what_can_not_be_said_of_classes(dataset: dict[str, Any], message: str) -> None:
    whole = {"name": "three", "predictions": ["three.csv"], "classes": CLASSES, **dataset}
    with pytest.raises(InputError, match=message):
        parse_study({"study": "s", "datasets": [whole]}, files=False)


@pytest.mark.parametrize(
    "other", ["three--red", "Three--Red", "three--Dark blue", "three: red", "three:  red"]
)
def test_classes_and_datasets_must_not_be_called_the_same(other: str) -> None:
    several = {"name": "three", "predictions": ["a"], "classes": ["red", "green", "dark blue"]}
    first, second = several, {"name": other, "predictions": ["b"]}
    for datasets in ([first, second], [second, first]):
        with pytest.raises(InputError) as caught:
            parse_study({"study": "s", "datasets": datasets}, files=False)
        (message,) = caught.value.findings
        earlier, later = (dataset["name"] for dataset in datasets)
        assert f"datasets[1] is called {later!r}: it and {earlier!r} both make " in message
        assert message.endswith("as classes and costs are added to names; expected another name")


def test_names_that_only_begin_alike_are_no_matter() -> None:
    several = {"name": "three", "predictions": ["a"], "classes": ["red", "green", "blue"]}
    others = [{"name": name, "predictions": ["b"]} for name in ("three-red", "Three", "red")]
    whole = {**several, "name": "three--green"}
    study = parse_study({"study": "s", "datasets": [several, *others, whole]}, files=False)
    assert len({part.slug.casefold() for part in study.datasets}) == len(study.datasets) == 9


def test_the_sections_of_classes_are_put_together(tmp_path: Path) -> None:
    classes = configured(tmp_path, rows(), title="Three: colours").datasets
    alone = Dataset("two", ("a.csv",), title="Two", slug="two")
    datasets = [alone, *classes, alone]
    sections = []
    for each in datasets:
        content = SimpleNamespace(facts=SimpleNamespace(dataset=each))
        sections.append(Section(f"data/{each.slug}", (each.title,), "dataset", content))
    grouped_sections = grouped(sections)
    assert [section.part for section in grouped_sections] == ["dataset", "classes", "dataset"]
    assert grouped_sections[1].sections == tuple(sections[1:4])
    assert grouped_sections[1].anchor == "classes/three"
    (title,) = grouped_sections[1].title
    assert getattr(title, "text", title) == "Three: colours"
