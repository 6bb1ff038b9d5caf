"""A contact sheet and an animation of what a robot did, and a world from above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.simulation.scenes.world import World

from .camera import FIELD_OF_VIEW, Camera, follow
from .renderer import Body, Frame, Renderer

_PANEL = (480, 360)
_SCREEN = (400, 300)
_MOST_PANELS = 9
_COLUMNS = 3
_GAP = 10
_HEADER = 64
_MOST_PICTURES = 72
_PAPER = (250, 249, 246)
_INK = (38, 42, 50)
_COLORS = 256


def contact_sheet(
    robot: Body,
    world: World,
    frames: Sequence[Frame],
    path: Path,
    title: str,
    *,
    outcome: str = "",
    target: str | None = None,
) -> None:
    """Write a PNG with six to nine moments of a run: its start, its end, where something new begins, and between.

    Args:
        robot: The robot.
        world: The world.
        frames: The run, in the order of time.
        path: The file to write; its folder is made.
        title: Above the panels.
        outcome: How it ended, below the title.
        target: Id of the object that the run is about, which stays in the picture; the world's default if not given.

    Raises:
        ParameterError: There are no frames.
        NotFoundError: The target is not in the world.
    """
    panels = _drawn(robot, world, frames, _moments(frames, _times(frames)), target, _PANEL)
    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    width = columns * _PANEL[0] + (columns + 1) * _GAP
    sheet = Image.new("RGB", (width, _HEADER + rows * (_PANEL[1] + _GAP)), _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((_GAP + 4, 8), title, _INK, _font(26))
    draw.text((_GAP + 4, 40), _shortened(outcome, width - 4 * _GAP, _font(15)), (96, 102, 112), _font(15))
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        sheet.paste(panel, (_GAP + column * (_PANEL[0] + _GAP), _HEADER + row * (_PANEL[1] + _GAP)))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, optimize=True)


def animation(
    robot: Body,
    world: World,
    frames: Sequence[Frame],
    path: Path,
    fps: int = 10,
    *,
    target: str | None = None,
    most: int = _MOST_PICTURES,
) -> None:
    """Write a GIF of a run, in real time or, when it is long, faster; the caption says how much.

    Args:
        robot: The robot.
        world: The world.
        frames: The run, in the order of time.
        path: The file to write; its folder is made.
        fps: Pictures per second.
        target: Id of the object that the run is about, which stays in the picture; the world's default if not given.
        most: Pictures at most; a run that would take more is shown faster.

    Raises:
        ParameterError: There are no frames.
        NotFoundError: The target is not in the world.
    """
    times = _times(frames)
    length = float(times[-1] - times[0])
    count = int(np.clip(round(length * fps) + 1, 1, most))
    speed = max(1.0, length * fps / max(count - 1, 1))
    chosen = _nearest(times, np.linspace(times[0], times[-1], count))
    pictures = _drawn(robot, world, frames, chosen, target, _SCREEN, f"  ({speed:.1f}x)" if speed > 1.05 else "")
    path.parent.mkdir(parents=True, exist_ok=True)
    first, *others = _with_one_palette(pictures)
    durations = [1000 // fps] * (len(pictures) - 1) + [1500]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True)


def overview(world: World, path: Path, size: tuple[int, int] = (960, 720)) -> None:
    """Write a PNG of a world from above, as it is at the start, without a robot.

    Args:
        world: The world.
        path: The file to write; its folder is made.
        size: [pixels] Width and height.
    """
    xmin, ymin, xmax, ymax = world.bounds
    center = np.array([(xmin + xmax) / 2, (ymin + ymax) / 2, 0.0])
    reach = max((xmax - xmin) * size[1] / size[0], ymax - ymin) / 2
    eye = center + reach / np.tan(np.radians(FIELD_OF_VIEW / 2)) * np.array([0.0, -0.5, 1.25])
    things = [world.box(id) for id, model in world.objects.items() if not model.is_a("wall")]
    camera = Camera(eye, center, np.array([(lower + upper) / 2 for lower, upper in things]).reshape(-1, 3))
    renderer = Renderer(_Nobody(), world, *size)
    picture = renderer.image(Frame(0.0, np.zeros(0), world.poses, ""), camera)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, optimize=True)


class _Nobody:
    """A scene without a robot."""

    visuals: tuple[Shape, ...] = ()

    def visual_placements(self, q: Array) -> Array:
        return np.zeros((0, 4, 4))


def _times(frames: Sequence[Frame]) -> Array:
    if not frames:
        raise ParameterError("there are no frames to make a picture of")
    return np.array([frame.time for frame in frames])


def _nearest(times: Array, wanted: Array) -> list[int]:
    return [int(np.abs(times - t).argmin()) for t in wanted]


def _moments(frames: Sequence[Frame], times: Array) -> list[int]:
    """Indices of the frames that tell the story: first, last, changes of caption, and evenly between them.

    A change within a twentieth of the run after another, or before the end, would give the same picture again.
    """
    last, apart = len(frames) - 1, (times[-1] - times[0]) / 20
    fixed = [0]
    for i in range(1, last):
        new = frames[i].caption != frames[i - 1].caption
        if new and times[i] - times[fixed[-1]] >= apart and times[last] - times[i] >= apart:
            fixed.append(i)
    fixed.append(last)
    if len(fixed) > _MOST_PANELS:
        fixed = [fixed[round(j)] for j in np.linspace(0, len(fixed) - 1, _MOST_PANELS)]
    gaps = np.diff(times[fixed])
    parts = np.ones(len(gaps), dtype=int)
    for _ in range(_MOST_PANELS - len(fixed)):
        parts[np.argmax(gaps / parts)] += 1
    between = [times[i] + gap * np.arange(n) / n for i, gap, n in zip(fixed, gaps, parts, strict=False)]
    return sorted({*_nearest(times, np.concatenate(between)), last})


def _drawn(
    robot: Body,
    world: World,
    frames: Sequence[Frame],
    chosen: Sequence[int],
    target: str | None,
    size: tuple[int, int],
    note: str = "",
) -> list[Image.Image]:
    """Pictures of the chosen frames, each with its time, the note and its caption."""
    name = target if target is not None else world.default_object
    if name not in world.objects:
        raise NotFoundError("object", name, world.objects, f"world '{world.name}'")
    hiding = [other for other, model in world.objects.items() if not (model.movable or model.is_a("wall"))]
    obstacles = [world.box(other) for other in hiding]
    ends = frames[-1].poses
    parts = [(world.objects[other], ends[other]) for other in hiding if world.objects[other].joint and other in ends]
    obstacles += [bounding_box(model.shapes, X_WO) for model, X_WO in parts]  # a door that is open then
    bodies = [robot.visual_placements(frame.q)[:, :3, 3] for frame in frames]
    where = _places(name, frames, world)
    cameras = follow(bodies, where, obstacles)
    renderer = Renderer(robot, world, *size)
    pictures = [renderer.image(frames[i], cameras[i]) for i in chosen]
    for i, picture in zip(chosen, pictures, strict=True):
        _caption(picture, f"{frames[i].time:.1f} s{note}", frames[i].caption)
    return pictures


def _places(target: str, frames: Sequence[Frame], world: World) -> Array:
    """(frames, 3) [m] Where an object is; while it is absent, where it was last."""
    places = []
    X_WO = next((frame.poses[target] for frame in frames if target in frame.poses), world.poses[target])
    for frame in frames:
        X_WO = frame.poses.get(target, X_WO)
        places.append(X_WO[:3, 3])
    return np.array(places)


def _with_one_palette(pictures: Sequence[Image.Image]) -> Iterator[Image.Image]:
    """The pictures in colours that fit all of them, so that only what moves is stored anew."""
    sample = [np.asarray(picture) >> 3 for picture in pictures[:: max(1, len(pictures) // 6)]]
    count = np.bincount(np.concatenate([(tone @ (1024, 32, 1)).reshape(-1) for tone in sample]), minlength=32**3)
    tones = np.column_stack(np.unravel_index(np.arange(32**3), (32, 32, 32))) * 8 + 4
    weighted = np.repeat(tones, (count**0.7).astype(int), axis=0)  # so that small bright things keep their colours
    palette = Image.fromarray(weighted[None].astype(np.uint8)).quantize(_COLORS, method=Image.Quantize.MEDIANCUT)
    for picture in pictures:
        yield picture.quantize(palette=palette, dither=Image.Dither.NONE)


def _caption(picture: Image.Image, time: str, text: str) -> None:
    """Write the time and a caption on a dark strip at the lower edge."""
    width, height = picture.size
    strip = ImageDraw.Draw(picture, "RGBA")
    strip.rectangle((0, height - 28, width, height), (32, 36, 44, 215))
    font = _font(15)
    strip.text((10, height - 23), time, (255, 205, 90), font)
    left = 10 + int(strip.textlength(time, font)) + 14
    strip.text((left, height - 23), _shortened(text, width - left - 8, font), (245, 245, 245), font)


def _shortened(text: str, width: float, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> str:
    """The text in one line, cut with dots where it would be wider than ``width`` pixels."""
    line = " ".join(text.split())
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(line + "...") > width:
        line = line[:-1]
    return line + "..."


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
