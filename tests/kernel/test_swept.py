from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision import swept
from taskmatrix.kernel.collision.swept import COUNT, Hull, hulls, outline

from .trees import mesh_of, shape


def reach(hull: Hull, directions: Array) -> Array:
    return np.asarray((hull.points @ directions.T).max(axis=0) + hull.radius)


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.mark.parametrize("seed", range(12))
def test_every_hull_holds_the_body(seed: int) -> None:
    """Along any direction it reaches at least as far, and the one of few points not much further."""
    random = np.random.default_rng(seed)
    body = shape(random)
    directions = random.normal(size=(2000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    exact = reach(outline(body), directions)
    less, last = hulls(body)
    np.testing.assert_allclose(reach(last, directions), exact)
    assert len(less.points) <= COUNT
    assert np.all(reach(less, directions) >= exact - 1e-6)
    size = np.ptp(outline(body).points, axis=0).max() + 2 * outline(body).radius
    assert (reach(less, directions) - exact).mean() < 0.06 * size


def test_balls_and_capsules_need_no_corners() -> None:
    """They are swept points."""
    ball, capsule = hulls(coal.Sphere(0.1)), hulls(coal.Capsule(0.05, 0.4))
    assert [(len(hull.points), hull.radius) for hull in ball] == [(1, 0.1)] * 2
    assert [(len(hull.points), hull.radius) for hull in capsule] == [(2, 0.05)] * 2


def test_flat_and_empty_meshes() -> None:
    """A flat one has a hull too; one of nothing is refused."""
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    assert len(hulls(mesh_of(points, np.array([[0, 1, 2], [0, 2, 3]])))[1].points) == 4
    with pytest.raises(ValueError, match="0 points"):
        hulls(coal.BVHModelOBBRSS())


def test_what_was_found_is_kept(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second start does not look again."""
    points = np.random.default_rng(1).normal(size=(300, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    mesh = mesh_of(points, np.array([[0, 1, 2]]))
    first = hulls(mesh)
    monkeypatch.setattr(swept, "few", None)
    again = hulls(mesh)
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.points, two.points)
        assert one.radius == two.radius
    assert len(list(own_cache.glob("hulls/*.npz"))) == 1


def test_a_hull_of_many_corners_is_held_by_one_of_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As near to it as a ball with so many corners is."""
    monkeypatch.setattr(swept, "MOST", 200)
    points = np.random.default_rng(1).normal(size=(3000, 3))
    points *= 0.3 / np.linalg.norm(points, axis=1)[:, None]
    hull = outline(mesh_of(points, np.array([[0, 1, 2]])))
    directions = points / 0.3
    assert len(hull.points) <= 200
    excess = reach(hull, directions) - (points @ directions.T).max(axis=0)
    assert excess.min() >= 0.0
    assert excess.max() < 0.03
