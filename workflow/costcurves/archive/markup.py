"""Parts of a page as LaTeX and as Markdown."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import yaml

from costcurves.markdown import inside

# What T1 fonts lack or LaTeX reads as commands; any other letter is told by its number.
TEX: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "#$%&_{}"}
    | {sign: f"{{{sign}}}" for sign in "[]*"}  # what a command before it would take for its own
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "`": r"\textasciigrave{}",
        '"': r"\textquotedbl{}",
        "\N{NO-BREAK SPACE}": "~",
        "\N{NARROW NO-BREAK SPACE}": r"\,",
        "\N{SUBSCRIPT ZERO}": r"\textsubscript{0}",
        "\N{SUBSCRIPT ONE}": r"\textsubscript{1}",
        "\N{MINUS SIGN}": "$-$",
        "\N{MULTIPLICATION SIGN}": r"$\times$",
        "\N{PLUS-MINUS SIGN}": r"$\pm$",
        "\N{MIDDLE DOT}": r"$\cdot$",
        "\N{SUPERSCRIPT TWO}": r"\textsuperscript{2}",
        "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
        "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
        "\N{ALMOST EQUAL TO}": r"$\approx$",
        "\N{SQUARE ROOT}": r"$\surd$",
        "\N{GREEK SMALL LETTER CHI}": r"$\chi$",
        "\N{GREEK SMALL LETTER PI}": r"$\pi$",
        "\N{GREEK SMALL LETTER ALPHA}": r"$\alpha$",
        "\N{CHECK MARK}": r"$\checkmark$",
        "\N{BALLOT X}": r"$\times$",
        "\N{RIGHTWARDS ARROW}": r"$\to$",
    }
)
LIGATURES: Final = re.compile(r"([-<>,'])(?=\1)")
PARTS: Final = re.compile(
    r"fill='#(\w{6})'(?: fill-opacity='([.\d]+)')? d='M([.\d]+) ([.\d]+)h([.\d]+)v([.\d]+)"
)
LEFT_OUT: Final = ("svg", "script", "style", "button", "summary", "caption")
SPACE: Final = re.compile(r"[ \t\r\n\f]+")
LINES: Final = re.compile(r" *\n[ \n]*\n *")
TWO: Final = re.compile(r"(?<!\{)\]\} *\{\[(?!\})")  # brackets of ours in a row


def strip(address: str) -> str:
    """Draw a page's strip, rectangles of an SVG in its address, as a picture of LaTeX."""
    drawn = []
    for colour, pale, x, y, wide, tall in PARTS.findall(unquote(address)):
        share = float(pale or 1)
        mixed = ",".join(f"{255 + share * (it - 255):.0f}" for it in bytes.fromhex(colour))
        rule = rf"\rule{{{wide}\unitlength}}{{{tall}\unitlength}}"
        up = f"{12 - float(y) - float(tall):g}"  # of 12, its height on the page
        drawn.append(rf"\put({x},{up}){{\textcolor[RGB]{{{mixed}}}{{{rule}}}}}")
    inside = rf"\begin{{picture}}(200,12){''.join(drawn)}\end{{picture}}"
    return rf" {{\setlength{{\unitlength}}{{0.13mm}}{inside}}} "


def tex(text: str) -> str:
    r"""Write text for LaTeX; letters that T1 fonts lack as their numbers, never dropped.

    >>> print(tex("5 % of {a_b} \N{MINUS SIGN} Dvo\u0159\xe1k \u05d0"))
    5 \% of \{a\_b\} $-$ Dvořák {[}U+05D0{]}
    """
    return LIGATURES.sub(r"\1{}", "".join(map(_letter, text)))


def _letter(letter: str) -> str:
    known = letter.translate(TEX)
    has = any(letter.encode(encoding, "ignore") for encoding in ("cp1252", "cp1250"))
    if known == letter and letter > "~" and not has:
        return f"{{[}}U+{ord(letter):04X}{{]}}"
    return known if letter >= " " else " "


class Words(str):
    """A user's words, which YAML of any version is to read as text: 1e3, no, or 2006-11-22."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(
    Words, lambda it, words: it.represent_scalar("tag:yaml.org,2002:str", words, style='"')
)


def in_yaml(content: Mapping[str, Any]) -> str:
    """Write YAML, with `Words` in quotes."""
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf)


@dataclass(frozen=True)
class Markup:
    """A way to write: letters, what stands around a tag or class, or in its place, and pictures."""

    letters: Callable[[str], str]
    around: Mapping[str, tuple[str, str] | str]
    picture: Callable[[str], str] = lambda _: ""  # by its address

    def written(self, element: Element) -> str:
        """Write an element; paragraphs are apart by an empty line."""
        lines = TWO.sub("; ", LINES.sub("\n\n", self._inside(element)))
        return "\n".join(line.strip() for line in lines.splitlines()).strip()

    def _inside(self, element: Element) -> str:
        parts = [self._text(element.text)]
        for inner in element:
            kind = f"{inner.tag}.{inner.get('class', '')}"
            around = self.around.get(kind, self.around.get(inner.tag, ("", "")))
            if isinstance(around, str):
                parts.append(around.format(**inner.attrib))
            elif inner.tag == "img":
                parts.append(self.picture(inner.get("src", "")))
            elif inner.tag not in LEFT_OUT:
                parts += [around[0], self._inside(inner), around[1]]
            parts.append(self._text(inner.tail))
        return "".join(parts)

    def _text(self, text: str | None) -> str:
        return self.letters(SPACE.sub(" ", text or ""))


LATEX: Final = Markup(
    tex,
    {
        "b": (r"\textbf{", "}"),
        "i": (r"\emph{", "}"),
        "em": (r"\emph{", "}"),
        "strong": (r"\textbf{", "}"),
        "code": (r"\texttt{", "}"),
        "sub": (r"\textsubscript{", "}"),
        "sup": (r"\textsuperscript{", "}"),
        "span.at": ("{[", "]}"),
        "span.counts": ("{[", "]}"),
        "span.small": "In brackets",
        "span.stored": "",
        "a.like": r"Read as Table~\ref{{tab:{href}}}",
        "a.elsewhere": "Read as the report explains",
        "h2": ("\n\n\\section*{", "}\n"),
        "h3": ("\n\n\\subsection*{", "}\n"),
        "h4": ("\n\n\\subsubsection*{", "}\n"),
        "p": ("\n\n", "\n\n"),
        "p.intro": "",
        "p.formula": ("\n\\begin{quote}", "\\end{quote}\n"),
        "ul": ("\n\\begin{itemize}\n", "\n\\end{itemize}\n"),
        "ol": ("\n\\begin{enumerate}\n", "\n\\end{enumerate}\n"),
        "li": ("\n\\item ", "\n"),
        "dl": ("\n\\begin{description}\n", "\n\\end{description}\n"),
        "dt": ("\n\\item[", "] "),
    },
    strip,
)
MARKDOWN: Final = Markup(
    inside,
    {
        "b": ("**", "**"),
        "i": ("*", "*"),
        "em": ("*", "*"),
        "strong": ("**", "**"),
        "code": ("`", "`"),
        "h2": ("\n\n# ", "\n\n"),
        "h3": ("\n\n## ", "\n\n"),
        "h4": ("\n\n### ", "\n\n"),
        "p": ("\n\n", "\n\n"),
        "p.intro": "",
        "span.stored": "",
        "p.formula": ("\n\n> ", "\n\n"),
        "li": ("\n- ", "\n"),
        "dt": ("\n\n**", "**  \n"),
        "dd": ("", "\n\n"),
    },
)
