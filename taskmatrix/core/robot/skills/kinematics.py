"""Skills 4 and 5: forward, differential and inverse kinematics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...base.failure import Failure
from ...world.objects import Array
from ..plans import Goal, GoalSolution, Solution


class KinematicsSkills(Protocol):
    """Where hands and view are in a configuration, and which configuration puts them somewhere."""

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        """4. X_WH: (4, 4) pose of a hand's grasp frame."""
        ...

    def differential_kinematics(self, frame: str, q: Array | None = None) -> tuple[Array, Array]:
        """4. X_WF (4, 4) of a hand's grasp frame, the ``view`` or a link, and (6, n) its twist for unit speeds.

        The twist is expressed in the frame: velocity of its origin [m/s], then angular velocity [rad/s]. Raises
        NotFoundError where there is no such frame.
        """
        ...

    def inverse_kinematics(
        self,
        hand: str,
        X_WH: Array,
        chains: Sequence[str],
        q: Array | None = None,
        reference: Array | None = None,
        within: Array | None = None,
    ) -> Solution:
        """5. The configuration nearest to the goal that moving ``chains`` from ``q`` finds, within the limits.

        Where more than one reaches the goal, the one nearest to ``reference`` (n,) is preferred. No joint goes farther
        from ``q`` than ``within`` (n,) [rad, m] if that is given. One descent, bounded.
        """
        ...

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
        """5. A configuration that takes one of several goals, within the limits, or why none was found.

        Many descents, at once: one from every given configuration to every goal, the nearest first, then some from
        random configurations. The same arguments, in the same world, give the same answer.

        Args:
            goals: Any of them will do. Of a :class:`HandGoal` the approach is not looked at.
            chains: Those that may move; unless given, the arm of each goal's hand. Everything else stays.
            q: (n,) Where to start, or (s, n) for several; the present configuration unless given.
            reference: (n,) Posture to come near to where a goal leaves freedom.
            free: Whether it must be free of contact, but for what is allowed: the allowed contacts in force, and that
                of a goal's hand with the goal's object.
            seed: Of the random configurations.
            attempts: Descents from random configurations at most, all goals together.
            choices: How many configurations to choose from; the search goes on until it has as many or is at its
                end, and of what it has the nearest to the reference, or else to the first of ``q``, is the answer.
            base_range: [m] How far the base may go along x and y from where it is in the first of ``q``.

        Returns:
            The configuration; or a failure (``ik_exhausted``, ``collision``) that says which goal was come nearest to
            and how near, which joints are on which limit there, which pairs collided most, and the attempts made.

        Raises:
            ParameterError: No goal, a goal that is none, or an argument of wrong shape or range; no chain moves a
                goal's hand.
            NotFoundError: A hand, a chain or an object does not exist.
        """
        ...

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
        """5. For each of many goals a configuration, or why none was found, as :meth:`find_configuration` has them.

        In one go, which takes a fraction of the time: a few descents are made to all at once, and only what these do
        not come to is looked for one by one.
        """
        ...

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        """5. (n,) The configuration in which turning ``chains`` faces ``point`` (3,) as far as it goes.

        The base turns on the spot.
        """
        ...
