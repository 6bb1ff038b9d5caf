"""A moment between two runs, to which a session goes back."""

from __future__ import annotations

from dataclasses import dataclass

from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.core.robot.arbiter import Arbiter
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.core.world.objects import Array


@dataclass(frozen=True, eq=False)
class Moment:
    """Where a session's plant and commands were."""

    owner: object
    """The session."""
    state: object
    """Of its plant."""
    q: Array
    """(n,) [m, rad] What was commanded last: fingers that press are not where they are told to be."""


def save(owner: object, plant: object, arbiter: Arbiter, closed: bool) -> Moment:
    """The moment that is now; raises TaskMatrixError where the plant has none, or is closed."""
    if not hasattr(plant, "save"):
        raise TaskMatrixError(f"{type(plant).__name__} saves no state: those of the simulations do")
    if closed:
        raise TaskMatrixError("the session is closed; it has no state any more")
    return Moment(owner, plant.save(), arbiter.last)


def restore(
    owner: object, moment: object, plant: object, monitor: PlantMonitor, arbiter: Arbiter, closed: bool
) -> None:
    """Go back to a moment; raises ParameterError for what is none of this session's, TaskMatrixError if closed."""
    if not isinstance(moment, Moment) or moment.owner is not owner or not hasattr(plant, "restore"):
        raise ParameterError("a session goes back to what its own save() gave, and to nothing else")
    if closed:
        raise TaskMatrixError("the session is closed; it goes back to nothing any more")
    plant.restore(moment.state)
    monitor.restart()
    arbiter.restart(moment.q)
