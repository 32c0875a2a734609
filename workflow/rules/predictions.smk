"""
Raw predictions, checked and copied before anything is computed from them.

INPUTS: the prediction files that the configuration names.
OUTPUTS: predictions/{dataset}.parquet (the staged copy, read by all later rules) and
predictions/{dataset}.json (path, sha256 and rows of each source).
"""


rule predictions:
    """
    Check the predictions of {wildcards.dataset} against the input contract and stage a copy.
    """
    input:
        files=lambda wildcards: DATASETS[wildcards.dataset].predictions,
        code=code("predictions"),
    output:
        table=f"{RESULTS}/predictions/{{dataset}}.parquet",
        sources=f"{RESULTS}/predictions/{{dataset}}.json",
    log:
        f"{LOGS}/predictions/{{dataset}}.log",
    params:
        dataset=lambda wildcards: DATASETS[wildcards.dataset].plain(),
    message:
        "{wildcards.dataset}: checking and staging {input.files}"
    script:
        "../scripts/predictions.py"
