"""Parts of objects: drawers and doors in object files, and where they are in a world."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.world.geometry import bounding_box, inverse
from taskmatrix.simulation.scenes.world_loader import load_world

WORLD = """
description = "a chest"
reference_shoulder_height = 1.40
default_object = "cup"
bounds = [-1, -1, 1, 1]
start = { lower = [0, 0, 0], upper = [0, 0, 0] }

[[object]]
id = "chest"
model = "chest.toml"
position = [0, 0]
rpy = [0, 0, 90]
open = { lid = 0.5 }

[[object]]
id = "cup"
on = "chest_box"
at = "floor"
position = [0.1, 0.0]
type = "graspable/cup"
movable = true
mass = 0.1
shape = [{ kind = "cylinder", size = [0.03, 0.1], position = [0, 0, 0.05] }]
"""
CHEST = """
type = "furniture/chest"
furniture = true
shape = [{ kind = "box", size = [0.4, 0.4, 0.4], position = [0, 0, 0.2] }]

[[part]]
name = "lid"
type = "furniture/lid"
shape = [{ kind = "box", size = [0.4, 0.4, 0.02], position = [0.2, 0, 0.01] }]
[part.joint]
kind = "hinge"
position = [-0.2, 0, 0.4]
axis = [0, -2, 0]
range = [0, 90]
friction = 0.5
damping = 0.2
mass = 3

[[part]]
name = "box"
type = "furniture/drawer"
joint = { kind = "slide", position = [0.2, 0, 0.1], axis = [1, 0, 0], range = [0.05, 0.35] }
shape = [{ kind = "box", size = [0.3, 0.3, 0.2], position = [-0.1, 0, 0.1] }]
frame.floor = { position = [-0.1, 0, 0.02] }

[[part.grasp]]
name = "rim"
width = 0.02
position = [0.05, 0, 0.2]
approach = [0, 0, -1]
close = [1, 0, 0]
"""


def write(folder: Path, world: str = WORLD, chest: str = CHEST) -> Path:
    (folder / "chest.toml").write_text(chest)
    (folder / "world.toml").write_text(world)
    return folder / "world.toml"


def test_parts_are_objects_where_their_joints_say(tmp_path: Path) -> None:
    """Closed, unless the world opens them; in the axes of what carries them."""
    world = load_world(write(tmp_path))
    assert list(world.objects) == ["chest", "chest_lid", "chest_box", "cup"]
    lid, drawer = world.objects["chest_lid"].joint, world.objects["chest_box"].joint
    assert lid is not None
    assert drawer is not None
    assert (lid.kind, lid.parent, lid.friction, lid.damping, lid.mass) == ("hinge", "chest", 0.5, 0.2, 3.0)
    np.testing.assert_allclose(lid.axis, [0.0, -1.0, 0.0])
    X_WC = world.poses["chest"]
    assert lid.position(inverse(X_WC) @ world.poses["chest_lid"]) == pytest.approx(np.radians(45.0))
    assert drawer.position(inverse(X_WC) @ world.poses["chest_box"]) == pytest.approx(0.05)
    np.testing.assert_allclose((inverse(X_WC) @ world.poses["chest_box"])[:3, 3], [0.25, 0.0, 0.1], atol=1e-9)
    assert [grasp.name for grasp in world.objects["chest_box"].grasps] == ["rim"]


def test_what_is_in_a_drawer_stands_at_a_frame_of_it(tmp_path: Path) -> None:
    world = load_world(write(tmp_path))
    lower, _ = bounding_box(world.objects["cup"].shapes, world.poses["cup"])
    in_box = inverse(world.poses["chest_box"]) @ world.poses["cup"]
    np.testing.assert_allclose(in_box[:2, 3], [0.0, 0.0], atol=1e-9)
    assert lower[2] == pytest.approx(world.poses["chest_box"][2, 3] + 0.021)


def test_parts_grow_with_their_furniture(tmp_path: Path) -> None:
    """Places, ways of slides and grasps; what hangs on a hinge turns as far."""
    world = load_world(write(tmp_path), furniture_scale=2.0)
    lid, drawer = world.objects["chest_lid"].joint, world.objects["chest_box"].joint
    assert lid is not None
    assert drawer is not None
    assert (drawer.lower, drawer.upper) == (0.1, 0.7)
    assert lid.upper == pytest.approx(np.pi / 2)
    assert lid.mass == pytest.approx(12.0)  # of boards as thick as before
    np.testing.assert_allclose(lid.X_PJ[:3, 3], [-0.4, 0.0, 0.8])
    grasp = world.objects["chest_box"].grasps[0]
    np.testing.assert_allclose(grasp.X_OH[:3, 3], [0.1, 0.0, 0.4])
    assert grasp.width == 0.04


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("range = [0.05, 0.35]", "range = [0.35, 0.05]", r"part\[1\]\.joint\.range: must go from a smaller position"),
        ("range = [0, 90]", "range = [0, 400]", r"part\[0\]\.joint\.range: a hinge turns by less than 360 degrees"),
        ("axis = [1, 0, 0]", "axis = [0, 0, 0]", r"part\[1\]\.joint\.axis: must be a direction"),
        ('kind = "slide"', 'kind = "slid"', r"part\[1\]\.joint\.kind: .*did you mean 'slide'"),
        ("friction = 0.5", "friction = -1", r"part\[0\]\.joint\.friction: must not be negative"),
        ("damping = 0.2", "damping = -1", r"part\[0\]\.joint\.damping: must not be negative"),
        ("mass = 3", "mass = 0", r"part\[0\]\.joint\.mass: must be above zero"),
        ('name = "lid"', 'nam = "lid"', r"part\[0\]\.nam: no key 'nam'; did you mean 'name'"),
        ('name = "box"', 'name = "lid"', "there are two objects 'chest_lid'"),
        ("furniture = true", "movable = true\nmass = 3", "part: what can be moved has no parts that move on it"),
        (
            "open = { lid = 0.5 }",
            "open = { lit = 0.5 }",
            r"object\['chest'\]\.open\.lit: no part 'lit'; did you mean 'lid'",
        ),
        ("open = { lid = 0.5 }", "open = { lid = 1.5 }", r"open\.lid: must be from 0, closed, to 1, open, got 1\.5"),
        ('at = "floor"', 'at = "flor"', r"object\['cup'\]\.at: .*did you mean 'floor'"),
        ('on = "chest_box"', 'on = "chest_bok"', r"object\['cup'\]\.on: .*did you mean 'chest_box'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in WORLD + CHEST
    with pytest.raises(WorldError, match=message):
        load_world(write(tmp_path, WORLD.replace(old, new), CHEST.replace(old, new)))
