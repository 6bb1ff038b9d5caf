from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taskmatrix.core.world.geometry import pose

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
