"""How much faster than real time physics is, on one core.

    OMP_NUM_THREADS=1 python benchmarks/physics_speed.py --json speed.json
    OMP_NUM_THREADS=1 python benchmarks/physics_speed.py --presets default --camera 5

Each robot stands in a world, with all that lies and stands there, and moves its arms to and fro. Taken is the
processor's time of the plant alone, without planning; with ``--camera`` also that of the camera on its head, which
looks at the table, and of what makes objects of its images. Loading is what a session takes longer than a kinematic
one, with the pieces of the meshes in the cache.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import sheet
from console import Console
from options import parsed
from rich.table import Table

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.robots import Robot, load_robot, robot_names
from taskmatrix.session.perception_pipeline import CameraPipeline, PipelineInputs
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.mujoco import MujocoPlant
from taskmatrix.simulation.physics import PRESETS, PhysicsPlant
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world, world_names

STEP = 1 / 120  # [s]
BEFORE_TABLE = (1.1, 0.0, 0.0)  # x [m], y [m], yaw [rad] in the sparse world
ENGINES: dict[str, type[PhysicsPlant]] = {"bullet": BulletPlant, "mujoco": MujocoPlant}
SWING, PERIOD = 0.2, 2.0  # [rad], [s] of the arms


@dataclass(frozen=True)
class Speed:
    """One robot with one preset."""

    sim: str
    """The engine."""
    robot: str
    """Its name."""
    preset: str
    """Name of the settings."""
    joints: int
    """With those that follow others."""
    load: float
    """[s] To make the plant."""
    speed: float
    """[s/s] Simulated time by processor time."""


def measure(name: str, world: str, preset: str, seconds: float, camera: float = 0.0, sim: str = "bullet") -> Speed:
    """Measure one robot in a world with a preset for some simulated time [s], and ``camera`` images a second."""
    robot = load_robot(name)
    scene = load_world(world, shoulder_height=robot.shoulder_height)
    stance = robot.posture(robot.stance, BEFORE_TABLE if camera else (*scene.start[0][:2], 0.0))
    arms = sorted({joint for hand in robot.hands.values() for joint in robot.chains[hand.arm]})
    inward = np.sign((robot.lower + robot.upper) / 2 - stance)[arms]
    begun = time.process_time()
    with ExitStack() as stack:
        plant, clock = stack.enter_context(closing(ENGINES[sim](robot, scene, stance, preset, STEP))), SimulatedClock()
        look = _eyes(stack, robot, scene, plant, clock, camera)
        loaded = time.process_time()
        for k in range(1, round(seconds / STEP) + 1):
            q, v, phase = stance.copy(), np.zeros(robot.n), 2 * np.pi * k * STEP / PERIOD
            q[arms] += SWING / 2 * (1 - np.cos(phase)) * inward
            v[arms] = SWING / 2 * np.sin(phase) * 2 * np.pi / PERIOD * inward
            plant.apply(Command(q, v, np.zeros(robot.n)), STEP)
            clock.sleep_until(k * STEP)
            look()
        used = time.process_time() - loaded
    return Speed(sim, name, preset, len(robot.S), loaded - begun, seconds / used)


def _eyes(
    stack: ExitStack, robot: Robot, world: World, plant: PhysicsPlant, clock: SimulatedClock, camera: float
) -> Callable[[], object]:
    """What perceives in every step; all-seeing without a camera."""
    if not camera:
        return plant.observe
    sight = CameraPipeline(camera)
    setting = PipelineInputs(robot, world, plant, PerceptualModel(), EventStream(clock), clock, seed=0)
    return stack.enter_context(closing(sight.open(setting)))


def report(figures: list[Speed]) -> None:
    """Print a row for each robot, with all engines beside each other."""
    kinds = list(dict.fromkeys((item.sim, item.preset) for item in figures))
    names = [f"{sim} {preset} x" for sim, preset in kinds]
    table = Table("robot", "joints", "load s", *names)
    for name in dict.fromkeys(item.robot for item in figures):
        row = {(item.sim, item.preset): item for item in figures if item.robot == name}
        one = next(iter(row.values()))
        table.add_row(name, str(one.joints), f"{one.load:.2f}", *(f"{row[kind].speed:.2f}" for kind in kinds))
    console = Console()
    console.print(table)
    console.bars(table, "load s", *names)


def main() -> None:
    """Measure all that is asked for and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", nargs="+", default=robot_names(), choices=robot_names())
    parser.add_argument("--world", default="sparse", choices=world_names())
    parser.add_argument("--presets", nargs="+", default=list(PRESETS), choices=list(PRESETS))
    parser.add_argument("--sims", nargs="+", default=list(ENGINES), choices=list(ENGINES))
    parser.add_argument("--seconds", type=float, default=4.0, help="of simulated time")
    parser.add_argument("--camera", type=float, default=0.0, help="images a second of the camera; none unless given")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parsed(parser)
    figures = [
        measure(robot, options.world, preset, options.seconds, options.camera, sim)
        for robot in options.robots
        for sim in options.sims
        for preset in options.presets
    ]
    report(figures)
    if options.json:
        options.json.write_text(json.dumps([asdict(item) for item in figures], indent=1))
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
