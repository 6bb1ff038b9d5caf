"""How far apart the pads of a hand are as it closes, measured on its collision bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.objects import Array

from ..hand import Closing, Hand

ROWS = 10  # of the table
BAR = 0.02  # [m] thickness of the bar that is fitted between the pads
FURTHEST = 0.3  # [m] that it may be long
SHORT = 0.005  # [m] by which the pads may be less far apart than the hand is wide
FINE = 1e-4  # [m] to which it is found


def with_tables(
    hands: Mapping[str, Hand],
    places: Table,
    model: pin.Model,
    collision: pin.GeometryModel,
    at: Callable[[Mapping[str, float]], Array],
) -> dict[str, Hand]:
    """The hands, with a table of finger postures by width where they have fingers and none.

    Args:
        hands: By name.
        places: Where the adapter has them.
        model: The robot.
        collision: Its collision bodies.
        at: Tells the positions (n_full,) with some joints as given.

    Raises:
        RobotError: No pads meet at a hand's grasp frame.
    """
    return {
        name: replace(hand, table=_table(hand, places.table(name), model, collision, at))
        if hand.fingers is not None and not hand.table
        else hand
        for name, hand in hands.items()
    }


def _table(
    hand: Hand, place: Table, model: pin.Model, collision: pin.GeometryModel, at: Callable[[Mapping[str, float]], Array]
) -> tuple[Closing, ...]:
    """From closed to open."""
    rows: list[Closing] = []
    data = model.createData()
    for share in np.linspace(0.0, 1.0, ROWS):
        posture = {joint: hand.closed[joint] + share * (hand.open[joint] - hand.closed[joint]) for joint in hand.open}
        width = _width(hand, model, data, collision, at(posture))
        if width < FINE:
            rows = [Closing(0.0, posture)]  # the pads touch until here
        elif not rows or width > rows[-1].width + FINE:
            rows.append(Closing(width, posture))
    widest = rows[-1].width
    if len(rows) < 2 or not hand.aperture - SHORT < widest < FURTHEST - SHORT:
        problem = f"missing, and cannot be measured: a bar along y of the open hand's grasp frame has {widest:.3f} m"
        raise place.error("table", f"{problem} of room there, and the aperture is {hand.aperture:.3f} m")
    return tuple(rows)


def _width(hand: Hand, model: pin.Model, data: pin.Data, collision: pin.GeometryModel, q: Array) -> float:
    """[m] Of the widest bar along y that has room with its middle at the grasp frame."""
    pin.forwardKinematics(model, data, q)
    X_WL = pin.updateFramePlacement(model, data, model.getFrameId(hand.frame))
    X_HW = (X_WL * pin.SE3(hand.X_LH)).inverse()
    bodies = []
    for body in collision.geometryObjects:
        if model.frames[body.parentFrame].name in hand.touch:
            X = X_HW * data.oMi[body.parentJoint] * body.placement
            bodies.append((body.geometry, coal.Transform3s(X.rotation, X.translation)))
    least, most = 0.0, FURTHEST
    while most - least > FINE:
        middle = (least + most) / 2
        bar, here = coal.Box(BAR, middle, BAR), coal.Transform3s()
        met = any(
            coal.collide(body, X, bar, here, coal.CollisionRequest(), coal.CollisionResult()) for body, X in bodies
        )
        least, most = (least, middle) if met else (middle, most)
    return least
