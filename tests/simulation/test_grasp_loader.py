from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.world.objects import Grasp
from taskmatrix.simulation.scenes.grasp_loader import read_grasps


def grasps(folder: Path, text: str) -> tuple[Grasp, ...]:
    file = folder / "grasps.toml"
    file.write_text(text)
    return read_grasps(read_table(file, WorldError))


SIDE = '[[grasp]]\nname = "side"\nposition = [0, 0, 0.1]\napproach = [-1, 0, 0]\nclose = [0, 1, 0]\nwidth = 0.06\n'


def test_frame_has_z_along_the_approach_and_y_along_the_closing(tmp_path: Path) -> None:
    """The columns of the hand's rotation are x = y cross z, the closing and the approach."""
    (grasp,) = grasps(tmp_path, SIDE)
    np.testing.assert_allclose(grasp.X_OH[:3, 2], [-1, 0, 0])
    np.testing.assert_allclose(grasp.X_OH[:3, 1], [0, 1, 0])
    np.testing.assert_allclose(grasp.X_OH[:3, 0], [0, 0, 1])
    np.testing.assert_allclose(grasp.X_OH[:3, 3], [0, 0, 0.1])
    assert grasp.width == 0.06


def test_spin_goes_around_once_without_repeating(tmp_path: Path) -> None:
    """Twelve copies point to twelve directions, 30 degrees apart, all at the same height."""
    family = grasps(tmp_path, SIDE + "spin = { axis = [0, 0, 1], count = 12 }\n")
    assert [grasp.name for grasp in family] == [f"side/{i}" for i in range(12)]
    yaw = np.array([np.arctan2(-grasp.X_OH[1, 2], -grasp.X_OH[0, 2]) for grasp in family])
    np.testing.assert_allclose(np.degrees(yaw) % 360, np.arange(12) * 30.0, atol=1e-9)
    assert all(grasp.X_OH[2, 3] == pytest.approx(0.1) for grasp in family)


def test_spin_over_a_range_reaches_both_ends(tmp_path: Path) -> None:
    """Three copies over -90..90 degrees turn by -90, 0 and 90; a point on the axis stays where it is."""
    text = SIDE + "spin = { axis = [1, 0, 0], through = [0.3, 0, 0.1], count = 3, range = [-90, 90] }\n"
    family = grasps(tmp_path, text)
    np.testing.assert_allclose([grasp.X_OH[:3, 3] for grasp in family], [[0, 0, 0.1]] * 3, atol=1e-12)
    np.testing.assert_allclose([grasp.X_OH[:3, 1] for grasp in family], [[0, 0, -1], [0, 1, 0], [0, 0, 1]], atol=1e-12)


def test_slide_goes_along_the_axis_to_its_end(tmp_path: Path) -> None:
    """Along a stick: three heights over 40 cm, and each of them turned all round."""
    text = SIDE + "slide = { axis = [0, 0, 2], length = 0.4, count = 3 }\nspin = { axis = [0, 0, 1], count = 2 }\n"
    family = grasps(tmp_path, text)
    assert [grasp.name for grasp in family] == [f"side/{i}/{k}" for i in range(3) for k in range(2)]
    heights = [grasp.X_OH[2, 3] for grasp in family]
    np.testing.assert_allclose(heights, [0.1, 0.1, 0.3, 0.3, 0.5, 0.5])
    np.testing.assert_allclose([grasp.X_OH[0, 2] for grasp in family], [-1, 1] * 3, atol=1e-12)


def test_flip_keeps_the_approach_and_swaps_the_fingers(tmp_path: Path) -> None:
    """A flipped grasp is the other one turned by half a turn about the hand's z."""
    plain, flipped = grasps(tmp_path, SIDE + "flip = true\n")
    assert (plain.name, flipped.name) == ("side", "side/flipped")
    np.testing.assert_allclose(flipped.X_OH[:3, 2:], plain.X_OH[:3, 2:])
    np.testing.assert_allclose(flipped.X_OH[:3, :2], -plain.X_OH[:3, :2])


def test_every_grasp_of_a_family_is_a_pose(tmp_path: Path) -> None:
    """Slanted approaches of any length give right-handed orthonormal frames."""
    text = SIDE.replace("[-1, 0, 0]", "[-1, 0, -0.364]") + "flip = true\nspin = { axis = [1, 2, 3], count = 7 }\n"
    family = grasps(tmp_path, text)
    assert len(family) == 14
    for grasp in family:
        R = grasp.X_OH[:3, :3]
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(R) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SIDE + SIDE, r"grasp\[1\]\.name: there are two grasps 'side'"),
        (SIDE + "slide = { axis = [0, 0, 1], length = 0.4, count = 1 }\n", "must be 2 or more, got 1"),
        (SIDE + "slide = { axis = [0, 0, 1], length = 1, count = 1 }", r"grasp\[0\]\.slide\.count: must be 2 or more"),
        (SIDE + "spin = { axis = [0, 0, 1], count = 0 }", r"grasp\[0\]\.spin\.count: must be 1 or more, got 0"),
        (
            SIDE + "spin = { axis = [0, 0, 1], count = 2, from = 3 }",
            r"spin\.from: no key 'from'.* There are: axis, count, range, through",
        ),
        (SIDE + "spin = 3", "spin: expected a table, got 3"),
        (SIDE.replace("width = 0.06", "width = -1"), r"grasp\[0\]\.width: must be above zero, got -1"),
        ("grasp = 3", "grasp: expected a list, got 3"),
    ],
)
def test_mistakes_are_located(tmp_path: Path, text: str, message: str) -> None:
    """Each mistake in a grasp entry says which entry and key."""
    with pytest.raises(WorldError, match=message):
        grasps(tmp_path, text)
