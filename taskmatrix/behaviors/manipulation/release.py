"""Let go of an object (thesis 4.3.4)."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.conditions import Graspable, Grasping, Inside, RestingOn
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.requirement import Hands, HasHand, Requirement
from taskmatrix.core.robot.plans import AllowedContact

from ..common.limbs import hands_with
from .withdrawal import Withdrawal


class Release(Withdrawal):
    """Open the fingers round an object, hold it no longer, and take the hand away from it; it stays where it is.

    Of two hands that hold it both let go. With ``on`` or ``into`` it lets go only of what rests there: not of what was
    pushed off it meanwhile, say. The hand goes back the way on which hands come to a grasp, until it is clear of the
    object. Where there is less room it stops earlier, which is no failure: the event ``retreat`` tells how far it went,
    and what was in the way.
    """

    object = Parameter(str, default=None, doc="id of the object to let go; what a hand holds unless given")
    on = Parameter(str, default=None, doc="id of what the object is to rest on; anything, or nothing, unless given")
    into = Parameter(str, default=None, doc="id of what the object is to be in; of nothing unless given")
    using = Parameter(str, default=None, doc="name of the hand; the one that holds it unless given")
    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time to open the fingers, and to retreat")

    hand = Output(str, doc="name of the hand that held it")
    grasp = Output(str, doc="name of the grasp in which it was held")

    def requirements(self) -> Sequence[Requirement]:
        """The hand, or any."""
        return [Hands() if self.using is None else HasHand(self.using)]

    def preconditions(self) -> Sequence[Condition]:
        """The object is held; by the hand named, unless that is empty because another has taken it over."""
        if self.object is None:
            return [Grasping(hand=self.using)]
        if self.using is None:
            return [Grasping(self.object)]
        return [Grasping(self.object), Grasping(self.object, self.using) | ~Grasping(hand=self.using)]

    def inconditions(self) -> Sequence[Condition]:
        """The hand that holds it does so until it lets go, and it rests where it should."""
        held: list[Condition] = [Grasping(self._held, hand) for hand in self._hands] if self._holds else []
        held += [] if self.on is None else [RestingOn(self._held, self.on)]
        return held if self.into is None else [*held, Inside(self._held, self.into)]

    def required_chains(self) -> Sequence[str] | Failure:
        """Arm and fingers of the hand, and the trunk if it is free."""
        grasping = Grasping(self.object, None if self.object else self.using).evaluate(self.context).values
        hand, self._held = self.using or str(grasping["hand"]), str(grasping["object"])
        self._holds = self.context.skills.held(hand) == self._held
        self._hands = hands_with(self.context, hand) if self._holds else (hand,)
        return self.chains_to_withdraw()

    def plan(self) -> Failure | None:
        """Open as wide as before a grasp, and plan the way back meanwhile."""
        skills = self.context.skills
        postures = [skills.hand_posture(hand, None) for hand in self._hands]
        opening = skills.straight({k: v for each in postures for k, v in each.items()}, self.duration)
        if isinstance(opening, Failure):
            return opening
        self._opening, self._opened, self._announced = opening, False, False
        return self.plan_withdrawal(self.duration, self._hands[0])

    def step(self) -> Failure | bool:
        """Open, let go, and retreat."""
        skills = self.context.skills
        if not self._announced:
            at = Graspable(self._held, self._hands[0]).evaluate(self.context)
            self.publish(hand=self._hands[0], grasp=at.values.get("grasp"))
            self._announced = True
        if self._opened:
            return self.withdraw()
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the fingers are blocked", blocked)
        for hand in self._hands:
            skills.allow_contact(AllowedContact(hand, self._held), hand)
        if self.elapsed < self._opening.duration:
            self.command(self._opening.indices, *self._opening.sample(self.elapsed + self.context.dt))
            return False
        if self._holds:
            for hand in self._hands:
                skills.detach(hand)
            self._holds = False
            return False
        self._opened = all(skills.held(hand) != self._held for hand in self._hands)
        return False
