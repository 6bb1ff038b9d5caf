"""What disturbs a robot between two behaviors: small values that the plant does at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import scipy

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.session.session import Session

DIGITS = 4  # of metres and radians: what is printed is what happens


@dataclass(frozen=True)
class Disturbance(ABC):
    """Base of the disturbances."""

    kind: ClassVar[str]
    """Its name in files."""

    @abstractmethod
    def apply(self, session: Session) -> None:
        """Have the plant do it."""

    @property
    @abstractmethod
    def code(self) -> str:
        """The line of Python that does it."""

    def to_dict(self) -> dict[str, Any]:
        """The disturbance as JSON has it."""
        return {"disturbance": self.kind, **asdict(self)}


@dataclass(frozen=True)
class Take(Disturbance):
    """An object is taken away, out of a hand if one holds it."""

    kind: ClassVar[str] = "take"
    object: str
    """Its id."""

    def apply(self, session: Session) -> None:
        """Remove the object from the world."""
        session.plant.remove(self.object)

    @property
    def code(self) -> str:
        """A call of the plant."""
        return f"session.plant.remove({self.object!r})"

    def __str__(self) -> str:
        return f"{self.object} is taken away"


@dataclass(frozen=True)
class Put(Disturbance):
    """An object, or furniture, is put somewhere."""

    kind: ClassVar[str] = "put"
    object: str
    """Its id."""
    position: tuple[float, float, float]
    """[m] In the world."""
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """[rad] Roll, pitch and yaw."""

    @classmethod
    def at(cls, object: str, X_WO: Array) -> Put:
        """Put an object at X_WO (4, 4), rounded."""
        turn = scipy.spatial.transform.Rotation.from_matrix(X_WO[:3, :3]).as_euler("xyz")
        x, y, z = np.round(X_WO[:3, 3], DIGITS).tolist()
        roll, pitch, yaw = (np.round(turn, DIGITS) + 0.0).tolist()
        return cls(object, (x, y, z), (roll, pitch, yaw))

    def apply(self, session: Session) -> None:
        """Have it there, whether it was there before or not."""
        session.plant.add(self.object, pose(self.position, self.rpy))

    @property
    def code(self) -> str:
        """A call of the plant."""
        return f"session.plant.add({self.object!r}, pose({self.position}, {self.rpy}))"

    def __str__(self) -> str:
        return f"{self.object} is put to {', '.join(f'{at:g}' for at in self.position)}"


@dataclass(frozen=True)
class Push(Disturbance):
    """The base is pushed."""

    kind: ClassVar[str] = "push"
    offset: tuple[float, float, float]
    """[m, m, rad] In the world's axes."""

    def apply(self, session: Session) -> None:
        """Push the base by the offset."""
        session.plant.push(np.array(self.offset))

    @property
    def code(self) -> str:
        """A call of the plant."""
        return f"session.plant.push({self.offset})"

    def __str__(self) -> str:
        return f"the base is pushed by {', '.join(f'{by:g}' for by in self.offset)}"


KINDS: dict[str, type[Disturbance]] = {item.kind: item for item in (Take, Put, Push)}


def disturbance_of(data: Mapping[str, Any]) -> Disturbance:
    """The disturbance that :meth:`Disturbance.to_dict` wrote.

    Raises:
        NotFoundError: There is no such kind.
    """
    kind = str(data.get("disturbance"))
    if kind not in KINDS:
        raise NotFoundError("disturbance", kind, KINDS)
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    values.pop("disturbance")
    return KINDS[kind](**values)
