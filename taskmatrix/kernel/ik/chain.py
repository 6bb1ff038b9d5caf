"""A serial chain of a Pinocchio model as plain arrays, from the world to a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from ..jit.compiled import have_ready

AXIS_TOLERANCE = 1e-9
AT_LIMIT = 1e-6  # [rad] or [m]

Flags = NDArray[np.bool_]


class Joints(NamedTuple):
    """What compiled code takes of a chain of k joints, m coordinates of which may move.

    Every joint turns about, or slides along, the z axis of its own frame; the constant transforms are made so.
    """

    indices: Indices
    """(m,) The coordinates that may move and do move the frame, in rising order."""
    lower: Array
    """(m,) [rad] or [m]"""
    upper: Array
    """(m,) [rad] or [m]"""
    weights: Array
    """(m,) How much of a motion each takes on: inverse costs."""
    turns: Flags
    """(m,) Whether a coordinate means the same after a whole turn."""
    placements: Array
    """(k + 1, 12) First three rows of the constant transform before each joint, and after the last."""
    slides: Flags
    """(k,) Whether a joint is prismatic."""
    columns: Indices
    """(k,) Which of the moving coordinates drives a joint; -1 for one that stays."""
    coordinates: Indices
    """(k,) Which of all."""
    ratios: Array
    """(k,) Joint position by coordinate."""
    offsets: Array
    """(k,) [rad] or [m] Joint position where the coordinate is zero."""


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints between the world and a frame, of which some may move.

    Configurations are of active coordinates, ``q`` (n,); the model's are ``q_full = S q + c``, one number per degree
    of freedom, so that an unbounded joint is an angle. A coordinate may drive several joints of the path (mimic), a
    joint follows at most one. What does not move is folded away for each start, in compiled code, so that one chain
    serves every posture of the rest of the robot.
    """

    name: str
    """The frame."""
    n: int
    """Size of a configuration."""
    joints: Joints
    """As plain arrays."""

    @property
    def indices(self) -> Indices:
        """(m,) The coordinates that may move and do move the frame, in rising order."""
        return self.joints.indices

    @property
    def lower(self) -> Array:
        """(m,) [rad] or [m] Their lower limits."""
        return self.joints.lower

    @property
    def upper(self) -> Array:
        """(m,) [rad] or [m] Their upper limits."""
        return self.joints.upper

    def at_limits(self, q: Array) -> dict[int, str]:
        """The moving coordinates that are on a limit at q (n,), and on which: ``lower`` or ``upper``."""
        return limits_met(q, self.indices, self.lower, self.upper)

    def narrowed(self, lower: Array, upper: Array) -> Chain:
        """The same chain within limits (n,), (n,) [rad] or [m] where these are narrower.

        Raises:
            ParameterError: They leave a coordinate no position.
        """
        low, high = np.maximum(self.lower, lower[self.indices]), np.minimum(self.upper, upper[self.indices])
        _check_limits(self.indices, low, high)
        return replace(self, joints=self.joints._replace(lower=low, upper=high))

    @classmethod
    def from_model(
        cls,
        model: pin.Model,
        frame: str,
        joints: Sequence[int] | Indices,
        *,
        S: Array | None = None,
        c: Array | None = None,
        limits: tuple[Array, Array] | None = None,
        costs: Array | None = None,
        X_FT: Array | None = None,
    ) -> Chain:
        """The chain to a frame of a model of revolute, prismatic and unbounded joints.

        Args:
            model: The model.
            frame: Name of one of its frames.
            joints: Active coordinates that may move; those that do not move the frame are left out.
            S: (nv, n) From active coordinates to the model's; the identity unless given.
            c: (nv,) [rad] or [m] Offset of the model's coordinates; zero unless given.
            limits: (n,), (n,) Lower and upper [rad] or [m]; the model's unless given, which S must not be then.
            costs: (n,) Of moving each coordinate; all one unless given.
            X_FT: (4, 4) A tool in the frame, to be controlled instead of it.

        Raises:
            NotFoundError: There is no such frame.
            ParameterError: Joints that do not exist, a joint of another kind, one that follows several coordinates,
                limits turned round, or arrays of wrong shape.
        """
        have_ready()
        if not model.existFrame(frame):
            raise NotFoundError("frame", frame, [f.name for f in model.frames], where=f"the model '{model.name}'")
        if S is not None and limits is None:
            raise ParameterError("the limits of the active coordinates must be given together with S")
        S = np.eye(model.nv) if S is None else np.asarray(S, dtype=float)
        n = S.shape[-1]
        c = _shaped("c", np.zeros(model.nv) if c is None else c, (model.nv,))
        costs = _shaped("costs", np.ones(n) if costs is None else costs, (n,))
        _shaped("S", S, (model.nv, n))
        lower, upper = _model_limits(model) if limits is None else limits
        lower, upper = (_shaped("limits", side, (n,), finite=False) for side in (lower, upper))
        X_FT = _shaped("X_FT", np.eye(4) if X_FT is None else X_FT, (4, 4))
        if np.any(costs <= 0.0):
            raise ParameterError("the costs must be positive")
        moving = _checked_joints(joints, n)

        path = _path(model, frame)
        slides, drivers, ratios, offsets, placements, previous = [], [], [], [], [], np.eye(4)
        for joint in path:
            slide, axis = _axis(model, joint)
            row = model.joints[joint].idx_v
            driving = np.flatnonzero(S[row])
            if len(driving) > 1:
                raise ParameterError(f"the joint '{model.names[joint]}' must follow one coordinate, not {len(driving)}")
            turned = _turn_z_to(axis)
            placements.append(previous @ model.jointPlacements[joint].homogeneous @ turned)
            previous = turned.T
            slides.append(slide)
            drivers.append(int(driving[0]) if len(driving) else -1)
            ratios.append(float(S[row, driving[0]]) if len(driving) else 0.0)
            offsets.append(float(c[row]))
        placements.append(previous @ model.frames[model.getFrameId(frame)].placement.homogeneous @ X_FT)

        indices = np.array(sorted(set(drivers) & moving), dtype=np.intp)
        _check_limits(indices, lower[indices], upper[indices])
        column = {int(i): k for k, i in enumerate(indices)}
        partial = {d for d, ratio, slide in zip(drivers, ratios, slides, strict=True) if slide or abs(ratio) != 1.0}
        arrays = Joints(
            indices=indices,
            lower=lower[indices],
            upper=upper[indices],
            weights=1.0 / costs[indices],
            turns=np.array([int(i) not in partial for i in indices], dtype=np.bool_),
            placements=np.array([X[:3].ravel() for X in placements]),
            slides=np.array(slides, dtype=np.bool_),
            columns=np.array([column.get(d, -1) for d in drivers], dtype=np.intp),
            coordinates=np.array([max(d, 0) for d in drivers], dtype=np.intp),
            ratios=np.array(ratios, dtype=float),
            offsets=np.array(offsets, dtype=float),
        )
        return cls(frame, n, arrays)


def limits_met(q: Array, indices: Indices, lower: Array, upper: Array) -> dict[int, str]:
    """Which of some coordinates (m,) are on a limit at q (n,), and on which: ``lower`` or ``upper``.

    Args:
        q: (n,) The configuration.
        indices: (m,) The coordinates.
        lower: (m,) [rad] or [m] Their limits.
        upper: (m,)
    """
    x = q[indices]
    met = np.where(x <= lower + AT_LIMIT, "lower", np.where(x >= upper - AT_LIMIT, "upper", ""))
    return {int(i): str(side) for i, side in zip(indices, met, strict=True) if side}


def _shaped(name: str, value: Array, shape: tuple[int, ...], finite: bool = True) -> Array:
    array = np.array(value, dtype=float)
    if array.shape != shape:
        raise ParameterError(f"{name} must have the shape {shape}, not {array.shape}")
    if finite and not np.isfinite(array).all():
        raise ParameterError(f"{name} must consist of finite numbers")
    return array


def _checked_joints(joints: Sequence[int] | Indices, n: int) -> set[int]:
    moving = {int(i) for i in joints}
    wrong = sorted(i for i in moving if not 0 <= i < n)
    if wrong:
        raise ParameterError(f"there is no coordinate {wrong[0]}, they are 0 to {n - 1}")
    return moving


def _check_limits(indices: Indices, lower: Array, upper: Array) -> None:
    """Raise where a coordinate (m,) has no position within its limits (m,)."""
    for i, low, high in zip(indices, lower, upper, strict=True):
        if not low <= high:  # also with NaN
            raise ParameterError(f"the lower limit {low} of coordinate {i} must not be above the upper, {high}")
        if low == np.inf or high == -np.inf:
            raise ParameterError(f"no position of coordinate {i} is within its limits {low} and {high}")


def _path(model: pin.Model, frame: str) -> list[int]:
    """Pinocchio's numbers of the joints from the world to a frame."""
    path, joint = [], model.frames[model.getFrameId(frame)].parentJoint
    while joint > 0:
        path.append(joint)
        joint = model.parents[joint]
    return path[::-1]


def _axis(model: pin.Model, joint: int) -> tuple[bool, Array]:
    """Whether a joint is prismatic, and (3,) its axis in its own frame."""
    kind = model.joints[joint]
    if kind.nv != 1:
        raise ParameterError(f"the joint '{model.names[joint]}' must have one degree of freedom, not {kind.nv}")
    data = kind.createData()
    kind.calc(data, pin.neutral(model))
    linear, angular = np.split(np.asarray(data.S, dtype=float).ravel(), 2)
    slide = not angular.any()
    axis = linear if slide else angular
    if abs(float(np.linalg.norm(axis)) - 1.0) > AXIS_TOLERANCE or (not slide and linear.any()):
        raise ParameterError(f"the joint '{model.names[joint]}' must be revolute, prismatic or unbounded")
    return slide, axis


def _turn_z_to(axis: Array) -> Array:
    """(4, 4) A rotation that takes z to a unit vector (3,)."""
    X = np.eye(4)
    X[:3, :3] = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), axis).toRotationMatrix()
    return X


def _model_limits(model: pin.Model) -> tuple[Array, Array]:
    """(nv,), (nv,) Limits as angles; unbounded joints have none."""
    lower, upper = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
    for joint in list(model.joints)[1:]:  # the first is the world
        if joint.nq == 1 and joint.nv == 1:
            lower[joint.idx_v] = model.lowerPositionLimit[joint.idx_q]
            upper[joint.idx_v] = model.upperPositionLimit[joint.idx_q]
    return lower, upper
