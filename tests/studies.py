"""Studies and pages that several tests look at, each built once: fixtures of `conftest`."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.asymmetric_study import FIGURES, TABLES, built
from tests.browsed_study import browsed_report
from tests.browser import browser, pango, write_page
from tests.slow_views import VIEWS, Published, View, tables_of

__all__ = ["browser", "pango"]


@pytest.fixture(scope="session")
def browsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small study, which browsers open."""
    return write_page(browsed_report(), tmp_path_factory.mktemp("browsed"))


@pytest.fixture(scope="session")
def asymmetric_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all processes of a session build the asymmetric study, as far as they need it."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "asymmetric"


@pytest.fixture(scope="session")
def asymmetric(asymmetric_folder: Path) -> Path:
    """The asymmetric study, whole."""
    return built(asymmetric_folder)


@pytest.fixture(scope="session")
def asymmetric_tables(asymmetric_folder: Path) -> Path:
    """The asymmetric study with all of its tables."""
    return built(asymmetric_folder, TABLES)


@pytest.fixture(scope="session")
def asymmetric_figures(asymmetric_folder: Path) -> Path:
    """The asymmetric study with the figures of each dataset."""
    return built(asymmetric_folder, FIGURES)


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
