"""Files that others' machines read are in keeping with the project: versions, commands, locks."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, CHANGES, GROUPS = WHOLE["project"], WHOLE["tool"]["towncrier"], WHOLE["dependency-groups"]
EXTRAS = PROJECT["optional-dependencies"]
FILES = [ROOT / ".pre-commit-config.yaml", *sorted((ROOT / ".github").rglob("*.yml"))]
TEXTS = {file: file.read_text("utf-8") for file in FILES}
RUN = "".join(TEXTS[file] for file in FILES if file.parent.name == "workflows")
USED = re.compile(r"^ *(?:- )?uses: ([^.\s]\S*)(.*)", re.MULTILINE)


def test_every_supported_python_is_tested_and_named() -> None:
    assert all(isinstance(yaml.safe_load(text), dict) for text in TEXTS.values())
    jobs = yaml.safe_load(TEXTS[ROOT / ".github/workflows/tests.yml"])["jobs"]
    versions = jobs["test"]["strategy"]["matrix"]["python"]
    assert {*jobs["systems"]["strategy"]["matrix"]["python"]} <= {*versions}
    assert versions[0] == PROJECT["requires-python"].removeprefix(">=")
    kinds = [kind.partition(":: Python :: ")[2] for kind in PROJECT["classifiers"]]
    assert [kind for kind in kinds if kind] == ["3", *versions]


def test_actions_of_others_are_pinned_to_commits_one_version_of_each() -> None:
    used = {*USED.findall("".join(TEXTS.values()))}
    for action, version in used:
        assert re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r"  # v\d+\.\d+\.\d+", version), action
    assert len({action.partition("@")[0] for action, _ in used}) == len(used) > 5


def test_the_site_is_built_for_pull_requests_and_published_from_main() -> None:
    workflow = yaml.safe_load(TEXTS[ROOT / ".github/workflows/docs.yml"])
    on = workflow[True]  # so YAML 1.1 reads the key "on"
    assert (on["push"], {*on}) == ({"branches": ["main"]}, {"push", "pull_request"})
    assert workflow["jobs"]["publish"]["if"] == "github.event_name == 'push'"
    assert "if" not in workflow["jobs"]["build"]


def test_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    calls = " ".join(re.findall(r"run: make ((?:[a-z]+ )+)", RUN)).split()
    assert {"lint", "test"} <= {*calls} <= {*re.findall("^([a-z0-9]+):", makefile, re.MULTILINE)}


def test_one_version_is_released_everywhere() -> None:
    text = (ROOT / "workflow/costcurves/__init__.py").read_text("utf-8")
    (version,) = re.findall('^__version__ = "(.+)"', text, re.MULTILINE)
    assert "sed -n 's/^__version__ = " in RUN
    recipe = yaml.safe_load((ROOT / ".github/conda/meta.yaml").read_text("utf-8"))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert recipe["package"]["version"] == cited["version"] == version
    assert f"## {version} ({cited['date-released']})" in changes


def test_each_change_has_a_kind_and_is_a_list() -> None:
    folder, kinds = ROOT / CHANGES["directory"], "|".join(CHANGES["fragment"])
    files = {*folder.iterdir()} - {folder / "README.md", ROOT / CHANGES["template"]}
    for file in files:
        assert re.fullmatch(rf"(\d+|\+[a-z\d-]+)\.({kinds})\.md", file.name), file
        assert re.fullmatch("((- |  )[^ ].*\n)+", file.read_text("utf-8")), file
    assert CHANGES["start_string"] in (ROOT / CHANGES["filename"]).read_text("utf-8")


def test_the_recipe_for_conda_needs_what_the_package_needs() -> None:
    run = yaml.safe_load((ROOT / ".github/conda/meta.yaml").read_text("utf-8"))
    conda = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
    conda |= {"ruamel-yaml": "ruamel.yaml"}
    needed = {f"python {PROJECT['requires-python']}", "brotli-python"}  # fonttools[woff]
    for name, bound in named([*PROJECT["dependencies"], *EXTRAS["report"]]).items():
        versions = re.sub(r"^[\w-]+(\[\w+\])?", "", bound)
        needed.add(f"{conda.get(name, name)} {versions}")
    assert {*run["requirements"]["run"]} == needed


def locked(file: str) -> dict[str, str]:
    """Return the pins of a lock by their packages; each has hashes, and none an index."""
    whole = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    assert not re.search("://|^-", whole, re.MULTILINE)
    assert all(re.search("--hash=sha256:[0-9a-f]{64}", line) for line in whole.splitlines())
    return named(line.partition(" --hash")[0].strip() for line in whole.splitlines())


def named(requirements: Iterable[str]) -> dict[str, str]:
    """Return requirements or pins by their packages."""
    return {re.split(r"[>=\[]", text)[0]: text for text in requirements}


def test_each_lock_has_what_its_purpose_adds_to_those_before_it() -> None:
    build, run, tools = map(locked, ("build.lock", "requirements.lock", "tests/requirements.lock"))
    slurm, docs = map(locked, ("tests/slurm.lock", "docs/site/requirements.lock"))
    assert {*named(GROUPS["build"])} <= {*build}
    assert {*named(PROJECT["dependencies"]), *named(EXTRAS["report"])} <= {*run}
    assert {*named(EXTRAS["dev"])} <= {*tools, *run}
    assert {*named(GROUPS["slurm"])} <= {*slurm}
    assert {*named(GROUPS["docs"])} <= {*docs}
    assert not {*tools.values(), *slurm.values(), *docs.values()} & {*build.values(), *run.values()}
    assert not {*tools.values()} & {*slurm.values()}


@pytest.mark.parametrize(
    ("lock", "tested"),
    [
        ("oldest", [*PROJECT["dependencies"], *GROUPS["light"]]),
        ("oldest-report", [*EXTRAS["report"], *EXTRAS["dev"]]),
    ],
)
def test_the_oldest_versions_that_are_allowed_are_tested(lock: str, tested: list[str]) -> None:
    oldest = locked(f"tests/{lock}.lock")
    for name, bound in named(tested).items():
        version = re.findall(r">=([\d.]+)", bound)[0]
        assert f"{oldest[name].partition('==')[2]}.".startswith(f"{version}."), name


def test_without_the_extra_nothing_of_it_is_tested() -> None:
    # Matplotlib needs fonttools, too, and pytest needs pygments.
    others = {*named(PROJECT["dependencies"]), "fonttools", "pygments"}
    for lock in ("oldest", "light"):
        assert not {*named(EXTRAS["report"])} & {*locked(f"tests/{lock}.lock")} - others


def test_what_is_installed_is_checked_by_hashes() -> None:
    files = [*FILES, ROOT / "Containerfile", ROOT / "Makefile", *(ROOT / ".ci").iterdir()]
    files += (ROOT / "tests").glob("*.sh")
    lines = [
        line for file in files for line in file.read_text("utf-8").replace("\\\n", " ").splitlines()
    ]
    locks = [line for line in lines if re.search(r" -r \S+lock", line)]
    assert len(locks) > len(files) / 2
    assert [line for line in locks if "--require-hashes" not in line] == []
    loose = re.compile(r"[a-z]==\d|npm install|pip install [a-z]")
    assert [line for line in lines if loose.search(line)] == []


def test_nothing_secret_and_no_index_is_named() -> None:
    for file in (*FILES, ROOT / "Containerfile", ROOT / "CODE_OF_CONDUCT.md"):
        assert not re.search(r"secrets\.|password|https?://", file.read_text("utf-8")), file.name
