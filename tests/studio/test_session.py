from __future__ import annotations

import sys
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from taskmatrix import ParameterError, simulate
from taskmatrix.behaviors import Postural
from taskmatrix.core.errors import MissingDependencyError, NotFoundError
from taskmatrix.core.occupancy import FREE, OCCUPIED
from taskmatrix.testing.box_camera import BoxCamera, looking


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True])
def test_a_seed_is_a_natural_number(seed: Any) -> None:
    """Anything else is refused with a clear word."""
    with pytest.raises(ParameterError, match="seed has to be a whole number from 0"):
        simulate("mannequin", seed=seed)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ((0.0, 0.0), "start has to be"),
        (("a", 0, 0), "start has to be"),
        ((np.nan, 0, 0), "start has to be"),
        ((1e6, 0.0, 0.0), "outside the base's limits"),
    ],
)
def test_a_start_is_three_numbers_within_the_limits_of_the_base(start: Any, words: str) -> None:
    """Anything else is refused with a clear word."""
    with pytest.raises(ParameterError, match=words):
        simulate("mannequin", start=start)


def test_the_start_is_drawn_from_the_worlds_region_by_the_seed() -> None:
    """The same seed, the same place; another seed, another."""
    places = [tuple(simulate("mannequin", seed=seed).plant.sense().q[:3]) for seed in (3, 3, 4)]
    assert places[0] == places[1] != places[2]
    lower, upper = simulate("mannequin").world.start
    assert all(low <= value <= high for low, value, high in zip(lower, places[0], upper, strict=True))


def test_a_guest_walks_in_sight_of_the_robot() -> None:
    """It is an object that is perceived and moves; the session's robot is the other one."""
    with simulate("asimo", world="apartment", guest="mannequin") as session:
        assert session.robot.name == "asimo"
        session.run(Postural(posture="ready"))
        guest = session.context.perception.object("guest")
    assert guest.model.is_a("humanoid")
    assert np.linalg.norm(guest.velocity[:2]) > 0.2
    assert np.linalg.norm(guest.X_WO[:3, 3] - session.world.poses["guest"][:3, 3]) > 0.3


def test_what_a_robot_is_not_able_to_is_known_without_trying() -> None:
    """And a run afterwards is as if nobody had asked."""
    runs = []
    for ask in (True, False):
        with simulate("mannequin", seed=1) as session:
            behavior = Postural(posture="ready")
            assert not ask or session.unmet(behavior) is None
            outcome = session.run(behavior)
            runs.append((outcome.duration, tuple(session.plant.sense().q)))
    assert runs[0] == runs[1]


def test_a_map_is_kept_of_what_the_known_objects_do_not_explain() -> None:
    """Until they are forgotten: then they are in it as anything else."""
    box = (0.91, -0.2, 0.5), (1.1, 0.2, 0.9)
    image = BoxCamera([box]).image(looking((0.0, 0.0, 0.7), (1.0, 0.0, 0.7)))
    front = np.array([(0.911, 0.0, 0.7)])
    for known, state in ((True, FREE), (False, OCCUPIED)):
        with simulate("mannequin", start=(-1.0, 0.0, 0.0)) as session:
            shown = replace(image, names=("table",))
            if not known:
                session.forget_objects()
            octree = session.keep_map(partial(copy, shown))
            session.run(Postural(posture="ready"))
            assert octree.states(front).tolist() == [state]
            assert session.skills.occupancy is octree
            assert ("table" in session.context.perception) is known


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"sim": "bulet"}, NotFoundError, "no simulation 'bulet'.*did you mean 'bullet'"),
        ({"physics": "fast"}, ParameterError, "physics='fast' is for sim='bullet'; the simulation is 'kinematic'"),
        ({"sim": "bullet", "drift": lambda _: np.zeros(3)}, ParameterError, "a drift is for sim='kinematic'"),
    ],
)
def test_what_does_not_fit_the_simulation_is_refused(given: dict[str, Any], error: type[Exception], words: str) -> None:
    """Before anything is loaded, with the nearest name that exists."""
    with pytest.raises(error, match=words):
        simulate("mannequin", **given)


@pytest.mark.pictures
def test_a_preset_that_does_not_exist_is_told_with_the_nearest() -> None:
    """As any other name."""
    with pytest.raises(NotFoundError, match="did you mean 'robust'"):
        simulate("mannequin", sim="bullet", physics="robus")


def test_physics_without_pybullet_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no wheels for every Python; what needs none goes on working."""
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(MissingDependencyError, match=r"physics needs pybullet.*pip install pybullet"):
        simulate("mannequin", sim="bullet")
    simulate("mannequin").close()


@pytest.mark.pictures
def test_with_physics_the_same_program_runs() -> None:
    """The joints end where the posture has them, to a tenth of a degree."""
    with simulate("mannequin", seed=1, sim="bullet") as session:
        outcome = session.run(Postural(posture="ready"))
        assert outcome.success, outcome
        wanted = session.robot.posture("ready", tuple(session.plant.sense().q[:3]))
        arms = list(session.robot.indices("left_arm", "right_arm"))
        assert np.degrees(np.abs(session.plant.sense().q - wanted)[arms].max()) < 0.1
