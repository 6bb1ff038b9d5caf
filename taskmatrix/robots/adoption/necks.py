"""Hulls that fill the opening in which a neck moves: links that keep their meshes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array

from .anatomy.contacts import Checker, Pair
from .anatomy.limbs import Anatomy
from .anatomy.tree import Tree

_LOOKS = 9
"""Positions of a joint of the head in which its hulls are compared with its meshes."""


def with_open_necks(tree: Tree, anatomy: Anatomy) -> Tree:
    """The robot with those links colliding by their meshes whose hulls bar a joint of the head, where meshes free it.

    As few of them as free as much as all would.
    """
    if tree.meshes is None:
        return tree
    looks = list(_looks(tree, anatomy))
    links = sorted(set(chain(*_barred(tree, looks))))
    best, fewest = tree, _count(tree, looks)
    for some in chain.from_iterable(combinations(links, size) for size in range(1, min(len(links), 2) + 1)):
        other = _with_meshes(tree, some)
        if (count := _count(other, looks)) < fewest:
            best, fewest = other, count
    return best


def _looks(tree: Tree, anatomy: Anatomy) -> Iterator[Array]:
    """Each joint of the head at some positions on its way, the rest as near to zero as it gets."""
    for body in (b for head in anatomy.of("head") for b in head.bodies if not tree.joints[b].follows):
        k = tree.index(body)
        lower, upper = (float(np.clip(limit[k], -np.pi, np.pi)) for limit in tree.limits)
        for value in np.linspace(lower, upper, _LOOKS):
            q = tree.neutral.copy()
            q[k] = value
            yield q


def _barred(tree: Tree, looks: Iterable[Array]) -> set[Pair]:
    """Pairs whose hulls touch in one of some configurations in which their meshes do not."""
    solid, exact = Checker(tree), Checker(tree, geometry=tree.meshes)
    return set().union(*(solid.touching(q) - exact.touching(q) for q in looks)) - solid.touching(tree.neutral)


def _count(tree: Tree, looks: Iterable[Array]) -> int:
    """How often something touches that is apart with all joints near zero."""
    checker = Checker(tree)
    always = checker.touching(tree.neutral)
    return sum(len(checker.touching(q) - always) for q in looks)


def _with_meshes(tree: Tree, links: Iterable[str]) -> Tree:
    """The robot with some links colliding by their meshes."""
    kept = (*tree.as_meshes, *links)
    geometry = pin.GeometryModel(tree.collision)
    meshes = tree.meshes.geometryObjects if tree.meshes else ()
    for body, mesh in zip(geometry.geometryObjects, meshes, strict=True):
        if tree.model.frames[body.parentFrame].name in kept:
            body.geometry = mesh.geometry
    return replace(tree, collision=geometry, as_meshes=kept)
