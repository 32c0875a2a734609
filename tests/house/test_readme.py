"""What the README shows works."""

import re
from pathlib import Path

import pytest

from tests.bench import whole

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_table_of_speed_is_what_was_measured() -> None:
    assert whole.page() == whole.PAGE.read_text("utf-8")


@pytest.mark.parametrize(("grown", "fails"), [(1.2, False), (1.4, True)])
def test_a_ratio_that_grew_fails(
    monkeypatch: pytest.MonkeyPatch, grown: float, fails: bool
) -> None:
    case = whole.Case("a", 100, [], "b", [])
    row = {"what": "a", "rows of each of 3 models": "100", "beside": "b", "ratio": "2"}
    monkeypatch.setattr("sys.argv", ["whole", "--check"])
    monkeypatch.setattr(whole, "cases", lambda: iter([case, case._replace(rows=10**6)]))
    monkeypatch.setattr(whole, "known", lambda: [row])
    monkeypatch.setattr(whole, "compared", lambda *_: {**row, "ratio": f"{2 * grown}"})
    with pytest.raises(SystemExit) as ended:
        whole.main()
    assert bool(ended.value.code) is fails


def test_every_link_into_the_repository_leads_somewhere() -> None:
    root = Path(__file__).parents[2]
    links = re.findall(r"\]\((?!http)([^)#]+)\)", TEXT)
    assert links
    assert [link for link in links if not (root / link).exists()] == []
