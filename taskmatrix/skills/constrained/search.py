"""Paths on which constraints are kept: two trees of projected configurations (CBiRRT2, Berenson et al. 2011)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.paths.tree_planner import TreePlanner

from .projection import Projection

STEP = 0.08  # [m] of displacement from one configuration to the next
FURTHEST = 2.0  # steps that a projected configuration may be from the last
CLOSER = 0.1  # of a step that it has to come nearer to where the tree goes
NODES = 3000  # of both trees, before the search begins anew
PATIENCE = 12  # attempts in a row to shorten a path that may save nothing


class ConstrainedSearch:
    """Finds and shortens paths on which constraints are kept.

    Args:
        space: Tells what is free; its metric is used.
        project: Keeps the constraints.
    """

    def __init__(self, space: TreePlanner, project: Projection) -> None:
        self._space, self._project = space, project

    def connect(self, start: Array, goal: Array, seed: int, checks: int) -> Array | None:
        """(m, k) Free configurations from one (k,) to another, some centimetres apart; None if no path was found.

        Args:
            start: (k,) Free, and with all kept.
            goal: (k,) Likewise.
            seed: Of the random configurations.
            checks: After which it gives up.
        """
        straight = self.march(start, goal)
        if np.array_equal(straight[-1], goal):
            return np.array(straight)
        random, space, begun = np.random.default_rng(seed), self._space, self._space.checks
        while space.checks - begun < checks:
            trees = _Tree(start), _Tree(goal)
            here = 0
            while space.checks - begun < checks and len(trees[0]) + len(trees[1]) < NODES:
                drawn = random.uniform(space.lower, space.upper)
                last = self._extend(trees[here], drawn)
                other = self._extend(trees[1 - here], trees[here].node(last))
                if np.array_equal(trees[here].node(last), trees[1 - here].node(other)):
                    ends = {here: last, 1 - here: other}
                    return np.array([*trees[0].branch(ends[0]), *trees[1].branch(ends[1])[-2::-1]])
                here = 1 - here
        return None

    def march(self, a: Array, b: Array) -> list[Array]:
        """(k,) each: configurations from a (k,) towards b (k,), as far as it comes; the first is a."""
        space, way = self._space, [a]
        while True:
            here = way[-1]
            left = self._distance(here, b)
            if left <= STEP:
                return [*way, b] if left == 0.0 or space.line_is_free(here, b) else way
            there = self._project(here + STEP / left * (b - here))
            if there is None or self._distance(here, there) > FURTHEST * STEP:
                return way
            if self._distance(there, b) > left - CLOSER * STEP or not space.line_is_free(here, there):
                return way
            way.append(there)

    def shortened(self, path: Array, seed: int, attempts: int) -> Array:
        """(m', k) A path (m, k) with fewer detours.

        Args:
            path: Configurations.
            seed: Of the places where shorter ways are tried.
            attempts: Bound of the work: ways to try.
        """
        random, failures = np.random.default_rng(seed), 0
        for _ in range(attempts):
            if len(path) < 3 or failures == PATIENCE:
                break
            i, j = np.sort(random.choice(len(path), 2, replace=False))
            way = self.march(path[i], path[j])
            saved = self._length(path[i : j + 1]) - self._length(way)
            shorter = np.array_equal(way[-1], path[j]) and saved > CLOSER * STEP
            failures = 0 if shorter else failures + 1
            if shorter:
                path = np.vstack([path[:i], way, path[j + 1 :]])
        return path

    def refined(self, path: Array) -> Array | None:
        """(m', k) A path (m, k) with so many configurations that straight lines between them keep all; None if none is.

        Between two configurations where all is kept it is off a little; where by too much, one in the middle is put in.
        """
        way, ahead = [path[0]], list(path[:0:-1])
        while ahead:
            middle = 0.5 * (way[-1] + ahead[-1])
            if self._project.nearly(middle):
                way.append(ahead.pop())
                continue
            there, length = self._project(middle), self._distance(way[-1], ahead[-1])
            if there is None or self._distance(middle, there) > length / 2:
                return None
            if not (self._space.line_is_free(way[-1], there) and self._space.line_is_free(there, ahead[-1])):
                return None
            ahead.append(there)
        return np.array(way)

    def _extend(self, tree: _Tree, towards: Array) -> int:
        """Number of the node that is nearest to where a tree was to grow."""
        node = tree.nearest(towards, self._space.weights)
        for there in self.march(tree.node(node), towards)[1:]:
            node = tree.add(there, node)
        return node

    def _distance(self, a: Array, b: Array) -> float:
        return float(np.linalg.norm(self._space.weights * (b - a)))

    def _length(self, path: Array | list[Array]) -> float:
        return sum(self._distance(*line) for line in pairwise(path))


class _Tree:
    """Configurations that can be reached from the first."""

    def __init__(self, root: Array) -> None:
        self._nodes, self._parents, self._count = np.tile(root, (64, 1)), [-1], 1

    def __len__(self) -> int:
        return self._count

    def node(self, index: int) -> Array:
        """(k,) One of them."""
        found: Array = self._nodes[index]
        return found

    def add(self, x: Array, parent: int) -> int:
        """Number of a new node."""
        if self._count == len(self._nodes):
            self._nodes = np.vstack([self._nodes, self._nodes])
        self._nodes[self._count] = x
        self._parents.append(parent)
        self._count += 1
        return self._count - 1

    def nearest(self, x: Array, weights: Array) -> int:
        """Number of the node that is nearest to x (k,)."""
        off = (self._nodes[: self._count] - x) * weights
        return int(np.einsum("ij,ij->i", off, off).argmin())

    def branch(self, index: int) -> list[Array]:
        """(k,) each: from the first to a node."""
        way = []
        while index >= 0:
            way.append(self.node(index))
            index = self._parents[index]
        return way[::-1]
