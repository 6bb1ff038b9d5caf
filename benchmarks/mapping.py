"""The map of space: what it costs, and whether it is right; how fast explorers fill it says ``exploring.py``.

    python benchmarks/mapping.py --json mapping.json

Images are of a room with the furniture of the sparse world, as boxes, from 200 views. "insert" is the median time of
the processor for an image of 160 x 124 pixels; OctoMap (package ``pyoctomap``) is measured beside it where that is
installed. A cell is "false free" that is called free and has its middle in a box. "states" and "edges" are how many a
second a robot's checker decides beside that map, with unseen space in the way and without.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer
from charts import Bars
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN, Space, States
from taskmatrix.perception.octree import Octree
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.testing.box_camera import BoxCamera, looking

VIEWS = 200
CAMERAS = ((1.5, 0.02), (4.0, 0.025))  # [m] range, [m] resolution


def furniture() -> list[tuple[Array, Array]]:
    """Boxes around the shapes of the sparse world, and four walls."""
    world = load_world("sparse")
    boxes = [
        bounding_box([shape], X)
        for id, X in world.poses.items()
        for shape in world.objects[id].shapes
        if shape.collides
    ]
    for low, high in (((-3, -3, 0), (4, -2.9, 2.5)), ((-3, 2.9, 0), (4, 3, 2.5)), ((3.9, -3, 0), (4, 3, 2.5))):
        boxes.append((np.array(low, dtype=float), np.array(high, dtype=float)))
    return boxes


def images_of(camera: BoxCamera, boxes: list[tuple[Array, Array]]) -> list[DepthImage]:
    """From places that are not in a box, at the height of a head."""
    random, images = np.random.default_rng(0), list[DepthImage]()
    while len(images) < VIEWS:
        eye = random.uniform((-2.0, -2.0, 1.2), (3.0, 2.0, 1.5))
        if any(((low - 0.2 < eye) & (eye < high + 0.2)).all() for low, high in boxes):
            continue
        heading, fall = random.uniform(-np.pi, np.pi), random.uniform(-0.9, 0.2)
        images.append(camera.image(looking(eye, eye + np.array([np.cos(heading), np.sin(heading), np.tan(fall)]))))
    return images


def false_free(states: Callable[[Array], States], boxes: list[tuple[Array, Array]], resolution: float) -> float:
    """[%] Of the cells called free, which have their middle in a box."""
    axes = [np.arange(low, high, resolution) + resolution / 2 for low, high in ((-3, 4), (-3, 3), (0, 2))]
    middles = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    inside = np.zeros(len(middles), dtype=bool)
    for low, high in boxes:
        inside |= ((middles > low) & (middles < high)).all(axis=1)
    free = states(middles) == FREE
    return 100.0 * float(inside[free].mean()) if free.any() else float("nan")


def ours(far: float, resolution: float, boxes: list[tuple[Array, Array]]) -> tuple[dict[str, Any], Octree]:
    """Figures of our map."""
    octree, times, merging = Octree(resolution), [], []
    for image in images_of(BoxCamera(boxes, range=(0.2, far)), boxes):
        began = process_time()
        octree.insert(image)
        times.append(process_time() - began)
        began = process_time()
        octree.boxes(OCCUPIED), octree.boxes(UNKNOWN)
        merging.append(process_time() - began)
    found = {
        "map": "taskmatrix",
        "range": far,
        "resolution": resolution,
        "insert_ms": 1e3 * float(np.median(times)),
        "boxes_ms": 1e3 * float(np.median(merging)),
        "false_free": false_free(octree.states, boxes, resolution),
    }
    return found, octree


def octomap(far: float, resolution: float, boxes: list[tuple[Array, Array]], most: int = 40) -> dict[str, Any] | None:
    """Figures of OctoMap with as many of the images, or None where it is not installed."""
    if importlib.util.find_spec("pyoctomap") is None:
        return None
    tree, times = importlib.import_module("pyoctomap").OcTree(resolution), []
    for image in images_of(BoxCamera(boxes, range=(0.2, far)), boxes)[:most]:
        depth = np.where(np.isfinite(image.depth), image.depth, 10 * far)
        rays = (image.rays * depth[:, :, None]).reshape(-1, 3)[~np.isnan(image.depth).ravel()]
        points = rays.astype(float) @ image.X_WC[:3, :3].T + image.X_WC[:3, 3]
        began = process_time()
        tree.insertPointCloud(points, image.X_WC[:3, 3], far, True)
        tree.updateInnerOccupancy()
        times.append(process_time() - began)

    def states(middles: Array) -> States:
        nodes = [tree.search(middle) for middle in middles]
        found = [UNKNOWN if node is None else OCCUPIED if node.getOccupancy() > 0.5 else FREE for node in nodes]
        return np.array(found, dtype=np.int8)

    return {
        "map": "OctoMap",
        "range": far,
        "resolution": resolution,
        "insert_ms": 1e3 * float(np.median(times)),
        "boxes_ms": None,
        "false_free": false_free(states, boxes, 2 * resolution),
    }


def rates(robot: Robot, octree: Octree) -> dict[str, float]:
    """[1/s] States and edges of a robot beside a map."""
    random, found = np.random.default_rng(1), dict[str, float]()
    stance = robot.posture(robot.stance)
    Q = np.tile(stance, (2000, 1))
    Q[:, :2] = random.uniform((-2.0, -2.0), (3.0, 2.0), (len(Q), 2))
    Q[:, 2:] += random.normal(0.0, 0.1, Q[:, 2:].shape)
    Q = np.clip(Q, robot.lower, robot.upper)
    ends = Q + random.normal(0.0, 0.05, Q.shape)
    spaces = {
        "no map": None,
        "occupied": Space(octree.boxes(OCCUPIED)),
        "and unseen": Space(octree.boxes(OCCUPIED), octree.boxes(UNKNOWN)),
    }
    for name, space in spaces.items():
        checker = CollisionChecker(robot, 0.01)
        checker.set_space(space)
        checker.are_free(Q[:16])
        began = process_time()
        checker.are_free(Q)
        found[f"states/s, {name}"] = len(Q) / (process_time() - began)
        began = process_time()
        for start, end in zip(Q[:200], ends[:200], strict=True):
            checker.edge_is_free(start, end)
        found[f"edges/s, {name}"] = 200 / (process_time() - began)
    return found


def mapping(
    robot: Annotated[str, typer.Option(help="Whose checker.")] = "mannequin",
    json_file: Json = None,
) -> None:
    """Print what the map costs, and whether it is right."""
    boxes, who, everything = furniture(), load_robot(robot), list[dict[str, Any]]()
    for far, resolution in CAMERAS:
        found, octree = ours(far, resolution, boxes)
        everything += [found, *filter(None, [octomap(far, resolution, boxes)])]
    show("the map", everything, "insert_ms", "boxes_ms", "false_free", by=3)
    speed = [rates(who, octree)]
    show(f"checks of {robot} beside the last map", speed)
    kinds = ("states/s", "edges/s")
    rows = [[(name, rate, f"{rate:.4g}") for name, rate in speed[0].items() if name.startswith(kind)] for kind in kinds]
    Console().draw(*map(Bars, kinds, rows))
    if json_file is not None:
        json_file.write_text(json.dumps([*everything, *speed], indent=1))


def show(title: str, rows: list[dict[str, Any]], *heads: str, by: int = 1) -> None:
    """A table of rows, and some of its columns as bars on the page, where the first ``by`` name a row."""
    table = Table(title=title)
    for column in rows[0]:
        table.add_column(column)
    for row in rows:
        table.add_row(*(f"{value:.4g}" if isinstance(value, float) else str(value) for value in row.values()))
    console = Console()
    console.print(table)
    console.bars(table, *(head for head in heads if head in rows[0]), by=by)


if __name__ == "__main__":
    main(mapping)
