"""Bodies that an adapter gives to links that have none, or others than the URDF's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import coal
import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from tests.robots.adoption.made import plain_arm

Tiny = Callable[..., Path]
ARM = '[[bodies]]\nlink = "arm"\n'


def test_a_link_has_the_bodies_of_the_adapter(tiny: Tiny) -> None:
    """In place of the URDF's; what was not drawn looks so too."""
    bodies = f"{ARM}cylinder = [0.02, 0.3]\nposition = [0.0, 0.0, -0.1]\n{ARM}sphere = [0.03]\nrpy = [1.0, 0.0, 0.0]\n"
    robot = load_robot(tiny(robot=("[base]", f"{bodies}[base]")))
    mine = [body for body in robot.collision.geometryObjects if body.name.startswith("arm")]
    assert [type(body.geometry) for body in mine] == [coal.Cylinder, coal.Sphere]
    assert mine[0].geometry.radius == 0.02
    frame = robot.model.frames[mine[0].parentFrame].placement
    np.testing.assert_allclose((frame.inverse() * mine[0].placement).translation, [0.0, 0.0, -0.1], atol=1e-12)
    assert len(robot.visuals) == len(load_robot(tiny()).visuals) + 2


def test_what_is_drawn_stays_as_it_is(tiny: Tiny) -> None:
    """A body of the adapter is not drawn over it."""
    bodies = '[[bodies]]\nlink = "trunk"\nbox = [0.1, 0.1, 0.3]\nposition = [0.0, 0.0, 0.2]\n'
    robot = load_robot(tiny(robot=("[base]", f"{bodies}[base]")))
    (mine,) = (body for body in robot.collision.geometryObjects if body.name.startswith("trunk"))
    np.testing.assert_allclose(mine.geometry.halfSide, [0.05, 0.05, 0.15])
    assert len(robot.visuals) == len(load_robot(tiny()).visuals)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('link = "arms"\nsphere = [0.1]', r"bodies\[0\]\.link: no link 'arms'; did you mean 'arm'"),
        ('link = "arm"', r"bodies\[0\]\.link: has to have one of box, cylinder, sphere"),
        ('link = "arm"\nbox = [1, 1, 1]\nsphere = [1]', r"bodies\[0\]\.sphere: has to have one of"),
        ('link = "arm"\nbox = [1, 1]', r"bodies\[0\]\.box: expected 3 numbers"),
        ('link = "arm"\nbox = [1, 0, 1]', r"bodies\[0\]\.box: has to be above 0"),
        ('link = "arm"\nbal = [1]', r"bodies\[0\]\.bal: no key 'bal'"),
    ],
)
def test_a_body_that_cannot_be_is_refused(tiny: Tiny, body: str, problem: str) -> None:
    """With the place in the list."""
    with pytest.raises(RobotError, match=rf"robot\.toml: {problem}"):
        load_robot(tiny(robot=("[base]", f"[[bodies]]\n{body}\n[base]")))


def test_adoption_gives_a_box_to_a_link_whose_mesh_is_missing(tmp_path: Path) -> None:
    """As large as its moments of inertia tell, and ending before its joints; the URDF stays as it is."""
    old = '<link name="upper"><collision><origin xyz="0 0 0.15"/><geometry><box size="0.05 0.05 0.24"/></geometry>'
    text = plain_arm()
    assert old in text
    mass, size = 2.0, np.array([0.06, 0.08, 0.4])
    moments = mass * ((size**2).sum() - size**2) / 12.0
    inertia = " ".join(f'{key}="{value}"' for key, value in zip(("ixx", "iyy", "izz"), moments, strict=True))
    inertial = f'<inertial><origin xyz="0 0 0.15"/><mass value="{mass}"/><inertia {inertia}/></inertial>'
    missing = '<visual><geometry><mesh filename="package://arm/upper.stl"/></geometry></visual>'
    text = text.replace(f"{old}</collision>", f'<link name="upper">{inertial}{missing}')
    (tmp_path / "arm.urdf").write_text(text)
    proposal = propose(tmp_path / "arm.urdf")
    (body,) = proposal.tree.description.bodies
    assert (body.link, body.kind, body.sizes) == ("upper", "box", (0.06, 0.08, 0.24))
    assert any("a box of its moments of inertia stands for it" in note.text for note in proposal.of("unsure"))
    write(proposal, tmp_path / "arm")
    robot = load_robot(tmp_path / "arm")
    (mine,) = (found for found in robot.collision.geometryObjects if found.name.startswith("upper"))
    np.testing.assert_allclose(mine.geometry.halfSide, np.array([0.06, 0.08, 0.24]) / 2)
    assert not robot.unsolid_links
