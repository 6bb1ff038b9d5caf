"""What happens in a session, told to ROS 2 as diagnostics."""

from __future__ import annotations

from ..core.base.events import Event
from ..core.base.failure import Failure, readable
from .messages import DIAGNOSTICS
from .node import NANO
from .plant import Ros2Plant

OK, WARN, ERROR = 0, 1, 2
LEVELS = {
    "run": OK,
    "transition": OK,
    "outcome": OK,
    "recovery": WARN,
    "overrun": WARN,
    "blocked": WARN,
    "slip": WARN,
    "lost": WARN,
    "failure": WARN,
}
"""Of the events that are told, by their kind; an outcome that is a failure is an error."""


class Ros2Diagnostics:
    """Publishes what happens as ``diagnostic_msgs/msg/DiagnosticArray``; a reader of the events of a session.

    ::

        session.events.subscribe(Ros2Diagnostics(plant))

    Args:
        plant: Whose node publishes.
        topic: Where.
    """

    def __init__(self, plant: Ros2Plant, topic: str = "/diagnostics") -> None:
        self._node = plant.node
        self._publisher = plant.node.publisher(topic, DIAGNOSTICS)

    def __call__(self, event: Event) -> None:
        """Publish an event, if it is of a kind that is told."""
        if event.kind not in LEVELS:
            return
        failure, make = event.data.get("failure"), self._node.messages.make
        failed = isinstance(failure, Failure)
        level = ERROR if failed and event.kind == "outcome" else LEVELS[event.kind]
        values = [
            make("diagnostic_msgs/msg/KeyValue", key=key, value=readable(value))
            for key, value in event.data.items()
            if not isinstance(value, Failure)
        ]
        status = make(
            "diagnostic_msgs/msg/DiagnosticStatus",
            level=level,
            name=f"{self._node.name}: {event.source}",
            message=f"{event.kind}: {failure.explain()}" if isinstance(failure, Failure) else event.kind,
            hardware_id=self._node.name,
            values=values,
        )
        header = self._node.messages.header(self._node.epoch() * NANO)
        self._publisher.put(make(DIAGNOSTICS, header=header, status=[status]))
