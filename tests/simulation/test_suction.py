from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.simulation.scenes.suction import Suction, read_suction

TOOL = ObjectModel("tool", "tool", (), frames={"tip": pose((0.2, 0, 0))})
SUCTION = Suction("tip", "debris", 0.04)


def thing(id: str, type: str) -> ObjectModel:
    return ObjectModel(id, type, (Shape("box", (0.02, 0.02, 0.02), pose((0, 0, 0.01))),))


def test_what_is_near_the_mouth_is_reached() -> None:
    """Measured from the frame, wherever the tool is, to the centre of the box."""
    models = [thing("near", "debris/crumb"), thing("far", "debris/crumb"), thing("cup", "container/cup"), TOOL]
    X_WT = pose((1, 0, 0.5), (0, 0, np.pi / 2))  # the mouth is at (1, 0.2, 0.5)
    poses = {
        "tool": X_WT,
        "near": pose((1.039, 0.2, 0.49)),
        "far": pose((1.041, 0.2, 0.49)),
        "cup": pose((1.0, 0.2, 0.49)),
    }
    assert SUCTION.reached(TOOL, poses, models) == ("near",)
    del poses["near"]
    assert SUCTION.reached(TOOL, poses, models) == ()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [("frame", "tipp", "frame: .*did you mean 'tip'"), ("range", 0.0, "range: must be above zero")],
)
def test_mistakes_are_named(key: str, value: object, message: str) -> None:
    """With the key and what is allowed."""
    data = {"frame": "tip", "type": "debris", "range": 0.04}
    assert read_suction(Table(Path("x.toml"), "suction", data, WorldError), TOOL.frames) == SUCTION
    with pytest.raises(WorldError, match=message):
        read_suction(Table(Path("x.toml"), "suction", {**data, key: value}, WorldError), TOOL.frames)
