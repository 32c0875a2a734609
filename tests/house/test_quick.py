"""`make quick` runs the tests that check what has changed, Python or not."""

import pytest

from tests.quick import READ, nearest
from tests.small_study import ROOT

NEAREST = {
    "workflow/costcurves/report/templates/parts/verdict.html.j2": "report/test_sections.py",
    "config/config.yaml": "study/test_study.py",
    "workflow/costcurves/curves/hulls.py": "curves/test_hulls.py",
}


@pytest.mark.parametrize("file", NEAREST)
def test_a_change_runs_the_tests_that_check_it(file: str) -> None:
    assert (ROOT / file).is_file()
    assert str(ROOT / "tests" / NEAREST[file]) in nearest({ROOT / file})
    assert all((ROOT / "tests" / test).is_file() for tests in READ.values() for test in tests)
