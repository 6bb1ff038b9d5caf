"""Perception that follows a script."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import PerceptualModel

from .fake_plant import FakePlant

Change = tuple[float, str, "Array | None"]


class ScriptedPerception:
    """Perceives what is there, except for what the script says; called once a control step.

    Args:
        plant: What is there.
        model: Where it is written.
        clock: The time.
        script: Changes (time [s], id of an object, pose X_WO (4, 4) or None), in any order. From that time on the
            object is where the pose says, or with None is not perceived any more.

    Example:
        ``[(0.5, "cup", None), (1.0, "cup", pose((0.4, 0.0, 0.8)))]``: the cup is out of sight for half a second.
    """

    def __init__(self, plant: FakePlant, model: PerceptualModel, clock: Clock, script: Sequence[Change] = ()) -> None:
        self._plant, self._model, self._clock = plant, model, clock
        self._script = sorted(script, key=lambda change: change[0])
        self._lost: set[str] = set()

    def __call__(self) -> None:
        """Write to the perceptual model what the script has until now."""
        now = self._clock.now()
        while self._script and self._script[0][0] <= now + 1e-9:
            _, changed, X_WO = self._script.pop(0)
            if X_WO is None:
                self._lost.add(changed)
            else:
                self._lost.discard(changed)
                self._plant.set_pose(changed, X_WO)
        self._model.update((seen for seen in self._plant.observe() if seen.model.id not in self._lost), now)
