"""The joints of a Pinocchio model as flat arrays, with every axis along z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from .scene import FIXED, PRISMATIC, REVOLUTE


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Frames of the joints; frame 0 is the world."""

    turns: tuple[Array, ...]
    """(3, 3) each: by joint, from its frame here to that of the model, which may have its axis anywhere."""
    parent: NDArray[np.int64]
    """(njoints,)"""
    kind: NDArray[np.int64]
    """(njoints,) :data:`REVOLUTE`, :data:`PRISMATIC`, and :data:`FIXED` for the world."""
    placement: Array
    """(njoints, 12) In the parent's frame at position 0: columns of the rotation, then the translation [m]."""
    coordinates: NDArray[np.intp]
    """(njoints - 1,) Index of each joint in the configuration, without the world."""
    carrier: NDArray[np.int64]
    """(njoints, njoints) The last joint that carries both of two."""

    @classmethod
    def of(cls, model: pin.Model) -> Skeleton:
        """The skeleton of a model.

        Raises:
            ValueError: A joint has more or fewer than one coordinate.
        """
        joints = list(model.joints)[1:]
        for joint, name in zip(joints, list(model.names)[1:], strict=True):
            if (joint.nq, joint.nv) != (1, 1):
                raise ValueError(f"joint '{name}' has {joint.nq} coordinates; the collision kernel takes joints of one")
        axes = [_axis(joint) for joint in joints]
        turns = [np.eye(3), *(_turn(axis) for axis, _ in axes)]
        parent = np.array([0, *list(model.parents)[1:]], dtype=np.int64)
        placement = [flat(np.eye(3), np.zeros(3))]
        for joint in range(1, model.njoints):
            X, above = model.jointPlacements[joint], turns[parent[joint]]
            placement.append(flat(above.T @ X.rotation @ turns[joint], above.T @ X.translation))
        return cls(
            tuple(turns),
            parent,
            np.array([FIXED, *(kind for _, kind in axes)], dtype=np.int64),
            np.array(placement),
            np.array([joint.idx_q for joint in joints], dtype=np.intp),
            _carriers(parent),
        )


def flat(R: Array, p: Array) -> Array:
    """(12,) Columns of a rotation (3, 3), then a translation (3,)."""
    return np.concatenate([R.T.ravel(), p])


def _axis(joint: pin.JointModel) -> tuple[Array, int]:
    """(3,) The axis of a joint in its own frame, and its kind."""
    data = joint.createData()
    joint.calc(data, np.zeros(joint.idx_q + 1))
    S = np.asarray(data.S, dtype=float).ravel()
    return (S[3:], REVOLUTE) if S[3:].any() else (S[:3], PRISMATIC)


def _turn(axis: Array) -> Array:
    """(3, 3) A rotation that takes z to an axis."""
    z = axis / np.linalg.norm(axis)
    if z[2] < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    v = np.cross([0.0, 0.0, 1.0], z)
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    turn: Array = np.eye(3) + K + K @ K / (1 + z[2])
    return turn


def _carriers(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    carriers = np.zeros((len(parent), len(parent)), dtype=np.int64)
    for joint in range(1, len(parent)):
        carriers[joint, :joint] = carriers[:joint, joint] = carriers[parent[joint], :joint]
        carriers[joint, joint] = joint
    return carriers
