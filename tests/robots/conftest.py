"""Robots that the tests share: those that come with the library, and a tiny one whose files a test may spoil."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from taskmatrix.robots import Robot, load_robot

# Robots over which all tests of one robot run; of the others that ship, test_published.py has what is cheap.
NAMES = ("asimo", "bandit", "g1", "icub", "mannequin", "nao", "pr2", "romeo", "talos")

URDF = """<robot name="tiny">
  <link name="trunk">
    <inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><box size="0.2 0.2 0.4"/></geometry></collision>
    <visual><origin xyz="0 0 0.2"/><geometry><box size="0.2 0.2 0.4"/></geometry></visual>
  </link>
  <link name="foot"><collision><geometry><cylinder radius="0.1" length="0.06"/></geometry></collision></link>
  <link name="arm">
    <collision><origin xyz="0 0 -0.15"/><geometry><cylinder radius="0.03" length="0.26"/></geometry></collision>
  </link>
  <link name="palm"><collision><geometry><box size="0.04 0.02 0.04"/></geometry></collision></link>
  <link name="jaw_a"><collision><geometry><box size="0.02 0.01 0.06"/></geometry></collision></link>
  <link name="jaw_b"><collision><geometry><box size="0.02 0.01 0.06"/></geometry></collision></link>
  <link name="wheel"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>
  <joint name="ankle" type="fixed"><origin xyz="0 0 -0.3"/><parent link="trunk"/><child link="foot"/></joint>
  <joint name="shoulder" type="revolute"><origin xyz="0 -0.3 0.4"/><parent link="trunk"/><child link="arm"/>
    <axis xyz="0 -1 0"/><limit lower="-1" upper="2" velocity="5" effort="10"/></joint>
  <joint name="wrist" type="revolute"><origin xyz="0 0 -0.35"/><parent link="arm"/><child link="palm"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="10"/></joint>
  <joint name="jaw" type="prismatic"><origin xyz="0 0.01 -0.06"/><parent link="palm"/><child link="jaw_a"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.05" velocity="0.5" effort="10"/></joint>
  <joint name="jaw_mirror" type="prismatic"><origin xyz="0 -0.01 -0.06"/><parent link="palm"/><child link="jaw_b"/>
    <axis xyz="0 1 0"/><limit lower="-0.04" upper="0" velocity="0.5" effort="10"/>
    <mimic joint="jaw" multiplier="-1" offset="-0.002"/></joint>
  <joint name="roll" type="continuous"><origin xyz="-0.3 0 -0.2"/><parent link="trunk"/><child link="wheel"/>
    <axis xyz="0 1 0"/></joint>
</robot>
"""

ADAPTER = """description = "For tests."
[model]
urdf = "tiny.urdf"
forward = [0.0, 1.0]
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
hand = ["jaw"]
wheels = ["roll"]
[hands.only]
arm = "arm"
fingers = "hand"
frame = "palm"
origin = [0.0, 0.0, -0.06]
z = [0.0, 0.0, -1.0]
y = [0.0, 1.0, 0.0]
aperture = 0.07
touch = ["palm", "jaw_a", "jaw_b"]
open = { jaw = 0.038 }
closed = { jaw = 0.0 }
table = [{ width = 0.012, joints = { jaw = 0.0 } }, { width = 0.088, joints = { jaw = 0.038 } }]
[view]
frame = "trunk"
origin = [0.0, 0.1, 0.4]
forward = [0.0, 2.0, 0.0]
up = [0.0, 0.0, 1.0]
"""

POSTURES = """[stand]
shoulder = 0.3
jaw = 0.02
"""


@functools.cache
def loaded(name: str) -> Robot:
    """One of the library's robots; loading it once is enough for tests that do not change it."""
    return load_robot(name)


@pytest.fixture(params=NAMES)
def robot(request: pytest.FixtureRequest) -> Robot:
    """Each of the library's robots in turn."""
    return loaded(request.param)


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes a small robot and returns its adapter.

    Each keyword names one of its files; its value is a pair (old, new) to replace in it, or a whole new text.
    """

    def write(**changes: tuple[str, str] | str) -> Path:
        texts = {"urdf": URDF, "robot": ADAPTER, "postures": POSTURES, "pairs": "", "motions": ""}
        for key, change in changes.items():
            if isinstance(change, str):
                texts[key] = change
            else:
                assert change[0] in texts[key], f"nothing to replace: {change[0]}"
                texts[key] = texts[key].replace(*change)
        for key, text in texts.items():
            (tmp_path / ("tiny.urdf" if key == "urdf" else f"{key}.toml")).write_text(text, encoding="utf-8")
        return tmp_path / "robot.toml"

    return write
