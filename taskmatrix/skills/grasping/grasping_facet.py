"""Skills 9 and 11: grasps, and what the hands hold."""

from __future__ import annotations

from collections.abc import Mapping

from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.world.objects import Grasp

from ..shared_state import SharedState


class GraspingFacet(SharedState):
    """Implements :class:`~taskmatrix.core.robot.skills.grasping.GraspingSkills`."""

    def grasps(self, object: str, hand: str) -> tuple[Grasp, ...]:
        """The object's grasps that the hand is wide enough for; found ones if it is graspable and has no table."""
        return self._grasps.grasps(self._hand(hand).name, self._perception.object(object).model)

    def hand_posture(self, hand: str, width: float | None) -> Mapping[int, float]:
        """Positions of the fingers for closing on ``width`` [m]; None: wide open."""
        found = self._hand(hand)
        named = found.open if width is None else found.closing(width)
        return {self.robot.joints.index(joint): position for joint, position in named.items()}


class AttachmentFacet(SharedState):
    """Implements :class:`~taskmatrix.core.robot.skills.attachment.AttachmentSkills`."""

    def feel(self, hand: str) -> HandState:
        """What the sensors of a hand say."""
        return self._plant.feel()[self._hand(hand).name]

    def attach(self, hand: str, object: str) -> None:
        """Make the hand hold the object."""
        self._perception.object(object)
        self._plant.attach(self._hand(hand).name, object)

    def detach(self, hand: str) -> None:
        """Let go of what the hand holds."""
        self._plant.detach(self._hand(hand).name)

    def slide(self, hand: str, object: str | None) -> None:
        """Let the object slide as the hand pushes it."""
        self._plant.slide(self._hand(hand).name, object)
