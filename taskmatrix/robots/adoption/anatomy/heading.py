"""Which way a robot looks: votes of feet, cameras, knees, elbows and names for one end of its plane of symmetry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.objects import Array

from .cameras import X, looking_axis
from .limbs import Anatomy, Limb
from .name_tokens import CAMERA, mentions, side_of
from .tree import Tree

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Heading:
    """Where forward is."""

    forward: Array
    """(3,) Unit vector in the root's frame."""
    left: Array
    """(3,) Unit vector in the root's frame."""
    evidence: tuple[str, ...]
    """What speaks for it."""
    against: tuple[str, ...]
    """What speaks against it."""


def find_heading(tree: Tree, anatomy: Anatomy) -> Heading:
    """Take a vote on the two directions in the plane of symmetry; a URDF that gives no sign looks along +x or +y."""
    ahead = np.abs(np.cross(anatomy.normal, UP))
    votes = [*_names(tree, anatomy, ahead), *_feet(tree, anatomy, ahead), *_cameras(tree, anatomy, ahead)]
    votes += [*_bends(tree, anatomy, ahead)]
    total = 0.5 + sum(weight for weight, _ in votes)
    sign = 1.0 if total > 0.0 else -1.0
    agree = tuple(reason for weight, reason in votes if weight * sign > 0.0)
    forward = sign * ahead
    against = tuple(reason for weight, reason in votes if weight * sign < 0.0)
    return Heading(forward, np.cross(UP, forward), agree, against)


def _names(tree: Tree, anatomy: Anatomy, ahead: Array) -> Iterator[tuple[float, str]]:
    """Sides in names tell the front: left is left of it."""
    left = np.cross(UP, ahead)
    sides = []
    for joint in tree.joints.values():
        away = float(left @ joint.origin)
        side = side_of(joint.name) or side_of(joint.links[1])
        if side and abs(away) > 0.02:
            sides.append(np.sign(away) * (1.0 if side == "left" else -1.0))
    if sides and abs(np.mean(sides)) > 0.5:
        yield 3.0 * float(np.sign(np.mean(sides))), "left and right in the names"


def _feet(tree: Tree, anatomy: Anatomy, ahead: Array) -> Iterator[tuple[float, str]]:
    """Toes are farther from the ankle than heels."""
    ways = []
    for leg in anatomy.of("leg"):
        foot = tree.points(leg.bodies[-1])
        if len(foot):
            along = (foot - tree.joints[leg.bodies[-1]].origin) @ ahead
            toes, heel = float(along.max()), float(-along.min())
            ways.append((toes - heel) / max(toes + heel, 1e-9))
    if ways and abs(np.mean(ways)) > 0.08:
        yield 2.0 * float(np.sign(np.mean(ways))), "toes longer than heels"


def _cameras(tree: Tree, anatomy: Anatomy, ahead: Array) -> Iterator[tuple[float, str]]:
    """Cameras look along x or z, whichever their lateral axis says; but not where y is up, as with OpenGL's."""
    ways = []
    for link in tree.description.links:
        if mentions(link, CAMERA):
            R = tree.pose(link)[:3, :3]
            axis = looking_axis(R, anatomy.normal, link)
            if axis == X or UP @ R[:, 1] <= 0.0:
                ways.append(float(R[:, axis] @ ahead))
    if ways and abs(np.mean(ways)) > 0.3:
        yield 2.0 * float(np.sign(np.mean(ways))), "cameras look this way"


def _bends(tree: Tree, anatomy: Anatomy, ahead: Array) -> Iterator[tuple[float, str]]:
    """A knee takes the foot back, an elbow the hand forward."""
    for kind, sign, weight, name in (("leg", -1.0, 1.0, "knees bend back"), ("arm", 1.0, 1.0, "elbows bend forward")):
        if kind == "leg" and len(anatomy.of("leg")) > 2:
            continue  # knees of four legs bend either way
        ways = [way for limb in anatomy.of(kind) if (way := bend(tree, limb, ahead))]
        if ways and abs(np.mean(ways)) > 0.5:
            yield weight * sign * float(np.sign(np.mean(ways))), name


def middle(tree: Tree, limb: Limb) -> int:
    """The body behind a limb's knee or elbow: the joint nearest to half of its length that turns across it."""
    origins = np.array([tree.joints[b].origin for b in limb.bodies])
    steps = np.linalg.norm(np.diff(origins, axis=0), axis=1)
    ways = np.concatenate([[0.0], np.cumsum(steps)])
    last = tree.points(limb.bodies[-1])
    ends = [origins[-1], *(tree.joints[b].origin for b in limb.beyond), *([last.mean(axis=0)] if len(last) else [])]
    total = ways[-1] + 0.5 * max(float(np.linalg.norm(end - origins[-1])) for end in ends)
    best, cost = limb.bodies[len(limb.bodies) // 2], np.inf
    for k, body in enumerate(limb.bodies[:-1]):
        later = origins[k + 1 :] - origins[k]
        far = later[np.linalg.norm(later, axis=1).argmax()]
        across = np.linalg.norm(np.cross(tree.joints[body].axis, far)) / max(float(np.linalg.norm(far)), 1e-9)
        if across > 0.7 and abs(ways[k] - total / 2) < cost:
            best, cost = body, float(abs(ways[k] - total / 2))
    return best


def bend(tree: Tree, limb: Limb, ahead: Array) -> float:
    """1 or -1: to which side the end of a hanging limb goes when it bends; 0 where that does not tell."""
    joint = tree.joints[middle(tree, limb)]
    if joint.continuous or joint.prismatic or abs(joint.upper + joint.lower) < 0.3 * (joint.upper - joint.lower):
        return 0.0
    end = tree.joints[limb.bodies[-1]].origin - joint.origin
    if end[2] > -0.5 * np.linalg.norm(end):
        return 0.0  # it does not hang at zero
    way = float(np.sign(joint.upper + joint.lower) * np.cross(joint.axis, end) @ ahead)
    return float(np.sign(way)) if abs(way) > 0.5 * np.linalg.norm(end) else 0.0
