"""How numbers read, in one place: the same number looks the same everywhere, NaN as a dash.

Only the ticks of axes are written by what places them: each has the decimals that their step needs.
"""

import math
from collections.abc import Sequence
from decimal import Decimal

MINUS = "\u2212"
DASH = "\u2013"
NOTHING = "\u2014"
THIN = "\u202f"  # narrow and without a line break
SMALLEST = 1e-6  # a positive number below this reads "<0.000001",
SMALL = 0.00995  # below this three decimals would say little
SHORT = 9.95  # per cent; below this whole ones would say little
ROUNDING = 1e-12  # and below this it is the rounding of a sum, and reads 0
NEAR = 0.0005  # ends of a range this near 0 or 1 read "<0.001" and ">0.999" in a table,
NARROW = 0.01  # unless the range itself is narrower than this
LISTED = 3  # ranges that are written one by one


def cost(value: float) -> str:
    """Write a normalized expected cost, a rate or an area: 0.103, below 0.01 two digits: 0.0047."""
    if math.isnan(value):
        return NOTHING
    size = abs(value)
    sign = MINUS if value < 0 else ""
    if size < ROUNDING:
        return "0.000"
    if size < SMALLEST:
        return f"{sign}<{SMALLEST:f}"
    if size < SMALL:
        return f"{sign}{Decimal(f'{size:.2g}'):f}"
    return f"{sign}{size:.3f}"


def signed(value: float) -> str:
    """Write a difference of costs with its sign: +0.020, −0.020, 0.000."""
    return f"+{cost(value)}" if value >= ROUNDING else cost(value)


def interval(low: float, high: float) -> str:
    """Write the ends of an interval of costs: 0.093–0.114, −0.002 to 0.164."""
    if math.isnan(low):
        return NOTHING
    return f"{cost(low)} to {cost(high)}" if low <= -ROUNDING else f"{cost(low)}{DASH}{cost(high)}"


def p_value(value: float) -> str:
    """Write a p-value, 0.026; resampling tells none below one in a thousand or so: <0.001."""
    return f"{value:.3f}" if value >= 0.001 else "<0.001"


def p_stated(value: float) -> str:
    """Write a p-value as a sentence states it: p = 0.026, p < 0.001."""
    shown = p_value(value)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def pc(value: float) -> str:
    """Write one PC(+): two decimals, up to six where two would claim 0 or 1, as in 0.9996.

    A virtual one, which is not between 0 and 1, has four significant digits.
    """
    return _within(value, _enough(value, 0.0, 1.0)) if 0 < value < 1 else amount(value)


def condition(value: float) -> str:
    """Name an operating condition by its PC(+), as tables keep one without a name."""
    return f"PC(+) = {value:.4g}"


def condition_by_ratio(value: float) -> str:
    """Name an operating condition by its cost ratio: 1:5, 2.5:1."""
    return f"{value:.4g}:1" if value >= 1 else f"1:{1 / value:.4g}"


def pc_pair(low: float, high: float) -> tuple[str, str]:
    """Write the two ends of a range of PC(+), with two to six decimals.

    So many that rounding takes neither end for 0 or 1 nor one for the other, and moves it by no
    more than a tenth of the range: 0.7513 to 0.7577 is not 0.75 to 0.76.
    """
    fine = next((n for n in range(2, 6) if 10.0**-n <= (high - low) / 5 + ROUNDING), 6)
    fine = fine if high > low else 2
    places = max(fine, _enough(low, 0.0, 1.0, high), _enough(high, 0.0, 1.0, low))
    first, last = (_within(end, places) if 0 < end < 1 else pc(end) for end in (low, high))
    return first, last


def pc_range(low: float, high: float) -> str:
    """Write the range of PC(+) where something is shown, no wider than it is; empty (NaN): none.

    >>> pc_range(0.214, 0.638), pc_range(1e-5, 1), pc_range(math.nan, math.nan)
    ('0.22–0.63', '<0.001 to 1', 'none')
    """
    if math.isnan(low) or math.isnan(high):
        return "none"
    for places in range(2, 7):
        step = 10.0**-places
        first = math.ceil(low / step - ROUNDING / step) * step
        last = math.floor(high / step + ROUNDING / step) * step
        if last - first >= 0.8 * (high - low):
            break
    if last < first or last == 0 < high or first == 1 > low:  # narrower than six decimals say
        return pc_interval(low, high)
    wide = high - low >= NARROW
    start, end = (f"{value:.{0 if value in {0, 1} else places}f}" for value in (first, last))
    start = "<0.001" if 0 < low < NEAR and (wide or first == 0) else start
    end = ">0.999" if 1 - NEAR < high < 1 and (wide or last == 1) else end
    return _span(start, end)


def _span(first: str, last: str) -> str:
    """Join the ends of a range by a dash, or where one is a bound by a word."""
    return f"{first} to {last}" if {first[0], last[0]} & {"<", ">"} else f"{first}{DASH}{last}"


def pc_interval(low: float, high: float) -> str:
    """Write the confidence interval of a PC(+): 0.21–0.63; without one (NaN): none."""
    if math.isnan(low) or math.isnan(high):
        return "none"
    return _span(*pc_pair(low, high))


def pc_ranges(spans: Sequence[tuple[float, float]]) -> str:
    """Write a few ranges of PC(+) one by one; of more the whole, and how many there are."""
    if len(spans) <= LISTED:
        return ", ".join(pc_range(*span) for span in spans)
    return f"{pc_range(spans[0][0], spans[-1][1])}, in {len(spans)} ranges"


def stated(value: float, short: str) -> str:
    """Write a number of the configuration as it stands there, up to six decimals.

    Rounded it would be another one: what holds at 0.445 may be false at 0.45. With more decimals,
    as computed numbers have, or fewer it is written as `short`.
    """
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    shorter = len(text) <= len(short) and short[0] not in "<>"
    return short if float(text) != value or shorter else text


def stated_range(low: float, high: float) -> str:
    """Write the range of PC(+) of a claim as configured: PC(+) 0.30–0.455, PC(+) = 0.25."""
    if low == high:
        return f"PC(+) = {stated(low, pc(low))}"
    ends = zip((low, high), pc_pair(low, high), strict=True)
    return f"PC(+) {DASH.join(stated(*end) for end in ends)}"


def times(value: float) -> str:
    """Write a factor in two significant digits, for "costs 2.5 times a false alarm"."""
    rounded = Decimal(f"{value:.2g}")
    if rounded >= 100:
        return count(int(rounded))
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def ratio(value: float) -> str:
    """Write the cost of a missed positive against that of a false alarm: 1:5, 3.2:1."""
    if math.isnan(value):
        return NOTHING
    if value == 0 or math.isinf(value):
        return "0:1" if value == 0 else "1:0"
    return f"{times(value)}:1" if value >= 1 else f"1:{times(1 / value)}"


def ratio_ends(low: float, high: float) -> tuple[str, str]:
    """Write two ends of a range of cost ratios, rounded inwards: what is shown is no wider.

    >>> ratio_ends(1 / 3.12, 1 / 2.44)
    ('1:3.1', '1:2.5')
    """
    for digits in (2, 3, 4, 6):
        first, last = _inwards(low, digits, up=True), _inwards(high, digits, up=False)
        if first <= last:
            break
    return _all_digits(first, digits), _all_digits(last, digits)


def _inwards(value: float, digits: int, *, up: bool) -> float:
    """Round a ratio up or down to so many digits of the larger of its two parts."""
    if value == 0 or math.isinf(value):
        return value
    if value < 1:
        return 1 / _inwards(1 / value, digits, up=not up)
    step = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    steps = value / step
    near = round(steps)
    if abs(steps - near) > 1e-9:
        near = math.ceil(steps) if up else math.floor(steps)
    return near * step


def _all_digits(value: float, digits: int) -> str:
    """Write a rounded ratio with so many digits."""
    if value == 0 or math.isinf(value):
        return ratio(value)
    larger = float(f"{max(value, 1 / value):.{digits}g}")
    text = count(int(larger)) if larger.is_integer() else f"{larger:.10g}"
    return f"{text}:1" if value >= 1 else f"1:{text}"


def ratio_range(low: float, high: float) -> str:
    """Write the range of cost ratios where something is shown: 1:5 to 3.2:1, below 1:1, all."""
    first, last = ratio_ends(low, high)
    if low == 0:
        return "all" if math.isinf(high) else f"below {last}"
    if math.isinf(high):
        return f"above {first}"
    return f"about {first}" if first == last else f"{first} to {last}"


def count(value: int) -> str:
    """Write a count, in groups of three from ten thousand on."""
    return f"{value:,}".replace(",", THIN) if abs(value) >= 10_000 else f"{value}"


def cases(value: float) -> str:
    """Write a number of cases, or another limit, which a share or a mean need not make whole."""
    return count(int(value)) if float(value).is_integer() else amount(value)


def amount(value: float) -> str:
    """Write an amount of money, a slope or the like: four significant digits."""
    if math.isnan(value):
        return NOTHING
    text = f"{value:.4g}"
    if value == 0 or SMALLEST <= abs(value) < 1e12:
        rounded = float(text)
        text = count(int(rounded)) if rounded.is_integer() else f"{Decimal(text):f}"
    return text.replace("-", MINUS)


def counted(value: int, noun: str, nouns: str = "") -> str:
    """Write a count with its noun, which takes an s for more than one unless `nouns` is given."""
    return f"{count(value)} {noun}" if value == 1 else f"{count(value)} {nouns or noun + 's'}"


def folds(repeats: int, each: int, in_all: int) -> str:
    """Say in what instances were judged: 10 times 10 folds, 8 folds in 3 repeats, one test set."""
    if in_all == 1:
        return "one test set"
    if repeats > 1 and repeats * each == in_all:
        return f"{count(repeats)} \N{MULTIPLICATION SIGN} {counted(each, 'fold')}"
    return counted(in_all, "fold") + (f" in {count(repeats)} repeats" if repeats > 1 else "")


def level(value: float) -> str:
    """Write a confidence level or another share in per cent: 90 %, 97.5 %."""
    return f"{100 * value:.4g}{THIN}%"


def share(value: float) -> str:
    """Write a share in per cent: 14 %, near 0 and 100 with two digits of what is left: 1.4 %."""
    sign, size = MINUS if value < 0 else "", abs(100 * value)
    if math.isnan(value):
        return NOTHING
    if size < ROUNDING:
        return f"0{THIN}%"
    if SHORT <= size <= 100 - SHORT or size > 100:
        return f"{sign}{size:.0f}{THIN}%"
    few = Decimal(f"{min(size, 100 - size):.2g}").normalize()
    return f"{sign}{few if size < SHORT else 100 - few:f}{THIN}%"


def threshold(value: float, digits: int = 4) -> str:
    """Write a score that serves as a threshold, with more digits where they would claim 0 or 1."""
    texts = (f"{value + 0:.{some}g}" for some in range(digits, 18))  # + 0: no minus zero
    plain = (text for text in texts if float(text) not in {0.0, 1.0} or float(text) == value)
    return next(plain).replace("-", MINUS)


def _within(value: float, places: int) -> str:
    """Write a number between 0 and 1, which is neither, also where these decimals say so."""
    text, least = f"{value:.{places}f}", 10.0**-places
    if float(text) == 0:
        return f"<{least:.{places}f}"
    return f">{1 - least:.{places}f}" if float(text) == 1 else text


def _enough(value: float, *others: float) -> int:
    """Count the decimals, two to six, that tell a value from others it does not equal."""
    different = [other for other in others if other != value]
    for places in range(2, 6):
        if all(f"{value:.{places}f}" != f"{other:.{places}f}" for other in different):
            return places
    return 6
