"""How often a forward player scores, and whether it finds a ball again that is moved by hand.

    python benchmarks/soccer.py --robots nao,talos --seeds 20 --json soccer.json
    python benchmarks/soccer.py --robots nao --seeds 1 --moved 10
    python benchmarks/soccer.py --gaze

Robot and ball start anywhere on the field but for half a metre along its edges, the robot with any heading. "scored" is
what the judge of goals says of the plant's truth, "goal_s" when; "mode" is what the player was doing at the end, "why"
what brought it there, and "ended" what ended the run if not the player. With ``--moved`` the ball is put elsewhere on
the field as many times, some seconds after the player has reached it, and "found" counts how often it reached it again;
the slowest took "slowest_s". With ``--gaze`` a ball rolls past 2 m away at 1 m/s once the robot looks at it, and
"largest_deg" is how far it comes from the middle of the image then.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer
from mapping import show
from options import Json, main

from taskmatrix.core.base.events import Event
from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.part import Part
from taskmatrix.core.trees.activation_tree import ActivationTree
from taskmatrix.core.world.geometry import angle_between, pose
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.judges import Record, scores
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.soccer import FaceBall, ForwardPlayer, SearchBall

BALL, NET = "ball", "yellow_goal"
HALF = 2.5, 1.5  # [m] of the field, without the margin
REACHED = "has reached the ball", "sees the ball in the net"
APART = 1.0  # [m] from robot and ball, at least, where the ball is put
SOON = 4.0  # [s] after the ball was reached, at most, it is moved
WITH_HEADS = ("asimo", "bandit", "icub", "mannequin", "nao", "pr2", "romeo", "talos")
PAST, SPEED, SETTLED = 2.0, 1.0, 1.0  # [m], [m/s], [s]: a ball that rolls past


class Mover:
    """A hand that puts the ball elsewhere some seconds after the player has reached it.

    Args:
        session: Where.
        times: How often.
    """

    def __init__(self, session: Session, times: int) -> None:
        self._session, self.left = session, times
        self._random = np.random.default_rng([session.seed, 3])
        self._due: float | None = None
        self._moved: float | None = None
        self.took: list[float] = []
        session.events.subscribe(self._hear)
        session.add_process(self._act)

    def _hear(self, event: Event) -> None:
        """The ball was reached."""
        if event.kind != "transition" or event.data["trigger"] not in REACHED:
            return
        if self._moved is not None:
            self.took.append(event.time - self._moved)
            self._moved = None
        if self.left and self._due is None:
            self._due = event.time + float(self._random.uniform(0.0, SOON))

    def _act(self) -> None:
        if self._due is None or self._session.context.clock.now() < self._due:
            return
        X_WO, base = self._session.plant.truth()["poses"][BALL], self._session.skills.position()[:2]  # type: ignore[index]
        while True:
            place = self._random.uniform(-1.0, 1.0, 2) * HALF
            if min(np.linalg.norm(place - base), np.linalg.norm(place - X_WO[:2, 3])) > APART:
                break
        self._session.plant.set_pose(BALL, pose((*place, self._session.world.poses[BALL][2, 3])))
        self._due, self._moved, self.left = None, self._session.context.clock.now(), self.left - 1


def played(robot: Robot, seed: int, seconds: float, sim: str, physics: str, moved: int) -> dict[str, Any]:
    """One game."""
    world = load_world("soccer", robot.shoulder_height).jittered(BALL, *HALF)
    world = replace(world, start=((-HALF[0], -HALF[1], -math.pi), (HALF[0], HALF[1], math.pi)))
    began = process_time()
    with simulate(robot, world, seed=seed, sim=sim, physics=physics if sim == "bullet" else None) as session:
        record = Record(robot, session.world.objects, 0.0, session.plant.truth())
        last: dict[str, Any] = {"start": ["look_for_ball"], "trigger": "the start", "why": ""}
        kicks = list[str]()

        def watch(event: Event) -> None:
            if event.kind == "transition" and event.source == "forward-player":
                last.update({"why": "", **event.data})
                kicks.extend([str(last["why"])] if last["trigger"] == "selects a kick" else [])

        session.events.subscribe(record)
        session.events.subscribe(watch)
        mover = Mover(session, moved) if moved else None
        outcome = session.run(ForwardPlayer(ball=BALL, net=NET), seconds)
        while mover is not None and (mover.left or mover.took[moved - 1 :] == []) and outcome.success:
            outcome = session.run(ForwardPlayer(ball=BALL, net=NET), seconds)
        goals = [score for score in scores(record.steps, record.objects, BALL) if score.goal == NET]
        step = session.context.dt
    begin, end = record.steps[0], record.end
    return {
        "robot": robot.name,
        "seed": seed,
        "scored": bool(goals),
        "goal_s": goals[0].step * step if goals else None,
        "kicks": len(kicks),
        **({"found": f"{len(mover.took)} of {moved}", "slowest_s": max(mover.took, default=None)} if mover else {}),
        "mode": last["start"][0],
        "why": " ".join(str(last[key]) for key in ("trigger", "why")).strip()[:60],
        "ended": outcome.failure.root.message[:40] if outcome.failure is not None else "",
        "start": str(begin.q[:3].round(1).tolist()),
        "ball": str(begin.poses[BALL][:2, 3].round(1).tolist()),
        "end": str(end.poses[BALL][:2, 3].round(1).tolist()),
        "processor_s": process_time() - began,
    }


class Keeper(ModalComponent):
    """Looks for the ball and then at it."""

    search_ball, face_ball = Part(SearchBall), Part(FaceBall)

    search, face = Mode(act=[search_ball]), Mode(act=[face_ball])

    @search.to(face)
    def sees_the_ball(self) -> bool:
        """And faces it."""
        return self.search_ball.perception.ball_seen


def faced(robot: Robot) -> dict[str, Any]:
    """A ball that rolls past."""
    errors = list[float]()
    world = load_world("soccer", robot.shoulder_height)
    with simulate(robot, world, start=(-0.5, 0.0, 0.0)) as session:
        tree, skills, clock = ActivationTree(Keeper()), session.skills, session.context.clock
        height, began = world.poses[BALL][2, 3], list[float]()

        def roll() -> None:
            """Put the ball where it is now, and measure where it is seen."""
            if not began and tree.components["keeper"].state == "face":
                began.append(clock.now() + SETTLED)
            gone = SPEED * max(0.0, clock.now() - began[0]) if began else 0.0
            place = np.array([PAST - 0.5, min(gone, 2.0 * HALF[1]) - HALF[1], height])
            session.plant.set_pose(BALL, pose(place))
            if 0.0 < gone < 2.0 * HALF[1]:
                errors.append(math.degrees(angle_between(skills.view()[:, 0], place - skills.view_position())))

        session.add_process(roll)
        session.run(tree, 12.0 + 2.0 * HALF[1] / SPEED)
    found = {"mean_deg": float(np.mean(errors)), "largest_deg": max(errors)} if errors else {}
    return {"robot": robot.name, "steps": len(errors), **found}


def soccer(
    robots: Annotated[str, typer.Option(metavar="NAMES", help="Separated by commas.")] = "nao",
    seeds: Annotated[int, typer.Option(help="Games of each.", min=1)] = 5,
    first: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    seconds: Annotated[float, typer.Option(help="Of a game.")] = 120.0,
    sim: Annotated[str, typer.Option(help="bullet, or kinematic, where no ball rolls.")] = "bullet",
    physics: Annotated[str, typer.Option(help="Preset of the physics.")] = "default",
    moved: Annotated[int, typer.Option(help="How often the ball is put elsewhere in a game.", min=0)] = 0,
    gaze: Annotated[bool, typer.Option(help="Whether to measure how well a ball is faced that rolls past.")] = False,
    json_file: Json = None,
) -> None:
    """Play, and report after each game."""
    rows = list[dict[str, Any]]()
    if gaze:
        for name in WITH_HEADS if robots == "all" else robots.split(","):
            rows.append(faced(load_robot(name)))
            show("a ball that rolls past", rows, "mean_deg", "largest_deg")
    else:
        for name in robots.split(","):
            robot = load_robot(name)
            for seed in range(first, first + seeds):
                rows.append(played(robot, seed, seconds, sim, physics, moved))
                mine = [row for row in rows if row["robot"] == name]
                scored = sum(row["scored"] for row in mine)
                show(f"{name}: {scored} of {len(mine)} scored", mine, "goal_s", "kicks", by=2)
                if json_file is not None:
                    json_file.write_text(json.dumps(rows, indent=1))
    if json_file is not None:
        json_file.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main(soccer)
