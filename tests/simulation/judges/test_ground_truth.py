from __future__ import annotations

from taskmatrix.core.base.events import Event
from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.judges import Record, Step

from .setting import record_of, start_step, truth


def test_what_does_not_change_is_kept_once() -> None:
    """A long run at rest takes little room."""
    start = start_step()
    copies = [Step(start.q.copy(), dict(start.poses), {}) for _ in range(5)]
    record = record_of(copies)
    assert len({id(step.q) for step in record.steps}) == 1
    assert len({id(step.poses) for step in record.steps}) == 1
    moved = Step(start.q, {**start.poses, "vacuum": pose()}, {})
    assert record_of([start, moved]).end.poses["vacuum"] is moved.poses["vacuum"]


def test_the_last_run_is_judged() -> None:
    """With the state before it, and what it published."""
    start = start_step()
    q = start.q.copy()
    q[0] += 0.1
    record: Record = record_of([start, Step(q, start.poses, {})], object="cup")
    assert record.moved()
    assert record.published == {"object": "cup"}
    record(Event(1.0, 5, "run", "second", {}))
    record(Event(1.0, 5, "step", "plant", truth(Step(q, start.poses, {}))))
    assert record.claimed is None
    assert not record.moved()
    assert record.published == {}
    assert len(record.run) == 2
    assert len(record.steps) == 3
