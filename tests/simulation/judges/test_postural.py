from __future__ import annotations

import pytest

from taskmatrix.simulation.judges import Step
from taskmatrix.simulation.judges.measures.mirror import mirror_image

from .setting import goal, record_of, robot, start_step


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_posture_or_its_mirror_image_is_success(mirrored: bool) -> None:
    """And two hundredths off are not."""
    own, start = robot(), start_step()
    posture = own.postures["wave_ready_right"]
    taken = mirror_image(own, posture) if mirrored else posture
    assert taken is not None
    q = start.q.copy()
    for joint, position in taken.items():
        q[own.joints.index(joint)] = position
    assert goal("postural", record_of([start, Step(q, start.poses, {})]), posture="wave_ready_right") == ""
    q = q.copy()
    q[own.joints.index(next(iter(taken)))] += 0.02
    reason = goal("postural", record_of([start, Step(q, start.poses, {})]), posture="wave_ready_right")
    assert "0.020 from the posture" in reason


def test_an_unknown_posture_is_named() -> None:
    """Never a success."""
    assert "no posture 'sleep'" in goal("postural", record_of([start_step()] * 2), posture="sleep")


def test_the_mirror_image_counts_unless_it_was_forbidden() -> None:
    """With ``mirror`` False the posture is taken as it is named."""
    own, start = robot(), start_step()
    taken = mirror_image(own, own.postures["wave_ready_right"])
    assert taken is not None
    q = start.q.copy()
    for joint, position in taken.items():
        q[own.joints.index(joint)] = position
    record = record_of([start, Step(q, start.poses, {})])
    assert goal("postural", record, posture="wave_ready_right", mirror=True) == ""
    assert "from the posture" in goal("postural", record, posture="wave_ready_right", mirror=False)
