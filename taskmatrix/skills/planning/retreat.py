"""The retreat of a plan: what is in contact comes out of it, hands back off, what they hold is lifted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact, Indices
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..collision.clearing import Clearing, WayOut
from ..collision.collision import CollisionChecker
from ..kinematics.both_hands import follow_both
from ..kinematics.kinematics import Kinematics
from .queries import Snapshot
from .straight_motion import TURN, arm_first, line, straight

BACK = 0.06  # [m] that a hand backs off
FAR = 0.25  # [m] likewise, of one that is to be clear of it
APART = 0.02  # [m] which it is then
CLOSED = 0.01  # [rad, m] a finger this far from open is opened
SLIGHT = 0.0005  # [m] by which a contact may get deeper
TOUCHED = 0.03  # [m] of the way on which it may touch what it leaves
LIFT = 0.08  # [m] that what it holds is lifted at least
HIGH = 0.6  # [m] and at most, until it is clear of what it was near to: a broom in its stand, say
UP = np.array([0.0, 0.0, 1.0])
ASIDE = 0.15  # [m] that a base steps back, or to a side, where a search is stuck at the start
TURNS = (0.0, 0.8, -0.8, 1.6, -1.6)  # [rad] to the side of straight back, tried in turn
MOST = 3  # pairs that a failure names as in the way


def allowed_at_start(checker: CollisionChecker, snapshot: Snapshot) -> list[AllowedContact]:
    """What hands are at in a snapshot and have to leave; the checker, with the margins of planning, knows its world."""
    at_it = [touch for touch in snapshot.allowed_contacts if touch.hand not in snapshot.held]
    return [*at_it, *checker.near_held(snapshot.q)]


@dataclass(frozen=True, eq=False)
class Retreat:
    """The first part of a plan: out of contact, and away from what hands are at."""

    legs: tuple[Array, ...]
    """(m, n) each, configurations from the start, with a stop between two; of one where there is nothing to leave."""
    retreat_contacts: tuple[AllowedContact, ...]
    """What hands may touch on it."""
    initial_contacts: tuple[Contact, ...] = ()
    """Contacts at the start, other than these, out of which it comes."""
    blocked: Failure | None = None
    """Why it ends in contact."""

    @property
    def path(self) -> Array:
        """(m, n) All configurations, one after the other."""
        return np.vstack(self.legs)


def plan_retreat(
    kinematics: Kinematics,
    checker: CollisionChecker,
    q: Array,
    retreat_contacts: Sequence[AllowedContact],
    joints: Indices,
    random: np.random.Generator,
    back: float = BACK,
) -> Retreat:
    """Find how a plan begins: out of contact, then away from what hands are at.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning, but for what is nearer at the start; its allowed contacts are changed.
        q: (n,) Where the robot starts.
        retreat_contacts: What :func:`allowed_at_start` gave.
        joints: (k,) Joints that may move.
        random: For ways out that have to be searched for.
        back: [m] How far an empty hand goes back at most.
    """
    clearing = Clearing(kinematics, checker, joints, checker.displacement(kinematics.displacement), random)
    checker.set_allowed_contacts(retreat_contacts)
    initial_contacts = checker.all_contacts(q)
    out = WayOut((q[None],), True)
    if initial_contacts:
        checker.set_allowed_contacts([])  # what a hand is only near to it need not touch on the way
        checker.relax([q], more=True)
        out = clearing.way_out(q)
        checker.set_allowed_contacts(retreat_contacts)
        out = out if out.clear else clearing.way_out(q)
    legs = list(out.legs)
    if out.clear:
        for opened in _opened(kinematics.robot, checker, legs[-1][-1], retreat_contacts, joints):
            legs.append(np.array([legs[-1][-1], opened]))
        legs.append(retreat_path(kinematics, checker, legs[-1][-1], retreat_contacts, joints, back))
        checker.relax([legs[-1][-1]], more=True)  # with nothing permitted any more
        if checker.all_contacts(legs[-1][-1]):
            initial_contacts += [contact for contact in checker.all_contacts(q) if contact not in initial_contacts]
            out = clearing.way_out(legs[-1][-1])
            legs += out.legs
    blocked = None if out.clear else _no_way(checker.contact(legs[-1][-1]), out)
    checker.set_allowed_contacts([])
    moving = [leg for leg in legs if len(leg) > 1]
    return Retreat(tuple(moving) or (q[None],), tuple(retreat_contacts), tuple(initial_contacts), blocked)


def step_aside(robot: Robot, checker: CollisionChecker, begin: Retreat, joints: Indices) -> Retreat | None:
    """The same retreat and a straight step of the base, where a search has not come away from the start.

    Hands just over a table, say, leave hardly a direction free to arm and trunk, and a step back all of them.

    Args:
        robot: The robot.
        checker: With the margins of planning, but for what is nearer at the end of the retreat.
        begin: The retreat.
        joints: (k,) Joints that may move.

    Returns:
        None where the base may not move, or has no room.
    """
    q = begin.path[-1]
    for turn in (0.0,) if robot.rolls else TURNS:
        aside = q.copy()
        aside[:2] -= ASIDE * np.array([np.cos(q[2] + turn), np.sin(q[2] + turn)])
        inside = (robot.lower[:2] <= aside[:2]).all() and (aside[:2] <= robot.upper[:2]).all()
        if np.isin([0, 1], joints).all() and inside and checker.edge_is_free(q, aside):
            return replace(begin, legs=(*(leg for leg in begin.legs if len(leg) > 1), np.array([q, aside])))
    return None


def _opened(
    robot: Robot, checker: CollisionChecker, q: Array, retreat_contacts: Sequence[AllowedContact], joints: Indices
) -> Iterator[Array]:
    """(n,) each: q (n,) with one more empty hand open that is at something, if its fingers may move and have room."""
    for hand in sorted({touch.hand for touch in retreat_contacts if checker.holds(touch.hand) is None}):
        opened = q.copy()
        for joint, position in robot.hands[hand].open.items():
            opened[robot.joints.index(joint)] = position
        moved = np.flatnonzero(np.abs(opened - q) > CLOSED)
        if len(moved) and np.isin(moved, joints).all() and checker.edge_is_free(q, opened):
            yield opened
            q = opened


def _no_way(contact: Contact | None, out: WayOut) -> Failure:
    assert contact is not None
    others = [pair for pair, _ in out.in_the_way.most_common() if pair != contact.pair][:MOST]
    message = f"the start is in collision, and there is no way out: {contact.first} and {contact.second}"
    message += f"; in the way: {', '.join(' and '.join(pair) for pair in others)}" if others else ""
    facts = {"pair": contact.pair, "distance": contact.distance, "at": "start", "in_the_way": others}
    return Failure(FailureKind.COLLISION, "planner", message, facts)


def retreat_path(
    kinematics: Kinematics,
    checker: CollisionChecker,
    q: Array,
    retreat_contacts: Sequence[AllowedContact],
    joints: Indices,
    back: float = BACK,
) -> Array:
    """(m, n) Configurations from q (n,) straight away from what hands are near; q alone where that is nothing.

    An empty hand goes back along its z, one that holds something goes up, and tilts it where it has to. Each goes as
    far as it can without a contact, but for what an empty hand is at, which it may touch on the first 3 cm; until it is
    2 cm from what it was at, and 6 or 8 cm at least. From what the other hand holds it goes with its arm alone, and
    turns where it has to.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning; its allowed contacts are changed.
        q: (n,) Where the robot starts.
        retreat_contacts: What :func:`allowed_at_start` gave.
        joints: (k,) Joints that may move.
        back: [m] How far an empty hand goes at most.
    """
    stretch = q[None]
    for hand in sorted({touch.hand for touch in retreat_contacts}):
        holds = checker.holds(hand) is not None
        X_WH, choices = kinematics.pose(hand, stretch[-1]), arm_first(kinematics, hand, joints)
        left = {touch.object for touch in retreat_contacts if touch.hand == hand}
        kept = any(checker.holds(other) in left for other in kinematics.robot.hands if other != hand)
        choices = choices[:-1] if kept else choices  # the trunk would move the hand that holds it as well
        first_blocked = partial(_first_blocked, kinematics, checker, retreat_contacts, hand, X_WH[:3, 3])
        direction, (least, most) = (UP, (LIFT, HIGH)) if holds else (-X_WH[:3, 2], (BACK, back))
        way = line(X_WH, direction, least)
        go = _going(kinematics, checker, hand, stretch[-1], choices, first_blocked, holds or kept)
        onward = go(way, stretch[-1])
        stretch = np.vstack([stretch, onward[1:]])
        if len(onward) > len(way) and most > least and not _is_apart(checker, retreat_contacts, hand, stretch[-1]):
            way = line(kinematics.pose(hand, stretch[-1]), direction, most - least)
            onward = go(way, stretch[-1])
            enough = next(
                (k for k, q in enumerate(onward) if _is_apart(checker, retreat_contacts, hand, q)), len(onward)
            )
            stretch = np.vstack([stretch, onward[1 : enough + 1]])
    checker.set_allowed_contacts([])
    return stretch


def _going(
    kinematics: Kinematics,
    checker: CollisionChecker,
    hand: str,
    q: Array,
    choices: Sequence[Indices],
    first_blocked: Callable[[Array], int | None],
    tilting: bool,
) -> Callable[[Array, Array], Array]:
    """How a hand goes along poses (t, 4, 4) from a configuration (n,), with the other hand if that holds the same."""
    holds = checker.holds(hand)
    other = next((each for each in kinematics.robot.hands if each != hand and checker.holds(each) == holds), None)
    if holds is None or other is None:
        return lambda way, q: straight(kinematics, hand, way, q, choices, TURN, first_blocked, tilting)
    arm = kinematics.robot.indices(kinematics.robot.hands[other].arm)
    joints = np.union1d(choices[-1], arm).astype(np.intp)
    X_HO = inverse(kinematics.pose(hand, q)) @ kinematics.pose(other, q)
    hands = hand, other
    return lambda way, q: follow_both(kinematics, hands, (way, way @ X_HO), q, joints, TURN, first_blocked)


def _first_blocked(
    kinematics: Kinematics,
    checker: CollisionChecker,
    retreat_contacts: Sequence[AllowedContact],
    hand: str,
    p_WH: Array,
    Q: Array,
) -> int | None:
    """The number of the first of configurations Q (m, n) from which a hand that began at p_WH (3,) cannot go on.

    What other hands are at, or what it holds is near to, may get no deeper meanwhile.
    """
    others = [touch for touch in retreat_contacts if touch.hand != hand or checker.holds(hand)]
    pairs = [pair for touch in others for pair in checker.pairs_of(touch).tolist()]
    deepest = np.minimum(checker.distances(pairs, Q[0]), 0.0) - SLIGHT
    for k, (here, there) in enumerate(pairwise(Q)):
        if pairs and (checker.distances(pairs, there) < deepest).any():
            return k
        far = float(np.linalg.norm(kinematics.pose(hand, there)[:3, 3] - p_WH))
        checker.set_allowed_contacts(retreat_contacts if far <= TOUCHED else others)
        if not checker.edge_is_free(here, there):
            return k
    return None


def _is_apart(checker: CollisionChecker, retreat_contacts: Sequence[AllowedContact], hand: str, q: Array) -> bool:
    """Whether at q (n,) a hand is 2 cm from all that it was at."""
    pairs = [pair for touch in retreat_contacts if touch.hand == hand for pair in checker.pairs_of(touch).tolist()]
    return bool((checker.distances(pairs, q) >= APART).all())
