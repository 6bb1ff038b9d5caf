"""The limbs of a tree: trunk, arms with their hands, legs, head and wheels, by structure first and by names second."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.objects import Array

from .mirror import pairs, side_normal, spine
from .name_tokens import CAMERA, FINGER, HEAD, SCANNER, mentions
from .tree import ROOT, Joint, Tree

_SMALL = 0.45  # of the way to where it begins: what reaches less far is part of a hand, not a limb
_LONG = 0.25  # of the robot's height: what reaches less far is no leg of a pelvis
_ABOVE = 0.05  # of the robot's height: what begins higher above the root than that is no pelvis
_NEAR_FLOOR = 0.06  # of the robot's height: what comes as low at zero stands on the floor


@dataclass(frozen=True)
class Limb:
    """A branch of the tree."""

    kind: str
    """``arm``, ``leg`` or ``head``."""
    bodies: tuple[int, ...]
    """From the trunk outward; the last carries the palm, the sole or the eyes."""
    beyond: tuple[int, ...] = ()
    """What the last body carries: fingers, a face."""
    twin: int = 0
    """First body of its mirror image; 0 where it has none."""


@dataclass(frozen=True, eq=False)
class Anatomy:
    """What the branches of a tree are."""

    normal: Array
    """(3,) Of the plane that halves the robot, in the root's frame; it points left or right."""
    pairs: int
    """Mirrored joints on one side, which are the evidence for the plane."""
    trunk: tuple[int, ...]
    """Bodies from the root's to the one that carries the arms; all but the first are the torso."""
    limbs: tuple[Limb, ...]
    """Arms, legs and head."""
    wheels: tuple[int, ...]
    """Wheels on the floor, and what steers them."""
    others: tuple[tuple[int, ...], ...]
    """What is neither, branch by branch."""

    def of(self, kind: str) -> tuple[Limb, ...]:
        """The limbs of a kind."""
        return tuple(limb for limb in self.limbs if limb.kind == kind)


def find_limbs(tree: Tree) -> Anatomy:
    """Tell the branches of a tree apart."""
    normal, count = side_normal(tree)
    floor = _low(tree, ROOT)
    wheels = tuple(b for b in tree.below(ROOT) if b != ROOT and _is_wheel(tree, b, floor))
    legs = _legs(tree, floor, wheels, normal)
    trunk = _trunk(tree, {*wheels, *legs})
    hanging = [c for body in trunk for c in tree.children(body) if c not in {*trunk, *wheels, *legs}]
    twins = pairs(tree, hanging, normal) + pairs(tree, legs, normal)
    twin = {a: b for pair in twins for a, b in (pair, pair[::-1])}
    waists = [c for c in hanging if set(legs) & set(tree.below(c))]  # a trunk above that is the root
    hanging = [c for c in hanging if c not in waists]
    arms = [c for c in hanging if c in twin and len(spine(tree, c)) >= 3 and tree.reach(c) > 0.2 * tree.height]
    if any(tree.joints[c].parent == trunk[-1] for c in arms) and len(trunk) > 1:  # what the root carries are no arms
        legs += [c for c in arms if tree.joints[c].parent == ROOT]
        arms = [c for c in arms if c not in legs]
    if not arms:
        arms = [c for c in hanging if _is_single_arm(tree, c)]
    head = _head(tree, [c for c in hanging if c not in (*arms, *legs)], normal)
    limbs = [_arm(tree, c, twin.get(c, 0)) for c in arms]
    if head:
        bodies = _to_camera(tree, head, normal)
        limbs.append(Limb("head", bodies, tuple(tree.below(bodies[-1]))[1:]))
    for leg in legs:
        wheeled = [b for b in tree.below(leg) if b not in wheels]
        limbs.append(Limb("leg", tuple(wheeled), (), twin.get(leg, 0)))
    known = {*trunk, *wheels, *(b for limb in limbs for b in (*limb.bodies, *limb.beyond))}
    tops = [b for b in tree.joints if b not in known and (tree.joints[b].parent in known)]
    others = tuple(run for top in tops for run in _runs(tree, top, known))
    rolling = tuple(b for b in wheels if not any(b in tree.below(leg) for leg in legs))
    of_legs = tuple((b,) for b in wheels if b not in rolling)
    return Anatomy(normal, count, trunk, tuple(limbs), rolling, others + of_legs)


def _runs(tree: Tree, top: int, known: Collection[int]) -> Iterator[tuple[int, ...]]:
    """A branch and what it carries, cut where it branches."""
    run = [top]
    while len(ways := [c for c in tree.children(run[-1]) if c not in known]) == 1:
        run.append(ways[0])
    yield tuple(run)
    for way in ways:
        yield from _runs(tree, way, known)


def _low(tree: Tree, body: int) -> float:
    """[m] Height of the lowest point or joint that a body carries, at zero."""
    points = tree.points_below(body)
    origins = [float(tree.joints[b].origin[2]) for b in tree.below(body) if b != ROOT]
    return min([*origins, float(points[:, 2].min()) if len(points) else np.inf])


def _is_wheel(tree: Tree, body: int, floor: float) -> bool:
    """Whether it turns without end about a level axis near the floor, or steers what does."""
    joint = tree.joints[body]
    children = tree.children(body)
    if children:
        return joint.continuous and abs(joint.axis[2]) > 0.9 and all(_is_wheel(tree, c, floor) for c in children)
    low = _low(tree, body)
    return joint.continuous and abs(joint.axis[2]) < 0.3 and low - floor < max(0.03, 0.25 * tree.height)


def _legs(tree: Tree, floor: float, wheels: Sequence[int], normal: Array) -> list[int]:
    """Branches of the root, or of a pelvis that it carries, that stand on the floor."""
    if found := _legs_of(tree, ROOT, floor, wheels):
        return found
    for pelvis in tree.joints:
        long = [c for c in _legs_of(tree, pelvis, floor, wheels) if tree.reach(c) > _LONG * tree.height]
        if (mirrored := pairs(tree, long, normal)) and not _is_chest(tree, pelvis, long, normal):
            return [leg for pair in mirrored for leg in pair]
    return []


def _is_chest(tree: Tree, body: int, limbs: Sequence[int], normal: Array) -> bool:
    """Whether a body above the root carries the robot's only limbs: these are arms, however low they hang."""
    if tree.joints[body].origin[2] < _ABOVE * tree.height:
        return False
    others = [b for b in (ROOT, *tree.joints) if b != body and not any(b in tree.below(limb) for limb in limbs)]
    return not any(
        len(spine(tree, a)) >= 3 and tree.reach(a) > 0.2 * tree.height
        for b in others
        for pair in pairs(tree, tree.children(b), normal)
        for a in pair[:1]
    )


def _legs_of(tree: Tree, pelvis: int, floor: float, wheels: Sequence[int]) -> list[int]:
    """Branches of a body that stand on the floor, while the body itself is well above it."""
    heights = [float(joint.origin[2]) for joint in tree.joints.values()]
    span = max(heights) - min(heights)
    branches = tree.children(pelvis)
    bare = [c for c in branches if len(spine(tree, c)) >= 3 and not len(tree.points_below(c))]
    deep = [c for c in bare if tree.joints[c].origin[2] - _low(tree, c) > 0.25 * span]
    if len(deep) >= 2:  # without bodies: the branches that go down
        return [c for c in deep if _low(tree, c) < min(heights) + _NEAR_FLOOR * span]
    own = tree.points(pelvis)
    base = float(own[:, 2].min()) if len(own) else 0.0
    height = max(tree.height, -floor)
    if base - floor < 0.15 * height:
        return []
    children = [c for c in branches if c not in wheels and len(spine(tree, c)) >= 2]
    found = [c for c in children if _low(tree, c) - floor < _NEAR_FLOOR * height]
    return found if len(found) >= 2 else []


def _trunk(tree: Tree, left_out: set[int]) -> tuple[int, ...]:
    """From the root through the one branch behind which limbs branch off, as often as there is one."""
    bodies = [ROOT]
    while True:
        ways = [c for c in tree.children(bodies[-1]) if c not in left_out]
        through = [c for c in ways if any(_branches(tree, b, left_out) for b in tree.below(c))]
        if len(through) != 1 or _branches(tree, bodies[-1], left_out, through[0]):
            return tuple(bodies)
        bodies.append(through[0])


def _branches(tree: Tree, body: int, left_out: set[int], besides: int = 0) -> bool:
    """Whether limbs branch off: two ways or more, one of which reaches too far for a finger."""
    ways = [c for c in tree.children(body) if c not in left_out]
    far = [c for c in ways if c != besides and tree.reach(c) > _SMALL * _way(tree, ROOT, body)]
    return len(ways) >= 2 and any(len(spine(tree, c)) >= 3 for c in far)


def _way(tree: Tree, start: int, body: int) -> float:
    """[m] Along the joints from a body's joint to another's."""
    bodies = tree.path(body, start)
    here = tree.joints[start].origin if start in tree.joints else np.zeros(3)
    length = 0.0
    for b in bodies:
        length += float(np.linalg.norm(tree.joints[b].origin - here))
        here = tree.joints[b].origin
    return length


def _is_single_arm(tree: Tree, body: int) -> bool:
    """Whether a branch without an image is an arm: long, and not what carries the cameras of a head."""
    joints = [tree.joints[b] for b in spine(tree, body)]
    if len(joints) < 4 or any(mentions(joint.name, HEAD) for joint in joints):
        return False
    return len(joints) >= 5 or any(mentions(name, FINGER) for b in tree.below(body) for name in tree.links(b))


def _arm(tree: Tree, first: int, twin: int) -> Limb:
    """Follow an arm to where it branches into fingers."""
    bodies = [first]
    while children := _moving(tree, bodies[-1]):
        way = _way(tree, first, bodies[-1])
        big = [c for c in children if tree.reach(c) > _SMALL * way]
        if not big and (len(children) > 1 or _is_finger(tree, tree.joints[children[0]], way)):
            return Limb("arm", tuple(bodies), tuple(b for c in children for b in tree.below(c)), twin)
        bodies.append(max(children, key=tree.reach))
    return Limb("arm", tuple(bodies), (), twin)


def _moving(tree: Tree, body: int) -> tuple[int, ...]:
    """Bodies that a body carries, without gauges where there is something else."""
    children = tree.children(body)
    return tuple(c for c in children if not tree.is_gauge(c)) or tuple(c for c in children if tree.reach(c) > 0.0)


def _is_finger(tree: Tree, joint: Joint, way: float) -> bool:
    """Whether the only joint that a body carries is that of a finger or a jaw, not one of the wrist."""
    bodies = tuple(tree.below(joint.id))
    if len(bodies) > 3 or tree.reach(joint.id) > 0.3 * way:
        return False
    if joint.prismatic or joint.follows:
        return True
    if not any(mentions(name, FINGER) for name in (joint.name, joint.links[1])):
        return False
    jaw, palm = tree.points_below(joint.id), tree.points(joint.parent)
    if not len(jaw) or not len(palm):
        return not tree.children(joint.id)
    out = jaw.mean(axis=0) - joint.origin
    out = out / max(float(np.linalg.norm(out)), 1e-9)
    beside = float(((palm - joint.origin) @ out).max())
    return beside > 0.4 * float(((jaw - joint.origin) @ out).max())  # a fixed jaw against which it closes


def _head(tree: Tree, candidates: Sequence[int], normal: Array) -> int:
    """The branch in the middle that carries a camera, is called a head, or is on top; 0 where there is none."""
    best, score = 0, 0.0
    top = tree.extent[1][2]
    for body in candidates:
        joint = tree.joints[body]
        names = [name for b in tree.below(body) for name in (tree.joints[b].name, *tree.links(b))]
        points = tree.points_below(body)
        if _is_scanner(tree, body) or abs(float(normal @ joint.origin)) > 0.05 + 0.03 * tree.height:
            continue
        value = 2.0 * any(mentions(n, HEAD) for n in names) + any(mentions(n, CAMERA) for n in names)
        value += bool(len(points) and points[:, 2].max() > top - 0.05 * tree.height)
        if value > score:
            best, score = body, value
    return best


def _is_scanner(tree: Tree, body: int) -> bool:
    """Whether a joint turns a scanner round: called so, or turning without end at the tip, and without a camera."""
    joint = tree.joints[body]
    names = (joint.name, joint.links[1])
    if any(mentions(link, CAMERA) for b in tree.below(body) for link in tree.links(b)):
        return False
    spins = joint.continuous and not tree.children(body) and not any(mentions(name, HEAD) for name in names)
    return spins or any(mentions(name, SCANNER) for name in names)


def _to_camera(tree: Tree, first: int, normal: Array) -> tuple[int, ...]:
    """A head's bodies up to the one in the middle that carries the camera; as long as each carries one, without one."""
    bodies = [first]
    while len(children := [c for c in tree.children(bodies[-1]) if not _is_scanner(tree, c)]) == 1:
        bodies.append(children[0])
    beyond = [b for b in tree.below(bodies[-1]) if b != bodies[-1]]
    seeing = [b for b in (*bodies, *beyond) if _sees(tree, b, normal)]
    along = [b for b in bodies if b in seeing]
    if along or len(seeing) != 1:
        return tuple(bodies[: bodies.index(along[-1]) + 1] if along else bodies)
    return (first, *tree.path(seeing[0], first))


def _sees(tree: Tree, body: int, normal: Array) -> bool:
    """Whether a body carries a camera in the middle."""
    cameras = [link for link in tree.links(body) if mentions(link, CAMERA)]
    return any(abs(float(normal @ tree.pose(link)[:3, 3])) < 0.05 for link in cameras)
