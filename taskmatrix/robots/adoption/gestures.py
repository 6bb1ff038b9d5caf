"""Gestures from structure: an arm raised and swung for a wave, a head that pitches for a nod."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.objects import Array

from .anatomy.contacts import Pair
from .anatomy.heading import UP, Heading
from .anatomy.limbs import Anatomy, Limb
from .anatomy.notes import Note
from .anatomy.tree import Tree, rounded
from .arms import aim_arm, driven, hand_end, shoulder_and_elbow
from .hands.grip import Grip

WAVE, NOD = 1.6, 2.4  # [s] of a wave, and of two nods
WAVE_READY = "wave_ready_right"
"""Posture before a wave, with the name that ``greet`` asks for."""
_SWING, _BOW = 0.35, 0.25  # [rad] to either side, and down
_LEAST = 0.12  # [rad] that can be seen
_RAISED = (1.5, 1.2, 0.9, 0.6)  # [rad] between the upper arm and straight down, tried in turn
_BACK, _FRONT = 0.0, 0.7  # of the upper arm's direction that is forward, tried in turn
_UPPER_ARM = 0.6  # weight of a swing of the shoulder, beside one of the elbow or what comes after it
_STEPS = 9  # of a swing that are looked at

Track = tuple[tuple[float, float], ...]
Hits = Callable[[Array], set[Pair]]


@dataclass(frozen=True, eq=False)
class Gestures:
    """Gestures that the structure of a robot allows."""

    wave_ready: Array | None
    """(n,) The posture before a wave; None where there is none."""
    arm: Limb | None
    """That waves."""
    motions: Mapping[str, Mapping[str, Track]]
    """Keyframes of ``wave``, which is periodic, and of ``nod``: times [s] and positions [rad] by joint."""
    notes: tuple[Note, ...]
    """What is worth a look."""


def find_gestures(
    tree: Tree, anatomy: Anatomy, heading: Heading, grip: Grip | None, stance: Array, hits: Hits
) -> Gestures:
    """Propose a wave and a nod that are free of contact.

    Args:
        tree: The robot.
        anatomy: Its limbs.
        heading: Where forward is.
        grip: The hand that waves, if there is one.
        stance: (n,) From which both begin.
        hits: Tells the pairs of links in contact.
    """
    motions: dict[str, Mapping[str, Track]] = {}
    notes = []
    best = _raised(tree, heading, grip, stance, hits) if grip else None
    if grip and best:
        q, swung, far = best
        motions["wave"] = {
            tree.joints[b].name: _track(tree, q, b, (0, 1, 0, -1, 0), far, WAVE) if b == swung else _track(tree, q, b)
            for b in driven(tree, grip.limb)
        }
    elif grip:
        notes.append(Note("unsure", "postures", "no posture was found from which the arm can wave free of contact"))
    nod = next(_nods(tree, anatomy, heading, stance, hits), None)
    if nod:
        body, far = nod
        motions["nod"] = {tree.joints[body].name: _track(tree, stance, body, (0, 1, 0, 1, 0), far, NOD)}
    return Gestures(best[0] if best else None, grip.limb if grip else None, motions, tuple(notes))


def _track(
    tree: Tree, q: Array, body: int, way: Sequence[int] = (0, 0), far: float = 0.0, duration: float = WAVE
) -> Track:
    """Keyframes of a joint, from its position in ``q``, so many times ``far`` [rad] off it."""
    k = tree.index(body)
    times = np.linspace(0.0, duration, len(way))
    return tuple(
        (round(float(t), 4), rounded(tree, k, float(q[k]) + share * far)) for t, share in zip(times, way, strict=True)
    )


def _raised(tree: Tree, heading: Heading, grip: Grip, stance: Array, hits: Hits) -> tuple[Array, int, float] | None:
    """A posture with a raised arm, the body whose joint waves it, and how far [rad] to either side."""
    shoulder, elbow = shoulder_and_elbow(tree, grip.limb)
    side = float(np.sign(heading.left @ tree.joints[shoulder].origin)) or -1.0
    found: tuple[Array, int, float] | None = None
    highest = -np.inf
    for ahead in (_BACK, _FRONT):
        for raised in _RAISED:
            level = side * heading.left + ahead * heading.forward
            upper = np.sin(raised) * level / np.linalg.norm(level) - np.cos(raised) * UP
            lower = (UP + 0.2 * side * heading.left) / np.hypot(1.0, 0.2)
            q = stance.copy()
            aim_arm(tree, grip, upper, lower, q)
            swing = _swing(tree, heading, grip, elbow, q, hits)
            if swing is None:
                continue
            data = tree.at(q)
            hand = data.oMi[grip.limb.bodies[-1]].act(hand_end(tree, grip))
            up = float(hand[2] - data.oMi[shoulder].translation[2]) / tree.reach(grip.limb.bodies[0])
            if up > highest + 0.1:
                found, highest = (q, *swing), up
            if highest > 0.25:
                return found
    return found


def _swing(tree: Tree, heading: Heading, grip: Grip, elbow: int, q: Array, hits: Hits) -> tuple[int, float] | None:
    """The joint that moves the hand most to the sides, centred in ``q`` if need be, and how far it does."""
    limb = grip.limb
    data = tree.at(q)
    hand = data.oMi[limb.bodies[-1]].act(hand_end(tree, grip))
    ways = []
    for body in driven(tree, limb):
        k, joint = tree.index(body), tree.joints[body]
        low, high = (float(np.clip(limit[k], -np.pi, np.pi)) for limit in tree.limits)
        far = min(_SWING, 0.49 * (high - low))
        R = data.oMi[body].rotation @ tree.zero.oMi[body].rotation.T
        moved = far * abs(float(np.cross(R @ joint.axis, hand - data.oMi[body].translation) @ heading.left))
        weight = 1.0 if limb.bodies.index(body) >= limb.bodies.index(elbow) else _UPPER_ARM
        if far >= _LEAST and not joint.prismatic:
            ways.append((weight * moved, body, far, float(np.clip(q[k], low + far, high - far))))
    for _, body, far, centre in sorted(ways, key=lambda way: -way[0]):
        p, k = q.copy(), tree.index(body)
        p[k] = centre
        for share in np.linspace(-1.0, 1.0, _STEPS):
            p[k] = centre + share * far
            if hits(p):
                break
        else:
            q[k] = centre
            return body, far
    return None


def _nods(tree: Tree, anatomy: Anatomy, heading: Heading, stance: Array, hits: Hits) -> Iterator[tuple[int, float]]:
    """Joints that bow the head, or for want of one the torso, and how far [rad]: down, or up where that is too near."""
    heads = [b for limb in anatomy.of("head") for b in driven(tree, limb)][::-1]
    for body in heads or [b for b in anatomy.trunk[:0:-1] if not tree.joints[b].follows]:
        k, joint = tree.index(body), tree.joints[body]
        along = float(joint.axis @ heading.left)
        if joint.prismatic or abs(along) < 0.7:
            continue
        for way in (np.sign(along), -np.sign(along)):
            end = float(np.clip(stance[k] + way * _BOW, tree.limits[0][k] + 0.02, tree.limits[1][k] - 0.02))
            far = end - float(stance[k])
            p = stance.copy()
            touching = False
            for share in np.linspace(0.0, 1.0, _STEPS):
                p[k] = stance[k] + share * far
                touching = touching or bool(hits(p))
            if not touching and abs(far) > _LEAST:
                yield body, far
