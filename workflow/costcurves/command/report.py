"""`costcurves report`: the report of a study, or of bare prediction files."""

import json
import sys
import tempfile
import webbrowser
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

from costcurves.code import bytes_of
from costcurves.command import init, workflow
from costcurves.command.answers import answers_of, in_words
from costcurves.command.ending import FINE, USAGE, CommandError, of_usage
from costcurves.command.reading_options import reading
from costcurves.command.workflow import Progress, flag
from costcurves.formats import counted
from costcurves.memory import remember, remembered
from costcurves.pipeline.plan import Plan, key_of, plan_of
from costcurves.printing import say
from costcurves.tables.configuration.names import not_local, some
from costcurves.tables.configuration.strict_yaml import read_document
from costcurves.tables.configuration.study import Study, read_study
from costcurves.tables.input.sources import ENDING, hashed, study_name
from costcurves.tables.record.manifest import check_unchanged, sha256
from costcurves.tables.record.places import HASHED, INITIAL, check_places

DESCRIPTION: Final = """\
Build a report into reports/<study>/ in the current folder. Of a study it takes the configuration;
of prediction files it makes a study with defaults, as 'costcurves init' would write it.
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
    "--annex": flag("all that can be computed and shown, in an annex to the report"),
    "--html": flag("the page alone, without the PDF"),
    "--json": flag("print what to use, and where the report is, as JSON"),
    "--dry-run": flag("say what would be built, and write nothing"),
    "--open": flag("open the page in a browser"),
}


def run(options: Namespace) -> int:
    """Build the report, and say where it is."""
    engine = workflow.where(options.cores, options.profile)
    config = config_of(options)
    # In place of what the configuration says.
    asked: dict[str, Any] = {"pdf": False} if options.html else {}
    if options.quick and options.annex:
        raise CommandError(USAGE, "--quick leaves out what --annex adds: give one of them")
    asked |= {"detail": "quick"} if options.quick else {"detail": "full"} if options.annex else {}
    if config:
        return _ready(config, engine, asked, options)
    memory, key, study = _initial(options)
    options.models = study["models"]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, memory.parent.name + ".yaml")
        config.write_text(study["text"], encoding="utf-8")
        status = _ready(config, engine, asked, options)
    if not options.dry_run and remembered(memory) != {key: study}:
        remember(memory, {key: study})
    return status


def _initial(options: Namespace) -> tuple[Path, str, dict[str, Any]]:
    """Make a study of prediction files, or remember what was made of the very same before.

    It comes with where it is to be remembered, and by what key: to read large files takes long.
    """
    memory = Path("results", options.study or study_name(options.files[0]), INITIAL)
    # Others are refused, and to read what is no data may take long.
    hashes = hashed(filter(ENDING.search, options.files), memory.with_name(HASHED))
    known = {file: one["sha256"] for file, one in hashes.items()}
    said = options.files, options.positive, options.study, reading(options).given()
    key = key_of(said, known, bytes_of("report"), sha256(init.__file__))
    study = remembered(memory).get(key, {})
    with redirect_stdout(sys.stderr if options.json else sys.stdout):  # how they were read
        if [type(study.get(it)) for it in ("text", "notes", "models")] == [str, list, dict]:
            say(*study["notes"])
            return memory, key, study
        _, text, found = init.initial_study(options, compared=True)
    read = [{"path": file, "sha256": it} for one in found for file, it in one.files.items()]
    check_unchanged(read, known)
    notes = [*dict.fromkeys(note for one in found for note in one.notes)]
    models = {one.name: [*one.models] for one in found}
    return memory, key, {"text": text, "notes": notes, "models": models}


def config_of(options: Namespace) -> Path | None:
    """Give the configuration that a command was given, by its name; None: prediction files."""
    names = [file for file in options.files if file.lower().endswith((".yaml", ".yml"))]
    configs = [file for file in names if not_local(file) is None]  # a URL is none
    if not configs:
        return None
    said = options.positive, options.study, reading(options).given()
    if len(options.files) > 1 or said != (None, None, {}):
        alone = "a configuration is given alone, and says 'positive:', 'format:' and all itself"
        raise CommandError(USAGE, f"{configs[0]}: {alone}")
    return Path(configs[0])


def study_of(config: Path, asked: Mapping[str, Any] | None = None) -> Study:
    """Read a study, with what was `asked` in place of keys; one that can't be used is refused."""
    with of_usage():
        return read_study(config, asked)


def built(
    config: Path, study: Study, engine: Sequence[str], asked: Mapping[str, Any] | None = None
) -> bool:
    """Build a study's report in the current folder, and say whether there was anything to do.

    `study` is that of the configuration with what was `asked` in place of its keys.
    """
    if _plan(config, study, asked).in_place:
        return False
    said = [f"{key}={value}" for key, value in (asked or {}).items()]
    arguments = [*engine, "--config", *said] if said else engine
    return workflow.build(config, Path.cwd(), Progress(), arguments)


def _plan(config: Path, study: Study, asked: Mapping[str, Any] | None, **how: bool) -> Plan:
    """Plan a study, if its report takes nothing from anybody."""
    with of_usage():
        check_places(study, [config])
    return plan_of(study, {**read_document(config).content, **(asked or {})}, **how)


def _ready(
    config: Path, engine: Sequence[str], asked: Mapping[str, Any], options: Namespace
) -> int:
    """Build the report; say what to use, and where it is."""
    study = study_of(config, asked)
    if options.dry_run:
        return _dry_run(_plan(config, study, asked, remembering=False), options)
    if options.unlock:
        workflow.unlock(config, engine)
    fresh = built(config, study, engine, asked)
    report = Path("reports", study.name)
    pages = [str(page) for page in sorted(report.glob("*.[hp]*"))]
    if options.json:
        say(*json.dumps({"pages": pages, "what_to_use": answers_of(report)}, indent=1).split("\n"))
    else:
        said = "The report is ready" if fresh else "Nothing has changed; the report is up to date"
        links = [Path(it).resolve().as_uri() if sys.stdout.isatty() else it for it in pages]
        say(f"{said}:", *(f"  {link}" for link in links))
        say(*in_words(report), head=True)
    if options.open:
        webbrowser.open((report / "report.html").resolve().as_uri())
    return FINE


def _dry_run(plan: Plan, options: Namespace) -> int:
    """Say what would be built: of which models, by which jobs, and which results are there."""
    jobs, folder = plan.jobs(), Path("reports", plan.study.name)
    there = [one for one in plan.folders() if Path(one).is_dir()]
    known = getattr(options, "models", {})  # of bare files
    of = {it.name: (known.get(it.name, it.models), it.predictions) for it in plan.study.counted}
    if options.json:
        data = {name: {"models": known, "files": files} for name, (known, files) in of.items()}
        found = {"report": str(folder), "datasets": data, "jobs": jobs, "results": there}
        say(*json.dumps(found, indent=1).split("\n"))
        return FINE
    for name, (known, files) in of.items():
        say(f"{name}: {some(known) if known else 'all models'} of {some(files)}")
    stages = ", ".join(dict.fromkeys(stage for stage, _ in jobs)) or "none"
    say(f"{counted(len(jobs), 'job')} would run: {stages}")
    say(f"{counted(len(there), 'result')} already there, in {plan.results}")
    what = "would be replaced" if folder.is_dir() else "would be written"
    say(f"{folder} {what if jobs else 'is up to date'}; this was a dry run, which writes nothing")
    return FINE
