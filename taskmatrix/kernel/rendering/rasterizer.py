"""Triangles drawn into an image of depth, light and bodies, through a buffer of depths, in compiled code."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..jit.compiled import compiled

SLIVER = 1e-12  # [pixels^2] a triangle that covers less is not drawn


class Meshes(NamedTuple):
    """The triangles of several bodies, each in its own frame."""

    vertices: Array
    """(v, 3) [m]"""
    normals: Array
    """(v, 3) Unit normals of the vertices."""
    faces: NDArray[np.int64]
    """(f, 3) Numbers of vertices."""
    first: NDArray[np.int64]
    """(b + 1, 2) Of each body the first vertex and the first face; in the last row, how many there are."""


class View(NamedTuple):
    """A pinhole camera that looks along its -z."""

    X_CW: Array
    """(4, 4) Of the world in the camera."""
    tangent: float
    """Of half the vertical field of view."""
    near: float
    """[m] What is nearer is cut off."""
    far: float
    """[m] What is further is left out."""
    light: Array
    """(3,) Unit vector towards the light, in the world."""


class Pixels(NamedTuple):
    """What is drawn into."""

    depth: NDArray[np.float32]
    """(h, w) [m] Along the camera's axis."""
    light: NDArray[np.float32]
    """(h, w) Cosine between normal and light, not negative."""
    body: NDArray[np.int32]
    """(h, w) Which body; -1 for none."""


@compiled
def draw(meshes: Meshes, poses: Array, shown: NDArray[np.bool_], view: View, pixels: Pixels) -> None:
    """Draw bodies; what was drawn before stays where it is nearer.

    Args:
        meshes: Their triangles.
        poses: (b, 4, 4) Where they are in the world.
        shown: (b,) Which are drawn.
        view: From where.
        pixels: Where to.
    """
    scale = pixels.depth.shape[0] / (2.0 * view.tangent)  # [pixels] for a slope of 1
    X_CB, corners = np.empty((3, 4)), np.empty((3, 4))
    clipped, seen = np.empty((4, 4)), np.empty(3)
    for body in range(len(poses)):
        if not shown[body]:
            continue
        X_WB = poses[body]
        for i in range(3):
            for j in range(4):
                X_CB[i, j] = view.X_CW[i, 3] if j == 3 else 0.0
                for k in range(3):
                    X_CB[i, j] += view.X_CW[i, k] * X_WB[k, j]
        for k in range(3):  # the light in the body's frame
            seen[k] = view.light[0] * X_WB[0, k] + view.light[1] * X_WB[1, k] + view.light[2] * X_WB[2, k]
        begin, end = meshes.first[body, 1], meshes.first[body + 1, 1]
        for face in range(begin, end):
            for corner in range(3):
                vertex = meshes.faces[face, corner]
                p, n = meshes.vertices[vertex], meshes.normals[vertex]
                for i in range(3):
                    corners[corner, i] = X_CB[i, 0] * p[0] + X_CB[i, 1] * p[1] + X_CB[i, 2] * p[2] + X_CB[i, 3]
                corners[corner, 2] = -corners[corner, 2]
                corners[corner, 3] = n[0] * seen[0] + n[1] * seen[1] + n[2] * seen[2]
            count = _cut_near(corners, view.near, clipped)
            for k in range(2, count):
                _fill(clipped, k, body, scale, view.far, pixels)


@compiled
def _cut_near(corners: Array, near: float, clipped: Array) -> int:
    """Write what of a triangle is further than ``near`` [m], and tell how many corners that has.

    Corners are rows: x, y and depth [m] in the camera, and the cosine to the light.
    """
    count = 0
    for k in range(3):
        a, b = corners[k], corners[(k + 1) % 3]
        if a[2] >= near:
            clipped[count] = a
            count += 1
        if (a[2] >= near) != (b[2] >= near):
            share = (near - a[2]) / (b[2] - a[2])
            for j in range(4):
                clipped[count, j] = a[j] + share * (b[j] - a[j])
            count += 1
    return count


@compiled
def _fill(polygon: Array, last: int, body: int, scale: float, far: float, pixels: Pixels) -> None:
    """Fill the triangle of the first corner of a polygon and two that follow each other, up to ``last``."""
    height, width = pixels.depth.shape
    x, y, inverse, light = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for i in range(3):
        row = polygon[0 if i == 0 else last - 2 + i]
        inverse[i] = 1.0 / row[2]
        x[i] = row[0] * inverse[i] * scale + (width - 1) / 2.0
        y[i] = (height - 1) / 2.0 - row[1] * inverse[i] * scale
        light[i] = row[3] * inverse[i]
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    if abs(area) < SLIVER:
        return
    left = max(0, math.ceil(max(min(x[0], x[1], x[2]), -1.0)))
    right = min(width - 1, math.floor(min(max(x[0], x[1], x[2]), width * 1.0)))
    top = max(0, math.ceil(max(min(y[0], y[1], y[2]), -1.0)))
    bottom = min(height - 1, math.floor(min(max(y[0], y[1], y[2]), height * 1.0)))
    across1, across2 = (y[2] - y[0]) / area, -(y[1] - y[0]) / area  # by how much weights change from pixel to pixel
    for v in range(top, bottom + 1):
        start1 = -(x[2] - x[0]) * (v - y[0]) / area - x[0] * across1
        start2 = (x[1] - x[0]) * (v - y[0]) / area - x[0] * across2
        for u in range(left, right + 1):
            w1, w2 = start1 + u * across1, start2 + u * across2
            w0 = 1.0 - w1 - w2
            if w0 < 0.0 or w1 < 0.0 or w2 < 0.0:
                continue
            depth = 1.0 / (w0 * inverse[0] + w1 * inverse[1] + w2 * inverse[2])
            if depth > far or depth >= pixels.depth[v, u]:
                continue
            pixels.depth[v, u] = depth
            pixels.light[v, u] = max(0.0, (w0 * light[0] + w1 * light[1] + w2 * light[2]) * depth)
            pixels.body[v, u] = body
