"""How exact conditions are, where several of them have a tolerance or other rooms have one that must agree."""

from __future__ import annotations

import numpy as np

AT_GRASP = (0.004, np.deg2rad(1.5))  # [m], [rad] of a hand from a grasp
APPROACH = 0.03  # [m] before a grasp, where the open hand has to be free of the object
FINGERS = 0.05  # [rad, m] of a finger from where it is open
IN_POSTURE = 0.01  # [rad, m] of a joint from a posture

GAP = 0.001  # [m] between what is put down and what it stands on, so that they do not count as colliding
TOUCHING = 0.003  # [m] between an underside and a top that touch
ROUNDING = 1e-6  # [m] by which a sampled point may miss an edge
