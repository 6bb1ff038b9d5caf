"""Engines and plants are closed when their test ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.mujoco import MujocoPlant
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.scenes.world import World

from .physics.scenes import world_of

MakePlant = Callable[..., PhysicsPlant]
PLANTS = (pytest.param(BulletPlant, marks=pytest.mark.pictures), MujocoPlant)


@pytest.fixture
def engine() -> Iterator[Engine]:
    """A world of PyBullet with nothing but a floor."""
    with closing(Engine(100)) as made:
        yield made


@pytest.fixture(params=PLANTS, ids=lambda each: each.__name__)
def plant(request: pytest.FixtureRequest) -> Iterator[MakePlant]:
    """Makes a plant of a robot on each engine, in an empty world and in its stance unless told otherwise."""
    with ExitStack() as stack:

        def make(robot: Robot, world: World | None = None, q: Array | None = None, *settings: Any) -> PhysicsPlant:
            start = robot.posture(robot.stance) if q is None else q
            made: PhysicsPlant = request.param(robot, world_of({}) if world is None else world, start, *settings)
            return stack.enter_context(closing(made))

        yield make
