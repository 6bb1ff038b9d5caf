from __future__ import annotations

from dataclasses import replace

import pytest

from taskmatrix.core.world.geometry import inverse, planar, pose
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges import Record, Step
from taskmatrix.simulation.judges.measures.grasps import at_grasp, nearest_grasp
from taskmatrix.simulation.judges.tolerance import Tolerance

from .setting import goal, holding, record_of, robot, world


def fingers(width: float) -> Record:
    """Asimo's right hand at the first grasp of the vacuum that it can take, the fingers so far [m] apart."""
    own, q = robot("asimo"), robot("asimo").posture("stand").copy()
    for joint, position in own.hands["right"].closing(width).items():
        q[own.joints.index(joint)] = position
    grasp = next(grasp for grasp in world().objects["vacuum"].grasps if grasp.width <= own.hands["right"].aperture)
    poses = {**world().poses, "vacuum": hand_pose(own, "right", q) @ inverse(grasp.X_OH)}
    return record_of([Step(q, poses, {}), Step(q, poses, {"right": "vacuum"})], "asimo")


def test_an_object_held_where_it_was_is_success() -> None:
    """The hand closes, the object stays."""
    held = holding()
    before = Step(held.q, held.poses, {})
    assert goal("grasp", record_of([before, held]), object="vacuum") == ""


def test_an_object_that_is_not_held_or_was_pushed_is_a_failure() -> None:
    """By more than a millimetre."""
    held = holding()
    before = Step(held.q, held.poses, {})
    assert goal("grasp", record_of([before, before]), object="vacuum") == "no hand holds 'vacuum' at the end"
    pushed = Step(held.q, {**held.poses, "vacuum": pose((0.0, 0.0, 0.002)) @ held.poses["vacuum"]}, {})
    assert "moved by 2.0 mm" in goal("grasp", record_of([pushed, held]), object="vacuum")


def test_it_is_the_hand_and_the_grasp_that_were_asked_for() -> None:
    """Another hand, or another grasp, is no success."""
    held = holding("right", 0)
    record = record_of([Step(held.q, held.poses, {}), held])
    first, *others = (grasp.name for grasp in world().objects["vacuum"].grasps)
    assert goal("grasp", record, object="vacuum", hand="right", grasp=first) == ""
    assert goal("grasp", record, object="vacuum", hand="left") == "the right hand holds 'vacuum', not the left"
    assert "from the nearest grasp" in goal("grasp", record, object="vacuum", grasp=others[-1])


def test_the_fingers_have_to_be_closed() -> None:
    """To the width of the grasp."""
    width = next(grasp.width for grasp in world().objects["vacuum"].grasps if grasp.width <= 0.084)
    assert goal("grasp", fingers(width), object="vacuum") == ""
    assert "from where it closes on 'vacuum'" in goal("grasp", fingers(0.084), object="vacuum")
    assert "from where it closes on 'vacuum'" in goal("grasp", fingers(0.0), object="vacuum")


def test_fingers_may_curl_on_where_that_is_let_pass() -> None:
    """Further than the grasp is wide, but never less far."""
    closed, open_ = fingers(0.0), fingers(0.084)
    closed.tolerance = open_.tolerance = Tolerance(curl=2.0)
    assert goal("grasp", closed, object="vacuum") == ""
    assert "from where it closes on 'vacuum'" in goal("grasp", open_, object="vacuum")


@pytest.mark.parametrize(("offset", "fits"), [
    ((0.0, 0.0, -0.020), True),
    ((0.0, 0.0, -0.034), True),
    ((0.0, 0.0, -0.040), False),
    ((0.0, 0.0, 0.004), True),
    ((0.0, 0.0, 0.010), False),
    ((0.008, 0.0, -0.020), False),
])  # fmt: skip
def test_a_hand_may_hold_behind_a_grasp(offset: tuple[float, float, float], fits: bool) -> None:
    """Its palm may be too large for it: 3 cm back along its z, and 5 mm as ever, but not beside it or deeper."""
    held, grasp = holding(), world().objects["vacuum"].grasps[0]
    X_WG = hand_pose(robot(), "right", held.q) @ inverse(pose(offset))
    step = Step(held.q, {**held.poses, "vacuum": X_WG @ inverse(grasp.X_OH)}, held.held)
    record = record_of([step])
    _, distance, angle = nearest_grasp(record, step, "right", "vacuum", grasp.name)
    assert at_grasp(record, distance, angle) is fits


@pytest.mark.parametrize(("slope", "turn", "fits"), [
    (0.0, 0.3, False),
    (0.8, 0.3, True),
    (0.8, 0.82, True),
    (0.8, 0.9, False),
    (0.8, -0.3, False),
    (-0.8, -0.3, True),
])  # fmt: skip
def test_a_hand_with_a_slope_may_hold_turned(slope: float, turn: float, fits: bool) -> None:
    """About its z, to its own side, and 2 degrees as ever."""
    held, grasp = holding(), world().objects["vacuum"].grasps[0]
    own = robot()
    X_WG = hand_pose(own, "right", held.q) @ planar(0.0, 0.0, -turn)
    step = Step(held.q, {**held.poses, "vacuum": X_WG @ inverse(grasp.X_OH)}, held.held)
    record = record_of([step])
    record.robot = replace(
        own, hands={**own.hands, "right": replace(own.hands["right"], slope=slope, fingers="right_fingers")}
    )
    _, distance, angle = nearest_grasp(record, step, "right", "vacuum", grasp.name)
    assert at_grasp(record, distance, angle) is fits


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.5, -2.9])
@pytest.mark.parametrize(("palm", "tilt", "fits"), [(True, 0.0, True), (False, 0.0, False), (True, 0.1, False)])
def test_a_palm_holds_whichever_way_it_is_turned(turn: float, palm: bool, tilt: float, fits: bool) -> None:
    """About its z: fingers do not, and a palm that is tilted does not either."""
    held, grasp = holding(), world().objects["vacuum"].grasps[0]
    own = robot()
    X_WG = hand_pose(own, "right", held.q) @ pose(rpy=(tilt, 0.0, 0.0)) @ planar(0.0, 0.0, turn)
    step = Step(held.q, {**held.poses, "vacuum": X_WG @ inverse(grasp.X_OH)}, held.held)
    record = record_of([step])
    hand = replace(own.hands["right"], fingers=None if palm else "right_fingers")
    record.robot = replace(own, hands={**own.hands, "right": hand})
    _, distance, angle = nearest_grasp(record, step, "right", "vacuum", f"{grasp.name}/rolled/0")
    assert at_grasp(record, distance, angle) is (fits or (turn == 0.0 and tilt == 0.0))
