"""Rapidly exploring trees in compiled code: one from a start, or two that grow towards each other (RRT-Connect)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..collision.scene import BLOCKS, Scene, Work
from ..ik.search import uniform
from ..jit.compiled import compiled, inlined
from .differential_drive import HERE, corner, heading
from .space import ASK, BLOCKED, FREE, Space, gap, look

DONE, FULL, UNSURE = 0, 1, 2  # how a search ends, or stops until it is told more
TREE, FROM, CONNECTING, DRAWN, CHECKS, MET, PIECES, REFUSED = range(8)  # columns of ``now``
NOT_TOLD = -2
REFUSALS = 16  # that count as a check
PHASES = 3  # steps that a tree takes towards a random configuration with a base that turns and rolls: one of each


class Trees(NamedTuple):
    """Two trees, rooted at the start and at the goal, and where the search stands."""

    nodes: Array
    """(2, c, k) [rad, m]"""
    parents: NDArray[np.int64]
    """(2, c) -1 for a root."""
    counts: NDArray[np.int64]
    """(2,) Nodes of each; a tree without a root does not take part."""
    domains: Array
    """(2, c) [m] How far from a node the random configurations are that its tree grows towards from there."""
    target: Array
    """(k,) What a tree is growing towards."""
    candidate: Array
    """(k,) The node that it may get next."""
    now: NDArray[np.int64]
    """(8,) The tree that grows and from which node; whether it is to connect; configurations drawn; checks; whether the
    trees have met, in their last nodes; steps already taken towards the configuration drawn last; how many of those
    drawn were too far."""


def planted(start: Array, goal: Array | None, capacity: int) -> Trees:
    """Trees of their roots (k,) only, with memory for so many nodes."""
    k = len(start)
    nodes = np.zeros((2, capacity, k))
    nodes[0, 0] = start
    if goal is not None:
        nodes[1, 0] = goal
    counts = np.array([1, goal is not None], dtype=np.int64)
    parents = np.full((2, capacity), -1, dtype=np.int64)
    domains = np.full((2, capacity), np.inf)
    return Trees(nodes, parents, counts, domains, np.zeros(k), np.zeros(k), np.zeros(8, dtype=np.int64))


def widened(trees: Trees) -> Trees:
    """The same trees with memory for twice as many nodes."""
    more = trees.nodes.shape[1]
    return trees._replace(
        nodes=np.pad(trees.nodes, ((0, 0), (0, more), (0, 0))),
        parents=np.pad(trees.parents, ((0, 0), (0, more)), constant_values=-1),
        domains=np.pad(trees.domains, ((0, 0), (0, more)), constant_values=np.inf),
    )


@compiled
def grow(
    scene: Scene,
    work: Work,
    space: Space,
    trees: Trees,
    seed: int,
    checks: int,
    reach: float,
    domain: float,
    told: int,
) -> int:
    """Grow the trees until they meet.

    Each turn the smaller tree takes a step towards a random configuration, from its nearest node; the other then goes
    straight to the new node as far as it can (Kuffner and LaValle 2000). From a node where something was in the way
    no tree grows towards what is far: most of that is behind the obstacle (Yershova et al. 2005). With a base that only
    turns and rolls, it goes there by its phases; each is an edge of its own (thesis 5.5.3).

    Args:
        scene: Robot and world.
        work: Memory for it.
        space: Where to plan.
        trees: What has grown so far.
        seed: Of the random configurations.
        checks: Of sixteen configurations, after which to give up.
        reach: [m] Longest step.
        domain: [m] What is far from a node where something was in the way.
        told: Whether the line to the candidate is free, if it is known by now.

    Returns:
        :data:`DONE`, :data:`FULL`, or :data:`UNSURE`: the line to the candidate is in doubt; call again and tell.
    """
    now = trees.now
    two = trees.counts[1] > 0
    phases = PHASES if len(space.base) > 0 else 1
    while True:
        tree = now[TREE]
        if told == NOT_TOLD:
            if not now[CONNECTING] and now[PIECES] == 0 and two and trees.counts[tree] > trees.counts[1 - tree]:
                tree = 1 - tree
                now[TREE] = tree
            if trees.counts[tree] == trees.nodes.shape[1]:
                return FULL
            if not now[CONNECTING] and now[PIECES] == 0:
                if now[CHECKS] >= checks:
                    return DONE
                draw(space, seed, now[DRAWN], trees.target)
                now[DRAWN] += 1
                now[FROM], far = nearest(space, trees, tree, trees.target)
                if far > trees.domains[tree, now[FROM]]:
                    now[REFUSED] += 1
                    now[CHECKS] += now[REFUSED] % REFUSALS == 0
                    continue
            told = BLOCKED
            if step(space, trees, tree, reach):
                told = look(scene, work, space, trees.nodes[tree, now[FROM]], trees.candidate)
            now[CHECKS] += work.counts[BLOCKS]
            if told == ASK:
                return UNSURE
        free = told == FREE
        told = NOT_TOLD
        if free:
            add(trees, tree)
        if now[CONNECTING]:
            if free and gap(space, trees.candidate, trees.target) < HERE:
                now[MET] = 1
                return DONE
            now[CONNECTING] = free
            continue
        now[PIECES] += free
        if free and now[PIECES] < phases and gap(space, trees.candidate, trees.target) >= HERE:
            continue
        grown = now[PIECES] > 0
        now[PIECES] = 0
        if not grown:
            trees.domains[tree, now[FROM]] = domain
        elif two:
            for j in range(len(trees.target)):
                trees.target[j] = trees.nodes[tree, now[FROM], j]
            now[CONNECTING] = 1
            now[TREE] = 1 - tree
            now[FROM], far = nearest(space, trees, 1 - tree, trees.target)


@inlined
def draw(space: Space, seed: int, number: int, x: Array) -> None:
    """A random configuration into x (k,)."""
    for j in range(len(x)):
        x[j] = space.lower[j] + uniform(seed, number * len(x) + j) * (space.upper[j] - space.lower[j])


@inlined
def nearest(space: Space, trees: Trees, tree: int, x: Array) -> tuple[int, float]:
    """The node of a tree that is nearest to x (k,), and how far [m] it is from there."""
    best, least = 0, math.inf
    rolls = len(space.base) > 0
    for node in range(trees.counts[tree]):
        square = 0.0
        for j in range(len(x)):
            d = space.weights[j] * (trees.nodes[tree, node, j] - x[j])
            square += d * d
        if rolls:
            square = squared_way(space, trees.nodes[tree, node], x, 1.0 - 2.0 * tree, square)
        if square < least:
            best, least = node, square
    return best, math.sqrt(least)


@inlined
def squared_way(space: Space, a: Array, b: Array, sense: float, square: float) -> float:
    """[m2] The square of the way from a (k,) to b (k,) of a base that turns and rolls, given that of the line."""
    for j in space.base:
        d = space.weights[j] * (a[j] - b[j])
        square -= d * d
    cost = heading(space, a, b, sense)[1]
    return square + cost * cost


@inlined
def step(space: Space, trees: Trees, tree: int, reach: float) -> bool:
    """Put the candidate on the way from the node to the target, no further than ``reach`` [m]; False without a way."""
    node = trees.now[FROM]
    if len(space.base) > 0:
        return step_rolling(space, trees.nodes[tree, node], trees.target, 1.0 - 2.0 * tree, reach, trees.candidate)
    square = 0.0
    for j in range(len(trees.target)):
        d = space.weights[j] * (trees.nodes[tree, node, j] - trees.target[j])
        square += d * d
    share = reach / math.sqrt(square) if square > reach * reach else 1.0
    for j in range(len(trees.target)):
        from_node = trees.nodes[tree, node, j]
        trees.candidate[j] = from_node + share * (trees.target[j] - from_node) if share < 1.0 else trees.target[j]
    return True


@inlined
def step_rolling(space: Space, node: Array, target: Array, sense: float, reach: float, candidate: Array) -> bool:
    """Likewise to the next corner of the way, from a node (k,) to a target (k,), into the candidate (k,)."""
    if not corner(space, node, target, sense, candidate):
        return False
    far = gap(space, node, candidate)
    if far > reach:
        for j in range(len(candidate)):
            candidate[j] = node[j] + reach / far * (candidate[j] - node[j])
    return True


@inlined
def add(trees: Trees, tree: int) -> None:
    """Add the candidate to a tree, and go on from it."""
    node = trees.counts[tree]
    for j in range(len(trees.candidate)):
        trees.nodes[tree, node, j] = trees.candidate[j]
    trees.parents[tree, node] = trees.now[FROM]
    trees.counts[tree] = node + 1
    trees.now[FROM] = node
