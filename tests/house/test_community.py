"""What others' machines run is in keeping with the project: versions, commands, files."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, CHANGES = WHOLE["project"], WHOLE["tool"]["towncrier"]
REPORT = PROJECT["optional-dependencies"]["report"]
FILES = [ROOT / ".pre-commit-config.yaml", *sorted((ROOT / ".github").rglob("*.yml"))]
VERSIONED = "workflow/costcurves/__init__.py"
OURS = [*FILES, ROOT / "Containerfile", ROOT / "CODE_OF_CONDUCT.md"]


def steps(workflow: str) -> str:
    return (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_are_yaml(file: Path) -> None:
    assert isinstance(yaml.safe_load(file.read_text("utf-8")), dict)


def test_every_supported_python_is_tested_and_named() -> None:
    jobs = yaml.safe_load(steps("tests"))["jobs"]
    versions = jobs["test"]["strategy"]["matrix"]["python"]
    assert {*jobs["systems"]["strategy"]["matrix"]["python"]} <= {*versions}
    assert versions[0] == PROJECT["requires-python"].removeprefix(">=")
    named = "Programming Language :: Python :: "
    kinds = [one.removeprefix(named) for one in PROJECT["classifiers"] if one.startswith(named)]
    assert kinds == ["3", *versions]


USED = re.compile(r"^ *(?:- )?uses: (\S+)(.*)", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}")


def loose(text: str) -> list[str]:
    """List the actions of others that are not pinned to a commit with its version beside it."""
    used = USED.findall(text)
    return [
        action
        for action, rest in used
        if not action.startswith("./")
        and not (PINNED.fullmatch(action) and re.fullmatch(r"  # v\d+\.\d+\.\d+", rest))
    ]


def test_actions_of_others_are_pinned_to_commits() -> None:
    text = "".join(file.read_text("utf-8") for file in FILES)
    assert loose(text) == []
    used = {action + rest for action, rest in USED.findall(text) if not action.startswith("./")}
    names = {one.partition("@")[0] for one in used}
    assert len(names) == len(used) > 5  # one version of each


def test_an_action_that_is_not_pinned_is_found() -> None:
    commit = "a" * 40
    assert loose(f"uses: ./here\nuses: a/b@{commit}  # v1.2.3") == []
    for one in ("a/b@v4  # v4.0.0", f"a/b@{commit}", f"a/b@{commit[1:]}  # v1.2.3", "a/b"):
        assert loose(f"- uses: {one}") == [one.partition("  #")[0]]


def test_labels_and_forms_for_issues() -> None:
    forms = {
        file.stem: yaml.safe_load(file.read_text("utf-8"))
        for file in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")
    }
    assert forms.pop("config") == {"blank_issues_enabled": True}
    assert {name: form["labels"] for name, form in forms.items()} == {
        "bug": ["bug"],
        "enhancement": ["enhancement"],
    }


def test_the_site_is_built_for_pull_requests_and_published_from_main() -> None:
    text = steps("docs")
    workflow = yaml.safe_load(text)
    on = workflow[True]  # so YAML 1.1 reads the key "on"
    assert {*on} == {"push", "pull_request"}
    assert on["push"] == {"branches": ["main"]}
    assert workflow["jobs"]["publish"]["if"] == "github.event_name == 'push'"
    assert "if" not in workflow["jobs"]["build"]


def test_commands_are_targets_of_the_makefile() -> None:
    targets = set(
        re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    )
    asked = re.findall(r"run: make ((?:[a-z]+ )+)", steps("tests") + steps("release"))
    assert asked
    assert {target for line in asked for target in line.split()} <= targets


def test_the_release_finds_the_version_where_it_is() -> None:
    (pattern,) = re.findall(r"sed -n 's/\^(__version__ = \")", steps("release"))
    assert pattern in (ROOT / VERSIONED).read_text("utf-8")


def test_one_version_is_released_everywhere() -> None:
    (version,) = re.findall('__version__ = "(.+)"', (ROOT / VERSIONED).read_text("utf-8"))
    recipe = yaml.safe_load((ROOT / ".github/conda/meta.yaml").read_text("utf-8"))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert recipe["package"]["version"] == cited["version"] == version
    assert f"## {version} ({cited['date-released']})" in changes


def test_each_change_has_a_kind_and_is_a_list() -> None:
    folder, kinds = ROOT / CHANGES["directory"], "|".join(CHANGES["fragment"])
    found = {*folder.iterdir()} - {folder / "README.md", ROOT / CHANGES["template"]}
    named = re.compile(rf"(\d+|\+[a-z\d-]+)\.({kinds})\.md")
    assert [one.name for one in found if not named.fullmatch(one.name)] == []
    lines = [line for one in found for line in one.read_text("utf-8").splitlines()]
    assert [line for line in lines if not re.match("(- |  )[^ ]", line)] == []
    assert CHANGES["start_string"] in (ROOT / CHANGES["filename"]).read_text("utf-8")


def test_the_recipe_for_conda_needs_what_the_package_needs() -> None:
    run = yaml.safe_load((ROOT / ".github/conda/meta.yaml").read_text("utf-8"))
    own = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
    own |= {"ruamel-yaml": "ruamel.yaml"}
    needed = {f"python {PROJECT['requires-python']}", "brotli-python"}  # fonttools[woff]
    for one in {**named(PROJECT["dependencies"]), **named(REPORT)}.values():
        name, versions = re.fullmatch(r"([\w-]+)(?:\[\w+\])?(.*)", one).groups()  # type: ignore[union-attr]
        needed.add(f"{own.get(name, name)} {versions}")
    assert {*run["requirements"]["run"]} == needed


def locked(file: str) -> dict[str, set[str]]:
    """What a lock pins, and the hashes of each, of which there are some."""
    whole = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    found = {
        line.partition(" --hash")[0].strip(): {*re.findall("--hash=sha256:[0-9a-f]{64}", line)}
        for line in whole.splitlines()
    }
    assert all(found.values())
    assert not re.search("://|^-", whole, re.MULTILINE)
    return found


def named(requirements: Iterable[str]) -> dict[str, str]:
    """Requirements or pins, by their packages."""
    return {re.split(r"[>=\[]", one)[0]: one for one in requirements}


def test_each_lock_has_what_its_purpose_adds_to_those_before_it() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups, extras = whole["dependency-groups"], PROJECT["optional-dependencies"]
    build, run, tools = map(locked, ("build.lock", "requirements.lock", "tests/requirements.lock"))
    assert {*named(groups["build"])} <= {*named(build)}
    assert {*named(PROJECT["dependencies"]), *named(REPORT)} <= {*named(run)}
    assert {*named(extras["dev"])} <= {*named(tools), *named(run)}
    added = {"slurm": locked("tests/slurm.lock"), "docs": locked("docs/site/requirements.lock")}
    assert all({*named(groups[name])} <= {*named(pins)} for name, pins in added.items())
    assert not any({*pins} & {*build, *run} for pins in (tools, *added.values()))
    assert not {*tools} & {*added["slurm"]}


LIGHT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["light"]


@pytest.mark.parametrize(
    ("lock", "tested"),
    [
        ("oldest", [*PROJECT["dependencies"], *LIGHT]),
        ("oldest-report", [*REPORT, *PROJECT["optional-dependencies"]["dev"]]),
    ],
)
def test_the_oldest_versions_that_are_allowed_are_tested(lock: str, tested: list[str]) -> None:
    oldest = {one.split("==")[0]: one.partition("==")[2] for one in locked(f"tests/{lock}.lock")}
    for one in tested:
        name, bound = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+).*", one).groups()  # type: ignore[union-attr]
        assert f"{oldest[name]}.".startswith(f"{bound}."), name


def test_without_the_extra_nothing_of_it_is_tested() -> None:
    for lock in ("oldest", "light"):
        assert not {*named(REPORT)} & {*named(locked(f"tests/{lock}.lock"))} - {
            *named(PROJECT["dependencies"]),
            "fonttools",  # which matplotlib needs, too
            "pygments",  # which pytest needs, too
        }


def test_what_is_installed_is_held_to_hashes() -> None:
    files = [*OURS, ROOT / "Makefile", *(ROOT / ".ci").iterdir(), *(ROOT / "tests").glob("*.sh")]
    texts = [file.read_text("utf-8").replace("\\\n", " ") for file in files]
    locks = [
        line for text in texts for line in text.splitlines() if re.search(r" -r \S+lock", line)
    ]
    assert len(locks) > len(files) / 2
    assert [line for line in locks if "--require-hashes" not in line] == []
    loose = re.compile(r"[a-z]==\d|npm install|pip install [a-z]")
    assert [found for text in texts for found in loose.findall(text)] == []


def test_nothing_secret_and_no_index_is_named() -> None:
    for file in OURS:
        text = file.read_text("utf-8")
        assert not re.search(r"secrets\.|password|https?://", text), file.name
