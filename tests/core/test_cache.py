from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base import cache
from taskmatrix.core.base.cache import Arrays, kept_arrays, prune


def test_what_was_made_is_read_again_by_its_key(own_cache: Path) -> None:
    """Another key is made anew."""
    made: list[float] = []

    def make(value: float) -> Arrays:
        made.append(value)
        return {"values": np.full(3, value)}

    for key, value in (("a", 1.0), ("a", 2.0), ("b", 3.0)):
        kept = kept_arrays("things", key, lambda value=value: make(value))  # type: ignore[misc]
        assert kept["values"].tolist() == [1.0 if key == "a" else 3.0] * 3
    assert made == [1.0, 3.0]
    assert sorted(file.name for file in (own_cache / "things").iterdir()) == ["a.npz", "b.npz"]


def test_what_cannot_be_kept_is_made_all_the_same(own_cache: Path) -> None:
    """A file where the folder should be, say."""
    own_cache.mkdir()
    (own_cache / "things").touch()
    assert kept_arrays("things", "a", lambda: {"values": np.ones(1)})["values"].tolist() == [1.0]


def test_entries_that_were_not_used_for_longest_go(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading counts as using; folders go as a whole."""
    monkeypatch.setattr(cache, "MOST", 2)
    for age, key in enumerate("ab"):
        kept_arrays("things", key, lambda: {"values": np.ones(1)})
        os.utime(own_cache / "things" / f"{key}.npz", (age, age))
    kept_arrays("things", "a", lambda: pytest.fail("it was made again"))
    kept_arrays("things", "c", lambda: {"values": np.ones(1)})
    assert sorted(file.name for file in (own_cache / "things").iterdir()) == ["a.npz", "c.npz"]
    (own_cache / "things" / "folder").mkdir()
    (own_cache / "things" / "folder" / "file").touch()
    prune(own_cache / "things", 0)
    assert not list((own_cache / "things").iterdir())


PROGRAM = """
import subprocess, sys
from taskmatrix.core.base.cache import cache_root
print(cache_root())
print(cache_root().is_dir())
if len(sys.argv) == 1:
    print(subprocess.run([sys.executable, *sys.orig_argv[1:], "again"], capture_output=True, text=True).stdout)
"""


def test_a_folder_that_cannot_be_written_is_told_once_and_a_temporary_one_stands_in(tmp_path: Path) -> None:
    """Processes that are started share it, and nothing of it is left in the end."""
    (tmp_path / "file").touch()
    environment = {**os.environ, "TASKMATRIX_CACHE": str(tmp_path / "file" / "cache")}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    first, there, again, still = done.stdout.split()
    assert (there, still) == ("True", "True")
    assert first == again
    assert not Path(first).exists()
    assert done.stderr.count("cannot be written") == 1
    assert "TASKMATRIX_CACHE names another folder" in done.stderr
