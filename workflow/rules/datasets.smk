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
        measures=unweighted(table("measures")),
        verdicts=unweighted(table("verdicts")),
        crossovers=unweighted(table("crossovers")),
    output:
        f"{RESULTS}/map.parquet",
        stamp=f"{RESULTS}/stamps/map",
    log:
        f"{LOGS}/map.log",
    localrule: True
    resources:
        mem_mb=memory,
    params:
        voters={one.name: one.in_files for one in STUDY.datasets},
        inference=STUDY.inference.plain(),
        seed=STUDY.seed,
        chosen=STUDY.map.models,
        stamp=stamp,
    message:
        "Mapping all datasets"
    run:
        work("map", input, output, params, wildcards, log)


rule check_map:
    """
    Hold the map to what must be true of any.
    """
    input:
        map=rules.map.output[0],
        verdicts=unweighted(table("verdicts")),
    output:
        f"{RESULTS}/check_map.parquet",
        stamp=f"{RESULTS}/stamps/check_map",
    log:
        f"{LOGS}/check_map.log",
    localrule: True
    resources:
        mem_mb=memory,
    params:
        stamp=stamp,
    message:
        "Checking the map"
    run:
        work("check_map", input, output, params, wildcards, log)


rule map_figures:
    """
    Draw what ways of choosing a threshold cost, the map of one pair of models, and small maps of all pairs.
    """
    input:
        map=rules.map.output[0],
        checked=rules.check_map.output[0],
        measures=unweighted(table("measures")),
        verdicts=unweighted(table("verdicts")),
        hybrids=unweighted(table("hybrids")),
        intervals=unweighted(table("intervals")),
    output:
        directory(f"{RESULTS}/map_figures"),
        stamp=f"{RESULTS}/stamps/map_figures",
    log:
        f"{LOGS}/map_figures.log",
    localrule: True
    resources:
        mem_mb=memory,
    params:
        title=STUDY.title,
        titles=[[one.name, one.title] for one in STUDY.datasets],
        stamp=stamp,
    message:
        "Drawing all datasets"
    run:
        work("map_figures", input, output, params, wildcards, log)
