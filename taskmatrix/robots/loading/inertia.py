"""Moments of inertia that no body of its mass and size has: many URDFs give 1 kg m^2 to all of their links."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pinocchio as pin

LARGE = 5.0  # times what all of the mass at the farthest point would have: what meshes and motors leave open is less
SHARE = 0.4  # of that, which such a link is taken to have: a solid ball's


def overstated(model: pin.Model, collision: pin.GeometryModel) -> Mapping[int, float]:
    """[kg m^2] By joint, of links whose moments are far too large: that of their mass at their farthest point.

    Links without a collision body are not looked at.

    Args:
        model: The robot, on its base.
        collision: Its bodies.
    """
    far = np.zeros(model.njoints)
    for body in collision.geometryObjects:
        joint = body.parentJoint
        body.geometry.computeLocalAABB()
        centre = body.placement.act(np.asarray(body.geometry.aabb_center))
        away = np.linalg.norm(centre - np.asarray(model.inertias[joint].lever)) + body.geometry.aabb_radius
        far[joint] = max(far[joint], float(away))
    found = {}
    for joint in range(4, model.njoints):
        inertia = model.inertias[joint]
        most = float(inertia.mass) * far[joint] ** 2
        if far[joint] > 0.0 and inertia.mass > 0.0 and np.linalg.eigvalsh(inertia.inertia)[-1] > LARGE * most:
            found[joint] = most
    return found


def report(model: pin.Model, collision: pin.GeometryModel) -> tuple[str, ...]:
    """One line about each link of :func:`overstated`, by the joint that moves it."""
    lines = []
    for joint, most in overstated(model, collision).items():
        inertia = model.inertias[joint]
        moment = float(np.linalg.eigvalsh(inertia.inertia)[-1])
        said = f"a moment of inertia of {moment:.3g} kg m^2, which {inertia.mass:.3g} kg of its size cannot have"
        lines.append(f"what {model.names[joint]} moves: {said}; physics takes {SHARE * most:.2g}")
    return tuple(lines)
