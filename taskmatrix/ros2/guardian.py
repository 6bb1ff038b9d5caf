"""A process beside the program that holds the robot when the program is gone, however it ended.

Started by the plant. It hears what the program commands; when its input ends without a word before, it commands the
joints to stay where they were told to be last, and the base to stand.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np

from ..core.base.clock import RealClock
from .commands import HOLDING
from .messages import DIAGNOSTICS, TRAJECTORY, TWIST, TWIST_STAMPED
from .node import NANO, Node

ERROR = 2  # level of a diagnostic
ENDED = "the program ended without closing its plant; the robot was told to hold"
LEAVING = 0.1  # [s] for what was sent to get out
PROGRAM = "import sys, json; from taskmatrix.ros2 import guardian; guardian.guard(*json.loads(sys.argv[1]))"
READY, CLOSED = "ready", "closed"


class Guardian:
    """The process, as the plant has it.

    Args:
        router: Where the Zenoh router listens.
        domain: ROS domain.
        distro: Distribution of ROS 2.
        node: Name of the program's node.
        topics: Types by topic of what is commanded.
    """

    def __init__(self, router: str, domain: int, distro: str, node: str, topics: dict[str, str]) -> None:
        told = json.dumps([router, domain, distro, node, topics])
        command = [sys.executable, "-c", PROGRAM, told]
        self._process = subprocess.Popen(  # noqa: S603 - this module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def wait(self) -> None:
        """Return when it listens."""
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def close(self) -> None:
        """End it: the robot holds already."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(CLOSED)
            self._process.stdin.close()
        except OSError:  # it is gone
            pass
        self._process.stdout.close()
        self._process.wait()


def guard(router: str, domain: int, distro: str, name: str, topics: dict[str, str]) -> None:
    """Wait for the end of the input; then hold the robot, unless it is said that it holds."""
    node = Node(router, domain, distro, f"{name}_guardian", RealClock(), "client")
    heard = {topic: node.subscriber(topic, type, kept=1) for topic, type in topics.items()}
    outputs = {topic: node.publisher(topic, type) for topic, type in topics.items()}
    told = node.publisher("/diagnostics", DIAGNOSTICS)
    print(READY, flush=True)  # noqa: T201 - what the plant waits for
    if sys.stdin.read() != CLOSED:
        for topic, subscriber in heard.items():
            last = subscriber.take()
            if last is not None:
                outputs[topic].put(_held(node, topics[topic], last.message))
        status = node.messages.make(
            "diagnostic_msgs/msg/DiagnosticStatus", level=ERROR, name=name, message=ENDED, hardware_id=name
        )
        header = node.messages.header(node.epoch() * NANO)
        told.put(node.messages.make(DIAGNOSTICS, header=header, status=[status]))
        print(f"{name}: {ENDED}", file=sys.stderr)  # noqa: T201 - the program cannot tell it any more
        RealClock().sleep_until(LEAVING)
    node.close()


def _held(node: Node, type: str, last: Any) -> Any:
    """The command that holds where another one led."""
    if type == TRAJECTORY:
        for point in last.points:
            point.velocities = np.zeros_like(point.velocities)
            point.time_from_start = node.messages.make("builtin_interfaces/msg/Duration", nanosec=int(HOLDING / NANO))
        return last
    if type == TWIST:
        return node.messages.make(TWIST)
    if type == TWIST_STAMPED:
        return node.messages.make(TWIST_STAMPED, header=last.header)
    return last
