from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.simulation.scenes.wall_loader import HEIGHT, THICKNESS, read_wall


def read(**data: Any) -> list[tuple[ObjectModel, Array]]:
    whole = {"id": "w", "from": [1.0, 0.0], "to": [1.0, 4.0], **data}
    return read_wall(Table(Path("x.toml"), "wall['w']", whole, WorldError))


def extent(piece: tuple[ObjectModel, Array]) -> Array:
    solid = [shape for shape in piece[0].shapes if shape.collides]
    return np.array(bounding_box(solid, piece[1]))


def test_wall_is_a_box_from_end_to_end() -> None:
    """As long as its line, of the usual thickness and height, on the floor."""
    (piece,) = read()
    assert piece[0].id == "w"
    assert piece[0].is_a("wall")
    np.testing.assert_allclose(extent(piece), [[1 - THICKNESS / 2, 0, 0], [1 + THICKNESS / 2, 4, HEIGHT]], atol=1e-9)


def test_openings_leave_gaps() -> None:
    """The pieces end where the openings begin; each has one box that collides, the linings do not."""
    pieces = read(openings=[{"at": 1.0, "width": 1.2}, {"at": 3.4, "width": 1.2}], height=2.0)
    assert [model.id for model, _ in pieces] == ["w_1", "w_2"]
    spans = [extent(piece)[:, 1].tolist() for piece in pieces]
    np.testing.assert_allclose(spans, [[0, 0.4], [1.6, 2.8]], atol=1e-9)
    assert all(sum(shape.collides for shape in model.shapes) == 1 for model, _ in pieces)
    assert [len(model.shapes) for model, _ in pieces] == [2, 3]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"to": [1.0, 0.0]}, "to: must be"),
        ({"openings": [{"at": 3.8, "width": 1.0}]}, r"openings\[0\]\.at: an opening 1.0 m wide there is not between"),
        ({"openings": [{"at": 1, "width": 1}, {"at": 1.5, "width": 1}]}, r"openings\[1\]\.at: .*between 1.50 and 4.00"),
        ({"opening": []}, "opening: no key 'opening'; did you mean 'openings'"),
        ({"height": -1}, "height: must be above zero"),
    ],
)
def test_mistakes_are_named(data: dict[str, Any], message: str) -> None:
    """Each with its key and what is allowed."""
    with pytest.raises(WorldError, match=message):
        read(**data)
