from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.skills.kinematics.kinematics import chain_to

from .setting import TIP, chain_of, pose_by, pose_of, pose_on, random_model, random_placement, reachable, robot_of

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, length=st.integers(0, 9))
def test_poses_are_those_of_pinocchio(seed: int, length: int) -> None:
    """Any joints of any kind, any of them moving, the others anywhere, and a tool at the end."""
    random = np.random.default_rng(seed)
    model, X_FT = random_model(random, length), random_placement(random).homogeneous
    moving = np.flatnonzero(random.uniform(size=model.nv) < random.uniform())
    chain = Chain.from_model(model, TIP, moving, X_FT=X_FT)
    for _ in range(3):
        q = random.uniform(-7.0, 7.0, model.nv)
        np.testing.assert_allclose(pose_by(chain, q), pose_of(model, q) @ X_FT, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, length=st.integers(1, 9), n=st.integers(1, 4))
def test_a_coordinate_may_drive_several_joints(seed: int, length: int, n: int) -> None:
    """Every joint follows one of a few coordinates, with a ratio and an offset."""
    random = np.random.default_rng(seed)
    model = random_model(random, length)
    S, c = np.zeros((model.nv, n)), random.normal(size=model.nv)
    S[np.arange(model.nv), random.integers(n, size=model.nv)] = random.uniform(-2.0, 2.0, model.nv)
    limits = np.full(n, -2.0), np.full(n, 2.0)
    moving = np.flatnonzero(random.uniform(size=n) < 0.5)
    chain = Chain.from_model(model, TIP, moving, S=S, c=c, limits=limits)
    q = random.uniform(-2.0, 2.0, n)
    np.testing.assert_allclose(pose_by(chain, q), pose_of(model, S @ q + c), atol=1e-12)


@pytest.mark.parametrize("name", ["mannequin", "talos"])
def test_a_chain_of_a_robot_reaches_its_hand(name: str) -> None:
    """With the base, the torso and the arm, and the limits of the adapter."""
    robot, random = robot_of(name), np.random.default_rng(0)
    chain = chain_of(name, "base", "torso", "left_arm")
    assert set(chain.indices) == set(robot.indices("base", "torso", "left_arm"))
    np.testing.assert_array_equal(chain.lower, robot.lower[chain.indices])
    for _ in range(5):
        q, X_WT = reachable(name, chain, random)
        np.testing.assert_allclose(pose_by(chain, q), X_WT, atol=1e-12)
        np.testing.assert_allclose(X_WT, pose_on(name, q), atol=1e-12)


def test_fingers_that_follow_another_move_with_it() -> None:
    """A finger tip of TALOS is moved by the one coordinate of the gripper."""
    robot = robot_of("talos")
    frame, (driver, *_) = "gripper_left_fingertip_2_link", robot.indices("left_hand")
    chain = chain_to(robot, frame, [driver])
    assert list(chain.indices) == [driver]
    q = robot.posture(robot.stance)
    for value in (robot.lower[driver], robot.upper[driver]):
        q[driver] = value
        np.testing.assert_allclose(pose_by(chain, q), pose_of(robot.model, robot.expand(q), frame), atol=1e-12)


def test_joints_that_do_not_move_the_frame_are_left_out() -> None:
    """The head has nothing to do with a hand."""
    robot = robot_of("talos")
    joints = robot.indices("head", "left_arm")
    assert set(chain_to(robot, robot.hands["left"].frame, joints).indices) == set(robot.indices("left_arm"))


def test_an_unbounded_joint_is_an_angle_without_limits() -> None:
    """Though Pinocchio keeps its cosine and sine."""
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelRUBZ(), pin.SE3.Identity(), "wheel")
    model.addFrame(pin.Frame(TIP, joint, 0, pin.SE3.Identity(), pin.FrameType.OP_FRAME))
    chain = Chain.from_model(model, TIP, [0])
    assert chain.n == 1
    assert (chain.lower[0], chain.upper[0]) == (-np.inf, np.inf)
    assert chain.joints.turns[0]


def test_a_frame_that_does_not_exist() -> None:
    """The nearest name is told."""
    robot = robot_of("mannequin")
    with pytest.raises(NotFoundError, match="left_hand_lnk"):
        chain_to(robot, "left_hand_lnk", [0])


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("no coordinate 99", {"joints": [99]}),
        ("no coordinate -1", {"joints": [-1]}),
        ("must not be above", {"limits": (np.full(4, 1.0), np.full(4, -1.0))}),
        ("must not be above", {"limits": (np.full(4, np.nan), np.full(4, 1.0))}),
        ("no position", {"limits": (np.full(4, np.inf), np.full(4, np.inf))}),
        ("limits must have the shape", {"limits": (np.zeros(3), np.zeros(4))}),
        ("S must have the shape", {"S": np.eye(3), "limits": (np.zeros(3), np.zeros(3))}),
        ("given together with S", {"S": np.eye(4)}),
        ("must follow one coordinate", {"S": np.ones((4, 4)), "limits": (np.zeros(4), np.ones(4))}),
        ("c must consist of finite", {"c": np.array([0.0, np.nan, 0.0, 0.0])}),
        ("costs must be positive", {"costs": np.array([1.0, 0.0, 1.0, 1.0])}),
        ("X_FT must have the shape", {"X_FT": np.eye(3)}),
    ],
)
def test_what_is_wrong_is_said(message: str, arguments: dict[str, object]) -> None:
    """Before anything is solved."""
    model = random_model(np.random.default_rng(0), 3)
    assert model.nv == 4
    joints = arguments.pop("joints", [0, 1, 2])
    with pytest.raises(ParameterError, match=message):
        Chain.from_model(model, TIP, joints, **arguments)  # type: ignore[arg-type]


def test_a_joint_of_several_degrees_of_freedom_is_refused() -> None:
    """A ball joint on the way is named."""
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelSpherical(), pin.SE3.Identity(), "shoulder")
    model.addFrame(pin.Frame(TIP, joint, 0, pin.SE3.Identity(), pin.FrameType.OP_FRAME))
    with pytest.raises(ParameterError, match="'shoulder' must have one degree of freedom, not 3"):
        Chain.from_model(model, TIP, [0])


def test_limits_can_be_narrowed() -> None:
    """Where the new ones are wider the old ones hold; the chain itself stays as it was."""
    robot = robot_of("talos")
    chain = chain_of("talos", "left_arm")
    middle = (robot.lower + robot.upper) / 2.0
    half = chain.narrowed(middle, np.full(robot.n, 100.0))
    np.testing.assert_array_equal(half.lower, middle[chain.indices])
    np.testing.assert_array_equal(half.upper, chain.upper)
    np.testing.assert_array_equal(chain.lower, robot.lower[chain.indices])
    with pytest.raises(ParameterError, match=r"lower limit .* of coordinate .* must not be above the upper"):
        chain.narrowed(robot.upper + 1.0, robot.upper + 2.0)


def test_who_is_on_a_limit_is_told_and_on_which() -> None:
    """To a millionth; others are not."""
    chain, q = chain_of("talos", "left_arm"), np.zeros(robot_of("talos").n)
    q[chain.indices] = (chain.lower + chain.upper) / 2.0
    assert chain.at_limits(q) == {}
    first, second, third = chain.indices[:3].tolist()
    q[first], q[second], q[third] = chain.lower[0], chain.upper[1] - 1e-7, chain.upper[2] - 1e-3
    assert chain.at_limits(q) == {first: "lower", second: "upper"}
