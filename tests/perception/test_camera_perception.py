"""Images become objects of the perceptual model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.events import Event, EventStream
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.perception import CameraPerception
from taskmatrix.robots import load_robot
from taskmatrix.robots.hand_pose import hand_pose

from .drawing import BRICK, CAN, SLAB, camera_at, draw

ROBOT = load_robot("mannequin")
Q = ROBOT.posture("stand")
MODELS = {"slab": SLAB, "can": CAN, "brick": BRICK}
POSES = {"slab": pose(), "can": pose((0.0, 0.15, 0.06)), "brick": pose((0.0, -0.1, 0.03), (0, 0, 0.4))}
NAMES = tuple(MODELS)


class Watching:
    """A perception, its model and what it told."""

    def __init__(self, **others: Any) -> None:
        self.model, self.events = PerceptualModel(), list[Event]()
        stream = EventStream(SimulatedClock())
        stream.subscribe(self.events.append)
        given: dict[str, Any] = {"catalogue": MODELS, "known": {"slab": pose()}, "fixed": ["slab"]} | others
        self.perception = CameraPerception(ROBOT, self.model, events=stream, **given)
        self.time = 0.0

    def step(self, image: DepthImage | None = None, q: Array = Q, held: dict[str, str] | None = None) -> None:
        self.time += 0.01
        self.perception.move(q, held or {}, self.time)
        if image is not None:
            self.perception.see(image)
        self.perception.write()


def image_of(*ids: str, y: float = 0.0, time: float = 0.0) -> DepthImage:
    return draw({id: (MODELS[id], POSES[id]) for id in ids}, camera_at((-0.75, y, 0.6)), time, names=NAMES)


def test_what_is_known_to_begin_with_is_known() -> None:
    """Before any image."""
    watching = Watching()
    watching.step()
    assert set(watching.model.percepts) == {"slab"}


def test_what_is_seen_becomes_known_and_what_is_gone_unknown() -> None:
    """An event tells both."""
    watching = Watching()
    watching.step(image_of("slab", "can", "brick"))
    assert set(watching.model.percepts) == set(NAMES)
    assert watching.model.pose("can")[:3, 3] == pytest.approx(POSES["can"][:3, 3], abs=1e-3)
    for y in (0.1, 0.2, 0.3):
        watching.step(image_of("slab", "brick", y=y))
    assert set(watching.model.percepts) == {"slab", "brick"}
    assert [event.data for event in watching.events] == [
        {"found": ("brick", "can"), "lost": ()},
        {"found": (), "lost": ("can",)},
    ]


def test_what_is_fixed_is_not_looked_at() -> None:
    """It stays the same percept, where it was said to be."""
    watching = Watching()
    watching.step()
    before = watching.model.object("slab")
    watching.step(image_of("slab", "can"))
    assert watching.model.object("slab") is before


def test_at_most_two_are_looked_for_in_an_image() -> None:
    """The largest first; the others in the next."""
    models = {**MODELS, "second": replace(CAN, id="second"), "third": replace(CAN, id="third")}
    places = {**POSES, "second": pose((0.1, 0.28, 0.06)), "third": pose((0.15, 0.0, 0.06))}
    watching = Watching(catalogue=models)
    counts = []
    for y in (0.0, 0.01):
        scene = {id: (models[id], places[id]) for id in models}
        watching.step(draw(scene, camera_at((-0.75, y, 0.6), (0.0, 0.1, 0.0)), names=tuple(models)))
        counts.append(len(watching.model.percepts))
    assert counts == [3, 5]


def test_an_image_that_hangs_says_nothing() -> None:
    """Though it comes with the pose and the time of a new one, and the camera has turned away."""
    watching = Watching()
    first = image_of("slab", "can", "brick")
    watching.step(first)
    before = watching.model.pose("can").copy()
    for _ in range(5):
        watching.step(replace(first, X_WC=camera_at((-0.6, 0.3, 0.7)), time=0.2))
    assert np.array_equal(watching.model.pose("can"), before)


def test_what_is_taken_away_before_a_still_camera_becomes_unknown() -> None:
    """Its images are the same bit for bit, since it has no noise, and they count all the same."""
    watching = Watching()
    watching.step(image_of("slab", "can", "brick"))
    for _ in range(3):
        watching.step(image_of("slab", "brick"))
    assert set(watching.model.percepts) == {"slab", "brick"}


def test_a_still_camera_finds_all_that_it_sees() -> None:
    """Two in an image, and the others in the next, though that shows the same."""
    models = {**MODELS, "second": replace(CAN, id="second"), "third": replace(CAN, id="third")}
    places = {**POSES, "second": pose((0.1, 0.28, 0.06)), "third": pose((0.15, 0.0, 0.06))}
    watching = Watching(catalogue=models)
    image = draw({id: (models[id], places[id]) for id in models}, camera_at((-0.75, 0.0, 0.6), (0.0, 0.1, 0.0)))
    for _ in range(2):
        watching.step(image)
    assert set(watching.model.percepts) == set(models)


def test_what_nobody_described_is_a_sketch() -> None:
    """Its type is unknown."""
    watching = Watching(catalogue={"slab": SLAB, "can": CAN})
    watching.step(image_of("slab", "can", "brick"))
    sketch = watching.model.object("brick")
    assert sketch.model.type == "unknown"
    assert sketch.model.shapes[0].kind == "points"
    assert sketch.box[1][2] == pytest.approx(0.06, abs=0.02)


def test_what_is_too_large_to_be_seen_whole_is_a_sketch_of_its_type() -> None:
    """Furniture that is not known to begin with."""
    watching = Watching(known={}, fixed=[])
    watching.step(image_of("slab", "can"))
    assert watching.model.object("slab").model.type == "furniture/table"
    assert watching.model.object("slab").model.shapes[0].kind == "points"
    assert watching.model.object("can").model is CAN


def test_what_is_held_moves_with_the_hand_between_images() -> None:
    """By forward kinematics, from what the hand feels."""
    watching = Watching()
    watching.step(image_of("slab", "can"))
    before = watching.model.pose("can").copy()
    watching.step(held={"left": "can"})
    raised = Q.copy()
    raised[ROBOT.indices("left_arm")[0]] += 0.05
    watching.step(q=raised, held={"left": "can"})
    moved = hand_pose(ROBOT, "left", raised) @ np.linalg.inv(hand_pose(ROBOT, "left", Q))
    assert watching.model.pose("can") == pytest.approx(moved @ before)
    assert watching.model.object("can").held_by == "left"


def test_the_same_images_make_the_same_model() -> None:
    """Bit for bit."""
    poses = []
    for _ in range(2):
        watching = Watching()
        for k, y in enumerate((0.0, 0.1, 0.2)):
            watching.step(image_of("slab", "can", "brick", y=y, time=0.2 * k))
        poses.append(watching.model.pose("brick"))
    assert np.array_equal(poses[0], poses[1])
