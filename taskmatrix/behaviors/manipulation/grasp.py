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
from taskmatrix.core.robot.plans import AllowedContact, Trajectory
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

    What takes two hands is grasped with both. Without ``hand`` it finds the hand for which the object is graspable.
    Achieved at once if the object is already held. A robot without fingers holds by affixation; nothing here knows the
    difference. What is too heavy for a motor of the arm is not taken.
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
        wanted = list[Condition]()
        for hand in self._all_hands():
            grasping, graspable = Grasping(self.object, hand), Graspable(self.object, hand, SLACK)
            closing = hand or graspable.evaluate(self.context).values.get("hand")  # the one that would close
            wanted += [grasping | graspable, grasping | ReadyToGrasp(closing)]
        return wanted

    def inconditions(self) -> Sequence[Condition]:
        """Each hand stays at a grasp until it holds the object."""
        return [
            Grasping(self.object, hand) | Graspable(self.object, hand, SLACK, self._touched) for hand in self._closing
        ]

    def required_chains(self) -> Sequence[str] | Failure:
        """Arm and fingers of each hand that closes."""
        context, hands = self.context, self._all_hands()
        self._touched = False
        self._closing: dict[str, tuple[str, Trajectory | None]] = {}  # by hand the grasp, and how it closes
        for hand in hands:
            if not Grasping(self.object, hand).evaluate(context):
                values = Graspable(self.object, hand, SLACK).evaluate(context).values
                name = self.grasp if len(hands) == 1 else None
                self._closing[str(values["hand"])] = name or str(values["grasp"]), None
        return [chain for hand in self._closing for chain in context.skills.chains_of_hand(hand)]

    def plan(self) -> Failure | None:
        """Fit the closing posture to the width of the grasp."""
        skills, seen = self.context.skills, self.context.perception.object(self.object)
        alone = seen.held_by is None
        for hand, (name, _) in self._closing.items():
            grasps = {grasp.name: grasp for grasp in skills.grasps(self.object, hand)}
            if name not in grasps:
                return self.fail(FailureKind.NO_GRASP, f"'{self.object}' has no grasp '{name}' for this hand")
            too_heavy = skills.too_heavy(hand, self.object) if alone else ""
            if too_heavy:
                return self.fail(FailureKind.NOT_ABLE, too_heavy, object=self.object, hand=hand)
            closing = skills.straight(skills.hand_posture(hand, grasps[name].width), self.duration)
            if isinstance(closing, Failure):
                return closing
            self._closing[hand] = name, closing
        self._stood = seen.X_WO.copy()
        self._waited: float | None = None  # [s] since the fingers were told to hold
        self._slip, self._rested = 0.0, 0.0  # [m] of the object in the hands, and [s] for which that is all
        return None

    def step(self) -> Failure | bool:
        """Close the fingers, then wait until the object is held."""
        if not self._closing:
            return True
        skills = self.context.skills
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the fingers are blocked", blocked)
        for hand in self._closing:
            skills.allow_contact(AllowedContact(hand, self.object), hand)
            self._touched = self._touched or any(skills.feel(hand).contact.values())
        ways = [way for _, way in self._closing.values() if way is not None]
        if self._waited is None and self.elapsed < max(way.duration for way in ways) and not self._meet():
            for way in ways:
                self.command(way.indices, *way.sample(self.elapsed + self.context.dt))
            return False
        if self._waited is None:
            for hand in self._closing:
                skills.attach(hand, self.object)
            self._waited = 0.0
        self._waited += self.context.dt
        missing = [hand for hand in self._closing if not Grasping(self.object, hand).evaluate(self.context)]
        if not missing and (self._is_seated() or self._waited > HOLD_TIMEOUT):
            return True
        if self._waited <= HOLD_TIMEOUT:
            return False
        message = f"the {missing[0]} hand has closed, and does not hold '{self.object}'"
        return self.fail(FailureKind.LOST_OBJECT, message, object=self.object, hand=missing[0], waited=self._waited)

    def _all_hands(self) -> tuple[str | None, ...]:
        """The hands that are to hold it: the one asked for, any, or all where it takes two."""
        known = self.context.perception.percepts.get(self.object)
        return (self.hand,) if known is None or known.model.hands == 1 else tuple(self.context.skills.hands[:2])

    def _meet(self) -> bool:
        """Whether fingers press on the object with two links, and turn it: from there they feel their way."""
        turned = pose_error(self._stood, self.context.perception.pose(self.object))[1]
        return turned > TURNED and any(
            bool(np.any(felt.force)) and sum(felt.contact.values()) >= PRESSING
            for felt in map(self.context.skills.feel, self._closing)
        )

    def _is_seated(self) -> bool:
        """Whether the object is at rest in the hands: fingers that press may push it on until they all bear on it."""
        felt = [self.context.skills.feel(hand) for hand in self._closing]
        if not any(np.any(each.force) for each in felt):
            return True
        slip = max(each.slip for each in felt)
        moved = abs(slip - self._slip) > SEATED[0]
        self._slip, self._rested = (slip, 0.0) if moved else (self._slip, self._rested + self.context.dt)
        return self._rested >= SEATED[1]

    def finish(self) -> None:
        """A permission to touch ends with the attempt, and so does a hand's attempt to hold; what is held stays so."""
        skills = self.context.skills
        for hand in self._closing:
            skills.allow_contact(None, hand)
            if self._waited is not None and skills.held(hand) != self.object:
                skills.detach(hand)
