"""Docstrings in Markdown: examples as code, and sources as they are cited and listed."""

import re
from typing import Any, Final

from griffe import Extension, Object

EXAMPLE: Final = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
CITED: Final = re.compile(r"(\[\w+\])_")
LISTED: Final = re.compile(r"^\.\. \[(\w+)\]", re.MULTILINE)


class Examples(Extension):
    """Writes what reStructuredText says in another way."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite one docstring; examples of a section of their own are known as such."""
        if obj.docstring:
            text, section, rest = obj.docstring.value.partition("\nExamples\n---")
            written = EXAMPLE.sub(r"```pycon\n\g<0>\n```", text) + section + rest
            text = LISTED.sub(r"- [\1]", CITED.sub(r"\1", written))
            # With a hyphen that is no minus: else it is read as Python, and written "array - like".
            obj.docstring.value = text.replace("array-like", "array\N{NON-BREAKING HYPHEN}like")
