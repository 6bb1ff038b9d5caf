"""How exact behaviors are: tolerances that several of them have, or that have to agree with those of other rooms.

What a behavior calls done lies within what conditions ask for, and that within what judges let pass.
"""

from __future__ import annotations

import numpy as np

HAND_ARRIVED = (0.002, np.deg2rad(0.8))  # [m], [rad] from its goal
HAND_HELD_OFF = (0.0035, np.deg2rad(1.3))  # [m], [rad] likewise, where it stands still and something bears on it
HAND_BEHIND = (0.010, np.deg2rad(3.0))  # [m], [rad] from its path: it is waited for
ARM_REACHES = (0.001, np.deg2rad(0.4))  # [m], [rad] from its path; where the arm alone comes no nearer, the base helps
JOINT_LAGS = 0.01  # [rad, m] from where it was told to be: it does not follow
JOINT_ARRIVED = 0.02  # [rad, m] from where it has to be: motors under load come no nearer
IN_POSTURE = 0.01  # [rad, m] of each joint, from a posture or from where a motion begins
BASE_ARRIVED = 0.1  # [m, rad] from the end of its way: wheels slip, and feet
BESIDE = 0.015  # [m] of a base from the line that it drives along, or from the place on which it turns
ASKEW = np.deg2rad(1.5)  # [rad] of a base that drives straight on, from its heading
BETWEEN_LOOKS = 0.006  # [m] that anything moves between two looks at a way that a plan is to take
SETTLING_TIME = 3.0  # [s] to get there after a motion is over, or back to its path

APPROACH = 0.030  # [m] before a grasp, where the hand may touch the object
FACED = np.deg2rad(1.0)  # [rad] of an object off the viewing direction
LOOKED_AT = 0.035  # [rad] likewise, while hand or object move

PERCEPTION_NOISE = (0.002, np.deg2rad(1.0))  # [m], [rad] that an object seems to move, in the world or in a hand
WORLD_CHANGED = 0.001  # [m, rad] that an object moves: planning that failed may succeed now
LIFT_SLIP = 0.02  # [m] what has moved by more in the hand was not lifted
AT_PLACE = (0.0045, np.deg2rad(1.9))  # [m], [rad] of what a hand holds from where it is to be in the world
DISPLACED = 0.01  # [m] an object that is so far from where it was is at another place
