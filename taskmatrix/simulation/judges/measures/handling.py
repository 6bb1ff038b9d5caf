"""How hands take, hold and let go, at every step of a record: the same for all behaviors."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import nearest_alike, symmetry_of

from ..ground_truth import Record, Step
from .grasps import hand_in_object, not_grasped

FIXED = 1e-4  # [m] or [rad] that what travels with a thing may move on it in a step


def mishandled(record: Record, taken: Collection[str], let_go: Collection[str], given: Collection[str] = ()) -> str:
    """Why things were not handled as hands handle them, at some step of a record; empty if they were.

    A hand takes an object at one of its grasps, within 5 mm and 2 degrees, with its fingers closed to the grasp's
    width. What it holds stays where it is in the hand, within 1 mm and half a degree. What is known to move with hands
    only stays where it is while none holds it.

    Args:
        record: The run.
        taken: Ids of the objects that hands may take in the run that is judged; before it any.
        let_go: Ids of those that they may let go.
        given: Ids of those that somebody may pull out of a hand in the run that is judged.
    """
    holds: dict[str, tuple[str, int]] = {hand: (id, 0) for hand, id in record.steps[0].held.items()}
    for k in range(1, len(record.steps)):
        before, now = record.steps[k - 1].held, record.steps[k].held
        if now is not before:
            for hand in record.robot.hands:
                if now.get(hand) != before.get(hand):
                    reason = _let_go(record, k, hand, holds, let_go, given) or _taken(record, k, hand, holds, taken)
                    if reason:
                        return f"{reason} at step {k - 1}"
    for hand, (id, since) in holds.items():
        reason = _slipped(record, len(record.steps) - 1, hand, id, since)
        if reason:
            return reason
    return _moved_alone(record, taken)


def _taken(record: Record, k: int, hand: str, holds: dict[str, tuple[str, int]], allowed: Collection[str]) -> str:
    id = record.steps[k].held.get(hand)
    if id is None:
        return ""
    holds[hand] = id, k
    if k > record.begin and id not in allowed:
        return f"the {hand} hand takes '{id}', which the task does not name,"
    if id not in record.steps[k].poses:
        return f"the {hand} hand takes '{id}', which is not there,"
    reason = not_grasped(record, record.steps[k], hand, id, {})
    return f"the {hand} hand takes '{id}' where it cannot grasp it: {reason}," if reason else ""


def _let_go(
    record: Record,
    k: int,
    hand: str,
    holds: dict[str, tuple[str, int]],
    allowed: Collection[str],
    given: Collection[str],
) -> str:
    if hand not in holds:
        return ""
    id, since = holds.pop(hand)
    gone = id not in record.steps[k].poses
    if k > record.begin and id not in allowed and not gone:
        return f"the {hand} hand lets go '{id}', which the task does not name,"
    return "" if k > record.begin and id in given else _slipped(record, k - 1, hand, id, since)


def _slipped(record: Record, k: int, hand: str, id: str, since: int) -> str:
    """Why what a hand holds is not where it was in the hand when that had taken it; empty if it is."""
    steps, since = record.steps, min(k, since + round(record.tolerance.sinking / record.dt))
    if id not in steps[k].poses or id not in steps[since].poses:
        return ""
    before, now = (hand_in_object(record, steps[at], hand, id) for at in (since, k))
    moved, turned = pose_error(before, nearest_alike(symmetry_of(record.objects[id].shapes), now, before))
    if moved <= record.tolerance.slip and turned <= record.tolerance.slip_angle:
        return ""
    return f"'{id}' moved by {moved * 1000:.1f} mm and {np.rad2deg(turned):.1f} deg in the {hand} hand that held it"


def _moved_alone(record: Record, handled: Collection[str]) -> str:
    """The first object that moved while no hand held it, of those that move with hands only; empty if none did.

    What counts is how far it is from where it was at the start, or let go last; of what moved already when the record
    began, from where it came to rest then.
    """
    tolerance = record.tolerance
    moving = set(record.moving)
    alone, nudge = (tolerance.alone, tolerance.alone_angle), (tolerance.nudge, tolerance.nudge_angle)
    last: dict[str, Array] = {id: X_WO for id, X_WO in record.steps[0].poses.items() if id in record.still}
    for k in range(1, len(record.steps)):
        before, now = record.steps[k - 1], record.steps[k]
        if now.poses is before.poses:
            moving = set()
            continue
        held = {*before.held.values(), *now.held.values()}
        moving = {id for id in moving if _moves(id, before, now)}
        for id, X_WO in now.poses.items():
            if id not in record.still or X_WO is last.get(id):
                continue
            if id not in last or id in held or id in moving or _travels(id, before, now):
                last[id] = X_WO
            elif _moved(record, id, last[id], X_WO, *(nudge if id in handled else alone)):
                return f"'{id}' moved at step {k - 1}, while no hand held it"
    return ""


def _moves(id: str, before: Step, now: Step) -> bool:
    """Whether an object moves in a step."""
    if id not in before.poses or id not in now.poses:
        return False
    moved, turned = pose_error(before.poses[id], now.poses[id])
    return moved > FIXED or turned > FIXED


def _travels(id: str, before: Step, now: Step) -> bool:
    """Whether an object moved with something that a hand holds, as if fixed to it: it stands on it, or in it."""
    if id not in before.poses:
        return False
    for carrier in now.held.values():
        if carrier in before.poses and carrier in now.poses and now.poses[carrier] is not before.poses[carrier]:
            X_CO = (inverse(step.poses[carrier]) @ step.poses[id] for step in (before, now))
            moved, turned = pose_error(*X_CO)
            if moved < FIXED and turned < FIXED:
                return True
    return False


def _moved(record: Record, id: str, before: Array, now: Array, by: float, angle: float) -> bool:
    """Whether an object is more than a distance [m] or an angle [rad] from where it was."""
    if np.abs(now - before).max() <= min(by, angle) / 3:
        return False  # whichever way it went
    alike = inverse(nearest_alike(symmetry_of(record.objects[id].shapes), inverse(now), inverse(before)))
    moved, turned = pose_error(before, alike)
    return moved > by or turned > angle
