"""One hand and one object, in the air or on the floor: where the hand fits, and where its fingers touch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import bounding_box, inverse
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose

from ..collision.bodies import Body
from ..collision.collision import CollisionChecker
from ..collision.shapes import parts

STEP = 0.01  # [m] of the approach between two looks
OFF = 0.002  # [m] that each finger is off the object where its contacts are looked for
NEAR = 0.005  # [m] of a finger from the object that counts as a contact there
FAR = 0.25  # [m] behind the grasp frame in which the palm is looked for
STANDS = -0.002  # [m] above what it stands on; in a world it is 1 mm, so a hand that fits here is 3 mm clear there
PROBE = 0.001  # [m] radius of what looks for it


class FloatingHand:
    """What a hand can do to an object, far above the floor.

    Args:
        robot: Whose hand.
        hand: Its name.
        model: The object.
    """

    def __init__(self, robot: Robot, hand: str, model: ObjectModel) -> None:
        self._robot, self._name, self.hand = robot, hand, robot.hands[hand]
        self._model = model
        self._checker = CollisionChecker(robot)
        reach = max(float(np.linalg.norm(part.X_OS.translation)) + _radius(part.geometry) for part in parts(model))
        underside = float(bounding_box(model.shapes, np.eye(4))[0][2])
        self._aloft, self._standing = np.eye(4), np.eye(4)
        self._aloft[2, 3], self._standing[2, 3] = reach + 1.0, STANDS - underside

    @property
    def affixes(self) -> bool:
        """Whether it has no fingers."""
        return self.hand.fingers is None

    @property
    def least(self) -> float:
        """[m] The smallest width on which its fingers close."""
        return self.hand.table[0].width if self.hand.table else 0.0

    def posture(self, width: float | None) -> Array:
        """(n,) The stance, with the fingers of this hand open for None, or closed to a width [m]."""
        q = self._robot.posture(self._robot.stance)
        fingers: Mapping[str, float] = self.hand.open if width is None else self.hand.closing(width)
        for joint, position in fingers.items():
            q[self._robot.joints.index(joint)] = position
        return q

    def fits(self, X_OH: Array, width: float | None = None, standing: bool = False) -> NDArray[np.bool_]:
        """(m,) Whether the hand is clear of the object at poses (m, 4, 4), or of what it stands on.

        Args:
            X_OH: Poses of the grasp frame.
            width: [m] To which the fingers are closed; None: open.
            standing: Whether it has to be clear of what the object stands on instead, upright in its own frame.
        """
        if not len(X_OH):
            return np.zeros(0, dtype=bool)
        X_WO = self._standing if standing else self._aloft
        self._checker.set_bodies([] if standing else [Body(self._model, X_WO)])
        contacts = self._checker.hand_contacts(self._name, X_WO @ X_OH, self.posture(width))
        return np.array([contact is None for contact in contacts], dtype=bool)

    def approaches(self, X_OH: Array, distance: float) -> NDArray[np.bool_]:
        """(m,) Whether the open hand is clear at poses (m, 4, 4), and all along the approach [m] towards them."""
        free = np.ones(len(X_OH), dtype=bool)
        for back in np.linspace(0.0, distance, 1 + int(np.ceil(distance / STEP))):
            rows = np.flatnonzero(free)
            moved = X_OH[rows].copy()
            moved[:, :3, 3] -= back * moved[:, :3, 2]
            free[rows] = self.fits(moved)
        return free

    def palm(self) -> float:
        """[m] How far behind the origin of the grasp frame the hand's own surface is, along z."""
        at, probe = 0.0, coal.Sphere(PROBE)
        bodies = self._bodies(None)
        while at < FAR:
            X = coal.Transform3s(np.eye(3), np.array([0.0, 0.0, -at]))
            gap = min(_distance(geometry, X_HB, probe, X)[0] for _, geometry, X_HB in bodies)
            if gap < 1e-4:
                return at + PROBE
            at += gap
        return 0.0

    def contacts(self, X_OH: Array, width: float) -> tuple[Array, Array]:
        """Points (k, 3) [m] at which fingers that may touch meet the object, and the inward normals (k, 3) there.

        Args:
            X_OH: (4, 4) Pose of the grasp frame in the object's frame.
            width: [m] To which the fingers close.
        """
        points, normals = [], []
        for link, geometry, X_HB in self._bodies(width + 2 * OFF):
            if link not in self.hand.touch or link == self.hand.frame:  # a palm does not press
                continue
            X_OB = X_OH @ np.vstack([np.c_[X_HB.getRotation(), X_HB.getTranslation()], [0, 0, 0, 1]])
            place = coal.Transform3s(X_OB[:3, :3], X_OB[:3, 3])
            for part in parts(self._model):
                there = coal.Transform3s(part.X_OS.rotation, part.X_OS.translation)
                gap, here, on = _distance(geometry, place, part.geometry, there)
                if 1e-5 < gap < NEAR:
                    points.append(on)
                    normals.append((on - here) / np.linalg.norm(on - here))
        return np.array(points).reshape(-1, 3), np.array(normals).reshape(-1, 3)

    def _bodies(self, width: float | None) -> list[tuple[str, Any, coal.Transform3s]]:
        """Link, geometry and pose in the grasp frame of the bodies of the hand, open for None or closed to a width."""
        robot, q = self._robot, self.posture(width)
        data = robot.data
        X_HW = inverse(hand_pose(robot, self._name, q))
        found = []
        for body in bodies_of_hand(robot, self._name):
            X_WB = (data.oMi[body.parentJoint] * body.placement).homogeneous
            X_HB = X_HW @ X_WB
            link = robot.model.frames[body.parentFrame].name
            found.append((link, body.geometry, coal.Transform3s(X_HB[:3, :3], X_HB[:3, 3])))
        return found


def bodies_of_hand(robot: Robot, hand: str) -> list[pin.GeometryObject]:
    """The collision bodies that the last joint of the arm carries."""
    frame = robot.model.frames[robot.model.getFrameId(robot.hands[hand].frame)]
    carried = set(robot.model.subtrees[frame.parentJoint].tolist())
    return [body for body in robot.collision.geometryObjects if body.parentJoint in carried]


def _distance(first: Any, X_first: Any, second: Any, X_second: Any) -> tuple[float, Array, Array]:
    """[m] Distance of two bodies, and the nearest point (3,) of each."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    gap = float(coal.distance(first, X_first, second, X_second, request, result))
    return gap, np.array(result.getNearestPoint1()), np.array(result.getNearestPoint2())


def _radius(geometry: Any) -> float:
    """[m] Of a ball about its origin that holds a body."""
    geometry.computeLocalAABB()
    return float(np.linalg.norm(geometry.aabb_center) + geometry.aabb_radius)
