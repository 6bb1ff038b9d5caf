"""What holds for every robot of the library, and what is known of each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot

# height [m], degrees of freedom without the base, mass [kg]: thesis 5.3; the others from their URDFs, in stance
KNOWN = {
    "asimo": (1.24, 26, 54.0),
    "bandit": (1.75, 23, 72.0),
    "g1": (1.308, 43, 34.4),
    "icub": (1.045, 32, 28.3),
    "mannequin": (1.48, 27, 45.0),
    "nao": (0.563, 25, 6.2),
    "pr2": (1.527, 20, 257.2),
    "romeo": (1.380, 33, 40.5),
    "talos": (1.69, 32, 93.3),
}
DOWN = {"icub": 29.0, "nao": 29.0}  # [deg] by the published limits of the neck; 44 of the others
SIDES = {"left_arm": 7, "right_arm": 7, "left_hand": 1, "right_hand": 1, "left_leg": 6, "right_leg": 6}
CHAINS = {
    "g1": {"torso": 3, **SIDES, "left_hand": 7, "right_hand": 7},
    "icub": {"torso": 3, "head": 3, **{name: n for name, n in SIDES.items() if "hand" not in name}},
    "nao": {"head": 2, "left_arm": 5, "right_arm": 5, "left_hand": 1, "right_hand": 1, "legs": 11},
    "pr2": {"laser": 1, "lift": 1, "head": 2, **{name: n for name, n in SIDES.items() if "leg" not in name}},
    "romeo": {"torso": 1, "head": 4, **SIDES},
    "asimo": {"head": 2, "left_arm": 5, "right_arm": 5, "left_hand": 1, "right_hand": 1, "left_leg": 6, "right_leg": 6},
    "bandit": {"head": 2, "face": 3, "left_arm": 7, "right_arm": 7, "left_hand": 1, "right_hand": 1, "wheels": 2},
    "mannequin": {"torso": 2, "head": 3, "left_arm": 6, "right_arm": 6, "left_leg": 5, "right_leg": 5},
    "talos": {
        "torso": 2,
        "head": 2,
        "left_arm": 7,
        "right_arm": 7,
        "left_hand": 1,
        "right_hand": 1,
        "left_leg": 6,
        "right_leg": 6,
    },
}


def test_stature_is_the_published_one(robot: Robot) -> None:
    """Height, degrees of freedom and mass are those of the thesis."""
    height, count, mass = KNOWN[robot.name]
    assert robot.height == pytest.approx(height, abs=0.005)
    assert robot.n - 3 == count
    assert pin.computeTotalMass(robot.model) == pytest.approx(mass, abs=0.5)
    assert 0.64 < robot.shoulder_height / robot.height < 0.85


def test_chains_have_their_degrees_of_freedom_and_share_none(robot: Robot) -> None:
    """Chains have the sizes of the thesis' figures; together they are all joints, each once."""
    assert {name: len(chain) for name, chain in robot.chains.items() if name != "base"} == CHAINS[robot.name]
    assert sorted(i for chain in robot.chains.values() for i in chain) == list(range(robot.n))


def test_the_base_comes_first_as_three_single_joints(robot: Robot) -> None:
    """The full configuration is a plain vector whose first three entries are x, y and yaw of the root."""
    model = robot.model
    assert robot.joints[:3] == ("base_x", "base_y", "base_yaw")
    assert model.nq == model.nv == robot.S.shape[0]
    data, q = model.createData(), robot.posture("stand")
    pin.forwardKinematics(model, data, robot.expand(q))
    before = [X.copy() for X in data.oMi]
    q[:3] = 1.5, -0.7, 0.9
    pin.forwardKinematics(model, data, robot.expand(q))
    moved = pin.SE3(pin.utils.rotate("z", 0.9), np.array([1.5, -0.7, 0.0]))
    for X, Y in list(zip(before, data.oMi, strict=True))[3:]:
        assert Y.isApprox(moved * X, 1e-9)


def test_full_configurations_stay_within_the_model_limits(robot: Robot) -> None:
    """Whatever the active coordinates are within their limits, the joints that follow keep theirs, if they can."""
    rng = np.random.default_rng(0)
    odd = [line.partition(":")[0] for line in robot.limit_reports if line.endswith("not kept")]
    kept = np.ones(robot.model.nq, dtype=bool)
    kept[[robot.model.joints[robot.model.getJointId(name)].idx_q for name in odd]] = False
    for _ in range(50):
        full = robot.expand(rng.uniform(robot.lower, robot.upper))
        assert np.all((full >= robot.model.lowerPositionLimit - 1e-9)[kept])
        assert np.all((full <= robot.model.upperPositionLimit + 1e-9)[kept])


def test_velocities_are_capped(robot: Robot) -> None:
    """No joint but a driven wheel is faster than 2 rad/s or than its URDF allows; the base keeps its limits."""
    assert np.all(robot.velocity[:3] <= [0.6, 0.6, 1.0])
    assert np.all(robot.acceleration[:3] <= [0.8, 0.8, 1.5])
    assert np.all(robot.velocity > 0.0)
    wheels = robot.chains.get("wheels", ()) if robot.rolls else ()
    legs = [joint for chain, joints in robot.chains.items() if "leg" in chain for joint in joints]
    assert np.delete(robot.velocity, [*wheels, *legs]).max() <= 2.0
    assert robot.velocity[legs].max(initial=0.0) <= 6.0
    assert np.all(np.abs(robot.S[3:, 3:]) @ robot.velocity[3:] <= np.maximum(robot.model.velocityLimit[3:], 2.0) + 1e-9)


def test_every_posture_is_within_limits_and_free_of_contact(robot: Robot) -> None:
    """All postures of the data file can be taken."""
    data, geometry_data = robot.model.createData(), robot.collision_data()
    assert {"stand", "rest", "ready", "wave_ready_right"} <= set(robot.postures)
    for name in robot.postures:
        q = robot.posture(name, (0.3, -0.2, 0.5))
        assert q[:3].tolist() == [0.3, -0.2, 0.5]
        assert np.all(q >= robot.lower)
        assert np.all(q <= robot.upper)
        assert not pin.computeCollisions(robot.model, data, robot.collision, geometry_data, robot.expand(q), True), name


def test_hands_are_in_front_when_ready(robot: Robot) -> None:
    """In `ready` both grasp frames are in front of the body, at its two sides, between knee and shoulder."""
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.expand(robot.posture("ready")))
    for hand in robot.hands.values():
        x, y, z = (data.oMf[robot.model.getFrameId(hand.frame)].homogeneous @ hand.X_LH)[:3, 3]
        assert 0.15 < x < 0.8
        assert (y > 0) == (hand.name == "left")
        assert 0.4 * robot.shoulder_height < z < robot.shoulder_height


def test_the_robot_looks_ahead(robot: Robot) -> None:
    """At yaw zero the view looks along x with z up, from the head's height, and the axes are orthonormal."""
    assert robot.view is not None
    if "head" not in robot.chains:
        pytest.skip("its camera is fixed")
    data = robot.model.createData()
    q = robot.posture("stand")
    q[list(robot.chains["head"])] = 0.0
    pin.framesForwardKinematics(robot.model, data, robot.expand(q))
    X = data.oMf[robot.model.getFrameId(robot.view.frame)].homogeneous @ robot.view.X_LV
    np.testing.assert_allclose(X[:3, :3].T @ X[:3, :3], np.eye(3), atol=1e-9)
    np.testing.assert_allclose(np.cross(X[:3, 0], X[:3, 1]), X[:3, 2], atol=1e-9)
    assert X[0, 0] > 0.98
    assert X[2, 1] > 0.98
    assert X[2, 3] > robot.shoulder_height


def test_the_head_can_look_down_anywhere_in_its_range(robot: Robot) -> None:
    """No combination of neck angles makes the head touch the body, and it looks as far down as is known of it."""
    if "head" not in robot.chains:
        pytest.skip("it has no neck")
    data, geometry_data, q = robot.model.createData(), robot.collision_data(), robot.posture("stand")
    head = [i for i in robot.chains["head"] if "roll" not in robot.joints[i].lower()]
    corners = np.stack(np.meshgrid(*(np.linspace(robot.lower[i], robot.upper[i], 7) for i in head)), axis=-1)
    for angles in corners.reshape(-1, len(head)):
        q[head] = angles
        assert not pin.computeCollisions(robot.model, data, robot.collision, geometry_data, robot.expand(q), True)
    tilts = [i for i in head if any(word in robot.joints[i].lower() for word in ("pitch", "tilt", "head_1"))]
    assert sum(robot.upper[tilts]) > np.radians(DOWN.get(robot.name, 44.0))


@pytest.mark.parametrize("name", ["asimo", "bandit", "mannequin"])
def test_inertias_are_those_of_possible_bodies(name: str) -> None:
    """Each link's inertia is positive definite, its principal moments obey the triangle inequality."""
    for inertia in list(load_robot(name).model.inertias)[4:]:
        moments = np.linalg.eigvalsh(inertia.inertia)
        assert inertia.mass > 0.0
        assert moments[0] > 0.0
        assert moments[0] + moments[1] > moments[2]


def test_pictures_show_every_link_where_the_model_has_it(robot: Robot) -> None:
    """Visuals are placed by the model's joints, and their files exist."""
    q = robot.posture("ready", (0.5, 0.2, 1.0))
    placements = robot.visual_placements(q)
    assert placements.shape == (len(robot.visuals), 4, 4)
    assert all(shape.mesh is None or shape.mesh.is_file() for shape in robot.visuals)
    assert all(len(shape.color) == 4 and np.array_equal(shape.X_OS, np.eye(4)) for shape in robot.visuals)
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.expand(q))
    for body, X in zip(robot.visual_model.geometryObjects, placements, strict=True):
        frame = robot.model.frames[body.parentFrame]
        expected = data.oMf[body.parentFrame] * frame.placement.inverse() * body.placement
        np.testing.assert_allclose(X, expected.homogeneous, atol=1e-9)


def test_names_that_do_not_exist_offer_the_nearest(robot: Robot) -> None:
    """Chains and postures are looked up with a helpful error."""
    with pytest.raises(NotFoundError, match=r"no chain 'left_amr'.*did you mean 'left_arm'"):
        robot.indices("left_amr")
    with pytest.raises(NotFoundError, match=r"no posture 'stadn'.*did you mean 'stand'"):
        robot.posture("stadn")
    assert robot.indices("base", "right_arm") == (0, 1, 2, *robot.chains["right_arm"])


@pytest.mark.parametrize("name", ["bandit", "mannequin"])
def test_bodies_are_what_pictures_show(name: str) -> None:
    """Every vertex that is seen is within 10 mm of its link's collision body, and the other way round."""
    robot = load_robot(name)
    dot, request = coal.Sphere(1e-6), coal.DistanceRequest()

    def far(points: Array, shapes: list[Any]) -> float:
        gaps = [
            min(
                coal.distance(s, coal.Transform3s.Identity(), dot, coal.Transform3s(np.eye(3), p), request, result)
                for s in shapes
            )
            for p in points
            for result in [coal.DistanceResult()]
        ]
        return float(max(gaps))

    for frame in {body.parentFrame for body in robot.collision.geometryObjects}:
        solid = [body.geometry for body in robot.collision.geometryObjects if body.parentFrame == frame]
        seen = [body.geometry for body in robot.visual_model.geometryObjects if body.parentFrame == frame]
        visible = np.vstack([np.asarray(mesh.vertices()) for mesh in seen])
        corners = np.vstack([np.asarray(body.points()) for body in solid])
        assert far(visible[::5], solid) < 0.010, robot.model.frames[frame].name
        assert far(corners[::3], seen) < 0.010, robot.model.frames[frame].name


def test_each_thread_computes_in_data_of_its_own() -> None:
    """And always in the same: to make them takes a hundred times as long as to place the joints."""
    robot = load_robot("asimo")
    with ThreadPoolExecutor(1) as pool:
        others = [pool.submit(lambda: robot.data).result() for _ in range(2)]
    assert robot.data is robot.data
    assert others[0] is others[1]
    assert others[0] is not robot.data
