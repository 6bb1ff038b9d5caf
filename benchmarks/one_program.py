"""One program, unedited, on every plant: it takes the can off the table, and puts it back.

    python benchmarks/one_program.py --seeds 10 --json one_program.json

    kinematic  the simulation without physics
    bullet     PyBullet
    mujoco     MuJoCo
    wire       a robot in a process of its own that speaks ROS 2 and is told nothing but messages (``ros2_world.py``);
               it moves as the kinematic simulation does, and is connected: no world, no truth, objects are detected
    log        the recording of each of the others as a plant

A run counts if both behaviors say that they succeeded and the judge agrees from what was true: in a simulation its own
truth; over the wire that of the robot's process, which its program never sees. On a log nothing moves that did not move
then: such a run counts if the program sends the same messages at the same times as it did, and the same commands,
whatever had come of it.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, cast

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.table import Table

from taskmatrix import connect, simulate
from taskmatrix.behaviors import Pickup, Putdown
from taskmatrix.core import Command, ObjectModel, Percept, RealClock, SimulatedClock, TaskBehavior
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.ros2 import Controller, Ros2Detections, Ros2Names, Ros2Plant
from taskmatrix.ros2.messages import BOOL
from taskmatrix.session.session import Session
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record, judge_of
from taskmatrix.studio.recording import repeat, summary

ROBOTS = ("bandit", "talos", "g1", "pr2", "icub")
PLANTS = ("kinematic", "bullet", "mujoco", "wire")
LOG = "log"
WORLD, OBJECT, PLACE = "sparse", "soda_can", "table"
WIRE = Path(__file__).with_name("ros2_world.py")
TRAJECTORY = "/joint_trajectory_controller/joint_trajectory"
PATIENCE, AGAIN = 20.0, 1.0  # [s] for the robot's process, and until it is commanded again


def program(session: Session) -> None:
    """The program."""
    if session.run(Pickup(object=OBJECT)).success:
        session.run(Putdown(object=OBJECT, on=PLACE))


class Witness:
    """Judges each run of a session as it ends.

    Args:
        session: Which runs the program.
        record: What was true.
        truth: Tells what was true in the control steps since it was asked last, if not the session's own events.

    Attributes:
        verdicts: One for each run: empty, or why it does not count.
    """

    def __init__(self, session: Session, record: Record, truth: Wire | None = None) -> None:
        self._session, self._record, self._truth = session, record, truth
        self._pending: list[Event] = []
        self.verdicts: list[str] = []
        session.events.subscribe(self)

    @property
    def verdict(self) -> str:
        """Of the program: empty if it counts."""
        wrong = [verdict for verdict in self.verdicts if verdict]
        return wrong[0] if wrong else "" if len(self.verdicts) == 2 else "it did not end"

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        self._pending.append(event)
        if event.kind == "outcome":
            truth = iter(self._truth.steps()) if self._truth is not None else None
            for each in self._pending:
                known = next(truth, None) if truth is not None and each.kind == "step" else each.data
                assert known is not None, "the robot's process has fewer control steps than the program"
                self._record(Event(each.time, each.step, each.kind, each.source, known))
            self._pending.clear()
            behavior = cast(TaskBehavior, self._session.running)
            judgement = judge_of(behavior.name)(self._record, dict(behavior.parameters))
            told = f"{behavior.name}: {judgement.check}: {judgement.reason}"
            self.verdicts.append("" if judgement.success else told)


class Wire:
    """The robot's process."""

    def __init__(self, robot: str, seed: int) -> None:
        with socket.socket() as asked:
            asked.bind(("127.0.0.1", 0))
            self.port = int(asked.getsockname()[1])
        command = [sys.executable, str(WIRE), robot, WORLD, str(seed), str(self.port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
        self._told, self._poses = 0, dict[str, Array]()
        self._line()

    def steps(self) -> list[dict[str, object]]:
        """What was true since it was asked last, step by step; at first before the first step."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"truth": self._told}) + "\n")
        self.process.stdin.flush()
        steps: list[dict[str, object]] = []
        for told in json.loads(self._line())["steps"]:
            moved = {id: np.array(X) for id, X in told["poses"].items()}
            self._poses = {id: moved[id] if id in moved else self._poses[id] for id in told["there"]}
            steps.append({"q": np.array(told["q"]), "poses": self._poses, "held": told["held"]})
        self._told += len(steps)
        return steps

    def end(self) -> None:
        """Kill it."""
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        self.process.kill()
        self.process.wait(5.0)

    def _line(self) -> str:
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()) and not line.startswith(("{", "ready")):
            pass
        return line


class StepClock(SimulatedClock):
    """Time passes with control steps, and while somebody waits."""

    def sleep_until(self, when: float) -> float:
        """Wait on the clock on the wall."""
        RealClock().sleep_until(when - self.now())
        return super().sleep_until(when)

    def go_on(self, seconds: float) -> None:
        """Let time pass at once."""
        super().sleep_until(self.now() + seconds)


class WirePlant(Ros2Plant):
    """Waits after each command until the robot, for which time passes with commands only, has gone on; has hands.

    Nothing of the library tells a hand over ROS 2 to hold; a robot's own topics do, as here.

    Attributes:
        repeated: Commands that were sent again, because nobody answered.
    """

    def __init__(self, robot: Robot, port: int) -> None:
        self._steps = StepClock()
        names = Ros2Names((Controller(TRAJECTORY),), router=f"tcp/127.0.0.1:{port}")
        super().__init__(robot, names, wait=PATIENCE, guarded=False, clock=self._steps)
        self._close = {hand: self.node.publisher(f"/{hand}_hand/close", BOOL, latched=True) for hand in robot.hands}
        self._holds = {hand: self.node.subscriber(f"/{hand}_hand/holds", BOOL, latched=True) for hand in robot.hands}
        self._meant: dict[str, str] = {}
        self._held: dict[str, bool] = {}
        self.repeated = 0

    def apply(self, command: Command, dt: float) -> None:
        """Command, and wait for the robot."""
        before, waits, sent = self.sense().time or 0.0, RealClock(), 1
        super().apply(command, dt)
        self._steps.go_on(dt)
        while (self.sense().time or 0.0) < before + dt / 2:
            if waits.now() > PATIENCE:
                raise TimeoutError("the robot's process does not answer")
            if waits.now() > sent * AGAIN:  # a message may be dropped where the machine is too busy
                sent += 1
                self.repeated += 1
                super().apply(command, dt)
            time.sleep(1e-4)

    def attach(self, hand: str, object: str) -> None:
        """Have a hand close."""
        self._meant[hand] = object
        self._close[hand].put(self.node.messages.make(BOOL, data=True))

    def detach(self, hand: str) -> None:
        """Have a hand open."""
        self._meant.pop(hand, None)
        self._close[hand].put(self.node.messages.make(BOOL, data=False))

    def holders(self) -> dict[str, str]:
        """Hands by what they were told to take and say that they hold."""
        for hand, source in self._holds.items():
            while (received := source.take()) is not None:
                self._held[hand] = bool(received.message.data)
        return {id: hand for hand, id in self._meant.items() if self._held.get(hand)}


class Seen:
    """Objects as they are detected, in the hands that say that they hold them."""

    def __init__(self, plant: WirePlant, models: dict[str, ObjectModel]) -> None:
        self._plant, self._detections = plant, Ros2Detections(plant, models)
        self._models, waits = models, RealClock()
        while len(self._detections()) < len(models):
            if waits.now() > PATIENCE:
                raise TimeoutError("the robot's process does not detect all that there is")
            time.sleep(0.01)

    def __call__(self) -> Iterable[Percept]:
        """All that is known now."""
        holders = self._plant.holders()
        for seen in self._detections():
            id = seen.model.id
            yield Percept(self._models[id], seen.X_WO, held_by=holders.get(id))


@contextmanager
def opened(plant: str, robot: str, seed: int) -> Iterator[tuple[Session, Witness, list[ObjectModel]]]:
    """A session on a plant, who judges it, and models of what a recording of it does not explain."""
    if plant != "wire":
        with simulate(robot, WORLD, seed, sim=plant) as session:
            tolerance = EXACT if plant == "kinematic" else PHYSICAL
            yield session, Witness(session, _record(session, session.world.objects, tolerance)), []
        return
    with simulate(robot, WORLD, seed) as other:  # for the models only
        known, body = dict(other.world.objects), other.robot
    wire = Wire(robot, seed)
    try:
        with closing(WirePlant(body, wire.port)) as driven:
            seen = Seen(driven, known)
            with connect(body, driven, seen, real_time=False, seed=seed) as session:
                (begins,) = wire.steps()
                record = Record(body, known, session.context.dt, begins, set(known), EXACT)
                yield session, Witness(session, record, wire), list(known.values())
    finally:
        wire.end()


def _record(session: Session, objects: Mapping[str, ObjectModel], tolerance: Any) -> Record:
    return Record(session.robot, objects, session.context.dt, session.plant.truth(), set(objects), tolerance)


def measured(plant: str, robot: str, seed: int, folder: Path, logs: bool) -> list[dict[str, Any]]:
    """Run the program on a plant, and on the recording of that."""
    path, began = folder / f"{plant}-{robot}-{seed}.mcap", time.perf_counter()
    case: dict[str, Any] = {"plant": plant, "robot": robot, "seed": seed}
    try:
        with opened(plant, robot, seed) as (session, witness, models):
            session.record(path)
            program(session)
            verdict, duration = witness.verdict, session.context.clock.now()
            case["repeated"] = getattr(session.plant, "repeated", 0)
    except Exception as error:
        return [{**case, "success": False, "reason": f"{type(error).__name__}: {error}"}]
    wall = time.perf_counter() - began
    found = [{**case, "success": not verdict, "reason": verdict, "duration": duration, "wall": wall}]
    if logs:
        began = time.perf_counter()
        try:
            comparison = repeat(path, program, objects=models)
            same, told = comparison.same, summary(comparison)
        except Exception as error:
            same, told = False, f"{type(error).__name__}: {error}"
        reason, wall = "" if same else told, time.perf_counter() - began
        found.append({**case, "plant": LOG, "of": plant, "success": same, "reason": reason, "wall": wall})
    path.unlink(missing_ok=True)
    return found


def report(runs: list[dict[str, Any]], robots: list[str], plants: list[str], console: Console) -> None:
    """Print how often it counted, and why not."""
    heads = [*plants, *(f"{LOG} of {plant}" for plant in plants if any(run.get("of") == plant for run in runs))]
    table = Table("robot", *heads, title=f"pickup and putdown of the {OBJECT.replace('_', ' ')}, judged")
    for robot in [*robots, "all"]:
        mine = [run for run in runs if robot in (run["robot"], "all")]
        cells = [[run["success"] for run in mine if _head(run) == head] for head in heads]
        table.add_row(robot, *(f"{sum(cell)}/{len(cell)}" for cell in cells))
    console.print(table)
    repeated = sum(run.get("repeated", 0) for run in runs)
    if repeated:
        console.print(f"{repeated} commands were sent over the wire again, because nobody answered within {AGAIN:g} s")
    for run in runs:
        if not run["success"]:
            console.print(f"{_head(run)}, {run['robot']}, seed {run['seed']}: {run['reason']}")


def _head(run: dict[str, Any]) -> str:
    return f"{LOG} of {run['of']}" if "of" in run else str(run["plant"])


def measure(
    seeds: Annotated[int, typer.Option(help="Runs of each robot on each plant.", min=1)] = 10,
    robots: Names = None,
    plants: Names = None,
    json_file: Json = None,
) -> None:
    """Measure and report."""
    console, runs = Console(width=160), list[dict[str, Any]]()
    bodies, places = chosen("robot", robots, ROBOTS), chosen("plant", plants, (*PLANTS, LOG))
    driven = [plant for plant in places if plant != LOG] or list(PLANTS)
    with TemporaryDirectory() as folder:
        for seed in range(seeds):
            for robot in bodies:
                for plant in driven:
                    runs += measured(plant, robot, seed, Path(folder), LOG in places)
                    told = runs[-1 - (LOG in places and "of" in runs[-1])]
                    said = told["reason"] or "counts"
                    console.print(f"seed {seed}, {robot}, {plant}: {said}", style="dim")
                    if json_file:
                        json_file.write_text(json.dumps({"runs": runs}, indent=1) + "\n")
    report(runs, bodies, driven, console)


if __name__ == "__main__":
    main(measure)
