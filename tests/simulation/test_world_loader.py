from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError, WorldError
from taskmatrix.core.world.perception import Region
from taskmatrix.simulation.scenes.world_loader import load_world, world_descriptions, world_names

WORLD = """
description = "a test"
default_object = "cup"
reference_shoulder_height = 1.4
bounds = [-1, -1, 1, 1]

[start]
lower = [-0.1, -0.2, -90]
upper = [0.1, 0.2, 90]

[[object]]
id = "desk"
type = "obstacle/desk"
furniture = true
position = [1, 2]
shape = [{ kind = "box", size = [1.0, 0.6, 0.8], position = [0, 0, 0.4] }]

[[object]]
id = "cup"
type = "graspable/cup"
movable = true
mass = 0.2
on = "desk"
position = [0.3, -0.1]
shape = [{ kind = "cylinder", size = [0.04, 0.1] }]

[object.frame.rim]
position = [0, 0, 0.05]

[[object.grasp]]
name = "side"
approach = [-1, 0, 0]
close = [0, 1, 0]
width = 0.08
"""


def write(folder: Path, text: str = WORLD) -> Path:
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_world_of_inline_objects_holds_what_its_file_says(tmp_path: Path) -> None:
    """Objects, frames, grasps, masses, start region and bounds arrive; angles become radians."""
    world = load_world(write(tmp_path))
    assert (world.name, world.description, world.default_object) == ("small", "a test", "cup")
    assert list(world.objects) == ["desk", "cup"]
    cup = world.objects["cup"]
    assert cup.is_a("cup")
    assert cup.movable
    assert world.masses == {"cup": 0.2}
    assert cup.frames["rim"][2, 3] == 0.05
    assert [grasp.name for grasp in cup.grasps] == ["side"]
    assert world.start[1] == pytest.approx((0.1, 0.2, np.pi / 2))
    assert world.bounds == (-1, -1, 1, 1)


def test_a_path_loads_whether_text_or_path(tmp_path: Path) -> None:
    """A text that ends in .toml is a path."""
    file = write(tmp_path)
    assert load_world(str(file)).source == load_world(file).source == str(file.resolve())


def test_object_files_are_found_next_to_the_world(tmp_path: Path) -> None:
    """``model`` may be the path of an object file, seen from the world's file."""
    (tmp_path / "stone.toml").write_text('type = "obstacle/stone"\nshape = [{ kind = "sphere", size = [0.2] }]\n')
    text = WORLD + '\n[[object]]\nid = "rock"\nmodel = "stone.toml"\nposition = [0, 0]\n'
    assert load_world(write(tmp_path, text)).objects["rock"].is_a("stone")


def test_meshes_are_found_next_to_the_file_that_names_them(tmp_path: Path) -> None:
    """The box of a mesh object is that of its vertices."""
    (tmp_path / "tent.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    text = (
        WORLD
        + '\n[[object]]\nid = "tent"\ntype = "tent"\nposition = [0, 0]\n'
        + 'shape = [{ kind = "mesh", mesh = "tent.obj", size = [1, 1, 0.5] }]\n'
    )
    lower, upper = load_world(write(tmp_path, text)).box("tent")
    np.testing.assert_allclose(upper - lower, [1, 1, 1], atol=1e-6)


CLOUD = (
    '\n[[object]]\nid = "cloud"\ntype = "cloud"\nposition = [0, 0]\n'
    'shape = [{ kind = "points", points = "cloud.%s", size = [0.1] }]\n'
)


@pytest.mark.parametrize("suffix", ["npy", "xyz"])
def test_points_are_read_next_to_the_file_that_names_them(tmp_path: Path, suffix: str) -> None:
    """From an array or from text; the box is that of their cubes."""
    points = np.array([[0.05, 0.05, 0.05], [0.95, 0.05, 0.05]])
    np.save(tmp_path / "cloud.npy", points)
    np.savetxt(tmp_path / "cloud.xyz", points)
    lower, upper = load_world(write(tmp_path, WORLD + CLOUD % suffix)).box("cloud")
    np.testing.assert_allclose(upper - lower, [1.0, 0.1, 0.1], atol=1e-6)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "points: the file .*cloud.xyz does not exist"),
        ("", r"cloud\.xyz must have finite points \(k, 3\)"),
        ("1 2\n3 4\n", r"finite points \(k, 3\), not an array of shape \(2, 2\)"),
        ("1 2 nan\n", "must have finite points"),
        ("1 2 three\n", r"cloud\.xyz is not an array of numbers"),
    ],
)
@pytest.mark.filterwarnings("ignore:loadtxt. input contained no data")
def test_files_without_points_are_named(tmp_path: Path, content: str | None, message: str) -> None:
    """With the object, the key and what is wrong."""
    if content is not None:
        (tmp_path / "cloud.xyz").write_text(content)
    with pytest.raises(
        WorldError, match=r"object\['cloud'\]\.shape\[0\]\.points: .*" + message.removeprefix("points: ")
    ):
        load_world(write(tmp_path, WORLD + CLOUD % "xyz"))


def test_an_empty_mesh_is_named_where_it_is_asked_for(tmp_path: Path) -> None:
    """With the object and the file."""
    (tmp_path / "tent.obj").write_text("v 0 0 0\n")
    text = CLOUD.replace('kind = "points", points = "cloud.%s", size = [0.1]', 'kind = "mesh", mesh = "tent.obj"')
    with pytest.raises(WorldError, match=r"object\['cloud'\]\.shape\[0\]\.mesh: .*tent\.obj: a mesh needs triangles"):
        load_world(write(tmp_path, WORLD + text))


def test_furniture_grows_with_the_robot_and_what_stands_on_it_keeps_its_size(tmp_path: Path) -> None:
    """A robot half as tall has a desk half as large in every dimension, and the cup stands on it, not in it."""
    small, full = load_world(write(tmp_path), shoulder_height=0.7), load_world(write(tmp_path))
    assert small.furniture_scale == 0.5
    desk, cup = small.box("desk"), small.box("cup")
    np.testing.assert_allclose(desk[1] - desk[0], np.array([1.0, 0.6, 0.8]) / 2)
    np.testing.assert_allclose(cup[1] - cup[0], full.box("cup")[1] - full.box("cup")[0])
    assert 0 < cup[0][2] - desk[1][2] < 0.002
    np.testing.assert_allclose(small.poses["cup"][:2, 3], [1.15, 1.95])


def test_furniture_for_the_very_small_is_lower_but_not_as_small(tmp_path: Path) -> None:
    """What stands on it keeps its size and needs its room."""
    small = load_world(write(tmp_path), shoulder_height=0.42)
    desk = small.box("desk")
    np.testing.assert_allclose(desk[1] - desk[0], [0.5, 0.3, 0.24])
    np.testing.assert_allclose(small.poses["cup"][:2, 3], [1.15, 1.95])
    assert 0 < small.box("cup")[0][2] - desk[1][2] < 0.002


def test_an_explicit_scale_wins_over_the_shoulder_height(tmp_path: Path) -> None:
    """Whoever gives the scale means it."""
    assert load_world(write(tmp_path), shoulder_height=0.7, furniture_scale=1.2).furniture_scale == 1.2


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan")])
def test_scale_must_be_positive(tmp_path: Path, scale: float) -> None:
    """A scale of nothing is refused."""
    with pytest.raises(ParameterError, match="furniture_scale must be greater than 0"):
        load_world(write(tmp_path), furniture_scale=scale)


def test_worlds_of_the_library_have_descriptions() -> None:
    """Every name has its one line."""
    assert "sparse" in world_names()
    assert all(world_descriptions()[name] for name in world_names())


def test_what_is_neither_a_name_nor_a_path_is_no_world() -> None:
    """It is said what it is."""
    with pytest.raises(ParameterError, match="a world is a name or a path, not int"):
        load_world(3)  # type: ignore[arg-type]


def test_unknown_world_offers_the_nearest() -> None:
    """A typing error is answered with the right name."""
    with pytest.raises(NotFoundError, match="did you mean 'sparse'"):
        load_world("sprase")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bounds = [-1", "bounds = -1", "not a valid TOML file: .*line 5"),
        ("movable = true", "moveable = true", r"object\['cup'\]\.moveable: no key 'moveable'; did you mean 'movable'"),
        ('description = "a test"', 'description = "a test"\ncolour = 3', "colour: no key 'colour'"),
        ('id = "cup"', 'id = "desk"', r"object\['desk'\]\.id: there are two objects"),
        ('on = "desk"', 'on = "dsk"', r"object\['cup'\]\.on: .*did you mean 'desk'"),
        ('on = "desk"', 'on = "cup"', r"object\['cup'\]\.on: no object 'cup'.*earlier"),
        ("position = [0.3, -0.1]", "position = [0.3]", r"object\['cup'\]\.position: expected 2 or 3 numbers"),
        ("position = [0.3, -0.1]", 'position = [0.3, "a"]', r"position\[1\]: expected a finite number"),
        ("size = [0.04, 0.1]", "size = [0.04]", r"object\['cup'\]\.shape\[0\]\.size: expected 2 numbers"),
        ("size = [0.04, 0.1]", "size = [0.04, -0.1]", r"object\['cup'\]\.shape\[0\]\.size: must be above zero"),
        ('kind = "cylinder"', 'kind = "cilinder"', "kind: .*did you mean 'cylinder'"),
        ('kind = "cylinder", size = [0.04, 0.1]', 'kind = "mesh", mesh = "no.obj"', "mesh: the file .* does not exist"),
        ("size = [0.04, 0.1]", "size = [0.04, 0.1], color = [2, 0, 0]", "color: must have values from 0 to 1"),
        ("movable = true\nmass = 0.2", "movable = false", r"object\['cup'\]\.grasp: an object that cannot be moved"),
        ("furniture = true", "furniture = true\nmovable = true\nmass = 1", "furniture: an object that can be moved"),
        ("mass = 0.2\n", "", r"object\['cup'\]\.mass: missing; a finite number is needed"),
        ("mass = 0.2", "mass = 0", r"object\['cup'\]\.mass: must be above zero"),
        ('default_object = "cup"', 'default_object = "cap"', "default_object: .*did you mean 'cup'"),
        ("default_object", "defalt_object", "defalt_object: no key 'defalt_object'; did you mean 'default_object'"),
        ('default_object = "cup"\n', "", "default_object: missing"),
        ("upper = [0.1, 0.2, 90]", "upper = [0.1, -0.3, 90]", r"start\.upper: must not be below lower"),
        ("bounds = [-1, -1, 1, 1]", "bounds = [1, -1, -1, 1]", "bounds: must be xmin"),
        ('type = "obstacle/desk"\n', "", r"object\['desk'\]\.type: missing"),
        ("mass = 0.2", "mass = 0.2\nequipment = true", r"object\['cup'\]\.equipment: .*without grasps"),
        ("mass = 0.2", "mass = 0.2\nrolling = -1", r"object\['cup'\]\.rolling: must be above zero"),
        ("furniture = true", "furniture = 1", "furniture: expected true or false, got 1"),
        ("close = [0, 1, 0]", "close = [1, 1, 0]", r"object\['cup'\]\.grasp\[0\]\.close: must be at right angles"),
        ("approach = [-1, 0, 0]", "approach = [0, 0, 0]", "approach: must be a direction"),
        ('on = "desk"', 'on = "desk"\njitter = { yaw = -5 }', "jitter: must not be negative"),
        ('type = "obstacle/desk"', 'model = "tabel"', r"object\['desk'\]\.(model|furniture)"),
    ],
)
def test_mistakes_are_answered_with_file_and_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Each mistake in a world file raises WorldError that says where and what is allowed."""
    assert old in WORLD
    file = write(tmp_path, WORLD.replace(old, new))
    with pytest.raises(WorldError, match=message) as caught:
        load_world(file)
    assert str(file) in str(caught.value)


MORE = """
[regions.desktop]
on = "desk"
lower = [-0.5, -0.3, 0]
upper = [0.5, 0.1, 0.4]

[regions.corner]
lower = [0, 0, 0]
upper = [1, 2, 3]

[second_robot]
position = [-0.5, 0]
motion = { kind = "walk", waypoints = [[-0.5, 1]], speed = 0.5 }

[[ground]]
lower = [-1, -1]
upper = [0, 1]
color = [0.5, 0.4, 0.3]
pattern = "boards"

[[wall]]
id = "north"
from = [-1, 1]
to = [1, 1]
openings = [{ at = 1, width = 1 }]
"""


def test_regions_grow_and_turn_with_what_they_are_on(tmp_path: Path) -> None:
    """In the axes of its top, as positions are; others are in the world."""
    text = WORLD.replace("position = [1, 2]", "position = [1, 2]\nrpy = [0, 0, 90]") + MORE
    regions = load_world(write(tmp_path, text), furniture_scale=0.5).regions
    assert set(regions) == {"desktop", "corner"}
    np.testing.assert_allclose(regions["desktop"].lower, [0.95, 1.75, 0.401])
    np.testing.assert_allclose(regions["desktop"].upper, [1.15, 2.25, 0.801])
    assert regions["corner"] == Region((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))


def test_walls_are_objects_that_keep_their_size(tmp_path: Path) -> None:
    """Before the other objects, as pieces between the openings."""
    world = load_world(write(tmp_path, WORLD + MORE), furniture_scale=0.5)
    assert list(world.objects) == ["north_1", "north_2", "desk", "cup"]
    lower, upper = world.box("north_2")
    assert upper[0] - lower[0] == pytest.approx(0.5, abs=0.05)  # with its lining
    assert lower[1] == pytest.approx(0.95, abs=0.03)


def test_surface_is_what_the_object_stands_on_unless_given(tmp_path: Path) -> None:
    """The world may say another."""
    assert load_world(write(tmp_path)).default_surface == "desk"
    given = WORLD.replace('default_object = "cup"', 'default_object = "cup"\ndefault_surface = "cup"')
    assert load_world(write(tmp_path, given)).default_surface == "cup"
    assert load_world("sparse").default_surface == "table"


def test_second_robot_and_ground_arrive(tmp_path: Path) -> None:
    """A second robot starts in the direction of its path; ground has its pattern."""
    world = load_world(write(tmp_path, WORLD + MORE))
    assert world.second_robot is not None
    np.testing.assert_allclose(world.second_robot.placement.R[:, 0], [0, 1, 0], atol=1e-12)
    assert [ground.pattern for ground in world.grounds] == ["boards"]
    assert load_world(write(tmp_path)).second_robot is None


def test_scripted_objects_start_in_the_direction_of_their_path(tmp_path: Path) -> None:
    """And their scripts are the world's; what is not scripted has none."""
    motion = 'motion = { kind = "walk", waypoints = [[0.3, 0.1]], speed = 0.5 }'
    world = load_world(write(tmp_path, WORLD.replace('on = "desk"', f'on = "desk"\n{motion}')))
    assert set(world.scripts) == {"cup"}
    np.testing.assert_allclose(world.poses["cup"][:3, 0], [0, 1, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('on = "desk"\nlower', 'on = "desc"\nlower', r"regions\.desktop\.on: .*did you mean 'desk'"),
        ("upper = [0.5, 0.1, 0.4]", "upper = [0.5, -0.4, 0.4]", r"regions\.desktop\.upper: must not be below lower"),
        ('pattern = "boards"', 'pattern = "board"', r"ground\[0\]\.pattern: .*did you mean 'boards'"),
        ('kind = "walk"', 'kind = "roll"', r"second_robot\.motion\.kind: no kind of motion for a second robot 'roll'"),
        ('id = "north"', 'id = "cup"\nheight = 0', r"wall\['cup'\]\.height: must be above zero"),
        (
            "openings = [{ at = 1, width = 1 }]\n",
            '[[wall]]\nid = "north"\nfrom = [0, 0]\nto = [1, 0]',
            "two objects 'north'",
        ),
        ('default_object = "cup"', 'default_object = "cup"\ndefault_surface = "des"', "default_surface: .*'desk'"),
        ("position = [1, 2]", "position = [1, 2]\nappears = 2", r"object\['cup'\]\.on: 'desk' moves or is not always"),
    ],
)
def test_mistakes_in_what_surrounds_the_objects_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Regions, walls, ground, second robot and scripts, as objects."""
    text = WORLD + MORE
    assert old in text
    file = write(tmp_path, text.replace(old, new))
    with pytest.raises(WorldError, match=message):
        load_world(file)


def test_missing_file_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is named."""
    with pytest.raises(WorldError, match=r"nowhere\.toml: the file does not exist"):
        load_world(tmp_path / "nowhere.toml")


def test_unknown_model_offers_the_nearest(tmp_path: Path) -> None:
    """A misspelt object model is answered with the right one."""
    text = WORLD + '\n[[object]]\nid = "x"\nmodel = "soda_cann"\nposition = [0, 0]\n'
    with pytest.raises(WorldError, match=r"object\['x'\]\.model: .*did you mean 'soda_can'"):
        load_world(write(tmp_path, text))


def test_object_without_shapes_is_refused(tmp_path: Path) -> None:
    """An object needs something to it."""
    text = WORLD + '\n[[object]]\nid = "x"\ntype = "nothing"\nposition = [0, 0]\n'
    with pytest.raises(WorldError, match=r"object\['x'\]\.shape: missing"):
        load_world(write(tmp_path, text))
