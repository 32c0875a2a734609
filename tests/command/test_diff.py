"""`costcurves diff`: what is said of two reports that differ in one thing each."""

import json
import re
from math import nan
from pathlib import Path
from typing import Any

import pytest

from costcurves.archive.changes import QUANTITIES
from costcurves.archive.diff import HEADS
from costcurves.code import REPORT
from costcurves.command.main import main
from costcurves.tables.claims import CLAIMS
from costcurves.tables.contract import Contract
from costcurves.tables.files import write_csv
from costcurves.tables.inference.bands import INTERVALS
from costcurves.tables.inference.verdicts import VERDICTS
from costcurves.tables.record.manifest import write_manifest

MANIFEST: dict[str, Any] = {
    "sources": [{"path": "a.csv", "sha256": "ab" * 32, "rows": 9}],
    "report_sources": [],
    "versions": {"numpy": "2.0"},
    "libraries": {},
    "code": "c0de" * 16,
    "configuration": {"seed": 3, "datasets": [{"name": "loans", "positive": "bad"}]},
    "results": {},
    "given": {"study": "s", "datasets": [{"name": "loans", "predictions": ["a.csv"]}]},
}
SAME = "0 changes; the same: 3 numbers; moved by no more than chance: 0 numbers\n"
AWAY = "loans: not compared case by case, as predictions are not here; see --sources."
CHANGED = "Costs and ranges that changed beyond chance:"


def row(contract: Contract, **said: Any) -> dict[str, Any]:
    """A row of a table: what is said, and nothing else."""
    empty = {"str": "", "bool": False, "int64": 0, "float64": nan}
    return {one.name: empty[one.dtype] for one in contract.columns} | said


def interval(quantity: str, value: float, low: float, high: float) -> dict[str, Any]:
    at = {"condition": "5:1"} if quantity == "cost" else {}
    numbers = {"value": value, "low": low, "high": high}
    return row(INTERVALS, dataset="loans", model="NB", quantity=quantity, **numbers, **at)


def verdict(finding: str, start: float, end: float, largest: float) -> dict[str, Any]:
    pair = {"family": "all pairs", "model_a": "NB", "model_b": "1R", "dataset": "loans"}
    ends = {"pc_from": start, "pc_to": end, "largest_difference": largest}
    return row(VERDICTS, finding=finding, **pair, **ends)


INTERVALS_THERE = [
    interval("area", 0.2, 0.15, 0.25),
    interval("cost", 0.107, 0.1, 0.12),
    interval("range start", nan, nan, nan),
]
VERDICTS_THERE = [
    verdict("undecided", 0, 0.2, 0.01),
    verdict("A cheaper", 0.2, 0.3, -0.03),
    verdict("undecided", 0.3, 0.6, 0.01),
    verdict("A cheaper", 0.6, 0.8, -0.05),
    verdict("undecided", 0.8, 1, 0.01),
]
CLAIMS_THERE = [row(CLAIMS, claim="NB wins", verdict="UNDECIDED")]


def written(folder: str, **changed: Any) -> None:
    """A report of one dataset with all that is compared, or what is changed of it."""
    tables = {
        ("intervals/loans", INTERVALS): changed.pop("intervals", INTERVALS_THERE),
        ("verdicts/loans", VERDICTS): changed.pop("verdicts", VERDICTS_THERE),
        ("claims", CLAIMS): changed.pop("claims", CLAIMS_THERE),
    }
    for (name, contract), rows in tables.items():
        path = Path(folder, "tables", f"{name}.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_csv(contract.rows(rows), path)
    write_manifest(Path(folder), {**MANIFEST, **changed})


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written("before")


def said(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["diff", "before", "after", *options]) == 0
    return capsys.readouterr().out


def test_equal_reports_have_no_change(capsys: pytest.CaptureFixture[str]) -> None:
    written("after")
    assert said(capsys) == SAME


OTHER = [{"path": "a.csv", "sha256": "ba" * 32, "rows": 9}]
MOVED = [interval("area", 0.24, 0.19, 0.29), *INTERVALS_THERE[1:]]
LEFT = [interval("area", 0.24, 0.21, 0.29), *INTERVALS_THERE[1:]]
FOUND = [interval("range start", 0.3, 0.2, nan)]
CASES: list[tuple[dict[str, Any], list[str], str]] = [
    (
        {"sources": OTHER},
        ["Inputs:", "  a.csv", "    before: abababababab", "    after:  babababababa", AWAY],
        "1 change; the same: 3 numbers;",
    ),
    (
        {"configuration": {"seed": 3, "datasets": [{"name": "loans"}]}},
        ["Configuration:", "  datasets.loans.positive", "    before: bad", "    after:  \u2014"],
        "1 change; the same: 3 numbers;",
    ),
    (
        {"versions": {"numpy": "2.1"}, "code": "f" * 64},
        [
            *("Versions:", "  numpy", "    before: 2.0", "    after:  2.1"),
            *("  code", "    before: c0dec0dec0de", "    after:  ffffffffffff"),
        ],
        "2 changes; the same: 3 numbers;",
    ),
    (
        {"claims": [row(CLAIMS, claim="NB wins", verdict="SUPPORTED")]},
        ["Claims:", "  NB wins", "    before: UNDECIDED", "    after:  SUPPORTED"],
        "1 change; the same: 3 numbers;",
    ),
    (
        {"verdicts": [verdict("undecided", 0, 0.5, 0), verdict("B cheaper", 0.5, 1, 0.2)]},
        [
            *("Verdicts:", "  loans, 1R against NB"),
            "    before: NB cheaper on 30\u202f% of PC(+), by up to 0.050",
            "    after:  1R cheaper on 50\u202f% of PC(+), by up to 0.200",
        ],
        "1 change; the same: 3 numbers;",
    ),
    (
        {"verdicts": [verdict("undecided", 0, 1, 0.01)]},
        [
            *("Verdicts:", "  loans, 1R against NB"),
            "    before: NB cheaper on 30\u202f% of PC(+), by up to 0.050",
            "    after:  undecided",
        ],
        "1 change; the same: 3 numbers;",
    ),
    (
        {"intervals": MOVED},
        [],
        "0 changes; the same: 2 numbers; moved by no more than",
    ),
    (
        {"intervals": LEFT},
        [
            *(CHANGED, "  loans, NB: mean cost over all PC(+), the area under the curve"),
            "    before: 0.200 (0.150 to 0.250)",
            "    after:  0.240 (0.210 to 0.290)",
        ],
        "1 change; the same: 2 numbers;",
    ),
    (
        {"intervals": [*INTERVALS_THERE[:2], *FOUND]},
        [
            *(CHANGED, "  loans, NB: PC(+) from which it is cheaper than both no-model baselines"),
            "    before: \u2014 (\u2014 to \u2014)",
            "    after:  0.30 (0.20 to \u2014)",
        ],
        "1 change; the same: 2 numbers;",
    ),
    (
        {"intervals": INTERVALS_THERE[:1]},
        [
            *(CHANGED, "  loans, NB: cost at 5:1"),
            *("    before: 0.107 (0.100 to 0.120)", "    after:  \u2014"),
            "  loans, NB: PC(+) from which it is cheaper than both no-model baselines",
            *("    before: \u2014 (\u2014 to \u2014)", "    after:  \u2014"),
        ],
        "2 changes; the same: 1 number;",
    ),
]


@pytest.mark.parametrize(("change", "lines", "summary"), CASES)
def test_a_change_is_named_with_both_of_its_sides(
    change: dict[str, Any], lines: list[str], summary: str, capsys: pytest.CaptureFixture[str]
) -> None:
    written("after", **change)
    *found, last = said(capsys).splitlines()
    assert found == lines
    assert last.startswith(summary)
    document = json.loads(said(capsys, "--format", "json"))
    assert len(document["changes"]) == int(summary.split()[0])
    sides = [f"{one['before']} {one['after']}" for one in document["changes"]]
    assert all(any(word in line for line in lines) for side in sides for word in side.split())


def test_models_in_another_order_are_no_change(capsys: pytest.CaptureFixture[str]) -> None:
    other = {"A cheaper": "B cheaper", "undecided": "undecided"}
    turned = [
        {**it, "model_a": "1R", "model_b": "NB", "finding": other[it["finding"]]}
        for it in VERDICTS_THERE
    ]
    written("after", verdicts=turned)
    assert said(capsys) == SAME


def test_a_mean_that_is_the_area_is_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    written("before", intervals=[*INTERVALS_THERE, interval("tec", 0.2, 0.15, 0.25)])
    written("after", intervals=[*LEFT, interval("tec", 0.24, 0.21, 0.29)])
    assert "weights of the study" not in said(capsys)
    written("after", intervals=[*LEFT, interval("tec", 0.26, 0.255, 0.29)])
    assert "weights of the study" in said(capsys)


def test_datasets_have_their_titles_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    used("before", USE)
    used("after", USE | {"threshold": 0.3})
    written("after", intervals=LEFT)
    lines = said(capsys).splitlines()
    assert "  Loans of 2019, NB: mean cost over all PC(+), the area under the curve" in lines


def test_amounts_are_of_1000_cases(capsys: pytest.CaptureFixture[str]) -> None:
    paid = {"amount": 718.0, "amount_low": 700.0, "amount_high": 730.0, "unit": "EUR"}
    used("before", USE | paid)
    used("after", USE | paid | {"threshold": 0.3})
    assert "cost 718 EUR per 1000 cases (700 to 730)" in said(capsys)


def test_stretches_that_hardly_move_are_no_change(capsys: pytest.CaptureFixture[str]) -> None:
    moved = [*VERDICTS_THERE[:3], verdict("A cheaper", 0.6, 0.804, -0.05)]
    written("after", verdicts=moved)
    assert said(capsys) == SAME


def test_a_page_has_names_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    written("after", configuration={"seed": "<script>1</script>", "datasets": []})
    page = said(capsys, "--format", "html")
    assert "<script>" not in page
    assert re.search("From before to after: [0-9] changes; the same: 3 numbers;", page)
    assert '<th scope="row">seed</th><td>3</td>' in page
    assert "&lt;script&gt;1&lt;/script&gt;" in page
    style = (REPORT / "styles" / "page.css").read_text("utf-8")
    assert f"<style>{style}" in page  # that of the report


USE: dict[str, Any] = {
    "dataset": "loans",
    "title": "Loans of 2019",
    "condition": "5:1",
    "pc": 0.6,
    "cheapest": "NB",
    "member": "",
    "threshold": 0.25,
    "flagged": 0.4,
    "cost": 0.2,
    "cost_low": 0.1,
    "cost_high": 0.3,
    "amount": None,
}
OTHER_USE = USE | {"condition": "1:1", "threshold": 0.5, "flagged": 0.3}


def used(folder: str, *rows: dict[str, Any]) -> None:
    """A report with these answers."""
    Path(folder).mkdir(exist_ok=True)
    Path(folder, "what_to_use.json").write_text(json.dumps(rows))
    written(folder)


def test_it_begins_with_what_to_use_and_says_what_stays(capsys: pytest.CaptureFixture[str]) -> None:
    used("before", USE, OTHER_USE)
    used("after", USE, OTHER_USE)
    assert said(capsys).splitlines() == [
        "What to use:",
        "  Loans of 2019, 5:1: still NB; threshold 0.25 (top 40\u202f%)",
        "  Loans of 2019, 1:1: still NB; threshold 0.5 (top 30\u202f%)",
        SAME.strip(),
    ]


CHANGES_OF_USE: dict[str, tuple[dict[str, Any], list[str]]] = {
    "another threshold": (
        {"threshold": 0.3, "flagged": 0.35},
        [
            "    before: NB; threshold 0.25 (top 40\u202f%); cost 0.200 (0.100 to 0.300)",
            "    after:  NB; threshold 0.3 (top 35\u202f%); cost 0.200 (0.100 to 0.300)",
        ],
    ),
    "another model": (
        {"cheapest": "1R", "threshold": None, "cost": 0.15, "cost_low": None, "cost_high": None},
        [
            "    before: NB; threshold 0.25 (top 40\u202f%); cost 0.200 (0.100 to 0.300)",
            "    after:  1R; cost 0.150",
        ],
    ),
    "another member": (
        {"cheapest": "Trees", "member": "p=0.8", "threshold": None},
        [
            "    before: NB; threshold 0.25 (top 40\u202f%); cost 0.200 (0.100 to 0.300)",
            "    after:  Trees; use p=0.8; cost 0.200 (0.100 to 0.300)",
        ],
    ),
}


@pytest.mark.parametrize("case", CHANGES_OF_USE)
def test_it_begins_with_what_is_recommended_before_and_after(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change, lines = CHANGES_OF_USE[case]
    used("before", USE, OTHER_USE)
    used("after", USE | change, OTHER_USE)
    first, what, *sides, still = said(capsys).splitlines()[:5]
    assert (first, what) == ("What to use:", "  Loans of 2019, 5:1")
    assert sides == lines
    assert still == "  Loans of 2019, 1:1: still NB; threshold 0.5 (top 30\u202f%)"
    assert said(capsys).splitlines()[-1].startswith("1 change; ")


def test_a_condition_of_one_report_only_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    used("before", USE)
    used("after", USE, OTHER_USE)
    lines = said(capsys).splitlines()
    assert lines[2:5] == [
        "  Loans of 2019, 1:1",
        "    before: \u2014",
        "    after:  NB; threshold 0.5 (top 30\u202f%); cost 0.200 (0.100 to 0.300)",
    ]


def test_quantities_are_named_in_words() -> None:
    assert {*QUANTITIES} == {"area", "tec", "cost", "range start", "range end"}
    for name, words in QUANTITIES.items():
        said = words.format("NB", "5:1").removeprefix("NB: ")
        assert not said.startswith(("area", "tec", "range", name + ":"))
        assert "_" not in said
    assert [*HEADS][:2] == ["use", "number"]


DAMAGED: dict[str, Any] = {
    "no sources": lambda: written("after", sources=None),
    "a source without a hash": lambda: written("after", sources=[{"path": "a.csv"}]),
    "no configuration": lambda: written("after", given={}),
    "names that are lists": lambda: written(
        "after", configuration={"datasets": [{"name": ["loans"]}]}
    ),
    "answers cut off": lambda: answered("[{"),
    "answers that nest": lambda: answered("[" * 100_000),
    "answers that are none": lambda: answered("[NaN]"),
    "a number of many digits": lambda: answered("1" * 5000),
    "an answer without a condition": lambda: used("after", {"dataset": "loans"}),
    "an answer of texts": lambda: used("after", USE | {"flagged": "\x1b[2Kmany"}),
    "an unknown quantity": lambda: written(
        "after", intervals=[*INTERVALS_THERE, interval("areo", 0.1, 0, 1)]
    ),
    "a table cut off": lambda: cut_off("after/tables/intervals/loans.csv"),
}


def answered(text: str) -> None:
    written("after")
    Path("after", "what_to_use.json").write_text(text)
    write_manifest(Path("after"), MANIFEST)


def cut_off(name: str) -> None:
    written("after")
    Path(name).write_bytes(Path(name).read_bytes()[:40])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_report_is_no_fault_of_ours(
    damage: str, turned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    DAMAGED[damage]()
    folders = ["after", "before"] if turned else ["before", "after"]
    for form in ("text", "html", "json"):
        assert main(["diff", *folders, "--format", form]) == 3
        said = capsys.readouterr()
        assert said.out == ""
        begin = f"{' and '.join(folders)} can't be compared (see 'costcurves verify'): "
        assert said.err.startswith(begin)
        assert said.err.rstrip("\n").isprintable()


def test_what_is_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "before", "nowhere"]) == 2
    expected = "nowhere: there is no such folder, expected one such as reports/default\n"
    assert capsys.readouterr().err == expected
    Path("empty").mkdir()
    assert main(["diff", "empty", "before"]) == 3
    assert "manifest.json: is missing" in capsys.readouterr().err
