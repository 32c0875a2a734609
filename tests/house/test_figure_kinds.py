"""A figure is its module, its words beside it, and a line in a list: nothing else knows it."""

from importlib.util import module_from_spec, spec_from_file_location
from inspect import getfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from costcurves.figures import catalogue
from costcurves.figures.drawing import draw_dataset
from costcurves.figures.kind import FigureKind
from costcurves.formats import cost
from costcurves.report import rendering
from costcurves.report.document import Numbering
from costcurves.report.material import Material, facts_of
from costcurves.report.publication import _take_figures
from tests import fake_report
from tests.small_study import ROOT

KINDS: tuple[FigureKind[Any], ...] = (*catalogue.FIGURES, *catalogue.TOGETHER)
MODULE = """
from costcurves.figures import sheet
from costcurves.figures.kind import figure_kind


def data(tables, context):
    return tables["headline"][["model", "nec_from"]].head(2)


@figure_kind(data, lambda shown: shown.data.to_dict("records"), ("headline",), always=True)
def thrown(data, context):
    return sheet.sheet(2, context.title, thrown.words.title)
"""
WORDS = """
{# title #}
thrown away

{# caption #}
Thrown away on {{ facts.title | name }}.
{{ sources(figure) }}.

{# alternative text #}
Of {{ context.who }}: {{ each }}.

{# each of its rows #}
{{ model | name }}
{{ nec_from | cost }}
"""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_figure_has_a_title_a_caption_and_an_alternative_text(kind: FigureKind[Any]) -> None:
    words = kind.words
    assert words.title
    assert words.caption.removesuffix("</span>").endswith(".")
    assert words.alternative.endswith(("{{ each }}.", "{% endif %}", "}}."))
    assert ("{{ each }}" in words.alternative) == bool(words.each)


def test_every_file_of_words_is_of_a_figure_or_part_of_one() -> None:
    files = {*(ROOT / "workflow" / "costcurves").rglob("words/*.j2")}
    own = {Path(getfile(one.paint)).with_name("words") / f"{one.name}.txt.j2" for one in KINDS}
    assert own <= files
    said = "".join(file.read_text("utf-8") for file in own)
    assert all(f'/{file.name}" %}}' in said for file in files - own)


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module, its words, and its line in the list."""
    (tmp_path / "thrown_figures.py").write_text(MODULE)
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "thrown.txt.j2").write_text(WORDS)
    spec = spec_from_file_location("thrown_figures", tmp_path / "thrown_figures.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(catalogue, "FIGURES", (module.thrown,))
    return module


def test_two_files_and_a_line_make_a_figure(added: ModuleType, tmp_path: Path) -> None:
    study = fake_report.study()
    (only,) = study.datasets
    tables = fake_report.tables()
    roster = list(tables["measures"]["model"].unique())
    draw_dataset(tmp_path / "drawn", only, tables, tables, roster, study)
    drawn = _take_figures(tmp_path / "drawn", tmp_path / "published")
    published = sorted(path.name for path in (tmp_path / "published").iterdir())
    assert published == ["thrown.csv", "thrown.svg"]
    assert ": thrown away<" in drawn["thrown"].text
    facts = facts_of(only, tables, "repeat")
    figure = Material(facts, tables, drawn, facts.models, Numbering()).figure(added.thrown)
    page = rendering._environment("screen")
    page.filters["inline"] = lambda picture: picture.drawing.alt
    shown = '{% import "templates/macros.html.j2" as show with context %}{{ show.figure(figure) }}'
    html = page.from_string(shown).render(figure=figure)
    heights = tables["headline"]["nec_from"].iloc[:2]
    first, second = map(cost, heights)
    assert f"Of A, B and C on Toy: A {first}; A {second}." in html
    assert "<b>Figure 1.</b> Thrown away on <bdi>Toy</bdi>. " in html
    assert 'Table <a href="tables/headline/toy.csv">' in html
