from __future__ import annotations

import numpy as np

from taskmatrix.simulation.judges import Record, Step

from .setting import goal, record_of, robot, start_step


def sweeping(yaw: float, pitch: float) -> Record:
    """The head swept by these shares of its ranges, around their middle."""
    own, start = robot(), start_step()
    steps = [start]
    for t in np.linspace(0.0, 2 * np.pi, 60):
        q = start.q.copy()
        for joint, share, phase in (("neck_yaw", yaw, t), ("neck_pitch", pitch, 2 * t)):
            k = own.joints.index(joint)
            middle, half = (own.lower[k] + own.upper[k]) / 2, (own.upper[k] - own.lower[k]) / 2
            q[k] = middle + share * half * np.sin(phase)
        steps.append(Step(q, start.poses, {}))
    return record_of(steps)


def test_both_ways_have_to_be_swept() -> None:
    """Six tenths of the range each."""
    assert goal("scan", sweeping(0.7, 0.7), duration=5.0) == ""
    assert "side to side" in goal("scan", sweeping(0.2, 0.7), duration=5.0)
    assert "up and down" in goal("scan", sweeping(0.7, 0.2), duration=5.0)


def test_no_more_is_asked_than_the_task_asks() -> None:
    """A narrow scan is a scan."""
    assert goal("scan", sweeping(0.2, 0.2), width=0.2, up=0.1, down=0.1) == ""
