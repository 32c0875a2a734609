"""How numbers read: each way of writing one, and what holds whatever the number."""

import math
import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costcurves import formats

READ: list[tuple[Any, list[Any], object]] = [
    (formats.cost, [0.00995], "0.010"),
    (formats.cost, [4e-05], "0.00004"),
    (formats.cost, [1e-09], "<0.000001"),
    (formats.cost, [math.nan], "\u2014"),
    (formats.signed, [0.0], "0.000"),
    (formats.interval, [-0.00214, 0.164], "\u22120.0021 to 0.164"),
    (formats.interval, [-1e-17, 0.42], "0.000\u20130.420"),
    (formats.p_stated, [0.0004], "p < 0.001"),
    (formats.pc, [math.nan], "\u2014"),
    (formats.pc, [1e-09], "<0.000001"),
    (formats.pc, [1 - 1e-09], ">0.999999"),
    (formats.condition_by_ratio, [0.08], "1:12.5"),
    (formats.pc_pair, [0.0, 0.3], ("0", "0.30")),
    (formats.pc_range, [math.nan, math.nan], "none"),
    (formats.pc_range, [0.0004, 0.0104], "<0.001 to 0.010"),
    (formats.pc_range, [0.3000001, 0.3000002], "0.300000\u20130.300000"),
    (formats.pc_ranges, [[(0.1, 0.2), *[(0.3, 0.4)] * 3]], "0.10\u20130.40, in 4 ranges"),
    (formats.stated_range, [0.25, 0.25], "PC(+) = 0.25"),
    (formats.times, [1234.0], "1200"),
    (formats.ratio, [math.inf], "1:0"),
    (formats.ratio, [0.0], "0:1"),
    (formats.ratio, [math.nan], "\u2014"),
    (formats.ratio_range, [0.2, 3.2], "1:5 to 3.2:1"),
    (formats.ratio_range, [0.0, math.inf], "all"),
    (formats.ratio_range, [1.0, 12_345.0], "1:1 to 12\u202f000:1"),
    (formats.folds, [1, 1, 1], "one test set"),
    (formats.folds, [3, 3, 8], "8 folds in 3 repeats"),
    (formats.cases, [39520.8], "39\u202f520"),
    (formats.amount, [3958126.7], "3\u202f958\u202f000"),
    (formats.amount, [1e300], "1e+300"),
    (formats.amount, [-1.25e-07], "\u22121.25e\u221207"),
    (formats.amount, [math.nan], "\u2014"),
    (formats.counted, [2, "stretch", "stretches"], "2 stretches"),
    (formats.level, [0.975], "97.5\u202f%"),
    (formats.share, [0.9964], "99.64\u202f%"),
    (formats.share, [1.0142], "101\u202f%"),
    (formats.share, [0.00404], "0.4\u202f%"),
    (formats.threshold, [1.0], "1"),
    (formats.threshold, [-1.25e-07], "\u22121.25e\u221207"),
]


@pytest.mark.parametrize(("write", "values", "text"), READ)
def test_a_number_reads_as_its_kind_does(write: Any, values: list[Any], text: object) -> None:
    assert write(*values) == text


def test_minus_zero_reads_as_zero() -> None:
    plain = formats.cost, formats.signed, formats.pc, formats.amount, formats.share, formats.ratio
    for write in (*plain, formats.threshold):
        assert write(-0.0) == write(0.0)


# Whatever the number


def read(text: str) -> float:
    """Read a number back; of "<0.001" the bound."""
    plain = text.replace(formats.MINUS, "-").replace(formats.THIN, "").lstrip("<>+")
    return float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)


def read_ratio(text: str) -> float:
    missed, alarm = map(read, text.split(":"))
    return missed / alarm


PLACES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.0004, 0.0005, 0.9995, 0.9996]))
RANGES = st.tuples(PLACES, PLACES).map(sorted).filter(lambda ends: ends[1] - ends[0] >= 1e-5)
RATIOS = st.lists(st.floats(-9, 9), min_size=2, max_size=2).map(sorted)


@given(RANGES)
def test_a_range_reads_back_or_lies_inside(ends: list[float]) -> None:
    """Only an end that is 0 or 1 reads so; "<0.001" and ">0.999" are ends that near."""
    low, high = ends
    first, last = formats.pc_pair(low, high)
    assert read(first) < read(last)
    assert [read(first), read(last)] == pytest.approx(ends, abs=(high - low) / 10 + 1e-12)
    assert (first == "0", last == "1") == (low == 0, high == 1)
    assert formats.pc_interval(low, high) in (f"{first}{formats.DASH}{last}", f"{first} to {last}")
    start, end = re.split(f"{formats.DASH}| to ", formats.pc_range(low, high))
    assert (start == "<0.001") <= (0 < low < 0.0005)
    assert (end == ">0.999") <= (0.9995 < high < 1)
    inner = low if start == "<0.001" else read(start)
    outer = high if end == ">0.999" else read(end)
    assert low - 1e-12 <= inner < outer <= high + 1e-12
    assert outer - inner >= 0.8 * (high - low) - 1e-9
    assert (start == "0", end == "1") == (low == 0, high == 1)


@given(RATIOS)
def test_a_range_of_ratios_lies_inside_and_can_be_turned_round(logarithms: list[float]) -> None:
    low, high = map(math.exp, logarithms)
    assume(high / low >= 1 + 2e-5)
    ends = formats.ratio_ends(low, high)
    first, last = map(read_ratio, ends)
    assert low * (1 - 1e-8) <= first <= last <= high * (1 + 1e-8)
    assert first <= 1.1 * low
    assert last >= high / 1.1
    turned = [":".join(reversed(end.split(":"))) for end in reversed(ends)]
    assert [*formats.ratio_ends(1 / high, 1 / low)] == turned


@given(st.integers(1, 99), st.integers(0, 5))
def test_a_ratio_of_two_digits_and_its_inverse_are_exact(digits: int, zeros: int) -> None:
    whole = digits * 10**zeros
    text = formats.count(whole)
    assert formats.ratio(whole) == f"{text}:1"
    assert formats.ratio(1 / whole) == (f"1:{text}" if whole > 1 else "1:1")


@given(st.floats(1e-5, 1 - 1e-5))
def test_a_number_reads_back_to_what_its_digits_say(value: float) -> None:
    """At least two digits of what is left to 0, of shares to 1, too; of costs three decimals."""
    assert abs(read(formats.cost(value)) - value) <= min(0.0501 * value, 0.000501)
    assert formats.cost(-value) == formats.MINUS + formats.cost(value)
    assert formats.signed(value) == f"+{formats.cost(value)}"
    left = min(value, 1 - value)
    assert abs(read(formats.share(value)) - value) <= min(0.0501 * left, 0.00501)
    assert abs(read(formats.pc(value)) - value) <= 0.00501
    assert 0 < read(formats.pc(value)) < 1
    assert 0 < read(formats.threshold(value)) < 1
    for size in (value, 1 / value):
        assert read(formats.times(size)) == pytest.approx(size, rel=0.0501)
        assert read_ratio(formats.ratio(size)) == pytest.approx(size, rel=0.0501)
        assert read(formats.amount(size)) == pytest.approx(size, rel=0.000501)


@given(st.integers(1, 10**6))
def test_a_number_of_the_configuration_reads_back_as_it_is(millionths: int) -> None:
    value = millionths / 10**6
    for short in (formats.pc, formats.cost):
        assert float(formats.stated(value, short(value))) == value
