"""Go the way that somebody has shown."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.requirement import Hands, HasHand, Requirement
from taskmatrix.core.machines.machine import Machine, State, on, start
from taskmatrix.core.robot.plans import HandGoal, Job
from taskmatrix.core.world.objects import Array

from .demonstration import AXES, Demonstration, axes_now, hand_poses, moved_pose
from .way_follower import WayFollower


class DemonstratedMotion(WayFollower):
    """Base of what takes a hand to poses of a demonstration."""

    demonstration = Parameter(str, doc="name of the demonstration")
    hand = Parameter(str, default=None, doc="name of the hand; one that holds what is moved, or any, unless given")
    object = Parameter(str, default=None, doc="id of what it holds and moves, if another than was shown")
    relative_to = Parameter(str, default=None, doc="id of an object, if it is to be relative to another than was shown")
    turned = Parameter(bool, default=True, doc="whether it is turned on the way as was shown; else it is only moved")

    def requirements(self) -> Sequence[Requirement]:
        """The hand, or any."""
        return [*super().requirements(), Hands() if self.hand is None else HasHand(self.hand)]

    def required_chains(self) -> Sequence[str] | Failure:
        """Those of the hand, and the trunk if it is free."""
        try:
            self._shown = shown = Demonstration.load(self.demonstration)
        except ParameterError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        if self.relative_to is not None and shown.relative_to in AXES:
            message = f"'{self.demonstration}' is relative to the {shown.relative_to}, not to an object"
            return self.fail(FailureKind.PARAMETER, message)
        if self.object is not None and shown.object is None:
            return self.fail(FailureKind.PARAMETER, f"nothing was held when '{self.demonstration}' was shown")
        self._moved = self.object or shown.object
        if self._moved is not None:
            held = Grasping(self._moved, self.hand).evaluate(self.context)
            if not held:
                return self.fail(FailureKind.PRECONDITION, f"it moves '{self._moved}', and {held.why}")
        return super().required_chains()

    def inconditions(self) -> Sequence[Condition]:
        """What is moved goes on being held."""
        return [] if self._moved is None else [Grasping(self._moved, self._hand)]

    def moving_hand(self) -> str:
        """The one that was named, that holds what is moved, or the first that is empty."""
        if self.hand is not None:
            return self.hand
        if self._moved is not None:
            return str(Grasping(self._moved).evaluate(self.context).values["hand"])
        skills = self.context.skills
        return next((hand for hand in skills.hands if skills.held(hand) is None), next(iter(skills.hands)))

    def way(self) -> Array:
        """Poses of the hand, from that at which it begins."""
        X_WM = moved_pose(self.context, self._hand, self._moved)
        axes = axes_now(self.context, self.relative_to or self._shown.relative_to, X_WM)
        poses = self._shown.poses.copy()
        if not self.turned:
            poses[:, :3, :3] = poses[0, :3, :3]
        return hand_poses(self.context, self._hand, self._moved, axes.placed(poses))


class GoToStart(DemonstratedMotion):
    """Take a hand, free of collisions, to where a demonstration begins."""

    def plan(self) -> Job | Failure | None:
        """Plan a motion to the first pose, if the hand is not there; relative to the robot, its base stays."""
        left_out = [*self._fingers(), *(["base"] if self._shown.relative_to == "robot" else [])]
        chains = [chain for chain in self.context.arbiter.granted(self.path) if chain not in left_out]
        try:
            self._goal = self.way()[0]
        except ParameterError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        if self.is_there():
            return None
        goal = HandGoal(self._hand, self._goal, "the start of the demonstration", self._moved)
        seed = int(self.random.integers(2**31))
        return self.context.skills.plan_to_poses([goal], chains, self.duration, seed, self.planning_time)

    def step(self) -> Failure | bool:
        """Move along the plan, if there is one."""
        return self.is_there() or super().step()


class FollowDemonstration(DemonstratedMotion):
    """Take a hand along a demonstration, from where it begins, in the time that it took if that can be."""

    moving = Output(str, doc="name of the hand that went it")

    def shortest(self) -> float:
        """[s] As long as the demonstration, or as asked."""
        return max(self.duration, self._shown.duration)

    def achieved(self) -> Failure | bool:
        """Whether the hand has arrived."""
        self.publish(moving=self._hand)
        return super().achieved()


class Imitate(Machine):
    """Go the way that a demonstration shows: first to where it begins, then along it, with arm, trunk and base.

    The way is that of the hand, or of the object that was held when it was shown, relative to the robot, the world or
    an object; where that has gone elsewhere, so has the way. It is planned as a whole before the hand goes it, for
    whichever robot this is, and within its limits it takes as long as when it was shown.
    """

    demonstration = Parameter(str, doc="name of the demonstration, as Demonstrate has kept it")
    hand = Parameter(str, default=None, doc="name of the hand; one that holds what is moved, or any, unless given")
    object = Parameter(str, default=None, doc="id of what it holds and moves, if another than was shown")
    relative_to = Parameter(str, default=None, doc="id of an object, if it is to be relative to another than was shown")
    turned = Parameter(bool, default=True, doc="whether it is turned on the way as was shown; else it is only moved")
    duration = Parameter(float, default=2.0, minimum=0.0, doc="[s] shortest time of each of the two movements")

    begin = State(
        GoToStart,
        demonstration=demonstration,
        hand=hand,
        object=object,
        relative_to=relative_to,
        turned=turned,
        duration=duration,
    )
    go = State(
        FollowDemonstration,
        demonstration=demonstration,
        hand=hand,
        object=object,
        relative_to=relative_to,
        turned=turned,
        duration=duration,
        final=True,
    )

    transitions = (start(begin), on(begin.task_successful, start=go))
