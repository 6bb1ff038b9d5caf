"""Messages as bytes: written down here from the CDR specification, not made by what reads them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from taskmatrix.core import MissingDependencyError, NotFoundError
from taskmatrix.ros2 import Ros2Error
from taskmatrix.ros2.messages import BOOL, JOINT_STATE, POSITIONS, TRAJECTORY, TWIST, Messages

pytest.importorskip("rosbags")

JOINTS = bytes.fromhex(
    "00010000"  # little-endian CDR
    "e8030000"  # stamp: 1000 s
    "0065cd1d"  # and 500000000 ns
    "01000000" "00" "000000"  # frame: empty, which has its zero byte; three bytes until the next multiple of four
    "02000000"  # two names
    "06000000" "656c626f7700" "0000"  # 'elbow'
    "06000000" "777269737400" "0000"  # 'wrist'
    "02000000"  # two positions
    "000000000000f83f"  # 1.5
    "000000000000e0bf"  # -0.5
    "00000000"  # no velocities
    "00000000"  # no efforts
)  # fmt: skip
BACKWARDS = bytes.fromhex(  # the same with one joint, big-endian
    "00000000" "000003e8" "1dcd6500" "00000001" "00" "000000" "00000001" "00000006" "656c626f7700" "0000"
    "00000001" "00000000" "3ff8000000000000" "00000000" "00000000"
)  # fmt: skip
PRESSED = bytes.fromhex("0001000001")
DRIVING = bytes.fromhex("00010000000000000000e03f" + "00" * 32 + "000000000000d03f")
"""0.5 m/s forward, 0.25 rad/s to the left."""
PLACES = bytes.fromhex("0001000000000000000000000200000000000000000000000000f03f0000000000000040")
"""A layout without dimensions and offset; 1.0 and 2.0."""


@pytest.fixture(scope="module")
def messages() -> Messages:
    return Messages("jazzy")


def test_joint_states_are_read_from_recorded_bytes(messages: Messages) -> None:
    message = messages.decode(JOINTS, JOINT_STATE, "/joint_states")
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (1000, 500_000_000)
    assert message.name == ["elbow", "wrist"]
    np.testing.assert_array_equal(message.position, [1.5, -0.5])
    assert len(message.velocity) == 0


def test_either_byte_order_is_read(messages: Messages) -> None:
    message = messages.decode(BACKWARDS, JOINT_STATE, "/joint_states")
    assert (message.header.stamp.sec, message.name, message.position.tolist()) == (1000, ["elbow"], [1.5])


def test_commands_are_the_bytes_of_the_specification(messages: Messages) -> None:
    linear = messages.make("geometry_msgs/msg/Vector3", x=0.5)
    angular = messages.make("geometry_msgs/msg/Vector3", z=0.25)
    assert messages.encode(messages.make(TWIST, linear=linear, angular=angular)) == DRIVING
    assert messages.encode(messages.make(BOOL, data=True)) == PRESSED
    assert messages.encode(messages.make(POSITIONS, data=np.array([1.0, 2.0]))) == PLACES


@pytest.mark.parametrize(
    ("type", "hash"),
    [
        ("std_msgs/msg/String", "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"),
        (JOINT_STATE, "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"),
        (TWIST, "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a"),
    ],
)
def test_hashes_are_those_that_ros_2_tells(messages: Messages, type: str, hash: str) -> None:
    """The first stands in ``rmw_zenoh``'s documentation; the others were told by ``ros2 topic info --verbose``."""
    assert messages.hash(type) == f"RIHS01_{hash}"


def test_the_oldest_distribution_has_no_hashes() -> None:
    assert Messages("humble").hash(JOINT_STATE) == "TypeHashNotSupported"


@pytest.mark.parametrize("data", [b"", JOINTS[:30], JOINTS[:60], b"\0\1\0\0" + b"\xff" * 40, b"\7\7\0\0" + JOINTS[4:]])
def test_bytes_that_are_no_such_message_are_told(messages: Messages, data: bytes) -> None:
    with pytest.raises(Ros2Error, match=r"what came on '/arm' is no sensor_msgs/msg/JointState: .* bytes"):
        messages.decode(data, JOINT_STATE, "/arm")


def test_what_is_not_given_is_zero_or_empty(messages: Messages) -> None:
    message = messages.decode(messages.encode(messages.make(TRAJECTORY)), TRAJECTORY, "")
    assert (message.joint_names, message.points, message.header.frame_id) == ([], [], "")


def test_a_distribution_that_does_not_exist_is_told() -> None:
    with pytest.raises(NotFoundError, match="did you mean 'jazzy'"):
        Messages("jazy")


def test_without_rosbags_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rosbags", None)
    with pytest.raises(MissingDependencyError, match=r'pip install -e "\.\[ros2\]"'):
        Messages("jazzy")
