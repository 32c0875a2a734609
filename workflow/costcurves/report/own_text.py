"""Texts of a study's own around sections of its report."""

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup

from costcurves.errors import refuse
from costcurves.report.document import Report, Section
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.names import some
from costcurves.tables.configuration.wording import Words

Slugs = Set[str]

LEADS: Final = re.compile(r"(https?://|mailto:|doi:|#).", re.IGNORECASE)
DOI: Final = re.compile(r"doi:", re.IGNORECASE)
DEEPEST: Final = 6


def with_own_text(report: Report, texts: Sequence[Words], datasets: Sequence[Dataset]) -> Report:
    """Put a study's texts around the sections that they are about."""
    slugs: dict[str, set[str]] = defaultdict(set)  # by names, a dataset's own and of its classes'
    for one in datasets:
        slugs[one.name].add(one.slug)
        slugs[one.in_files].add(one.slug)
    parts: dict[str, None] = {}  # those of the report, in order
    placed: list[Words] = []

    def around(section: Section, of: Slugs) -> Section:
        about = _datasets(section, of)
        own = [
            one
            for one in texts
            if one.section == section.part
            and (one.dataset is None or (about and about <= slugs[one.dataset]))
        ]
        parts[section.part] = None
        placed.extend(own)
        return replace(
            section,
            before="\n\n".join(one.before for one in own if one.before),
            after="\n\n".join(one.after for one in own if one.after),
            sections=tuple(around(inner, about) for inner in section.sections),
        )

    sections = tuple(around(section, set()) for section in report.sections)
    homeless = []
    for text in (text for text in texts if text not in placed):
        of = f" of the dataset {text.dataset!r}" if text.dataset is not None else ""
        homeless.append(
            f"report: there is a text for {text.section!r}{of}, a section that this report has "
            f"not; its sections are {some(list(parts), 99)}"
        )
    refuse(homeless)
    return replace(report, sections=sections)


def _datasets(section: Section, around: Slugs) -> Slugs:
    """Give the slugs of the datasets that a section is about; `around` are those it stands in."""
    if section.part == "classes":
        return {slug for one in section.sections for slug in _datasets(one, around)}
    own = section.part in ("dataset", "annexed")
    return {str(section.content.facts.slug)} if own else around


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return LEADS.match(url) is not None


def markdown(text: str, level: int) -> Markup:
    r"""Show a text in Markdown, without pictures; tags and unknown links as they were typed.

    Headings begin one below `level`.

    >>> print(markdown("# So\n*is* <b>it</b>, [here](#methods)", 2))
    <h3>So</h3>
    <p><em>is</em> &lt;b&gt;it&lt;/b&gt;, <a href="#methods">here</a></p>
    <BLANKLINE>
    """
    parser = _Parser("commonmark", {"html": False}).disable("image")
    tokens = parser.parse(text)
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    highest = min((int(token.tag[1]) for token in headings), default=0)
    for token in headings:
        token.tag = f"h{min(DEEPEST, int(token.tag[1]) - highest + level + 1)}"
    for link in (inner for token in tokens for inner in token.children or ()):
        if link.type == "link_open":
            link.attrs["href"] = DOI.sub("https://doi.org/", str(link.attrs["href"]), count=1)
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 - escaped there
