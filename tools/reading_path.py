"""Counts the files that somebody reads who follows a name from the command line to a joint, or a URDF to a skill.

    python tools/reading_path.py [--list]

A file counts when a function of it runs on the way; what only runs when a module is imported (the body of the module
and of its classes, decorators) does not. What compiled functions call is not seen.

- *command*: from ``taskmatrix run pickup`` to the first command of a behavior that reaches the plant;
- *URDF*: from the text of a robot's URDF and adapter to the first answer of inverse kinematics.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from unittest.mock import Mock

import numpy as np

import taskmatrix
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.robot.arbiter import Arbiter, Command
from taskmatrix.core.robot.plant import JointState, Plant
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.robots import load_robot
from taskmatrix.simulation.kinematic import KinematicPlant
from taskmatrix.skills import PinocchioSkills
from taskmatrix.skills.planning.planner_backend import PlannerBackend
from taskmatrix.studio.cli.command_line import main as command_line

PACKAGE = Path(taskmatrix.__file__).parent
FUNCTION = 0x1  # CO_OPTIMIZED: set for functions, clear for the bodies of modules and classes


class Arrived(BaseException):
    """The end of the way."""


def files_on_the_way(way: Callable[[], object]) -> list[str]:
    """Files of the package, by their paths in it, of which a function runs until ``way`` ends or is there."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        way()
    except Arrived:
        pass
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # typeshed has no None here
    paths = {Path(code.co_filename) for code in codes if code.co_flags & FUNCTION}
    return sorted(str(path.relative_to(PACKAGE)) for path in paths if PACKAGE in path.parents)


def command() -> None:
    """Run pickup until a behavior's command reaches the plant."""
    apply = KinematicPlant.apply

    def noted(self: KinematicPlant, command: Command, dt: float) -> None:
        apply(self, command, dt)
        if command.owners:
            raise Arrived

    KinematicPlant.apply = noted  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            command_line(["run", "pickup", "--no-pictures", "--quiet", "--out", folder])
    finally:
        KinematicPlant.apply = apply  # type: ignore[method-assign]


def urdf() -> None:
    """Load a robot, and ask its skills for inverse kinematics; where it stands, a fake plant says."""
    robot = load_robot("mannequin")
    q, still = robot.posture(robot.stance), np.zeros(robot.n)
    plant = Mock(Plant, sense=lambda: JointState(q, still, still))
    arbiter = Arbiter(robot.chains, q, Mock(EventStream))
    skills = PinocchioSkills(robot, PerceptualModel(), plant, arbiter, Mock(PlannerBackend))
    hand = skills.hands[0]
    X_WH = skills.forward_kinematics(hand) @ np.eye(4)
    skills.inverse_kinematics(hand, X_WH, skills.chains_of_hand(hand)[:1])


def main() -> None:
    """Measure both ways, and print how many files each takes, room by room."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the files, too")
    named = parser.parse_args().list
    for name, way in (("command", command), ("URDF", urdf)):
        files = files_on_the_way(way)
        rooms = Counter("/".join(Path(file).parts[:-1][:2]) for file in files)
        print(f"{name}: {len(files)} files")
        print("  " + ", ".join(f"{room or 'face'} {count}" for room, count in rooms.most_common()))
        if named:
            print("\n".join(f"    {file}" for file in files))


if __name__ == "__main__":
    main()
