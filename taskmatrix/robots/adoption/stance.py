"""Postures that look natural and are free of self-contact, found by a small search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from scipy.optimize import least_squares

from taskmatrix.core.objects import Array

from .contacts import Checker, Pair
from .hands import Grip
from .heading import UP, Heading, middle
from .limbs import Anatomy, Limb
from .mirror import image
from .notes import Note
from .tree import Tree

_FLAT = 0.02  # [rad] by which a sole may be tilted
_STARTS = 6  # of the search, besides the neutral one
_CALM = 0.06  # weight of how far the joints are from their neutral positions
_WRIST = 0.3  # weight of a straight wrist
_LEAN = (0.1, -0.1, 0.2, -0.2)  # [rad] or [m]
_OUTWARD = (0.15, 0.3, 0.5, 0.8, 1.2)  # [rad] of the upper arm, tried in turn


@dataclass(frozen=True, eq=False)
class Postures:
    """Proposed postures by name, the stance first, each (n,), and what is to be said about them."""

    named: Mapping[str, Array]
    """``stand``, ``rest`` and ``ready``."""
    touching: set[Pair]
    """Pairs of links in contact in stance, those that always are included."""
    notes: tuple[Note, ...]
    """What is worth a look."""


def find_postures(
    tree: Tree, anatomy: Anatomy, heading: Heading, grips: Sequence[Grip], always: set[Pair]
) -> Postures:
    """Search the stance and two more postures.

    Args:
        tree: The robot.
        anatomy: Its limbs.
        heading: Where forward is.
        grips: Its hands, whose fingers are half open.
        always: Pairs of links whose contact does not count.
    """
    notes: list[Note] = []
    q = tree.neutral.copy()
    for grip in grips:
        for name, value in grip.rest.items():
            q[tree.active.index(name)] = value
    for leg in anatomy.of("leg"):
        _level(tree, leg, q, notes)
    checker = Checker(tree)
    _lean(tree, anatomy, q, lambda p: len(checker.touching(p) - always))
    fixed = checker.touching(q) - always
    named = {}
    for name, bends in (("stand", (0.35, 1.2, 1.9)), ("rest", (0.12, 0.35, 1.2, 1.9)), ("ready", (1.4, 1.7, 1.1))):
        named[name] = _with_arms(tree, anatomy, heading, grips, q, bends, lambda p: checker.touching(p) - always)
    touching = checker.touching(named["stand"])
    for name, p in named.items():
        hits = checker.touching(p) - always
        if hits - fixed:
            pairs = "; ".join(f"{a} and {b}" for a, b in sorted(hits - fixed))
            notes.append(Note("unsure", "postures", f"{name}: no posture of the arms was found without contact: {pairs}"))
    return Postures(named, touching, tuple(notes))


def _level(tree: Tree, leg: Limb, q: Array, notes: list[Note]) -> None:
    """Bend a leg, in ``q``, so that its sole is as flat as it is at zero."""
    foot = leg.bodies[-1]
    R_zero = tree.zero.oMi[foot].rotation
    indices = [tree.index(b) for b in leg.bodies if not tree.joints[b].follows and not tree.joints[b].stuck]

    def tilt(p: Array) -> Array:
        moved = q.copy()
        moved[indices] = p
        turn: Array = pin.log3(R_zero.T @ tree.at(moved).oMi[foot].rotation)
        return turn

    if not indices or np.linalg.norm(tilt(q[indices])) < _FLAT:
        return
    low, high = tree.limits[0][indices], tree.limits[1][indices]
    start = np.clip(q[indices], low + 1e-6, high - 1e-6)
    found = least_squares(lambda p: np.concatenate([tilt(p), 0.02 * (p - q[indices])]), start, bounds=(low, high))
    q[indices] = found.x
    rest = float(np.linalg.norm(tilt(found.x)))
    if rest > _FLAT:
        name = tree.joints[foot].name
        notes.append(
            Note("unsure", "postures", f"stand: the foot on {name} is tilted by {rest:.2f} rad, its limits allow no less")
        )


def _lean(tree: Tree, anatomy: Anatomy, q: Array, count: Callable[[Array], int]) -> None:
    """Move one joint of the torso or the head a little, in ``q``, where that leaves fewer contacts."""
    arms = [tree.index(b) for arm in anatomy.of("arm") for b in arm.bodies if not tree.joints[b].follows]
    bodies = [*anatomy.trunk[1:], *(b for head in anatomy.of("head") for b in head.bodies)]
    best, fewest = q.copy(), count(q)
    for body in bodies:
        for step in _LEAN:
            if fewest == 0 or tree.joints[body].follows or not arms:
                continue
            p, k = q.copy(), tree.index(body)
            p[k] = np.clip(q[k] + step, tree.limits[0][k], tree.limits[1][k])
            if (number := count(p)) < fewest:
                best, fewest = p, number
    q[:] = best


def _with_arms(
    tree: Tree,
    anatomy: Anatomy,
    heading: Heading,
    grips: Sequence[Grip],
    q: Array,
    bends: Sequence[float],
    hits: Callable[[Array], set[Pair]],
) -> Array:
    """(n,) The posture ``q`` with all arms hanging, their elbows bent by the first angle that is free of contact."""
    best, fewest = q, len(hits(q)) + 1000
    for bend in bends:
        for outward in _OUTWARD:
            p = q.copy()
            done: set[int] = set()
            for grip in grips:
                if grip.limb.bodies[0] not in done:
                    done |= {grip.limb.bodies[0], *_hang(tree, anatomy, heading, grip, outward, bend, p)}
            count = len(hits(p))
            if count < fewest:
                best, fewest = p, count
            if count == 0 or (count <= len(hits(q)) and not _of_arms(tree, anatomy, hits(p))):
                return p
    return best


def _of_arms(tree: Tree, anatomy: Anatomy, hits: set[Pair]) -> bool:
    """Whether an arm takes part in a contact with anything but its own neighbours."""
    arms = {b for arm in anatomy.of("arm") for b in (*arm.bodies, *arm.beyond)}
    return any(tree.body_of(link) in arms for pair in hits for link in pair)


def _hang(
    tree: Tree, anatomy: Anatomy, heading: Heading, grip: Grip, outward: float, bend: float, q: Array
) -> Iterator[int]:
    """Put an arm, in ``q``, and its mirror image into a posture; gives the first bodies of those that were put."""
    limb = grip.limb
    _solve(tree, heading, grip, outward, bend, q)
    twin = next((arm for arm in anatomy.of("arm") if arm.bodies[0] == limb.twin), None)
    if twin is None or len(twin.bodies) != len(limb.bodies):
        return
    mirrored = {}
    for a, b in zip(limb.bodies, twin.bodies, strict=True):
        sign = image(tree, a, b, anatomy.normal)
        if sign == 0.0 or tree.joints[a].follows or tree.joints[b].follows:
            return
        value, k = sign * q[tree.index(a)], tree.index(b)
        if not tree.limits[0][k] - 1e-9 <= value <= tree.limits[1][k] + 1e-9:
            return
        mirrored[k] = value
    for k, value in mirrored.items():
        q[k] = value
    yield twin.bodies[0]


def _solve(tree: Tree, heading: Heading, grip: Grip, outward: float, bend: float, q: Array) -> None:
    """Let the upper arm hang, turned outward, and the forearm point forward by the bend, in ``q``."""
    limb = grip.limb
    bodies = [b for b in limb.bodies if not tree.joints[b].follows and not tree.joints[b].stuck]
    indices = [tree.index(b) for b in bodies]
    elbow = middle(tree, limb)
    shoulder = limb.bodies[max(0, limb.bodies.index(elbow) - 2)]
    side = float(np.sign(heading.left @ tree.joints[shoulder].origin)) or 1.0
    out = side * heading.left
    upper = np.sin(outward) * out - np.cos(outward) * UP
    lower = np.cos(bend) * upper + np.sin(bend) * heading.forward
    lower = lower / np.linalg.norm(lower)
    cloud = np.vstack([tree.points(b) for b in (limb.bodies[-1], *limb.beyond)])
    palm = tree.zero.oMi[limb.bodies[-1]]
    tip = cloud.mean(axis=0) if len(cloud) else (tree.pose(grip.frame) @ grip.X_LH[:, 3])[:3]
    end = palm.rotation.T @ (tip - palm.translation)
    low, high = (np.clip(limit[indices], -np.pi, np.pi) for limit in tree.limits)
    calm = np.clip(tree.neutral[indices], low, high)

    def off(p: Array) -> Array:
        moved = q.copy()
        moved[indices] = p
        data = tree.at(moved)
        s, e, w = (data.oMi[b].translation for b in (shoulder, elbow, limb.bodies[-1]))
        hand = data.oMi[limb.bodies[-1]].rotation @ end
        parts = [_unit(e - s) - upper, _unit(w - e if np.linalg.norm(w - e) > 0.03 else hand) - lower]
        parts.append(_WRIST * (_unit(hand) - lower))
        return np.concatenate([*parts, _CALM * (p - calm)])

    rng = np.random.default_rng(0)
    starts = [np.clip(calm, low + 1e-6, high - 1e-6), *rng.uniform(low, high, (_STARTS, len(indices)))]
    found = min((least_squares(off, p, bounds=(low - 1e-9, high + 1e-9)) for p in starts), key=lambda f: float(f.cost))
    q[indices] = np.clip(found.x, low, high)


def _unit(v: Array) -> Array:
    unit: Array = v / max(float(np.linalg.norm(v)), 1e-9)
    return unit
