"""Robots in MJCF become URDFs that move as MuJoCo moves them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots.adoption import propose
from taskmatrix.robots.loading.urdf_checks import with_cylinders
from taskmatrix.robots.mjcf.compiled import is_mjcf
from taskmatrix.robots.mjcf.to_urdf import Converted, write_urdf

ROBOT = """
<mujoco>
  <default><default class="drawn"><geom contype="0" conaffinity="0" group="2"/></default></default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  0.1 0 0  0 0.1 0  0 0 0.2"/>
    <material name="blue" rgba="0.1 0.2 0.9 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="box" pos="2 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="trunk" pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.15 0.2" mass="5"/>
      <geom type="mesh" mesh="wedge" class="drawn" material="blue" mass="0"/>
      <camera name="eye" pos="0.1 0 0.1" xyaxes="0 -1 0 0 0 1"/>
      <camera name="director" pos="3 0 1"/>
      <body name="arm" pos="0.1 0.2 0.1" euler="10 20 30">
        <joint name="shoulder_pitch" axis="0 1 0" pos="0.01 0.02 0.03" range="-90 90" ref="15" damping="0.2"/>
        <joint name="shoulder_roll" axis="1 0 1" pos="0 0 0.05" range="-50 60" actuatorfrcrange="-40 40"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
        <body name="forearm" pos="0.3 0 0">
          <joint name="slide" type="slide" axis="1 0 0" range="-0.1 0.2" ref="0.05"/>
          <geom type="ellipsoid" size="0.1 0.02 0.03" pos="0.1 0 0"/>
          <site name="tool" pos="0.2 0 0" euler="0 90 0"/>
          <body name="left_finger" pos="0.2 0.02 0"><joint name="left" axis="0 0 1" range="0 60"/>
            <geom type="sphere" size="0.01"/></body>
          <body name="right_finger" pos="0.2 -0.02 0"><joint name="right" axis="0 0 1" range="-60 0"/>
            <geom type="cylinder" size="0.01 0.02"/></body>
        </body>
      </body>
      <body name="wheel" pos="0 0 -0.3"><joint name="wheel" axis="0 1 0"/>
        <geom type="cylinder" size="0.1 0.02" euler="90 0 0"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="right" joint2="left" polycoef="0.1 -1 0 0 0"/></equality>
  <contact><exclude body1="arm" body2="wheel"/></contact>
  <actuator><motor joint="wheel" gear="20" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="wave" qpos="2 0 0.1 1 0 0 0  0 0 1 1 0 0 0  0.5 -0.2 0.1 0.3 -0.3 0"/></keyframe>
</mujoco>
"""
BALL = """
<mujoco><worldbody><body name="post"><geom size="0.1"/>
  <body name="head" pos="0 0 0.5"><joint name="neck" type="ball" pos="0 0 -0.1" range="0 40"/><geom size="0.1"/></body>
</body></worldbody></mujoco>
"""


def converted(text: str, folder: Path) -> Converted:
    file = folder / "robot.xml"
    file.write_text(text)
    return write_urdf(file, folder / "out")


def joint(robot: Converted, name: str) -> ET.Element:
    found = ET.parse(robot.urdf).getroot().find(f"joint[@name='{name}']")
    assert found is not None
    return found


def test_it_moves_as_in_mujoco(tmp_path: Path) -> None:
    """Anchors off the origin, references, several joints on a body: every body is where MuJoCo has it."""
    robot = converted(ROBOT, tmp_path)
    model = pin.buildModelFromXML(ET.tostring(with_cylinders(ET.parse(robot.urdf).getroot()), encoding="unicode"))
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    state, data, rng = mujoco.MjData(theirs), model.createData(), np.random.default_rng(0)
    for _ in range(20):
        q = pin.neutral(model)
        for name in ("shoulder_pitch", "shoulder_roll", "slide", "left", "right"):
            value = rng.uniform(-1.0, 1.0)
            state.joint(name).qpos[0] = value
            q[model.joints[model.getJointId(name)].idx_q] = value
        mujoco.mj_kinematics(theirs, state)
        pin.framesForwardKinematics(model, data, q)
        base = state.body("trunk").xpos
        tool, theirs_tool = data.oMf[model.getFrameId("tool")], state.site("tool")
        np.testing.assert_allclose(tool.translation, theirs_tool.xpos - base, atol=1e-8)
        np.testing.assert_allclose(tool.rotation, theirs_tool.xmat.reshape(3, 3), atol=1e-8)
        for link, body in (("left_finger", "left_finger"), ("right_finger", "right_finger"), ("wheel_link", "wheel")):
            ours = data.oMf[model.getFrameId(link)]
            np.testing.assert_allclose(ours.translation, state.body(body).xpos - base, atol=1e-8)


def test_masses_and_bodies_are_those_of_mujoco(tmp_path: Path) -> None:
    robot = converted(ROBOT, tmp_path)
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    root = ET.parse(robot.urdf).getroot()
    masses = sum(float(mass.get("value", 0.0)) for mass in root.iter("mass"))
    assert masses == pytest.approx(theirs.body("trunk").subtreemass[0])
    trunk = root.find("link[@name='trunk']")
    assert trunk is not None
    assert [len(trunk.findall(tag)) for tag in ("visual", "collision")] == [2, 1]  # the mesh is only drawn
    assert trunk.find("visual/material/color[@rgba='0.1 0.2 0.9 1']") is not None
    assert (robot.urdf.parent / "meshes" / "wedge.stl").is_file()
    assert root.find("link[@name='forearm']/collision/geometry/mesh") is not None  # an ellipsoid


def test_limits_efforts_and_what_follows(tmp_path: Path) -> None:
    robot = converted(ROBOT, tmp_path)
    limit = joint(robot, "shoulder_roll").find("limit")
    assert limit is not None
    np.testing.assert_allclose(np.degrees(float(limit.get("upper", 0))), 60.0, atol=1e-6)
    assert limit.get("effort") == "40"
    wheel = joint(robot, "wheel")
    assert wheel.get("type") == "continuous"
    assert wheel.find("limit[@effort='20']") is not None
    assert joint(robot, "slide").get("type") == "prismatic"
    mimic = joint(robot, "right").find("mimic")
    assert mimic is not None
    assert mimic.attrib == {"joint": "left", "multiplier": "-1", "offset": "0.1"}


def test_what_is_no_part_of_the_robot_is_told(tmp_path: Path) -> None:
    robot = converted(ROBOT, tmp_path)
    texts = [note.text for note in robot.notes]
    assert "MJCF: the robot is 'trunk' with all that it carries; left out: box" in texts
    assert "MJCF: the camera 'director' looks at the robot from outside" in texts
    assert ET.parse(robot.urdf).getroot().find("link[@name='eye_camera_optical_frame']") is not None


def test_keyframes_and_excluded_contacts_are_the_srdf(tmp_path: Path) -> None:
    robot = converted(ROBOT, tmp_path)
    root = ET.parse(robot.srdf).getroot()
    state = root.find("group_state[@name='wave']")
    assert state is not None
    assert {each.get("name"): each.get("value") for each in state}["shoulder_pitch"] == "0.5"
    assert root.find("disable_collisions[@link1='arm'][@link2='wheel_link']") is not None


def test_a_ball_joint_is_three_hinges(tmp_path: Path) -> None:
    robot = converted(BALL, tmp_path)
    limits = [joint(robot, f"neck_{letter}").find("limit") for letter in "xyz"]
    assert all(limit is not None and float(limit.get("upper", 0)) == pytest.approx(np.radians(40)) for limit in limits)
    model = pin.buildModelFromUrdf(str(robot.urdf))
    data = model.createData()
    pin.framesForwardKinematics(model, data, np.array([0.0, np.pi / 2, 0.0]))
    np.testing.assert_allclose(data.oMf[model.getFrameId("head")].translation, [0.0, 0.0, 0.4], atol=1e-9)


def test_the_base_of_a_planar_robot_is_the_adapters(tmp_path: Path) -> None:
    """Slides over the floor and the hinge that turns all of it are left out."""
    text = """
    <mujoco><worldbody><body name="cart">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <joint name="turn" axis="0 0 1"/><geom size="0.1"/>
      <body name="arm" pos="0 0 0.5"><joint name="arm" axis="0 1 0" range="-90 90"/><geom size="0.1"/></body>
    </body></worldbody></mujoco>"""
    robot = converted(text, tmp_path)
    assert [each.get("name") for each in ET.parse(robot.urdf).getroot().iter("joint")] == ["arm"]
    assert "MJCF: x, y, turn carry the whole robot; the base of the adapter does" in [n.text for n in robot.notes]


def test_it_can_be_proposed(tmp_path: Path) -> None:
    proposal = propose(converted(ROBOT, tmp_path).urdf, tmp_path / "out" / "robot.srdf")
    assert {"shoulder_pitch", "shoulder_roll", "slide"} <= set(proposal.tree.active)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<mujoco><worldbody><bodi/></worldbody></mujoco>", r"robot\.xml: line 1: .*bodi"),
        ("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", "there is no robot in it"),
        ("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>", "there is no robot"),
        ("<mujoco><worldbody>", r"robot\.xml: "),
    ],
)
def test_what_is_no_robot_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(RobotError, match=problem):
        converted(text, tmp_path)
    assert not (tmp_path / "out").exists()


def test_mjcf_is_told_by_its_first_element(tmp_path: Path) -> None:
    for name, text, expected in (
        ("a.xml", "<mujoco/>", True),
        ("b.xml", "<robot/>", False),
        ("c.xml", "", False),
        ("d.urdf", "<mujoco/>", False),
    ):
        (tmp_path / name).write_text(text)
        assert is_mjcf(tmp_path / name) is expected
    assert not is_mjcf(tmp_path / "none.xml")
