"""Many configurations in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit.compiled import bare
from ..jit.simd import LANES as L
from .edges import Bits, states
from .scene import LEVELS, Scene, Work


@bare
def batch(
    scene: Scene,
    work: Work,
    active: Bits,
    Q: NDArray[np.float64],
    coordinates: NDArray[np.intp],
    first: bool,
    found: NDArray[np.int64],
) -> int:
    """What is left in doubt in many configurations.

    Args:
        scene: Robot and world.
        work: Memory for it.
        active: (p,) Pairs to check.
        Q: (m, nq) [rad, m] Positions.
        coordinates: (j,) Where in them those of frames 1, 2, ... are.
        first: Whether the first doubt in each will do.
        found: (k, 2) For what is found: state and pair, in no order.

    Returns:
        How many are in ``found``, and how many more would be.
    """
    count, size = 0, Q.shape[0]
    for begin in range(0, size, L):
        lanes = min(L, size - begin)
        for j in range(coordinates.shape[0]):
            for k in range(L):
                work.values[(j + 1) * L + k] = Q[begin + min(k, lanes - 1), coordinates[j]]
        doubts = states(scene, work, active, (1 << lanes) - 1, first, LEVELS - 1)
        for doubt in range(doubts):
            if count < found.shape[0] and doubt < work.doubts.shape[0]:
                found[count, 0] = begin + int(work.doubts[doubt, 1])
                found[count, 1] = int(work.doubts[doubt, 0])
            count += 1
    return count
