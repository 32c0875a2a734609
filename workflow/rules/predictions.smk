"""
Raw predictions, checked and copied before anything is computed from them.

INPUTS: the prediction files that the configuration names.
OUTPUTS: predictions/{batch}.parquet (the staged copy, read by all later rules) and
predictions/{batch}.json (path, sha256 and rows of each source).
"""


rule predictions:
    """
    Check the predictions of {wildcards.batch} against the input contract and stage a copy.
    """
    input:
        forced,
    output:
        table=f"{RESULTS}/predictions/{{batch}}.parquet",
        sources=f"{RESULTS}/predictions/{{batch}}.json",
        stamp=f"{RESULTS}/stamps/predictions/{{batch}}",
    log:
        f"{LOGS}/predictions/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        datasets=lambda wildcards: [
            one.as_read.plain() for one in BATCHES[wildcards.batch]
        ],
        sources=lambda wildcards: sha256_of(
            file for one in BATCHES[wildcards.batch] for file in one.predictions
        ),
        compared=STUDY.inference.plain(),
        claimed=[one.plain() for one in STUDY.claims],
        stamp=stamp,
    message:
        "{wildcards.batch}: checking and staging predictions"
    run:
        work("predictions", input, output, params, wildcards, log)
