"""One dataset of a study; several classes make several of it, each class against all others.

After Drummond and Holte (2006), section 6, https://doi.org/10.1007/s10994-006-8199-5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from costcurves.tables.configuration.declared import Must, Name, Names, Plain, Proportion
from costcurves.tables.configuration.names import slugs
from costcurves.tables.configuration.reading_keys import OF_CLASS, SEGMENT, ReadingKeys
from costcurves.tables.configuration.settings import Costs
from costcurves.tables.findings import KINDS

COSTS: Final = "--costs"  # ends the name of a dataset that is weighted by cost
Finding = Annotated[str, Must(enum=[*KINDS])]


@dataclass(frozen=True)
class Cases(Plain):
    """What the cases of a dataset are, in words of the report."""

    case: Name | None = None
    """What a case is, such as `sonar returns`."""

    positive: Name | None = None
    """What a positive case is, such as `mines`."""

    negative: Name | None = None
    """What a negative case is, such as `rocks`."""

    source: Name | None = None
    """Where the data are from."""

    period: Name | None = None
    """From when they are, such as `2019 to 2023`."""


@dataclass(frozen=True)
class DatasetKeys(ReadingKeys):
    """What a configuration says of a dataset."""

    name: Name
    """As in the column `dataset` of its files. It may be any text of at most 200 characters; files
    get a name made from it. No other dataset may be called so, nor like a class of another
    (`tea: red`, in files `tea--red`)."""

    predictions: Names
    """A list of files, relative to the folder where the command runs. What they may be is
    below."""

    title: Name | None = None
    """How the report calls it. Default: the name."""

    about: Cases = Cases()
    """What a case is and what positive means, for the report; see below. Default: not said."""

    positive: Name | None = None
    """Which label is the positive class. Needed unless labels are 0 and 1, or true and false: the
    positive class is never guessed."""

    prior: Proportion | None = None
    """The proportion of positives in deployment, at which PC(+) is read as a cost ratio. Default:
    the data's own."""

    models: Names | None = None
    """Which models, in which order. Default: all, in order of appearance."""

    classes: (
        Annotated[tuple[Name, ...], Must(minItems=3, uniqueItems=True)]
        | Annotated[dict[str, Name], Must(minProperties=3)]
        | None
    ) = None
    """The classes, where labels have more than two values; see below. Default: two classes."""

    cost_matrix: dict[str, dict[str, float]] | None = None
    """What each decision costs for each class; see "Several classes" below. Default: not said."""

    costs: Costs | None = None
    """What mistakes on each instance cost; see below. Without it all mistakes of a kind cost the
    same."""

    segments: Names | None = None
    """Columns that say which subgroup a case is of, such as `[site, age_group]`; `site` may be
    called `segment_site`, too. What each model costs for each is then a section of the report.
    Default: none; of files that are given to a command those called `segment_...`."""

    expected: Annotated[tuple[Finding, ...], Must(uniqueItems=True)] = ()
    """A list of findings about its predictions that are meant, such as `block-folds`: they become
    notes. See "What looks wrong" below."""


@dataclass(frozen=True, kw_only=True)
class Dataset(DatasetKeys):
    """One dataset of a study: what its configuration says, and what follows from that."""

    title: str
    slug: str  # what its files are called
    classes: tuple[str, ...] | None = None  # all, where it is one of them against all others
    folds_without_a_class: str = "refuse"
    pairing: str = "paired"
    baseline: str | None = None
    weighted: bool = False  # whether its cases count by what mistakes on them cost
    of: str | None = None  # the dataset with several classes, where it is one of them
    score: str = "score"  # the column of its scores

    @property
    def in_files(self) -> str:
        """Its name in the column ``dataset`` of its files."""
        return self.of or self.original

    @property
    def original(self) -> str:
        """The dataset whose cases and random numbers it shares, as its sibling, or itself."""
        return self.name.removesuffix(COSTS) if self.weighted else self.name

    @property
    def matrix_scores(self) -> tuple[str, ...]:
        """The columns of the probabilities by which a matrix decides, in its order."""
        return tuple(f"{OF_CLASS}{one}" for one in self.cost_matrix or ())

    @property
    def unit(self) -> str:
        """The unit of the costs by which its cases are weighted; empty: none is named."""
        return self.costs.unit if self.weighted and self.costs else ""

    @property
    def sibling(self) -> "Dataset":
        """The same dataset with its cases weighted by what mistakes on them cost."""
        name, slug = (name_of(one, weighted=True) for one in (self.name, self.slug))
        title = f"{self.title}, weighted by cost"
        return replace(self, name=name, slug=slug, title=title, weighted=True)

    @property
    def as_read(self) -> "Dataset":
        """The same without what no staged row depends on: to change that reads nothing again."""
        costs = self.costs and replace(self.costs, unit="")
        return replace(self, title=self.name, prior=None, expected=(), costs=costs, about=Cases())


def name_of(dataset: str, *, weighted: bool) -> str:
    """Name a dataset, or its files, by what its cases count: the same, or their costs.

    >>> name_of("loans", weighted=False), name_of("loans", weighted=True)
    ('loans', 'loans--costs')
    """
    return f"{dataset}{COSTS}" if weighted else dataset


def all_columns(said: DatasetKeys) -> dict[str, str | tuple[str, ...]] | None:
    """Say which column is what, with those that `classes:` and `segments:` name."""
    named = said.classes if isinstance(said.classes, Mapping) else {}
    others = {f"{OF_CLASS}{one}": column for one, column in named.items()}
    others |= {f"{SEGMENT}{one}": one for one in said.segments or ()}
    return {**(said.columns or {}), **others} or None


def parts(dataset: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the datasets that a configured one becomes: itself, or one for each of its classes.

    >>> parts({"name": "wine"}), parts({"name": "tea", "classes": ["red", "green"]})
    (('wine',), ('tea: red', 'tea: green'))
    """
    name, classes = str(dataset["name"]), dataset.get("classes")
    return tuple(f"{name}: {one}" for one in classes) if classes else (name,)


def part_files(dataset: Mapping[str, Any], file_name: str) -> tuple[str, ...]:
    """Name the files of the datasets that a configured one becomes, such as ``tea--red``."""
    classes = dataset.get("classes")
    return tuple(f"{file_name}--{one}" for one in slugs([*classes])) if classes else (file_name,)
