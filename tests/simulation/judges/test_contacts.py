"""Skipping what cannot have come into contact never skips a contact."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.judges import Step
from taskmatrix.simulation.judges.measures.contacts import contacts, in_contact
from taskmatrix.simulation.judges.measures.scene import Scene

from .setting import record_of, robot, start_step, sway, world


def found(steps: list[Step], name: str = "mannequin") -> dict[int, set[tuple[str, str]]]:
    by_step: dict[int, set[tuple[str, str]]] = {}
    for k, first, second in contacts(record_of(steps, name), lambda *_: False):
        by_step.setdefault(k, set()).add((first, second))
    return by_step


@pytest.mark.parametrize("name", ["mannequin"])
def test_every_contact_is_found_when_it_begins(name: str) -> None:
    """On a random walk of all joints, over a table, against a check of all pairs at each step."""
    start = start_step(name)
    poses = {**start.poses, "table": pose((0.45, 0.1, -0.1))}
    steps = [Step(start.q, poses, {}), *(Step(q, poses, {}) for q in sway(60, 0.02, seed=3, name=name))]
    seen, touching, scene = found(steps, name), 0, Scene(robot(name), world().objects)
    for k, step in enumerate(steps):
        exact = in_contact(scene, step)
        assert seen.get(k, set()) <= exact
        if k and step.q is not steps[k - 1].q:
            assert exact == seen.get(k, set())
        touching += len(exact)
    assert touching > 20


def test_objects_that_move_are_followed() -> None:
    """A ball that flies through the robot touches it exactly as long as a check of all pairs says."""
    start = start_step()
    steps = [Step(start.q, {**start.poses, "tennis_ball": pose((0.5 - 0.01 * k, 0.0, 0.9))}, {}) for k in range(100)]
    seen, scene = found(steps), Scene(robot(), world().objects)
    exact = [k for k, step in enumerate(steps) if in_contact(scene, step)]
    assert exact == sorted(seen)
    assert 5 < len(exact) < 80


def test_what_is_absent_touches_nothing_and_is_found_where_it_returns() -> None:
    """An object may vanish and appear elsewhere, also much later."""
    start = start_step()
    without = {id: X for id, X in start.poses.items() if id != "soda_can"}
    back = {**start.poses, "soda_can": pose((0.0, 0.0, 0.9))}
    steps = [start, *[Step(start.q, without, {})] * 600, Step(start.q, back, {}), Step(start.q, back, {})]
    seen = found(steps)
    assert min(seen) == 601
    assert all("soda_can" in pair for pairs in seen.values() for pair in pairs)


def test_things_that_lie_about_are_checked_against_each_other_only_when_held() -> None:
    """A can in the table is nobody's fault, unless a hand put it there."""
    start = start_step()
    sunk = {**start.poses, "soda_can": pose((0.0, 0.0, -0.01)) @ start.poses["soda_can"]}
    assert found([Step(start.q, sunk, {})] * 2) == {}
    held = found([Step(start.q, sunk, {}), Step(start.q, sunk, {"left": "soda_can"})])
    assert ("table", "soda_can") in held[1]


def test_identical_steps_are_not_looked_at_again() -> None:
    """Ten thousand steps at rest are checked in no time, and each contact is told once."""
    start = start_step()
    inside = {**start.poses, "tennis_ball": pose((0.0, 0.0, 0.9))}
    steps = [Step(start.q, inside, {})] * 10_000
    seen = found(steps)
    assert list(seen) == [0]
    assert np.all([("tennis_ball" in pair) for pair in seen[0]])
