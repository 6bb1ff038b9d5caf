"""Contacts that others bring about."""

from __future__ import annotations

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record, Step
from .contacts import in_contact
from .scene import FLOOR, Scene

SPRING_BACK = 0.25  # [s] for which a joint that was pushed may still be faster than its limit


class ExternalContacts:
    """Excuses a contact with what moves by itself, where that came to the robot: a second robot who walks into its arm.

    Had the robot stayed, with what it holds, where it was one step before, the two would touch as deeply.

    Args:
        record: The run.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._scene: Scene | None = None

    def __call__(self, k: int, first: str, second: str, depth: float) -> bool:
        """Whether the contact of two names at step k of the record, ``depth`` [m] deep, is not the robot's doing."""
        step, before = self._record.steps[k], self._record.steps[max(k - 1, 0)]
        moving = {first, second} & set(step.poses) - set(self._record.still) - set(step.held.values())
        if not moving or not self._record.still:  # nobody has said what moves by itself
            return False
        if self._scene is None:
            self._scene = Scene(self._record.robot, self._record.objects)
        scene = self._scene
        scene.place(before.q, _with_held(step, before))
        deep = max(-scene.distance(pair) for pair in scene.pairs_of(first, second))
        return deep >= depth - self._record.tolerance.penetration


class Pushed:
    """Excuses what a joint does while somebody walks into the robot, and for a quarter of a second after that.

    Args:
        record: The run.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._scene: Scene | None = None
        self._pushed: dict[int, bool] = {}

    def __call__(self, k: int) -> bool:
        """Whether something that moves by itself touched the robot at step k of the record, or shortly before."""
        if not self._record.still:  # nobody has said what moves by itself
            return False
        first = max(0, k - round(SPRING_BACK / self._record.dt))
        return any(self._touched(at) for at in range(k, first - 1, -1))

    def _touched(self, k: int) -> bool:
        if k not in self._pushed:
            record, step = self._record, self._record.steps[k]
            moving = set(step.poses) - set(record.still) - set(step.held.values())
            self._scene = self._scene or Scene(record.robot, record.objects)
            own = {FLOOR, *record.objects}
            found = in_contact(self._scene, step) if moving else set()
            self._pushed[k] = any(set(pair) & moving and set(pair) - own for pair in found)
        return self._pushed[k]


def _with_held(step: Step, before: Step) -> dict[str, Array]:
    """X_WO (4, 4) by id of a step, of what hands hold as in the step before."""
    held = set(step.held.values())
    return {id: before.poses.get(id, X_WO) if id in held else X_WO for id, X_WO in step.poses.items()}
