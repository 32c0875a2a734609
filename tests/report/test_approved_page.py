"""What the page and the figures say is what was approved: words, numbers, names and links."""

from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

from tests.approved import FIGURES, PAGE, captioned, worded


@pytest.mark.parametrize(("file", "written"), [(PAGE, worded), (FIGURES, captioned)])
def test_what_is_said_is_what_was_approved(file: Path, written: Callable[[], str]) -> None:
    """Where it has to say something else: `make approve`, and read what has changed."""
    before, after = file.read_text("utf-8").splitlines(), written().splitlines()
    assert "\n".join(unified_diff(before, after, "approved", "now", lineterm="", n=0)) == ""
