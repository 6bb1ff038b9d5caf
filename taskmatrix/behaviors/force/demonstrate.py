"""Be shown a motion by the hand."""

from __future__ import annotations

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.world.objects import Array

from ..along.demonstration import Demonstration, axes_now, file_of, moved_pose
from .guide import Guide


class Demonstrate(Guide):
    """Let a person lead the hand, and keep the way as a demonstration that :class:`~.imitate.Imitate` goes again.

    What is kept is the way of the hand, or of the object that it holds: from where it was, along the axes of the
    robot, or relative to the robot, the world or an object. Any robot can go it, with its own arm. It is written to
    ``demonstrations/NAME.toml`` below the working folder when the hand has been left alone; where nobody leads it,
    nothing is written.
    """

    demonstration = Parameter(str, doc="name under which it is kept")
    relative_to = Parameter(str, default="hand", doc="to what: hand, robot, world, or the id of an object")

    def plan(self) -> Failure | None:
        """Begin where the hand is, if what is shown can be kept."""
        try:
            file_of(self.demonstration)
            self._object = self.context.skills.held(self.hand)
            self._axes = axes_now(self.context, self.relative_to, self._moved())
        except ParameterError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        self._times, self._poses = list[float](), list[Array]()
        return super().plan()

    def step(self) -> Failure | bool:
        """Note where the hand is, and float on."""
        self._times.append(self.elapsed)
        self._poses.append(self._axes.shown(self._moved()))
        return super().step()

    def achieved(self) -> Failure | bool:
        """Write what was shown."""
        try:
            Demonstration.of(self.relative_to, self._object, self._times, self._poses).save(self.demonstration)
        except ParameterError as error:
            return self.fail(FailureKind.NOT_ACHIEVED, str(error))
        return super().achieved()

    def _moved(self) -> Array:
        return moved_pose(self.context, self.hand, self._object)
