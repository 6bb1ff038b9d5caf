"""Surfaces as data are those of the shapes, and are kept."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.world.objects import Shape
from taskmatrix.session.recording import meshes
from taskmatrix.session.recording.meshes import Meshes
from taskmatrix.simulation.triangles import triangles

PYRAMID = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_a_mesh_is_the_surface_of_its_shape() -> None:
    """Corners, normals and triangles of a box; a second one of the same size is the same mesh."""
    meshes = Meshes()
    box = Shape("box", (0.2, 0.4, 0.6), np.eye(4))
    assert [meshes.number(shape) for shape in (box, Shape("sphere", (0.1,), np.eye(4)), box)] == [0, 1, 0]
    positions, normals, faces = (
        np.frombuffer(base64.b64decode(meshes.found[0][key]), kind).reshape(-1, 3)
        for key, kind in (("positions", "<f4"), ("normals", "<i1"), ("triangles", "<u4"))
    )
    assert len(positions) == len(normals) == 24  # three at each corner
    surface = triangles(box)
    np.testing.assert_allclose(positions[faces], surface.vertices[surface.faces], atol=1e-6)
    np.testing.assert_allclose(normals[faces] / 127, surface.normals[surface.faces], atol=0.01)


@pytest.fixture
def cache(own_cache: Path) -> Path:
    """A cache on disk, and nothing in memory."""
    meshes._remembered.cache_clear()
    return own_cache


def pyramid(folder: Path, text: str = PYRAMID) -> Shape:
    (folder / "pyramid.obj").write_text(text)
    return Shape("mesh", (1.0, 1.0, 2.0), np.eye(4), mesh=folder / "pyramid.obj")


def test_meshes_of_files_are_kept_on_disk(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process need not simplify them again; another file by that name is another mesh."""
    first = Meshes()
    first.number(pyramid(tmp_path))
    assert len(list(cache.rglob("*.npz"))) == 1
    meshes._remembered.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(meshes, "_arrays", lambda shape: pytest.fail("it was simplified again"))
        again = Meshes()
        again.number(pyramid(tmp_path))
    assert again.found == first.found
    other = Meshes()
    other.number(pyramid(cache, PYRAMID.replace("v 0 0 1", "v 0 0 3")))
    assert other.found != first.found
    assert len(list(cache.rglob("*.npz"))) == 2


def test_a_file_that_was_overwritten_is_another_mesh_in_the_same_process(cache: Path, tmp_path: Path) -> None:
    """Though it has the same name and size."""
    found = Meshes()
    numbers = [found.number(pyramid(tmp_path, text)) for text in (PYRAMID, PYRAMID.replace("v 0 0 1", "v 0 0 3"))]
    assert numbers == [0, 1]


@pytest.mark.parametrize("text", [b"", b"[]", b"{}"])
def test_what_is_damaged_in_the_cache_is_made_anew(cache: Path, tmp_path: Path, text: bytes) -> None:
    """By a process that died, say."""
    first = Meshes()
    first.number(pyramid(tmp_path))
    (kept,) = cache.rglob("*.npz")
    kept.write_bytes(text)
    meshes._remembered.cache_clear()
    again = Meshes()
    again.number(pyramid(tmp_path))
    assert again.found == first.found
    assert kept.read_bytes() != text


def test_a_cache_that_cannot_be_written_is_no_error(cache: Path, tmp_path: Path) -> None:
    """It takes longer, that is all."""
    cache.write_text("a file where the folder should be")
    found = Meshes()
    assert found.number(pyramid(tmp_path)) == 0
