"""Headline, bands, intervals, paired differences and verdicts of small predictions."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from costcurves.chance import intervals as closed_forms
from costcurves.chance.intervals import Errors
from costcurves.chance.resampled_bands import difference
from costcurves.chance.resampled_bands import resampled as resampled_curve
from costcurves.chance.resamples import Resamples, read_resamples, resampling, write_resamples
from costcurves.chance.resampling import weights
from costcurves.choosing.choosable import operating_points
from costcurves.choosing.headline import estimates_of, headline, headline_of
from costcurves.choosing.hybrids import HYBRIDS, hybrids
from costcurves.counts.counted import counted
from costcurves.curves.curves import Curve, line, trivial
from costcurves.curves.pieces import curves_of
from costcurves.errors import InputError
from costcurves.invariants import check_results
from costcurves.pairs.comparisons import Pair, pairs
from costcurves.pairs.verdicts import verdicts
from costcurves.settings import Inference, Selection
from tests.result_tables import INFERENCE, points_of, resampled, staged, tables_of
from tests.small_study import family, folds_of, scored

Tables = dict[str, pd.DataFrame]
Floats = NDArray[np.float64]


def decided(rows: pd.DataFrame, model: str, errors: list[str]) -> pd.DataFrame:
    """One decision for each instance, wrong on the named ones."""
    wrong = rows["instance"].isin(errors)
    return rows.assign(model=model, decision=np.where(wrong, 1 - rows["label"], rows["label"]))


def in_folds(instances: int = 40, repeats: int = 2, folds: int = 4) -> pd.DataFrame:
    return folds_of(instances, repeats, folds, seed=1).astype({"repeat": str, "fold": str})


def predictions(*models: pd.DataFrame) -> pd.DataFrame:
    return staged(pd.concat(models, ignore_index=True))


def good_and_bad(instances: int = 40, repeats: int = 2, folds: int = 4) -> pd.DataFrame:
    rows = in_folds(instances, repeats, folds)
    return predictions(scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.2, 3))


@pytest.fixture(scope="module")
def small() -> Tables:
    rows = in_folds()
    return tables_of(
        predictions(scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.2, 3), family(rows, "F", 4))
    )


def test_the_headline_is_cross_fitted_where_it_can_be(small: Tables) -> None:
    assert estimates_of(small["headline"]) == dict.fromkeys(["Good", "Bad", "F"], "cross-fitted")
    rows = small["hybrids"].query("criterion == 'cross-fitted' and model == 'Good'")
    curve = headline_of(small["headline"])["Good"]
    assert curve.at0.tolist() == rows["at0"].tolist()


def test_one_test_set_is_split_into_folds() -> None:
    tables = tables_of(good_and_bad(repeats=1, folds=1))
    assert set(tables["headline"]["estimate"]) == {"cross-fitted"}
    points, hybrids = tables["operating_points"], tables["hybrids"].query("model == 'Good'")
    assert points.query("level == 'split' and model == 'Good'")["fold"].nunique() == 10
    fitted = hybrids[hybrids["criterion"] == "cross-fitted"]
    assert set(fitted["curves"]) == {50}  # five dealings
    assert not set(tables["envelopes"]["level"]) & {"split"}
    assert set(tables["measures"]["level"]) == {"fold", "repeat", "pooled"}
    result = resampled_from(tables)
    middle = np.searchsorted(result.grid, 0.5)
    kept = result.heights[result.models.index("Good")][:, middle]
    assert kept.mean() == pytest.approx(headline_of(tables["headline"])["Good"](0.5), abs=0.03)
    check_results(tables)


def resampled_from(tables: Tables) -> Resamples:
    """Resample what tables were made of once more."""
    return resampled(tables["predictions"], tables, "repeat")


def test_one_model_that_cannot_be_cross_fitted_makes_all_in_sample() -> None:
    whole = scored(in_folds(10, repeats=1, folds=1), "Whole", 2.0, 3)
    models = predictions(scored(in_folds(repeats=1), "Folds", 1.0, 2), whole)
    kinds = {"Folds": "in-sample selection", "Whole": "in-sample selection"}
    assert estimates_of(tables_of(models)["headline"]) == kinds


def test_a_decision_is_judged_by_its_cost_line_and_wilson() -> None:
    rows = in_folds(repeats=1, folds=1)
    tables = tables_of(predictions(decided(rows, "A", ["000", "039"]), decided(rows, "B", ["001"])))
    assert set(tables["headline"]["estimate"]) == {"fixed in advance"}
    line = headline_of(tables["headline"])["A"]
    assert (line(0.0), line(1.0)) == (1 / 20, 1 / 20)
    band = closed_forms.wilson(Errors(1, 20, 1, 20), 0.9)
    edges = {
        (names["extent"], names["edge"]): curve
        for names, curve in curves_of(tables["bands"], ["model", "extent", "edge"])
        if names["model"] == "A"
    }
    for pc in (0.0, 0.37, 1.0):
        upper = edges["pointwise", "upper"](pc)
        assert upper == pytest.approx(band.upper(pc), abs=1e-4)  # chords of the edge
    assert set(tables["verdicts"]["method"]) == {"sign flips"}
    check_results(tables)


@pytest.mark.parametrize("band", ["bootstrap", "normal"])
def test_the_papers_bands_are_there_and_named(band: str) -> None:
    rows = in_folds(repeats=1, folds=1)
    models = predictions(decided(rows, "A", ["000", "001", "039"]), decided(rows, "B", ["001"]))
    tables = tables_of(models, band=band)
    pointwise = tables["bands"].query("extent == 'pointwise'")
    assert set(pointwise["method"]) == {band}
    assert set(tables["bands"].query("extent == 'simultaneous'")["method"]) == {"wilson"}
    edge = pointwise.query("model == 'A' and edge == 'upper'")
    if band == "normal":  # equation 8 at PC(+) = 0: 1/10 and 1.645 standard errors
        assert edge["nec_from"].iloc[0] == pytest.approx(
            0.1 + 1.6449 * (0.09 / 20) ** 0.5, abs=1e-3
        )
    else:  # a whole number of errors among 20
        assert edge["nec_from"].iloc[0] * 20 == pytest.approx(round(edge["nec_from"].iloc[0] * 20))


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
    parts = [in_folds(40, repeats=1, folds=folds).assign(repeat=f"of {folds}") for folds in (2, 5)]
    rows = pd.concat(parts, ignore_index=True)
    errs = rows["repeat"].eq("of 2") & rows["instance"].isin(rows["instance"].unique()[:13])
    bad = rows.assign(model="Bad", decision=np.where(errs, 1 - rows["label"], rows["label"]))
    tables = tables_of(predictions(decided(rows, "Good", []), bad))
    check_results(tables)
    curves = headline_of(tables["headline"])
    half = line(*(errs[rows["label"] == label].sum() / 40 for label in (0, 1)))
    resamples = resampled_from(tables)
    assert resamples.heights[1].mean(axis=0) == pytest.approx(half(resamples.grid), rel=0.05)
    assert curves["Bad"](resamples.grid) == pytest.approx(half(resamples.grid), rel=1e-12)


def test_folds_that_lack_a_class_are_pooled_in_resamples_too() -> None:
    rows = in_folds(instances=24, repeats=2, folds=3)
    moved = rows["repeat"].eq("1") & rows["label"].eq(1) & rows["fold"].eq("1")
    rows.loc[moved, "fold"] = "2"
    models = [
        scored(rows, "Good", 3.0, 2),
        scored(rows, "Bad", 0.2, 3),
        decided(rows, "C", ["003"]),
    ]
    tables = tables_of(predictions(*models))
    folds = tables["operating_points"].query("level == 'fold' and model == 'C'")
    assert folds[["repeat", "fold"]].to_numpy().tolist() == [["1", ""]] + [["2", f] for f in "123"]
    split = tables["operating_points"].query("level == 'split' and model == 'Good'")
    sizes = split.groupby("repeat")["fold"].nunique()
    assert sizes.to_dict() == {"1 split 1": 10, "2": 3}  # once, beside a repeat that has folds
    assert set(tables["headline"]["estimate"]) == {"cross-fitted", "fixed in advance"}
    check_results(tables)


def test_equivalence_and_reference() -> None:
    rows = in_folds()
    each = scored(rows, "A", 1.0, 2)
    models = predictions(each, each.assign(model="B"), scored(rows, "C", 2.0, 3))
    verdicts = tables_of(models, equivalence=0.02, reference="B")["verdicts"]
    same = verdicts.query("model_a == 'A' and model_b == 'B' and family == 'all pairs'")
    assert same["finding"].tolist() == ["equivalent"]
    against = verdicts.query("family == 'reference'")
    assert set(against["model_b"]) == {"B"}
    assert set(against["model_a"]) == {"A", "C"}


def test_unpaired_models_have_bands_and_no_verdicts() -> None:
    rows = in_folds()
    fewer = scored(rows, "B", 0.2, 3).query("instance != '003'")
    tables = tables_of(predictions(scored(rows, "A", 3.0, 2), fewer))
    assert tables["verdicts"].empty
    assert tables["comparisons"].empty
    assert set(tables["bands"]["model"]) == {"A", "B"}
    assert not tables["crossovers"].empty
    check_results(tables)


def levels(seed: int, count: int, size: int) -> pd.DataFrame:
    """B has few distinct scores, A the same with jitter that says nothing: equal best costs."""
    rng = np.random.default_rng(seed)
    rows = in_folds(instances=2 * size, repeats=1, folds=1).sort_values("label", ascending=False)
    coarse = np.floor(rng.normal(size=len(rows)) + rows["label"] + count / 2 - 0.5)
    coarse = np.clip(coarse, 0, count - 1)
    fine = coarse + 0.5 * rng.random(len(rows))
    return predictions(rows.assign(model="A", score=fine), rows.assign(model="B", score=coarse))


def test_without_folds_more_distinct_scores_are_no_merit() -> None:
    """How often a verdict errs here is simulated: `test_verdict_error`."""
    promised, delivered = [], []
    for seed in range(20, 24):
        tables = tables_of(levels(seed, 4, 50))
        check_results(tables)
        areas = tables["measures"].query("level == 'pooled'").set_index("model")["area"]
        promised.append(areas["A"] - areas["B"])
        pieces = tables["headline"].query("estimate == 'cross-fitted'")
        width, height = pieces["pc_to"] - pieces["pc_from"], pieces["nec_from"] + pieces["nec_to"]
        areas = (width * height / 2).groupby(pieces["model"]).sum()
        delivered.append(areas["A"] - areas["B"])
    assert max(promised) < -0.005
    assert np.mean(delivered) > 0 > np.mean(promised)


def test_in_sample_curves_have_no_verdict() -> None:
    tables = tables_of(levels(5, 4, 5))  # too few to be split
    check_results(tables)
    assert set(tables["headline"]["estimate"]) == {"in-sample selection"}
    measures = tables["measures"]
    assert measures.loc[measures["headline"], "level"].tolist() == ["repeat", "repeat"]
    only = tables["verdicts"].iloc[0]
    assert tables["verdicts"]["finding"].tolist() == ["undecided"]
    assert (only["reason"], only["pc_from"], only["pc_to"]) == ("in-sample selection", 0, 1)
    assert only["largest_difference"] < 0
    assert np.isnan([only["p_value"], only["low"], only["high"]]).all()
    assert np.isinf(only["projected"])
    assert tables["comparisons"]["line"].unique().tolist() == ["difference"]
    assert tables["crossovers"][["to_low", "to_high"]].isna().all(axis=None)
    assert set(tables["crossovers"]["estimate"]) == {"in-sample selection"}


def test_a_narrow_stretch_is_withdrawn_by_name_and_nothing_else() -> None:
    places = np.array([0.0, 0.5, 0.503, 1.0])
    jagged = Curve(places, [0.01, -0.2, 0.01], [0.01, -0.2, 0.01])
    measures = pd.DataFrame(
        {"dataset": ["d"], "instances": 400, "repeats": 3, "folds": 5, "prior": 0.2}
    )
    zeros = np.random.default_rng(0).normal(0, 0.02, (200, 4))
    pair = pair_of(jagged, places, zeros)
    result = verdicts(measures, [pair], INFERENCE)
    assert result["finding"].tolist() == ["undecided"] * 3
    assert result["reason"].tolist() == ["", "narrow", ""]
    narrow = result.iloc[1]
    assert (narrow["pc_from"], narrow["pc_to"]) == (0.5, 0.503)
    assert narrow["high"] < 0
    assert (result["p_value"] > 0.1).all()
    assert (result["projected"] > 400).all()


def pair_of(estimate: Curve, places: Floats, values: Floats) -> Pair:
    """A pair with this difference and its resamples, of 100 negatives and 300 positives."""
    drawn = weights(np.repeat([0, 1], [100, 300]), len(values), np.random.default_rng(1))
    each, none = (
        resampled_curve(curve, places, heights, drawn, False)
        for curve, heights in ((estimate, values), (line(0, 0), 0 * values))
    )
    both = difference(each, none)
    return Pair("all pairs", "A", "B", both, both, {}, np.zeros(0), 0.9, both.p_value, "")


def many(models: int) -> tuple[pd.DataFrame, Tables]:
    """Many models and their headline curves."""
    rows = in_folds(instances=30, repeats=1, folds=2)
    given = predictions(*(scored(rows, f"M{i}", 1.0, i) for i in range(models)))
    counts = counted(given, seed=3)
    points = operating_points(counts)
    chosen = headline(points, hybrids(counts, "repeat", Selection()))
    return given, {"operating_points": points, "headline": chosen}


@pytest.mark.parametrize(
    ("models", "confidence", "asked", "drawn"),
    [(4, 0.8, 40, 40), (4, 0.9, 40, 59), (14, 0.95, 2000, 2000), (21, 0.9, 2000, 2099)],
)
def test_as_many_resamples_are_drawn_as_all_pairs_need(
    models: int, confidence: float, asked: int, drawn: int
) -> None:
    inference = {"confidence": confidence, "resamples": asked}
    given, tables = many(models)
    result = resampled(given, tables, "repeat", **inference)
    assert result.resamples == len(result.weights) == result.heights.shape[1] == drawn
    points, chosen = tables["operating_points"], tables["headline"]
    compared = pairs(given, points, chosen, result, confidence=confidence)
    strictest = max(compared, key=lambda pair: pair.confidence)
    share = (1 - confidence) / (models * (models - 1) / 2)
    assert strictest.confidence == pytest.approx(1 - share)
    band = strictest.comparison.simultaneous(strictest.confidence)  # enough resamples to read it
    assert np.isfinite([band.lower(0.5), band.upper(0.5)]).all()


def test_one_model_is_compared_with_the_constant_decisions_by_as_many() -> None:
    rows = in_folds(repeats=1)
    alone = predictions(scored(rows, "alone", 1.0, 2))
    tables = tables_of(alone, resamples=10, confidence=0.97)
    assert tables["not_ruled_out"]["pc_to"].max() == 1
    result = resampled(alone, tables, "repeat", resamples=10, confidence=0.97)
    assert result.resamples == 33  # or the largest of them is no rarer than 0.03


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.97, 0.9993])
def test_the_band_of_the_papers_has_as_many_resamples_as_its_two_edges_take(
    confidence: float,
) -> None:
    alone = predictions(decided(in_folds(repeats=1, folds=1), "alone", ["000"]))
    tables = tables_of(alone, resamples=1, confidence=confidence, band="bootstrap")
    assert tables["bands"]["method"].eq("bootstrap").any()


def test_more_models_than_resamples_can_tell_apart_are_refused_before_they_are_drawn() -> None:
    message = (
        "d: 23 models are 253 pairs, which share the error of a level of 0.95: that takes 5059 "
        "resamples, expected 5000 at most; set inference.resamples to 5059 or more"
    )
    rows = in_folds(repeats=1, folds=1)
    given = predictions(*(decided(rows, f"M{i}", [f"{i:03}"]) for i in range(23)))
    points = points_of(given, seed=3)
    tables = {"operating_points": points, "headline": headline(points, HYBRIDS.empty())}
    with pytest.raises(InputError, match=re.escape(message)):
        resampled(given, tables, "repeat", confidence=0.95)


@pytest.mark.parametrize(("models", "begun"), [(1, "a"), (2, "a"), (3, "3 models are 3 pairs")])
def test_a_level_that_takes_more_resamples_than_are_drawn_unasked_is_refused(
    models: int, begun: str
) -> None:
    asked = Inference(confidence=0.99992, resamples=70)
    result, needed = asked.too_many(models), (12_499, 37_499)[models > 2]
    assert result.startswith(begun)
    assert f" takes {needed} resamples, expected 5000 at most; set inference.resamples" in result
    other = "compare fewer models" if models > 2 else "lower inference.confidence"
    assert result.endswith(f" to {needed} or more, or {other}")
    assert replace(asked, resamples=needed).too_many(models) == ""
    assert replace(asked, resamples=needed - 1).too_many(models)


def test_resamples_survive_their_file(tmp_path: Path) -> None:
    path = tmp_path / "draws.npz"
    models = good_and_bad()
    tables = tables_of(models)
    result = resampled(models, tables, "repeat")
    write_resamples(result, path)
    first = path.read_bytes()
    write_resamples(result, path)
    assert path.read_bytes() == first
    read = read_resamples(path)
    assert read.models == result.models
    assert read.dataset == result.dataset == "d"
    assert np.array_equal(read.heights, result.heights)
    assert read.weights.dof == result.weights.dof


def test_the_draws_follow_from_seed_and_dataset_only() -> None:
    models = good_and_bad()
    shuffled = models.sample(frac=1, random_state=1).sort_values("model", ascending=False)
    tables = tables_of(models)
    first, same, *others = (
        resampling(
            given,
            tables["headline"],
            level="repeat",
            marked=[],
            inference=INFERENCE,
            seed=seed,
            dataset=name,
        ).heights
        for given, seed, name in (
            *((models, 1, "d"), (shuffled, 1, "d")),
            *((models, 2, "d"), (models, 1, "x")),
        )
    )
    assert first == pytest.approx(same, abs=1e-12)  # other sums over folds round differently
    assert all(np.abs(first - other).max() > 0.01 for other in others)


@pytest.mark.parametrize("with_trivial", [True, False])
def test_a_mean_of_costs_has_an_interval_of_what_a_mean_can_be(with_trivial: bool) -> None:
    """Of a model without mistakes, and of one that could not do worse."""
    grid, draws = np.array([0, 0.5, 1]), weights([0, 0, 0, 1, 1], 50, np.random.default_rng(3))
    most = trivial() if with_trivial else line(1, 1)
    for curve in (line(0, 0), most):
        heights = np.broadcast_to(curve(grid), (50, 3))
        part = resampled_curve(curve, grid, heights, draws, with_trivial)
        low, estimate, high = replace(part, bounds=None).scalar(Curve.area, 0.8)
        assert low < 0 or high > most.area()
        result = part.scalar(Curve.area, 0.8)
        assert result == (max(low, 0), estimate, min(high, most.area()))


def test_whom_a_verdict_calls_more_expensive_is_out_of_the_running() -> None:
    """Sign changes decide more than the resamples by which models are out of the running."""
    rows = in_folds(60, repeats=1, folds=5)
    wrong = [f"{number:03d}" for number in range(1, 29, 2)]
    models = decided(rows, "A", ["000"]), decided(rows, "B", wrong), decided(rows, "C", ["001"])
    tables = tables_of(predictions(*models))
    ends = tables["verdicts"].query("model_a == 'A' and finding == 'A cheaper'")["pc_to"]
    stood = tables["not_ruled_out"].query("decision == 'B'")
    assert stood["standing"].tolist() == ["ruled out", "not ruled out"]
    assert stood["pc_to"].iloc[0] == pytest.approx(ends.item(), abs=1e-9)
