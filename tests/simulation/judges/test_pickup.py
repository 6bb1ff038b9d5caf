from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taskmatrix.behaviors import Pickup
from taskmatrix.core.world.geometry import pose
from tests.behaviors.judged import Run
from tests.chin_rest import with_a_chin_rest

from .setting import judged, pickup


def test_an_object_that_is_not_held_is_a_failure() -> None:
    """Whatever the behavior says."""
    assert judged(lambda step, data: {"held": {}}).reason == "no hand holds 'vacuum' at the end"
    assert "soda_can" in judged(target="soda_can").reason


def test_a_hand_beside_the_grasp_is_a_failure() -> None:
    """Six millimetres are too many."""

    def shift(step: int, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"poses": {**data["poses"], "vacuum": data["poses"]["vacuum"] @ pose((0.006, 0.006, 0.0))}}

    assert "nearest grasp" in judged(shift).reason


def test_a_view_that_could_face_the_object_and_does_not_is_a_failure() -> None:
    """The judge computes itself whether the neck could."""
    own, _, before, _ = pickup()
    head = list(own.indices("head"))

    def frozen(step: int, data: Mapping[str, Any]) -> dict[str, Any]:
        q = data["q"].copy()
        q[head] = before["q"][head]
        return {"q": q}

    judgement = judged(frozen)
    assert "although the neck could face it" in judgement.reason
    assert judgement.check == "goal"


def test_a_view_that_only_a_contact_keeps_off_the_object_is_none_that_could_face_it(tmp_path: Path) -> None:
    """The head lies on a bar: neither the pickup nor its judge asks for more."""
    run = Run(str(with_a_chin_rest(tmp_path / "made")))
    facts = run.judged(Pickup(object="vacuum"))
    assert not facts["gaze_possible"]
    pairs = [
        event.data["pair"]
        for event in run.events
        if event.data.get("message") == "goal-failed" and "pair" in event.data
    ]
    assert set(pairs[-1]) == {"bar", "head"}  # type: ignore[call-overload]
