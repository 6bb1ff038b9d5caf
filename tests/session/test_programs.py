"""What is going to run, as data."""

from __future__ import annotations

import json
from typing import Any

import py_trees

import taskmatrix as tm
from taskmatrix.behaviors import Pickup
from taskmatrix.core import ActivationTree, Component, Part, TaskBehavior
from taskmatrix.core.base.events import Event
from taskmatrix.session.programs import program
from taskmatrix.testing import Bench


class Gaze(Component, frequency=25.0):
    """Looks."""


class Player(Component):
    """Plays."""

    gaze = Part(Gaze, optional=True)


class Playing(ActivationTree):
    """A tree that makes its root when it starts."""

    def root(self) -> Component:
        return Player()


class Broken(ActivationTree):
    """A tree without a way to start."""

    def root(self) -> Component:
        raise RuntimeError("no way")


class Waits(TaskBehavior):
    """Does nothing."""

    def step(self) -> bool:
        return True


def told(root: py_trees.behaviour.Behaviour) -> Any:
    """As JSON, after it has been prepared."""
    Bench().executive.prepare(root)
    return json.loads(json.dumps(program(root)))


def test_a_machine_has_a_drawing_with_paths() -> None:
    """So that the boxes of states can be lit by their events."""
    found = told(Pickup(object="ball"))
    assert (found["behavior"], found["parameters"]["object"]) == ("Pickup", "ball")
    paths = {box["label"].split("\n")[0]: box["path"] for box in found["graph"]["boxes"] if box["kind"] == "state"}
    assert paths == {name: f"pickup/{name}" for name in ("reach", "fixate", "look", "grasp", "lift")}
    assert found["graphs"] == {"pickup": found["graph"]}
    assert found["components"] is None
    assert found["outline"] is None


def test_an_activation_tree_has_its_components() -> None:
    """The root first, each once, with what it steps; also where a subclass makes the root."""
    for tree in (ActivationTree(Player()), Playing()):
        (root, gaze) = told(tree)["components"]
        assert root == {"name": "player", "class": "Player", "frequency": None, "parts": ["gaze"], "optional": ["gaze"]}
        assert (gaze["name"], gaze["frequency"]) == ("gaze", 25.0)


def test_a_tree_that_cannot_be_put_together_has_none() -> None:
    """It fails when it starts, and says why then."""
    assert told(Broken())["components"] is None
    bench = Bench()
    failure = bench.run(Broken()).failure
    assert failure is not None
    assert "no way" in failure.explain()


def test_any_other_tree_has_an_outline() -> None:
    """With the paths of the behaviors in it, and the drawings of those that are machines."""
    tree = tm.sequence("all", Waits(), Pickup(object="ball"), Pickup(object="can"), py_trees.behaviours.Success("end"))
    found = told(tree)
    assert found["graph"] is None
    assert [(child["name"], child["type"], child["path"]) for child in found["outline"]["children"]] == [
        ("waits", "Waits", "waits"),
        ("pickup", "Pickup", "pickup"),
        ("pickup", "Pickup", "pickup#2"),
        ("end", "Success", None),
    ]
    assert list(found["graphs"]) == ["pickup", "pickup#2"]
    assert "pickup#2/reach" in {box["path"] for box in found["graphs"]["pickup#2"]["boxes"]}


def test_a_session_tells_it_before_it_runs() -> None:
    """The first event of a run, then what each behavior runs with when it starts."""
    events: list[Event] = []
    with tm.simulate("mannequin") as session:
        session.events.subscribe(events.append)
        session.run(Pickup(object="nothing"))
    assert [event.kind for event in events[:3]] == ["program", "run", "parameters"]
    assert events[0].source == events[2].source == "pickup"
    assert events[2].data["values"] == {"object": "nothing", "duration": 4.0, "onto": None, "up": None, "into": None}
