"""A program: behaviors one after the other, and what disturbs the robot between them; plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taskmatrix.core.base.errors import TaskMatrixError

from .disturbance import Disturbance, disturbance_of

Value = str | float | int | bool


@dataclass(frozen=True, order=True)
class Step:
    """One behavior with its parameters."""

    behavior: str
    """Its name on the command line."""
    parameters: tuple[tuple[str, Value], ...] = ()
    """By name, in the order in which they are written."""

    def to_dict(self) -> dict[str, Any]:
        """The step as JSON has it."""
        return {"behavior": self.behavior, "parameters": dict(self.parameters)}

    def __str__(self) -> str:
        return f"{self.behavior}({', '.join(f'{name}={value!r}' for name, value in self.parameters)})"


Item = Step | Disturbance


@dataclass(frozen=True)
class Program:
    """What a robot is to do in a world, and what happens to it meanwhile."""

    robot: str
    """Name of a robot, or path of its file."""
    world: str
    """Name of a world, or path of its file."""
    seed: int
    """Same seed, same run."""
    sim: str = "kinematic"
    """Or ``bullet`` or ``mujoco``: with physics."""
    second_robot: str = ""
    """Robot that walks past, if one does."""
    items: tuple[Item, ...] = ()
    """Behaviors and disturbances, in their order."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The behaviors of the program, without its disturbances."""
        return tuple(item for item in self.items if isinstance(item, Step))

    def to_dict(self) -> dict[str, Any]:
        """The program as JSON has it."""
        return {**vars(self), "items": [item.to_dict() for item in self.items]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Program:
        """The program that :meth:`to_dict` wrote.

        Raises:
            TaskMatrixError: It is no program.
        """
        try:
            items = tuple(_item(item) for item in data["items"])
            own = {name: data[name] for name in cls.__dataclass_fields__ if name in data and name != "items"}
            return cls(**own, items=items)
        except TaskMatrixError:
            raise
        except (KeyError, TypeError, AttributeError) as error:
            raise TaskMatrixError(f"this is no program: {type(error).__name__}: {error}") from error


def _item(data: Mapping[str, Any]) -> Item:
    if "behavior" in data:
        return Step(data["behavior"], tuple(data.get("parameters", {}).items()))
    return disturbance_of(data)
