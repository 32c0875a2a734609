"""Headline, bands, intervals, paired differences and verdicts of small predictions."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

from costcurves.chance import intervals as closed_forms
from costcurves.chance import resamples
from costcurves.chance.intervals import Errors
from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import difference
from costcurves.chance.resampled_bands import resampled as resampled_curve
from costcurves.chance.resampling import generator, weights
from costcurves.choosing.headline import headline_of
from costcurves.curves.bands import Band
from costcurves.curves.curves import Curve, line
from costcurves.curves.pieces import curves_of
from costcurves.errors import InputError
from costcurves.invariants import check_results
from costcurves.pairs.comparisons import Pair
from costcurves.pairs.verdicts import verdicts
from costcurves.settings import Inference
from tests.result_tables import INFERENCE, staged, tables_of
from tests.small_study import folds_of, scored


def decided(rows: pd.DataFrame, model: str, *errors: str) -> pd.DataFrame:
    """One decision for each instance, wrong on the named ones."""
    wrong = rows["instance"].isin(errors)
    return rows.assign(model=model, decision=np.where(wrong, 1 - rows["label"], rows["label"]))


def in_folds(instances: int = 40, repeats: int = 2, folds: int = 4) -> pd.DataFrame:
    return folds_of(instances, repeats, folds, seed=1).astype({"repeat": str, "fold": str})


def predictions(*models: pd.DataFrame) -> pd.DataFrame:
    return staged(pd.concat(models, ignore_index=True))


def good_and_bad(rows: pd.DataFrame, *others: pd.DataFrame) -> pd.DataFrame:
    return predictions(scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.2, 3), *others)


def papers_band(errors: Errors) -> Band:
    return closed_forms.bootstrap(errors, 100, generator(1, "d", "A", "bootstrap"))


BANDS = {"wilson": closed_forms.wilson, "normal": closed_forms.normal, "bootstrap": papers_band}


@pytest.mark.parametrize("band", BANDS)
def test_decisions_have_bands_of_two_rates(band: str) -> None:
    rows = in_folds(repeats=1, folds=1)
    models = decided(rows, "A", "000", "001", "039"), decided(rows, "B", "001")
    tables = tables_of(predictions(*models), band=band)
    assert set(tables["headline"]["estimate"]) == {"fixed in advance"}
    assert headline_of(tables["headline"])["A"]([0.0, 1.0]) == pytest.approx([0.1, 0.05])
    methods = tables["bands"].groupby("extent")["method"].unique().str[0]
    assert methods.to_dict() == {"pointwise": band, "simultaneous": "wilson"}
    errors, both_rates = Errors(2, 20, 1, 20), closed_forms.simultaneous
    of_extents = {"pointwise": BANDS[band](errors), "simultaneous": both_rates(errors)}
    of_a = tables["bands"].query("model == 'A'")
    for names, curve in curves_of(of_a, ["extent", "edge"]):
        both = of_extents[names["extent"]]
        edge = both.lower if names["edge"] == "lower" else both.upper
        for pc in (0.0, 0.37, 1.0):  # chords of the edge
            assert curve(pc) == pytest.approx(edge(pc), abs=1e-4)
    assert set(tables["verdicts"]["method"]) == {"sign flips"}
    if band == "wilson":
        check_results(tables)


def test_swapping_the_models_swaps_the_verdicts() -> None:
    rows = in_folds()
    first, other = scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.2, 3)
    given = tables_of(predictions(first, other))["verdicts"]
    swapped = tables_of(predictions(other, first))["verdicts"]
    mirrored = {"A cheaper": "B cheaper", "B cheaper": "A cheaper", "undecided": "undecided"}
    assert swapped["finding"].tolist() == [mirrored[finding] for finding in given["finding"]]
    for name in ("pc_from", "pc_to", "p_value", "at_pc"):
        assert swapped[name].tolist() == given[name].tolist()
    assert swapped["low"].tolist() == (-given["high"]).tolist()
    assert "A cheaper" in given["finding"].tolist()


def test_repeats_count_the_same_whatever_their_folds() -> None:
    parts = [in_folds(repeats=1, folds=folds).assign(repeat=f"of {folds}") for folds in (2, 5)]
    rows = pd.concat(parts, ignore_index=True)
    errs = rows["repeat"].eq("of 2") & rows["instance"].isin(rows["instance"].unique()[:13])
    bad = rows.assign(model="Bad", decision=np.where(errs, 1 - rows["label"], rows["label"]))
    given = predictions(decided(rows, "Good"), bad)
    tables = tables_of(given)
    check_results(tables)
    half = line(*(errs[rows["label"] == label].sum() / 40 for label in (0, 1)))
    result = tables.resamples
    assert result.heights[1].mean(axis=0) == pytest.approx(half(result.grid), rel=0.05)
    curve = headline_of(tables["headline"])["Bad"]
    assert curve(result.grid) == pytest.approx(half(result.grid), rel=1e-12)


def test_folds_that_lack_a_class_are_pooled_in_resamples_too() -> None:
    rows = in_folds(instances=24, repeats=2, folds=3)
    moved = rows["repeat"].eq("1") & rows["label"].eq(1) & rows["fold"].eq("1")
    rows.loc[moved, "fold"] = "2"
    tables = tables_of(good_and_bad(rows, decided(rows, "C", "003")))
    check_results(tables)
    folds = tables["operating_points"].query("level == 'fold' and model == 'C'")
    assert folds[["repeat", "fold"]].to_numpy().tolist() == [["1", ""]] + [["2", f] for f in "123"]
    split = tables["operating_points"].query("level == 'split' and model == 'Good'")
    sizes = split.groupby("repeat")["fold"].nunique()
    assert sizes.to_dict() == {"1 split 1": 10, "2": 3}  # once, beside a repeat that has folds
    assert set(tables["headline"]["estimate"]) == {"cross-fitted", "fixed in advance"}


def test_unpaired_models_have_bands_and_no_verdicts() -> None:
    rows = in_folds()
    fewer = scored(rows, "B", 0.2, 3).query("instance != '003'")
    tables = tables_of(predictions(scored(rows, "A", 3.0, 2), fewer))
    assert tables["verdicts"].empty
    assert tables["comparisons"].empty
    assert set(tables["bands"]["model"]) == {"A", "B"}
    assert not tables["crossovers"].empty
    check_results(tables)


def test_in_sample_curves_have_no_verdict() -> None:
    tables = tables_of(good_and_bad(in_folds(10, repeats=1, folds=1)))  # too few to be split
    check_results(tables)
    assert set(tables["headline"]["estimate"]) == {"in-sample selection"}
    measures = tables["measures"]
    assert measures.loc[measures["headline"], "level"].tolist() == ["repeat", "repeat"]
    (only,) = tables["verdicts"].to_dict("records")
    expected = {"finding": "undecided", "reason": "in-sample selection", "pc_from": 0, "pc_to": 1}
    assert {name: only[name] for name in expected} == expected
    assert only["largest_difference"] < 0
    assert np.isnan([only["p_value"], only["low"], only["high"]]).all()
    assert only["projected"] == math.inf
    assert tables["comparisons"]["line"].unique().tolist() == ["difference"]
    assert tables["crossovers"][["to_low", "to_high"]].isna().all(axis=None)
    assert set(tables["crossovers"]["estimate"]) == {"in-sample selection"}


def test_a_narrow_stretch_is_withdrawn_by_name_and_nothing_else() -> None:
    places = np.array([0.0, 0.5, 0.503, 1.0])
    jagged = Curve(places, [0.01, -0.2, 0.01], [0.01, -0.2, 0.01])
    facts = {"dataset": ["d"], "instances": 400, "repeats": 3, "folds": 5, "prior": 0.2}
    noise = np.random.default_rng(0).normal(0, 0.02, (200, 4))
    drawn = weights(np.repeat([0, 1], [100, 300]), 200, np.random.default_rng(1))
    both = difference(
        resampled_curve(jagged, places, noise, drawn, False),
        resampled_curve(line(0, 0), places, 0 * noise, drawn, False),
    )
    pair = Pair("all pairs", "A", "B", both, both, {}, np.zeros(0), 0.9, both.p_value, "")
    result = verdicts(pd.DataFrame(facts), [pair], INFERENCE)
    assert result["finding"].tolist() == ["undecided"] * 3
    assert result["reason"].tolist() == ["", "narrow", ""]
    narrow = result.iloc[1]
    assert (narrow["pc_from"], narrow["pc_to"]) == (0.5, 0.503)
    assert narrow["high"] < 0
    assert (result["p_value"] > 0.1).all()
    assert (result["projected"] > 400).all()


@pytest.mark.parametrize(
    ("models", "confidence", "band", "asked", "drawn"),
    [
        (1, 0.97, "wilson", 10, 33),  # compared with the constant decisions
        (1, 0.9, "bootstrap", 1, 20),  # two edges
        (1, 0.9993, "bootstrap", 1, 2858),
        (4, 0.8, "wilson", 40, 40),
        (4, 0.9, "wilson", 40, 59),
        (14, 0.95, "wilson", 2000, 2000),
        (21, 0.9, "wilson", 2000, 2099),
    ],
)
def test_as_many_resamples_are_drawn_as_the_largest_of_all_pairs_takes(
    models: int, confidence: float, band: Literal["wilson", "bootstrap"], asked: int, drawn: int
) -> None:
    assert Inference(confidence, asked, band).drawn(models) == drawn
    strictest = 1 - (1 - confidence) / max(math.comb(models, 2), 1)
    assert Largest.simulated(np.arange(float(drawn))).critical(strictest) > 0
    if band == "bootstrap":
        ones = np.ones(drawn, dtype=int)
        closed_forms.percentiles(ones, ones, 2, 2, confidence)
    elif models <= 4:
        rows = in_folds(30, repeats=1, folds=2)
        given = predictions(*(scored(rows, f"M{i}", 1.0, i) for i in range(models)))
        tables = tables_of(given, confidence=confidence, resamples=asked)
        result = tables.resamples
        assert result.resamples == len(result.weights) == result.heights.shape[1] == drawn
        assert tables["not_ruled_out"]["pc_to"].max() == 1
        levels = tables["comparisons"]["confidence"]
        assert levels.max() == pytest.approx(strictest) or models == 1


@pytest.mark.parametrize(
    ("models", "begun", "needed", "mend"),
    [
        (2, "a level of 0.99992", 12_499, "lower inference.confidence"),
        (3, "3 models are 3 pairs, which share the ", 37_499, "compare fewer models"),
    ],
)
def test_too_many_resamples_are_refused(models: int, begun: str, needed: int, mend: str) -> None:
    rows = in_folds(repeats=1, folds=1)
    given = [decided(rows, f"M{i}", f"{i:03}") for i in range(models)]
    asked = Inference(confidence=0.99992, resamples=70)
    takes = f"takes {needed} resamples, expected 5000 at most; set inference.resamples to {needed}"
    with pytest.raises(InputError, match=f"^d: {begun}.* {takes} or more, or {mend}$"):
        resamples.check_models(predictions(*given), asked)
    resamples.check_models(predictions(*given), replace(asked, resamples=needed))
    assert replace(asked, resamples=needed - 1).too_many(models)
    assert asked.too_many(1) == asked.too_many(2)
    resamples.check_models(predictions(*given, given[0].iloc[1:].assign(model="unpaired")), asked)


def test_draws_follow_from_seed_and_dataset_only_and_survive_their_file(tmp_path: Path) -> None:
    models, path = good_and_bad(in_folds()), tmp_path / "draws.npz"
    shuffled = models.sample(frac=1, random_state=1).sort_values("model", ascending=False)
    chosen = tables_of(models)["headline"]

    def drawn(given: pd.DataFrame, seed: int, dataset: str) -> resamples.Resamples:
        asked: Any = {"level": "repeat", "marked": [], "inference": INFERENCE}
        return resamples.resampling(given, chosen, **asked, seed=seed, dataset=dataset)

    first, same = drawn(models, 1, "d"), drawn(shuffled, 1, "d")
    assert first.heights == pytest.approx(same.heights, abs=1e-12)  # other sums round differently
    for other in (drawn(models, 2, "d"), drawn(models, 1, "x")):
        assert np.abs(first.heights - other.heights).max() > 0.01
    resamples.write_resamples(first, path)
    written = path.read_bytes()
    resamples.write_resamples(first, path)
    assert path.read_bytes() == written
    read = resamples.read_resamples(path)
    assert (read.models, read.dataset, read.paired) == (first.models, "d", True)
    assert np.array_equal(read.heights, first.heights)
    assert read.weights.dof == first.weights.dof
