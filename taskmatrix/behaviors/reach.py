"""Bring a hand to where it can grasp an object (thesis 4.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Graspable, Grasping
from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.errors import not_found
from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.geometry import pose_error
from taskmatrix.core.objects import Array
from taskmatrix.core.parameter import Output, Parameter
from taskmatrix.core.skillset import HandGoal, Job, Plan, Touch

TRUNK = ("base", "torso")
RETREAT = 0.030  # [m] of the last stretch, in which the hand may touch the object
ON_PATH = (2e-4, 2e-3)  # [m], [rad] a hand this near its path needs no correction
ARRIVED = (0.002, np.deg2rad(0.8))  # [m], [rad] from the goal
SETTLING = 3.0  # [s] for corrections at the end
BASE_GAIN = 2.0  # [1/s] with which the base returns to its path
BASE_RATE = 0.05  # [m/s], [rad/s] at most


class Reach(TaskBehavior):
    """Drive the robot without collision to where a free hand can grasp an object.

    Of the free arms and the object's grasps, the planner takes those that it can reach, and prefers configurations
    from which the robot can see the object. The hand opens on the way. The control loop is closed: when the base is
    off its path, the arm makes up for it, as near as it can to the posture planned, and the base for what the arm
    cannot.
    """

    needs = ("base",)

    object = Parameter(str, doc="id of the object to reach for")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")

    hand = Output(str, doc="name of the hand that reached")
    grasp = Output(str, doc="name of the object's grasp that it is at")

    def required_chains(self) -> Sequence[str] | Failure:
        """The trunk, and every arm that is free and holds nothing."""
        skills, arbiter = self.context.skills, self.context.arbiter
        if self.object not in self.context.perception:
            message = not_found("object", self.object, self.context.perception.percepts)
            return self.fail(FailureKind.UNKNOWN_OBJECT, message)
        trunk = [chain for chain in TRUNK if chain in skills.chains]
        self._hands: list[str] = []
        reasons: dict[str, str] = {}
        for hand in skills.hands:
            chains = skills.chains_of_hand(hand)
            owners = [owner for owner in map(arbiter.owner, chains) if owner is not None]
            held = skills.held(hand)
            if held is not None and held != self.object:
                reasons[hand] = f"it holds '{held}'"
            elif owners:
                reasons[hand] = f"its arm is taken by '{owners[0]}'"
            else:
                self._hands.append(hand)
        if not self._hands:
            return Failure(FailureKind.CHAIN_BUSY, self.path, "no arm is free", reasons)
        return [*trunk, *(chain for hand in self._hands for chain in skills.chains_of_hand(hand))]

    def plan(self) -> Job | Failure | None:
        """Plan to all grasps with all free hands; nothing if the object is already graspable or held."""
        context = self.context
        self._plan: Plan | None = None
        self._there = Graspable(self.object).evaluate(context)
        if Grasping(self.object).evaluate(context) or self._there:
            return None
        X_WO = context.perception.pose(self.object)
        goals = [
            HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, self.object, RETREAT)
            for hand in self._hands
            for grasp in context.skills.grasps(self.object, hand)
        ]
        if not goals:
            return self.fail(FailureKind.NO_GRASP, f"no free hand has a grasp of '{self.object}'", hands=self._hands)
        chains = [chain for chain in TRUNK if chain in context.skills.chains]
        seed = int(self.random.integers(2**31))
        return context.skills.plan_to_poses(goals, chains, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Keep the arm that the plan uses and give the others back."""
        assert plan.goal is not None
        self._plan = plan
        self._told = False
        self._base_offset = np.zeros(3)  # of the base's command from the plan
        chains = self.context.skills.chains_of_hand(plan.goal.hand)
        others = [chain for hand in self._hands for chain in self.context.skills.chains_of_hand(hand)]
        self.context.arbiter.release(self.path, [chain for chain in others if chain not in chains])

    def step(self) -> Failure | bool:
        """Follow the plan with the hand kept on its path."""
        skills, plan = self.context.skills, self._plan
        if plan is None:
            if self._there:
                self.publish(hand=self._there.values["hand"], grasp=self._there.values["grasp"])
            return True
        assert plan.goal is not None
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        if self.object not in self.context.perception:
            return self.fail(FailureKind.LOST_OBJECT, f"'{self.object}' is no longer known")
        if not self._told:
            self.publish(hand=plan.goal.hand, grasp=plan.goal.label)
            self._told = True
        time = self.elapsed + self.context.dt
        joints = plan.trajectory.indices
        wanted, v, a = plan.trajectory.sample(time)
        if time >= plan.approach:
            skills.allow_touch(Touch(plan.goal.hand, self.object), plan.goal.hand)
        reference = skills.position()
        reference[joints] = wanted
        self.command(joints, self._corrected(plan.goal.hand, reference)[joints], v, a)
        if time < plan.trajectory.duration:
            return False
        return self._arrived(plan.goal, time - plan.trajectory.duration)

    def _corrected(self, hand: str, reference: Array) -> Array:
        """(n,) The command that keeps the hand where the reference has it although the base is elsewhere.

        The base returns to its path slowly; until then the arm and the torso make up for it, as near as they can to
        the reference posture, and where they cannot, the base moves as far as it takes.
        """
        skills, dt = self.context.skills, self.context.dt
        drift = skills.position()[:3] - self.context.arbiter.last[:3]
        off = self._base_offset + drift
        if np.max(np.abs(off)) < 1e-9:
            return reference
        self._base_offset = self._base_offset - np.clip(BASE_GAIN * off, -BASE_RATE, BASE_RATE) * dt
        expected = reference.copy()
        expected[:3] += self._base_offset + drift
        X_WH = skills.forward_kinematics(hand, reference)
        distance, angle = pose_error(X_WH, skills.forward_kinematics(hand, expected))
        if distance > ON_PATH[0] or angle > ON_PATH[1]:
            arm = skills.chains_of_hand(hand)[0]
            without_base = [chain for chain in (*TRUNK[1:], arm) if chain in skills.chains]
            solution = skills.inverse_kinematics(hand, X_WH, without_base, expected, reference)
            if solution.distance > ARRIVED[0] / 2 or solution.angle > ARRIVED[1] / 2:
                solution = skills.inverse_kinematics(hand, X_WH, ["base", *without_base], solution.q, reference)
            expected = solution.q
        command = expected
        command[:3] -= drift
        self._base_offset = command[:3] - reference[:3]
        return command

    def _arrived(self, goal: HandGoal, late: float) -> Failure | bool:
        X_WH = self.context.skills.forward_kinematics(goal.hand)
        distance, angle = pose_error(goal.X_WH, X_WH)
        if distance <= ARRIVED[0] and angle <= ARRIVED[1]:
            return True
        if late > SETTLING:
            message = f"the hand stays {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from its goal"
            return self.fail(FailureKind.TRACKING, message, distance=distance, angle=angle)
        return False
