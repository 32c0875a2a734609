"""
What each rule is told, as a file that is written where its content changes, before any job runs.

A table made with other parameters is then older than one of its inputs, and made again, whatever
became of the engine's bookkeeping. With that alone, where a job had failed its old table was gone,
and those made from it passed for current, as nothing they were told themselves had changed.

INPUTS: the parameters of all rules.
OUTPUTS: told/{stage}/{batch}.json, hashed.json
"""

from types import SimpleNamespace

from costcurves.errors import refused
from costcurves.jobs import remember

try:
    for stage, path in TOLD.items():
        values = dict(getattr(rules, stage).params.items())
        for name in BATCHES if "{batch}" in path else ["all"]:
            remember(
                path.format(batch=name),
                {
                    key: (
                        value(SimpleNamespace(batch=name)) if callable(value) else value
                    )
                    for key, value in values.items()
                },
            )
    if not LOCKED:
        remember(f"{RESULTS}/hashed.json", HASHED)
except OSError as error:
    sys.exit(f"\n{refused(error) or error}\n")
