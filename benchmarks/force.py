"""Domo's arm on other robots: force behaviors added one at a time, throws at the body, pressing, and contacts.

    python benchmarks/force.py --robots nao,g1,talos --sims mujoco,bullet --throws 100 --json force.json

*Steps*: with the right arm in its posture ``ready``, how far the hand is moved in a second by nothing but its weight
without any torque and with gravity compensation; how far from its goal a linear spring of 200 N/m leaves it when
something that the model does not know pulls it down with 2 N, and a Gaussian spring besides.

*Throws*: the floating arm is thrown, every other time at the body, at up to 1 m/s, with body avoidance and without: in
how many throws the guard had to hold the arm, in how many it touched the body by the truth of the plant, and how near
it came to it.

*Press*: 5 N on a plate below the hand, measured by the hand and by the joints; the force is the judge's.

*Contacts*: pushes with 0.3 of what the arm's strongest motor gives, at a lever of 0.3 m, while the arm moves between
its postures: how many are noticed, after how long, on the right limb; and how many are told in as many motions in which
nothing pushes.

*Yield*: how far a hand that goes up is pushed aside by what a spring alone would give way to by 1 cm; a stiff one by as
much as with 300 N/m. What is pushed is the wrist, which turns the hand, too.

*Wipe*: how hard a brush is pressed on a table, in the mean over a patch of 20 by 6 cm, by the hand's own measure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table

import taskmatrix as tm
from taskmatrix import Session, simulate
from taskmatrix.behaviors import AvoidBody, Comply, Move, Postural, Press, VirtualSpring, Wipe
from taskmatrix.core import Failure, ObjectModel, Shape, pose
from taskmatrix.core.base.events import Event
from taskmatrix.core.robot.operational_space import effective_mass
from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.robot.springs import point_jacobian
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import PHYSICAL, Record, judge_of
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.scenes.world import Placement, World

HAND, ARM = "right", "right_arm"
LOAD, STIFFNESS = 2.0, 200.0  # [N], [N/m]
FASTEST, SHORT = 1.0, 0.1  # [m/s] of a throw, [s] that it takes
SHARE, LEVER = 0.3, 0.3  # of the strongest motor of the arm, [m] at which a push has that torque
SIDEWAYS = 0.01  # [m] by which a spring gives way to a push
PARTS = "steps,throws,press,contacts,yield,wipe"
Row = dict[str, object]


def session(robot: str, sim: str, world: World | str = "sparse") -> Session:
    """A robot whose arms are in their posture ``ready``, and whose behaviors add up."""
    made = simulate(robot, world, seed=0, sim=sim, policy="sum", start=(-0.5, 0.0, 0.0))
    made.run(Postural(posture="ready"))
    return made


def hand(of: Session) -> Array:
    """(3,) [m] Where its hand is."""
    p: Array = of.skills.forward_kinematics(HAND)[:3, 3]
    return p


def push(of: Session, force: Array, duration: float) -> None:
    """Push the hand with a force (3,) [N] in the world for a while [s]."""
    assert isinstance(of.plant, PhysicsPlant)
    of.plant.push_link(of.robot.hands[HAND].frame, force, duration)


def steps(robot: str, sim: str) -> Row:
    """What each behavior adds to those before it."""
    row: Row = {"robot": robot, "sim": sim}
    for name, compensated in (("limp", False), ("weightless", True)):
        with session(robot, sim) as made:
            before = hand(made)
            made.run(Comply(chain=ARM, duration=1.0, damping=0.1, gravity_compensation=compensated))
            row[f"{name}: sinks [mm]"] = 1e3 * float(np.linalg.norm(hand(made) - before))
    for name, more in (("linear", False), ("and Gaussian", True)):
        with session(robot, sim) as made:
            x, y, z = hand(made).tolist()
            added: dict[str, Any] = {"gravity_compensation": False, "duration": 4.0}
            at: dict[str, Any] = {"hand": HAND, "x": x, "y": y, "z": z}
            parts = [Comply(chain=ARM, duration=4.0, damping=0.1), AvoidBody(chain=ARM, **added)]
            parts.append(VirtualSpring(law="linear", stiffness=STIFFNESS, **at, **added))
            parts += [VirtualSpring(law="gaussian", force=6.0, range=0.01, **at, **added)] if more else []
            push(made, np.array([0.0, 0.0, -LOAD]), 10.0)
            made.run(tm.parallel("arm", *parts))
            row[f"{name}: off [mm]"] = 1e3 * float(np.linalg.norm(hand(made) - (x, y, z)))
    return row


def throws(robot: str, sim: str, count: int) -> Iterator[Row]:
    """What becomes of throws, with and without body avoidance."""
    for avoiding in (False, True):
        random, made = np.random.default_rng(1), session(robot, sim)
        joints, held, touched, near = made.skills.joints(ARM), 0, 0, list[float]()
        seen: list[float] = []

        def watch(event: Event, of: Session = made, seen: list[float] = seen) -> None:
            if event.kind == "blocked":
                seen.append(np.inf)
            elif event.kind == "step":
                seen.extend(of.skills.body_distances(ARM, 0.1)[0].tolist())

        made.events.subscribe(watch)
        for k in range(count):
            p, way = hand(made), random.normal(size=3)
            if k % 2:
                way = np.array([*made.skills.position()[:2], p[2] + random.uniform(-0.1, 0.1)]) - p
            way /= np.linalg.norm(way)
            J = point_jacobian(*made.skills.differential_kinematics(HAND), np.zeros(3))[:, joints]
            mass = effective_mass(made.skills.mass_matrix()[np.ix_(joints, joints)], J, way)
            push(made, min(mass, 10.0) * random.uniform(0.3, 1.0) * FASTEST / SHORT * way, SHORT)
            seen.clear()
            parts = [Comply(chain=ARM, duration=0.7, damping=0.0)]
            avoid = AvoidBody(chain=ARM, force=80.0, duration=0.7, gravity_compensation=False, joint_damping=0.0)
            made.run(tm.parallel("arm", *parts, *([avoid] if avoiding else [])))
            found = [each for each in seen if np.isfinite(each)]
            held += len(found) < len(seen)
            touched += min(found, default=1.0) <= 0.0
            near.append(min(found, default=0.1))
            if not avoiding or k % 10 == 9:
                made.run(Postural(posture="ready"))
        made.close()
        yield {
            "robot": robot,
            "sim": sim,
            "avoidance": avoiding,
            "throws": count,
            "held": held,
            "touched": touched,
            "nearest [mm]": 1e3 * min(near),
        }


def presses(robot: str, sim: str) -> Iterator[Row]:
    """How hard a hand presses that is to press with 5 N."""
    plate = ObjectModel("desk", "furniture/desk", (Shape("box", (0.24, 0.24, 0.02), np.eye(4)),), movable=False)
    place = Placement(None, np.array([3.0, 3.0, 0.5]), np.eye(3), (0.0, 0.0, 0.0))
    still = (0.0, 0.0, 0.0)
    far = {"desk": pose((3.0, 3.0, 0.5))}
    bounds = (-5.0, -5.0, 5.0, 5.0)
    world = World("desk", "a plate", "desk", {"desk": plate}, far, "desk", (still, still), bounds, 1.0, {"desk": place})
    for sensor in ("hand", "joints"):
        with session(robot, sim, world) as made:
            x, y, z = hand(made).tolist()
            lowest = _lowest(made)
            made.plant.set_pose("desk", pose((x + 0.04, y, min(z, lowest) - 0.04)))
            record = Record(made.robot, made.world.objects, made.context.dt, made.plant.truth(), tolerance=PHYSICAL)
            made.events.subscribe(record)
            press = Press(hand=HAND, object="desk", force=5.0, x=0.02, sensor=sensor)
            outcome = made.run(press)
            judged = judge_of("press")(record, dict(press.parameters))
            why = judged.reason or ("" if outcome.failure is None else outcome.failure.message)
            facts = {"measured [N]": press.pressed, "judge [N]": judged.facts.get("force"), "why not": why}
            yield {"robot": robot, "sim": sim, "sensor": sensor, "pressed": judged.success, **facts}


def _lowest(of: Session) -> float:
    """[m] The lowest frame of the links of the hand that touch."""
    links = of.robot.hands[HAND].touch
    return float(min(of.skills.differential_kinematics(link)[0][2, 3] for link in links))


def contacts(robot: str, sim: str, count: int) -> Row:
    """How pushes are noticed that nobody planned."""
    made, random, told = session(robot, sim), np.random.default_rng(2), list[tuple[float, str]]()
    made.react_to_contacts()
    clock = made.context.clock
    made.events.subscribe(
        lambda event: told.append((clock.now(), str(event.data["chain"]))) if event.kind == "contact" else None
    )
    force = SHARE * float(made.robot.effort[made.skills.joints(ARM)].max()) / LEVER
    false, noticed, right, late = 0, 0, 0, list[float]()
    postures = [made.robot.stance, "ready"]
    for k in range(2 * count):
        told.clear()
        pushed = k >= count
        way = random.normal(size=3)
        if pushed:
            push(made, force * way / np.linalg.norm(way), 0.5)
        begin = clock.now()
        made.run(Postural(posture=postures[k % 2]))
        soon = [(at, chain) for at, chain in told if at - begin < 0.5] if pushed else []
        noticed += bool(soon)
        right += bool(soon) and soon[0][1] == ARM
        late += [1e3 * (soon[0][0] - begin)] if soon else []
        false += len(told) > 0 and not pushed
    made.close()
    return {
        "robot": robot,
        "sim": sim,
        "push [N]": force,
        "noticed": f"{noticed} of {count}",
        "on that arm": right,
        "median [ms]": float(np.median(late)) if late else None,
        "false": f"{false} of {count}",
    }


class Pushed(Move):
    """A move that tells how far its hand was aside."""

    def planned(self, plan: Plan) -> None:
        """Begin to move."""
        super().planned(plan)
        self.places: list[Array] = []

    def step(self) -> Failure | bool:
        """Move on."""
        self.places.append(self.context.skills.forward_kinematics(HAND)[:3, 3])
        return super().step()


def yields(robot: str, sim: str) -> Iterator[Row]:
    """How far a hand is pushed aside that goes up by 6 cm meanwhile, with springs and without."""
    for stiffness in (None, 1000.0, 300.0, 100.0):
        with session(robot, sim) as made:
            force = SIDEWAYS * (stiffness or 300.0)
            push(made, np.array([0.0, force, 0.0]), 2.5)
            move = Pushed(hand=HAND, z=0.06, duration=4.0, stiffness=stiffness)
            outcome = made.run(move)
            aside = 1e3 * float(np.ptp(np.array(move.places)[:, 1]))
            why = "" if outcome.failure is None else outcome.failure.root.message
            facts = {"stiffness [N/m]": stiffness, "force [N]": force, "aside [mm]": aside, "why not": why}
            yield {
                "robot": robot,
                "sim": sim,
                **facts,
                "a spring alone [mm]": 1e3 * force / stiffness if stiffness else 0.0,
            }


def wipes(robot: str, sim: str) -> Iterator[Row]:
    """How hard a brush is pressed on a table, in the mean over a patch."""
    for wanted in (3.0, 5.0, 8.0):
        with simulate(robot, "cafe", seed=2, sim=sim) as made:
            told: list[float] = []

            def note(event: Event, told: list[float] = told) -> None:
                told += [float(str(event.data["pressed"]))] if event.data.get("pressed") is not None else []

            made.events.subscribe(note)
            outcome = made.run(Wipe(object="brush", on="table", width=0.06, force=wanted))
            why = "" if outcome.failure is None else outcome.failure.root.message
            facts = {"wanted [N]": wanted, "pressed [N]": told[-1] if told else None, "why not": why}
            yield {"robot": robot, "sim": sim, **facts}


def measure(
    robots: Annotated[str, typer.Option(help="Separated by commas.")] = "nao,g1,talos",
    sims: Annotated[str, typer.Option(help="Separated by commas.")] = "mujoco",
    throw: Annotated[int, typer.Option("--throws", help="How many, each with and without body avoidance.")] = 100,
    pushes: Annotated[int, typer.Option(help="How many that nobody planned, and motions without any.")] = 20,
    parts: Annotated[str, typer.Option(help="Of steps, throws, press, contacts, yield and wipe.")] = PARTS,
    json_: Json = None,
) -> None:
    """Measure, and print tables."""
    makes: dict[str, Callable[[str, str], list[Row]]] = {
        "steps": lambda robot, sim: [steps(robot, sim)],
        "throws": lambda robot, sim: list(throws(robot, sim, throw)),
        "press": lambda robot, sim: list(presses(robot, sim)),
        "contacts": lambda robot, sim: [contacts(robot, sim, pushes)],
        "yield": lambda robot, sim: list(yields(robot, sim)),
        "wipe": lambda robot, sim: list(wipes(robot, sim)),
    }
    found: dict[str, list[Row]] = {}
    console = Console()
    for part in parts.split(","):
        found[part] = [row for robot in robots.split(",") for sim in sims.split(",") for row in makes[part](robot, sim)]
        table = Table(*found[part][0], title=part)
        for row in found[part]:
            table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()))
        console.print(table)
    if json_ is not None:
        json_.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(measure)
