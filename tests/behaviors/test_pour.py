"""What is held is poured into something else; judged."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import Pickup, Pour, Tilt
from taskmatrix.behaviors.along.tilt import ThereAndBack, tilting
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.simulation.judges import judge_of

from .judged import Run

CAN = (Shape("cylinder", (0.03, 0.12), pose((0.0, 0.0, 0.06))),)
FROM_ABOVE = pose(rpy=(np.pi, 0.0, 0.0))
FROM_BEHIND = pose(rpy=(0.0, np.pi / 2, 0.0))  # its z along the world's x


def with_mug(robot: str) -> Run:
    """A robot that holds a can, and a mug on the table."""
    run = Run(robot, world="kitchen", seed=1)
    lower, upper = run.session.context.perception.object("table").box
    run.session.plant.set_pose("mug", pose((*((lower + upper) / 2)[:2], float(upper[2]) + 0.001)))
    run.session.look()
    run.prepare(Pickup(object="soda_can"))
    return run


def test_a_can_is_poured_into_a_mug() -> None:
    """With its rim over the mug as long as it is tilted far; and it is upright again."""
    run = with_mug("mannequin")
    facts = run.judged(Pour(object="soda_can", into="mug", angle=1.9))
    assert facts["tilt"] == pytest.approx(1.9, abs=0.05)
    assert facts["left"] == pytest.approx(0.0, abs=0.02)
    reason = judge_of("pour")(run.record, {"object": "soda_can", "into": "mug", "angle": 2.5}).reason
    assert "was tilted by 10" in reason
    reason = judge_of("pour")(run.record, {"object": "soda_can", "into": "cupboard", "angle": 1.9}).reason
    assert "the rim of 'soda_can' is not over 'cupboard'" in reason
    for into, kind in (("mugg", FailureKind.UNKNOWN_OBJECT), ("soda_can", FailureKind.PARAMETER)):
        failure = run.session.run(Tilt(object="soda_can", into=into)).failure
        assert failure is not None
        assert failure.kind is kind
    run.session.close()


@pytest.mark.parametrize(
    ("X_WH", "left", "rim"),
    [
        (FROM_BEHIND, True, (0.0, 0.03, 0.12)),
        (FROM_BEHIND, False, (0.0, -0.03, 0.12)),
        (FROM_ABOVE, False, (0.03, 0.0, 0.12)),
    ],
)
def test_it_turns_about_the_way_of_the_hand(X_WH: Array, left: bool, rim: tuple[float, float, float]) -> None:
    """To its left or right; of a hand from above, about its y."""
    axis, angle, point = tilting(CAN, np.eye(4), X_WH, left)
    assert angle == pytest.approx(0.0)
    assert axis[2] == 0.0
    assert np.abs(point) == pytest.approx(np.abs(rim))
    tilted = np.eye(4)
    from scipy.spatial.transform import Rotation  # noqa: PLC0415 - slow to load

    tilted[:3, :3] = Rotation.from_rotvec(0.7 * axis).as_matrix()
    again = tilting(CAN, tilted, X_WH, left)
    assert again[1] == pytest.approx(0.7)
    assert again[2] == pytest.approx(point)
    assert (tilted[:3, :3] @ point)[2] < 0.12  # the rim comes down


class Line:
    """One joint that moves evenly for two seconds."""

    indices = np.array([3])
    duration = 2.0

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        at = np.clip(np.asarray(time, dtype=float), 0.0, 2.0)[..., None]
        return at / 2.0, np.full_like(at, 0.5), np.zeros_like(at)


def test_there_and_back_is_the_same_way_twice() -> None:
    """With a pause, and velocities that are turned round."""
    both = ThereAndBack(Line(), 1.0)
    assert both.duration == 5.0
    q, v, _ = both.sample(np.array([0.0, 1.0, 2.5, 4.0, 5.0, 9.0]))
    assert q[:, 0] == pytest.approx([0.0, 0.5, 1.0, 0.5, 0.0, 0.0])
    assert v[1, 0] == 0.5
    assert v[3, 0] == -0.5
