"""How far an object slides that a hand pushes, where there are no forces."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.geometry.solids import solid
from taskmatrix.robots import Robot

HALVINGS = 14  # of what the hand went
AHEAD = 2.0  # times what it went, at most: the hand turns too
REQUEST = coal.CollisionRequest()


class Sliding:
    """An object that makes way for the links with which a hand touches things.

    It slides in the direction in which the hand goes, without turning, and no further than out of the hand.

    Args:
        robot: The robot.
        hand: Name of the hand.
        model: The object.
    """

    def __init__(self, robot: Robot, hand: str, model: ObjectModel) -> None:
        frames, touch = robot.model.frames, robot.hands[hand].touch
        self._links = [
            (body.geometry, body.parentJoint, body.placement)
            for body in robot.collision.geometryObjects
            if frames[body.parentFrame].name in touch
        ]
        self._shapes = [(solid(shape), pin.SE3(shape.X_OS)) for shape in model.shapes if shape.collides]

    def offset(self, data: pin.Data, X_WO: Array, way: Array) -> Array:
        """(3,) [m] How far the object at X_WO (4, 4) slides.

        Args:
            data: Of the robot, with where its joints are.
            X_WO: Where the object was.
            way: (3,) [m] How far the hand went since then.
        """
        if not self._in_hand(data, X_WO, np.zeros(3)):
            return np.zeros(3)
        least, most = 0.0, AHEAD
        for _ in range(HALVINGS):
            share = (least + most) / 2
            if self._in_hand(data, X_WO, share * way):
                least = share
            else:
                most = share
        return most * way

    def _in_hand(self, data: pin.Data, X_WO: Array, offset: Array) -> bool:
        X = pin.SE3(np.eye(3), offset) * pin.SE3(X_WO)
        return any(
            coal.collide(link, _at(data.oMi[joint] * placement), shape, _at(X * X_OS), REQUEST, coal.CollisionResult())
            for link, joint, placement in self._links
            for shape, X_OS in self._shapes
        )


def _at(X: pin.SE3) -> coal.Transform3s:
    return coal.Transform3s(X.rotation, X.translation)
