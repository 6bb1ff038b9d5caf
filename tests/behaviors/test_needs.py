"""Chains that behaviors say every run of them owns."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix import Machine, MachineError, State, start
from taskmatrix.behaviors import Fixate, Forward, Position, Reach, Reverse, Scan, Turn
from taskmatrix.behaviors.manipulation.meet import Meet
from taskmatrix.core.behavior.behavior import TaskBehavior

MOVING: list[tuple[type[TaskBehavior], dict[str, Any]]] = [
    (Forward, {}),
    (Reverse, {}),
    (Turn, {}),
    (Position, {"on": "table"}),
    (Meet, {"object": "cup"}),
]


@pytest.mark.parametrize(("behavior", "wires"), MOVING)
def test_two_that_move_the_base_cannot_run_together(behavior: type[TaskBehavior], wires: dict[str, Any]) -> None:
    """Found when the class is made."""
    with pytest.raises(MachineError, match="both need the chain 'base'"):

        class Both(Machine):
            reach = State(Reach, object="cup")
            other = State(behavior, final=True, **wires)
            transitions = (start(reach, other),)


def test_two_that_turn_the_head_cannot_run_together() -> None:
    """Neither."""
    with pytest.raises(MachineError, match="both need the chain 'head'"):

        class Both(Machine):
            fixate = State(Fixate, target="cup")
            scan = State(Scan, final=True)
            transitions = (start(fixate, scan),)
