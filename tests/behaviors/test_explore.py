"""Explorers: on the bench with a map, and with a robot among boxes that it does not know."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Explore, NextBestView
from taskmatrix.behaviors.looking.explorer import Explorer
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import bounding_box, pose
from taskmatrix.core.world.occupancy import FREE
from taskmatrix.perception.octree import Octree
from taskmatrix.session.session import Session
from taskmatrix.skills.collision.collision import UNSEEN
from taskmatrix.testing import Bench
from taskmatrix.testing.box_camera import BoxCamera

from .truth import Truth

RATE = 5.0  # [Hz]
EXPLORERS: list[Callable[..., Explorer]] = [Explore, NextBestView]


class Sight:
    """Nothing is known of the world but what a camera in the robot's view sees: its furniture as boxes."""

    def __init__(self, session: Session) -> None:
        shapes = [(shape, X) for id, X in session.world.poses.items() for shape in session.world.objects[id].shapes]
        boxes = [bounding_box([shape], X) for shape, X in shapes if shape.collides]
        self.camera = BoxCamera(boxes, (62, 80), np.radians(40.0), (0.2, 3.0))
        self.session, self.image = session, DepthImageSlot()
        self.octree = Octree(0.04, 0.04)
        session.forget_objects()
        session.keep_map(self.take, self.octree)

    def take(self) -> DepthImage | None:
        skills, now = self.session.skills, self.session.context.clock.now()
        if self.image.due(now):
            X = np.eye(4)
            X[:3, :3], X[:3, 3] = skills.view(), skills.view_position()
            self.image.last = self.camera.image(X, now)
        return self.image.last


class DepthImageSlot:
    def __init__(self) -> None:
        self.last: DepthImage | None = None

    def due(self, now: float) -> bool:
        return self.last is None or now >= self.last.time + 1 / RATE - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("explorer", [NextBestView])
def test_it_sees_more_and_more_of_an_unknown_world_and_touches_nothing(explorer: Callable[..., Explorer]) -> None:
    """Not even what it has not yet seen: at no step is anything of it in unseen space."""
    with simulate("mannequin", seed=1) as session:
        truth, sight = Truth(session), Sight(session)
        unseen: list[object] = []

        def check() -> None:
            contact = session.skills.collision(session.skills.joints("base"), session.skills.position()[:3])
            if contact is not None:
                unseen.append(contact)

        session.add_process(check)
        outcome = session.run(explorer(duration=20.0), timeout=60.0)
        assert outcome.success, outcome
        assert outcome.duration == pytest.approx(20.0, abs=0.1)
        truth.assert_no_contact()
        speeds = np.abs(np.diff(truth.q, axis=0)) / session.context.dt
        assert (speeds <= session.robot.velocity + 1e-6).all()  # the guard may stop it harder than it would stop itself
        assert unseen == []
        states = sight.octree.window(np.array([-3.0, -3.0, 0.1]), np.array([3.0, 3.0, 1.5]))[1]
        assert np.mean(states == FREE) > 0.3
        way = np.linalg.norm(np.diff(truth.q[:, :2], axis=0), axis=1).sum()
        assert way > 0.2
        away = session.skills.position()[:3] + np.array([10.0, 0.0, 0.0])
        assert session.skills.collision(session.skills.joints("base"), away) is None  # unseen, which counts no more


def test_what_nobody_has_seen_is_in_the_way_only_as_long_as_it_explores() -> None:
    """And contacts call it so."""
    with simulate("mannequin", seed=1) as session:
        Sight(session)
        base, away = session.skills.joints("base"), session.skills.position()[:3] + np.array([1.0, 0.0, 0.0])
        assert session.skills.avoid_unseen(True) is False
        session.run(Explore(duration=0.5))
        contact = session.skills.collision(base, away)
        assert contact is not None
        assert UNSEEN in contact.pair
        assert session.skills.avoid_unseen(False) is True
        session.run(Explore(duration=0.5))
        contact = session.skills.collision(base, away)
        assert contact is None or UNSEEN not in contact.pair


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_without_a_map_there_is_nothing_to_explore_for(explorer: Callable[..., Explorer]) -> None:
    """The failure says what is missing, and how to get it."""
    outcome = Bench().run(explorer(duration=1.0))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.NOT_ABLE
    assert "perception with a depth camera makes one" in str(outcome.failure.explain())


def test_where_there_is_no_way_it_chooses_again_at_once() -> None:
    """Another place, without looking around anew; on the way it looks about, and there it looks around."""
    bench, ran = Bench(), list[str]()
    bench.skills.occupancy = Octree(0.04, 0.04)
    bench.skills.occupancy.release(pose((1.0, 0.0, 1.0)), np.array([2.0, 1.0, 1.0]))
    bench.skills.plans.append(Failure(FailureKind.PLANNER_EXHAUSTED, "planner", "no way"))

    def note(event: Event) -> None:
        if event.kind == "message" and event.data["message"] in ("task-failed-to-start", "task-successful"):
            ran.append(event.source.rpartition("/")[2])
        elif event.kind == "message" and event.data["message"] == "force-quit":
            ran.append("stop " + event.source.rpartition("/")[2])

    bench.context.events.subscribe(note)
    bench.run(NextBestView(duration=40.0, period=1.0), timeout=40.5)
    gone = ["choose", "travel", "stop about"]
    assert ran[:7] == ["look", *gone, *gone]


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_it_takes_its_time_and_tells_the_skills(explorer: Callable[..., Explorer]) -> None:
    """On the bench, where nothing is ever seen; the messages keep to their grammar."""
    bench = Bench()
    bench.skills.occupancy = Octree()
    avoided: list[bool] = []
    bench.context.events.subscribe(lambda event: avoided.append(bench.skills.avoids_unseen))
    outcome = bench.run(explorer(duration=3.0, period=1.0))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.NOT_ACHIEVED
    assert outcome.failure.message == "nothing new was seen: 0% of the space within 2 m is known, as before"
    assert outcome.duration == pytest.approx(3.0, abs=0.05)
    assert any(avoided)
    assert not bench.skills.avoids_unseen
    assert bench.violation() is None


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_it_says_how_much_is_known_when_it_has_seen_its_share(explorer: Callable[..., Explorer]) -> None:
    """Of the space around; what is known already needs no second look."""
    bench, octree = Bench(), Octree(0.04, 0.04)
    bench.skills.occupancy = octree
    free = pose((0.0, 0.0, 0.8)), np.array([5.0, 5.0, 2.0])

    def look(event: Event) -> None:
        if event.kind == "step" and event.step == 150:
            octree.release(*free)

    bench.context.events.subscribe(look)
    for _ in range(2):
        exploring = explorer(duration=8.0, period=1.0, xmin=-0.5, xmax=0.5, ymin=-0.5, ymax=0.5)
        outcome = bench.run(exploring)
        assert outcome.success, outcome
        assert exploring.outputs["seen"] > 0.9


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_it_stays_in_its_region_and_says_where_that_is_none(explorer: Callable[..., Explorer]) -> None:
    bench = Bench()
    bench.skills.occupancy = Octree()
    outcome = bench.run(explorer(duration=1.0, xmin=1.0, xmax=-1.0))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.PARAMETER
