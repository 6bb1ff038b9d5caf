"""Pairs of links of a robot that are not to touch each other in a physics engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .joints import joint_of

SAMPLES = 96
SHARE_MOVED = 0.3  # share of the joints that are elsewhere than in the stance in a sample
SHALLOW = (3e-4, 1e-2)  # [m] by which pieces overlap for no other reason than their skins and hulls
OFTEN = 2  # samples in which they do

Pair = frozenset[int]
Depths = Callable[[Array], dict[Pair, float]]
"""From positions of all joints (n_full,) to by how much [m] pieces of two links overlap there, where they do."""


def ignored_pairs(robot: Robot, q: Array, depths: Depths) -> set[Pair]:
    """Pairs of links, by the numbers of their joints, of which the engine is to see no contacts.

    These are reviewed pairs, what touches as it stands or only as pieces, links of one hand, and links two joints
    apart, whose joints end before they meet.

    Args:
        robot: The robot.
        q: (n,) Where it starts.
        depths: Asks the engine.
    """
    model, bodies = robot.model, robot.collision.geometryObjects
    pairs = robot.collision.collisionPairs
    checked = {frozenset((bodies[pair.first].parentJoint, bodies[pair.second].parentJoint)) for pair in pairs}
    ignored = set(depths(robot.expand(q))) | overlaps(robot, depths)
    for hand in robot.hands.values():
        ignored |= {frozenset(pair) for pair in combinations(_links(robot, hand.touch), 2)}
    for joint in range(2, model.njoints):
        over = model.parents[model.parents[joint]]
        if over:
            ignored.add(frozenset((over, joint)))
    solid = sorted({body.parentJoint for body in bodies})
    return {pair for pair in map(frozenset, combinations(solid, 2)) if pair not in checked or pair in ignored}


def overlaps(robot: Robot, depths: Depths) -> set[Pair]:
    """Pairs of links whose convex pieces overlap where the bodies themselves do not touch.

    Pieces are a little larger than the bodies that they stand for. Close to a joint that is enough for two of them to
    meet in the middle of its range, and to stop motions that are free. Configurations are always the same.

    Args:
        robot: The robot.
        depths: Asks the engine.

    Returns:
        Pairs of links that overlap a little in several of the configurations while their bodies are apart; none within
        a hand, where fingers that close stop each other.
    """
    random, stance = np.random.default_rng(0), robot.posture(robot.stance)
    data, geometry = robot.model.createData(), robot.collision_data()
    pairs = _pairs(robot)
    found: Counter[Pair] = Counter()
    for _ in range(SAMPLES):
        target = random.uniform(np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi))
        q = np.where(random.random(robot.n) < SHARE_MOVED, target, stance)
        q[:3] = 0.0
        full = robot.expand(q)
        deep = depths(full)
        doubtful = [pair for pair in deep if pair in pairs and SHALLOW[0] < deep[pair] < SHALLOW[1]]
        if doubtful:
            pin.updateGeometryPlacements(robot.model, data, robot.collision, geometry, full)
            found.update(pair for pair in doubtful if _apart(robot, geometry, pairs[pair]))
    return {pair for pair, count in found.items() if count >= OFTEN}


def _pairs(robot: Robot) -> dict[Pair, list[int]]:
    """Numbers of the robot's collision pairs by pair of links, without those within a hand."""
    bodies = robot.collision.geometryObjects
    hands = [_links(robot, hand.touch) for hand in robot.hands.values()]
    pairs: dict[Pair, list[int]] = {}
    for number, pair in enumerate(robot.collision.collisionPairs):
        joints = frozenset((bodies[pair.first].parentJoint, bodies[pair.second].parentJoint))
        if not any(joints <= hand for hand in hands):
            pairs.setdefault(joints, []).append(number)
    return pairs


def _links(robot: Robot, names: tuple[str, ...]) -> set[int]:
    """The numbers of the joints that move links of the URDF."""
    return {joint_of(robot.model, name) for name in names}


def _apart(robot: Robot, geometry: pin.GeometryData, pairs: list[int]) -> bool:
    return not any(pin.computeCollision(robot.collision, geometry, number) for number in pairs)
