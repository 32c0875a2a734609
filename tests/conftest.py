"""What all tests share: hypothesis without a deadline, programs they need, a report to look at."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browsed_study import browsed_report
from tests.browser import browser, pango, write_page

__all__ = ["browsed", "browser", "pango"]

# A busy machine is no finding.
settings.register_profile("unhurried", deadline=None)
settings.register_profile("brief", deadline=None, max_examples=15)
settings.register_profile("fuzz", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "unhurried"))


# They build whole studies, and take minutes each: begun last, they would leave other cores idle.
LONGEST = ("test_whole_study", "test_workflow", "test_command_study", "test_detail")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.fixture(scope="session")
def browsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small study, which browsers open."""
    return write_page(browsed_report(), tmp_path_factory.mktemp("browsed"))
