"""Write the rows of the robots into their page, ``docs/gallery.md``: ``python tools/robot_page.py``.

Their pictures are drawn by ``python tools/gallery.py robots``.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.robot.capability import HandCapability, ViewCapability
from taskmatrix.robots import Robot, load_robot, robot_names
from taskmatrix.robots.loading.loader import find_adapter

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gallery.md"
EXTRA = " (needs the extra `robots`)"
NOT_SHOWN = "not shown: the license of its model allows nothing that is made from it"
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


def published(name: str) -> bool:
    """Whether another package brings its URDF."""
    return "package" in read_table(find_adapter(name), RobotError).data["model"]


def lines(adapter: Path) -> int:
    """How many lines of an adapter say something: neither blank nor a comment alone."""
    text = adapter.read_text(encoding="utf-8")
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text.splitlines())


def row(robot: Robot) -> str:
    """A robot's row: its picture, what it is, what it can do, and how long its adapter is."""
    description = robot.description.replace(EXTRA, "").rstrip(".")
    able = robot.capabilities
    words = f"{_base(robot)}; {_hands(able.hands)}; {_eyes(able.view)}"
    adapter = f"adapter: {lines(Path(robot.source))} lines"
    picture = f"images/robot-{robot.name}.png"
    shown = f"![{description.partition(':')[0]}]({picture})" if (PAGE.parent / picture).exists() else NOT_SHOWN
    return f"| {shown} | **{robot.name}**: {description}<br>{words}<br>{adapter} |"


def table(of_others: bool) -> str:
    """The rows of the robots that others publish, or of those that come with the library."""
    rows = [row(load_robot(name)) for name in robot_names() if published(name) is of_others]
    return "\n".join(["| | |", "|---|---|", *rows])


def written(page: str) -> str:
    """The page with its generated tables anew."""
    for part, of_others in (("ours", False), ("others", True)):
        new = f"<!-- {part} -->\n\n{table(of_others)}\n\n<!-- end of {part} -->"
        page = re.sub(rf"<!-- {part} -->.*<!-- end of {part} -->", new.replace("\\", r"\\"), page, flags=re.DOTALL)
    return page


def _base(robot: Robot) -> str:
    if robot.legs:
        return f"{NUMBERS[len(robot.legs)]} legs that step"
    return robot.capabilities.description["base"]


def _hands(hands: Mapping[str, HandCapability]) -> str:
    groups: dict[tuple[int, int, int], list[HandCapability]] = {}
    for hand in hands.values():
        groups.setdefault((hand.joints, hand.fingers, round(1e3 * hand.opening[1])), []).append(hand)
    return "; ".join(_arms(*kind, alike) for kind, alike in groups.items()) or "no arms"


def _arms(joints: int, fingers: int, width: int, hands: list[HandCapability]) -> str:
    several = len(hands) > 1
    arms = f"{NUMBERS[len(hands)]} arm{'s' * several} of {joints} joints that reach{'es' * (not several)}"
    holds = f"closes {fingers} joint{'s' * (fingers > 1)} on" if fingers else "affixes"
    reach = min(hand.reach for hand in hands)
    return f"{arms} {reach:.2f} m; {'each' if several else 'its'} hand {holds} what is up to {width} mm wide"


def _eyes(view: ViewCapability | None) -> str:
    if view is None or not view.turns:
        return "no neck" if view else "no eyes"
    aside, up, down = (round(math.degrees(angle)) for angle in (min(view.left, view.right), view.up, view.down))
    if up < 0 or down < 0:
        return f"eyes that turn {aside} deg to each side, and neither up nor down"
    return f"eyes that turn {aside} deg to each side, {up} up and {down} down"


if __name__ == "__main__":
    before = PAGE.read_text(encoding="utf-8")
    after = written(before)
    PAGE.write_text(after, encoding="utf-8")
    sys.stdout.write("written\n" if after != before else "as it was\n")
