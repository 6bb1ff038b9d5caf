"""Postures that look natural and are free of self-contact, found by a small search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.objects import Array

from .anatomy.contacts import Checker, Pair, near
from .anatomy.heading import UP, Heading
from .anatomy.limbs import Anatomy, Limb
from .anatomy.mirror import image
from .anatomy.notes import Note
from .anatomy.tree import ROOT, Tree
from .arms import aim_arm, shoulder_and_elbow
from .hands.grip import Grip

_FLAT = 0.02  # [rad] by which a sole may be tilted
_WIDER = (0.0, 0.01, 0.02, 0.04, 0.06, 0.1)  # [m] of each foot to its side, tried in turn
_LEAN = (0.1, -0.1, 0.2, -0.2)  # [rad] or [m]
_ABOVE = 0.05  # [m] that hands are above the floor
_BELOW = 0.001  # [m] that an arm may be below it
_BENT = 0.4  # [rad] of the upper arm that the next bend of the elbow is as good as
_OUTWARD = (0.15, 0.3, 0.5, 0.8, 1.2, 1.6, 2.2, 2.8)  # [rad] of the upper arm, tried in turn


@dataclass(frozen=True, eq=False)
class Postures:
    """Proposed postures by name, the stance first, each (n,), and what is to be said about them."""

    named: Mapping[str, Array]
    """``stand``, ``rest`` and ``ready``."""
    touching: set[Pair]
    """Pairs of links in contact in stance, those that always are included."""
    notes: tuple[Note, ...]
    """What is worth a look."""


def find_postures(tree: Tree, anatomy: Anatomy, heading: Heading, grips: Sequence[Grip], always: set[Pair]) -> Postures:
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
    checker = Checker(tree)
    _stand(tree, anatomy, heading, q, lambda p: checker.touching(p) - always, notes)
    _lean(tree, anatomy, q, lambda p: len(checker.touching(p) - always))
    fixed = {pair for pair in checker.touching(q) - always if near(tree, pair)}
    ignored = always | fixed
    named: dict[str, Array] = {}

    def hits(but: set[Pair], p: Array) -> set[Pair]:
        return checker.touching(p) - but | _low(tree, anatomy, p)

    for name, bends in (("stand", (0.35, 1.2, 1.9)), ("rest", (0.12, 0.35, 1.2, 1.9)), ("ready", (1.4, 1.7, 1.1))):
        for but in (always, ignored):  # what neighbours cannot avoid is left out, and nothing that they can
            named[name] = _with_arms(tree, anatomy, heading, grips, q, bends, partial(hits, but))
            if not _of_arms(tree, anatomy, hits(but, named[name])):
                break
    touching = checker.touching(named["stand"])
    return Postures(named, touching, tuple(notes))


def _stand(
    tree: Tree,
    anatomy: Anatomy,
    heading: Heading,
    q: Array,
    hits: Callable[[Array], set[Pair]],
    notes: list[Note],
) -> None:
    """Put the legs, in ``q``, so that the soles are as flat as at zero, and so far apart that they do not touch."""
    legs = anatomy.of("leg")
    links = {link for leg in legs for b in leg.bodies for link in tree.links(b)}
    best, fewest = q.copy(), 1000
    for wider in _WIDER if legs else ():
        p = q.copy()
        tilts = [_level(tree, leg, heading, wider, p) for leg in legs]
        count = sum(a in links and b in links and not near(tree, (a, b)) for a, b in hits(p))
        if count < fewest:
            best, fewest, tilted = p, count, max(tilts)
        if fewest == 0:
            break
    q[:] = best
    if legs and tilted > _FLAT:
        text = (
            f"stand: the feet are tilted by {tilted:.2f} rad from where they are at zero; are the legs' limits right?"
        )
        notes.append(Note("unsure", "postures", text))


def _level(tree: Tree, leg: Limb, heading: Heading, wider: float, q: Array) -> float:
    """Bend a leg, in ``q``, to a flat sole that is ``wider`` [m] to the side than at zero; gives its tilt [rad]."""
    foot = leg.bodies[-1]
    X_zero = tree.zero.oMi[foot]
    indices = [tree.index(b) for b in leg.bodies if not tree.joints[b].follows and not tree.joints[b].stuck]
    out = float(np.sign(heading.left @ X_zero.translation)) * heading.left
    start = q[indices]

    def off(p: Array) -> Array:
        moved = q.copy()
        moved[indices] = p
        X = tree.at(moved).oMi[foot]
        aside = out @ (X.translation - X_zero.translation) - wider
        turn: Array = pin.log3(X_zero.rotation.T @ X.rotation)
        return np.concatenate([turn, [5.0 * aside], 0.02 * (p - start)])

    low, high = (np.clip(limit[indices], -np.pi, np.pi) for limit in tree.limits)
    if indices and np.linalg.norm(off(start)[:4]) > _FLAT:
        inside = np.clip(start, low + 1e-6, np.maximum(high - 1e-6, low + 1e-6))
        found = scipy.optimize.least_squares(off, inside, bounds=(low, high + 1e-5))
        q[indices] = np.clip(found.x, low, high)
    return float(np.linalg.norm(off(q[indices])[:3])) if indices else 0.0


def _lean(tree: Tree, anatomy: Anatomy, q: Array, count: Callable[[Array], int]) -> None:
    """Move one joint of the torso or the head a little, in ``q``, where that leaves fewer contacts."""
    arms = [tree.index(b) for arm in anatomy.of("arm") for b in arm.bodies if not tree.joints[b].follows]
    every = [*anatomy.trunk[1:], *(b for head in anatomy.of("head") for b in head.bodies)]
    bodies = [b for b in every if abs(tree.joints[b].axis @ anatomy.normal) > 0.9]  # to the front and back only
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
    starts: dict[int, Array] = {}
    tries = [(outward, bend) for bend in bends for outward in _OUTWARD]
    for outward, bend in sorted(tries, key=lambda way: way[0] + _BENT * bends.index(way[1])):
        p = q.copy()
        done: set[int] = set()
        for grip in grips:
            if grip.limb.bodies[0] not in done:
                done |= {grip.limb.bodies[0], *_hang(tree, anatomy, heading, grip, (outward, bend), p, starts)}
        touching = hits(p)
        if len(touching) < fewest:
            best, fewest = p, len(touching)
        if not _of_arms(tree, anatomy, touching):
            return p
    return best


def _low(tree: Tree, anatomy: Anatomy, q: Array) -> set[Pair]:
    """Links of hands that are nearly as low as what it stands on, and of arms that are lower, each with itself."""
    data = tree.at(q)
    hands = {b for arm in anatomy.of("arm") for b in (arm.bodies[-1], *arm.beyond)}
    arms = hands.union(*(arm.bodies for arm in anatomy.of("arm")))
    heights = {b: float(points[:, 2].min()) for b in (ROOT, *tree.joints) if len(points := tree.points(b, data))}
    floor = min((low for b, low in heights.items() if b not in arms), default=-np.inf)
    low = {b for b in hands & set(heights) if heights[b] < floor + _ABOVE}
    low |= {b for b in arms & set(heights) if heights[b] < floor - _BELOW}
    return {(link, link) for b in low for link in tree.links(b)[:1]}


def _of_arms(tree: Tree, anatomy: Anatomy, hits: set[Pair]) -> bool:
    """Whether an arm takes part in a contact with anything but its own neighbours."""
    arms = {b for arm in anatomy.of("arm") for b in (*arm.bodies, *arm.beyond)}
    return any(tree.body_of(link) in arms for pair in hits for link in pair)


def _hang(
    tree: Tree,
    anatomy: Anatomy,
    heading: Heading,
    grip: Grip,
    angles: tuple[float, float],
    q: Array,
    starts: dict[int, Array],
) -> Iterator[int]:
    """Put an arm, in ``q``, and its mirror image into a posture; gives the first bodies of those that were put."""
    limb = grip.limb
    first = limb.bodies[0]
    outward, bend = angles
    side = float(np.sign(heading.left @ tree.joints[shoulder_and_elbow(tree, limb)[0]].origin)) or 1.0
    upper = np.sin(outward) * side * heading.left - np.cos(outward) * UP
    lower = np.cos(bend) * upper + np.sin(bend) * heading.forward
    starts[first] = aim_arm(tree, grip, upper, lower, q, starts.get(first))
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
