"""What objects of a world weigh, and how they roll."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import trimesh

from taskmatrix.core.world.geometry import bounding_box, mesh_geometry
from taskmatrix.core.world.objects import Array, ObjectModel, Shape

from .pieces import Piece, mesh_pieces

UNKNOWN_MASS = 0.3  # [kg] of what may be carried and says nothing
WOOD = 0.6  # of the density of water: a part that says nothing
SOLID = 1.4  # of its mass: the inertia of a solid ball that rolls, 1 + 2/5


def shape_pieces(shape: Shape) -> tuple[Piece, ...]:
    """The convex pieces of a shape, in its own frame."""
    if shape.kind == "mesh":
        return mesh_pieces(mesh_geometry(shape))
    return (Piece(shape.kind, tuple(shape.size), np.empty((0, 3))),)


def object_inertia(model: ObjectModel) -> pin.Inertia:
    """Of a body of even density, in the object's frame."""
    total = pin.Inertia.Zero()
    for shape in [shape for shape in model.shapes if shape.collides] or model.shapes:
        for piece in shape_pieces(shape):
            total = total + pin.SE3(shape.X_OS).act(_of_water(piece))
    if model.joint is None:
        mass = UNKNOWN_MASS if model.mass is None else model.mass
    else:
        mass = WOOD * total.mass if model.joint.mass is None else model.joint.mass
    scale = mass / total.mass
    return pin.Inertia(total.mass * scale, np.asarray(total.lever), np.asarray(total.inertia) * scale)


def principal_axes(inertia: pin.Inertia) -> tuple[Array, Array]:
    """Moments (3,) [kg m^2] about the centre of mass, and the rotation (3, 3) of the axes to which they belong."""
    moments, axes = np.linalg.eigh(np.asarray(inertia.inertia))
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return moments, axes


def rolling_lever(model: ObjectModel) -> float | None:
    """[m] Of the couple ``c N`` that slows a ball as its model says, by ``c g / (1.4 r)``.

    None where it says nothing.
    """
    if model.rolling is None:
        return None
    lower, upper = bounding_box(model.shapes, np.eye(4))
    return model.rolling * SOLID * float(upper[2] - lower[2]) / 2


def _of_water(piece: Piece) -> pin.Inertia:
    """Of a piece of density 1000 kg/m^3, in its own frame."""
    if piece.kind == "hull":
        body = trimesh.convex.convex_hull(piece.corners)
        return pin.Inertia(1000.0 * body.volume, body.center_mass, 1000.0 * body.moment_inertia)
    makers = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    solid = makers[piece.kind](*piece.size)
    moments = 1000.0 * np.asarray(solid.computeMomentofInertiaRelatedToCOM())
    return pin.Inertia(1000.0 * float(solid.computeVolume()), np.zeros(3), moments)
