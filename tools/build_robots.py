"""Write the URDFs and meshes of the library's own robots: ``python tools/build_robots.py [NAME ...]``."""

from __future__ import annotations

import sys
from pathlib import Path

import robot_asimo
import robot_bandit
import robot_mannequin
import robot_nao

MAKERS = {
    "asimo": robot_asimo.make,
    "bandit": robot_bandit.make,
    "mannequin": robot_mannequin.make,
    "nao": robot_nao.make,
}
ROBOTS = Path(__file__).resolve().parent.parent / "taskmatrix" / "robots"


def main(names: list[str]) -> None:
    """Build the named robots, or all."""
    for name in names or list(MAKERS):
        MAKERS[name]().write(ROBOTS / name)


if __name__ == "__main__":
    main(sys.argv[1:])
