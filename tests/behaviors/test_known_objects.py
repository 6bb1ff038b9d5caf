"""What library machines say of objects that are not there."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import PickAndPlace, Putdown, Regrasp, Vacuum
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.machines.machine import Machine
from taskmatrix.testing import Bench, box_percept

CUP = box_percept("cup", (0.4, 0.3, 1.0))
TABLE = box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")


@pytest.mark.parametrize(
    "machine",
    [
        PickAndPlace(object="cup", on="tabel"),
        Putdown(on="tabel"),
        Regrasp(object="cup", on="tabel"),
        Vacuum(object="cup", on="tabel"),
    ],
)
def test_a_misspelt_surface_is_told_before_anything_moves(machine: Machine) -> None:
    """With the name that was meant."""
    bench = Bench([CUP, TABLE])
    failure = bench.run(machine).failure
    assert failure is not None
    assert failure.kind is FailureKind.UNKNOWN_OBJECT
    assert failure.explain() == f"{machine.name}: no object 'tabel'; did you mean 'table'? There are: cup, table."
