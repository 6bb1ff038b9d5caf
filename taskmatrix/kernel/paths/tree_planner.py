"""Planning of paths in compiled code, with exact answers: coal is asked about shapes that the kernel does not know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..collision.checker import Checker
from ..collision.scene import BLOCKS
from .differential_drive import way
from .shortcutting import AT, FAILURES, LAST, shorten
from .shortcutting import CHECKS as CUT_CHECKS
from .space import ASK, BLOCKED, FREE, NONE, RECENT, Space, look
from .trees import CHECKS, FROM, FULL, MET, NOT_TOLD, TREE, UNSURE, Trees, grow, planted, widened
from .within_reach import within_reach

REACHES = (0.5, 0.8, 0.3)  # [m] that one step of a tree may cover, by how often it began anew
DOMAIN = 0.7  # of the distance between two random configurations (root mean square) that is far for a tree
FIRST_TRY = 2000  # checks after which trees begin anew
CAPACITY = 1000  # nodes of a tree, before it gets more memory
MANY = 2000  # pairs, of which it is worth to find out which can come near each other
PATIENCE = 30  # attempts in a row to shorten a path that may save nothing


@dataclass(frozen=True, eq=False)
class Tree:
    """Configurations that can be reached from the first."""

    nodes: Array
    """(m, k)"""
    parents: NDArray[np.int64]
    """(m,) Of each node; -1 for the first."""

    def branch(self, index: int) -> Array:
        """(b, k) From the first to a node."""
        return _branch(self.nodes, self.parents, index)[::-1]


class TreePlanner:
    """Plans for some joints, with the pairs and margins that a checker has at the time.

    Args:
        checker: Robot and world.
        still: (nq,) Positions of all joints, where those that are planned for are zero.
        lift: (nq, k) How all joints move with those that are planned for.
        lower: (k,) [rad, m] Where to look for paths.
        upper: (k,)
        weights: (k,) [m/rad, m/m] The metric: how far the robot moves with each joint.
        base: (3,) Which of the joints are x, y and yaw of a base that only turns and rolls; none unless given.
        tight: Numbers of pairs about which coal is asked, besides those of shapes that the kernel does not know.
    """

    def __init__(
        self,
        checker: Checker,
        still: Array,
        lift: Array,
        lower: Array,
        upper: Array,
        weights: Array,
        base: NDArray[np.intp] | None = None,
        tight: Sequence[int] = (),
    ) -> None:
        self.lower, self.upper, self.weights, self.base = lower, upper, weights, base
        self.spreads = (0.0, 0.0)
        """[m] How far the trees came from the start and from the goal, where they did not meet."""
        self._checker, self._still, self._lift = checker, still, lift
        self._far = DOMAIN * float(np.linalg.norm(weights * (upper - lower))) / math.sqrt(6.0)
        kernel = checker.kernel
        values, factors = kernel.frame_values(still), kernel.frame_values(lift)
        frames, joints = map(np.ascontiguousarray, np.nonzero(factors))  # views, but for a single one: another type
        pairs, rough = self._pairs(), checker.rough.copy()
        rough[list(tight)] = True
        scratch = np.zeros((2, len(values)), dtype=np.float32)
        self._space = Space(
            lower,
            upper,
            weights,
            frames,
            joints,
            factors[frames, joints],
            values,
            kernel.active,
            pairs,
            np.unique(kernel.scene.pairs[pairs]),
            rough,
            np.full(RECENT, NONE),
            np.zeros(len(kernel.active), dtype=np.int64),
            np.zeros(1),
            np.zeros(0, dtype=np.int64) if base is None else base.astype(np.int64),
            scratch[0],
            scratch[1],
        )

    @property
    def blocked(self) -> NDArray[np.int64]:
        """(p,) How many lines each pair of bodies blocked."""
        return self._space.blocked

    @property
    def checks(self) -> int:
        """How often one configuration, or sixteen at once, were looked at."""
        return self._checker.checks

    def is_free(self, x: Array) -> bool:
        """Whether a configuration (k,) is free."""
        return self._checker.is_free(self._all(x))

    def line_is_free(self, a: Array, b: Array) -> bool:
        """Whether the straight line from a configuration (k,) that is free to another is free."""
        kernel = self._checker.kernel
        a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)  # one type, for which it is compiled ahead
        found = look(kernel.scene, kernel.work(), self._space, a, b)
        self._checker.checks += int(kernel.work().counts[BLOCKS])
        return self._exactly(a, b) if found == ASK else found == FREE

    def way(self, a: Array, b: Array) -> Array:
        """(m, k) The corners of the way from a configuration (k,) to another: a straight line, or what the base can go.

        Both are among them; it is ``a`` alone if no heading within the limits leads there.
        """
        return way(self._space, np.ascontiguousarray(a), np.ascontiguousarray(b))

    def direct(self, a: Array, b: Array) -> Array | None:
        """(m, k) That way if it is free, where ``a`` is."""
        corners = self.way(a, b)
        return corners if len(corners) > 1 and all(self.line_is_free(*line) for line in pairwise(corners)) else None

    def connect(self, start: Array, goal: Array, seed: int, checks: int) -> Array | None:
        """Plan from a free configuration to another by two trees (RRT-Connect, Kuffner and LaValle 2000).

        It begins anew when it has not found a path after a while: with twice the patience each time, since a few
        unlucky samples can lead trees astray for long, and with another length of steps, since none is best everywhere.

        Args:
            start: (k,) Where to start.
            goal: (k,) Where to end.
            seed: Of the random configurations.
            checks: After which it gives up.

        Returns:
            (m, k) Waypoints; None if it found no path.
        """
        patience, done, reaches = FIRST_TRY, 0, cycle(REACHES)
        while done < checks:
            trees = planted(start, goal, CAPACITY)
            trees = self._grow(trees, seed + done, min(patience, checks - done), next(reaches))
            if trees.now[MET]:
                there, back = (_branch(trees.nodes[t], trees.parents[t], int(trees.counts[t]) - 1) for t in (0, 1))
                return np.vstack([there[::-1], back[1:]])
            self.spreads = self._spread(trees, 0), self._spread(trees, 1)
            done += int(trees.now[CHECKS])
            patience *= 2
        return None

    def grow(self, start: Array, seed: int, checks: int) -> Tree:
        """Grow one tree from a free configuration (k,) until so many checks are made."""
        trees = self._grow(planted(start, None, CAPACITY), seed, checks, REACHES[0])
        count = int(trees.counts[0])
        return Tree(trees.nodes[0, :count], trees.parents[0, :count])

    def improved(self, path: Array, seed: int, attempts: int, checks: int) -> Array:
        """(m', k) A free path from end to end of one (m, k), without detours.

        Another path is looked for, both are shortened a little, and the one that is shorter then to its end: more comes
        of that than of as much work on the first.

        Args:
            path: Waypoints.
            seed: Of the other path, and of the places to cut off corners.
            attempts: Bound of the work: lines to try.
            checks: Bound of the search for the other path.
        """
        other, few = self.connect(path[0], path[-1], seed, checks), attempts // 5
        begun = [self._cut(way, seed, few) for way in (path, other) if way is not None]
        return self.shortened(min(begun, key=self._length), seed + 1, attempts - 2 * few)

    def shortened(self, path: Array, seed: int, attempts: int) -> Array:
        """(m', k) A free path (m, k) without detours, and without waypoints that can be skipped.

        Args:
            path: Waypoints.
            seed: Of the places to cut off corners.
            attempts: Bound of the work: lines to try.
        """
        path = self._cut(path, seed, attempts)
        kept = [path[0]]
        for point, following in pairwise(path[1:]):
            if len(self.way(kept[-1], following)) != 2 or not self.line_is_free(kept[-1], following):
                kept.append(point)
        return np.array([*kept, path[-1]])

    def _cut(self, path: Array, seed: int, attempts: int) -> Array:
        """(m', k) A free path (m, k) without some of its detours."""
        kernel, now, path = self._checker.kernel, np.zeros(5, dtype=np.int64), np.ascontiguousarray(path)
        while True:
            path, cut = shorten(kernel.scene, kernel.work(), self._space, path, seed, attempts, PATIENCE, now)
            lines = range(int(now[AT]), int(now[LAST]))
            if not lines:
                break
            if all(self.line_is_free(cut[n], cut[n + 1]) for n in lines):
                path = cut
                now[FAILURES] = 0
        self._checker.checks += int(now[CUT_CHECKS])
        return path

    def _pairs(self) -> NDArray[np.int64]:
        """(m,) Numbers of the pairs that matter; where there are few, all that are checked."""
        kernel = self._checker.kernel
        active = np.flatnonzero(kernel.active)
        if len(active) < MANY:
            return active
        ends = np.stack([self._lift * self.lower, self._lift * self.upper])
        lower, upper = (self._still + end.sum(axis=1) for end in (ends.min(axis=0), ends.max(axis=0)))
        return active[within_reach(kernel, lower, lower, upper)[active]]

    def _grow(self, trees: Trees, seed: int, checks: int, reach: float) -> Trees:
        kernel, told = self._checker.kernel, NOT_TOLD
        while True:
            status = grow(kernel.scene, kernel.work(), self._space, trees, seed, checks, reach, self._far, told)
            told = NOT_TOLD
            if status == FULL:
                trees = widened(trees)
            elif status == UNSURE:
                node = trees.nodes[trees.now[TREE], trees.now[FROM]]
                told = FREE if self._exactly(node, trees.candidate) else BLOCKED
            else:
                self._checker.checks += int(trees.now[CHECKS])
                return trees

    def _length(self, path: Array) -> float:
        """[m] Of a path (m, k)."""
        return float(np.linalg.norm(self.weights * np.diff(path, axis=0), axis=1).sum())

    def _spread(self, trees: Trees, tree: int) -> float:
        nodes = trees.nodes[tree, : trees.counts[tree]]
        return float(np.linalg.norm(self.weights * (nodes - nodes[0]), axis=1).max())

    def _exactly(self, a: Array, b: Array) -> bool:
        """Whether a line in doubt is free: the pair that is in doubt is asked first, where it is."""
        x = a + self._space.where[0] * (b - a)
        pair = int(self._space.recent[0])
        if self._checker.touches(pair, self._all(x)):
            self._space.blocked[pair] += 1
            return False
        return self._checker.edge_is_free(self._all(a), self._all(b))

    def _all(self, x: Array) -> Array:
        """(nq,) Positions of all joints."""
        q: Array = self._still + self._lift @ x
        return q


def _branch(nodes: Array, parents: NDArray[np.int64], index: int) -> Array:
    """(b, k) From a node to the root."""
    found = []
    while index >= 0:
        found.append(nodes[index])
        index = int(parents[index])
    return np.array(found)
