"""
The study: its configuration, checked before any job runs, and the names that all rules share.

INPUTS: config/config.yaml, or what --configfile names.
OUTPUTS: STUDY, BATCHES (name -> datasets), THREADS, CONDITIONS, RESULTS and LOGS (folders), REPORT (the finished files),
REPORTED, CLAIMS, HASHED (source -> what it holds), STAMPED, STALE, sha256_of(), slugs(), stamp(), forced(), memory(), tables(),
table(), made(), every(), unweighted(), beside(), claimed(), kept_for_claims(), Yielding.
"""

import re
import shlex
import sys

from snakemake.executors.local import Executor

from costcurves.errors import InputError, refused
from costcurves.jobs import UNUSABLE, prepare, work
from costcurves.report.libraries import pdf_missing
from costcurves.tables.configuration.places import check_places, is_published
from costcurves.tables.configuration.stages import batches
from costcurves.tables.configuration.strict_yaml import read_document
from costcurves.tables.configuration.study import parse_study
from costcurves.tables.input.sources import hashed

if workflow.is_main_process and workflow.local_exec:
    prepare()

# Without our profile each job is a line for the shell, into which the engine (seen in 9.27) writes the path of Python
# without quotes.
Executor.get_python_executable = lambda self: shlex.quote(sys.executable)


try:
    # Strict: what the workflow's own reader of YAML lets pass is refused here.
    documents = [read_document(path) for path in workflow.configfiles]
    source = " + ".join(str(path) for path in workflow.configfiles)
    lines = documents[0].lines if len(documents) == 1 else None
    home = Path(*workflow.configfiles[-1:]).parent
    STUDY = parse_study(config, source=source, lines=lines, home=home)
    check_places(STUDY, workflow.configfiles)
except (InputError, OSError) as error:
    sys.stderr.write(f"\n{refused(error) or error}\n\n")
    sys.exit(UNUSABLE)

BATCHES = batches(STUDY.views)
THREADS = max(
    1, (workflow.cores or 1) // len(BATCHES)
)  # of a job that has work for several
VIEWS = {view for one in STUDY.claims for view in one.views}
CLAIMED = {  # batches of what claims are about, and whether by cost
    name: own[0].weighted
    for name, own in BATCHES.items()
    if any((one.name, one.weighted) in VIEWS for one in own)
}
CONDITIONS = [condition.plain() for condition in STUDY.operating_conditions]
RESULTS = f"results/{STUDY.name}"
LOGS = f"logs/{STUDY.name}"
STAMPED = {}  # stamp file -> what its job is told
STALE = set()  # results that are to be made again
REPORT = [f"reports/{STUDY.name}/report.html", f"reports/{STUDY.name}/manifest.json"]
if pdf_missing() is None:
    REPORT += [f"reports/{STUDY.name}/{edition}.pdf" for edition in STUDY.editions]
# Finished reports are none of the engine's files, which it removes before a job and restores after a failure.
# It knows this file instead, which holds the sha256 of the manifest that was published last.
REPORTED = local(f"{RESULTS}/reported")
# What the command reads stays here as well, where results are kept in a storage.
CLAIMS = local(f"{RESULTS}/claims.parquet")
# Sources are none of its files either: it would go by their dates, not by what they hold.
HASHED = hashed(
    (
        *STUDY.report.files(),
        *(file for one in STUDY.datasets for file in one.predictions),
    ),
    Path(RESULTS, "stamps", "hashed.json"),
)


wildcard_constraints:
    batch="|".join(re.escape(name) for name in BATCHES),


class Yielding(str):
    """A target that any rule of a workflow which takes this one as a module replaces."""

    def __bool__(self):
        return False


def sha256_of(files):
    """The sha256 of each source, or None if it can't be read."""
    return {file: HASHED[file]["sha256"] for file in files}


def slugs(wildcards):
    """The datasets of a batch, by what their files are called."""
    return [one.slug for one in BATCHES[wildcards.batch]]


def stamp(wildcards, output):
    """What a job is told of its stamp."""
    return STAMPED[output.stamp]


def forced(wildcards):
    """No file: jobs are planned as if what is stale were not there; it is removed as they begin."""
    if STALE and workflow.is_main_process:
        for known in (
            workflow.iocache.exists_local,
            workflow.iocache.exists_in_storage,
        ):
            known.update(dict.fromkeys(STALE, False))
    return []


def memory(wildcards, attempt):
    """Megabytes that a job may take: by the size of its sources, and more each time that it was too little."""
    datasets = BATCHES.get(wildcards.get("batch"), STUDY.datasets)
    files = {file for one in datasets for file in one.predictions}
    sizes = [
        Path(file).stat().st_size
        * (1 if file.endswith(".csv") else 4)  # what compresses
        for file in files
        if Path(file).is_file()
    ]
    return attempt * (900 + 10 * sum(sizes) // 2**20)


def tables(*names):
    """The tables of a stage by name, those that the study has; of one that it does not run, all."""
    wanted = [name for name in names if name in STUDY.stages] or names
    return {name: table(name) for name in wanted}


def table(stage):
    """The table of a stage for a batch of datasets."""
    return f"{RESULTS}/{stage}/{{batch}}.parquet"


def made(stage):
    """The table of a stage, if the study has that stage."""
    return [table(stage)] if stage in STUDY.stages else []


def every(table):
    """One table for each batch of the study."""
    return expand(table, batch=BATCHES)


def unweighted(table):
    """One table for each batch in which instances are unweighted, without the views by cost."""
    return expand(table, batch=batches(STUDY.datasets))


def beside(table):
    """For a batch of views by cost, the unweighted tables of the same datasets."""

    def files(wildcards):
        names = {one.name for one in BATCHES[wildcards.batch] if one.weighted}
        return of_datasets(table, names)

    return files


def claimed(table):
    """One table for each batch of what claims are about."""
    return expand(table, batch=CLAIMED)


def kept_for_claims(resamples):
    """What takes up to a thousand times the room of its predictions: kept while claims are worked on."""
    return resamples if STUDY.claims else temp(resamples)


def of_datasets(table, names):
    """One table for each batch in which instances are unweighted that has one of these datasets."""
    known = batches(STUDY.datasets).items()
    return expand(
        table,
        batch=[
            batch for batch, datasets in known if names & {one.name for one in datasets}
        ],
    )
