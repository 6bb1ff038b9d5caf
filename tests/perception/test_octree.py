from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN
from taskmatrix.perception import octree as octree_module
from taskmatrix.perception.carving import EXPLAINED, IGNORED
from taskmatrix.perception.compiled import CODE
from taskmatrix.perception.octree import OccupancyOdds, Octree
from taskmatrix.testing.box_camera import BoxCamera, looking

EYE = (0.0, 0.0, 1.0)
BOX = ((0.8, -0.1, 0.9), (1.0, 0.1, 1.1))


def seen(camera: BoxCamera, octree: Octree | None = None, times: int = 1) -> Octree:
    octree = octree or Octree()
    for _ in range(times):
        octree.insert(camera.image(looking(EYE, (1.0, 0.0, 1.0))))
    return octree


def test_what_is_in_front_is_free_what_is_hit_occupied_and_what_is_behind_unknown() -> None:
    """So is what is beside the image."""
    octree = seen(BoxCamera([BOX]))
    places = np.array([(0.5, 0.0, 1.0), (0.805, 0.0, 1.0), (0.9, 0.0, 1.0), (1.2, 0.0, 1.0), (0.5, 1.0, 1.0)])
    assert octree.states(places).tolist() == [FREE, OCCUPIED, UNKNOWN, UNKNOWN, UNKNOWN]
    assert octree.states(np.array([(1.2, 0.3, 1.0)])).tolist() == [FREE]


def test_nothing_beyond_the_range_is_known() -> None:
    """Nor what is nearer than the camera measures."""
    octree = seen(BoxCamera([]))
    assert octree.states(np.array([(1.55, 0.0, 1.0), (0.1, 0.0, 1.0), (1.4, 0.0, 1.0)])).tolist() == [2, 2, 0]


def test_what_is_seen_to_be_empty_is_forgotten() -> None:
    """A few images that look through it are enough, however long it was there."""
    octree = seen(BoxCamera([BOX]), times=30)
    gone, places = BoxCamera([]), np.array([(0.805, 0.0, 1.0)])
    images = 0
    while octree.states(places)[0] == OCCUPIED:
        seen(gone, octree)
        images += 1
    assert images == 5


def test_no_cell_with_a_surface_that_was_seen_is_free() -> None:
    """From many places, of a room with boxes: the cells that hold a point that was seen."""
    random = np.random.default_rng(0)
    boxes = [BOX, ((0.5, 0.3, 0.0), (0.9, 0.6, 0.7)), ((0.4, -0.7, 0.0), (0.6, -0.3, 1.3))]
    camera, octree = BoxCamera(boxes), Octree()
    for _ in range(12):
        image = camera.image(
            looking(
                random.uniform((-0.3, -0.3, 0.8), (0.0, 0.3, 1.4)), random.uniform((0.5, -0.5, 0.3), (0.9, 0.5, 1.0))
            )
        )
        octree.insert(image)
        there = np.isfinite(image.depth)
        points = image.rays[there].astype(float) * image.depth[there, None]
        places = points @ image.X_WC[:3, :3].T + image.X_WC[:3, 3]
        inner = np.abs(places / 0.02 - np.round(places / 0.02)).min(axis=1) > 1e-3  # not on the border of two cells
        assert (octree.states(places[inner]) == OCCUPIED).all()


def test_no_cell_inside_of_a_box_is_free() -> None:
    """Whatever was looked at around it; only the cells that it fills in part may be."""
    octree, camera = Octree(), BoxCamera([BOX])
    for y, z in np.random.default_rng(1).uniform(-0.5, 0.5, (30, 2)):
        octree.insert(camera.image(looking((0.0, y, 1.0 + z), (0.9, 0.0, 1.0))))
    _, states = octree.window(np.array(BOX[0]), np.array(BOX[1]))
    assert states.shape == (10, 10, 10)
    assert (states[1:-1, 1:-1, 1:-1] != FREE).all()


def test_pixels_that_dropped_out_say_nothing() -> None:
    """Single ones do not keep what is around them from being free; many do."""
    camera = BoxCamera([BOX])
    whole = camera.image(looking(EYE, (1.0, 0.0, 1.0)))
    place = np.array([(0.6, 0.0, 1.0)])
    for share, state in ((0.3, FREE), (1.0, UNKNOWN)):
        depth = whole.depth.copy()
        depth[np.random.default_rng(0).random(depth.shape) < share] = np.nan
        octree = Octree()
        octree.insert(DepthImage(depth, whole.labels, whole.names, whole.X_WC, whole.field_of_view, whole.range, 0.0))
        assert octree.states(place).tolist() == [state]


def test_what_is_ignored_leaves_no_trace_and_what_is_explained_is_free() -> None:
    """The robot itself, and what is modelled elsewhere."""
    image, place = BoxCamera([BOX]).image(looking(EYE, (1.0, 0.0, 1.0))), np.array([(0.805, 0.0, 1.0)])
    for kind, state in ((IGNORED, UNKNOWN), (EXPLAINED, FREE)):
        octree = Octree()
        octree.insert(image, np.where(image.labels == 0, kind, 0).astype(np.uint8))
        assert octree.states(place).tolist() == [state]


def test_boxes_are_the_cells_of_their_state() -> None:
    """Together they have the volume of the cells, and each cell's middle is in one of them; none below the ground."""
    octree = seen(BoxCamera([BOX, ((0.5, 0.2, 0.0), (0.6, 0.4, 0.9))]))
    _, states = octree.window(np.array([-0.2, -1.0, 0.0]), np.array([1.6, 1.0, 1.8]))
    occupied = octree.boxes(OCCUPIED)
    cells = np.argwhere(states == OCCUPIED)
    assert occupied.volume == pytest.approx(np.count_nonzero(cells[:, 2] >= 1) * 0.02**3, rel=1e-4)
    assert occupied.low[:, 2].min() >= 0.02 - 1e-6
    unknown = octree.boxes(UNKNOWN)
    places = np.random.default_rng(0).uniform((-3.0, -3.0, 0.03), (3.0, 3.0, 3.0), (3000, 3))
    inside = [bool(((unknown.low <= p) & (p <= unknown.high)).all(axis=1).any()) for p in places]
    assert inside == (octree.states(places) == UNKNOWN).tolist()


def test_boxes_of_a_map_that_grew_are_those_of_one_made_at_once() -> None:
    """Only what changed is merged again, and that makes no difference."""
    camera = BoxCamera([BOX, ((0.5, 0.2, 0.0), (0.6, 0.4, 0.9))])
    views = [looking(EYE, place) for place in ((1.0, 0.0, 1.0), (1.0, 0.5, 0.8), (0.2, -1.0, 0.7), (1.0, 0.1, 1.2))]
    growing, at_once = Octree(), Octree()
    for view in views:
        growing.insert(camera.image(view))
        growing.boxes(OCCUPIED)
        growing.boxes(UNKNOWN)
        at_once.insert(camera.image(view))
    for state in (OCCUPIED, UNKNOWN):
        one, other = (np.hstack([m.boxes(state).low, m.boxes(state).high]) for m in (growing, at_once))
        assert one.tolist() == other.tolist()


def test_boxes_stay_the_same_object_where_nothing_changes() -> None:
    """So that nobody takes over what they have."""
    octree = seen(BoxCamera([BOX]), times=8)
    before, version = (octree.boxes(OCCUPIED), octree.boxes(UNKNOWN)), octree.version
    seen(BoxCamera([BOX]), octree)
    assert octree.version == version
    assert octree.boxes(OCCUPIED) is before[0]
    assert octree.boxes(UNKNOWN) is before[1]


def test_an_empty_map_is_unknown_everywhere() -> None:
    """But for the ground."""
    octree = Octree()
    unknown = octree.boxes(UNKNOWN)
    assert unknown.low[:, 2].min() >= 0.02 - 1e-6
    assert unknown.volume > 1e4
    assert len(octree.boxes(OCCUPIED).low) == 0
    assert octree.states(np.zeros((1, 3))).tolist() == [UNKNOWN]


def test_released_space_is_free_but_what_is_occupied_stays() -> None:
    """A turned box, by the middles of cells."""
    octree = seen(BoxCamera([BOX]))
    octree.release(pose((0.8, 0.0, 1.0), (0.0, 0.0, 0.3)), np.array([0.3, 0.1, 0.1]))
    places = np.array([(0.95, 0.03, 1.0), (0.805, 0.0, 1.0), (1.15, 0.0, 1.0)])
    assert octree.states(places).tolist() == [FREE, OCCUPIED, UNKNOWN]


def test_unknown_space_along_lines_ends_at_what_is_occupied() -> None:
    """The view of an explorer: behind the box nothing is to be gained."""
    octree = seen(BoxCamera([BOX]))
    start = np.array([(0.4, 0.0, 1.0), (0.4, 0.0, 1.0), (1.2, 0.0, 1.0)])
    end = np.array([(1.4, 0.0, 1.0), (0.4, 1.0, 1.0), (1.4, 0.0, 1.0)])
    found = octree.unknown_along(start, end)
    assert found[0] == pytest.approx(0.0, abs=0.021)
    assert 0.8 < found[1] < 1.0
    assert found[2] == pytest.approx(0.2, abs=1e-6)


def test_the_map_is_the_same_whatever_is_seen_first() -> None:
    """Blocks are numbered as they come, but answers do not tell."""
    camera = BoxCamera([BOX])
    views = [looking(EYE, place) for place in ((1.0, 0.0, 1.0), (1.0, 0.5, 0.8))]
    one, other = Octree(), Octree()
    for view in views:
        one.insert(camera.image(view))
    for view in views[::-1]:
        other.insert(camera.image(view))
    corners = np.array([-0.5, -1.0, 0.0]), np.array([1.6, 1.5, 1.8])
    assert (one.window(*corners)[1] == other.window(*corners)[1]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"resolution": 0.0}, "must be above zero, not 0.0 m"), ({"ground": np.nan}, "must be a height, not nan m")],
)
def test_what_cannot_be_a_map_is_an_error(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Octree(**arguments)  # type: ignore[arg-type]


def test_odds_have_their_signs() -> None:
    with pytest.raises(ParameterError, match="miss < 0 < hit"):
        OccupancyOdds(miss=0.1)


def test_an_image_that_is_none_is_an_error() -> None:
    image = BoxCamera([BOX]).image(looking(EYE, (1.0, 0.0, 1.0)))
    with pytest.raises(ParameterError, match=r"kinds of pixels have to be an image \(124, 160\)"):
        Octree().insert(image, np.zeros((2, 2), np.uint8))
    with pytest.raises(ParameterError, match="pose of finite numbers"):
        Octree().insert(BoxCamera([]).image(np.full((4, 4), np.nan)))
    octree = seen(BoxCamera([BOX]))
    with pytest.raises(ParameterError, match="which is too much; take larger cells"):
        octree.insert(BoxCamera([]).image(looking((900.0, 900.0, 1.0), (901.0, 900.0, 1.0))))
    with pytest.raises(ParameterError, match="not of 0"):
        Octree().boxes(FREE)


def test_whoever_waits_for_the_compiler_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And nobody else."""
    monkeypatch.setattr(CODE, "folder", tmp_path)
    for told in (True, False):
        monkeypatch.setattr(octree_module, "_begun", False)
        caplog.clear()
        assert octree_module.compile_ahead() is told
        first = [record.getMessage().partition(": ")[0] for record in caplog.records][:1]
        assert first == (["compiling the map of space, once for this version"] if told else [])
    assert octree_module.compile_ahead() is False
