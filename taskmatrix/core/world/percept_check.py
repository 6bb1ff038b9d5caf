"""Whether what somebody reports of objects can be, before anything is built on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import get_args

import numpy as np

from ..base.errors import ParameterError, not_found
from .objects import Array, ObjectModel, Shape, ShapeKind
from .perception import Percept

OFF = 1e-3
"""By how much a rotation may be none: what cameras and transforms tell is rounded."""
SIZES: Mapping[str, int] = {"box": 3, "cylinder": 2, "capsule": 2, "sphere": 1, "mesh": 3, "points": 1}
"""How many numbers the size of a shape has, by its kind."""


class PerceptCheck:
    """Takes reports of objects, or says what is wrong with them.

    What was reported is copied: who reports may write the next report over it. Of an object that is as it was, the
    percept is the same as before.

    Args:
        hands: Names of the hands that may hold an object.
    """

    def __init__(self, hands: Collection[str]) -> None:
        self._hands = tuple(hands)
        self._models: dict[str, ObjectModel] = {}  # which were looked at
        self._before: dict[str, Percept] = {}

    def __call__(self, reported: object) -> tuple[Percept, ...]:
        """What is reported, as it is now.

        Args:
            reported: Percepts of different objects; nothing else will do.

        Raises:
            ParameterError: It is not made of percepts, or one of them cannot be.
        """
        given = tuple(reported) if isinstance(reported, Iterable) else (reported,)
        taken: dict[str, Percept] = {}
        for percept in given:
            if not isinstance(percept, Percept):
                raise ParameterError(f"perception has to return Percepts, a tuple of them, not {percept!r}")
            self._check_model(percept.model)
            id = percept.model.id
            if id in taken:
                raise ParameterError(f"perception reports '{id}' twice; each object has an id of its own")
            taken[id] = self._taken(percept)
        self._before = taken
        return tuple(taken.values())

    def _taken(self, percept: Percept) -> Percept:
        """A percept that nobody writes to."""
        id, hands = percept.model.id, percept.holders
        X_WO = _array(percept.X_WO, (4, 4), f"the percept of '{id}' has an X_WO")
        velocity = _array(percept.velocity, (6,), f"the percept of '{id}' has a velocity")
        last = self._before.get(id)
        if (
            last is not None
            and (last.model is percept.model and last.holders == hands)
            and np.array_equal(last.X_WO, X_WO)
            and np.array_equal(last.velocity, velocity)
        ):
            return last
        _check_rigid(X_WO, f"the percept of '{id}' has an X_WO")
        for hand in hands:
            if hand not in self._hands:
                wrong = not_found("hand", hand, self._hands)
                raise ParameterError(f"the percept of '{id}' is held by {hand!r}: {wrong}")
        if last is not None and np.array_equal(last.X_WO, X_WO):
            X_WO = last.X_WO
        return Percept(percept.model, X_WO, velocity, percept.held_by, percept.helped_by)

    def _check_model(self, model: object) -> None:
        """Raise for a model that is none; each is looked at once."""
        if not isinstance(model, ObjectModel):
            raise ParameterError(f"the model of a percept is an ObjectModel, not {model!r}")
        if self._models.get(model.id) is model:
            return
        if not isinstance(model.id, str) or not model.id or not isinstance(model.type, str):
            raise ParameterError(f"an object has words for id and type, not {model.id!r} and {model.type!r}")
        for number, shape in enumerate(model.shapes):
            _check_shape(shape, f"shape {number} of '{model.id}'")
        placed = {f"grasp '{grasp.name}'": grasp.X_OH for grasp in model.grasps}
        placed |= {f"frame '{name}'": X for name, X in model.frames.items()}
        for name, X in placed.items():
            _check_rigid(_array(X, (4, 4), f"{name} of '{model.id}' has a pose"), f"{name} of '{model.id}' has a pose")
        self._models[model.id] = model


def _check_shape(shape: Shape, what: str) -> None:
    """Raise for a shape that is none."""
    if shape.kind not in get_args(ShapeKind):
        raise ParameterError(f"{what}: {not_found('kind', str(shape.kind), get_args(ShapeKind))}")
    size = _array(shape.size, (SIZES[shape.kind],), f"{what}, a {shape.kind}, has a size")
    if (size == 0.0).any() or (shape.kind != "mesh" and (size < 0.0).any()):
        raise ParameterError(f"{what}, a {shape.kind}, has a size of {size.tolist()} m")
    _check_rigid(_array(shape.X_OS, (4, 4), f"{what} has an X_OS"), f"{what} has an X_OS")
    if shape.kind == "mesh" and (shape.mesh is None or not shape.mesh.is_file()):
        raise ParameterError(f"{what} is a mesh, and there is no such file: {shape.mesh}")
    if shape.kind == "points":
        found = () if shape.points is None else np.shape(shape.points)
        if found[1:] != (3,):
            raise ParameterError(f"{what} has points of shape {found}, not (k, 3)")


def _array(value: object, shape: tuple[int, ...], what: str) -> Array:
    """A copy of numbers; raises where they are none, or of another shape."""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{what} that is no array of numbers: {error}") from error
    if array.shape != shape:
        raise ParameterError(f"{what} of shape {array.shape}, not {shape}")
    if not np.isfinite(array).all():
        raise ParameterError(f"{what} with a number that is not finite: {array.tolist()}")
    return array


def _check_rigid(X: Array, what: str) -> None:
    """Raise for a matrix (4, 4) that is no pose."""
    R = X[:3, :3]
    if np.abs(R @ R.T - np.eye(3)).max() > OFF or np.linalg.det(R) < 0.0 or np.abs(X[3] - [0, 0, 0, 1]).max() > OFF:
        raise ParameterError(f"{what} that is no rotation and translation: {X.round(6).tolist()}")
