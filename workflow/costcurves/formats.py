"""How numbers read, in one place: digits, signs, separators, ranges and cost ratios.

Whatever a figure, the report or a command says of a number passes through here, so the same number
looks the same everywhere. Only the ticks of axes are written by what places them: each has the
decimals that their step needs. A value that does not exist (NaN) reads as a dash.
"""

import math
from decimal import Decimal

MINUS = "\u2212"
DASH = "\u2013"
NOTHING = "\u2014"
THIN = "\u202f"  # narrow and without a line break
SMALLEST = 1e-6  # a positive number below this reads "<0.000001",
ROUNDING = 1e-12  # and below this it is the rounding of a sum, and reads 0
NEAR = 0.0005  # ends of a range this near 0 or 1 read "<0.001" and ">0.999" in a table,
NARROW = 0.01  # unless the range itself is narrower than this


def cost(value: float) -> str:
    """Write a normalized expected cost, a rate or an area: three decimals.

    What three decimals would hide keeps one significant digit.

    >>> cost(0.10349), cost(0.0), cost(0.00004), cost(-0.25), cost(1e-9), cost(float("nan"))
    ('0.103', '0.000', '0.00004', '−0.250', '<0.000001', '—')
    """
    if math.isnan(value):
        return NOTHING
    size = abs(value)
    sign = MINUS if value < 0 else ""
    if size < ROUNDING:
        return "0.000"
    if size < SMALLEST:
        return f"{sign}<{SMALLEST:f}"
    if size < 0.0005:
        return f"{sign}{Decimal(f'{size:.1g}'):f}"
    return f"{sign}{size:.3f}"


def signed(value: float) -> str:
    """Write a difference of costs with its sign.

    >>> signed(0.02), signed(-0.02), signed(0.0)
    ('+0.020', '−0.020', '0.000')
    """
    return f"+{cost(value)}" if value >= ROUNDING else cost(value)


def interval(low: float, high: float) -> str:
    """Write the ends of an interval of costs.

    >>> interval(0.0931, 0.114), interval(-0.0021, 0.164), interval(math.nan, math.nan)
    ('0.093–0.114', '−0.002 to 0.164', '—')
    """
    if math.isnan(low):
        return NOTHING
    return f"{cost(low)} to {cost(high)}" if low < 0 else f"{cost(low)}{DASH}{cost(high)}"


def p_value(value: float) -> str:
    """Write a p-value; resampling tells none below one in a thousand or so.

    >>> p_value(0.0263), p_value(0.9), p_value(0.0031), p_value(0.0004)
    ('0.026', '0.900', '0.003', '<0.001')
    """
    return f"{value:.3f}" if value >= 0.001 else "<0.001"


def p_stated(value: float) -> str:
    """Write a p-value as a sentence states it.

    >>> p_stated(0.0263), p_stated(0.0004)
    ('p = 0.026', 'p < 0.001')
    """
    shown = p_value(value)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def pc(value: float) -> str:
    """Write one PC(+): two decimals, up to six where two would claim 0 or 1.

    A virtual one, which is not between 0 and 1, has four significant digits.

    >>> pc(0.445), pc(0.004), pc(0.9996), pc(0.0), pc(1.0), pc(float("nan"))
    ('0.45', '0.004', '0.9996', '0', '1', '—')
    >>> pc(1e-9), pc(1 - 1e-9), pc(-7.25)
    ('<0.000001', '>0.999999', '−7.25')
    """
    return _within(value, _enough(value, 0.0, 1.0)) if 0 < value < 1 else amount(value)


def condition(value: float) -> str:
    """Name an operating condition by its PC(+), as tables keep it where it is given no name.

    >>> condition(0.75)
    'PC(+) = 0.75'
    """
    return f"PC(+) = {value:.4g}"


def pc_pair(low: float, high: float) -> tuple[str, str]:
    """Write the two ends of a range of PC(+), with two to six decimals.

    So many that rounding takes neither end for 0 or 1 nor one for the other, and moves it by no
    more than a tenth of the range: 0.7513 to 0.7577 is not 0.75 to 0.76.

    >>> pc_pair(0.21, 0.634), pc_pair(0.7513, 0.7577), pc_pair(0.0, 0.3)
    (('0.21', '0.63'), ('0.751', '0.758'), ('0', '0.30'))
    """
    fine = next((n for n in range(2, 6) if 10.0**-n <= (high - low) / 5 + ROUNDING), 6)
    fine = fine if high > low else 2
    places = max(fine, _enough(low, 0.0, 1.0, high), _enough(high, 0.0, 1.0, low))
    ends = (_within(end, places) if 0 < end < 1 else pc(end) for end in (low, high))
    first, second = ends
    return first, second


def pc_range(low: float, high: float) -> str:
    """Write a range of PC(+) for a table; one that is empty (NaN) reads "none".

    Ends that are nearly 0 or 1 need no more than three decimals to say so.

    >>> pc_range(0.21, 0.634), pc_range(0.0, 1.0), pc_range(float("nan"), float("nan"))
    ('0.21–0.63', '0–1', 'none')
    >>> pc_range(0.0, 0.999997), pc_range(1e-7, 0.634), pc_range(0.9991, 0.9999)
    ('0 to >0.999', '<0.001 to 0.63', '0.9991–0.9999')
    """
    if math.isnan(low) or math.isnan(high):
        return "none"
    wide = high - low >= NARROW
    start = 0.0 if wide and low < NEAR else low
    end = 1.0 if wide and high > 1 - NEAR else high
    first, second = pc_pair(start, end)
    first, second = first if start == low else "<0.001", second if end == high else ">0.999"
    return (DASH if first[0] != "<" and second[0] != ">" else " to ").join((first, second))


def stated(value: float, short: str) -> str:
    """Write a number of the configuration as it stands there, up to six decimals.

    Rounded it would be another one: what holds at 0.445 may be false at 0.45. With more decimals,
    as computed numbers have, or fewer it is written as `short`.

    >>> stated(0.445, pc(0.445)), stated(0.2, pc(0.2)), stated(1 / 3, pc(1 / 3)), stated(1.0, "1")
    ('0.445', '0.20', '0.33', '1')
    >>> stated(0.2504, cost(0.2504)), stated(0.25, cost(0.25))
    ('0.2504', '0.250')
    """
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    shorter = len(text) <= len(short) and short[0] not in "<>"
    return short if float(text) != value or shorter else text


def stated_range(low: float, high: float) -> str:
    """Write the range of PC(+) of a claim: as its configuration says it, with what leads to it.

    >>> stated_range(0.3, 0.455), stated_range(0.25, 0.25)
    ('PC(+) 0.30–0.455', 'PC(+) = 0.25')
    """
    if low == high:
        return f"PC(+) = {stated(low, pc(low))}"
    ends = zip((low, high), pc_pair(low, high), strict=True)
    return f"PC(+) {DASH.join(stated(*end) for end in ends)}"


def times(value: float) -> str:
    """Write a factor in two significant digits, for "costs 2.5 times a false alarm".

    >>> times(0.2346), times(1.0), times(9.96), times(0.05), times(1234.0)
    ('0.23', '1', '10', '0.05', '1200')
    """
    rounded = Decimal(f"{value:.2g}")
    if rounded >= 100:
        return count(int(rounded))
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def ratio(value: float) -> str:
    """Write the cost of a missed positive against that of a false alarm.

    >>> ratio(0.2), ratio(1.0), ratio(3.21), ratio(0.0), ratio(float("inf"))
    ('1:5', '1:1', '3.2:1', '0:1', '1:0')
    """
    if math.isnan(value):
        return NOTHING
    if value == 0 or math.isinf(value):
        return "0:1" if value == 0 else "1:0"
    return f"{times(value)}:1" if value >= 1 else f"1:{times(1 / value)}"


def ratio_range(low: float, high: float) -> str:
    """Write a range of cost ratios for a table.

    >>> ratio_range(0.2, 3.2), ratio_range(0.0, 1.0), ratio_range(1.0, float("inf"))
    ('1:5 to 3.2:1', 'below 1:1', 'above 1:1')
    >>> ratio_range(0.0, float("inf")), ratio_range(1.578, 1.585)
    ('all', 'about 1.6:1')
    """
    if low == 0:
        return "all" if math.isinf(high) else f"below {ratio(high)}"
    if math.isinf(high):
        return f"above {ratio(low)}"
    ends = ratio(low), ratio(high)
    return f"about {ends[0]}" if ends[0] == ends[1] else " to ".join(ends)


def count(value: int) -> str:
    """Write a count, in groups of three from ten thousand on.

    >>> count(690), count(6240), count(39520)
    ('690', '6240', '39\u202f520')
    """
    return f"{value:,}".replace(",", THIN) if abs(value) >= 10_000 else f"{value}"


def cases(value: float) -> str:
    """Write a number of cases, or another limit, which a share or a mean need not make whole.

    >>> cases(30.0), cases(20.8), cases(39521.0), cases(39520.8), cases(float("nan"))
    ('30', '20.8', '39\u202f521', '39\u202f520', '—')
    """
    return count(int(value)) if float(value).is_integer() else amount(value)


def about(value: float) -> str:
    """Write a count that is no more than a guess: two significant digits.

    >>> about(951.0), about(23456.0), about(7.0)
    ('950', '23\u202f000', '7')
    """
    return count(int(Decimal(f"{value:.2g}")))


def amount(value: float) -> str:
    """Write an amount of money, a slope or the like: four significant digits.

    >>> amount(106.8503), amount(1187.438), amount(3958126.7), amount(0.01234), amount(0.0)
    ('106.9', '1187', '3\u202f958\u202f000', '0.01234', '0')
    >>> amount(1e300), amount(-1.25e-7), amount(-0.5), amount(float("nan"))
    ('1e+300', '−1.25e−07', '−0.5', '—')
    """
    if math.isnan(value):
        return NOTHING
    text = f"{value:.4g}"
    if value == 0 or SMALLEST <= abs(value) < 1e12:
        rounded = Decimal(text)
        whole = rounded == rounded.to_integral_value()
        text = count(int(rounded)) if whole else f"{rounded:f}"
    return text.replace("-", MINUS)


def counted(value: int, noun: str, nouns: str = "") -> str:
    """Write a count with its noun, which takes an s for more than one unless its plural is given.

    >>> counted(1, "dataset"), counted(39520, "row"), counted(2, "stretch", "stretches")
    ('1 dataset', '39\u202f520 rows', '2 stretches')
    """
    return f"{count(value)} {noun}" if value == 1 else f"{count(value)} {nouns or noun + 's'}"


def level(value: float) -> str:
    """Write a confidence level or another share in per cent, with decimals only where it has any.

    >>> level(0.9), level(0.975)
    ('90\u202f%', '97.5\u202f%')
    """
    return f"{100 * value:.4g}{THIN}%"


def share(value: float) -> str:
    """Write a share in whole per cent; a small one keeps a significant digit.

    >>> share(0.055), share(0.004), share(-0.02), share(0.0)
    ('6\u202f%', '0.4\u202f%', '−2\u202f%', '0\u202f%')
    """
    sign, size = MINUS if value < 0 else "", abs(100 * value)
    if math.isnan(value):
        return NOTHING
    if size < ROUNDING:
        return f"0{THIN}%"
    return f"{sign}{size:.0f}{THIN}%" if size >= 1 else f"{sign}{Decimal(f'{size:.1g}'):f}{THIN}%"


def threshold(value: float, digits: int = 4) -> str:
    """Write a score that serves as a threshold, with more digits where they would claim 0 or 1.

    >>> threshold(0.53125), threshold(0.99999871), threshold(1.0), threshold(-1.25e-7)
    ('0.5312', '0.999999', '1', '−1.25e−07')
    """
    texts = (f"{value:.{some}g}" for some in range(digits, 18))
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
