"""What a camera makes of a scene: errors of poses, time for an image, and pickups by camera alone, judged.

    python benchmarks/perception.py --robots mannequin,asimo,talos --seeds 5 --json perception.json

A robot starts near the table of the sparse world and knows the furniture, nothing else. It looks around (scan), and
picks up what it has seen. Errors are of what it believes after it has looked around, against the plant's truth;
rotations that nobody can see do not count. Times are of the processor.
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import product
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.table import Table

from taskmatrix.behaviors import Pickup, Scan
from taskmatrix.core.base.failure import plain
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import angle_between, pose_error
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.symmetry import symmetry_of
from taskmatrix.session.perception_pipeline import CameraPipeline
from taskmatrix.session.perception_process import CameraProcess
from taskmatrix.session.session import CONTROL_STEP, Session, simulate
from taskmatrix.simulation import Record, judge_of
from taskmatrix.simulation.sensors import Faults

START = (1.1, 0.0, 0.0)
FAULTS = {
    "none": Faults(),
    "dropped": Faults(dropped=0.3),
    "frozen": Faults(frozen=0.3),
    "noisy": Faults(noise=0.005, dropouts=0.1),
}
OBJECTS = ("vacuum", "soda_can")


class Stopwatch:
    """Times of the processor for each image: taking it, and making objects of it."""

    def __init__(self, perception_process: CameraProcess) -> None:
        self.taken: list[float] = []
        self.seen: list[float] = []
        camera, perception = perception_process.camera, perception_process.perception
        take, see = camera.take, perception.see

        def timed_take(*given: Any) -> DepthImage | None:
            began = process_time()
            image = take(*given)
            self.taken.append(process_time() - began)
            return image

        def timed_see(image: DepthImage) -> None:
            began = process_time()
            see(image)
            self.seen.append(process_time() - began)

        camera.take, perception.see = timed_take, timed_see  # type: ignore[method-assign, assignment]


def errors(session: Session) -> dict[str, tuple[float, float]]:
    """[mm] and [deg] by object, of what was not known to begin with."""
    poses = session.plant.truth()["poses"]
    assert isinstance(poses, dict)
    known = session.context.perception
    return {id: _error(known.object(id).model, known.pose(id), X) for id, X in poses.items() if id in known}


def _error(model: ObjectModel, X_WO: Array, truth: Array) -> tuple[float, float]:
    symmetry = symmetry_of(model.shapes)
    distance, angle = pose_error(X_WO, truth)
    if symmetry.kind == "axis":
        angle = angle_between(X_WO[:3, :3] @ symmetry.axis, truth[:3, :3] @ symmetry.axis)
    return 1e3 * distance, 0.0 if symmetry.kind == "sphere" else float(np.degrees(angle))


def pickup(robot: str, object: str, seed: int, fault: str) -> dict[str, Any]:
    """Look around, pick up, and judge."""
    with simulate(robot, seed=seed, start=START, perception=CameraPipeline(faults=FAULTS[fault])) as session:
        assert isinstance(session.perception_process, CameraProcess)
        watch = Stopwatch(session.perception_process)
        world = session.world
        record = Record(session.robot, world.objects, CONTROL_STEP, session.plant.truth(), world.objects)
        session.events.subscribe(record)
        session.run(Scan(duration=12.0, period=12.0))
        found = {id: each for id, each in errors(session).items() if world.objects[id].movable}
        task = Pickup(object=object)
        outcome = session.run(task)
        judgement = judge_of("pickup")(record, dict(task.parameters))
    return {
        "robot": robot,
        "object": object,
        "seed": seed,
        "fault": fault,
        "success": outcome.success and judgement.success,
        "reason": str(outcome) if not outcome.success else judgement.reason,
        "kind": outcome.failure.root.kind.value if outcome.failure else None,
        "errors": found,
        "taken": watch.taken,
        "seen": watch.seen,
    }


def run(
    robots: Names = None,
    objects: Names = None,
    faults: Names = None,
    seeds: Annotated[int, typer.Option(help="Runs of each robot, object and fault.", min=1)] = 5,
    json_file: Json = None,
) -> None:
    """Run all and report."""
    robots = chosen("robot", robots, ("mannequin", "asimo", "talos"))
    objects, faults = chosen("object", objects, OBJECTS), chosen("fault", faults, FAULTS)
    runs = []
    for robot, fault, object, seed in product(robots, faults, objects, range(seeds)):
        runs.append(pickup(robot, object, seed, fault))
        last = runs[-1]
        if not last["success"]:
            Console(width=160).print(f"{robot} {object} {seed} {fault}: {last['reason']}")
    report(runs)
    if json_file is not None:
        json_file.write_text(json.dumps(plain({"runs": runs}), indent=1))


def report(runs: list[dict[str, Any]]) -> None:
    """Print the tables."""
    console = Console(width=120)
    table = Table("robot", "faults", "object", "pickups", "known", "median mm", "worst mm", "median deg", "failed as")
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for item in runs:
        groups[item["robot"], item["fault"], item["object"]].append(item)
    for (robot, fault, object), items in groups.items():
        found = np.array([item["errors"][object] for item in items if object in item["errors"]]).reshape(-1, 2)
        figures = (np.median(found[:, 0]), found[:, 0].max(), np.median(found[:, 1])) if len(found) else (np.nan,) * 3
        wins = f"{sum(item['success'] for item in items)}/{len(items)}"
        kinds = ", ".join(sorted({item["kind"] or "judge" for item in items if not item["success"]}))
        known = f"{len(found)}/{len(items)}"
        table.add_row(robot, fault, object, wins, known, *(f"{figure:.2f}" for figure in figures), kinds)
    console.print(table)
    console.bars(table, "pickups", "median mm", "worst mm", "median deg", by=3)
    times = Table("robot", "images", "taken: median ms", "objects: median ms", "objects: 95 %", "objects: worst")
    for robot in dict.fromkeys(item["robot"] for item in runs):
        mine = [item for item in runs if item["robot"] == robot]
        taken, seen = (1e3 * np.concatenate([item[key] for item in mine]) for key in ("taken", "seen"))
        share = np.array([np.median(taken), np.median(seen), np.percentile(seen, 95), seen.max()])
        times.add_row(robot, str(len(taken)), *(f"{figure:.1f}" for figure in share))
    console.print(times)
    console.bars(times, "taken: median ms", "objects: median ms", "objects: worst")


if __name__ == "__main__":
    main(run)
