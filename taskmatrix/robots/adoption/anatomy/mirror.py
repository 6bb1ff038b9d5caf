"""Mirror symmetry: which plane halves a robot, and which limbs are each other's mirror image."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from taskmatrix.core.world.objects import Array

from .tree import ROOT, Tree

SIDES = (np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
"""Normals that the plane may have: the robot looks along x, or along y, of its root."""
_AWAY = 0.02  # [m] from the plane is what has a mirror image
_OFF = 0.015  # [m] by which mirrored origins may differ, and
_SLACK = 0.04  # of their distance from the branch more


def spine(tree: Tree, body: int) -> tuple[int, ...]:
    """Bodies from ``body`` outward as long as there is one way to go on, or one that reaches much farther."""
    found = [body]
    while ways := sorted(((tree.reach(child), child) for child in tree.children(found[-1])), reverse=True):
        if len(ways) > 1 and ways[1][0] > 0.5 * ways[0][0]:
            break
        found.append(ways[0][1])
    return tuple(found)


def mirrored(tree: Tree, a: int, b: int, normal: Array) -> bool:
    """Whether what two bodies carry is mirrored: the origins of the joints along both, from the branch on."""
    first, second = spine(tree, a), spine(tree, b)
    if len(first) != len(second):
        return False
    M = np.eye(3) - 2.0 * np.outer(normal, normal)
    here = tree.joints[a].origin
    far = 0.0
    for i, j in zip(first, second, strict=True):
        p, q = tree.joints[i].origin, tree.joints[j].origin
        if np.linalg.norm(M @ p - q) > _OFF + _SLACK * np.linalg.norm(p - here):
            return False
        far = max(far, abs(float(normal @ (p - q))))
    return far > 2.0 * _AWAY


def pairs(tree: Tree, bodies: Sequence[int], normal: Array) -> list[tuple[int, int]]:
    """Mirrored pairs among bodies: each with its image, the one on the side of the normal first."""
    found: list[tuple[int, int]] = []
    taken: set[int] = set()
    for a, b in combinations(bodies, 2):
        if not taken & {a, b} and mirrored(tree, a, b, normal):
            taken |= {a, b}
            found.append((a, b) if normal @ _middle(tree, a) > normal @ _middle(tree, b) else (b, a))
    return found


def side_normal(tree: Tree) -> tuple[Array, int]:
    """The normal of the plane that has most limbs mirrored, and how many pairs these are."""
    counts = []
    for normal in SIDES:
        every = (pairs(tree, tree.children(body), normal) for body in (ROOT, *tree.joints))
        counts.append(sum(len(spine(tree, a)) for found in every for a, _ in found))
    best = int(np.argmax(counts))  # the first where they are equal
    return SIDES[best], counts[best]


def image(tree: Tree, joint: int, other: int, normal: Array) -> float:
    """1 where ``other`` moves as the mirror image of ``joint`` with equal positions, -1 with opposite ones, else 0."""
    M = np.eye(3) - 2.0 * np.outer(normal, normal)
    a, b = tree.joints[joint], tree.joints[other]
    if a.prismatic != b.prismatic:
        return 0.0
    same = float(b.axis @ (M @ a.axis if a.prismatic else -M @ a.axis))
    return float(np.sign(same)) if abs(same) > 0.97 else 0.0


def _middle(tree: Tree, body: int) -> Array:
    middle: Array = np.mean([tree.joints[b].origin for b in spine(tree, body)], axis=0)
    return middle
