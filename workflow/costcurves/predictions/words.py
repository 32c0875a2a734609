"""What people call columns, and the words that stand in them.

Names help to propose; what a column is, is decided by what it holds.
"""

import re
from typing import Final


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


LABELS: Final = _words(
    "label class outcome y_true truth true target actual obs y references reference y_test"
)
IDS: Final = re.compile(
    r"instance|(?i:id|index|idx|rowindex|row_ids?|\.row|.*[ _.](id|idx)"
    r"|(patient|subject|case|sample|row|customer|user)(id|idx))|.*[a-z]I[Dd]"
)
MODEL: Final = _words(
    "model estimator algorithm algo classifier clf method learner learner_id model_name model_id "
    "run_id run config .config pipeline variant representation tag version system wflow_id"
)
REPEAT: Final = _words("repeat seed random_state repetition iteration rep bootstrap id2 trial")
FOLD: Final = _words("fold cv split split_id resample folds cv_fold fold_id kfold partition")
TASK: Final = _words("dataset cohort task target_name biomarker antibiotic endpoint")
WEIGHTS: Final = _words(
    "weights w wt wts sample_weight sample_weights case_weight case_weights pweight "
    "survey_weight sweight .weights instance_weight"
)
TRAINING: Final = _words("train training apparent in_sample insample trn")
OTHER_ROWS: Final = _words(
    "test testing val valid validation dev holdout hold-out hold_out oof out_of_fold eval"
)
DECISION_WORDS: Final = _words(
    "allow review deny block approve approved decline declined accept accepted reject rejected "
    "pass fail flag flagged escalate refer alert clear hold"
)
RATED: Final = "readers?|raters?|experts?|doctors?|annotators?|judges?|radiologists?|reviewers?"
DECIDED: Final = "preds?|predicted|predictions?|guess|decisions?|decided|flagged|alert|hat|correct"
SCORED: Final = (
    "scores?|probs?|proba|probability|probabilities|p|pd|conf(idence)?|risk|logits?|margin|models?"
    "|clf|odds|rating|pred|preds|predicted|predictions?"
)
TRUE: Final = (
    "is|has|was|actual|true|truth|target|outcome|label|class|y|event|response|status|gold"
    "|churn(ed)?|default(ed)?|fraud|died|diagnosis|species"
)
UNIT: Final = re.compile(  # what clusters are of
    r"(?i)(.*[ _.-])?(patient|subject|participant|person|pupil|student|user|customer|client|account"
    r"|household|family|animal|mouse|donor|case|session|recording|video|speaker|author|document"
    r"|hospital|clinic|cent(er|re)|school|village|cluster|slide|driver|vehicle|farm|herd|merchant)s?"
    r"([ _.-]?(id|no|nr|num|number|code|name|key))?"
)
AMOUNT: Final = re.compile(
    r"(?i)(.*[ _.-])?(amount|amt|cost|price|revenue|balance|exposure|premium|turnover|spend"
    r"|(order|transaction|customer|lifetime|claim)[ _.-]value)s?([ _.-](usd|eur|gbp|dm))?"
)
ONE: Final = re.compile(  # what the scores of an only model are called
    r"(?i)((y|oof|hat|p|raw|pred(ict(ed|ion)?)?|label|class|score|prob(a|abilit(y|ie))?)s?[ _.]?)*"
)
OWN_DECISIONS: Final = re.compile(  # what the decisions of an only model are called
    r"(?i)\W?(y[ _.]?)?(pred(ict(ed|ions?)?)?s?|decisions?)([ _.](class|label|y))?"
)
CODES: Final = _words("na n/a nan null none missing noanswer no_answer unknown abstain ? - . #n/a")


def called(name: str, *words: str) -> bool:
    """Return whether a column's name has one of some words, such as `is_fraud` or `isFraud`."""
    parts = re.sub("(?<=[a-z][a-z])(?=[A-Z])", "_", name)
    return re.fullmatch(f"(?i)(.*[^a-z])?({'|'.join(words)})([^a-z].*)?", parts) is not None


def plain(name: str) -> str:
    """Return a name without spaces around it and capital letters."""
    return name.strip("\ufeff \t").casefold()
