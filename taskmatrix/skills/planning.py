"""Planning, from configuration to configuration and to operational space (Definitions 6 and 7 of the skill set)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.perception import Percept
from taskmatrix.core.skillset import Contact, Indices, Plan
from taskmatrix.robots import Robot

from .collision import CollisionChecker, bodies_of
from .kinematics import Kinematics
from .motion import first_contact
from .problem import FINE_MARGIN, FINE_RESOLUTION, FINE_SELF_MARGIN, MARGIN, SELF_MARGIN, Problem, Progress, Tally
from .queries import CheckQuery, ConfigurationQuery, PoseQuery, Query, Snapshot
from .reaching import Reaching


class Planner:
    """Plans for one robot; every answer depends on its arguments only."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._kinematics = Kinematics(robot)
        self._exact = CollisionChecker(robot)
        self._checker = CollisionChecker(robot, MARGIN, SELF_MARGIN)
        self._fine = CollisionChecker(robot, FINE_MARGIN, FINE_SELF_MARGIN)

    def solve(self, snapshot: Snapshot, query: Query, progress: Progress = lambda work: None) -> Plan | Failure:
        """Answer a query.

        Args:
            snapshot: The robot and the world.
            query: What to plan.
            progress: Told the work done so far, now and then.
        """
        bodies = bodies_of(snapshot.objects, snapshot.held)
        for checker in (self._exact, self._checker, self._fine):
            checker.set_bodies(bodies)
            checker.set_touches([])
        if isinstance(query, CheckQuery):
            return self._check(snapshot, query.plan)
        contact = self._exact.contact(snapshot.q)
        if contact is not None:
            return _in_collision("start", contact)
        moving = self._moving(query)
        for checker in (self._checker, self._fine):
            checker.relax([snapshot.q])
            checker.set_moving(moving)
        problem = Problem(
            self._kinematics,
            self._checker.displacement(self._kinematics.displacement),
            snapshot.q,
            self._checker,
            self._fine,
            query.seed,
            np.random.default_rng(query.seed),
            Tally(),
            progress,
            self._checker.checks,
        )
        if isinstance(query, ConfigurationQuery):
            found = self._to_configuration(problem, query)
        else:
            targets = {id: Percept(model, X_WO).centre for id, (model, X_WO) in snapshot.objects.items()}
            found = Reaching(problem, query, targets).plan()
        return found if isinstance(found, Failure) else replace(found, world=snapshot)

    def _check(self, snapshot: Snapshot, plan: Plan) -> Plan | Failure:
        """The plan, if it will do in another world than it was made for."""
        target = plan.goal.object if plan.goal is not None else None
        made_for = plan.world
        if target is not None and isinstance(made_for, Snapshot) and not made_for.has_at_its_place(target, snapshot):
            return Failure(FailureKind.LOST_OBJECT, "planner", f"'{target}' moved while planning", {"object": target})
        displacement = self._exact.displacement(self._kinematics.displacement)
        contact = first_contact(self._exact, plan, snapshot.q, displacement, FINE_RESOLUTION)
        if contact is None:
            return plan
        facts = {"pair": contact.pair, "distance": contact.distance}
        message = f"the world changed while planning: {contact.first} and {contact.second} would touch"
        return Failure(FailureKind.COLLISION, "planner", message, facts)

    def _to_configuration(self, problem: Problem, query: ConfigurationQuery) -> Plan | Failure:
        joints = self._moving(query)
        end = problem.start.copy()
        end[joints] = [query.goal[int(index)] for index in joints]
        for index in joints:
            low, high = self.robot.lower[index], self.robot.upper[index]
            if not low - 1e-9 <= end[index] <= high + 1e-9:
                name = self.robot.joints[index]
                facts = {"joint": name, "position": float(end[index]), "lower": float(low), "upper": float(high)}
                message = f"the goal of joint '{name}' is outside its limits"
                return Failure(FailureKind.JOINT_LIMIT, "planner", message, facts)
        contact = self._exact.contact(end)
        if contact is not None:
            return _in_collision("goal", contact)
        for checker in (self._checker, self._fine):
            checker.relax([problem.start, end])
        path = problem.connect(problem.start, end, joints)
        if path is None:
            return problem.exhausted("no path connects the two configurations")
        return problem.plan([path], joints, query.duration, None)

    def _moving(self, query: PoseQuery | ConfigurationQuery) -> Indices:
        """(k,) Joints that may move."""
        if isinstance(query, ConfigurationQuery):
            return np.array(sorted(query.goal), dtype=np.intp)
        indices = set(self.robot.indices(*query.chains))
        for hand in {goal.hand for goal in query.goals}:
            indices |= {*self.robot.indices(self.robot.hands[hand].arm), *query.opening.get(hand, {})}
        return np.array(sorted(indices), dtype=np.intp)


def _in_collision(what: str, contact: Contact) -> Failure:
    facts = {"pair": contact.pair, "distance": contact.distance}
    message = f"the {what} is in collision: {contact.first} and {contact.second}"
    return Failure(FailureKind.COLLISION, "planner", message, facts)
