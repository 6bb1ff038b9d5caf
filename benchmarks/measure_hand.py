"""Measure how far apart a hand's pads are: ``python benchmarks/measure_hand.py ROBOT HAND``.

Prints rows for the adapter's ``table``: between ``closed`` and ``open``, the widest bar (20 mm square across the other
two directions) that fits into the hand with its centre at the grasp frame.
"""

from __future__ import annotations

import sys

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.robots import Hand, Robot, load_robot

BAR = 0.02  # [m]


def touches(robot: Robot, hand: Hand, q: np.ndarray, shape: object, X_HS: np.ndarray) -> list[str]:
    """Links of the hand that a shape touches, placed at ``X_HS`` (4, 4) in the grasp frame."""
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.expand(q))
    X_WL = data.oMf[robot.model.getFrameId(hand.frame)].homogeneous
    X = X_WL @ hand.X_LH @ X_HS
    found = []
    for body in robot.collision.geometryObjects:
        link = robot.model.frames[body.parentFrame].name
        if link in hand.touch:
            X_WB = data.oMi[body.parentJoint] * body.placement
            request, result = coal.CollisionRequest(), coal.CollisionResult()
            poses = (coal.Transform3s(X_WB.rotation, X_WB.translation), coal.Transform3s(X[:3, :3], X[:3, 3]))
            coal.collide(body.geometry, poses[0], shape, poses[1], request, result)
            if result.isCollision():
                found.append(link)
    return found


def width(robot: Robot, hand: Hand, fingers: dict[str, float]) -> float:
    """[m] The widest bar that fits."""
    q = robot.posture(robot.stance)
    for joint, position in fingers.items():
        q[robot.joints.index(joint)] = position
    low, high = 0.0, 0.2
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        if touches(robot, hand, q, coal.Box(BAR, middle, BAR), np.eye(4)):
            high = middle
        else:
            low = middle
    return low


def main(name: str, side: str) -> None:
    """Print the rows."""
    robot = load_robot(name)
    hand = robot.hands[side]
    for t in np.linspace(0.0, 1.0, 10):
        fingers = {j: round((1 - t) * hand.closed[j] + t * hand.open[j], 3) for j in hand.open}
        joints = ", ".join(f"{joint} = {position}" for joint, position in fingers.items())
        print(f"    {{ width = {width(robot, hand, fingers):.4f}, joints = {{ {joints} }} }},")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
