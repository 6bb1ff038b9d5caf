"""Bodies that are not convex: what the kernel says of them, beside coal on their triangles."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.collision.kernel import Kernel

from .room import cup
from .trees import Referee, add, configuration, mesh_of, placement

NEARLY = 1e-4  # [m] from contact, where the kernel may be in doubt


def ring(random: np.random.Generator) -> coal.BVHModelBase:
    """A square ring of random width, through which others pass."""
    corners = [
        [x * width, y * width, z]
        for width in (0.1, random.uniform(0.12, 0.2))
        for z in (-0.02, 0.02)
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    faces = []
    for one, other in ((0, 4), (4, 12), (12, 8), (8, 0)):
        for k in range(4):
            following = (k + 1) % 4
            faces += [[one + k, one + following, other + k], [other + k, one + following, other + following]]
    return mesh_of(np.array(corners), np.array(faces))


def arms(seed: int) -> tuple[pin.Model, pin.GeometryModel]:
    """Two chains of three joints with rings, cups, boxes and cones, and some of them in the world."""
    random = np.random.default_rng(seed)
    model, geometry = pin.Model(), pin.GeometryModel()
    shapes = (
        lambda: ring(random),
        cup,
        lambda: coal.Box(0.05, 0.05, 0.3),
        lambda: coal.Cone(0.05, 0.2),
        lambda: coal.Cylinder(0.03, 0.2),
    )
    for chain in range(2):
        parent = 0
        for k in range(3):
            joint = pin.JointModelRevoluteUnaligned(np.eye(3)[random.integers(3)])
            limit = np.array([2.0])
            parent = model.addJoint(
                parent, joint, placement(random, 0.15), f"{chain}_{k}", np.ones(1), np.ones(1), -limit, limit
            )
            add(geometry, f"{chain}_{k}", parent, placement(random, 0.05), shapes[random.integers(len(shapes))]())
    for k in range(2):
        add(geometry, f"thing_{k}", 0, placement(random, 0.3), ring(random))
    geometry.addAllCollisionPairs()
    return model, geometry


@pytest.mark.parametrize("seed", range(12))
def test_doubt_is_contact(seed: int) -> None:
    """No contact of triangles is missed in a state, and where there is doubt bodies touch, or very nearly."""
    model, geometry = arms(seed)
    kernel, referee, random = Kernel(model, geometry), Referee(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(40)])
    many = kernel.doubts(Q)
    for state, q in enumerate(Q):
        doubtful = set(kernel.doubtful(q))
        assert referee.touching(q) <= doubtful == set(many[many[:, 0] == state, 1].tolist())
        distances = referee.distances(q)
        assert all(distances[pair] < NEARLY for pair in doubtful)


@pytest.mark.parametrize("seed", range(12))
def test_no_contact_is_missed_on_an_edge(seed: int) -> None:
    """By more than a millimetre; and an edge along which all keep some millimetres apart is free without coal."""
    model, geometry = arms(seed)
    checker, referee, random = Checker(model, geometry), Referee(model, geometry), np.random.default_rng(seed)
    start = configuration(model, random)
    end = start + random.uniform(-0.4, 0.4, model.nq)
    touching, near = set[int](), set[int]()
    for t in np.linspace(0.0, 1.0, 60):
        distances = referee.distances(start + t * (end - start))
        touching |= set(np.flatnonzero(distances < -1.1e-3).tolist())
        near |= set(np.flatnonzero(distances < 3e-3).tolist())
    doubtful = {pair for pair, _, _ in checker.kernel.doubtful_pieces(start, end)}
    assert touching <= doubtful <= near
    assert checker.edge_is_free(start, end) <= (not touching)


@pytest.mark.parametrize("seed", range(6))
def test_how_far_apart_meshes_are(seed: int) -> None:
    """At least, in sixteen configurations at once: what tables are measured by."""
    model, geometry = arms(seed)
    kernel, referee, random = Kernel(model, geometry), Referee(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(16)])
    distances = np.minimum([referee.distances(q) for q in Q], 0.2)
    for pair in range(referee.pairs):
        kernel.active[:] = False
        kernel.active[pair] = True
        apart, true = kernel.separations(Q, 0.2), distances[:, pair]
        assert (apart <= true + 1e-6)[true > 0].all()
        assert (apart >= true - 3 * NEARLY)[true > 0].all()
