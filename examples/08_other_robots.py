"""Run one program, unchanged, on robots that have little in common: magnets, fingers and claws, legs and wheels."""

from __future__ import annotations

import taskmatrix as tm
from taskmatrix.behaviors import Pickup


def main() -> None:
    """Run the example."""
    for robot in ("mannequin", "asimo", "bandit"):
        with tm.simulate(robot, seed=1) as session:
            print(f"{session.robot.description}\n    {session.run(Pickup(object='soda_can'))}")


if __name__ == "__main__":
    main()
