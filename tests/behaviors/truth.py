"""What really happened in a session: read off the plant's own truth at every step."""

from __future__ import annotations

import numpy as np

from taskmatrix import Session
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker


class Truth:
    """Records joint positions from now on; ask it when the run is over."""

    def __init__(self, session: Session) -> None:
        self.session = session
        state = session.plant.sense()
        self._steps = [state.q - state.v * session.context.dt, state.q.copy()]
        session.events.subscribe(self)

    def __call__(self, event: Event) -> None:
        """Take note."""
        if event.kind == "step":
            self._steps.append(np.array(event.data["q"]))

    @property
    def q(self) -> Array:
        """(steps, n) Joint positions."""
        return np.array(self._steps)

    def assert_limits_held(self) -> None:
        """Of position, velocity and acceleration, at every step."""
        robot, q = self.session.robot, self.q
        v = np.diff(q, axis=0) / self.session.context.dt
        a = np.diff(v, axis=0) / self.session.context.dt
        assert np.all((q >= robot.lower - 1e-6) & (q <= robot.upper + 1e-6))
        assert np.max(np.abs(v) / robot.velocity) <= 1.0 + 1e-6
        assert np.max(np.abs(a) / robot.acceleration) <= 1.0 + 1e-6

    def assert_no_contact(self, every: int = 5) -> None:
        """Between its links, with objects and with the floor."""
        checker = CollisionChecker(self.session.robot)
        world = self.session.world
        checker.set_bodies(bodies_of({id: (model, world.poses[id]) for id, model in world.objects.items()}, {}))
        touching = [pair for pair in checker.contacts(self.q[::every]) if pair is not None]
        assert touching == []
