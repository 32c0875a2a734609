"""`costcurves report`: the report of a study, or of bare prediction files."""

import json
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

from costcurves.command import init, workflow
from costcurves.command.answers import answers_of, print_answer
from costcurves.command.ending import FINE, USAGE, CommandError, of_usage, write_new
from costcurves.command.reading_options import reading
from costcurves.command.workflow import flag
from costcurves.names import not_local
from costcurves.printing import say
from costcurves.settings import Study
from costcurves.study.reading import read_study
from costcurves.study.strict_yaml import read_document, read_text
from costcurves.tables.record.places import check_places, receipt_of

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
OPTIONS: Final = {
    "files": {
        "nargs": "+",
        "metavar": "CONFIG-or-FILE",
        "help": "one configuration (.yaml), or prediction files",
    },
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
    engine = workflow.where(options.cores, options.profile)
    # In place of what the configuration says.
    asked: dict[str, Any] = {"pdf": False} if options.html else {}
    if options.quick and options.appendix:
        raise CommandError(USAGE, "--quick leaves out what --appendix adds: give one of them")
    asked |= {"detail": "quick"} if options.quick else {}
    asked |= {"appendix": True} if options.appendix else {}
    config = config_of(options) or initial(options)
    study = study_of(config, asked)
    if options.dry_run:
        listing = "--dry-run", "--quiet", "rules"
        return workflow.snakemake(config, [*engine, *changed(asked), *listing])
    if options.unlock:
        workflow.snakemake(config, [*engine, "--unlock"])
    fresh = built(config, study, engine, asked, quiet=options.quiet)
    report = Path("reports", study.name)
    if options.json:
        pages = [str(page) for page in sorted(report.glob("*.[hp]*"))]
        say(*json.dumps({"pages": pages, "what_to_use": answers_of(report)}, indent=1).split("\n"))
    else:
        print_answer(study.name, fresh=fresh)
    if options.open:
        webbrowser.open((report / "report.html").resolve().as_uri())
    return FINE


def initial(options: Namespace) -> Path:
    """Write the configuration of prediction files beside them, unless one there says the same."""
    with redirect_stdout(sys.stderr if options.json else sys.stdout):  # how they were read
        name, text, _ = init.initial_study(options, compared=True)
    config = Path(options.files[0]).with_name(f"{name}.yaml")
    if not config.exists():
        write_new(config, text)
        with redirect_stdout(sys.stderr if options.json else sys.stdout):
            say(f"Wrote {config}, the configuration of this study")
    elif read_document(config).content != read_text(text, name).content:
        why = "is not the configuration that these files and options make"
        mend = f"to build what it says: costcurves report {config}"
        raise CommandError(USAGE, f"{config}: exists, and {why}; {mend}; else remove it")
    return config


def config_of(options: Namespace) -> Path | None:
    """Give the configuration that a command was given, by its name; None: prediction files."""
    names = [file for file in options.files if file.lower().endswith((".yaml", ".yml"))]
    configs = [file for file in names if not_local(file) is None]  # a URL is none
    if not configs:
        return None
    said = options.positive, options.study, options.truth, options.classes, reading(options).given()
    if len(options.files) > 1 or said != (None, None, None, None, {}):
        alone = "a configuration is given alone, and says 'positive:', 'format:' and all itself"
        raise CommandError(USAGE, f"{configs[0]}: {alone}")
    return Path(configs[0])


def study_of(config: Path, asked: Mapping[str, Any] | None = None) -> Study:
    """Read a study, with what was `asked` in place of keys; one that can't be used is refused."""
    with of_usage():
        study = read_study(config, asked)
        check_places(study, [config])
    return study


def built(
    config: Path,
    study: Study,
    engine: Sequence[str],
    asked: Mapping[str, Any] | None = None,
    *,
    quiet: bool = False,
) -> bool:
    """Build a study's report in the current folder, and return whether that made a new one.

    `study` is that of the configuration with what was `asked` in place of its keys.
    """
    before = _built_at(study)
    workflow.build(config, [*engine, *changed(asked or {})], quiet=quiet)
    return _built_at(study) != before


def changed(asked: Mapping[str, Any]) -> list[str]:
    """Write for the engine what is asked in place of keys; the command itself prints the answer."""
    return ["--config", "print_answer=False", *(f"{key}={value}" for key, value in asked.items())]


def _built_at(study: Study) -> int:
    receipt = receipt_of(study.name)
    return receipt.stat().st_mtime_ns if receipt.is_file() else 0
