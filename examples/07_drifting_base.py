"""Reach although the base is not where it was told to go: the arm makes up for it, and the hand arrives.

The base drifts by 3 cm and 3 degrees while the robot walks to the table.
"""

from __future__ import annotations

import numpy as np

import taskmatrix as tm
from taskmatrix.behaviors import Reach
from taskmatrix.core import Array, pose_error


def drift(time: float) -> Array:
    """(3,) [m, m, rad] By how much the base is off at ``time`` [s]."""
    share = min(1.0, time / 4.0)
    return share * np.array([0.03, 0.0, np.deg2rad(3.0)])


def main() -> None:
    """Run the example."""
    with tm.simulate("mannequin", seed=1, drift=drift) as session:
        reach = Reach(object="vacuum")
        print(session.run(reach))
        assert reach.hand is not None
        grasp = next(grasp for grasp in session.world.objects["vacuum"].grasps if grasp.name == reach.grasp)
        goal = session.context.perception.pose("vacuum") @ grasp.X_OH
        distance, angle = pose_error(goal, session.skills.forward_kinematics(reach.hand))
        print(f"the hand is {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from the grasp")


if __name__ == "__main__":
    main()
