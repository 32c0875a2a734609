"""Studies and pages that several tests look at, each built once: fixtures of `conftest`."""

import fcntl
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.asymmetric_study import TABLES, built
from tests.browsed_study import browsed_report
from tests.browser import browser, pango, write_page
from tests.oracle.slow_views import VIEWS, Published, View, tables_of
from tests.small_study import copied_root, snakemake, write_study

__all__ = ["browser", "pango"]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all processes of a session."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def small(shared: Path) -> Path:
    """The small study with its report, built by the first process that needs it.

    What is not tested of it, an appendix and PDFs, is left out. The workflow beside it, in
    `root`, is a copy that may be edited.
    """
    folder = shared / "small study"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "study").exists():
            root = copied_root(folder / "root")
            inference = {"confidence": 0.8, "resamples": 60}
            left_out = {"appendix": False, "pdf": False}
            title = "Costs & benefits of 100% of_all"
            config = write_study(folder / "making", title=title, inference=inference, **left_out)
            run = snakemake(config.parent, config.name, root=root)
            assert run.returncode == 0, run.stderr
            config.parent.rename(folder / "study")
    return folder / "study"


@pytest.fixture(scope="session")
def browsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small study, which browsers open."""
    return write_page(browsed_report(), tmp_path_factory.mktemp("browsed"))


@pytest.fixture(scope="session")
def asymmetric_folder(shared: Path) -> Path:
    """Where all processes of a session build the asymmetric study, as far as they need it."""
    return shared / "asymmetric"


@pytest.fixture(scope="session")
def asymmetric(asymmetric_folder: Path) -> Path:
    """The asymmetric study, whole."""
    return built(asymmetric_folder)


@pytest.fixture(scope="session")
def asymmetric_tables(asymmetric_folder: Path) -> Path:
    """The asymmetric study with all of its tables."""
    return built(asymmetric_folder, TABLES)


@pytest.fixture(scope="session")
def published(asymmetric_tables: Path) -> Published:
    """The tables of the asymmetric study, as they are published."""
    return tables_of(asymmetric_tables)


@pytest.fixture(scope="session")
def view_of(asymmetric_tables: Path) -> Callable[[str], View]:
    """The raw rows of a view of the asymmetric study, and what follows from them."""
    return cache(lambda name: View(asymmetric_tables, name))


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest, view_of: Callable[[str], View]) -> View:
    """Each view in turn."""
    return view_of(request.param)
