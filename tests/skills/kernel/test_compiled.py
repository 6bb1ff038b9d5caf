from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numba import config, njit

from taskmatrix.skills.kernel import compiled as module
from taskmatrix.skills.kernel.compiled import cache_folder, compiled


@compiled
def twice(x: float) -> float:
    return 2.0 * x


@compiled
def is_number(x: float) -> bool:
    return x == x and x != np.inf  # noqa: PLR0124


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
    """So that no stale machine code is ever run."""
    for file in Path(module.__file__).parent.glob("*.py"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(module, "__file__", str(tmp_path / "compiled.py"))
    same = cache_folder.__wrapped__()
    (tmp_path / "serial.py").write_text("# another\n", encoding="utf-8")
    other = cache_folder.__wrapped__()
    assert same == cache_folder()
    assert same != other
    assert same.parent == other.parent


def test_the_folder_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Numba's own variable, or the one for caches."""
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder.__wrapped__().is_relative_to(tmp_path / "xdg")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "numba"))
    assert cache_folder.__wrapped__().is_relative_to(tmp_path / "numba")


def test_without_a_place_for_the_cache_it_compiles_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process anew."""

    def nowhere(cache: bool = False, **how: Any) -> Callable[..., Any]:
        if cache:
            raise RuntimeError("no locator available")
        return cast(Callable[..., Any], njit(**how))

    monkeypatch.setattr(module, "njit", nowhere)
    usual = config.CACHE_DIR

    def thrice(x: float) -> float:
        return 3.0 * x

    assert compiled(thrice)(2.0) == 6.0
    assert usual == config.CACHE_DIR
