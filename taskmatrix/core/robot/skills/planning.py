"""Skills 6 and 7: collision-free motions to configurations and to poses of the hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ...base.failure import Failure
from ...world.objects import Array
from ..plans import HandConstraint, HandGoal, Job, Plan


class PlanningSkills(Protocol):
    """Planning that runs beside the control loop: each method starts a job, or says why it does not."""

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        """6. A collision-free motion of the joints named in ``goal`` to their positions.

        Where the positions would touch something, the chains ``relaxed`` may be elsewhere at the end: a torso upright,
        the base as near as it can be. Like all plans it comes out of contact first, where it begins in contact.
        """
        ...

    def plan_to_clear(
        self, chains: Sequence[str], duration: float, seed: int, planning_time: float, releasing: str | None = None
    ) -> Job | Failure:
        """6. A motion of ``chains`` out of contact, and of hands away from what they let go or were about to grasp.

        Contacts come apart all the way, no other arises, and the robot moves little. A hand goes straight back as far
        as there is room, until it is clear of the object.

        Args:
            chains: Those that may move.
            duration: [s] A minimum, where anything is to move.
            seed: For ways that have to be searched for.
            planning_time: [s] What it takes in simulated time.
            releasing: A hand that will be open when the motion begins, and have let go of what it holds.

        Returns:
            The job; its result is a failure of kind ``collision`` that names what holds the robot where there is no
            way out.
        """
        ...

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
        """7. A collision-free motion that takes a hand, and what it holds, through poses one after the other.

        Args:
            hand: Name of the hand.
            poses: (t, 4, 4) Poses of its grasp frame in the world, near one another; the first near where it is.
            chains: Those that may move.
            duration: [s] A minimum.
            seed: Of all random choices.
            planning_time: [s] What it takes in simulated time.
            until: Id of an object that ends the way 1 mm before the hand, or what it holds, touches it.
            least: Share of the way that will do: where the hand cannot go on, it goes as far as it can.
            pushes: Id of an object that the hand pushes ahead, so that it is not in the way.

        Returns:
            The job; its result is a failure of kind ``ik_exhausted`` or ``collision``, with the share of the way, where
            the hand cannot go on, and of kind ``not_achieved`` where it does not come to what it is to touch.
        """
        ...

    def plan_to_poses(
        self,
        goals: Sequence[HandGoal],
        chains: Sequence[str],
        duration: float,
        seed: int,
        planning_time: float,
        keep: Sequence[HandConstraint] = (),
    ) -> Job | Failure:
        """7. A collision-free motion that takes one of several goals, with ``chains`` and the arm of the goal's hand.

        An arm among ``chains`` that holds something else only takes that out of what it is at, in the beginning. Goals
        from which the view can face the goal's object are preferred. ``duration`` [s] is a minimum; ``planning_time``
        [s] is what it takes in simulated time. Constraints to ``keep`` hold at every instant within 2 mm and 1 degree
        of what they allow; where no such motion is found, the failure says which is not kept, and by how much.
        """
        ...

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
        """7. A collision-free motion of both arms that takes one hand to a grasp of what the other holds.

        ``avoid`` names a grasp to leave out. ``chains`` may move too where the object is to be lifted off something.
        """
        ...

    def recheck(self, plan: Plan) -> Job | None:
        """6, 7. Check a plan against the world as it is now; None where that is still the world it was made for.

        The job's result is the plan, or why it will not do any more.
        """
        ...
