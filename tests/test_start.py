"""What a program loads before it needs it costs every user a moment at every start."""

from __future__ import annotations

import subprocess
import sys

import pytest

LATER = {  # what needs them imports them
    "IPython",
    "aiohttp",
    "matplotlib",
    "mcap",
    "nicegui",
    "numba.cuda",
    "orjson",
    "pandas",
    "pybullet",
    "scipy.interpolate",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.spatial",
    "scipy.special",
    "sphinx",
    "toppra",
    "zstandard",
}
COMMAND_LINE = {"PIL", "asyncio", "pebble", "rich", "typer"}
COMPONENTS = {f"taskmatrix.core.{name}" for name in ("components", "remote", "robot.filters", "trees")}


@pytest.mark.parametrize(
    ("module", "later"),
    [
        ("taskmatrix", LATER | COMMAND_LINE | COMPONENTS),
        ("taskmatrix.core", LATER | COMMAND_LINE | COMPONENTS),
        ("taskmatrix.studio.cli.command_line", LATER),
    ],
)
def test_what_is_needed_later_is_loaded_later(module: str, later: set[str]) -> None:
    """In a fresh process."""
    program = f"import sys, {module}; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert module in (loaded := set(told.stdout.split()))
    assert sorted(later & loaded) == []
