"""Scenes in MJCF become worlds."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError, WorldError
from taskmatrix.core.world.geometry import bounding_box, inverse
from taskmatrix.core.world.objects import GRASPABLE
from taskmatrix.simulation.scenes.world import GAP
from taskmatrix.simulation.scenes.world_loader import load_world

AXES = ("1 0 0", "0 1 0", "0 0 1")
DESK = Path(__file__).parents[2] / "examples" / "desk.xml"


def scene(body: str, folder: Path, rest: str = "") -> Path:
    file = folder / "scene.xml"
    file.write_text(f"<mujoco><worldbody>{body}</worldbody>{rest}</mujoco>")
    return file


def test_a_desk() -> None:
    """Furniture stands where the file has it, what has a free joint can be carried and stands on what is below it."""
    world = load_world(DESK)
    assert list(world.objects) == ["wall", "desk", "cup", "bottle", "drawers", "drawer"]
    assert {id for id, model in world.objects.items() if model.movable} == {"cup", "bottle"}
    assert world.default_object == "cup"
    assert world.default_surface == world.placements["bottle"].on == "desk"
    bottle = world.objects["bottle"]
    assert bottle.mass == pytest.approx(0.4)
    assert bottle.is_a(GRASPABLE)
    np.testing.assert_allclose(bottle.frames["cap"][:3, 3], [0.0, 0.0, 0.1])
    np.testing.assert_allclose(world.poses["desk"][:3, 3], [0.0, 0.6, 0.0], atol=1e-12)
    np.testing.assert_allclose(world.poses["bottle"][:3, 3], [0.2, 0.45, 0.825 + GAP], atol=1e-9)
    lower, upper = bounding_box(world.objects["cup"].shapes, world.poses["cup"])
    np.testing.assert_allclose([lower[2], upper[2]], [0.725 + GAP, 0.815 + GAP], atol=1e-6)


def test_the_robot_starts_beside_the_default_object_and_looks_at_it() -> None:
    world = load_world(DESK)
    x, y, yaw = np.mean(world.start, axis=0)
    cup = world.poses["cup"][:2, 3] - (x, y)
    assert np.linalg.norm(cup) < 1.0
    np.testing.assert_allclose(cup / np.linalg.norm(cup), [np.cos(yaw), np.sin(yaw)], atol=0.05)


def test_what_moves_by_a_joint_is_a_part() -> None:
    """Closed where it is at first, in the direction in which it opens."""
    world = load_world(DESK)
    joint = world.objects["drawer"].joint
    assert joint is not None
    assert (joint.kind, joint.parent, joint.lower, joint.upper) == ("slide", "drawers", 0.0, 0.3)
    np.testing.assert_allclose(world.poses["drawer"][:3, 3], [1.1, 0.41, 0.45], atol=1e-9)
    np.testing.assert_allclose((world.poses["drawers"] @ joint.at(0.3))[:3, 3], [1.1, 0.11, 0.45], atol=1e-9)
    assert world.objects["drawer"].is_a(GRASPABLE)


def test_a_door_that_opens_backwards_and_is_hinged_beside_its_middle(tmp_path: Path) -> None:
    """From 0 to -90 degrees: open is where the range is furthest from the start."""
    body = """
      <body name="oven"><geom type="box" size="0.3 0.3 0.3" pos="0 0 0.3"/>
        <body name="flap" pos="0 -0.32 0.3"><joint name="flap" axis="-1 0 0" pos="0 0 -0.2" range="-90 0"/>
          <geom type="box" size="0.2 0.01 0.2"/><site name="rim" pos="0 0 0.2"/></body></body>"""
    world = load_world(scene(body, tmp_path))
    flap, joint = world.objects["flap"], world.objects["flap"].joint
    assert joint is not None
    assert joint.share(joint.position(inverse(world.poses["oven"]) @ world.poses["flap"])) == pytest.approx(0.0)
    np.testing.assert_allclose((world.poses["flap"] @ flap.frames["rim"])[:3, 3], [0.0, -0.32, 0.5], atol=1e-6)
    X_open = world.poses["oven"] @ joint.at(joint.upper)
    np.testing.assert_allclose((X_open @ flap.frames["rim"])[:3, 3], [0.0, -0.72, 0.1], atol=1e-6)


def test_other_joints_stay_and_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Without limits, several on a body, and of parts of parts."""
    body = """
      <body name="shelf"><geom type="box" size="0.3 0.3 0.3" pos="0 0 0.3"/>
        <body name="wheel" pos="0 -0.4 0.3"><joint name="spin" axis="0 1 0"/><geom type="sphere" size="0.05"/></body>
        <body name="door" pos="0 -0.4 0.5"><joint name="door" axis="0 0 1" range="0 90"/><geom size="0.05"/>
          <body name="knob" pos="0 -0.1 0"><joint name="knob" axis="0 1 0" range="0 90"/><geom size="0.02"/></body>
        </body>
      </body>"""
    with caplog.at_level(logging.WARNING, "taskmatrix"):
        world = load_world(scene(body, tmp_path))
    assert caplog.messages == [
        "scene.xml: joints of 'shelf' stay: spin",
        "scene.xml: joints of 'door' stay: knob",
    ]
    assert list(world.objects) == ["shelf", "door"]
    assert [len(model.shapes) for model in world.objects.values()] == [2, 2]


def test_the_floor_is_at_zero_and_robots_are_left_out(tmp_path: Path) -> None:
    body = """
      <geom type="plane" size="1 1 1" pos="0 0 -0.5"/>
      <body name="crate" pos="1 0 -0.4"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
      <body name="arm"><joint name="arm"/><geom size="0.1"/></body>"""
    world = load_world(scene(body, tmp_path, '<actuator><motor joint="arm"/></actuator>'))
    assert set(world.objects) == {"crate"}
    np.testing.assert_allclose(world.poses["crate"][:3, 3], [1.0, 0.0, 0.1 + GAP], atol=1e-9)


def test_six_joints_carry_as_a_free_one(tmp_path: Path) -> None:
    joints = "".join(f"<joint type='{kind}' axis='{axis}'/>" for kind in ("slide", "hinge") for axis in AXES)
    world = load_world(scene(f"<body name='ball' pos='0 0 1'>{joints}<geom size='0.03'/></body>", tmp_path))
    assert world.objects["ball"].movable


def test_bodies_that_a_body_carries_belong_to_it(tmp_path: Path) -> None:
    body = """
      <body name="rack" pos="0 0 0.5" euler="0 0 90"><geom type="box" size="0.2 0.1 0.01"/>
        <body pos="0.2 0 0.1"><geom type="sphere" size="0.05"/><geom type="capsule" size="0.02 0.1"/></body></body>"""
    world = load_world(scene(body, tmp_path))
    rack = world.objects["rack"]
    assert [shape.kind for shape in rack.shapes] == ["box", "sphere", "capsule"]
    np.testing.assert_allclose((world.poses["rack"] @ rack.shapes[1].X_OS)[:3, 3], [0.0, 0.2, 0.6], atol=1e-9)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("", "nothing that a robot could touch"),
        ("<geom type='box' size='1'/>", "scene.xml: line 1: .*size"),
        ("<geom name='hills' type='hfield' hfield='h'/>", "hfield"),
    ],
)
def test_what_is_no_scene_is_refused(body: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=problem):
        load_world(scene(body, tmp_path))


def test_a_height_field_is_refused_by_name(tmp_path: Path) -> None:
    hills = '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>'
    with pytest.raises(WorldError, match="the geom 'hills' is of the kind hfield, which is not read"):
        load_world(scene('<geom name="hills" type="hfield" hfield="h"/>', tmp_path, hills))


def test_a_scene_has_one_size() -> None:
    assert load_world(DESK, shoulder_height=0.4).furniture_scale == 1.0
    with pytest.raises(ParameterError, match=r"has one size: furniture_scale can only be 1, not 0\.5"):
        load_world(DESK, furniture_scale=0.5)
    with pytest.raises(WorldError, match="there is no such file"):
        load_world("nowhere/scene.xml")
