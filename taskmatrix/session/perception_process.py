"""What perceives in a session: nothing, everything, or what a camera sees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import cast

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.robot.plant import WholePlant
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.percept_check import PerceptCheck
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.perception import CameraPerception
from taskmatrix.simulation.sensors import DepthCamera
from taskmatrix.simulation.simulated_plant import Omniscient

ROUNDING = 1e-9  # [s]


class PerceptionProcess(ABC):
    """A perception process of one session; called in every control step.

    Attributes:
        image: The last image that arrived, if there is a camera and any did.
        fault: Why nothing could be perceived last; empty where something was.
    """

    image: DepthImage | None = None
    fault: str = ""

    @abstractmethod
    def __call__(self) -> None:
        """Write what is perceived now to the perceptual model."""

    def close(self) -> None:
        """Release resources, such as a camera."""
        return


class NoPerception(PerceptionProcess):
    """Perceives nothing: what was known stays known."""

    def __call__(self) -> None:
        """Leave the perceptual model as it is."""


class OmniscientProcess(PerceptionProcess):
    """Perceives everything as it is.

    Args:
        plant: Where everything is.
        model: Where it is written.
        clock: The time.
    """

    def __init__(self, plant: WholePlant, model: PerceptualModel, clock: Clock) -> None:
        self._perceive = Omniscient(plant, model, clock)

    def __call__(self) -> None:
        """Write what is perceived now to the perceptual model."""
        self._perceive()


class ReportedProcess(PerceptionProcess):
    """Perceives what somebody else reports.

    Args:
        source: Tells all objects that are known now.
        model: Where it is written.
        clock: The time.
        hands: Names of the hands that may hold an object.
    """

    def __init__(
        self, source: Callable[[], Iterable[Percept]], model: PerceptualModel, clock: Clock, hands: Collection[str]
    ) -> None:
        self._source, self._model, self._clock = source, model, clock
        self._check = PerceptCheck(hands)

    def __call__(self) -> None:
        """Write what is reported now to the perceptual model, which stays as it is where that cannot be.

        Raises:
            ParameterError: It is not made of percepts, or one of them cannot be; see
                :class:`~taskmatrix.core.world.percept_check.PerceptCheck`.
        """
        try:
            percepts = self._check(self._source())
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise
        self.fault = ""
        self._model.update(percepts, self._clock.now())


class CameraProcess(PerceptionProcess):
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
    """

    def __init__(
        self, camera: DepthCamera, perception: CameraPerception, plant: WholePlant, clock: Clock, period: float
    ) -> None:
        self.camera, self.perception, self._plant, self._clock = camera, perception, plant, clock
        self._period, self._next = period, clock.now()
        self._readers: list[Callable[[DepthImage], None]] = []

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
        """Do nothing: it uses no resources."""
