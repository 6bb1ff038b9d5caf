"""Reach, fixate and wave at once: what comes of it by each policy of the arbiter.

    python benchmarks/policies.py --robots talos,pr2 --seeds 20 --json policies.json

The robot looks at an object while it reaches for the can with its right hand and waves with the other arm. Fixate
begins, so it has the base when reach asks for it. It looks at each target in turn; some are beside or behind the robot,
where the head alone does not turn. Told are in how many runs the reach succeeds, by the judge of reach, who sees the
plant's truth and every contact; how far the hand is off its path at most; how far the view is from the target at the
median, and when the hand arrives; in how many runs the collision guard held somebody; how long it took; and the first
reason why a reach did not succeed. Hand, view and time are of those that did.

``alone`` is the reach without the others, for comparison.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Fixate, PeriodicCanned, Reach
from taskmatrix.behaviors.manipulation.path_follower import PathFollower
from taskmatrix.core import Machine, Parameter, State, on, start
from taskmatrix.core.base.events import Event
from taskmatrix.core.robot.policy import Policy
from taskmatrix.core.world.geometry import angle_between, pose_error
from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Record, judge_of
from taskmatrix.skills.control.null_space import NullSpace

OBJECT = "soda_can"
POLICIES = ("alone", "exclusive", "null-space")
TARGETS = (OBJECT, "broom", "stool", "tennis_ball")


class AtOnce(Machine):
    """Look at something, wave, and reach for an object; done when the hand is there."""

    object = Parameter(str)
    target = Parameter(str)

    fixate = State(Fixate, target=target, recurrent=True, optional=True)
    wave = State(PeriodicCanned, motion="wave", duration=60.0, optional=True)
    reach = State(Reach, object=object, using="right", final=True)

    transitions = (start(fixate), on(fixate.controlloop_started, start=(reach, wave)))


@dataclass(frozen=True)
class Run:
    """What came of one run."""

    policy: str
    """Its name, or ``alone``."""
    robot: str
    """Its name."""
    target: str
    """What is looked at."""
    seed: int
    """Of the world and the planner."""
    success: bool
    """Whether the hand arrived, also in the eyes of the judge."""
    duration: float
    """[s] Until the end."""
    hand: float
    """[mm] Of the hand off its path, at most."""
    gaze: float
    """[deg] Between view and target, at the median while the hand moved."""
    gaze_last: float
    """[deg] At the end."""
    blocked: tuple[str, ...]
    """Whom the collision guard held, at least once."""
    why: str
    """Why it did not succeed."""


class Watch:
    """Measures hand and gaze in every control step in which the hand follows its path."""

    def __init__(self, session: Session, reach: Reach, target: str) -> None:
        self._session, self._reach, self._target = session, reach, target
        self.hand: list[float] = []
        self.gaze: list[float] = []

    def __call__(self, event: Event) -> None:
        """Take an event."""
        follower: PathFollower | None = getattr(self._reach, "_follower", None)
        if event.kind != "step" or follower is None or not follower.wanted or not self._reach.running:
            return
        skills, q = self._session.skills, self._session.plant.sense().q
        self.hand.append(1e3 * pose_error(follower.wanted[0], skills.forward_kinematics("right", q))[0])
        ray = self._session.context.perception.object(self._target).centre - skills.view_position(q)
        self.gaze.append(float(np.degrees(angle_between(skills.view(q)[:, 0], ray))))


def run(name: str, robot: str, target: str, seed: int) -> Run:
    """Run once."""
    policy: str | Policy = NullSpace(["reach"]) if name == "null-space" else "exclusive" if name == "alone" else name
    with simulate(robot, seed=seed, policy=policy) as session:
        record = Record(session.robot, session.world.objects, CONTROL_STEP, session.plant.truth())
        machine = AtOnce(object=OBJECT, target=target)
        reach = (
            Reach(object=OBJECT, using="right")
            if name == "alone"
            else next(child for child in machine.children if isinstance(child, Reach))
        )
        watch = Watch(session, reach, target)
        session.events.subscribe(record)
        session.events.subscribe(watch)
        blocked: list[str] = []
        session.events.subscribe(lambda event: blocked.append(event.source) if event.kind == "blocked" else None)
        outcome = session.run(reach if name == "alone" else machine, timeout=60.0)
        why = "" if outcome.failure is None else outcome.failure.root.message
        if outcome.success:
            judgement = judge_of("reach")(record, {"object": OBJECT, "using": "right"})
            why = "" if judgement.success else judgement.reason
    hand, gaze = max(watch.hand, default=np.nan), watch.gaze or [np.nan]
    figures = (outcome.duration, hand, float(np.median(gaze)), gaze[-1])
    return Run(name, robot, target, seed, not why, *figures, tuple(dict.fromkeys(blocked)), why)


def row(runs: Sequence[Run]) -> list[str]:
    """The cells of a row of the table."""
    well = [run for run in runs if run.success]
    bad = next((f"{run.seed}: {run.why}" for run in runs if not run.success), "")
    count = f"{len(well)}/{len(runs)}"
    if not well:
        return [count, "", "", "", "", "", bad]
    hands, gazes = [run.hand for run in well], [run.gaze for run in well]
    last, seconds = np.mean([run.gaze_last for run in well]), np.mean([run.duration for run in well])
    return [
        count,
        f"{max(hands):.2f}",
        f"{np.mean(gazes):.1f}",
        f"{last:.1f}",
        str(sum(bool(run.blocked) for run in runs)),
        f"{seconds:.2f}",
        bad,
    ]


def measure(
    robots: Annotated[str, typer.Option(help="Names, separated by commas.")] = "talos,pr2",
    targets: Annotated[str, typer.Option(help="Ids of objects, separated by commas.")] = ",".join(TARGETS),
    policies: Annotated[str, typer.Option(help="Names, separated by commas.")] = ",".join(POLICIES),
    seeds: Annotated[int, typer.Option(help="How many, from 1.", min=1)] = 20,
    json_file: Json = None,
) -> None:
    """Measure all and report."""
    heads = (
        "robot",
        "target",
        "policy",
        "reached",
        "hand off, most [mm]",
        "gaze off [deg]",
        "at the end",
        "held",
        "time [s]",
    )
    console, table, runs = Console(width=180), Table(*heads, "first that did not"), []
    for robot in robots.split(","):
        for target in targets.split(","):
            for policy in policies.split(","):
                here = []
                for seed in range(1, seeds + 1):
                    here.append(run(policy, robot, target, seed))
                    words = (
                        here[-1].why or f"hand {here[-1].hand:.2f} mm off, view {here[-1].gaze_last:.1f} deg at the end"
                    )
                    console.print(f"{robot}, {target}, {policy}, {seed}: {words}", style="dim")
                table.add_row(robot, target, policy, *row(here))
                runs += here
    console.print(table)
    console.bars(table, "reached", "hand off, most [mm]", "gaze off [deg]", "time [s]", by=3)
    if json_file is not None:
        json_file.write_text(json.dumps({"runs": [asdict(each) for each in runs]}, indent=1))


if __name__ == "__main__":
    main(measure)
