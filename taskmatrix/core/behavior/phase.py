"""The phases of a behavior's run (thesis 3.5)."""

from __future__ import annotations

from enum import Enum


class Phase(str, Enum):
    """Where a behavior stands in its run."""

    IDLE = "idle"
    PLANNING = "planning"
    CONTROL = "control loop"
    DONE = "done"

    @property
    def when(self) -> str:
        """In which phase something was raised, in words."""
        words = {
            Phase.IDLE: "before it started",
            Phase.PLANNING: "while planning",
            Phase.CONTROL: "in the control loop",
        }
        return words.get(self, "after its end")

    @property
    def standing(self) -> str:
        """What the behavior was about, in words."""
        words = {
            Phase.IDLE: "was about to start",
            Phase.PLANNING: "was planning",
            Phase.CONTROL: "was in the control loop",
        }
        return words.get(self, "had ended")

    @property
    def stopped(self) -> str:
        """What a failure of somebody else means for the behavior, in words."""
        words = {
            Phase.IDLE: "cannot start",
            Phase.PLANNING: "planning failed",
            Phase.CONTROL: "the control loop failed",
        }
        return words.get(self, "failed")
