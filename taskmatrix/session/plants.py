"""Which plant a session commands: a simulation of ours, one of another package by its name, or one that is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, cast

from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.core.base.failure import FailedError
from taskmatrix.core.robot.plant import Plant, TruthfulPlant
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.simulation.kinematic import Drift, KinematicPlant
from taskmatrix.simulation.scenes.world import World

if TYPE_CHECKING:
    from taskmatrix.simulation.physics import Physics, PhysicsPlant

ENTRY_POINTS = "taskmatrix.plants"
PHYSICAL = ("bullet", "mujoco")
OWN = ("kinematic", *PHYSICAL)
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
        TaskMatrixError: The entry point of this name cannot be loaded, or several packages have one.
        MissingDependencyError: PyBullet or MuJoCo is not installed.
    """
    if given is not None:
        return _checked(given, inputs)
    if physics is not None:
        return _engine(sim)(inputs.robot, inputs.world, inputs.q, physics, inputs.dt)
    if sim in OWN:
        return KinematicPlant(inputs.robot, inputs.world, inputs.q, drift)
    return _plugged(sim, inputs)


def _plugged(sim: str, inputs: PlantInputs) -> Plant:
    """The plant of another package, by its name."""
    points = sorted({point.value: point for point in entry_points(group=ENTRY_POINTS) if point.name == sim}.items())
    if len(points) > 1:
        values = " and ".join(f"'{value}'" for value, _ in points)
        raise TaskMatrixError(f"simulation '{sim}' is the name of several entry points: {values}")
    ((value, point),) = points
    said = f"simulation '{sim}' of the entry point '{value}'"
    try:
        return _checked(_loaded(point, said), inputs)
    except ParameterError as error:
        raise ParameterError(f"{said}: {error}") from error


def _loaded(point: EntryPoint, said: str) -> PlantMaker:
    try:
        return cast("PlantMaker", point.load())
    except Exception as error:
        raise TaskMatrixError(f"{said} cannot be loaded: {type(error).__name__}: {error}") from error


def _engine(sim: str) -> type[PhysicsPlant]:
    """Plants with physics, which are loaded when they are asked for."""
    if sim == "mujoco":
        from taskmatrix.simulation.mujoco import MujocoPlant  # noqa: PLC0415

        return MujocoPlant
    from taskmatrix.simulation.bullet import BulletPlant  # noqa: PLC0415

    return BulletPlant


def _checked(given: Plant | PlantMaker, inputs: PlantInputs) -> Plant:
    """A plant that can be asked and commanded."""
    made: object = given
    if isinstance(given, type) or (not hasattr(given, "sense") and callable(given)):
        name = getattr(given, "__name__", type(given).__name__)
        try:
            made = given(inputs)
        except TaskMatrixError:
            raise
        except Exception as error:
            message = f"{name} cannot make a plant from PlantInputs: {type(error).__name__}: {error}"
            raise ParameterError(message) from error
    missing = [name for name in NEEDED if not callable(getattr(made, name, None))]
    if missing or isinstance(made, type):
        calls = " and ".join(f"{name}()" for name in missing)
        what = f"{made.__name__} is a class" if isinstance(made, type) else f"{type(made).__name__} has no {calls}"
        raise ParameterError(f"a plant has sense() and apply(); {what}")
    return cast("Plant", made)


def plant_facts(plant: Plant, sim: str | None, q: Array) -> dict[str, object]:
    """What recordings say of a plant that is no simulation of ours.

    Args:
        plant: The plant.
        sim: The name by which it was asked for, if it has one.
        q: (n,) Where the robot was when the session began.

    Returns:
        ``plant``, its class; ``truth``, whether control steps have what it says is true: else what was sensed and
        perceived at their beginning; ``start`` (3,) and ``q`` (n,).
    """
    truth = isinstance(plant, TruthfulPlant)
    return {"sim": sim, "plant": type(plant).__name__, "truth": truth, "start": q[:3].tolist(), "q": q.tolist()}


def sensed_start(plant: PlantMonitor, robot: Robot, name: str) -> Array:
    """(n,) Where the robot is, from which commands go on.

    Args:
        plant: Where it is sensed.
        robot: The robot.
        name: Of the plant, for who reads an error.

    Raises:
        ParameterError: The plant does not answer, has another number of joints, or senses something that is no number,
            or a joint beyond its limits.
    """
    try:
        q = plant.sense().q.copy()
    except FailedError as error:
        raise ParameterError(f"{name} does not tell where the robot is: {error.failure.explain()}") from error
    for joint, at, low, high in zip(robot.joints, q, robot.lower, robot.upper, strict=True):
        if not low - BEYOND <= at <= high + BEYOND:
            raise ParameterError(f"{name} senses {joint} at {at:.3f}; its limits are {low:.3f} and {high:.3f}")
    return q
