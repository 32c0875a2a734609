"""Sources that are named by URLs, with a server on this computer; for S3 see `test_s3.py`."""

import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

from costcurves.command import main, verify
from costcurves.command.report import _is_current
from costcurves.command.workflow import fetch
from costcurves.errors import InputError
from costcurves.tables.configuration.study import parse_study
from costcurves.tables.contract import read
from costcurves.tables.input.predictions import PREDICTIONS
from costcurves.tables.input.remote import copy_of
from costcurves.tables.record.manifest import sha256
from tests.command.test_verification import written
from tests.small_study import snakemake, write_study

NO_PLUGIN = "which needs snakemake-storage-plugin-none, which is not installed: pip install"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """What the server has."""
    write_study(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def url(site: Path) -> Iterator[str]:
    """Where the server has it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def study_of(*files: str) -> dict[str, object]:
    return {"study": "small", "datasets": [{"name": "one", "predictions": list(files)}]}


def write(folder: Path, *files: str) -> Path:
    config = folder / "study.yaml"
    config.write_text(yaml.safe_dump(study_of(*files), sort_keys=False), encoding="utf-8")
    return config


def test_what_is_wrong_is_said_of_each_url(site: Path, url: str, tmp_path: Path) -> None:
    fine, none, unreachable = f"{url}/one.csv", f"{url}/none.csv", "http://127.0.0.1:1/one.csv"
    wrong = fetch([fine, "two.csv", none, unreachable, "none://one.csv"], tmp_path)
    assert (tmp_path / copy_of(fine)).read_bytes() == (site / "one.csv").read_bytes()
    mend = "mend its name, or the server and credentials that snakemake-storage-plugin-http is told"
    why = "there is no such file, or none that these credentials may read"
    assert wrong.pop(none) == f"can't be fetched ({why}); {mend}"
    assert wrong.pop(unreachable) == f"can't be fetched ([Errno 111] Connection refused); {mend}"
    assert list(wrong) == ["none://one.csv"]
    (site / "one.csv").unlink()
    assert list(fetch([fine], tmp_path)) == [fine]
    assert not (tmp_path / copy_of(fine)).exists()  # what is gone is not read from a copy


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("none://b/one.csv", f"{NO_PLUGIN} snakemake-storage-plugin-none"),
        ("http://me:secret@example.org/one.csv", "which has a user in it, which the report would"),
    ],
)
def test_a_url_that_nothing_can_be_fetched_from(file: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_study(study_of(file))
    assert f"datasets[0].predictions[0] is {file!r}, {said}" in str(raised.value)


def test_commands_take_urls_as_they_take_files(
    site: Path,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.main(["check", str(site / "one.csv")]) == 0
    said = capsys.readouterr().out
    assert main.main(["check", f"{url}/one.csv"]) == 0
    assert capsys.readouterr().out == said
    assert main.main(["init", f"{url}/one.csv"]) == 0
    assert f"{url}/one.csv" in (tmp_path / "one.yaml").read_text()
    capsys.readouterr()
    assert main.main(["check", f"{url}/none.csv"]) == 3
    assert capsys.readouterr().err.startswith(f"{url}/none.csv: can't be fetched (there is no")


def test_a_configuration_with_a_url_that_is_not_there(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "site/one.csv", f"{url}/none.csv")
    monkeypatch.chdir(tmp_path)
    assert main.main(["report", str(config)]) == 3
    said = "".join(capsys.readouterr())
    where = f"{config} line 6: datasets[0].predictions[1] is '{url}/none.csv'"
    assert f"{where}, which can't be fetched (there is no such file" in said
    assert len(said.strip().splitlines()) == 2


def test_content_decides_what_is_made_again(site: Path, url: str, tmp_path: Path) -> None:
    config = write(tmp_path, f"{url}/one.csv")
    wanted = [config.name, "--until", "predictions"]
    kept = tmp_path / "results" / "small" / "predictions" / "one.parquet"
    for score in ("0.3", "0.37"):
        text = (site / "one.csv").read_text().replace(",0.3\n", f",{score}\n")
        (site / "one.csv").write_text(text)
        run = snakemake(tmp_path, *wanted)
        assert run.returncode == 0, run.stderr
        assert float(score) in read(kept, PREDICTIONS)["score"].to_list()
    assert sha256(site / "one.csv") in kept.with_suffix(".json").read_text()
    assert f"{url}/one.csv" in kept.with_suffix(".json").read_text()
    run = snakemake(tmp_path, *wanted)
    assert re.search(r"^total +0$", run.stderr, re.MULTILINE), run.stderr


def test_a_copy_says_nothing_of_whether_a_report_is_current(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("costcurves.command.report.is_published", lambda _: pytest.fail("asked"))
    file = "http://example.org/one.csv"
    assert not _is_current(parse_study(study_of(file)), study_of(file))


def test_sources_are_held_to_the_manifest_where_they_are(
    site: Path,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = {"path": f"{url}/one.csv", "sha256": sha256(site / "one.csv"), "rows": 1}
    report = written(tmp_path / "reports" / "s", sources=[source])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verify, "follows", lambda *_, **__: True)  # it has no tables
    command = ["verify", str(report)]
    assert main.main(command) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    shutil.copy(site / "two.csv", site / "one.csv")
    assert main.main(command) == 4
    said = capsys.readouterr().out
    assert f"  {url}/one.csv: is not the file that the report was made of (its sha256)\n" in said
    (site / "one.csv").unlink()
    assert main.main(command) == 0
    said = capsys.readouterr().out
    assert f"  {url}/one.csv: can't be fetched (there is no such file" in said
    assert not (tmp_path / ".snakemake").exists()
