"""`costcurves report`: the report of a study, or of bare prediction files."""

import json
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

from costcurves.command import init, workflow
from costcurves.command.ending import FINE, USAGE, CommandError, configuring, write_new
from costcurves.command.reading_options import reading
from costcurves.command.workflow import flag
from costcurves.errors import refuse
from costcurves.names import not_local
from costcurves.printing import say, say_json
from costcurves.record.places import WHAT_TO_USE_FILE, check_places
from costcurves.settings import Inference, Study
from costcurves.study.reading import read_study
from costcurves.study.strict_yaml import read_document, read_text

DESCRIPTION: Final = """\
Build a report into reports/<study>/ in the current folder. Of a study it takes the configuration;
of prediction files it writes one beside them, with defaults, as 'costcurves init' does.
"""
EXAMPLES: Final = """\
examples:
  costcurves report config/config.yaml
  costcurves report predictions.csv
  costcurves report predictions.csv --dry-run
  costcurves report --study screening --positive ill screening-*.csv.gz
"""
FILES: Final = {
    "nargs": "+",
    "metavar": "CONFIG-or-FILE",
    "help": "one configuration (.yaml), or prediction files, as config/README.md has",
}
OPTIONS: Final = {
    "files": FILES,
    **init.OF_FILES,
    **workflow.OPTIONS,
    "--quick": flag("a first look: what is essential, from few resamples, without the PDF"),
    "--appendix": flag("add an appendix: further figures and tables of each dataset"),
    "--html": flag("the page alone, without the PDF"),
    "--json": flag("print what to use, and where the report is, as JSON"),
    "--dry-run": flag("list the jobs that would run, and run none"),
    "--open": flag("open the page in a browser"),
}


def run(options: Namespace) -> int:
    """Build the report; print what to use, and where the report is."""
    if options.quick and options.appendix:
        raise CommandError(USAGE, "--quick leaves out what --appendix adds: give one of them")
    changes: dict[str, Any] = {"pdf": False} if options.html else {}
    changes |= {"detail": "quick"} if options.quick else {}
    changes |= {"appendix": True} if options.appendix else {}
    with redirect_stdout(sys.stderr if options.json else sys.stdout):  # how files were read
        config = config_of(options) or initial(options)
    if options.dry_run:
        study_of(config, changes)
        listing = [*workflow.engine_options(options), "--dry-run", "--quiet", "rules"]
        return workflow.snakemake(config, listing, changes)
    study, fresh = built(config, options, changes)
    report = Path("reports", study.name)
    if options.json:
        pages = [str(page) for page in sorted(report.glob("*.[hp]*"))]
        answer = json.loads((report / WHAT_TO_USE_FILE).read_text("utf-8"))
        say_json({"pages": pages, "what_to_use": answer})
    else:
        workflow.print_answer(study.name, fresh=fresh)
    if options.open:
        webbrowser.open((report / "report.html").resolve().as_uri())
    return FINE


def initial(options: Namespace) -> Path:
    """Write the configuration of prediction files beside them, unless one there says the same."""
    name, text, datasets = init.initial_text(options)
    whys = {dataset.name: Inference().too_many(len(dataset.models)) for dataset in datasets}
    mend = "'costcurves init' writes the configuration where that can be set"
    refuse(f"{name}: {why}; {mend}" for name, why in whys.items() if why)
    config = Path(options.files[0]).with_name(f"{name}.yaml")
    if not config.exists():
        write_new(config, text)
        say(f"Wrote {config}, the configuration of this study")
    elif read_document(config).content != read_text(text, name).content:
        why = "exists, and is not the configuration that these files and options make"
        mend = f"to build what it says: costcurves report {config}; else remove it"
        raise CommandError(USAGE, f"{config}: {why}; {mend}")
    return config


def config_of(options: Namespace) -> Path | None:
    """Return the configuration that a command was given; None: prediction files."""
    refuse(why for file in options.files if (why := not_local(file)))
    configs = [file for file in options.files if file.lower().endswith((".yaml", ".yml"))]
    if not configs:
        return None
    given = [options.positive, options.study, options.truth, options.classes, options.unpaired]
    if len(options.files) > 1 or any(given) or reading(options).given():
        alone = "a configuration is given alone, and says 'positive:', 'format:' and all itself"
        raise CommandError(USAGE, f"{configs[0]}: {alone}")
    return Path(configs[0])


def study_of(config: Path, changes: Mapping[str, Any]) -> Study:
    """Read a study, with changes of its keys; one that can't be used or built is refused."""
    with configuring():
        study = read_study(config, changes)
        check_places(study, [config])
    return study


def built(config: Path, options: Namespace, changes: Mapping[str, Any]) -> tuple[Study, bool]:
    """Build a study's report in the current folder; return the study, and whether that was new."""
    study, engine = study_of(config, changes), workflow.engine_options(options)
    if options.unlock:
        workflow.snakemake(config, [*engine, "--unlock"], {})
    quiet = ["--quiet", "progress"] if options.quiet else []
    return study, workflow.build(config, study.name, [*engine, *quiet], changes, Path())
