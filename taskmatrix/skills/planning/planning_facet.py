"""Skills 6 and 7, and the search of skill 5: each asks one query of a snapshot of the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Goal, GoalSolution, HandConstraint, HandGoal, Job, Plan
from taskmatrix.core.world.objects import Array

from ..collision.collision import FLOOR
from ..collision.collision_facet import CollisionFacet
from .finding import Finder
from .queries import AlongQuery, CheckQuery, ClearQuery, ConfigurationQuery, HandoverQuery, IkQuery, PoseQuery, Snapshot

FIST = 0.02  # [m] between the fingers of a hand that pushes: closed, and not pressing on each other


class PlanningFacet(CollisionFacet):
    """Implements :class:`~taskmatrix.core.robot.skills.planning.PlanningSkills`, and finds configurations."""

    def find_configuration(
        self,
        goals: Sequence[Goal],
        chains: Sequence[str] | None = None,
        *,
        q: Array | None = None,
        reference: Array | None = None,
        free: bool = False,
        seed: int = 0,
        attempts: int = 200,
        choices: int = 1,
        base_range: float = 1.0,
    ) -> GoalSolution | Failure:
        """A configuration that takes one of several goals, or why none was found."""
        return self._finder(goals, chains, q, reference, free, seed, attempts, choices, base_range).find()

    def find_configurations(
        self,
        goals: Sequence[Goal],
        chains: Sequence[str] | None = None,
        *,
        q: Array | None = None,
        reference: Array | None = None,
        free: bool = False,
        seed: int = 0,
        attempts: int = 200,
        base_range: float = 1.0,
    ) -> Sequence[GoalSolution | Failure]:
        """For each goal a configuration, or why none was found."""
        return self._finder(goals, chains, q, reference, free, seed, attempts, 1, base_range).find_each()

    def _finder(
        self,
        goals: Sequence[Goal],
        chains: Sequence[str] | None,
        q: Array | None,
        reference: Array | None,
        *settings: Any,
    ) -> Finder:
        """What answers to goals, with the settings of a query in their order."""
        starts = np.array(self._state.q if q is None else q, dtype=float, ndmin=2)
        pull = None if reference is None else np.asarray(reference, dtype=float)
        for goal in goals:
            if goal.object is not None and goal.object != FLOOR:
                self._perception.object(goal.object)  # NotFoundError
        moving = None if chains is None else tuple(chains)
        query = IkQuery(tuple(goals), starts, moving, pull, *settings)
        return Finder(self._kinematics, self._checker, self._allowed.in_force, query)

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        """Start to plan a motion of joints to positions."""
        query = ConfigurationQuery(dict(goal), duration, seed, tuple(relaxed))
        return self._backend.submit(self._snapshot(), query, planning_time)

    def plan_to_clear(
        self, chains: Sequence[str], duration: float, seed: int, planning_time: float, releasing: str | None = None
    ) -> Job | Failure:
        """Start to plan a motion out of contact, and away from what hands are at."""
        snapshot = self._snapshot()
        if releasing is not None:
            id = snapshot.held.get(releasing, ("",))[0]
            for hand in {releasing: 0} | {hand: 0 for hand, (other, _) in snapshot.held.items() if other == id}:
                snapshot = snapshot.releasing(hand, self.hand_posture(hand, None))
        return self._backend.submit(snapshot, ClearQuery(tuple(chains), duration, seed), planning_time)

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
        """Start to plan a motion that takes a hand through poses."""
        query = AlongQuery(hand, poses, tuple(chains), duration, seed, until, least, pushes)
        return self._backend.submit(self._snapshot(), query, planning_time)

    def plan_to_poses(
        self,
        goals: Sequence[HandGoal],
        chains: Sequence[str],
        duration: float,
        seed: int,
        planning_time: float,
        keep: Sequence[HandConstraint] = (),
    ) -> Job | Failure:
        """Start to plan a motion that takes one of several goals."""
        if not goals:
            return Failure(FailureKind.NO_GRASP, "planner", "there is no goal to plan for")
        hands = {hand for goal in goals for hand in goal.hands}
        pushing = {goal.hand for goal in goals if goal.pushes is not None}  # with the hand closed
        opening = {hand: self.hand_posture(hand, FIST if hand in pushing else None) for hand in sorted(hands)}
        query = PoseQuery(tuple(goals), tuple(chains), opening, duration, seed, tuple(keep))
        return self._backend.submit(self._snapshot(), query, planning_time)

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
        """Start to plan a motion that takes one hand to a grasp of what the other holds."""
        grasps = tuple(grasp for grasp in self.grasps(object, taker) if grasp.name != avoid)
        if not grasps:
            return Failure(FailureKind.NO_GRASP, "planner", f"the {taker} hand has no grasp of '{object}'")
        opening = {hand: self.hand_posture(hand, None) for hand in (giver, taker)}
        query = HandoverQuery(object, giver, taker, grasps, approach_distance, tuple(chains), opening, duration, seed)
        return self._backend.submit(self._snapshot(), query, planning_time)

    def recheck(self, plan: Plan) -> Job | None:
        """Check a plan against the world as it is now; None where that is still the world it was made for.

        That the head is elsewhere does not count: plans are made for a head that may turn meanwhile.
        """
        now = self._snapshot()
        expected = np.concatenate([plan.trajectory.indices, self.robot.chains.get("head", ())]).astype(np.intp)
        if isinstance(plan.world, Snapshot) and plan.world.same(now, expected):
            return None
        return self._backend.submit(now, CheckQuery(plan), 0.0)

    def _snapshot(self) -> Snapshot:
        at = tuple(contact for contact in self._allowed.at if self.held(contact.hand) is None)
        q = self._state.q.copy()
        stood = self.standing(q)
        if stood is not q and self._checker.contact(stood) and not self._checker.contact(q):
            stood = q  # legs that were held in a step have no room to stand here: they stay as they are
        return Snapshot(stood, self._objects(), self._held(), at, self._space.now())
