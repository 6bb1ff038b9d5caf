from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.carried import carried_by
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.object_joint import JointKind, ObjectJoint
from taskmatrix.core.world.objects import ObjectModel, Shape

X_PJ = pose((0.5, 0.1, 0.2), (0.1, 0.2, 0.3))
AXIS = np.array([0.0, 0.6, 0.8])


def joint(kind: JointKind, lower: float = 0.0, upper: float = 1.5) -> ObjectJoint:
    return ObjectJoint("unit", kind, X_PJ, AXIS, lower, upper)


@pytest.mark.parametrize("kind", ["slide", "hinge"])
@pytest.mark.parametrize("position", [-0.4, 0.0, 0.7, 1.5])
def test_the_position_is_that_of_the_pose(kind: JointKind, position: float) -> None:
    """And a point that is pulled with the part comes to it."""
    made, p_OA = joint(kind), np.array([0.3, -0.2, 0.1])
    X_PO = made.at(position)
    assert made.position(X_PO) == pytest.approx(position)
    p_PA = X_PO[:3, :3] @ p_OA + X_PO[:3, 3]
    assert made.position_of(p_PA, p_OA) == pytest.approx(position)
    aside = X_PO[:3, :3] @ (0.05 * AXIS) if kind == "hinge" else X_PO[:3, :3] @ np.array([0.05, 0.0, 0.0])
    assert made.position_of(p_PA + aside, p_OA) == pytest.approx(position)


def test_a_hinge_that_is_open_by_more_than_half_a_turn() -> None:
    """Angles count on from the range, not from half a turn."""
    made = joint("hinge", 0.0, 5.0)
    assert made.position(made.at(4.5)) == pytest.approx(4.5)


def test_shares_and_limits() -> None:
    made = joint("slide", -0.1, 0.4)
    assert made.opened(0.5) == pytest.approx(0.15)
    assert made.share(0.15) == pytest.approx(0.5)
    assert [made.within(position) for position in (-1.0, 0.2, 1.0)] == [-0.1, 0.2, 0.4]


def things(**sizes: tuple[float, float, float]) -> dict[str, ObjectModel]:
    return {
        id: ObjectModel(id, "thing", (Shape("box", size, pose((0, 0, size[2] / 2))),), movable=id != "table")
        for id, size in sizes.items()
    }


def test_what_stands_on_a_thing_and_on_that_travels_with_it() -> None:
    """Not what stands beside it, what a hand holds, or what cannot be carried."""
    models = things(
        tray=(0.4, 0.3, 0.02), plate=(0.2, 0.2, 0.02), cup=(0.06, 0.06, 0.1), can=(0.06, 0.06, 0.1), table=(2, 1, 0.5)
    )
    poses = {
        "table": pose((0.0, 0.0, 0.0)),
        "tray": pose((0.0, 0.0, 0.501), (0.0, 0.0, 0.5)),
        "cup": pose((0.05, 0.0, 0.543)),
        "plate": pose((0.05, 0.0, 0.522)),
        "can": pose((0.3, 0.0, 0.501)),
    }
    assert carried_by("tray", models, poses) == ["plate", "cup"]
    assert carried_by("plate", models, poses) == ["cup"]
    assert carried_by("tray", models, poses, held=["plate"]) == []
    assert carried_by("can", models, poses) == []


def test_what_stands_in_the_box_around_an_open_door_does_not_travel_with_it() -> None:
    models = things(door=(0.02, 0.5, 0.7), cup=(0.06, 0.06, 0.1))
    poses = {"door": pose((0.0, 0.0, 0.0), (0.0, 0.0, np.pi / 4)), "cup": pose((0.12, 0.12, 0.2))}
    assert carried_by("door", models, poses) == []


def test_what_is_beside_the_stick_of_a_broom_does_not_stand_on_it() -> None:
    """Within the box around all of it; on its brush, and on the rims of a box without a lid, a thing does."""
    models = things(can=(0.06, 0.06, 0.12), book=(0.5, 0.5, 0.02))
    stick, brush = (
        Shape("capsule", (0.012, 1.1), pose((0.0, 0.0, 0.7))),
        Shape("box", (0.4, 0.1, 0.06), pose((0.0, 0.0, 0.03))),
    )
    walls = [Shape("box", (0.01, 0.4, 0.2), pose((x, 0.0, 0.1))) for x in (-0.2, 0.2)]
    models["broom"] = ObjectModel("broom", "tool/broom", (stick, brush))
    models["crate"] = ObjectModel("crate", "furniture/crate", tuple(walls))
    poses = {"broom": np.eye(4), "crate": pose((3.0, 0.0, 0.0))}
    assert carried_by("broom", models, {**poses, "can": pose((0.1, 0.0, 0.7))}) == []
    assert carried_by("broom", models, {**poses, "can": pose((0.1, 0.0, 0.061))}) == ["can"]
    assert carried_by("crate", models, {**poses, "book": pose((3.0, 0.0, 0.201))}) == ["book"]
    assert carried_by("crate", models, {**poses, "can": pose((3.0, 0.0, 0.1))}) == []
