"""How near a hand is to one of an object's grasps, or whether it could hold an object without a table of them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from taskmatrix.core.world.geometry import inverse, planar, pose_error
from taskmatrix.core.world.objects import Array, table_entry
from taskmatrix.core.world.symmetry import Symmetry, nearest_alike, symmetry_of
from taskmatrix.robots.hand_pose import hand_pose

from ..ground_truth import Record, Step
from .shape_grasp import graspable_by_shape, measured

ANGLE = 0.3  # [m/rad] what an angle weighs beside a distance
FEW = 4  # grasps that are measured one by one
SLOPE, ROLL = np.deg2rad(1.0), np.deg2rad(15.0)  # [rad] steps in which turns about a hand's z are tried
ROUNDING = 1e-6  # [m] by which what is found for all grasps at once may be off
BACK = 0.030  # [m] behind a grasp of a table, along the hand's z, where a hand may hold as well


def hand_in_object(record: Record, step: Step, hand: str, id: str) -> Array:
    """X_OH (4, 4) of a hand's grasp frame in an object's frame."""
    X_OH: Array = inverse(step.poses[id]) @ hand_pose(record.robot, hand, step.q)
    return X_OH


def nearest_grasp(
    record: Record, step: Step, hand: str, id: str, only: str | None = None, avoid: str | None = None
) -> tuple[str, float, float]:
    """Name of the grasp nearest to a hand that opens wide enough, its distance [m] and angle [rad].

    A hand too large for a grasp holds behind it: up to 3 cm back along its z nothing counts as distance. Nor do turns
    about its z within the hand's slope, and of a palm without fingers no turns about its z.
    The name is empty and the distance infinite if there is none. An object without a table is held ``by shape``, at a
    distance of 0, or not at all; its grasps have no names that could be asked for. Where an object looks the same from
    several sides, a grasp counts from all of them, unless one of the table is to be avoided.

    Args:
        record: The run.
        step: When.
        hand: Name of the hand.
        id: The object.
        only: Name of the one grasp that counts.
        avoid: Name of one that does not.
    """
    if graspable_by_shape(record.objects[id]):
        reason = measured(record.robot, step, hand, record.objects[id], {})[1]
        return ("", np.inf, np.inf) if reason else ("by shape", 0.0, 0.0)
    found, grasps = record.robot.hands[hand], record.objects[id].grasps
    X_OH, symmetry = hand_in_object(record, step, hand, id), symmetry_of(record.objects[id].shapes)
    only, avoid = (name and table_entry(name) for name in (only, avoid))
    fitting = [g for g in grasps if g.width <= found.aperture and only in (None, g.name) and g.name != avoid]
    if avoid:
        symmetry = replace(symmetry, kind="none")
    palm, best = found.fingers is None, ("", np.inf, np.inf)
    turns = np.array(_turns(2.0 * np.pi, ROLL) if palm else _turns(found.slope, SLOPE))
    own = np.array([found.around(grasp.X_OH, grasp.width) for grasp in fitting]).reshape(-1, 1, 4, 4)
    poses = (own @ turns).reshape(-1, 4, 4)
    names = [grasp.name for grasp in fitting for _ in turns]
    for other in (grasp for grasp in grasps if palm and grasp.name == avoid):  # a turn of another grasp may be that one
        kept = np.flatnonzero(~np.isclose(poses, other.X_OH).all(axis=(1, 2)))
        poses, names = poses[kept], [names[k] for k in kept]
    rolling = palm and not avoid
    for k in _nearest(poses, symmetry, X_OH, rolling):
        alike = nearest_alike(symmetry, poses[k], X_OH)
        alike = _rolled(alike, X_OH) if rolling else alike
        distance, angle = pose_error(_drawn_back(alike, X_OH), X_OH)
        if distance + ANGLE * angle < best[1] + ANGLE * best[2]:
            best = (names[k], float(distance), float(angle))
    return best


def _nearest(X: Array, symmetry: Symmetry, X_OH: Array, rolling: bool) -> list[int]:
    """Which of some poses (k, 4, 4) of grasps may be nearest to a hand, from all of them at once."""
    if len(X) <= FEW:
        return list(range(len(X)))
    R, p, R_OH = X[:, :3, :3], X[:, :3, 3], X_OH[:3, :3]
    if symmetry.kind != "none":
        turned = R_OH @ R.transpose(0, 2, 1)
        if symmetry.kind == "axis":
            K = np.cross(np.eye(3), -symmetry.axis)
            along = np.einsum("i,kij,j->k", symmetry.axis, turned, symmetry.axis)
            angles = np.arctan2(-np.einsum("ij,kji->k", K, turned), np.einsum("kii->k", turned) - along)[:, None, None]
            turned = np.eye(3) + np.sin(angles) * K + (1.0 - np.cos(angles)) * K @ K
        R, p = turned @ R, symmetry.centre + np.einsum("kij,kj->ki", turned, p - symmetry.centre)
    off = p - X_OH[:3, 3]
    off = off - np.clip(np.einsum("ki,ki->k", R[:, :, 2], off), 0.0, BACK)[:, None] * R[:, :, 2]
    M = R.transpose(0, 2, 1) @ R_OH
    sines = np.array([M[:, 2, 1] - M[:, 1, 2], M[:, 0, 2] - M[:, 2, 0], M[:, 1, 0] - M[:, 0, 1]])
    angles = np.arctan2(np.linalg.norm(sines, axis=0), np.einsum("kii->k", M) - 1.0)
    if rolling:
        angles = np.arctan2(np.hypot(M[:, 0, 2], M[:, 1, 2]), M[:, 2, 2])
    costs = np.linalg.norm(off, axis=1) + ANGLE * angles
    return np.flatnonzero(costs <= costs.min() + ROUNDING).tolist()


@lru_cache(maxsize=16)
def _turns(most: float, step: float) -> list[Array]:
    """Turns about z from 0 to ``most`` [rad] in steps [rad]."""
    turns = np.linspace(0.0, most, round(abs(most) / step) + 1)
    return [planar(0.0, 0.0, float(turn)) for turn in turns]


def _rolled(X_WG: Array, X_WH: Array) -> Array:
    """A grasp (4, 4), turned about its z to where it is nearest to a hand: a palm holds whichever way it is turned."""
    R = X_WG[:3, :3].T @ X_WH[:3, :3]
    X: Array = X_WG @ planar(0.0, 0.0, float(np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])))
    return X


def _drawn_back(X_WG: Array, X_WH: Array) -> Array:
    """A grasp (4, 4), drawn back along its z, 3 cm at most, to where it is nearest to a hand: large palms need that."""
    X = X_WG.copy()
    behind = float(X_WG[:3, 2] @ (X_WG[:3, 3] - X_WH[:3, 3]))
    X[:3, 3] -= np.clip(behind, 0.0, BACK) * X_WG[:3, 2]
    return X


def at_grasp(record: Record, distance: float, angle: float) -> bool:
    """Whether a hand is as near to a grasp [m], [rad] as it has to be."""
    return distance <= record.tolerance.grasp and angle <= record.tolerance.grasp_angle


def off_grasp(
    record: Record,
    step: Step,
    hand: str,
    id: str,
    facts: dict[str, object],
    only: str | None = None,
    avoid: str | None = None,
) -> str:
    """Why a hand is at no grasp of an object, within 5 mm and 2 degrees; empty if it is. Notes what it measures.

    ``only`` and ``avoid`` as in :func:`nearest_grasp`.
    """
    if graspable_by_shape(record.objects[id]):
        return measured(record.robot, step, hand, record.objects[id], facts)[1]
    name, distance, angle = nearest_grasp(record, step, hand, id, only, avoid)
    if not name and (only or avoid):
        return f"'{id}' has no grasp that was asked for and fits the {hand} hand"
    if not name:
        aperture = record.robot.hands[hand].aperture
        return f"'{id}' has no grasp for a hand that opens {aperture * 1000:.0f} mm"
    facts.update(hand=hand, grasp=name, distance=distance, angle=angle)
    if not at_grasp(record, distance, angle):
        return f"the hand is {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from the nearest grasp"
    return ""


def not_grasped(
    record: Record, step: Step, hand: str, id: str, facts: dict[str, object], only: str | None = None
) -> str:
    """Why a hand does not grasp an object: at no grasp, or the fingers not closed to its width; empty if it does.

    A finger is closed if its joint is within 0.05 rad or m of where the hand's table has it for that width; with
    physics it may be closed further, where its tip passes the object.
    """
    reason = off_grasp(record, step, hand, id, facts, only)
    if reason:
        return reason
    if graspable_by_shape(record.objects[id]):
        width, _ = measured(record.robot, step, hand, record.objects[id], {})
        return _not_closed(record, step, hand, id, width)
    worst = ""
    for grasp in record.objects[id].grasps:
        name, distance, angle = nearest_grasp(record, step, hand, id, grasp.name)
        if name and at_grasp(record, distance, angle) and only in (None, name):
            reason = _not_closed(record, step, hand, id, grasp.width)
            if not reason:
                return ""
            worst = worst or reason
    return worst


def _not_closed(record: Record, step: Step, hand: str, id: str, width: float) -> str:
    """Why the fingers of a hand are not closed to a width [m]; empty if they are."""
    robot, held, tolerance = record.robot, record.robot.hands[hand], record.tolerance
    off: dict[str, float] = {}
    for joint, closed in held.closing(width).items():
        away = float(step.q[robot.joints.index(joint)]) - closed
        further = away * (held.closed[joint] - held.open[joint]) > 0.0
        if abs(away) > (tolerance.curl if further else tolerance.fingers):
            off[joint] = abs(away)
    joint = max(off, key=lambda finger: off[finger], default="")
    if not joint:
        return ""
    return f"finger joint {joint} is {off[joint]:.2f} from where it closes on '{id}'"
