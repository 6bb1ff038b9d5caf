from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

from taskmatrix.core.base.errors import MissingDependencyError
from taskmatrix.core.world.objects import Shape
from taskmatrix.simulation import render_scene
from taskmatrix.simulation.engine import call_with_lists, import_bullet, quiet


def test_without_pybullet_the_error_says_who_needs_it_and_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has wheels for some Pythons only."""
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(MissingDependencyError, match=r"^pictures need pybullet, .* `pip install pybullet`"):
        import_bullet("pictures need")


def test_quiet_discards_what_is_written_below_python(capfd: pytest.CaptureFixture[str]) -> None:
    """And nothing that is written before or after, whatever happens in between."""
    os.write(1, b"before ")
    with suppress(KeyError), quiet():
        os.write(1, b"inside ")
        os.write(2, b"inside ")
        raise KeyError
    os.write(1, b"after")
    assert capfd.readouterr() == ("before after", "")


def test_references_that_a_call_forgets_are_taken_back() -> None:
    """To the lists and to those in them, and no others: what is kept on purpose by somebody else stays."""
    corners, numbers = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [6, 7]
    kept = [corners[0]]

    def forgetful(_: int, *, vertices: list[list[float]], indices: list[int]) -> int:
        for each in (vertices, indices, *vertices, *vertices):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))
        return len(vertices)

    def references() -> list[int]:
        return [sys.getrefcount(each) for each in (corners, numbers, *corners)]

    before = references()
    assert call_with_lists(forgetful, 5, vertices=corners, indices=numbers) == 2
    assert references() == before
    assert kept[0] is corners[0]


@pytest.mark.pictures
def test_what_is_drawn_leaves_nothing_with_pybullet(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps references to all lists that it was given, else: of a scene 20 MB."""
    given: list[list[object]] = []

    def watched(function: Callable[..., int], *values: object, **named: object) -> int:
        given.extend(value for value in named.values() if isinstance(value, list))
        return call_with_lists(function, *values, **named)

    monkeypatch.setattr(render_scene, "call_with_lists", watched)
    stage = render_scene.RenderScene()
    stage.add(Shape("box", (1.0, 1.0, 1.0), np.eye(4)))
    stage.close()
    assert len(given) == 3
    assert [sys.getrefcount(given[k]) for k in range(3)] == [2] * 3  # the list of them, and the argument
    assert {sys.getrefcount(given[0][k]) for k in range(len(given[0]))} == {2}
