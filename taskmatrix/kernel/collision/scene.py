"""Robot and world as flat arrays that compiled functions take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.simd import LANES, Floats

REVOLUTE, PRISMATIC, FIXED = 0, 1, 2  # kinds of frames
LEVELS = 2  # of a body's hull: one of few points, then exact
FRAME, FIRST, TREE, CORNERS = 0, 1, 2 + LEVELS, 4 + LEVELS  # columns of ``bodies``: see there
OF_BOX, OF_TRIANGLE = 8, 3  # corners of a part of a tree
CENTRE, BALL, HALF, SWEPT = 0, 3, 4, 7  # columns of ``sizes``
SIZES = SWEPT + LEVELS  # how many they are
BLOCKS, NEAR, SEARCHES, DOUBTS = 0, 1, 2, 3  # columns of ``counts``
PIECES = 4096  # of an edge that may be in doubt at once
STACK = 256  # pairs of nodes; each level of two trees adds one
LINE = 64  # bytes of a line of the processor's cache
ROUNDING = 2e-5  # [m] that single precision may be off by, within some ten metres of the origin


class Surroundings(NamedTuple):
    """What stands about, in a tree of boxes, and which pairs of moving bodies with it there are."""

    still: NDArray[np.int64]
    """(s,) Loose bodies in the world."""
    nodes: Floats
    """(n, 7) [m] The tree over them, in the world: see :class:`~taskmatrix.kernel.collision.hierarchy.Hierarchy`."""
    after: NDArray[np.int64]
    """(n,) Likewise."""
    part: NDArray[np.int64]
    """(n,) Likewise: the place in ``still`` of a leaf."""
    moving: NDArray[np.int64]
    """(m,) Bodies that have pairs with them."""
    pairs: NDArray[np.int64]
    """(m, s) Their pairs; -1 where there is none."""
    other: NDArray[np.int64]
    """(o,) All other pairs."""
    bodies: NDArray[np.int64]
    """(b,) What is in these, or moves."""
    widest: Floats
    """(1,) [m] The widest margin of any pair."""
    stale: NDArray[np.bool_]
    """(1,) Whether something stands elsewhere than the tree has it."""


class Scene(NamedTuple):
    """Frames (of joints and of objects), bodies and the pairs of them to check.

    The axis of every joint is the z of its frame. A body is the convex hull of points, each the centre of a ball, at
    two levels of detail; each hull holds the whole body. One that is not convex has a tree of its parts besides,
    which are boxes or triangles.
    """

    parent: NDArray[np.int64]
    """(f,) By frame; parents come first. Frame 0 is the world."""
    kind: NDArray[np.int64]
    """(f,) By frame."""
    placement: Floats
    """(f, 12) [m] By frame, in its parent's at position 0: columns of the rotation, then the translation."""
    bodies: NDArray[np.int64]
    """(b, 5 + LEVELS) By body: its frame, where the points of each level begin and the last end, where its nodes begin
    and end, and how many corners a part of its tree has."""
    sizes: Floats
    """(b, 9) [m] By body: centre of its box and ball, the ball's radius, half the box's size, radii swept."""
    points: Floats
    """(v, 3) [m] Of the hulls, in the body's frame; one column after the other."""
    nodes: Floats
    """(n, 7) [m] Boxes of trees: centre and half the size in the body's frame, and the radius of the ball around."""
    corners: NDArray[np.int64]
    """(n,) Where the corners of a leaf's part begin in ``points``."""
    after: NDArray[np.int64]
    """(n,) The first node that is not below a node."""
    reach: Floats
    """(b, joints) [m/rad, m/m] How far any point of a body moves at most with a joint; 0 if it does not carry it."""
    pairs: NDArray[np.int64]
    """(p, 2) Bodies."""
    carriers: NDArray[np.int64]
    """(p,) By pair: the last frame that carries both bodies."""
    margins: Floats
    """(p, 2) [m] By pair: the distance below which it is a contact, and by how much less may be missed in between."""
    surroundings: Surroundings
    """Which pairs are looked at where."""
    tabled: NDArray[np.int64]
    """(p,) By pair: the number of its table, or -1."""
    grids: NDArray[np.int64]
    """(t, 5) Of :class:`~taskmatrix.kernel.collision.grids.Tables`."""
    cells: Floats
    """(t, 4)"""
    clear: NDArray[np.uint8]
    """(c,)"""


class Work(NamedTuple):
    """Memory that compiled functions work in; sixteen lanes of everything that differs between configurations.

    It may have room for more frames, bodies and pairs than there are.
    """

    values: Floats
    """(f * LANES,) [rad, m] Positions of the joints."""
    poses: Floats
    """(f * 12 * LANES,) Of the frames, in the world."""
    centres: Floats
    """(b * 3 * LANES,) [m] Of the bodies, in the world."""
    times: Floats
    """(LANES,)"""
    used_frames: NDArray[np.bool_]
    """(f,)"""
    used_bodies: NDArray[np.bool_]
    """(b,)"""
    masks: NDArray[np.int64]
    """(p,) Lanes in which a pair is to be looked at."""
    queue: NDArray[np.int64]
    """(p,) Pairs to be looked at."""
    near: NDArray[np.int64]
    """(p,) Pairs that may be near each other."""
    rates: NDArray[np.float64]
    """(p,) [m] How far the bodies of a pair move relative to each other, at most, along the edge."""
    moves: NDArray[np.float64]
    """(b, joints) [m] How far a body moves at most relative to a joint that carries it, along the edge."""
    separation: Floats
    """(LANES,) [m] How far apart the pair in hand is, at least, in the lanes that are left."""
    aims: Floats
    """(3 * LANES,) [m] Points of the difference of two hulls at which the search for the nearest begins."""
    relative: Floats
    """(24 * LANES,) Pose of a body's frame in another's, magnitudes of the rotation, and where a box is."""
    stack: NDArray[np.int64]
    """(s, 3) Nodes of two trees that have yet to be compared, and lanes."""
    simplex: NDArray[np.float64]
    """(4, 7) Points of a simplex, and their dot products with each other."""
    vectors: NDArray[np.float64]
    """(6, 12) Scratch."""
    doubts: NDArray[np.float64]
    """(m, 3) What is left in doubt: pair, place along the edge or lane, and half the length of the piece."""
    middles: NDArray[np.float64]
    """(2, m) Middles of the pieces that are cut now, and next."""
    offsets: NDArray[np.int64]
    """(2, m + 1) Where the pairs of each piece begin in ``left``."""
    left: NDArray[np.int64]
    """(2, k) Pairs in doubt in the pieces."""
    counts: NDArray[np.int64]
    """(4,) Work done: blocks of lanes, pairs near each other, searches; and doubts."""


def work_for(scene: Scene, doubts: int = 512) -> Work:
    """Memory for a scene, with some room for more."""
    frames, bodies, pairs = (_roomy(len(item)) for item in (scene.parent, scene.bodies, scene.pairs))
    poses = lanes(frames * 12)
    poses.reshape(frames, 12, LANES)[0, [0, 4, 8]] = 1.0
    return Work(
        lanes(frames),
        poses,
        lanes(bodies * 3),
        lanes(1),
        np.zeros(frames, dtype=bool),
        np.zeros(bodies, dtype=bool),
        np.zeros(pairs, dtype=np.int64),
        np.zeros(pairs, dtype=np.int64),
        np.zeros(pairs, dtype=np.int64),
        np.zeros(pairs),
        np.zeros((bodies, scene.reach.shape[1])),
        lanes(1),
        lanes(3),
        lanes(24),
        np.zeros((STACK, 3), dtype=np.int64),
        np.zeros((4, 7)),
        np.zeros((6, 12)),
        np.zeros((doubts, 3)),
        np.zeros((2, PIECES)),
        np.zeros((2, PIECES + 1), dtype=np.int64),
        np.zeros((2, 8 * PIECES), dtype=np.int64),
        np.zeros(4, dtype=np.int64),
    )


def lanes(count: int) -> Floats:
    """(count * LANES,) Zeros that begin where a line of the processor's cache does, so that no vector lies in two."""
    size = count * LANES
    spare = np.zeros(size + LINE // 4, dtype=np.float32)
    skipped = -spare.ctypes.data % LINE // 4
    return spare[skipped : skipped + size]


def fits(work: Work, scene: Scene) -> bool:
    """Whether a scene's frames, bodies and pairs have room."""
    return (
        len(scene.parent) <= len(work.used_frames)
        and len(scene.bodies) <= len(work.used_bodies)
        and len(scene.pairs) <= len(work.masks)
    )


def _roomy(count: int) -> int:
    return count + count // 4 + 16
