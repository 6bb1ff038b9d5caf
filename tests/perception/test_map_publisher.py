from __future__ import annotations

import numpy as np

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.events import Event, EventStream
from taskmatrix.core.world.occupancy import OCCUPIED
from taskmatrix.perception.map_publisher import EVERY, MapPublisher
from taskmatrix.perception.octree import Octree
from taskmatrix.testing.box_camera import BoxCamera, looking


def seen(octree: Octree, at: float) -> None:
    """Show the map a box at a distance [m]."""
    low, high = np.array([at, -0.2, 0.8]), np.array([at + 0.2, 0.2, 1.2])
    octree.insert(BoxCamera([(low, high)], size=(31, 40)).image(looking((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))))


def test_the_map_is_told_when_it_changed_and_not_too_often() -> None:
    """Occupied space as boxes; the same map is not told again, and another one not before its time."""
    clock, octree = SimulatedClock(), Octree()
    stream, told = EventStream(clock), list[Event]()
    stream.subscribe(told.append)
    tell = MapPublisher(octree, stream, clock)
    tell()
    assert not told  # nothing is known
    seen(octree, 0.8)
    tell()
    tell()
    assert [event.kind for event in told] == ["map"]
    seen(octree, 0.5)
    clock.sleep_until(EVERY / 2)
    tell()
    assert len(told) == 1
    clock.sleep_until(EVERY)
    tell()
    assert len(told) == 2
    boxes, found = octree.boxes(OCCUPIED), told[-1].data
    assert found["size"] == octree.resolution
    np.testing.assert_array_equal(found["boxes"], np.hstack([boxes.low, boxes.high]))
    assert len(boxes.low) > 0
