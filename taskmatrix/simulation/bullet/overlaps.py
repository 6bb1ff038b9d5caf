"""Pairs of links whose convex pieces overlap where the bodies themselves do not touch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.robots import Robot

from .engine import Engine

SAMPLES = 96
SHARE_MOVED = 0.3  # share of the joints that are elsewhere than in the stance in a sample
SHALLOW = (3e-4, 1e-2)  # [m] by which pieces overlap for no other reason than their skins and hulls
OFTEN = 2  # samples in which they do


def overlaps(engine: Engine, robot: Robot, id: int, links: Mapping[str, int]) -> set[frozenset[int]]:
    """Find pairs that would stop motions which are free.

    Pieces are a little larger than the bodies that they stand for. Close to a joint that is enough for two of them to
    meet in the middle of its range. Configurations are always the same; the robot is left in one of them.

    Args:
        engine: Where it is.
        robot: The robot.
        id: PyBullet's number of it.
        links: PyBullet's number of each joint's link.

    Returns:
        Pairs of links that overlap a little in several of the configurations while their bodies are apart; none within
        a hand, where fingers that close stop each other.
    """
    random, stance = np.random.default_rng(0), robot.posture(robot.stance)
    data, geometry = robot.model.createData(), robot.collision_data()
    pairs = _pairs(robot, links)
    found: Counter[frozenset[int]] = Counter()
    for _ in range(SAMPLES):
        target = random.uniform(np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi))
        q = np.where(random.random(robot.n) < SHARE_MOVED, target, stance)
        q[:3] = 0.0
        full = robot.expand(q)
        for name, position in zip(robot.model.names[1:], full, strict=True):
            engine("resetJointState", id, links[name], position, 0.0)
        engine("performCollisionDetection")
        depths: dict[frozenset[int], float] = {}
        for contact in engine("getContactPoints", id, id):
            pair = frozenset(contact[3:5])
            depths[pair] = max(depths.get(pair, 0.0), -contact[8])
        doubtful = [pair for pair in depths if pair in pairs and SHALLOW[0] < depths[pair] < SHALLOW[1]]
        if doubtful:
            pin.updateGeometryPlacements(robot.model, data, robot.collision, geometry, full)
            found.update(pair for pair in doubtful if _apart(robot, geometry, pairs[pair]))
    return {pair for pair, count in found.items() if count >= OFTEN}


def _pairs(robot: Robot, links: Mapping[str, int]) -> dict[frozenset[int], list[int]]:
    """Numbers of the robot's collision pairs by pair of links, without those within a hand."""
    names, bodies = robot.model.names, robot.collision.geometryObjects
    hands = [_hand(robot, hand.touch) for hand in robot.hands.values()]
    pairs: dict[frozenset[int], list[int]] = {}
    for number, pair in enumerate(robot.collision.collisionPairs):
        joints = {bodies[k].parentJoint for k in (pair.first, pair.second)}
        if not any(joints <= hand for hand in hands):
            pairs.setdefault(frozenset(links[names[joint]] for joint in joints), []).append(number)
    return pairs


def _hand(robot: Robot, touch: tuple[str, ...]) -> set[int]:
    """The joints that move the links of a hand."""
    model = robot.model
    return {model.frames[model.getFrameId(name, pin.FrameType.BODY)].parentJoint for name in touch}


def _apart(robot: Robot, geometry: pin.GeometryData, pairs: list[int]) -> bool:
    return not any(pin.computeCollision(robot.collision, geometry, number) for number in pairs)
