"""Events as JSON: everything that an event may carry, and only the poses of what moved."""

from __future__ import annotations

import json
from collections import Counter
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind, plain
from taskmatrix.core.components.cycle import Node
from taskmatrix.session.recording import Encoder

FAILURE = Failure(FailureKind.COLLISION, "planner", "they touch", {"pair": ("hand", "table"), "distance": -0.01})


def encoded(**data: object) -> Any:
    return json.loads(Encoder()(Event(0.1 + 0.2, 30, "probe", "me", data)))["data"]


def steps(encoder: Encoder, *poses: dict[str, Any]) -> list[Any]:
    """What is told of poses in one control step after the other."""
    events = [Event(0.01 * k, k, "step", "plant", {"poses": dict(each)}) for k, each in enumerate(poses)]
    return [json.loads(encoder(event))["data"]["poses"] for event in events]


def test_an_event_is_an_object_of_five_facts() -> None:
    """With the time as it was meant."""
    assert Encoder()(Event(0.1 + 0.2, 30, "probe", "me", {"a": 1})) == (
        b'{"time":0.3,"step":30,"kind":"probe","source":"me","data":{"a":1}}'
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.arange(3.0), [0.0, 1.0, 2.0]),
        (np.arange(6.0).reshape(2, 3).T, [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]),
        (np.array(["a", None], dtype=object), ["a", None]),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (float("nan"), None),
        ((1, "two"), [1, "two"]),
        ({3: "c"}, {"3": "c"}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (Counter("aab"), {"a": 2, "b": 1}),
        ({"b", "a"}, ["a", "b"]),
        (2**70, 2**70),
        ("\ud800", "\ud800"),
        (FailureKind.COLLISION, "collision"),
        (
            Node("gaze", 1, ("player",), "active", 0.5, {"pan": 0.1}),
            {
                "name": "gaze",
                "depth": 1,
                "parents": ["player"],
                "state": "active",
                "since": 0.5,
                "modulations": {"pan": 0.1},
                "frequency": None,
            },
        ),
        (FAILURE, FAILURE.to_dict()),
        (object, str(object)),
    ],
)
def test_whatever_an_event_carries_becomes_json(value: object, expected: object) -> None:
    """Arrays, enumerations, failures, dataclasses, and what nobody thought of."""
    assert encoded(value=value) == {"value": expected}


def test_an_event_is_encoded_once() -> None:
    """Who asks for the same event again gets the same bytes."""
    encoder, event = Encoder(), Event(0.0, 0, "probe", "me", {})
    assert encoder(event) is encoder(event)


def test_of_the_poses_only_others_than_before_are_told() -> None:
    """First all, then those that are other arrays, then null for what has gone."""
    here, there, can = np.eye(4), 2 * np.eye(4), np.eye(4)
    both = {"ball": here, "can": can}
    told = steps(Encoder(100), both, both, {**both, "ball": there}, {"ball": there})
    assert told == [{"ball": here.tolist(), "can": can.tolist()}, {}, {"ball": there.tolist()}, {"can": None}]
    told = steps(Encoder(100), {"can": can}, {"ball": here}, {"ball": here})
    assert told == [{"can": can.tolist()}, {"ball": here.tolist(), "can": None}, {}]


def test_now_and_then_all_poses_are_told() -> None:
    """Once in so many steps; in each, unless something else is said."""
    here = {"ball": np.eye(4)}
    assert [bool(each) for each in steps(Encoder(3), *[here] * 7)] == [True, False, False, True, False, False, True]
    there = {"ball": 2 * np.eye(4)}
    assert steps(Encoder(), here, here, there, {}) == [*[{"ball": np.eye(4).tolist()}] * 2, plain(there), {}]
