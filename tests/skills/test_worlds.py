"""Worlds that change, large ones, and odd ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Plan
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.collision import collision
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, PoseQuery, Snapshot

from .setting import at, box, robot_of
from .test_collision import naive_contacts, posed

NAME = "mannequin"


def things(count: int, random: np.random.Generator) -> list[ObjectModel]:
    """Of one or two shapes of any kind."""
    kinds: list[Callable[[Array], Shape]] = [
        lambda size: Shape("box", tuple(size), at(0, 0, 0.02)),
        lambda size: Shape("cylinder", (size[0] / 2, size[1]), np.eye(4)),
        lambda size: Shape("sphere", (size[0] / 2,), np.eye(4)),
        lambda size: Shape("points", (0.02,), np.eye(4), points=random.uniform(-0.5, 0.5, (40, 3)) * size),
    ]
    models = []
    for number in range(count):
        shapes = [kinds[(number + part) % 4](random.uniform(0.03, 0.3, 3)) for part in range(1 + number % 2)]
        models.append(ObjectModel(f"thing {number}", "toy", tuple(shapes)))
    return models


def anywhere(random: np.random.Generator) -> Array:
    return at(*random.uniform([-0.2, -1, 0.3], [1.5, 1, 1.5]))


def changed(bodies: list[Body], models: list[ObjectModel], robot: Robot, random: np.random.Generator) -> list[Body]:
    """Objects come, go, are moved, taken up and put down."""
    there = {body.model.id: body for body in bodies}
    for model in random.permutation(np.array(models, dtype=object))[:3]:
        choice, hands = int(random.integers(4)), [h for h in robot.hands if h not in {b.hand for b in there.values()}]
        if choice == 0:
            there.pop(model.id, None)
        elif choice == 1 and hands:
            there[model.id] = Body(model, anywhere(random), str(random.choice(hands)), at(*random.normal(0, 0.03, 3)))
        else:
            there[model.id] = Body(model, anywhere(random))
    return list(there.values())


@pytest.mark.parametrize("spare", [1000, -1000])
@pytest.mark.parametrize("seed", range(3))
def test_a_world_is_the_same_however_it_came_about(seed: int, spare: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many changes every answer is that of a checker that knows no other world, and so is the work done."""
    monkeypatch.setattr(collision, "SPARE", spare)
    robot, random = robot_of(NAME), np.random.default_rng(seed)
    models, checker = things(8, random), CollisionChecker(robot, 0.01, 0.004)
    bodies: list[Body] = []
    for _ in range(12):
        bodies = changed(bodies, models, robot, random)
        checker.set_bodies(bodies)
        allowed_contacts = [AllowedContact("left", models[int(random.integers(8))].id)]
        fresh = CollisionChecker(robot, 0.01, 0.004)
        fresh.set_bodies(bodies)
        before = checker.checks
        for one in (checker, fresh):
            one.set_allowed_contacts(allowed_contacts)
        q, other = posed(robot, random), posed(robot, random)
        assert checker.contact(q) == fresh.contact(q)
        assert checker.is_free(q) == fresh.is_free(q)
        assert checker.edge_is_free(q, other) == fresh.edge_is_free(q, other)
        assert checker.near_held(q) == fresh.near_held(q)
        assert checker.extent(q)[0] == fresh.extent(q)[0]
        X = np.array([anywhere(random) for _ in range(3)])
        assert checker.hand_contacts("left", X, q) == fresh.hand_contacts("left", X, q)
        Q = np.array([q, other])
        assert checker.are_free(Q).tolist() == fresh.are_free(Q).tolist()
        assert checker.contacts(Q) == fresh.contacts(Q)
        np.testing.assert_array_equal(checker.displacement(np.ones(robot.n)), fresh.displacement(np.ones(robot.n)))
        assert checker.checks - before == fresh.checks


def test_what_changed_agrees_with_a_naive_loop() -> None:
    """Points, too, are where they are and in a hand."""
    robot, random = robot_of(NAME), np.random.default_rng(5)
    models, checker, hits = things(8, random), CollisionChecker(robot), 0
    bodies: list[Body] = []
    for _ in range(10):
        bodies = changed(bodies, models, robot, random)
        checker.set_bodies(bodies)
        for _ in range(3):
            q = posed(robot, random)
            expected, contact = naive_contacts(robot, bodies, q), checker.contact(q)
            if expected and all(abs(distance) < 2e-5 for distance in expected.values()):
                continue
            assert (contact is None) == (not expected)
            assert contact is None or frozenset(contact.pair) in expected
            hits += contact is not None
    assert hits > 5


def many(random: np.random.Generator, count: int = 2000) -> list[Body]:
    """Boxes in a hall around the robot, none within a metre of it."""
    bodies: list[Body] = []
    while len(bodies) < count:
        p = random.uniform([-8, -8, 0], [8, 8, 3])
        if np.linalg.norm(p[:2]) > 1.6:
            bodies.append(Body(box(f"box {len(bodies)}", (0.08, 0.1, 0.12)), at(*p)))
    return bodies


def test_two_thousand_objects_are_a_world_like_any() -> None:
    """Moved, taken away and in the way: the answers are right."""
    robot, bodies = robot_of(NAME), many(np.random.default_rng(0))
    checker, q = CollisionChecker(robot), robot.posture(robot.stance)
    checker.set_bodies(bodies)
    assert checker.is_free(q)
    X_WH = hand_pose(robot, "left", q)
    checker.set_bodies([*bodies[:1000], Body(bodies[1000].model, X_WH), *bodies[1001:]])
    contact = checker.contact(q)
    assert contact is not None
    assert contact.second == "box 1000"
    checker.set_bodies([*bodies[:1000], *bodies[1001:]])
    assert checker.is_free(q)
    checker.set_bodies([*bodies[:1000], Body(bodies[1000].model, X_WH, "left", at(0, 0, 0.08)), *bodies[1001:]])
    assert checker.holds("left") == "box 1000"


@pytest.mark.slow
def test_among_two_thousand_objects_a_plan_is_found() -> None:
    """From one configuration to another."""
    robot, bodies = robot_of(NAME), many(np.random.default_rng(1))
    snapshot = Snapshot(robot.posture(robot.stance), {body.model.id: (body.model, body.X_WO) for body in bodies})
    goal = {robot.joints.index("left_elbow"): 0.7, robot.joints.index("right_elbow"): 0.5}
    result = Planner(robot).solve(snapshot, ConfigurationQuery(goal, 2.0, 0))
    assert isinstance(result, Plan), result.explain()


def test_an_object_inside_the_robot_is_named() -> None:
    """Where there is no way out, the failure says which pair, and how deep."""
    robot = robot_of(NAME)
    q = robot.posture(robot.stance)
    snapshot = Snapshot(q, {"ball": (ObjectModel("ball", "toy", (Shape("sphere", (3.0,), np.eye(4)),)), at(0, 0, 1.2))})
    result = Planner(robot).solve(snapshot, ConfigurationQuery({0: 0.1}, 2.0, 0))
    assert isinstance(result, Failure)
    assert result.kind == FailureKind.COLLISION
    pair, distance = result.facts["pair"], result.facts["distance"]
    assert isinstance(pair, tuple)
    assert "ball" in pair
    assert isinstance(distance, float)
    assert distance < -0.01


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_a_goal_on_a_joint_limit_is_reached(side: str) -> None:
    """Exactly."""
    robot = robot_of(NAME)
    index = robot.joints.index("left_elbow")
    goal = float(getattr(robot, side)[index])
    result = Planner(robot).solve(Snapshot(robot.posture(robot.stance), {}), ConfigurationQuery({index: goal}, 2.0, 0))
    assert isinstance(result, Plan), result.explain()
    assert result.trajectory.sample(result.trajectory.duration)[0][-1] == pytest.approx(goal, abs=1e-9)


@pytest.mark.parametrize("query", [ConfigurationQuery({}, 2.0, 0), "where it is"])
def test_a_plan_to_where_it_is_stays_there(query: ConfigurationQuery | str) -> None:
    """Also one without joints."""
    robot = robot_of(NAME)
    q = robot.posture(robot.stance)
    asked = ConfigurationQuery({5: float(q[5])}, 2.0, 0) if isinstance(query, str) else query
    result = Planner(robot).solve(Snapshot(q, {}), asked)
    assert isinstance(result, Plan), result.explain()
    for time in np.linspace(0.0, result.trajectory.duration, 5):
        np.testing.assert_allclose(result.trajectory.sample(float(time))[0], q[result.trajectory.indices], atol=1e-9)


def test_without_goals_there_is_no_plan() -> None:
    """A failure, not an error: there may be nothing to grasp."""
    robot = robot_of(NAME)
    result = Planner(robot).solve(Snapshot(robot.posture(robot.stance), {}), PoseQuery((), (), {}, 2.0, 0))
    assert isinstance(result, Failure)


def test_an_edge_of_no_length_is_judged_like_its_end() -> None:
    """Free or not."""
    robot, checker = robot_of(NAME), CollisionChecker(robot_of(NAME))
    q = robot.posture(robot.stance)
    assert checker.edge_is_free(q, q)
    checker.set_bodies([Body(box("block", (0.5, 0.5, 0.5)), at(0, 0, 1))])
    assert not checker.edge_is_free(q, q)


@pytest.mark.slow
def test_a_mesh_of_a_hundred_thousand_triangles_is_checked(tmp_path: Path) -> None:
    """Its hull by the kernel, its triangles by coal."""
    file = tmp_path / "statue.stl"
    file.write_bytes(bumpy(230))
    robot, checker = robot_of(NAME), CollisionChecker(robot_of(NAME))
    q = robot.posture(robot.stance)
    model = ObjectModel("statue", "obstacle", (Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=file),))
    checker.set_bodies([Body(model, at(0.6, 0, 1))])
    assert checker.is_free(q)
    checker.set_bodies([Body(model, at(0.3, 0, 1))])
    contact = checker.contact(q)
    assert contact is not None
    assert "statue" in contact.pair


def bumpy(n: int) -> bytes:
    """A ball of 30 cm with bumps, as an STL file of 2 n (n - 1) triangles."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n, endpoint=False), np.linspace(0.01, np.pi - 0.01, n), indexing="ij")
    r = 0.3 * (1 + 0.1 * np.sin(7 * u) * np.sin(5 * v))
    points = np.stack([r * np.sin(v) * np.cos(u), r * np.sin(v) * np.sin(u), r * np.cos(v)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n), np.arange(n - 1), indexing="ij")
    a, b = (i * n + j).ravel(), ((i + 1) % n * n + j).ravel()
    faces = np.concatenate([np.stack([a, b, b + 1], -1), np.stack([a, b + 1, a + 1], -1)])
    rows = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = points[faces]
    return bytes(80) + np.uint32(len(faces)).tobytes() + rows.tobytes()
