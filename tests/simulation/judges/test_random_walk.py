from __future__ import annotations

import numpy as np

from taskmatrix.simulation.judges import Record, Step

from .setting import goal, record_of, start_step


def walking(speed: float, turn: float = 0.1) -> Record:
    start = start_step()
    steps = []
    for k in range(200):
        q = start.q.copy()
        q[0], q[2] = speed * 0.01 * k, turn * np.sin(k / 20)
        steps.append(Step(q, start.poses, {}))
    return record_of(steps)


def test_a_walk_moves_turns_and_stays_in_its_region() -> None:
    """Each of the three is asked for."""
    assert goal("random-walk", walking(0.3), duration=2.0) == ""
    assert goal("random-walk", walking(0.3), duration=2.0, xmax=1.0) == ""
    assert goal("random-walk", walking(0.3), duration=2.0, xmax=0.5) == "the base was 0.097 m beyond xmax"
    assert "the base moved by" in goal("random-walk", walking(0.01), duration=2.0)
    assert goal("random-walk", walking(0.3, turn=0.0), duration=2.0) == "the base turned by 0.0 deg in all"
    assert "in all" in goal("random-walk", walking(0.3, turn=0.001), duration=2.0)


def test_a_walk_lasts_as_long_as_it_was_asked_to() -> None:
    """A single step of a second is none of half a minute."""
    assert goal("random-walk", walking(0.3), duration=30.0) == "the run took 1.99 s, not 30.00"
    assert goal("random-walk", walking(0.3)) == ""


def test_who_sways_on_the_spot_does_not_walk() -> None:
    """A centimetre and half a degree to and fro in every step are a long way, and lead nowhere."""
    start = start_step()
    steps = []
    for k in range(200):
        q = start.q.copy()
        q[0], q[2] = 0.01 * (k % 2), 0.008 * (k % 2)
        steps.append(Step(q, start.poses, {}))
    assert goal("random-walk", record_of(steps), duration=1.9) == "the base moved by 0.01 m, not by 0.04"
