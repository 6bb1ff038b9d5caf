"""Joints and base put together from messages that tell of some of them each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix.core import SimulatedClock
from taskmatrix.ros2 import Base, Ros2Error, Ros2Names
from taskmatrix.ros2.messages import JOINT_STATE, ODOMETRY, Messages
from taskmatrix.ros2.node import Received
from taskmatrix.ros2.readings import Readings
from taskmatrix.ros2.wire import Attachment

pytest.importorskip("rosbags")
JOINTS = ("base_x", "base_y", "base_yaw", "elbow", "wrist", "thumb")
NAMES = Ros2Names(joints={"elbow": "ELBOW"}, fixed={"thumb": 0.5})


class Wire:
    """What has come, and is taken at once."""

    def __init__(self, names: Ros2Names = NAMES) -> None:
        self.messages, self.clock, self.readings = Messages("jazzy"), SimulatedClock(), Readings(JOINTS, names)
        self._came: list[Received] = []
        self._numbers: dict[str, int] = {}

    def take(self) -> Received | None:
        return self._came.pop(0) if self._came else None

    def joints(self, stamp: float, by: str = "a", velocity: Any = (), **q: float) -> None:
        """A message at ``stamp`` [s], which takes no time."""
        header = self.messages.header(stamp)
        position = np.array(list(q.values()))
        message = self.messages.make(
            JOINT_STATE, header=header, name=list(q), position=position, velocity=np.array(velocity, dtype=float)
        )
        self._send("/joint_states", by, stamp, message)

    def odometry(self, stamp: float, yaw: float = 0.0, frame: str = "odom", turn: Any = None, **twist: float) -> None:
        turn = turn or (0.0, 0.0, float(np.sin(yaw / 2)), float(np.cos(yaw / 2)))
        make, geometry = self.messages.make, "geometry_msgs/msg/"
        pose = make(
            f"{geometry}Pose",
            position=make(f"{geometry}Point", x=1.0, y=2.0),
            orientation=make(f"{geometry}Quaternion", **dict(zip("xyzw", turn, strict=True))),
        )
        linear = make(f"{geometry}Vector3", **twist)
        speed = make(f"{geometry}Twist", linear=linear, angular=make(f"{geometry}Vector3", z=0.3))
        message = make(
            ODOMETRY,
            header=self.messages.header(stamp, frame),
            child_frame_id="base_link",
            pose=make(f"{geometry}PoseWithCovariance", pose=pose),
            twist=make(f"{geometry}TwistWithCovariance", twist=speed),
        )
        self._send("/odom", "o", stamp, message)

    def _send(self, topic: str, by: str, stamp: float, message: Any) -> None:
        self._numbers[by] = self._numbers.get(by, 0) + 1
        attachment = Attachment(self._numbers[by], int(stamp * 1e9), by.encode())
        self.clock.sleep_until(stamp)
        self._came.append(Received(topic, message, attachment))
        self.readings.listen([self], self.clock)


@pytest.fixture
def wire() -> Wire:
    return Wire()


def test_each_message_may_tell_of_some_joints(wire: Wire) -> None:
    """In any order, by the names of the robot; who is not known is passed over."""
    assert wire.readings.missing() == [0, 1, 2, 3, 4]
    wire.joints(1.0, wrist=0.2, stranger=9.0)
    assert wire.readings.missing() == [0, 1, 2, 3]
    wire.joints(1.001, by="b", ELBOW=0.1)
    wire.odometry(1.002)
    assert wire.readings.missing() == []
    np.testing.assert_array_equal(wire.readings.state().q, [1.0, 2.0, 0.0, 0.1, 0.2, 0.5])
    assert wire.readings.strangers == {"stranger"}


def test_the_base_is_told_in_the_world_and_its_speed_turned_into_it(wire: Wire) -> None:
    wire.odometry(1.0, yaw=np.pi / 2, x=0.5, y=0.1)
    np.testing.assert_allclose(wire.readings.state().v[:3], [-0.1, 0.5, 0.3], atol=1e-12)


def test_the_heading_goes_on_where_its_angle_begins_again(wire: Wire) -> None:
    for k in range(1, 30):
        wire.odometry(0.1 * k, yaw=0.3 * k)
    assert wire.readings.state().q[2] == pytest.approx(0.3 * 29)


def test_velocities_that_are_not_told_are_those_of_the_positions(wire: Wire) -> None:
    """Nor if they are told as no numbers, as drivers do that have none."""
    wire.joints(1.0, ELBOW=0.0, wrist=1.0)
    wire.joints(1.1, ELBOW=0.05, wrist=1.0)
    np.testing.assert_allclose(wire.readings.state().v[3:5], [0.5, 0.0])
    wire.joints(1.2, velocity=(np.nan, 2.0), ELBOW=0.15, wrist=1.0)
    np.testing.assert_allclose(wire.readings.state().v[3:5], [1.0, 2.0])


def test_a_position_that_is_no_number_is_handed_on(wire: Wire) -> None:
    """Who watches the plant names the joint."""
    wire.joints(1.0, ELBOW=float("nan"), wrist=1.0)
    assert np.isnan(wire.readings.state().q[3])


def test_the_newest_of_two_publishers_counts(wire: Wire) -> None:
    wire.joints(1.0, by="a", wrist=0.1)
    wire.joints(1.2, by="b", wrist=0.2)
    wire.joints(1.1, by="a", wrist=0.3)
    assert wire.readings.state().q[4] == 0.2


def test_time_is_that_of_who_is_behind(wire: Wire) -> None:
    wire.joints(1.0, ELBOW=0.0, wrist=0.0)
    wire.odometry(1.0)
    wire.joints(1.2, ELBOW=0.0, wrist=0.0)
    wire.odometry(1.05)
    assert wire.readings.state().time == pytest.approx(0.05)


def test_who_told_of_a_joint_may_not_fall_silent(wire: Wire) -> None:
    """But another may take its place: a driver that was started again."""
    wire.joints(1.0, by="a", ELBOW=0.0, wrist=0.0)
    wire.joints(1.2, by="b", wrist=0.0)
    wire.clock.sleep_until(1.3)
    with pytest.raises(Ros2Error, match="'/joint_states' is silent"):
        wire.readings.check(1.3)
    wire.joints(1.3, by="b", ELBOW=0.0, wrist=0.0)
    wire.readings.check(1.3)


def test_stamps_that_are_not_set_are_when_it_was_sent(wire: Wire) -> None:
    wire.joints(1.0, wrist=0.0)
    header = wire.messages.header(0.0)
    message = wire.messages.make(JOINT_STATE, header=header, name=["wrist"], position=np.array([0.4]))
    wire._send("/joint_states", "a", 1.1, message)
    assert wire.readings.state().q[4] == 0.4


def test_what_cannot_be_is_told(wire: Wire) -> None:
    with pytest.raises(Ros2Error, match="has 2 names and 1 velocities"):
        wire.joints(1.0, velocity=(1.0,), ELBOW=0.0, wrist=0.0)
    with pytest.raises(Ros2Error, match="tells the place of the base in 'map', and not in 'odom'"):
        wire.odometry(1.0, frame="map")
    with pytest.raises(Ros2Error, match="no unit quaternion"):
        wire.odometry(1.1, turn=(0.0, 0.0, 0.0, 0.0))
    other = Wire(Ros2Names(base=Base(child_frame="torso"), fixed={"thumb": 0.0}))
    with pytest.raises(Ros2Error, match="tells the frame of the base in 'base_link', and not in 'torso'"):
        other.odometry(1.0)


def test_a_robot_without_a_base_stands_at_the_origin() -> None:
    wire = Wire(Ros2Names(base=None, fixed={"thumb": 0.0}))
    assert wire.readings.missing() == [3, 4]
    np.testing.assert_array_equal(wire.readings.state().q[:3], np.zeros(3))


def test_nothing_is_lost_that_nobody_listened_to(wire: Wire) -> None:
    wire.joints(1.0, wrist=0.0)
    wire._numbers["a"] += 1000
    wire.joints(4.0, wrist=0.0)
    assert wire.readings.lost == 0
    wire._numbers["a"] += 3
    wire.joints(4.1, wrist=0.0)
    assert wire.readings.lost == 3
