"""Where two recordings differ."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.session.recording import Recorder
from taskmatrix.studio.recording import Recording, compare

HEADER = {"format": 2, "taskmatrix": "0.1.0", "robot": "gantry", "seed": 1, "packages": {"numpy": "2.0", "pin": "4.0"}}
JOINTS = [{"name": "x", "type": "prismatic", "q": 0}, {"name": "turn", "type": "revolute", "q": 1}]


def recorded(
    path: Path, *, hand: str = "left", late: float = 0.0, fails: str = "", push: float = 0.0, **header: Any
) -> Recording:
    """A run of two control steps between its messages."""
    scene = gzip.compress(json.dumps({"robot": {"names": ["x", "turn"], "joints": JOINTS}}).encode())
    recorder = Recorder(path, {**HEADER, **header}, scene)
    step = 0

    def tell(time: float, kind: str, source: str, **data: Any) -> None:
        recorder(Event(time, step, kind, source, data))

    tell(0.0, "program", "pickup", behavior="Pickup", parameters={"object": "cup"})
    tell(0.0, "run", "pickup", seed=1, dt=0.01)
    tell(0.0, "transition", "pickup", trigger="start", start=["reach"], stop=[])
    tell(0.0, "message", "pickup/reach", message="planning-started")
    for number in range(3):
        q = np.array([0.1 * number, 0.2 + push * number])
        tell(0.01 * number, "step", "plant", q=q, v=q, commanded=q, poses={}, held={})
        tell(0.01 * number, "message", "pickup/fixate", message="goal-failed", angle=push * number)
        step += 1
    tell(0.03 + late, "message", "pickup/reach", message="parameter-set", hand=hand)
    if fails:
        failure = Failure(FailureKind.COLLISION, "pickup/reach", fails, {"distance": late})
        tell(0.04, "message", "pickup/reach", message="task-failed", failure=failure)
        tell(0.04, "outcome", "pickup", success=False, failure=failure)
    else:
        tell(0.04 + late, "message", "pickup/reach", message="task-successful")
        tell(0.04 + late, "outcome", "pickup", success=True, failure=None)
    recorder.close()
    return Recording.open(path)


def test_a_run_is_the_same_as_itself(tmp_path: Path) -> None:
    """Whatever was typed to have it."""
    found = compare(recorded(tmp_path / "a.mcap", command="one"), recorded(tmp_path / "b.mcap", command="other"))
    assert found.same
    assert (found.names, found.settings) == (("a.mcap", "b.mcap"), {})
    assert found.events == (5, 5)
    assert found.endings[0] == found.endings[1]
    assert json.loads(json.dumps(found.to_dict()))["same"]


def test_settings_are_compared_by_name(tmp_path: Path) -> None:
    """Versions each, and what one has alone."""
    second = recorded(tmp_path / "b.mcap", seed=2, sim="bullet", packages={"numpy": "2.0", "pin": "3.9"})
    found = compare(recorded(tmp_path / "a.mcap"), second)
    assert found.settings == {"seed": (1, 2), "pin": ("4.0", "3.9"), "sim": (None, "bullet")}
    assert found.same


def test_the_first_other_message_is_found(tmp_path: Path) -> None:
    """With its time and number, in each of the two."""
    first, second = recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap", fails="it touches")
    divergence = compare(first, second).divergence
    assert divergence is not None
    assert divergence.same == 3
    assert divergence.first is not None
    assert divergence.second is not None
    assert (divergence.first.source, divergence.first.text, divergence.first.time) == (
        "pickup/reach",
        "task-successful",
        0.04,
    )
    assert "it touches" in divergence.second.text
    assert second[divergence.second.event]["data"]["message"] == "task-failed"
    assert [ending.success for ending in compare(first, second).endings] == [True, False]


def test_a_run_that_goes_on_parts_where_the_other_ends(tmp_path: Path) -> None:
    """One has no more then."""
    whole = recorded(tmp_path / "a.mcap")
    half = tmp_path / "b.mcap"
    recorder = Recorder(half, whole.header, whole.scene_gz)
    for event in whole.events(end=0.035):
        recorder(Event(event["time"], event["step"], event["kind"], event["source"], event["data"]))
    recorder.close()
    found = compare(whole, Recording.open(half))
    assert found.divergence is not None
    assert found.divergence.second is None
    assert found.endings[1].success is None


def test_other_values_and_times_are_no_parting(tmp_path: Path) -> None:
    """The same happens, with another hand, later."""
    found = compare(recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap", hand="right", late=0.5))
    assert found.divergence is None
    assert found.values is not None
    assert found.values.second is not None
    assert found.values.second.values == {"hand": "right"}
    assert found.late is not None
    assert found.late.same == 2
    assert not found.same


def test_numbers_in_a_failure_are_no_parting(tmp_path: Path) -> None:
    """Kinds and places are."""
    first = recorded(tmp_path / "a.mcap", fails="3 mm deep")
    second = recorded(tmp_path / "b.mcap", fails="4 mm deep")
    assert compare(first, second).divergence is None


def test_the_first_other_posture_is_found(tmp_path: Path) -> None:
    """When, and which joint by how much; goals of recurrent tasks are no messages to compare."""
    found = compare(recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap", push=0.25))
    assert found.divergence is None
    assert found.motion is not None
    assert (found.motion.joint, found.motion.unit) == ("turn", "rad")
    assert (found.motion.time, found.motion.difference) == (0.01, 0.25)
    assert not found.same
