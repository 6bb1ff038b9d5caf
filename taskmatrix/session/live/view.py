"""A page in the browser on a session that goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from py_trees.behaviour import Behaviour

from taskmatrix.core.base.clock import RealClock
from taskmatrix.core.base.events import Event
from taskmatrix.core.behavior.context import Context
from taskmatrix.robots import Robot
from taskmatrix.simulation.kinematic import KinematicPlant
from taskmatrix.simulation.scenes.world import World

from ..recording import Encoder
from .breakpoints import Breakpoint
from .controls import Controls
from .forms import forms, made
from .link import Link

if TYPE_CHECKING:
    from taskmatrix.simulation.physics import PhysicsPlant


class Viewed(Protocol):
    """What can be shown: a session."""

    robot: Robot
    world: World
    context: Context
    running: Behaviour | None

    @property
    def plant(self) -> KinematicPlant | PhysicsPlant:
        """The plant of the session."""
        ...

    @property
    def encode(self) -> Encoder:
        """Makes JSON of the events."""
        ...

    def header(self, command: str = "") -> dict[str, object]:
        """What is said of the run."""
        ...

    def scene(self) -> bytes:
        """What there is to see."""
        ...

    def truth(self) -> Mapping[str, object]:
        """Where robot and objects are."""
        ...

    def save(self) -> object:
        """The state of its plant."""
        ...

    def restore(self, state: object) -> None:
        """Go on from there."""
        ...

    def add_process(self, process: Callable[[], None]) -> None:
        """Call something at the start of every control step."""
        ...


class View:
    """Shows a session in the browser, and lets people there control it, until it is closed.

    Args:
        session: What is shown.
        link: To the viewer's process, started before; one is started unless given.
        paused: Whether the first control step waits until somebody lets it go on.
        speed: Simulated seconds for each real one; None: as fast as possible. Not for sessions in real time.
        command: What was typed, if it was.
        anew: What runs when somebody wants a behavior to run again, in place of it; the same one unless given.
        told: Called where a run comes to stand still at a breakpoint or after a step, with why.

    Attributes:
        address: Where the page is.

    Raises:
        MissingDependencyError: The viewer's packages are not installed.
        TaskMatrixError: The viewer's process does not start.
    """

    def __init__(
        self,
        session: Viewed,
        link: Link | None = None,
        *,
        paused: bool = False,
        speed: float | None = 1.0,
        command: str = "",
        anew: Callable[[Behaviour], Behaviour] = lambda task: task,
        told: Callable[[str], None] = lambda why: None,
    ) -> None:
        robot, world = session.robot, session.world
        moves = hasattr(session.plant, "set_pose")  # a robot's world does not do what the page says
        movable = frozenset(id for id, model in world.objects.items() if model.movable and moves)
        self._link = link or Link()
        try:
            hello = {
                "header": session.header(command),
                "behaviors": forms(world, robot),
                "objects": sorted(movable),
                "joints": list(robot.joints),
                "controls": True,
            }
            self.address = self._link.begin(hello, session.scene(), session.encode)
        except BaseException:
            self._link.close()
            raise
        now = Event(session.context.clock.now(), session.context.events.step, "step", "plant", session.truth())
        self._link(now)  # where everything is before the first control step; nobody else is told
        self._unsubscribe = session.context.events.subscribe(self._link)
        self._controls = Controls(
            self._link,
            session.context.events,
            session.context.clock,
            session.plant,
            lambda name, values: made(name, values, world, robot),
            movable,
            RealClock().now,
            paused,
            speed,
            session,
            anew,
            told,
        )
        session.add_process(self._controls)

    @property
    def alive(self) -> bool:
        """Whether the viewer's process still runs."""
        return self._link.alive

    def stop_at(self, state: str) -> None:
        """Have runs stand still where a state, or a component of an activation tree, starts.

        Args:
            state: Its path, or last name.
        """
        self._controls.stop_at(Breakpoint("state", state))

    def next_behavior(self) -> Behaviour | None:
        """Wait between two runs until somebody starts a behavior on the page; None where the viewer has ended."""
        return self._controls.next_behavior()

    def close(self) -> None:
        """End the viewer's process."""
        self._unsubscribe()
        self._controls.close()
        self._link.close()

    def __enter__(self) -> View:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
