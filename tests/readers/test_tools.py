"""A report of what R's caret writes here and now; skipped where Debian's is missing."""

import random
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from costcurves.command import main

CARET = Path("/usr/lib/R/site-library/caret")
FIT = """\
library(caret)
data <- read.csv("all.csv", stringsAsFactors = TRUE)
folds <- read.csv("folds.csv")$fold
parts <- split(seq_along(folds), folds)
control <- trainControl(index = lapply(parts, function(rows) setdiff(seq_along(folds), rows)),
                    indexOut = parts, classProbs = TRUE, savePredictions = "final")
made <- train(health ~ age + marker, data, method = "glm", trControl = control)$pred
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
    """Write 300 patients, of whom one in five is ill, and the fold of each."""
    lines, draw = ["age,marker,health"], random.Random(3)
    for _ in range(300):
        ill = draw.random() < 0.2
        age, marker = draw.gauss(60 + 6 * ill, 10), draw.gauss(ill, 1)
        lines.append(f"{age:.3f},{marker:.4f},{'ill' if ill else 'well'}")
    Path("all.csv").write_text("\n".join(lines) + "\n")
    Path("folds.csv").write_text("\n".join(["fold", *(f"f{k % 3}" for k in range(300))]) + "\n")


@pytest.mark.skipif(not CARET.exists(), reason="no caret: apt-get install r-cran-caret")
def test_a_report_of_what_caret_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R computes the area under the ROC curve of all test folds as well."""
    monkeypatch.chdir(tmp_path)
    write_patients()
    Path("fit.R").write_text(FIT)
    of_caret = ran("Rscript", "fit.R")

    assert main.main(["report", "--quick", "--positive", "ill", "caret.csv"]) == 0

    measures = pd.read_csv("reports/caret/tables/measures/caret.csv").query("level == 'repeat'")
    auc = measures.set_index("model")["auc"].to_dict()
    assert auc["caret"] == pytest.approx(float(of_caret), abs=1e-12)
    assert "predictions that caret saved: label" in Path("reports/caret/report.html").read_text()
