"""A robot in a world, ready to run task programs: where all rooms are put together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, cast

import numpy as np
from py_trees.behaviour import Behaviour

from taskmatrix.core.base.clock import Clock, RealClock, SimulatedClock
from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.base.failure import FailedError, Failure
from taskmatrix.core.base.names import spelled
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.executive import Executive, Outcome, Steps, ended
from taskmatrix.core.robot.arbiter import Arbiter, Command
from taskmatrix.core.robot.contact_reflex import ContactReaction, ContactReflex
from taskmatrix.core.robot.filter_monitor import FilterMonitor
from taskmatrix.core.robot.filters import Brake, CollisionGuard, LimitFilter
from taskmatrix.core.robot.plant import ClosingPlant
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.perception.map_publisher import MapPublisher
from taskmatrix.perception.mapper import Mapper
from taskmatrix.perception.octree import Octree
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.self_filter import SelfFilter
from taskmatrix.skills.control.contact_detector import ContactDetector
from taskmatrix.skills.legs.stepping import Stepping
from taskmatrix.skills.planning.planner_backend import PlannerBackend, ProcessBackend, SimulatedBackend
from taskmatrix.skills.plugin import load_plugin
from taskmatrix.skills.skillset import PinocchioSkills

from . import moment
from .perception_pipeline import KnownObjects, PipelineInputs, pipeline_of
from .perception_process import NoPerception, PerceptionProcess
from .plants import PlantInputs, open_plant, plant_facts, sensed_start
from .programs import program
from .report import SessionReport, SessionReporter
from .settings import RunSettings, arguments, policy_of
from .start import drawn_start, furnished, given_start, within_reach

if TYPE_CHECKING:
    from taskmatrix.simulation.kinematic import KinematicPlant
    from taskmatrix.simulation.physics import PhysicsPlant

    from .live.view import View
    from .recording import Encoder, Recorder

P = ParamSpec("P")
CONTROL_STEP = 0.01  # [s]
ELSEWHERE = 0.02  # [rad] or [m] off where it was told to be, a joint was moved; what is nearer lags, or sags
PATIENCE = 1.0  # [s] for a call to a plant that is no simulation of ours, in real time
PHYSICS_STEP = 1 / 120  # [s] the control step with physics: a whole number of its steps


class Session:
    """A robot in a world; made by :func:`simulate`.

    Args:
        settings: Of the run. Raises what :func:`simulate` does.

    Attributes:
        settings: With which it was made.
        robot: The robot.
        world: The world as sampled for this session's seed.
        context: What behaviors reach: skills, perception, arbiter, clock, events.
        plant: What is commanded: a simulation of ours, unless another was asked for.
        perception_process: What perceives.
        running: What runs now, if anything does.
    """

    _closed = False
    running: Behaviour | None = None

    def __init__(self, settings: RunSettings) -> None:
        self._recorders, self._views = list["Recorder"](), list["View"]()
        self._processes, self._tellers = list[Callable[[], None]](), list[Callable[[], None]]()
        pipeline = pipeline_of(settings.perception)
        given, seed = settings.robot, int(settings.seed)
        robot = pipeline.equip(given if isinstance(given, Robot) else load_robot(given))
        world = furnished(settings.world, robot, settings.second_robot).sampled(np.random.default_rng([seed, 1]))
        if settings.start is None:
            world = within_reach(robot, world)
            start = drawn_start(robot, world, np.random.default_rng([seed, 2]))
        else:
            start = given_start(robot, settings.start)
        clock: Clock = RealClock() if settings.real_time else SimulatedClock()
        self.settings, self.robot, self.world, self.seed = settings, robot, world, seed
        self._step = settings.control_step or (PHYSICS_STEP if settings.is_physical else CONTROL_STEP)
        inputs = PlantInputs(robot, world, start, self._step)
        made = open_plant(inputs, settings.sim, settings.plant, settings.physics, settings.drift)
        self.plant = cast("KinematicPlant | PhysicsPlant", made)
        touch = {name: hand.touch for name, hand in robot.hands.items()}
        self._monitor = PlantMonitor(made, robot.joints, robot.velocity, touch, self._step, settings.is_ours)
        self._monitor.patience = PATIENCE if settings.real_time and not settings.is_ours else None
        self._start = start = sensed_start(self._monitor, robot, type(made).__name__)
        pipeline.check(made)
        events = EventStream(clock)
        perception = PerceptualModel()
        guard = CollisionGuard(lambda q: self.skills.command_contacts(q))  # noqa: PLW0108 - the skills are made below
        limits = LimitFilter(robot.lower, robot.upper, robot.velocity, self._step, robot.effort_with_springs)
        self.stepping = Stepping(
            robot,
            self._step,
            lambda chain: arbiter.owner(chain),  # noqa: PLW0108 - likewise
            lambda Q: self.skills.step_clearance(Q),  # noqa: PLW0108 - likewise
            lambda q: self.skills.step_clearance.apart(q),  # noqa: PLW0108 - likewise
        )
        self._reflex = ContactReflex(robot.chains, self._step, events)
        brake = Brake(robot.acceleration, self._step, holonomic=not robot.rolls)
        own = [FilterMonitor(each) for each in settings.filters]
        arbiter = Arbiter(
            robot.chains,
            start,
            events,
            [brake, self.stepping, self._reflex, limits, *own, *([limits] if own else []), guard],
            policy_of(settings.policy),
            [robot.joints.index(name) for name in self._monitor.impedance_joints()],
        )
        self._backend: PlannerBackend
        if clock.simulated:
            self._backend = SimulatedBackend(robot, clock, events, settings.planning)
        else:
            _ = robot.capabilities  # derived before the clock matters
            self._backend = ProcessBackend(robot, settings.planning)
            self._backend.wait_ready()
        make_skills = cast("type[PinocchioSkills]", load_plugin(robot, "skill_set") or PinocchioSkills)
        self.skills = make_skills(robot, perception, self._monitor, arbiter, self._backend)
        self.skills.standing, self.skills.dt = self.stepping.standing, self._step
        arbiter.bind(self.skills, self._step)
        self.context = Context(self.skills, perception, arbiter, clock, events, seed, self._step, settings.transport)
        self.perception_process: PerceptionProcess = pipeline.open(
            PipelineInputs(robot, world, self._monitor, perception, events, clock, seed)
        )
        self._executive = Executive(
            self.context, self._monitor, self._look, self.skills.sense, self._drive, self._announce
        )
        octree = pipeline.map()
        if octree is not None:
            self.keep_map(lambda: self.perception_process.image, octree)
        self._reporter = SessionReporter(robot, self.context)
        self._begin()

    @property
    def events(self) -> EventStream:
        """The stream of all events of the session."""
        return self.context.events

    def run(self, behavior: Behaviour, timeout: float = 120.0) -> Outcome:
        """Run a behavior, a machine or any py_trees tree until it ends, at most ``timeout`` [s] on the clock.

        Raises:
            TaskMatrixError: The session is closed, or this is nothing that can be run.
            ParameterError: The timeout is not a number above 0.
        """
        return ended(self.steps(behavior, timeout))

    def steps(self, behavior: Behaviour, timeout: float = 120.0) -> Steps:
        """The control steps of what :meth:`run` does, one each time that the next is asked for."""
        if self._closed:
            raise TaskMatrixError("the session is closed; nothing runs in it any more")
        if (stopped := self._monitor.fault is not None) or not self.settings.is_ours:
            with suppress(FailedError):  # then the run fails for it at once
                self._go_on_from_here(stopped)
        self.running = behavior
        try:
            outcome = yield from self._executive.steps(behavior, timeout)
        finally:
            self.running = None
        self._reporter.note(behavior, outcome)
        return outcome

    def rest(self) -> Steps:
        """Control steps in which the robot holds where it is while others go on, as many as are asked for."""
        return self._executive.rest()

    def save(self) -> object:
        """Where plant and commands are between two runs, for :meth:`restore`.

        Raises:
            TaskMatrixError: This plant has no state that can be had: a robot's, say; or the session is closed.
        """
        return moment.save(self, self.plant, self.context.arbiter, self._closed)

    def restore(self, state: object) -> None:
        """Put robot and objects back to where they were when it was saved, in this session; the clock goes on.

        What the robot has seen since then it goes on knowing, as far as it does not look again.

        Raises:
            ParameterError: This is nothing that :meth:`save` of this session gave.
            TaskMatrixError: The session is closed.
        """
        moment.restore(self, state, self.plant, self._monitor, self.context.arbiter, self._closed)
        self.look()

    def emergency_stop(self, reason: str = "emergency stop") -> None:
        """Stop the robot now, from any thread: the plant holds it, and no command goes out until :meth:`resume`.

        A run ends as a failure of kind ``plant`` with the reason; so does every other that is begun meanwhile.
        """
        self._monitor.emergency_stop(reason or "emergency stop")

    def resume(self) -> None:
        """Let commands out again after an emergency stop; the next run begins from where the robot is then."""
        self._monitor.stopped = ""
        with suppress(FailedError):  # then the next run fails for it
            self._go_on_from_here()

    def react_to_contacts(self, reaction: ContactReaction | None = None) -> None:
        """Stop a limb, or let it go limp, whenever something touches it that nobody planned, from now on.

        Contacts are felt by the torques of the motors: of arms, head and torso, but for limbs that are driven by forces
        or whose hands may touch something. An event ``contact`` tells the link and the force; who moves the limb fails
        with ``collision``, or plans anew.

        Args:
            reaction: What the limb does, and how much it takes; it stops unless given.

        Raises:
            ParameterError: The plant senses no torques of its motors.
        """
        reaction = reaction or ContactReaction()
        if self._monitor.sense().torque is None:
            raise ParameterError("contacts are felt by the torques of the motors, of which this plant tells none")
        if reaction.kind == "limp" and not self._monitor.impedance_joints():
            raise ParameterError("a limb goes limp only where the plant drives joints as hard as it is told")
        detector = ContactDetector(self.skills, reaction.sensitivity)
        self._reflex.arm(reaction, detector, lambda: (self.skills.position(), self.skills.weight()))

    def report(self) -> SessionReport:
        """What came of all runs until now, what they recovered from, and what they left behind."""
        return self._reporter.report(self.perception_process.fault)

    def miss(self, periods: int) -> None:
        """Be late with the next command by some control steps, a fault; in :meth:`run`, called by a reader of events.

        Raises:
            ParameterError: It is not a whole number from 1.
        """
        self._executive.miss(periods)

    def unmet(self, behavior: TaskBehavior) -> Failure | None:
        """Why the robot is not able to do something, found without doing it; None if nothing speaks against it.

        What a behavior and the states that it cannot do without require is matched with what the robot provides; a run
        begins with the same.
        """
        self._executive.prepare(behavior)
        return behavior.unmet()

    def look(self) -> None:
        """Take in what is sensed and perceived now, as every control step begins; for who asks between two runs."""
        self.skills.sense(self._monitor.sense())
        self._look()

    def add_process(self, process: Callable[[], None]) -> None:
        """Call something at the start of every control step, after perception: what keeps a map, say."""
        self._processes.append(process)

    def ignore_collisions(self, object: str) -> Callable[[], None]:
        """Let the robot go through an object from now on: collision checks, plans and filters leave it out.

        With physics it is still there. An event ``solid`` tells it, and when it ends.

        Returns:
            What ends it. Where several asked, all of them have to.

        Raises:
            NotFoundError: The object is not known.
        """
        end = self.context.perception.ignore_collisions(object)
        self.events.emit("solid", "session", object=object, solid=False)

        def undo() -> None:
            if end():
                self.events.emit("solid", "session", object=object, solid=True)

        return undo

    def tell_distances(self, within: float) -> Callable[[], None]:
        """Tell in every control step, by an event ``distances``, what is near and how that changes with the joints.

        It has the names of both bodies of (m) ``pairs``, their ``distances`` (m,) [m], negative inside each other, and
        the ``gradients`` (m, n) [m/rad, m/m] by the joints. What may touch now is left out.

        Args:
            within: [m] What is further apart is left out.

        Returns:
            What ends it. It costs nothing before and after.
        """

        def tell() -> None:
            pairs, distances, gradients = self.skills.near_pairs(self.skills.position(), within)
            self.events.emit("distances", "skills", pairs=pairs, distances=distances, gradients=gradients)

        self._tellers.append(tell)
        return lambda: self._tellers.remove(tell)

    def keep_map(self, source: Callable[[], DepthImage | None], octree: Octree | None = None) -> Octree:
        """Keep a map of space from now on, of what the objects that are perceived do not explain.

        Args:
            source: Gives the last image of a depth camera, None as long as there is none.
            octree: The map; one with cells of 2 cm unless given.

        Returns:
            The map, which collision checks know from now on.
        """
        octree = octree or Octree()
        own = SelfFilter(self.robot)
        self.add_process(Mapper(source, octree, own, self.skills.position, self.context.perception.objects))
        self.add_process(MapPublisher(octree, self.events, self.context.clock))
        self.skills.use_map(octree)
        return octree

    def forget_objects(self) -> None:
        """Know nothing of the objects from now on: what there is, a map of space has to tell."""
        self.perception_process.close()
        self.perception_process = NoPerception()
        self.context.perception.update((), self.context.clock.now())

    def record(self, path: str | Path, command: str = "") -> Recorder:
        """Record everything from now on to a file, until the session or the recorder is closed.

        Args:
            path: File to write, by custom one that ends with ``.mcap``; its folder has to exist.
            command: What was typed to have this run, for who reads the recording.

        Raises:
            OSError: The file cannot be written.
        """
        from .recording import Recorder  # noqa: PLC0415 - loaded by those who record

        recorder = Recorder(Path(path), self.header(command), self.scene())
        self._recorders.append(recorder)
        self.events.subscribe(recorder)
        return recorder

    def header(self, command: str = "") -> dict[str, object]:
        """What recordings and viewers say of the run: everything that it takes to have it again.

        Args:
            command: What was typed to have it.
        """
        from .recording import header  # noqa: PLC0415 - loaded by those who record or view

        settings = self.settings.to_dict()
        if not self.settings.is_ours:
            settings |= plant_facts(self.plant, self.settings.sim_name, self._start)
        return header(self.robot, self.world, self.seed, self._step, settings, command)

    def truth(self) -> Mapping[str, object]:
        """Where robot and objects are now: by the plant's truth, or as they were sensed and perceived last."""
        return self._monitor.truth()

    def scene(self) -> bytes:
        """What there is to see, packed as recordings and viewers have it."""
        from .recording import packed, scene  # noqa: PLC0415 - likewise

        return packed(scene(self.robot, self.world, self._known.percepts))

    def view(self, *, paused: bool = False, speed: float | None = 1.0, host: str = "127.0.0.1", port: int = 0) -> View:
        """Show everything from now on in the browser, where it can be controlled, until the session or it is closed.

        Args:
            paused: Whether the first control step waits until somebody on the page lets it go on.
            speed: Simulated seconds for each real one; None: as fast as possible. Not for sessions in real time.
            host: Where the page is served: only for this machine, unless another address of it is given.
            port: Where it is served; any that is free if it is 0.

        Returns:
            The page; its ``address`` is where to look.

        Raises:
            MissingDependencyError: The viewer's packages are not installed.
            TaskMatrixError: The viewer's process cannot listen there.
        """
        from .live.link import Link  # noqa: PLC0415 - loaded by those who view
        from .live.view import View  # noqa: PLC0415 - likewise

        view = View(self, Link(host, port), paused=paused, speed=speed)
        self._views.append(view)
        return view

    @cached_property
    def encode(self) -> Encoder:
        """Makes JSON of the events, for who shows the session; recorders have their own."""
        from .recording import Encoder  # noqa: PLC0415 - loaded by those who show or record it

        return Encoder()

    def close(self) -> None:
        """End the processes that plan, perceive and show, the physics, and recordings.

        All of them, also where one raises: that error comes out at the end.
        """
        self._closed = True
        with ExitStack() as stack:
            while self._views:
                stack.callback(self._views.pop().close)
            while self._recorders:
                stack.callback(self._recorders.pop().close)
            if isinstance(self.plant, ClosingPlant) and self.plant is not self.settings.plant:
                stack.callback(self.plant.close)
            for part in (self.perception_process, self._backend):
                stack.callback(part.close)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self) -> None:
        """Take in what can be known before anything runs."""
        perception = self.context.perception
        self._monitor.perceived = lambda: perception.percepts
        self._known = KnownObjects(perception, self.events, self.world.objects)
        try:
            self._look()
            self._reporter.look()
        except Exception:
            self.close()
            raise

    def _go_on_from_here(self, stopped: bool = True) -> None:
        """Command joints from where they are, if the robot stopped or was moved; fingers on what they hold are off."""
        last, arbiter = self._monitor.last, self.context.arbiter
        q = self._monitor.restart()
        moved = stopped or last is None or np.abs(q - last.q).max() > ELSEWHERE
        if moved and np.abs(q - arbiter.last).max() > ELSEWHERE:
            arbiter.restart(q)

    def _look(self) -> None:
        self.perception_process()
        if not self.settings.is_ours:
            self._known.note(bool(self._recorders or self._views))
        for process in self._processes:
            process()
        self.skills.look()
        for tell in self._tellers:
            tell()

    def _announce(self, root: Behaviour) -> None:
        self.events.emit("program", root.name, **program(root))

    def _drive(self, command: Command) -> None:
        self._monitor.apply(command, self._step)


def _simulate(settings: Callable[P, RunSettings]) -> Callable[P, Session]:
    """The function :func:`simulate`, which takes what makes the settings of a run."""
    taken = spelled(settings, "simulate")

    def simulate(*args: P.args, **named: P.kwargs) -> Session:
        return Session(taken(*args, **named))

    simulate.__doc__ = f"""Put a robot into a world.

Args:
{arguments()}

Raises:
    RobotError: The robot cannot be loaded.
    WorldError: The world cannot be loaded, there is no room for the robot in its start region, or it has no path for a
        second robot.
    NotFoundError: No robot, world, simulation, preset, perception or policy has this name.
    ParameterError: There is no such argument, the seed is no natural number, the start is not three numbers within the
        base's limits, there is a drift with physics or physics without; a camera is to be used by a robot without a
        view; or a plant of one's own cannot sense or be commanded, or is elsewhere than the robot can be.
    MissingDependencyError: PyBullet or MuJoCo is not installed, which physics needs.
    TaskMatrixError: The plant of another package cannot be loaded by its entry point, or its name is that of several.
"""
    vars(simulate)["__signature__"] = inspect.signature(settings).replace(return_annotation="Session")
    return simulate


simulate = _simulate(RunSettings)
