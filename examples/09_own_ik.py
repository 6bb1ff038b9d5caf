"""A robot with inverse kinematics of its own: its adapter names them, and every behavior runs on them unchanged."""

from __future__ import annotations

from pathlib import Path

import taskmatrix as tm
from taskmatrix.behaviors import Pickup


def main() -> None:
    """Run the example."""
    with tm.simulate(Path(__file__).parent / "post", seed=1) as session:
        print(session.robot.plugins["inverse_kinematics"], "solves for the arm")
        print(session.run(Pickup(object="soda_can")))


if __name__ == "__main__":
    main()
