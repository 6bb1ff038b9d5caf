"""Draw the macros and the robots for their pages: ``python tools/gallery.py [NAME ...]``.

``robots`` is all robots, and a folder with a ``robot.toml`` is the one in it. What stands beside their pictures is
written by ``python tools/robot_page.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import taskmatrix as tm
from taskmatrix.behaviors import Greet, PickAndPlace, Pickup, Putdown, Vacuum
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.robots import load_robot, robot_names
from taskmatrix.session import graph_of
from taskmatrix.session.session import Session
from taskmatrix.simulation import World
from taskmatrix.studio.drawing.camera import Camera, facing
from taskmatrix.studio.drawing.frame_recorder import FrameRecorder
from taskmatrix.studio.drawing.graph_svg import svg
from taskmatrix.studio.drawing.pictures import animation, contact_sheet
from taskmatrix.studio.drawing.renderer import Frame, Renderer

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
NOT_SHOWN = ("alex",)  # the license of its model allows nothing that is made from it
COLORS = 256  # of a strip, so that its file is small
TAKEN = 0.3  # [s] before a piece of debris is gone, the tip is nearly over it
LIFTED = 0.01  # [m]
PANEL = (400, 300)
PORTRAIT = (300, 400)
ASIDE = np.radians(30.0)  # of a robot's front
FPS, LONGEST = 12, 11  # pictures a second, [s] of a film
GAP = 8
SIDE, ELEVATION = np.radians(40.0), np.radians(28.0)


@dataclass(frozen=True)
class Picture:
    """A macro, and the run of it that is shown."""

    macro: type[tm.TaskBehavior]
    """What is drawn and run."""
    robot: str
    """Who does it."""
    parameters: Mapping[str, Any]
    """Of the macro."""
    before: tuple[tm.TaskBehavior, ...] = ()
    """What is run first, and not shown."""
    setting: Mapping[str, Any] = field(default_factory=dict)
    """World, seed and second robot."""
    target: str = "vacuum"
    """What stays in the picture."""
    depth: int = 9
    """How deep machines inside of states are drawn."""


PICTURES = {
    "pick-and-place": Picture(PickAndPlace, "mannequin", {"object": "soda_can", "on": "stool"}, target="soda_can"),
    "putdown": Picture(Putdown, "mannequin", {"on": "table"}, (Pickup(object="tennis_ball"),), target="tennis_ball"),
    "greet": Picture(
        Greet, "mannequin", {"target": "second_robot"}, setting={"second_robot": "asimo"}, target="second_robot"
    ),
    "vacuum": Picture(Vacuum, "asimo", {"object": "vacuum", "on": "table"}, setting={"seed": 1}, depth=0),
}
FILMS = {
    "vacuum-talos": Picture(Vacuum, "talos", {"object": "vacuum", "on": "table"}, setting={"sim": "bullet"}),
}
"""Runs with physics that are shown as films."""
ONLY_MACHINES = {"pickup": Pickup}  # its strips are those that ``taskmatrix run pickup`` makes


def draw(name: str) -> None:
    """Draw a macro's machine, and a strip of a run of it."""
    if name in ONLY_MACHINES:
        _draw_machine(name, ONLY_MACHINES[name], Picture.depth)
        return
    if name in FILMS:
        _film(name, FILMS[name])
        return
    picture = PICTURES[name]
    _draw_machine(name, picture.macro, picture.depth)
    frames = FrameRecorder()
    with tm.simulate(picture.robot, **picture.setting) as session:
        for behavior in picture.before:
            session.run(behavior)
        session.events.subscribe(frames)
        outcome = session.run(picture.macro(**picture.parameters), timeout=600.0)
        path = IMAGES / f"{name}.png"
        title = f"{name} by {picture.robot}"
        if name == "vacuum":
            _vacuuming(session, frames.frames, path, f"{title}: {outcome}")
        else:
            shown = frames.frames
            contact_sheet(session.robot, session.world, shown, path, title, outcome=str(outcome), target=picture.target)
    _shrink(path)
    sys.stdout.write(f"{name}: {outcome}; {path.stat().st_size // 1000} kB\n")


def draw_robot(name: str) -> None:
    """Draw a robot in its posture ``ready``, seen from a little beside its front."""
    robot = load_robot(name)
    path = IMAGES / f"robot-{robot.name}.png"
    q = robot.posture("ready")
    placed = robot.visual_placements(q)
    boxes = [bounding_box([shape], X) for shape, X in zip(robot.visuals, placed, strict=True)]
    low, high = np.min([box[0] for box in boxes], axis=0), np.max([box[1] for box in boxes], axis=0)
    radius = 0.5 * float(np.linalg.norm(high - low))
    nowhere = World("nowhere", "", "", {}, {}, "", ((0.0,) * 3,) * 2, (-1.0, -1.0, 1.0, 1.0), 1.0, {})
    renderer = Renderer(robot, nowhere, *PORTRAIT)
    renderer.image(Frame(0.0, q, {}, ""), facing(ASIDE, (low + high) / 2, radius)).save(path)
    _shrink(path)
    sys.stdout.write(f"{name}: {path.stat().st_size // 1000} kB\n")


def _film(name: str, picture: Picture) -> None:
    """Show a whole run as a film."""
    frames, path = FrameRecorder(), IMAGES / f"{name}.gif"
    with tm.simulate(picture.robot, **picture.setting) as session:
        session.events.subscribe(frames)
        outcome = session.run(picture.macro(**picture.parameters), timeout=600.0)
        animation(session.robot, session.world, frames.frames, path, FPS, target=picture.target, most=LONGEST * FPS)
    sys.stdout.write(f"{name}: {outcome}; {path.stat().st_size // 1000} kB\n")


def _draw_machine(name: str, macro: type[tm.TaskBehavior], depth: int) -> None:
    (IMAGES / f"{name}.svg").write_text(svg(graph_of(macro, depth)), encoding="utf-8")


def _vacuuming(session: Session, frames: Sequence[Frame], path: Path, title: str) -> None:
    """The start, the end, and in between the grasp and each piece of debris, seen over the table."""
    first = frames[0]
    lifted = next(f for f in frames if np.linalg.norm((f.poses["vacuum"] - first.poses["vacuum"])[:3, 3]) > LIFTED)
    moments = [(first, "vacuum", "at the start"), (lifted, "vacuum", "the vacuum is fetched")]
    for before, after in pairwise(frames):
        for id in before.poses.keys() - after.poses.keys():
            near = max((f for f in frames if f.time <= after.time - TAKEN), key=lambda f: f.time)
            moments.append((near, id, f"the tip comes over {id}"))
    moments.append((frames[-1], "vacuum", "no debris is left, and the vacuum is back on the table"))
    rows = -(-len(moments) // 3)
    sheet = Image.new("RGB", (3 * PANEL[0] + 4 * GAP, 40 + rows * (PANEL[1] + 24 + GAP)), "white")
    ink = ImageDraw.Draw(sheet)
    ink.text((GAP, 8), title, "black", ImageFont.load_default(22))
    renderer = Renderer(session.robot, session.world, *PANEL)
    for i, (frame, id, text) in enumerate(moments):
        left, top = GAP + i % 3 * (PANEL[0] + GAP), 40 + i // 3 * (PANEL[1] + 24 + GAP)
        sheet.paste(renderer.image(frame, _across(frame, id)), (left, top))
        ink.text((left, top + PANEL[1] + 3), f"{frame.time:.1f} s  {text}", "black", ImageFont.load_default(14))
    sheet.save(path)


def _across(frame: Frame, id: str) -> Camera:
    """A camera opposite of the robot, and a little to the side, that sees it and an object from above."""
    p_WO, base = frame.poses[id][:3, 3], frame.q[:2]
    away = p_WO[:2] - base
    azimuth = np.arctan2(away[1], away[0]) + SIDE
    center = np.array([*(0.6 * p_WO[:2] + 0.4 * base), p_WO[2]])
    distance = 2.2 + 0.9 * float(np.linalg.norm(away))
    direction = [np.cos(azimuth) * np.cos(ELEVATION), np.sin(azimuth) * np.cos(ELEVATION), np.sin(ELEVATION)]
    return Camera(center + distance * np.array(direction), center)


def _shrink(path: Path) -> None:
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLORS, method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


if __name__ == "__main__":
    names = sys.argv[1:] or [*ONLY_MACHINES, *PICTURES, *FILMS, "robots"]
    folders = [name for name in names if Path(name, "robot.toml").is_file()]
    for name in names:
        if name != "robots" and name not in folders:
            draw(name)
    for name in [*folders, *(robot for robot in robot_names() if "robots" in names and robot not in NOT_SHOWN)]:
        draw_robot(name)
