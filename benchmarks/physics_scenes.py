"""The reference scenes of the paper on ODE for robots (SIMPAR 2010), in the physics of this library.

    python benchmarks/physics_scenes.py --json scenes.json

Drumwright, Hsu, Koenig and Shell ran six scenes to compare solvers; they print plots and say in words what comes out.
Friction and restitution are not given, so what can be exact is what mechanics says: the time of a fall, the distance
of a slide, the straightness of a line. Bandit stands for their Pioneer, with its mass over its axle, and accelerates
more gently: theirs slips.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import pinocchio as pin
import sheet
from charts import Bars
from console import Console
from options import parsed
from rich.table import Table

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import load_robot
from taskmatrix.robots.capabilities import GRAVITY
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.bullet.body import Body
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.bullet.objects import BulletObjects
from taskmatrix.simulation.physics import PRESETS, Physics
from taskmatrix.simulation.physics.control import ComputedTorque
from taskmatrix.simulation.physics.mass import simulated_model
from taskmatrix.simulation.physics.wheels import Wheels
from taskmatrix.simulation.scenes.world import GAP, Placement, World

CONTROL_STEP = 1 / 120  # [s]
SLIPPERY = 0.1  # friction of the pushed box: 0.2 N would not move 0.1 kg on wood
LINE, CIRCLE = 0.2, 0.1  # [m/s^2] with which the robot rolls ahead
RATIO = 2.2 / 2.1  # of the torques of its wheels on the circle
WIDE = 0.056  # [m] the box in the gripper


@dataclass(frozen=True)
class Scene:
    """One scene, and what should come out."""

    title: str
    """What is measured."""
    unit: str
    """Of the figure."""
    exact: float | None
    """What mechanics says; None where it says nothing exact."""
    stated: str
    """What the paper says."""
    run: Callable[[Physics], float]
    """Measures it."""


class Loose:
    """Objects without a robot.

    Args:
        models: The objects.
        physics: The settings.
    """

    def __init__(self, models: Mapping[str, ObjectModel], physics: Physics) -> None:
        self.engine = Engine(physics.iterations)
        self.things = BulletObjects(self.engine, models, physics)
        self.dt = CONTROL_STEP / physics.substeps

    def close(self) -> None:
        """Give PyBullet's memory back."""
        self.engine.close()

    def position(self, id: str) -> Array:
        """(3,) [m] Where an object is."""
        place: Array = self.things.state(id)[0][:3, 3]
        return place

    def speed(self, id: str) -> float:
        """[m/s] Along the ground."""
        return float(np.linalg.norm(self.things.state(id)[1][:2]))


def cube(id: str, side: float, mass: float) -> ObjectModel:
    """A movable cube."""
    return ObjectModel(id, "object", (Shape("box", (side,) * 3, pose()),), movable=True, mass=mass)


def fall(physics: Physics) -> float:
    """[s] Until a ball of radius 1 m and 1 kg, dropped from 5 m, touches the ground."""
    ball = ObjectModel("ball", "object", (Shape("sphere", (1.0,), pose()),), movable=True, mass=1.0)
    with closing(Loose({"ball": ball}, physics)) as scene:
        scene.things.put("ball", pose((0.0, 0.0, 5.0 + GAP)))
        time = before = 0.0
        while (height := scene.position("ball")[2] - 1.0 - GAP) > 1e-4 and time < 2.0:
            before = height
            scene.engine.step(scene.dt)
            time += scene.dt
        speed = GRAVITY * time
        return time - scene.dt + min(before / speed, scene.dt)


def slide(physics: Physics, direction: float = 0.0) -> float:
    """[mm] That a cube of 1 m and 0.1 kg slides on after 0.2 N brought it to 1 m/s, from there to rest.

    Args:
        physics: The settings; friction is that of the scene.
        direction: [degrees] In which it is pushed.
    """
    slippery = replace(physics, friction=SLIPPERY)
    along = np.array([np.cos(np.radians(direction)), np.sin(np.radians(direction)), 0.0])
    with closing(Loose({"box": cube("box", 1.0, 0.1)}, slippery)) as scene:
        scene.things.put("box", pose((0.0, 0.0, 0.5 + GAP)))
        while scene.speed("box") < 1.0:
            scene.things.push("box", 0.2 * along)
            scene.engine.step(scene.dt)
        start, speed = scene.position("box").copy(), scene.speed("box")
        while scene.speed("box") > 1e-3:
            scene.engine.step(scene.dt)
        distance = float(np.linalg.norm((scene.position("box") - start)[:2]))
    return 1000 * distance / speed**2  # the step in which it reached 1 m/s may have gone a little beyond


def isotropy(physics: Physics) -> float:
    """[%] Spread of the distances that it slides in directions from 0 to 90 degrees."""
    distances = [slide(physics, direction) for direction in (0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0)]
    return 100 * (max(distances) - min(distances)) / float(np.mean(distances))


def path(physics: Physics, acceleration: float, ratio: float, seconds: float, turns: float = np.inf) -> Array:
    """(k, 3) [m, m, rad] Where bandit's base goes when constant torques turn its wheels from rest.

    Args:
        physics: The settings.
        acceleration: [m/s^2] Ahead, that the torques are for.
        ratio: Of the left torque to the right one.
        seconds: [s] For how long at most.
        turns: Revolutions of the base after which it ends.
    """
    robot = load_robot("bandit")
    model, q = simulated_model(robot), robot.posture(robot.stance)
    _balance(model, robot.expand(q))
    wheels = Wheels(robot, model)
    both = pin.computeTotalMass(model) * wheels.radius * acceleration
    torques = both * np.array([ratio, 1.0]) / (ratio + 1.0)
    dt, places = CONTROL_STEP / physics.substeps, []
    with closing(Engine(physics.iterations)) as engine:
        BulletObjects(engine, {}, physics)
        body = Body(engine, robot, model, q, physics, dict.fromkeys(wheels.joints, wheels.radius))
        control = ComputedTorque(robot, model, dt)
        wanted = (q, np.zeros(robot.n), np.zeros(robot.n))
        for _ in range(round(seconds / dt)):
            tau = control.torques(*body.read(), wanted, [0, 1, 2, *wheels.indices])
            tau[wheels.indices] = torques
            body.drive(tau)
            engine.step(dt)
            places.append(body.active()[0][:3])
            if abs(places[-1][2]) > 2 * np.pi * turns:
                break
    return np.array(places)


def line(physics: Physics) -> float:
    """[mm] By which the robot is aside after 20 s of equal torques."""
    return 1000 * float(np.abs(path(physics, LINE, 1.0, 20.0)[:, 1]).max())


def circle(physics: Physics) -> float:
    """[mm] By which its path is off a circle, at most, until it has turned round one and a half times."""
    xy = path(physics, CIRCLE, RATIO, 120.0, 1.5)[:, :2]
    A = np.column_stack([2 * xy, np.ones(len(xy))])
    x, y, c = np.linalg.lstsq(A, (xy**2).sum(axis=1), rcond=None)[0]
    radius = np.sqrt(c + x * x + y * y)
    return 1000 * float(np.abs(np.hypot(*(xy - [x, y]).T) - radius).max())


def gripper(physics: Physics) -> float:
    """[mm] That a box moves in bandit's claw, which presses with 500 N, in 3 s after it feels it."""
    robot = load_robot("bandit")
    q = robot.posture(robot.stance)
    for joint, position in robot.hands["left"].open.items():
        q[robot.joints.index(joint)] = position
    X = hand_pose(robot, "left", q)
    low = float(X[2, 3]) - WIDE / 2 - GAP - 0.01
    post = ObjectModel("post", "object", (Shape("box", (0.02, 0.02, low), pose()),))
    poses = {"box": pose((*X[:2, 3], low + WIDE / 2 + GAP)), "post": pose((*X[:2, 3], low / 2))}
    world = _world({"box": cube("box", WIDE, 0.1), "post": post}, poses)
    with closing(BulletPlant(robot, world, q, replace(physics, grip=500.0), CONTROL_STEP)) as plant:
        plant.attach("left", "box")
        still = Command(q, np.zeros(robot.n), np.zeros(robot.n))
        X_HO = None
        for step in range(round(4.5 / CONTROL_STEP)):
            plant.apply(still, CONTROL_STEP)
            if step == round(1.5 / CONTROL_STEP):
                plant.remove("post")
                X_HO = _in_hand(plant, q)
        if X_HO is None or not plant.held():
            return float("inf")
        return 1000 * float(np.linalg.norm((_in_hand(plant, q) - X_HO)[:3, 3]))


def stacks(physics: Physics) -> float:
    """[mm] That the worst of four times six boxes has moved after 5 s."""
    ids = [(stack, level) for stack in range(4) for level in range(6)]
    with closing(Loose({f"{s}/{k}": cube(f"{s}/{k}", 0.2, 1.0) for s, k in ids}, physics)) as scene:
        for stack, level in ids:
            # skins of two boxes, one above the other, are one gap each
            scene.things.put(f"{stack}/{level}", pose((0.5 * stack, 0.0, 0.1 + GAP + level * (0.2 + 2 * GAP))))
        start = {f"{s}/{k}": scene.position(f"{s}/{k}").copy() for s, k in ids}
        for _ in range(round(5.0 / scene.dt)):
            scene.engine.step(scene.dt)
        return 1000 * max(float(np.linalg.norm(scene.position(id) - place)) for id, place in start.items())


SCENES: Mapping[str, Scene] = {
    "ball": Scene("ball drop: fall from 5 m to 1 m", "s", float(np.sqrt(8.0 / GRAVITY)), "as mechanics says", fall),
    "box": Scene("box push: slide from 1 m/s", "mm", 1000 / (2 * SLIPPERY * GRAVITY), "rests, by solver", slide),
    "isotropy": Scene("box push: spread over directions", "%", 0.0, "boxed friction is not isotropic", isotropy),
    "circle": Scene("circle: off a circle, at most", "mm", 0.0, "paths differ by friction", circle),
    "line": Scene("line: aside after 20 s (40 m)", "mm", 0.0, "small lateral error", line),
    "gripper": Scene("gripper with 500 N: box slips in 3 s", "mm", 0.0, "the box leaves the gripper", gripper),
    "stacks": Scene("4 stacks of 6 boxes: moved in 5 s", "mm", 0.0, "stand", stacks),
}


def measure(scenes: list[str], presets: list[str]) -> dict[str, dict[str, float]]:
    """The figure of each scene with each preset."""
    return {name: {preset: SCENES[name].run(PRESETS[preset]) for preset in presets} for name in scenes}


def report(figures: Mapping[str, Mapping[str, float]]) -> None:
    """Print our figures beside what is exact and what is stated."""
    presets = list(next(iter(figures.values())))
    table = Table("scene", "unit", "exact", *presets, "the paper says")
    for name, row in figures.items():
        scene = SCENES[name]
        exact = "" if scene.exact is None else f"{scene.exact:.3g}"
        table.add_row(scene.title, scene.unit, exact, *(f"{row[preset]:.3g}" for preset in presets), scene.stated)
    console = Console(width=140)
    console.print(table)
    console.draw(*(_bars(SCENES[name], row) for name, row in figures.items()))


def _bars(scene: Scene, figures: Mapping[str, float]) -> Bars:
    """Our figures of a scene beside the exact one."""
    known = {**figures, **({} if scene.exact is None else {"exact": scene.exact})}
    bars = [(what, figure, f"{figure:.3g}") for what, figure in known.items()]
    return Bars(f"{scene.title} [{scene.unit}]", bars, marked="exact")


def main() -> None:
    """Run all scenes and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", nargs="+", default=list(SCENES), choices=list(SCENES))
    parser.add_argument("--presets", nargs="+", default=list(PRESETS), choices=list(PRESETS))
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parsed(parser)
    figures = measure(options.scenes, options.presets)
    report(figures)
    if options.json:
        settings = {name: asdict(PRESETS[name]) for name in options.presets}
        options.json.write_text(json.dumps({"figures": figures, "presets": settings}, indent=1))
    sheet.write(options.page, __doc__)


def _balance(model: pin.Model, q: Array) -> None:
    """Shift the mass of a base so that the robot's is over its axle: only then are its paths lines and circles."""
    centre = np.asarray(pin.centerOfMass(model, model.createData(), q))
    base = model.inertias[3]
    shift = pin.computeTotalMass(model) / base.mass * np.array([centre[0], centre[1], 0.0])
    model.inertias[3] = pin.Inertia(base.mass, np.asarray(base.lever) - shift, np.asarray(base.inertia))


def _world(models: Mapping[str, ObjectModel], poses: Mapping[str, Array]) -> World:
    floor = {id: Placement(None, X[:3, 3], np.eye(3), (0.0, 0.0, 0.0)) for id, X in poses.items()}
    start = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return World("scene", "a scene", "", models, poses, "box", start, (-5.0, -5.0, 5.0, 5.0), 1.0, floor)


def _in_hand(plant: BulletPlant, q: Array) -> Array:
    """(4, 4) The box in the left hand's grasp frame."""
    poses = plant.truth()["poses"]
    assert isinstance(poses, dict)
    found: Array = inverse(hand_pose(load_robot("bandit"), "left", plant.sense().q)) @ poses["box"]
    return found


if __name__ == "__main__":
    main()
