"""Parameters and inputs of rules, by one dry run of a study without a default or a symmetry."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.small_study import copied_root, folds_of, scored, snakemake

COMPARED = {"confidence": 0.8, "resamples": 70, "baseline": "Trees", "equivalence": 0.01}
INFERENCE = {**COMPARED, "unit": "nadeau-bengio", "band": "normal"}
SAID = {"title": "Wine!", "prior": 0.3, "expected": ["block-folds"]}
WINE = {**SAID, "costs": {"unit": "EUR"}}
LIMITS = {"max_fp_rate": 0.15, "capacity": "30%"}
SELECTION = {"score_threshold": 0.4, "rate": 0.3, **LIMITS}
PRIOR = {"kind": "beta", "a": 2, "b": 5}
CLAIM = {"models": ["Bayes", "Trees"], "kind": "cheaper", "datasets": ["wine"]}
WRITTEN = {"study.yaml", "given.json", ".snakemake"}  # by this test, and by the engine itself
PLACES = [{"pc": 0.2}, {"cost_ratio": 4}, {"pc": 0.7, "name": "many"}]


class Planned(NamedTuple):
    """What the rules of a study would do."""

    params: dict[str, Any]
    inputs: dict[str, set[str]]
    memory: dict[str, int]

    def of(self, stage: str, batch: str = "wine") -> dict[str, Any]:
        values: dict[str, Any] = self.params[f"{stage}/{batch}"]
        return values


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    folder = tmp_path_factory.mktemp("rules")
    rows = scored(folds_of(24, 3, 2, seed=1), "Bayes", 2.0, 2)
    rows.assign(cost_fp=1.0, cost_fn=3.0).to_csv(folder / "rows.csv", index=False)
    read = {"predictions": ["rows.csv"]}
    study = {
        "study": "asked",
        "seed": 7,
        "level": "fold",
        "operating_conditions": PLACES,
        "prior": PRIOR,
        "inference": INFERENCE,
        "selection": SELECTION,
        "map": {"models": ["Trees", "Bayes"]},
        "claims": [{"claim": "It costs less.", **CLAIM}],
        "datasets": [
            {"name": "wine", **WINE, **read},
            {"name": "sonar", "predictions": ["rows.csv", "large.csv"]},
        ],
    }
    (folder / "large.csv").write_bytes(bytes(2**21))
    (folder / "study.yaml").write_text(json.dumps(study))
    root = copied_root(folder / "root")
    for file in (root / "workflow" / "rules").glob("*.smk"):  # a job with a message lists no inputs
        file.write_text(re.sub(r"    message:\n +.*\n", "", file.read_text("utf-8")), "utf-8")
    stamps = root / "workflow" / "rules" / "stamps.smk"  # where all parameters are known
    made, asked = "        stamp = stamp_of(", "NOTED[f\"{name}/{batch or 'all'}\"] = params"
    text = stamps.read_text("utf-8").replace(made, f"        {asked}\n{made}")
    say = 'import json\nPath("given.json").write_text(json.dumps(NOTED))\n'
    stamps.write_text(f"NOTED = {{}}\n{text}\n{say}", "utf-8")
    run = snakemake(folder, "study.yaml", "--dry-run", root=root)
    assert run.returncode == 0, run.stderr + run.stdout
    assert {path.name for path in folder.iterdir()} <= {"rows.csv", "large.csv", "root", *WRITTEN}
    params = json.loads((folder / "given.json").read_text())
    said = run.stdout + run.stderr
    jobs = re.findall(r"rule (\w+):\n    input: (.*)\n    output: (\S+)", said)
    inputs: dict[str, set[str]] = {}
    for rule, given, made in jobs:
        inputs[f"{rule}/{Path(made.rstrip(',')).stem}"] = set(given.split(", "))
    needed = re.findall(
        r"rule (\w+):\n(?: .*\n)*?    output: (\S+).*\n(?: .*\n)*? .*mem_mb=(\d+)", said
    )
    memory = {f"{rule}/{Path(made.rstrip(',')).stem}": int(size) for rule, made, size in needed}
    return Planned(params, inputs, memory)


def test_levels_are_the_studys(planned: Planned) -> None:
    params = planned.of("comparisons")["inference"]
    assert {name: params[name] for name in INFERENCE} == INFERENCE
    alone = {"confidence": 0.8, "resamples": 70, "unit": "nadeau-bengio"}
    assert planned.of("resampling")["inference"] == alone
    assert planned.of("confidence")["inference"] == {"confidence": 0.8, "band": "normal"}
    assert planned.of("map", "all")["inference"]["confidence"] == 0.8
    for stage in ("confidence", "comparisons", "choices"):
        assert planned.of(stage)["confidence"] == 0.8, stage


def test_the_weight_of_pc_is_the_studys(planned: Planned) -> None:
    stages = ("duality", "confidence", "hybrids", "choices")
    for params in (*(planned.of(stage) for stage in stages), planned.of("claims", "all")):
        assert {name: params["prior"][name] for name in PRIOR} == PRIOR


def test_each_dataset_has_its_own_prior(planned: Planned) -> None:
    assert planned.of("duality")["priors"] == {"wine": 0.3}
    assert planned.of("duality", "wine--costs")["priors"] == {"wine": 0.3}
    assert planned.of("duality", "sonar")["priors"] == {"sonar": None}


def test_what_is_said_of_a_dataset_is_read_with_it_only_if_rows_depend_on_it(
    planned: Planned,
) -> None:
    (drawn,), (read,) = (planned.of(stage)["datasets"] for stage in ("figures", "predictions"))
    costs = drawn["costs"]
    assert {**drawn, "costs": {"unit": costs["unit"]}}.items() >= WINE.items()
    said = {"title": "wine", "prior": None, "costs": {**costs, "unit": ""}}
    assert read == {**drawn, **said, "expected": []}
    assert read["baseline"] == "Trees"


def test_the_level_of_averages_is_the_studys(planned: Planned) -> None:
    stages = ("averages", "hybrids", "duality", "resampling", "choices", "figures")
    for params in (*(planned.of(stage) for stage in stages), planned.of("claims", "all")):
        assert params["level"] == "fold"


def test_marked_conditions_are_the_studys(planned: Planned) -> None:
    stages = ("duality", "resampling", "confidence", "choices", "figures")
    for params in (*map(planned.of, stages), planned.of("claims", "all")):
        found = [(one["name"], one["pc"]) for one in params["operating_conditions"]]
        assert found == [("PC(+) = 0.2", 0.2), ("4:1", None), ("many", 0.7)]
    for job in ("resampling/wine", "confidence/wine", "claims/claims"):  # these know the prior
        assert any(file.endswith("/measures/wine.parquet") for file in planned.inputs[job]), job


def test_ways_of_choosing_are_the_studys(planned: Planned) -> None:
    for params in (planned.of("hybrids"), planned.of("choices"), planned.of("claims", "all")):
        assert {name: params["selection"][name] for name in SELECTION} == SELECTION


def test_only_views_by_cost_are_weighted(planned: Planned) -> None:
    assert not planned.of("confidence")["weighted"]
    assert planned.of("confidence", "wine--costs")["weighted"]
    assert not planned.of("confidence", "sonar")["weighted"]


def test_seed_and_pair_are_the_studys(planned: Planned) -> None:
    assert planned.of("resampling")["seed"] == 7
    assert planned.of("map", "all")["seed"] == 7
    assert planned.of("map", "all")["chosen"] == ["Trees", "Bayes"]


def test_the_map_counts_unweighted_datasets(planned: Planned) -> None:
    for job in ("map/map", "check_map/check_map", "map_figures/map_figures"):
        given = planned.inputs[job]
        assert not [file for file in given if "--costs" in file]
        assert {f"results/asked/verdicts/{name}.parquet" for name in ("wine", "sonar")} <= given
    stages = ("measures", "verdicts", "crossovers")
    unweighted = {f"results/asked/{stage}/sonar.parquet" for stage in stages}
    assert unweighted <= planned.inputs["map/map"]


def test_nothing_is_shown_of_results_that_were_not_checked(planned: Planned) -> None:
    for batch in ("wine", "sonar", "wine--costs"):
        checked = f"results/asked/check_results/{batch}.parquet"
        assert checked in planned.inputs[f"figures/{batch}"]
        assert checked in planned.inputs["report/reported"]
        assert f"results/asked/verdicts/{batch}.parquet" in planned.inputs[f"check_results/{batch}"]
    assert "results/asked/check_map.parquet" in planned.inputs["map_figures/map_figures"]
    assert "results/asked/check_claims.parquet" in planned.inputs["report/reported"]


def test_memory_grows_with_the_sources(planned: Planned) -> None:
    assert planned.memory.keys() >= planned.inputs.keys() - {"all"}
    for stage in ("predictions", "cost_lines", "figures"):
        assert planned.memory[f"{stage}/wine"] == planned.memory[f"{stage}/wine--costs"] == 900
        assert planned.memory[f"{stage}/sonar"] == 920
    assert planned.memory["report/reported"] == planned.memory["map/map"] == 920
