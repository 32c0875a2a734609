"""Results at S3: run by `make s3`, which brings a server."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command import main
from tests.small_study import contents

moto = pytest.importorskip("moto.server", reason="it takes a server: make s3")

FILES: Final = ("loans.csv", "more/loans.csv.gz")
STUDY: Final[dict[str, Any]] = {
    "study": "loans",
    "detail": "essential",
    "operating_conditions": [{"name": "ours", "prior": 0.2, "cost_fn": 7, "cost_fp": 2}],
    "inference": {"resamples": 300, "equivalence": 0.02},
    "claims": [
        {"claim": "B costs less.", "kind": "cheaper", "models": ["B", "A"], "pc": [0.4, 0.6]}
    ],
}
PROFILE: Final = """\
cores: 2
rerun-triggers: mtime
force-use-threads: true
default-storage-provider: s3
default-storage-prefix: s3://results/of/mine
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of S3, where settings in the environment lead."""
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    url = f"http://{host}:{port}"
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", url)
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ACCESS_KEY", "key")
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_SECRET_KEY", "secret")
    yield url
    running.stop()


def write(folder: Path) -> None:
    """Write predictions of three repeats, a file for each of two models, and a configuration."""
    rng = np.random.default_rng(5)
    for model, skill, file in zip("AB", (1.1, 1.9), FILES, strict=True):
        rows = pd.MultiIndex.from_product([[1, 2, 3], range(60)], names=["repeat", "instance"])
        frame = rows.to_frame(index=False)
        frame["fold"] = (frame["instance"] + frame["repeat"]) % 4
        frame["label"] = (frame["instance"] < 17).astype(int)
        frame["score"] = np.round(rng.normal(size=len(frame)) + skill * frame["label"], 1)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        frame.assign(model=model).to_csv(folder / file, index=False)
    config = folder / "study.yaml"
    dataset = {"name": "loans", "prior": 0.2, "predictions": list(FILES)}
    config.write_text(yaml.safe_dump({**STUDY, "datasets": [dataset]}), encoding="utf-8")


def built(*arguments: str) -> None:
    assert main.main(["report", "study.yaml", "--cores", "2", *arguments]) == 0


def published(folder: Path) -> dict[str, bytes]:
    return contents(folder / "reports" / "loans")


def test_results_are_kept_at_s3(
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Under the command, by a profile; the report is here, and the same as without a storage."""
    write(tmp_path)
    (tmp_path / "s3").mkdir()
    (tmp_path / "s3" / "config.yaml").write_text(PROFILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    built("--profile", "s3")
    kept = published(tmp_path)
    assert not [*tmp_path.glob("results/loans/loans/duality-*")]
    key = rb"<Key>of/mine/results/loans/loans/duality-\w{12}/headline.parquet</Key>"
    with urlopen(f"{server}/results?prefix=of/mine/results/loans/loans/duality-") as answer:
        assert re.search(key, answer.read())
    capsys.readouterr()
    built("--profile", "s3")
    assert "Nothing has changed" in capsys.readouterr().out
    built()
    assert published(tmp_path) == kept
