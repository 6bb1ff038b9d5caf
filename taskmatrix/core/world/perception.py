"""The perceptual model: a database of objects that behaviors query and a perception process fills (thesis 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..base.errors import NotFoundError, ParameterError
from .geometry import bounding_box, box_distance
from .objects import Array, ObjectModel


@dataclass(frozen=True, eq=False)
class Percept:
    """What is known of one object now."""

    model: ObjectModel
    """Shapes, type, frames, grasps."""
    X_WO: Array
    """(4, 4) Pose in the world."""
    velocity: Array = field(default_factory=lambda: np.zeros(6))
    """(6,) [m/s, rad/s] Linear and angular velocity in the world."""
    held_by: str | None = None
    """Name of the hand that holds it."""
    helped_by: str | None = None
    """Name of the other hand that holds it too, if it takes two."""
    coming: Array | None = field(default=None, kw_only=True)
    """(4, 4) Where it is at the end of this control step, if that is known; where its velocity takes it otherwise."""

    @property
    def holders(self) -> tuple[str, ...]:
        """The hands that hold it."""
        return tuple(hand for hand in (self.held_by, self.helped_by) if hand is not None)

    @cached_property
    def box(self) -> tuple[Array, Array]:
        """(3,), (3,) [m] Lower and upper corner of the axis-aligned bounding box in the world."""
        return bounding_box(self.model.shapes, self.X_WO)

    @property
    def centre(self) -> Array:
        """(3,) [m] Centre of the bounding box in the world."""
        lower, upper = self.box
        centre: Array = (lower + upper) / 2
        return centre


@dataclass(frozen=True)
class Region:
    """An axis-aligned box of space.

    Raises:
        ParameterError: A bound is no number, or a lower one above the upper.
    """

    lower: tuple[float, float, float]
    """[m] Lower corner in the world."""
    upper: tuple[float, float, float]
    """[m] Upper corner in the world."""

    def __post_init__(self) -> None:
        for axis, lower, upper in zip("xyz", self.lower, self.upper, strict=True):
            if not lower <= upper:
                raise ParameterError(f"a region goes from a smaller to a larger {axis}, not from {lower} to {upper}")


class PerceptualModel:
    """The four queries of thesis 3.3 - pose, velocity, objects of a type within a region, time - and the records.

    The only writer is the perception process, through :meth:`update`.
    """

    def __init__(self) -> None:
        self._percepts: dict[str, Percept] = {}
        self._time = 0.0
        self._hollow: dict[str, tuple[Percept, Percept]] = {}  # as it is perceived, and as it is known
        self._asked: dict[str, set[Callable[[], bool]]] = {}  # who ignores collisions with an object, by what ends it

    def update(self, percepts: Iterable[Percept], time: float) -> None:
        """Replace all that is known by what is perceived at ``time`` [s]."""
        self._percepts = {percept.model.id: percept for percept in percepts}
        for id in self._hollow.keys() & self._percepts.keys():
            self._percepts[id] = self._hollowed(self._percepts[id])
        self._time = time

    def ignore_collisions(self, object: str) -> Callable[[], bool]:
        """Let the robot go through an object from now on, in collision checks, plans and filters.

        That is what is known of it; what happens where there really is something, the plant decides.

        Returns:
            What ends it, also while the object is not perceived, and tells whether the object is solid again: where
            several asked, not before all of them have ended it.

        Raises:
            NotFoundError: The object is not known.
        """
        known, asked = self.object(object), self._asked.setdefault(object, set())
        if object not in self._hollow:
            self._hollow[object] = known, replace(known, model=_hollow_of(known.model))
            self._percepts[object] = self._hollow[object][1]

        def end() -> bool:
            asked.discard(end)
            if asked or object not in self._hollow:
                return False
            seen, _ = self._hollow.pop(object)
            if object in self._percepts:
                self._percepts[object] = seen
            return True

        asked.add(end)
        return end

    def _hollowed(self, seen: Percept) -> Percept:
        """What is known of an object that is not in the way; the same as long as it is perceived as it was."""
        before, known = self._hollow[seen.model.id]
        if before is not seen:
            model = known.model if seen.model is before.model else _hollow_of(seen.model)
            known = replace(seen, model=model)
            self._hollow[seen.model.id] = seen, known
        return known

    def supposing(self, poses: Mapping[str, Array]) -> PerceptualModel:
        """The same model with some objects supposed elsewhere and at rest; nobody writes to it.

        Args:
            poses: X_WO (4, 4) by id.

        Raises:
            NotFoundError: An object is not known.
        """
        supposed = PerceptualModel()
        moved = [replace(self.object(id), X_WO=X_WO, velocity=np.zeros(6)) for id, X_WO in poses.items()]
        supposed._percepts = {**self._percepts, **{percept.model.id: percept for percept in moved}}
        supposed._time = self._time
        return supposed

    def __contains__(self, id: object) -> bool:
        return id in self._percepts

    @property
    def percepts(self) -> Mapping[str, Percept]:
        """Everything known, by id."""
        return self._percepts

    def object(self, id: str) -> Percept:
        """The record of an object; raises NotFoundError with the nearest name."""
        try:
            return self._percepts[id]
        except KeyError:
            raise NotFoundError("object", id, self._percepts, "the perceptual model") from None

    def pose(self, id: str) -> Array:
        """X_WO: (4, 4) pose of the object in the world."""
        return self.object(id).X_WO

    def velocity(self, id: str) -> Array:
        """(6,) [m/s, rad/s] linear and angular velocity of the object in the world."""
        return self.object(id).velocity

    def objects(self, type: str | None = None, region: Region | None = None) -> tuple[str, ...]:
        """Ids of the objects of a type whose boxes touch a region; all objects if neither is given."""
        found = []
        for name, percept in self._percepts.items():
            if type is not None and not percept.model.is_a(type):
                continue
            if region is not None and box_distance(percept.box, (np.array(region.lower), np.array(region.upper))) > 0:
                continue
            found.append(name)
        return tuple(found)

    def time(self) -> float:
        """[s] When the model was last updated."""
        return self._time


def _hollow_of(model: ObjectModel) -> ObjectModel:
    """The model of an object that collides with nothing."""
    return replace(model, shapes=tuple(replace(shape, collides=False) for shape in model.shapes))
