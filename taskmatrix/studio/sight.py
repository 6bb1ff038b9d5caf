"""What a robot perceives its world with: everything at once, or a camera."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Literal, cast

from taskmatrix.core.clock import Clock
from taskmatrix.core.depth_image import DepthImage
from taskmatrix.core.errors import NotFoundError, ParameterError
from taskmatrix.core.events import EventStream
from taskmatrix.core.perception import PerceptualModel
from taskmatrix.core.plant import Plant
from taskmatrix.perception import CameraPerception
from taskmatrix.robots import Robot
from taskmatrix.simulation.omniscient import Omniscient
from taskmatrix.simulation.sensors import DepthCamera, Faults
from taskmatrix.simulation.world import World

Known = Literal["fixed", "all"]
ROUNDING = 1e-9  # [s]


class Eyes(ABC):
    """A perception process of one session; called in every control step."""

    @abstractmethod
    def __call__(self) -> None:
        """Perceive."""

    def close(self) -> None:
        """Give back what it uses."""
        return


class Blind(Eyes):
    """Perceives nothing: what was known stays known."""

    def __call__(self) -> None:
        """Do nothing."""


class Sight(ABC):
    """A way of perceiving, for ``simulate(perception=...)``."""

    @abstractmethod
    def open(
        self,
        robot: Robot,
        world: World,
        plant: Plant,
        model: PerceptualModel,
        events: EventStream,
        clock: Clock,
        seed: int,
    ) -> Eyes:
        """Start to perceive.

        Args:
            robot: Who perceives.
            world: What there is.
            plant: Where it is.
            model: Where it is written.
            events: Where it is told.
            clock: The time.
            seed: Of whatever is random.
        """


class OmniscientSight(Sight):
    """Knows where everything is at any time."""

    def open(
        self,
        robot: Robot,
        world: World,
        plant: Plant,
        model: PerceptualModel,
        events: EventStream,
        clock: Clock,
        seed: int,
    ) -> Eyes:
        """Start to perceive."""
        return _AllSeeing(plant, model, clock)


class CameraSight(Sight):
    """Sees with the depth camera on the robot's head (thesis 5.4).

    Args:
        rate: [1/s] Images taken; the control loop is faster, and goes on with what was seen last.
        faults: What goes wrong with the images; nothing unless given.
        known: What the robot knows to begin with: ``fixed``, the furniture and whatever else stays where it is;
            ``all`` that is there; or ids.
        strange: Ids of objects that nobody described to the robot: it perceives the points that it sees of them.
        solid: Whether the robot's own body hides what is behind it.

    Raises:
        ParameterError: The rate is not above zero, or ``known`` is a word that means nothing.
    """

    def __init__(
        self,
        rate: float = 5.0,
        faults: Faults | None = None,
        known: Known | Collection[str] = "fixed",
        strange: Collection[str] = (),
        solid: bool = True,
    ) -> None:
        if not rate > 0.0:
            raise ParameterError(f"a camera takes more than zero images a second, not {rate}")
        if isinstance(known, str) and known not in ("fixed", "all"):
            raise ParameterError(f"known is 'fixed', 'all' or ids of objects, not '{known}'")
        self._rate, self._faults, self._solid = rate, faults, solid
        self._known, self._strange = known, strange

    def open(
        self,
        robot: Robot,
        world: World,
        plant: Plant,
        model: PerceptualModel,
        events: EventStream,
        clock: Clock,
        seed: int,
    ) -> CameraEyes:
        """Start to perceive.

        Raises:
            ParameterError: The robot has no view.
            NotFoundError: Something is to be known, or strange, that is not in the world.
            MissingDependencyError: PyBullet is not installed.
        """
        fixed = [id for id in world.objects if _stays(world, id)]
        known = {"fixed": fixed, "all": world.objects}[self._known] if isinstance(self._known, str) else self._known
        for id in (*known, *self._strange):
            if id not in world.objects:
                raise NotFoundError("object", id, world.objects, f"world '{world.name}'")
        catalogue = {id: object for id, object in world.objects.items() if id not in self._strange}
        start = {id: world.poses[id] for id in catalogue if id in known}
        perception = CameraPerception(robot, model, catalogue, start, fixed, events)
        camera = DepthCamera(robot, world, self._faults, seed, solid=self._solid)
        return CameraEyes(camera, perception, plant, clock, 1.0 / self._rate)


class CameraEyes(Eyes):
    """A camera and what makes objects of its images, each at its own rate.

    Args:
        camera: The camera.
        perception: What its images go to.
        plant: Where the camera is, and what is in front of it.
        clock: The time.
        period: [s] Between images.

    Attributes:
        camera: The camera.
        perception: What makes objects of its images.
        image: The last one that arrived, if any did.
    """

    def __init__(
        self, camera: DepthCamera, perception: CameraPerception, plant: Plant, clock: Clock, period: float
    ) -> None:
        self.camera, self.perception, self._plant, self._clock = camera, perception, plant, clock
        self._period, self._next = period, clock.now()
        self._readers: list[Callable[[DepthImage], None]] = []
        self.image: DepthImage | None = None

    def subscribe(self, reader: Callable[[DepthImage], None]) -> None:
        """Call somebody else, too, with every image that arrives."""
        self._readers.append(reader)

    def __call__(self) -> None:
        """Perceive: take an image if it is time for one."""
        now, truth = self._clock.now(), self._plant.truth()
        self.perception.move(self._plant.sense().q, cast(Mapping[str, str], truth["held"]), now)
        if now >= self._next - ROUNDING:
            self._next += self._period * (1 + int((now - self._next + ROUNDING) / self._period))
            image = self.camera.take(truth, now)
            if image is not None:
                self.image = image
                self.perception.see(image)
                for reader in self._readers:
                    reader(image)
        self.perception.write()

    def close(self) -> None:
        """Close the camera."""
        self.camera.close()


class _AllSeeing(Eyes):
    def __init__(self, plant: Plant, model: PerceptualModel, clock: Clock) -> None:
        self._perceive = Omniscient(plant, model, clock)

    def __call__(self) -> None:
        self._perceive()


SIGHTS: Mapping[str, Callable[[], Sight]] = {"omniscient": OmniscientSight, "camera": CameraSight}
"""By their names on the command line."""


def sight_of(perception: str | Sight) -> Sight:
    """A way of perceiving by its name, or as it is given.

    Raises:
        NotFoundError: There is none of this name.
    """
    if isinstance(perception, Sight):
        return perception
    if perception not in SIGHTS:
        raise NotFoundError("perception", perception, SIGHTS)
    return SIGHTS[perception]()


def _stays(world: World, id: str) -> bool:
    """Whether an object is furniture, say: solid, not movable, and not moving by itself."""
    model = world.objects[id]
    return not model.movable and id not in world.scripts and any(shape.collides for shape in model.shapes)
