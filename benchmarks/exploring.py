"""How fast explorers see the world, and whether they touch it: random walk against next best view.

    python benchmarks/exploring.py --worlds sparse,apartment --minutes 1,5,15 --seeds 5 --json exploring.json

A robot knows nothing but what its camera sees (``perception="map"``) and starts where the seed puts it. "seen" is the
share of the visible surface that is in its map after so many simulated minutes: the cells of furniture and walls that
the same camera shows from places all over the floor that it could get to, in twelve directions. "contacts" are steps,
of every fifth, in which it is in contact with anything by the true world.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import numpy as np
import scipy
import typer
from charts import Curves
from console import Console
from mapping import show
from numpy.typing import NDArray
from options import Json, Names, Plot, chosen, main

from taskmatrix.behaviors import Explore, NextBestView
from taskmatrix.behaviors.looking.explorer import Explorer
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import OCCUPIED, Occupancy
from taskmatrix.perception.carving import HIT, IGNORED
from taskmatrix.session.perception_pipeline import MapPipeline
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.sensors import DepthCamera
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker

STRATEGIES: dict[str, Callable[[float], Explorer]] = {
    "random walk": lambda duration: Explore(duration=duration),
    "nearest": lambda duration: NextBestView(duration=duration, strategy="nearest"),
    "gain": lambda duration: NextBestView(duration=duration, strategy="gain"),
    "gain and way": lambda duration: NextBestView(duration=duration, strategy="gain-and-way"),
}
WORLDS = ("sparse", "apartment", "cottage")
HALF = 6.0  # [m] of the floor to each side of the start that counts
CELL = 0.2  # [m] between the places that are tried
PLACES, HEADINGS, FALLS = 60, 12, (0.0, 0.45)  # looked from, into, and [rad] below the horizon
TOP = 2.0  # [m] what is higher does not count
EVERY = 5  # steps
LOOKS = 0.25  # [min] between two points of the curve
CURVE = "seen by minute"

Cells = NDArray[np.bool_]


def judge_of(session: Session) -> CollisionChecker:
    """Checks against the world as it really is."""
    judge, world = CollisionChecker(session.robot), session.world
    judge.set_bodies(bodies_of({id: (model, world.poses[id]) for id, model in world.objects.items()}, {}))
    return judge


def places(session: Session) -> Array:
    """(k, n) Stances on a grid of the floor to which there is a way from the start."""
    q = session.plant.sense().q
    offsets = np.arange(-HALF, HALF + CELL / 2, CELL)
    x, y = (grid.ravel() for grid in np.meshgrid(q[0] + offsets, q[1] + offsets, indexing="ij"))
    Q = np.tile(session.robot.posture(session.robot.stance), (len(x), 1))
    Q[:, 0], Q[:, 1] = x, y
    side = len(offsets)
    rooms, _ = scipy.ndimage.label(judge_of(session).are_free(Q).reshape(side, side))
    here = rooms[side // 2, side // 2]
    reached: Array = Q[(rooms == here).ravel() & (here > 0)]
    return reached


def visible(session: Session) -> tuple[Cells, Array]:
    """The cells of surfaces that can be seen from anywhere, and the corner of the first."""
    random, sight = np.random.default_rng(0), MapPipeline()
    octree, camera = sight.map(), DepthCamera(session.robot, session.world)
    head = ["head"] if session.skills.able_to_view() else []
    stays = np.array([not session.world.objects[id].movable for id in session.world.objects])
    reached = places(session)
    truth = dict(session.plant.truth())
    for row in random.permutation(len(reached))[:PLACES]:
        for heading, fall in product(np.arange(HEADINGS) * 2 * np.pi / HEADINGS, FALLS):
            q = reached[row].copy()
            q[2] = (heading + np.pi) % (2 * np.pi) - np.pi
            way = np.array([np.cos(heading), np.sin(heading), -np.tan(fall)])
            point = session.skills.view_position(q) + 3.0 * way
            truth["q"] = session.skills.inverse_kinematics_of_view(point, head, q) if head else q
            image = camera.take(truth, 0.0)
            assert image is not None
            kinds = np.where(np.append(stays, [False, True])[image.labels], HIT, IGNORED)
            octree.insert(image, kinds.astype(np.uint8))
    return surface(octree, session)


def surface(occupancy: Occupancy, session: Session) -> tuple[Cells, Array]:
    """The occupied cells around the start, and the corner of the first."""
    x, y = session.world.start[0][:2]
    low, high = np.array([x - HALF, y - HALF, 0.05]), np.array([x + HALF, y + HALF, TOP])
    corner, states = occupancy.window(low, high)
    return states == OCCUPIED, corner


@lru_cache(maxsize=1)
def seeable(robot: str, world: str, seed: int) -> Array:
    """(k, 3) [m] Middles of the cells that can be seen where the seed puts things."""
    with simulate(robot, world, seed=seed, perception="map") as session:
        cells, corner = visible(session)
        assert session.skills.occupancy is not None
        return corner + (np.argwhere(cells) + 0.5) * session.skills.occupancy.resolution


def share(occupancy: Occupancy, points: Array) -> float:
    """How many of the cells at points (k, 3) [m] are occupied, or have a neighbour that is."""
    found = np.zeros(len(points), dtype=bool)
    for step in product((-1, 0, 1), repeat=3):
        found[~found] = occupancy.states(points[~found] + np.array(step) * occupancy.resolution) == OCCUPIED
    return float(found.mean())


def explored(robot: str, world: str, name: str, seed: int, minutes: list[float]) -> dict[str, Any]:
    """One run."""
    points = seeable(robot, world, seed)
    times = sorted({*minutes, *np.arange(LOOKS, minutes[-1], LOOKS).tolist()})
    with simulate(robot, world, seed=seed, perception="map") as session:
        began, shares, path = process_time(), list[float](), list[Array]()
        occupancy = session.skills.occupancy
        assert occupancy is not None

        def watch(event: Event) -> None:
            if event.kind == "step":
                path.append(np.array(event.data["q"]))

        def note() -> None:
            if len(shares) < len(times) and session.context.clock.now() >= 60.0 * times[len(shares)] - 0.05:
                shares.append(share(occupancy, points))

        session.events.subscribe(watch)
        session.add_process(note)
        outcome = session.run(STRATEGIES[name](60.0 * minutes[-1]), timeout=60.0 * minutes[-1] + 60.0)
        note()
        Q = np.array(path)
        contacts = int(np.sum(~judge_of(session).are_free(Q[::EVERY])))
    seen = dict(zip(times, shares, strict=False))
    return {
        "robot": robot,
        "world": world,
        "explorer": name,
        "seed": seed,
        "success": outcome.success,
        **{f"seen after {each:g} min": seen[each] for each in minutes if each in seen},
        "contacts": contacts,
        "way_m": float(np.linalg.norm(np.diff(Q[:, :2], axis=0), axis=1).sum()),
        "processor_s": process_time() - began,
        CURVE: seen,
    }


def draw(runs: list[dict[str, Any]], file: Path) -> None:
    """The share that was seen over time: a picture for each world, a line for each run."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - it takes a while to load

    worlds, names = (list(dict.fromkeys(run[key] for run in runs)) for key in ("world", "explorer"))
    figure, axes = plt.subplots(1, len(worlds), figsize=(4.2 * len(worlds), 3.0), sharey=True, squeeze=False)
    for axis, world in zip(axes[0], worlds, strict=True):
        for run in (run for run in runs if run["world"] == world):
            color = f"C{names.index(run['explorer'])}"
            axis.plot([0.0, *run[CURVE]], [0.0, *run[CURVE].values()], color=color, label=run["explorer"])
        lines = dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
        axis.legend(lines.values(), lines.keys(), fontsize="small")
        axis.set(title=world, xlabel="minutes", ylim=(0.0, 1.0))
    axes[0, 0].set_ylabel("share seen")
    figure.tight_layout()
    figure.savefig(file, dpi=80)


def curves(runs: list[dict[str, Any]], world: str) -> Curves:
    """The share that was seen over time in a world, a line for each run, for the page."""
    lines = [(run["explorer"], [0.0, *run[CURVE]], [0.0, *run[CURVE].values()]) for run in runs]
    return Curves(world, "minutes", "share seen", lines)


def exploring(
    robots: Annotated[list[str] | None, typer.Option(help="Who explores; bandit unless given.")] = None,
    worlds: Names = None,
    strategies: Names = None,
    minutes: Annotated[str, typer.Option(help="After which to look at the map; the last is how long it runs.")] = "1,5",
    seeds: Annotated[int, typer.Option(help="Runs of each.", min=1)] = 2,
    first: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    json_file: Json = None,
    plot: Plot = None,
) -> None:
    """Run all and report, after each run."""
    names, times = chosen("strategy", strategies, STRATEGIES), sorted(float(each) for each in minutes.split(","))
    runs = list[dict[str, Any]]()
    for robot, world, seed, name in product(
        robots or ["bandit"], chosen("world", worlds, WORLDS), range(first, first + seeds), names
    ):
        runs.append(explored(robot, world, name, seed, times))
        rows = [{key: run[key] for key in run if key != CURVE} for run in runs if run["world"] == world]
        show(f"explorers in {world}", rows)
        Console().draw(curves([run for run in runs if run["world"] == world], world))
        if json_file is not None:
            json_file.write_text(json.dumps(runs, indent=1))
        if plot is not None:
            draw(runs, plot)


if __name__ == "__main__":
    main(exploring)
