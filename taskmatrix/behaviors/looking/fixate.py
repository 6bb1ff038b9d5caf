"""Keep looking at an object (thesis 4.3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.patience import Patience
from taskmatrix.core.behavior.requirement import Requirement, TurnsView
from taskmatrix.core.robot.plans import VIEW, Contact, Indices, Job, Plan, TaskObjective
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array

from ..common.pursuit import Pursuit
from ..common.tolerances import FACED

PROGRESS = np.deg2rad(0.1)  # [rad] by which the view, or the joints, have to come nearer
FACING_TIMEOUT = 1.0  # [s] within which it has to
MOVES = 0.05  # [m/s] what it faces, if it does not wait for the base to stand: it would have to turn again
ROUND = 1.0  # [s] shortest time of a way round what is in the way
ROUNDS = 2  # ways round in one run
ENOUGH = 2  # joints of a head that looks at a thing in one way only
LOOKS = 20  # random positions of the head from which another way is looked for
FARTHER = (0.2, 0.4, 0.7, 1.0, 1.5)  # [m] back from an object that is too low or too high to be faced from here


def _fewest(joints: Indices) -> Iterator[tuple[int, ...]]:
    """None of some joints, then each of them, then each two: what may rest so that the others can go on."""
    for count in range(min(3, len(joints) + 1)):
        yield from combinations(joints.tolist(), count)


class Fixate(TaskBehavior):
    """Turn the view to an object, moving or not.

    With the base and the head where both are free, with the head alone where the base is taken or is to stay; where it
    is shared, with the base for what the head cannot do. A joint that would touch anything stops before that, and the
    others go on. Where that keeps it from facing the object, it waits for what moves; if it has the base, it plans a
    way round, stepping aside where it has to, with a straight trunk where the head has no room or does not turn that
    far; and it steps back from what is too low for its head. Recurrent, it goes on until it is told to quit and says in
    every control step whether the goal is achieved, without ways round; otherwise it ends when the object is faced, and
    the base stands unless the object moves, and fails when it cannot be.
    """

    needs = ("head",)

    target = Parameter(str, doc="id of the object to look at")
    recurrent = Parameter(bool, default=False, doc="whether to go on after the goal is achieved")
    base = Parameter(
        bool, default=True, doc="whether the base may turn as well; a hand that is at something stays there"
    )
    max_diff = Parameter(float, default=0.02, minimum=1e-4, maximum=0.1, doc="[rad] furthest a joint turns in a step")

    def requirements(self) -> Sequence[Requirement]:
        """Require a head that turns the view."""
        return [TurnsView()]

    def required_chains(self) -> Sequence[str] | Failure:
        """The head, and the base if it may turn and nobody has it or it is shared."""
        context = self.context
        if self.target not in context.perception:
            return self.fail(FailureKind.UNKNOWN_OBJECT, not_found("object", self.target, context.perception.percepts))
        free = context.arbiter.shares or context.arbiter.owner("base") is None
        self._chains = ["head", "base"] if free and self.base else ["head"]
        self._job: Job | None = None  # it may be stopped before it has planned
        return self._chains

    def plan(self) -> None:
        """Fixate reacts; it does not plan."""
        self._joints = self.context.skills.joints(*self._chains)
        self._head = np.isin(self._joints, self.context.skills.joints("head"))
        _, _, velocity, acceleration = (limit[self._joints] for limit in self.context.skills.limits())
        self._pursuit = Pursuit(velocity, acceleration, self.context.dt)
        self._shift = np.zeros(len(self._joints))  # [m, rad] where a base at rest is, from where it was told to be
        self._least, self._since = np.full(2, np.inf), 0.0  # [rad] of the view and of the joints, left at the least
        self._contact: Contact | None = None  # that kept a joint from turning in the last step
        self._round: Plan | None = None  # the way round what is in the way
        self._rounds, self._began = 0, 0.0
        self._patience = Patience(self.context, self.path)
        self._point = self.context.perception.object(self.target).centre  # (3,) [m] where it was in the last step

    def step(self) -> Failure | bool:
        """Turn a little further towards the object."""
        context, skills = self.context, self.context.skills
        if self.target not in context.perception:
            return self.fail(FailureKind.LOST_OBJECT, f"'{self.target}' is no longer known")
        point = context.perception.object(self.target).centre
        q = skills.position()
        error = self._error(point, q)
        if self._job is not None or self._round is not None:
            self.goal(error <= FACED, error=error)
            return self._go_round()
        last, moving = context.arbiter.last[self._joints], context.arbiter.moving(self.path)
        if not moving:
            self._shift = np.where(self._head, 0.0, q[self._joints] - last)
        achieved = error <= FACED
        ends = achieved and not self.recurrent
        goal = skills.inverse_kinematics_of_view(point, ["head"], q) if ends else self._goal(point, q)
        way = goal[self._joints] - last - self._shift
        if ends:  # the base comes to rest, and the head follows meanwhile
            way[~self._head] = 0.0
        follows = float(np.linalg.norm(point - self._point)) > MOVES * context.dt
        self._point = point
        blocked = context.arbiter.blocked(self.path)
        contact = self._contact = self._turn(way)
        if self.recurrent:
            pair = contact.pair if contact else blocked.facts.get("pair") if blocked else None
            self.goal(achieved, error=error, **({"pair": pair} if pair else {}))
            return False
        self.goal(achieved, error=error)
        if ends:
            return follows or not self._pursuit.speed[~self._head].any()
        left = np.array([error, np.abs(way).sum()])
        if (left < self._least - PROGRESS).any():
            self._least, self._since = np.minimum(left, self._least), self.elapsed
        stands = self.elapsed - self._since > FACING_TIMEOUT
        if contact is not None or blocked is not None:
            goes_on = np.any(self._pursuit.speed) if contact is not None else moving
            why = self._hindered(contact, blocked, error)
            if (goes_on and not stands) or self._patience.lasts() or self._patience.waits_for(why):
                return False
            return self._plan_round(point, why)
        if stands:
            message = f"the joint limits leave the view {np.rad2deg(error):.1f} deg from the object"
            return self._step_back(point, self.fail(FailureKind.JOINT_LIMIT, message, error=error))
        return False

    def _turn(self, way: Array) -> Contact | None:
        """Command a step of the way (k,) that is left; what is in the way of joints, which rest while others go on."""
        pursuit, last, dt = self._pursuit, self.context.arbiter.last[self._joints], self.context.dt
        speed, found = pursuit.speed, None
        for resting in _fewest(np.flatnonzero((way != 0.0) | (speed != 0.0))):
            pursuit.speed = speed
            step = pursuit.step(np.where(np.isin(np.arange(len(way)), resting), 0.0, way), self.max_diff)
            wanted = last + step
            contact = None
            if np.any(step):
                contact = self.context.skills.imminent_contact(self._joints, wanted + self._shift + pursuit.rest())
            if contact is None:
                used = self._head | (step != 0.0) if self.context.arbiter.shares else np.ones(len(step), dtype=bool)
                self.command(self._joints[used], wanted[used], step[used] / dt, objective=TaskObjective(VIEW))
                return found
            found = found or contact
        pursuit.speed = speed
        self.command(self._joints, last + pursuit.brake())
        return found

    def _hindered(self, contact: Contact | None, blocked: Failure | None, error: float) -> Failure:
        if contact is None:
            return self.fail(FailureKind.COLLISION, "turning on is blocked", blocked, error=error)
        message = f"turning on would bring {contact.first} and {contact.second} into contact"
        return self.fail(FailureKind.COLLISION, message, pair=contact.pair, error=error, at="turning on")

    def _plan_round(self, point: Array, why: Failure) -> Failure | bool:
        """Plan to where it would face the object at a point (3,), or say why it does not turn on."""
        skills, joints = self.context.skills, self._joints[self._joints >= 2]
        goal = skills.inverse_kinematics_of_view(point, self._chains, skills.position())
        if skills.collision(joints, goal[joints]) is not None:
            other = self._free_look(point, skills.position())
            if other is not None:
                return self._submit_round(other, joints, why)
            torso = self._torso_in_the_way(why)
            goal, joints = self._straight_ahead(torso), np.union1d(joints, skills.joints(*torso))
            if skills.collision(joints, goal[joints]) is not None:
                return self._step_back(point, why)
        return self._submit_round(goal, joints, why)

    def _free_look(self, point: Array, q: Array) -> Array | None:
        """(n,) Where it faces a point from near q (n,) and touches nothing, if such is found.

        A head with many joints may look there in many ways.
        """
        skills, head = self.context.skills, self._joints[self._head]
        lower, upper, _, _ = skills.limits()
        for look in range(LOOKS if len(head) > ENOUGH else 1):
            begin = q.copy()
            if look:
                begin[head] = self.random.uniform(lower[head], upper[head])
            goal = skills.inverse_kinematics_of_view(point, self._chains, begin)
            if self._error(point, goal) <= FACED / 2 and skills.collision(self._joints, goal[self._joints]) is None:
                return goal
        return None

    def _step_back(self, point: Array, why: Failure) -> Failure | bool:
        """Plan to the nearest place straight back from the object from which the head turns far enough, or say why."""
        here = self.context.skills.position()
        away = here[:2] - point[:2]
        for far in FARTHER if "base" in self._chains else ():
            q = here.copy()
            q[:2] += far * away / max(float(np.linalg.norm(away)), 1e-6)
            if (goal := self._free_look(point, q)) is not None:
                return self._submit_round(goal, self._joints, why)
        return self._straighten(point, why)

    def _straighten(self, point: Array, why: Failure) -> Failure | bool:
        """Plan to where it faces the object with a straight trunk, if it may have that, or say why.

        Where there is no room for that the base goes where there is.
        """
        torso = self._free_torso() if "base" in self._chains else []
        if not torso:
            return why
        goal, joints = self._straight_ahead(torso), np.union1d(self._joints, self.context.skills.joints(*torso))
        if self._error(point, goal) > FACED / 2:
            return why
        self.context.arbiter.claim(self.path, torso)
        return self._submit_round(goal, joints[joints >= 2], why)

    def _submit_round(self, goal: Array, joints: Indices, why: Failure) -> Failure | bool:
        """Start to plan to where joints are at a goal (n,); what hindered it, if there is to be no such plan."""
        if "base" not in self._chains or self.context.arbiter.shares or self._rounds == ROUNDS:
            return why
        self._why = why
        self._rounds += 1
        there = dict(zip(joints.tolist(), goal[joints].tolist(), strict=True))
        seed = int(self.random.integers(2**31))
        job = self.context.skills.plan_to_configuration(there, ROUND, seed, self.planning_time, ["base"])
        self._pursuit.stop()
        self._job = None if isinstance(job, Failure) else job
        return replace(why, cause=job) if isinstance(job, Failure) else False

    def _torso_in_the_way(self, why: Failure) -> list[str]:
        """The torso, which this run then owns, if the robot is in its own way and nobody else has it."""
        context, pair = self.context, why.facts.get("pair")
        own = isinstance(pair, tuple) and not set(pair) & set(context.perception.percepts)
        torso = self._free_torso() if own else []
        if torso:
            context.arbiter.claim(self.path, torso)
        return torso

    def _free_torso(self) -> list[str]:
        """The torso, if there is one and nobody else has it."""
        free = "torso" in self.context.skills.chains and self.context.arbiter.owner("torso") in (None, self.path)
        return ["torso"] if free else []

    def _straight_ahead(self, torso: Sequence[str]) -> Array:
        """(n,) Where it faces the object with the head, and a torso that it has, turned as little as can be."""
        skills, straight = self.context.skills, self.context.skills.joints("head", *torso)
        lower, upper, _, _ = skills.limits()
        q = skills.position()
        q[straight] = np.clip(0.0, lower[straight], upper[straight])
        point = self.context.perception.object(self.target).centre
        turned = skills.inverse_kinematics_of_view(point, ["base"], q)
        return skills.inverse_kinematics_of_view(point, self._chains, turned)

    def _go_round(self) -> Failure | bool:
        """Follow the way round, once it is planned; then turn on."""
        if self._job is not None and self._job.done():
            plan, self._job = self._job.result(), None
            if isinstance(plan, Failure):
                return False if self._patience.waits_for(plan) else replace(self._why, cause=plan)
            self._round, self._began = plan, self.elapsed
            self.tell_plan(plan)
        if self._round is not None:
            time = self.elapsed - self._began + self.context.dt
            blocked = self.context.arbiter.blocked(self.path)
            if blocked is not None or time > self._round.trajectory.duration + self.context.dt:
                self._round, self._least, self._since = None, np.full(2, np.inf), self.elapsed
                return False
            self.command_along(self._round, time)
        return False

    def finish(self) -> None:
        """Nobody waits for a plan any more."""
        if self._job is not None:
            self._job.cancel()

    def _goal(self, point: Array, q: Array) -> Array:
        """(n,) Where it faces the point: by the head alone, if the base is shared and the head turns that far.

        While something keeps the base from turning on, the head does what it can from where the base is.
        """
        skills, held_up = self.context.skills, self._contact is not None
        head = skills.inverse_kinematics_of_view(point, ["head"], q) if self.context.arbiter.shares or held_up else q
        if self.context.arbiter.shares and self._error(point, head) <= FACED:
            return head
        goal = skills.inverse_kinematics_of_view(point, self._chains, q)
        if held_up and "base" in self._chains:
            turned = self._joints[self._head]
            goal[turned] = head[turned]
        return goal

    def _error(self, point: Array, q: Array) -> float:
        """[rad] Between the viewing direction and the direction to the point."""
        skills = self.context.skills
        return angle_between(skills.view(q)[:, 0], point - skills.view_position(q))
