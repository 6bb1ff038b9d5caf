from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.robots import Robot
from taskmatrix.simulation.bullet.body import Body
from taskmatrix.simulation.bullet.description import add_link, write_urdf
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.physics.joints import LIFT, joint_axis
from taskmatrix.simulation.physics.mass import simulated_model
from taskmatrix.simulation.physics.presets import Physics
from taskmatrix.simulation.physics.wheels import Wheels

from ..physics.scenes import robot

NAMES = ("bandit", "g1", "mannequin", "talos", "alex")


def body_of(engine: Engine, robot: Robot, model: pin.Model) -> Body:
    radii = {}
    if robot.rolls:
        wheels = Wheels(robot, model)
        radii = dict.fromkeys(wheels.joints, wheels.radius)
    return Body(engine, robot, model, robot.posture(robot.stance), Physics(), radii)


@pytest.mark.pictures
@pytest.mark.parametrize("name", NAMES)
def test_every_link_is_where_the_model_has_it(engine: Engine, name: str) -> None:
    """At random positions of all joints: origins to a hundredth of a millimetre, turns likewise."""
    found, random = robot(name), np.random.default_rng(3)
    model = simulated_model(found)
    data, body = model.createData(), body_of(engine, found, model)
    for _ in range(3):
        q = random.uniform(-1.5, 1.5, model.nq)
        for joint in range(1, model.njoints):
            engine("resetJointState", body.id, body.links[model.names[joint]], q[joint - 1])
        pin.forwardKinematics(model, data, q)
        for joint in range(1, model.njoints):
            state = engine("getLinkState", body.id, body.links[model.names[joint]], computeForwardKinematics=1)
            R = np.reshape(engine.bullet.getMatrixFromQuaternion(state[5]), (3, 3))
            np.testing.assert_allclose(state[4], data.oMi[joint].translation, atol=1e-5)
            np.testing.assert_allclose(R, data.oMi[joint].rotation, atol=1e-5)


@pytest.mark.pictures
@pytest.mark.parametrize("name", NAMES)
def test_every_link_weighs_what_the_model_says(engine: Engine, name: str) -> None:
    """Mass, centre of mass and principal moments; x and y of the base carry next to nothing."""
    found = robot(name)
    model = simulated_model(found)
    body = body_of(engine, found, model)
    for joint in range(3, model.njoints):
        info = engine("getDynamicsInfo", body.id, body.links[model.names[joint]])
        inertia = model.inertias[joint]
        assert info[0] == pytest.approx(inertia.mass, rel=1e-6)
        np.testing.assert_allclose(info[3], inertia.lever, atol=1e-6)
        moments = np.linalg.eigvalsh(np.asarray(inertia.inertia))
        np.testing.assert_allclose(sorted(info[2]), moments, rtol=1e-4)
    for name_of_base in ("base_x", "base_y"):
        assert engine("getDynamicsInfo", body.id, body.links[name_of_base])[0] < 0.01


@pytest.mark.pictures
@pytest.mark.parametrize("name", ["asimo", "bandit", "nao", "pr2", "romeo", "talos"])
def test_joints_that_follow_do_so(engine: Engine, name: str) -> None:
    """Also while their leaders are turned by torques: to a hundredth of a radian, or millimetres."""
    found = robot(name)
    model = simulated_model(found)
    body = body_of(engine, found, model)
    engine("setGravity", 0.0, 0.0, 0.0)
    start = body.active()[0]
    leads = np.flatnonzero((np.abs(found.S) > 0).sum(axis=0) > 1)
    torques = np.zeros(found.n)
    torques[leads] = 0.02 * np.where(found.upper - start > start - found.lower, 1.0, -1.0)[leads]
    for _ in range(24):
        body.drive(torques)
        engine.step(1 / 240)
    q = body.read()[0]
    active = body.leaders(q)
    assert np.abs((active - start)[leads]).max() > 0.01
    np.testing.assert_allclose(q, found.expand(active), atol=0.01)


def test_an_axis_is_that_of_the_joint() -> None:
    """The base slides along x and y and turns about z."""
    model = robot("mannequin").model
    for joint, (slides, axis) in enumerate([(True, (1, 0, 0)), (True, (0, 1, 0)), (False, (0, 0, 1))], 1):
        found = joint_axis(model, joint)
        assert found[0] == slides
        np.testing.assert_allclose(found[1], axis, atol=1e-12)


def test_wheels_rest_on_the_floor_by_a_joint_of_their_own(tmp_path: Path) -> None:
    """The base may rise and sink, and a wheel is a sphere; without wheels there is no such joint."""
    found = robot("bandit")
    lifted = ET.parse(write_urdf(found, found.model, tmp_path, {"left_wheel": 0.1})).getroot()
    assert lifted.find(f"joint[@name='{LIFT}']/axis").get("xyz") == "0.0 0.0 1.0"  # type: ignore[union-attr]
    (sphere,) = lifted.findall("link[@name='left_wheel']/collision/geometry/sphere")
    assert sphere.get("radius") == "0.1"
    fixed = ET.parse(write_urdf(found, found.model, tmp_path, {})).getroot()
    assert fixed.find(f"joint[@name='{LIFT}']") is None


def test_principal_axes_stand_for_a_full_inertia() -> None:
    """Turned back they give it again, whatever their order: no mirror image among them."""
    random = np.random.default_rng(5)
    for _ in range(20):
        inertia = pin.Inertia.Random()
        inertia = pin.Inertia(random.uniform(0.1, 5.0), inertia.lever, inertia.inertia)
        root = ET.Element("robot")
        add_link(root, "link", inertia, [])
        origin, moments = root.find("link/inertial/origin"), root.find("link/inertial/inertia")
        assert origin is not None
        assert moments is not None
        R = pin.rpy.rpyToMatrix(*(float(v) for v in origin.get("rpy", "").split()))
        diagonal = np.diag([float(moments.get(key, "nan")) for key in ("ixx", "iyy", "izz")])
        np.testing.assert_allclose(R @ diagonal @ R.T, inertia.inertia, atol=1e-9)
