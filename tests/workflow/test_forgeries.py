"""Forgeries of a report, and the verdict that each of them gets.

Whoever forges has the report, the predictions and this very program; what a signature or a known
fingerprint adds to what `verify` finds by itself stands beside each.
"""

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from costcurves.command import main
from costcurves.command import verify as command
from costcurves.report.again import publish_again
from costcurves.report.libraries import libraries
from costcurves.tables.record.manifest import (
    RECORD,
    fingerprint,
    read_manifest,
    write_manifest,
)
from tests.small_study import folds_of, scored, snakemake

pytestmark = pytest.mark.usefixtures("pango")

FINE: Final = 0
UNVERIFIED: Final = 4
NUMBER: Final = re.compile(r"0\.\d+")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with predictions of two datasets, their report, and another of the same tables."""
    folder = tmp_path_factory.mktemp("honest")
    datasets = []
    for seed, name in enumerate(("tea", "wine"), start=1):
        rows = folds_of(24, 1, 2, seed=seed)
        for model, skill in (("Bayes", 2.0), ("Trees", 1.0)):
            scored(rows, model, skill, 7 * seed + int(skill)).to_csv(
                folder / f"{name}-{model}.csv", index=False
            )
        files = [f"{name}-{model}.csv" for model in ("Bayes", "Trees")]
        datasets.append({"name": name, "predictions": files})
    made = {"study": "honest", "detail": "essential", "inference": {"resamples": 50}}
    (folder / "study.yaml").write_text(yaml.safe_dump({**made, "datasets": datasets}))
    run = snakemake(folder, "study.yaml")
    assert run.returncode == 0, run.stderr
    report = folder / "reports" / "honest"
    manifest = read_manifest(report)
    for part in ("given", "configuration"):
        manifest[part]["title"] = "Another study"
    publish_again(report, manifest, folder, folder / "reports" / "other" / "honest")
    return folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was published again, by what it was published from: pages change nothing of it."""
    return tmp_path_factory.mktemp("published")


@pytest.fixture
def report(home: Path, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the report, to be forged."""

    def remembered(forged: Path, manifest: dict[str, Any], where: Path, folder: Path) -> None:
        tables = (path for path in sorted(forged.rglob("tables/**/*")) if path.is_file())
        told = [path.read_bytes() for path in tables]
        told.append(json.dumps({**manifest, "files": {}, "fingerprint": ""}).encode())
        known = published / hashlib.sha256(b"".join(told)).hexdigest()
        if not known.exists():
            publish_again(forged, manifest, where, known)
        shutil.copytree(known, folder)

    monkeypatch.setattr(command, "publish_again", remembered)
    monkeypatch.chdir(home)
    return Path(shutil.copytree(home / "reports" / "honest", tmp_path / "report"))


def renewed(report: Path, **changes: Any) -> None:
    """Write manifest and sums anew, as if they had always said so."""
    manifest = read_manifest(report)
    facts = {key: value for key, value in manifest.items() if key not in ("files", "fingerprint")}
    write_manifest(report, facts | changes)


def stamped(report: Path, **changes: Any) -> None:
    """Write them anew, and the new fingerprint into the pages."""
    old = read_manifest(report)["fingerprint"]
    renewed(report, **changes)
    new = read_manifest(report)["fingerprint"]
    for page in report.glob("*.[hp]*[lf]"):
        page.write_bytes(page.read_bytes().replace(old.encode(), new.encode()))
    renewed(report, **changes)


def redone(report: Path, **changes: Any) -> None:
    """Publish forged tables with this very program."""
    manifest = {**read_manifest(report), **changes}
    again = report.with_name("again")
    vars(command)["publish_again"](report, manifest, Path(), again)  # what `verify` will ask for
    shutil.rmtree(report)
    again.rename(report)


def edited(report: Path, name: str, old: str | bytes, new: str | bytes) -> None:
    """Change something in a file, once."""
    old, new = (it.encode() if isinstance(it, str) else it for it in (old, new))
    content = (report / name).read_bytes()
    assert old in content
    (report / name).write_bytes(content.replace(old, new, 1))


def other_digit(report: Path, name: str) -> None:
    """Change the first digit behind a point in the first number of a table, or of a figure."""
    text = (report / name).read_text()
    found = NUMBER.search(text)
    assert found is not None
    digit = "7" if found[0][2] != "7" else "2"
    text = f"{text[: found.start() + 2]}{digit}{text[found.start() + 3 :]}"
    (report / name).write_text(text)


def swapped(report: Path, one: str, two: str) -> None:
    """Let two files change places."""
    first, second = (report / name for name in (one, two))
    first.rename(aside := report / "aside")
    second.rename(first)
    aside.rename(second)


def of_other(report: Path, name: str) -> None:
    """Take a file from the other report."""
    shutil.copy(Path("reports", "other", "honest", name), report / name)


def linked(report: Path, name: str) -> None:
    shutil.move(report / name, elsewhere := report.with_name("elsewhere"))
    (report / name).symlink_to(elsewhere)


def removed(report: Path, *names: str) -> None:
    for name in names:
        (report / name).unlink()


def other_pdf(report: Path) -> None:
    mark = read_manifest(report)["fingerprint"]
    (report / "report.pdf").write_bytes(b"%PDF-1.7\nAll is well. " + mark.encode())


def page_removed(report: Path) -> None:
    """Take a page out of the PDF, and keep its identifier."""
    import pikepdf

    file = report / "report.pdf"
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        del pdf.pages[1]
        pdf.save(file, static_id=False)


def another_model(report: Path) -> None:
    for file in report.rglob("*"):
        if file.suffix in (".csv", ".html", ".svg"):
            file.write_bytes(file.read_bytes().replace(b"Trees", b"Woods"))


def made_otherwise(report: Path, *part: str, value: Any) -> dict[str, Any]:
    """Change something in what the manifest says of how it was made."""
    manifest = read_manifest(report)
    inner = manifest
    for key in part[:-1]:
        inner = inner[key]
    inner[part[-1]] = value
    return {part[0]: manifest[part[0]]}


MEASURES: Final = "tables/measures/wine.csv"
SENTENCE: Final = ("Verdict", "Opinion")
Forgery = Callable[[Path], object]


def then(*steps: Forgery) -> Forgery:
    return lambda report: [step(report) for step in steps]


# The forgery, and what is said of it.
FOUND: Final[dict[str, tuple[Forgery, str]]] = {
    # Those with which this began: each said "fine" once.
    "a sentence changed": (
        then(lambda it: edited(it, "report.html", *SENTENCE), renewed),
        "report.html: line ",
    ),
    "HTML replaced by a line": (
        then(lambda it: (it / "report.html").write_text("We win.\n"), renewed),
        "report.html: is of another manifest, it does not show the fingerprint",
    ),
    "HTML replaced by a line that shows the fingerprint": (
        then(
            lambda it: (it / "report.html").write_text(read_manifest(it)["fingerprint"]),
            renewed,
        ),
        "report.html: line 1, byte 0",
    ),
    "PDF replaced by a line that shows the fingerprint": (
        then(other_pdf, renewed),
        "report.pdf: byte ",
    ),
    "PDF removed": (
        then(lambda it: removed(it, "report.pdf"), renewed),
        "report.pdf: the report has no such file",
    ),
    "both pages removed": (
        then(lambda it: removed(it, "report.html", "report.pdf", "brief.pdf"), renewed),
        "report.html: the report has no such file",
    ),
    "a table, manifest and fingerprint changed": (
        then(lambda it: other_digit(it, MEASURES), stamped),
        "its pages are not what its tables give",
    ),
    # What is not covered up.
    "a sentence changed, nothing renewed": (
        lambda it: edited(it, "report.html", *SENTENCE),
        "report.html: changed, its sha256 is not the manifest's",
    ),
    "a file of the same size": (
        lambda it: (it / MEASURES).write_bytes(bytes((it / MEASURES).stat().st_size)),
        f"{MEASURES}: changed, its sha256 is not the manifest's",
    ),
    "a link in place of a file": (
        lambda it: linked(it, MEASURES),
        f"{MEASURES}: is a link, expected a regular file",
    ),
    "a link in place of the manifest": (lambda it: linked(it, "manifest.json"), "is no manifest"),
    "a file added": (lambda it: (it / "errata.html").write_text("!"), "errata.html: extra"),
    "a file removed": (lambda it: removed(it, MEASURES), f"{MEASURES}: missing"),
    "manifest of another report": (
        lambda it: of_other(it, "manifest.json"),
        "report.html: changed, its sha256 is not the manifest's",
    ),
    "sums removed": (lambda it: removed(it, "SHA256SUMS"), "SHA256SUMS: is missing"),
    "sums of another report": (lambda it: of_other(it, "SHA256SUMS"), "SHA256SUMS: changed"),
    "tables swapped between datasets": (
        lambda it: swapped(it, MEASURES, "tables/measures/tea.csv"),
        f"{MEASURES}: changed",
    ),
    # What is covered up: manifest and sums are renewed, fingerprints replaced.
    "a file added, manifest renewed": (
        then(lambda it: (it / "errata.html").write_text("!"), stamped),
        "errata.html: the rebuild has no such file",
    ),
    "a table removed, manifest renewed": (
        then(lambda it: removed(it, MEASURES), stamped),
        "nothing can be published from its tables",
    ),
    "a table that is none, manifest renewed": (
        then(lambda it: (it / MEASURES).write_text("all,is\nwell,!\n"), stamped),
        "measures",
    ),
    "a table that no page shows removed, manifest renewed": (
        then(lambda it: removed(it, "tables/envelopes/tea.csv"), stamped),
        "tables/envelopes/tea.csv: the report has no such file",
    ),
    "tables swapped between datasets, manifest renewed": (
        then(lambda it: swapped(it, MEASURES, "tables/measures/tea.csv"), stamped),
        "tables/measures/tea: has rows of the dataset 'wine', expected 'tea'",
    ),
    "a figure swapped, manifest renewed": (
        then(
            lambda it: swapped(it, "figures/tea/cost_curves.svg", "figures/wine/cost_curves.svg"),
            stamped,
        ),
        "figures/tea/cost_curves.svg: line ",
    ),
    "data of a figure changed, manifest renewed": (
        then(lambda it: other_digit(it, "figures/tea/cost_curves.csv"), stamped),
        "figures/tea/cost_curves.csv: line ",
    ),
    "a page taken out of the PDF": (then(page_removed, renewed), "report.pdf: "),
    "the file that recomputes numbers changed": (
        then(
            lambda it: edited(it, "tables/recompute.py", "bool(differ)", "False"),
            stamped,
        ),
        "tables/recompute.py: byte ",
    ),
    "brief and report swapped": (
        then(lambda it: swapped(it, "brief.pdf", "report.pdf"), renewed),
        "report.pdf: byte ",
    ),
    "PDF of another report": (
        then(lambda it: of_other(it, "report.pdf"), renewed),
        "report.pdf: is of another manifest",
    ),
    "a model renamed everywhere": (then(another_model, stamped), "report.html: line "),
    "a style that hides a section": (
        then(
            lambda it: edited(it, "report.html", "<style>", "<style>#verdict{display:none}"),
            renewed,
        ),
        "report.html: line ",
    ),
    "other predictions named": (
        lambda it: stamped(
            it, **made_otherwise(it, "sources", value=[{"path": "a", "sha256": "0", "rows": 9}])
        ),
        "report.html: line ",
    ),
    "another configuration named as used": (
        lambda it: stamped(it, **made_otherwise(it, "configuration", "level", value="fold")),
        "manifest.json: contradicts itself",
    ),
    "another seed named": (
        lambda it: stamped(it, **made_otherwise(it, "seed", value=1)),
        "report.html: line ",
    ),
    "said to be made by released code": (
        lambda it: redone(it, released=True),
        "is a release, which it is not",
    ),
    "said to be made by other code": (
        lambda it: stamped(it, code="ab" * 32),
        "its pages: made by unknown code; the report names abababababab",
    ),
    "PDF replaced, and said to be made by another version": (
        then(
            other_pdf,
            lambda it: stamped(it, **made_otherwise(it, "libraries", "Pango", value="1.0.0")),
        ),
        "report.html: line ",  # the page does not name that version
    ),
    "a template of the study's own, which it does not name": (
        lambda it: stamped(it, **made_otherwise(it, "given", "report", value={"templates": "own"})),
        "manifest.json: contradicts itself",
    ),
}


@pytest.mark.parametrize("forgery", FOUND)
def test_it_is_found(report: Path, capsys: pytest.CaptureFixture[str], forgery: str) -> None:
    forge, said = FOUND[forgery]
    forge(report)
    assert main.main(["verify", str(report)]) == UNVERIFIED
    out = capsys.readouterr()
    assert said in out.out
    assert not out.err


def test_what_is_honest_is_fine(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", str(report)]) == FINE
    assert "its tables give the same pages and figures, byte for byte" in capsys.readouterr().out


# A forger who publishes forged tables with this very program: only who computes the tables again,
# or knows the fingerprint or the key, can tell.
COMPUTED: Final[dict[str, Forgery]] = {
    "a digit of a table": then(lambda it: other_digit(it, MEASURES), redone),
    "another model's name": then(
        lambda it: [
            path.write_bytes(path.read_bytes().replace(b"Trees", b"Woods"))
            for path in it.rglob("tables/**/*.csv")
        ],
        redone,
    ),
    "other predictions named": lambda it: redone(
        it, sources=[{"path": "tea-Bayes.csv", "sha256": "0" * 64, "rows": 9}]
    ),
}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two keys, of the author and of somebody else."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("author", "other"):
        run = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(run, check=True)
    return folder


@pytest.mark.parametrize("forgery", COMPUTED)
def test_a_known_fingerprint_or_key_finds_what_is_published_anew(
    report: Path, keys: Path, capsys: pytest.CaptureFixture[str], forgery: str
) -> None:
    before = read_manifest(report)["fingerprint"]
    assert main.main(["sign", str(report), "--key", str(keys / "author")]) == FINE
    signature = (report / "SHA256SUMS.sig").read_bytes()
    told = ["--expect", before, "--signed-by", str(keys / "author.pub")]
    assert main.main(["verify", str(report), *told]) == FINE
    assert f"signed by {keys / 'author.pub'}" in capsys.readouterr().out
    COMPUTED[forgery](report)
    (report / "SHA256SUMS.sig").write_bytes(signature)
    assert main.main(["verify", str(report), *told]) == UNVERIFIED
    out = capsys.readouterr().out
    assert "manifest.json: is another report's, its fingerprint is " in out
    assert "SHA256SUMS.sig: is no signature of this report by " in out


def test_a_signature_by_somebody_else(
    report: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["verify", str(report), "--signed-by", str(keys / "author.pub")]
    assert main.main(told) == UNVERIFIED
    assert "SHA256SUMS.sig: is missing, or no file" in capsys.readouterr().out
    main.main(["sign", str(report), "--key", str(keys / "other")])
    assert main.main(told) == UNVERIFIED
    assert "SHA256SUMS.sig: is no signature of this report by " in capsys.readouterr().out


def test_a_signature_of_something_else(report: Path, keys: Path) -> None:
    command = ["ssh-keygen", "-Y", "sign", "-n", "file", "-f", str(keys / "author")]
    subprocess.run([*command, str(report / "SHA256SUMS")], check=True, capture_output=True)
    told = ["verify", str(report), "--signed-by", str(keys / "author.pub")]
    assert main.main(told) == UNVERIFIED


def test_who_signs_answers_for_pages_of_unknown_code(
    report: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stamped(report, code="ab" * 32)
    assert main.main(["sign", str(report), "--key", str(keys / "author")]) == FINE
    assert main.main(["verify", str(report)]) == UNVERIFIED
    assert main.main(["verify", str(report), "--signed-by", str(keys / "author.pub")]) == FINE
    assert capsys.readouterr().out.count("made by unknown code") == 2


def test_a_forged_report_is_not_signed(
    report: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(report, "report.html", *SENTENCE)
    assert main.main(["sign", str(report), "--key", str(keys / "author")]) == UNVERIFIED
    assert "was not signed\n  report.html: changed" in capsys.readouterr().err
    assert not (report / "SHA256SUMS.sig").exists()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["verify", "--expect", "d5329475"], "--expect is 'd5329475', expected the 64 hexadecimal"),
        (["verify", "--signed-by", "study.yaml"], "is no public key of OpenSSH, expected the"),
        (["verify", "--signed-by", "nowhere.pub"], "nowhere.pub: is no public key of OpenSSH"),
        (["sign", "--key", "nowhere"], "nowhere: is not there, expected the file of a private key"),
        (["sign", "--key", "study.yaml"], "study.yaml: can't sign ("),
    ],
)
def test_what_can_not_be_used(
    report: Path, capsys: pytest.CaptureFixture[str], told: list[str], said: str
) -> None:
    assert main.main([told[0], str(report), *told[1:]]) == 2
    assert said in capsys.readouterr().err


def test_without_ssh_keygen_it_says_what_to_install(
    report: Path, keys: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main.main(["sign", str(report), "--key", str(keys / "author")]) == 2
    assert "ssh-keygen, not found: install OpenSSH's client" in capsys.readouterr().err


def test_what_is_drawn_by_another_version_is_not_vouched_for(
    report: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine that has another Pango; a changed word is found there, too."""
    here = libraries()
    monkeypatch.setattr(command, "libraries", lambda: {**here, "Pango": "9.9"})
    assert main.main(["verify", str(report)]) == FINE  # it may draw the same
    edited(report, "report.pdf", b"%%EOF", b"%EOF%")
    renewed(report)
    assert main.main(["verify", str(report)]) == UNVERIFIED
    out = capsys.readouterr().out
    assert "'report.pdf': drawn by other versions of what is used here" in out
    assert f"version: Pango was {here['Pango']}, here it is 9.9" in out
    edited(report, "report.html", *SENTENCE)
    renewed(report)
    assert main.main(["verify", str(report)]) == UNVERIFIED
    assert "report.html: line " in capsys.readouterr().out


def test_the_record_is_not_part_of_the_fingerprint(report: Path, keys: Path) -> None:
    before = read_manifest(report)
    main.main(["sign", str(report), "--key", str(keys / "author")])
    assert read_manifest(report) == before
    assert not {*before["files"]} & {*RECORD}
    assert fingerprint(before) == before["fingerprint"]
