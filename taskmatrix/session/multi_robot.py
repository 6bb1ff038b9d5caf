"""Several robots in one world, each with a session of its own, all on one clock."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

import numpy as np
from py_trees.behaviour import Behaviour

from taskmatrix.core.base.errors import NotFoundError, ParameterError, TaskMatrixError, WorldError
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.behavior.executive import Outcome, Steps, check_timeout, interrupts_wait
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.shared_world import SharedWorld
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker

from .session import Session
from .settings import RunSettings
from .start import drawn_start, furnished, given_start

COMMON = ("world", "seed", "sim", "plant", "drift", "second_robot", "real_time", "control_step")  # to all robots
LEAST_REGION = np.array([1.0, 1.0, 0.0])  # [m, m, rad] that a region with room for several is taken to have

Program: TypeAlias = "Behaviour | Sequence[Behaviour] | Callable[[Session], Generator[Behaviour, Outcome, object]]"
"""What a robot does: a behavior; some one after the other, until one fails; or a generator that yields behaviors and is
told how each ended."""


class SharedSession(Session):
    """The session of one of several robots: what it runs, it runs while the others hold where they are."""

    together: Callable[[Behaviour, float], Outcome] | None = None

    def run(self, behavior: Behaviour, timeout: float = 120.0) -> Outcome:
        """Run a behavior; see :meth:`Session.run`."""
        return super().run(behavior, timeout) if self.together is None else self.together(behavior, timeout)


class MultiRobotSession(Mapping[str, Session]):
    """Robots in one world, by name; made by :func:`simulate_robots`.

    Each is a session with its own skills, arbiter, perception and events, and sees the others as things that move.
    """

    interrupted = False

    def __init__(self, sessions: Mapping[str, SharedSession]) -> None:
        self._sessions = dict(sessions)
        self._running: dict[str, Behaviour] | None = None  # by name, while programs run
        self._closed = False
        for name, session in sessions.items():
            session.together = partial(self._alone, name)

    def __repr__(self) -> str:
        world = next(iter(self._sessions.values())).world.name
        robots = ", ".join(f"{name!r}: {session.robot.name}" for name, session in self._sessions.items())
        return f"<{robots} in {world}>"

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
            ParameterError: One is no program, two are to run the same behavior, or the timeout is no number above 0.
            TaskMatrixError: The sessions are closed, or programs run already: a program yields what it wants to run.
        """
        self._check(programs, timeout)
        going = {name: self._program(name, program, timeout) for name, program in programs.items()}
        ended: dict[str, list[Outcome]] = {name: [] for name in programs}
        resting = {name: session.rest() for name, session in self.items()}
        self.interrupted, self._running = False, {}
        try:
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
        finally:
            self._running = None
        return ended

    def record(self, folder: str | Path) -> None:
        """Record each robot's run in a file of a folder, by its name: ``ann.mcap``; see :meth:`Session.record`."""
        for name, session in self.items():
            session.record(Path(folder) / f"{name}.mcap")

    def close(self) -> None:
        """Close the sessions; all, also where one raises."""
        self._closed = True
        with ExitStack() as stack:
            for session in self.values():
                stack.callback(session.close)

    def __enter__(self) -> MultiRobotSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _alone(self, name: str, behavior: Behaviour, timeout: float) -> Outcome:
        return self.run({name: behavior}, timeout)[name][0]

    def _check(self, programs: object, timeout: object) -> None:
        if self._running is not None:
            raise TaskMatrixError("programs run already; inside a program, yield the behavior that is to run")
        if self._closed:
            raise TaskMatrixError("the sessions are closed; nothing runs in them any more")
        if not isinstance(programs, Mapping):
            raise ParameterError(f"programs are given by the names of the robots, {{'ann': ...}}, not {programs!r}")
        check_timeout(timeout)
        users: dict[int, str] = {}
        for name, program in programs.items():
            _ = self[name]
            for behavior in _checked(name, program):
                if users.setdefault(id(behavior), name) != name:
                    raise _shared(behavior, users[id(behavior)], name)

    def _program(self, name: str, program: Program, timeout: float) -> Generator[None, None, list[Outcome]]:
        """The control steps of a program, and how its behaviors ended."""
        outcomes: list[Outcome] = []
        behaviors = _behaviors(name, self[name], program)
        try:
            behavior = next(behaviors)
            while not self.interrupted:
                try:
                    outcomes.append((yield from self._steps(name, behavior, timeout)))
                except TaskMatrixError as error:
                    behavior = behaviors.throw(error)  # to where the program yields it
                else:
                    behavior = behaviors.send(outcomes[-1])
        except StopIteration:
            return outcomes
        except Exception as error:
            outcomes.append(Outcome(False, Failure.raised(error, name), 0.0, 0))
        return outcomes

    def _steps(self, name: str, behavior: Behaviour, timeout: float) -> Steps:
        """The control steps of one behavior of a program."""
        assert self._running is not None
        for other, running in self._running.items():
            if running is behavior:
                raise _shared(behavior, other, name)
        self._running[name] = behavior
        try:
            return (yield from self[name].steps(behavior, timeout))
        finally:
            self._running.pop(name, None)


def _shared(behavior: Behaviour, first: str, second: str) -> ParameterError:
    return ParameterError(f"'{first}' and '{second}' are to run the same {behavior.name}; make one for each")


def _checked(name: str, program: object) -> Sequence[Behaviour]:
    """The behaviors that are known of a program."""
    if isinstance(program, Behaviour):
        return (program,)
    known = program if isinstance(program, Sequence) and not isinstance(program, str) else ()
    wrong = next((each for each in known if not isinstance(each, Behaviour)), None)
    if wrong is not None or not (known or (callable(program) and not isinstance(program, type))):
        raise ParameterError(
            f"the program of '{name}' is a behavior, a list of behaviors, or a function that takes its session and "
            f"yields behaviors, not {program if wrong is None else wrong!r}"
        )
    return known


def _behaviors(name: str, session: Session, program: Program) -> Generator[Behaviour, Outcome, None]:
    """The behaviors of a program as they are wanted."""
    if isinstance(program, Behaviour):
        yield program
    elif isinstance(program, Sequence):
        for behavior in program:
            if not (yield behavior).success:
                break
    else:
        made = program(session)
        if not isinstance(made, Generator):
            raise ParameterError(f"the program of '{name}' gives {made!r} and yields no behavior: is a yield missing?")
        yield from made


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
        ParameterError: There are no robots, a name is empty or has a slash, or a robot is to have a world, seed,
            simulation, drift, second robot, control step or real time of its own.
        WorldError: There is no room for a robot in the start region of the world, or two are to start in contact.
        RobotError, NotFoundError: As :func:`~taskmatrix.session.simulate` does.
    """
    given = _settings(robots, seed)
    loaded = {
        name: each.robot if isinstance(each.robot, Robot) else load_robot(each.robot) for name, each in given.items()
    }
    first = next(iter(loaded.values()))
    shared = SharedWorld(_fixed(furnished(world, first).sampled(np.random.default_rng([seed, 1]))))
    for number, name in enumerate(sorted(given, key=lambda name: given[name].start is None)):
        robot, place = loaded[name], given[name].start
        random = np.random.default_rng([seed, 2, number])
        q = _start(robot, shared, name, random) if place is None else given_start(robot, place)
        if place is not None:
            _check_apart(robot, q, shared, name)
        shared.enter(name, robot, q)
    sessions: dict[str, SharedSession] = {}
    try:
        for name, each in given.items():
            plant, seen = shared.plants[name], shared.seen_by(name)
            x, y, yaw = plant.sense().q[:3].tolist()
            settings = replace(each, robot=loaded[name], world=seen, seed=seed, start=(x, y, yaw), plant=plant)
            sessions[name] = SharedSession(settings)
    except Exception:
        MultiRobotSession(sessions).close()
        raise
    return MultiRobotSession(sessions)


def _settings(robots: object, seed: int) -> dict[str, RunSettings]:
    """The settings of each robot, by name."""
    if not isinstance(robots, Mapping) or not robots:
        raise ParameterError(f"robots are given by name, {{'ann': 'asimo', 'bob': 'nao'}}, and not {robots!r}")
    usual = RunSettings(seed=seed)
    given: dict[str, RunSettings] = {}
    for name, each in robots.items():
        if not isinstance(name, str) or not name or "/" in name:
            raise ParameterError(f"a robot's name has at least one letter and no slash, not {name!r}")
        given[name] = each if isinstance(each, RunSettings) else RunSettings(each)
        for setting in COMMON:
            own = getattr(given[name], setting)
            if own != getattr(RunSettings, setting, None) and own != getattr(usual, setting):
                raise ParameterError(
                    f"'{name}' cannot have {setting}={own!r} of its own: robots share a world without physics, its "
                    "seed and its time"
                )
    return given


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


def _check_apart(robot: Robot, q: Array, shared: SharedWorld, name: str) -> None:
    """Raise a WorldError where a robot at q (n,) would be in contact with another."""
    others = [link for plant in shared.others(name) for link in plant.links.values()]
    checker = CollisionChecker(robot)
    checker.set_bodies(Body(link.model, link.X_WO) for link in others)
    touched = next((each for each in checker.all_contacts(q) if each.second in {x.model.id for x in others}), None)
    if touched is not None:
        raise WorldError(f"'{name}' cannot start there: its {touched.first} would be in {touched.second}")
