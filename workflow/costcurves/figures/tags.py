"""What a page can tell apart in a figure: whose a line or a name is, and where PC(+) runs.

Tags are the group ids of matplotlib's artists: words with spaces between them. In the SVG for pages
they become attributes (`report.lean`); in the one for readers a model's tag becomes a class.
"""

from matplotlib.artist import Artist
from matplotlib.figure import Figure

PC = "pc"  # axes along which PC(+) runs; `measured` adds where


def model(index: int) -> str:
    """Tag of what is drawn of the study's model number `index`."""
    return f"model-{index}"


def name(index: int) -> str:
    """Tag of the words that name the study's model number `index`."""
    return f"name-{index}"


def tag(artist: Artist, *tags: str) -> None:
    """Add tags to those that an artist has."""
    artist.set_gid(" ".join([*(artist.get_gid() or "").split(), *tags]))


def measured(figure: Figure) -> None:
    """Write into the tags of axes along PC(+) where they are, as often as one likes.

    Places are points from the upper left corner of the figure: the x of PC(+) = 0 and of 1, and the
    y of the axes' upper and lower end.
    """
    across, down = 72 * figure.get_size_inches()
    for axes in figure.axes:
        tags = (axes.get_gid() or "").split()
        if not any(one.startswith(PC) for one in tags):
            continue
        box, (low, high) = axes.get_position(), axes.get_xlim()
        ends = [across * (box.x0 + box.width * (pc - low) / (high - low)) for pc in (0, 1)]
        places = [*ends, down * (1 - box.y1), down * (1 - box.y0)]
        where = ",".join(f"{place:.2f}" for place in places)
        axes.set_gid(" ".join(f"{PC}:{where}" if it.startswith(PC) else it for it in tags))
