"""Where a robot is when a session begins."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import ParameterError, WorldError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker

ATTEMPTS = 500  # poses tried before a start region counts as full
CLEARANCE = 0.05  # [m] to everything at the start


def given_start(robot: Robot, start: tuple[float, float, float]) -> Array:
    """(n,) The stance at a given place."""
    try:
        place = np.array(start, dtype=float)
    except (TypeError, ValueError):
        place = np.empty(0)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise ParameterError(f"start has to be (x [m], y [m], yaw [rad]), not {start!r}")
    lower, upper = robot.lower[:3], robot.upper[:3]
    if (place < lower).any() or (place > upper).any():
        raise ParameterError(f"start {start!r} is outside the base's limits, {lower.tolist()} to {upper.tolist()}")
    return robot.posture(robot.stance, (float(place[0]), float(place[1]), float(place[2])))


def drawn_start(robot: Robot, world: World, random: np.random.Generator) -> Array:
    """(n,) The stance somewhere free in the start region, within the base's limits."""
    lower, upper = np.maximum(world.start[0], robot.lower[:3]), np.minimum(world.start[1], robot.upper[:3])
    if (lower > upper).any():
        limits = f"{robot.lower[:3].tolist()} to {robot.upper[:3].tolist()}"
        raise WorldError(
            f"the start region of world '{world.name}', {world.start[0]} to {world.start[1]} ([m], [m], [rad]), "
            f"is outside the limits of the base of robot '{robot.name}', {limits}"
        )
    checker = CollisionChecker(robot, CLEARANCE)
    checker.set_bodies(bodies_of({id: (model, world.poses[id]) for id, model in world.objects.items()}, {}))
    for _ in range(ATTEMPTS):
        x, y, yaw = random.uniform(lower, upper)
        q = robot.posture(robot.stance, (float(x), float(y), float(yaw)))
        if checker.is_free(q):
            return q
    contact = checker.contact(q)
    pair = f"; the last of {ATTEMPTS} had {contact.first} at {contact.second}" if contact else ""
    raise WorldError(f"no free place for robot '{robot.name}' in the start region of world '{world.name}'{pair}")
