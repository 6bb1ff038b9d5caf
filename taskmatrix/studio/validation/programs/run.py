"""Runs a program step by step, and judges each step from the state that the last one left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taskmatrix.behaviors import Timer
from taskmatrix.core.base.events import Event, Reader
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record

from .disturbance import Disturbance
from .disturbance_generator import DisturbanceGenerator
from .judging import LOCK_UP, Told, judged
from .locked import locked
from .program import Item, Program, Step
from .program_source import timeout_of
from .step_generator import Situation, chosen, made

MOVES = 0.01  # [m/s, rad/s] what is faster when a step begins fell or rolled before it
SETTLING = 1.0  # [s] in physics after a disturbance
OFTEN = 0.3  # chance of a disturbance between two steps

Source = Callable[[Session], Iterator[Item]]


@dataclass(frozen=True)
class Run:
    """A program that ran, and what became of it."""

    program: Program
    """As it ran."""
    steps: tuple[Told, ...]
    """What became of each of its behaviors."""

    @property
    def worst(self) -> tuple[str, Told] | None:
        """The gravest finding and the step that shows it; None if every step is a success."""
        stuck = locked(self.steps)
        if stuck is not None:
            return LOCK_UP, self.steps[stuck]
        order = ("false success", "unexplained", "failure")
        for verdict in order:
            for told in self.steps:
                if told.verdict == verdict:
                    return verdict, told
        return None

    def up_to(self, told: Told) -> tuple[Item, ...]:
        """The items of the program up to a step."""
        last = next(k for k, other in enumerate(self.steps) if other is told)
        places = [k for k, item in enumerate(self.program.items) if isinstance(item, Step)]
        return self.program.items[: places[last] + 1]


def run_program(program: Program, source: Source | None = None, readers: Sequence[Reader] = ()) -> Run:
    """Run a program.

    Args:
        program: Which.
        source: Gives its items as they are wanted; those of the program unless given.
        readers: Of the event stream, besides.

    Raises:
        KeyboardInterrupt: Somebody wants no result.
        TaskMatrixError: The program names something that there is not.
    """
    second_robot: dict[str, Any] = {"second_robot": program.second_robot} if program.second_robot else {}
    with simulate(program.robot, program.world, program.seed, sim=program.sim, **second_robot) as session:
        for reader in readers:
            session.events.subscribe(reader)
        items: list[Item] = []
        steps: list[Told] = []
        for item in source(session) if source else program.items:
            items.append(item)
            if isinstance(item, Disturbance):
                disturb(session, item)
            else:
                steps.append(run_step(session, item))
    return Run(replace(program, items=tuple(items)), tuple(steps))


def disturb(session: Session, item: Disturbance) -> None:
    """Have the plant do it; with physics, wait until things have come to rest. What is not there is left alone."""
    item.apply(session)
    if session.settings.is_physical:
        session.run(Timer(duration=SETTLING))


def run_step(session: Session, step: Step) -> Told:
    """Run one behavior and judge it, from the present state."""
    session.look()
    tolerance = PHYSICAL if session.settings.is_physical else EXACT
    still = set(session.world.objects) - set(session.world.scripts)
    moving = {
        id for id, percept in session.context.perception.percepts.items() if np.linalg.norm(percept.velocity) > MOVES
    }
    record = Record(
        session.robot, session.world.objects, session.context.dt, session.plant.truth(), still, tolerance, moving
    )
    plans: list[Event] = []
    stops = [session.events.subscribe(record)]
    stops.append(session.events.subscribe(lambda event: plans.append(event) if event.kind == "plan" else None))
    behavior = made(step)
    try:
        outcome: Outcome = session.run(behavior, timeout_of(step.behavior))
    finally:
        for stop in stops:
            stop()
    if outcome.failure is not None and outcome.failure.root.kind is FailureKind.INTERRUPTED:
        raise KeyboardInterrupt
    told = judged(str(step), step.behavior, dict(behavior.parameters), record, outcome)
    return replace(told, planned=bool(plans))


def random_steps(count: int, seed: int, disturbed: bool = False) -> Source:
    """A source of so many steps, each chosen among those that are possible where the last one has led.

    Args:
        count: How many.
        seed: Of all choices.
        disturbed: Whether something happens between steps now and then.
    """

    def items(session: Session) -> Iterator[Item]:
        random = np.random.default_rng([seed, 3])
        now, trouble = Situation(session), None
        for k in range(count):
            now.note()
            if disturbed and k and random.random() < OFTEN:
                trouble = trouble or DisturbanceGenerator(now)
                yield from trouble.draw(random)
                now.note()
            step = chosen(now, random)
            if step is None:
                return
            yield step

    return items
