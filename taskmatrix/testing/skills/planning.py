"""Skills 6 and 7 of the fake robot: straight lines, or what a test scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import (
    HandConstraint,
    HandGoal,
    Job,
    Plan,
    Trajectory,
)
from taskmatrix.core.world.objects import Array

from ..line_trajectory import FakeJob
from .control import FakeControl
from .grasping import FakeGrasping


class FakePlanning(FakeControl, FakeGrasping):
    """Implements :class:`~taskmatrix.core.robot.skills.planning.PlanningSkills`."""

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        """What was scripted, or a straight line."""
        return self._job(self._plan(self.straight(goal, duration)), seed, planning_time)

    def plan_to_clear(
        self, chains: Sequence[str], duration: float, seed: int, planning_time: float, releasing: str | None = None
    ) -> Job | Failure:
        """What was scripted in ``clearings``, or a motion of nothing."""
        self.released += [] if releasing is None else [releasing]
        still = Plan(self.straight({}, 0.0), None, 0.0, stretched=False, work={})
        return self._job(self.clearings.popleft() if self.clearings else still, seed, planning_time)

    def plan_along(
        self,
        hand: str,
        poses: Array,
        chains: Sequence[str],
        duration: float,
        seed: int,
        planning_time: float,
        until: str | None = None,
        least: float = 1.0,
        pushes: str | None = None,
    ) -> Job | Failure:
        """What was scripted, or a straight line of the arm to the last pose."""
        line = dict(zip(self.robot.arm(hand), self.robot.arm_joints(poses[-1], self.position()).tolist(), strict=True))
        return self._job(self._plan(self.straight(line, duration)), seed, planning_time)

    def plan_to_poses(
        self,
        goals: Sequence[HandGoal],
        chains: Sequence[str],
        duration: float,
        seed: int,
        planning_time: float,
        keep: Sequence[HandConstraint] = (),
    ) -> Job | Failure:
        """What was scripted, or a straight line of the arm to the first goal with the hand open; ``kept`` is noted."""
        self.kept = tuple(keep)
        goal, q = goals[0], self.position()
        line = dict(zip(self.robot.arm(goal.hand), self.robot.arm_joints(goal.X_WH, q).tolist(), strict=True))
        return self._job(
            self._plan(self.straight({**line, **self.hand_posture(goal.hand, None)}, duration), goal),
            seed,
            planning_time,
        )

    def plan_handover(
        self,
        object: str,
        giver: str,
        taker: str,
        avoid: str | None,
        approach_distance: float,
        chains: Sequence[str],
        duration: float,
        seed: int,
        planning_time: float,
    ) -> Job | Failure:
        """What was scripted, or a straight line of the taker's arm to the object's first grasp."""
        grasp = next(grasp for grasp in self.grasps(object, taker) if grasp.name != avoid)
        goal = HandGoal(taker, self._perception.pose(object) @ grasp.X_OH, grasp.name, object, approach_distance)
        return self.plan_to_poses([goal], (), duration, seed, planning_time)

    def recheck(self, plan: Plan) -> Job | None:
        """What was scripted, or that nothing has changed."""
        stale = self.stale.popleft() if self.stale else None
        return None if stale is None else FakeJob(stale, lambda: True)

    def _plan(self, trajectory: Trajectory, goal: HandGoal | None = None) -> Plan | Failure:
        if self.plans:
            return self.plans.popleft()
        return Plan(trajectory, goal, trajectory.duration, stretched=False, work={})

    def _job(self, result: Plan | Failure, seed: int, planning_time: float) -> FakeJob:
        self.seeds.append(seed)
        due = self._clock.now() + planning_time
        return FakeJob(result, lambda: self._clock.now() >= due - 1e-9)
