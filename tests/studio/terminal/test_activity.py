"""What runs now, read from events."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.core.components.cycle import Node
from taskmatrix.studio.cli.terminal.activity import Activity, Row, folded
from taskmatrix.testing import Bench, box_percept


def event(kind: str, source: str, time: float = 0.0, **data: object) -> Event:
    return Event(time, 0, kind, source, data)


def node(name: str, depth: int, state: str = "active", since: float = 0.0) -> Node:
    return Node(name, depth, (), state, since, {})


def starts(activity: Activity, *paths: str, time: float = 0.0) -> None:
    for path in paths:
        activity(event("message", path, time, message="planning-started"))
        activity(event("message", path, time, message="controlloop-started"))


def test_states_stand_below_their_machine_as_long_as_they_run() -> None:
    """Read from a whole pickup: at every event, exactly who has begun and not said its last word."""
    bench = Bench([box_percept("cup", (0.5, 0.1, 0.9))])
    assert bench.run(Pickup(object="cup")).success
    activity, open_now, seen = Activity(), set[str](), set[tuple[str, str]]()
    for each in bench.events:
        activity(each)
        if each.kind == "message":
            (open_now.discard if each.data["message"] == "task-complete" else open_now.add)(each.source)
        rows = activity.rows()
        assert len(rows) == len(open_now)
        assert [row.name for row in rows[:1]] == ["pickup"][: len(rows)]
        assert all(row.depth == 1 for row in rows[1:])
        seen |= {(row.name, row.state) for row in rows}
    assert {("reach", "planning"), ("reach", "control loop"), ("fixate", "control loop")} <= seen
    assert activity.time == bench.events[-1].time


def test_a_row_tells_since_when_and_how_far_its_motion_goes() -> None:
    """A phase begins anew; a goal and a motion are those told last."""
    activity = Activity()
    activity(event("message", "reach", 1.0, message="planning-started"))
    activity(event("plan", "reach", 1.5, duration=3.0))
    assert activity.rows()[0][2:5] == ("planning", 1.0, 3.0)
    activity(event("message", "reach", 1.5, message="controlloop-started"))
    for message, goal in (("goal-failed", False), ("goal-achieved", True)):
        activity(event("message", "reach", 2.0, message=message))
        assert activity.rows() == [Row("reach", 0, "control loop", 1.5, 3.0, goal, ())]


def test_chains_are_those_granted_and_not_given_back() -> None:
    """Also of who got them before it said that it plans."""
    activity = Activity()
    activity(event("grant", "reach", chains=["base", "left_arm", "right_arm"]))
    starts(activity, "reach")
    activity(event("release", "reach", chains=["right_arm"]))
    assert activity.rows()[0].chains == ("base", "left_arm")
    activity(event("release", "reach", chains=["base", "left_arm"]))
    assert activity.rows()[0].chains == ()


def test_work_of_the_planner_is_told_as_long_as_it_plans() -> None:
    """Until the motion begins, or nothing comes of it."""
    activity = Activity()
    for end in ("controlloop-started", "task-complete"):
        activity(event("planning", "planner", collision_checks=5))
        assert activity.work == {"collision_checks": 5}
        activity(event("message", "reach", message=end))
        assert activity.work == {}


def test_components_stand_below_their_tree_and_behaviors_below_their_component() -> None:
    """The root's mode is that of the tree; a component that runs a machine has its states below it."""
    activity = Activity()
    starts(activity, "game/player", "game", "game/player/kick", "game/player/kick/swing", "game/talk")
    nodes = (node("player", 0, "approach"), node("see", 1), node("kick", 1, "running"), node("head", 2, since=3.0))
    activity(event("tree", "game/player", nodes=nodes))
    assert [(row.depth, row.name, row.state) for row in activity.rows()] == [
        (0, "game", "control loop"),
        (1, "player", "approach"),
        (2, "see", "active"),
        (2, "kick", "control loop"),
        (3, "swing", "control loop"),
        (3, "head", "active"),
        (1, "talk", "control loop"),
    ]
    assert activity.rows()[5].since == 3.0


def test_a_component_tells_since_when_it_is_in_its_mode() -> None:
    """Which may be shorter than it is active; one that was not active for a while begins anew."""
    activity = Activity()
    starts(activity, "player")
    modes = [
        (1.0, "search", 0.0),
        (2.0, "search", 0.0),
        (3.0, "follow", 0.0),
        (4.0, "follow", 0.0),
        (5.0, "follow", 5.0),
    ]
    since = []
    for time, mode, began in modes:
        nodes = (node("player", 0, mode), node("head", 1, mode, since=began))
        activity(event("tree", "player", time, nodes=nodes))
        since.append([row.since for row in activity.rows()])
    assert since == [[0.0, 0.0], [0.0, 0.0], [3.0, 3.0], [3.0, 3.0], [3.0, 5.0]]


def test_a_new_run_begins_with_nothing() -> None:
    """Whatever of the one before has not said that it is over."""
    activity = Activity()
    starts(activity, "pickup")
    activity(event("run", "postural", seed=0, dt=0.01))
    assert activity.rows() == []


def row(name: str, depth: int) -> Row:
    return Row(name, depth, "active", 0.0, None, None, ())


@pytest.mark.parametrize("lines", range(1, 9))
def test_what_does_not_fit_is_folded_and_counted(lines: int) -> None:
    """Never more lines than asked for, and none is lost in the count."""
    rows = [row("a", 0), row("b", 1), row("c", 2), row("d", 3), row("e", 2), row("f", 1), row("g", 1)]
    kept = folded(rows, lines)
    assert len(kept) <= lines
    more = sum(int(each.state.split()[1]) - 1 for each in kept if not each.name)
    assert len(kept) + sum(each.hidden for each in kept) + more == len(rows)


def test_the_deepest_are_folded_first() -> None:
    """Into what is above them."""
    rows = [row("a", 0), row("b", 1), row("c", 2), row("d", 2), row("e", 1)]
    assert folded(rows, 5) == rows
    assert [(each.name, each.hidden) for each in folded(rows, 4)] == [("a", 0), ("b", 2), ("e", 0)]
    assert [(each.name, each.hidden) for each in folded(rows, 1)] == [("a", 4)]
    assert folded([row("a", 0), row("b", 0), row("c", 0)], 2)[1].state == "and 2 more"
