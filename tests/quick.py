"""The tests nearest to what has changed, in half a minute: `make quick`.

Nearest are the tests that have changed themselves, those of the same name, those that import
what has changed, and those that read the words of a figure, a template, style or YAML. Left out
are those that build whole studies or open a browser.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
READ: Final = {  # by a part of its path: the tests of what is no Python
    "words": ("report/test_approved_page.py",),
    "templates": ("report/test_sections.py", "report/test_methods.py"),
    "sentences.html.j2": ("report/test_sections.py",),
    "parts": ("report/test_approved_page.py", "report/test_sections.py"),
    "styles": ("report/test_rendering.py",),
    "scripts": ("report/test_rendering.py",),
    "config": ("study/test_study.py",),
    "rules": ("house/test_rules.py",),
    "docs": ("house/test_docs.py",),
    ".github": ("house/test_community.py", "house/test_action.py"),
}
SLOW: Final = re.compile(
    r"\b(snakemake\(|built\(|asymmetric|published: Published|opened: Open|playwright)"
)


def changed() -> set[Path]:
    """Files that differ from the last commit, and the commits of this branch."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    names = [
        *_git("diff", "--name-only", base[0]),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]
    return {ROOT / name for name in names if (ROOT / name).is_file()}


def nearest(files: set[Path]) -> list[str]:
    """List the tests to run, doctests of the files included."""
    modules = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    modules = {name.removeprefix("workflow.") for name in modules}
    stems = {file.stem for file in files}
    nearby = {str(file) for file in files if "costcurves" in file.parts and file.suffix == ".py"}
    nearby |= {str(ROOT / "tests" / name) for file in files for name in _readers(file)}
    for test in sorted((ROOT / "tests").glob("*/test_*.py")):
        text = test.read_text("utf-8")
        near = test in files or test.stem.removeprefix("test_") in stems
        near = near or any(_imports(text, module) for module in modules)
        if near and not SLOW.search(text):
            nearby.add(str(test))
    return sorted(nearby)


def _readers(file: Path) -> list[str]:
    """Name the tests of a file that is no Python."""
    parts = () if file.suffix == ".py" else file.relative_to(ROOT).parts
    return [test for part in parts for test in READ.get(part, ())]


def _imports(text: str, module: str) -> bool:
    """Check whether a file imports a module."""
    parent, _, name = module.rpartition(".")
    names = rf"from {parent} import (\([^)]*|.*)\b{name}\b"
    return bool(re.search(rf"from {module} import|{names}", text))


def _git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    return run.stdout.splitlines()


if __name__ == "__main__":
    tests = nearest(changed())
    print(f"{len(tests)} files with tests near to what has changed")
    if tests:
        quick = ["-m", "pytest", "--quiet", "--numprocesses", "auto", "--dist", "loadfile"]
        sys.exit(subprocess.run([sys.executable, *quick, *tests], cwd=ROOT, check=False).returncode)
