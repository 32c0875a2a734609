"""What all tests share: hypothesis without a deadline, and studies to look at."""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

from costcurves.extra import lacking

# Without the extra `report` the Python interface alone is tested.
LIGHT = bool(lacking("a report"))
collect_ignore = LIGHT * [
    "api/test_arrow.py",
    "api/test_as_reported.py",
    "costs/test_instance_costs.py",
]

# A busy machine is no finding.
USUAL = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.register_profile("unhurried", USUAL)
settings.register_profile("brief", USUAL, max_examples=15)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "unhurried"))


# They build studies: begun last, they would leave other cores idle.
LONGEST = (
    *("test_workflow", "test_whole_study", "test_command_study", "test_docs"),
    *("test_wheel", "test_module", "test_braces", "test_oracle"),
)


def pytest_configure(config: pytest.Config) -> None:
    """Make fixtures of built studies known."""
    if not LIGHT:
        config.pluginmanager.import_plugin("tests.studies")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    items.sort(key=lambda item: item.path.stem not in LONGEST)


def pytest_collection_finish() -> None:
    """Look for no garbage among what tests have imported: it took a twelfth of their time."""
    gc.collect()
    gc.freeze()
