"""A study: what its configuration says, checked as a whole and given as plain frozen values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from costcurves.errors import InputError, refuse
from costcurves.tables.configuration.claim_keys import Claim, ClaimKeys
from costcurves.tables.configuration.dataset import (
    Dataset,
    DatasetKeys,
    all_columns,
    part_files,
    parts,
)
from costcurves.tables.configuration.declared import (
    Must,
    Name,
    Plain,
    Positive,
    Proportion,
    Share,
    schema_of,
)
from costcurves.tables.configuration.meaning import meaning_findings
from costcurves.tables.configuration.names import SLUG, SLUG_WORDS, slugs
from costcurves.tables.configuration.reading_keys import OF_CLASS
from costcurves.tables.configuration.schema import Place, located, schema_findings
from costcurves.tables.configuration.settings import (
    QUICK,
    ConditionKeys,
    Inference,
    OneWay,
    OperatingCondition,
    Selection,
)
from costcurves.tables.configuration.stages import (
    BY_MATRIX,
    STAGES,
    left_out,
    resolved,
)
from costcurves.tables.reading_limits import MOST_CONDITIONS

Weight = Annotated[float, Must(minimum=0, maximum=1e12)]
Weights = Annotated[tuple[Weight, ...], Must(minItems=1)]
UNNAMED: Final = tuple(ConditionKeys(cost_ratio=ratio) for ratio in (1 / 5, 1, 5))


@dataclass(frozen=True)
class Uniform(Plain):
    """Every PC(+) between two bounds weighs the same."""

    kind: Literal["uniform"]
    """`uniform`: all PC(+) weigh the same. From 0 to 1 that gives the area under the cost curve."""

    low: Share = 0
    """From which PC(+)."""

    high: Share = 1
    """To which PC(+)."""


@dataclass(frozen=True)
class Beta(Plain):
    """A beta distribution; what bounds leave of it is made whole again."""

    kind: Literal["beta"]
    """`beta`: a beta distribution of PC(+)."""

    a: Positive
    """The first shape parameter."""

    b: Positive
    """The second shape parameter."""

    low: Share = 0
    """Truncated below this PC(+), and what is left is made whole again."""

    high: Share = 1
    """Truncated above this PC(+), likewise."""


@dataclass(frozen=True)
class CostRatio(Plain):
    """Cost ratios that are uniform in their logarithm."""

    kind: Literal["cost ratio"]
    """`cost ratio`: from 1:4 to 1:2 weighs as much as from 1:1 to 2:1."""

    low: Positive
    """From which cost ratio C(-|+) / C(+|-): what a miss costs, in false alarms."""

    high: Positive
    """To which cost ratio."""

    prior: Proportion
    """The proportion of positives in deployment."""


@dataclass(frozen=True)
class Audit(Plain):
    """When an audit of the claims fails."""

    fail_on: Annotated[tuple[Literal["contradicted", "undecided"], ...], Must(uniqueItems=True)] = (
        "contradicted",
        "undecided",
    )
    """Which claims make it fail, a list of `contradicted` and `undecided`. Default: both."""


@dataclass(frozen=True, kw_only=True)
class StudyKeys(Plain):
    """What a configuration says."""

    study: Annotated[str, Must(pattern=f"^{SLUG.pattern}$", title=SLUG_WORDS)]
    """Its name, at most 64 letters, digits, `.`, `_`, `-`. Results go to `results/<study>`, the
    report to `reports/<study>`; no file that the study is made of may lie in them."""

    title: Name | None = None
    """The report's title. Default: the name."""

    description: Name | None = None
    """What the study is about, as plain text: paragraphs below the report's title, with blank lines
    between them. Default: nothing."""

    seed: Annotated[int, Must(minimum=0, maximum=2**63 - 1)] = 20061
    """Where random numbers start. The same seed gives the same report, byte for byte."""

    level: Literal["fold", "repeat", "pooled"] = "repeat"
    """Whose lower envelopes the headline curve averages: those of each `fold`, of each `repeat`
    (its folds pooled), or the one of all cases `pooled`. Tables hold all three. The smaller the
    set, the more an envelope is too low: it is chosen on the data that judge it."""

    folds_without_a_class: Literal["refuse", "pool"] = "refuse"
    """What to do when a fold has no positives or no negatives, and so no cost curve: `refuse` the
    data and name the folds, or `pool` the folds of such a repeat. A repeat that lacks a class
    altogether is refused."""

    pairing: Literal["paired", "unpaired"] = "paired"
    """`paired`: all models of a dataset must be predicted on the same cases, in the same folds.
    `unpaired` lets them differ, and the report says so."""

    operating_conditions: Annotated[tuple[OneWay, ...], Must(maxItems=MOST_CONDITIONS)] | None = (
        None
    )
    """Operating conditions at which the report says what to use, and which figures and tables mark;
    see below. Half of the error of `inference.confidence` is for them, as they were named before
    the data were looked at. Default: the cost ratios 1:5, 1:1 and 5:1 at the class ratio of each
    dataset, which are not named: all of the error is for verdicts on ranges of PC(+)."""

    prior: Uniform | Beta | CostRatio = Uniform("uniform")
    """How PC(+) is weighted for the total expected cost; see below. Default: uniform."""

    inference: Inference = Inference()
    """How uncertainty is measured; see below."""

    selection: Selection = Selection()
    """Which ways of choosing a threshold, or a member of a family, are looked at; see below."""

    claims: tuple[ClaimKeys, ...] = ()
    """What is claimed of the models, to be decided by the data; see below."""

    audit: Audit = Audit()
    """When an audit of the claims fails; see below."""

    anonymous: bool = False
    """`true` leaves the folders of the prediction files out of the report, for review without
    names; see below."""

    detail: Literal["auto", "full", "standard", "essential", "quick"] = "auto"
    """What is computed and shown of each dataset; see below."""

    pdf: bool = True
    """`false` makes the page alone, without the PDF; on the command line `--html`."""

    datasets: Annotated[tuple[DatasetKeys, ...], Must(minItems=1)]
    """The datasets, in the report's order; see below."""


@dataclass(frozen=True, kw_only=True)
class Study(StudyKeys):
    """A study: what its configuration says, and what follows from that."""

    title: str
    operating_conditions: tuple[OperatingCondition, ...]  # type: ignore[assignment]
    claims: tuple[Claim, ...]  # type: ignore[assignment]
    datasets: tuple[Dataset, ...]

    @property
    def name(self) -> str:
        """Its name, a slug: results go to ``results/<name>``."""
        return self.study

    @property
    def counted(self) -> tuple[Dataset, ...]:
        """The datasets that are counted and vote: those weighted by cost are the same again."""
        return tuple(one for one in self.datasets if not one.weighted)

    @property
    def of_ranges(self) -> Inference:
        """How uncertainty of verdicts on ranges is measured."""
        return self.inference.of_ranges(any(one.named for one in self.operating_conditions))

    @property
    def configuration(self) -> dict[str, Any]:
        """What its configuration says, with its defaults and the datasets that it names."""
        return {**self.plain(), "datasets": [one.plain() for one in self.counted]}

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages whose tables are made of each dataset."""
        if self.detail == "full":
            return STAGES
        wanted = {
            "criteria": any(any(one.criteria) for one in self.claims),
            "instance_costs": any(one.costs is not None for one in self.datasets),
            "segments": any(one.segments for one in self.datasets),
            **dict.fromkeys(BY_MATRIX, any(one.cost_matrix for one in self.datasets)),
        }
        needless = left_out(self.detail)
        return tuple(one for one in STAGES if one not in needless and wanted.get(one, True))

    @property
    def printed(self) -> bool:
        """Whether the report is also written as a PDF."""
        return self.pdf and self.detail != "quick"

    @property
    def applied(self) -> Selection:
        """The ways of choosing that are applied: without an annex those that claims need."""
        if self.detail == "full":
            return self.selection
        needed = dict.fromkeys(name for one in self.claims for name in one.criteria if name)
        return replace(self.selection, criteria=tuple(needed))

    @property
    def every_threshold(self) -> bool:
        """Whether anything is made of thresholds that are never the cheapest."""
        return self.detail == "full" or bool(self.applied.criteria)


@cache
def schema() -> dict[str, Any]:
    """Give the JSON Schema of a configuration."""
    return schema_of(StudyKeys)


def read_study(path: str | Path, changes: Mapping[str, Any] | None = None) -> Study:
    """Read a study from its configuration file, with other values of some keys."""
    from costcurves.tables.configuration.strict_yaml import read_document  # which needs PyYAML

    document = read_document(path)
    if not isinstance(document.content, dict):
        raise InputError([f"{path}: holds no keys, expected 'study:', 'datasets:' and others"])
    content = {**document.content, **(changes or {})}
    return parse_study(content, source=str(path), lines=document.lines)


def parse_study(
    content: Mapping[str, Any],
    *,
    source: str = "configuration",
    lines: Mapping[Place, int] | None = None,
    files: bool = True,
) -> Study:
    """Make a study of a configuration, whose files must exist if `files`.

    Refused with every finding about its schema or, where there is none, about its meaning.
    """
    refuse(schema_findings(content, schema(), source, lines))
    said = StudyKeys.from_plain(content)
    content = said.plain()
    found = meaning_findings(content, files=files)
    refuse(located(source, place, message, lines) for place, message in found)
    datasets, level = tuple(_datasets(said)), said.inference.confidence
    siblings = (one.sibling for one in datasets if one.costs is not None)
    claims = (Claim.configured(one, content["datasets"], level) for one in content["claims"])
    own: dict[str, Any] = vars(said) | {
        "operating_conditions": tuple(_conditions(said)),
        "claims": tuple(claims),
        "datasets": (*datasets, *siblings),
        "title": said.title or said.study,
        "detail": resolved(said.detail, len(datasets)),
    }
    if said.detail == "quick":  # claims take more resamples
        own |= {"claims": (), "inference": replace(said.inference, resamples=QUICK)}
    return Study(**own)


def _conditions(said: StudyKeys) -> Iterator[OperatingCondition]:
    """Make the operating conditions, those of every study where none are named."""
    given = said.operating_conditions
    for one in UNNAMED if given is None else given:
        yield OperatingCondition.configured(vars(one), named=given is not None)


def _datasets(said: StudyKeys) -> Iterator[Dataset]:
    """Make the datasets, with what they have from the study; one for each of several classes."""
    common = {key: getattr(said, key) for key in ("folds_without_a_class", "pairing")}
    common["baseline"] = said.inference.baseline
    files = slugs([one.name for one in said.datasets])
    for one, file_name in zip(said.datasets, files, strict=True):
        own, title = vars(one), one.title or one.name
        whole = {**own, **common, "title": title, "slug": file_name, "columns": all_columns(one)}
        if one.classes is None:
            yield Dataset(**whole)
            continue
        classes = tuple(one.classes)
        whole |= {"of": one.name, "classes": classes}
        made = zip(parts(own), part_files(own, file_name), classes, strict=True)
        for name, file, positive in made:
            whole |= {"name": name, "title": f"{title}: {positive}", "slug": file}
            whole |= {"positive": positive, "score": f"{OF_CLASS}{positive}"}
            whole |= {"cost_matrix": one.cost_matrix if positive == classes[0] else None}
            yield Dataset(**whole)
