"""One pair in doubt for each of sixteen configurations: enough to refuse those that are in contact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .apart import unsure
from .compiled import bare
from .edges import doubt
from .lanes import LANES as L
from .poses import place
from .scene import BLOCKS, DOUBTS, Scene, Work


@bare
def suspects(scene: Scene, work: Work, active: NDArray[np.bool_], lanes: int) -> int:
    """The first pair in doubt in each of up to sixteen configurations.

    A configuration deep inside something has a dozen such pairs, and each is dear.

    Args:
        scene: Robot and world.
        work: Memory for it, with the positions in ``values``.
        active: (p,) Pairs to check.
        lanes: Bits of the lanes that count.

    Returns:
        How many doubts are in ``work.doubts`` (pair and lane).
    """
    work.used_frames[:] = True
    work.used_bodies[:] = True
    place(scene, work)
    work.counts[:] = 0
    work.counts[BLOCKS] = 1
    left = lanes
    for pair in range(scene.pairs.shape[0]):
        if not active[pair]:
            continue
        need = scene.margins[pair, 0]
        mask = unsure(scene, work, pair, left, need, need, 2)
        if mask:
            for k in range(L):
                if mask >> k & 1:
                    doubt(work, pair, k, 0.0)
            left &= ~mask
            if left == 0:
                break
    return int(work.counts[DOUBTS])
