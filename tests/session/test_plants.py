"""Plants of other packages, by the names of their entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix import NotFoundError, ParameterError, TaskMatrixError, simulate
from taskmatrix.behaviors import Postural
from taskmatrix.session.plants import plant_names
from taskmatrix.testing import FakePlant

MODULE = """
from taskmatrix.simulation import KinematicPlant

class Elsewhere(KinematicPlant):
    pass

def make(inputs):
    return Elsewhere(inputs.robot, inputs.world, inputs.q)

def three(inputs):
    return 3

def breaks(inputs):
    raise ValueError("there is no license")
"""
BROKEN = "import a_package_that_is_not_there\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, one of which has plants."""
    (tmp_path / "house_of_plants.py").write_text(MODULE)
    (tmp_path / "broken_house_of_plants.py").write_text(BROKEN)
    install(
        tmp_path,
        "house-of-plants",
        elsewhere="house_of_plants:make",
        three="house_of_plants:three",
        number="house_of_plants:BROKEN",
        breaks="house_of_plants:breaks",
        broken="broken_house_of_plants:make",
        kinematic="house_of_plants:make",
    )
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def install(folder: Path, package: str, **points: str) -> None:
    metadata = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = ["[taskmatrix.plants]", *(f"{name} = {value}" for name, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")


def test_a_plant_of_another_package_has_a_name(installed: Path) -> None:
    """A program runs on it; names of ours stay ours."""
    assert plant_names()[:3] == ("kinematic", "bullet", "mujoco")
    assert plant_names().count("kinematic") == 1
    with simulate("nao", seed=1, sim="elsewhere") as session:
        assert type(session.plant).__name__ == "Elsewhere"
        assert session.run(Postural(posture="ready")).success
    with simulate("nao", seed=1) as session:
        assert type(session.plant).__name__ == "KinematicPlant"


def test_a_name_that_nobody_has_is_told_with_all_that_there_are(installed: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no simulation 'elswhere'.*did you mean 'elsewhere'") as raised:
        simulate("nao", sim="elswhere")
    for name in plant_names():
        assert name in str(raised.value)


@pytest.mark.parametrize(
    ("sim", "said"),
    [
        ("broken", r"'broken' of the entry point 'broken_house_of_plants:make' cannot be loaded: ModuleNotFoundError"),
        ("number", r"'number' of the entry point 'house_of_plants:BROKEN' cannot be loaded: AttributeError"),
        ("three", r"'three' of the entry point 'house_of_plants:three': a plant has sense\(\) and apply\(\); int has"),
        ("breaks", r"'breaks' of the entry point .*: breaks cannot make a plant .*ValueError: there is no license"),
    ],
)
def test_what_is_no_plant_is_told_with_its_entry_point(installed: Path, sim: str, said: str) -> None:
    with pytest.raises(TaskMatrixError, match=said):
        simulate("nao", sim=sim)


def test_two_packages_with_one_name_are_told(installed: Path) -> None:
    install(installed, "other-house", elsewhere="other_house:make")
    with pytest.raises(TaskMatrixError, match=r"several entry points: 'house_of_plants:make' and 'other_house:make'"):
        simulate("nao", sim="elsewhere")


def test_a_drift_is_for_the_kinematic_simulation_only(installed: Path) -> None:
    """Nobody else would heed it."""
    with pytest.raises(ParameterError, match="a drift is for sim='kinematic'"):
        simulate("nao", sim="elsewhere", drift=lambda time: time)  # type: ignore[arg-type, return-value]
    with pytest.raises(ParameterError, match="a drift is for sim='kinematic'"):
        simulate("nao", plant=FakePlant, drift=lambda time: time)  # type: ignore[arg-type, return-value]
