"""What a study says of itself in its report: what is refused, and what its pages then show."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from costcurves.contracts import CONTRACTS
from costcurves.errors import InputError
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.record.manifest import provenance
from costcurves.report import publication, rendering
from costcurves.report.document import Report, address
from costcurves.settings import Study
from costcurves.study.reading import parse_study
from costcurves.tables import contract
from costcurves.tables.files import read
from tests.fake_report import dataset, tables
from tests.small_study import contents

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to run in, with the predictions that studies name; a PDF there is its markup."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for name in ("toy", "other"):
        (tmp_path / "data" / f"{name}.csv").touch()

    def markup(report: Report, _: str) -> bytes:
        return rendering._page(report, "print").encode()

    monkeypatch.setattr(publication, "pdf", markup)  # which takes seconds
    monkeypatch.setattr(publication, "pdf_missing", lambda: None)


def study(**keys: Any) -> Study:
    datasets = [dataset("toy", "Toy"), dataset("other", "Other")]
    return parse_study({"study": "s", "datasets": datasets, **keys})


def published(made: Study) -> dict[str, bytes]:
    """Publish a report without figures, and give its files."""
    data = {each.slug: tables() for each in made.datasets}
    drawn = {slug: Path("drawn", slug or "together") for slug in ("", *data)}
    for folder in drawn.values():
        folder.mkdir(parents=True, exist_ok=True)
    record = provenance([], asdict(made), [], given={"study": "s"}, results={}, libraries={})
    whole = {"map": MAP.empty(), "claims": CLAIMS.empty()}
    publication.publish(Path("out"), made, {"": whole, **data}, drawn, record)
    return contents(Path("out"))


def pages(made: Study) -> list[str]:
    """The markup of a report, for the screen and for paper."""
    files = {name: content.decode() for name, content in published(made).items()}
    return [files["report.html"], files["report.pdf"]]


# The configuration


UNFIT = "description has the character {!r}, expected plain text"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((f"a{letter}", UNFIT.format(letter)) for letter in ("\u202e", "\x00", "\ud800")),
        ("", "description is empty"),
    ],
)
def test_descriptions_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        study(description=text)


def test_texts_around_sections_are_refused_with_what_to_do_instead() -> None:
    texts = [{"section": "methods", "before": "x"}]
    with pytest.raises(InputError, match="report was removed: put your words into 'description'"):
        study(report={"texts": texts})


# The pages

HOSTILE = """<script>alert(1)</script> <b onclick="x">b</b> {{7*7}} {% raw %}

 \t
*Not* [a link](javascript:alert(1)), <iframe src="x"></iframe>
on two lines

"""


def test_a_description_stands_below_the_title_as_escaped_paragraphs() -> None:
    for quiet, markup in zip(pages(study()), pages(study(description=HOSTILE)), strict=True):
        begins = markup.index("<h1>")
        first, second = re.findall(r'<p class="description">(.*?)</p>', markup[begins:], re.DOTALL)
        assert first.startswith("&lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=&#34;x&#34;")
        assert "{{7*7}} {% raw %}" in first
        assert second.startswith("*Not* [a link](javascript:alert(1)), &lt;iframe")
        for tag in ("<script", "<b ", "<iframe", "<a "):
            assert markup.count(tag) == quiet.count(tag)
        assert 'class="description"' not in quiet


def test_a_table_of_very_many_rows_is_published_as_parquet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, data = study(appendix=True), tables()
    monkeypatch.setattr(contract, "MOST_AS_TEXT", 2 * len(data["bands"]) - 1)  # of two datasets
    files = published(made)
    large = {name.split("/")[1] for name in files if name.endswith(".parquet")}
    assert large == {"bands", "choice_intervals", "calibration", "hybrids"}
    assert {address(stage, "toy", large) for stage in data if data[stage].size} <= set(files)
    kept = read(Path("out", address("bands", "toy", large)), CONTRACTS["bands"])
    pd.testing.assert_frame_equal(kept, data["bands"].reset_index(drop=True))
