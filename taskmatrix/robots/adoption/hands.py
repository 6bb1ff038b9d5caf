"""Where a hand holds: its grasp frame, how wide it opens, and what touches, from the geometry of its fingers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array

from .fingers import STEPS, Fist, configured, find_fist, gap, outer_gap, widest_bar
from .heading import Heading
from .limbs import Anatomy, Limb
from .notes import Note
from .tree import Tree, rounded
from .words import GRIP, ends_with

_HELD = 0.03  # [m] between the pads where the frame is measured
_PAD = 0.005  # [m] what of a finger is this near to the other side is its pad
_SHUT = 0.004  # [m] between the pads: the hand is closed
_MARGIN = 0.008  # [m] that a hand is open wider than what it takes
_INSIDE = 0.03  # [m] that a frame for a tool may be below the surface of a palm
_ROWS = 8


@dataclass(frozen=True, eq=False)
class Grip:
    """One hand."""

    limb: Limb
    """The arm that carries it."""
    frame: str
    """Link to which the grasp frame is fixed."""
    X_LH: Array
    """(4, 4) Grasp frame in it: z out of the palm, y the closing direction."""
    aperture: float
    """[m] Of the widest object that it takes."""
    touch: tuple[str, ...]
    """Links that may touch what it holds."""
    open: Mapping[str, float]
    """[rad] or [m] Fingers wide open; empty without fingers."""
    closed: Mapping[str, float]
    """[rad] or [m] Fingers closed."""
    rest: Mapping[str, float]
    """[rad] or [m] Fingers with nothing to do."""
    table: tuple[tuple[float, Mapping[str, float]], ...]
    """Width [m] between the pads and positions, the narrowest first."""
    notes: tuple[Note, ...]
    """What speaks for and against it."""
    plain: bool = True
    """Whether a bar that is put into the hand tells its widths, so that the table can be measured again."""


def find_grip(tree: Tree, limb: Limb, anatomy: Anatomy, heading: Heading) -> Grip:
    """Propose the hand of an arm: by its fingers where it has some that close, else by its palm."""
    if any(not tree.joints[b].follows for b in limb.beyond):
        grip = _with_fingers(tree, limb, heading.left)
        if grip is not None:
            return grip
    return _palm(tree, limb, heading)


def _with_fingers(tree: Tree, limb: Limb, left: Array) -> Grip | None:
    """A hand that closes; None where its geometry does not tell how."""
    fist = find_fist(tree, limb)
    if not fist.tips or fist.open == fist.closed:
        return None
    first, second = _sides(tree, limb, fist)
    apart = gap if palm_side(limb, tree) not in (first, second) else outer_gap
    gaps = np.array([apart(tree, first, second, tree.at(configured(tree, fist.at(t))))[0] for t in _times()])
    wide = int(np.argmax(gaps))
    closing = gaps[wide:]
    shut = wide + int(np.argmax(closing < _SHUT) if (closing < _SHUT).any() else np.argmin(closing))
    if shut == wide or gaps[wide] < 0.01:
        return None
    held = wide + int(np.argmin(np.abs(gaps[wide : shut + 1] - min(_HELD, 0.5 * gaps[wide]))))
    data = tree.at(configured(tree, fist.at(_times()[held])))
    X_WH = _frame(tree, limb, fist, (first, second), left, data)
    knuckle = tree.path(fist.tips[0], limb.bodies[-1])[0]
    palm = tree.joints[knuckle].links[0]
    X_LH = np.linalg.inv(tree.pose(palm, data)) @ X_WH
    rows, plain = _rows(tree, limb, fist, palm, X_LH, list(zip(_times(), gaps, strict=True))[wide : shut + 1])
    if len(rows) < 2:
        return None
    notes = tuple(_remarks(tree, limb, fist, X_WH, data, rows))
    touch = _touch(tree, limb, palm)
    aperture = _aperture(rows[-1][0])
    return Grip(limb, palm, X_LH, aperture, touch, rows[-1][1], rows[0][1], _middle(rows), rows, notes, plain)


def _times() -> Array:
    times: Array = np.linspace(0.0, 1.0, STEPS + 1)
    return times


def _aperture(width: float) -> float:
    return round(max(width - _MARGIN, 0.8 * width), 3)


def _middle(rows: Sequence[tuple[float, Mapping[str, float]]]) -> Mapping[str, float]:
    return min(rows, key=lambda row: abs(row[0] - 0.5 * rows[-1][0]))[1]


def _sides(tree: Tree, limb: Limb, fist: Fist) -> tuple[list[str], list[str]]:
    """Links of the tips by the way in which they go when the hand closes; the palm's where all go one way."""
    places = []
    for t in (0.3, 0.7):
        data = tree.at(configured(tree, fist.at(t)))
        places.append([tree.points(tip, data, [tree.outermost(tip)]).mean(axis=0) for tip in fist.tips])
    ways = np.array(places[1]) - np.array(places[0])
    main = np.linalg.svd(ways, full_matrices=False)[2][0]
    links = [tree.outermost(tip) for tip in fist.tips]
    first = [link for link, way in zip(links, ways, strict=True) if way @ main > 0.0]
    second = [link for link in links if link not in first]
    return first or palm_side(limb, tree), second or palm_side(limb, tree)


def palm_side(limb: Limb, tree: Tree) -> list[str]:
    """Links of the palm, where all fingers close against it."""
    return list(tree.links(limb.bodies[-1]))


def _frame(
    tree: Tree, limb: Limb, fist: Fist, sides: tuple[Sequence[str], Sequence[str]], left: Array, data: pin.Data
) -> Array:
    """X_WH: (4, 4) between the pads, with y from one to the other and z away from the palm, across the hinges."""
    _, near, far = (outer_gap if palm_side(limb, tree) in sides else gap)(tree, *sides, data)
    a, b = (_pads(tree, side, data, way) for side, way in zip(sides, (far - near, near - far), strict=True))
    origin, y = 0.5 * (a + b), a - b
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


def _pads(tree: Tree, side: Sequence[str], data: pin.Data, across: Array) -> Array:
    """(3,) [m] What of some bodies faces the other side, in the mean."""
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    found = []
    for link in side:
        points = tree.points(tree.body_of(link), data, [link])
        if not len(points):
            continue
        along = points @ across
        found.append(_middle_of(points[along > along.max() - _PAD]))
    mean: Array = np.mean(found, axis=0)
    return mean


def _middle_of(points: Array) -> Array:
    middle: Array = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return middle


def _rows(
    tree: Tree, limb: Limb, fist: Fist, frame: str, X_LH: Array, ways: Sequence[tuple[float, float]]
) -> tuple[tuple[tuple[float, Mapping[str, float]], ...], bool]:
    """Rows of growing width: how wide a bar fits between the fingers as they open; and whether that is all it takes."""
    found: list[tuple[float, Mapping[str, float]]] = []
    plain = True
    for t, apart in ways[::-1]:
        positions = fist.at(t)
        data = tree.at(configured(tree, positions))
        width = widest_bar(tree, (*limb.beyond, limb.bodies[-1]), tree.pose(frame, data) @ X_LH, data)
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


def _touch(tree: Tree, limb: Limb, palm: str) -> tuple[str, ...]:
    """Links with a body from the palm's on."""
    links = tree.links(limb.bodies[-1])
    own = links[links.index(palm) :]
    fingers = [link for b in limb.beyond for link in tree.links(b)]
    return tuple(link for link in (*own, *fingers) if tree.solid(link)) or (palm,)


def _remarks(
    tree: Tree, limb: Limb, fist: Fist, X_WH: Array, data: pin.Data, rows: Sequence[tuple[float, Mapping[str, float]]]
) -> Iterator[Note]:
    """What is worth a look."""
    where = f"the hand on {tree.joints[limb.bodies[-1]].name}"
    if fist.still:
        names = ", ".join(tree.joints[b].name for b in fist.still)
        yield Note("unsure", "hands", f"{where}: these only spread or turn fingers, they stay at rest: {names}")
    if rows[0][0] > 0.01:
        yield Note("unsure", "hands", f"{where}: the pads are still {1000 * rows[0][0]:.0f} mm apart when closed")
    for link in tree.links(limb.bodies[-1]):
        if not tree.solid(link) and ends_with(link, GRIP):
            away = float(np.linalg.norm(tree.pose(link, data)[:3, 3] - X_WH[:3, 3]))
            kind = "found" if away < 0.04 else "unsure"
            yield Note(kind, "hands", f"{where}: the frame '{link}' is {1000 * away:.0f} mm from the proposed origin")


def _palm(tree: Tree, limb: Limb, heading: Heading) -> Grip:
    """A hand without fingers that close: it affixes, with its flat side or, where it has none, with its end."""
    body = limb.bodies[-1]
    joint = tree.joints[body]
    links = [link for link in tree.links(body) if tree.solid(link)]
    usable = [link for link in links if tree.named_once(link)] or [*filter(tree.named_once, tree.links(body))]
    frame = (usable or links or list(tree.links(body)))[-1]
    if limb.beyond:
        frame = tree.joints[limb.beyond[0]].links[0]
    notes = []
    points = np.vstack([tree.points(body), *(tree.points(b) for b in limb.beyond)])
    X_WL = tree.pose(frame)
    if not len(points):
        away = tree.pose(tree.links(body)[-1])[:3, 3] - joint.origin
        points = np.array([joint.origin, joint.origin + away])
        notes.append(Note("unsure", "hands", f"{frame} has no collision body: where its palm is cannot be seen"))
    out, origin, flat = _facing(tree, limb, points, heading)
    beyond = tree.links(body)[tree.links(body).index(frame) :]
    tool = next((name for name in beyond if not tree.solid(name) and ends_with(name, GRIP)), "")
    why = "the flat side that faces the body" if flat else "the end of the arm"
    if tool and (tree.pose(tool)[:3, 3] - origin) @ out > -_INSIDE:
        origin = tree.pose(tool)[:3, 3]
        notes.append(Note("found", "hands", f"{frame}: the origin is that of the frame '{tool}'"))
    fingers = "the geometry of its fingers does not tell how they close" if limb.beyond else "no fingers that close"
    notes.append(
        Note("unsure", "hands", f"{frame}: {fingers}, so it is taken to affix with {why}; see to z and origin")
    )
    along = origin - joint.origin
    y = _across(out, along, heading)
    X_WH = np.eye(4)
    X_WH[:3, 0], X_WH[:3, 1], X_WH[:3, 2], X_WH[:3, 3] = np.cross(y, out), y, out, origin
    touch = _touch(tree, limb, frame)
    return Grip(limb, frame, np.linalg.inv(X_WL) @ X_WH, 0.12, touch, {}, {}, {}, (), tuple(notes))


def _facing(tree: Tree, limb: Limb, points: Array, heading: Heading) -> tuple[Array, Array, bool]:
    """The direction out of the palm, the middle of the palm a little before it, and whether it is a flat one."""
    joint = tree.joints[limb.bodies[-1]]
    middle = _middle_of(points)
    along = middle - joint.origin
    if np.linalg.norm(along) < 1e-3:
        before = [joint.origin - tree.joints[b].origin for b in limb.bodies[::-1]]
        along = next((way for way in before if np.linalg.norm(way) > 1e-3), np.array([0.0, 0.0, 1.0]))
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    spread = points - middle
    across = spread - np.outer(spread @ along, along)
    _, axes = np.linalg.eigh(across.T @ across)
    thin, broad = axes[:, 1], axes[:, 2]
    widths = [float(np.ptp(points @ axis)) for axis in (thin, broad)]
    length = float(np.ptp(points @ along))
    inward = -heading.left * np.sign(heading.left @ joint.origin)
    if widths[0] < 0.75 * widths[1] and length > widths[0] and abs(thin @ inward) > 0.5:
        out = thin * np.sign(thin @ inward)
        face = middle + (float((points @ out).max()) - float(middle @ out)) * out
        return out, face + 0.02 * out, True
    tip = middle + (float((points @ along).max()) - float(middle @ along)) * along
    return along, tip + 0.02 * along, False


def _across(out: Array, along: Array, heading: Heading) -> Array:
    """(3,) A closing direction: forward as far as it is across, else to the left."""
    for wish in (heading.forward, heading.left, np.array([0.0, 0.0, 1.0])):
        y = wish - (wish @ out) * out
        if np.linalg.norm(y) > 0.5:
            unit: Array = y / np.linalg.norm(y)
            return unit
    raise AssertionError("one of three perpendicular directions is across")
