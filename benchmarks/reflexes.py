"""An agent that throws joint targets about: what the reflex makes of it, beside plain stopping.

    python benchmarks/reflexes.py --robots icub,g1,talos --sims kinematic,mujoco --minutes 5 --json reflexes.json

*Throws*: random positions and velocities of all joints but the legs', also of the base, at a desk between pillars, and
again where two pillars walk past. For each robot, with the reflex and with the collision guard alone: how often it was
stopped, contacts by the exact shapes and whether somebody walked into the robot, how near an object came for which it
stopped (the least of all stops, and quantiles), how far off the safe pose it was when commands went out again, and
what the supervision costs in a control step.

*Appearing*: in 10,000 control steps something appears near or in the robot every half a second, while the agent goes
on: in how many steps a contact of the exact shapes was deeper than in the step before, by their
convex hulls.

*Ball*: an agent that knows four postures goes from one side of a ball to the other, through it as long as it is not
solid; it is made solid while the agent goes on (MoBeE 3.1).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix import Session, simulate
from taskmatrix.behaviors import FollowCommands, Postural
from taskmatrix.core import Command, EventStream, ObjectModel, Shape, pose
from taskmatrix.core.base.events import Event
from taskmatrix.core.robot.arbiter import Filter
from taskmatrix.core.robot.joint_commands import JointFeedback, JointTarget
from taskmatrix.core.robot.reflex import Reflex, Supervision
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.judges import Record
from taskmatrix.simulation.judges.measures.contacts import contacts
from taskmatrix.simulation.judges.measures.external_contacts import ExternalContacts
from taskmatrix.simulation.judges.measures.scene import Scene
from taskmatrix.simulation.judges.tolerance import EXACT, PHYSICAL
from taskmatrix.simulation.scenes.object_motion import Route, Walk
from taskmatrix.simulation.scenes.script import Script
from taskmatrix.simulation.scenes.world import Placement, World

DT, STEPS = 0.01, 10_000
SWEEP = 0.5  # [rad] from the ball to either side of it
STROLL, TURN = 0.25, 1.0  # [m], [rad] to which the agent sends the base
Row = dict[str, object]


class Timed:
    """The reflex, and what it costs."""

    def __init__(self) -> None:
        self.spent: list[float] = []

    def bind(self, skills: SkillSet, dt: float, events: EventStream) -> Filter:
        """The reflex of a session, with a watch."""
        reflex: Supervision = Reflex().bind(skills, dt, events)

        class Watched:
            """Forwards all that the arbiter asks."""

            restart, commit = reflex.restart, reflex.commit

            def __call__(_, command: Command, q: Array) -> Command:  # noqa: N805 - there are two
                begin = time.perf_counter()
                given = reflex(command, q)
                self.spent.append(time.perf_counter() - begin)
                return given

        return Watched()


class Agent:
    """Sends random targets: the next when the last one is done, and now and then before."""

    def __init__(self, robot: Robot, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._low = dict(zip(robot.joints, robot.lower.tolist(), strict=True))
        self._high = dict(zip(robot.joints, robot.upper.tolist(), strict=True))
        for joint, far in zip(robot.joints[:3], (STROLL, STROLL, TURN), strict=True):
            self._low[joint], self._high[joint] = -far, far
        self._speed = dict(zip(robot.joints, robot.velocity.tolist(), strict=True))

    def __call__(self, feedback: JointFeedback) -> JointTarget | None:
        """What it wants now."""
        draw = self._random
        if feedback.moving and draw.random() > 0.01:
            return None
        moved = [joint for joint in feedback.joints if draw.random() < 0.7]
        if draw.random() < 0.3:
            return JointTarget(velocities={joint: self._speed[joint] * draw.uniform(-1, 1) for joint in moved[3:]})
        return JointTarget({joint: draw.uniform(self._low[joint], self._high[joint]) for joint in moved})


def world_of(things: Mapping[str, tuple[tuple[float, ...], Array]], walks: Mapping[str, Walk] | None = None) -> World:
    """Boxes by id, with their sizes and poses, of which some walk."""
    objects = {id: ObjectModel(id, "obstacle", (Shape("box", size, np.eye(4)),)) for id, (size, _) in things.items()}
    poses = {id: X_WO for id, (_, X_WO) in things.items()}
    below = {id: X[:3, 3] - [0.0, 0.0, things[id][0][2] / 2] for id, X in poses.items()}
    placements = {id: Placement(None, below[id], np.eye(3), (0.0, 0.0, 0.0)) for id in poses}
    still, bounds = (0.0, 0.0, 0.0), (-9.0, -9.0, 9.0, 9.0)
    scripts = {id: Script(motion) for id, motion in (walks or {}).items()}
    first = next(iter(objects))
    return World("room", "boxes", "", objects, poses, first, (still, still), bounds, 1.0, placements, scripts=scripts)


def room(robot: Robot, *, moving: bool) -> World:
    """A desk ahead, pillars beside, and perhaps two that walk past."""
    high = robot.shoulder_height
    things = {
        "desk": ((0.5, 1.2, 0.05), pose((0.22 * high + 0.42, 0.0, 0.62 * high))),
        "left_pillar": ((0.2, 0.2, 1.3 * high), pose((0.1, 0.36 * high + 0.3, 0.65 * high))),
        "right_pillar": ((0.2, 0.2, 1.3 * high), pose((-0.1, -0.36 * high - 0.3, 0.65 * high))),
    }
    if not moving:
        return world_of(things)
    far = 0.22 * high + 0.2
    walks = {}
    for id, side, speed in (("first_walker", 1.0, 0.4), ("second_walker", -1.0, 0.6)):
        things[id] = ((0.25, 0.25, 1.2 * high), pose((-far, side * 2.0, 0.6 * high)))
        way = np.array([[0.0, 0.0], [0.0, -4.0 * side], [-1.0, -4.0 * side], [-1.0, 0.0]])
        walks[id] = Walk(Route(way, speed, repeat=True))
    return world_of(things, walks)


def stops(record: Record, events: Iterable[Event]) -> Iterator[float]:
    """[m] How near an object came for which the robot was stopped, from then until commands went out again."""
    scene, found = Scene(record.robot, record.objects), list(events)
    ends = [event.step for event in found if event.kind == "reflex" and event.data["did"] != "veto"]
    for event in found:
        facts: Any = event.data
        if event.kind == "blocked":
            facts = facts["failure"].facts
        if facts.get("did", "veto") != "veto" or not set(facts["pair"]) & set(record.objects):
            continue
        end = next((step for step in ends if step > event.step), event.step + 1) if event.kind == "reflex" else None
        pairs = scene.pairs_of(*facts["pair"])
        nearest = np.inf
        for step in record.steps[event.step : (event.step + 1 if end is None else end) + 2]:
            scene.place(step.q, step.poses)
            nearest = min([nearest, *(scene.distance(pair) for pair in pairs)])
        yield float(nearest)


def throws(robot: Robot, minutes: float, sim: str, *, moving: bool, reflex: bool) -> Row:
    """What becomes of an agent in a room."""
    timed, told = Timed(), list[Event]()
    world = room(robot, moving=moving)
    with simulate(robot, world, seed=1, start=(0.0, 0.0, 0.0), sim=sim, filters=[timed] if reflex else []) as made:
        walkers = set(world.scripts)
        still = [id for id in world.objects if id not in walkers]
        tolerance = EXACT if sim == "kinematic" else PHYSICAL
        record = Record(made.robot, world.objects, made.context.dt, made.plant.truth(), still, tolerance=tolerance)
        kind = "reflex" if reflex else "blocked"
        made.events.subscribe(record)
        off, marks = list[float](), dict[str, Array]()

        def note(event: Event) -> None:
            if event.kind == kind:
                told.append(event)
            if event.kind == "reflex" and event.data["did"] == "back":
                marks["safe"] = event.data["q"]  # type: ignore[assignment]
            elif event.kind == "step" and "safe" in marks:
                off.append(float(np.abs(event.data["q"] - marks.pop("safe")).max()))  # type: ignore[operator]

        made.events.subscribe(note)
        legs = {chain for leg in made.skills.feet for chain in made.skills.chains_of_foot(leg)}
        chains = ",".join(chain for chain in made.skills.chains if chain not in legs)
        begin = time.perf_counter()
        outcome = made.run(FollowCommands(Agent(robot, 1), chains=chains, duration=60.0 * minutes), 1e5)
        spent = time.perf_counter() - begin
    came = ExternalContacts(record)
    walked_into = [0]

    def excused(k: int, first: str, second: str, depth: float) -> bool:
        excuse = came(k, first, second, depth)
        walked_into[0] += excuse
        return excuse

    touched = {(first, second) for _, first, second in contacts(record, excused)}
    near = 1e3 * np.array(list(stops(record, told)) or [np.nan])
    row: Row = {
        "robot": robot.name,
        "sim": sim,
        "moving": moving,
        "by": "reflex" if reflex else "guard alone",
        "minutes": outcome.duration / 60.0,
        "failure": "" if outcome.failure is None else outcome.failure.message,
        "stops": sum(event.data.get("did", "veto") == "veto" for event in told),
        "at objects": len(near) - bool(np.isnan(near).all()),
        "stuck": sum(event.data.get("did") == "stuck" for event in told),
        "contacts": len(touched),
        "steps walked into": walked_into[0],
        "nearest [mm]": near.min(),
        "5 %": np.percentile(near, 5),
        "median": np.percentile(near, 50),
        "off safe pose [rad]": max(off, default=None),
    }
    cost = 1e3 * np.array(timed.spent or [np.nan])
    row |= {f"{name} [ms]": float(np.percentile(cost, share)) for name, share in (("median", 50), ("p99", 99))}
    return {**row, "mean [ms]": float(cost.mean()), "x real time": outcome.duration / spent}


def appearing(robot: Robot) -> Row:
    """How often a contact gets deeper."""
    random = np.random.default_rng(2)
    size = {f"box_{k}": tuple(random.uniform(0.05, 0.3, 3).tolist()) for k in range(6)}
    world = world_of({id: (size[id], pose((5.0, 0.4 * k, 1.0))) for k, id in enumerate(size)})
    with simulate(robot, world, seed=1, start=(0.0, 0.0, 0.0), filters=[Reflex()]) as made:
        record = Record(made.robot, world.objects, DT, made.plant.truth())
        made.events.subscribe(record)

        def appear() -> None:
            if random.random() < 0.02:
                p = made.skills.position()[:2]
                x, y = p + random.uniform(-0.6, 0.6, 2)
                at = pose((x, y, random.uniform(0.2, 1.3) * robot.shoulder_height), tuple(random.uniform(-3, 3, 3)))
                made.plant.add(f"box_{random.integers(len(size))}", at)

        made.add_process(appear)
        outcome = made.run(FollowCommands(Agent(robot, 2), duration=STEPS * DT), 1e5)
        assert outcome.success, outcome
    scene = Scene(record.robot, record.objects)
    boxes = len(record.robot.collision.geometryObjects)
    pairs = [k for k, pair in enumerate(scene.pairs.tolist()) if min(pair) < boxes]
    deeper, worst, touching, last = 0, 0.0, 0, dict[int, float]()
    for before, step in zip(record.steps, record.steps[1:], strict=False):
        scene.place(step.q, step.poses)
        found = zip(pairs, scene.distances(pairs), strict=True)
        now = {pair: distance for pair, distance in found if distance < 0.0 and scene.touches(pair)}
        same = step.poses is before.poses
        depths = [last.get(pair, 0.0) - distance for pair, distance in now.items() if same]
        depths = [depth for depth in depths if depth > 1e-6]
        touching += bool(now)
        deeper, worst, last = deeper + bool(depths), max([worst, *depths]), now
    return {
        "robot": robot.name,
        "steps": len(record.steps) - 1,
        "in contact": touching,
        "deeper": deeper,
        "by at most [mm]": 1e3 * worst,
    }


def ball(robot: Robot) -> Row:
    """Which way an agent takes round a ball."""
    world = world_of({"ball": ((0.1, 0.1, 0.1), pose((5.0, 0.0, 1.0)))})
    sphere = Shape("sphere", (0.04,), np.eye(4))
    world = replace(world, objects={"ball": replace(world.objects["ball"], shapes=(sphere,))})
    with simulate(robot, world, seed=1, start=(0.0, 0.0, 0.0), filters=[Reflex()]) as made:
        made.run(Postural(posture="ready", mirror=False))
        skills, q = made.skills, made.skills.position()
        hand = made.skills.hands[-1]
        arm = skills.joints(f"{hand}_arm").tolist()

        def at(sweep: int, aside: float, lift: int, by: float) -> Array:
            there = q.copy()
            there[[sweep, lift]] += aside, by
            return np.clip(there, robot.lower, robot.upper)

        def corners(sweep: int, lift: int, by: float) -> list[Array]:
            ways = (-SWEEP, 0.0), (-SWEEP, by), (SWEEP, by), (SWEEP, 0.0)
            return [at(sweep, aside, lift, up) for aside, up in ways]

        def fits(*way: Any) -> bool:
            """Whether it leads round the ball, and not too near to anything."""
            lines = [np.linspace(a, b, 30) for a, b in pairwise(corners(*way))]
            return bool(skills.keeps_clear(np.concatenate(lines), 0.012))

        ways = [(sweep, lift, by) for sweep in arm for lift in arm if lift != sweep for by in (-0.8, 0.8)]
        middle = skills.forward_kinematics(hand, q)
        made.plant.add("ball", pose(tuple(middle[:3, 3])))
        made.look()
        chosen = next(way for way in ways if fits(*way))
        names = [robot.joints[joint] for joint in chosen[:2]]
        places = {
            name: corner[list(chosen[:2])]
            for name, corner in zip(("left", "high left", "high right", "right"), corners(*chosen), strict=True)
        }
        solid = made.ignore_collisions("ball")

        def go(*way: str) -> tuple[str, ...]:
            """The places on a way that were reached."""
            came = list[str]()
            for place in way:
                target = JointTarget(dict(zip(names, places[place].tolist(), strict=True)))
                if not _reaches(made, target):
                    break
                came.append(place)
            return tuple(came)

        assert go("left") == ("left",)
        through = go("right", "left")
        solid()
        record = Record(made.robot, world.objects, DT, made.plant.truth())
        made.events.subscribe(record)
        refused = go("right")
        around = go("high left", "high right", "right")
    return {
        "robot": robot.name,
        "not solid": " - ".join(("left", *through)),
        "solid, straight": " - ".join(("left", *refused)) + ("" if refused else ", refused and back"),
        "solid, round it": " - ".join(("left", *around)),
        "contacts": len(list(contacts(record, lambda *at: False))),
    }


def _reaches(made: Session, target: JointTarget) -> bool:
    """Whether a target is reached, and not refused."""
    sent, refused = list[bool](), list[bool]()

    def source(feedback: JointFeedback) -> JointTarget | None:
        if not sent:
            sent.append(True)
            return target
        refused.append(feedback.refused is not None)
        if len(refused) > 1 and not feedback.moving and not feedback.v.any():
            raise StopIteration
        return None

    made.run(FollowCommands(source, duration=20.0))
    return not any(refused)


def measure(
    robots: Annotated[str, typer.Option(help="Separated by commas.")] = "icub,g1,talos",
    sims: Annotated[str, typer.Option(help="For the throws: kinematic, mujoco, bullet.")] = "kinematic",
    minutes: Annotated[float, typer.Option(help="Simulated, of each run of the agent.")] = 5.0,
    parts: Annotated[str, typer.Option(help="Of throws, appearing and ball.")] = "throws,appearing,ball",
    json_: Json = None,
) -> None:
    """Measure, and print tables."""
    ways = list(product(sims.split(","), (False, True), (True, False)))
    makes: dict[str, Callable[[Robot], list[Row]]] = {
        "throws": lambda robot: [
            throws(robot, minutes, sim, moving=moving, reflex=reflex) for sim, moving, reflex in ways
        ],
        "appearing": lambda robot: [appearing(robot)],
        "ball": lambda robot: [ball(robot)],
    }
    found: dict[str, list[Row]] = {}
    console = Console(width=200)
    for part in parts.split(","):
        found[part] = [row for name in robots.split(",") for row in makes[part](load_robot(name))]
        table = Table(*found[part][0], title=part)
        for row in found[part]:
            table.add_row(*(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row.values()))
        console.print(table)
    if json_ is not None:
        json_.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(measure)
