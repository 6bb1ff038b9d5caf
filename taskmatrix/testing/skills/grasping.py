"""Skills 9 and 11 of the fake robot."""

from __future__ import annotations

from collections.abc import Mapping

from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.world.objects import Grasp

from ..fake_robot import OPEN
from .body import FakeBody
from .state import FakeState


class FakeGrasping(FakeBody):
    """Implements :class:`~taskmatrix.core.robot.skills.grasping.GraspingSkills`."""

    def grasps(self, object: str, hand: str) -> tuple[Grasp, ...]:
        """The object's grasps that the hand is wide enough for."""
        return tuple(grasp for grasp in self._perception.object(object).model.grasps if grasp.width <= OPEN)

    def hand_posture(self, hand: str, width: float | None) -> Mapping[int, float]:
        """Fingers that far apart, or open."""
        return {int(self.joints(f"{hand}_hand")[0]): OPEN if width is None else width}


class FakeAttachment(FakeState):
    """Implements :class:`~taskmatrix.core.robot.skills.attachment.AttachmentSkills`."""

    def feel(self, hand: str) -> HandState:
        """What the plant's sensors say."""
        self.robot.arm(hand)
        return self._plant.feel()[hand]

    def attach(self, hand: str, object: str) -> None:
        """Make the hand hold the object."""
        self._plant.attach(hand, object)

    def detach(self, hand: str) -> None:
        """Let go."""
        self._plant.detach(hand)

    def slide(self, hand: str, object: str | None) -> None:
        """Let the object slide as the hand pushes it, where the plant has to be told."""
        self._plant.slide(hand, object)

    def held(self, hand: str) -> str | None:
        """Id of the object that is perceived in the hand."""
        self.robot.arm(hand)
        return next((name for name, seen in self._perception.percepts.items() if seen.held_by == hand), None)
