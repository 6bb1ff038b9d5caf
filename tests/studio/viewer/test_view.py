"""A session with a viewer: the real process, over real sockets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest

from taskmatrix import connect, simulate
from taskmatrix.behaviors import Postural
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.session.live.view import View

pytestmark = pytest.mark.slow
SECONDS = 40.0


class Visitor(threading.Thread):
    """Somebody at the page, who does something at each moment that a test names.

    Attributes:
        seen: Sections as they were last.
        rows: Of the log.
        refused: What was refused.
    statuses: Of the run, one after the other.
        statuses: Of the run, one after the other.
    """

    def __init__(self, address: str, plan: list[tuple[str, dict[str, Any]]]) -> None:
        super().__init__(daemon=True)
        self.seen: dict[str, Any] = {}
        self.rows: list[list[Any]] = []
        self.refused: list[str] = []
        self.statuses: list[str] = []
        self.there = threading.Event()
        self._origin, self._plan = address.rstrip("/"), plan

    def run(self) -> None:
        """Look until the server goes, or the plan is done."""
        asyncio.run(asyncio.wait_for(self._look(), SECONDS))

    async def _look(self) -> None:
        plan = iter(self._plan)
        status, action = next(plan, ("", {}))
        headers = {"Origin": self._origin}
        stream = f"{self._origin}/stream"
        async with aiohttp.ClientSession() as session, session.ws_connect(stream, headers=headers) as socket:
            async for message in socket:
                told = message.json()
                if told["type"] == "state":
                    self.seen |= told["sections"]
                    self.statuses += [told["sections"]["run"]["status"]] if "run" in told["sections"] else []
                    self.there.set()
                    while status and self.seen["run"]["status"] == status:
                        await socket.send_json(action)
                        status, action = next(plan, ("", {}))
                        if status == "paused":
                            self.seen["run"]["status"] = "asked"
                elif told["type"] == "log":
                    self.rows += told["rows"]
                elif told["type"] == "refused":
                    self.refused.append(told["why"])
                ended = self.rows and self.rows[-1][3] == "outcome"
                if not status and ended and self.seen["run"]["outcome"]:
                    return


def story(viewed: bool) -> list[str]:
    """What a run tells, with a viewer or without."""
    with simulate("mannequin", seed=3) as session:
        events: list[str] = []
        session.events.subscribe(lambda event: events.append(event.to_json()))
        if not viewed:
            session.run(Postural(posture="ready"))
            return events
        view = session.view(speed=None, paused=True)
        visitor = Visitor(view.address, [("paused", {"type": "step"}), ("paused", {"type": "resume"})])
        visitor.start()
        session.run(Postural(posture="ready"))
        visitor.join(SECONDS)
        assert not visitor.is_alive()
        assert visitor.seen["run"]["outcome"]["success"]
        assert visitor.rows[-1][-1] == "success"
        return events


def test_a_run_is_the_same_with_a_viewer_and_without() -> None:
    """Word for word, also where somebody pauses and steps."""
    assert story(viewed=True) == story(viewed=False)


@pytest.fixture
def session() -> Iterator[Any]:
    with simulate("mannequin", seed=3) as made:
        yield made


def test_the_emergency_stop_from_the_page(session: Any) -> None:
    """The robot holds where it is, and the failure says who it was."""
    with View(session, speed=None, paused=True) as view:
        visitor = Visitor(view.address, [("paused", {"type": "stop"})])
        visitor.start()
        outcome: Outcome = session.run(Postural(posture="ready"))
        visitor.join(SECONDS)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.INTERRUPTED
    assert "stopped by a viewer" in visitor.seen["run"]["outcome"]["text"]


def test_a_behavior_is_started_from_the_page(session: Any) -> None:
    """With the parameters of its form; what is wrong with them is said to who filled it."""
    with View(session, speed=5.0) as view:
        wrong = {"type": "start", "behavior": "postural", "parameters": {"posture": "redy"}}
        right = {"type": "start", "behavior": "postural", "parameters": {"posture": "ready"}}
        visitor = Visitor(view.address, [("idle", wrong | {"parameters": {}}), ("idle", right)])
        visitor.start()
        behavior = view.next_behavior()
        assert isinstance(behavior, Postural)
        assert session.run(behavior).success
        visitor.join(SECONDS)
    assert "needs --param posture" in visitor.refused[0]
    assert visitor.statuses[0] == "idle"
    assert visitor.statuses[-2:] == ["running", "ended"]


def test_viewers_come_and_go_and_the_process_dies(session: Any) -> None:
    """The run does not notice."""
    with View(session, speed=None) as view:
        visitors = [Visitor(view.address, []) for _ in range(2)]
        for visitor in visitors:
            visitor.start()
            assert visitor.there.wait(SECONDS)
        assert visitors[0].seen["pose"]["q"] == visitors[1].seen["pose"]["q"]
        assert session.run(Postural(posture="ready")).success
        for visitor in visitors:
            visitor.join(SECONDS)
        again = Visitor(view.address, [])
        again.start()
        again.join(SECONDS)
        assert again.seen["machine"] == visitors[0].seen["machine"]
        view._link._process.kill()
        view._link._process.wait()
        assert session.run(Postural(posture="ready")).success
        assert not view.alive
        assert view.next_behavior() is None


def test_a_robot_without_truth_is_shown_as_it_is_sensed_with_what_it_perceives() -> None:
    """Nothing can be moved on the page."""
    with simulate("nao", seed=1) as other:

        class Arms:
            sense, apply = other.plant.sense, other.plant.apply

        with connect(other.robot, Arms(), other.plant.observe, real_time=False) as session:
            assert set(session.truth()["poses"]) == set(other.world.objects)  # type: ignore[call-overload]
            with View(session, speed=None, paused=True) as view:
                visitor = Visitor(view.address, [("paused", {"type": "resume"})])
                visitor.start()
                assert session.run(Postural(posture="ready")).success
                visitor.join(SECONDS)
            assert set(visitor.seen["pose"]["objects"]) == set(other.world.objects)
