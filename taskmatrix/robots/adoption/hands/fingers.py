"""How the fingers of a hand open and close, and how far apart their pads are on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import coal
import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.objects import Array

from ..anatomy.limbs import Limb
from ..anatomy.tree import Tree

STEPS = 20
"""Positions between open and closed that are looked at."""
_BAR = 0.02  # [m] side of the bar that is put into the hand to measure how far it is open
_WIDEST = 0.2  # [m]
_FAR = 0.35  # of the longest finger's reach: what ends before is no finger
_ENDS = 0.95  # of another finger's reach: what ends before and touches it always is part of its linkage
_ONE_SIDED = 0.35  # of the long end of a finger joint's range: a shorter other end is only some play
_ALONG = 0.75  # cosine of the angle between the axes of joints that bend one finger
_UNDECIDED = 0.06  # of a finger's distance to the others: what changes it less spreads the fingers


@dataclass(frozen=True, eq=False)
class Fist:
    """The way of the fingers from open to closed."""

    open: Mapping[int, float]
    """[rad] or [m] By body."""
    closed: Mapping[int, float]
    """[rad] or [m] By body."""
    tips: tuple[int, ...]
    """The outermost body of each finger."""
    still: tuple[int, ...]
    """Joints that spread the fingers or turn the thumb, and stay where they are."""

    def at(self, t: float) -> dict[int, float]:
        """Positions at ``t`` from 0, open, to 1, closed."""
        return {body: (1.0 - t) * self.open[body] + t * self.closed[body] for body in self.open}

    def turned(self, joint: int, position: float) -> Fist:
        """The same with a joint that stays where it is in another position."""
        return replace(self, open={**self.open, joint: position}, closed={**self.closed, joint: position})


def find_fist(tree: Tree, limb: Limb) -> Fist:
    """Find out which end of each finger joint's range closes the hand.

    Where several joints bend three fingers or more, a finger at zero is straight, and the long end of a range bends
    it. Else the tips are nearer to each other, or to the palm, when the hand is closed.
    """
    tips = find_tips(tree, limb)
    leaders = [b for b in limb.beyond if not tree.joints[b].follows]
    lower, upper = ({b: float(v[tree.index(b)]) for b in leaders} for v in tree.limits)
    senses = _senses(tree, limb, tips, leaders) if len(tips) >= 3 and len(leaders) > 1 else None
    open_, closed = {}, {}
    for body in leaders:
        if senses is not None:
            sense = senses[body]
        else:
            ends = [_apart(tree, limb, tips, body, value) for value in (lower[body], upper[body])]
            sense = 0.0 if abs(ends[0] - ends[1]) < _UNDECIDED * max(ends) else ends[0] - ends[1]
        if sense == 0.0 or upper[body] - lower[body] < 1e-6 or tree.joints[body].continuous:
            open_[body] = closed[body] = float(np.clip(0.0, lower[body], upper[body]))
        else:
            ways = (lower[body], upper[body])
            open_[body], closed[body] = ways if sense > 0.0 else ways[::-1]
    still = tuple(b for b in leaders if open_[b] == closed[b])
    return Fist(open_, closed, tips, still)


def _senses(tree: Tree, limb: Limb, tips: Sequence[int], leaders: Sequence[int]) -> dict[int, float]:
    """By leader: 1 where its upper end bends a finger, -1 where its lower end does, 0 where it does not bend."""
    found = dict.fromkeys(leaders, 0.0)
    for tip in tips:
        finger = [b for b in tree.path(tip, limb.bodies[-1]) if b in found]
        main = np.zeros(3)
        for body in reversed(finger):  # from the tip: what bends it there is no joint that spreads or turns it
            joint = tree.joints[body]
            low, high = sorted((abs(joint.lower), abs(joint.upper)))
            axis = np.sign(joint.upper + joint.lower) * joint.axis
            if low < _ONE_SIDED * high and (not main.any() or axis @ main > _ALONG * np.linalg.norm(main)):
                main = main + axis
        if np.linalg.norm(main) > 1e-6:
            for body in finger:
                along = float(tree.joints[body].axis @ main / np.linalg.norm(main))
                found[body] = float(np.sign(along)) if abs(along) > _ALONG else 0.0
    return found


def find_tips(tree: Tree, limb: Limb) -> tuple[int, ...]:
    """The last solid bodies of the fingers, without those of a linkage: which end sooner, and always touch a finger."""
    here = tree.joints[limb.bodies[-1]].origin
    solid = [b for b in limb.beyond if len(tree.points(b))]
    last = [b for b in solid if not any(len(tree.points(c)) for c in tree.below(b) if c != b)]
    far = {b: float(np.linalg.norm(tree.points(b) - here, axis=1).max()) for b in last}
    tips = [b for b in last if far[b] > _FAR * max(far.values())]
    leaders = [b for b in limb.beyond if not tree.joints[b].follows]
    ends = [tree.at(configured(tree, {b: v[tree.index(b)] for b in leaders})) for v in (tree.neutral, *tree.limits)]

    def joined(tip: int, other: int) -> bool:
        finger = [link for b in tree.path(other, limb.bodies[-1]) if b not in tree.path(tip) for link in tree.links(b)]
        return far[tip] < _ENDS * far[other] and all(
            gap(tree, tree.links(tip), finger, data)[0] <= 0.0 for data in ends
        )

    return tuple(tip for tip in tips if not any(joined(tip, other) for other in tips))


def _apart(tree: Tree, limb: Limb, tips: Sequence[int], joint: int, value: float) -> float:
    """[m] From the tips that a joint moves to those that it does not, or to the palm, with the others at rest."""
    k = tree.index(joint)
    q = tree.neutral.copy()
    q[k] = value
    data = tree.at(q)
    places = {tip: _tip(tree, tip, data) for tip in tips}
    moves = {b for b in limb.beyond if abs(tree.S[tree.model.joints[b].idx_q, k]) > 0.0}
    mine = [places[tip] for tip in tips if moves & set(tree.path(tip))]
    theirs = [place for tip, place in places.items() if not moves & set(tree.path(tip))]
    if not mine:
        return 0.0
    if theirs:
        return float(np.linalg.norm(np.mean(mine, axis=0) - np.mean(theirs, axis=0)))
    if len(mine) > 1:  # one joint moves all fingers: how far they are from each other
        return float(np.linalg.norm(np.array(mine) - np.mean(mine, axis=0), axis=1).mean())
    palm = tree.points(limb.bodies[-1], data)
    if not len(palm):
        return float(np.linalg.norm(mine[0] - data.oMi[limb.bodies[-1]].translation))
    return float(np.linalg.norm(palm - mine[0], axis=1).min())


def _tip(tree: Tree, body: int, data: pin.Data) -> Array:
    """(3,) [m] The outermost quarter of a body, seen from its joint, in the mean."""
    points = tree.points(body, data, [tree.outermost(body)])
    far = np.linalg.norm(points - data.oMi[body].translation, axis=1)
    tip: Array = points[far >= np.quantile(far, 0.75)].mean(axis=0)
    return tip


def configured(tree: Tree, positions: Mapping[int, float], q: Array | None = None) -> Array:
    """(n,) Coordinates with some joints elsewhere than in ``q`` or at rest."""
    q = (tree.neutral if q is None else q).copy()
    for body, value in positions.items():
        q[tree.index(body)] = value
    return q


def gap(tree: Tree, first: Sequence[str], second: Sequence[str], data: pin.Data) -> tuple[float, Array, Array]:
    """The distance [m] between the bodies of two groups of links, and the nearest points (3,) on both."""
    best = (np.inf, np.zeros(3), np.zeros(3))
    frames = tree.model.frames
    named = [(frames[body.parentFrame].name, body) for body in tree.collision.geometryObjects]
    ones, others = ([body for link, body in named if link in group] for group in (first, second))
    for a in ones:
        for b in others:
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            poses = [data.oMi[body.parentJoint] * body.placement for body in (a, b)]
            X = [coal.Transform3s(pose.rotation, pose.translation) for pose in poses]
            coal.distance(a.geometry, X[0], b.geometry, X[1], request, result)
            if result.min_distance < best[0]:
                best = (float(result.min_distance), result.getNearestPoint1(), result.getNearestPoint2())
    return best


def outer_gap(tree: Tree, first: Sequence[str], second: Sequence[str], data: pin.Data) -> tuple[float, Array, Array]:
    """As :func:`gap`, between the outer halves of two groups that share a hinge: a jaw and the palm."""
    clouds = []
    for links in (first, second):
        points = np.vstack([tree.points(tree.body_of(link), data, [link]) for link in links])
        clouds.append(points)
    hinge = min((tree.joints[tree.body_of(link)] for link in (*first, *second)), key=lambda j: -len(tree.path(j.id)))
    here = data.oMi[hinge.id].translation
    jaw = clouds[0] if tree.body_of(first[0]) == hinge.id else clouds[1]
    out = jaw.mean(axis=0) - here
    out = out / max(float(np.linalg.norm(out)), 1e-9)
    start = 0.5 * float(((jaw - here) @ out).max())
    outer = [cloud[(cloud - here) @ out > start] for cloud in clouds]
    if not all(map(len, outer)):
        return gap(tree, first, second, data)
    distance, nearest = scipy.spatial.KDTree(outer[1]).query(outer[0])
    i = int(np.argmin(distance))
    return float(distance[i]), outer[0][i], outer[1][nearest[i]]


def tip_gap(tree: Tree, first: Sequence[str], second: Sequence[str], data: pin.Data) -> tuple[float, Array, Array]:
    """As :func:`gap`, between the outer halves of fingers whose knuckles touch each other, as gears do."""
    outer = [np.vstack([outer_half(tree, link, data) for link in links]) for links in (first, second)]
    distance, nearest = scipy.spatial.KDTree(outer[1]).query(outer[0])
    i = int(np.argmin(distance))
    return float(distance[i]), outer[0][i], outer[1][nearest[i]]


def outer_half(tree: Tree, link: str, data: pin.Data) -> Array:
    """(k, 3) [m] The points of a link that are farther from its joint than half of what reaches farthest."""
    body = tree.body_of(link)
    points = tree.points(body, data, [link])
    far = np.linalg.norm(points - data.oMi[body].translation, axis=1)
    outer: Array = points[far >= 0.5 * far.max()]
    return outer


def widest_bar(tree: Tree, bodies: Sequence[int], X_WH: Array, data: pin.Data) -> float:
    """[m] The widest bar that fits between bodies, with its centre in a grasp frame and its width along y."""
    low, high = 0.0, _WIDEST
    touchy = [g for g in tree.collision.geometryObjects if g.parentJoint in bodies]
    poses = [data.oMi[g.parentJoint] * g.placement for g in touchy]
    bar_pose = coal.Transform3s(X_WH[:3, :3], X_WH[:3, 3])

    def fits(width: float) -> bool:
        bar = coal.Box(_BAR, width, _BAR)
        for g, pose in zip(touchy, poses, strict=True):
            result = coal.CollisionResult()
            X = coal.Transform3s(pose.rotation, pose.translation)
            coal.collide(g.geometry, X, bar, bar_pose, coal.CollisionRequest(), result)
            if result.isCollision():
                return False
        return True

    while high - low > 5e-4:
        half = 0.5 * (low + high)
        low, high = (half, high) if fits(half) else (low, half)
    return low
