"""A robot that speaks ROS 2 as a plant, without a ROS install: by the wire of ``rmw_zenoh``."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Mapping, Sequence
from threading import RLock
from typing import Protocol

import numpy as np

from ..core.base.clock import Clock, RealClock
from ..core.base.errors import ParameterError, nearest
from ..core.robot.arbiter import Command
from ..core.robot.plant import JointState
from ..core.world.objects import Array
from .commands import Commands
from .guardian import Guardian
from .messages import BOOL, JOINT_STATE, ODOMETRY
from .names import Ros2Names
from .node import Node
from .readings import Readings
from .wire import Endpoint, Ros2Error

PATIENCE = 0.5  # [s] after the last command, for which it still counts as where the robot is
POLL = 0.005  # [s]
TELL = 1.0  # [s] of waiting after which it is told for what
MOST = 6  # names that a sentence lists
MOVED = 1e-3  # [m, rad] by which a base that is not driven may be commanded
_log = logging.getLogger("taskmatrix.ros2")


class Ros2Robot(Protocol):
    """What is asked of the robot; a :class:`~taskmatrix.robots.Robot` has it."""

    @property
    def joints(self) -> Sequence[str]:
        """Names of the joints (n); the first three are x, y and yaw of the base."""
        ...

    @property
    def velocity(self) -> Array:
        """(n,) [m/s, rad/s] Their velocity limits."""
        ...

    @property
    def rolls(self) -> bool:
        """Whether the base cannot go sideways."""
        ...


class Ros2Plant:
    """A robot that speaks ROS 2, as a plant.

    It waits until every joint, and the base, has been told of. Close it, or use it as a context manager: the last
    command that goes out is a hold.

    Args:
        robot: Whose joints they are.
        names: Of topics, joints and frames.
        wait: [s] For the robot, at most.
        guarded: Whether a process beside this one holds the robot if this one is killed.
        clock: Of this machine; the real one unless given.

    Raises:
        MissingDependencyError: Zenoh or rosbags is not installed; says how to get it.
        NotFoundError: The robot has no joint of a name that is given.
        ParameterError: What is given cannot be.
        Ros2Error: Nothing is told of a joint or the base in time; says for what it has waited, and what there is.

    Attributes:
        names: Of topics, joints and frames.
        clock: Of this machine.
        node: Which publishes and listens.
    """

    def __init__(
        self,
        robot: Ros2Robot,
        names: Ros2Names | None = None,
        *,
        wait: float = 10.0,
        guarded: bool = True,
        clock: Clock | None = None,
    ) -> None:
        self.names = names = names or Ros2Names()
        if isinstance(wait, bool) or not isinstance(wait, (int, float)) or not wait > 0.0:
            raise ParameterError(f"wait is a number of seconds above 0, not {wait!r}")
        self.clock, self._lock = clock or RealClock(), RLock()
        self._joints = tuple(robot.joints)
        self._readings = Readings(robot.joints, names)
        names.driven(robot.joints[3:])
        self.node = node = Node(names.router, names.domain, names.distro, names.node, self.clock)
        self._commands = Commands(robot.joints, robot.velocity, robot.rolls, names, node.messages)
        self._sources = {topic: node.subscriber(topic, JOINT_STATE) for topic in names.joint_states}
        if names.base is not None:
            self._sources[names.base.odometry] = node.subscriber(names.base.odometry, ODOMETRY)
        self._button = node.subscriber(names.stop_pressed, BOOL, latched=True) if names.stop_pressed else None
        self._told = node.publisher(names.stopped, BOOL, latched=True) if names.stopped else None
        self._outputs = {topic: node.publisher(topic, type) for topic, type in self._commands.topics.items()}
        self._pressed = self._is_stopped = self._is_ignoring = self._is_closed = False
        self._commanded: Array | None = None
        self._commanded_at = -np.inf
        types = dict(self._commands.topics)
        beside = (names.router, names.domain, names.distro, names.node, types)
        self._guardian = Guardian(*beside) if guarded else None
        atexit.register(self.close)
        try:
            self._wait(float(wait))
            if self._guardian is not None:
                self._guardian.wait()
        except BaseException:
            self._leave()
            raise

    def sense(self) -> JointState:
        """Take in what has come, and return what is known now.

        Raises:
            Ros2Error: It is old, it cannot be, somebody who told of it is gone, or the emergency stop is pressed.
        """
        self._is_ignoring = False
        self._readings.listen(self._sources.values(), self.clock)
        self._check_button()
        try:
            self._readings.check(self.clock.now())
        except Ros2Error as error:
            raise Ros2Error(f"{error}{self._why_silent()}") from None
        return self._readings.state()

    def apply(self, command: Command, dt: float) -> None:
        """Send a command for one control step of ``dt`` [s]; nothing, from a :meth:`stop` on until sensing anew.

        Raises:
            Ros2Error: The emergency stop is pressed, or the base is to move and is not driven.
        """
        with self._lock:
            if self._is_ignoring:
                return
            self._check_button()
            now, q = self.clock.now(), self._readings.state().q
            fresh = self._commanded is not None and now - self._commanded_at < PATIENCE
            before = self._commanded if fresh and self._commanded is not None else command.q
            if self._is_stopped and self._told is not None:
                self._told.put(self.node.messages.make(BOOL, data=False))
            self._is_stopped = False
            made = self._commands.joints(command.q, command.v, dt)
            if self.names.base is not None:
                speed = self._commands.speed(command, before[:3], q[:3], dt)
                made[self.names.base.twist] = self._commands.twist(speed, self._robot_time(now))
            elif np.abs(command.q[:3]).max() > MOVED:
                raise Ros2Error("the base is commanded to move, and the names have no base that is driven")
            self._commanded, self._commanded_at = command.q.copy(), now
            for topic, message in made.items():
                if not self._is_ignoring:  # a signal that stops comes in between
                    self._outputs[topic].put(message)

    def stop(self) -> None:
        """Hold the joints where they were told to be last, or are if that was long ago, and the base where it is."""
        with self._lock:
            self._hold()
            self._is_stopped = self._is_ignoring = True
            if self._told is not None:
                self._told.put(self.node.messages.make(BOOL, data=True))

    def close(self) -> None:
        """Hold, and leave ROS 2; sensing and commanding fail from now on."""
        if not self._is_closed:
            self.stop()
            self._leave()

    def __enter__(self) -> Ros2Plant:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def offsets(self) -> Mapping[str, float]:
        """[s] By topic of what is sensed, by what the clock of who publishes it is ahead of this machine's."""
        shift = self.node.epoch() * 1e-9 - self.clock.now()
        return {topic: offset - shift for topic, offset in self._readings.offsets().items()}

    @property
    def lost(self) -> int:
        """Messages of joints and base that never came, by their numbers."""
        return self._readings.lost

    def _hold(self) -> None:
        now, q = self.clock.now(), self._readings.state().q
        if self._commanded is not None and now - self._commanded_at < PATIENCE:
            q = self._commanded
        made = self._commands.hold(q)
        if self.names.base is not None:
            made[self.names.base.twist] = self._commands.twist(np.zeros(3), self._robot_time(now))
        for topic, message in made.items():
            self._outputs[topic].put(message)

    def _leave(self) -> None:
        self._is_closed = True
        atexit.unregister(self.close)
        self.node.close()
        if self._guardian is not None:
            self._guardian.close()

    def _robot_time(self, now: float) -> float:
        """[s] On the robot's clock: what a stamp says."""
        return now + max(self._readings.offsets().values(), default=0.0)

    def _check_button(self) -> None:
        if self._button is not None:
            while (received := self._button.take()) is not None:
                self._pressed = bool(received.message.data)
        if self._pressed:
            raise Ros2Error(f"the robot's emergency stop is pressed, says '{self.names.stop_pressed}'")

    def _wait(self, patience: float) -> None:
        """Return when everything has been told of.

        Raises:
            Ros2Error: That takes longer; says what is missing.
        """
        began, told, wrong = self.clock.now(), False, ""
        while True:
            now = self.clock.now()
            try:
                self._readings.listen(self._sources.values(), self.clock)
            except Ros2Error as error:
                wrong = f"; {error}"
            if not self._readings.missing():
                return
            if now - began >= patience:
                raise Ros2Error(f"after {patience:g} s there is no robot to command: {self._lacks()}{wrong}")
            if now - began > TELL and not told:
                told = True
                _log.warning("waiting for a robot: %s%s", self._lacks(), wrong)
            self.clock.sleep_until(now + POLL)

    def _lacks(self) -> str:
        """What has not been told of, and what there is instead."""
        missing = self._readings.missing()
        joints = [self.names.theirs(self._joints[k]) for k in missing if k > 2]
        lacks = []
        if joints:
            said = ", ".join(joints[:MOST])
            more = f" and {len(joints) - MOST} more" if len(joints) > MOST else ""
            topics = " or ".join(f"'{topic}'" for topic in self.names.joint_states)
            seen = sorted(self._readings.strangers)
            other = f", but of {', '.join(seen[:MOST])}" if seen else ""
            lacks.append(f"no {JOINT_STATE} on {topics} tells of {said}{more}{other}")
            lacks += [self._instead(topic, JOINT_STATE) for topic in self.names.joint_states]
        if self.names.base is not None and len(joints) < len(missing):
            topic = self.names.base.odometry
            lacks += [f"no {ODOMETRY} on '{topic}'", self._instead(topic, ODOMETRY)]
        return "; ".join(dict.fromkeys(each for each in lacks if each))

    def _why_silent(self) -> str:
        """What is known of the topics that are silent: who publishes them, and how."""
        told = [self._instead(source.topic, source.type) for source in self._sources.values()]
        return "".join(f"; {each}" for each in dict.fromkeys(told) if each)

    def _instead(self, topic: str, type: str) -> str:
        """Why nothing may come on a topic; nothing to say where somebody publishes it as it should be."""
        if not self.node.connected():
            return f"no Zenoh router answers at {self.names.router}"
        there = [each for each in self.node.endpoints() if each.kind == "publisher"]
        here, hash = [each for each in there if each.domain == self.names.domain], self.node.messages.hash(type)
        same = [each for each in here if each.topic == topic]
        if any(each.type == type and each.hash == hash for each in same):
            return ""
        if same:
            return f"'{topic}' is published {_kinds(same, type, hash)}"
        elsewhere = sorted({each.domain for each in there if each.topic == topic})
        if elsewhere:
            return f"'{topic}' is published in the domain {' and '.join(map(str, elsewhere))}, not {self.names.domain}"
        alike = sorted({each.topic for each in here if each.type == type})
        if alike:
            return f"nobody publishes '{topic}'; of this type are {', '.join(alike[:MOST])}"
        near = nearest(topic, {each.topic for each in here})
        return f"nobody publishes '{topic}'" + (f"; did you mean '{near}'?" if near else "")


def _kinds(there: Sequence[Endpoint], type: str, hash: str) -> str:
    """As what a topic is published, instead of the type that is wanted."""
    other = sorted({each.type for each in there} - {type})
    if other:
        return f"as {' and '.join(other)}, not as {type}"
    found = sorted({each.hash for each in there})
    return f"with another definition of {type}: its hash is {' and '.join(found)}, not {hash}"
