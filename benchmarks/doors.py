"""A cupboard door whose hinge is not where the robot believes it: how hard it pulls, with and without a stiffness.

    python benchmarks/doors.py --robots g1,asimo,bandit --seeds 3 --json doors.json

The robot is told a radius of the handle that is 0.8, 1 or 1.2 times what it is, and opens the door by 70 % in physics.
Force is what the hand feels while it holds the handle: the greatest of single steps, and of means over 50 ms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.progress import track
from rich.table import Table

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Open
from taskmatrix.conditions.opened import opening
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import robot_names
from taskmatrix.simulation.physics import PhysicsPlant

DOOR, SHARE = "cupboard_door", 0.7
FACTORS = (0.8, 1.0, 1.2)
STIFFNESSES = (None, 300.0)  # [N/m]
SMOOTH = 0.05  # [s]


def mistaken(percept: Percept, factor: float) -> Percept:
    """A door whose axis is taken to be elsewhere on the line to its handle; its surface is where it is."""
    model, joint = percept.model, percept.model.joint
    assert joint is not None
    handle = model.grasps[0].X_OH[:3, 3]
    radius = handle - (handle @ joint.axis) * joint.axis
    moved = np.eye(4)
    moved[:3, 3] = (1.0 - factor) * radius
    back = inverse(moved)
    supposed = replace(
        model,
        joint=replace(joint, X_PJ=joint.X_PJ @ moved),
        shapes=tuple(replace(shape, X_OS=back @ shape.X_OS) for shape in model.shapes),
        grasps=tuple(replace(grasp, X_OH=back @ grasp.X_OH) for grasp in model.grasps),
        frames={name: back @ X for name, X in model.frames.items()},
    )
    return replace(percept, X_WO=percept.X_WO @ moved, model=supposed)


def believe(session: Session, factor: float) -> None:
    """Have the robot perceive the door with another radius from now on."""
    perception = session.context.perception
    update, model = perception.update, mistaken(perception.object(DOOR), factor).model

    def updated(percepts: Iterable[Percept], time: float) -> None:
        seen = {percept.model.id: percept for percept in percepts}
        door = replace(mistaken(seen[DOOR], factor), model=model)  # the same each time: nobody takes it for another
        update({**seen, DOOR: door}.values(), time)

    perception.update = updated  # type: ignore[method-assign]
    session.look()


def measured(robot: str, sim: str, factor: float, stiffness: float | None, seed: int) -> dict[str, Any]:
    """What becomes of one door."""
    with simulate(robot, "kitchen", seed, sim=sim) as session:
        if factor != 1.0:
            believe(session, factor)
        plant, forces = session.plant, list[float]()
        assert isinstance(plant, PhysicsPlant)

        def note(event: Event) -> None:
            if event.kind == "step":
                felt = plant.feel()
                forces.extend(float(np.linalg.norm(felt[hand].force)) for hand in plant.held())

        session.events.subscribe(note)
        outcome = session.run(Open(object=DOOR, share=SHARE, stiffness=stiffness))
        length = max(1, round(SMOOTH / session.context.dt))
        means, share = np.convolve(forces or [0.0], np.ones(length) / length), opening(session.context, DOOR)
        return {
            "robot": robot,
            "sim": sim,
            "radius": factor,
            "stiffness [N/m]": stiffness,
            "seed": seed,
            "open [%]": 100.0 * share if isinstance(share, float) else None,
            "most [N]": max(forces, default=None),
            "mean, 50 ms [N]": float(means.max()) if forces else None,
            "why not": "" if outcome.failure is None else outcome.failure.root.message,
        }


def run(
    robots: Names = None,
    sims: Annotated[str, typer.Option(help="Separated by commas.")] = "mujoco",
    seeds: Annotated[int, typer.Option(help="From 0 on.", min=1)] = 3,
    json_: Json = None,
) -> None:
    """How hard a door is pulled that turns otherwise than it is believed to."""
    console, rows = Console(width=160), list[dict[str, Any]]()
    cases = list(product(chosen("robot", robots, robot_names()), sims.split(","), FACTORS, STIFFNESSES, range(seeds)))
    for robot, sim, factor, stiffness, seed in track(cases, "opening", console=Console(stderr=True), transient=True):
        rows.append(measured(robot, sim, factor, stiffness, seed))
        if json_ is not None:
            json_.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    table = Table(*rows[0], title="a door with another radius than is believed")
    for row in rows:
        table.add_row(*(f"{value:.1f}" if isinstance(value, float) else str(value) for value in row.values()))
    console.print(table)


if __name__ == "__main__":
    main(run)
