"""A process of its own that serves a player, for tests; started by ``test_processes``.

Runs a tree on a bench by the real clock, at 100 Hz, until it is killed; ``stop`` on its input ends it.
"""

from __future__ import annotations

import select
import sys

from taskmatrix.core import ActivationTree, Component, Failure, Modulation, RealClock
from taskmatrix.core.base.events import Event
from taskmatrix.testing import Bench
from taskmatrix.transports import Zenoh


class Player(Component):
    """Counts its cycles, and does what it is told."""

    speed = Modulation(float, default=0.0)
    cycles = 0
    last = 0.0

    def work(self) -> Failure | None:
        self.cycles += 1
        self.last = self.speed
        return None

    def double(self, value: float) -> float:
        """Twice as much."""
        return 2.0 * value

    def sleep(self, seconds: float) -> None:
        """Block."""
        RealClock().sleep_until(seconds)


def serve(name: str, port: int) -> None:
    """Run a player."""
    transport = Zenoh(port=port)
    bench, clock = Bench(transport=transport), RealClock()
    tree = ActivationTree(Player(), at=name)

    def tell(event: Event) -> None:
        if event.kind in ("remote", "failure"):
            print(event.to_json(), flush=True)

    bench.context.events.subscribe(tell)
    bench.executive.prepare(tree)
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        bench.executive.step(tree)
        now = clock.now()
        bench.context.clock.sleep_until(now)
        clock.sleep_until(now + 0.01)
        if tree.failure is not None:
            print(tree.failure.explain(), flush=True)
            break
    tree.force_quit()
    transport.close()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
