"""Names stay as users give them; file names are made of slugs."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from snakemake.io import PeriodicityDetector

from costcurves.names import SLUG, is_slug, nearest, quoted, slug, slugs, some, twins, unusable
from costcurves.settings import DatasetKeys, name_of

HOSTILE = [
    *("../../x", "a/b", "a\\b", "-rf", ".hidden", "..", "$(id)", "`id`", "{wildcards.x}"),
    *("<script>", "</script>", "{{7*7}}", "\\input{x}", "$\\foo$", "_hidden", "x" * 300),
    *("CON", "con.txt", "study.json", "LPT1", "", " ", "\n", "a\n", "声纳", "مثال\u200f", "🙂"),
]
NAMES = st.text(st.characters(codec="utf-8")) | st.sampled_from(HOSTILE)


@given(st.lists(NAMES, unique=True, min_size=1))
def test_any_names_have_harmless_slugs_that_differ_even_without_case(names: list[str]) -> None:
    made = slugs(names)
    assert len({text.casefold() for text in made}) == len(names)
    assert slugs(names[::-1]) == made[::-1]
    for text in (*made, slug(names[0])):
        assert SLUG.fullmatch(text)
        assert is_slug(text)
        assert slug(text) == text


@given(st.text("ab-. ", max_size=30), st.text("ab-é. ", min_size=1, max_size=4))
@example("", "a")  # twenty letters
@example("b", "abc")
@example("tea", "ab")
def test_the_engine_takes_no_slug_for_an_endless_loop(first: str, again: str) -> None:
    loops = PeriodicityDetector()
    for times in (2, 8, 9, 10, 11, 18, 19, 20, 21, 64):
        name = f"{first}{again * times}"
        each = slugs([name, f"{name}b"])
        dataset = DatasetKeys(name=name, predictions=("p.csv",), classes=(name, again, "c"))
        made = [*each, *dataset.part_files(each[0]), name_of(each[0], weighted=True)]
        assert [text for text in made if loops.is_periodic(text)] == []


def test_what_cannot_be_told_apart_gets_a_hash() -> None:
    for name in ("sonar", "German_credit-1.0", "a" * 19, "zz", "abcd" * 9, "run-20000000000"):
        assert slugs([name]) == [name]
    assert [slug("Japanese credit"), slug("../../x")] == ["Japanese-credit", "x"]
    assert slug("a" * 20) == f"{'a' * 20}-42492da06234"
    assert [slug("CON"), slug("声纳")] == ["CON-a3dbc4b644a9", "3a119213c784"]
    of_case = ["sonar-48ce1a75f189", "heart", "Sonar-58f5938cf419"]
    assert slugs(["sonar", "heart", "Sonar"]) == of_case
    thief = slugs(["a b", "a-b"])[0]
    assert len({*slugs(["a b", "a-b", thief])}) == 3
    assert slug("é Å") == slug(unicodedata.normalize("NFD", "é Å")) == "e-A"
    names = ["con", "study.json", "a/b", "-a", "", "a" * 65, "sonar\n", "é", "a b"]
    assert not any(map(is_slug, names))


@pytest.mark.parametrize("sign", "\t\n\x00\x1b\x7f\x85\x9b\u2028\u202e\u2066\u200b\ufeff\uffff")
def test_names_that_deceive_are_unusable(sign: str) -> None:
    why = f"has the control or text-reordering character {sign!a}"
    assert why in str(unusable(f"a{sign}b"))


def test_blank_and_long_names_are_unusable_and_others_are_not() -> None:
    for name in ("", " \u3000", "\u200d\u2060", "\u3164"):
        assert "is blank" in str(unusable(name))
    assert "has 201 characters, expected at most 200" in str(unusable("x" * 201))
    for name in ("C4.5", "NA", "<script>", "אב\u200f", "x" * 200, " a ", "$x$", "é"):
        assert unusable(name) is None


def test_names_in_messages() -> None:
    """Those that look the same are twins."""
    assert twins(["é", "e\u0301", "a b", "a  b ", "a b"]) == [("é", "e\u0301"), ("a b", "a  b ")]
    assert twins(["ab", "a\xadb"]) == [("ab", "a\xadb")]
    assert twins(["a", "A", "a1"]) == []
    assert quoted("a\u202eb\n") == r"'a\u202eb\n'"
    assert some([str(i) for i in range(12)]).endswith("'9' and 2 more")
    assert some(["NB", "C4.5"]) == "'NB', 'C4.5'"
    assert some(["a", "b", "c"], most=2) == "'a', 'b' and 1 more"
    assert some([]) == "none"
    assert nearest("Fold", ["fold", "score"]) == "did you mean 'fold'?"
    assert nearest("", ["fold"]) == "known are 'fold'"
