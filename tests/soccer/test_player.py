"""The forward player, on a fake robot that kicks nothing: what happens to the ball is in the script."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from taskmatrix.core import ActivationTree
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.soccer import ForwardPlayer, Player
from taskmatrix.soccer.player import BACK, LOST
from taskmatrix.testing import Bench, box_percept

from .field import RADIUS, field, moved, transitions

POST = Contact("foot", "post", -0.01)


def played(made: Bench, seconds: float) -> ActivationTree:
    tree = ActivationTree(Player())
    made.run(tree, seconds)
    return tree


def until(made: Bench, tree: ActivationTree, mode: str, each: Callable[[], None] = lambda: None) -> Event:
    """Play on to a mode, for at most 20 s; ``each`` happens in every control step. Tells what led there."""
    if not made.plant.commands:
        made.executive.prepare(tree)
    for _ in range(2000):
        each()
        made.executive.step(tree)
        made.context.clock.sleep_until(made.context.clock.now() + made.context.dt)
        if tree.components["player"].state == mode:
            return next(e for e in reversed(made.events) if e.kind == "transition" and e.source == "player")
    raise AssertionError(f"not in {mode} after 20 s: {transitions(made, 'player')}")


def base(made: Bench) -> Array:
    """(3,) Where it is."""
    return made.skills.position()[:3]


def chosen(made: Bench) -> list[object]:
    """The kicks that were selected, in words."""
    return [e.data["why"] for e in made.events if e.kind == "transition" and e.data["trigger"] == "selects a kick"]


def test_player_finds_the_ball_goes_there_aims_and_kicks_until_it_scores() -> None:
    """In that order, but for a post that stands there for a while; and every change has its cause."""
    made = field((2.0, 1.0), [moved(21.0, 4.1, 0.3)])
    made.skills.contact = lambda q: POST if q[0] > 0.2 and made.context.clock.now() < 11.0 else None
    assert made.run(ForwardPlayer(), 40.0).success
    told = transitions(made, "forward-player")
    assert told[:8] == [
        ("approach", "sees the ball"),
        ("back_off", "cannot go on"),
        ("approach", "after 1.5 s"),
        ("look_for_net", "has reached the ball"),
        ("align", "selects a kick"),
        ("stand", "is aligned"),
        ("kicking", "stands still after 0.2 s"),
        ("approach", "has kicked"),
    ]
    assert told[-1] == ("scored", "sees the ball in the net")
    changes = [e.data for e in made.events if e.kind == "transition" and e.source == "forward-player"]
    mode = "look_for_ball"
    for change in changes:
        assert change["trigger"]
        ways = {(switch.target.name, switch.description) for switch in Player.modes[mode].switches}
        mode = str(change["start"][0])  # type: ignore[index]
        assert (mode, change["trigger"]) in ways
    headings = [event.data["heading"] for event in made.events if "heading" in event.data]
    assert headings[0] == pytest.approx(np.arctan2(-1.0, 2.2), abs=0.15)


def test_player_that_sees_the_ball_in_the_net_has_scored() -> None:
    """And is done."""
    made = field((2.0, 1.0), [moved(1.0, 4.1, 0.3)])
    assert made.run(ForwardPlayer()).success
    assert transitions(made, "forward-player")[-1] == ("scored", "sees the ball in the net")


def test_ball_that_is_taken_away_is_looked_for_again() -> None:
    """While the player goes there."""
    made = field((3.0, 0.0), [moved(5.0, 2.5, -1.8)])
    played(made, 20.0)
    told = transitions(made, "player")
    assert told[:3] == [
        ("approach", "sees the ball"),
        ("look_for_ball", "ball is lost"),
        ("approach", "sees the ball"),
    ]


def test_robot_that_cannot_go_on_to_the_ball_goes_back_and_tries_again() -> None:
    """After a while, and for a while; the event says what is in the way."""
    made, tree = field((3.0, 0.0)), ActivationTree(Player())
    made.skills.contact = lambda q: POST if q[0] > 0.6 else None
    backs = until(made, tree, "back_off")
    there = base(made)
    assert (backs.data["trigger"], backs.data["stop"]) == ("cannot go on", ["approach"])
    assert "foot would touch post" in str(backs.data["why"])
    assert not [event for event in made.events if event.kind == "blocked"]  # it has stopped before
    again = until(made, tree, "approach")
    assert again.time - backs.time == pytest.approx(BACK)
    assert base(made) - there == pytest.approx((-1.3, 0.0, 0.0), abs=0.2)
    made.skills.contact = lambda q: None
    assert until(made, tree, "look_for_net").data["trigger"] == "has reached the ball"


def test_robot_that_cannot_go_where_it_would_kick_selects_another_kick() -> None:
    """When it has gone back from what is in the way, and reached the ball again."""
    made, tree = field((3.0, 0.6)), ActivationTree(Player())
    until(made, tree, "align")
    there = base(made)
    made.skills.contact = lambda q: POST if np.linalg.norm(q[:2] - there[:2]) > 0.05 else None
    backs = until(made, tree, "back_off")
    assert (backs.data["trigger"], backs.data["stop"]) == ("something is in the way", ["align"])
    assert "foot would touch post" in str(backs.data["why"])
    there = base(made)
    made.skills.contact = lambda q: None
    assert until(made, tree, "approach").data["trigger"] == "after 1.5 s"
    ahead = np.array([np.cos(there[2]), np.sin(there[2])])
    assert (base(made) - there)[:2] @ ahead == pytest.approx(-1.3, abs=0.2)
    until(made, tree, "align")
    first, second = chosen(made)
    assert first != second


def test_robot_that_cannot_kick_looks_for_the_ball_and_selects_another_kick() -> None:
    """Somebody stands in the way of the leg."""
    made, tree = field((3.0, 0.6)), ActivationTree(Player())
    made.skills.robot.upper[4], made.skills.robot.lower[4] = 1.5, -1.5  # the eyes look straight down, and see the ball
    until(made, tree, "stand")
    made.skills.contact = lambda q: POST
    fails = until(made, tree, "look_for_ball")
    made.skills.contact = lambda q: None
    assert (fails.data["trigger"], fails.data["stop"]) == ("could not kick", ["kicking"])
    assert "foot and post" in str(fails.data["why"])
    until(made, tree, "align")
    first, second = chosen(made)
    assert first != second


def test_ball_that_lies_a_little_elsewhere_at_the_feet_is_aligned_with_anew() -> None:
    """Where the eyes do not see it; the kick says where it is."""
    made, tree = field((3.0, 0.6)), ActivationTree(Player())
    until(made, tree, "stand")
    made.plant.set_pose("ball", pose((3.05, 0.6, RADIUS)))
    moves = until(made, tree, "align")
    assert (moves.data["trigger"], moves.data["stop"]) == ("ball has moved", ["kicking"])
    assert "'ball' lies" in str(moves.data["why"])
    until(made, tree, "kicking")
    assert until(made, tree, "approach").data["trigger"] == "has kicked"
    assert len(chosen(made)) == 1


def test_ball_that_rolls_away_is_gone_to_and_not_gone_round() -> None:
    """While the player aligns."""
    made, tree = field((3.0, 0.6)), ActivationTree(Player())
    until(made, tree, "align")
    rolled = np.array([3.0, 0.6])

    def roll() -> None:
        rolled[0] += 1.5 * made.context.dt
        made.plant.set_pose("ball", pose((*rolled, RADIUS)))

    gone = until(made, tree, "approach", roll)
    player = tree.components["player"]
    assert isinstance(player, Player)
    far = float(np.linalg.norm(rolled - base(made)[:2])) / player.follow_ball.distance
    assert (gone.data["trigger"], gone.data["stop"]) == ("ball has rolled away", ["align"])
    assert LOST < far < LOST + 0.5
    assert until(made, tree, "look_for_net").data["trigger"] == "has reached the ball"


@pytest.mark.parametrize(("bearing", "times"), [(150.0, 1), (-90.0, 2)])
def test_robot_that_does_not_see_the_net_turns_round_until_it_does(bearing: float, times: int) -> None:
    """To one side as often as it takes: here it looks 86 degrees to each side, and goes on to the left."""
    made, tree = field((2.7, 0.0)), ActivationTree(Player())
    made.skills.robot.velocity[:5] = 3.0
    made.skills.robot.upper[3], made.skills.robot.lower[3] = 1.2, -1.2
    made.plant.set_pose("yellow_goal", pose((0.0, 0.0, -50.0)))
    until(made, tree, "look_for_net")
    x, y, yaw = base(made).tolist()
    to_net = yaw + np.radians(bearing)
    place = x + 3.0 * np.cos(to_net), y + 3.0 * np.sin(to_net), 0.4
    made.plant.set_pose("yellow_goal", pose(place, (0.0, 0.0, to_net)))
    until(made, tree, "align")
    ways = [way for way in transitions(made, "player") if way[0] in {"turn_round", "look_for_net"}][1:]
    assert ways == times * [("turn_round", "does not see the net"), ("look_for_net", "has turned round")]


def test_robot_without_feet_is_not_able() -> None:
    """By what the player requires."""
    made = Bench([box_percept("ball", (2.0, 0.0, 0.05)), box_percept("yellow_goal", (4.0, 0.0, 0.4))])
    failure = made.run(ForwardPlayer()).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE


def test_ball_that_is_not_there_is_named() -> None:
    """Before anything moves."""
    failure = field().run(ForwardPlayer(ball="bal")).failure
    assert failure is not None
    assert failure.kind is FailureKind.UNKNOWN_OBJECT


def test_same_seed_same_game() -> None:
    """Event by event."""
    first, second = field(), field()
    played(first, 12.0)
    played(second, 12.0)
    assert [(e.kind, e.time) for e in first.events] == [(e.kind, e.time) for e in second.events]


def test_robot_with_something_behind_it_too_goes_ahead_from_what_is_in_the_way() -> None:
    """It stands in a gap, and cannot turn there."""
    made, tree = field((3.0, 0.0)), ActivationTree(Player())
    made.skills.contact = lambda q: POST if q[0] > 0.6 else None
    until(made, tree, "back_off")
    there = base(made)
    made.skills.contact = lambda q: POST if q[0] < there[0] - 0.05 else None
    until(made, tree, "approach")
    assert base(made)[0] > there[0] + 0.1


def test_player_without_a_kick_that_was_not_refused_tries_the_refused_ones_again() -> None:
    """What was in the way may be gone."""
    made, tree = field((3.0, 0.6)), ActivationTree(Player())
    until(made, tree, "look_for_net")
    player = tree.components["player"]
    assert isinstance(player, Player)
    player._refused.extend(player._kicks)
    until(made, tree, "align")
    assert len(chosen(made)) == 1
