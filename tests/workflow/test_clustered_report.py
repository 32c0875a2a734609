"""A report of clusters with weights: built, read, and recomputed from its rows by other code."""

import re
from pathlib import Path

import numpy as np
import pytest

import costcurves as cc
from tests.chance.test_clustered import lesions
from tests.oracle.recompute import recomputed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with its appendix, made of arrays, of 48 patients whose lesions have weights."""
    rows, found = lesions(48), tmp_path_factory.mktemp("of arrays")
    first, second = (rows[rows["model"] == name].reset_index() for name in ("first", "second"))
    weight = 1 + np.arange(len(first)) % 7
    made = cc.compare_models(
        first["label"],
        {"first": first["score"], "second": second["score"]},
        groups=first["cluster"],
        sample_weight=weight,
        instance=first["instance"],
        name="lesions",
        settings={"inference": {"resamples": 300}},
    )
    made.report(found, "--html")
    return found


def test_sizes_are_said_as_clusters_and_cases(folder: Path) -> None:
    page = (folder / "reports" / "lesions" / "report.html").read_text("utf-8")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    weight = 1 + np.arange(168) % 7
    effective = weight.sum() ** 2 / (weight**2).sum()
    assert f"168 cases of 48 clusters (weighted: as informative as {effective:.0f}), " in text
    assert "clusters are drawn whole, within their class, or all together" in text
    assert "cases have weights: a case counts by its weight in rates" in text


def test_other_code_finds_the_same_numbers(folder: Path) -> None:
    lines, differ = recomputed(folder / "reports" / "lesions", folder)
    assert not differ, lines


def test_the_configuration_needs_to_say_nothing_of_them(folder: Path) -> None:
    config = (folder / "lesions.yaml").read_text("utf-8")
    assert "cluster" not in config
    assert "weight" not in config
