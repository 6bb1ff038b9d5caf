from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numba import config
from numpy.typing import NDArray

from taskmatrix.kernel.jit import machine_code
from taskmatrix.kernel.jit.compiled import CODE, compiled
from taskmatrix.kernel.jit.machine_code import MachineCode

SOURCE = Path(machine_code.__file__).parents[1]


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
    """By its name."""
    assert twice(1.5) == 3.0
    assert list(CODE.folder.glob("test_compiled.twice-*.nbi"))


def test_nan_and_infinity_keep_their_meaning() -> None:
    """Though the compiler may reorder sums."""
    assert is_number(1.0)
    assert not is_number(float("nan"))
    assert not is_number(float("inf"))


def test_the_folder_changes_with_any_file_of_the_package_and_not_with_its_place(tmp_path: Path) -> None:
    """So that no stale machine code is ever run, and every checkout of the same functions runs what one compiled."""
    for name in ("one", "two"):
        shutil.copytree(SOURCE, tmp_path / name)
    os.utime(tmp_path / "two" / "ik" / "serial.py", (0, 0))
    here, there = (MachineCode("kernel", tmp_path / name).folder for name in ("one", "two"))
    assert here == there == CODE.folder
    (tmp_path / "two" / "ik" / "serial.py").write_text("# another\n", encoding="utf-8")
    assert MachineCode("kernel", tmp_path / "two").folder != here


def test_the_folder_is_another_for_another_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """And for other versions of what compiles: what is in the folder is all that is needed."""
    monkeypatch.setattr(config, "CPU_NAME", "generic")
    generic = MachineCode("kernel", SOURCE).folder
    monkeypatch.setattr(machine_code, "version", lambda name: "0.0")
    assert len({CODE.folder, generic, MachineCode("kernel", SOURCE).folder}) == 3


PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from numba import njit
from taskmatrix.kernel.jit.machine_code import MachineCode
import half
function = MachineCode("half", Path(sys.argv[1])).keep(njit(half.half))
print(function(3.0), sum(function.stats.cache_hits.values()))
"""


def test_two_checkouts_share_machine_code(tmp_path: Path) -> None:
    """The second process loads from another place what the first has compiled."""
    told = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half.py").write_text("def half(x):\n    return x / 2\n", encoding="utf-8")
        command = [sys.executable, "-c", PROGRAM, str(tmp_path / name)]
        environment = {**os.environ, "TASKMATRIX_CACHE": str(tmp_path / "cache")}
        told.append(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert told == ["1.5 0\n", "1.5 1\n"]


def test_a_constant_handed_over_makes_no_other_version() -> None:
    """Nor does single precision; and what is called from Python too is taken as it is."""
    assert scaled(2.0, 3) == calls_scaled(1.0, np.ones(1, dtype=np.float32))
    assert len(cast(Any, scaled).signatures) == 1
