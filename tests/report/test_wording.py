"""What a study adds to its report: what is refused, and what its pages then show."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from costcurves.report.own_text import markdown
from costcurves.tables.configuration.wording import Wording, annexed, known_sections

from costcurves.code import REPORT
from costcurves.errors import InputError
from costcurves.report import publication, rendering
from costcurves.report.document import Report
from costcurves.report.material import facts_of
from costcurves.tables import contract
from costcurves.tables.configuration.stages import MANY, SECTIONS_LEFT_OUT
from costcurves.tables.configuration.study import Study, parse_study, read_study
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.files import read
from costcurves.tables.inference.map import MAP
from costcurves.tables.record.manifest import provenance, sha256
from tests.fake_report import dataset, tables
from tests.small_study import contents

pytestmark = pytest.mark.usefixtures("folder", "unprinted")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with the predictions that studies name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for name in ("toy", "other"):
        (tmp_path / "data" / f"{name}.csv").touch()
    return tmp_path


@pytest.fixture
def unprinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the markup of the pages on paper instead of their PDF, which takes seconds."""

    def markup(report: Report, _: str) -> bytes:
        return rendering._page(report, "print").encode()

    monkeypatch.setattr(publication, "pdf", markup)
    monkeypatch.setattr(publication, "pdf_missing", lambda: None)


def study(*texts: dict[str, Any], detail: str = "auto", **report: Any) -> Study:
    datasets = [dataset("toy", "Toy"), dataset("other", "Other")]
    added = {"texts": list(texts), **report}
    return parse_study({"study": "s", "detail": detail, "datasets": datasets, "report": added})


def refused(*texts: dict[str, Any], **report: Any) -> str:
    with pytest.raises(InputError) as caught:
        study(*texts, **report)
    return str(caught.value)


def written(file: Path, text: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


def published(made: Study) -> dict[str, bytes]:
    """Publish a report without figures, and give its files."""
    data = {one.slug: tables() for one in made.datasets}
    drawn = {slug: Path("drawn", slug or "together") for slug in ("", *data)}
    for folder in drawn.values():
        folder.mkdir(parents=True, exist_ok=True)
    record = provenance(
        [], made.plain(), [], made.report.files(), given={"study": "s"}, results={}, libraries={}
    )
    publication.publish(Path("out"), made, {"": {"map": MAP.empty()}, **data}, drawn, record)
    return contents(Path("out"))


def pages(made: Study) -> list[str]:
    """The markup of a report, for the screen and for paper, there with its annex if it has one."""
    files = {name: content.decode() for name, content in published(made).items()}
    return [files["report.html"], files["report.pdf"] + files.get("annex.pdf", "")]


def section(markup: str, anchor: str) -> str:
    """The markup from a section's heading to the next heading, or to the end of all sections."""
    begins = markup.index(f'id="{anchor}/title"')
    return re.split("<h|</main>", markup[begins:], maxsplit=1)[0]


# The configuration


def test_nothing_is_added_by_default() -> None:
    assert study().report == Wording()
    assert study().report.files() == []


def test_what_is_added_goes_through_json(folder: Path) -> None:
    written(folder / "after.md", "So it is.")
    made = study({"section": "verdict", "before": "*A*", "after_file": "after.md"})
    assert Study.from_plain(json.loads(json.dumps(made.plain()))) == made
    (text,) = made.report.texts
    assert (text.read().before, text.read().after) == ("*A*", "So it is.")


def test_sections_are_known_by_their_parts() -> None:
    assert {"verdict", "dataset", "cost_curves", "methods", "references"} <= set(known_sections())


def test_the_readme_of_configurations_names_all_of_them() -> None:
    readme = (REPORT.parents[1] / "config" / "README.md").read_text(encoding="utf-8")
    (row,) = (line for line in readme.splitlines() if line.startswith("| `section` |"))
    assert {name for name in known_sections() if f"`{name}`" in row} == set(known_sections())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ({"section": "verdicts", "before": "x"}, "texts[0].section is 'verdicts', expected one of"),
        ({"section": "verdict"}, "texts[0] has no text: give before, after, before_file or"),
        (
            {"section": "dataset", "dataset": "toi", "before": "x"},
            "texts[0].dataset is 'toi', which the study has not; did you mean 'toy'?",
        ),
        (
            {"section": "verdict", "after": "x", "after_file": "data/toy.csv"},
            "texts[0] has both after and after_file, expected one of them",
        ),
        (
            {"section": "verdict", "before": "a\u202eb"},
            "texts[0].before has the control or text-reordering character '\\u202e'",
        ),
        (
            {"section": "verdict", "before_file": "none.md"},
            "texts[0].before_file is 'none.md', which is no file in the folder where the command",
        ),
        (
            {"section": "verdict", "before_file": "data"},
            "texts[0].before_file is 'data', which is no file",
        ),
        ({"section": "verdict", "befor": "x"}, "befor is not a known key; did you mean 'before'?"),
        ({"section": "verdict", "before": ""}, "texts[0].before is empty"),
    ],
)
def test_texts_that_are_refused(text: dict[str, Any], message: str) -> None:
    assert message in refused(text)


def test_an_unknown_section_lists_the_known_ones() -> None:
    said = refused({"section": "x", "before": "x"})
    assert all(repr(name) in said for name in known_sections())


@pytest.mark.parametrize("section", SECTIONS_LEFT_OUT)
def test_texts_of_sections_that_an_essential_report_has_not(section: str) -> None:
    text = {"section": section, "before": "x"}
    why = "'detail: essential' (the default with more than 24 datasets) leaves out"
    mend = "give 'detail: full', or remove this text"
    expected = f"configuration: report.texts[0].section is {section!r}, which {why}: {mend}"
    several = {"classes": [f"c{place}" for place in range(MANY + 1)]}
    for detail, own in (("essential", {}), ("auto", several)):
        content = {
            "study": "s",
            "detail": detail,
            "datasets": [{**dataset("toy", "Toy"), **own}],
            "report": {"texts": [text]},
        }
        with pytest.raises(InputError) as caught:
            parse_study(content)
        assert list(caught.value.findings) == [expected]
        assert parse_study({**content, "detail": "full"}).report.texts


@pytest.mark.parametrize("detail", ["standard", "auto"])
@pytest.mark.parametrize("section", annexed())
def test_texts_of_sections_that_only_an_annex_has(section: str, detail: str) -> None:
    text = {"section": section, "before": "x"}
    why = "which only a report with an annex has: give 'detail: full', or remove this text"
    with pytest.raises(InputError) as caught:
        study(text, detail=detail)
    expected = f"configuration: report.texts[0].section is {section!r}, {why}"
    assert list(caught.value.findings) == [expected]
    assert study(text, detail="full").report.texts


def test_a_first_look_passes_over_texts_of_what_it_does_not_show() -> None:
    sections = *SECTIONS_LEFT_OUT, *annexed(), "claims", "verdict"
    texts = [{"section": one, "before": "x"} for one in sections]
    made = study(*texts, detail="quick").report.texts
    assert [one.section for one in made] == ["thresholds", "segments", "verdict"]


@pytest.mark.parametrize("section", ["dataset", "cost_curves", "differences", "verdict"])
def test_texts_of_sections_that_an_essential_report_has(section: str) -> None:
    content = {"study": "s", "detail": "essential", "datasets": [dataset("toy", "Toy")]}
    text = {"section": section, "before": "x"}
    assert parse_study({**content, "report": {"texts": [text]}}).report.texts


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "which is not UTF-8; save the file as UTF-8"),
        (b"a\x00", "which has the control or text-reordering character '\\x00'"),
        (b"a" * 100_001, "which is larger than 100000 bytes"),
    ],
)
def test_files_of_text_that_are_refused(folder: Path, content: bytes, message: str) -> None:
    (folder / "a.md").write_bytes(content)
    said = refused({"section": "verdict", "after_file": "a.md"})
    assert f"report.texts[0].after_file is 'a.md', {message}" in said


AWAY = "expected a path below the folder of the configuration, without '..'"
NO_FILE = "which is no file in the folder where the command runs"
BELOW = "which is not below the folder of the configuration, 'config': put the text there, or give"


def configured(file: str) -> str:
    """What is said of a study in `config` that takes a text from a file, built from above it."""
    text = {"section": "verdict", "before_file": file}
    content = {"study": "s", "datasets": [dataset("toy", "Toy")], "report": {"texts": [text]}}
    Path("config").mkdir(exist_ok=True)
    Path("config", "s.yaml").write_text(json.dumps(content))
    try:
        read_study(Path("config", "s.yaml"))
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("file", "link", "said"),
    [
        ("config/below/own.md", (), ""),
        ("config/own.md", ("config/own.md", "below/own.md"), ""),  # a link that stays
        ("config/../config/below/own.md", (), AWAY),
        ("/etc/hostname", (), AWAY),
        ("outside.md", (), BELOW),
        ("config/link.md", ("config/link.md", "../outside.md"), BELOW),
        ("config/link.md", ("config/link.md", "/etc/hostname"), BELOW),
        ("config/link/own.md", ("config/link", "../elsewhere"), BELOW),
        ("config/none.md", (), NO_FILE),
        ("config/pipe", (), NO_FILE),
        ("config/link.md", ("config/link.md", "/dev/stdin"), NO_FILE),
    ],
)
def test_a_text_lies_below_the_folder_of_its_configuration(
    folder: Path, file: str, link: tuple[str, ...], said: str
) -> None:
    for name in ("config/below/own.md", "outside.md", "elsewhere/own.md"):
        written(folder / name, "Mine.")
    os.mkfifo("config/pipe")
    for target in link[1:]:
        Path(link[0]).symlink_to(target)
    found = configured(file)
    assert (said in found) if said else not found
    assert "\n" not in found


def test_a_text_of_a_manifest_leads_nowhere_else() -> None:
    text = {"section": "verdict", "before_file": "/etc/hostname"}
    content = {"study": "s", "datasets": [dataset("toy", "Toy")], "report": {"texts": [text]}}
    with pytest.raises(InputError, match=re.escape(AWAY)):
        parse_study(content, files=False)


def test_a_text_without_its_section_is_an_error() -> None:
    made = study({"section": "claims", "dataset": "toy", "before": "x"})
    with pytest.raises(InputError, match=re.escape("a text for 'claims' of the dataset 'toy', a")):
        published(made)
    assert not Path("out").exists()


# The pages


def test_texts_stand_before_and_after_in_both_media(folder: Path) -> None:
    written(folder / "after.md", "\ufeffFrom a *file*.\n")
    made = study(
        {"section": "references", "before": "# First\n\n> quoted", "after_file": "after.md"},
        {"section": "references", "before": "Second."},
        {"section": "averaging", "dataset": "other", "after": "Of the other."},
        {"section": "optimism", "before": "Of both."},
        detail="full",
    )
    for markup in pages(made):
        begins = markup.index('id="references/title"')
        own = markup[begins : markup.index('id="provenance/title"')]
        places = [own.index(words) for words in ("First</h3>", "Second.", "<ul", "<em>file</em>")]
        assert places == sorted(places)
        assert "Of the other." in section(markup, "data/other/averaging")
        assert "Of the other." not in section(markup, "data/toy/averaging")
        assert "Of both." in section(markup, "data/toy/optimism")
        assert "Of both." in section(markup, "data/other/optimism")


def test_texts_about_several_classes_or_one_of_them() -> None:
    several = {**dataset("other", "Other"), "classes": ["red", "green", "blue"]}
    texts = [
        {"section": "classes", "dataset": "other", "before": "Of the whole."},
        {"section": "differences", "dataset": "other", "before": "Of each."},
        {"section": "differences", "dataset": "other: green", "before": "Of green."},
    ]
    datasets, report = [dataset("toy", "Toy"), several], {"texts": texts}
    made = parse_study({"study": "s", "datasets": datasets, "report": report})
    for markup in pages(made):
        assert "Of the whole." in section(markup, "classes/other")
        assert "Of the whole." not in section(markup, "data/other--red")
        slugs = ["toy", "other--red", "other--green", "other--blue"]
        shown = [section(markup, f"data/{slug}/differences") for slug in slugs]
        assert ["Of each." in one for one in shown] == [False, True, True, True]
        assert ["Of green." in one for one in shown] == [False, False, True, False]


def test_a_text_around_all_classes_is_not_of_one() -> None:
    several = {**dataset("toy", "Toy"), "classes": ["red", "green", "blue"]}
    text = {"section": "classes", "dataset": "toy: red", "before": "x"}
    made = parse_study({"study": "s", "datasets": [several], "report": {"texts": [text]}})
    with pytest.raises(InputError, match="a text for 'classes' of the dataset 'toy: red', a"):
        published(made)


HOSTILE = """<script>alert(1)</script> <b onclick="x">b</b> {{7*7}} {% raw %}

[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd) [d](../x) <javascript:x>
![picture](https://example.org/x.png)

<iframe src="x"></iframe>

[ref]: vbscript:x "t"
[ref]
"""


def test_hostile_text_is_inert_in_both_media() -> None:
    hostile = study({"section": "methods", "before": HOSTILE})
    for quiet, markup in zip(pages(study()), pages(hostile), strict=True):
        for tag in ("<script", "<b ", "<iframe", "<img", "onclick=&quot;"):
            assert markup.count(tag) - quiet.count(tag) in (0, tag == "onclick=&quot;")
        assert "{{7*7}}" in markup
        own = markup[markup.index('class="words"') :]
        addresses = re.findall(r'href="([^"]*)"', own[: own.index("</div>")])
        assert addresses == ["https://example.org/x.png"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("[a](https://example.org/a?b=1&c)", "https://example.org/a?b=1&amp;c"),
        ("[a](mailto:a@example.org)", "mailto:a@example.org"),
        ("<https://example.org>", "https://example.org"),
        ("[a](DOI:10.1007/s10994-006-8199-5)", "https://doi.org/10.1007/s10994-006-8199-5"),
        ("[a](#methods)", "#methods"),
    ],
)
def test_links_that_lead_somewhere(text: str, address: str) -> None:
    assert f'href="{address}"' in markdown(text, 2)


def test_headings_begin_below_the_section_and_end_at_six() -> None:
    found = re.findall(r"<h(\d)>", markdown("## a\n\n### b\n\n# c\n", 2))
    assert found == ["4", "5", "3"]
    assert re.findall(r"<h(\d)>", markdown("### a\n", 3)) == ["4"]
    assert re.findall(r"<h(\d)>", markdown("# a\n\n###### b\n", 3)) == ["4", "6"]


def test_what_is_added_is_in_the_manifest_and_in_the_provenance(folder: Path) -> None:
    text = written(folder / "a.md", "Hm.")
    made = study({"section": "verdict", "after_file": "a.md"})
    files = published(made)
    sources = json.loads(files["manifest.json"])["report_sources"]
    assert sources == [{"path": "a.md", "sha256": sha256(text)}]
    assert sources[0]["sha256"] in files["report.html"].decode()


def test_the_same_additions_give_the_same_bytes() -> None:
    made = study({"section": "verdict", "after": "*So.*"})
    assert published(made) == published(made)


def test_a_table_of_very_many_rows_is_published_as_parquet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, data = study(detail="full"), tables()
    monkeypatch.setattr(contract, "MOST_AS_TEXT", 2 * len(data["bands"]) - 1)  # of two datasets
    files = published(made)
    large = {name.split("/")[1] for name in files if name.endswith(".parquet")}
    assert large == {"bands", "averages", "choice_intervals", "calibration", "hybrids"}
    facts = facts_of(made.datasets[0], data, "repeat", tuple(large))
    assert {facts.table(stage) for stage in data if data[stage].size} <= set(files)
    kept = read(Path("out", facts.table("bands")), CONTRACTS["bands"])
    pd.testing.assert_frame_equal(kept, data["bands"].reset_index(drop=True))
