"""What intervals and bands of criteria cover, at a nominal 90 %: 250 data sets a design.

A share that is really 90 % has a standard error of 1.9 % here. With 20 + 20 instances in ten folds
a fold has two of each class.
"""

import json

from costcurves.report.measured import CLUSTERS, measured
from tests.coverage.choices import CRITERIA, DESIGNS, GOLDEN, simulate
from tests.coverage.inference import AGAIN, SEED
from tests.statistics.test_simulated import assert_made_again

ROWS = json.loads(GOLDEN.read_text(encoding="utf-8"))["rows"]


def test_all_bands_keep_their_level() -> None:
    of_criteria = [
        one
        for quantity, found in measured().items()
        for one in found
        if quantity.split(", ")[0] in CRITERIA
        if one.kind != CLUSTERS and (one.positives, one.negatives) in DESIGNS
    ]
    assert len(of_criteria) == len(DESIGNS) * (len(CRITERIA) * 6 - 3)
    assert not {(one.quantity, one.positives) for one in of_criteria if one.approximate}


def test_the_first_data_sets_give_the_widths_that_were_measured() -> None:
    rows = simulate(SEED, DESIGNS[0], AGAIN, 400)
    assert_made_again(rows, ROWS[: len(CRITERIA)])
