"""Small worlds and commands for tests of the physics."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.scenes.world import Placement, World

DT = 1 / 120  # [s] the control step


@cache
def robot(name: str) -> Robot:
    return load_robot(name)


def box(id: str, size: tuple[float, float, float], mass: float | None = 0.5, movable: bool = True) -> ObjectModel:
    return ObjectModel(id, "object", (Shape("box", size, pose()),), movable=movable, mass=mass)


def ball(id: str, radius: float, mass: float = 0.1) -> ObjectModel:
    return ObjectModel(id, "object", (Shape("sphere", (radius,), pose()),), movable=True, mass=mass)


def world_of(placed: Mapping[str, tuple[ObjectModel, Array]], **more: Any) -> World:
    """A world of objects, each with its pose X_WO (4, 4)."""
    return World(
        name="scene",
        description="a few things",
        source="scene.toml",
        objects={id: model for id, (model, _) in placed.items()},
        poses={id: X for id, (_, X) in placed.items()},
        default_object=next(iter(placed), ""),
        start=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        bounds=(-5.0, -5.0, 5.0, 5.0),
        furniture_scale=1.0,
        placements={id: Placement(None, X[:3, 3], np.eye(3), (0.0, 0.0, 0.0)) for id, (_, X) in placed.items()},
        **more,
    )


def still(q: Array) -> Command:
    """Stay at q (n,)."""
    return Command(q, np.zeros(len(q)), np.zeros(len(q)))


def hold(plant: PhysicsPlant, q: Array, seconds: float) -> None:
    """Stay at q (n,) for some time."""
    for _ in range(round(seconds / DT)):
        plant.apply(still(q), DT)


def move(plant: PhysicsPlant, q: Array, target: Array, seconds: float) -> list[float]:
    """Go from q to target (n,) along a quintic, and tell how far [rad] or [m] the worst joint is off at each step."""
    steps, off = round(seconds / DT), []
    for k in range(1, steps + 1):
        s = k / steps
        at, rate = 10 * s**3 - 15 * s**4 + 6 * s**5, (30 * s**2 - 60 * s**3 + 30 * s**4) / seconds
        wanted = q + at * (target - q)
        plant.apply(Command(wanted, rate * (target - q), np.zeros(len(q))), DT)
        off.append(float(np.abs(plant.sense().q - wanted).max()))
    return off


def poses(plant: PhysicsPlant) -> dict[str, Array]:
    return plant.truth()["poses"]  # type: ignore[return-value]
