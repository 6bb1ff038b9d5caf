"""Whether joints are where they are told to be, as far as the robot's own sensors know."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import Indices, Trajectory
from taskmatrix.core.world.objects import Array

from .tolerances import BASE_ARRIVED, JOINT_ARRIVED, SETTLING_TIME


def worst(context: Context, joints: Indices, wanted: Array) -> tuple[str, float]:
    """The joint that is furthest from where it should be, (k,), and by how much [rad, m]."""
    off = np.abs(context.skills.position()[joints] - wanted)
    return context.skills.joint_name(int(joints[off.argmax()])), float(off.max())


def there(
    context: Context, path: str, joints: Indices, wanted: Array, late: float, what: str, near: float = JOINT_ARRIVED
) -> Failure | bool:
    """Whether joints are where a motion ends, for :meth:`achieved` to return.

    Args:
        context: Of the behavior whose motion it is.
        path: Of that behavior.
        joints: (k,) Of at least one joint.
        wanted: (k,) [rad, m] Where they have to be.
        late: [s] Since the motion was over.
        what: Where that is, in words.
        near: [rad, m] So near is there.

    Returns:
        False as long as they may still get there, then a failure of kind ``tracking`` that names the worst joint.
    """
    joint, off = worst(context, joints, wanted)
    if off <= near:
        return True
    if late <= SETTLING_TIME:
        return False
    return Failure(FailureKind.TRACKING, path, f"{joint} stays {off:.3f} from {what}", {"joint": joint, "off": off})


def arrived(context: Context, path: str, way: Trajectory, elapsed: float) -> Failure | bool:
    """As :func:`there`, for a base on a way that it has followed for some time [s]."""
    end = way.sample(way.duration)[0]
    return there(context, path, way.indices, end, elapsed - way.duration, "the end of its way", BASE_ARRIVED)
