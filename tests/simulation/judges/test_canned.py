from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import Record, Step
from taskmatrix.simulation.judges.measures.mirror import mirrored, partner

from .setting import goal, record_of, robot, start_step


def playing(motion: str, times: Array, other_side: bool = False, noise: float = 0.0, wait: int = 20) -> Record:
    """A record in which a motion is played at the given times [s] of it, after standing for some steps."""
    own, start = robot(), start_step()
    data = own.motions[motion]
    Q, phases = (
        np.tile(start.q, (len(times), 1)),
        times % data.duration if data.periodic else times.clip(max=data.duration),
    )
    for joint, track in data.keyframes.items():
        at, positions = np.array(track).T
        values = CubicSpline(at, positions, bc_type="periodic" if data.periodic else "clamped")(phases)
        if other_side:
            values = [mirrored(own, joint, float(value)) for value in values]
        where = partner(own, joint) if other_side else joint
        Q[:, own.joints.index(where)] = values + noise * np.sin(np.arange(len(times)))
    steps = [*[start] * wait, *(Step(q, start.poses, {}) for q in Q)]
    return record_of([*steps, *[steps[-1]] * 30])


@pytest.mark.parametrize("other_side", [False, True])
def test_a_wave_from_some_time_on_is_success(other_side: bool) -> None:
    """From any phase, with either hand, a little slower, within the tolerance."""
    times = 0.7 + np.arange(0.0, 4.0, 0.01) * 0.9
    record = playing("wave", times, other_side, noise=0.01)
    assert goal("periodic-canned", record, motion="wave", duration=4.0) == ""


def test_a_wave_that_is_too_short_or_stands_still_or_is_off_is_a_failure() -> None:
    """Each with what was measured."""
    short = playing("wave", np.arange(0.0, 2.0, 0.01))
    assert "was played for 1.9" in goal("periodic-canned", short, motion="wave", duration=4.0)
    still = playing("wave", np.zeros(400))
    assert goal("periodic-canned", still, motion="wave", duration=4.0) != ""
    off = playing("wave", np.arange(0.0, 4.0, 0.01), noise=0.08)
    assert goal("periodic-canned", off, motion="wave", duration=4.0) != ""
    assert "no motion 'dance'" in goal("periodic-canned", short, motion="dance", duration=4.0)


def test_an_aperiodic_motion_is_played_from_beginning_to_end() -> None:
    """Slower is well, half of it is not, backwards is not."""
    whole = np.arange(0.0, 2.41, 0.008)
    assert goal("aperiodic-canned", playing("nod", whole), motion="nod") == ""
    assert "only" in goal("aperiodic-canned", playing("nod", np.arange(0.0, 1.3, 0.01)), motion="nod")
    late = playing("nod", np.arange(0.35, 2.41, 0.01), wait=0)
    assert goal("aperiodic-canned", late, motion="nod") != ""


def test_the_side_that_was_asked_for_counts() -> None:
    """A wave of the other arm is another wave; a nod has no mirror image."""
    times = np.arange(0.0, 4.0, 0.01)
    for other_side in (False, True):
        record = playing("wave", times, other_side)
        assert goal("periodic-canned", record, motion="wave", duration=4.0, mirrored=other_side) == ""
        assert goal("periodic-canned", record, motion="wave", duration=4.0, mirrored=not other_side) != ""
    assert goal("aperiodic-canned", playing("nod", times), motion="nod", mirrored=True) != ""


def test_a_motion_lasts_as_long_as_it_was_asked_to() -> None:
    """Half as fast is success where that was asked for, and only there."""
    slow = playing("nod", np.arange(0.0, 2.41, 0.005))
    assert goal("aperiodic-canned", slow, motion="nod", duration=4.8) == ""
    assert "took" in goal("aperiodic-canned", slow, motion="nod")
    fast = playing("nod", np.arange(0.0, 2.41, 0.02))
    assert goal("aperiodic-canned", fast, motion="nod", duration=1.2) == ""
    assert goal("aperiodic-canned", fast, motion="nod") != ""
