"""A study's own text: Markdown to markup, in which nothing can load, run or deceive."""

import re
from typing import Final

from markdown_it import MarkdownIt
from markupsafe import Markup

LEADS: Final = re.compile(r"(https?://|mailto:|doi:|#).", re.IGNORECASE)
DOI: Final = re.compile(r"doi:", re.IGNORECASE)
DEEPEST: Final = 6


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return LEADS.match(url) is not None


def markdown(text: str, level: int) -> Markup:
    r"""Show a text in Markdown (CommonMark without raw HTML and without pictures).

    Tags are shown as they were typed, and so are links that lead to anything but web pages, mail, a
    DOI, or a place in the report. Headings begin one below `level`.

    >>> print(markdown("# So\n*is* <b>it</b>, [here](#methods)", 2))
    <h3>So</h3>
    <p><em>is</em> &lt;b&gt;it&lt;/b&gt;, <a href="#methods">here</a></p>
    <BLANKLINE>
    >>> print(markdown("[x](javascript:alert) [y](doi:10.1/2)", 2))
    <p>[x](javascript:alert) <a href="https://doi.org/10.1/2">y</a></p>
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
