"""Several robots in one world, each with a session of its own, all on one clock."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

import numpy as np
from py_trees.behaviour import Behaviour

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.behavior.executive import Outcome, interrupts_wait
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.shared_world import SharedWorld

from .session import Session
from .settings import RunSettings
from .start import drawn_start, furnished, given_start

LEAST_REGION = np.array([1.0, 1.0, 0.0])  # [m, m, rad] that a region with room for several is taken to have

Program: TypeAlias = "Behaviour | Sequence[Behaviour] | Callable[[Session], Generator[Behaviour, Outcome, object]]"
"""What a robot does: a behavior; some one after the other, until one fails; or a generator that yields behaviors and is
told how each ended."""


class MultiRobotSession(Mapping[str, Session]):
    """Robots in one world, by name; made by :func:`simulate_robots`.

    Each is a session with its own skills, arbiter, perception and events, and sees the others as things that move.
    """

    interrupted = False

    def __init__(self, sessions: Mapping[str, Session]) -> None:
        self._sessions = dict(sessions)

    def __getitem__(self, name: str) -> Session:
        if name not in self._sessions:
            raise NotFoundError("robot", name, self._sessions, "this world")
        return self._sessions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sessions)

    def __len__(self) -> int:
        return len(self._sessions)

    def run(self, programs: Mapping[str, Program], timeout: float = 120.0) -> dict[str, list[Outcome]]:
        """Run programs at the same time, each control step of one robot after that of the one before.

        Robots without a program, and those whose program has ended, hold where they are. What fails or raises in one
        program ends that one only.

        Args:
            programs: By the names of the robots.
            timeout: [s] For each behavior.

        Returns:
            How the behaviors of each program ended, in order.

        Raises:
            NotFoundError: No robot has this name.
            ParameterError: One is no program.
        """
        for name, program in programs.items():
            _check_program(name, program)
        going = {name: self._program(self[name], program, timeout) for name, program in programs.items()}
        ended: dict[str, list[Outcome]] = {name: [] for name in programs}
        resting = {name: session.rest() for name, session in self.items()}
        self.interrupted = False
        with interrupts_wait(self):
            while going:
                for name in self:
                    if name in going:
                        try:
                            next(going[name])
                            continue
                        except StopIteration as end:
                            ended[name] = end.value
                            del going[name]
                    next(resting[name])
                for name in going if self.interrupted else ():
                    self[name].events.interrupted = True
        return ended

    def close(self) -> None:
        """Close the sessions; all, also where one raises."""
        with ExitStack() as stack:
            for session in self.values():
                stack.callback(session.close)

    def __enter__(self) -> MultiRobotSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _program(self, session: Session, program: Program, timeout: float) -> Generator[None, None, list[Outcome]]:
        """The control steps of a program, and how its behaviors ended."""
        outcomes: list[Outcome] = []
        behaviors = _behaviors(session, program)
        try:
            behavior = next(behaviors)
            while True:
                outcomes.append((yield from session.steps(behavior, timeout)))
                if self.interrupted:
                    break
                behavior = behaviors.send(outcomes[-1])
        except StopIteration:
            return outcomes
        except Exception as error:
            outcomes.append(Outcome(False, Failure.raised(error, session.robot.name), 0.0, 0))
        return outcomes


def _check_program(name: str, program: object) -> None:
    behaviors = program if isinstance(program, Sequence) else [program] if isinstance(program, Behaviour) else []
    wrong = [each for each in behaviors if not isinstance(each, Behaviour)]
    if (
        wrong
        or isinstance(program, (str, type))
        or not (isinstance(program, (Behaviour, Sequence)) or callable(program))
    ):
        raise ParameterError(
            f"the program of '{name}' is a behavior, a list of behaviors, or a function of its session that yields "
            f"behaviors, not {wrong[0] if wrong else program!r}"
        )


def _behaviors(session: Session, program: Program) -> Generator[Behaviour, Outcome, None]:
    """The behaviors of a program as they are wanted."""
    if isinstance(program, Behaviour):
        yield program
    elif isinstance(program, Sequence):
        for behavior in program:
            if not (yield behavior).success:
                break
    else:
        yield from program(session)


def simulate_robots(
    robots: Mapping[str, str | Path | Robot | RunSettings], world: str | Path | World = "sparse", seed: int = 0
) -> MultiRobotSession:
    """Put several robots into one world, without physics.

    Each sees the others' links as objects that move, such as ``ann/left_forearm``, and touches none of them: what it is
    commanded is compared with where they are. What one holds moves with it for all.

    Args:
        robots: By the name by which the others know it: what :func:`~taskmatrix.session.simulate` takes for a robot, or
            :class:`~taskmatrix.session.RunSettings` with a robot of its own start, policy, planner, filters and so on.
        world: Name of a world, path of its file, or a world; furnished for the first robot.
        seed: Of everything random.

    Raises:
        ParameterError: There are no robots, a name is empty or has a slash, or a robot is to have another simulation, a
            drift, a second robot or real time.
        WorldError: There is no room for a robot in the start region of the world.
        RobotError, NotFoundError: As :func:`~taskmatrix.session.simulate` does.
    """
    given = {name: each if isinstance(each, RunSettings) else RunSettings(each) for name, each in robots.items()}
    _check(given)
    loaded = {
        name: each.robot if isinstance(each.robot, Robot) else load_robot(each.robot) for name, each in given.items()
    }
    first = next(iter(loaded.values()))
    shared = SharedWorld(_fixed(furnished(world, first).sampled(np.random.default_rng([seed, 1]))))
    for number, name in enumerate(sorted(given, key=lambda name: given[name].start is None)):
        robot, place = loaded[name], given[name].start
        random = np.random.default_rng([seed, 2, number])
        q = _start(robot, shared, name, random) if place is None else given_start(robot, place)
        shared.enter(name, robot, q)
    sessions: dict[str, Session] = {}
    try:
        for name, each in given.items():
            plant, seen = shared.plants[name], shared.seen_by(name)
            x, y, yaw = plant.sense().q[:3].tolist()
            settings = replace(each, robot=loaded[name], world=seen, seed=seed, start=(x, y, yaw), plant=plant)
            sessions[name] = Session(settings)
    except Exception:
        MultiRobotSession(sessions).close()
        raise
    return MultiRobotSession(sessions)


def _check(given: Mapping[str, RunSettings]) -> None:
    if not given:
        raise ParameterError("there are no robots to put into the world")
    for name, each in given.items():
        if not name or "/" in name:
            raise ParameterError(f"a robot's name has at least one letter and no slash, not {name!r}")
        kinematic = each.sim == RunSettings.sim and each.plant is None and each.drift is None
        if not kinematic or each.real_time or each.second_robot is not None:
            raise ParameterError(
                f"robots share a world without physics, drift, second robot and real time; '{name}' is to have another"
            )


def _fixed(world: World) -> World:
    """The world with all of its objects where they are, whatever the seed."""
    still = {id: replace(placed, jitter=(0.0, 0.0, 0.0)) for id, placed in world.placements.items()}
    return replace(world, placements=still)


def _start(robot: Robot, shared: SharedWorld, name: str, random: np.random.Generator) -> Array:
    """(n,) Somewhere free, and away from the others, in the start region and as much again around it."""
    world = shared.seen_by(name)
    xmin, ymin, xmax, ymax = world.bounds
    lower, upper = np.array(world.start)
    more = np.maximum(upper - lower, LEAST_REGION) * [0.5, 0.5, 0.0] if shared.plants else 0.0
    low, high = np.maximum(lower - more, [xmin, ymin, lower[2]]), np.minimum(upper + more, [xmax, ymax, upper[2]])
    region = (low[0], low[1], low[2]), (high[0], high[1], high[2])
    places = [plant.sense().q[:2] for plant in shared.plants.values()]
    return drawn_start(robot, replace(world, start=region), random, places)
