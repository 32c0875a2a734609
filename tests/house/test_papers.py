"""The worked example of the papers' numbers gives what it prints, and its table holds that."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "papers.md"


def test_the_examples_give_what_they_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PAGE.parents[1])
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.failed == 0


def test_the_table_holds_what_the_examples_print() -> None:
    text = PAGE.read_text("utf-8")
    ours = [line.split(" | ")[-1] for line in text.splitlines() if line.startswith("| 20")]
    printed = [one.want for one in doctest.DocTestParser().get_examples(text) if one.want]
    assert [f"{one.removesuffix(' |')}\n" for one in ours] == printed
