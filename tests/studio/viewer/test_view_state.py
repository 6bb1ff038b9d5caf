from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest

from taskmatrix.studio.viewer.view_state import MOST_FAILURES, ViewState

from .tales import FAILED, REACH_FAILED, Tale, encoded, pickup


def after(tale: Tale, until: float = 1e9) -> ViewState:
    state = ViewState()
    for number, event in enumerate(tale.events):
        if event.time <= until:
            state.apply(number, orjson.loads(encoded(event)))
    return state


def test_the_phases_of_a_machine() -> None:
    """Which states run since when, which have ended, and how often each ran."""
    states = after(pickup(), 0.2).section("machine")
    assert states["pickup/reach"] == {"phase": "planning", "since": 0.0, "runs": 1, "goal": None}
    assert states["pickup"]["phase"] == "control"
    states = after(pickup(), 1.0).section("machine")
    assert (states["pickup/reach"]["phase"], states["pickup/reach"]["since"]) == ("control", 0.5)
    assert "pickup/grasp" not in states
    states = after(pickup()).section("machine")
    assert {state["phase"] for state in states.values()} == {"done"}
    tale = pickup()
    tale.say("pickup/reach", "planning-started", "force-quit", "task-complete")
    assert after(tale).section("machine")["pickup/reach"]["runs"] == 2
    assert after(tale).section("machine")["pickup/reach"]["phase"] == "stopped"


def test_a_failure_is_told_once_with_its_whole_chain() -> None:
    """The state's own failure is the cause of the machine's, and of the outcome's."""
    state = after(pickup(success=False))
    (told,) = state.section("failures")
    assert told["failure"] == FAILED.to_dict() | {"facts": {}}
    assert told["text"] == FAILED.explain()
    assert (told["time"], told["source"]) == (0.5, "pickup")
    assert state.section("machine")["pickup/reach"]["phase"] == "failed"
    assert state.section("machine")["pickup"]["phase"] == "failed"
    run = state.section("run")
    assert (run["status"], run["outcome"]["success"]) == ("ended", False)
    assert run["outcome"]["text"] == FAILED.explain()


def test_failures_are_forgotten_when_they_are_many_and_with_the_next_program() -> None:
    """Newest last."""
    tale = Tale()
    for number in range(MOST_FAILURES + 5):
        tale.tell("failure", "a", failure=type(FAILED)(FAILED.kind, "a", f"trouble {number}"), optional=True)
    failures = after(tale).section("failures")
    assert len(failures) == MOST_FAILURES
    assert failures[-1]["failure"]["message"] == f"trouble {MOST_FAILURES + 4}"
    tale.tell("program", "a", behavior="A", parameters={})
    assert after(tale).section("failures") == []


def test_a_plan_is_shown_until_its_control_loop_ends() -> None:
    """With configurations for ghosts."""
    plan = after(pickup(), 1.0).section("plan")
    assert plan == {"source": "pickup/reach", "samples": [[0.0, 1.0], [2.0, 1.0]], "duration": 1.0}
    assert after(pickup()).section("plan") is None


def test_chains_have_owners() -> None:
    """From grant to release; shared ones have the one who had it first."""
    tale = Tale()
    tale.tell("grant", "a", chains=["base", "head"])
    tale.tell("grant", "b", chains=["base"], shared={"base": ["a"]})
    tale.tell("grant", "c", chains=["base"], shared={"base": ["a", "b"]})
    chains = after(tale).section("chains")
    assert chains == {"base": {"owner": "a", "shared": ["b", "c"]}, "head": {"owner": "a", "shared": []}}
    tale.tell("release", "a", chains=["base", "head"])
    tale.tell("release", "c", chains=["base"])
    chains = after(tale).section("chains")
    assert chains == {"base": {"owner": "b", "shared": []}, "head": {"owner": None, "shared": []}}


def test_conditions_have_their_last_answer() -> None:
    """A line for each that somebody asks, with the time of the answer."""
    tale = Tale()
    facts: dict[str, Any] = {"role": "guard", "condition": "near(cup)", "values": {}}
    tale.tell("condition", "a", **facts, holds=False, why="2 m away")
    tale.tell("condition", "b", **facts, holds=False, why="2 m away")
    tale.time = 1.0
    tale.tell("condition", "a", **facts, holds=True, why="")
    first, second = after(tale).section("conditions")
    assert (first["source"], first["holds"], first["since"]) == ("a", True, 1.0)
    assert (second["source"], second["holds"], second["since"]) == ("b", False, 0.0)


def test_parameters_and_what_was_found_out() -> None:
    """Values with which a behavior runs, and its outputs."""
    assert after(pickup()).section("parameters")["pickup/reach"] == {"object": "cup", "duration": 4.0, "hand": "left"}


def test_the_tree_of_the_cycle_and_its_end() -> None:
    """Several trees may run; one that has ended is not shown."""
    tale = Tale()
    node = {"name": "player", "depth": 0, "parents": [], "state": "active", "since": 0.0, "modulations": {}}
    tale.tell("tree", "a", nodes=[node])
    tale.tell("tree", "b", nodes=[node | {"name": "other"}])
    assert [(each["source"], each["name"]) for each in after(tale).section("tree")] == [("a", "player"), ("b", "other")]
    tale.say("a", "task-complete")
    assert [each["source"] for each in after(tale).section("tree")] == ["b"]


def test_the_pose_and_what_a_person_moves() -> None:
    """An object that was moved is there at once, until the next control step tells of it."""
    tale = pickup()
    state = after(tale, 0.1)
    assert state.section("pose") == {
        "q": [10.0, 1.0],
        "commanded": [11.0, 1.0],
        "objects": {"cup": [10.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]},
        "held": {},
    }
    X_WO = np.eye(4)
    X_WO[:3, 3] = 1.0, 2.0, 3.0
    tale.tell("moved", "viewer", object="cup", X_WO=X_WO)
    assert after(tale).section("pose")["objects"]["cup"][:3] == [1.0, 2.0, 3.0]
    tale.steps(1)
    assert after(tale).section("pose")["objects"]["cup"][:3] == [201.0, 0.0, 0.0]


def test_the_program_is_drawn() -> None:
    """The graph as a picture whose boxes say which state they are, with labels that cannot be taken for markup."""
    program = after(pickup(), 0.0).section("program")
    assert (program["name"], program["behavior"], program["parameters"]) == ("pickup", "Pickup", {"object": "cup"})
    assert 'data-path="pickup/reach"' in program["svg"]
    assert "&lt;grasp&gt;" in program["svg"]
    boxes = {box["path"]: box for box in program["layout"]["boxes"]}
    assert boxes["pickup/grasp"]["y"] > boxes["pickup/reach"]["y"]


def test_a_program_without_a_word_of_itself() -> None:
    """A run of another version says nothing of its program: the view is empty, and not that of the run before."""
    tale = pickup()
    tale.tell("run", "other", seed=1, dt=0.01)
    state = after(tale)
    assert (state.section("program")["name"], state.section("machine")) == ("other", {})


def test_versions_say_what_changed() -> None:
    """Only sections that an event changes get its number; what was handed out stays as it was."""
    state = after(pickup())
    before, copy, machine = dict(state.versions), state.copy(), state.section("machine")
    event = {"time": 9.0, "step": 9, "kind": "message", "source": "x", "data": {"message": "planning-started"}}
    state.apply(10_000, event)
    assert {name for name in before if state.versions[name] != before[name]} == {"machine"}
    assert "x" not in machine
    assert "x" not in copy.section("machine")
    assert copy.versions == before
    state.apply(10_001, event | {"kind": "something new"})
    assert state.versions["machine"] == 10_000


def test_goals_are_said_once() -> None:
    """A recurrent task says in every step whether its goal is achieved."""
    tale = Tale()
    tale.say("gaze", "planning-started", "planning-ended", "controlloop-started", "goal-failed")
    state = after(tale)
    version = state.versions["machine"]
    assert state.section("machine")["gaze"]["goal"] == "failed"
    event = {"time": 9.0, "step": 9, "kind": "message", "source": "gaze", "data": {"message": "goal-failed"}}
    state.apply(100, event)
    assert state.versions["machine"] == version


@pytest.mark.parametrize("kind", ["program", "outcome", "message", "plan", "grant", "release", "tree", "step", "map"])
def test_what_is_missing_is_left_out(kind: str) -> None:
    """A recording of another version is still shown."""
    state = ViewState()
    state.apply(0, {"time": 0.0, "step": 0, "kind": kind, "source": "a", "data": {}})
    assert orjson.dumps([state.section(name) for name in state.sections], option=orjson.OPT_NON_STR_KEYS)


def test_one_cause_is_not_told_beside_what_it_caused() -> None:
    """But an earlier failure of something else is."""
    tale = Tale()
    other = type(FAILED)(FAILED.kind, "b", "something else")
    tale.tell("failure", "b", failure=other)
    tale.tell("failure", "pickup/reach", failure=REACH_FAILED)
    tale.tell("failure", "pickup", failure=FAILED)
    assert [told["source"] for told in after(tale).section("failures")] == ["b", "pickup"]
