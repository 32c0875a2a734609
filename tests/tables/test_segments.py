"""What each model costs for whom, against slow sums, case by case."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import costcurves as cc
from costcurves.errors import InputError
from costcurves.predictions.asking import of_files
from costcurves.predictions.staged import stage
from costcurves.study.initial import find_datasets, initial_config
from costcurves.study.reading import parse_study
from costcurves.tables.inference.segments import FEWEST, segments

RATIOS = (0.4, 3)
SETTINGS = {
    "operating_conditions": [{"cost_ratio": one} for one in RATIOS],
    "inference": {"resamples": 40},
}
LEVEL = 0.8


def rig(count: int = 420) -> dict[str, Any]:
    """Cases of unequal sites and sexes; one model is bad at one site; one decides by itself."""
    rng = np.random.default_rng(12)
    z = rng.normal(size=count)
    site = rng.choice(["north", "south", "", "isle"], count, p=[0.5, 0.3, 0.17, 0.03])
    y = (rng.random(count) < 1 / (1 + np.exp(-2 * z + 1.2))).astype(int)
    noisy = z + np.where(site == "south", 2.5, 0.4) * rng.normal(size=count)
    return {
        "y": y,
        "models": {"noisy": noisy, "rule": z > 0.3, "plain": z + 0.7 * rng.normal(size=count)},
        "segments": {"site": site, "sex": rng.choice(["f", "m"], count, p=[0.35, 0.65])},
        "weight": rng.choice([1.0, 2.0, 0.5], count),
        "cluster": rng.integers(0, count // 3, count),
    }


@pytest.fixture(scope="module")
def compared() -> cc.Comparison:
    own = rig()
    return cc.compare_models(
        own["y"],
        own["models"],
        segments=own["segments"],
        sample_weight=own["weight"],
        settings=SETTINGS,
        confidence=LEVEL,
    )


def decided(found: cc.Comparison, model: str, pc: float, scores: Any) -> list[bool]:
    threshold = found[model].threshold_for(pc)
    return [bool(one) if np.isnan(threshold) else bool(one >= threshold) for one in scores]


def of_cases(found: cc.Comparison) -> Iterator[tuple[pd.Series, list[bool], list[int]]]:
    """Go through the rows, each with all decisions and the places of its cases."""
    own = rig()
    for _, row in found.segments.iterrows():
        flagged = decided(found, row["model"], row["pc"], own["models"][row["model"]])
        yield row, flagged, np.flatnonzero(own["segments"][row["by"]] == row["segment"]).tolist()


def test_each_segment_is_there_under_each_condition_and_model(compared: cc.Comparison) -> None:
    found = compared.segments
    expected = product(["1:2.5", "3:1"], ["noisy", "rule", "plain"])
    sites = [("site", ""), ("site", "isle"), ("site", "north"), ("site", "south")]
    each = [(c, m, *s) for c, m in expected for s in (*sites, ("sex", "f"), ("sex", "m"))]
    named = found[["condition", "model", "by", "segment"]].itertuples(index=False, name=None)
    assert sorted(named) == sorted((condition, *rest) for condition, *rest in each)


@pytest.mark.parametrize(
    "values",
    [
        ["2", "10", "100"],
        ["", "below 5", "below 18", "over 7"],
        ["5-9", "18-25", "18-39", "100-120"],
        ["0.25", "0.5", "1.125", "1.5"],
        ["-10", "-5", "5"],
        ["1e9 DM", "07", "7", "x"],
        ["9" * 199, "9" * 200, "isle"],
    ],
)
def test_values_are_in_the_order_of_their_numbers(values: list[str]) -> None:
    own = rig()
    size = np.random.default_rng(5).choice(values, len(own["y"]))
    models = {"plain": own["models"]["plain"]}
    found = cc.compare_models(own["y"], models, segments={"size": size}, settings=SETTINGS)
    assert found.segments["segment"].drop_duplicates().tolist() == values


def test_costs_and_rates_are_sums_over_cases(compared: cc.Comparison) -> None:
    own = rig()
    w, y = [Fraction(one) for one in own["weight"]], own["y"].tolist()
    share = sum((a for a, b in zip(w, y, strict=True) if b), Fraction(0)) / sum(w, Fraction(0))
    for row, flagged, cases in of_cases(compared):
        pc = Fraction(row["pc"])

        def cost(it: int, *, flag: bool, pc: Fraction = pc) -> Fraction:
            if y[it]:
                return Fraction(0) if flag else pc / share
            return (1 - pc) / (1 - share) if flag else Fraction(0)

        def mean(values: dict[int, Fraction]) -> float:
            whole = sum((w[it] for it in values), Fraction(0))
            return float(sum((w[it] * one for it, one in values.items()), Fraction(0)) / whole)

        loss = mean({it: cost(it, flag=flagged[it]) for it in cases})
        assert row["cost"] == pytest.approx(loss, abs=1e-13)
        assert row["cases"] == float(sum(w[it] for it in cases))
        assert row["positives"] == pytest.approx(float(sum(w[it] for it in cases if y[it])))
        constant = min(mean({it: cost(it, flag=flag) for it in cases}) for flag in (True, False))
        assert row["saved"] == pytest.approx(constant - loss, abs=1e-13)
        for name, of in (("hits", 1), ("alarms", 0)):
            rate = mean({it: Fraction(flagged[it]) for it in cases if y[it] == of})
            assert row[name] == pytest.approx(rate, abs=1e-13)
        assert row["flagged"] == pytest.approx(mean({it: Fraction(flagged[it]) for it in cases}))


def test_the_mean_over_segments_is_the_cost_of_the_threshold(compared: cc.Comparison) -> None:
    own = rig()
    for _, rows in compared.segments.groupby(["model", "pc", "by"]):
        model, pc = str(rows["model"].iloc[0]), float(rows["pc"].iloc[0])
        flagged = np.array(decided(compared, model, pc, own["models"][model]))
        weight, y = own["weight"], own["y"] == 1
        fn = np.average(~flagged[y], weights=weight[y])
        fp = np.average(flagged[~y], weights=weight[~y])
        found = np.average(rows["cost"], weights=rows["cases"])
        assert found == pytest.approx((1 - pc) * fp + pc * fn, abs=1e-13)


def test_small_segments_have_counts_alone(compared: cc.Comparison) -> None:
    own, found = rig(), compared.segments
    for (by, segment), rows in found.groupby(["by", "segment"]):
        of = own["y"][own["segments"][by] == segment]
        few = min(of.sum(), (1 - of).sum()) < FEWEST
        uncertain = ["cost_low", "hits_high", "alarms_low", "more", "more_low", "more_high"]
        assert rows[uncertain].isna().all(axis=None) == few
        assert few == (segment == "isle")
        assert rows[["cost", "flagged", "cases"]].notna().all(axis=None)


def ends_of(rate: float, size: float, level: float) -> tuple[float, float]:
    """Wilson's interval, of a rate of so many cases."""
    z = stats.norm.ppf((1 + level) / 2)
    middle = (rate + z**2 / (2 * size)) / (1 + z**2 / size)
    half = z / (1 + z**2 / size) * np.sqrt(rate * (1 - rate) / size + z**2 / (4 * size**2))
    return middle - half, middle + half


def sides(
    found: cc.Comparison, row: Any, level: float
) -> list[tuple[float, list[tuple[float, float, float]]]]:
    """Of the segment and of the rest: the cost, and what mistakes and the share add to it."""
    own = rig()
    y, weight = own["y"] == 1, own["weight"]
    flagged = np.array(decided(found, row["model"], row["pc"], own["models"][row["model"]]))
    share = np.average(y, weights=weight)
    inside = own["segments"][row["by"]] == row["segment"]
    made = []
    for of in (inside, ~inside):
        positives = np.average(y[of], weights=weight[of])
        miss, alarm = row["pc"] / share, (1 - row["pc"]) / (1 - share)
        misses, alarms = (
            np.average(it[of & of_class], weights=weight[of & of_class])
            for it, of_class in ((~flagged, y), (flagged, ~y))
        )
        parts = []
        for factor, values, cases in (
            (positives * miss, ~flagged, of & y),
            ((1 - positives) * alarm, flagged, of & ~y),
            (miss * misses - alarm * alarms, y, of),
        ):
            w, n = weight[cases], np.count_nonzero(cases)
            rate = np.average(values[cases], weights=w)
            error = np.sum((w * (values[cases] - rate)) ** 2) / w.sum() ** 2
            size = min(w.sum() ** 2 / np.sum(w**2), rate * (1 - rate) / error if error else n)
            ends = sorted(factor * end for end in ends_of(rate, size, level))
            parts.append((factor * rate, *ends))
        made.append((sum(part[0] for part in parts[:2]), parts))
    return made


def test_intervals_are_those_of_mistakes_together(compared: cc.Comparison) -> None:
    """Two sexes are one comparison, three large sites three: of three models at two conditions."""
    for _, row in compared.segments.dropna(subset=["more"]).iterrows():
        cost, parts = sides(compared, row, LEVEL)[0]
        down = np.sqrt(sum((at - low) ** 2 for at, low, _ in parts))
        up = np.sqrt(sum((high - at) ** 2 for at, _, high in parts))
        ends = (row["cost_low"], row["cost_high"])
        assert ends == pytest.approx((cost - down, cost + up), abs=1e-12)
        (one, inside), (other, rest) = sides(compared, row, 1 - (1 - LEVEL) / 24)
        assert row["more"] == pytest.approx(one - other, abs=1e-12)
        down = [at - low for at, low, _ in inside] + [high - at for at, _, high in rest]
        up = [high - at for at, _, high in inside] + [at - low for at, low, _ in rest]
        ends = (row["more_low"], row["more_high"])
        expected = one - other - np.linalg.norm(down), one - other + np.linalg.norm(up)
        assert ends == pytest.approx(expected, abs=1e-12)


def test_two_segments_are_each_others_rest(compared: cc.Comparison) -> None:
    sexes = compared.segments[compared.segments["by"] == "sex"].sort_values(["pc", "model"])
    one, other = (sexes[sexes["segment"] == segment] for segment in ("f", "m"))
    assert one["more"].to_numpy() == pytest.approx(-other["more"].to_numpy())
    assert one["more_low"].to_numpy() == pytest.approx(-other["more_high"].to_numpy())


def test_beside_a_tiny_segment_there_is_no_rest_to_compare_with() -> None:
    own = rig()
    lone = np.where(np.arange(len(own["y"])) < 12, "few", "most")
    models = {"plain": own["models"]["plain"]}
    found = cc.compare_models(own["y"], models, segments={"lot": lone}, settings=SETTINGS)
    few, most = (found.segments[found.segments["segment"] == lot] for lot in ("few", "most"))
    assert few[["cost_low", "more"]].isna().all(axis=None)
    assert most["cost_low"].notna().all()
    assert most["more"].isna().all()


def test_a_segment_that_is_badly_served_is_found(compared: cc.Comparison) -> None:
    found = compared.segments
    apart = found[(found["more_low"] > 0) | (found["more_high"] < 0)]
    worst = apart.sort_values("more").iloc[-1]
    assert (worst["model"], worst["segment"]) == ("noisy", "south")


@pytest.mark.filterwarnings("ignore:Every case occurs several times")
def test_cases_of_a_cluster_stay_together() -> None:
    """Each case twice is no more than each once, if both are said to be of one cluster."""
    own = rig()
    twice = {"plain": np.repeat(own["models"]["plain"], 2)}
    sexes, y = np.repeat(own["segments"]["sex"], 2), np.repeat(own["y"], 2)
    unit = np.repeat(np.arange(len(own["y"])), 2)
    one, other = (
        cc.compare_models(
            y, twice, segments={"sex": sexes}, settings=SETTINGS, groups=clusters
        ).segments
        for clusters in (None, unit)
    )
    first, second = (it[it["pc"] == it["pc"].max()] for it in (one, other))
    for name in ("cost", "hits", "alarms"):
        narrow, wide = (it[f"{name}_high"] - it[f"{name}_low"] for it in (first, second))
        assert (wide / narrow).to_numpy() == pytest.approx(np.sqrt(2), rel=0.06), name


def test_cases_that_weigh_nothing_change_nothing() -> None:
    """Nor are there segments, or classes in them, of which nothing else is left."""
    own = rig()
    site = own["segments"]["site"]
    weight = np.where(
        (site == "isle") | (site == "") & (own["y"] == 1) | (np.arange(420) % 7 == 3), 0.0, 1.0
    )
    found = []
    for of in (weight >= 0, weight > 0):
        compared = cc.compare_models(
            own["y"][of],
            {"noisy": np.round(own["models"]["noisy"])[of]},
            segments={"site": site[of]},
            sample_weight=weight[of],
            settings=SETTINGS,
        )
        threshold = compared.table("deployment")["threshold"].unique()
        found.append((compared.segments, threshold))
    (every, thresholds), (some, same) = found
    assert [*thresholds] == [*same]
    pd.testing.assert_frame_equal(every, some)
    assert [*every["segment"].unique()] == ["", "north", "south"]
    assert every.loc[every["segment"] == "", "hits"].isna().all()


def test_repeats_of_a_case_are_averaged() -> None:
    own = rig()
    score, count = own["models"]["plain"], len(own["y"])
    again = np.concatenate([score, score, score])
    layout: dict[str, Any] = {
        "repeats": np.repeat([1, 2, 3], count),
        "instance": np.tile(np.arange(count), 3),
        "folds": np.tile(np.arange(count) % 4, 3),
    }
    thrice = cc.compare_models(
        np.tile(own["y"], 3),
        {"plain": again},
        segments={"sex": np.tile(own["segments"]["sex"], 3)},
        settings=SETTINGS,
        **layout,
    )
    once = cc.compare_models(
        own["y"],
        {"plain": score},
        segments={"sex": own["segments"]["sex"]},
        settings=SETTINGS,
        folds=np.arange(count) % 4,
    )
    for name in ("cost", "cost_low", "hits_high", "alarms", "more", "more_low"):
        assert thrice.segments[name].to_numpy() == pytest.approx(once.segments[name].to_numpy())


def test_a_member_of_a_family_is_judged_by_its_own_predictions(tmp_path: Path) -> None:
    own = rig(80)
    parts = [
        pd.DataFrame(
            {
                "model": "family",
                "member": name,
                "instance": np.arange(80),
                "label": own["y"],
                "decision": (own["models"]["plain"] > cut).astype(int),
                "segment_sex": own["segments"]["sex"],
            }
        )
        for name, cut in (("low", -0.5), ("high", 0.9))
    ]
    frame = pd.concat(parts)
    frame.to_csv(tmp_path / "f.csv", index=False)
    staged = stage(of_file(tmp_path / "f.csv"))
    named = {"model": "family", "pc_from": 0.0, "pc_to": 1.0, "threshold": np.nan}
    for part in parts:
        member = part["member"].iloc[0]
        deployment = pd.DataFrame([{**named, "member": member}])
        condition = [{"name": "here", "pc": 0.3}]
        keys = {"prior": float(frame["label"].mean()), "confidence": LEVEL}
        found = segments(staged, deployment, condition, weighted=False, **keys)
        for row in found.to_dict("records"):
            inside = part["segment_sex"] == row["segment"]
            assert row["flagged"] == pytest.approx(part.loc[inside, "decision"].mean())


def of_file(path: Path, **more: Any) -> Any:
    content = {"study": "one", "datasets": [{"name": "one", "predictions": [str(path)], **more}]}
    return parse_study(content, source="one.yaml", files=False).datasets[0]


def wide(path: Path, **columns: Any) -> Path:
    own = rig(60)
    frame = pd.DataFrame({"id": range(60), "truth": own["y"], "p": own["models"]["plain"]})
    frame.assign(**columns).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("name", ["segment_site", "site"])
def test_wide_files_have_segments_and_these_are_no_models(tmp_path: Path, name: str) -> None:
    path = wide(tmp_path / "w.csv", **{name: np.arange(60) % 3})
    staged = stage(of_file(path, segments=["site"]))
    assert staged["model"].unique().tolist() == ["w"]
    assert staged["segments"].iloc[:3].tolist() == [f'{{"site": "{at}"}}' for at in range(3)]


def test_a_case_is_of_the_segment_that_any_of_its_rows_says(tmp_path: Path) -> None:
    base = {
        "instance": range(6),
        "label": [0, 1, 0, 1, 1, 0],
        "score": [0.1, 0.9, 0.4, 0.6, 0.7, 0.2],
    }
    sites = ["a", "b", "a", "", "b", "b"]
    pd.DataFrame({"model": "one", **base, "site": sites}).to_csv(tmp_path / "1.csv", index=False)
    pd.DataFrame({"model": "two", **base}).to_csv(tmp_path / "2.csv", index=False)
    dataset = of_file(tmp_path / "1.csv", segments=["site"])
    both = [str(tmp_path / "1.csv"), str(tmp_path / "2.csv")]
    staged = stage(type(dataset)(**{**vars(dataset), "predictions": tuple(both)}))
    said = staged.groupby("model", observed=True)["segments"].apply(list)
    assert said["one"] == said["two"]
    assert said["two"][3] == '{"site": ""}'


@pytest.mark.parametrize(
    ("sites", "why"),
    [
        (["a", "a"] * 30, "segments by 'site' are 1, expected 2 to 40; give ranges or groups"),
        ([f"{at}" for at in range(60)], "segments by 'site' are 60, expected 2 to 40"),
        (["a\u202e", "b"] * 30, "segment_site 'a\\u202e'"),
    ],
)
def test_segments_that_divide_nothing_are_refused(
    tmp_path: Path, sites: list[str], why: str
) -> None:
    path = wide(tmp_path / "w.csv", site=sites)
    with pytest.raises(InputError) as error:
        stage(of_file(path, segments=["site"]))
    assert why in str(error.value)


def test_a_name_of_segments_that_deceives_is_refused(tmp_path: Path) -> None:
    for name, why in (("\x1b[31mred", "control"), ("", "is blank"), ("x" * 300, "300 characters")):
        path = wide(tmp_path / "w.csv", **{f"segment_{name}": ["a", "b"] * 30})
        with pytest.raises(InputError, match=why):
            stage(of_file(path))


@pytest.mark.parametrize("values", [["a"] * 60, [""] * 60, [f"{at}" for at in range(60)]])
def test_what_divides_nothing_and_nobody_asked_for_is_left_alone(
    tmp_path: Path, values: list[str]
) -> None:
    path = wide(tmp_path / "w.csv", segment_lot=values)
    assert stage(of_file(path))["segments"].eq("").all()
    assert find_datasets(of_files([str(path)]))[0].segments == ()


@pytest.mark.parametrize(
    ("segments", "columns", "role"),
    [("fold", {}, "fold"), ("weight", {}, "weight"), ("ward", {"cluster": "ward"}, "cluster")],
)
def test_a_column_that_says_something_else_is_not_taken_away(
    segments: str, columns: dict[str, str], role: str
) -> None:
    with pytest.raises(InputError) as error:
        of_file(Path("w.csv"), segments=[segments], columns=columns)
    said = f"is '{segments}', which is the {role}; copy that column under another name"
    assert said in str(error.value)


def test_a_case_of_two_segments_is_refused(tmp_path: Path) -> None:
    rows = {"model": ["a", "b"] * 12, "instance": np.repeat(range(12), 2)}
    rows |= {"label": np.repeat([0, 1] * 6, 2), "score": np.linspace(0, 1, 24)}
    frame = pd.DataFrame({**rows, "site": np.repeat(["x", "y"] * 6, 2)})
    frame.loc[5, "site"] = "y"
    frame.to_csv(tmp_path / "f.csv", index=False)
    with pytest.raises(InputError) as error:
        stage(of_file(tmp_path / "f.csv", segments=["site"]))
    said = "line 7: instance '2' has segment site 'y', but 'x' in"
    assert said in str(error.value)


def test_a_segment_that_no_file_has_is_named(tmp_path: Path) -> None:
    path = wide(tmp_path / "w.csv")
    with pytest.raises(InputError, match="no column 'site', which 'segments:' names"):
        stage(of_file(path, segments=["site"]))


def test_a_configuration_that_is_written_names_segments_of_files(tmp_path: Path) -> None:
    path = wide(tmp_path / "w.csv", segment_site=["a", "b", "b"] * 20)
    (found,) = find_datasets(of_files([str(path)]))
    assert found.segments == ("site",)
    assert "  segments:\n  - site\n" in initial_config("one", [found], {})


def test_without_segments_there_is_no_row(compared: cc.Comparison) -> None:
    own = rig()
    found = cc.compare_models(own["y"], {"plain": own["models"]["plain"]}, settings=SETTINGS)
    assert found.segments.empty
    assert list(found.segments) == list(compared.segments)
