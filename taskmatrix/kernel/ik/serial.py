"""Kinematics of a chain in compiled code."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from ..jit.compiled import compiled, inlined
from .chain import Flags, Joints


class Folded(NamedTuple):
    """A chain with all its joints moving."""

    size: int
    """Number of joints, k."""
    placements: Array
    """(k + 1, 12) As for :class:`~taskmatrix.kernel.ik.chain.Joints`, and so are the others."""
    slides: Flags
    """(k,)"""
    columns: Indices
    """(k,)"""
    ratios: Array
    """(k,)"""
    offsets: Array
    """(k,) [rad] or [m]"""
    lower: Array
    """(m,) [rad] or [m]"""
    upper: Array
    """(m,) [rad] or [m]"""
    weights: Array
    """(m,)"""


@inlined
def copy(source: Array, target: Array) -> None:
    """Write an array (n,) over another; an assignment to a slice takes seconds to compile."""
    for i in range(len(source)):
        target[i] = source[i]


@inlined
def sine_cosine(angle: float) -> tuple[float, float]:
    """Sine and cosine at once, to 1e-15 for angles of a few turns; twice as fast as the library's.

    The polynomials are those of FDLIBM (Sun Microsystems 1993) for angles up to an eighth of a turn.
    """
    quarter = round(angle * (2.0 / math.pi))
    r = angle - quarter * (0.5 * math.pi)
    z = r * r
    s = 1.58969099521155010221e-10
    s = z * (z * (z * s - 2.50507602534068634195e-08) + 2.75573137070700676789e-06)
    s = z * (z * (s - 1.98412698298579493134e-04) + 8.33333333332248946124e-03) - 1.66666666666666324348e-01
    c = 2.08757232129817482790e-09 - 1.13596475577881948265e-11 * z
    c = z * (z * c - 2.75573143513906633035e-07) + 2.48015872894767294178e-05
    c = z * (z * c - 1.38888888888741095749e-03) + 4.16666666666666019037e-02
    sine, cosine = r + r * z * s, 1.0 - 0.5 * z + z * z * c
    turned = int(quarter) & 3
    if turned & 1:
        sine, cosine = cosine, sine
    if turned & 2:
        sine = -sine
    if (turned + 1) & 2:
        cosine = -cosine
    return sine, cosine


@compiled
def fold(joints: Joints, q: Array) -> Folded:
    """Fold the joints that stay, at q (n,), into the constant transforms between those that move."""
    all_placements, all_slides, all_columns = joints.placements, joints.slides, joints.columns
    all_coordinates, all_ratios, all_offsets = joints.coordinates, joints.ratios, joints.offsets
    total = len(all_slides)
    size = 0
    for j in range(total):
        size += all_columns[j] >= 0
    placements = np.empty((size + 1, 12))
    slides = np.empty(size, np.bool_)
    columns = np.empty(size, np.intp)
    ratios, offsets = np.empty(size), np.empty(size)
    T, U = np.empty(12), np.empty(12)
    copy(all_placements[0], T)
    p = 0
    for j in range(total):
        if all_columns[j] >= 0:
            copy(T, placements[p])
            slides[p], columns[p] = all_slides[j], all_columns[j]
            ratios[p], offsets[p] = all_ratios[j], all_offsets[j]
            p += 1
            copy(all_placements[j + 1], T)
            continue
        value = all_ratios[j] * q[all_coordinates[j]] + all_offsets[j]
        sine, cosine = sine_cosine(value)
        for i in range(0, 12, 4):
            if all_slides[j]:
                T[i + 3] += T[i + 2] * value
            else:
                T[i], T[i + 1] = cosine * T[i] + sine * T[i + 1], cosine * T[i + 1] - sine * T[i]
        B = all_placements[j + 1]
        for i in range(0, 12, 4):
            for k in range(4):
                U[i + k] = T[i] * B[k] + T[i + 1] * B[4 + k] + T[i + 2] * B[8 + k]
            U[i + 3] += T[i + 3]
        copy(U, T)
    copy(T, placements[p])
    return Folded(size, placements, slides, columns, ratios, offsets, joints.lower, joints.upper, joints.weights)


@inlined
def forward(chain: Folded, x: Array, axes: Array, T: Array) -> None:
    """Pose of the frame at x (m,) into T (12,); axis and point of every joint into axes (k, 6)."""
    r00, r01, r02 = 1.0, 0.0, 0.0
    r10, r11, r12 = 0.0, 1.0, 0.0
    r20, r21, r22 = 0.0, 0.0, 1.0
    p0, p1, p2 = 0.0, 0.0, 0.0
    size, B, slides, columns = chain.size, chain.placements, chain.slides, chain.columns
    ratios, offsets = chain.ratios, chain.offsets
    for j in range(size + 1):
        p0 += r00 * B[j, 3] + r01 * B[j, 7] + r02 * B[j, 11]
        p1 += r10 * B[j, 3] + r11 * B[j, 7] + r12 * B[j, 11]
        p2 += r20 * B[j, 3] + r21 * B[j, 7] + r22 * B[j, 11]
        s00 = r00 * B[j, 0] + r01 * B[j, 4] + r02 * B[j, 8]
        s01 = r00 * B[j, 1] + r01 * B[j, 5] + r02 * B[j, 9]
        s10 = r10 * B[j, 0] + r11 * B[j, 4] + r12 * B[j, 8]
        s11 = r10 * B[j, 1] + r11 * B[j, 5] + r12 * B[j, 9]
        s20 = r20 * B[j, 0] + r21 * B[j, 4] + r22 * B[j, 8]
        s21 = r20 * B[j, 1] + r21 * B[j, 5] + r22 * B[j, 9]
        r02 = r00 * B[j, 2] + r01 * B[j, 6] + r02 * B[j, 10]
        r12 = r10 * B[j, 2] + r11 * B[j, 6] + r12 * B[j, 10]
        r22 = r20 * B[j, 2] + r21 * B[j, 6] + r22 * B[j, 10]
        sine, cosine = 0.0, 1.0
        if j < size:
            value = ratios[j] * x[columns[j]] + offsets[j]
            if slides[j]:
                p0 += r02 * value
                p1 += r12 * value
                p2 += r22 * value
            else:
                sine, cosine = sine_cosine(value)
            axes[j, 0], axes[j, 1], axes[j, 2] = r02, r12, r22
            axes[j, 3], axes[j, 4], axes[j, 5] = p0, p1, p2
        r00, r01 = cosine * s00 + sine * s01, cosine * s01 - sine * s00
        r10, r11 = cosine * s10 + sine * s11, cosine * s11 - sine * s10
        r20, r21 = cosine * s20 + sine * s21, cosine * s21 - sine * s20
    T[0], T[1], T[2], T[3] = r00, r01, r02, p0
    T[4], T[5], T[6], T[7] = r10, r11, r12, p1
    T[8], T[9], T[10], T[11] = r20, r21, r22, p2


@inlined
def difference(T: Array, target: Array, turned: bool, error: Array) -> tuple[float, float]:
    """What is left from T (12,) to a target (12,) into error (6,); its distance [m] and angle [rad].

    The rotation is twice the sine of half the angle along its axis, which grows up to half a turn, unlike the sine.
    """
    for i in range(3):
        error[i] = target[4 * i + 3] - T[4 * i + 3]
    distance = math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    if not turned:
        error[3] = error[4] = error[5] = 0.0
        return distance, 0.0
    v0 = v1 = v2 = trace = 0.0
    for i in range(3):
        v0 += T[4 + i] * target[8 + i] - T[8 + i] * target[4 + i]
        v1 += T[8 + i] * target[i] - T[i] * target[8 + i]
        v2 += T[i] * target[4 + i] - T[4 + i] * target[i]
        trace += T[i] * target[i] + T[4 + i] * target[4 + i] + T[8 + i] * target[8 + i]
    scale = 1.0 / math.sqrt(max(1.0 + trace, 1e-4))
    error[3], error[4], error[5] = v0 * scale, v1 * scale, v2 * scale
    return distance, math.atan2(math.sqrt(v0 * v0 + v1 * v1 + v2 * v2), trace - 1.0)


@inlined
def jacobian(chain: Folded, axes: Array, T: Array, lever: float, J: Array) -> None:
    """The frame's velocity, in the world, for unit speed of each coordinate into J (m, 6); rotations times lever."""
    slides, columns, ratios = chain.slides, chain.columns, chain.ratios
    for k in range(len(J)):
        for i in range(6):
            J[k, i] = 0.0
    for j in range(chain.size):
        k, ratio = columns[j], ratios[j]
        a0, a1, a2 = ratio * axes[j, 0], ratio * axes[j, 1], ratio * axes[j, 2]
        if slides[j]:
            J[k, 0] += a0
            J[k, 1] += a1
            J[k, 2] += a2
        else:
            r0, r1, r2 = T[3] - axes[j, 3], T[7] - axes[j, 4], T[11] - axes[j, 5]
            J[k, 0] += a1 * r2 - a2 * r1
            J[k, 1] += a2 * r0 - a0 * r2
            J[k, 2] += a0 * r1 - a1 * r0
            J[k, 3] += a0 * lever
            J[k, 4] += a1 * lever
            J[k, 5] += a2 * lever
