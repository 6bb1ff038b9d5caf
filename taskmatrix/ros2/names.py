"""What topics, joints and frames of a robot are called in ROS 2: data, in Python or in a TOML file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from ..core.base.errors import NotFoundError, ParameterError, TaskMatrixError
from ..core.base.tables import Table, read_table

ControllerKind = Literal["trajectory", "positions"]
KINDS = get_args(ControllerKind)


@dataclass(frozen=True)
class Controller:
    """Who drives some joints."""

    topic: str
    """Where it takes commands."""
    kind: ControllerKind = "trajectory"
    """``trajectory``: a ``JointTrajectory`` of one point in each control step; ``positions``: a ``Float64MultiArray``
    with a position for each of its joints."""
    joints: tuple[str, ...] = ()
    """Names of its joints, as the library has them, in its order; all that no other controller has, unless given."""


@dataclass(frozen=True)
class Base:
    """How the base is sensed and driven."""

    odometry: str = "/odom"
    """Topic of its place and speed, as ``nav_msgs/msg/Odometry``."""
    twist: str = "/cmd_vel"
    """Topic of the speed that it is to drive with, in its own frame."""
    stamped: bool = False
    """Whether that is a ``TwistStamped`` instead of a ``Twist``."""
    frame: str = "odom"
    """Frame in which odometry tells its place; the library's world."""
    child_frame: str = ""
    """Frame of which odometry tells the place; any unless given."""


@dataclass(frozen=True)
class Ros2Names:
    """Names of what a robot publishes, and listens to.

    Raises:
        ParameterError: A name of a topic is none, or two are the same where they must not be.
    """

    controllers: tuple[Controller, ...] = (Controller("/joint_trajectory_controller/joint_trajectory"),)
    """Who drives the joints."""
    base: Base | None = field(default_factory=Base)
    """How the base is sensed and driven; None: it stands at the origin and is not commanded."""
    joint_states: tuple[str, ...] = ("/joint_states",)
    """Topics of ``sensor_msgs/msg/JointState``; each message may tell of some joints only."""
    joints: Mapping[str, str] = field(default_factory=dict)
    """What joints are called in ROS 2, by their names here; those that are missing have the same name."""
    fixed: Mapping[str, float] = field(default_factory=dict)
    """[rad, m] Positions of joints that this robot does not have, or that are not to be commanded."""
    stop_pressed: str = ""
    """Topic of ``std_msgs/msg/Bool`` that says whether the robot's emergency stop is pressed; none unless given."""
    stopped: str = ""
    """Topic of ``std_msgs/msg/Bool`` that tells the robot whether the program has stopped it; none unless given."""
    router: str = "tcp/127.0.0.1:7447"
    """Where the Zenoh router of the robot listens."""
    domain: int = 0
    """ROS domain."""
    distro: str = "jazzy"
    """Distribution of ROS 2 that the robot runs."""
    node: str = "taskmatrix"
    """Name under which the program is seen in ROS 2."""

    def __post_init__(self) -> None:
        topics = [*self.joint_states, *(each.topic for each in self.controllers)]
        topics += [self.base.odometry, self.base.twist] if self.base else []
        topics += [each for each in (self.stop_pressed, self.stopped) if each]
        for topic in topics:
            check_topic(topic)
        for topic, count in Counter(topics).items():
            if count > 1:
                raise ParameterError(f"topic '{topic}' is named {count} times; each has one use")

    @classmethod
    def read(cls, path: str | Path) -> Ros2Names:
        """Read them from a TOML file.

        Raises:
            ParameterError: The file is missing or malformed, or a name in it is; says where.
        """
        file = read_table(Path(path), ParameterError)
        texts = ("stop_pressed", "stopped", "router", "distro", "node")
        file.only("controllers", "base", "joint_states", "joints", "fixed", "domain", *texts)
        given: dict[str, object] = {name: file.get(name, str) for name in texts if name in file.data}
        if "domain" in file.data:
            given["domain"] = file.get("domain", int)
        if "joint_states" in file.data:
            given["joint_states"] = file.strings("joint_states")
        if "controllers" in file.data:
            given["controllers"] = tuple(map(_controller, file.tables("controllers")))
        if "base" in file.data:
            given["base"] = _base(file)
        joints = file.table("joints")
        given["joints"] = {name: joints.get(name, str) for name in joints.data}
        given["fixed"] = file.mapping("fixed", {})
        try:
            return cls(**given)  # type: ignore[arg-type]
        except TaskMatrixError as error:
            raise ParameterError(f"{path}: {error}") from None

    def driven(self, joints: Sequence[str]) -> dict[str, tuple[Controller, tuple[str, ...]]]:
        """Controllers by topic, with the joints of each.

        Args:
            joints: Of the robot, without those of the base.

        Raises:
            NotFoundError: The robot has no joint of a name here.
            ParameterError: A joint has several controllers, or none and is not fixed.
        """
        for where, names in (("joints", self.joints), ("fixed", self.fixed)):
            for name in names:
                if name not in joints:
                    raise NotFoundError("joint", name, joints, f"the robot, for '{where}' of the names in ROS 2")
        owner = dict.fromkeys(self.fixed, "fixed")
        for controller in self.controllers:
            for name in controller.joints:
                if name not in joints:
                    raise NotFoundError("joint", name, joints, f"the robot, for the controller '{controller.topic}'")
                if name in owner:
                    raise ParameterError(f"joint '{name}' is driven by '{controller.topic}' and by '{owner[name]}'")
                owner[name] = controller.topic
        left = tuple(name for name in joints if name not in owner)
        rest = [controller.topic for controller in self.controllers if not controller.joints]
        if len(rest) > 1 or (left and not rest):
            who = " and ".join(f"'{topic}'" for topic in rest) or "nobody"
            raise ParameterError(
                f"{who} would drive {', '.join(left)}: name the joints of each controller, and in 'fixed' those "
                "that nobody drives"
            )
        return {each.topic: (each, each.joints or left) for each in self.controllers}

    def theirs(self, joint: str) -> str:
        """What ROS 2 calls a joint."""
        return self.joints.get(joint, joint)


def check_topic(topic: str) -> None:
    """Look whether a text is the full name of a topic.

    Raises:
        ParameterError: It is not.
    """
    parts = topic[1:].split("/")
    if not topic.startswith("/") or not all(part.isidentifier() and part.isascii() for part in parts):
        raise ParameterError(
            f"'{topic}' is no full name of a topic, such as '/robot/joint_states': a slash before each part, and "
            "letters, digits and underscores"
        )


def _controller(table: Table) -> Controller:
    table.only("topic", "kind", "joints")
    kind = table.choice("kind", KINDS, "kind of controller") if "kind" in table.data else "trajectory"
    joints = table.strings("joints") if "joints" in table.data else ()
    return Controller(table.get("topic", str), kind, joints)  # type: ignore[arg-type]


def _base(file: Table) -> Base | None:
    if file.data["base"] is False:
        return None
    table = file.table("base").only("odometry", "twist", "stamped", "frame", "child_frame")
    kinds = {"stamped": bool, "odometry": str, "twist": str, "frame": str, "child_frame": str}
    return Base(**{name: table.get(name, kinds[name]) for name in table.data})
