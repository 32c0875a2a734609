"""Files with names of people's own: what is read, what is refused, and the command proposed.

Each case is a kind of file, or a mistake, that people have. All files hold the same 47 cases, of
whom 17 are positive, under ids that are in no order; two models rank them differently. The proposed
line is typed as it is printed.
"""

import gzip
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import costcurves as cc
from costcurves.command import main
from costcurves.errors import InputError
from costcurves.settings import ReadingKeys
from costcurves.study.reading import read_study
from costcurves.tables.input.opening import open_files
from costcurves.tables.input.predictions import stage_with_sources

SIZE = 47
LABEL = np.array([int(k * k % 47 in range(1, 19)) for k in range(SIZE)])
P = np.round(0.031 + 0.0187 * ((np.arange(SIZE) * 11 + 3 * LABEL) % 47) + 0.09 * LABEL, 4)
Q = np.round(0.955 - 0.0171 * ((np.arange(SIZE) * 17 + 29 * LABEL) % 53) % 0.94, 4)
SURE = (P > 0.45).astype(int)
IDS = [f"n{k * 20 % SIZE:02}" for k in range(SIZE)]
CODES = [1000 + k * 13 % SIZE for k in range(SIZE)]
WARD = [f"s{k * 5 % 11}" for k in range(SIZE)]
YES = np.array(["kept", "left"])
PARTS = np.array(["Test", "Train", "Valid"])[np.arange(SIZE) % 5 % 3]
MIXED = PARTS == "Test"
KIND = np.array(["oak", "elm", "fir"])[np.arange(SIZE) * 7 % 10 % 3]
THREE = np.stack([P * 0.5, 1 - P * 0.8, P * 0.3], axis=1).round(4)  # sums to 1


def table(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


def csv(made: pd.DataFrame, name: str = "a.csv", **how: Any) -> list[str]:
    made.to_csv(name, index=False, **how)
    return [name]


def long(**names: str) -> pd.DataFrame:
    """Two models below each other, with our columns under other names."""
    each = [table(model=m, instance=IDS, label=LABEL, score=s) for m, s in (("nb", P), ("rf", Q))]
    return pd.concat(each).rename(columns=names)


def several() -> pd.DataFrame:
    """Three models that two columns tell apart."""
    ours = {"instance": IDS, "label": LABEL}
    each = (("tfidf", "svm", P), ("tfidf", "nb", Q), ("bert", "svm", P * Q))
    return pd.concat(
        [table(representation=a, variant=b, **ours, score=s.round(6)) for a, b, s in each]
    )


def parquet(**columns: Any) -> list[str]:
    pq.write_table(pa.table(columns), "a.parquet")
    return ["a.parquet"]


def lines(made: pd.DataFrame) -> list[str]:
    made.to_json("a.jsonl", orient="records", lines=True)
    return ["a.jsonl"]


def two(truth: pd.DataFrame, *models: tuple[str, pd.DataFrame]) -> list[str]:
    return [*csv(truth, "truth.csv"), *(path for name, one in models for path in csv(one, name))]


def gaps(values: Any, every: int, text: str = "") -> list[str]:
    return [text if k % every == 2 else str(one) for k, one in enumerate(values)]


def tuned() -> pd.DataFrame:
    """What caret saves of two settings."""
    own = {"obs": YES[LABEL], "rowIndex": range(1, SIZE + 1)}
    each = [
        table(pred=YES[(s > 0.5).astype(int)], **own, kept=1 - s, left=s, mtry=m, Resample="Fold1")
        for m, s in ((2, P), (7, Q))
    ]
    return pd.concat(each)


@dataclass(frozen=True)
class Case:
    """A file, the words of its refusal, the lines that are proposed, and what is then read."""

    write: Callable[[], list[str]]
    models: dict[str, Any] = field(default_factory=dict)  # with their scores
    needs: tuple[str, ...] = ()  # options
    refused: str = ""
    lines: tuple[str, ...] = ()  # after the files
    label: str = ""  # what is put in the place of LABEL
    said: tuple[str, ...] = ()  # of what is read, or proposed
    kept: Any = None  # which cases
    decided: dict[str, Any] = field(default_factory=dict)
    clusters: int = SIZE


NB = {"nb": P, "rf": Q}
UNKNOWN = "is of no kind that is known; say which columns are the truth and scores"
KEYS = {
    "representation=tfidf, variant=svm": P,
    "representation=tfidf, variant=nb": Q,
    "representation=bert, variant=svm": (P * Q).round(6),
}

CASES = {
    # Names of people's own.
    "scores of two versions, an amount": Case(
        lambda: csv(table(transaction_id=CODES, is_fraud=LABEL, amount=Q * 900, score_v1=P,
                          score_v2=Q)),
        {"score_v1": P, "score_v2": Q}, refused=UNKNOWN,
        lines=("--column label=is_fraud --column score=score_v1,score_v2 "
               "--column instance=transaction_id",),
        said=("columns look like the truth ('is_fraud'), scores ('score_v1', 'score_v2'), the "
              "case ('transaction_id'); if so: costcurves check a.csv",
              "'amount' may be what a miss costs (in a configuration 'costs: column:')"),
    ),
    "labels that do not say which is positive": Case(
        lambda: csv(table(customer_no=IDS, churned=YES[LABEL], risk=P)),
        {"risk": P}, refused=UNKNOWN, label="left",
        lines=("--column label=churned --column score=risk --column instance=customer_no "
               "--positive LABEL",),
        said=("LABEL is the positive class, one of",),
    ),
    # Scores of other kinds.
    "energies, of which low ones are positive": Case(
        lambda: csv(table(ligand=IDS, active=LABEL, vina=-9 * P)),
        {"vina": -9 * P}, refused=UNKNOWN,
        lines=("--column label=active --column score=vina --column instance=ligand",),
    ),
    "energies and prices": Case(
        lambda: csv(table(ligand=IDS, active=LABEL, vina=-9 * P, price=Q * 70)),
        {"vina": -9 * P}, refused=UNKNOWN,
        lines=("--column label=active --column score=vina --column instance=ligand",),
        said=("'price' may be what a miss costs",),
    ),
    "whole numbers that are called a score": Case(
        lambda: csv(table(row_no=CODES, event=LABEL, age=np.arange(SIZE) % 31 + 20,
                          risk_score=(P * 1000).astype(int))),
        {"risk_score": (P * 1000).astype(int)}, refused=UNKNOWN,
        lines=("--column label=event --column score=risk_score --column instance=row_no",),
    ),
    "numbers of a scientist's, beside probabilities": Case(
        lambda: csv(table(SMILES=IDS, Activity=LABEL, pIC50=Q * 9, pred_rf=P, pred_gnn=Q)),
        {"pred_rf": P, "pred_gnn": Q}, refused=UNKNOWN,
        lines=("--column label=Activity --column score=pred_rf,pred_gnn "
               "--column instance=SMILES",),
    ),
    # Decisions.
    "probabilities of the predicted class": Case(
        lambda: csv(table(Bought=LABEL, prediction_label=SURE, prediction_score=P)),
        {"a": P}, refused=UNKNOWN, decided={"a": SURE},
        lines=("--column label=Bought --column score=prediction_score "
               "--column decision=prediction_label",),
    ),
    "decisions alone": Case(
        lambda: csv(table(ticket_id=CODES, escalated_true=YES[LABEL], guess=YES[SURE])),
        {"a": np.full(SIZE, np.nan)}, refused=UNKNOWN, label="left", decided={"a": SURE},
        lines=("--column label=escalated_true --column decision=guess "
               "--column instance=ticket_id --positive LABEL",),
    ),
    # Raters.
    "readers' ratings": Case(
        lambda: csv(table(lesion=IDS, malignant=LABEL, reader_a=P * 4, reader_b=Q * 4)),
        {"reader_a": P * 4, "reader_b": Q * 4}, refused=UNKNOWN,
        lines=("--column label=malignant --column score=reader_a,reader_b "
               "--column instance=lesion",),
        said=("'reader_a', 'reader_b' are read as a model each; repeats of one need rows with a "
              "column 'repeat'",),
    ),
    "raters who say yes or no": Case(
        lambda: csv(table(biopsy=LABEL, rater1=SURE, rater2=(Q > 0.6).astype(int))),
        {"rater1": SURE, "rater2": Q > 0.6}, refused=UNKNOWN,
        lines=("--column label=biopsy --column score=rater1,rater2",),
    ),
    # Clusters.
    "several lesions of a patient": Case(
        lambda: csv(table(patient_id=WARD, malignant=LABEL, reader_a=P, reader_b=Q)),
        {"reader_a": P, "reader_b": Q}, refused=UNKNOWN, clusters=11,
        lines=("--column label=malignant --column score=reader_a,reader_b "
               "--column cluster=patient_id",),
        said=("leave cluster out if cases with the same value in 'patient_id' do not belong",),
    ),
    "sessions of a user, with a known truth": Case(
        lambda: csv(table(user_id=WARD, label=LABEL, model_x=P, clicks=np.arange(SIZE) % 9)),
        {"model_x": P}, clusters=11,
        refused="column 'user_id' has 11 values in 47 rows; if it says which cases belong together",
        lines=("--column score=model_x --column cluster=user_id",),
    ),
    # A row for each model and case.
    "long, with names of its own": Case(
        lambda: csv(long(model="clf", instance="case", label="died", score="risk")), NB,
        refused=UNKNOWN,
        lines=("--column label=died --column score=risk --column instance=case "
               "--column model=clf",),
    ),
    "long, with a truth called target": Case(
        lambda: csv(long(instance="id", label="target")), NB,
        refused="column 'target' is not known; rename it 'label' or leave it out",
        lines=("--column label=target --column instance=id",),
    ),
    # Several classes.
    "classes under other names": Case(
        lambda: csv(table(tree_id=IDS, species=KIND, p_oak=THREE[:, 0], p_elm=THREE[:, 1],
                          p_fir=THREE[:, 2])),
        {"a": THREE}, refused=UNKNOWN,
        lines=("--column label=species --column score=p_oak,p_elm,p_fir "
               "--column instance=tree_id",),
    ),
    "two classes that sum to one": Case(
        lambda: csv(table(case=IDS, outcome_2024=YES[LABEL], p_kept=1 - P, p_left=P)),
        {"a": P}, refused=UNKNOWN, label="left",
        lines=("--column label=outcome_2024 --column score=p_kept,p_left "
               "--column instance=case --positive LABEL",),
    ),
    # How names are written.
    "camel case, and spaces": Case(
        lambda: csv(table(**{"Case Nr": CODES, "isFraud": LABEL, "Score (new model)": P})),
        {"Score (new model)": P}, refused=UNKNOWN,
        lines=("--column label=isFraud --column 'score=Score (new model)' "
               "--column 'instance=Case Nr'",),
    ),
    "a file name with spaces and a quotation mark": Case(
        lambda: csv(table(pid=CODES, has_disease=LABEL, prob=P), "jo's first try.csv"),
        {"jo's first try": P}, refused=UNKNOWN,
        lines=("--column label=has_disease --column score=prob --column instance=pid",),
    ),
    # How files are written.
    "semicolons, decimal commas, a text for missing": Case(
        lambda: csv(table(nr=CODES, defaulted=LABEL, pd=P, branch=gaps(WARD, 6, "n/a")),
                    sep=";", decimal=","),
        {"pd": P}, needs=("--decimal", ",", "--missing", "n/a"), refused=UNKNOWN,
        lines=("--decimal , --missing n/a --column label=defaulted --column score=pd "
               "--column instance=nr",),
    ),
    "a row number without a name": Case(
        lambda: csv(table(**{"": range(SIZE), "converted": LABEL, "p_new": P, "p_old": Q})),
        {"p_new": P, "p_old": Q}, refused=UNKNOWN,
        lines=("--column label=converted --column score=p_new,p_old",),
    ),
    "Parquet with truth values": Case(
        lambda: parquet(uid=IDS, was_late=LABEL.astype(bool), p=P), {"a": P}, refused=UNKNOWN,
        lines=("--column label=was_late --column score=p --column instance=uid",),
    ),
    "lines of JSON": Case(
        lambda: lines(table(doc=IDS, actual_spam=LABEL, spam_probability=P)),
        {"spam_probability": P}, refused=UNKNOWN,
        lines=("--column label=actual_spam --column score=spam_probability "
               "--column instance=doc",),
    ),
    "a tab between columns": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, rf=Q), "a.tab", sep="\t"), NB,
    ),
    "a tab, packed": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, rf=Q), "a.tab.gz", sep="\t"), NB,
    ),
    # Which column is the truth.
    "two columns with two values each": Case(
        lambda: csv(table(nr=CODES, alpha=LABEL, beta=(np.arange(SIZE) % 3 > 1).astype(int), p=P)),
        {"a": P}, refused=UNKNOWN,
        lines=("--column label=alpha --column score=p --column instance=nr",
               "--column label=beta --column score=p --column instance=nr"),
    ),
    "a truth that is said already": Case(
        lambda: csv(table(nr=CODES, alpha=(np.arange(SIZE) % 3 > 1).astype(int), beta=LABEL, p=P)),
        {"a": P}, needs=("--column", "label=beta"),
        refused="is a wide table with numbers in columns 'nr', 'alpha' that may be no scores",
        lines=("--column score=p --column instance=nr --column label=beta",),
    ),
    "an attribute with two values": Case(
        lambda: csv(table(nr=CODES, sex=(np.arange(SIZE) % 3 > 1).astype(int), relapse=LABEL,
                          relapse_prob=P)),
        {"relapse_prob": P}, refused=UNKNOWN,
        lines=("--column label=relapse --column score=relapse_prob --column instance=nr",),
    ),
    "a truth in another file": Case(
        lambda: two(table(key=IDS, went_bankrupt=LABEL), ("m.csv", table(key=IDS[::-1],
                                                                            p=P[::-1]))),
        {"m": P}, refused=UNKNOWN,
        lines=("--column label=went_bankrupt --column score=p --column instance=key",),
    ),
    "a truth in another file, and two models": Case(
        lambda: two(table(key=IDS, went_bankrupt=LABEL), ("m.csv", table(key=IDS, p=P)),
                    ("n.csv", table(key=IDS[::-1], p=Q[::-1]))),
        {"m": P, "n": Q}, refused=UNKNOWN,
        lines=("--column label=went_bankrupt --column score=p --column instance=key",),
    ),
    "values that are no numbers a computer can round": Case(
        lambda: parquet(nr=CODES, was_ill=LABEL, odds=np.append(P[1:] * 9, np.inf), risk=P),
        {"risk": P}, refused=UNKNOWN,
        lines=("--column label=was_ill --column score=risk --column instance=nr",),
    ),
    # Attributes among scores.
    "attributes beside a score": Case(
        lambda: csv(table(id=IDS, label=LABEL, age=np.arange(SIZE) % 31 + 20, prob=P)),
        {"a": P}, refused="is a wide table with numbers in column 'age' that may be no scores",
        lines=("--column score=prob --column instance=id",),
    ),
    "money beside a score": Case(
        lambda: csv(table(id=IDS, y=LABEL, p=P, loan_amount=(Q * 9000).round())),
        {"a": P},
        refused="is a wide table with numbers in column 'loan_amount' that may be no scores",
        lines=("--column label=y --column score=p --column instance=id",),
        said=("'loan_amount' may be what a miss costs",),
    ),
    # Columns that nobody needs.
    "notes and addresses": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, rf=Q, note="seen",
                          url=[f"x/{k}" for k in IDS])),
        NB, said=("not used: columns 'note', 'url'",),
    ),
    "other columns of a long file": Case(
        lambda: csv(long().assign(note="seen", seconds=3)), NB,
    ),
    # Scores and decisions side by side.
    "a score and its decision": Case(
        lambda: csv(table(id=IDS, label=LABEL, lr_proba=P, lr_pred=SURE)), {"lr_proba": P},
        decided={"lr_proba": SURE},
        said=("its model 'lr_proba', decisions are in column 'lr_pred'",),
    ),
    "two scores and their decisions": Case(
        lambda: csv(table(id=IDS, label=LABEL, lr_pred=SURE, lr_proba=P, rf_proba=Q,
                          rf_pred=(Q > 0.6).astype(int))),
        {"lr_proba": P, "rf_proba": Q}, decided={"lr_proba": SURE, "rf_proba": Q > 0.6},
        said=("decisions are in columns 'lr_pred', 'rf_pred'",),
    ),
    "decisions called first": Case(
        lambda: csv(table(id=IDS, label=LABEL, pred_lr=SURE, proba_lr=P, proba_rf=Q,
                          pred_rf=(Q > 0.6).astype(int))),
        {"proba_lr": P, "proba_rf": Q}, decided={"proba_lr": SURE, "proba_rf": Q > 0.6},
        said=("decisions are in columns 'pred_lr', 'pred_rf'",),
    ),
    "decisions of three models, of which one ends as another": Case(
        lambda: csv(table(id=IDS, label=LABEL, pred_lr=SURE, pred_xgb_lr=(Q > 0.6).astype(int),
                          pred_rf=(P > 0.7).astype(int))),
        {"pred_lr": SURE, "pred_xgb_lr": Q > 0.6, "pred_rf": P > 0.7},
    ),
    "decisions of two models, the same word last": Case(
        lambda: csv(table(id=IDS, label=LABEL, lr_pred=SURE, lr_xgb_pred=(Q > 0.6).astype(int))),
        {"lr_pred": SURE, "lr_xgb_pred": Q > 0.6},
    ),
    "decisions and reasons": Case(
        lambda: csv(table(id=IDS, label=LABEL, pred_gpt=SURE, reason_gpt="so",
                          pred_llama=(Q > 0.6).astype(int), reason_llama="thus")),
        {"pred_gpt": SURE, "pred_llama": Q > 0.6},
        said=("not used: columns 'reason_gpt', 'reason_llama'",),
    ),
    # Names that a shell or a list of names would say in another way.
    "scores whose names have commas": Case(
        lambda: csv(table(key=IDS, is_spam=LABEL, **{"p, nb": P, "p, rf's": Q})),
        {"p, nb": P, "p, rf's": Q}, refused=UNKNOWN,
        lines=("--column label=is_spam --column 'score=\"p, nb\",\"p, rf'\"'\"'s\"' "
               "--column instance=key",),
    ),
    "a truth whose name has a comma": Case(
        lambda: csv(table(key=IDS, probability=P, **{"spam, as read": LABEL})),
        {"a": P}, refused=UNKNOWN,
        lines=("--column 'label=spam, as read' --column score=probability --column instance=key",),
    ),
    # Rows to keep.
    "rows of one kind": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, rf=Q, evaluationType=PARTS)), NB,
        needs=("--where", "evaluationType == Test"), kept=MIXED,
        said=("19 of 47 rows are kept, where 'evaluationType == Test'",),
    ),
    "rows of a long file by several conditions": Case(
        lambda: csv(long().assign(part=[*PARTS] * 2, site=WARD * 2)), NB,
        needs=("--where", "part in Test, 'Valid'", "--where", "site != s3"),
        kept=(PARTS != "Train") & (np.array(WARD) != "s3"),
        said=(f"{2 * (PARTS != 'Train').sum()} of 94 rows are kept, where \"part in",
              f"of {2 * (PARTS != 'Train').sum()} rows are kept, where 'site != s3'"),
    ),
    "rows by a number, under names of its own": Case(
        lambda: csv(table(nr=CODES, died=LABEL, p=P, wave=np.arange(SIZE) % 3)), {"a": P},
        needs=("--where", "wave=2"), kept=np.arange(SIZE) % 3 == 2, refused=UNKNOWN,
        lines=("--where wave=2 --column label=died --column score=p --column instance=nr",),
    ),
    "a value that no row has": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, part=PARTS)),
        needs=("--where", "part == Tset"),
        refused="a.csv: 'where:' (--where): 'part == Tset' has to keep rows by "
        "what 'part' holds: 'Test', 'Train', 'Valid'\n",
    ),
    "a value that no row has, to be left out": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, part=PARTS)),
        needs=("--where", "part in Test, Trian"), refused="'part in Test, Trian' has to keep rows",
    ),
    "a column that is not there": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P)), needs=("--where", "part == Test"),
        refused="a.csv: 'where:' (--where) has 'part == Test', expected a column, ==, != or in, "
        "and text, as in 'split == test', 'site in A, B'; columns are 'id', 'label', 'nb'",
    ),
    "rows of training": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, part=np.char.lower(PARTS.astype(str)))),
        refused="leave these out ('where:' or --where 'part != train')",
    ),
    "rows of training, left out": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=P, part=PARTS)), {"nb": P},
        needs=("--where", "part != Train"), kept=PARTS != "Train",
    ),
    # Models that several columns tell apart.
    "two columns of keys": Case(
        lambda: csv(several()), KEYS, needs=("--column", "model=representation,variant"),
    ),
    "a model and its variant, with our columns": Case(
        lambda: csv(long().assign(variant=["small"] * SIZE + ["large"] * SIZE)),
        {"model=nb, variant=small": P, "model=rf, variant=large": Q},
        needs=("--column", "model=model,variant"),
    ),
    "a column of keys whose name has a comma": Case(
        lambda: csv(several().rename(columns={"variant": "by, of"})),
        {name.replace("variant", "by, of"): one for name, one in KEYS.items()},
        needs=("--column", 'model=representation,"by, of"'),
    ),
    "settings that were tuned, one of them": Case(
        lambda: csv(tuned()), {"a": P}, needs=("--positive", "left", "--where", "mtry == 2"),
        decided={"a": P > 0.5},
    ),
    "settings that were tuned": Case(
        lambda: csv(tuned()), needs=("--positive", "left"),
        refused="keep one ('where:', such as --where 'mtry == 2'), or read each as a model of its "
        "own ('columns: model: ['mtry']', --column 'model=mtry')",
    ),
    # Vectors, classes by number, abstentions, labels to come: asked, as before.
    "vectors without names of classes": Case(
        lambda: csv(table(id=IDS, label=LABEL, probability=[json.dumps([round(1 - p, 4), p])
                                                            for p in P.tolist()])),
        refused="name the entry of the positive class, such as --column 'score=probability[1]'",
    ),
    "a vector's entry": Case(
        lambda: csv(table(id=IDS, label=LABEL, probability=[json.dumps([round(1 - p, 4), p])
                                                            for p in P.tolist()])),
        {"a": P}, needs=("--column", "score=probability[1]"),
    ),
    "columns of classes that are numbers": Case(
        lambda: csv(table(id=IDS, label=pd.Series(KIND).map({"oak": 0, "elm": 1, "fir": 2}),
                          prob_OAK=THREE[:, 0], prob_ELM=THREE[:, 1], prob_FIR=THREE[:, 2])),
        {"a": THREE}, needs=("--column", "score_0=prob_OAK", "--column", "score_1=prob_ELM",
                             "--column", "score_2=prob_FIR"),
    ),
    "a model that abstains": Case(
        lambda: csv(table(id=IDS, label=LABEL, nb=gaps(P, 8, "NA"), rf=Q)),
        {"nb": np.where(np.arange(SIZE) % 8 == 2, 0, P), "rf": Q},
        needs=("--missing", "NA", "--abstain", "negative"),
    ),
    "labels that come later": Case(
        lambda: csv(table(id=IDS, label=gaps(LABEL, 8), nb=P)), {"nb": P},
        needs=("--missing-labels", "drop"), kept=np.arange(SIZE) % 8 != 2,
    ),
    # Nothing is proposed that would not work.
    "two scores that sum to one": Case(
        lambda: csv(table(nr=CODES, died=LABEL, one=P, other=(1 - P).round(4))), refused=UNKNOWN,
    ),
    "no score at all": Case(
        lambda: csv(table(nr=CODES, died=LABEL, town=WARD)), refused=UNKNOWN,
    ),
    "a name that cannot be typed": Case(
        lambda: csv(table(nr=CODES, died=LABEL, **{"p\x1b[2J": P})), refused=UNKNOWN,
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main.main(words)
    said = capsys.readouterr()
    return status, said.out + said.err


def proposed(said: str) -> list[str]:
    """The commands that a refusal proposes, without what it adds to them."""
    return [one.partition("; ")[0] for one in re.findall("if so: (.*)", said)]


def check_rows(case: Case, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Compare what a configuration of these words stages with the case."""
    status, said = ran(capsys, "init", *words, "--output", "own.yaml")
    assert status == 0, said
    datasets = read_study("own.yaml").datasets
    kept = np.full(SIZE, fill_value=True) if case.kept is None else case.kept
    for place, dataset in enumerate(datasets):
        rows, _ = stage_with_sources(dataset)
        assert [*rows["model"].unique()] == [*case.models]
        assert rows["cluster"].nunique() == (1 if case.clusters == SIZE else case.clusters)
        for model, own in rows.groupby("model", observed=True):
            scores = np.asarray(case.models[str(model)], dtype=float)
            scores = scores if scores.ndim == 1 else scores[:, place]
            order = own["instance"].map({it: k for k, it in enumerate(IDS)})
            given = scores[kept] if order.isna().any() else scores[order]
            assert own["score"].to_numpy() == pytest.approx(given, abs=1e-12, nan_ok=True)
            if len(datasets) == 1:
                labels = LABEL[kept] if order.isna().any() else LABEL[order.astype(int)]
                assert own["label"].tolist() == labels.tolist()
                assert len(own) == kept.sum()
            decided = case.decided.get(str(model), np.full(SIZE, -1))
            assert own["decision"].tolist() == np.asarray(decided, dtype=int)[kept].tolist()
    assert len(datasets) == max(np.ndim(one) * 2 - 1 for one in case.models.values())


def test_there_are_many() -> None:
    assert len(CASES) >= 40
    assert len({case.refused for case in CASES.values()}) > 9


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_read_or_refused_with_a_command_that_works(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    files = case.write()
    status, said = ran(capsys, "check", *files, *case.needs)
    if not case.refused:
        assert status == 0, said
        assert all(words in said for words in case.said), said
        check_rows(case, [*files, *case.needs], capsys)
        return
    assert status == 3 or (case.needs and status == 2), said
    assert case.refused in said
    assert proposed(said) == [f"costcurves check {shlex.join(files)} {it}" for it in case.lines]
    assert all(words in said for words in case.said), said
    for line in proposed(said)[:1] if case.models else []:
        typed = shlex.split(line.replace("LABEL", case.label) if case.label else line)[1:]
        status, said = ran(capsys, *typed)
        assert status == 0, said
        check_rows(case, typed[1:], capsys)


def test_each_truth_that_may_be_meant_is_one_that_can_be_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = CASES["two columns with two values each"].write()
    for line in proposed(ran(capsys, "check", *files)[1]):
        assert ran(capsys, *shlex.split(line)[1:])[0] == 0


def test_rows_that_are_kept_are_those_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    """A message names the line of the file, a configuration and Python keep the same rows."""
    made = table(id=IDS, label=LABEL, nb=P, rf=gaps(Q, 16), part=PARTS)
    csv(made)
    status, said = ran(capsys, "check", "a.csv", "--where", "part != Train")
    assert (status, "a.csv line 4: model 'rf' has no score here" in said) == (3, True), said
    bad = np.arange(SIZE) % 16 == 2
    assert np.flatnonzero(bad & (PARTS != "Train"))[0] + 2 == 4
    csv(made.assign(rf=Q))
    read = cc.read_predictions("a.csv", where=["part == Valid"])
    assert [*read["instance"]] == [
        one for one, it in zip(IDS, PARTS, strict=True) if it == "Valid"
    ] * 2
    assert read.attrs["read"][1] == "a.csv: 9 of 47 rows are kept, where 'part == Valid'"
    Path("own.yaml").write_text(
        "study: s\ndatasets:\n  - name: d\n    predictions: [a.csv]\n    where: [part == Valid]\n"
    )
    (dataset,) = read_study("own.yaml").datasets
    rows, sources = stage_with_sources(dataset)
    assert sources[0]["rows"] == len(rows) == 18
    assert "9 of 47 rows are kept" in sources[0]["read"]
    status, said = ran(capsys, "check", "a.csv", "--set", "where=[part == Valid]")
    assert (status, "18 predictions by 2 models" in said) == (0, True)


def test_conditions_that_leave_no_row(capsys: pytest.CaptureFixture[str]) -> None:
    csv(table(id=IDS, label=LABEL, nb=P, part=PARTS))
    assert ran(capsys, "check", "a.csv", "--where", "part != Tset")[0] == 3
    both = ("--where", "part == Test", "--where", "part != Test")
    status, said = ran(capsys, "check", "a.csv", *both)
    found = "'part != Test' has to keep rows by what 'part' holds: 'Test'\n"
    assert (status, found in said) == (3, True), said


def test_our_columns_in_json_are_looked_through_for_clusters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = long().assign(patient_id=WARD * 2)
    path = lines(made)[0]
    assert "grave (clusters)" in ran(capsys, "check", path)[1]
    assert len(cc.read_predictions(path)) == 2 * SIZE


def test_a_text_for_missing_values_is_taken_by_check(capsys: pytest.CaptureFixture[str]) -> None:
    csv(table(id=IDS, label=LABEL, nb=P))
    assert ran(capsys, "check", "a.csv", "--missing", "NA", "--missing", "-")[0] == 0


def test_a_packed_file_with_tabs_is_named_without_its_ending(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (path,) = CASES["a tab, packed"].write()
    with gzip.open(path) as file:
        assert file.readline() == b"id\tlabel\tnb\trf\n"
    assert "\na: fine" in ran(capsys, "check", path)[1]


@pytest.mark.parametrize("name", ['"quoted" s', 's "1", of 2', " s"])
def test_names_that_a_list_says_in_another_way_are_not_proposed(tmp_path: Path, name: str) -> None:
    rows = [f"{place},{place % 3 == 0:d},{place / 40 + 0.01:.3f}" for place in range(30)]
    quoted = '"' + name.replace('"', '""') + '"'
    path = tmp_path / "own.csv"
    path.write_text("\n".join([f"key,is_fraud,{quoted}", *rows, ""]))
    with pytest.raises(InputError) as caught:
        open_files([str(path)], ReadingKeys())
    assert "looks like" not in str(caught.value)
    assert "columns look like" not in str(caught.value)


def test_a_column_with_our_name_beside_the_one_that_is_said_to_be_it(tmp_path: Path) -> None:
    rows = [f"n{place},{'abc'[place % 3]},{place % 2},{place / 40:.3f}" for place in range(30)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(["id,label,sick,score", *rows, ""]))
    with pytest.raises(InputError, match="has a column 'label' beside the one that is said to be"):
        open_files([str(path)], ReadingKeys(columns={"label": "sick"}))
