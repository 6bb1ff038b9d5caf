"""What comes into the way of a plan while it is followed, further ahead than the next step."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import Postural, Reach
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Contact, Indices
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept
from taskmatrix.testing import Bench, box_percept

CUP, LAMP = box_percept("cup", (0.6, 0.1, 1.0)), box_percept("lamp", (3.0, 0.0, 1.0))
NEAR = 0.15  # [rad] after which the left arm touches the lamp
ARM = slice(5, 8)
AWAY = pose((3.0, 0.0, 1.0))


def bench(begin: float, end: float) -> Bench:
    """A lamp is in the way of the left arm from one time [s] to another."""
    script = [(begin, "lamp", pose((0.5, 0.3, 1.0))), (end, "lamp", AWAY)]
    made = Bench([CUP, LAMP], script)
    made.skills.postures["raised"] = {5: 1.0}
    start = made.skills.position()[ARM]

    def contact(q: Array) -> Contact | None:
        is_there = made.context.perception.pose("lamp")[0, 3] < 1.0
        return Contact("elbow", "lamp", -0.001) if is_there and np.linalg.norm(q[ARM] - start) > NEAR else None

    made.skills.contact = contact
    return made


def causes(made: Bench) -> list[str]:
    """Why plans were made anew."""
    found = [event.data["cause"] for event in made.events if event.kind == "replan"]
    return [cause.message for cause in found if isinstance(cause, Failure)]


@pytest.mark.parametrize("behavior", [Postural(posture="raised", mirror=False), Reach(object="cup", using="left")])
def test_it_comes_to_rest_before_what_has_come_into_the_way(behavior: TaskBehavior) -> None:
    """Not at the last moment, where a base with inertia would go on into it; and goes on when that is gone."""
    made, reached = bench(0.6, 90.0), list[float]()
    start = made.skills.position()[ARM]

    def note(event: Event) -> None:
        if event.kind == "replan":
            reached.append(float(np.linalg.norm(made.skills.position()[ARM] - start)))
            made.plant.put(Percept(LAMP.model, AWAY))

    made.context.events.subscribe(note)
    assert made.run(behavior, timeout=60.0).success
    assert causes(made) == ["'lamp' has come into the way"]
    assert not [event for event in made.events if event.kind == "blocked"]
    assert 0.0 < reached[0] < NEAR


def test_what_leaves_the_way_while_it_brakes_is_no_reason_to_plan() -> None:
    """It gets faster again."""
    made = bench(0.6, 0.75)
    assert made.run(Postural(posture="raised", mirror=False), timeout=60.0).success
    assert causes(made) == []


def test_what_was_there_when_the_plan_was_made_is_not_looked_at_again() -> None:
    """The plan knew of it, and so it costs nothing."""
    made, asked = bench(90.0, 91.0), list[Array]()
    collision = made.skills.collision

    def counted(joints: Indices, q: Array) -> Contact | None:
        asked.append(q)
        return collision(joints, q)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made.skills, "collision", counted)
        assert made.run(Reach(object="cup"), timeout=60.0).success
    assert asked == []


def test_what_a_hand_holds_and_what_the_plan_leads_to_are_not_in_its_way() -> None:
    """A cup that is pushed a little while a hand closes on it is no obstacle."""
    made = Bench([CUP], [(3.0, "cup", CUP.X_WO @ pose((0.0, 0.012, 0.0)))])
    made.skills.contact = lambda q: Contact("hand", "cup", -0.001) if q[5] > NEAR else None
    made.run(Reach(object="cup", using="left"), timeout=20.0)
    assert not any("has come into the way" in cause for cause in causes(made))
