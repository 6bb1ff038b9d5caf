"""Bring a hand to where it can grasp an object (thesis 4.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Graspable, Grasping, Inside, ReadyToGrasp, RestingOn
from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.condition import Verdict
from taskmatrix.core.behavior.inversion import UP
from taskmatrix.core.behavior.requirement import Holds, Requirement
from taskmatrix.core.robot.plans import HandGoal, Job
from taskmatrix.core.world.geometry import inverse, middle, planar
from taskmatrix.core.world.objects import Array, Grasp, table_entry
from taskmatrix.core.world.perception import Percept
from taskmatrix.core.world.symmetry import nearest_alike, symmetry_of

from ..along.part_way import part_way
from ..common.tolerances import APPROACH
from .hand_motion import HandMotion
from .placeable import placeable

PAIRS = 400  # of grasps on both sides that are offered to the planner
OPPOSITE = -0.9  # cosine of the angle between the ways to two grasps from the middle of a thing, at most
MOMENT = 0.05  # [s] of a reach that is there already


class Reach(HandMotion):
    """Drive the robot without collision to where a free hand can grasp an object.

    Of the free arms and the object's grasps, the planner takes those that it can reach, and prefers configurations
    from which the hand can lift the object and the robot can see it. The hand opens on the way. Where the object moves
    or something comes into the way, it stops and plans anew. What takes two hands is reached for with both, which come
    to it from opposite sides at the same time.
    """

    needs = ("base",)

    object = Parameter(str, doc="id of the object to reach for")
    using = Parameter(str, default=None, doc="name of the hand to use; any that is free unless given")
    avoid = Parameter(str, default=None, doc="name of a grasp to leave out: one that has failed, say")
    onto = Parameter(str, default=None, doc="id of what to put it on next: it takes a grasp that will do there, if any")
    up = Parameter(str, default=None, choices=UP, doc="which of its axes is up there; z unless given")
    into = Parameter(str, default=None, doc="id of what to put it into next: likewise")

    share = Parameter(
        float, default=None, minimum=0.0, maximum=1.0, doc="how far to open a part next: it takes a grasp that will do"
    )

    hand = Output(str, doc="name of the hand that reached; the first of two")
    grasp = Output(str, doc="name of the object's grasp that it is at")

    _any_grasp = False
    """Whether there was no way to the grasps that will do where it is put next; then it takes any."""

    def requirements(self) -> Sequence[Requirement]:
        """A hand for the object."""
        return [*super().requirements(), Holds(self.object, self.using)]

    def required_chains(self) -> Sequence[str] | Failure:
        """The trunk, all arms that nobody uses, laden or not; of those in use one if chains are shared."""
        skills, arbiter = self.context.skills, self.context.arbiter
        if self.object not in self.context.perception:
            message = not_found("object", self.object, self.context.perception.percepts)
            return self.fail(FailureKind.UNKNOWN_OBJECT, message)
        if self.up is not None and self.onto is None:
            return self.fail(FailureKind.PARAMETER, "up says how to put it on something next: onto says on what")
        holder = Grasping(self.object).evaluate(self.context).values.get("hand")
        if holder is not None and self.using not in (None, holder):
            message = f"the {holder} hand holds '{self.object}'; Transfer passes it to the other"
            return self.fail(FailureKind.PRECONDITION, message, hand=holder, object=self.object)
        self.hands = ()
        shared: tuple[str, ...] = ()
        reasons: dict[str, str] = {}
        for hand in skills.hands if self.using is None else (self.using,):
            chains = skills.chains_of_hand(hand)
            owners = [owner for owner in map(arbiter.owner, chains) if owner is not None]
            held = skills.held(hand)
            able = Holds(self.object, hand).met(skills.capabilities, self.context.perception)
            if not able:
                reasons[hand] = able.why
            elif held is not None and held != self.object:
                reasons[hand] = f"it holds '{held}'"
            elif owners and arbiter.shares:
                shared = (*shared, hand)
            elif owners:
                reasons[hand] = f"its arm is taken by '{owners[0]}'"
            else:
                self.hands = (*self.hands, hand)
        self.hands = self.hands or shared
        if not self.hands:
            return Failure(FailureKind.CHAIN_BUSY, self.path, "no arm is free", reasons)
        if self._takes_two() and len(self.hands) < 2:
            message = f"'{self.object}' takes two hands"
            if self.using is not None:
                return self.fail(FailureKind.PARAMETER, f"{message}; using names one of them")
            return Failure(FailureKind.CHAIN_BUSY, self.path, f"{message}, and one arm is not free", reasons)
        mine = [chain for hand in self.hands for chain in skills.chains_of_hand(hand)]
        return [*self.trunk(), *mine, *self.arms_to_move_first()]

    def _takes_two(self) -> bool:
        """Whether the object takes two hands."""
        return self.context.perception.object(self.object).model.hands == 2

    def plan(self) -> Job | Failure | None:
        """Plan to all grasps with all free hands; nothing if an open hand is at one already, or the object is held."""
        context = self.context
        self._there = Graspable(self.object, self.using).evaluate(context)
        if self._takes_two():
            self._there = Verdict(False, "that is for one hand")
        if self._there and table_entry(str(self._there.values["grasp"])) == table_entry(self.avoid or ""):
            self._there = Verdict(False, "that grasp is to be left out")
        if self._there:
            self._there = ReadyToGrasp(str(self._there.values["hand"])).evaluate(context) and self._there
        if self._there or Grasping(self.object, self.using).evaluate(context):
            self._execution = None
            return None
        return super().plan()

    def step(self) -> Failure | bool:
        """Follow the plan; where there was nothing to plan, say which hand is at which grasp.

        That takes a moment, so that who starts with the planning finds the base taken, as always.
        """
        if not self._there:
            self._any_grasp = False
            return super().step()
        if self.elapsed == 0.0:
            self.publish(hand=self._there.values["hand"], grasp=self._there.values["grasp"])
        return self.elapsed >= MOMENT

    def achieved(self) -> Failure | bool:
        """Whether the object is still where the hand went for it."""
        if not self._there:
            return True  # it is watched while there is a plan
        at = Graspable(self.object, self.outputs["hand"]).evaluate(self.context)
        return True if at else self.fail(FailureKind.LOST_OBJECT, f"'{self.object}' moved: {at.why}", None, **at.values)

    def goals(self) -> Sequence[HandGoal] | Failure:
        """The hands at the object's grasps; those of a ball are where they would be if it had never rolled."""
        X_WO = _as_if_never_rolled(self.context.perception.object(self.object))
        grasps = [
            (hand, grasp)
            for hand in self.hands
            for grasp in self.context.skills.grasps(self.object, hand)
            if grasp.entry != table_entry(self.avoid or "")
        ]
        if not grasps:
            return self.fail(FailureKind.NO_GRASP, f"no free hand has a grasp of '{self.object}'", hands=self.hands)
        if self._takes_two():
            return self._from_both_sides(X_WO)
        next_place = self.onto or self.into
        if next_place is not None and not self._any_grasp:
            on = RestingOn(self.object, next_place, self.up)
            place = Inside(self.object, next_place) if self.onto is None else on
            will_do = placeable(self.context, self.object, next_place, grasps, self.random, place)
            if self.up is not None and not will_do:
                there = f"put on '{next_place}' with {self.up} up"
                message = f"no grasp of '{self.object}' was found with which it can be taken and {there}"
                return self.fail(FailureKind.NO_GRASP, message, hands=self.hands)
            grasps, self._any_grasp = will_do or grasps, self.up is None
        return [
            HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, self.object, APPROACH, onward=self._onward(grasp))
            for hand, grasp in grasps
        ]

    def _from_both_sides(self, X_WO: Array) -> Sequence[HandGoal] | Failure:
        """Both hands at grasps of the object at X_WO (4, 4) that are on opposite sides of it."""
        seen, skills, (one, other) = self.context.perception.object(self.object), self.context.skills, self.hands[:2]
        pairs = opposite(skills.grasps(self.object, one), skills.grasps(self.object, other), middle(seen.model.shapes))
        if not pairs:
            without = [hand for hand in (one, other) if not skills.grasps(self.object, hand)]
            message = f"'{self.object}' takes two hands, and the "
            message += f"{without[0]} has no grasp of it" if without else "hands have no grasps on opposite sides of it"
            return self.fail(FailureKind.NO_GRASP, message, hands=self.hands)
        others = self.random.permutation(np.arange(PAIRS // 2, max(PAIRS // 2, len(pairs))))[: PAIRS // 2]
        chosen = [*pairs[: PAIRS // 2], *(pairs[k] for k in others.tolist())]
        poses = {id(grasp): X_WO @ grasp.X_OH for pair in pairs for grasp in pair}

        def goal(hand: str, grasp: Grasp, partner: HandGoal | None = None) -> HandGoal:
            return HandGoal(hand, poses[id(grasp)], grasp.name, self.object, APPROACH, partner=partner)

        return [goal(one, first, goal(other, second)) for first, second in chosen]

    def _onward(self, grasp: Grasp) -> Array | None:
        """(t, 4, 4) Where a hand goes with a part that it holds by a grasp."""
        return None if self.share is None else part_way(self.context, self.object, grasp.X_OH, self.share)

    def subject(self) -> str:
        """The object that the hand reaches for."""
        return self.object

    def announce(self, goal: HandGoal) -> None:
        """Publish which hand takes which grasp."""
        self.publish(hand=goal.hand, grasp=goal.label)


def opposite(ones: Sequence[Grasp], others: Sequence[Grasp], middle: Array) -> list[tuple[Grasp, Grasp]]:
    """Pairs of grasps on opposite sides of a point (3,) [m], as seen from above; those first that mirror each other."""
    found = list[tuple[float, int, tuple[Grasp, Grasp]]]()
    for one in ones:
        a = (one.X_OH[:3, 3] - middle)[:2]
        for other in others:
            b = (other.X_OH[:3, 3] - middle)[:2]
            if float(a @ b) < OPPOSITE * float(np.linalg.norm(a) * np.linalg.norm(b)):
                found.append((_unlike(one.X_OH, other.X_OH, middle), len(found), (one, other)))
    return [pair for _, _, pair in sorted(found)]


def _unlike(X: Array, Y: Array, middle: Array) -> float:
    """[rad] How far two grasps (4, 4) are from mirroring each other; 10 cm count as a radian."""
    normal = np.append((X - Y)[:2, 3], 0.0) / np.linalg.norm((X - Y)[:2, 3])
    mirror = np.eye(3) - 2.0 * np.outer(normal, normal)
    off = np.linalg.norm(mirror @ (X[:3, 3] - middle) - (Y[:3, 3] - middle))
    along, across = (float((mirror @ X[:3, k]) @ Y[:3, k]) for k in (2, 1))
    return float(10.0 * off + np.arccos(np.clip(along, -1.0, 1.0)) + np.arccos(min(1.0, abs(across))))


def _as_if_never_rolled(seen: Percept) -> Array:
    """X_WO (4, 4) of an object; of a ball, however it has rolled, with its z upwards."""
    symmetry, (x, y) = symmetry_of(seen.model.shapes), seen.X_WO[:2, 0]
    if symmetry.kind != "sphere" or seen.X_WO[2, 2] == 1.0:
        return seen.X_WO
    upright = planar(0.0, 0.0, float(np.arctan2(y, x)))
    return seen.X_WO @ nearest_alike(symmetry, np.eye(4), inverse(seen.X_WO) @ upright)
