from __future__ import annotations

import numpy as np

from taskmatrix.kernel.collision.grids import Tables


def test_pairs_have_their_tables_in_either_order() -> None:
    """The kernel turns some pairs round."""
    tables = Tables(
        np.array([[1, 2], [5, 3]]),
        np.array([[1, 2, 1, 1, 0], [1, 0, 1, 1, 1]]),
        np.zeros((2, 4)),
        np.zeros(2, dtype=np.uint8),
    )
    assert tables.numbers(np.array([[3, 5], [2, 1], [1, 3]])).tolist() == [1, 0, -1]
    assert Tables.empty().numbers(np.array([[3, 5]])).tolist() == [-1]
