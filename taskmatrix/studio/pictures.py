"""A contact sheet and an animation of what a robot did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from taskmatrix.core.errors import NotFoundError, ParameterError
from taskmatrix.simulation.world import World
from taskmatrix.studio.camera import Camera, follow
from taskmatrix.studio.renderer import Body, Frame, Renderer

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
        MissingDependencyError: PyBullet is not installed.
        ParameterError: There are no frames.
        NotFoundError: The target is not in the world.
    """
    _check(frames)
    chosen = _moments(frames)
    cameras = _cameras(robot, world, frames, target)
    columns = min(_COLUMNS, len(chosen))
    rows = -(-len(chosen) // columns)
    width = columns * _PANEL[0] + (columns + 1) * _GAP
    sheet = Image.new("RGB", (width, _HEADER + rows * (_PANEL[1] + _GAP)), _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((_GAP + 4, 8), title, _INK, _font(26))
    draw.text((_GAP + 4, 40), _shortened(outcome, width - 4 * _GAP, _font(15)), (96, 102, 112), _font(15))
    with Renderer(robot, world, *_PANEL) as renderer:
        for place, i in enumerate(chosen):
            panel = renderer.image(frames[i], cameras[i])
            _caption(panel, f"{frames[i].time:.1f} s", frames[i].caption)
            row, column = divmod(place, columns)
            sheet.paste(panel, (_GAP + column * (_PANEL[0] + _GAP), _HEADER + row * (_PANEL[1] + _GAP)))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, optimize=True)


def animation(
    robot: Body, world: World, frames: Sequence[Frame], path: Path, fps: int = 10, *, target: str | None = None
) -> None:
    """Write a GIF of a run, in real time or, when it is long, faster; the caption says how much.

    Args:
        robot: The robot.
        world: The world.
        frames: The run, in the order of time.
        path: The file to write; its folder is made.
        fps: Pictures per second.
        target: Id of the object that the run is about, which stays in the picture; the world's default if not given.

    Raises:
        MissingDependencyError: PyBullet is not installed.
        ParameterError: There are no frames.
        NotFoundError: The target is not in the world.
    """
    _check(frames)
    times = np.array([frame.time for frame in frames])
    length = float(times[-1] - times[0])
    count = int(np.clip(round(length * fps) + 1, 1, _MOST_PICTURES))
    speed = max(1.0, length * fps / max(count - 1, 1))
    chosen = [int(np.abs(times - t).argmin()) for t in np.linspace(times[0], times[-1], count)]
    cameras = _cameras(robot, world, [frames[i] for i in chosen], target)
    pictures = []
    with Renderer(robot, world, *_SCREEN) as renderer:
        for i, camera in zip(chosen, cameras, strict=True):
            picture = renderer.image(frames[i], camera)
            faster = f"  ({speed:.1f}x)" if speed > 1.05 else ""
            _caption(picture, f"{frames[i].time:.1f} s{faster}", frames[i].caption)
            pictures.append(picture)
    path.parent.mkdir(parents=True, exist_ok=True)
    first, *others = _with_one_palette(pictures)
    durations = [1000 // fps] * (len(pictures) - 1) + [1500]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True)


def _check(frames: Sequence[Frame]) -> None:
    if not frames:
        raise ParameterError("there are no frames to make a picture of")


def _moments(frames: Sequence[Frame]) -> list[int]:
    """Indices of the frames that tell the story: first, last, changes of caption, middles of the longest gaps."""
    last = len(frames) - 1
    chosen = {0, last}
    news = [i for i in range(1, last) if frames[i].caption != frames[i - 1].caption]
    room = _MOST_PANELS - len(chosen)
    if len(news) > room:
        news = [news[round(j)] for j in np.linspace(0, len(news) - 1, room)]
    chosen.update(news)
    while len(chosen) < min(_MOST_PANELS, len(frames)):
        ordered = sorted(chosen)
        gaps = [(frames[b].time - frames[a].time, a, b) for a, b in pairwise(ordered) if b - a > 1]
        _, a, b = max(gaps)
        chosen.add((a + b) // 2)
    return sorted(chosen)


def _cameras(robot: Body, world: World, frames: Sequence[Frame], target: str | None) -> list[Camera]:
    name = target if target is not None else world.default_object
    if name not in world.objects:
        raise NotFoundError("object", name, world.objects, f"world '{world.name}'")
    obstacles = [world.box(other) for other, model in world.objects.items() if not model.movable]
    bodies = [robot.visual_placements(frame.q)[:, :3, 3] for frame in frames]
    return follow(bodies, np.array([frame.poses[name][:3, 3] for frame in frames]), obstacles)


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
