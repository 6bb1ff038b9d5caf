from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numba import config
from numpy.typing import NDArray

from taskmatrix.kernel.jit import compiled as module
from taskmatrix.kernel.jit.compiled import cache_folder, compiled, why_not_kept


@compiled
def twice(x: float) -> float:
    return 2.0 * x


@compiled
def is_number(x: float) -> bool:
    return x == x and x != np.inf  # noqa: PLR0124


@compiled
def scaled(x: float, times: int) -> float:
    return x * times


@compiled
def calls_scaled(x: float, single: NDArray[np.float32]) -> float:
    total = scaled(x, 1) + scaled(x, 2)
    for n in range(3):
        total += scaled(single[0], n)
    return total


def test_a_compiled_function_is_kept_in_the_cache_folder() -> None:
    """And Numba's own setting is as before."""
    assert twice(1.5) == 3.0
    assert list(cache_folder().rglob("test_compiled.twice-*.nbi"))
    assert str(cache_folder()) != config.CACHE_DIR


def test_nan_and_infinity_keep_their_meaning() -> None:
    """Though the compiler may reorder sums."""
    assert is_number(1.0)
    assert not is_number(float("nan"))
    assert not is_number(float("inf"))


def test_the_folder_changes_with_any_file_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no stale machine code is ever run; also with its time, by which Numba tells that it is stale."""
    shutil.copytree(module.KERNEL, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(module, "KERNEL", tmp_path)
    here = cache_folder.__wrapped__()
    assert here == cache_folder.__wrapped__()
    (tmp_path / "ik" / "serial.py").write_text("# another\n", encoding="utf-8")
    other = cache_folder.__wrapped__()
    os.utime(tmp_path / "ik" / "serial.py", (0, 0))
    assert len({cache_folder(), here, other, cache_folder.__wrapped__()}) == 4
    assert here.parent == cache_folder().parent


def test_the_folder_is_another_for_another_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """And for other versions of what compiles: what is in the folder is all that is needed."""
    monkeypatch.setattr(config, "CPU_NAME", "generic")
    generic = cache_folder.__wrapped__()
    monkeypatch.setattr(module, "version", lambda name: "0.0")
    assert len({cache_folder(), generic, cache_folder.__wrapped__()}) == 3


def test_the_folder_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Numba's own variable, or the one for caches."""
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder.__wrapped__().is_relative_to(tmp_path / "xdg")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "numba"))
    assert cache_folder.__wrapped__().is_relative_to(tmp_path / "numba")


def test_without_a_place_for_the_cache_it_compiles_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each process anew; and not into the folder of the source, where Numba would put it."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(module, "cache_folder", cache_folder.__wrapped__)
    monkeypatch.setattr(module, "why_not_kept", why_not_kept.__wrapped__)
    assert "directory" in why_not_kept.__wrapped__()

    def thrice(x: float) -> float:
        return 3.0 * x

    function: Any = compiled(thrice)
    assert function(2.0) == 6.0
    assert not function.stats.cache_path


def test_a_constant_handed_over_makes_no_other_version() -> None:
    """Nor does single precision; and what is called from Python too is taken as it is."""
    assert scaled(2.0, 3) == calls_scaled(1.0, np.ones(1, dtype=np.float32))
    assert len(cast(Any, scaled).signatures) == 1
