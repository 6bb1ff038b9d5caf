"""A robot by the forward kinematics of a scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Shape
from taskmatrix.studio.recording.body import RecordedBody

from .kinematics import link_poses


def row(*xyz: float) -> list[float]:
    return [float(value) for value in pose(xyz).reshape(-1)]


def joint(parent: int, kind: str, q: int, factor: float = 1.0, offset: float = 0.0) -> dict[str, Any]:
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    place = {"parent": parent, "X_PJ": row(0.1, 0.2, 0.3)}
    return {**place, "type": kind, "axis": axis.tolist(), "q": q, "factor": factor, "offset": offset}


ROBOT: dict[str, Any] = {
    "joints": [joint(-1, "prismatic", 0), joint(0, "revolute", 1), joint(1, "revolute", 1, -0.5, 0.2)],
    "links": [{"joint": 2, "X_JL": row(0.0, 0.1, 0.0)}, {"joint": -1, "X_JL": row(0.0, 0.0, 1.0)}],
    "visuals": [{"link": 0, "X_LV": row(0.3, 0.0, 0.0)}, {"link": 1, "X_LV": row(0.0, 0.0, 0.0)}],
}
BALL = Shape("sphere", (0.1,), np.eye(4))


def test_pieces_go_with_their_links() -> None:
    """Through joints that slide, turn and follow others; what is fixed to the world stays."""
    body = RecordedBody(ROBOT, [BALL, BALL])
    for q in np.random.default_rng(1).uniform(-2.0, 2.0, (10, 2)):
        hand, post = body.visual_placements(q)
        np.testing.assert_allclose(hand, link_poses(ROBOT, q)[0] @ pose((0.3, 0.0, 0.0)), atol=1e-12)
        np.testing.assert_allclose(post, pose((0.0, 0.0, 1.0)), atol=1e-12)


def test_a_robot_that_is_not_seen_has_no_pieces() -> None:
    """Nor poses of them."""
    assert RecordedBody({**ROBOT, "visuals": []}, []).visual_placements(np.zeros(2)).shape == (0, 4, 4)
