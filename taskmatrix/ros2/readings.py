"""Joints and base as they are sensed, put together from whatever messages tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.base.clock import Clock
from ..core.robot.plant import JointState
from ..core.world.objects import Array
from .messages import JOINT_STATE, ODOMETRY
from .names import Ros2Names
from .node import NANO, Received
from .stream import IDLE, STALE, Stream
from .wire import Ros2Error

Indices = NDArray[np.intp]


class Receives(Protocol):
    """What messages are taken from, see :class:`~taskmatrix.ros2.node.Subscriber`."""

    def take(self) -> Received | None:
        """The next message, or None."""
        ...


class Readings:
    """What is sensed of a robot.

    Args:
        joints: Names of the robot's joints (n), as the library has them; the first three are of the base.
        names: What they are called in ROS 2.

    Attributes:
        streams: By topic and publisher.
        strangers: Names of joints that were told of and are not known.
    """

    def __init__(self, joints: Sequence[str], names: Ros2Names) -> None:
        self._names, n = names, len(joints)
        self._index = {names.theirs(name): k for k, name in enumerate(joints) if k > 2 and name not in names.fixed}
        self._columns: dict[tuple[str, ...], tuple[Indices, Indices]] = {}
        self._q, self._v, self._stamps = np.full(n, np.nan), np.zeros(n), np.full(n, np.nan)
        for name, value in names.fixed.items():
            self._q[joints.index(name)] = value
        if names.base is None:
            self._q[:3] = 0.0
        self._owner: list[Stream | None] = [None] * n
        self._needed = [k for k in range(n) if np.isnan(self._q[k])]
        self.strangers: set[str] = set()
        self._listened = -np.inf
        self.streams: dict[tuple[str, bytes], Stream] = {}

    @property
    def lost(self) -> int:
        """Messages that never came, of all publishers."""
        return sum(stream.lost for stream in self.streams.values())

    def listen(self, sources: Iterable[Receives], clock: Clock) -> None:
        """Take all that has come.

        Args:
            sources: From where.
            clock: Of this machine.

        Raises:
            Ros2Error: A message says what cannot be.
        """
        if clock.now() - self._listened > IDLE:
            for stream in self.streams.values():
                stream.go_on()
        self._listened = clock.now()
        for source in sources:
            while (received := source.take()) is not None:
                take = self._take_odometry if received.message.__msgtype__ == ODOMETRY else self._take_joints
                take(received, clock.now())

    def missing(self) -> list[int]:
        """Joints of which nothing was told yet."""
        return [k for k in self._needed if self._owner[k] is None]

    def check(self, now: float) -> None:
        """Look whether all that is known is of now.

        Args:
            now: [s] On the clock of this machine.

        Raises:
            Ros2Error: Somebody who told of a joint is silent, or late.
        """
        streams = self._used()
        if any(stream.wrong(now) for stream in streams):  # who fell silent with it is named as well
            raise Ros2Error("; ".join(said for stream in streams if (said := stream.wrong(now, STALE / 2))))

    def state(self) -> JointState:
        """What is sensed; accelerations, of which nobody tells, are zero.

        The time is how far the clocks of those who publish have gone on, the one that has least.
        """
        return JointState(self._q.copy(), self._v.copy(), np.zeros(len(self._q)), self._time())

    def offsets(self) -> Mapping[str, float]:
        """[s] By topic, by what the clock of who publishes it is ahead of this machine's."""
        return {stream.topic: stream.offset for stream in self._used()}

    def _time(self) -> float:
        """[s] To which all have gone on."""
        return min((stream.progress for stream in self._used()), default=0.0)

    def _used(self) -> list[Stream]:
        """Those who told last of some joint."""
        return list(dict.fromkeys(stream for stream in self._owner if stream is not None))

    def _stream(self, received: Received, type: str, stamp: Any, now: float) -> tuple[Stream, float]:
        """Whose message it is, and when it was true [s]: its stamp, or when it was sent or came if it has none."""
        attachment = received.attachment
        source = (received.topic, b"" if attachment is None else attachment.gid)
        if source not in self.streams:
            self.streams[source] = Stream(received.topic, type, self._time())
        stream = self.streams[source]
        time = stamp.sec + stamp.nanosec * NANO
        if time == 0.0:
            time = now if attachment is None else attachment.time * NANO
        return stream, time

    def _take_joints(self, received: Received, now: float) -> None:
        message = received.message
        stream, stamp = self._stream(received, JOINT_STATE, message.header.stamp, now)
        if not stream.take(received.attachment, stamp, now):
            return
        names = tuple(message.name)
        for what, values in (("positions", message.position), ("velocities", message.velocity)):
            if len(values) != len(names) and (what == "positions" or len(values)):
                raise Ros2Error(f"a message on '{received.topic}' has {len(names)} names and {len(values)} {what}")
        if names not in self._columns:
            known = [k for k, name in enumerate(names) if name in self._index]
            told = np.array([self._index[names[k]] for k in known], dtype=np.intp)
            self._columns[names] = np.array(known, dtype=np.intp), told
            self.strangers.update(set(names) - self._index.keys())
        columns, joints = self._columns[names]
        new = ~(self._stamps[joints] >= stamp)
        if not new.all():
            columns, joints = columns[new], joints[new]
        v = message.velocity[columns] if len(message.velocity) else None
        self._write(joints, message.position[columns], v, stamp)
        for joint in joints:
            self._owner[joint] = stream

    def _write(self, joints: Indices, q: Array, v: Array | None, stamp: float) -> None:
        """Note positions, and velocities; those that are not told, or are no numbers, are from the positions."""
        moved, passed = q - self._q[joints], stamp - self._stamps[joints]
        told = np.full(len(joints), np.nan) if v is None else v
        unknown = np.isnan(told)
        if unknown.any():
            with np.errstate(invalid="ignore", divide="ignore"):
                told = np.where(unknown, moved / passed, told)
            told = np.where(np.isfinite(told) | ~np.isfinite(q), told, 0.0)
        self._q[joints], self._v[joints], self._stamps[joints] = q, told, stamp

    def _take_odometry(self, received: Received, now: float) -> None:
        message, base = received.message, self._names.base
        assert base is not None
        stream, stamp = self._stream(received, ODOMETRY, message.header.stamp, now)
        if not stream.take(received.attachment, stamp, now):
            return
        for what, frame, wanted in (
            ("place", message.header.frame_id, base.frame),
            ("frame", message.child_frame_id, base.child_frame),
        ):
            if wanted and frame.lstrip("/") != wanted:
                raise Ros2Error(f"'{received.topic}' tells the {what} of the base in '{frame}', and not in '{wanted}'")
        pose, twist = message.pose.pose, message.twist.twist
        x, y, z, w = (getattr(pose.orientation, name) for name in "xyzw")
        if not abs(x * x + y * y + z * z + w * w - 1.0) < 0.1:
            raise Ros2Error(f"'{received.topic}' turns the base by {(x, y, z, w)}, which is no unit quaternion")
        yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        if self._owner[2] is not None:  # without a jump where the angle begins again
            yaw = self._q[2] + np.remainder(yaw - self._q[2] + np.pi, 2.0 * np.pi) - np.pi
        c, s = np.cos(yaw), np.sin(yaw)
        u, v = twist.linear.x, twist.linear.y
        self._q[:3] = pose.position.x, pose.position.y, yaw
        self._v[:3] = c * u - s * v, s * u + c * v, twist.angular.z
        self._owner[:3] = [stream] * 3
