from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.world.geometry import planar, pose
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.studio.drawing.camera import Camera
from taskmatrix.studio.drawing.pictures import animation, contact_sheet, overview
from taskmatrix.studio.drawing.renderer import Frame, Renderer

PINK = (0.9, 0.05, 0.8, 1.0)


@dataclass(frozen=True)
class Pillar:
    """A robot that is a pink pillar on a planar base."""

    visuals: tuple[Shape, ...] = (Shape("capsule", (0.2, 1.0), np.eye(4), PINK),)

    def visual_placements(self, q: Array) -> Array:
        return np.array([planar(float(q[0]), float(q[1]), float(q[2])) @ pose((0, 0, 0.7))])


@pytest.fixture(scope="module")
def world() -> World:
    return load_world("sparse", 1.0)


def walk(world: World, count: int) -> list[Frame]:
    captions = ["reach: planning"] * 2 + ["reach: control loop"] * (count - 3) + ["grasp: control loop"]
    return [
        Frame(i * 0.1, np.array([1.2 * i / count, 0.0, 0.0]), world.poses, caption)
        for i, caption in enumerate(captions)
    ]


def pink(image: Image.Image) -> Array:
    """(k, 2) Row and column of the pixels in the colour that only the robot has."""
    pixels = np.asarray(image).astype(int)
    found: Array = np.argwhere(pixels[:, :, [0, 2]].min(axis=2) > 3 * pixels[:, :, 1] + 20).astype(float)
    return found


CAMERA = Camera(np.array([0.0, -4.0, 1.2]), np.array([0.0, 0.0, 0.7]))


def test_robot_appears_where_the_camera_geometry_says(world: World) -> None:
    """A pillar at the point looked at is in the middle; half a metre to the right, it is that far to the right."""
    renderer = Renderer(Pillar(), world, 320, 240)
    columns = [
        pink(renderer.image(Frame(0.0, np.array([x, 0.0, 0.0]), world.poses, ""), CAMERA))[:, 1].mean()
        for x in (0.0, 0.5)
    ]
    pixels_per_metre = 120 / (np.tan(np.radians(17)) * np.hypot(4.0, 0.5))
    assert columns[0] == pytest.approx(159.5, abs=2)
    assert columns[1] - columns[0] == pytest.approx(0.5 * pixels_per_metre, abs=4)


def test_robot_casts_a_shadow_on_the_floor(world: World) -> None:
    """Somewhere on the floor beside the pillar it gets darker than without it."""
    renderer = Renderer(Pillar(), world, 160, 120)
    near, away = (
        np.asarray(renderer.image(Frame(0.0, np.array([x, 0.0, 0.0]), world.poses, ""), CAMERA)).astype(int)
        for x in (0.0, 50.0)
    )
    gray = (np.abs(near[:, :, 0] - near[:, :, 2]) < 25) & (near.mean(axis=2) < 0.75 * away.mean(axis=2))
    assert gray.sum() > 100


def test_same_frame_gives_the_same_picture(world: World) -> None:
    """Rendering is deterministic."""
    frame = walk(world, 5)[2]
    pictures = []
    for _ in range(2):
        renderer = Renderer(Pillar(), world, 80, 60)
        pictures.append(np.asarray(renderer.image(frame, CAMERA)))
    np.testing.assert_array_equal(pictures[0], pictures[1])


def test_moved_objects_are_drawn_where_they_are(world: World) -> None:
    """A can that is carried away leaves its place in the picture."""
    frame = walk(world, 5)[0]
    can = world.poses["soda_can"][:3, 3]
    camera = Camera(can + np.array([-1.0, 0.0, 0.6]), can)
    carried = Frame(0.0, frame.q, {**world.poses, "soda_can": pose((0, 2, 1))}, "")
    renderer = Renderer(Pillar(), world, 120, 90)
    before, after = (np.asarray(renderer.image(f, camera)).astype(int) for f in (frame, carried))
    red = [(p[40:50, 55:65, 0] > 2 * p[40:50, 55:65, 1] + 40).mean() for p in (before, after)]
    assert red[0] > 0.3
    assert red[1] == 0


def test_absent_objects_are_not_drawn(world: World) -> None:
    """A can that is gone is not in the picture, and a sheet about it still has its place."""
    frame = walk(world, 5)[0]
    can = world.poses["soda_can"][:3, 3]
    gone = Frame(0.0, frame.q, {id: X for id, X in world.poses.items() if id != "soda_can"}, "")
    renderer = Renderer(Pillar(), world, 120, 90)
    picture = np.asarray(renderer.image(gone, Camera(can + np.array([-1.0, 0.0, 0.6]), can))).astype(int)
    assert (picture[40:50, 55:65, 0] > 2 * picture[40:50, 55:65, 1] + 40).mean() == 0


def test_walls_before_the_robot_are_cut() -> None:
    """From the next room the robot is seen over the foot of the wall; what is behind it keeps its walls."""
    home = load_world("apartment", 1.0)
    frame = Frame(0.0, np.array([-4.4, -1.2, 0.0]), home.poses, "")
    subject = np.array([-4.4, -1.2, 0.7])
    renderer = Renderer(Pillar(), home, 160, 120)
    seen = len(pink(renderer.image(frame, Camera(np.array([-4.2, 3.0, 1.6]), subject))))
    hidden = len(pink(renderer.image(frame, Camera(np.array([-4.2, 3.0, 1.6]), subject, np.zeros((0, 3))))))
    assert seen > 200
    assert hidden < seen / 4


def test_overview_shows_the_whole_world_from_above(tmp_path: Path) -> None:
    """A picture of the size asked for, in which the rooms' floors are seen; absent things do not matter."""
    overview(load_world("cottage", 1.0), tmp_path / "deep" / "cottage.png", (320, 240))
    with Image.open(tmp_path / "deep" / "cottage.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert pixels.shape == (240, 320, 3)
    wooden = (pixels[:, :, 0] - pixels[:, :, 2]) > 35
    assert 0.05 < wooden.mean() < 0.6


def test_contact_sheet_shows_nine_moments_of_a_long_run(world: World, tmp_path: Path) -> None:
    """The sheet is three by three panels of 480 by 360 under a header; the panels are not empty."""
    path = tmp_path / "deep" / "sheet.png"
    contact_sheet(Pillar(), world, walk(world, 30), path, "pickup", outcome="success", target="soda_can")
    with Image.open(path) as file:
        sheet = file.convert("RGB")
    assert sheet.size == (3 * 480 + 4 * 10, 64 + 3 * 370)
    for row in range(3):
        for column in range(3):
            left, top = 10 + column * 490, 64 + row * 370
            assert len(pink(sheet.crop((left, top, left + 480, top + 330)))) > 300


@pytest.mark.parametrize("count", [30, 61, 200])
def test_moments_of_a_sheet_are_apart(
    monkeypatch: pytest.MonkeyPatch, world: World, tmp_path: Path, count: int
) -> None:
    """What begins just after the start or just before the end gives no panel of its own; all nine are spread out."""
    frames = walk(world, count)
    frames[-2] = Frame(frames[-2].time, frames[-2].q, frames[-2].poses, "reach: nearly there")
    frames[count // 2] = Frame(frames[count // 2].time, frames[0].q, world.poses, "something new")
    shown: list[float] = []

    def noted(renderer: Renderer, frame: Frame, camera: Camera) -> Image.Image:
        shown.append(frame.time)
        return Image.new("RGB", (480, 360))

    monkeypatch.setattr(Renderer, "image", noted)
    contact_sheet(Pillar(), world, frames, tmp_path / "sheet.png", "pickup")
    length = frames[-1].time
    assert len(shown) == 9
    assert (shown[0], shown[-1]) == (0.0, length)
    assert frames[count // 2].time in shown
    assert 0.05 * length <= np.diff(shown).min() <= np.diff(shown).max() <= 0.2 * length


def test_contact_sheet_of_a_short_run_has_a_panel_for_each_frame(world: World, tmp_path: Path) -> None:
    """A run that fails at once still gives a sheet."""
    contact_sheet(Pillar(), world, walk(world, 4)[:1], tmp_path / "one.png", "failed", outcome="x" * 500)
    with Image.open(tmp_path / "one.png") as sheet:
        assert sheet.size == (500, 64 + 370)


def test_animation_plays_and_stays_small(world: World, tmp_path: Path) -> None:
    """A GIF with a frame per tenth of a second that loops; the pillar moves in it."""
    path = tmp_path / "run.gif"
    animation(Pillar(), world, walk(world, 8), path, fps=10)
    with Image.open(path) as gif:
        assert getattr(gif, "n_frames", 1) == 8
        assert gif.info["loop"] == 0
        first = np.asarray(gif.convert("RGB")).astype(int)
        gif.seek(7)
        last = np.asarray(gif.convert("RGB")).astype(int)
    assert np.abs(first - last).max() > 60
    assert path.stat().st_size < 400_000


def test_no_frames_is_an_error(world: World, tmp_path: Path) -> None:
    """There is nothing to show."""
    with pytest.raises(ParameterError, match="no frames"):
        contact_sheet(Pillar(), world, [], tmp_path / "x.png", "nothing")


def test_unknown_target_offers_the_nearest(world: World, tmp_path: Path) -> None:
    """A misspelt target is answered with the right name."""
    with pytest.raises(NotFoundError, match="did you mean 'soda_can'"):
        animation(Pillar(), world, walk(world, 5), tmp_path / "x.gif", target="soda_cam")
