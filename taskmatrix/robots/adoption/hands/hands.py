"""Where a hand holds: its grasp frame, how wide it opens, and what touches, from the geometry of its fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pinocchio as pin

from taskmatrix.core.world.objects import Array

from ...loading.urdf import WIDE
from ..anatomy.heading import Heading
from ..anatomy.limbs import Anatomy, Limb
from ..anatomy.name_tokens import GRIP, ends_with
from ..anatomy.notes import Note
from ..anatomy.tree import Tree, rounded
from .fingers import STEPS, Fist, configured, find_fist, gap, outer_gap, outer_half, tip_gap, widest_bar
from .grip import Grip, middle_of, touching_links
from .palms import find_palm

_HELD = 0.03  # [m] between the pads where the frame is measured
_PAD = 0.005  # [m] what of a finger is this near to the other side is its pad
_SHUT = 0.004  # [m] between the pads: the hand is closed
_MARGIN = 0.008  # [m] that a hand is open wider than what it takes
_ROWS = 8
_GEARED = 0.002  # [m] that fingers are apart at most, however open, whose knuckles touch
_SLIVER = 0.02  # [m] a hand that opens less is hardly understood
_ENCLOSED = 0.5  # of the points of the fingers that are inside the box around a link: it encloses them
_TURNS = 0.5  # [rad] range of a joint that turns a thumb; one that spreads fingers has less
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of such a range, tried in turn
_WIDER = 0.01  # [m] by which the hand has to be wider for it
_KNUCKLES = 0.02  # [m] that two knuckles are apart whose middle is that of the hand

Measure = Callable[[Tree, Sequence[str], Sequence[str], pin.Data], tuple[float, Array, Array]]
"""How far apart two groups of links are [m], and where (3,) on both."""


def find_grip(
    tree: Tree, limb: Limb, anatomy: Anatomy, heading: Heading, turned: Mapping[str, float] | None = None
) -> Grip:
    """Propose the hand of an arm: by its fingers where these close on something, else by its palm.

    Args:
        tree: The robot.
        limb: The arm.
        anatomy: Its limbs.
        heading: Where forward is.
        turned: Where joints stay that do not close the hand, by name; looked for unless given.
    """
    if not any(not tree.joints[b].follows for b in limb.beyond):
        return find_palm(tree, limb, heading)
    grip = _opposed(tree, limb, heading.left, turned)
    around = _around(tree, limb)
    if grip is None:
        return find_palm(tree, limb, heading, "", around)
    if grip.aperture >= _SLIVER:
        return grip
    room = f"its fingers leave {1000 * grip.aperture:.0f} mm of room between them, or to the palm, as they close"
    still = [joint for joint, value in grip.open.items() if grip.closed[joint] == value]
    aside = f", with these turned that stayed at rest: {', '.join(still)}" if still else ""
    advice = f"to grasp with them, give the hand fingers, open and closed{aside}"
    return find_palm(tree, limb, heading, room, f"{around}; {advice}" if around else advice)


def _around(tree: Tree, limb: Limb) -> str:
    """Says which link encloses the fingers with a collision body that is drawn nowhere; empty where none does."""
    fingers = np.vstack([np.zeros((0, 3)), *(tree.points(b) for b in limb.beyond)])
    for link in tree.description.root.iter("link"):
        name = link.get("name", "")
        if name not in tree.links(limb.bodies[-1]) or not tree.solid(name) or link.find("visual") is not None:
            continue
        X_LW = np.linalg.inv(tree.pose(name))
        own, inside = (
            points @ X_LW[:3, :3].T + X_LW[:3, 3] for points in (tree.points(limb.bodies[-1], None, [name]), fingers)
        )
        share = np.mean(np.all((inside > own.min(axis=0)) & (inside < own.max(axis=0)), axis=1)) if len(inside) else 0.0
        if share > _ENCLOSED:
            return f"the collision body of '{name}', drawn nowhere, encloses its fingers: take it out of the URDF"
    return ""


def _opposed(tree: Tree, limb: Limb, left: Array, turned: Mapping[str, float] | None) -> Grip | None:
    """A hand that closes, with its thumb turned to where it opposes the other fingers if that makes it wider."""
    fist = find_fist(tree, limb)
    if turned is not None:
        for body in fist.still:
            fist = fist.turned(body, turned.get(tree.joints[body].name, fist.open[body]))
        return _with_fingers(tree, limb, fist, left)
    grip = _with_fingers(tree, limb, fist, left)
    turning = [b for b in fist.still if b in {body for tip in fist.tips for body in tree.path(tip, limb.bodies[-1])}]
    for body in turning:
        lower, upper = (float(limit[tree.index(body)]) for limit in tree.limits)
        if not _TURNS < upper - lower < WIDE:
            continue
        tried = [fist.turned(body, lower + share * (upper - lower)) for share in _SHARES]
        found = [(other, made) for other in tried if (made := _with_fingers(tree, limb, other, left))]
        wider = [pair for pair in found if pair[1].aperture > (grip.aperture if grip else 0.0) + _WIDER]
        if wider:
            fist, grip = max(wider, key=lambda pair: pair[1].aperture * (1.0 + _opposition(tree, pair[0])))
    return grip


def _opposition(tree: Tree, fist: Fist) -> float:
    """1 where the two sides of a closing hand come straight towards each other, -1 where all go the same way."""
    ways, first = _parted(tree, fist)
    if all(first) or not any(first):
        return -1.0
    here, there = ways[first].sum(axis=0), ways[np.logical_not(first)].sum(axis=0)
    return float(-here @ there / max(float(np.linalg.norm(here) * np.linalg.norm(there)), 1e-12))


def _parted(tree: Tree, fist: Fist) -> tuple[Array, npt.NDArray[np.bool_]]:
    """How the tips go while the hand closes, (k, 3) [m], and which go one way, (k,); the others go the other way.

    Curled up, fingers and a thumb may all go back to the palm: where that leaves one side, the begin of the way counts.
    """
    for start, end in ((0.3, 0.7), (0.0, 0.3)):
        places = []
        for t in (start, end):
            data = tree.at(configured(tree, fist.at(t)))
            places.append([tree.points(tip, data, [tree.outermost(tip)]).mean(axis=0) for tip in fist.tips])
        ways = np.array(places[1]) - np.array(places[0])
        first = ways @ np.linalg.svd(ways, full_matrices=False)[2][0] > 0.0
        if any(first) and not all(first):
            break
    return ways, first


def _with_fingers(tree: Tree, limb: Limb, fist: Fist, left: Array) -> Grip | None:
    """A hand that closes; None where its geometry does not tell how."""
    if not fist.tips or fist.open == fist.closed:
        return None
    first, second = _sides(tree, limb, fist)
    measure: Measure = gap if palm_side(limb, tree) not in (first, second) else outer_gap
    ways = [tree.at(configured(tree, fist.at(t))) for t in _times()]
    gaps = np.array([measure(tree, first, second, data)[0] for data in ways])
    if measure is gap and gaps.max() < _GEARED:
        measure = tip_gap
        gaps = np.array([measure(tree, first, second, data)[0] for data in ways])
    wide = int(np.argmax(gaps))
    closing = gaps[wide:]
    shut = wide + int(np.argmax(closing < _SHUT) if (closing < _SHUT).any() else np.argmin(closing))
    if shut == wide or gaps[wide] < 0.01:
        return None
    held = wide + int(np.argmin(np.abs(gaps[wide : shut + 1] - min(_HELD, 0.5 * gaps[wide]))))
    data = tree.at(configured(tree, fist.at(_times()[held])))
    X_WH = _frame(tree, limb, fist, (first, second), left, data, measure)
    knuckle = tree.path(fist.tips[0], limb.bodies[-1])[0]
    palm = tree.joints[knuckle].links[0]
    X_LH = np.linalg.inv(tree.pose(palm, data)) @ X_WH
    filled = measure is outer_gap and tree.hulled((*first, *second))  # by the hull of a palm with a fixed jaw
    rows, plain = _rows(tree, limb, fist, palm, X_LH, list(zip(_times(), gaps, strict=True))[wide : shut + 1], filled)
    if len(rows) < 2:
        return None
    notes = tuple(_remarks(tree, limb, fist, X_WH, data, rows))
    touch = touching_links(tree, limb, palm)
    aperture, rest = _aperture(rows[-1][0]), _middle(rows)
    both = [(a, b) for a in first for b in second] if measure is tip_gap else []
    meshing = tuple(pair for pair in both if max(gap(tree, [pair[0]], [pair[1]], data)[0] for data in ways) < _GEARED)
    return Grip(limb, palm, X_LH, aperture, touch, rows[-1][1], rows[0][1], rest, rows, notes, plain, meshing)


def _times() -> Array:
    times: Array = np.linspace(0.0, 1.0, STEPS + 1)
    return times


def _aperture(width: float) -> float:
    return round(max(width - _MARGIN, 0.8 * width), 3)


def _middle(rows: Sequence[tuple[float, Mapping[str, float]]]) -> Mapping[str, float]:
    return min(rows, key=lambda row: abs(row[0] - 0.5 * rows[-1][0]))[1]


def _sides(tree: Tree, limb: Limb, fist: Fist) -> tuple[list[str], list[str]]:
    """Links of the tips by the way in which they go when the hand closes; the palm's where all go one way."""
    links = [tree.outermost(tip) for tip in fist.tips]
    one_way = _parted(tree, fist)[1]
    first = [link for link, one in zip(links, one_way, strict=True) if one]
    second = [link for link in links if link not in first]
    return first or palm_side(limb, tree), second or palm_side(limb, tree)


def palm_side(limb: Limb, tree: Tree) -> list[str]:
    """Links of the palm, where all fingers close against it: those that carry fingers, if they are solid."""
    joints = (tree.joints[b] for b in limb.beyond)
    carriers = dict.fromkeys(joint.links[0] for joint in joints if joint.parent == limb.bodies[-1])
    return [link for link in carriers if tree.solid(link)] or list(tree.links(limb.bodies[-1]))


def _frame(
    tree: Tree,
    limb: Limb,
    fist: Fist,
    sides: tuple[Sequence[str], Sequence[str]],
    left: Array,
    data: pin.Data,
    measure: Measure,
) -> Array:
    """X_WH: (4, 4) between the pads, with y from one to the other and z away from the palm, across the hinges."""
    _, near, far = measure(tree, *sides, data)
    outer = measure is not gap  # what is near a hinge is no pad
    a, b = (_pads(tree, side, data, way, outer) for side, way in zip(sides, (far - near, near - far), strict=True))
    origin, y = 0.5 * (a + b), a - b
    if measure is outer_gap:  # the halves of a jaw and of what it closes on need not be opposite each other
        hinge = _common([_axis(tree, b, data) for b in limb.beyond])
        middle, y = 0.5 * (near + far), near - far
        origin = middle + ((origin - middle) @ hinge) * hinge
    palm = data.oMi[limb.bodies[-1]].translation
    fingers = [tree.path(tip, limb.bodies[-1]) for tip in fist.tips]
    knuckles = np.mean([data.oMi[finger[0]].translation for finger in fingers], axis=0)
    moving = [b for finger in fingers for b in finger if b not in fist.still]
    hinges, slides = (
        [_axis(tree, b, data) for b in moving if tree.joints[b].prismatic == kind] for kind in (False, True)
    )
    out = origin - (knuckles if np.linalg.norm(origin - knuckles) > 0.02 else palm)
    if hinges:
        x = _common(hinges)
        y = y - (y @ x) * x
    else:
        y = _common(slides)
        x = np.cross(y, out - (out @ y) * y)
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    if len(fist.tips) == 2 and fingers[0][0] != fingers[1][0]:  # a pair: between its knuckles
        first, second = (data.oMi[finger[0]].translation for finger in fingers)
        apart = (first - second) - ((first - second) @ x) * x
        if np.linalg.norm(apart) > _KNUCKLES and abs(apart @ y) > 0.75 * np.linalg.norm(apart):
            y = apart / np.linalg.norm(apart)
            origin = origin + ((0.5 * (first + second) - origin) @ y) * y
    if y @ left < -1e-3 or (abs(y @ left) < 1e-3 and y.sum() < 0.0):
        y = -y
    if np.cross(x, y) @ out < 0.0:
        x = -x
    X = np.eye(4)
    X[:3, 0], X[:3, 1], X[:3, 2], X[:3, 3] = x, y, np.cross(x, y), origin
    return X


def _axis(tree: Tree, body: int, data: pin.Data) -> Array:
    axis: Array = data.oMi[body].rotation @ tree.zero.oMi[body].rotation.T @ tree.joints[body].axis
    return axis


def _common(axes: Sequence[Array]) -> Array:
    """(3,) The direction that axes have in common."""
    direction: Array = np.linalg.svd(np.array(axes), full_matrices=False)[2][0]
    return direction


def _pads(tree: Tree, side: Sequence[str], data: pin.Data, across: Array, outer: bool) -> Array:
    """(3,) [m] What of some bodies faces the other side, in the mean."""
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    found = []
    for link in side:
        points = outer_half(tree, link, data) if outer else tree.points(tree.body_of(link), data, [link])
        if not len(points):
            continue
        along = points @ across
        found.append(middle_of(points[along > along.max() - _PAD]))
    mean: Array = np.mean(found, axis=0)
    return mean


def _rows(
    tree: Tree,
    limb: Limb,
    fist: Fist,
    frame: str,
    X_LH: Array,
    ways: Sequence[tuple[float, float]],
    filled: bool = False,
) -> tuple[tuple[tuple[float, Mapping[str, float]], ...], bool]:
    """Rows of growing width: how wide a bar fits between the fingers as they open; and whether that is all it takes.

    Where the room between them is filled, by hulls, their distance counts.
    """
    found: list[tuple[float, Mapping[str, float]]] = []
    plain = not filled
    for t, apart in ways[::-1]:
        positions = fist.at(t)
        data = tree.at(configured(tree, positions))
        bar = tree.pose(frame, data) @ X_LH
        width = max(apart, 0.0) if filled else widest_bar(tree, (*limb.beyond, limb.bodies[-1]), bar, data)
        plain = plain and width < max(apart, 0.0) + _PAD + _SHUT
        width = min(width, max(apart, 0.0) + _PAD)
        row = round(width, 4), {tree.joints[b].name: rounded(tree, tree.index(b), v) for b, v in positions.items()}
        if width <= _SHUT:
            found = [row]
        elif not found or width > found[-1][0] + 1e-3:
            found.append(row)
    if len(found) > _ROWS:
        found = [found[round(i)] for i in np.linspace(0, len(found) - 1, _ROWS)]
    return tuple(found), plain


def _remarks(
    tree: Tree, limb: Limb, fist: Fist, X_WH: Array, data: pin.Data, rows: Sequence[tuple[float, Mapping[str, float]]]
) -> Iterator[Note]:
    """What is worth a look."""
    where = f"the hand on {tree.joints[limb.bodies[-1]].name}"
    if fist.still:
        names = ", ".join(f"{tree.joints[b].name} at {fist.open[b]:.2f}" for b in fist.still)
        yield Note("unsure", "hands", f"{where}: these only spread or turn fingers, they stay where they are: {names}")
    if rows[0][0] > 0.01:
        yield Note("unsure", "hands", f"{where}: the pads are still {1000 * rows[0][0]:.0f} mm apart when closed")
    for link in tree.links(limb.bodies[-1]):
        if not tree.solid(link) and ends_with(link, GRIP):
            away = float(np.linalg.norm(tree.pose(link, data)[:3, 3] - X_WH[:3, 3]))
            kind = "found" if away < 0.04 else "unsure"
            yield Note(kind, "hands", f"{where}: the frame '{link}' is {1000 * away:.0f} mm from the proposed origin")
