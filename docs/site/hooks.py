"""The pages of the site: the repository's, by their places in it, notebooks, and a reference."""

import re
import sys
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[2]
LINK: Final = re.compile(r"\]\(([^)#:\s]+)|src=\"([^\"#:]+)\"")
BEGIN: Final = ("README.md", "docs/README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take what pages link to from where it lies, and write the reference."""
    waiting, found = [ROOT / name for name in BEGIN], set[Path]()
    while waiting:
        file = waiting.pop()
        if file.is_file() and file.is_relative_to(ROOT) and file not in found:
            found.add(file)
            words = file.read_text("utf-8") if file.suffix == ".md" else ""
            links = (one or other for one, other in LINK.findall(words))
            waiting += [(file.parent / link).resolve() for link in links]
    for file in sorted(found):
        place = file.relative_to(ROOT).as_posix()
        files.append(File.generated(config, place, abs_src_path=str(file)))
    sys.path[:0] = [str(ROOT / "workflow"), str(Path(__file__).parent)]
    import notebooks

    import costcurves

    for one in ROOT.glob("docs/*.ipynb"):
        content = notebooks.page(one)
        files.append(File.generated(config, f"docs/{one.stem}.md", content=content))
    for title, package in (("Functions", costcurves), ("Maths", costcurves.maths)):
        names = [name for name in package.__all__ if name != "maths"]
        wholes = [f"{package.__name__}.{name}" for name in names]
        if package is costcurves.maths:  # whose modules are in packages by subject
            wholes = [getattr(package, name).__name__ for name in names]
        named = [f"::: {whole}" for whole in wholes]
        whole = f"::: {package.__name__}\n    options: {{members: false, show_root_heading: false}}"
        text = "\n\n".join([f"# {title}", whole, *named])
        files.append(File.generated(config, f"docs/reference/{title.lower()}.md", content=text))
    return files
