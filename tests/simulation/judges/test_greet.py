from __future__ import annotations

import numpy as np

from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.judges import Record, Step
from taskmatrix.simulation.judges.measures.boxes import centre
from taskmatrix.simulation.judges.measures.gaze import view_pose

from .setting import goal, record_of, robot, world
from .test_canned import playing


def greeting(beside: float, end_in_rest: bool = True) -> Record:
    """A wave, with the ball held before the eyes or ``beside`` [m] of the line of sight; then the posture rest."""
    own, wave = robot(), playing("wave", np.arange(0.0, 4.0, 0.01), wait=0)
    steps = []
    for step in wave.steps:
        X_WV = view_pose(own, step.q)
        point = X_WV[:3, 3] + 1.5 * X_WV[:3, 0] + beside * X_WV[:3, 2]
        steps.append(Step(step.q, {**world().poses, "tennis_ball": pose(point)}, {}))
        assert np.allclose(centre(world().objects["tennis_ball"], steps[-1].poses["tennis_ball"]), point, atol=1e-3)
    if end_in_rest:
        steps.append(Step(own.posture("rest"), steps[-1].poses, {}))
    return record_of(steps)


def test_a_wave_with_the_eyes_on_the_target_is_success() -> None:
    """And the arms come to rest."""
    assert goal("greet", greeting(0.0), target="tennis_ball", duration=4.0) == ""


def test_looking_aside_waving_too_shortly_or_not_resting_is_a_failure() -> None:
    """Each is named."""
    assert "the view was on" in goal("greet", greeting(0.3), target="tennis_ball", duration=4.0)
    assert "was played for" in goal("greet", greeting(0.0), target="tennis_ball", duration=8.0)
    assert "from the posture" in goal("greet", greeting(0.0, end_in_rest=False), target="tennis_ball", duration=4.0)


def creeping(span: float) -> Record:
    """The eyes on the ball, and so much [s] of a wave in four seconds."""
    own, wave = robot(), playing("wave", 0.3 + np.linspace(0.0, span, 400), wait=0)
    steps = []
    for step in wave.steps:
        X_WV = view_pose(own, step.q)
        steps.append(Step(step.q, {**world().poses, "tennis_ball": pose(X_WV[:3, 3] + 1.5 * X_WV[:3, 0])}, {}))
    return record_of([*steps, Step(own.posture("rest"), steps[-1].poses, {})])


def test_an_arm_that_hardly_moves_does_not_wave() -> None:
    """The pace is that of periodic-canned."""
    assert goal("greet", creeping(4.0), target="tennis_ball", duration=4.0) == ""
    assert "of 'wave' were played" in goal("greet", creeping(1.0), target="tennis_ball", duration=4.0)


def test_the_posture_in_the_end_is_the_one_asked_for() -> None:
    """Of the arms."""
    assert "from the posture" in goal("greet", greeting(0.0), target="tennis_ball", duration=4.0, rest="ready")
    assert "no posture" in goal("greet", greeting(0.0), target="tennis_ball", duration=4.0, rest="sleep")
