"""The same bytes whatever kernels a processor has: for products, for elementary functions."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.chance.resampling import generator
from costcurves.pairs.paired import differences, sign_flips
from tests.result_tables import all_tables_of, staged
from tests.simulations.datasets import of_tables
from tests.small_study import ROOT, folds_of, scored

# What makes this processor take the ways of one of 2008.
OLD = {
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4",
}


def tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """Every table of decisions; those of scores are compared where the default study is built."""
    rows = folds_of(42, 3, 3, seed=1).astype({"repeat": str, "fold": str})
    models = [scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3)]
    decided = [of_model.assign(decision=of_model["score"] > 0.45) for of_model in models]
    predictions = staged(pd.concat(decided).assign(score=np.nan))
    yield from all_tables_of(predictions, confidence=0.8, equivalence=0.1).items()


def arrays() -> Iterator[tuple[str, NDArray[np.float64]]]:
    """What small tables have too few of: decisions on many instances."""
    rng = generator(1, "processors")
    few, many = (differences(rng.integers(-3, 4, size) / (3 * size)) for size in (70, 90))
    yield "drawn signs", np.array([sign_flips(few, many, 200, rng).critical(0.8)])
    both = of_tables([900, 61, 40, 3], [800, 12, 81, 5])
    yield "all signs", sign_flips(*both, 200, rng).largest.tail


def digests() -> dict[str, str]:
    """Stand for every column of every table."""
    columns = {f"{name}.{key}": frame[key].to_numpy() for name, frame in tables() for key in frame}
    return {
        name: sha256(repr(values.tolist()).encode()).hexdigest()
        for name, values in (columns | dict(arrays())).items()
    }


def test_an_old_processor_gives_the_same_numbers() -> None:
    command, environment = [sys.executable, "-m", __name__], {**os.environ, **OLD}
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, env=environment)
    there = json.loads(run.stdout)
    assert [name for name, digest in digests().items() if there[name] != digest] == []


if __name__ == "__main__":
    print(json.dumps(digests()))
