"""Matrix products take one thread, and leave those of who calls us alone."""

from typing import Any

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from costcurves.threads import product

BLAS = ThreadpoolController().select(user_api="blas")


def threads() -> set[int]:
    return {pool["num_threads"] for pool in BLAS.info()}


class Left:
    """What is multiplied, and notes how many threads there are meanwhile."""

    during: set[int] | None = None

    def __matmul__(self, other: Any) -> Any:
        self.during = threads()
        return other


def test_products_take_one_thread_and_leave_what_was_set() -> None:
    left: Any = Left()
    with BLAS.limit(limits=2):
        product(left, np.ones(2))
        assert (left.during, threads()) == ({1}, {2})


def test_what_was_set_is_left_where_a_product_fails() -> None:
    with BLAS.limit(limits=2):
        with pytest.raises(ValueError, match="matmul"):
            product(np.ones((2, 3)), np.ones((2, 3)))
        assert threads() == {2}
        assert product(np.array([[1, 2]]), np.array([[3], [5]])).tolist() == [[13]]
