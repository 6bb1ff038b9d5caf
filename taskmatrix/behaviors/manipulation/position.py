"""Take what a hand holds to a place (thesis 4.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.conditions import Above, Grasping, Inside, Near, RestingOn
from taskmatrix.core.base.errors import NotFoundError, not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.inversion import UP
from taskmatrix.core.behavior.requirement import Hands, Requirement
from taskmatrix.core.robot.plans import HandGoal
from taskmatrix.core.world.geometry import box_distance, inverse, pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import Symmetry, symmetry_of

from ..common.kept import at_odds
from ..common.limbs import hands_with
from ..common.tolerances import AT_PLACE
from .hand_motion import HandMotion
from .ways_in import fits, ways_in

SAMPLES = 60  # poses of the object that are offered to the planner
OVER = 0.035  # [m] at most between the task frame and what it is held over
DESCENT = 0.06  # [m] of the approach, straight down
CLOSE = 0.05  # [m] what is so close to a place may be in the way of it
ANOTHER_PLACE = 0.03  # [m] seen from above, from where the object is, and a place on a support is another one
UNDER = 0.01  # [m] what is so close below a place carries it
TURNS = 60  # of a ball that are drawn for each place
LEVEL = 0.2  # [-] upward part of a hand's z with which it does not come from below yet


class Position(HandMotion):
    """Drive the robot without collision to where the object that it holds is at its goal.

    The goal is a symbol - ``on`` a support, ``into`` what has an inside, or with its task frame ``above`` something
    - or a place in the world. A symbol is turned into poses by inverting conditions; the planner takes one that it
    can reach. What looks the same however it is turned, a ball, may be turned on the way. What is ``on`` the
    support already goes to another place there, if there is room. The object is lifted off what it stands on first,
    and set down straight from above; what has an inside it enters straight from wherever that is open.
    """

    needs = ("base",)

    object = Parameter(str, default=None, doc="id of the object; what a hand holds unless given")
    on = Parameter(str, default=None, doc="id of the object to put it on")
    up = Parameter(str, default=None, choices=UP, doc="which of its axes is up there; z unless given")
    into = Parameter(str, default=None, doc="id of the object to put it into: a drawer, a cupboard, a tray")
    at = Parameter(str, default=None, doc="name of the shelf of that: one of its frames; any unless given")
    above = Parameter(str, default=None, doc="id of the object over which to hold it")
    frame = Parameter(str, default=None, doc="task frame of the object to hold there; its bounding box unless given")
    x = Parameter(float, default=None, doc="[m] of the object's origin in the world")
    y = Parameter(float, default=None, doc="[m]")
    z = Parameter(float, default=None, doc="[m]")
    yaw = Parameter(float, default=None, doc="[rad] of the object about the vertical; any unless given")

    hand = Output(str, doc="name of the hand that holds it")

    def requirements(self) -> Sequence[Requirement]:
        """A hand to hold it with."""
        return [*super().requirements(), Hands()]

    def preconditions(self) -> Sequence[Condition]:
        """The object is held."""
        return [Grasping(self.object)]

    def required_chains(self) -> Sequence[str] | Failure:
        """The trunk, arm and fingers of the hand, and the other arm if it holds something."""
        goals = [name for name in ("on", "into", "above") if getattr(self, name) is not None]
        if any(value is not None for value in (self.x, self.y, self.z)):
            goals.append("x, y, z")
        if len(goals) != 1:
            given = " and ".join(goals) or "none of them"
            return self.fail(FailureKind.PARAMETER, f"one of on, into, above, or x, y and z says where; given: {given}")
        if self.frame is not None and self.above is None:
            return self.fail(FailureKind.PARAMETER, f"frame says what to hold above something; given: {goals[0]}")
        if self.at is not None and self.into is None:
            return self.fail(
                FailureKind.PARAMETER, f"at says on which shelf to put it into something; given: {goals[0]}"
            )
        if self.up is not None and self.on is None:
            message = f"up says how to put it on something; given: {goals[0]}"
            return self.fail(FailureKind.PARAMETER, message)
        why = at_odds(self.keep, self.tilt, self.up)
        if why:
            return self.fail(FailureKind.PARAMETER, why)
        support = self.subject()
        if support is not None and support not in self.context.perception:
            message = not_found("object", support, self.context.perception.percepts)
            return self.fail(FailureKind.UNKNOWN_OBJECT, message)
        skills, grasping = self.context.skills, Grasping(self.object).evaluate(self.context).values
        self._held = str(grasping["object"])
        self.hands = hands_with(self.context, str(grasping["hand"]))
        mine = [chain for hand in self.hands for chain in skills.chains_of_hand(hand)]
        return [*self.trunk(), *mine, *self.arms_to_move_first()]

    def step(self) -> Failure | bool:
        """Follow the plan, as long as the object is held."""
        lost = [hand for hand in self.hands if self.context.skills.held(hand) != self._held]
        for hand in lost[:1]:
            message = f"the {hand} hand does not hold '{self._held}' any more"
            return self.fail(FailureKind.LOST_OBJECT, message, object=self._held, hand=hand)
        return super().step()

    def achieved(self) -> Failure | bool:
        """Whether the object is at its place in the world, if it has one: it may have stayed behind the hand."""
        if self.x is None or self.y is None or self.z is None:
            return True
        X_WO = self.context.perception.pose(self._held)
        yaw = float(np.arctan2(X_WO[1, 0], X_WO[0, 0])) if self.yaw is None else self.yaw
        off, tilt = pose_error(pose((self.x, self.y, self.z), (0.0, 0.0, yaw)), X_WO)
        if self.yaw is None and self.carried()[1].kind == "sphere":
            tilt = 0.0
        if off <= AT_PLACE[0] and tilt <= AT_PLACE[1]:
            return True
        message = f"'{self._held}' is {off * 100:.1f} cm and {np.rad2deg(tilt):.1f} deg from its place"
        return self.fail(FailureKind.NOT_ACHIEVED, message, object=self._held, off=off, angle=tilt)

    def subject(self) -> str | None:
        """What the object is to be on or above."""
        return self.on or self.into or self.above

    def condition(self) -> Condition | None:
        """What holds at the goal; None for a place in the world."""
        if self.on is not None:
            return RestingOn(self._held, self.on, self.up)
        if self.into is not None:
            return Inside(self._held, self.into, self.at)
        if self.above is not None:
            frame = self.frame
            return Above(self._held, self.above, frame=frame) & Near(self._held, self.above, OVER, frame=frame)
        return None

    def goals(self) -> Sequence[HandGoal] | Failure:
        """The hand where it has the object at one of the poses that satisfy the condition."""
        poses = self._poses()
        if isinstance(poses, Failure):
            return poses
        X_HO = self.carried()[0]
        if self.into is not None:
            return self._goals_inside(poses, X_HO)
        below = self.subject() or self._support(poses[0])
        set_down = self.above is None and below is not None
        hand, X_OH, down = self.hands[0], inverse(X_HO), np.array([0.0, 0.0, -1.0])
        length = DESCENT if set_down else 0.0
        return [
            self._with_all_hands(HandGoal(hand, X_WO @ X_OH, self._held, below, length, down, releases=set_down))
            for X_WO in self._turned(poses, X_OH)
        ]

    def _with_all_hands(self, goal: HandGoal) -> HandGoal:
        """A goal of the hand that holds the object, with where the other hand is then that holds it too."""
        if len(self.hands) == 1:
            return goal
        one, other = (self.context.skills.forward_kinematics(hand) for hand in self.hands)
        X_HO = inverse(one) @ other
        return replace(goal, partner=replace(goal, hand=self.hands[1], X_WH=goal.X_WH @ X_HO))

    def _goals_inside(self, poses: Sequence[Array], X_HO: Array) -> Sequence[HandGoal] | Failure:
        """The hand at the end of the ways on which the object comes to these poses."""
        perception, into = self.context.perception, str(self.into)
        container, thing = perception.object(into), perception.object(self._held)
        goals, first = list[HandGoal](), list[HandGoal]()
        for X_WO in self._turned(poses, inverse(X_HO)):
            X_WH = X_WO @ inverse(X_HO)
            for direction, length in ways_in(container, thing, X_WO):
                goal = self._with_all_hands(
                    HandGoal(self.hands[0], X_WH, self._held, into, length, direction, releases=True)
                )
                (first if fits(direction, X_WH) else goals).append(goal)
        goals = first or goals
        if not goals:
            message = f"there is no straight way into '{into}' for '{self._held}'"
            return self.fail(FailureKind.NO_PLACE, message, object=self._held, into=into)
        return goals

    def carried(self) -> tuple[Array, Symmetry]:
        """Pose X_HO (4, 4) of the object in the hand, as it is perceived, and its symmetry."""
        X_WH, percept = (
            self.context.skills.forward_kinematics(self.hands[0]),
            self.context.perception.object(self._held),
        )
        return inverse(X_WH) @ percept.X_WO, symmetry_of(percept.model.shapes)

    def vanished(self, subject: str) -> Failure | bool:
        """Debris that was sucked up on the way was where the plan goes; a support that is gone is none."""
        return False if subject == self.above else super().vanished(subject)

    def announce(self, goal: HandGoal) -> None:
        """Publish which hand the plan takes to its goal."""
        self.publish(hand=goal.hand)

    def _poses(self) -> Sequence[Array] | Failure:
        condition = self.condition()
        if condition is None:
            return self._place()
        try:
            poses = condition.sample(self.context, SAMPLES * (3 if self.into else 1), self.random, self.yaw)
        except NotFoundError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        if not poses:
            message = f"no pose of '{self._held}' was found for {condition}{self._neighbours()}"
            return self.fail(FailureKind.NO_PLACE, message)
        here = self.context.perception.pose(self._held)[:2, 3]  # seen from above: what was picked up was lifted
        others = [X_WO for X_WO in poses if np.linalg.norm(X_WO[:2, 3] - here) > ANOTHER_PLACE]
        return others if (self.on or self.into) is not None and others else poses

    def _turned(self, poses: Sequence[Array], X_OH: Array) -> list[Array]:
        """The poses X_WO; of a ball, two of three turned, because nobody sees a difference.

        Of these one has the hand anywhere but below the object, and one as far above it as can be.
        """
        symmetry = symmetry_of(self.context.perception.object(self._held).model.shapes)
        if symmetry.kind != "sphere" or self.yaw is not None:
            return list(poses)
        turns = symmetry.rotations(TURNS * len(poses), self.random).reshape(len(poses), TURNS, 4, 4)
        turned = []
        for number, X_WO in enumerate(poses):
            upward = (X_WO @ turns[number] @ X_OH)[:, 2, 2]
            choice = {0: None, 1: int(np.argmax(upward <= LEVEL)), 2: int(upward.argmin())}[number % 3]
            turned.append(X_WO if choice is None else X_WO @ turns[number, choice])
        return turned

    def _neighbours(self) -> str:
        """What stands where there is no room, in words."""
        percepts, subject = self.context.perception.percepts, str(self.subject())
        there = [
            id
            for id, seen in percepts.items()
            if id not in (self._held, subject) and box_distance(seen.box, percepts[subject].box) <= CLOSE
        ]
        return f"; on '{subject}' or close to it: {', '.join(there)}" if there else ""

    def _place(self) -> Sequence[Array] | Failure:
        """The poses of a place in the world."""
        place = (self.x, self.y, self.z)
        if None in place:
            return self.fail(FailureKind.PARAMETER, "a place needs all of x, y and z", given=place)
        if self.yaw is not None:
            return [pose(place, (0.0, 0.0, self.yaw))]
        return [pose(place, (0.0, 0.0, yaw)) for yaw in np.linspace(-np.pi, np.pi, SAMPLES, endpoint=False)]

    def _support(self, X_WO: Array) -> str | None:
        """What would carry the object at a pose."""
        perception = self.context.perception
        lower, upper = perception.supposing({self._held: X_WO}).object(self._held).box
        foot = (lower - np.array([0.0, 0.0, UNDER]), np.array([*upper[:2], lower[2]]))
        below = [
            id for id, seen in perception.percepts.items() if id != self._held and box_distance(seen.box, foot) <= 0
        ]
        return below[0] if below else None
