"""Objects of all kinds, and hands that the library's robots do not have."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import taskmatrix.simulation
from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape, ShapeKind
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.scenes.object_loader import read_object

OBJECTS = Path(taskmatrix.simulation.__file__).parent / "objects"
AWKWARD = ("mug", "book", "l_bracket", "toy_ring", "door_wedge", "juggling_ball")
ROBOTS = ("bandit", "mannequin")


@functools.cache
def robot(name: str) -> Robot:
    return load_robot(name)


@functools.cache
def shipped(name: str) -> ObjectModel:
    """An object that comes with the library, without its table of grasps."""
    return bare(read_object(read_table(OBJECTS / f"{name}.toml", WorldError), name).model)


def bare(model: ObjectModel) -> ObjectModel:
    return ObjectModel(model.id, model.type, model.shapes, movable=True)


def thing(*shapes: Shape, type: str = "graspable/thing") -> ObjectModel:
    return ObjectModel("thing", type, shapes, movable=True)


def shape(kind: ShapeKind, *size: float, xyz: Sequence[float] = (0, 0, 0), rpy: Sequence[float] = (0, 0, 0)) -> Shape:
    return Shape(kind, size, pose(xyz, rpy))


SIMPLE = {
    "box": thing(shape("box", 0.05, 0.07, 0.12)),
    "cylinder": thing(shape("cylinder", 0.025, 0.14)),
    "sphere": thing(shape("sphere", 0.03)),
    "capsule": thing(shape("capsule", 0.02, 0.10)),
}

FINGERED = """<robot name="fingered">
  <link name="trunk">
    <inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><box size="0.2 0.2 0.4"/></geometry></collision>
  </link>
  <link name="foot"><collision><geometry><cylinder radius="0.1" length="0.06"/></geometry></collision></link>
  <link name="arm">
    <collision><origin xyz="0 0 -0.15"/><geometry><cylinder radius="0.03" length="0.24"/></geometry></collision>
  </link>
  <link name="palm"><collision><geometry><box size="0.09 0.10 0.03"/></geometry></collision></link>
  <joint name="ankle" type="fixed"><origin xyz="0 0 -0.3"/><parent link="trunk"/><child link="foot"/></joint>
  <joint name="shoulder" type="revolute"><origin xyz="0 -0.3 0.5"/><parent link="trunk"/><child link="arm"/>
    <axis xyz="0 -1 0"/><limit lower="-1" upper="2" velocity="5" effort="10"/></joint>
  <joint name="wrist" type="revolute"><origin xyz="0 0 -0.35"/><parent link="arm"/><child link="palm"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="10"/></joint>
  <link name="thumb"><collision><geometry><box size="0.016 0.012 0.09"/></geometry></collision></link>
  <joint name="grip" type="prismatic"><origin xyz="0 0.006 -0.062"/><parent link="palm"/><child link="thumb"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.05" velocity="0.5" effort="10"/></joint>
  FINGERS
</robot>
"""

FINGER = """<link name="finger_NUMBER">
    <collision><geometry><box size="0.016 0.012 0.09"/></geometry></collision></link>
  <joint name="grip_NUMBER" type="prismatic"><origin xyz="PLACE -0.006 -0.062"/>
    <parent link="palm"/><child link="finger_NUMBER"/>
    <axis xyz="0 -1 0"/><limit lower="0" upper="0.05" velocity="0.5" effort="10"/><mimic joint="grip"/></joint>
"""

ADAPTER = """description = "A hand for tests."
[model]
urdf = "fingered.urdf"
[base]
range = [5.0, 6.3]
velocity = [0.5, 1.0]
acceleration = [0.7, 1.5]
floor = ["foot"]
[limits]
velocity = 2.0
acceleration = 6.0
[chains]
arm = ["shoulder", "wrist"]
hand = ["grip"]
[hands.only]
arm = "arm"
fingers = "hand"
frame = "palm"
origin = [0.0, 0.0, -0.08]
z = [0.0, 0.0, -1.0]
y = [0.0, 1.0, 0.0]
aperture = 0.09
touch = ["palm", "thumb", TOUCH]
open = { grip = 0.045 }
closed = { grip = 0.0 }
table = [{ width = 0.0, joints = { grip = 0.0 } }, { width = 0.09, joints = { grip = 0.045 } }]
"""


def fingered(folder: Path, fingers: int) -> Robot:
    """A robot with one hand: a thumb and so many fingers opposite, side by side, that close together."""
    places = 0.022 * (np.arange(fingers) - (fingers - 1) / 2)
    links = "".join(FINGER.replace("NUMBER", str(k)).replace("PLACE", f"{x:.4f}") for k, x in enumerate(places))
    (folder / "fingered.urdf").write_text(FINGERED.replace("FINGERS", links), encoding="utf-8")
    touch = ", ".join(f'"finger_{k}"' for k in range(fingers))
    (folder / "robot.toml").write_text(ADAPTER.replace("TOUCH", touch), encoding="utf-8")
    (folder / "postures.toml").write_text("[stand]\nshoulder = 0.3\ngrip = 0.02\n", encoding="utf-8")
    for name in ("pairs", "motions"):
        (folder / f"{name}.toml").write_text("", encoding="utf-8")
    return load_robot(folder / "robot.toml")


def at(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z])
