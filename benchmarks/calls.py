"""What the calls of the skills cost that a user makes, whole: from Python into compiled code and back.

    python benchmarks/calls.py --robots talos,pr2 --world kitchen --json calls.json

Each arm is asked about poses that its hand has in configurations free of contact, so every one is possible. Checks are
asked about configurations anywhere within the arm's limits, many of them in contact: it takes coal to tell where and
how deep. The time of a plan ends when the plan is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from peers import OURS
from report import Column, Report
from results import Result
from rich.progress import track

import taskmatrix as tm
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import HandGoal, Plan
from taskmatrix.robots import robot_names
from taskmatrix.session.session import Session

MAIN = Column("median", "median ms", ".3f")
REPORT = Report(
    "calls of the skills",
    [
        Column("asked", "asked", ",.0f", "count"),
        Column("answered", "answered %", ".1f", "share"),
        MAIN,
        Column("mean", "mean", ".3f"),
        Column("p95", "95 %", ".3f"),
    ],
    MAIN,
)


def calls(session: Session, count: int) -> Iterator[tuple[str, int, Iterable[Callable[[], Any]]]]:
    """Names of the calls, how much each asks at once, and the calls."""
    skills, robot = session.skills, session.robot
    hand = next(iter(robot.hands))
    arm = robot.hands[hand].arm
    joints, q, source = np.array(robot.indices(arm)), skills.position(), np.random.default_rng(0)
    anywhere = source.uniform(robot.lower[joints], robot.upper[joints], (20_000, len(joints)))
    free = anywhere[skills.are_free(joints, anywhere)][:count]
    whole = np.repeat(q[None], len(free), axis=0)
    whole[:, joints] = free
    goals = [HandGoal(hand, skills.forward_kinematics(hand, at), str(k)) for k, at in enumerate(whole)]
    find = partial(skills.find_configuration, chains=[arm])
    find_each = partial(skills.find_configurations, chains=[arm])
    check, check_many = partial(skills.collision, joints), partial(skills.are_free, joints)
    yield "find_configuration", 1, [partial(find, [goal]) for goal in goals]
    yield "find_configuration, free", 1, [partial(find, [goal], free=True) for goal in goals]
    yield "find_configurations, free", max(1, len(goals)), [partial(find_each, goals, free=True)]
    yield "collision, anywhere", 1, [partial(check, at) for at in anywhere[:count]]
    yield "collision, where it is free", 1, [partial(check, at) for at in free]
    yield "are_free", 1000, [partial(check_many, some) for some in np.split(anywhere, 20)]
    yield "plan_to_poses", 1, [partial(planned, session, goal, arm) for goal in goals]


def planned(session: Session, goal: HandGoal, arm: str) -> Plan | Failure:
    """The plan of an arm to a goal, as quickly as its limits allow."""
    job = session.skills.plan_to_poses([goal], [arm], 0.0, 0, 0.0)
    return job if isinstance(job, Failure) else job.result()


def answered(answer: object) -> float:
    """Share of questions that were answered."""
    answers = answer if isinstance(answer, list) else [answer]
    return float(np.mean([not isinstance(each, Failure) for each in answers]))


def measured(robot: str, name: str, at_once: int, asked: Iterable[Callable[[], Any]]) -> Result:
    """Figures of one call, by question where it asks several."""
    asked = list(asked)
    for call in asked[:10]:
        call()
    times, shares = list[float](), list[float]()
    for call in asked:
        began = perf_counter()
        answer = call()
        times.append(1e3 * (perf_counter() - began) / at_once)
        shares.append(answered(answer))
    figures = {"asked": float(at_once * len(asked)), "answered": 100.0 * float(np.mean(shares))}
    figures |= {"median": float(np.median(times)), "mean": float(np.mean(times))}
    return Result(f"{robot} {name}", OURS, {**figures, "p95": float(np.percentile(times, 95))})


def run(
    robots: Names = None,
    world: Annotated[str, typer.Option(help="Where they stand.")] = "sparse",
    count: Annotated[int, typer.Option(help="Questions for each call.", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="Of where they stand.")] = 1,
    json: Json = None,
) -> None:
    """What the calls of the skills cost that a user makes."""
    results = list[Result]()
    for robot in track(chosen("robot", robots, robot_names()), "calling", console=Console(stderr=True), transient=True):
        with tm.simulate(robot, world, seed) as session:
            results += [measured(robot, *call) for call in calls(session, count)]
    REPORT.show(results, Console(width=120))
    if json is not None:
        REPORT.write(results, json, {"world": world, "seed": seed})


if __name__ == "__main__":
    main(run)
