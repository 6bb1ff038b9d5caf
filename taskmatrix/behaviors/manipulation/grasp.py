"""Close a hand on an object that it is at (thesis 4.3.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Graspable, Grasping, ReadyToGrasp
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.requirement import Holds, Requirement
from taskmatrix.core.robot.plans import AllowedContact
from taskmatrix.core.world.geometry import pose_error

SLACK = 0.02  # [m] that the fingers may push the object as they close on it
PRESSING = 2  # links of a hand that touch: it has something between them
TURNED = np.deg2rad(
    2.0
)  # by which closing fingers may turn it: those that meet it first push it on, and the others late
HOLD_TIMEOUT = 2.0  # [s] from the closed fingers to the object that is held
SEATED = (0.0005, 0.15)  # [m] that it moves at most in the hand, within [s], when fingers have found their places on it


class Grasp(TaskBehavior):
    """Close the fingers to the posture of the grasp, and hold the object.

    Fingers that meet the object may push it a little, and need a moment until they hold it; an object that is not held
    then is lost. It is grasped when it is at rest in the hand.

    Without ``hand`` it finds the hand for which the object is graspable. Achieved at once if the object is already
    held. A robot without fingers holds by affixation; nothing here knows the difference. What is too heavy for a motor
    of the arm is not taken.
    """

    object = Parameter(str, doc="id of the object to grasp")
    hand = Parameter(str, default=None, doc="name of the hand; unless given, one that is at a grasp")
    grasp = Parameter(str, default=None, doc="name of the grasp; unless given, the one that the hand is at")
    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time to close the fingers")

    def requirements(self) -> Sequence[Requirement]:
        """A hand for the object."""
        return [Holds(self.object, self.hand)]

    def preconditions(self) -> Sequence[Condition]:
        """Something to grasp with, at something to grasp."""
        grasping, graspable = Grasping(self.object, self.hand), Graspable(self.object, self.hand, SLACK)
        hand = self.hand or graspable.evaluate(self.context).values.get("hand")  # the one that would close
        return [grasping | graspable, grasping | ReadyToGrasp(hand)]

    def inconditions(self) -> Sequence[Condition]:
        """The hand stays at a grasp until it holds the object."""
        if self._held:
            return []
        at = Graspable(self.object, self._hand, SLACK, self._touched)
        return [Grasping(self.object, self._hand) | at]

    def required_chains(self) -> Sequence[str] | Failure:
        """Arm and fingers of the hand."""
        context = self.context
        self._held, self._touched = Grasping(self.object, self.hand).evaluate(context), False
        if self._held:
            return ()
        values = Graspable(self.object, self.hand, SLACK).evaluate(context).values
        self._hand = str(values["hand"])
        self._name = self.grasp or str(values["grasp"])
        return context.skills.chains_of_hand(self._hand)

    def plan(self) -> Failure | None:
        """Fit the closing posture to the width of the grasp."""
        if self._held:
            return None
        skills = self.context.skills
        grasps = {grasp.name: grasp for grasp in skills.grasps(self.object, self._hand)}
        if self._name not in grasps:
            return self.fail(FailureKind.NO_GRASP, f"'{self.object}' has no grasp '{self._name}' for this hand")
        alone = self.context.perception.object(self.object).held_by is None
        too_heavy = skills.too_heavy(self._hand, self.object) if alone else ""
        if too_heavy:
            return self.fail(FailureKind.NOT_ABLE, too_heavy, object=self.object, hand=self._hand)
        closing = skills.straight(skills.hand_posture(self._hand, grasps[self._name].width), self.duration)
        if isinstance(closing, Failure):
            return closing
        self._closing = closing
        self._stood = self.context.perception.pose(self.object).copy()
        self._waited: float | None = None  # [s] since the fingers were told to hold
        self._slip, self._rested = 0.0, 0.0  # [m] of the object in the hand, and [s] for which that is all
        return None

    def step(self) -> Failure | bool:
        """Close the fingers, then wait until the object is held."""
        if self._held:
            return True
        skills = self.context.skills
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the fingers are blocked", blocked)
        skills.allow_contact(AllowedContact(self._hand, self.object), self._hand)
        self._touched = self._touched or any(skills.feel(self._hand).contact.values())
        if self._waited is None and self.elapsed < self._closing.duration and not self._meets():
            self.command(self._closing.indices, *self._closing.sample(self.elapsed + self.context.dt))
            return False
        if self._waited is None:
            skills.attach(self._hand, self.object)
            self._waited = 0.0
        self._waited += self.context.dt
        held = Grasping(self.object, self._hand).evaluate(self.context)
        if held and (self._is_seated() or self._waited > HOLD_TIMEOUT):
            return True
        if self._waited <= HOLD_TIMEOUT:
            return False
        message = f"the {self._hand} hand has closed, and does not hold '{self.object}'"
        return self.fail(FailureKind.LOST_OBJECT, message, object=self.object, hand=self._hand, waited=self._waited)

    def _meets(self) -> bool:
        """Whether fingers press on the object with two links, and turn it: from there they feel their way."""
        felt, X_WO = self.context.skills.feel(self._hand), self.context.perception.pose(self.object)
        presses = bool(np.any(felt.force)) and sum(felt.contact.values()) >= PRESSING
        return presses and pose_error(self._stood, X_WO)[1] > TURNED

    def _is_seated(self) -> bool:
        """Whether the object is at rest in the hand: fingers that press may push it on until they all bear on it."""
        felt = self.context.skills.feel(self._hand)
        if not np.any(felt.force):
            return True
        moved = abs(felt.slip - self._slip) > SEATED[0]
        self._slip, self._rested = (felt.slip, 0.0) if moved else (self._slip, self._rested + self.context.dt)
        return self._rested >= SEATED[1]

    def finish(self) -> None:
        """A permission to touch ends with the attempt, and so does a hand's attempt to hold; what is held stays so."""
        if self._held:
            return
        skills = self.context.skills
        skills.allow_contact(None, self._hand)
        if self._waited is not None and skills.held(self._hand) != self.object:
            skills.detach(self._hand)
