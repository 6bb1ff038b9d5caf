"""Random models and problems that the tests of the kernels share."""

from __future__ import annotations

import functools

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.serial import fold, forward
from taskmatrix.robots import Robot, load_robot
from taskmatrix.skills.kinematics.kinematics import chain_to

TIP = "tip"
STROKE = 0.3  # [m]


def random_model(random: np.random.Generator, length: int) -> pin.Model:
    """A chain of joints of all kinds with a frame at its end, and a branch that has nothing to do with it."""
    model, parent = pin.Model(), 0
    kinds = [
        pin.JointModelRX,
        pin.JointModelRY,
        pin.JointModelRZ,
        pin.JointModelRUBX,
        pin.JointModelRUBZ,
        pin.JointModelPY,
    ]
    for index in range(length):
        axis = random.normal(size=3)
        axis /= np.linalg.norm(axis)
        unaligned = [pin.JointModelRevoluteUnaligned(axis), pin.JointModelPrismaticUnaligned(axis)]
        choices = [kind() for kind in kinds] + [pin.JointModelPY(), *unaligned]
        joint = choices[random.integers(len(choices))]
        parent = model.addJoint(parent, joint, random_placement(random), f"joint_{index}")
        if index == length // 2:
            model.addJoint(parent, pin.JointModelRX(), random_placement(random), "branch")
    model.addFrame(pin.Frame(TIP, parent, 0, random_placement(random), pin.FrameType.OP_FRAME))
    lower, upper = np.full(model.nq, -1.01), np.full(model.nq, 1.01)
    for joint in list(model.joints)[1:]:
        if joint.nq == 1:
            wide = STROKE if "P" in joint.shortname().removeprefix("JointModel")[:1] else random.uniform(0.5, 3.0)
            lower[joint.idx_q], upper[joint.idx_q] = -wide * random.uniform(0.2, 1.0), wide
    model.lowerPositionLimit, model.upperPositionLimit = lower, upper
    return model


def random_placement(random: np.random.Generator) -> pin.SE3:
    return pin.SE3(pin.Quaternion(random.normal(size=4)).normalized().toRotationMatrix(), random.uniform(-0.3, 0.3, 3))


def configuration_of(model: pin.Model, angles: Array) -> Array:
    """Pinocchio's configuration (nq,) for one number per degree of freedom (nv,)."""
    q: Array = pin.neutral(model)
    for joint in list(model.joints)[1:]:
        value = angles[joint.idx_v]
        q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else [np.cos(value), np.sin(value)]
    return q


def pose_of(model: pin.Model, angles: Array, frame: str = TIP) -> Array:
    """(4, 4) pose of a frame at one number per degree of freedom (nv,), by Pinocchio."""
    data = model.createData()
    pin.framesForwardKinematics(model, data, configuration_of(model, angles))
    X: Array = data.oMf[model.getFrameId(frame)].homogeneous
    return X


def pose_by(chain: Chain, q: Array) -> Array:
    """(4, 4) pose of a chain's frame at q (n,), by the kernel."""
    folded = fold(chain.joints, q)
    T = np.empty(12)
    forward(folded, q[chain.indices], np.empty((folded.size, 6)), T)
    X = np.eye(4)
    X[:3] = T.reshape(3, 4)
    return X


@functools.cache
def robot_of(name: str) -> Robot:
    return load_robot(name)


@functools.cache
def chain_of(name: str, *chains: str, hand: str = "left") -> Chain:
    """From the world to the grasp frame of a hand of a robot."""
    robot = robot_of(name)
    grasp = robot.hands[hand]
    return chain_to(robot, grasp.frame, robot.indices(*chains), X_FT=grasp.X_LH)


def reachable(name: str, chain: Chain, random: np.random.Generator, at_limits: float = 0.0) -> tuple[Array, Array]:
    """(n,) A random configuration of a robot, with a share of the joints on their limits, and (4, 4) the hand there."""
    robot = robot_of(name)
    q, joints = robot.posture(robot.stance), chain.indices
    inside = random.uniform(chain.lower, chain.upper)
    at_end = np.where(random.uniform(size=len(joints)) < 0.5, chain.lower, chain.upper)
    q[joints] = np.where(random.uniform(size=len(joints)) < at_limits, at_end, inside)
    return q, pose_on(name, q)


def pose_on(name: str, q: Array, hand: str = "left") -> Array:
    """(4, 4) pose of a grasp frame at q (n,), by Pinocchio."""
    robot = robot_of(name)
    grasp = robot.hands[hand]
    X: Array = pose_of(robot.model, robot.expand(q), grasp.frame) @ grasp.X_LH
    return X


def free_of(chain: Chain) -> Indices:
    """The coordinates that a chain does not move."""
    return np.setdiff1d(np.arange(chain.n), chain.indices)
