from __future__ import annotations

import os
import sys
from contextlib import suppress

import pytest

from taskmatrix.core.base.errors import MissingDependencyError
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


def test_lists_that_a_call_keeps_are_emptied() -> None:
    """And those in them, also where it fails."""
    corners, numbers = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [6, 7]
    rows = [*corners]

    def fail(_: int, *, vertices: list[list[float]], indices: list[int]) -> int:
        raise ValueError(len(vertices) + len(indices))

    with pytest.raises(ValueError, match="4"):
        call_with_lists(fail, 5, vertices=corners, indices=numbers)
    assert corners == []
    assert numbers == []
    assert rows == [[], []]
