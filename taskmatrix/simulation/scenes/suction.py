"""Tools that take in what is small and near."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, ObjectModel


@dataclass(frozen=True)
class Suction:
    """What a tool takes in while it is held."""

    frame: str
    """The task frame of the tool at its mouth."""
    type: str
    """A word of the taxonomy of what it takes in."""
    range: float
    """[m] Largest distance from the frame's origin to the centre of a thing's bounding box."""

    def reached(self, tool: ObjectModel, poses: Mapping[str, Array], models: Iterable[ObjectModel]) -> tuple[str, ...]:
        """Ids of the things that it takes in.

        Args:
            tool: The tool, which is where ``poses`` says.
            poses: X_WO (4, 4) by id of all that is there.
            models: Everything that may be there.
        """
        mouth = (poses[tool.id] @ tool.frames[self.frame])[:3, 3]
        things = [model for model in models if model.id in poses and model.is_a(self.type)]
        return tuple(thing.id for thing in things if _distance(thing, poses[thing.id], mouth) <= self.range)


def read_suction(table: Table, frames: Mapping[str, Array]) -> Suction:
    """Read the ``[suction]`` table of an object with these task frames; raises WorldError."""
    table.only("frame", "type", "range")
    return Suction(table.choice("frame", frames, "frame"), table.get("type", str), table.positive("range"))


def _distance(thing: ObjectModel, X_WO: Array, point: Array) -> float:
    lower, upper = bounding_box(thing.shapes, X_WO)
    return float(np.linalg.norm((lower + upper) / 2 - point))
