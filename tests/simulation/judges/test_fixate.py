from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import Step
from taskmatrix.simulation.judges.measures.boxes import centre
from taskmatrix.simulation.judges.measures.gaze import FACING, gaze_error, least_gaze_error

from .setting import goal, record_of, robot, start_step, world


def test_the_view_has_to_be_within_three_degrees() -> None:
    """Turning the base to the object and bowing the head is success, four degrees beside it are not."""
    start, own = start_step(), robot()
    point = centre(world().objects["broom"], world().poses["broom"])
    joints = [*own.chains["base"], *own.chains["head"]]
    assert least_gaze_error(own, start.q, point, joints) < 0.01
    from scipy.optimize import minimize  # noqa: PLC0415

    def error(x: np.ndarray) -> float:
        q = start.q.copy()
        q[joints[2:]] = np.clip(x, own.lower[joints[2:]], own.upper[joints[2:]])
        return gaze_error(own, q, point)

    found = minimize(error, np.array([np.arctan2(point[1], point[0]), 0.0, 0.3, 0.0]), method="Nelder-Mead").x
    q = start.q.copy()
    q[joints[2:]] = np.clip(found, own.lower[joints[2:]], own.upper[joints[2:]])
    assert goal("fixate", record_of([start, Step(q, start.poses, {})]), target="broom") == ""
    q[2] += np.deg2rad(5.0)
    assert "deg off 'broom', and could be" in goal(
        "fixate", record_of([start, Step(q, start.poses, {})]), target="broom"
    )


def test_a_target_that_is_gone_is_not_faced() -> None:
    """And is named."""
    start = start_step()
    record = record_of([start, Step(start.q, {}, {})])
    assert goal("fixate", record, target="broom") == "'broom' is not there at the end"


def test_a_neck_that_something_stops_on_the_way_cannot_face_what_is_beyond() -> None:
    """A hand before the face, say, which the head would have to go through."""
    start, own, point = start_step(), robot(), np.array([1.0, 0.4, 1.0])
    neck = list(own.indices("head"))
    facing: list[Array] = []

    def remembered(q: Array) -> bool:
        facing.append(q)
        return True

    assert least_gaze_error(own, start.q, point, neck, FACING, remembered) < FACING
    turned = facing[0] - start.q
    most = int(np.abs(turned).argmax())

    def stopped(q: Array) -> bool:
        return bool(abs(q[most] - start.q[most] - turned[most] / 2) > 0.1 * abs(turned[most]))

    assert stopped(facing[0])
    assert least_gaze_error(own, start.q, point, neck, FACING, stopped) > FACING
