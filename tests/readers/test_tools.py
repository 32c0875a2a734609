"""A report of what Weka and R's caret write here and now; skipped where Debian's are missing."""

import random
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest

import costcurves as cc
from costcurves.command import main

WEKA, CARET = Path("/usr/share/java/weka.jar"), Path("/usr/lib/R/site-library/caret")
FILTERED = ["java", "-cp", str(WEKA), "weka.classifiers.meta.FilteredClassifier"]
SAID = ["-t", "all.csv", "-x", "3", "-s", "5"]
BAYES = ["-F", "weka.filters.unsupervised.attribute.Remove -R 1"]
BAYES += ["-W", "weka.classifiers.bayes.NaiveBayes"]
FIT = """\
library(caret)
data <- read.csv("all.csv", stringsAsFactors = TRUE)
folds <- read.csv("folds.csv")$fold
held <- split(seq_along(folds), folds)
own <- trainControl(index = lapply(held, function(rows) setdiff(seq_along(folds), rows)),
                    indexOut = held, classProbs = TRUE, savePredictions = "final")
made <- train(health ~ age + marker, data, method = "glm", trControl = own)$pred
write.csv(made, "caret.csv", row.names = FALSE)
ill <- made$obs == "ill"
higher <- outer(made$ill[ill], made$ill[!ill], function(a, b) (a > b) + (a == b) / 2)
cat(sprintf("%.12f", mean(higher)))
"""


def ran(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_patients() -> None:
    """Write 300 patients, of whom one in five is ill."""
    lines, draw = ["id,age,marker,health"], random.Random(3)
    for number in range(1, 301):
        ill = draw.random() < 0.2
        age, marker = draw.gauss(60 + 6 * ill, 10), draw.gauss(ill, 1)
        lines.append(f"{number},{age:.3f},{marker:.4f},{'ill' if ill else 'well'}")
    Path("all.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.skipif(
    not (WEKA.exists() and CARET.exists()),
    reason="no Weka or caret: apt-get install weka default-jre-headless r-cran-caret",
)
def test_a_report_of_what_weka_and_caret_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both tell the area under the ROC curve of all test folds as well: Weka to three digits."""
    monkeypatch.chdir(tmp_path)
    write_patients()
    Path("weka.txt").write_text(ran(*FILTERED, *SAID, "-p", "1", "-distribution", *BAYES))
    told = ran(*FILTERED, *SAID, "-i", "-o", *BAYES).partition("cross-validation")[2]
    of_weka = re.search(r"([\d.]+) +ill$", told, re.MULTILINE)
    folds = cc.read_predictions("weka.txt").astype({"instance": int}).sort_values("instance")
    folds.to_csv("folds.csv", index=False)
    Path("own.R").write_text(FIT)
    of_caret = ran("Rscript", "own.R")

    assert main.main(["report", "--quick", "--positive", "ill", "weka.txt", "caret.csv"]) == 0

    measures = pd.read_csv("reports/weka/tables/measures/weka.csv").query("level == 'repeat'")
    auc = measures.set_index("model")["auc"].to_dict()
    assert of_weka is not None
    assert auc["weka"] == pytest.approx(float(of_weka[1]), abs=0.001)
    assert auc["caret"] == pytest.approx(float(of_caret), abs=1e-12)
    page = Path("reports/weka/report.html").read_text()
    assert "predictions as Weka writes them: the truth is column" in page
    assert "predictions that caret saved: the truth is column" in page
    assert pd.read_csv("reports/weka/tables/verdicts/weka.csv")["instances"].tolist() == [300]
