# ruff: noqa: E501  # one case a line, with its whole message
"""World and object files that mean harm or know no bounds: a clear error at once, and nothing read outside the folder."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError, WorldError
from taskmatrix.core.base.files import ALLOWED_FOLDERS
from taskmatrix.core.world.geometry import cubes
from taskmatrix.core.world.objects import Shape
from taskmatrix.simulation.scenes.world_loader import load_world

SECRET = "root:x:0:0:secret"
HEAD = (
    'description = "w"\nreference_shoulder_height = 1.4\ndefault_object = "thing"\nbounds = [-1, -1, 1, 1]\n'
    "[start]\nlower = [0, 0, 0]\nupper = [0, 0, 0]\n"
)
THING = '[[object]]\nid = "thing"\nposition = [0, 0]\n'
BOX = 'type = "t"\nmovable = true\nmass = 1\nshape = [{ kind = "box", size = [0.1, 0.1, 0.1] }]\n'
GRASP = '[[object.grasp]]\nname = "g"\nwidth = 0.1\napproach = [0, 0, -1]\nclose = [0, 1, 0]\n'


def shape(kind: str, file: str, size: str) -> str:
    """A world whose thing has a shape from a file."""
    return f'{HEAD}{THING}type = "t"\nshape = [{{ kind = "{kind}", {kind} = "{file}", size = {size} }}]\n'


def stl(corner: float) -> bytes:
    """A triangle with a corner somewhere along x."""
    return bytes(80) + struct.pack("<I", 1) + struct.pack("<12f", 0, 0, 0, 0, 0, 0, corner, 0, 0, 0, 1, 0) + bytes(2)


WORLDS = {
    "a mesh outside": (shape("mesh", "../secret.stl", "[1, 1, 1]"), r"shape\[0\]\.mesh: '\.\./secret\.stl' is not below .*; put it there, or allow"),
    "a mesh of the root's": (shape("mesh", "/etc/hostname", "[1, 1, 1]"), r"shape\[0\]\.mesh: '/etc/hostname' is not below"),
    "a mesh with materials outside": (shape("mesh", "coloured.obj", "[1, 1, 1]"), r"shape\[0\]\.mesh: in the file coloured\.obj, '\.\./secret\.toml' is not below"),
    "points outside": (shape("points", "../secret.xyz", "[0.1]"), r"shape\[0\]\.points: '\.\./secret\.xyz' is not below"),
    "a link that leads out": (shape("points", "linked.xyz", "[0.1]"), r"shape\[0\]\.points: 'linked\.xyz' is not below"),
    "points in words": (shape("points", "words.xyz", "[0.1]"), r"points: words\.xyz is not an array of numbers$"),
    "a mesh in words": (shape("mesh", "words.obj", "[1, 1, 1]"), r"words\.obj: a mesh needs triangles with an area; it is damaged, or not what its name says$"),
    "a model outside": (f'{HEAD}{THING}model = "../secret.toml"\n', r"model: '\.\./secret\.toml' is not below"),
    "a mesh at NaN": (shape("mesh", "nan.stl", "[1, 1, 1]"), r"nan\.stl: a mesh needs triangles with finite corners"),
    "a mesh without end": (shape("mesh", "far.stl", "[1, 1, 1]"), r"far\.stl: has a corner 3e\+38 m away; 1000 m are allowed"),
    "a mesh at 1e300": (shape("mesh", "ascii.stl", "[1, 1, 1]"), r"ascii\.stl: a mesh needs triangles with finite corners"),
    "points far away": (shape("points", "far.npy", "[1]"), r"points: far\.npy: a point is 4e\+04 m from the shape's origin; with a resolution of 1 m 1e\+03 m are allowed"),
    "more cells than an octree has": (shape("points", "near.npy", "[1e-5]"), r"near\.npy: a point is 0\.9 m .* resolution of 1e-05 m 0\.328 m are allowed"),
    "points that are promised": (shape("points", "promised.npy", "[0.1]"), r"promised\.npy is not an array of numbers"),
    "a place far away": (f"{HEAD}{THING.replace('[0, 0]', '[40000, 0]')}{BOX}", r"object\['thing'\]\.position: 40000 is beyond 1000"),
    "ten million grasps": (f'{HEAD}{THING}{BOX}{GRASP}spin = {{ axis = [0, 0, 1], count = 10000000 }}\n', r"grasp\[0\]\.spin\.count: 10000000 is too many; an object may have 1000 grasps"),
    "grasps by grasps": (f'{HEAD}{THING}{BOX}{GRASP}slide = {{ axis = [0, 0, 1], length = 1, count = 900 }}\nspin = {{ axis = [0, 0, 1], count = 900 }}\n', r"grasp\[0\]\.spin\.count: 900 is too many"),
    "objects without end": (HEAD + "".join(f'[[wall]]\nid = "{i}"\nfrom = [0, 0]\nto = [1, 0]\n' for i in range(1001)), r"object: 1001 objects and walls; 1000 are allowed"),
    "a long name": (f"{HEAD}{THING.replace('thing', 'thing' * 20_000)}{BOX}", r"object\[0\]\.id: a text of 100000 characters; 2000 are allowed"),
    "nested lists": (f"a = {'[' * 5000}{']' * 5000}", r"lists or tables in each other; 20 levels are allowed"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A world's folder, below one with secrets."""
    home = tmp_path / "world"
    home.mkdir()
    for name in ("secret.stl", "secret.xyz", "secret.toml", "world/words.xyz", "world/words.obj"):
        (tmp_path / name).write_text(f"{SECRET}\nf a b c\n")
    (tmp_path / "world" / "coloured.obj").write_text("mtllib ../secret.toml\n")
    (home / "linked.xyz").symlink_to(tmp_path / "secret.xyz")
    (home / "nan.stl").write_bytes(stl(float("nan")))
    (home / "far.stl").write_bytes(stl(3e38))
    facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e300 0 0\nvertex 0 1 0\nendloop\nendfacet"
    (home / "ascii.stl").write_text(f"solid x\n{facet}\nendsolid x\n")
    np.save(home / "far.npy", [[0.0, 0.0, 0.0], [40_000.0, 0.0, 0.0]])
    np.save(home / "near.npy", [[0.0, 0.0, 0.0], [0.9, 0.0, 0.0]])
    promise = (home / "near.npy").read_bytes().replace(b"(2, 3), }          ", b"(2000000000000, 3)}")
    assert promise != (home / "near.npy").read_bytes()
    (home / "promised.npy").write_bytes(promise)
    return home


@pytest.mark.parametrize("case", WORLDS)
def test_a_hostile_world_is_refused(folder: Path, case: str) -> None:
    """With the key and what is allowed, and without a word of what is written in a file of another kind."""
    text, message = WORLDS[case]
    (folder / "world.toml").write_text(text)
    with pytest.raises(WorldError) as caught:
        load_world(folder / "world.toml")
    assert re.search(message, str(caught.value)), str(caught.value)[:600]
    assert SECRET not in str(caught.value)
    assert len(str(caught.value)) < 900


def test_an_object_of_a_world_may_use_the_world_s_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a folder that the user allows."""
    for name in ("objects", "clouds"):
        (folder / name).mkdir()
    (folder / "objects" / "thing.toml").write_text(
        'type = "t"\nshape = [{ kind = "points", points = "../clouds/near.npy", size = [0.1] }]\n'
    )
    (folder / "near.npy").rename(folder / "clouds" / "near.npy")
    (folder / "world.toml").write_text(f'{HEAD}{THING}model = "objects/thing.toml"\n')
    assert load_world(folder / "world.toml").objects["thing"].shapes[0].points is not None
    (folder / "clouds").rename(folder.parent / "clouds")
    (folder / "clouds").symlink_to(folder.parent / "clouds")
    with pytest.raises(WorldError, match="is not below"):
        load_world(folder / "world.toml")
    monkeypatch.setenv(ALLOWED_FOLDERS, str(folder.parent / "clouds"))
    assert load_world(folder / "world.toml").objects["thing"].shapes[0].points is not None


def test_points_that_are_given_are_bounded_too() -> None:
    """Those of a program as those of a file: an octree would leave them out without a word."""
    far = Shape("points", (0.01,), np.eye(4), points=np.array([[0.0, 0.0, 400.0]]))
    with pytest.raises(ParameterError, match=r"a point is 400 m .* 328 m are allowed"):
        cubes(far)
