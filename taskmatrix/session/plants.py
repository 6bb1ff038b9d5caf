"""Which plant a session commands: a simulation of ours, one of another package by its name, or one that is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.robot.plant import Plant
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.simulation.kinematic import Drift, KinematicPlant
from taskmatrix.simulation.scenes.world import World

if TYPE_CHECKING:
    from taskmatrix.simulation.bullet import Physics

ENTRY_POINTS = "taskmatrix.plants"
OWN = ("kinematic", "bullet")
NEEDED = ("sense", "apply")
BEYOND = 1e-3  # [rad] or [m] by which a joint may be beyond its limits when it is first sensed


@dataclass(frozen=True, eq=False)
class PlantInputs:
    """What a session gives who makes its plant."""

    robot: Robot
    """Who is commanded."""
    world: World
    """What there is."""
    q: Array
    """(n,) Where the robot is to start."""
    dt: float
    """[s] The control step."""


PlantMaker = Callable[[PlantInputs], Plant]
"""Makes a plant for a session, which closes it in the end if it can be closed."""


def plant_names() -> tuple[str, ...]:
    """What ``sim`` may be: our simulations, and the plants of other packages, which are not loaded."""
    return (*OWN, *sorted(point.name for point in entry_points(group=ENTRY_POINTS) if point.name not in OWN))


def open_plant(
    inputs: PlantInputs, sim: str, given: Plant | PlantMaker | None, physics: str | Physics | None, drift: Drift | None
) -> Plant:
    """The plant that is asked for, by the settings of a run.

    Raises:
        ParameterError: What is given, or made, cannot sense or be commanded.
        MissingDependencyError: PyBullet is not installed.
    """
    if given is not None:
        return _checked(given, inputs)
    if physics is not None:
        from taskmatrix.simulation.bullet import BulletPlant  # noqa: PLC0415 - PyBullet is loaded for physics only

        return BulletPlant(inputs.robot, inputs.world, inputs.q, physics, inputs.dt)
    if sim in OWN:
        return KinematicPlant(inputs.robot, inputs.world, inputs.q, drift)
    (point,) = (each for each in entry_points(group=ENTRY_POINTS) if each.name == sim)
    return _checked(point.load(), inputs)


def _checked(given: Plant | PlantMaker, inputs: PlantInputs) -> Plant:
    """A plant that can be asked and commanded."""
    made = given if not callable(given) or (hasattr(given, "sense") and not isinstance(given, type)) else given(inputs)
    missing = [name for name in NEEDED if not callable(getattr(made, name, None))]
    if missing:
        calls = " and ".join(f"{name}()" for name in missing)
        raise ParameterError(f"a plant has sense() and apply(); {type(made).__name__} has no {calls}")
    plant: Plant = made  # type: ignore[assignment]
    return plant


def sensed_start(plant: Plant, robot: Robot) -> Array:
    """(n,) Where the robot is, from which commands go on.

    Raises:
        ParameterError: The plant has another number of joints, or senses something that is no number, or a joint beyond
            its limits.
    """
    q = np.array(plant.sense().q, dtype=float)
    name = type(plant).__name__
    if q.shape != (robot.n,):
        raise ParameterError(
            f"{name} senses positions of shape {q.shape}; robot '{robot.name}' has {robot.n} joints, the base first: "
            f"{', '.join(robot.joints[:5])}, ..."
        )
    for joint, at, low, high in zip(robot.joints, q, robot.lower, robot.upper, strict=True):
        if not low - BEYOND <= at <= high + BEYOND:
            raise ParameterError(f"{name} senses {joint} at {at:.3f}; its limits are {low:.3f} and {high:.3f}")
    return q
