"""What the page says of the worded study is what was approved: words, numbers, names and links."""

from difflib import unified_diff

from tests.approved import PAGE, spoken


def test_the_page_says_what_was_approved() -> None:
    """Where it has to say something else: `make approve`, and read what has changed."""
    before, after = PAGE.read_text("utf-8").splitlines(), spoken().splitlines()
    assert "\n".join(unified_diff(before, after, "approved", "now", lineterm="", n=0)) == ""
