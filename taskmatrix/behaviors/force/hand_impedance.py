"""Torques that hold a hand as a spring of six directions does, or push it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from taskmatrix.core.robot.operational_space import modal_damping, null_space_damping, pose_offset
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.robot.springs import SpringTorques, joint_torques
from taskmatrix.core.world.objects import Array


@dataclass(frozen=True, eq=False)
class HandImpedance:
    """How a hand is held."""

    X_WG: Array
    """(4, 4) Where."""
    stiffness: Array
    """(6,) [N/m, N m/rad] In the hand's axes."""
    free: Array | None = None
    """(3,) A direction in the world, of length 1, in which it is not held; its damping stays."""
    velocity: Array = field(default_factory=lambda: np.zeros(3))
    """(3,) [m/s] In the world, with which where it is held moves on."""
    force: Array = field(default_factory=lambda: np.zeros(3))
    """(3,) [N] In the world, that pushes it besides."""
    damping_ratio: float = 1.0
    """1 for the fastest without overshoot."""
    null_space_damping: float = 5.0
    """[1/s] Of what the hand leaves free of its arm."""
    posture: Array | None = None
    """(k,) [rad, m] Of the arm's joints, to which what the hand leaves free goes; it stays anywhere unless given."""
    rates: Array | None = None
    """(k,) [rad/s, m/s] With which the arm's joints move on, instead of ``velocity``."""

    def torques(self, skills: SkillSet, hand: str, joints: Indices, dt: float) -> SpringTorques:
        """Those of an arm's joints (k,), for a control step of ``dt`` [s]."""
        X_WH, J = skills.differential_kinematics(hand)
        R, own, M = X_WH[:3, :3], np.ix_(joints, joints), skills.mass_matrix()
        K = J.T @ (self.stiffness[:, None] * J)
        D = np.zeros_like(K)
        D[own] = modal_damping(M[own], K[own], self.damping_ratio)
        along = self.rates
        if along is None:
            along = np.linalg.pinv(J[:, joints], rcond=1e-2)[:, :3] @ (R.T @ self.velocity)
        D[own] += null_space_damping(M[own], J[:, joints], self.null_space_damping)
        with_it = D[own] @ along  # what damps it does not hold it back from where it is to go
        if self.posture is not None:  # as stiff as it is damped critically
            spring = null_space_damping(M[own], J[:, joints], (self.null_space_damping / 2.0) ** 2)
            with_it = with_it + spring @ (self.posture - skills.position()[joints])
            K[own] += spring
        wrench = self.stiffness * pose_offset(X_WH, self.X_WG)
        if self.free is not None:
            way = R.T @ self.free
            wrench[:3] -= way * (way @ wrench[:3])
        wrench[:3] += R.T @ self.force
        return joint_torques(J[:, joints].T @ wrench + with_it, D, K, skills.velocity(), joints, dt)
