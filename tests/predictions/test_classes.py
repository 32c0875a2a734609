"""Several classes: each against all others, from the configuration to staged predictions."""

from collections.abc import Callable
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.errors import InputError
from costcurves.predictions.staged import stage_with_sources
from costcurves.report.document import Section
from costcurves.report.summary import grouped
from costcurves.settings import Dataset, Study
from costcurves.study.reading import parse_study
from tests.small_study import folds_of

CLASSES = ["red", "green", "blue"]
SCORES = [f"score_{name}" for name in CLASSES]
Change = Callable[[pd.DataFrame], pd.DataFrame]


def rows(seed: int = 1) -> pd.DataFrame:
    """Two models' scores of three classes, in folds that have all of them."""
    frame = folds_of(36, 1, 2, seed)
    number = frame["instance"].astype(int) % 3
    frame["label"] = np.array(CLASSES)[number]
    both = pd.concat([frame.assign(model=model) for model in "MN"], ignore_index=True)
    both[SCORES] = np.random.default_rng(seed).normal(size=(len(both), 3))
    return both


def configured(*others: dict[str, Any], files: bool = False, **changes: Any) -> Study:
    whole = {"name": "three", "predictions": ["three.csv"], "classes": CLASSES, **changes}
    return parse_study({"study": "s", "datasets": [whole, *others]}, files=files)


def written(frame: pd.DataFrame, **changes: Any) -> Study:
    """A study of predictions, in a file."""
    frame.to_csv("three.csv", index=False)
    frame.to_parquet("three.parquet")
    return configured(files=True, **changes)


def test_each_class_is_a_dataset_in_the_given_order() -> None:
    study = configured(title="Three colours")
    parts = [(part.name, part.slug, part.title, part.positive) for part in study.datasets]
    assert parts == [
        (f"three: {name}", f"three--{name}", f"Three colours: {name}", name) for name in CLASSES
    ]
    assert {part.in_files for part in study.datasets} == {"three"}
    assert Study.from_plain(asdict(study)) == study
    assert [Dataset.from_plain(asdict(part)) for part in study.datasets] == list(study.datasets)
    # They are one part of the report, between other datasets.
    alone, sections = Dataset("two", ("a.csv",), title="Two", slug="two"), list[Section]()
    for each in (alone, *study.datasets, alone):
        content = SimpleNamespace(facts=SimpleNamespace(dataset=each))
        sections.append(Section(f"data/{each.slug}", (each.title,), "dataset", content))
    first, classes, last = grouped(sections)
    assert (first.part, classes.part, last.part) == ("dataset", "classes", "dataset")
    assert (classes.sections, classes.anchor) == (tuple(sections[1:4]), "classes/three")
    assert [getattr(title, "text", title) for title in classes.title] == ["Three colours"]


NAMED = {"classes": {name: f"p{name}" for name in CLASSES}}
CASES: dict[str, tuple[Change, dict[str, Any]]] = {
    "as it is": (lambda frame: frame.assign(dataset="three"), {}),
    "beside another dataset, which is passed over": (
        lambda frame: pd.concat([frame.assign(dataset="three"), rows(2).assign(dataset="other")]),
        {"predictions": ["three.parquet"]}),
    "other names": (lambda frame: frame.rename(columns=lambda name: name.replace("score_", "p")),
        NAMED),
    "a class that is called no": (lambda frame: frame.replace("red", "no").rename(
        columns={"score_red": "score_no"}), {"classes": ["no", "green", "blue"]}),
    "decisions": (lambda frame: frame.drop(columns=SCORES).assign(decision=np.roll(frame["label"],
        1)), {}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_class_is_staged_against_all_others(case: str) -> None:
    change, options = CASES[case]
    frame = rows()
    for dataset, name in zip(written(change(frame), **options).datasets, CLASSES, strict=True):
        staged, sources = stage_with_sources(dataset)
        assert staged["label"].tolist() == (frame["label"] == name).astype(int).tolist()
        assert ({*staged["dataset"]}, sources[0]["rows"]) == ({dataset.name}, len(frame))
        if case == "decisions":
            decided = np.roll(frame["label"], 1) == name
            assert staged["decision"].tolist() == decided.astype(int).tolist()
            assert staged["score"].isna().all()
        else:
            assert staged["score"].tolist() == frame[f"score_{name}"].tolist()


GREY = [*CLASSES, "grey"]
# What is changed in files, which class is staged, the message, and what the configuration says.
REFUSED: list[tuple[Change, int, str, dict[str, Any]]] = [
    (lambda frame: frame.drop(columns="score_green"), 1,
        r"has scores of the classes 'red', 'blue'; .* or add 'score_green'", {}),
    (lambda frame: frame.assign(score=0.5), 0, "has a column 'score'; which of several class", {}),
    (lambda frame: frame.assign(score_grey=0.5), 3,
        r"no label is 'grey' \('classes:'\); labels are", {"classes": GREY}),
    (lambda frame: frame.replace({"label": {"blue": "grey"}}), 0,
        "line 4: label is 'grey'; expected one of the classes 'red', 'green', 'blue'", {}),
    (lambda frame: frame, 0, "'higher_is: negative' can't be said", {"higher_is": "negative"}),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_files_that_do_not_fit_the_classes_are_refused(case: tuple[Any, ...]) -> None:
    change, place, message, options = case
    with pytest.raises(InputError, match=message):
        stage_with_sources(written(change(rows()), **options).datasets[place])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"positive": "red"}, "positive can't be given with 'classes:': each class is"),
    ({"prior": 0.2}, "prior can't be given with 'classes:': each class has its own"),
    ({"about": {"positive": "corked"}}, "about.positive can't be given with 'classes:': each"),
    ({"classes": {"a": "p", "b": "p", "c": "q"}}, "classes has the column 'p' twice"),
    ({"classes": ["a", "b"]}, "classes"),
    ({"classes": ["a", "b", "b"]}, "classes"),
    ({"classes": ["a", "b", " "]}, "classes"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_can_not_be_configured_of_classes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        configured(**options)


OTHERS = ["three--red", "Three--Red", "three--Dark blue", "three: red", "three:  red"]


@pytest.mark.parametrize("other", OTHERS)
def test_classes_and_datasets_must_not_be_called_the_same(other: str) -> None:
    """That they begin alike is no matter."""
    first = {"name": "three", "predictions": ["a"], "classes": ["red", "green", "dark blue"]}
    second = {"name": other, "predictions": ["b"]}
    for datasets in ([first, second], [second, first]):
        with pytest.raises(InputError) as caught:
            parse_study({"study": "s", "datasets": datasets}, files=False)
        earlier, later = (dataset["name"] for dataset in datasets)
        (message,) = caught.value.findings
        assert f"datasets[1] is called {later!r}: it and {earlier!r} both make " in message
        assert message.endswith("as classes and costs are added to names; expected another name")
    others = [{"name": name, "predictions": ["b"]} for name in ("three-red", "Three", "red")]
    study = configured(*others, {**first, "name": "three--green"})
    assert len({part.slug.casefold() for part in study.datasets}) == len(study.datasets) == 9
