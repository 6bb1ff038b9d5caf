"""Distances that are kept from collisions, and how exact answers are: what several skills have to agree on."""

from __future__ import annotations

import numpy as np

MARGIN = 0.010  # [m] kept from objects while planning, so that rounding corners and tracking stay free
GUARD_DISTANCE = 0.006  # [m] from an object: who reacts to what it sees stops there
FINE_MARGIN = 0.003  # [m] kept from objects by the finished motion
SELF_MARGIN = 0.004  # [m] kept between parts of the robot while planning
FINE_SELF_MARGIN = 0.0015  # [m] kept between parts of the robot by the finished motion
CONTACT_RANGE = 0.035  # [m] from a grasp, where a hand may touch the object: 30 mm, and slack for tracking
PENETRATION = 0.003  # [m] that what a hand holds may be in what it stands on, or in that hand: nothing is rigid
PRESSED = 0.001  # [m] of it is no reason to stop; what is deeper may not get deeper
STEEP = 0.7  # [-] of the way between two, along the vertical: one stands on the other, or hangs on it

IN_VIEW = np.deg2rad(2.0)  # [rad] an object this near the middle of the view counts as seen
AT_REST = (0.01, 0.03)  # [m/s], [rad/s] slower than this an object is at rest
UNCHANGED = 1e-4  # [m, rad] by which a scene may differ from the one for which a query was answered
PERCEPTION_NOISE = (0.002, np.deg2rad(1.0))  # [m], [rad] likewise of a goal: a camera sees no better
