from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.scenes.object_motion import Roll, Route
from taskmatrix.simulation.scenes.script import Script
from taskmatrix.simulation.scenes.world import GAP, World

from ..conftest import MakePlant
from .scenes import DT, ball, box, hold, move, poses, robot, still, world_of

pytestmark = pytest.mark.pictures
ROBOT = robot("mannequin")
STANCE = ROBOT.posture(ROBOT.stance)


def desk() -> World:
    """A box and a ball on the floor, far from the robot, and a wall."""
    return world_of(
        {
            "box": (box("box", (0.1, 0.1, 0.1)), pose((2.0, 0.0, 0.05 + GAP))),
            "ball": (ball("ball", 0.05), pose((2.0, 1.0, 0.05 + GAP))),
            "wall": (box("wall", (0.1, 4.0, 1.0), movable=False), pose((-2.0, 0.0, 0.5))),
        }
    )


def raised(found: Robot) -> Array:
    """Arms, and where it has them head and torso, elsewhere within the limits."""
    q = found.posture(found.stance)
    for name in {"head", "torso", *(hand.arm for hand in found.hands.values())} & set(found.chains):
        for joint in found.chains[name]:
            middle = (found.lower[joint] + found.upper[joint]) / 2
            q[joint] += 0.15 * np.sign(middle - q[joint]) * (found.upper[joint] - found.lower[joint] > 0.5)
    return q


@pytest.mark.parametrize("name", ["mannequin", "asimo"])
def test_joints_follow_within_hundredths_of_a_degree(plant: MakePlant, name: str) -> None:
    """All at once, and stop where they are told, under gravity."""
    found = robot(name)
    made = plant(found)
    off = move(made, found.posture(found.stance), raised(found), 1.5)
    assert np.degrees(max(off)) < 0.05
    hold(made, raised(found), 0.2)
    np.testing.assert_allclose(made.sense().q, raised(found), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bandit", "g1", "pr2", "talos"])
def test_the_other_robots_do_so_too(plant: MakePlant, name: str) -> None:
    """With hands, wheels and joints that follow others."""
    found = robot(name)
    made = plant(found)
    off = move(made, found.posture(found.stance), raised(found), 1.5)
    assert np.degrees(np.mean(off)) < 0.05
    assert np.degrees(max(off)) < 0.5


@pytest.mark.parametrize("settings", ["fast", "robust"])
def test_presets_differ_in_how_finely_they_follow(plant: MakePlant, settings: str) -> None:
    """And all of them follow."""
    made = plant(ROBOT, None, None, settings)
    assert np.degrees(max(move(made, STANCE, raised(ROBOT), 1.0))) < 0.2


def test_the_base_goes_where_it_is_told(plant: MakePlant) -> None:
    """By its constraint: to a millimetre."""
    made, target = plant(ROBOT), STANCE.copy()
    target[:3] = 0.3, -0.2, 0.5
    move(made, STANCE, target, 2.0)
    np.testing.assert_allclose(made.sense().q[:3], target[:3], atol=1e-3)


def test_wheels_roll_to_where_the_base_is_told(plant: MakePlant) -> None:
    """Ahead and on the spot, by friction: to centimetres and a degree; both wheels turn as far as they must."""
    found = robot("bandit")
    made, start = plant(found), found.posture("stand")
    ahead = start.copy()
    ahead[0] = 0.4
    move(made, start, ahead, 2.0)
    hold(made, ahead, 0.3)
    np.testing.assert_allclose(made.sense().q[:3], ahead[:3], atol=0.01)
    turned = ahead.copy()
    turned[2] = 0.5
    move(made, ahead, turned, 2.0)
    hold(made, turned, 0.3)
    np.testing.assert_allclose(made.sense().q[:3], turned[:3], atol=0.02)
    assert np.abs(made.sense().q[:2] - [0.4, 0.0]).max() < 0.01


def scramble(made: PhysicsPlant) -> tuple[Array, dict[str, Array]]:
    """Much that can happen, and what comes of it."""
    move(made, STANCE, raised(ROBOT), 0.3)
    made.push_object("box", np.array([3.0, 1.0, 0.0]), 0.1)
    made.push(np.array([0.01, 0.0, 0.02]))
    made.set_pose("ball", pose((2.0, 0.3, 0.4)))
    hold(made, raised(ROBOT), 0.4)
    return made.sense().q, poses(made)


def test_the_same_run_is_the_same_bit_for_bit(plant: MakePlant) -> None:
    """In worlds of PyBullet of their own, one after the other and side by side."""
    first = scramble(plant(ROBOT, desk()))
    other = plant(ROBOT, desk())
    hold(other, STANCE, 0.1)
    second = scramble(plant(ROBOT, desk()))
    np.testing.assert_array_equal(first[0], second[0])
    for id, X in first[1].items():
        np.testing.assert_array_equal(X, second[1][id])


def test_a_push_displaces_the_base_for_good(plant: MakePlant) -> None:
    """It does not come back, and the joints keep still."""
    made = plant(ROBOT)
    hold(made, STANCE, 0.05)
    made.push(np.array([0.1, -0.2, 0.3]))
    np.testing.assert_allclose(made.sense().q[:3], [0.1, -0.2, 0.3], atol=1e-6)
    hold(made, STANCE, 0.2)
    np.testing.assert_allclose(made.sense().q[:3], [0.1, -0.2, 0.3], atol=1e-4)
    np.testing.assert_allclose(made.sense().q[3:], STANCE[3:], atol=1e-3)


def test_weak_motors_let_arms_sink(plant: MakePlant) -> None:
    """A quarter of the torques is not enough for arms that are held out; with all of them they stay."""
    q = STANCE.copy()
    for side in ("left", "right"):
        q[ROBOT.indices(f"{side}_arm")[0]] -= 1.1 * np.sign(ROBOT.upper + ROBOT.lower)[ROBOT.indices(f"{side}_arm")[0]]
    low, high = plant(ROBOT, None, q), plant(ROBOT, None, q)
    low.weaken(0.0)
    hold(low, q, 0.3)
    hold(high, q, 0.3)
    assert np.abs(low.sense().q - q)[3:].max() > 0.1
    assert np.abs(high.sense().q - q)[3:].max() < 1e-3
    for share in (-0.1, 1.5):
        with pytest.raises(ParameterError, match="from 0 to 1"):
            high.weaken(share)


def test_a_joint_that_sticks_stays_behind(plant: MakePlant) -> None:
    """The others go on."""
    made, target = plant(ROBOT), raised(ROBOT)
    stuck, free = ROBOT.indices("left_arm")[0], ROBOT.indices("right_arm")[0]
    made.jam(ROBOT.joints[stuck])
    move(made, STANCE, target, 1.0)
    assert made.sense().q[stuck] == pytest.approx(STANCE[stuck], abs=0.01)
    assert made.sense().q[free] == pytest.approx(target[free], abs=0.01)


def test_a_joint_that_sticks_on_the_way_throws_no_other_off(plant: MakePlant) -> None:
    """They are never faster than they may be, and follow to a degree as soon as it is known."""
    made, target = plant(ROBOT), raised(ROBOT)
    shoulder = ROBOT.indices("left_arm")[0]
    others = np.setdiff1d(np.arange(3, ROBOT.n), shoulder)
    move(made, STANCE, (STANCE + target) / 2, 0.5)
    made.jam(ROBOT.joints[shoulder])
    fastest, off = 0.0, []
    for wanted in np.linspace((STANCE + target) / 2, target, 120):
        hold(made, wanted, DT)
        fastest = max(fastest, float((np.abs(made.sense().v) / ROBOT.velocity).max()))
        off.append(float(np.abs(made.sense().q - wanted)[others].max()))
    hold(made, target, 0.3)
    assert fastest <= 1.0
    assert np.degrees(max(off[60:])) < 1.0
    assert abs(made.sense().q - target)[shoulder] > 0.02
    assert np.degrees(np.abs(made.sense().q - target)[others].max()) < 0.1


def test_a_robot_that_is_told_to_stop_at_once_brakes(plant: MakePlant) -> None:
    """And comes back to where it was told to be: arms and base, in no more than their limits."""
    made, target = plant(ROBOT), raised(ROBOT)
    target[0] += 0.5
    for k in range(1, 61):
        q = STANCE + k / 120 * (target - STANCE)
        made.apply(Command(q, target - STANCE, np.zeros(ROBOT.n)), DT)
    fastest = 0.0
    for _ in range(120):
        hold(made, q, DT)
        fastest = max(fastest, float((np.abs(made.sense().v) / ROBOT.velocity).max()))
    assert fastest <= 1.0
    np.testing.assert_allclose(made.sense().q, q, atol=2e-3)


@pytest.mark.parametrize(("speed", "braked"), [(1.0 + 1e-7, False), (1.5, True)])
def test_a_joint_is_braked_when_it_is_faster_than_its_limit(plant: MakePlant, speed: float, braked: bool) -> None:
    """One that is as fast but for rounding is not: the motor that brakes it would hold it there."""
    made = plant(ROBOT)
    joint = int(ROBOT.indices("left_arm")[1])
    speeds = np.zeros(ROBOT.n)
    speeds[joint] = speed * ROBOT.velocity[joint]
    made._brake(speeds, [])
    assert made._body._braked == ({joint} if braked else set())


def test_a_joint_that_does_not_exist_cannot_stick(plant: MakePlant) -> None:
    """The error names the nearest that does."""
    joint = ROBOT.joints[ROBOT.indices("left_arm")[0]]
    with pytest.raises(NotFoundError, match=f"did you mean '{joint}'"):
        plant(ROBOT).jam(joint + "x")


def test_torques_hold_the_weight_and_nothing_more_at_rest(plant: MakePlant) -> None:
    """The last torques are told with what they are made of."""
    made = plant(ROBOT)
    hold(made, STANCE, 0.5)
    parts = made.torque_parts
    assert set(parts) == {"acceleration", "feedback", "weight"}
    np.testing.assert_allclose(made.torques[3:], parts["weight"][3:], atol=0.3)
    np.testing.assert_allclose(parts["acceleration"], 0.0, atol=1e-6)


def test_what_is_put_in_the_air_falls(plant: MakePlant) -> None:
    """At its rate, and its percept has the velocity."""
    made = plant(ROBOT, desk())
    made.set_pose("ball", pose((2.0, 1.0, 2.0)))
    hold(made, STANCE, 0.5)
    (percept,) = (percept for percept in made.observe() if percept.model.id == "ball")
    assert percept.velocity[2] == pytest.approx(-9.81 * 0.5, rel=0.01)
    assert percept.X_WO[2, 3] == pytest.approx(2.0 - 9.81 * 0.125, abs=0.02)


def test_what_is_taken_away_is_away_until_it_is_put_back(plant: MakePlant) -> None:
    """It has no pose in the meantime."""
    made = plant(ROBOT, desk())
    made.remove("ball")
    hold(made, STANCE, 0.3)
    assert "ball" not in poses(made)
    with pytest.raises(NotFoundError, match="ball"):
        made.set_pose("ball", np.eye(4))
    there = pose((2.0, -1.0, 0.05 + GAP))
    made.add("ball", there)
    hold(made, STANCE, 0.3)
    np.testing.assert_allclose(poses(made)["ball"], there, atol=1e-3)


def test_objects_follow_their_scripts(plant: MakePlant) -> None:
    """One rolls along its route, one comes and goes."""
    world = desk().scripted("box", Script(None, 0.1, 0.2))
    world = world.scripted("ball", Script(Roll(Route(np.array([[0.0, 0.0], [1.0, 0.0]]), 0.5), 0.05)))
    made, there, start = plant(ROBOT, world), [], world.poses["ball"]
    for k in range(30):
        made.apply(still(STANCE), DT)
        there.append("box" in poses(made))
        np.testing.assert_allclose(
            poses(made)["ball"][:3, 3], world.scripts["ball"].pose((k + 1) * DT, start, np.eye(3))[:3, 3], atol=0.01
        )
    assert there == [0.1 <= (k + 1) * DT < 0.2 for k in range(30)]


def test_a_push_of_an_object_ends(plant: MakePlant) -> None:
    """It gains force by time, less friction, and comes to rest."""
    made = plant(ROBOT, desk())
    made.push_object("box", np.array([5.0, 0.0, 0.0]), 0.1)
    hold(made, STANCE, 0.1)
    (percept,) = (percept for percept in made.observe() if percept.model.id == "box")
    gained = (5.0 - 0.6 * 0.5 * 9.81) * 0.1 / 0.5
    assert percept.velocity[0] == pytest.approx(gained, rel=0.12)  # MuJoCo's box hops as it slides
    hold(made, STANCE, 0.5)
    (percept,) = (percept for percept in made.observe() if percept.model.id == "box")
    assert abs(percept.velocity[0]) < 1e-3
    with pytest.raises(ParameterError, match="longer than 0 s"):
        made.push_object("box", np.ones(3), 0.0)


def test_names_that_do_not_exist_are_named(plant: MakePlant) -> None:
    """With the nearest that does."""
    made = plant(ROBOT, desk())
    with pytest.raises(NotFoundError, match="did you mean 'box'"):
        made.attach("left", "boxx")
    with pytest.raises(NotFoundError, match="did you mean 'left'"):
        made.attach("leftt", "box")
    with pytest.raises(NotFoundError, match="did you mean 'wall'"):
        made.push_object("wal", np.ones(3), 1.0)
    with pytest.raises(NotFoundError, match="did you mean 'default'"):
        plant(ROBOT, None, None, "defalt")


def test_hands_in_the_air_feel_nothing(plant: MakePlant) -> None:
    """No force, no contact, no slip, for each link that may touch."""
    made = plant(ROBOT)
    hold(made, STANCE, 0.1)
    felt = made.feel()
    assert set(felt) == set(ROBOT.hands)
    for hand, state in felt.items():
        assert set(state.contact) == set(ROBOT.hands[hand].touch)
        assert not any(state.contact.values())
        np.testing.assert_array_equal(state.force, 0.0)
        assert state.slip == 0.0


def test_the_truth_is_not_changed_by_its_readers(plant: MakePlant) -> None:
    """Positions are copies."""
    made = plant(ROBOT, desk())
    truth = made.truth()
    truth["q"][0] = 99.0  # type: ignore[index]
    truth["poses"].clear()  # type: ignore[attr-defined]
    assert made.sense().q[0] == STANCE[0]
    assert set(poses(made)) == {"box", "ball", "wall"}


ARM = [ROBOT.joints.index(name) for name in ("right_shoulder_pitch", "right_elbow")]


def sprung(plant: PhysicsPlant, torque: Array, stiffness: float, damping: float, seconds: float) -> Array:
    """(2,) How far two joints of an arm are from the stance, after they were springs about it for some time."""
    joints, each = np.array(ARM), np.ones(2)
    asked = Impedance(torque, stiffness * each, damping * each)
    impedance = Impedance.none(ROBOT.n).replaced(joints, asked)
    for _ in range(round(seconds / DT)):
        plant.apply(replace(still(STANCE), impedance=impedance), DT)
    off: Array = (plant.sense().q - STANCE)[ARM]
    return off


@pytest.mark.parametrize("stiffness", [20.0, 200.0, 1e5])
def test_a_torque_leans_on_a_spring_by_its_stiffness(plant: MakePlant, stiffness: float) -> None:
    """With the weight taken off, torque over stiffness; also one that is stiffer than a step of the physics."""
    made = plant(ROBOT, desk(), STANCE)
    hold(made, STANCE, 0.1)
    weight = made.torques[ARM].copy()
    off = sprung(made, weight + np.array([0.0, 1.0]), stiffness, 0.05 * stiffness, 1.0)
    np.testing.assert_allclose(off, [0.0, 1.0 / stiffness], atol=0.006)  # weight changes as it leans
    assert made.torques[ARM[1]] == pytest.approx(weight[1] + 1.0 - stiffness * off[1], abs=0.05)


def test_an_arm_that_floats_is_pushed_and_is_then_held_where_it_is(plant: MakePlant) -> None:
    """A force on the hand moves it; no joint of another chain gives way; and nothing jumps when the force is over."""
    made = plant(ROBOT, desk(), STANCE)
    hold(made, STANCE, 0.1)
    made.push_link("right_forearm", np.array([10.0, 0.0, 0.0]), 0.3)
    off = sprung(made, made.torques[ARM].copy(), 0.0, 0.5, 0.3)
    assert np.abs(off).max() > 0.05
    others = np.delete(made.sense().q - STANCE, ARM)
    assert np.abs(others).max() < 0.002
    q = made.sense().q.copy()
    hold(made, q, 0.5)
    assert np.abs(made.sense().q - q).max() < 0.05
    assert np.abs(made.sense().v).max() < 0.01


def test_what_cannot_be_pushed_is_named(plant: MakePlant) -> None:
    """A link, and a time."""
    made = plant(ROBOT, desk(), STANCE)
    with pytest.raises(NotFoundError, match="no link 'right_forarm' in robot 'mannequin'; did you mean"):
        made.push_link("right_forarm", np.zeros(3), 1.0)
    with pytest.raises(ParameterError, match=r"a push takes longer than 0 s, not 0\.0"):
        made.push_link("right_forearm", np.zeros(3), 0.0)
