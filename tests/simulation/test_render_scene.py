from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.simulation.render_scene import Drawn, Lens, RenderScene

LENS = Lens(60.0, 0.1, 10.0)
SIZE = (96, 64)
AHEAD, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def scene(*placed: tuple[Shape, Array]) -> RenderScene:
    made = RenderScene()
    made.place([made.add(shape) for shape, _ in placed], np.array([X for _, X in placed]))
    return made


def ball(radius: float) -> Shape:
    return Shape("sphere", (radius,), pose())


def box(*size: float) -> Shape:
    return Shape("box", size, pose())


def seen(made: RenderScene, light: Array | None = None) -> Drawn:
    """From the origin, along x."""
    return made.draw(np.zeros(3), AHEAD, UP, SIZE, LENS, light)


def test_depths_are_where_rays_meet_a_ball() -> None:
    """Of every pixel that shows it, along the camera's axis; others are empty, and as far as it looks."""
    drawn = seen(scene((ball(0.5), pose((3.0, 0.2, -0.1)))))
    rays, centre = drawn.rays().astype(float), np.array([3.0, 0.2, -0.1])
    a, b = (rays**2).sum(axis=2), rays @ centre
    root = b**2 - a * (centre @ centre - 0.25)
    hit = root > 0.0
    expected = (b - np.sqrt(np.where(hit, root, 0.0))) / a
    there = drawn.body == 0
    assert (there != hit).mean() < 0.01  # along its edge: it is drawn as triangles
    np.testing.assert_allclose(drawn.depth[there & hit], expected[there & hit], atol=0.06)
    assert np.median(np.abs(drawn.depth - expected)[there & hit]) < 0.008  # a ball has 32 sides
    assert (drawn.depth[~there] == LENS.far).all()
    assert (drawn.body[~there] == -1).all()


def test_the_nearer_hides_the_further_in_whatever_order() -> None:
    """And where it is left out, the further shows."""
    near, far = (box(0.1, 0.4, 0.4), pose((2.0, 0.0, 0.0))), (box(0.1, 3.0, 3.0), pose((4.0, 0.0, 0.0)))
    middle = SIZE[1] // 2, SIZE[0] // 2
    for placed, front in (((near, far), 0), ((far, near), 1)):
        made = scene(*placed)
        assert seen(made).body[middle] == front
        assert seen(made).depth[middle] == pytest.approx(1.95, abs=1e-5)
        made.show(front, False)
        assert seen(made).body[middle] == 1 - front
        assert seen(made).depth[middle] == pytest.approx(3.95, abs=1e-5)


def test_what_the_camera_is_in_is_cut_off_where_it_is_too_near() -> None:
    """A floor that goes on behind the camera is drawn before it, down to the lower edge of the image."""
    drawn = seen(scene((box(40.0, 40.0, 0.1), pose((0.0, 0.0, -1.05)))))
    assert (drawn.body[SIZE[1] // 2 + 12 :] == 0).all()
    assert (drawn.body[: SIZE[1] // 2] == -1).all()
    height = (SIZE[1] - 1 - (SIZE[1] - 1) / 2) * 2 * drawn.tangent / SIZE[1]  # slope of the lowest row
    assert drawn.depth[-1, 10] == pytest.approx(1.0 / height, rel=1e-4)


def test_light_is_the_cosine_to_it() -> None:
    """A face that looks away from it is dark."""
    made = scene((box(1.0, 1.0, 1.0), pose((3.0, 0.0, 0.0))))
    middle = SIZE[1] // 2, SIZE[0] // 2
    for light, told in (((-1.0, 0.0, 0.0), 1.0), ((-0.6, 0.0, 0.8), 0.6), ((1.0, 0.0, 0.0), 0.0)):
        assert seen(made, np.array(light)).light[middle] == pytest.approx(told, abs=1e-6)


def test_an_empty_scene_is_empty() -> None:
    drawn = seen(RenderScene())
    assert (drawn.body == -1).all()
