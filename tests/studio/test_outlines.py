"""What can collide, as meshes."""

from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.simulation.triangles import triangles
from taskmatrix.studio.drawing.outlines import outlines


@pytest.mark.parametrize(
    ("geometry", "size"),
    [
        (coal.Box(0.1, 0.2, 0.3), (0.1, 0.2, 0.3)),
        (coal.Sphere(0.1), (0.2, 0.2, 0.2)),
        (coal.Capsule(0.05, 0.2), (0.1, 0.1, 0.3)),
        (coal.Cylinder(0.05, 0.2), (0.1, 0.1, 0.2)),
    ],
)
def test_an_outline_is_as_large_as_its_body(
    geometry: coal.CollisionGeometry, size: tuple[float, ...], tmp_path: Path
) -> None:
    """To 3 mm, with its triangles seen from outside."""
    model = pin.GeometryModel()
    model.addGeometryObject(pin.GeometryObject("body", 0, 0, pin.SE3.Identity(), geometry))
    (shape,) = outlines(model, tmp_path)
    surface = triangles(shape)
    np.testing.assert_allclose(np.ptp(surface.vertices, axis=0), size, atol=3e-3)
    assert np.mean(np.sum(surface.normals * surface.vertices, axis=1) > 0.0) > 0.99
