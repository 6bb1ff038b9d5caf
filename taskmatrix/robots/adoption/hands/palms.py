"""Hands without fingers that close: where their palm is, and where it faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from taskmatrix.core.world.objects import Array

from ..anatomy.heading import UP, Heading
from ..anatomy.limbs import Limb
from ..anatomy.name_tokens import FINGER, GRIP, ends_with, mentions
from ..anatomy.notes import Note
from ..anatomy.tree import Tree
from .drawn_points import drawn_points
from .fingers import configured, find_fist, find_tips
from .grip import Grip, middle_of, touching_links

_INSIDE = 0.03  # [m] that a frame for a tool may be below the surface of a palm
_BEFORE = 0.03  # [m] that the middle of what a flat palm holds is before it
_TIP = 0.02  # [m] that it is before the end of an arm
_THIN = 0.75  # of its next width is how thick a flat palm is at most
_OFF = 0.25  # of its thickness: a palm that lies farther off the wrist's axis faces away from it
_ROLLS = 0.7  # of the way from the last joint to the middle of its link along its axis, of one that rolls the hand
_FEWEST = 8  # points of what is drawn that tell a shape
_LOPSIDED = 0.2  # of a wrist's range: what is off its middle tells which way it bends


def find_palm(tree: Tree, limb: Limb, heading: Heading, why_not: str = "", advice: str = "") -> Grip:
    """A hand that affixes, with its flat side or, where it has none, with its end.

    Args:
        tree: The robot.
        limb: The arm.
        heading: Where forward is.
        why_not: Why its fingers are not taken to close, if it has fingers and that is known.
        advice: What a person may do about that.
    """
    body = limb.bodies[-1]
    joint = tree.joints[body]
    links = [link for link in tree.links(body) if tree.solid(link)]
    usable = [link for link in links if tree.named_once(link)] or [*filter(tree.named_once, tree.links(body))]
    frame = (usable or links or list(tree.links(body)))[-1]
    carrier = tree.joints[limb.beyond[0]].links[0] if limb.beyond else _carrier(tree, limb)
    if carrier and tree.named_once(carrier):
        frame = carrier
    notes = []
    points = np.vstack([tree.points(body), *(tree.points(b) for b in limb.beyond)])
    X_WL = tree.pose(frame)
    if not len(points):
        away = tree.pose(tree.links(body)[-1])[:3, 3] - joint.origin
        points = np.array([joint.origin, joint.origin + away])
        notes.append(Note("unsure", "hands", f"{frame} has no collision body: where its palm is cannot be seen"))
    out, origin, why, wishes = _facing(tree, limb, points, heading)
    beyond = tree.links(body)[tree.links(body).index(frame) :]
    tool = next((name for name in beyond if not tree.solid(name) and ends_with(name, GRIP)), "")
    if tool and (tree.pose(tool)[:3, 3] - origin) @ out > -_INSIDE:
        origin = tree.pose(tool)[:3, 3]
        notes.append(Note("found", "hands", f"{frame}: the origin is that of the frame '{tool}'"))
    unknown = why_not or "the geometry of its fingers does not tell how they close"
    fingers = unknown if limb.beyond else "no fingers that close"
    text = f"{frame}: {fingers}, so it is taken to affix with {why}; see to z and origin"
    notes.append(Note("unsure", "hands", f"{text}; {advice}" if advice else text))
    y = _across(out, wishes)
    X_WH = np.eye(4)
    X_WH[:3, 0], X_WH[:3, 1], X_WH[:3, 2], X_WH[:3, 3] = np.cross(y, out), y, out, origin
    touch = touching_links(tree, limb, frame if carrier else tree.links(body)[0])  # a flange and what it is welded to
    return Grip(limb, frame, np.linalg.inv(X_WL) @ X_WH, 0.12, touch, {}, {}, {}, (), tuple(notes))


def _facing(tree: Tree, limb: Limb, points: Array, heading: Heading) -> tuple[Array, Array, str, list[Array]]:
    """The direction out of the palm, the middle of what it holds, why, and the directions that y may have."""
    joint = tree.joints[limb.bodies[-1]]
    middle = middle_of(points)
    along = middle - joint.origin
    if rigid := _rigid_fingers(tree, limb):
        return _before_fingers(tree, limb, rigid, heading)
    if np.linalg.norm(along) < 1e-3:
        before = [joint.origin - tree.joints[b].origin for b in limb.bodies[::-1]]
        along = next((way for way in before if np.linalg.norm(way) > 1e-3), UP)
    along = _forward(tree, limb, along)
    axes, widths = _widths(points)
    if widths[0] >= _THIN * widths[1] and len(drawn := drawn_points(tree, limb.bodies[-1])) >= _FEWEST:
        axes, widths = _widths(drawn)  # what is round to keep the hand clear may be drawn flat
    thin = axes[:, 0]
    if widths[0] < _THIN * widths[1] and abs(thin @ along) < 0.7 * np.linalg.norm(along):
        length = along - (along @ thin) * thin
        sign, why = _palmar(tree, limb, thin, length, float(thin @ along) / widths[0], heading)
        out = sign * thin
        face = middle + (float((points @ out).max()) - float(middle @ out)) * out
        return out, face + _BEFORE * out, f"its flat side {why}", [heading.forward, length]
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    tip = middle + (float((points @ along).max()) - float(middle @ along)) * along
    return along, tip + _TIP * along, "the end of the arm", [heading.forward, heading.left, UP]


def _forward(tree: Tree, limb: Limb, along: Array) -> Array:
    """(3,) The way out of the last link: along the axis that rolls it, where it is behind the joint as a flange is."""
    joint = tree.joints[limb.bodies[-1]]
    come = float((joint.origin - tree.joints[limb.bodies[-2]].origin) @ joint.axis) if len(limb.bodies) > 1 else 0.0
    back = float(along @ joint.axis)
    rolls = abs(back) > _ROLLS * np.linalg.norm(along) and abs(come) > abs(back)
    return np.sign(come) * joint.axis if not limb.beyond and rolls and come * back < 0.0 else along


def _widths(points: Array) -> tuple[Array, list[float]]:
    """The axes (3, 3), as columns, along which points are spread, the least first, and how wide they are [m]."""
    axes: Array = np.linalg.eigh(np.cov(points.T))[1]
    return axes, [float(np.ptp(points @ axis)) for axis in axes.T]


def _rigid_fingers(tree: Tree, limb: Limb) -> list[str]:
    """Links that are called fingers on a hand none of whose parts move."""
    links = [link for link in tree.links(limb.bodies[-1]) if tree.solid(link)]
    return [] if limb.beyond else [link for link in links if mentions(link, FINGER - {"gripper"})]


def _carrier(tree: Tree, limb: Limb) -> str:
    """The link that carries fingers that do not move; empty where there are none."""
    rigid = _rigid_fingers(tree, limb)
    parents = {
        joint.find("child").get("link"): joint.find("parent").get("link", "")  # type: ignore[union-attr]
        for joint in tree.description.root.iter("joint")
    }
    return next((parents.get(link, "") for link in rigid if parents.get(link) not in rigid), "")


def _before_fingers(
    tree: Tree, limb: Limb, rigid: Sequence[str], heading: Heading
) -> tuple[Array, Array, str, list[Array]]:
    """As :func:`_facing` for a hand with fingers that do not move: it holds before all of it."""
    joint, hand = tree.joints[limb.bodies[-1]], tree.points(limb.bodies[-1])
    fingers = tree.points(limb.bodies[-1], None, rigid)
    out = middle_of(fingers) - joint.origin
    out = out / max(float(np.linalg.norm(out)), 1e-9)
    middle = middle_of(fingers)
    tip = middle + (float((hand @ out).max()) - float(middle @ out)) * out
    spread = np.linalg.eigh(np.cov(fingers.T))[1][:, -1]
    return out, tip + _TIP * out, "the ends of its fingers, which do not move", [spread, heading.forward, UP]


def _palmar(tree: Tree, limb: Limb, thin: Array, length: Array, off: float, heading: Heading) -> tuple[float, str]:
    """Which way along its normal a flat palm faces, and why; it is ``off`` its wrist by so much of its thickness."""
    if tips := find_tips(tree, limb) if any(not tree.joints[b].follows for b in limb.beyond) else ():
        fist = find_fist(tree, limb)
        ends = [tree.at(configured(tree, fist.at(t))) for t in (0.0, 0.5)]
        bent = [tree.points(tip, ends[1]).mean(axis=0) - tree.points(tip, ends[0]).mean(axis=0) for tip in tips]
        way = float(np.mean(bent, axis=0) @ thin)
        if abs(way) > 0.3 * float(np.mean(np.linalg.norm(bent, axis=1))):
            return float(np.sign(way)), "to which the fingers bend"
    joint = tree.joints[limb.bodies[-1]]
    inward = -heading.left * np.sign(heading.left @ joint.origin)
    if limb.twin and abs(thin @ inward) > 0.5:
        return float(np.sign(thin @ inward)), "that faces the body"
    length = length / np.linalg.norm(length)
    for body in limb.bodies[: len(limb.bodies) // 2 : -1]:
        wrist = tree.joints[body]
        way = float(np.cross(wrist.axis, length) @ thin) * (wrist.upper + wrist.lower)
        if not wrist.continuous and abs(way) > _LOPSIDED * (wrist.upper - wrist.lower):
            return float(np.sign(way)), "to which the wrist bends farther"
    if abs(off) > _OFF:
        return float(np.sign(off)), "that is farther from the wrist's axis"
    return float(np.sign(thin @ heading.forward)) or 1.0, "that looks forward"


def _across(out: Array, wishes: Iterable[Array]) -> Array:
    """(3,) A closing direction: the first of some that is across, as far as it is."""
    for wish in wishes:
        y = wish / np.linalg.norm(wish)
        y = y - (y @ out) * out
        if np.linalg.norm(y) > 0.5:
            unit: Array = y / np.linalg.norm(y)
            return unit
    raise AssertionError("one of these directions is across")
