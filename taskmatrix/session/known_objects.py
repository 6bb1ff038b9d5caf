"""What a robot comes to know of a place of which nobody has a world, for recordings and viewers."""

from __future__ import annotations

from collections.abc import Collection

from taskmatrix.core.base.events import EventStream
from taskmatrix.core.world.perception import Percept, PerceptualModel


class KnownObjects:
    """Notes each object when it is first perceived, and tells it by an event ``object`` to who shows or records.

    Args:
        perception: What is perceived.
        events: Where it is told.
        world: Ids of objects that everybody knows.
    """

    def __init__(self, perception: PerceptualModel, events: EventStream, world: Collection[str] = ()) -> None:
        self._perception, self._events, self._world = perception, events, world
        self._known: dict[str, Percept] = {}

    @property
    def percepts(self) -> tuple[Percept, ...]:
        """All that was ever perceived and is not in the world, each as it was first."""
        return tuple(self._known.values())

    def note(self, tell: bool) -> None:
        """Note what is perceived now for the first time.

        Args:
            tell: Whether anybody wants to see it: surfaces take their time.
        """
        for id, percept in self._perception.percepts.items():
            if id not in self._known and id not in self._world:
                self._known[id] = percept
                if tell:
                    self._tell(percept)

    def _tell(self, percept: Percept) -> None:
        from .recording import surfaces  # noqa: PLC0415 - loaded by those who record or view

        self._events.emit("object", "perception", **surfaces(percept))
