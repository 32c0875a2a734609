"""Files that others' machines read are in keeping with the project: versions, commands, locks."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, CHANGES, GROUPS = WHOLE["project"], WHOLE["tool"]["towncrier"], WHOLE["dependency-groups"]
EXTRAS = PROJECT["optional-dependencies"]
FILES = [ROOT / ".pre-commit-config.yaml", *sorted((ROOT / ".github").rglob("*.yml"))]
TEXTS = {file: file.read_text("utf-8") for file in FILES}
RUN = "".join(TEXTS[file] for file in FILES if file.parent.name == "workflows")


def parsed(file: str) -> Any:
    return yaml.safe_load((ROOT / file).read_text("utf-8"))


def test_every_supported_python_is_tested_and_named() -> None:
    jobs = parsed(".github/workflows/tests.yml")["jobs"]
    versions = jobs["test"]["strategy"]["matrix"]["python"]
    assert {*jobs["systems"]["strategy"]["matrix"]["python"]} <= {*versions}
    assert versions[0] == PROJECT["requires-python"].removeprefix(">=")
    kinds = re.findall(":: Python :: ([^']+)'", str(PROJECT["classifiers"]))
    assert kinds == ["3", *versions]


def test_actions_of_others_are_pinned_to_commits_one_version_of_each() -> None:
    used = {*re.findall(r"(?m)^ *(?:- )?uses: ([^.\s].*)", "".join(TEXTS.values()))}
    pinned = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
    assert [action for action in used if not pinned.fullmatch(action)] == []
    assert len({action.partition("@")[0] for action in used}) == len(used) > 5


def test_the_same_version_is_released_everywhere() -> None:
    text = (ROOT / "workflow/costcurves/__init__.py").read_text("utf-8")
    (version,) = re.findall('(?m)^__version__ = "(.+)"', text)
    assert "sed -n 's/^__version__ = " in RUN
    cited = parsed("CITATION.cff")
    released = f"## {version} ({cited['date-released']})"
    assert released in (ROOT / "CHANGELOG.md").read_text("utf-8")
    recipe = parsed(".github/conda/meta.yaml")
    assert recipe["package"]["version"] == cited["version"] == version


def test_each_change_has_a_kind_and_is_a_list() -> None:
    folder, kinds = ROOT / CHANGES["directory"], "|".join(CHANGES["fragment"])
    for file in {*folder.iterdir()} - {folder / "README.md", ROOT / CHANGES["template"]}:
        assert re.fullmatch(rf"(\d+|\+[a-z\d-]+)\.({kinds})\.md", file.name), file
        assert re.fullmatch("((- |  )[^ ].*\n)+", file.read_text("utf-8")), file
    assert CHANGES["start_string"] in (ROOT / CHANGES["filename"]).read_text("utf-8")


def test_the_recipe_for_conda_needs_what_the_package_needs() -> None:
    needed = {f"python {PROJECT['requires-python']}", "brotli-python"}  # fonttools[woff]
    for bound in named([*PROJECT["dependencies"], *EXTRAS["report"]]).values():
        name = re.sub("^(matplotlib)", r"\1-base", re.sub("^(snakemake)", r"\1-minimal", bound))
        needed.add(re.sub(r"^([\w.-]+)(\[\w+\])?", r"\1 ", name.replace("ruamel-", "ruamel.")))
    assert {*parsed(".github/conda/meta.yaml")["requirements"]["run"]} == needed


def locked(file: str) -> dict[str, str]:
    """Return the pins of a lock by their packages; each has hashes, and none an index."""
    whole = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    assert not re.search("(?m)://|^-", whole)
    assert all(re.search("--hash=sha256:[0-9a-f]{64}", line) for line in whole.splitlines())
    return named(line.partition(" --hash")[0].strip() for line in whole.splitlines())


def named(requirements: Iterable[str]) -> dict[str, str]:
    """Return requirements or pins by their packages."""
    return {re.split(r"[>=\[]", text)[0]: text for text in requirements}


def test_each_lock_has_what_its_purpose_adds_to_those_before_it() -> None:
    build, run, tools = map(locked, ("build.lock", "requirements.lock", "tests/requirements.lock"))
    slurm, docs = map(locked, ("tests/slurm.lock", "docs/site/requirements.lock"))
    for needed, lock in (
        (GROUPS["build"], build),
        ([*PROJECT["dependencies"], *EXTRAS["report"]], run),
        (EXTRAS["dev"], tools | run),
        (GROUPS["slurm"], slurm),
        (GROUPS["docs"], docs),
    ):
        assert {*named(needed)} <= {*lock}
    assert not {*tools.values(), *slurm.values(), *docs.values()} & {*build.values(), *run.values()}
    assert not {*tools.values()} & {*slurm.values()}


def test_the_oldest_versions_that_are_allowed_are_tested_and_nothing_of_the_extra_without() -> None:
    oldest = {
        "oldest": [*PROJECT["dependencies"], *GROUPS["light"]],
        "oldest-report": [*EXTRAS["report"], *EXTRAS["dev"]],
    }
    for file, tested in oldest.items():
        lock = locked(f"tests/{file}.lock")
        for name, bound in named(tested).items():
            version = re.findall(r">=([\d.]+)", bound)[0]
            assert f"{lock[name].partition('==')[2]}.".startswith(f"{version}."), name
    # Matplotlib needs fonttools, too, and pytest needs pygments.
    others = {*named(PROJECT["dependencies"]), "fonttools", "pygments"}
    for file in ("oldest", "light"):
        assert not {*named(EXTRAS["report"])} & {*locked(f"tests/{file}.lock")} - others


def test_what_is_installed_is_checked_by_hashes_and_nothing_secret_is_named() -> None:
    files = [*FILES, ROOT / "Containerfile", ROOT / "Makefile", *(ROOT / ".ci").iterdir()]
    files += (ROOT / "tests").glob("*.sh")
    whole = "\n".join(file.read_text("utf-8").replace("\\\n", " ") for file in files)
    locks = re.findall(r".* -r \S+lock.*", whole)
    assert len(locks) > len(files) / 2
    assert [line for line in locks if "--require-hashes" not in line] == []
    assert re.findall(r".*(?:[a-z]==\d|npm install|pip install [a-z]).*", whole) == []
    for file in (*FILES, ROOT / "Containerfile", ROOT / "CODE_OF_CONDUCT.md"):
        assert not re.search(r"secrets\.|password|https?://", file.read_text("utf-8")), file.name
