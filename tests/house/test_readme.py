"""What the README shows works, and is what issue and reader ask of it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from costcurves.study.reading import parse_study
from tests.bench import whole

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL))


def test_its_parts_are_short_and_its_links_lead_somewhere() -> None:
    assert len(TEXT.splitlines()) <= 60
    assert len(re.findall(r"!\[", TEXT)) == 1
    lengths = {kind: len(re.findall("^.", block, re.MULTILINE)) for kind, block in BLOCKS.items()}
    assert lengths == {"bash": 2, "python": 5, "sh": 5, "yaml": 10}
    links = re.findall(r"\]\((?!http)([^)#]+)\)", TEXT)
    assert [link for link in links if not (ROOT / link).exists()] == []
    assert re.findall(r"(?m)^make (\w+)", BLOCKS["bash"]) == ["report", "test"]


def test_its_python_runs_and_its_study_is_one() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.25
    names: dict[str, Any] = {"y": y, "forest": rng.normal(2 * y), "logit": rng.normal(y)}
    exec(BLOCKS["python"], names)
    assert 0 < names["cost"] < 0.25
    study = parse_study(yaml.safe_load(BLOCKS["yaml"]), files=False)
    assert study.claims[0].models == ("boosting", "scorecard")


def test_the_table_of_speed_is_what_was_measured() -> None:
    assert whole.page() == whole.PAGE.read_text("utf-8")


def test_a_ratio_that_grew_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    case = whole.Case("a", 100, [], "b", [])
    row = {"what": "a", "rows of each of 3 models": "100", "beside": "b", "ratio": "2"}
    monkeypatch.setattr("sys.argv", ["whole", "--check"])
    monkeypatch.setattr(whole, "cases", lambda: iter([case, case._replace(rows=10**6)]))
    monkeypatch.setattr(whole, "known", lambda: [row])
    for ratio, fails in (("2.4", False), ("2.8", True)):
        monkeypatch.setattr(whole, "compared", lambda *_, now=ratio: {**row, "ratio": now})
        with pytest.raises(SystemExit) as ended:
            whole.main()
        assert bool(ended.value.code) is fails
