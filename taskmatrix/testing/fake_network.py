"""Processes that are none: trees that talk to each other within one test."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from py_trees.behaviour import Behaviour

from .bench import Bench

T = TypeVar("T")
TURNS = 20  # cycles of the others while somebody waits for an answer


class FakeInbox(Generic[T]):
    """Where things wait in a :class:`FakeNetwork`."""

    def __init__(self, box: list[FakeInbox[T]], depth: int) -> None:
        self._box = box
        self.waiting: deque[T] = deque(maxlen=depth)
        box.append(self)

    def take(self) -> T | None:
        """The next one, or None."""
        return self.waiting.popleft() if self.waiting else None

    def close(self) -> None:
        """Let nothing more arrive."""
        if self in self._box:
            self._box.remove(self)


class FakeRequest:
    """A question in a :class:`FakeNetwork`."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.answer: bytes | None = None

    def reply(self, data: bytes) -> None:
        """Answer the request."""
        self.answer = data


class FakeNetwork:
    """Carries words between benches, each of which stands for a process; deterministic, and without a middleware.

    Attributes:
        change: What becomes of all that is sent, by its address and its bytes: other bytes, or None where it is lost.
            As it is, unless given.
        sent: The address and the bytes of all that was sent, in order.

    Example:
        See :class:`taskmatrix.core.Remote`.
    """

    def __init__(self, change: Callable[[str, bytes], bytes | None] | None = None) -> None:
        self.change = change
        self.sent: list[tuple[str, bytes]] = []
        self._processes: list[FakeTransport] = []

    def process(self) -> FakeTransport:
        """What leads from another process to the rest; for ``Bench(transport=...)``."""
        self._processes.append(FakeTransport(self, f"process-{len(self._processes) + 1}"))
        return self._processes[-1]

    def run(self, *runs: tuple[Bench, Behaviour], cycles: int, prepare: bool = True) -> None:
        """Run trees on their benches, one cycle after the other in turn.

        Args:
            *runs: Benches and what runs on them.
            cycles: How many of each.
            prepare: Whether they begin from the beginning.
        """
        for bench, root in runs:
            if prepare:
                bench.executive.prepare(root)
            process = bench.context.transport
            if isinstance(process, FakeTransport):
                process.turn = lambda bench=bench, root=root: _cycle(bench, root)
        for _ in range(cycles):
            for bench, root in runs:
                process = bench.context.transport
                if isinstance(process, FakeTransport):
                    process.resume()
                else:
                    _cycle(bench, root)

    def carried(self, address: str, data: bytes) -> bytes | None:
        """What arrives of what is sent."""
        self.sent.append((address, data))
        return data if self.change is None else self.change(address, data)

    def publish(self, address: str, data: bytes) -> None:
        """Carry to all who listen."""
        arrived = self.carried(address, data)
        for process in self._processes:
            for inbox in process.listening.get(address, ()):
                if arrived is not None:
                    inbox.waiting.append(arrived)

    def ask(self, address: str, data: bytes) -> bytes | None:
        """Carry to who answers, and let the others have their turns meanwhile."""
        inbox = next((box for process in self._processes for box in process.answering.get(address, ())), None)
        if inbox is None:
            return None
        arrived, request = self.carried(address, data), FakeRequest(data)
        if arrived is not None:
            request.data = arrived
            inbox.waiting.append(request)
        for _ in range(TURNS):
            for process in tuple(self._processes):
                process.resume()
            if request.answer is not None:
                answer = self.carried(f"{address}/answer", request.answer)
                if answer is not None:
                    return answer
                break
        raise TimeoutError

    def end(self, transport: FakeTransport) -> None:
        """A process is no more."""
        if transport in self._processes:
            self._processes.remove(transport)


class FakeTransport:
    """A process in a :class:`FakeNetwork`.

    Attributes:
        identity: Of the process.
        turn: Runs a cycle of it.
        listening: Inboxes by address.
        answering: The same, of who answers.
    """

    def __init__(self, network: FakeNetwork, identity: str) -> None:
        self._network = network
        self.identity = identity
        self.turn: Callable[[], None] | None = None
        self.listening: dict[str, list[FakeInbox[bytes]]] = {}
        self.answering: dict[str, list[FakeInbox[FakeRequest]]] = {}
        self._has_turn = False

    def publish(self, address: str, data: bytes) -> None:
        """Send to all who listen."""
        self._network.publish(address, data)

    def listen(self, address: str, depth: int = 1) -> FakeInbox[bytes]:
        """Get what is published."""
        return FakeInbox(self.listening.setdefault(address, []), depth)

    def ask(self, address: str, data: bytes, timeout: float) -> bytes | None:
        """Send a question, and wait."""
        outside, self._has_turn = not self._has_turn, True
        try:
            return self._network.ask(address, data)
        finally:
            if outside:
                self._has_turn = False

    def answer(self, address: str, depth: int) -> FakeInbox[FakeRequest]:
        """Get what is asked."""
        return FakeInbox(self.answering.setdefault(address, []), depth)

    def resume(self) -> None:
        """Run a cycle, unless one runs already."""
        if self.turn is None or self._has_turn:
            return
        self._has_turn = True
        try:
            self.turn()
        finally:
            self._has_turn = False

    def close(self) -> None:
        """End the process."""
        self.turn = None
        self._network.end(self)


def _cycle(bench: Bench, root: Behaviour) -> None:
    bench.executive.step(root)
    bench.context.clock.sleep_until(bench.context.clock.now() + bench.context.dt)
