"""Every cost ratio that the page says, in a browser: at the share of positives that is set."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from costcurves import formats
from costcurves.maths.geometry.cost_space import pc_from_ratio, ratio_from_pc
from tests.browser import Visit, visit
from tests.crowded_study import PRIORS, RATIOS

NUMBER = r"\d(?:[\d.\u202f]*\d)?"
RATIO = re.compile(rf"(?<![\d.:])({NUMBER}):({NUMBER})(?![\d.:])")
TIMES = re.compile(rf"({NUMBER})(?: to ({NUMBER}))? times a false alarm")
OWN = re.compile(r"p\(\+\) = ([\d.]*\d)|at ([\d.]+)\u202f% positives")

# What the page says by elements: whose it is and its words; those of the reader's own answer aside.
SAID = """() => {
  const whose = (it) => {
    const near = it.closest("[data-dataset], section[id^='data/'], section[id^='appendix/']");
    const link = it.closest("dd")?.previousElementSibling?.querySelector("a");
    const place = near?.id ?? link?.getAttribute("href") ?? "";
    return near?.dataset.dataset ?? place.split("/")[1] ?? "";
  };
  const aside = ".set, .condition-bar, .explorer, #methods, #provenance";
  const blocks = "p, li, th, td, caption, figcaption, dd, svg text, h2, h3, h4, img, svg";
  return [...document.querySelectorAll(`main :is(${blocks})`)].filter((it) => !it.closest(aside))
    .map((it) => {
      const image = ["img", "svg"].includes(it.localName);
      const named = it.getAttribute("alt") ?? it.getAttribute("aria-label");
      const words = (image ? named : it.textContent) ?? "";
      return [whose(it), it.localName, words.replace(/[ \\n]+/g, " ").trim()];
    });
}"""
# A figure's note on one condition, and decision curves, say the share that they are drawn at.
FIXED = "cost of a false alarm = |Decision curves"
Said = list[tuple[str, str, str]]


@pytest.fixture
def seen(browser: Browser, crowded: Path) -> Iterator[Visit]:
    with visit(browser, crowded, fragment="#appendix") as seen:
        yield seen


def said(seen: Visit) -> Said:
    found = []
    for who, kind, words in seen.page.evaluate(SAID):
        # The answer speaks of one dataset after the other, by their titles.
        named = kind == "p" and not who
        parts = re.split(r"(?:\b[Oo]n |^)(Rare|Even)\b", words) if named else [words]
        found.append((who, kind, parts[0]))
        for title, part in zip(parts[1::2], parts[2::2], strict=True):
            found.append((title.lower(), kind, part))
    return found


def value(words: str) -> float:
    return float(words.replace(formats.THIN, ""))


def ratios(words: str) -> list[float]:
    """The cost ratios in words, in order; factors of "a missed positive costs", too."""
    found = [(it.start(), value(it[1]) / value(it[2])) for it in RATIO.finditer(words)]
    for it in TIMES.finditer(words):
        found += [(it.start(place), value(it[place])) for place in (1, 2) if it[place]]
    return [one for _, one in sorted(found)]


def is_rounded(shown: float, exact: float) -> bool:
    """Whether two significant digits, of a ratio or of its inverse, may be those of a number."""
    return abs(shown / exact - 1) < 0.051


def check(before: Said, now: Said, share: float) -> int:
    """Compare each ratio with what was said of the same PC(+) at the dataset's own share."""
    count = 0
    assert [it[:2] for it in before] == [it[:2] for it in now]
    for (who, kind, old), (_, _, new) in zip(before, now, strict=True):
        if re.search(FIXED, old):
            continue
        if "such as 5:1" in old or (kind in ("img", "svg") and OWN.search(old)):
            # An example, or a description that says its own share.
            assert new == old if kind in ("img", "svg") else OWN.sub("", new) == OWN.sub("", old)
            continue
        if not (was := ratios(old)):
            continue
        assert who, old
        prior = PRIORS[who]
        exact = [float(ratio_from_pc(pc_from_ratio(it, prior), share)) for it in was]
        told = ratios(new)
        assert len(told) == len(exact), (old, new)
        wrong = [it for it in zip(told, exact, strict=True) if not is_rounded(*it)]
        assert not wrong, (old, new, wrong)
        count += len(was)
    for (who, kind, old), (_, _, new) in zip(before, now, strict=True):
        if kind not in ("img", "svg") and not re.search(FIXED, old):
            for own in OWN.finditer(new):
                at = float(own[1] or own[2]) / (1 if own[1] else 100)
                known = share if who and share else PRIORS.get(who, 0)
                assert at == pytest.approx(known, rel=0.03), (who, new)
    return count


@pytest.mark.parametrize("percent", [64, 5, 0.3])
def test_every_ratio_is_said_at_the_share_that_is_set(seen: Visit, percent: float) -> None:
    before = said(seen)
    seen.page.locator('[id="condition/positives"]').fill(str(percent))
    assert check(before, said(seen), percent / 100) > 60
    for group in seen.page.locator(".use tbody").all():
        assert f"at {percent}\u202f%" in str(group.locator("tr.set:not(.range)").text_content())
    seen.page.locator('[id="condition/ratio"]').fill("17")
    assert check(before, said(seen), percent / 100) > 60
    seen.page.locator('[id="condition/positives"]').fill("7.25")
    assert check(before, said(seen), 0.0725) > 60
    seen.page.locator('[id="condition/positives"]').fill("")
    assert said(seen) == before


def test_ratios_are_said_by_heads_and_names(seen: Visit) -> None:
    """One of each kind, to the digit."""
    page = seen.page
    page.locator('[id="condition/positives"]').fill("5")
    own = RATIOS["rare"][1], PRIORS["rare"]
    words = formats.ratio(ratio_from_pc(pc_from_ratio(*own), 0.05))
    use = page.locator('.use tbody[data-dataset="rare"] tr:not(.set) th').all_text_contents()
    assert any(it.startswith(f"{words} PC(+)") for it in use)
    rare = page.locator('[id="data/rare/cost-curves"]')
    assert f"Cost at {words}" in rare.locator("th").all_inner_texts()
    heads = page.locator('[id="data/even/thresholds"] thead th').all_inner_texts()
    first = formats.ratio(ratio_from_pc(pc_from_ratio(0.1, 0.4), 0.05))
    assert heads[1].split() == [first, formats.pc(pc_from_ratio(0.1, 0.4))]
    note = str(page.locator('[id="data/even/thresholds"] .note').first.text_content())
    assert "at 5\u202f% positives" in note


def test_a_range_of_ratios_reads_as_in_tables(seen: Visit) -> None:
    inf = float("inf")
    ends = [(0, inf), (0, 3), (0.2, inf), (0.2, 3.2), (1.6, 1.6001), (0.25, 12_000)]
    script = "them => them.map(([low, high]) => numbers.ratios(low, high ?? Infinity))"
    given = [[low, None if high == inf else high] for low, high in ends]
    assert seen.page.evaluate(script, given) == [formats.ratio_range(*it) for it in ends]
