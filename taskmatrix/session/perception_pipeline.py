"""What a robot perceives its world with: everything at once, a camera, or a camera that also maps space."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.robot.plant import Plant, SeeingPlant, TruthfulPlant, WholePlant
from taskmatrix.core.world.objects import ObjectModel
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.perception import CameraPerception
from taskmatrix.perception.octree import Octree
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.sensors import DepthCamera, Faults

from .perception_process import CameraProcess, OmniscientProcess, PerceptionProcess, ReportedProcess


class KnownObjects:
    """Notes each object when it is first perceived, and tells it by an event ``object`` to who shows or records.

    Args:
        perception: What is perceived.
        events: Where it is told.
        world: Ids of objects that everybody knows.
    """

    def __init__(self, perception: PerceptualModel, events: EventStream, world: Collection[str] = ()) -> None:
        self._perception, self._events, self._world = perception, events, world
        self._known: dict[str, Percept] = {}

    @property
    def percepts(self) -> tuple[Percept, ...]:
        """All that was ever perceived and is not in the world, each as it was first."""
        return tuple(self._known.values())

    def note(self, tell: bool) -> None:
        """Note what is perceived now for the first time.

        Args:
            tell: Whether anybody wants to see it: surfaces take their time.
        """
        for id, percept in self._perception.percepts.items():
            if id not in self._known and id not in self._world:
                self._known[id] = percept
                if tell:
                    self._tell(percept)

    def _tell(self, percept: Percept) -> None:
        from .recording import surfaces  # noqa: PLC0415 - loaded by those who record or view

        self._events.emit("object", "perception", **surfaces(percept))


Known = Literal["fixed", "all"]
FAR = (0.2, 4.0)
"""[m] What a camera measures that maps space, where the adapter does not say: with the 1.5 m of the thesis no robot of
the size of a person sees more than a hand's breadth of floor beyond the one that it stands on."""


@dataclass(frozen=True, eq=False)
class PipelineInputs:
    """What a session gives its perception to work with."""

    robot: Robot
    """Who perceives."""
    world: World
    """What there is."""
    plant: WholePlant
    """Where it is."""
    model: PerceptualModel
    """Where it is written."""
    events: EventStream
    """Where it is told."""
    clock: Clock
    """The time."""
    seed: int
    """Of whatever is random."""


class PerceptionPipeline(ABC):
    """A way of perceiving, for ``simulate(perception=...)``."""

    @abstractmethod
    def open(self, inputs: PipelineInputs) -> PerceptionProcess:
        """Start a perception process."""

    def check(self, plant: Plant) -> None:
        """Look whether a plant tells what this way of perceiving is made from.

        Raises:
            ParameterError: It does not.
        """
        return

    def equip(self, robot: Robot) -> Robot:
        """The robot with the camera that this way of perceiving takes; as it is, unless that is asked for."""
        return robot

    def map(self) -> Octree | None:
        """A map to keep of what the camera sees, still empty; None to keep none."""
        return None


class OmniscientPipeline(PerceptionPipeline):
    """Knows where everything is at any time."""

    def check(self, plant: Plant) -> None:
        """Look whether a plant tells where all objects are."""
        _check(plant, SeeingPlant, "omniscient perception", "observe()")

    def open(self, inputs: PipelineInputs) -> PerceptionProcess:
        """Start a perception process."""
        return OmniscientProcess(inputs.plant, inputs.model, inputs.clock)


class ReportedPipeline(PerceptionPipeline):
    """Knows what somebody else reports.

    Args:
        source: Tells all objects that are known now; called in every control step.
    """

    name = "reported"

    def __init__(self, source: Callable[[], Iterable[Percept]]) -> None:
        self._source = source

    def open(self, inputs: PipelineInputs) -> PerceptionProcess:
        """Start a perception process."""
        return ReportedProcess(self._source, inputs.model, inputs.clock, inputs.robot.hands)


class CameraPipeline(PerceptionPipeline):
    """Sees with the depth camera on the robot's head (thesis 5.4).

    Args:
        rate: [1/s] Images taken; the control loop is faster, and goes on with what was seen last.
        faults: What goes wrong with the images; nothing unless given.
        known: What the robot knows to begin with: ``fixed``, the furniture and whatever else stays where it is;
            ``all`` that is there; or ids.
        unmodelled: Ids of objects that nobody described to the robot: it perceives the points that it sees of them.
        solid: Whether the robot's own body hides what is behind it.
        range: [m] The nearest and the furthest that is measured; as the adapter says, or the thesis, unless given.
        field_of_view: [rad] Vertical; likewise.

    Raises:
        ParameterError: The rate is not above zero, ``known`` is a word that means nothing, or there is no such lens.
    """

    def __init__(
        self,
        rate: float = 5.0,
        faults: Faults | None = None,
        known: Known | Collection[str] = "fixed",
        unmodelled: Collection[str] = (),
        solid: bool = True,
        range: tuple[float, float] | None = None,
        field_of_view: float | None = None,
    ) -> None:
        if not rate > 0.0:
            raise ParameterError(f"a camera takes more than zero images a second, not {rate}")
        if isinstance(known, str) and known not in ("fixed", "all"):
            raise ParameterError(f"known is 'fixed', 'all' or ids of objects, not '{known}'")
        if range is not None and not 0.0 < range[0] < range[1] < math.inf:
            raise ParameterError(f"range is the nearest and the furthest that is measured, in metres, not {range}")
        if field_of_view is not None and not 0.0 < field_of_view < math.pi:
            raise ParameterError(f"a field of view is from 0 to pi, not {field_of_view} rad")
        self._rate, self._faults, self._solid = rate, faults, solid
        self._known, self._unmodelled = known, unmodelled
        self._range, self._field_of_view = range, field_of_view

    def check(self, plant: Plant) -> None:
        """Look whether a plant tells what a simulated camera draws."""
        _check(plant, TruthfulPlant, "a simulated camera", "truth()")

    def equip(self, robot: Robot) -> Robot:
        """The robot with a camera of the range and the field of view that were asked for."""
        view = robot.view
        if view is None or (self._range is None and self._field_of_view is None):
            return robot
        range, field_of_view = self._range or view.range, self._field_of_view or view.field_of_view
        return replace(robot, view=replace(view, range=range, field_of_view=field_of_view))

    def open(self, inputs: PipelineInputs) -> CameraProcess:
        """Start to perceive.

        Raises:
            ParameterError: The robot has no view.
            NotFoundError: Something is to be known, or strange, that is not in the world.
        """
        world = inputs.world
        fixed = [id for id in world.objects if _stays(world, id)]
        known = {"fixed": fixed, "all": world.objects}[self._known] if isinstance(self._known, str) else self._known
        for id in (*known, *self._unmodelled):
            if id not in world.objects:
                raise NotFoundError("object", id, world.objects, f"world '{world.name}'")
        catalogue = self._catalogue(world, fixed)
        start = {id: world.poses[id] for id in catalogue if id in known}
        left = () if self.map() is None else [id for id in world.objects if id not in catalogue]
        perception = CameraPerception(inputs.robot, inputs.model, catalogue, start, fixed, inputs.events, left)
        camera = DepthCamera(inputs.robot, world, self._faults, inputs.seed, solid=self._solid)
        return CameraProcess(camera, perception, inputs.plant, inputs.clock, 1.0 / self._rate)

    def _catalogue(self, world: World, fixed: Collection[str]) -> dict[str, ObjectModel]:
        """The objects that somebody described to the robot, by id."""
        return {id: object for id, object in world.objects.items() if id not in self._unmodelled}


class MapPipeline(CameraPipeline):
    """Sees with that camera too, and keeps a map of space from the same images (thesis 4.3.6, 5.4).

    It knows of nothing where it is. What does not stay where it is, and what lies about, it recognises when it sees it,
    and writes into the perceptual model; furniture and walls are in the map and nowhere else.

    Args:
        rate: [1/s] Images taken.
        faults: What goes wrong with the images; nothing unless given.
        unmodelled: Ids of objects that nobody described to the robot: they are in the map as furniture is.
        solid: Whether the robot's own body hides what is behind it.
        range: [m] The nearest and the furthest that is measured; as the adapter says, or :data:`FAR`, unless given.
        field_of_view: [rad] Vertical; as the adapter says, or the thesis, unless given.
        resolution: [m] Side of a cell of the map, and the height of the floor's layer.

    Raises:
        ParameterError: The rate or the resolution is not above zero, or there is no such lens.
    """

    def __init__(
        self,
        rate: float = 5.0,
        faults: Faults | None = None,
        unmodelled: Collection[str] = (),
        solid: bool = True,
        range: tuple[float, float] | None = None,
        field_of_view: float | None = None,
        resolution: float = 0.025,
    ) -> None:
        super().__init__(rate, faults, (), unmodelled, solid, range, field_of_view)
        if not 0.0 < resolution < math.inf:
            raise ParameterError(f"the resolution of a map must be above zero, not {resolution} m")
        self._resolution = resolution

    def equip(self, robot: Robot) -> Robot:
        """The robot with a camera that sees the floor around it."""
        robot = super().equip(robot)
        if robot.view is None or robot.view.range is not None:
            return robot
        return replace(robot, view=replace(robot.view, range=FAR))

    def map(self) -> Octree:
        """A map of nothing."""
        return Octree(self._resolution, self._resolution)

    def _catalogue(self, world: World, fixed: Collection[str]) -> dict[str, ObjectModel]:
        return {id: object for id, object in super()._catalogue(world, fixed).items() if id not in fixed}


PIPELINES: Mapping[str, Callable[[], PerceptionPipeline]] = {
    "omniscient": OmniscientPipeline,
    "camera": CameraPipeline,
    "map": MapPipeline,
}
"""By their names on the command line."""


def pipeline_of(perception: str | PerceptionPipeline) -> PerceptionPipeline:
    """A way of perceiving by its name, or as it is given.

    Raises:
        NotFoundError: There is none of this name.
    """
    if isinstance(perception, PerceptionPipeline):
        return perception
    if perception not in PIPELINES:
        raise NotFoundError("perception", perception, PIPELINES)
    return PIPELINES[perception]()


def _check(plant: Plant, kind: type, who: str, what: str) -> None:
    if not isinstance(plant, kind):
        raise ParameterError(
            f"{who} takes what is there from the plant, and {type(plant).__name__} has no {what}; "
            "connect(robot, plant, perception=...) takes what you perceive"
        )


def _stays(world: World, id: str) -> bool:
    """Whether an object is furniture, say: solid, not movable, and not moving by itself."""
    model = world.objects[id]
    return not model.movable and id not in world.scripts and any(shape.collides for shape in model.shapes)
