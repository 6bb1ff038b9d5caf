"""Names of topics, joints and frames: what is wrong with them is told before anything is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.core import NotFoundError, ParameterError
from taskmatrix.ros2 import Base, Controller, Ros2Names

JOINTS = ("elbow", "wrist", "thumb")
ARM = Controller("/arm/commands", "positions", ("elbow", "wrist"))


def test_names_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text(
        """
        router = "tcp/10.0.0.7:7447"
        domain = 3
        joint_states = ["/left/joint_states", "/right/joint_states"]
        stop_pressed = "/button"

        [base]
        odometry = "/wheels/odom"
        stamped = true
        frame = "world"

        [[controllers]]
        topic = "/arm/commands"
        kind = "positions"
        joints = ["elbow", "wrist"]

        [joints]
        elbow = "ELBOW_JOINT"

        [fixed]
        thumb = 0.5
        """
    )
    names = Ros2Names.read(path)
    assert names == Ros2Names(
        controllers=(ARM,),
        base=Base("/wheels/odom", stamped=True, frame="world"),
        joint_states=("/left/joint_states", "/right/joint_states"),
        joints={"elbow": "ELBOW_JOINT"},
        fixed={"thumb": 0.5},
        stop_pressed="/button",
        router="tcp/10.0.0.7:7447",
        domain=3,
    )
    assert (names.theirs("elbow"), names.theirs("wrist")) == ("ELBOW_JOINT", "wrist")


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text("")
    assert Ros2Names.read(path) == Ros2Names()


def test_a_robot_may_have_no_base(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text("base = false")
    assert Ros2Names.read(path).base is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("joint_state = []", "joint_state: no key 'joint_state'; did you mean 'joint_states'"),
        ("[base]\nodom = '/odom'", r"base.odom: no key 'odom'"),
        ("[[controllers]]\ntopic = '/a'\nkind = 'effort'", "no kind of controller 'effort'"),
        ("[[controllers]]\nkind = 'positions'", "topic: missing"),
        ("joint_states = ['joint_states']", "robot.toml: 'joint_states' is no full name of a topic"),
        ("domain = 'a'", "domain: expected a whole number"),
        ("stop_pressed = '/odom'", "topic '/odom' is named 2 times"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "robot.toml"
    path.write_text(text)
    with pytest.raises(ParameterError, match=said):
        Ros2Names.read(path)


def test_a_controller_without_joints_has_all_that_are_left() -> None:
    names = Ros2Names(controllers=(ARM, Controller("/hand")), fixed={})
    assert [joints for _, joints in names.driven(JOINTS).values()] == [("elbow", "wrist"), ("thumb",)]


@pytest.mark.parametrize(
    ("names", "error", "said"),
    [
        (Ros2Names((ARM,)), ParameterError, "nobody would drive thumb: name"),
        (Ros2Names((Controller("/a"), Controller("/b"))), ParameterError, "'/a' and '/b' would drive elbow"),
        (Ros2Names((ARM, Controller("/b", joints=("wrist",)))), ParameterError, "joint 'wrist' is driven by"),
        (Ros2Names((ARM,), fixed={"elbow": 0.0}), ParameterError, "'elbow' is driven by '/arm/commands' and"),
        (Ros2Names(fixed={"tumb": 0.0}), NotFoundError, "no joint 'tumb' in the robot, for 'fixed'.*mean 'thumb'"),
        (Ros2Names(joints={"elbo": "e"}), NotFoundError, "no joint 'elbo' in the robot, for 'joints'"),
        (Ros2Names((Controller("/a", joints=("wris",)),)), NotFoundError, "for the controller '/a'.*'wrist'"),
    ],
)
def test_what_does_not_fit_the_robot_is_told(names: Ros2Names, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        names.driven(JOINTS)
