"""Commands of the library as messages: trajectories of one point, positions, and the speed of the base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.robot.arbiter import Command
from ..core.world.objects import Array
from .messages import POSITIONS, TRAJECTORY, TWIST, TWIST_STAMPED, Messages
from .names import Controller, Ros2Names
from .node import NANO

GAIN = 2.0  # [1/s] with which the base is led back to where it is told to be
RESTS = np.array([0.003, 0.003, 0.003])  # [m, m, rad] off, within which a base that is to stand is left alone
HOLDING = 0.1  # [s] in which joints come to where they are held


class Commands:
    """Makes messages of commands.

    Args:
        joints: Names of the robot's joints (n); the first three are of the base.
        velocity: (n,) [m/s, rad/s] Limits of the joints.
        rolls: Whether the base cannot go sideways.
        names: What they are called in ROS 2.
        messages: Makes them.

    Raises:
        NotFoundError: The robot has no joint of a name there.
        ParameterError: A joint has several controllers, or none and is not fixed.
    """

    def __init__(
        self, joints: Sequence[str], velocity: Array, rolls: bool, names: Ros2Names, messages: Messages
    ) -> None:
        self._messages, self._rolls, self._names = messages, rolls, names
        self._limits = np.asarray(velocity[:3], dtype=float)
        index = {name: k for k, name in enumerate(joints)}
        self._drives: list[tuple[Controller, list[str], Array]] = [
            (controller, [names.theirs(name) for name in driven], np.array([index[name] for name in driven]))
            for controller, driven in names.driven(joints[3:]).values()
        ]

    @property
    def topics(self) -> Mapping[str, str]:
        """Types of the messages, by the topics of what is commanded."""
        types = {each.topic: TRAJECTORY if each.kind == "trajectory" else POSITIONS for each, _, _ in self._drives}
        if self._names.base is not None:
            types[self._names.base.twist] = TWIST_STAMPED if self._names.base.stamped else TWIST
        return types

    def joints(self, q: Array, v: Array, dt: float) -> dict[str, Any]:
        """Messages by topic that have joints at ``q`` (n,), with velocities ``v`` (n,), after ``dt`` [s]."""
        made = {}
        for controller, names, index in self._drives:
            if controller.kind == "positions":
                made[controller.topic] = self._messages.make(POSITIONS, data=np.ascontiguousarray(q[index]))
                continue
            whole = int(dt)
            point = self._messages.make(
                "trajectory_msgs/msg/JointTrajectoryPoint",
                positions=np.ascontiguousarray(q[index]),
                velocities=np.ascontiguousarray(v[index]),
                time_from_start=self._messages.make(
                    "builtin_interfaces/msg/Duration", sec=whole, nanosec=int((dt - whole) / NANO)
                ),
            )
            made[controller.topic] = self._messages.make(TRAJECTORY, joint_names=names, points=[point])
        return made

    def hold(self, q: Array) -> dict[str, Any]:
        """Messages by topic that hold joints at ``q`` (n,); those of joints of which it is no number are left out."""
        held = self.joints(q, np.zeros(len(q)), HOLDING)
        unknown = [each.topic for each, _, index in self._drives if not np.isfinite(q[index]).all()]
        return {topic: message for topic, message in held.items() if topic not in unknown}

    def speed(self, command: Command, before: Array, q: Array, dt: float) -> Array:
        """(3,) [m/s, m/s, rad/s] With which the base is to drive, in its own frame: forward, left, and turning left.

        Args:
            command: Where it is to be at the end of the control step.
            before: (3,) Where it was to be at the end of the one before.
            q: (3,) Where it is sensed to be.
            dt: [s] The control step.
        """
        ahead, off = (command.q[:3] - before) / dt, before - q
        ahead[2], off[2] = _turn(ahead[2] * dt) / dt, _turn(off[2])
        if not ahead.any() and (np.abs(off) < RESTS).all():
            return np.zeros(3)
        c, s = np.cos(q[2]), np.sin(q[2])
        into = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        speed, error = into @ ahead, into @ off
        if self._rolls:
            turn = speed[2] + GAIN * (error[2] + 2.0 * speed[0] * error[1])
            speed = np.array([speed[0] + GAIN * error[0], 0.0, turn])
        else:
            speed = speed + GAIN * error
        clipped: Array = np.clip(speed, -self._limits, self._limits)
        return clipped

    def twist(self, speed: Array, time: float) -> Any:
        """The message that drives the base.

        Args:
            speed: (3,) As :meth:`speed` gives it.
            time: [s] For its stamp, if it has one.
        """
        forward, left, turn = speed.tolist()
        linear = self._messages.make("geometry_msgs/msg/Vector3", x=forward, y=left)
        angular = self._messages.make("geometry_msgs/msg/Vector3", z=turn)
        twist = self._messages.make(TWIST, linear=linear, angular=angular)
        base = self._names.base
        if base is None or not base.stamped:
            return twist
        return self._messages.make(TWIST_STAMPED, header=self._messages.header(time, base.child_frame), twist=twist)


def _turn(angle: float) -> float:
    """The same angle, from -pi to pi [rad]."""
    return float(np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi)
