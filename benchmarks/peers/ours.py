"""The kernel of this library, once it is there."""

from __future__ import annotations

import numpy as np
from problems.rows import Array, ChainRow, SceneRow

from .base import Collision, Solve


def ik(row: ChainRow) -> Solve:
    """A chain of the model, solved in compiled code with its own restarts."""
    import pinocchio as pin

    from taskmatrix.skills.kernel.chain import Chain
    from taskmatrix.skills.kernel.ik import solve as solve_chain

    model = pin.buildModelFromUrdf(row.body.urdf)
    chain = Chain.from_model(model, row.body.tips[0], row.body.joints)

    def solve(target: Array, deadline: float, random: np.random.Generator) -> Array | None:
        solution = solve_chain(chain, target, row.start)
        return np.asarray(solution.q) if solution.success else None

    return solve


def collision(row: SceneRow) -> Collision:
    """The model and the geometry as coal takes them, asked by edge and by batch."""
    return _Kernel(row)


class _Kernel(Collision):
    batched = True

    def __init__(self, row: SceneRow) -> None:
        from problems.models import load_scene

        from taskmatrix.skills.kernel.checker import Kernel

        self._kernel = Kernel(*load_scene(row))

    def hits(self, q: Array) -> bool:
        return not self._kernel.is_free(q)

    def edge_hits(self, a: Array, b: Array) -> bool:
        return not self._kernel.edge_is_free(a, b)

    def all_hit(self, Q: Array) -> Array:
        return ~np.asarray(self._kernel.are_free(Q), dtype=bool)
