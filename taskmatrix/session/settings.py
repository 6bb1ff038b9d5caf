"""The settings of a run: robot, world, seed, simulation, perception and planning, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.transport import Transport
from taskmatrix.core.robot.arbiter import BindingFilter, Filter
from taskmatrix.core.robot.filter_monitor import FilterMonitor
from taskmatrix.core.robot.plant import Plant
from taskmatrix.core.robot.policy import Exclusive, Policy, Subsumption, Sum
from taskmatrix.robots import Robot, robot_descriptions
from taskmatrix.simulation.kinematic import Drift
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import world_descriptions
from taskmatrix.skills.control.null_space import NullSpace
from taskmatrix.skills.planning.settings import PlannerSettings

from .perception_pipeline import PerceptionPipeline
from .plants import OWN, PHYSICAL, PlantMaker, plant_names

if TYPE_CHECKING:
    from taskmatrix.simulation.physics import Physics

SIMULATIONS = OWN
LEAST_STEP, LONGEST_STEP = 0.001, 0.1  # [s] between two commands
DEFAULT_PHYSICS = "default"
POLICIES = ("exclusive", "subsumption", "sum", "null-space")
PLACE, SIMULATION = "Robot and world", "Simulation, perception and planning"  # headings of the help


@dataclass(frozen=True)
class Option:
    """How the command line takes a setting."""

    help: str
    """What is said of it."""
    heading: str = SIMULATION
    """Under which the help lists it."""
    metavar: str | None = None
    """What stands for its value in the help."""
    least: int | None = None
    """The least number that it takes."""
    names: Callable[[], Iterable[str]] | None = None
    """What a shell completes."""
    name: str = ""
    """What it is called there; as the setting is unless given."""
    read: Callable[[Any], object] = lambda word: word
    """Makes the value of what is typed."""


def told(text: str, option: Option | None = None, *, recorded: bool = True) -> dict[str, Any]:
    """What is known of a setting, besides its type and its default.

    Args:
        text: What it is, for the documentation of :func:`~taskmatrix.session.simulate`.
        option: How the command line takes it; not at all unless given.
        recorded: Whether it is in :meth:`RunSettings.to_dict`: not what recordings and reports say by themselves, nor
            what is no plain data.
    """
    return {"text": text, "option": option, "recorded": recorded}


@dataclass(frozen=True)
class RunSettings:
    """What it takes to have a run again.

    A setting is one field here: the arguments of :func:`~taskmatrix.session.simulate`, the options of ``taskmatrix
    run``, and what recordings and reports say of a run are read from it.

    Raises:
        NotFoundError: There is no such simulation.
        ParameterError: The seed is no natural number, there is a drift for anything but ``sim="kinematic"``, or physics
            for anything but ``bullet`` and ``mujoco``.
    """

    robot: str | Path | Robot = field(
        default="mannequin",
        metadata=told(
            "Name of a robot, path of its ``robot.toml``, or a robot.",
            Option("Name of a robot, or path of its robot.toml.", PLACE, names=robot_descriptions),
            recorded=False,
        ),
    )
    world: str | Path | World = field(
        default="sparse",
        metadata=told(
            "Name of a world, path of its file, or a world. Furniture is scaled to the robot's stature.",
            Option("Name of a world, or path of its file.", PLACE, names=world_descriptions),
            recorded=False,
        ),
    )
    seed: int = field(
        default=0,
        metadata=told(
            "Of everything random: the world's jitter, the start, the planners. The same seed gives the same run.",
            Option("Same seed, same run.", PLACE, least=0),
            recorded=False,
        ),
    )
    _: KW_ONLY
    start: tuple[float, float, float] | None = field(
        default=None,
        metadata=told("(x [m], y [m], yaw [rad]) of the base; drawn from the world's start region unless given."),
    )
    real_time: bool = field(
        default=False, metadata=told("Run by the clock on the wall, with planning in a process of its own.")
    )
    drift: Drift | None = field(
        default=None,
        metadata=told(
            "From time [s] to (3,) [m, m, rad]: by how much the base is off from where it was told to go.",
            recorded=False,
        ),
    )
    second_robot: str | Path | Robot | None = field(
        default=None,
        metadata=told(
            "A second robot, which walks along the world's path for second robots; an object with the id "
            "``second_robot``.",
            Option(
                "Name of a second robot that walks past, or path of its robot.toml.", PLACE, names=robot_descriptions
            ),
        ),
    )
    sim: str = field(
        default=SIMULATIONS[0],
        metadata=told(
            "``kinematic``: joints go where they are told, what is held sticks to the hand; ``bullet`` or "
            "``mujoco``: motors, gravity, contact and friction; or a plant of another package, by its entry point in "
            "``taskmatrix.plants``.",
            Option("kinematic; with physics: bullet, mujoco.", metavar="NAME", names=plant_names),
        ),
    )
    plant: Plant | PlantMaker | None = field(
        default=None,
        metadata=told(
            "A plant of your own in place of a simulation, which stays open; or what makes it from a "
            ":class:`~taskmatrix.session.plants.PlantInputs`.",
        ),
    )
    physics: str | Physics | None = field(
        default=None,
        metadata=told(
            "Name of a preset of the physics (``fast``, ``default``, ``robust``), or settings.",
            Option("Of bullet and mujoco: fast, default or robust.", metavar="PRESET"),
        ),
    )
    control_step: float | None = field(
        default=None,
        metadata=told(
            "[s] From one command to the next, 0.001 to 0.1; 0.01, and 1/120 with physics, unless given.",
            recorded=False,
        ),
    )
    perception: str | PerceptionPipeline = field(
        default="omniscient",
        metadata=told(
            "``omniscient``; ``camera``; ``map``, with which nothing is known but what the camera sees and has seen; "
            "or a :class:`~taskmatrix.session.perception_pipeline.PerceptionPipeline`, such as a ``CameraPipeline`` or "
            "a ``MapPipeline``.",
            Option("omniscient; camera: on the robot's head; map: the same, and nothing known before.", metavar="NAME"),
        ),
    )
    planning: PlannerSettings = field(
        default_factory=PlannerSettings,
        metadata=told(
            "Which planner finds paths, and how much it may do.",
            Option(
                "trees, the compiled one, or a geometric planner of OMPL, as RRTConnect.",
                metavar="NAME",
                name="planner",
                read=PlannerSettings,
            ),
        ),
    )
    policy: str | Policy = field(
        default=POLICIES[0],
        metadata=told(
            "What happens where two want one chain. ``exclusive``: who comes second is told that it is taken; "
            "``subsumption``, ``sum``, ``null-space``: they share it; or a "
            ":class:`~taskmatrix.core.robot.policy.Policy` with an order.",
            Option(
                "Where two want one chain: exclusive, subsumption, sum or null-space.",
                metavar="NAME",
                names=lambda: POLICIES,
            ),
        ),
    )
    filters: Sequence[Filter | BindingFilter] = field(
        default=(),
        metadata=told(
            "Filters of your own on the one way out, such as a ``Reflex``: called in this order with every command, "
            "after the limits and before the collision guard.",
            recorded=False,
        ),
    )
    transport: Transport | None = field(
        default=None,
        metadata=told(
            "Leads to other processes, for remote components: ``taskmatrix.transports.Zenoh()``. It stays open.",
            recorded=False,
        ),
    )

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, (int, np.integer)) or self.seed < 0:
            raise ParameterError(f"seed has to be a whole number from 0, not {self.seed!r}")
        if self.sim not in SIMULATIONS and self.sim not in plant_names():
            raise NotFoundError("simulation", self.sim, plant_names())
        if self.plant is not None and self.sim != SIMULATIONS[0]:
            raise ParameterError(f"sim={self.sim!r} names a plant, and plant=... gives another")
        if not self.is_physical and self.physics is not None:
            raise ParameterError(f"physics={self.physics!r} is for sim='bullet' or 'mujoco', not {self.sim!r}")
        if self.drift is not None and (self.plant is not None or self.sim != SIMULATIONS[0]):
            slips = "; with physics the wheels slip by themselves" if self.is_physical else ""
            raise ParameterError(f"a drift is for sim='kinematic'{slips}")
        step = self.control_step
        if step is not None and not (isinstance(step, (int, float)) and LEAST_STEP <= step <= LONGEST_STEP):
            raise ParameterError(f"control_step is from {LEAST_STEP} to {LONGEST_STEP} s, not {step!r}")
        if isinstance(self.filters, str) or not isinstance(self.filters, Sequence):
            raise ParameterError(f"filters is a list of filters, such as [Reflex()], not {self.filters!r}")
        for each in self.filters:
            FilterMonitor(each)
        if self.is_physical and self.physics is None:
            object.__setattr__(self, "physics", DEFAULT_PHYSICS)

    @property
    def is_physical(self) -> bool:
        """Whether motors, gravity, contact and friction are simulated."""
        return self.sim in PHYSICAL

    @property
    def sim_name(self) -> str | None:
        """The name by which a simulation was asked for; None of a plant that is given."""
        return self.sim if self.plant is None else None

    @property
    def is_ours(self) -> bool:
        """Whether the plant is a simulation of ours."""
        return self.plant is None and self.sim in OWN

    def to_dict(self) -> dict[str, object]:
        """The settings as plain data, for who reads a recording or a report; without paths of folders."""
        return {
            _name(setting): _word(getattr(self, setting.name))
            for setting in fields(self)
            if setting.metadata["recorded"]
        }


def options() -> dict[str, tuple[Option, object]]:
    """What the command line takes, by its name there, and what it is by default."""
    usual = RunSettings()
    return {
        _name(setting): (option, _word(getattr(usual, setting.name)))
        for setting in fields(RunSettings)
        if (option := setting.metadata["option"])
    }


def from_options(chosen: Mapping[str, object]) -> RunSettings:
    """The settings that somebody typed; raises what :class:`RunSettings` does, and ``NotFoundError``."""
    given = [setting for setting in fields(RunSettings) if _name(setting) in chosen]
    return RunSettings(**{each.name: each.metadata["option"].read(chosen[_name(each)]) for each in given})


def arguments() -> str:
    """The settings as the section of a docstring on arguments has them."""
    return "\n".join(f"    {setting.name}: {setting.metadata['text']}" for setting in fields(RunSettings))


def _name(setting: Field[Any]) -> str:
    """Under which plain data and the command line have it."""
    option: Option | None = setting.metadata["option"]
    return (option and option.name) or setting.name


def _word(value: object) -> object:
    """A setting: names, numbers and lists of numbers as they are, what else as the name of its class."""
    if isinstance(value, (str, Path)):
        return Path(value).name if Path(value).is_absolute() else str(value)
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return list(value)
    if isinstance(value, PlannerSettings):
        return value.planner
    return str(getattr(value, "name", type(value).__name__))


def policy_of(choice: str | Policy) -> Policy:
    """A policy by its name, or as it is given.

    Raises:
        NotFoundError: No policy has this name.
    """
    if isinstance(choice, Policy):
        return choice
    if choice not in POLICIES:
        raise NotFoundError("policy", choice, POLICIES)
    if choice == "null-space":
        return NullSpace()
    known: dict[str, type[Policy]] = {each.name: each for each in (Exclusive, Subsumption, Sum)}
    return known[choice]()
