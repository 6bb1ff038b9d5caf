from __future__ import annotations

import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event


@pytest.mark.slow
def test_planning_in_its_own_process_leaves_the_control_loop_its_rate() -> None:
    """By the clock on the wall: while reach plans, fixate runs in every step."""
    with simulate("mannequin", seed=1, real_time=True) as session:
        events: list[Event] = []
        session.events.subscribe(events.append)

        def first(source: str, message: str) -> Event | None:
            return next((e for e in events if e.source == source and e.data.get("message") == message), None)

        for _ in session.steps(Pickup(object="vacuum")):
            if ended := first("pickup/reach", "planning-ended"):
                break
        began = first("pickup/reach", "planning-started")
        assert began is not None
        assert ended is not None
        steps = ended.step - began.step
        assert steps > 0  # the loop went on
        looked = [e.step for e in events if e.source == "pickup/fixate" and "goal" in str(e.data.get("message"))]
        assert looked == list(range(looked[0], looked[0] + len(looked)))
