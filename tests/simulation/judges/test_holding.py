"""Whether both hands hold what takes two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Record
from taskmatrix.simulation.judges.measures.holding import unaided
from taskmatrix.simulation.scenes.world_loader import load_world

from .setting import robot, start_step, truth


@pytest.mark.parametrize(
    ("held", "why"),
    [
        ({"left": "crate"}, "'crate' takes two hands, and the left holds it"),
        ({"left": "crate", "right": "crate"}, ""),
    ],
)
def test_one_hand_of_two_does_not_do(held: dict[str, str], why: str) -> None:
    objects = load_world("canteen", shoulder_height=robot().shoulder_height).objects
    record = Record(robot(), objects, CONTROL_STEP, truth(replace(start_step(), held=held)))
    assert unaided(record, "crate") == why
    assert unaided(record, "table") == ""
