"""Sources and results at S3: run by `make s3`, which brings a server."""

import hashlib
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.request import Request, urlopen

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command import main
from costcurves.command.workflow import fetch
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
SIGNED: Final = (  # which the server does not check
    "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request, "
    "SignedHeaders=host, Signature=0"
)
PROFILE: Final = """\
cores: 2
rerun-triggers: mtime
force-use-threads: true
default-storage-provider: s3
default-storage-prefix: s3://results/of/mine
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of S3 with a bucket, where settings in the environment lead."""
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    url = f"http://{host}:{port}"
    put(f"{url}/ours")
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", url)
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ACCESS_KEY", "key")
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_SECRET_KEY", "secret")
    yield url
    running.stop()


def put(url: str, content: bytes = b"") -> None:
    """Make a bucket, or an object of one."""
    told = {"Content-Type": "application/octet-stream", "Authorization": SIGNED}
    with urlopen(Request(url, content, told, method="PUT"), timeout=60) as answer:
        assert answer.status == 200


def write(folder: Path, files: list[str]) -> Path:
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
    dataset = {"name": "loans", "prior": 0.2, "predictions": files}
    config.write_text(yaml.safe_dump({**STUDY, "datasets": [dataset]}), encoding="utf-8")
    return config


def built(*arguments: str) -> None:
    assert main.main(["report", "study.yaml", "--cores", "2", *arguments]) == 0


def published(folder: Path) -> dict[str, bytes]:
    return contents(folder / "reports" / "loans")


def test_sources_at_s3_give_what_local_ones_do(
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    write(here, list(FILES))
    urls = [f"s3://ours/{file}" for file in FILES]
    write(there, urls)
    for file in FILES:
        put(f"{server}/ours/{file}", (here / file).read_bytes())
        (there / file).unlink()
    pages = {}
    for folder in (here, there):
        monkeypatch.chdir(folder)
        built()
        pages[folder] = published(folder)
    assert [name for name in pages[here] if name.startswith("tables/claims")]
    for name, content in pages[here].items():
        if name.startswith(("tables", "figures")):
            assert pages[there][name] == content, name
    # What the page says is the same, but for the names of files and the fingerprint.
    said = [
        re.sub(r"s3://ours/|&#39;|[0-9a-f]{12,64}", "", pages[folder]["report.html"].decode())
        for folder in (here, there)
    ]
    assert said[0] == said[1]

    monkeypatch.chdir(there)
    capsys.readouterr()
    built()
    assert "Nothing has changed" in capsys.readouterr().out
    assert main.main(["audit", "study.yaml"]) in (0, 4)
    assert main.main(["verify", "reports/loans"]) == 0

    changed = (here / FILES[0]).read_bytes().replace(b",0.3,A\n", b",9.3,A\n")
    put(f"{server}/ours/{FILES[0]}", changed)
    assert main.main(["verify", "reports/loans"]) == 4
    assert f"{urls[0]}: is not the file that the report was made of" in capsys.readouterr().out
    built()
    rebuilt, headline = published(there), "tables/headline/loans.csv"
    assert hashlib.sha256(changed).hexdigest() in rebuilt["manifest.json"].decode()
    assert rebuilt[headline] != pages[there][headline]
    assert main.main(["verify", "reports/loans"]) == 0


def test_results_are_kept_at_s3(
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Under the command, by a profile; the report is here, and the same as without a storage."""
    write(tmp_path, list(FILES))
    (tmp_path / "s3").mkdir()
    (tmp_path / "s3" / "config.yaml").write_text(PROFILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    built("--profile", "s3")
    kept = published(tmp_path)
    assert not (tmp_path / "results" / "loans" / "headline").exists()
    with urlopen(f"{server}/results?prefix=of/mine/results/loans/headline/") as answer:
        assert b"<Key>of/mine/results/loans/headline/loans.parquet</Key>" in answer.read()
    capsys.readouterr()
    built("--profile", "s3")
    assert "Nothing has changed" in capsys.readouterr().out
    built()
    assert published(tmp_path) == kept


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", "http://127.0.0.1:1", "Connection refused"),
        ("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", "nowhere", "Invalid endpoint: nowhere"),
    ],
)
def test_a_server_that_is_not_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    setting: str,
    value: str,
    said: str,
) -> None:
    write(tmp_path, ["s3://ours/loans.csv"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(setting, value)
    assert main.main(["report", "study.yaml"]) == 3
    shown = "".join(capsys.readouterr())
    assert "datasets[0].predictions[0] is 's3://ours/loans.csv', which can't be fetched" in shown
    assert said in shown
    assert "Traceback" not in shown


class Refusing(BaseHTTPRequestHandler):
    """A server that takes no credentials."""

    def do_HEAD(self) -> None:
        self.send_error(403)


@pytest.mark.usefixtures("server")
def test_credentials_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with HTTPServer(("127.0.0.1", 0), Refusing) as refusing:
        Thread(target=refusing.serve_forever).start()
        url = f"http://127.0.0.1:{refusing.server_port}"
        monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", url)
        wrong = fetch(["s3://ours/loans.csv"], tmp_path)
        refusing.shutdown()
    why = "An error occurred (403) when calling the HeadObject operation: Forbidden"
    mend = "mend its name, or the server and credentials that snakemake-storage-plugin-s3 is told"
    assert wrong == {"s3://ours/loans.csv": f"can't be fetched ({why}); {mend}"}
