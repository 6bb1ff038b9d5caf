"""A robot as a recording knows it: by the forward kinematics of its scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from taskmatrix.core.world.objects import Array, Shape


class RecordedBody:
    """A robot without its model, for pictures.

    Args:
        robot: Of the scene, see :func:`~taskmatrix.session.recording.scene.robot_data`.
        visuals: The pieces that are seen, in the order of those of the scene.
    """

    def __init__(self, robot: Mapping[str, Any], visuals: Sequence[Shape]) -> None:
        self.visuals = tuple(visuals)
        self._joints = [(each, np.array(each["axis"]), _pose(each["X_PJ"])) for each in robot["joints"]]
        links = [(each["joint"], _pose(each["X_JL"])) for each in robot["links"]]
        self._pieces = [(*links[each["link"]], _pose(each["X_LV"])) for each in robot["visuals"]]

    def visual_placements(self, q: Array) -> Array:
        """(len(visuals), 4, 4) World poses of the pieces at ``q`` (n,)."""
        X_WJ = [np.eye(4)] * (len(self._joints) + 1)  # the last, at -1, is the world
        for number, (joint, axis, X_PJ) in enumerate(self._joints):
            value = joint["factor"] * q[joint["q"]] + joint["offset"]
            X_WJ[number] = X_WJ[joint["parent"]] @ X_PJ @ _moved(joint["type"], axis, value)
        placed = [X_WJ[joint] @ X_JL @ X_LV for joint, X_JL, X_LV in self._pieces]
        return np.array(placed).reshape(-1, 4, 4)


def _moved(kind: str, axis: Array, value: float) -> Array:
    """(4, 4) The motion of a joint; a turn by Rodrigues' formula."""
    X = np.eye(4)
    if kind == "prismatic":
        X[:3, 3] = value * axis
        return X
    K = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    X[:3, :3] += np.sin(value) * K + (1.0 - np.cos(value)) * K @ K
    return X


def _pose(row: Sequence[float]) -> Array:
    return np.array(row, dtype=float).reshape(4, 4)
