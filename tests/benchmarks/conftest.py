"""The benchmarks are scripts beside the package; their folder is put on the path. A small arm stands for the robots."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

ARM = """<robot name="arm">
  <link name="stand">{box}</link><link name="upper">{bar}</link><link name="fore">{bar}</link><link name="hand"/>
  <joint name="turn" type="continuous"><parent link="stand"/><child link="post"/><origin xyz="0 0 0.25"/>
    <axis xyz="0 0 1"/></joint>
  <link name="post"/>
  <joint name="shoulder" type="revolute"><parent link="post"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/>
    <axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" velocity="1" effort="1"/></joint>
  <joint name="wrist" type="fixed"><parent link="fore"/><child link="hand"/><origin xyz="0 0 0.4"/></joint>
</robot>"""
BOX = '<collision><geometry><box size="0.2 0.2 0.4"/></geometry></collision>'
BAR = '<collision><origin xyz="0 0 0.2"/><geometry><box size="0.06 0.06 0.3"/></geometry></collision>'


@pytest.fixture
def arm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The name of an arm of three joints on a stand."""
    from problems.robots import SUBJECTS, Subject  # noqa: PLC0415  # after the path is set

    urdf = tmp_path / "arm.urdf"
    urdf.write_text(ARM.format(box=BOX, bar=BAR))
    subject = Subject(str(urdf), "hand", ("turn", "shoulder", "elbow"), (), 0.3)
    monkeypatch.setitem(SUBJECTS, "small", subject)
    for name, fewer in {
        "scenes.STATES": 20,
        "scenes.FREE_EDGES": 4,
        "scenes.OTHER_EDGES": 2,
        "pairs.SAMPLES": 200,
    }.items():
        monkeypatch.setattr(f"problems.{name}", fewer)
    return "small"


@pytest.fixture
def pretenders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adapters of ``pretender.py`` can be named."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What consoles keep for the page from here on."""
    from console import Console  # noqa: PLC0415  # after the path is set

    kept: list[object] = []
    monkeypatch.setattr(Console, "told", kept)
    return kept
