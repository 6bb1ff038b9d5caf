"""A hand along a given way: what it holds is led by what that is fixed to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, HandsTogether, Indices
from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.ik import DEFAULTS, IkSettings, solve_along

from ..collision.collision import CollisionChecker
from ..kinematics.both_hands import follow_both
from ..kinematics.kinematics import Kinematics
from .queries import AlongQuery
from .straight_motion import BRIEF, TURN, arm_first, standing, straight

ENDS = 100  # postures at the end of a way that are tried
APART = (0.2, 0.5)  # [m] of the base, [rad] of joints that these are apart
BETWEEN = (0.0003, np.deg2rad(0.15))  # [m], [rad] off the way between two configurations
ON_WAY = (0.001, np.deg2rad(0.5))  # [m], [rad] off it in the finished motion
HALVINGS = 5  # of what is between two poses of the way, at most
CLOSING = 8  # halvings of the last step before what is to be touched
TOUCHING, NEXT_TO = 0.001, 0.003  # [m] as near as what stands on something, and what counts as touching it
WITHIN = 6  # poses of the way that a motion is compared with, from one pose that was given to the next

FirstBlocked = Callable[[Array], int | None]
"""From configurations (m, n) to the number of the first from which one cannot go to the next."""


@dataclass(frozen=True, eq=False)
class _Led:
    """What takes poses: a hand, or it and the other one that holds the same thing.

    Args:
        kinematics: Of the robot.
        hand: Which.
        joints: (k,) That may move.
        together: What the two keep, if there are two.
    """

    kinematics: Kinematics
    hand: str
    joints: Indices
    together: HandsTogether | None = None

    @property
    def other(self) -> tuple[str, Array] | None:
        """The other hand, and its pose (4, 4) in this one."""
        both = self.together
        if both is None:
            return None
        return (both.other, both.X_HO) if both.hand == self.hand else (both.hand, inverse(both.X_HO))

    def along(self, poses: Array, q: Array, settings: IkSettings = DEFAULTS) -> Array:
        """(m, n) Configurations near q (n,) with the hand at poses (t, 4, 4), as far as it can take them."""
        if self.other is not None:
            return self.both(poses, q, self.joints)[1:]
        chain = self.kinematics.chain(self.hand, standing(self.kinematics, self.joints))
        return solve_along(chain, poses, q, settings, largest=TURN)

    def both(self, poses: Array, q: Array, joints: Indices, first_blocked: FirstBlocked = lambda Q: None) -> Array:
        """(m, n) Configurations from q (n,) along which both hands follow poses (t, 4, 4) of the one."""
        assert self.other is not None
        other, X = self.other
        hands, ways = (self.hand, other), (poses, poses @ X)
        return follow_both(self.kinematics, hands, ways, q, standing(self.kinematics, joints), TURN, first_blocked)

    def is_on_way(self, q: Array, X: Array) -> bool:
        """Whether at q (n,) the hand is within 0.3 mm of a pose (4, 4), and the other one of its own."""
        wanted = [(self.hand, X), *([] if self.other is None else [(self.other[0], X @ self.other[1])])]
        off = [pose_error(self.kinematics.pose(hand, q), goal) for hand, goal in wanted]
        return all(distance <= BETWEEN[0] and angle <= BETWEEN[1] for distance, angle in off)


def plan_along(
    kinematics: Kinematics,
    checker: CollisionChecker,
    query: AlongQuery,
    q: Array,
    joints: Indices,
    together: HandsTogether | None = None,
) -> Array | Failure:
    """(m, n) Configurations from q (n,) along which the hand of a query takes its poses one after the other.

    Between them, straight lines of the joints leave the way by less than half a millimetre.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning, but for what is nearer at the start.
        query: What is asked.
        q: (n,) Where the robot starts.
        joints: (k,) Joints that may move.
        together: What hands keep, where another one holds the same thing.
    """
    led = _Led(kinematics, query.hand, joints, together)

    def first_blocked(Q: Array) -> int | None:
        blocked = (k for k, (here, there) in enumerate(pairwise(Q)) if not checker.edge_is_free(here, there))
        return next(blocked, None)

    best = q[None]
    for path in _paths(led, query, q, first_blocked):
        best = max(best, path, key=len)
        if len(path) > len(query.poses):
            fine = _refined(led, query.poses, path)
            if fine is not None and first_blocked(fine) is None:
                if query.until is None:
                    return fine
                message = f"the {query.hand} hand gets to the end of its way without touching '{query.until}'"
                return Failure(FailureKind.NOT_ACHIEVED, "planner", message, {"object": query.until})
        elif query.until is not None:
            touching = _touching(led, checker, query, path)
            if touching is not None and first_blocked(touching) is None:
                return touching
    done = len(best) - 1
    if done >= max(1.0, query.least * len(query.poses)):
        fine = _refined(led, query.poses[:done], best)
        if fine is not None and first_blocked(fine) is None:
            return fine
    return _stuck(kinematics, checker, query, best)


def longest(
    kinematics: Kinematics, hand: str, poses: Array, q: Array, joints: Indices, first_blocked: FirstBlocked
) -> Array:
    """(m, n) Configurations from q (n,) along which a hand takes poses (t, 4, 4), as far as it can.

    The arm, the trunk and the base go together, or the arm or the base as long as it can and then all, whichever gets
    further.
    """
    best = q[None]
    for path in _descents(kinematics, hand, poses, q, joints, first_blocked):
        best = max(best, path, key=len)
        if len(best) > len(poses):
            break
    return best


def off_way(kinematics: Kinematics, hand: str, poses: Array, sample: Callable[[float], Array], duration: float) -> str:
    """How far a hand leaves its way in a motion; empty if it does so by less than a millimetre and half a degree.

    Args:
        kinematics: Of the robot.
        hand: Which.
        poses: (t, 4, 4) Of its grasp frame; the way goes evenly from one to the next.
        sample: From a time [s] to joint positions (n,).
        duration: [s] Of the motion.
    """
    times = np.linspace(0.0, duration, 1 + 2 * len(poses))
    here = np.array([kinematics.pose(hand, sample(float(time))) for time in times])
    ends = np.concatenate([here[:1], poses])
    way = np.array([_between(A, B, share) for A, B in pairwise(ends) for share in np.linspace(0.0, 1.0, WITHIN)])
    along = np.gradient(way[:, :3, 3], axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1), 1e-12)[:, None]
    for X in here:
        gaps = way[:, :3, 3] - X[:3, 3]
        gaps -= np.einsum("ij,ij->i", gaps, along)[:, None] * along  # what is ahead or behind is not off
        beside = np.linalg.norm(gaps, axis=1) + 0.2 * np.linalg.norm(way[:, :3, 3] - X[:3, 3], axis=1)
        turned = np.einsum("kij,ij->k", way[:, :3, :3], X[:3, :3])
        k = int(np.argmin(beside + 0.1 * np.arccos(np.clip((turned - 1.0) / 2.0, -1.0, 1.0))))
        distance, angle = float(np.linalg.norm(gaps[k])), pose_error(way[k], X)[1]
        if distance > ON_WAY[0] or angle > ON_WAY[1]:
            return f"the {hand} hand leaves its way by {1000.0 * distance:.1f} mm and {np.rad2deg(angle):.1f} deg"
    return ""


def _paths(led: _Led, query: AlongQuery, q: Array, first_blocked: FirstBlocked) -> Iterator[Array]:
    """(m, n) each: ways to follow the poses of a query, or the beginning of them; at first the plain ones."""
    kinematics, joints = led.kinematics, led.joints
    if led.other is not None:
        yield led.both(query.poses, q, joints, first_blocked)
        yield led.both(query.poses, q, joints[joints >= 3], first_blocked)
        return
    yield from _descents(kinematics, query.hand, query.poses, q, joints, first_blocked)
    random = np.random.default_rng([query.seed, 2])
    chain, poses = kinematics.chain(query.hand, standing(kinematics, joints)), query.poses
    spread = np.where(chain.indices < 2, *APART)
    for _ in range(ENDS):
        near = q.copy()
        near[chain.indices] += random.normal(0.0, spread)
        near[chain.indices] = np.clip(near[chain.indices], chain.lower, chain.upper)
        ends = solve_along(chain, poses[-1:], near, largest=np.inf)
        if len(ends) and first_blocked(np.vstack([ends, ends])) is None:
            path = _swung(led, poses, q, ends[0])
            blocked = first_blocked(path)
            yield path if blocked is None else path[: blocked + 1]


def _swung(led: _Led, poses: Array, q: Array, end: Array) -> Array:
    """(m, n) From q (n,) evenly to a posture at the end (n,), as far as the hand lets it take its poses (t, 4, 4)."""
    way = [q]
    for share, pose in zip(np.linspace(0.0, 1.0, len(poses) + 1)[1:], poses, strict=True):
        onward = led.along(pose[None], q + share * (end - q), BRIEF)
        if not len(onward) or np.abs(onward[0] - way[-1]).max() > TURN:
            break
        way.append(onward[0])
    return np.array(way)


def _descents(
    kinematics: Kinematics, hand: str, poses: Array, q: Array, joints: Indices, first_blocked: FirstBlocked
) -> Iterator[Array]:
    for choices in _choices(kinematics, hand, joints):
        yield straight(kinematics, hand, poses, q, choices, first_blocked=first_blocked)


def _choices(kinematics: Kinematics, hand: str, joints: Indices) -> Iterator[list[Indices]]:
    together = standing(kinematics, joints)
    yield [together]
    yield arm_first(kinematics, hand, joints)
    base = joints[joints < 3]
    if len(base) == 3 and not kinematics.robot.rolls:
        yield [base, together]


def _touching(led: _Led, checker: CollisionChecker, query: AlongQuery, path: Array) -> Array | None:
    """(m, n) The path on to where the hand is 1 mm from what it is to touch; None where that is not what ends it."""
    assert query.until is not None
    done, pairs = len(path) - 1, checker.pairs_of(AllowedContact(query.hand, query.until)).tolist()
    here, whole = led.kinematics.pose(query.hand, path[-1]), path
    poses, shares = list(query.poses[:done]), [0.0, 1.0]
    for _ in range(CLOSING):
        share = sum(shares) / 2
        X = _between(here, query.poses[done], share)
        onward = led.along(X[None], path[-1])
        near = not len(onward) or bool(checker.distances(pairs, onward[0]).min() < TOUCHING)
        shares[near] = share
        if not near:
            poses[done:], whole = [X], np.vstack([path, onward])
    if checker.distances(pairs, whole[-1]).min() > NEXT_TO:
        return None
    return _refined(led, np.array(poses), whole) if len(whole) > 1 else whole


def _refined(led: _Led, poses: Array, path: Array) -> Array | None:
    """(m, n) The path, with as many configurations between its own that straight lines of joints keep to the way.

    None where the hand cannot follow between two poses.
    """
    ends = [led.kinematics.pose(led.hand, path[0]), *poses]
    fine = [path[0]]
    for (A, B), (here, there) in zip(pairwise(ends), pairwise(path), strict=True):
        between = _filled(led, (A, here), (B, there), HALVINGS)
        if between is None:
            return None
        fine += [*between, there]
    return np.array(fine)


def _filled(led: _Led, first: tuple[Array, Array], last: tuple[Array, Array], halvings: int) -> list[Array] | None:
    """Configurations between two, each with the pose of its hand; None where half-way cannot be reached."""
    middle, X = (first[1] + last[1]) / 2.0, _between(first[0], last[0], 0.5)
    if led.is_on_way(middle, X):
        return []
    onward = led.along(X[None], middle) if halvings else np.empty((0, 0))
    if not len(onward):
        return None
    here = (X, onward[0])
    parts = [_filled(led, a, b, halvings - 1) for a, b in ((first, here), (here, last))]
    return None if parts[0] is None or parts[1] is None else [*parts[0], onward[0], *parts[1]]


def _between(A: Array, B: Array, share: float) -> Array:
    """(4, 4) A pose on the even way from one to another."""
    X: Array = pin.SE3.Interpolate(pin.SE3(A), pin.SE3(B), share).homogeneous
    return X


def _stuck(kinematics: Kinematics, checker: CollisionChecker, query: AlongQuery, path: Array) -> Failure:
    """Why a hand does not get to the end of its way, and how far it got."""
    done, q = len(path) - 1, path[-1]
    if done == len(query.poses):
        text = f"the {query.hand} hand can take each pose of its way, and leaves it between them"
        return Failure(FailureKind.IK_EXHAUSTED, "planner", text, {"hand": query.hand, "share": 1.0})
    ahead = straight(kinematics, query.hand, query.poses[done : done + 1], q, [np.arange(len(q), dtype=np.intp)])
    contact = checker.contact(ahead[-1]) if len(ahead) > 1 else None
    facts: dict[str, object] = {"hand": query.hand, "share": done / len(query.poses)}
    message = f"the {query.hand} hand gets {done / len(query.poses):.0%} along its way"
    if contact is None:
        return Failure(FailureKind.IK_EXHAUSTED, "planner", f"{message}, then it cannot follow", facts)
    facts |= {"pair": contact.pair, "distance": contact.distance}
    in_the_way = f"then {contact.first} and {contact.second} would touch"
    return Failure(FailureKind.COLLISION, "planner", f"{message}, {in_the_way}", facts)
