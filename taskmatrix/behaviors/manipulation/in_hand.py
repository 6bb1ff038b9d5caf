"""Where an object is in the hand that holds it: what slips there is still brought to its place."""

from __future__ import annotations

import numpy as np
import scipy

from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.rotation import rotation_by
from taskmatrix.core.world.symmetry import Symmetry, nearest_alike

from ..common.tolerances import PERCEPTION_NOISE

RATE = (0.02, 0.2)  # [m/s], [rad/s] with which the hand makes up for it
SMOOTH = 0.3  # [s] in which it follows: what trembles in the hand does not make the arm tremble


class InHand:
    """Tells where a hand has to be so that what it holds is where a plan has it.

    Args:
        X_HO: (4, 4) Pose of the object in the hand's grasp frame for which the plan was made.
        symmetry: The rotations that leave the object as it is: a ball may turn in the hand.
    """

    def __init__(self, X_HO: Array, symmetry: Symmetry) -> None:
        self._planned, self._symmetry = X_HO, symmetry
        self._slipped = False
        self.offset: Array | None = None
        """(4, 4) Pose of the hand in the frame in which the plan has it; None while nothing has slipped."""

    def update(self, X_HO: Array, dt: float) -> None:
        """Take note of where the object is in the hand now; the offset follows, as far as it can in ``dt`` [s]."""
        X_HO = inverse(nearest_alike(self._symmetry, inverse(X_HO), inverse(self._planned)))
        distance, angle = pose_error(self._planned, X_HO)
        self._slipped = self._slipped or distance > PERCEPTION_NOISE[0] or angle > PERCEPTION_NOISE[1]
        if not self._slipped:
            return
        before, wanted = np.eye(4) if self.offset is None else self.offset, self._planned @ inverse(X_HO)
        far, turned = pose_error(before, wanted)
        share = min(1.0, dt / SMOOTH, RATE[0] * dt / max(far, 1e-9), RATE[1] * dt / max(turned, 1e-9))
        self.offset = _between(before, wanted, share)


def _between(first: Array, second: Array, share: float) -> Array:
    """(4, 4) A share of the way from one pose to another."""
    X = np.eye(4)
    turn = scipy.spatial.transform.Rotation.from_matrix(first[:3, :3].T @ second[:3, :3]).as_rotvec()
    X[:3, :3] = first[:3, :3] @ rotation_by(share * turn)
    X[:3, 3] = first[:3, 3] + share * (second[:3, 3] - first[:3, 3])
    return X
