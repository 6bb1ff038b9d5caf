"""What planning and inverse kinematics are asked: the robot and the world, frozen, and where to go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from taskmatrix.core.robot.plans import AllowedContact, Goal, HandConstraint, HandGoal, Indices, Plan
from taskmatrix.core.world.objects import Array, Grasp, ObjectModel
from taskmatrix.core.world.occupancy import Space
from taskmatrix.core.world.symmetry import apart, symmetry_of

from ..tolerances import PERCEPTION_NOISE, UNCHANGED


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The robot and the world, frozen."""

    q: Array
    """(n,) [m, rad] Joint positions."""
    objects: Mapping[str, tuple[ObjectModel, Array]]
    """Model and X_WO (4, 4) by id."""
    held: Mapping[str, tuple[str, Array]] = field(default_factory=dict)
    """By hand, the object held and X_HO (4, 4)."""
    allowed_contacts: tuple[AllowedContact, ...] = ()
    """Permissions in force: hands that are at what they have let go, or are about to grasp."""
    space: Space | None = None
    """The map; None without one."""

    def same(self, other: Snapshot, joints: Indices) -> bool:
        """Whether nothing is elsewhere but what a plan of ``joints`` moves anyway."""
        rest = np.setdiff1d(np.arange(len(self.q)), joints)
        return (
            list(self.objects) == list(other.objects)
            and self.has_same_space(other)
            and {hand: id for hand, (id, _) in self.held.items()} == {hand: id for hand, (id, _) in other.held.items()}
            and np.allclose(self.q[rest], other.q[rest], atol=UNCHANGED)
            and all(self.has_at_its_place(id, other) for id in self.objects)
        )

    def has_same_space(self, other: Snapshot) -> bool:
        """Whether both have the same map, in the same state."""
        if self.space is None or other.space is None:
            return self.space is other.space
        return self.space.occupied is other.space.occupied and self.space.unseen is other.space.unseen

    def releasing(self, hand: str, opening: Mapping[int, float]) -> Snapshot:
        """The same when a hand has let go of what it holds: it is at the object, with its fingers (by joint) open."""
        q = self.q.copy()
        q[list(opening)] = list(opening.values())
        held = {other: item for other, item in self.held.items() if other != hand}
        allowed_contacts = (
            (*self.allowed_contacts, AllowedContact(hand, self.held[hand][0]))
            if hand in self.held
            else self.allowed_contacts
        )
        return replace(self, q=q, held=held, allowed_contacts=allowed_contacts)

    def has_at_its_place(self, id: str, other: Snapshot) -> bool:
        """Whether an object is in both, at the same place."""
        return self._has_within(id, other, (UNCHANGED, UNCHANGED))

    def has_near_its_place(self, id: str, other: Snapshot) -> bool:
        """Whether an object is in both, and so near to the same place that a grasp of it there will do."""
        return self._has_within(id, other, PERCEPTION_NOISE)

    def _has_within(self, id: str, other: Snapshot, near: tuple[float, float]) -> bool:
        """Whether an object is in both, and no further apart than so many [m] and [rad] that can be seen."""
        if id not in self.objects or id not in other.objects:
            return False
        (model, here), (_, there) = self.objects[id], other.objects[id]
        if here is there:
            return True
        distance, angle = apart(symmetry_of(model.shapes), here, there)
        return bool(distance <= near[0] and angle <= near[1])


@dataclass(frozen=True, eq=False)
class PoseQuery:
    """Take a hand to one of several goals."""

    goals: tuple[HandGoal, ...]
    """Any of these will do."""
    chains: tuple[str, ...]
    """Chains that may move besides the arm of the goal's hand; an arm that holds something else may in the beginning,
    to take that out of what it is at."""
    opening: Mapping[str, Mapping[int, float]]
    """By hand, positions of its open fingers; those of a hand that holds nothing open on the way."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""
    keep: tuple[HandConstraint, ...] = ()
    """What hands keep all the way."""

    @property
    def for_both(self) -> bool:
        """Whether two hands are to be at goals at once."""
        return bool(self.goals) and self.goals[0].partner is not None


@dataclass(frozen=True, eq=False)
class ConfigurationQuery:
    """Take joints to positions."""

    goal: Mapping[int, float]
    """By joint index."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""
    relaxed: tuple[str, ...] = ()
    """Chains that may be elsewhere at the end where the goal would touch something with them as they are."""


@dataclass(frozen=True, eq=False)
class ClearQuery:
    """Come out of contact, and leave what hands are at, as far as there is room."""

    chains: tuple[str, ...]
    """Chains that may move."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""


@dataclass(frozen=True, eq=False)
class AlongQuery:
    """Take a hand, and what it holds, through poses one after the other."""

    hand: str
    """Which."""
    poses: Array
    """(t, 4, 4) Of its grasp frame, near one another."""
    chains: tuple[str, ...]
    """Chains that may move."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""
    until: str | None = None
    """Id of an object: the way ends where hand or what it holds touches that, and fails where it does not."""
    least: float = 1.0
    """Share of the way that will do where the hand cannot go on."""
    pushes: str | None = None
    """Id of an object that the hand pushes ahead, so that it is not in the way."""


@dataclass(frozen=True, eq=False)
class HandoverQuery:
    """Take both hands to where one can grasp what the other holds."""

    object: str
    """Id of the object."""
    giver: str
    """The hand that holds it."""
    taker: str
    """The hand that is to grasp it."""
    grasps: tuple[Grasp, ...]
    """Any of these will do."""
    approach_distance: float
    """[m] Length of the taker's approach."""
    chains: tuple[str, ...]
    """Chains that may move besides the arms where the object has to be lifted off something first."""
    opening: Mapping[str, Mapping[int, float]]
    """By hand, positions of its open fingers."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""


@dataclass(frozen=True, eq=False)
class CheckQuery:
    """Check a plan that was made for another world."""

    plan: Plan
    """The plan."""


@dataclass(frozen=True, eq=False)
class IkQuery:
    """What inverse kinematics is asked; see :meth:`taskmatrix.core.robot.skillset.SkillSet.find_configuration`."""

    goals: tuple[Goal, ...]
    """Any of these will do."""
    starts: Array
    """(s, n) Where to start; what does not move stays as there."""
    chains: tuple[str, ...] | None = None
    """Those that may move; None for the arm of each goal's hand."""
    reference: Array | None = None
    """(n,) Posture to come near to."""
    free: bool = False
    """Whether it must be free of contact."""
    seed: int = 0
    """Of the random configurations."""
    attempts: int = 200
    """Descents from random configurations at most."""
    choices: int = 1
    """How many to choose from."""
    base_range: float = 1.0
    """[m] How far the base may go along x and y from the first start."""


Query = PoseQuery | ConfigurationQuery | HandoverQuery | ClearQuery | AlongQuery | CheckQuery
