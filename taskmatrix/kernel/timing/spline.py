"""Piecewise cubics through points, in compiled code: with continuous curvature, or monotone."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.world.objects import Array

from ..jit.compiled import compiled

SMALLEST = 1e-9  # [m] of displacement; what is shorter is no piece of a path
ROUNDING = 1e-9  # [m, rad] a curve this far beyond a limit is not


@compiled
def resample(path: Array, displacement: Array, spacing: float) -> Array:
    """(m, k) Points on a polyline, its corners among them, no further apart than ``spacing`` [m] of displacement.

    Args:
        path: (p, k) [m, rad] Its corners.
        displacement: (k,) [m/rad] Weights of the joints in a distance.
        spacing: [m]
    """
    k = path.shape[1]
    cuts, count = np.zeros(len(path), np.intp), 1
    for i in range(1, len(path)):
        square = 0.0
        for j in range(k):
            square += ((path[i, j] - path[i - 1, j]) * displacement[j]) ** 2
        length = math.sqrt(square)
        if length >= SMALLEST:
            cuts[i] = max(1, math.ceil(length / spacing))
            count += cuts[i]
    points, filled = np.empty((count, k)), 1
    for j in range(k):
        points[0, j] = path[0, j]
    for i in range(1, len(path)):
        for c in range(1, cuts[i] + 1):
            for j in range(k):
                points[filled, j] = path[i - 1, j] + (path[i, j] - path[i - 1, j]) * c / cuts[i]
            filled += 1
    return points


@compiled
def lengths(points: Array, displacement: Array) -> Array:
    """(m,) [m] Of displacement along a polyline (m, k) up to each point."""
    along = np.zeros(len(points))
    for i in range(1, len(points)):
        square = 0.0
        for j in range(points.shape[1]):
            square += ((points[i, j] - points[i - 1, j]) * displacement[j]) ** 2
        along[i] = along[i - 1] + math.sqrt(square)
    return along


@compiled
def through(knots: Array, points: Array, lower: Array, upper: Array) -> Array:
    """(m - 1, 4, k) Coefficients of cubics that are at ``points`` (m, k) at ``knots`` (m,), of rising order.

    The cubic spline; but joints that it would carry beyond ``lower`` or ``upper`` (k,), or further beyond than their
    points are, follow monotone pieces, which never leave the range of their ends.
    """
    m, k = points.shape
    pieces = np.empty((m - 1, 4, k))
    slopes = smooth_slopes(knots, points)
    for j in range(k):
        fill(knots, points, slopes, j, pieces)
        low, high = lower[j], upper[j]
        for i in range(m):
            low, high = min(low, points[i, j]), max(high, points[i, j])
        if leaves(knots, pieces, j, low - ROUNDING, high + ROUNDING):
            monotone_slopes(knots, points, j, slopes)
            fill(knots, points, slopes, j, pieces)
    return pieces


@compiled
def smooth_slopes(knots: Array, points: Array) -> Array:
    """(m, k) Slopes of the cubic spline at its knots; it has no knot at the last but one points (de Boor 1978)."""
    m, k = points.shape
    slopes, ratio = np.empty((m, k)), np.empty(m)
    if m == 2:
        for j in range(k):
            slopes[0, j] = slopes[1, j] = (points[1, j] - points[0, j]) / (knots[1] - knots[0])
        return slopes
    h0, h1 = knots[1] - knots[0], knots[2] - knots[1]
    e0, e1 = knots[m - 1] - knots[m - 2], knots[m - 2] - knots[m - 3]
    if m == 3:
        for j in range(k):
            first, last = (points[1, j] - points[0, j]) / h0, (points[2, j] - points[1, j]) / h1
            slopes[1, j] = (h1 * first + h0 * last) / (h0 + h1)
            slopes[0, j], slopes[2, j] = 2.0 * first - slopes[1, j], 2.0 * last - slopes[1, j]
        return slopes
    ratio[0] = (h0 + h1) / h1
    for j in range(k):
        first, second = (points[1, j] - points[0, j]) / h0, (points[2, j] - points[1, j]) / h1
        slopes[0, j] = ((h0 + 2.0 * (h0 + h1)) * h1 * first + h0 * h0 * second) / ((h0 + h1) * h1)
    for i in range(1, m - 1):  # Gauss, in bands
        before, after = knots[i] - knots[i - 1], knots[i + 1] - knots[i]
        pivot = 2.0 * (before + after) - after * ratio[i - 1]
        ratio[i] = before / pivot
        for j in range(k):
            rise = (
                after * (points[i, j] - points[i - 1, j]) / before + before * (points[i + 1, j] - points[i, j]) / after
            )
            slopes[i, j] = (3.0 * rise - after * slopes[i - 1, j]) / pivot
    pivot = e1 - (e0 + e1) * ratio[m - 2]
    for j in range(k):
        last, second = (points[m - 1, j] - points[m - 2, j]) / e0, (points[m - 2, j] - points[m - 3, j]) / e1
        wanted = (e0 * e0 * second + (e0 + 2.0 * (e0 + e1)) * e1 * last) / (e0 + e1)
        slopes[m - 1, j] = (wanted - (e0 + e1) * slopes[m - 2, j]) / pivot
    for i in range(m - 2, -1, -1):
        for j in range(k):
            slopes[i, j] -= ratio[i] * slopes[i + 1, j]
    return slopes


@compiled
def monotone_slopes(knots: Array, points: Array, j: int, slopes: Array) -> None:
    """Into slopes (m, k) of joint j, those with which every piece stays between its ends (Fritsch and Butland 1984)."""
    m = len(knots)
    if m == 2:
        return  # a line
    for i in range(1, m - 1):
        h0, h1 = knots[i] - knots[i - 1], knots[i + 1] - knots[i]
        before, after = (points[i, j] - points[i - 1, j]) / h0, (points[i + 1, j] - points[i, j]) / h1
        slopes[i, j] = 0.0
        if before * after > 0.0:
            slopes[i, j] = 3.0 * (h0 + h1) / ((h0 + 2.0 * h1) / before + (2.0 * h0 + h1) / after)
    for end, near, far in ((0, 1, 2), (m - 1, m - 2, m - 3)):
        h0, h1 = abs(knots[near] - knots[end]), abs(knots[far] - knots[near])
        first = (points[near, j] - points[end, j]) / (knots[near] - knots[end])
        second = (points[far, j] - points[near, j]) / (knots[far] - knots[near])
        slope = ((2.0 * h0 + h1) * first - h0 * second) / (h0 + h1)
        if slope * first <= 0.0:
            slope = 0.0
        elif first * second <= 0.0 and abs(slope) > 3.0 * abs(first):
            slope = 3.0 * first
        slopes[end, j] = slope


@compiled
def fill(knots: Array, points: Array, slopes: Array, j: int, pieces: Array) -> None:
    """The coefficients of joint j from its points and slopes (m, k)."""
    for i in range(len(pieces)):
        h = knots[i + 1] - knots[i]
        chord = (points[i + 1, j] - points[i, j]) / h
        bend = slopes[i, j] + slopes[i + 1, j] - 2.0 * chord
        pieces[i, 0, j], pieces[i, 1, j] = points[i, j], slopes[i, j]
        pieces[i, 2, j] = (chord - slopes[i, j] - bend) / h
        pieces[i, 3, j] = bend / (h * h)


@compiled
def leaves(knots: Array, pieces: Array, j: int, low: float, high: float) -> bool:
    """Whether joint j turns round outside a range in which its points are."""
    for i in range(len(pieces)):
        h, c, b, a = knots[i + 1] - knots[i], pieces[i, 1, j], pieces[i, 2, j], pieces[i, 3, j]
        square = b * b - 3.0 * a * c
        if square > 0.0:  # where c + 2 b s + 3 a s^2 = 0
            root = -(b + math.copysign(math.sqrt(square), b))
            for s in (root / (3.0 * a) if a != 0.0 else -1.0, c / root if root != 0.0 else -1.0):
                if 0.0 < s < h:
                    value = pieces[i, 0, j] + s * (c + s * (b + s * a))
                    if value < low or value > high:
                        return True
    return False
