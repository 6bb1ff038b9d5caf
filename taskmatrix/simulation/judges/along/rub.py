"""Judges rub and wipe."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array, ObjectModel

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import box
from ..measures.holding import holder

CELL = 0.004  # [m] of the grid on which what was rubbed is counted
MOVED = 0.002  # [m] between two looks
NEAR = 0.005  # [m] between what is held and the surface: it is on it
SOLE = 0.005  # [m] above its underside, and a shape rubs too
SHARE = 0.95  # of the patch that was to be rubbed
ASKED = {"length": 0.2, "width": 0.1}  # [m] unless something else is


class RubJudge(Judge):
    """Success of rub and wipe.

    While a hand held the object it was moved over the surface, no further than 5 mm from its top, so that its underside
    went over 95 % of what a disc as wide as the object would cover on such a patch. In the end it is held, and the
    surface is where it was.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why too little was rubbed."""
        id, on = str(parameters["object"]), str(parameters["on"])
        if not holder(record.end, id):
            return f"no hand holds '{id}' in the end"
        shifted = float(np.linalg.norm(record.end.poses[on][:3, 3] - record.start.poses[on][:3, 3]))
        if shifted > record.tolerance.still:
            return f"'{on}' was moved by {shifted * 1000:.0f} mm"
        lower, upper = box(record.objects[on], record.end.poses[on])
        sole = _sole(record.objects[id])
        cells = np.zeros([int(n) for n in np.ceil((upper - lower)[:2] / CELL)], dtype=bool)
        last = np.full(3, np.inf)
        for step in record.run:
            X = step.poses[id]
            if np.linalg.norm(X[:3, 3] - last) < MOVED or not holder(step, id):
                continue
            if abs(box(record.objects[id], X)[0][2] - upper[2]) <= NEAR:
                last = X[:3, 3]
                cells |= _covered(cells.shape, lower, X, sole)
        side = float((sole[1] - sole[0])[:2].min())
        length, width = (float(str(parameters.get(name, asked))) for name, asked in ASKED.items())
        area, wanted = float(cells.sum()) * CELL**2, length * width + (length + width) * side
        facts.update(area=area, wanted=wanted)
        return "" if area >= SHARE * wanted else f"{area * 1e4:.0f} of {wanted * 1e4:.0f} cm2 of '{on}' were rubbed"


def _sole(model: ObjectModel) -> tuple[Array, Array]:
    """Lower and upper corner (3,) [m] of the box in its own frame around what an object stands on."""
    boxes = [box(ObjectModel(model.id, model.type, (shape,)), np.eye(4)) for shape in model.shapes if shape.collides]
    underside = min(lower[2] for lower, _ in boxes)
    low = [each for each in boxes if each[0][2] <= underside + SOLE]
    return np.min([lower for lower, _ in low], axis=0), np.max([upper for _, upper in low], axis=0)


def _covered(shape: tuple[int, ...], corner: Array, X_WO: Array, sole: tuple[Array, Array]) -> NDArray[np.bool_]:
    """(i, j) The cells of a grid from a corner of the surface that are under an object's sole."""
    x, y = (corner[k] + CELL * (np.arange(shape[k]) + 0.5) - X_WO[k, 3] for k in (0, 1))
    own = x[:, None, None] * X_WO[0, :2] + y[None, :, None] * X_WO[1, :2]
    covered: NDArray[np.bool_] = ((sole[0][:2] <= own) & (own <= sole[1][:2])).all(axis=-1)
    return covered
