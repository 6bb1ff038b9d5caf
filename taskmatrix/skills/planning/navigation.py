"""Going far: limbs drawn in, the base walked round the furniture, limbs put out (a path in three stages)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.paths.state_lattice import lattice_way
from taskmatrix.robots import Robot

from ..collision.collision import CollisionChecker
from .floor_map import FloorMap

POSTURES = 24  # drawn at random beside the present one, the last and the stance
TRIED = 3  # of them, the most compact first
EAGER = (2.0, 4.0)  # searches for a way of the base, one after the other: short ways first
MOST = 2500  # lines that each of them checks
TURN = 0.3  # [m] a stretch shorter than this is walked without turning to face along it

Lead = Callable[[Array, Array], Array]
"""From two configurations (n,) to the corners (m, n) of the way between them, both included; the first if none is."""
Connect = Callable[[Array, Array, Indices], Array | None]
"""From two configurations (n,) and joints (k,) to a free path (m, k), or None."""


def walk(
    checker: CollisionChecker,
    floor: FloorMap,
    start: Array,
    end: Array,
    joints: Indices,
    connect: Connect,
    edge_is_free: Callable[[Array, Array], bool],
    random: np.random.Generator,
    lead: Lead = lambda a, b: np.array([a, b]),
    allowed: Callable[[Array], bool] = lambda q: True,
) -> Array | None:
    """(m, k) A path of ``joints``, the base among them, from a configuration (n,) to another; None if none was found.

    Args:
        checker: Tells what is free.
        floor: The ways from where the start stands.
        start: (n,) Free start.
        end: (n,) Free end.
        joints: (k,) Joints that may move.
        connect: Finds a path for some joints.
        edge_is_free: Whether a straight line between two configurations (n,) is free.
        random: Of the postures tried.
        lead: How the base goes from one place to another; straight unless given.
        allowed: Whether limbs may be as in a configuration (n,) while the base moves.
    """
    way = floor.way(end)
    limbs = joints[joints >= 3]
    if way is None or len(joints) - len(limbs) < 3:
        return None
    base = np.arange(3)
    ready: list[tuple[Array, Array, Array, Array]] = []

    def joined(walked: Array, drawn: Array, last: Array, drawing: Array, putting: Array) -> Array:
        parts = [_whole(drawing, start, limbs), _whole(walked, drawn, base), _whole(putting, last, limbs)]
        return np.vstack(parts)[:, joints]

    for posture in _postures(checker, start, end, limbs, random, allowed):
        drawn, last = start.copy(), end.copy()
        drawn[limbs] = last[limbs] = posture
        drawing = connect(start, drawn, limbs)
        putting = None if drawing is None else connect(last, end, limbs)
        if drawing is None or putting is None:
            continue
        walked = _walked(drawn, last, way, checker.robot, base, edge_is_free, lead)
        if walked is not None:
            return joined(walked, drawn, last, drawing, putting)
        ready.append((drawn, last, drawing, putting))
    for eager, ends in product(EAGER, ready):
        walked = _searched(*ends[:2], floor, checker.robot, base, edge_is_free, lead, eager)
        if walked is not None:
            return joined(walked, *ends)
    return None


def _walked(
    start: Array,
    end: Array,
    way: Array,
    robot: Robot,
    base: Indices,
    edge_is_free: Callable[[Array, Array], bool],
    lead: Lead,
) -> Array | None:
    """(m, 3) The base along the corners (c, 2) of a way, facing where it goes; None where it has no room for that."""
    stops = [start]
    for corner in way:
        here = stops[-1]
        off = corner - here[:2]
        if np.linalg.norm(off) > TURN:
            turned = here.copy()
            turned[2] = _within(wrap(float(np.arctan2(off[1], off[0])), here[2]), robot)
            stops.append(turned)
        arrived = stops[-1].copy()
        arrived[:2] = corner
        stops.append(arrived)
    stops.append(end)
    path = [start[base]]
    here = start
    for stop in stops[1:]:
        if np.array_equal(here, stop):
            continue
        corners = lead(here, stop)
        if len(corners) > 1 and all(edge_is_free(*line) for line in pairwise(corners)):
            path += list(corners[1:, base])
            here = stop
    return np.array(path) if here is stops[-1] else None


def _searched(
    start: Array,
    end: Array,
    floor: FloorMap,
    robot: Robot,
    base: Indices,
    edge_is_free: Callable[[Array, Array], bool],
    lead: Lead,
    eager: float,
) -> Array | None:
    """(m, 3) The base by any way and with any turns, searched from its end; None where none is found."""

    def standing(place: Array) -> Array:
        q = end.copy()
        q[base] = place
        return q

    def between(here: Array, there: Array) -> Array | None:
        corners = lead(standing(here), standing(there))
        free = len(corners) > 1 and all(edge_is_free(*line) for line in pairwise(corners))
        return corners[:, base] if free else None

    def is_free(here: Array, there: Array) -> bool:
        return edge_is_free(standing(here), standing(there))

    way = lattice_way(
        end[base],
        is_free,
        floor.cost,
        lambda place: between(place, start[base]),
        robot.lower[base],
        robot.upper[base],
        MOST,
        not robot.rolls,
        eager,
    )
    return None if way is None else _pulled(way[::-1], between)


def _pulled(way: Array, between: Callable[[Array, Array], Array | None]) -> Array:
    """(m', 3) A way (m, 3) with what is between two places left out where there is a free way from one to the other."""
    pulled, first = [way[:1]], 0
    while first < len(way) - 1:
        last, corners = len(way) - 1, None
        while last > first + 1:
            corners = between(way[first], way[last])
            if corners is not None:
                break
            last -= max(1, (last - first) // 8)
        pulled.append(way[first + 1 : last + 1] if corners is None else corners[1:])
        first = last
    return np.vstack(pulled)


def _within(yaw: float, robot: Robot) -> float:
    """The angle, or the same heading within the base's limits."""
    if yaw > robot.upper[2]:
        return yaw - 2 * np.pi
    return yaw + 2 * np.pi if yaw < robot.lower[2] else yaw


def _postures(
    checker: CollisionChecker,
    start: Array,
    end: Array,
    limbs: Indices,
    random: np.random.Generator,
    allowed: Callable[[Array], bool],
) -> Sequence[Array]:
    """(l,) each: postures of limbs that are free at both ends, the present one first where it is compact enough."""
    robot = checker.robot
    stance = robot.posture(robot.stance, (0.0, 0.0, 0.0))
    low, high = robot.lower[limbs], robot.upper[limbs]
    candidates = [start[limbs], end[limbs], stance[limbs]]
    for _ in range(POSTURES):
        near = candidates[int(random.integers(3))]
        candidates.append(np.clip(near + random.normal(0.0, 0.25, len(limbs)) * (high - low), low, high))
    found = []
    for number, posture in enumerate(candidates):
        there, here = end.copy(), start.copy()
        there[limbs] = here[limbs] = posture
        if allowed(here) and checker.is_free(here) and checker.is_free(there):
            change = float(
                np.abs(posture - start[limbs]).max(initial=0.0) + np.abs(posture - end[limbs]).max(initial=0.0)
            )
            found.append((checker.extent(here)[0] + 0.02 * change, number, posture))
    return [posture for _, _, posture in sorted(found)[:TRIED]]


def _whole(path: Array, q: Array, joints: Indices) -> Array:
    """(m, n) A path (m, k) of some joints as whole configurations, everything else as in q (n,)."""
    whole = np.tile(q, (len(path), 1))
    whole[:, joints] = path
    return whole
