"""What Reach and Position have in common: a hand follows a plan, and the plan is made anew when the world changes."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.plans import HandGoal, Job, Plan, TaskObjective
from taskmatrix.core.world.geometry import box_distance, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import Symmetry

from ..common.kept import KINDS, kept
from ..common.limbs import trunk_of
from ..common.look_ahead import LookAhead
from ..common.replanning import Replanning
from ..common.tolerances import JOINT_LAGS, SETTLING_TIME
from ..common.tracking import worst
from ..force.compliant_motion import CompliantMotion
from .in_hand import InHand
from .path_follower import PathFollower
from .plan_execution import PlanExecution
from .subject import REST_TIMEOUT, Subject

AROUND = 0.1  # [m] from a hand, and fingers may be around it
SHARED_TOLERANCE = (0.25, 0.15)  # [m, rad] for others on its chains; [m/s, rad/s] at which it opens and closes


class HandMotion(CompliantMotion, Replanning):
    """Base of behaviors that take a hand to one of several goals; subclasses say which.

    The control loop is closed: when the base is off its path, the arm makes up for it, as near as it can to the
    posture planned, and the base for what the arm cannot; a hand that is off its path is waited for. Where what it
    holds slips in it, it makes up for that too. Where the way is blocked or what the goal hangs on moves, the robot
    stops and plans anew, a few times; likewise where a base that cannot move sideways would have to.
    """

    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")
    keep = Parameter(str, default=None, choices=KINDS, doc="what is kept of all that hands hold")
    tilt = Parameter(float, default=0.17, minimum=0.02, maximum=math.pi, doc="[rad] by which it may be off on the way")

    # what subclasses say

    @abstractmethod
    def goals(self) -> Sequence[HandGoal] | Failure:
        """Goals for the hands in ``self.hands``, or why there are none."""

    @abstractmethod
    def subject(self) -> str | None:
        """Id of the object on whose pose the goals depend."""

    def announce(self, goal: HandGoal) -> None:
        """Publish what was chosen; called once the control loop runs."""

    def vanished(self, subject: str) -> Failure | bool:
        """What to do when that object is not there any more: fail, unless a subclass goes on (False)."""
        return self._gone(subject)

    def carried(self) -> tuple[Array, Symmetry] | None:
        """Pose in the hand X_HO (4, 4) and symmetry of what it takes to the goal; None, unless a subclass carries."""
        return None

    # the phases

    hands: tuple[str, ...] = ()
    """Hands that may be used."""
    _execution: PlanExecution | None = None
    """None where there is nothing to do."""

    def compliant_hands(self) -> Sequence[str]:
        """Those that the plan takes to the goal."""
        return self.hands

    def trunk(self) -> list[str]:
        """Base and torso, as far as the robot has them."""
        return list(trunk_of(self.context))

    def arms_to_move_first(self) -> list[str]:
        """Arms of other hands that hold something, or are beside something, and that nobody else owns.

        What they hold may stand in something, a broom in its stand, and fingers may be around what they were to grasp:
        they have to leave that before the base can move.
        """
        skills, arbiter = self.context.skills, self.context.arbiter
        others = [hand for hand in skills.hands if hand not in self.hands]
        arms = [skills.chains_of_hand(hand)[0] for hand in others if skills.held(hand) or self._is_beside(hand)]
        return [arm for arm in arms if arbiter.owner(arm) in (None, self.path)]

    def _is_beside(self, hand: str) -> bool:
        """Whether a hand is beside something that could be grasped."""
        p_WH = self.context.skills.forward_kinematics(hand)[:3, 3]
        percepts = self.context.perception.percepts.values()
        return any(box_distance(seen.box, (p_WH, p_WH)) < AROUND for seen in percepts if seen.model.movable)

    def plan(self) -> Job | Failure | None:
        """Plan to all goals."""
        self._execution = None
        self._subject = Subject(self.subject(), self.context.perception)
        return super().plan()

    def submit(self) -> Job | Failure:
        """Plan to all goals from where the robot is."""
        if not self._subject.is_known():
            return self._gone(str(self._subject.id))
        self._subject.remember()
        carried = self.carried()
        self._in_hand = None if carried is None or len(self.hands) > 1 else InHand(*carried)
        keep = kept(self.context, self.keep, self.tilt)
        goals = self.goals()
        if isinstance(goals, Failure):
            return goals
        seed = int(self.random.integers(2**31))
        granted = self.context.arbiter.granted(self.path)
        chains = [*self.trunk(), *(arm for arm in self.arms_to_move_first() if arm in granted)]
        return self.context.skills.plan_to_poses(goals, chains, self.duration, seed, self.planning_time, keep)

    def planned(self, plan: Plan) -> None:
        """Keep the chains that the plan moves and give the others back."""
        assert plan.goal is not None
        context, skills, hand = self.context, self.context.skills, plan.goal.hand
        self.hands, self._goal, self._announced = plan.goal.hands, plan.goal, False
        mine = [chain for each in self.hands for chain in skills.chains_of_hand(each)]
        arms = [skills.chains_of_hand(each)[0] for each in self.hands]
        chains = arms if len(arms) > 1 else [*self.trunk()[1:], *arms]
        self._follower = PathFollower(context, hand, plan.trajectory, chains, self._in_hand, *self.hands[1:])
        self._execution = PlanExecution(plan, skills.limits()[3], skills.forward_kinematics(hand), context.dt)
        self._ahead = LookAhead(context, self.path, self._execution, plan.goal.object)
        moving = {*self._follower.joints.tolist(), *skills.joints(*mine).tolist()}
        unused = [c for c in context.arbiter.granted(self.path) if not moving & set(skills.joints(c).tolist())]
        context.arbiter.release(self.path, unused)

    def step(self) -> Failure | bool:
        """Follow the plan with the hand kept on its path."""
        execution = self._execution
        if execution is None:
            return True
        replanning = self.replanning()
        if replanning is not None:
            return replanning
        moved = self._has_moved()
        if isinstance(moved, Failure):
            return moved
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.replan(self.fail(FailureKind.COLLISION, "the way is blocked", blocked))
        if not self._announced:
            self.announce(self._goal)
            self._announced = True
        deviation = self._follower.deviation()
        behind = execution.is_behind(*deviation)
        if execution.behind_for > SETTLING_TIME:
            return self._astray("path", *deviation)
        in_the_way = self._ahead.find()
        execution.advance(brake=moved or behind or in_the_way is not None)
        if moved and execution.rate == 0.0:
            return self._wait()
        if in_the_way is not None and execution.rate == 0.0:
            return self.replan(in_the_way)
        self._follow(execution)
        return False if moved or not execution.is_over else self._arrived(execution)

    def settled(self) -> Failure | bool:
        """Whether what the goals depend on is at rest."""
        subject = self._subject
        at_rest = subject.is_at_rest(self.context.dt)
        if not at_rest and subject.waited > REST_TIMEOUT:
            message = f"'{subject.id}' does not come to rest"
            return self.fail(FailureKind.LOST_OBJECT, message, object=subject.id, waited=subject.waited)
        return at_rest

    def _follow(self, execution: PlanExecution) -> None:
        """Command the next step of the plan."""
        skills, goal, hand = self.context.skills, self._goal, self._goal.hand
        self.allow_retreat(execution.plan, execution.time)
        for touch in goal.contacts if execution.is_approaching and skills.held(hand) is None else ():
            skills.allow_contact(touch, touch.hand)
        carried = self.carried()
        if self._in_hand is not None and carried is not None:
            self._in_hand.update(carried[0], self.context.dt)
        q, v, a = self._follower.follow(execution.time)
        objective = TaskObjective(hand, self._tolerance(execution))
        self.command(self._follower.joints, q, execution.rate * v, execution.rate * a, objective=objective)

    def _tolerance(self, execution: PlanExecution) -> float:
        """[m, rad] How far others may take the joints; in the end not at all, so that it arrives as it would alone."""
        left = max(0.0, execution.plan.approach - execution.time)
        return min(SHARED_TOLERANCE[0], SHARED_TOLERANCE[1] * execution.time, SHARED_TOLERANCE[1] * left)

    def _arrived(self, execution: PlanExecution) -> Failure | bool:
        """Whether the hand is at the goal, or why it does not come there."""
        skills, goal = self.context.skills, self._goal
        X_WH = skills.forward_kinematics(goal.hand)
        distance, angle = pose_error(self._follower.corrected(goal.X_WH), X_WH)
        if goal.partner is not None:
            other = pose_error(goal.partner.X_WH, skills.forward_kinematics(goal.partner.hand))
            distance, angle = max(distance, other[0]), max(angle, other[1])
        if execution.has_arrived(distance, angle, X_WH, self._follower.is_at_rest()):
            return True
        return self._astray("goal", distance, angle) if execution.is_late else False

    # what changes

    def _has_moved(self) -> Failure | bool:
        """Whether what the goals depend on is elsewhere than it was, or why they are lost."""
        subject, execution = self._subject, self._execution
        if not subject.is_known():
            return self.vanished(str(subject.id))
        approaching = execution is not None and execution.is_approaching
        return subject.has_moved(approaching and any(self.context.skills.feel(self.hands[0]).contact.values()))

    def _wait(self) -> Failure | bool:
        """Stand still until what moved is at rest, then plan anew."""
        moved = self.fail(FailureKind.LOST_OBJECT, f"'{self._subject.id}' moved", object=self._subject.id)
        settled = self.settled()
        return self.replan(moved) if settled is True else settled

    def _gone(self, subject: str) -> Failure:
        return self.fail(FailureKind.LOST_OBJECT, f"'{subject}' is no longer known", object=subject)

    def _astray(self, where: str, distance: float, angle: float) -> Failure | bool:
        """What to do with a hand that does not come to its path or goal: fail, or plan anew.

        A base that is free to move has done what it can, and one that is not cannot help where a joint does not follow.
        """
        message = f"the hand stays {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from its {where}"
        facts: dict[str, Any] = {"distance": distance, "angle": angle}
        skills = self.context.skills
        joints = skills.joints(*self.trunk()[1:], skills.chains_of_hand(self.hands[0])[0])
        joint, off = worst(self.context, joints, self.context.arbiter.last[joints])
        if off > JOINT_LAGS:
            message += f": {joint} does not follow"
            facts |= {"joint": joint, "off": off}
        failure = self.fail(FailureKind.TRACKING, message, **facts)
        return failure if skills.holonomic or off > JOINT_LAGS else self.replan(failure)
