"""Putting a report together: everything into a new folder, then the folder into its place."""

import json
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from costcurves.contracts import CONTRACTS
from costcurves.detail import STAGES
from costcurves.invariants import CHECK_RESULTS
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.record.folders import replaced
from costcurves.record.manifest import with_files, write_manifest
from costcurves.record.places import ANSWER_FILE, WHAT_TO_USE_FILE, check_report
from costcurves.report.answer import answer_of
from costcurves.report.answer_text import answer_text, fitting
from costcurves.report.document import Drawing, address
from costcurves.report.libraries import pdf_missing
from costcurves.report.mapped import votes_of
from costcurves.report.rendering import html, pdf
from costcurves.report.summary import materials_of, summarise
from costcurves.report.what_to_use import as_json, what_to_use
from costcurves.settings import Study
from costcurves.tables.contract import in_parquet
from costcurves.tables.files import write, write_csv

Tables = Mapping[str, Mapping[str, pd.DataFrame]]


def publish(
    folder: Path, study: Study, tables: Tables, drawn: Mapping[str, Path], facts: Mapping[str, Any]
) -> None:
    """Write a study's report with every figure and table behind it.

    `tables` and the folders of what is `drawn` go by slugs; "" is all datasets together. What is in
    `folder` stays until the new report is whole: after an InputError nothing is written.
    """
    with replaced(folder, partial(check_report, name=study.name)) as fresh:
        shown = fresh / "figures"
        figures = {slug: _take_figures(source, shown / slug) for slug, source in drawn.items()}
        kept = {*STAGES, CHECK_RESULTS.name, MAP.name, CLAIMS.name} - study.left_out
        large = in_parquet(tables.values())
        for slug, stages in tables.items():
            for stage in kept & stages.keys():
                file = fresh / address(stage, slug, large)
                if file.suffix == ".parquet":
                    write(stages[stage], file, CONTRACTS[stage])
                else:
                    write_csv(stages[stage], file)
        materials = materials_of(study, tables, figures)
        answer = fitting(answer_of(materials, votes_of(tables[""][MAP.name])))
        rows = what_to_use(answer.datasets)
        (fresh / WHAT_TO_USE_FILE).write_text(as_json(rows), "utf-8")
        (fresh / ANSWER_FILE).write_text(answer_text(answer), "utf-8")
        made = with_files(fresh, facts)
        report = summarise(study, materials, tables, figures, made, answer)
        (fresh / "report.html").write_text(html(report), "utf-8")
        if study.printed:
            if missing := pdf_missing():
                print(missing)  # noqa: T201 - the job's log and the terminal
            else:
                (fresh / "report.pdf").write_bytes(pdf(report, made["fingerprint"]))
        write_manifest(fresh, facts)


def _take_figures(source: Path, folder: Path) -> dict[str, Drawing]:
    """Copy a dataset's figures, and read them by name."""
    hidden = shutil.ignore_patterns(".*")
    shutil.copytree(
        source, folder, ignore=hidden, copy_function=shutil.copyfile, dirs_exist_ok=True
    )
    drawings = {}
    for path in sorted(source.glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        panels = [(source / name).read_text("utf-8") for name in content.pop("panels")]
        drawings[path.stem] = Drawing(**content, panels=tuple(panels))
    return drawings
