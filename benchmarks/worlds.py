"""What it costs to change a world: to move an object, take it up, put it down, add one or take one away.

    python benchmarks/worlds.py --robots talos,mannequin --objects 20,2000 --json worlds.json

Boxes and cylinders in a hall around the robot, none within reach of it. Times are of the processor, of the checker
that callers use; also of a state and an edge among so many objects, and of a motion planned from scratch. Clouds of
points are loaded beside coal's octree of the same: of surfaces, where many points share a cube, and of fog.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time
from typing import Annotated

import coal
import numpy as np
import typer
from console import Console
from options import Json, Names, main
from rich.table import Table

from taskmatrix.core.world.geometry import cubes
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot, load_robot
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.collision.shapes import parts
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot

SHAPES = (("box", (0.08, 0.1, 0.12)), ("cylinder", (0.05, 0.2)))
ROUNDS = 15
RESOLUTION = 0.02  # [m] of clouds


def clouds(count: int) -> dict[str, Array]:
    """(count, 3) [m] Points on a floor, a wall and a table top; and anywhere in a room."""
    random = np.random.default_rng(0)
    surfaces = [((-3, -3, 0), (3, 3, 0.001)), ((1.5, -3, 0), (1.501, 3, 2.5)), ((-1, 1.5, 0.7), (1, 2.2, 0.72))]
    shares = np.array_split(np.arange(count), len(surfaces))
    seen = [random.uniform(low, high, (len(share), 3)) for share, (low, high) in zip(shares, surfaces, strict=True)]
    return {"surfaces": np.vstack(seen), "fog": random.uniform((-3, -3, 0), (3, 3, 2.5), (count, 3))}


def loading(points: Array) -> dict[str, float]:
    """[s] What a cloud of points (k, 3) costs that was not seen before, with us and with coal."""

    def load(shift: float) -> None:
        parts(ObjectModel("cloud", "toy", (Shape("points", (RESOLUTION,), np.eye(4), points=points + shift),)))

    load(0.0)  # what is compiled once is compiled
    ours = milliseconds(lambda: load(float(np.random.default_rng().uniform())), 5) / 1e3
    coals = milliseconds(lambda: coal.makeOctree(points, RESOLUTION), 5) / 1e3
    shape = Shape("points", (RESOLUTION,), np.eye(4), points=points)
    return {"points": len(points), "cubes": len(cubes(shape)), "taskmatrix [s]": ours, "coal [s]": coals}


def bodies_around(count: int, random: np.random.Generator) -> list[Body]:
    """Objects in a hall of 16 m, none within 1.6 m of its middle."""
    bodies: list[Body] = []
    while len(bodies) < count:
        X = np.eye(4)
        X[:3, 3] = random.uniform([-8, -8, 0], [8, 8, 3])
        if np.linalg.norm(X[:2, 3]) > 1.6:
            kind, size = SHAPES[len(bodies) % 2]
            model = ObjectModel(f"object {len(bodies)}", "toy", (Shape(kind, size, np.eye(4)),))  # type: ignore[arg-type]
            bodies.append(Body(model, X))
    return bodies


def milliseconds(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median."""
    times = []
    for _ in range(rounds):
        began = process_time()
        run()
        times.append(process_time() - began)
    return float(1e3 * np.median(times))


def figures(robot: Robot, count: int) -> dict[str, float]:
    """[ms] By what is done."""
    random = np.random.default_rng(0)
    bodies, checker, q = bodies_around(count, random), CollisionChecker(robot), robot.posture(robot.stance)
    last, end = bodies[-1], q.copy()
    end[robot.indices(next(iter(robot.hands.values())).arm)[0]] += 0.05
    there, without = bodies[:-1], CollisionChecker(robot)
    held = Body(last.model, last.X_WO, next(iter(robot.hands)), np.eye(4))

    def moved() -> list[Body]:
        X = last.X_WO.copy()
        X[0, 3] += random.uniform(0.0, 0.1)
        return [*there, Body(last.model, X)]

    def fresh() -> list[Body]:
        size = tuple(random.uniform(0.05, 0.1, 3))
        return [*there, Body(ObjectModel("new", "toy", (Shape("box", size, np.eye(4)),)), last.X_WO)]

    def plan() -> object:
        objects = {body.model.id: (body.model, body.X_WO) for body in bodies}
        goal = {int(index): float(end[index]) for index in np.flatnonzero(end != q)}
        return planner.solve(Snapshot(q, objects), ConfigurationQuery(goal, 1.0, 0))

    without.set_bodies(bodies[:2])  # what is compiled once is compiled
    found = {"all added": milliseconds(lambda: checker.set_bodies(bodies), 1)}
    worlds: dict[str, tuple[Callable[[], list[Body]], Callable[[], list[Body]]]] = {
        "moved": (moved, lambda: bodies),
        "attached": (lambda: [*there, held], lambda: bodies),
        "detached": (lambda: bodies, lambda: [*there, held]),
        "added": (fresh, lambda: there),
        "removed": (lambda: there, lambda: bodies),
    }
    for what, (after, before) in worlds.items():
        times = []
        for _ in range(ROUNDS):
            checker.set_bodies(before())
            world = after()
            began = process_time()
            checker.set_bodies(world)
            times.append(1e3 * (process_time() - began))
        found[what] = float(np.median(times))
    checker.set_bodies(bodies)
    found["state"] = milliseconds(lambda: checker.is_free(q))
    found["edge"] = milliseconds(lambda: checker.edge_is_free(q, end))
    planner = Planner(robot)
    plan()
    found["plan"] = milliseconds(plan, 3)
    return found


def worlds(
    robots: Names = None,
    objects: Annotated[str, typer.Option()] = "20,200,2000",
    points: Annotated[int, typer.Option(help="Of a cloud that is loaded.", min=0)] = 1_000_000,
    json_file: Json = None,
) -> None:
    """Print what changes of a world cost."""
    table, everything = Table(title="worlds that change [ms]"), []
    for robot in [load_robot(name) for item in robots or ["talos,mannequin"] for name in item.split(",")]:
        for count in map(int, objects.split(",")):
            found = figures(robot, count)
            everything.append({"robot": robot.name, "objects": count, **found})
            if not table.columns:
                for column in everything[0]:
                    table.add_column(column)
            table.add_row(robot.name, str(count), *(f"{value:.3f}" for value in found.values()))
    console = Console(width=140)
    console.print(table)
    for name, cloud in clouds(points).items() if points else ():
        found = loading(cloud)
        everything.append({"cloud": name, **found})
        console.print(f"cloud of {name}: " + ", ".join(f"{what} {value:.3g}" for what, value in found.items()))
    console.bars(table, *list(everything[0])[2:], by=2)
    if json_file is not None:
        json_file.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main(worlds)
