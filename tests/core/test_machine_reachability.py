"""What can never happen in a machine is refused; what may happen is not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from taskmatrix.core import Machine, MachineError, Parameter, State, TaskBehavior, all_of, on, start, whenever

from .samples import Finder, Forever, Probe, Told


class Inner(Machine):
    only = State(Probe, final=True)
    transitions = (start(only),)


class Silent(TaskBehavior):
    """Has nothing to say on the way."""

    def step(self) -> bool:
        return True


class Reader(TaskBehavior):
    must = Parameter(int, default=1)
    may = Parameter(int, default=None)


def refused(make: Callable[[], object]) -> str:
    with pytest.raises(MachineError) as error:
        make()
    return str(error.value)


def one(behavior: type[TaskBehavior], message: str) -> Callable[[], object]:
    def make() -> object:
        a, end = State(behavior), State(Probe, final=True)
        return type(
            "Wrong", (Machine,), {"a": a, "end": end, "transitions": (start(a, end), on(getattr(a, message), start=a))}
        )

    return make


@pytest.mark.parametrize(
    ("behavior", "message", "why"),
    [
        (Silent, "parameter_set", "'a' has no outputs, so it never says parameter-set"),
        (Inner, "parameter_set", "'a' has no outputs"),
        (Silent, "force_quit", "no transition stops 'a', so it is never forced to quit"),
    ],
)
def test_a_message_that_is_never_said_is_refused(behavior: type[TaskBehavior], message: str, why: str) -> None:
    """With the number of the transition, the reason and the line."""
    complaint = refused(one(behavior, message))
    assert complaint.startswith("transition 2 of Wrong is never followed: ")
    assert why in complaint
    assert "test_machine_reachability.py:" in complaint


@pytest.mark.parametrize(("behavior", "message"), [(Forever, "goal_failed"), (Finder, "parameter_set")])
def test_a_message_that_may_be_said_is_taken(behavior: type[TaskBehavior], message: str) -> None:
    """Who tells goals may also tell that one failed."""
    one(behavior, message)()


def duplicate() -> object:
    a, end = State(Probe), State(Probe, final=True)

    class Wrong(Machine):
        first, last = a, end
        transitions = (start(a), on(a.task_successful, start=end), on(a.task_successful, start=end))

    return Wrong


def empty_start() -> object:
    class Wrong(Machine):
        a = State(Probe, final=True)
        transitions = (start(a), start())

    return Wrong


def nothing_done() -> object:
    class Wrong(Machine):
        a = State(Probe, final=True)
        transitions = (start(a), on(a.planning_started))

    return Wrong


def nothing_watched() -> object:
    class Wrong(Machine):
        a = State(Probe, final=True)
        transitions = (start(a), whenever(Told(True)))

    return Wrong


def too_late() -> object:
    class Wrong(Machine):
        a = State(Probe, final=True)
        late = State(Probe)
        transitions = (start(a), on(a.task_successful, start=late))

    return Wrong


def too_late_after_all() -> object:
    class Wrong(Machine):
        a = State(Probe, final=True, optional=True)
        b = State(Probe)
        late = State(Probe)
        transitions = (start(a, b), on(all_of(b.task_successful, a.failed), start=late))

    return Wrong


def reads_itself_first() -> object:
    class Wrong(Machine):
        find = State(Finder)
        use = State(Reader, must=find.found, final=True)
        transitions = (start(use), on(use.failed, start=find), on(find.task_successful, start=use))

    return Wrong


def reads_beside() -> object:
    class Wrong(Machine):
        find = State(Finder)
        use = State(Reader, may=find.found, final=True)
        transitions = (start(find, use),)

    return Wrong


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (duplicate, "transition 3 of Wrong repeats transition 2"),
        (empty_start, "transition 2 of Wrong starts no state"),
        (nothing_done, "transition 2 of Wrong does nothing; say what it does by start=, stop= or fail="),
        (nothing_watched, "transition 2 of Wrong does nothing"),
        (too_late, "state 'late' of Wrong starts only when the machine is over"),
        (too_late_after_all, "state 'late' of Wrong starts only when the machine is over"),
        (reads_itself_first, "state 'use' of Wrong reads 'find.found', but starts before 'find' can have published it"),
        (reads_beside, "state 'use' of Wrong reads 'find.found', but starts before 'find' can have published it"),
    ],
)
def test_what_can_never_be_right_is_refused(make: Callable[[], object], complaint: str) -> None:
    """With the line."""
    assert re.search(re.escape(complaint) + r".*\n  .*test_machine_reachability.py:\d+: ", refused(make))


def test_what_may_be_right_is_taken() -> None:
    """Only what is certain is refused."""

    class Catching(Machine):
        """A failure may be caught to do nothing."""

        a = State(Probe)
        b = State(Probe, final=True)
        transitions = (start(a, b), on(a.failed(kind="timeout")))

    class Failing(Machine):
        """A final state that fails and is caught does not end the machine."""

        a = State(Probe, final=True)
        late = State(Probe, final=True)
        transitions = (start(a), on(a.failed), on(a.task_complete, start=late))

    class Stopped(Machine):
        """A final state that is stopped does not end the machine."""

        a = State(Probe, final=True)
        b = State(Probe)
        late = State(Probe)
        transitions = (start(a, b), on(b.task_successful, stop=a), on(a.task_complete, start=late))

    class Looping(Machine):
        """What may be empty at first may be read by a state that starts again."""

        use = State(Reader, may=Parameter(int, default=None))
        find = State(Finder)
        again = State(Reader, may=find.found, final=True)
        given = use.wires["may"]
        transitions = (
            start(use),
            on(use.task_successful, start=again),
            on(again.failed, start=find),
            on(find.task_successful, start=again),
        )

    class Guarded(Machine):
        """Two guards make a branch, and the same guard twice is no harm."""

        a = State(Probe)
        b = State(Probe, final=True)
        transitions = (
            start(a),
            on(a.task_successful, start=b, when=Told(True)),
            on(a.task_successful, start=b, when=~Told(True)),
        )

    assert len(Guarded.transitions) == 3
