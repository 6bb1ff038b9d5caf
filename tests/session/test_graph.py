"""Machines as boxes and arrows."""

from __future__ import annotations

from taskmatrix.behaviors import Fixate, Pickup
from taskmatrix.core import Machine, State, on, start
from taskmatrix.core.trees.activation_tree import ActivationTree
from taskmatrix.session.graph import Arrow, graph_of
from taskmatrix.soccer import ForwardPlayer
from taskmatrix.soccer.player import Player

from ..studio.machines import Party, Serve


def test_pickup_is_drawn_as_in_figure_5_39() -> None:
    """Its parameters, its states, black and red arrows with their messages, and wires; second tries and the look."""
    graph = graph_of(Pickup)
    boxes = {box.id.removeprefix("pickup_"): box for box in graph.boxes}
    assert [name for name, box in boxes.items() if box.kind == "parameter"] == [
        "parameter_object",
        "parameter_duration",
        "parameter_onto",
        "parameter_up",
        "parameter_into",
    ]
    assert [name for name, box in boxes.items() if box.kind == "state"] == ["reach", "fixate", "look", "grasp", "lift"]
    assert (boxes["lift"].final, boxes["fixate"].optional, boxes["reach"].final) == (True, True, False)
    arrows = [
        (arrow.tail.removeprefix("pickup_"), arrow.head.removeprefix("pickup_"), arrow.kind, arrow.label)
        for arrow in graph.arrows
    ]
    assert arrows == [
        ("start", "reach", "start", ""),
        ("reach", "fixate", "start", "planning-started"),
        ("reach", "reach", "start", "failed (collision, planner_exhausted, ik_exhausted)\nat most once"),
        ("reach", "grasp", "start", "task-successful\n[visible(object, 0.035)]"),
        ("reach", "look", "start", "task-successful\n[~visible(object, 0.035)]"),
        ("reach", "fixate", "stop", "task-successful\n[~visible(object, 0.035)]"),
        ("look", "grasp", "start", "task-complete"),
        ("grasp", "reach", "start", "failed (incondition, lost_object, precondition)\nat most once"),
        ("grasp", "lift", "start", "task-successful"),
        ("grasp", "fixate", "stop", "task-complete"),
        ("parameter_object", "reach", "wire", ""),
        ("parameter_onto", "reach", "wire", ""),
        ("parameter_up", "reach", "wire", ""),
        ("parameter_into", "reach", "wire", ""),
        ("parameter_duration", "reach", "wire", ""),
        ("parameter_object", "fixate", "wire", "target"),
        ("parameter_object", "look", "wire", "target"),
        ("parameter_object", "grasp", "wire", ""),
        ("reach", "grasp", "wire", "hand\ngrasp"),
        ("parameter_object", "lift", "wire", ""),
    ]


def test_guards_bounds_monitors_joins_and_failures_are_drawn() -> None:
    """A guard in brackets, a bound in words; the others have boxes of their own."""
    arrows = {(arrow.tail, arrow.head): arrow for arrow in graph_of(Serve).arrows}
    assert arrows["serve_look", "serve_fetch"].label == "task-complete\n[~grasping(object)]"
    assert arrows["serve_fetch", "serve_fetch"].label == "failed (collision, ik_exhausted)\nat most 3 times"
    assert arrows["serve_monitor_7", "serve_look"] == Arrow("serve_monitor_7", "serve_look", "stop")
    assert arrows["serve_fetch", "serve_fail_5"].kind == "stop"
    boxes = {box.id: box for box in graph_of(Party).boxes}
    assert boxes["party_join_2"].label == "all of"
    assert boxes["party_catch_3"].label == "go on"


def test_two_transitions_between_the_same_states_are_one_arrow() -> None:
    """With both messages."""

    class Twice(Machine):
        a = State(Fixate, target="x")
        b = State(Fixate, target="x", final=True)
        transitions = (start(a), on(a.task_successful, start=b), on(a.failed, start=b))

    (arrow,) = [arrow for arrow in graph_of(Twice).arrows if arrow.tail == "twice_a"]
    assert arrow.label == "task-successful\nor failed"


def test_machines_in_states_are_drawn_down_to_a_depth() -> None:
    """Every box has an id of its own, at any depth."""
    serve = next(box for box in graph_of(Party).boxes if box.id == "party_serve")
    assert serve.inside is not None
    fetch = next(box for box in serve.inside.boxes if box.id == "party_serve__fetch")
    assert fetch.inside is not None
    assert "party_serve__fetch__reach" in [box.id for box in fetch.inside.boxes]
    assert all(box.inside is None for box in graph_of(Party, depth=0).boxes)
    (one,) = [box.inside for box in graph_of(Party, depth=1).boxes if box.inside]
    assert all(box.inside is None for box in one.boxes)


def test_a_behavior_that_is_no_machine_is_one_state() -> None:
    """It starts and ends."""
    graph = graph_of(Fixate)
    assert [box.label for box in graph.boxes] == ["start", "Fixate"]
    assert graph.arrows == [Arrow("start", "state_fixate")]


def test_ids_of_a_state_and_of_one_inside_another_differ() -> None:
    """Whatever they are called."""

    class Inside(Machine):
        a = State(Fixate, target="x", final=True)
        transitions = (start(a),)

    class Names(Machine):
        a = State(Inside)
        a_a = State(Fixate, target="x", final=True)
        transitions = (start(a), on(a.task_successful, start=a_a))

    graph = graph_of(Names)
    (inside,) = [box.inside for box in graph.boxes if box.inside]
    assert not {box.id for box in graph.boxes} & {box.id for box in inside.boxes}


def test_a_catch_that_gives_way_says_so() -> None:
    """As a switch does."""

    class Retry(Machine):
        a = State(Fixate, target="x", final=True)
        b = State(Fixate, target="y", final=True)
        transitions = (
            start(a),
            on(a.failed(kind="collision"), start=a, times=2),
            on(a.failed, start=b),
            on(b.failed, fail="no use"),
        )

    labels = {arrow.label for arrow in graph_of(Retry).arrows}
    assert "failed\notherwise" in labels
    assert "failed" in labels


def test_the_player_is_drawn_with_its_modes_and_transitions() -> None:
    """BICA's figure 2, from the shipped code: nine modes, and as many arrows as they have transitions."""
    graph = graph_of(ForwardPlayer)
    player = next(box for box in graph.boxes if box.label.startswith("player\n"))
    assert player.label == "player\n10 Hz"
    assert player.inside is not None
    modes = [box for box in player.inside.boxes if box.kind == "state"]
    assert [box.label.split("\n")[0] for box in modes] == list(Player.modes)
    assert [box.label for box in modes if box.final] == ["scored\nface_ball"]
    drawn = sum(arrow.label.count("\nor ") + 1 for arrow in player.inside.arrows if arrow.label)
    assert drawn == sum(len(mode.switches) for mode in Player.modes.values()) == 21
    labels = {(arrow.tail.split("__")[1], arrow.head.split("__")[1]): arrow.label for arrow in player.inside.arrows}
    assert labels["align", "look_for_ball"] == "ball is gone\nor after 20 s"


def test_an_activation_tree_is_drawn_with_what_steps_what() -> None:
    """Every component once, at its frequency; those that may fail are dashed."""
    graph = graph_of(ForwardPlayer, depth=0)
    boxes = {box.label.split("\n")[0]: box for box in graph.boxes}
    assert boxes["kick"].optional
    assert all(box.inside is None for box in graph.boxes)
    arrows = {(arrow.tail, arrow.head): arrow.label for arrow in graph.arrows}
    assert arrows[boxes["player"].id, boxes["perception"].id] == "asks"
    assert arrows[boxes["player"].id, boxes["fixmove"].id] == "modulates"


def test_a_tree_that_cannot_be_made_without_its_parameters_is_one_state() -> None:
    """Nothing is guessed."""
    assert [box.label for box in graph_of(ActivationTree).boxes] == ["start", "ActivationTree"]
