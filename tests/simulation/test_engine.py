from __future__ import annotations

import os
import sys
from contextlib import suppress

import pytest

from taskmatrix.core.base.errors import MissingDependencyError
from taskmatrix.simulation.engine import import_bullet, quiet


def test_without_pybullet_the_error_says_who_needs_it_and_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has wheels for some Pythons only."""
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(MissingDependencyError, match=r"^physics needs pybullet, .* `pip install pybullet`"):
        import_bullet("physics needs")


def test_quiet_discards_what_is_written_below_python(capfd: pytest.CaptureFixture[str]) -> None:
    """And nothing that is written before or after, whatever happens in between."""
    os.write(1, b"before ")
    with suppress(KeyError), quiet():
        os.write(1, b"inside ")
        os.write(2, b"inside ")
        raise KeyError
    os.write(1, b"after")
    assert capfd.readouterr() == ("before after", "")
