"""The library's conditions against the judges' own code, in all worlds, with objects anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.conditions import Above, InRegion, Near, RestingOn, Visible
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Region
from taskmatrix.simulation.judges.measures import boxes

from .satisfied import supposing

WORLDS = ["sparse", "apartment", "cottage"]
DISTANCE = 0.3  # [m] that counts as near
HALF_ANGLE = 0.4  # [rad] of view


def box(session: Session, id: str, X_WO: Array) -> boxes.Box:
    return boxes.box(session.world.objects[id], X_WO)


def poses(session: Session) -> Mapping[str, Array]:
    found = session.plant.truth()["poses"]
    assert isinstance(found, dict)
    return found


def moved(session: Session, id: str, on: str, rng: np.random.Generator) -> Array:
    """(4, 4) A pose of an object on, over, near or far from another, at random."""
    lower, upper = box(session, on, poses(session)[on])
    X_WO = pose(rng.uniform(lower - 0.4, upper + 0.4), (0.0, 0.0, rng.uniform(-np.pi, np.pi)))
    if rng.integers(2):  # close to standing on it
        X_WO[2, 3] += upper[2] + rng.uniform(-0.005, 0.005) - box(session, id, X_WO)[0][2]
    return X_WO


@pytest.mark.parametrize("world", WORLDS)
def test_relations_hold_where_the_judges_say_so(world: str) -> None:
    """Each of them both ways, often enough."""
    with simulate("mannequin", world, seed=1) as session:
        on, rng = session.world.default_surface, np.random.default_rng(0)
        lower, upper = box(session, on, poses(session)[on])
        region = Region(tuple((lower - 0.3).tolist()), tuple((upper + 0.3).tolist()))
        seen: dict[str, set[bool]] = {}
        for _ in range(60):
            for id in ("vacuum", "soda_can"):
                X_WO = moved(session, id, on, rng)
                own, support = box(session, id, X_WO), (lower, upper)
                judged: dict[Condition, bool] = {
                    Near(id, on, DISTANCE): boxes.near(own, support, DISTANCE),
                    Above(id, on): boxes.above(own, support),
                    RestingOn(id, on): boxes.resting_on(own, support),
                    InRegion(id, region): all(boxes.in_region(corner, region) for corner in own),
                }
                there = supposing(session.context, id, X_WO)
                for condition, holds in judged.items():
                    verdict = condition.evaluate(there)
                    assert bool(verdict) is bool(holds), verdict.why
                    seen.setdefault(type(condition).__name__, set()).add(bool(holds))
        assert all(answers == {True, False} for answers in seen.values()), seen


@pytest.mark.parametrize("world", WORLDS)
def test_what_is_visible_is_what_the_judges_see(world: str) -> None:
    """Every object of the world, from where the robot stands and turned step by step."""
    with simulate("mannequin", world, seed=2) as session:
        seen, there, models = set(), poses(session), session.world.objects
        parts = {  # each shape of an object by itself
            id: [boxes.box(replace(models[id], shapes=(shape,)), X_WO) for shape in models[id].shapes]
            for id, X_WO in there.items()
        }
        for _ in range(12):
            session.plant.push(np.array([0.0, 0.0, 0.5]))
            session.skills.sense(session.plant.sense())
            eye, direction = session.skills.view_position(), session.skills.view()[:, 0]
            for id, X_WO in there.items():
                others = [part for other, own in parts.items() if other != id for part in own]
                target = boxes.centre(models[id], X_WO)
                judged = boxes.visible(eye, direction, target, HALF_ANGLE, others)
                verdict = Visible(id, HALF_ANGLE).evaluate(session.context)
                assert bool(verdict) is bool(judged), verdict.why
                seen.add(judged)
        assert seen == {True, False}


@pytest.mark.parametrize("world", WORLDS)
def test_sampled_states_are_what_the_judges_ask_for(world: str) -> None:
    """A conjunction inverted: every pose that it proposes is judged to satisfy both parts."""
    with simulate("mannequin", world, seed=3) as session:
        on, rng = session.world.default_surface, np.random.default_rng(0)
        support = box(session, on, poses(session)[on])
        for X_WO in (Above("soda_can", on) & Near("soda_can", on, 0.1)).sample(session.context, 20, rng):
            own = box(session, "soda_can", X_WO)
            assert boxes.above(own, support)
            assert boxes.near(own, support, 0.1)
        for X_WO in RestingOn("vacuum", on).sample(session.context, 20, rng):
            own = box(session, "vacuum", X_WO)
            assert boxes.resting_on(own, support)
            assert boxes.inside(own, support)
