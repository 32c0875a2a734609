"""
What each job is to make its results of: a stamp, known before any job runs. Results that have another are made
again, whatever their dates say; others are not.

INPUTS: all rules, what the sources hold, and the code.
OUTPUTS: STAMPED (stamp file -> what its job is told), STALE (results to be made again); as a run begins, hashed.json and code.json
"""

from types import SimpleNamespace

from snakemake.common import async_run

from costcurves.code import code_hashes
from costcurves.stamps import discard, is_current, remember, stamp_of

CODE = code_hashes(Path(RESULTS, "stamps", "code.json"))
stale = set()
LAYERS = {"figures": "figures", "map_figures": "figures", "report": "report"}
UNSTAMPED = (
    "stamp",
    "compared",
    "claimed",
    "whole",
    "slugs",
)  # whether all models can be compared, and are those that are claimed, changes no result
MADE = {}  # file -> the stamp of the job that makes it


def files_of(inputs, wildcards):
    """The files of a rule's inputs for a batch."""
    for item in inputs:
        found = item(wildcards) if callable(item) else item
        for file in [found] if isinstance(found, str) else found:
            yield file.replace("{batch}", wildcards.batch)


def as_it_is(value):
    """A parameter that the engine does not look into: in a text it would fill in what is in braces."""
    return value if callable(value) else lambda wildcards: value


async def fetch(kept):
    """Bring a stamp here from the storage where results are kept, if one is there."""
    Path(kept.local_path()).unlink(missing_ok=True)
    if await kept.managed_exists():
        await kept.managed_retrieve()


for (
    name,
    own,
) in rules._rules.items():  # as they are written: in a module they have other names
    layer = LAYERS.get(name, "tables")
    for batch in BATCHES if "{batch}" in own.output.stamp else [""]:
        wildcards = SimpleNamespace(batch=batch)
        inputs = {file: MADE[file] for file in files_of(own.input, wildcards)}
        params = {
            key: value(wildcards) if callable(value) else value
            for key, value in own.params.items()
            if key not in UNSTAMPED
        }
        stamp = stamp_of(CODE[layer]["code"], params, inputs.values())
        outputs = list(files_of(own.output, wildcards))
        MADE.update(dict.fromkeys(outputs, stamp))
        told = {"stamp": stamp, "inputs": inputs, "layer": layer}
        file = own.output.stamp.apply_wildcards({"batch": batch})
        if file.is_storage and workflow.is_main_process:
            async_run(fetch(file.storage_object))
        STAMPED[file] = told | {"bytes": CODE[layer]["bytes"]}
        if not is_current(file, stamp):
            stale.update(outputs)
    for key, value in own.rule.params.items():
        setattr(own.rule.params, key, as_it_is(value))

if not (is_published(STUDY.name) and all(Path(one).is_file() for one in REPORT)):
    stale.add(REPORTED)
STALE.update(stale)  # as a whole, once all stamps are known


onstart:
    discard(STALE)
    # Known again as long as the files are untouched.
    remember(f"{RESULTS}/stamps/hashed.json", HASHED)
    remember(f"{RESULTS}/stamps/code.json", CODE)
    # Jobs on this computer need no limit to how many start in a second. With one (seen in 9.27) every job that
    # ends adds a timer that wakes the scheduler each second from then on: a third of the time of 100 datasets.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
