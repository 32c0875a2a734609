"""What the README shows works."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib import pyplot

from costcurves.tables.configuration.study import parse_study
from tests.bench import whole

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)


def test_the_table_of_speed_is_what_was_measured() -> None:
    assert whole.readme() == TEXT


@pytest.mark.parametrize(("grown", "fails"), [(1.4, False), (1.6, True)])
def test_a_ratio_that_grew_by_half_fails(
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


def block(language: str, holding: str) -> str:
    found = [text for kind, text in BLOCKS if kind == language and holding in text]
    assert len(found) == 1
    return str(found[0])


def test_the_library_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = block("python", "default_rng")
    assert len(example.strip().splitlines()) <= 10
    exec(compile(example, "README.md", "exec"), {})
    assert "A cheaper" in capsys.readouterr().out


def test_the_first_example_runs() -> None:
    y_true = np.arange(30) % 3 == 0
    space = {
        "y_true": y_true,
        "forest_scores": np.sin(np.arange(30)) + y_true,
        "decisions": ~y_true,
    }
    exec(compile(block("python", "forest_scores"), "README.md", "exec"), space)
    assert len(pyplot.gcf().axes) == 1
    pyplot.close("all")


def test_the_configuration_example_is_a_study() -> None:
    study = parse_study(yaml.safe_load(block("yaml", "study: cancer")), files=False)
    assert study.datasets[0].predictions == ("cancer.csv",)


def test_the_example_that_writes_predictions_is_short_and_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = block("python", "sklearn")
    body = [
        line for line in example.splitlines() if line and not line.startswith(("import", "from"))
    ]
    assert len(body) <= 10
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec"), {})
    frame = pd.read_csv("cancer.csv")
    assert (len(frame), frame["instance"].nunique(), frame["fold"].nunique()) == (569, 569, 10)


def test_every_link_into_the_repository_leads_somewhere() -> None:
    root = Path(__file__).parents[2]
    links = re.findall(r"\]\((?!http)([^)#]+)\)", TEXT)
    assert links
    assert [link for link in links if not (root / link).exists()] == []
