"""Bodies cut off the robot and put elsewhere: does a hand alone fit at a pose, whatever its arm?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array

from ..jit.compiled import bare
from ..jit.simd import LANES as L
from ..jit.simd import Floats, load, store
from .edges import doubt
from .kernel import Kernel
from .poses import locate, place, use
from .scene import BLOCKS, DOUBTS, FRAME, LEVELS, Scene, Work
from .separation import unsure

Indices = NDArray[np.int64]


@bare
def places(
    scene: Scene, work: Work, pairs: Indices, frames: Indices, offsets: Floats, bodies: Indices, X: Floats, lanes: int
) -> int:
    """What is left in doubt in up to sixteen places.

    Args:
        scene: Robot and world.
        work: Memory for it.
        pairs: (k,) Pairs to check, of one of the bodies and one that stands still in the world.
        frames: (f,) Frames to put elsewhere.
        offsets: (f, 12) Where they are in a frame that moves with them: columns of the rotation, then the translation.
        bodies: (b,) The bodies that they carry.
        X: (12 * LANES,) Where to put that frame, likewise.
        lanes: Bits of the lanes that count.

    Returns:
        How many doubts are in ``work.doubts`` (pair and lane), and how many more would be.
    """
    poses = work.poses
    work.used_frames[:] = False
    work.used_bodies[:] = False
    for entry in range(pairs.shape[0]):
        for side in range(2):
            body = scene.pairs[pairs[entry], side]
            moved = False
            for k in range(bodies.shape[0]):
                moved |= bodies[k] == body
            if not moved:
                use(scene, work, body)
    place(scene, work)
    for k in range(frames.shape[0]):
        here = frames[k] * 12 * L
        for r in range(3):
            a, b, c = load(X, r * L), load(X, (3 + r) * L), load(X, (6 + r) * L)
            for column in range(3):
                i = 3 * column
                store(
                    poses,
                    here + (i + r) * L,
                    a * offsets[k, i] + b * offsets[k, i + 1] + c * offsets[k, i + 2],
                )
            p = load(X, (9 + r) * L) + a * offsets[k, 9] + b * offsets[k, 10] + c * offsets[k, 11]
            store(poses, here + (9 + r) * L, p)
    for k in range(bodies.shape[0]):
        locate(poses, scene.bodies[bodies[k], FRAME], scene.sizes, bodies[k], work.centres)
    work.counts[:] = 0
    work.counts[BLOCKS] = 1
    for entry in range(pairs.shape[0]):
        pair = pairs[entry]
        need = scene.margins[pair, 0]
        mask = unsure(scene, work, pair, lanes, need, need, LEVELS - 1, False)
        for k in range(L):
            if mask >> k & 1:
                doubt(work, pair, k, 0.0)
    return int(work.counts[DOUBTS])


def doubtful_places(
    kernel: Kernel, bodies: Sequence[int], pairs: NDArray[np.intp], q: Array, X_WC: Array, X: Array
) -> list[tuple[int, int]]:
    """(place, pair) of those that may be nearer than their margins where bodies are moved together; all others are not.

    Args:
        kernel: Of the geometry.
        bodies: That move.
        pairs: (k,) To check, each of one of the bodies and one that stands still in the world.
        q: (nq,) Positions for which the bodies stand to each other.
        X_WC: (4, 4) Where a frame that moves with them is there.
        X: (m, 4, 4) Where to put it.
    """
    scene = kernel.scene
    moved = np.asarray(bodies, dtype=np.int64)
    frames = np.unique(scene.bodies[moved, FRAME])
    offsets = _in_frame(X_WC, kernel.frames(q)[frames])
    found: list[tuple[int, int]] = []
    for first in range(0, len(X), L):
        some = X[first : first + L]
        X_lanes = np.zeros((12, L), dtype=np.float32)
        X_lanes[:, : len(some)] = _flat(some).T
        X_lanes[:, len(some) :] = X_lanes[:, :1]
        asked = pairs.astype(np.int64)
        doubts = kernel.work(len(pairs) * L).doubts
        count = places(scene, kernel.work(), asked, frames, offsets, moved, X_lanes.ravel(), (1 << len(some)) - 1)
        found += [(first + int(lane), int(pair)) for pair, lane, _ in doubts[:count]]
    return found


def _flat(X: Array) -> Array:
    """(m, 12) Columns of the rotations, then the translations, of poses (m, 4, 4)."""
    return X[:, :3].transpose(0, 2, 1).reshape(-1, 12)


def _in_frame(X_WC: Array, poses: Array) -> Floats:
    """(f, 12) Poses (f, 12) in the world as seen from a frame."""
    X = np.tile(np.eye(4), (len(poses), 1, 1))
    X[:, :3] = poses.reshape(-1, 4, 3).transpose(0, 2, 1)
    return np.asarray(_flat(inverse(X_WC) @ X), dtype=np.float32)
