"""A robot that is no simulation of a world: a plant, and what somebody else perceives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.transport import Transport
from taskmatrix.core.robot.arbiter import BindingFilter, Filter
from taskmatrix.core.robot.plant import Plant
from taskmatrix.core.robot.policy import Policy
from taskmatrix.core.world.objects import ObjectModel
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.skills.planning.settings import PlannerSettings

from .perception_pipeline import PerceptionPipeline, ReportedPipeline
from .plants import PlantMaker
from .session import Session
from .settings import RunSettings

NOWHERE = "nowhere"
"""Name of the world of a plant of one's own."""
WIDE = 1000.0  # [m] to which the ground goes, either way


def connect(
    robot: str | Path | Robot,
    plant: Plant | PlantMaker,
    perception: PerceptionPipeline | Callable[[], Iterable[Percept]] | None = None,
    *,
    real_time: bool = True,
    seed: int = 0,
    policy: str | Policy = "exclusive",
    planning: PlannerSettings | None = None,
    filters: Sequence[Filter | BindingFilter] = (),
    transport: Transport | None = None,
    control_step: float | None = None,
) -> Session:
    """Have task programs command a plant of your own: a robot, another simulation, a recording.

    There is no world, and nobody knows the truth: the robot is where it is sensed to be, and ``perception`` tells what
    there is.

    Args:
        robot: Name of a robot, path of its ``robot.toml``, or a robot.
        plant: What is commanded, which the session leaves open; or what makes it, from a
            :class:`~taskmatrix.session.plants.PlantInputs`, and the session closes it.
        perception: Tells all objects that are known now, in every control step; or a way of perceiving. Nothing is
            known unless given.
        real_time: Run by the clock on the wall, with planning in a process of its own; else as fast as the plant can.
        seed: Of the planners, and of whatever else is random.
        policy: What happens where two want one chain.
        planning: Which planner finds paths, and how much it may do.
        filters: Filters of your own on the one way out, such as a ``Reflex``.
        transport: Leads to other processes. It stays open.
        control_step: [s] From one command to the next, 0.001 to 0.1; 0.01 unless given.

    Returns:
        The session; ``run`` it, and close it.

    Raises:
        RobotError: The robot cannot be loaded.
        ParameterError: What is given, or made, cannot sense or be commanded, or is elsewhere than the robot can be.
        NotFoundError: No robot or policy has this name.
    """
    if plant is None:
        raise ParameterError("connect(robot, plant) takes a plant, or what makes one, not None")
    if not (perception is None or callable(perception) or isinstance(perception, PerceptionPipeline)):
        raise ParameterError(f"perception is a function that returns Percepts, not {perception!r}")
    pipeline = perception if isinstance(perception, PerceptionPipeline) else ReportedPipeline(perception or tuple)
    return Session(
        RunSettings(
            robot,
            nowhere(),
            seed,
            start=(0.0, 0.0, 0.0),
            real_time=real_time,
            plant=plant,
            perception=pipeline,
            planning=planning or PlannerSettings(),
            policy=policy,
            filters=filters,
            transport=transport,
            control_step=control_step,
        )
    )


def nowhere(objects: Iterable[ObjectModel] = ()) -> World:
    """The world of a plant of one's own, of which nothing is known.

    Args:
        objects: What there may be in it; where it is, somebody else tells.
    """
    models = {model.id: model for model in objects}
    return World(
        name=NOWHERE,
        description="what a plant of one's own is in",
        source="",
        objects=models,
        poses={id: np.eye(4) for id in models},
        default_object="",
        start=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        bounds=(-WIDE, -WIDE, WIDE, WIDE),
        furniture_scale=1.0,
        placements={},
    )
