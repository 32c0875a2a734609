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
        "Ranks worse than chance",
        "Its ranking is probably reversed, and so are its costs.",
        "Does a low score mean positive, or is it of the other class? Say 'higher_is: negative' "
        "(--higher-is negative). Are the labels swapped? Mend them, or 'positive:'.",
    ),
    "contradiction": Kind(
        "grave",
        "Its decisions contradict its scores",
        "These are not scores of the positive class, so its costs are wrong.",
        "Are they probabilities of the predicted class? Say 'higher_is: predicted' (--higher-is "
        "predicted): where the decision is negative, 1 \N{MINUS SIGN} score is read. Else name the "
        "column with the scores of the positive class.",
    ),
    "clusters": Kind(
        "grave",
        "Several cases share an id in a column that is not used",
        "Cases of one cluster (a patient, a user, a site) are not independent. Treated as "
        f"independent, {_NARROW} and verdicts may be false.",
        "Name the column: 'columns: {cluster: NAME}' (--column cluster=NAME).",
    ),
    "split-clusters": Kind(
        "grave",
        "Clusters are split over several folds of a repeat",
        "Cases of one cluster are alike. Models were trained on some and tested on others, so "
        "costs are too low for new clusters.",
        "Make folds of whole clusters, as StratifiedGroupKFold of scikit-learn does.",
    ),
    "few-clusters": Kind(
        "look",
        "A class has fewer than ten clusters",
        "So few do not show how much estimates vary. Nothing is decided: intervals and bands cover "
        "all possible values.",
        "Collect more clusters; more cases of these hardly help.",
    ),
    "disjoint-repeats": Kind(
        "grave",
        "Repeats have no case in common",
        "Repeats test the same cases again. With other ids each counts as a new case, and "
        f"{_NARROW}.",
        "Give a case the same id in every repeat.",
    ),
    "copied-instances": Kind(
        "grave",
        "Every case occurs several times, with the same label and scores",
        f"Copies add no new cases: {_NARROW}.",
        "Keep one of each.",
    ),
    "identical-models": Kind(
        "grave",
        "Two models have the same score for every case",
        "Either it is one model under two names, or the scores of one model were given for both: "
        "comparing them is meaningless.",
        "Check where the scores of both come from; give each its own, or leave one out.",
    ),
    "below-chance": Kind(
        "look",
        "Ranks worse than chance on average, which may itself be chance",
        "If its ranking is reversed, so are its costs.",
        "Does a low score mean positive, or is it of the other class? Say 'higher_is: negative' "
        "(--higher-is negative).",
    ),
    "some-copies": Kind(
        "look",
        "Some cases have the label and all scores of another case",
        f"If it is one case under two ids it counts twice, and {_NARROW}.",
        "Keep one of each.",
    ),
    "copied-repeats": Kind(
        "look",
        "A repeat has the same score for every case as another repeat",
        "A copy does not show how costs vary from one repeat to the next.",
        "Draw the folds of each repeat anew, or leave the copies out.",
    ),
    "perfect": Kind(
        "look",
        "Ranks every positive of a fold above every negative",
        "Models do so that were trained on the test cases, or on a variable that gives the class "
        "away; then all costs are too low.",
        "Check which cases and variables it was trained on.",
    ),
    "perfect-folds": Kind(
        "look",
        "Ranks some folds without a mistake, and others much worse",
        "It may have been trained on the cases of these folds; then their costs are too low.",
        "Check which cases it was trained on for these folds.",
    ),
    "constant-scores": Kind(
        "look",
        "Gives all cases of a fold the same score",
        "It cannot tell cases apart, so it costs as much as always negative or always positive.",
        "If it should tell them apart, check whether its scores were rounded, or come from another "
        "column.",
    ),
    "mixed-scales": Kind(
        "look",
        "Has scores from 0 to 1 in some folds, and of another kind in others",
        "No single threshold fits both, so costs pooled over folds are too high.",
        "Give all scores of a model on one scale.",
    ),
    "missing-code": Kind(
        "look",
        "Has a score that may stand for a missing one, all others being from 0 to 1",
        "It is ranked as a number.",
        "Predict these cases, or leave them out for all models.",
    ),
    "two-scores": Kind(
        "look",
        "Has only two different scores",
        "Its threshold cannot be tuned, so it may look more expensive.",
        "If it has scores, supply them; otherwise name the column 'decision'.",
    ),
    "prevalence": Kind(
        "look",
        "Folds differ in their share of positives by more than chance",
        "Folds sorted by class, time or place are not random parts: the folds that choose a "
        "threshold differ from the fold that tests it.",
        "Shuffle and stratify the folds, if they should be random.",
    ),
    "label-runs": Kind(
        "look",
        "Cases with neighbouring ids or times are of the same class more often than by chance",
        f"If they belong together (a patient, a day), they are not independent, and {_NARROW}.",
        "If a column names what they belong to, use it: 'columns: {cluster: NAME}' (--column "
        "cluster=NAME).",
    ),
    "mostly-positive": Kind(
        "look",
        "The positive class is the majority by far",
        "If the other class is the one to find, PC(+) and all cost ratios are mirrored.",
        "Name the positive label ('positive:'), and give scores for it.",
    ),
    "look-alikes": Kind(
        "look",
        "Names look the same and have letters of different scripts",
        "One name in two spellings counts as two.",
        "Use one spelling.",
    ),
    "abstained": Kind(
        "note",
        "Abstains on some cases",
        "At every threshold they count as the class that 'abstain:' names.",
        "If it should not decide these cases, compare it with models that decide the same ones.",
    ),
    "missing-labels": Kind(
        "note",
        "Cases without a label are left out ('missing_labels: drop')",
        "Costs are those of the cases with a known label. A class whose labels come later is too "
        "rare here.",
        "Build the report again when the labels are known.",
    ),
    "amounts": Kind(
        "note",
        "A column that is not used may hold the cost of a miss",
        "Then a miss of one case costs more than that of another.",
        "If so, weight cases by 'costs:', such as costs: {column: NAME, benefit: {tp: 0, tn: 0, "
        "fp: -1, fn: {coefficient: -1}}}: a miss costs the value in the "
        "column, a false alarm 1.",
    ),
    "cheaper-mistakes": Kind(
        "note",
        "By the benefits that are given a mistake brings more than the right decision",
        "Where cases count by their costs, these are of the class whose decision brings more; "
        "elsewhere they keep their own.",
        "If they should be decided rightly all the same, give a mistake a higher cost.",
    ),
    "beside-probabilities": Kind(
        "note",
        "Has scores outside 0 to 1, where other models have probabilities",
        "Curves need only the order of scores. Results that need probabilities, such as the Brier "
        "score, leave it out.",
        "Give probabilities if you need those results.",
    ),
    "uncalibrated": Kind(
        "note",
        "Has scores from 0 to 1 whose mean is far from the share of positives",
        "As probabilities they are wrong. Thresholds chosen on other folds make up for that; the "
        "score-driven rule does not.",
        "Calibrate them if you use them as probabilities.",
    ),
    "few-scores": Kind(
        "note",
        "Has few different scores",
        "Only as many thresholds can be chosen from.",
        "If they were rounded, give the unrounded scores.",
    ),
    "block-folds": Kind(
        "note",
        "Folds are blocks of neighbouring ids or times",
        "If ids follow time, place or class, such folds are not random parts.",
        "Shuffle before making folds, if they should be random.",
    ),
    "sorted-labels": Kind(
        "note",
        "Ids are sorted by class, or nearly so",
        "Folds of neighbouring ids would have unequal shares of the classes; random folds do not.",
        "If folds are random, nothing needs to be done.",
    ),
}
