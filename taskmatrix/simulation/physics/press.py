"""With how much torque each joint of a hand presses, so that what it holds is pushed from both sides alike."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Hand, Robot
from taskmatrix.robots.capabilities import GRAVITY

EVEN = 2.0  # ratio of the forces of two sides that is left as it is
UNEVEN = 0.1  # [-] what it counts that fingers do not share a force evenly, beside that they press on the thumb
LEAST = 0.1  # [-] of an even share, with which each finger presses
FLAT = 1e-4  # [m/rad] a pad that moves less does not press
SURE = 2.0  # of the force that is just enough: what is held is not at rest, and pads do not press alike
LEVER = 0.014  # [m] with which the friction of a pad keeps what is held from turning: half the width of a handle


def needed(mass: float, distance: float, friction: float) -> float:
    """[N] With which each of two pads has to press so that friction holds a load however it is turned.

    People press as hard as the load needs, too (Johansson and Westling, Exp. Brain Res. 56, 1984).

    Args:
        mass: [kg] Of the load.
        distance: [m] From its centre of mass to the hand, about which its weight turns it.
        friction: [-] Coulomb's coefficient of the pads.
    """
    return SURE * mass * GRAVITY * (1.0 + distance / LEVER) / (2.0 * max(friction, 1e-3))


def pressing(hand: Hand, robot: Robot, joints: Indices, force: float) -> Array:
    """(k,) [N m] or [N] Of each joint of the fingers, for a force [N] between the pads.

    By virtual work along the hand's table; but where the sides would press unequally, as four fingers do on one thumb,
    each side with that force, and the fingers so that together they press against the thumb, not beside it: the weaker
    side would give way, and what is held would turn in the hand.

    Args:
        hand: The hand.
        robot: The robot.
        joints: (k,) Active coordinates of its fingers.
        force: [N] With which to press.
    """
    torques = force * _per_newton(hand, robot, joints)
    moves, across = _pads(hand, robot, joints)
    closes = moves.sum(axis=1)
    sides = [np.flatnonzero(closes > FLAT), np.flatnonzero(closes < -FLAT)]
    owners = np.count_nonzero(moves, axis=0)
    if not all(len(side) for side in sides) or (owners > 1).any():
        return torques
    pushes = np.array([abs(row @ torques) / (row @ row) for row in moves])
    ours, theirs = (float(pushes[side].sum()) for side in sides)
    if max(ours, theirs) <= EVEN * min(ours, theirs):
        return torques
    for side, others in (sides, sides[::-1]):
        wanted = np.full(len(side), force / len(side))
        if len(others) == 1:
            wanted = _against(across[side] - across[others[0]], force)
        for finger, push in zip(side.tolist(), wanted.tolist(), strict=True):
            torques[moves[finger] != 0.0] *= push / pushes[finger]
    return torques


def _against(beside: Array, force: float) -> Array:
    """(f,) [N] Of pads ``beside`` (f,) [m] the one opposite, as even as can be and ``force`` [N] in all."""
    count = len(beside)
    scale = max(float(np.abs(beside).max()), 1e-6)
    A = np.vstack([np.ones(count), beside / scale, UNEVEN * np.eye(count)])
    b = np.concatenate([[force, 0.0], np.full(count, UNEVEN * force / count)])
    found: Array = scipy.optimize.nnls(A, b)[0]
    return np.maximum(found, LEAST * force / count)


def _pads(hand: Hand, robot: Robot, joints: Indices) -> tuple[Array, Array]:
    """(f, k) [m/rad] or [] How the pad of each finger moves along the hand's y as joints close; (f,) [m] its x."""
    model, data = robot.model, robot.data
    names = [robot.joints[k] for k in joints]
    q = robot.posture(robot.stance)
    q[joints] = [hand.table[len(hand.table) // 2].joints.get(name, 0.0) for name in names]
    way = np.sign([hand.closed.get(name, 0.0) - hand.open.get(name, 0.0) for name in names])
    pin.computeJointJacobians(model, data, robot.expand(q))
    X_WH = pin.updateFramePlacement(model, data, model.getFrameId(hand.frame)).homogeneous @ hand.X_LH
    palm = model.frames[model.getFrameId(hand.frame)].parentJoint
    outermost: dict[int, tuple[int, Array]] = {}
    for body in robot.collision.geometryObjects:
        joint, first = body.parentJoint, _first(model, body.parentJoint, palm)
        if model.frames[body.parentFrame].name in hand.touch and first and joint >= outermost.get(first, (0, q))[0]:
            body.geometry.computeLocalAABB()
            outermost[first] = joint, data.oMi[joint].act(body.placement.act(np.asarray(body.geometry.aabb_center)))
    rows, across = [], []
    for joint, point in outermost.values():
        J = pin.getJointJacobian(model, data, joint, pin.LOCAL_WORLD_ALIGNED)
        turned = J[:3] - pin.skew(point - data.oMi[joint].translation) @ J[3:]
        rows.append((X_WH[:3, 1] @ turned @ robot.S)[joints] * way)
        across.append(float(X_WH[:3, 0] @ (point - X_WH[:3, 3])))
    return np.array(rows).reshape(-1, len(joints)), np.array(across)


def _first(model: pin.Model, joint: int, palm: int) -> int:
    """The joint of a finger that the palm carries, from one further out; 0 for one that the palm does not carry."""
    while joint and model.parents[joint] != palm:
        joint = model.parents[joint]
    return int(joint)


def _per_newton(hand: Hand, robot: Robot, joints: Indices) -> Array:
    """(k,) [m] or [] Torque or force of each joint for one newton between the pads, by virtual work along the table."""
    names = [robot.joints[k] for k in joints]
    widths = np.array([row.width for row in hand.table])
    positions = np.array([[row.joints.get(name, 0.0) for name in names] for row in hand.table])
    travel = np.abs(positions[-1] - positions[0])
    lever: Array = (widths[-1] - widths[0]) * travel / max(float(travel @ travel), 1e-9)
    return np.where(travel > 1e-6, lever, 0.0)
