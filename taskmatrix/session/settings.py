"""The settings of a run: robot, world, seed, simulation and perception, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.transport import Transport
from taskmatrix.core.robot.policy import Policy
from taskmatrix.robots import Robot
from taskmatrix.simulation.kinematic import Drift
from taskmatrix.simulation.scenes.world import World
from taskmatrix.skills.planning.settings import PlannerSettings

from .perception_pipeline import PerceptionPipeline

if TYPE_CHECKING:
    from taskmatrix.simulation.bullet import Physics

SIMULATIONS = ("kinematic", "bullet")
DEFAULT_PHYSICS = "default"


@dataclass(frozen=True)
class RunSettings:
    """What it takes to have a run again: the arguments of :func:`~taskmatrix.session.simulate`, which explains them.

    Raises:
        NotFoundError: There is no such simulation.
        ParameterError: The seed is no natural number, or there is a drift with physics or physics without.
    """

    robot: str | Path | Robot = "mannequin"
    """Name, path of its ``robot.toml``, or the robot."""
    world: str | Path | World = "sparse"
    """Name, path of its file, or the world."""
    seed: int = 0
    """Of everything random."""
    start: tuple[float, float, float] | None = None
    """(x [m], y [m], yaw [rad]) of the base; drawn unless given."""
    real_time: bool = False
    """Whether it runs by the clock on the wall."""
    drift: Drift | None = None
    """By how much the base is off from where it was told to go."""
    second_robot: str | Path | Robot | None = None
    """A second robot, which walks past."""
    planning: PlannerSettings = field(default_factory=PlannerSettings)
    """Which planner finds paths, and how much it may do."""
    sim: str = SIMULATIONS[0]
    """``kinematic`` or ``bullet``."""
    physics: str | Physics | None = None
    """Preset or settings of the physics; the default preset with ``bullet``, none without."""
    perception: str | PerceptionPipeline = "omniscient"
    """Name of a way of perceiving, or one."""
    policy: str | Policy = "exclusive"
    """Name of a policy of the arbiter, or one."""
    transport: Transport | None = None
    """Leads to other processes."""

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, (int, np.integer)) or self.seed < 0:
            raise ParameterError(f"seed has to be a whole number from 0, not {self.seed!r}")
        if self.sim not in SIMULATIONS:
            raise NotFoundError("simulation", self.sim, SIMULATIONS)
        if not self.is_physical and self.physics is not None:
            raise ParameterError(f"physics={self.physics!r} is for sim='bullet'; the simulation is 'kinematic'")
        if self.is_physical and self.drift is not None:
            raise ParameterError("a drift is for sim='kinematic'; with physics the wheels slip by themselves")
        if self.is_physical and self.physics is None:
            object.__setattr__(self, "physics", DEFAULT_PHYSICS)

    @property
    def is_physical(self) -> bool:
        """Whether motors, gravity, contact and friction are simulated."""
        return self.sim == "bullet"

    def to_dict(self) -> dict[str, object]:
        """The settings as plain data, for who reads a recording or a report; without paths of folders."""
        names = ("sim", "physics", "perception", "policy", "real_time", "start", "second_robot")
        return {name: _word(getattr(self, name)) for name in names} | {"planner": self.planning.planner}


def _word(value: object) -> object:
    """A setting: names, numbers and lists of numbers as they are, what else as the name of its class."""
    if isinstance(value, (str, Path)):
        return Path(value).name if Path(value).is_absolute() else str(value)
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return list(value)
    return str(getattr(value, "name", type(value).__name__))
