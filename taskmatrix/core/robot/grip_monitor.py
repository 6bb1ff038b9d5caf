"""Tells on the event stream when what a hand holds slips in it, or leaves it."""

from __future__ import annotations

import math

from ..base.events import EventStream
from .plant import Plant

SLIP = 0.005  # [m] from one word about it to the next


class GripMonitor:
    """Reads the hands' sensors once a control step.

    An event ``slip`` tells each time that what a hand holds has moved by another 5 mm in it since it was grasped, an
    event ``lost`` that it has left the hand by itself.

    Args:
        plant: Whose hands.
        events: Where it is told.
    """

    def __init__(self, plant: Plant, events: EventStream) -> None:
        self._plant, self._events = plant, events
        self._told: dict[str, float] = {}

    def __call__(self) -> None:
        """Compare the hands with what was told before."""
        for hand, state in self._plant.feel().items():
            told = self._told.get(hand, 0.0)
            if math.isinf(state.slip):
                if not math.isinf(told):
                    self._events.emit("lost", "grip", hand=hand)
                self._told[hand] = math.inf
            elif state.slip < SLIP:
                self._told[hand] = 0.0
            elif math.isinf(told) or state.slip >= told + SLIP:
                self._events.emit("slip", "grip", hand=hand, slip=state.slip)
                self._told[hand] = SLIP * math.floor(state.slip / SLIP + 1e-9)
