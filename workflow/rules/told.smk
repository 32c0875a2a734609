"""
What each rule is told, as a file that is written where its content changes, before any job runs.

A table made with other parameters is then older than one of its inputs, and made again, whatever
became of the engine's bookkeeping. That alone is not enough: where a job fails, its old table is
gone, and tables that were made from it pass for current, as nobody told them anything new.

INPUTS: the parameters of all rules.
OUTPUTS: told/{stage}/{batch}.json
"""

from types import SimpleNamespace

from costcurves.jobs import remember

for stage, batch in TOLD.items():
    for name in BATCHES if batch == "{batch}" else [batch]:
        values = getattr(rules, stage).params.items()
        remember(
            told(stage, name),
            {
                key: value(SimpleNamespace(batch=name)) if callable(value) else value
                for key, value in values
            },
        )
