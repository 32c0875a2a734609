"""
All datasets together: verdicts are counted and observed costs vote; costs are never averaged.

INPUTS: measures, verdicts, crossovers of all datasets.
OUTPUTS: map.parquet, check_map.parquet, map_figures/.
"""


rule map:
    """
    Count along PC(+) on how many datasets which of two models is cheaper, and test whether the observed
    costs favour one on more datasets than chance allows: familywise over PC(+), over pairs by Holm.
    """
    input:
        measures=alike(table("measures")),
        verdicts=alike(table("verdicts")),
        crossovers=alike(table("crossovers")),
        code=code("map"),
        told=told("map", "all"),
    output:
        f"{RESULTS}/map.parquet",
    log:
        f"{LOGS}/map.log",
    params:
        voters={one.name: one.in_files for one in STUDY.datasets},
        inference=STUDY.inference.plain(),
        seed=STUDY.seed,
        chosen=STUDY.map_models,
    message:
        "Mapping all datasets"
    script:
        "../scripts/map.py"


rule check_map:
    """
    Hold the map to what must be true of any.
    """
    input:
        map=rules.map.output,
        verdicts=alike(table("verdicts")),
        code=code("check_map"),
    output:
        f"{RESULTS}/check_map.parquet",
    log:
        f"{LOGS}/check_map.log",
    message:
        "Checking the map"
    script:
        "../scripts/check_map.py"


rule map_figures:
    """
    Draw the map of one pair of models, and small maps of all pairs.
    """
    input:
        map=rules.map.output,
        checked=rules.check_map.output,
        measures=alike(table("measures")),
        verdicts=alike(table("verdicts")),
        code=code("map_figures"),
        told=told("map_figures", "all"),
    output:
        directory(f"{RESULTS}/map_figures"),
    log:
        f"{LOGS}/map_figures.log",
    params:
        title=STUDY.title,
        titles=[[one.name, one.title] for one in STUDY.datasets],
    message:
        "Drawing the map"
    script:
        "../scripts/map_figures.py"
