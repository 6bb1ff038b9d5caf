"""What Reach and Position have in common: a hand follows a plan, and the plan is made anew when the world changes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.plans import AllowedContact, HandGoal, Job, Plan, TaskObjective
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import Symmetry, apart, speeds, symmetry_of

from ..common.limbs import trunk_of
from ..common.replanning import Replanning
from ..common.tracking import LAGS, worst
from ..locomotion.steering import feasible, steering, unicycle_step
from .in_hand import InHand

NEGLIGIBLE = 3e-4  # [m], [rad] by which the base may be off without anything to be made up for
ON_PATH = (2e-4, 2e-3)  # [m], [rad] a hand this near its path needs no correction
ARRIVED = (0.002, np.deg2rad(0.8))  # [m], [rad] from the goal
STANDING = (0.0035, np.deg2rad(1.3))  # [m], [rad] from the goal, of a hand that comes no nearer: something bears on it
STOOD = 0.5  # [s] for which it has stood still then
STANDS = (0.0005, np.deg2rad(0.1))  # [m], [rad] that it moves at most meanwhile
COASTS = 0.002  # [rad], [m] at most on which a joint would go on if it braked now, of a robot that has arrived
BEHIND = (0.010, np.deg2rad(3.0))  # [m], [rad] a hand this far from its path is waited for
SETTLING = 3.0  # [s] for corrections at the end, and for a hand to come back to its path
BASE_GAIN = 2.0  # [1/s] with which the base returns to its path
STEADY = 0.1  # [s] over which the place of the base is smoothed
BASE_RATE = 0.05  # [m/s], [rad/s] at most
MENDING = 0.3  # of a joint's velocity limit, at most, for corrections: near a singular posture a small one takes far
MOVED = (0.002, np.deg2rad(1.0))  # [m], [rad] what the goal hangs on has moved
NUDGED = (0.010, np.deg2rad(6.0))  # [m], [rad] on the approach the hand may have pushed it so far
STILL = (0.01, 0.03)  # [m/s], [rad/s] slower than this it is at rest again
TIMEOUT = 15.0  # [s] to wait for that
TOLERANCE = (0.25, 0.15)  # [m, rad] for those that share its chains, and [m/s, rad/s] at which it opens and closes
BRAKING = 0.3  # [s] from full speed to rest, or longer where the acceleration limits ask for it


class HandMotion(Replanning):
    """Base of behaviors that take a hand to one of several goals; subclasses say which.

    The control loop is closed: when the base is off its path, the arm makes up for it, as near as it can to the
    posture planned, and the base for what the arm cannot; a hand that is off its path is waited for. Where what it
    holds slips in it, it makes up for that too. Where the way is blocked or what the goal hangs on moves, the robot
    stops and plans anew, a few times; likewise where a base that cannot move sideways would have to.
    """

    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")

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
    _plan: Plan | None = None
    _in_hand: InHand | None = None

    def trunk(self) -> list[str]:
        """Base and torso, as far as the robot has them."""
        return list(trunk_of(self.context))

    def laden_arms(self) -> list[str]:
        """Arms that hold something besides what this is about, and that nobody else owns.

        What they hold may stand in something, a broom in its stand, which it has to leave before the base can move.
        """
        skills, arbiter = self.context.skills, self.context.arbiter
        arms = [skills.chains_of_hand(hand)[0] for hand in skills.hands if hand not in self.hands and skills.held(hand)]
        return [arm for arm in arms if arbiter.owner(arm) in (None, self.path)]

    def plan(self) -> Job | Failure | None:
        """Plan to all goals."""
        self._plan = None
        self._stopped = 0.0
        return super().plan()

    def submit(self) -> Job | Failure:
        """Plan to all goals from where the robot is."""
        subject = self.subject()
        if subject is not None and subject not in self.context.perception:
            return self._gone(subject)
        self._X_WO = None if subject is None else self.context.perception.pose(subject)
        carried = self.carried()
        self._in_hand = None if carried is None else InHand(*carried)
        goals = self.goals()
        if isinstance(goals, Failure):
            return goals
        seed = int(self.random.integers(2**31))
        granted = self.context.arbiter.granted(self.path)
        chains = [*self.trunk(), *(arm for arm in self.laden_arms() if arm in granted)]
        return self.context.skills.plan_to_poses(goals, chains, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Keep the chains that the plan moves and give the others back."""
        assert plan.goal is not None
        skills, arbiter = self.context.skills, self.context.arbiter
        self._plan = plan
        self.hands = (plan.goal.hand,)
        self._time, self._rate = 0.0, 1.0
        self._X_WH: Array | None = None  # where the last step wanted the hand
        self._late = 0.0  # [s] that the hand has been off its path
        self._announced = False
        self._stood, self._stood_at = 0.0, skills.forward_kinematics(plan.goal.hand)
        self._off: Array | None = None  # (3,) of the base from where it should be, smoothed
        self._base_offset = arbiter.last[:3] - skills.position()[:3]  # of the base's command from the plan
        self._before: Array | None = None  # (n,) where the last step had the robot on the plan
        self._origin, self._sent = skills.position(), arbiter.last  # (n,) where the plan begins; what was told last
        arm, *fingers = skills.chains_of_hand(plan.goal.hand)
        self._joints = plan.trajectory.indices
        if arbiter.shares:  # what the hand stands on stays, or others would move it
            self._joints = np.union1d(self._joints, skills.joints(*self.trunk(), arm))
        moving = {*self._joints.tolist(), *skills.joints(arm, *fingers).tolist()}
        unused = [c for c in arbiter.granted(self.path) if not moving & set(skills.joints(c).tolist())]
        arbiter.release(self.path, unused)

    def step(self) -> Failure | bool:
        """Follow the plan with the hand kept on its path."""
        plan, arbiter = self._plan, self.context.arbiter
        if plan is None:
            return True
        assert plan.goal is not None
        replanning = self.replanning()
        if replanning is not None:
            return replanning
        moved = self._moved()
        if isinstance(moved, Failure):
            return moved
        blocked = arbiter.blocked(self.path)
        if blocked is not None:
            return self.replan(self.fail(FailureKind.COLLISION, "the way is blocked", blocked))
        if not self._announced:
            self.announce(plan.goal)
            self._announced = True
        behind = self._behind(plan.goal.hand)
        if isinstance(behind, Failure):
            return self._off_for_good(behind)
        change = self.context.dt / self._braking(plan)
        self._rate = max(0.0, self._rate - change) if moved or behind else min(1.0, self._rate + change)
        if moved and self._rate == 0.0:
            return self._wait()
        self._time += self._rate * self.context.dt
        self._follow(plan, plan.goal)
        if moved or self._time < plan.trajectory.duration:
            return False
        arrived = self._arrived(plan.goal, self._time - plan.trajectory.duration)
        return self._off_for_good(arrived) if isinstance(arrived, Failure) else arrived

    # what changes

    def _gone(self, subject: str) -> Failure:
        return self.fail(FailureKind.LOST_OBJECT, f"'{subject}' is no longer known", object=subject)

    def _moved(self) -> Failure | bool:
        """Whether what the goals depend on is elsewhere than it was, or why they are lost."""
        subject = self.subject()
        if subject is None or self._X_WO is None:
            return False
        if subject not in self.context.perception:
            return self.vanished(subject)
        seen = self.context.perception.object(subject)
        distance, angle = apart(symmetry_of(seen.model.shapes), self._X_WO, seen.X_WO)
        allowed = NUDGED if self._pushes() else MOVED
        return distance > allowed[0] or angle > allowed[1]

    def _pushes(self) -> bool:
        """Whether the hand touches something on its approach."""
        last = self._plan is not None and self._time >= self._plan.approach
        return last and any(self.context.skills.feel(self.hands[0]).contact.values())

    def _wait(self) -> Failure | bool:
        """Stand still until what moved is at rest, then plan anew."""
        subject, settled = self.subject(), self.settled()
        moved = self.fail(FailureKind.LOST_OBJECT, f"'{subject}' moved", object=subject)
        return self.replan(moved) if settled is True else settled

    def settled(self) -> Failure | bool:
        """Whether what the goals depend on is at rest."""
        subject = self.subject()
        if subject is None or subject not in self.context.perception:
            return True
        seen = self.context.perception.object(subject)
        going, turning = speeds(symmetry_of(seen.model.shapes), seen.X_WO, seen.velocity)
        self._stopped += self.context.dt
        if going <= STILL[0] and turning <= STILL[1]:
            return True
        if self._stopped > TIMEOUT:
            message = f"'{subject}' does not come to rest"
            return self.fail(FailureKind.LOST_OBJECT, message, object=subject, waited=self._stopped)
        return False

    def _behind(self, hand: str) -> Failure | bool:
        """Whether the hand is off its path, or why it stays there."""
        if self._X_WH is None:
            return False
        distance, angle = pose_error(self._X_WH, self.context.skills.forward_kinematics(hand))
        behind = distance > BEHIND[0] or angle > BEHIND[1]
        self._late = self._late + self.context.dt if behind else 0.0
        return self._astray("path", distance, angle) if self._late > SETTLING else behind

    def _off_for_good(self, failure: Failure) -> Failure | bool:
        """What to do with a hand that does not come to its path.

        A base that is free to move has done what it can, and one that is not cannot help where a joint does not follow.
        """
        hopeless = self.context.skills.holonomic or "joint" in failure.facts
        return failure if hopeless else self.replan(failure)

    def _astray(self, where: str, distance: float, angle: float) -> Failure:
        message = f"the hand stays {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from its {where}"
        facts: dict[str, Any] = {"distance": distance, "angle": angle}
        skills = self.context.skills
        joints = skills.joints(*self.trunk()[1:], skills.chains_of_hand(self.hands[0])[0])
        joint, off = worst(self.context, joints, self.context.arbiter.last[joints])
        if off > LAGS:
            message += f": {joint} does not follow"
            facts |= {"joint": joint, "off": off}
        return self.fail(FailureKind.TRACKING, message, **facts)

    def _braking(self, plan: Plan) -> float:
        """[s] From full speed to rest."""
        _, v, _ = plan.trajectory.sample(self._time)
        limits = self.context.skills.limits()[3][plan.trajectory.indices]
        return max(BRAKING, 2.0 * float(np.max(np.abs(v) / limits, initial=0.0)))

    # following

    def _follow(self, plan: Plan, goal: HandGoal) -> None:
        skills, joints = self.context.skills, self._joints
        wanted, v, a = plan.trajectory.sample(self._time)
        self.allow_retreat(plan, self._time)
        if self._time >= plan.approach and goal.object is not None and skills.held(goal.hand) is None:
            skills.allow_contact(AllowedContact(goal.hand, goal.object), goal.hand)
        reference = skills.position()
        reference[joints], rates = self._origin[joints], np.zeros((2, len(reference)))
        reference[plan.trajectory.indices], rates[:, plan.trajectory.indices] = wanted, (v, a)
        carried = self.carried()
        if self._in_hand is not None and carried is not None:
            self._in_hand.update(carried[0], self.context.dt)
        self._X_WH = self._beside(skills.forward_kinematics(goal.hand, reference))
        command = self._corrected(goal.hand, reference)[joints]
        self._speed = (command - self._last()[joints]) / self.context.dt
        v, a = self._rate * rates[:, joints]
        self.command(joints, command, v, a, objective=TaskObjective(goal.hand, self._tolerance(plan)))
        self._sent[joints] = command
        self._before = reference.copy()

    def _tolerance(self, plan: Plan) -> float:
        """[m, rad] How far others may take the joints; in the end not at all, so that it arrives as it would alone."""
        return min(TOLERANCE[0], TOLERANCE[1] * self._time, TOLERANCE[1] * max(0.0, plan.approach - self._time))

    def _last(self) -> Array:
        """(n,) Where the joints were told to be last; by itself, where others may have taken them elsewhere since."""
        return self._sent if self.context.arbiter.shares else self.context.arbiter.last

    def _beside(self, X_WH: Array) -> Array:
        """(4, 4) Where the hand has to be instead of X_WH because what it holds has slipped."""
        return X_WH if self._in_hand is None or self._in_hand.offset is None else X_WH @ self._in_hand.offset

    def _corrected(self, hand: str, reference: Array) -> Array:
        """(n,) The command that keeps the hand where the reference has it although the base is elsewhere.

        The base returns to its path slowly; until then the arm and the torso make up for it, as near as they can to
        the reference posture, and where they cannot, the base moves as far as it takes, within its limits. They go
        on from where they are, as the plan does: of two postures with the hand on its path it is the one at hand. A
        base that only turns and rolls does so here as well.
        """
        skills, dt, last = self.context.skills, self.context.dt, self._last()
        before = reference if self._before is None else self._before
        drift, here = self._drifted(last[:3], before[:3])
        off = self._base_offset + drift if skills.holonomic else here - before[:3]
        slipped = self._in_hand is not None and self._in_hand.offset is not None
        without_base = [*self.trunk()[1:], skills.chains_of_hand(hand)[0]]
        joints = skills.joints(*without_base)
        beside = max(np.max(np.abs(off)), np.max(np.abs(drift)), np.max(np.abs(last - before)[joints]))
        if not slipped and beside < NEGLIGIBLE:
            return reference
        lower, upper, speed, _ = skills.limits()
        expected, step, rolling = reference.copy(), speed[:3] * dt, None
        if skills.holonomic:
            self._base_offset = self._base_offset - np.clip(BASE_GAIN * off, -BASE_RATE, BASE_RATE) * dt
            expected[:3] += self._base_offset + drift
        else:
            rolling = steering(reference[:3] - before[:3], off, float(here[2]), BASE_GAIN, BASE_RATE, dt)
            expected[:3] = unicycle_step(here, np.clip(rolling, -step[1:], step[1:]))
        X_WH = self._beside(skills.forward_kinematics(hand, reference))
        distance, angle = pose_error(X_WH, skills.forward_kinematics(hand, expected))
        expected[joints] = np.clip(last + reference - before, lower, upper)[joints]
        if distance > ON_PATH[0] or angle > ON_PATH[1]:
            solution = skills.inverse_kinematics(hand, X_WH, without_base, expected, reference)
            if solution.distance > ARRIVED[0] / 2 or solution.angle > ARRIVED[1] / 2:
                whole = skills.inverse_kinematics(hand, X_WH, ["base", *without_base], solution.q, reference)
                if rolling is None:
                    expected[:3] += np.clip(whole.q[:3] - expected[:3], -step, step)
                else:
                    rolling = rolling + feasible(whole.q[:3] - expected[:3], float(expected[2]))
                    expected[:3] = unicycle_step(here, np.clip(rolling, -step[1:], step[1:]))
        mending = MENDING * speed * dt
        command = skills.inverse_kinematics(hand, X_WH, without_base, expected, reference, mending).q.copy()
        command[:3] -= drift
        if rolling is not None:  # as it heads now, not as smoothed: wheels do not slip
            now = skills.position()[:3]
            command[:3] = last[:3] + unicycle_step(now, np.clip(rolling, -step[1:], step[1:])) - now
        self._base_offset = command[:3] - reference[:3]
        return command

    def _drifted(self, last: Array, before: Array) -> tuple[Array, Array]:
        """How far (3,) the base is from where it was told to be, and where it is; smoothed.

        An arm that made up at once for what it does to the base itself would rock it.
        """
        here = self.context.skills.position()[:3]
        wanted = last if self.context.skills.holonomic else before
        off, share = here - wanted, min(1.0, self.context.dt / STEADY)
        self._off = off if self._off is None else self._off + share * (off - self._off)
        here = wanted + self._off
        return here - last, here

    def _arrived(self, goal: HandGoal, late: float) -> Failure | bool:
        X_WH = self.context.skills.forward_kinematics(goal.hand)
        distance, angle = pose_error(self._beside(goal.X_WH), X_WH)
        near = distance <= ARRIVED[0] and angle <= ARRIVED[1]
        if near and (self._rests() or late > SETTLING):
            return True
        if self._stands(X_WH) >= STOOD and distance <= STANDING[0] and angle <= STANDING[1]:
            return True
        if late > SETTLING:
            return self._astray("goal", distance, angle)
        return False

    def _rests(self) -> bool:
        """Whether the robot would stay where it is if it was told nothing more."""
        brakes = self.context.skills.limits()[3][self._joints]
        return bool((self._speed**2 / (2.0 * brakes) <= COASTS).all())

    def _stands(self, X_WH: Array) -> float:
        """[s] For how long the hand has stood still."""
        distance, angle = pose_error(self._stood_at, X_WH)
        if distance > STANDS[0] or angle > STANDS[1]:
            self._stood, self._stood_at = 0.0, X_WH
        else:
            self._stood += self.context.dt
        return self._stood
