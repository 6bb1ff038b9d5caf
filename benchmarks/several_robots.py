"""Several robots at work in one world, without end: do they touch each other, and what does it cost?

    python benchmarks/several_robots.py --robots asimo,mannequin,bandit,nao,talos --minutes 5 --json several.json

Each robot takes up one task after the other, drawn from the seed: it walks about, looks at the others and greets them,
looks round, takes a posture, fetches its own thing and puts it down again. After each control step all bodies of the
robots are compared by coal, by their exact shapes. What a control step costs is the processor's time for each robot,
beside that of each robot which does the same alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator
from functools import partial
from itertools import combinations
from time import process_time
from typing import Annotated, Any

import coal
import numpy as np
import pinocchio as pin
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix import Outcome, Session, TaskBehavior, simulate_robots
from taskmatrix.behaviors import Fixate, Greet, Pickup, Postural, Putdown, RandomWalk, Scan
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.objects import Array
from taskmatrix.session import MultiRobotSession

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal")
THINGS = ("soda_can", "vacuum", "tennis_ball")  # of the first robots, one each


class Contacts:
    """Compares the robots after each control step of all."""

    def __init__(self, robots: MultiRobotSession) -> None:
        self._robots = robots
        self._balls = {name: _balls(session) for name, session in robots.items()}
        self.steps, self.touching = 0, Counter[tuple[str, str]]()

    def __call__(self, event: Event) -> None:
        """Look at each pair of robots."""
        if event.kind != "step":
            return
        self.steps += 1
        placed = {name: self._placed(name) for name in self._robots}
        for first, second in combinations(self._robots, 2):
            self._compare(first, second, placed[first], placed[second])

    def _placed(self, name: str) -> tuple[list[pin.SE3], Array]:
        robot, q = self._robots[name].robot, self._robots[name].plant.sense().q
        data = robot.collision.createData()
        pin.updateGeometryPlacements(robot.model, robot.data, robot.collision, data, robot.expand(q))
        return list(data.oMg), np.array([X.act(ball[0]) for X, ball in zip(data.oMg, self._balls[name], strict=True)])

    def _compare(self, first: str, second: str, a: tuple[list[pin.SE3], Array], b: tuple[list[pin.SE3], Array]) -> None:
        radii = [np.array([ball[1] for ball in self._balls[name]]) for name in (first, second)]
        gaps = np.linalg.norm(a[1][:, None] - b[1][None], axis=2) - radii[0][:, None] - radii[1][None]
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        bodies = [self._robots[name].robot.collision.geometryObjects for name in (first, second)]
        for i, j in np.argwhere(gaps <= 0.0).tolist():
            X, Y = (coal.Transform3s(each.rotation, each.translation) for each in (a[0][i], b[0][j]))
            result.clear()
            if coal.collide(bodies[0][i].geometry, X, bodies[1][j].geometry, Y, request, result):
                self.touching[f"{first}/{bodies[0][i].name}", f"{second}/{bodies[1][j].name}"] += 1


def _balls(session: Session) -> list[tuple[Array, float]]:
    """Around each collision body: where, in its frame, and how large [m]."""
    found = []
    for body in session.robot.collision.geometryObjects:
        body.geometry.computeLocalAABB()
        found.append((np.ravel(body.geometry.aabb_center), float(body.geometry.aabb_radius)))
    return found


def work(
    session: Session, others: list[str], thing: str | None, until: float, seed: list[int]
) -> Generator[TaskBehavior, Outcome, None]:
    """Tasks without end, until some time [s]."""
    random = np.random.default_rng(seed)
    heads = [other for other in others if other in session.context.perception]
    while session.context.clock.now() < until:
        choice = random.integers(6 if thing else 5)
        if choice == 0 and heads:
            yield Greet(target=heads[random.integers(len(heads))])
        elif choice == 1 and heads:
            yield Fixate(target=heads[random.integers(len(heads))])
        elif choice == 2:
            yield Scan(duration=6.0)
        elif choice == 3:
            yield Postural(posture="ready")
        elif choice == 5 and thing is not None:
            picked_up = yield Pickup(object=thing)
            if picked_up.success:
                yield Putdown(object=thing, on="table")
        else:
            yield RandomWalk(duration=8.0)


def together(robots: dict[str, str], world: str, seed: int, minutes: float, judged: bool) -> dict[str, Any]:
    """Run some robots in a world; how it went."""
    with simulate_robots(robots, world, seed) as sessions:
        seen = {id for session in sessions.values() for id in session.context.perception.percepts}
        heads = [id for id in seen if "/" in id and any(_is_head(each, id) for each in sessions.values())]
        contacts = Contacts(sessions)
        if judged:
            last = list(sessions)[-1]  # after it all have moved
            sessions[last].events.subscribe(contacts)
        things = dict(zip(sessions, THINGS, strict=False))
        began = process_time()
        ended = sessions.run(
            {
                name: partial(
                    work, others=sorted(heads), thing=things.get(name), until=60.0 * minutes, seed=[seed, number]
                )
                for number, name in enumerate(sessions)
            }
        )
        spent = process_time() - began
        steps = sum(session.events.step for session in sessions.values())
    outcomes = [outcome for each in ended.values() for outcome in each]
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    return {
        "robots": robots,
        "minutes": minutes,
        "behaviors": len(outcomes),
        "succeeded": sum(outcome.success for outcome in outcomes),
        "failures": dict(Counter(failure.root.kind.value for failure in failures)),
        "unexplained": [
            failure.explain()
            for failure in failures
            if failure.root.kind in {FailureKind.EXCEPTION, FailureKind.TIMEOUT, FailureKind.DEAD_END}
        ],
        "looked at": contacts.steps,
        "contacts": {" and ".join(pair): count for pair, count in contacts.touching.items()},
        "ms": 1e3 * spent / steps,
    }


def _is_head(session: Session, id: str) -> bool:
    perception = session.context.perception
    return id in perception and perception.object(id).model.is_a("humanoid")


def several(
    robots: Annotated[
        str, typer.Option(metavar="NAMES", help="Separated by commas.")
    ] = "asimo,mannequin,bandit,nao,talos",
    world: Annotated[str, typer.Option(metavar="NAME")] = "cottage",
    seed: Annotated[int, typer.Option(min=0)] = 0,
    minutes: Annotated[float, typer.Option(min=0.1, help="Of simulated time.")] = 5.0,
    json_file: Json = None,
) -> None:
    """Several robots at work in one world."""
    named = dict(zip(NAMES, robots.split(","), strict=False))
    alone = [together({name: robot}, world, seed, min(minutes, 1.0), judged=False) for name, robot in named.items()]
    quick = together(named, world, seed, min(minutes, 1.0), judged=False)
    row = together(named, world, seed, minutes, judged=True)
    row["ms alone"], row["ms together"] = [each["ms"] for each in alone], quick["ms"]
    table = Table("what", "figure")
    for what, figure in row.items():
        table.add_row(what, str(figure))
    Console().print(table)
    if json_file is not None:
        json_file.write_text(json.dumps(row, indent=1))


if __name__ == "__main__":
    main(several)
