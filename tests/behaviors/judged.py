"""Runs a behavior on a robot and asks its judge."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix import Session, simulate
from taskmatrix.core.base.events import Event
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record, judge_of
from taskmatrix.simulation.scenes.world import World


class Run:
    """A session on a robot whose events and truth are recorded."""

    def __init__(
        self,
        robot: str,
        world: str | World = "sparse",
        seed: int = 1,
        second_robot: str | None = None,
        sim: str = "kinematic",
        policy: str = "exclusive",
        start: tuple[float, float, float] | None = None,
    ) -> None:
        self.session: Session = simulate(
            robot, world, seed, second_robot=second_robot, sim=sim, policy=policy, start=start
        )
        dt, tolerance = self.session.context.dt, EXACT if sim == "kinematic" else PHYSICAL
        objects = self.session.world.objects
        self.record = Record(self.session.robot, objects, dt, self.session.plant.truth(), tolerance=tolerance)
        self.events: list[Event] = []
        self.session.events.subscribe(self.record)
        self.session.events.subscribe(self.events.append)

    def prepare(self, *behaviors: TaskBehavior) -> None:
        """Run what has to succeed before."""
        for behavior in behaviors:
            outcome = self.session.run(behavior)
            assert outcome.success, outcome

    def judged(self, behavior: TaskBehavior, timeout: float = 300.0) -> dict[str, object]:
        """Run the last behavior; it and its judge have to agree that it succeeded. Returns the judge's facts."""
        outcome = self.session.run(behavior, timeout)
        assert outcome.success, outcome
        judgement = judge_of(behavior.name)(self.record, dict(behavior.parameters))
        assert judgement.success, judgement.reason
        return dict(judgement.facts)

    def started(self, machine: str) -> Sequence[str]:
        """Names of the states that a machine started, in order."""
        begun = (e for e in self.events if e.kind == "message" and e.data["message"] == "planning-started")
        return [e.source.rpartition("/")[2] for e in begun if e.source.rpartition("/")[0] == machine]
