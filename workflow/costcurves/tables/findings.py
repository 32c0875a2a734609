"""What may be wrong with data that can be read: each finding by its name, and the words for it."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Grade = Literal["grave", "look", "note"]


@dataclass(frozen=True)
class Kind:
    """A kind of finding: what was seen, why that matters for cost curves, and what to do.

    Of a grave one costs or intervals are wrong, if it is not meant; of one to look at they may be.
    """

    grade: Grade
    what: str
    why: str
    mend: str


class Found(NamedTuple):
    """One finding: what was seen, and of which models."""

    finding: str
    seen: str = ""
    model: str = ""
    other: str = ""


_NARROW: Final = "intervals come out too narrow"

# In the order in which they are said.
KINDS: Final = {
    "reversed": Kind(
        "grave",
        "Ranks worse than chance would",
        "Its costs are those of a ranking upside down.",
        "Does a low score mean positive, or is it of the other class? Say 'higher_is: negative' "
        "(--higher-is negative). Are the labels swapped? Mend them, or 'positive:'.",
    ),
    "contradiction": Kind(
        "grave",
        "Its decisions contradict its scores",
        "So these are no scores of the positive class, and its costs are wrong.",
        "Are they probabilities of the predicted class? Say 'higher_is: predicted' (--higher-is "
        "predicted): where the decision is negative, 1 \N{MINUS SIGN} score is read. Else name the "
        "column with the scores of the positive class.",
    ),
    "clusters": Kind(
        "grave",
        "Several cases share an id in a column that is not used",
        "Cases of one cluster (a patient, a user, a site) are not independent. They are treated as "
        f"independent here, so {_NARROW} and verdicts may be false.",
        "Name the column: 'columns: {cluster: NAME}' (--column cluster=NAME).",
    ),
    "split-clusters": Kind(
        "grave",
        "Clusters have cases in several folds of a repeat",
        "Cases of one cluster are alike. A model was trained on some and judged on others, so its "
        "costs are too low for new clusters.",
        "Make folds of whole clusters, as StratifiedGroupKFold of scikit-learn does.",
    ),
    "few-clusters": Kind(
        "look",
        "A class has fewer than ten clusters",
        "So few do not show how much estimates vary. Nothing is decided: intervals and bands hold "
        "all that is possible.",
        "Collect more clusters; more cases of these hardly help.",
    ),
    "disjoint-repeats": Kind(
        "grave",
        "Repeats have no instance in common",
        "Repeats judge the same instances again. Under other ids each counts as a new one, and "
        f"{_NARROW}.",
        "Give an instance the same id in every repeat.",
    ),
    "copied-instances": Kind(
        "grave",
        "Every instance is there several times, with the same label and scores",
        f"A copy is no new instance: {_NARROW}.",
        "Keep one of each.",
    ),
    "identical-models": Kind(
        "grave",
        "Two models have the same score for every instance",
        "It is one model under two names, or one stands in the place of the other: comparing them "
        "says nothing.",
        "See where the scores of both come from; give each its own, or leave one out.",
    ),
    "below-chance": Kind(
        "look",
        "Ranks worse than chance would on average, which may be chance",
        "If its ranking is upside down, so are its costs.",
        "Does a low score mean positive, or is it of the other class? Say 'higher_is: negative' "
        "(--higher-is negative).",
    ),
    "some-copies": Kind(
        "look",
        "Some instances have the label and all scores of another one",
        f"Where that is one instance under two ids it counts twice, and {_NARROW}.",
        "Keep one of each.",
    ),
    "copied-repeats": Kind(
        "look",
        "A repeat has the same score for every instance as another repeat",
        "A copy does not show how costs vary from one repeat to the next.",
        "Draw the folds of each repeat anew, or leave the copies out.",
    ),
    "perfect": Kind(
        "look",
        "Ranks every positive of a fold above every negative",
        "So do models that were trained on the test instances, or on a variable that gives the "
        "class away; then no cost here will come true.",
        "See what it was trained on.",
    ),
    "perfect-folds": Kind(
        "look",
        "Ranks some folds without a mistake, and others much worse",
        "It may have been trained on the instances of these folds; then their costs are too low.",
        "See which instances it was trained on for these folds.",
    ),
    "constant-scores": Kind(
        "look",
        "Gives all instances of a fold the same score",
        "It tells no instances apart, so it costs what a trivial classifier costs.",
        "If it should tell them apart, see whether its scores were rounded or are of another "
        "column.",
    ),
    "mixed-scales": Kind(
        "look",
        "Has scores from 0 to 1 in some folds, and of another kind in others",
        "One threshold can't serve both, so what is pooled over folds costs too much.",
        "Give all scores of a model on one scale.",
    ),
    "missing-code": Kind(
        "look",
        "Has a score that may stand for a missing one, all others being from 0 to 1",
        "It is ranked as the number that it is.",
        "Predict these instances, or leave them out for all models.",
    ),
    "two-scores": Kind(
        "look",
        "Has only two different scores",
        "A decision has one operating point where a score has a curve, so it may cost more.",
        "Give the score that was decided by; if there is none, name the column 'decision'.",
    ),
    "prevalence": Kind(
        "look",
        "Folds differ in their share of positives by more than chance",
        "Folds that are sorted by class, time or group are no random parts: a threshold is chosen "
        "on other data than it is judged on.",
        "Shuffle and stratify the folds, if they should be random.",
    ),
    "label-runs": Kind(
        "look",
        "Instances with neighbouring ids or times are of the same class more often than by chance",
        f"If they belong together (a patient, a day), they are not independent, and {_NARROW}.",
        "If a column says which belong together, name it: 'columns: {cluster: NAME}' (--column "
        "cluster=NAME).",
    ),
    "mostly-positive": Kind(
        "look",
        "The positive class is the majority by far",
        "If the other class is the one to be found, PC(+) and all cost ratios are mirrored.",
        "Say which label is positive ('positive:'), with scores for it.",
    ),
    "look-alikes": Kind(
        "look",
        "Names look the same and have letters of different scripts",
        "One thing under two names counts as two.",
        "Write it in one way.",
    ),
    "abstained": Kind(
        "note",
        "Abstains on some cases",
        "They count as the class that 'abstain:' says, at every threshold.",
        "Compare it with models that decide the same cases, if it should not decide these.",
    ),
    "missing-labels": Kind(
        "note",
        "Cases without a label are left out, as 'missing_labels: drop' says",
        "Costs are those of the cases whose label is known. A class whose labels come later is too "
        "rare here.",
        "Build the report again when the labels are known.",
    ),
    "amounts": Kind(
        "note",
        "A column that is not used may say what a miss costs",
        "Then a miss of one case costs more than that of another.",
        "If so, weigh cases by 'costs:', such as costs: {column: NAME, benefit: {tp: 0, tn: 0, "
        "fp: -1, fn: {coefficient: -1}}}: a miss costs what the column says, "
        "a false alarm 1.",
    ),
    "beside-probabilities": Kind(
        "note",
        "Has scores outside 0 to 1, where other models have probabilities",
        "For the curves only their order counts. What needs probabilities, such as the Brier "
        "score, leaves it out.",
        "Give probabilities, if that is to be judged.",
    ),
    "uncalibrated": Kind(
        "note",
        "Has scores from 0 to 1 whose mean is far from the share of positives",
        "As probabilities they are wrong. Thresholds that are chosen on other folds make up for "
        "that; score-driven choice does not.",
        "Calibrate them, if they are to be read as probabilities.",
    ),
    "few-scores": Kind(
        "note",
        "Has few different scores",
        "It has as many thresholds, and no more can be chosen from.",
        "If they were rounded, give them as they are.",
    ),
    "block-folds": Kind(
        "note",
        "Folds are blocks of neighbouring ids or times",
        "Where ids follow time, place or class, such folds are no random parts.",
        "Shuffle before folds are made, if they should be random.",
    ),
    "sorted-labels": Kind(
        "note",
        "Ids are sorted by class, or nearly so",
        "Folds of neighbouring ids would not have both classes alike; random ones do.",
        "Where folds are random, nothing has to be done.",
    ),
}
