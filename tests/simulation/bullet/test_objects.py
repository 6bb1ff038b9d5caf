from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import load_robot
from taskmatrix.robots.capabilities import GRAVITY
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.bullet.objects import BulletObjects
from taskmatrix.simulation.physics.presets import Physics
from taskmatrix.simulation.scenes.world import GAP
from taskmatrix.simulation.scenes.world_loader import load_world

from ..physics.scenes import ball, box

pytestmark = pytest.mark.pictures
DT = 1 / 240


def stepped(engine: Engine, seconds: float) -> None:
    for _ in range(round(seconds / DT)):
        engine.step(DT)


def things(engine: Engine, *models: ObjectModel) -> BulletObjects:
    return BulletObjects(engine, {model.id: model for model in models}, Physics())


def can(id: str) -> ObjectModel:
    return ObjectModel(id, "object", (Shape("cylinder", (0.033, 0.122), pose()),), movable=True, mass=0.35)


def stool(id: str) -> ObjectModel:
    """What is made of several pieces, and looks at its object's frame from aside."""
    seat = Shape("box", (0.3, 0.3, 0.04), pose((0.1, 0.0, 0.4)))
    legs = [Shape("box", (0.04, 0.04, 0.38), pose((0.1 + x, y, 0.19))) for x in (-0.12, 0.12) for y in (-0.12, 0.12)]
    return ObjectModel(id, "object", (seat, *legs), movable=True, mass=2.0)


@pytest.mark.parametrize(
    ("model", "height"),
    [(box("it", (0.1, 0.2, 0.3)), 0.15), (ball("it", 0.05), 0.05), (can("it"), 0.061), (stool("it"), 0.0)],
    ids=["box", "ball", "cylinder", "pieces"],
)
def test_what_stands_stays_where_the_world_puts_it(engine: Engine, model: ObjectModel, height: float) -> None:
    """A gap above the floor, which its skin fills: to a tenth of a millimetre in two seconds."""
    found, X = things(engine, model), pose((0.3, -0.2, height + GAP), (0.0, 0.0, 0.4))
    found.put("it", X)
    stepped(engine, 2.0)
    np.testing.assert_allclose(found.state("it")[0], X, atol=1e-4)


@pytest.mark.slow
def test_a_whole_world_stays_where_it_is(engine: Engine) -> None:
    """All that lies and stands in the sparse world, meshes in pieces too, to a fifth of a millimetre in two seconds."""
    robot = load_robot("mannequin")
    world = load_world("sparse", shoulder_height=robot.shoulder_height)
    found = BulletObjects(engine, world.objects, Physics())
    for id, X in world.poses.items():
        found.put(id, X)
    stepped(engine, 2.0)
    off = {id: np.abs(found.state(id)[0] - X)[:3, 3].max() for id, X in world.poses.items()}
    assert max(off.values()) < 2e-4, off


def test_a_pose_is_that_of_the_objects_frame(engine: Engine) -> None:
    """Wherever its mass is, and however its principal axes lie."""
    found, X = things(engine, stool("it")), pose((1.0, 2.0, 3.0), (0.5, -0.3, 2.0))
    found.put("it", X)
    np.testing.assert_allclose(found.state("it")[0], X, atol=1e-6)


@pytest.mark.parametrize("model", [box("it", (0.1, 0.2, 0.3)), ball("it", 0.05, 0.5), can("it")], ids=["b", "s", "c"])
def test_masses_and_moments_are_those_of_an_even_body(engine: Engine, model: ObjectModel) -> None:
    """Of its shape without the skin."""
    things(engine, model)
    info = engine("getDynamicsInfo", *engine.numbers["it"])
    mass, size = model.mass, model.shapes[0].size
    assert mass is not None
    expected = {
        "box": [mass / 12 * (size[k - 2] ** 2 + size[k - 1] ** 2) for k in range(3)] if len(size) == 3 else [],
        "sphere": [0.4 * mass * size[0] ** 2] * 3,
        "cylinder": [mass / 12 * (3 * size[0] ** 2 + size[-1] ** 2)] * 2 + [mass / 2 * size[0] ** 2],
    }[model.shapes[0].kind]
    assert info[0] == pytest.approx(mass)
    np.testing.assert_allclose(sorted(info[2]), sorted(expected), rtol=1e-5)


def test_what_says_no_mass_has_one(engine: Engine) -> None:
    """Of something that one hand carries; what is fixed does not fall."""
    found = things(engine, box("it", (0.1, 0.1, 0.1), mass=None), box("wall", (0.1, 0.1, 0.1), movable=False))
    assert 0.1 < engine("getDynamicsInfo", *engine.numbers["it"])[0] < 1.0
    X = pose((0.0, 0.0, 2.0))
    found.put("wall", X)
    stepped(engine, 0.5)
    np.testing.assert_allclose(found.state("wall")[0], X, atol=1e-12)


def test_what_is_absent_is_in_nobodys_way(engine: Engine) -> None:
    """It touches nothing, not even the ground that it is below; put back, others lie on it again."""
    found = things(engine, box("one", (0.1, 0.1, 0.1)), box("two", (0.1, 0.1, 0.1)))
    found.put("one", pose((0, 0, 0.05 + GAP)))
    stepped(engine, 0.5)
    assert not engine("getContactPoints", engine.numbers["two"][0])
    assert found.state("two")[0][2, 3] < -50.0
    found.put("two", pose((0, 0, 0.15 + 3 * GAP)))
    stepped(engine, 0.5)
    assert found.state("two")[0][2, 3] == pytest.approx(0.15 + 3 * GAP, abs=3e-4)
    found.hide("one")
    stepped(engine, 0.5)
    assert found.state("two")[0][2, 3] == pytest.approx(0.05 + GAP, abs=3e-4)


def pushed(force: float, seconds: float) -> Array:
    """Velocity (6,) of a box of 0.5 kg on the floor after a push."""
    with closing(Engine(100)) as engine:
        found = things(engine, box("it", (0.1, 0.1, 0.1), mass=0.5))
        found.put("it", pose((0, 0, 0.05 + GAP)))
        stepped(engine, 0.1)
        for _ in range(round(seconds / DT)):
            found.push("it", np.array([force, 0.0, 0.0]))
            engine.step(DT)
        return found.state("it")[1]


def test_a_push_moves_what_friction_does_not_hold() -> None:
    """By Coulomb's law: below mu m g it stays, above it gains (F - mu m g) t / m."""
    mu, weight = Physics().friction, 0.5 * GRAVITY
    assert abs(pushed(0.9 * mu * weight, 0.5)[0]) < 1e-3
    assert pushed(1.5 * mu * weight, 0.5)[0] == pytest.approx(0.5 * mu * GRAVITY * 0.5, rel=0.03)


@pytest.mark.parametrize("movable", [True, False])
def test_what_lies_on_a_cylinder_lies_where_the_world_puts_it(engine: Engine, movable: bool) -> None:
    """PyBullet makes cylinders a little larger than they are said to be."""
    drum = ObjectModel("drum", "object", (Shape("cylinder", (0.2, 0.3), pose()),), movable=movable, mass=20.0)
    found, low = things(engine, drum, ball("it", 0.05)), GAP if movable else 0.0
    found.put("drum", pose((0, 0, 0.15 + low)))
    found.put("it", pose((0, 0, 0.35 + low + GAP * (1 + movable))))
    stepped(engine, 1.0)
    assert found.state("it")[0][2, 3] == pytest.approx(0.35 + low + GAP * (1 + movable), abs=1e-4)


def test_a_state_is_the_same_while_nothing_moves(engine: Engine) -> None:
    """The very array, so that who looks sees at once that nothing happened."""
    found = things(engine, box("wall", (0.1, 0.1, 0.1), movable=False))
    found.put("wall", pose((0, 0, 1)))
    before = found.state("wall")
    stepped(engine, 0.1)
    assert found.state("wall")[0] is before[0]
    found.put("wall", pose((0, 0, 2)))
    assert found.state("wall")[0][2, 3] == pytest.approx(2.0)
