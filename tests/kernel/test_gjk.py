from __future__ import annotations

import coal
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision.gjk import separation
from taskmatrix.kernel.collision.solid import flat

from .trees import mesh_of, placement, solid


def convex(points: Array) -> coal.ConvexBase:
    return solid(mesh_of(points, np.asarray(ConvexHull(points).simplices)))


@given(st.integers(0, 2**31))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_distance_is_that_of_coal(seed: int) -> None:
    """From below, along a direction that shows it; not more than nothing where they overlap."""
    random = np.random.default_rng(seed)
    A, B = (random.normal(size=(int(random.integers(4, 40)), 3)) * random.uniform(0.02, 0.2, 3) for _ in range(2))
    X_WA, X_WB = placement(random, 0.25), placement(random, 0.25)
    request = coal.DistanceRequest()
    expected = coal.distance(
        convex(A),
        coal.Transform3s(X_WA.rotation, X_WA.translation),
        convex(B),
        coal.Transform3s(X_WB.rotation, X_WB.translation),
        request,
        coal.DistanceResult(),
    )
    points = np.asfortranarray(np.vstack([A, B]), dtype=np.float32)
    n, scratch = X_WB.translation - X_WA.translation, np.zeros((6, 12))
    bound = separation(
        flat(X_WA.rotation, X_WA.translation),
        flat(X_WB.rotation, X_WB.translation),
        points,
        0,
        len(A),
        len(A),
        len(points),
        1e9,
        1e9,
        True,
        n,
        np.zeros((4, 7)),
        scratch,
    )
    nearest = np.linalg.norm(scratch[0, :3])
    assert abs(np.linalg.norm(n) - 1) < 1e-9
    along = ((B @ X_WB.rotation.T + X_WB.translation) @ n).min() - ((A @ X_WA.rotation.T + X_WA.translation) @ n).max()
    assert abs(along - bound) < 1e-6
    if expected > 1e-5:
        assert bound <= expected + 1e-6
        assert bound >= 0.998 * expected - 3e-5
        assert nearest >= expected - 1e-6
    else:
        assert bound < 2e-5
