"""One job: a stage of a plan, for one batch or the whole study, from folders to a folder."""

import sys
import time
import traceback
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TextIO

import pandas as pd

from costcurves.code import bytes_of
from costcurves.errors import InputError, refused
from costcurves.pipeline.folders import check_whole, whole
from costcurves.pipeline.plan import FAILED, HOLDS, OF_STUDIES, STAGES, UNUSABLE, Plan, load_plan
from costcurves.printing import say, visible
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.claims import CLAIMS
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import of
from costcurves.tables.contract import Contract, stacked
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.files import read, write
from costcurves.tables.inference.map import MAP
from costcurves.tables.inference.resampling import Resamples, read_resamples
from costcurves.tables.input.predictions import PREDICTIONS

RESAMPLES: Final = "resampling.npz"
CONTRACT_OF: Final[dict[str, Contract]] = {
    **CONTRACTS,
    **{one.name: one for one in (PREDICTIONS, MAP, CLAIMS)},
    **dict.fromkeys(("check_map", "check_claims"), CHECK_RESULTS),
}


@dataclass(frozen=True)
class Job:
    """What a job reads: folders by stage and batch. What it writes goes to `fresh`."""

    plan: Plan
    batch: str
    folders: dict[tuple[str, str], Path]
    fresh: Path

    @property
    def datasets(self) -> Sequence[Dataset]:
        """The datasets of the batch, or of the study."""
        return self.plan.batches[self.batch] if self.batch else self.plan.study.datasets

    def file(self, table: str, batch: str) -> Path:
        """Name the file of a table."""
        return self.folders[HOLDS[table], batch] / f"{table}.parquet"

    def table(
        self, table: str, batch: str | None = None, columns: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Read a table of a batch; of one that the study leaves out there are no rows.

        `columns` are those that are wanted of predictions, if not all.
        """
        file, own = self.file(table, self.batch if batch is None else batch), CONTRACT_OF[table]
        return read(file, own, columns) if file.is_file() else own.empty()

    def table_of(self, table: str, names: Collection[str]) -> pd.DataFrame:
        """Read the rows that a table has of some datasets, from all batches."""
        parts = [self.table(table, batch) for batch in self.plan.of(names)]
        found = stacked([CONTRACT_OF[table].empty(), *parts])
        return found[found["dataset"].isin(names)].reset_index(drop=True)

    def resamples(self) -> dict[str, Resamples]:
        """Read the resamples of each dataset of the batch."""
        found = read_resamples(self.folders["resampling", self.batch] / RESAMPLES)
        return dict(zip((one.name for one in self.datasets), found, strict=True))

    def write(self, table: str, frame: pd.DataFrame) -> None:
        """Write a table."""
        write(frame, self.fresh / f"{table}.parquet", CONTRACT_OF[table])

    def tables(self, *names: str, columns: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
        """Read tables of the batch, and take from them what belongs to each dataset."""
        known = {name: self.table(name, columns=columns) for name in names}
        return {
            one.name: {name: of(table, one.name) for name, table in known.items()}
            for one in self.datasets
        }

    @cached_property
    def wanted(self) -> set[str]:
        """The tables of the study."""
        return {"predictions", *self.plan.study.stages}


@contextmanager
def job(stage: str, plan_file: str, inputs: Sequence[str], output: str) -> Iterator[Job]:
    """Check what a job is given; give what it writes its name when it is all there."""
    plan, folder = load_plan(plan_file), Path(output)
    name, batch = _named(folder)
    _check_code(plan, stage)
    if name != stage or folder.name != Path(plan.folder(stage, batch)).name:
        raise InputError([f"{output}: is not the name of what {plan_file} makes there"])
    folders = {_named(Path(one)): Path(one) for one in inputs}
    for one in folders.values():
        check_whole(one)
    with whole(folder) as fresh:
        yield Job(plan, batch, folders, fresh)
        _check_code(plan, stage)


def _named(folder: Path) -> tuple[str, str]:
    """Give the stage and the batch of a result's folder."""
    stage, _, _ = folder.name.rpartition("-")
    return stage, "" if stage in OF_STUDIES else folder.parent.name


def _check_code(plan: Plan, stage: str) -> None:
    """Compare the code with that which was planned; another branch may be there for a while."""
    layer = STAGES[stage].layer
    if bytes_of(layer) != plan.code[layer]["bytes"]:
        raise InputError(["the code has changed since the run began; run the same again"])


class _Tee:
    """Text goes to the log and to the terminal, line by line as it can be shown."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        shown = "\n".join(map(visible, text.split("\n")))
        for stream in self._streams:
            stream.write(shown)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()


@contextmanager
def logged(log: str | Path, title: str) -> Iterator[None]:
    """Print to the log and to the terminal, with one line for the reader.

    It exits with status 3 after an `InputError`, without a traceback, and with 5 after any other
    error.
    """
    try:
        yield from _logged(Path(log), visible(title))
    except OSError as error:  # of the log itself
        say("", f"{title}: {refused(error) or error}", to=sys.stderr)
        raise SystemExit(FAILED) from None


def _logged(log: Path, title: str) -> Iterator[None]:
    log.parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    started = time.perf_counter()
    with log.open("w", encoding="utf-8", errors="backslashreplace") as file:
        tee = _Tee(file, terminal)
        with redirect_stdout(tee), redirect_stderr(tee):
            try:
                yield
            except InputError as error:
                tee.write(f"\n{title}: {error}\n\n")
                raise SystemExit(UNUSABLE) from None
            except Exception as error:
                traceback.print_exc(file=file)
                said = refused(error) or f"{type(error).__name__}: {error}"
                say("", f"{title}: {said} (see {log})", to=terminal)
                raise SystemExit(FAILED) from error
            tee.write(f"{title} ({time.perf_counter() - started:.1f} s)\n")
