from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import bounding_box, inverse, pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.kinematic import Drift, KinematicPlant
from taskmatrix.simulation.scenes.object_motion import Roll, Route
from taskmatrix.simulation.scenes.script import Script
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world

DT = 0.01


@pytest.fixture(scope="module")
def robot() -> Robot:
    return load_robot("mannequin")


@pytest.fixture(scope="module")
def world(robot: Robot) -> World:
    return load_world("sparse", shoulder_height=robot.shoulder_height)


def stance(robot: Robot) -> Array:
    return robot.posture(robot.stance)


def plant_of(robot: Robot, world: World, drift: Drift | None = None) -> KinematicPlant:
    return KinematicPlant(robot, world, stance(robot), drift)


def command(q: Array) -> Command:
    return Command(q, np.zeros(len(q)), np.zeros(len(q)))


def moved(robot: Robot, steps: int) -> Array:
    """Walking ahead and turning, an arm rising."""
    q = stance(robot)
    q[:3] = 0.004 * steps, -0.002 * steps, 0.01 * steps
    q[robot.joints.index("left_shoulder_pitch")] += 0.01 * steps
    return q


def test_joints_go_where_they_are_told(robot: Robot, world: World) -> None:
    """Within one step, with the velocity and acceleration of that step."""
    plant = plant_of(robot, world)
    plant.apply(command(moved(robot, 1)), DT)
    first = plant.sense()
    np.testing.assert_array_equal(first.q, moved(robot, 1))
    np.testing.assert_allclose(first.v, (moved(robot, 1) - stance(robot)) / DT)
    np.testing.assert_allclose(first.a, first.v / DT)
    plant.apply(command(moved(robot, 1)), DT)
    np.testing.assert_array_equal(plant.sense().v, 0.0)
    np.testing.assert_allclose(plant.sense().a, -first.v / DT)


def test_the_base_is_off_by_the_drift_and_nothing_else_is(robot: Robot, world: World) -> None:
    """By what the drift says at that time, from where it was told to go; it does not add up."""
    plant = plant_of(robot, world, lambda time: np.array([0.1 * time, 0.0, -0.2 * time]))
    for step in range(1, 6):
        plant.apply(command(moved(robot, step)), DT)
        off = plant.sense().q - moved(robot, step)
        np.testing.assert_allclose(off[:3], [0.1 * step * DT, 0.0, -0.2 * step * DT], atol=1e-15)
        np.testing.assert_array_equal(off[3:], 0.0)


def test_a_held_object_keeps_its_place_in_the_hand(robot: Robot, world: World) -> None:
    """From attachment on; before and after it stays in the world."""
    plant = plant_of(robot, world)
    X_WO = plant.truth()["poses"]["soda_can"]  # type: ignore[index]
    plant.apply(command(moved(robot, 1)), DT)
    np.testing.assert_array_equal(plant.truth()["poses"]["soda_can"], X_WO)  # type: ignore[index]
    plant.attach("left", "soda_can")
    X_HO = inverse(hand_pose(robot, "left", plant.sense().q)) @ X_WO
    for step in range(2, 8):
        plant.apply(command(moved(robot, step)), DT)
        X_WH = hand_pose(robot, "left", plant.sense().q)
        np.testing.assert_allclose(plant.truth()["poses"]["soda_can"], X_WH @ X_HO, atol=1e-12)  # type: ignore[index]
    assert plant.truth()["held"] == {"left": "soda_can"}
    plant.detach("left")
    there = plant.truth()["poses"]["soda_can"]  # type: ignore[index]
    plant.apply(command(moved(robot, 20)), DT)
    np.testing.assert_array_equal(plant.truth()["poses"]["soda_can"], there)  # type: ignore[index]
    assert plant.truth()["held"] == {}


def test_a_held_objects_velocity_is_the_change_of_its_pose(robot: Robot, world: World) -> None:
    """Linear by differences, angular from the turning base; zero once it is put down."""
    plant = plant_of(robot, world)
    plant.attach("right", "soda_can")
    q = stance(robot)
    poses = []
    for step in range(1, 4):
        q[:3] = 0.004 * step, 0.0, 0.01 * step
        plant.apply(command(q), DT)
        poses.append(plant.truth()["poses"]["soda_can"])  # type: ignore[index]
    (percept,) = (percept for percept in plant.observe() if percept.model.id == "soda_can")
    np.testing.assert_allclose(percept.velocity[:3], (poses[-1] - poses[-2])[:3, 3] / DT, atol=1e-9)
    np.testing.assert_allclose(percept.velocity[3:], [0.0, 0.0, 1.0], atol=1e-9)
    assert percept.held_by == "right"
    plant.detach("right")
    (percept,) = (percept for percept in plant.observe() if percept.model.id == "soda_can")
    np.testing.assert_array_equal(percept.velocity, 0.0)
    assert percept.held_by is None


def test_an_object_is_in_one_hand_and_a_hand_holds_one_object(robot: Robot, world: World) -> None:
    """The hand that takes it over has it; what a hand held before stays behind, at rest."""
    plant = plant_of(robot, world)
    plant.attach("left", "soda_can")
    plant.attach("right", "soda_can")
    assert plant.truth()["held"] == {"right": "soda_can"}
    plant.apply(command(moved(robot, 1)), DT)
    plant.attach("right", "tennis_ball")
    assert plant.truth()["held"] == {"right": "tennis_ball"}
    (can,) = (percept for percept in plant.observe() if percept.model.id == "soda_can")
    assert can.held_by is None
    np.testing.assert_array_equal(can.velocity, 0.0)


def test_letting_go_of_nothing_is_nothing(robot: Robot, world: World) -> None:
    """An empty hand stays empty."""
    plant = plant_of(robot, world)
    plant.detach("left")
    assert plant.truth()["held"] == {}


def test_names_that_do_not_exist_are_named(robot: Robot, world: World) -> None:
    """With the nearest that does."""
    plant = plant_of(robot, world)
    with pytest.raises(NotFoundError, match="did you mean 'soda_can'"):
        plant.attach("left", "soda_cann")
    with pytest.raises(NotFoundError, match="did you mean 'left'"):
        plant.attach("leftt", "soda_can")
    with pytest.raises(NotFoundError, match="did you mean 'vacuum'"):
        plant.set_pose("vacum", np.eye(4))


def poses(plant: KinematicPlant) -> dict[str, Array]:
    return plant.truth()["poses"]  # type: ignore[return-value]


def run(plant: KinematicPlant, robot: Robot, seconds: float) -> None:
    for _ in range(round(seconds / DT)):
        plant.apply(command(stance(robot)), DT)


def test_what_is_absent_is_in_no_answer(robot: Robot, world: World) -> None:
    """Removed, an object has no pose and is not observed; added again, it is where it is put, at rest."""
    plant = plant_of(robot, world)
    plant.remove("soda_can")
    plant.remove("soda_can")
    assert "soda_can" not in poses(plant)
    assert "soda_can" not in {percept.model.id for percept in plant.observe()}
    with pytest.raises(NotFoundError, match="soda_can"):
        plant.set_pose("soda_can", np.eye(4))
    with pytest.raises(NotFoundError, match="soda_can"):
        plant.attach("left", "soda_can")
    plant.add("soda_can", pose((1, 2, 3)))
    np.testing.assert_array_equal(poses(plant)["soda_can"], pose((1, 2, 3)))
    with pytest.raises(NotFoundError, match="did you mean 'soda_can'"):
        plant.add("soda_cann", np.eye(4))
    with pytest.raises(NotFoundError, match="did you mean 'soda_can'"):
        plant.remove("soda_cann")


def test_what_is_taken_away_leaves_the_hand(robot: Robot, world: World) -> None:
    """The hand holds nothing then."""
    plant = plant_of(robot, world)
    plant.attach("left", "soda_can")
    plant.remove("soda_can")
    assert plant.truth()["held"] == {}
    run(plant, robot, 0.02)


def test_a_push_displaces_the_base_at_once_and_for_good(robot: Robot, world: World) -> None:
    """Also what it holds; commands arrive off by that, pushes add up, and the joints are untouched."""
    plant = plant_of(robot, world)
    plant.attach("left", "soda_can")
    X_HO = inverse(hand_pose(robot, "left", plant.sense().q)) @ poses(plant)["soda_can"]
    plant.push(np.array([0.1, -0.2, 0.3]))
    np.testing.assert_allclose(plant.sense().q[:3], [0.1, -0.2, 0.3])
    X_WH = hand_pose(robot, "left", plant.sense().q)
    np.testing.assert_allclose(poses(plant)["soda_can"], X_WH @ X_HO, atol=1e-12)
    plant.push(np.array([0.1, 0.0, 0.0]))
    plant.apply(command(moved(robot, 1)), DT)
    off = plant.sense().q - moved(robot, 1)
    np.testing.assert_allclose(off[:3], [0.2, -0.2, 0.3])
    np.testing.assert_array_equal(off[3:], 0.0)


BALL = Script(Roll(Route(np.array([[0.0, 0.0], [1.0, 0.0]]), 0.5), 0.0335))


def test_scripted_objects_move_with_their_velocity(robot: Robot, world: World) -> None:
    """Where the script says at that time; its velocity is that of the change, and zero at rest."""
    plant = plant_of(robot, world.scripted("tennis_ball", BALL))
    run(plant, robot, 0.5)
    start, axes = world.poses["tennis_ball"], world.axes("tennis_ball")
    np.testing.assert_allclose(poses(plant)["tennis_ball"], BALL.pose(0.5, start, axes), atol=1e-9)
    (ball,) = (percept for percept in plant.observe() if percept.model.id == "tennis_ball")
    np.testing.assert_allclose(ball.velocity[:3], [0.5, 0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(ball.velocity[3:], [0.0, 0.5 / 0.0335, 0.0], atol=1e-3)
    run(plant, robot, 4.5)
    (ball,) = (percept for percept in plant.observe() if percept.model.id == "tennis_ball")
    np.testing.assert_allclose(ball.velocity, 0.0, atol=1e-12)


def test_what_was_held_or_put_somewhere_moves_by_itself_no_more(robot: Robot, world: World) -> None:
    """The script does not take it back."""
    for touch in ("attach", "set_pose"):
        plant = plant_of(robot, world.scripted("tennis_ball", BALL))
        run(plant, robot, 0.5)
        there = poses(plant)["tennis_ball"]
        if touch == "attach":
            plant.attach("left", "tennis_ball")
            run(plant, robot, 0.1)
            plant.detach("left")
        else:
            plant.set_pose("tennis_ball", there)
        run(plant, robot, 0.5)
        np.testing.assert_allclose(poses(plant)["tennis_ball"], there, atol=1e-12)


def test_objects_appear_and_disappear_in_time(robot: Robot, world: World) -> None:
    """Present from the step that reaches the one time to before the one that reaches the other."""
    plant = plant_of(robot, world.scripted("stool", Script(None, 0.05, 0.1)))
    there = ["stool" in poses(plant)]
    for _ in range(12):
        plant.apply(command(stance(robot)), DT)
        there.append("stool" in poses(plant))
    assert there == [False] * 5 + [True] * 5 + [False] * 3


def test_a_held_vacuum_takes_in_debris_near_its_tip(robot: Robot, world: World) -> None:
    """Within its range, and only while a hand holds it."""
    plant = plant_of(robot, world)
    X_OT = world.objects["vacuum"].frames["tip"]
    plant.set_pose("vacuum", world.poses["confetti_1"] @ pose((0, 0, 0.03)) @ inverse(X_OT))
    plant.set_pose("confetti_2", world.poses["confetti_1"] @ pose((0.06, 0, 0)))
    run(plant, robot, DT)
    assert "confetti_1" in poses(plant)
    plant.attach("left", "vacuum")
    run(plant, robot, DT)
    assert "confetti_1" not in poses(plant)
    assert {f"confetti_{k}" for k in range(2, 7)} <= set(poses(plant))


def test_the_truth_is_not_changed_by_its_readers(robot: Robot, world: World) -> None:
    """Positions are copies, and the world's own poses stay as they are."""
    plant = plant_of(robot, world)
    truth = plant.truth()
    truth["q"][0] = 99.0  # type: ignore[index]
    assert plant.sense().q[0] == stance(robot)[0]
    before = world.poses["soda_can"].copy()
    plant.set_pose("soda_can", np.eye(4))
    np.testing.assert_array_equal(world.poses["soda_can"], before)
    np.testing.assert_array_equal(plant.truth()["poses"]["soda_can"], np.eye(4))  # type: ignore[index]


def test_what_is_put_elsewhere_is_in_no_hand(robot: Robot, world: World) -> None:
    """Nor does the next step bring it back."""
    plant = plant_of(robot, world)
    plant.attach("left", "vacuum")
    elsewhere = pose((1.0, 2.0, 0.5))
    plant.set_pose("vacuum", elsewhere)
    plant.apply(command(moved(robot, 1)), DT)
    assert plant.truth()["held"] == {}
    np.testing.assert_array_equal(poses(plant)["vacuum"], elsewhere)


def test_what_was_grasped_does_not_disappear_from_the_hand(robot: Robot, world: World) -> None:
    """Nor is what was put somewhere before its time put to where it would have appeared."""
    timed = world.scripted("vacuum", Script(disappears=0.05)).scripted("broom", Script(appears=0.05))
    plant = plant_of(robot, timed)
    plant.attach("left", "vacuum")
    elsewhere = pose((1.0, 2.0, 0.5))
    plant.add("broom", elsewhere)
    run(plant, robot, 0.1)
    assert plant.truth()["held"] == {"left": "vacuum"}
    np.testing.assert_array_equal(poses(plant)["broom"], elsewhere)


def holding_the_door(robot: Robot) -> tuple[KinematicPlant, Array]:
    """A plant whose right hand holds the bar of a door, and its configuration."""
    world = load_world("kitchen", shoulder_height=robot.shoulder_height)
    q = robot.posture("ready")
    plant = KinematicPlant(robot, world, q)
    grasp = world.objects["cupboard_door"].grasps[0]
    X_WH = hand_pose(robot, "right", q)
    about = X_WH @ inverse(world.poses["cupboard_door"] @ grasp.X_OH)
    for id in ("cupboard", "cupboard_door"):
        plant.set_pose(id, about @ world.poses[id])
    plant.attach("right", "cupboard_door")
    return plant, q


def test_a_part_is_led_by_its_joint_and_slips_out_of_a_hand_that_goes_elsewhere(robot: Robot) -> None:
    """Within its limits, however the hand pulls."""
    plant, q = holding_the_door(robot)
    joint = load_world("kitchen").objects["cupboard_door"].joint
    assert joint is not None
    poses = plant.truth()["poses"]
    assert isinstance(poses, dict)
    for _ in range(100):
        q = q.copy()
        q[0] -= 0.004
        plant.apply(command(q), DT)
        X_PO = inverse(plant._poses["cupboard"]) @ plant._poses["cupboard_door"]
        position = joint.position(X_PO)
        np.testing.assert_allclose(joint.at(position)[:3, :3], X_PO[:3, :3], atol=1e-9)
        assert joint.lower - 1e-9 <= position <= joint.upper + 1e-9
        if not plant.held():
            break
    assert not plant.held()


def test_what_stands_on_what_is_held_travels_with_it(robot: Robot, world: World) -> None:
    """Until somebody takes it away; a state that is restored has it still."""
    plant, q = plant_of(robot, world), stance(robot)
    plant.set_pose("vacuum", pose((1.0, 0.0, 1.0)))
    X_WV = plant._poses["vacuum"]
    plant.attach("right", "vacuum")
    plant.add("soda_can", X_WV @ pose((0.0, 0.0, 0.08)))
    lower, upper = (corner[2] for corner in bounding_box(world.objects["vacuum"].shapes, X_WV))
    plant.add("soda_can", pose((*X_WV[:2, 3], (lower + upper) / 2)))
    offset = inverse(plant._poses["vacuum"]) @ plant._poses["soda_can"]
    state = plant.save()
    for made in range(2):
        for k in range(1, 5):
            q[0] = 0.01 * k
            plant.apply(command(q), DT)
        np.testing.assert_allclose(inverse(plant._poses["vacuum"]) @ plant._poses["soda_can"], offset, atol=1e-9)
        if not made:
            plant.restore(state)
    plant.remove("soda_can")
    plant.apply(command(q), DT)
    assert "soda_can" not in plant._poses


def test_what_a_hand_pushes_slides_ahead_of_it_with_what_stands_on_it(robot: Robot, world: World) -> None:
    """No further than it is pushed, without turning, and only while it is said to."""
    plant = plant_of(robot, world)
    X_WH = hand_pose(robot, "left", stance(robot))
    plant.set_pose("vacuum", pose(X_WH[:3, 3] + [0.35, 0.0, -0.1]))
    top = bounding_box(world.objects["vacuum"].shapes, plant.truth()["poses"]["vacuum"])[1]  # type: ignore[index]
    under = bounding_box(world.objects["soda_can"].shapes, np.eye(4))[0][2]
    plant.set_pose("soda_can", pose((*(X_WH[:2, 3] + [0.35, 0.0]), top[2] - under)))
    start = dict(plant.truth()["poses"])  # type: ignore[call-overload]

    def walk(steps: range) -> dict[str, Array]:
        for step in steps:
            q = stance(robot)
            q[0] += 0.004 * step
            plant.apply(command(q), DT)
        return {id: X_WO - start[id] for id, X_WO in plant.truth()["poses"].items()}  # type: ignore[attr-defined]

    assert not any(change.any() for change in walk(range(50)).values())  # nobody said so
    walk(range(50, -1, -1))
    plant.slide("left", "vacuum")
    gone = walk(range(100))
    assert 0.1 < gone["vacuum"][0, 3] < 0.4
    np.testing.assert_allclose(gone["soda_can"], gone["vacuum"], atol=1e-9)
    np.testing.assert_array_equal(np.delete(gone["vacuum"], 3), 0.0)
    assert not gone["table"].any()
    saved = plant.save()
    further = walk(range(100, 110))["vacuum"]
    plant.restore(saved)
    np.testing.assert_array_equal(walk(range(100, 110))["vacuum"], further)
    plant.slide("left", None)
    np.testing.assert_array_equal(walk(range(110, 120))["vacuum"], further)


def test_what_takes_two_goes_with_the_first_hand_and_slips_out_of_one_that_goes_elsewhere(robot: Robot) -> None:
    q = stance(robot)
    plant = plant_of(robot, load_world("canteen", shoulder_height=robot.shoulder_height))
    for hand in ("left", "right"):
        plant.attach(hand, "crate")
    (percept,) = (each for each in plant.observe() if each.model.id == "crate")
    assert percept.holders == ("left", "right")
    before = percept.X_WO
    q[robot.joints.index("right_shoulder_pitch")] += 0.02
    plant.apply(command(q), DT)
    assert plant.held() == {"left": "crate", "right": "crate"}
    q[robot.joints.index("right_shoulder_pitch")] += 0.5
    plant.apply(command(q), DT)
    assert plant.held() == {"left": "crate"}
    (percept,) = (each for each in plant.observe() if each.model.id == "crate")
    assert pose_error(before, percept.X_WO)[0] < 1e-9
