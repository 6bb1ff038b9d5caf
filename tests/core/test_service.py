"""Serving a tree: what arrives from other processes, whatever it is."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core import ActivationTree, Component, FailureKind, Modulation, Part
from taskmatrix.core.base.wire import decode, encode
from taskmatrix.core.remote.service import DEPTH, MANY
from taskmatrix.testing import Bench, FakeNetwork

from .components import told
from .remotes import Captain, Head, Pair, Player


class Served:
    """A player that is served, and a process from which anything may come."""

    def __init__(self, root: Component | None = None, watchdog: float | None = None) -> None:
        self.network = FakeNetwork()
        self.bench, self.process = Bench(transport=self.network.process()), self.network.process()
        self.root: Any = root or Player()
        self.tree = ActivationTree(self.root, at="player-2", watchdog=watchdog)
        self.states = self.process.listen("player-2/out/.", 100)
        self.network.run((self.bench, self.tree), cycles=1)

    def run(self, cycles: int = 1) -> None:
        self.network.run((self.bench, self.tree), cycles=cycles, prepare=False)

    def say(self, who: str = "captain/mate x", component: str = "", **values: Any) -> None:
        self.process.publish("player-2/in", encode({"from": who, "component": component, "set": values}))

    def ask(self, **asked: Any) -> Any:
        given = {"from": "tester x", "component": "", "name": "", **asked}
        answer = self.process.ask("player-2/ask", encode(given), 0.1)
        return decode(answer or b"")

    def problems(self) -> list[str]:
        events = [event for event in told(self.bench, "remote") if event.data["what"] == "problem"]
        return [str(event.data["problem"]) for event in events]

    def told(self, what: str) -> list[str]:
        return [str(e.data["who"]) for e in told(self.bench, "remote") if e.data["what"] == what]


def test_who_comes_and_goes_is_told() -> None:
    """By its path in its own tree."""
    served = Served()
    served.say()
    served.run(10)
    assert served.told("joined") == ["captain/mate"]
    served.run(60)
    assert served.told("left") == ["captain/mate"]


def test_a_state_is_sent_to_who_asks_for_it_and_to_nobody_else() -> None:
    """Once for a word, whoever says it how often in a cycle."""
    served = Served()
    served.run(10)
    assert served.states.take() is None
    for who in "abc":
        served.say(who)
    served.run(10)
    assert served.states.take() is not None
    assert served.states.take() is None


def test_who_is_here_is_obeyed_before_who_is_not() -> None:
    """And the contest is told; when the parent that is here is silent, the other is obeyed."""

    class Root(Component):
        head = Part(Head)
        wants: float | None = 0.5

        def work(self) -> None:
            if self.wants is not None:
                self.head.pan = self.wants

        def act(self) -> None:
            self.head.step()

    served = Served(Root())
    seen = []
    for _ in range(20):
        served.say(component="head", pan=1.0)
        served.run()
        seen.append(served.root.head.seen)
    assert seen == [0.5] * 20
    assert {(e.data["obeyed"], e.data["refused"]) for e in told(served.bench, "contest")} == {("root", "captain/mate")}


def test_of_two_others_the_first_is_obeyed() -> None:
    """As long as it is heard of."""
    served = Served()
    for _ in range(5):
        served.say("a x", speed=0.3)
        served.say("b x", speed=0.4)
        served.run()
    assert served.root.speeds[-1] == 0.3
    for _ in range(60):
        served.say("b x", speed=0.4)
        served.run()
    assert served.root.speeds[-1] == 0.4


def test_what_may_not_be_set_is_told_once_and_the_rest_is_set() -> None:
    """Unknown names, wrong types, what is not plain."""
    served = Served()
    for _ in range(3):
        served.say(speed=0.3, goal=5, step=1, cycles=3)
        served.run()
    assert served.root.speed == 0.3
    assert served.root.cycles == 4
    problems = served.problems()
    assert len(problems) == 3
    assert any("modulation 'goal' has to be a string, not 5" in problem for problem in problems)
    assert any("no modulation 'step' in Player" in problem for problem in problems)


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "get", "name": "_tree"},
        {"do": "get", "name": "context"},
        {"do": "call", "name": "step", "args": [], "kwargs": {}},
        {"do": "call", "name": "__init__", "args": [], "kwargs": {}},
        {"do": "call", "name": "kick", "args": [1, 2, 3], "kwargs": {}},
        {"do": "set", "name": "failure", "value": None},
        {"do": "import", "name": "os"},
        {"do": "call", "name": "kick"},
        {"do": "get", "name": "ball", "component": "nobody"},
        {"do": "get", "name": ["ball"]},
        {"do": ["get"]},
    ],
)
def test_what_is_not_offered_is_refused(asked: dict[str, Any]) -> None:
    """With an answer that says why, and no harm."""
    served = Served()
    answer = served.ask(**asked)
    assert list(answer) == ["failure"]
    served.run()
    assert served.root.failure is None
    assert served.root.kicks == []


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 100, encode(None), encode([1]), encode({}), encode({"from": 3}), b"tm7 "]
)
def test_garbage_is_told_and_left_out(data: bytes) -> None:
    """As a word, and as a question, which is answered."""
    served = Served()
    for _ in range(3):
        served.process.publish("player-2/in", data)
        served.run()
    assert len(served.problems()) == 1
    answer = decode(served.process.ask("player-2/ask", data, 0.1) or b"")
    assert answer["failure"]["kind"] == FailureKind.LOST_REMOTE.value
    served.run()
    assert served.root.cycles >= 4


def test_a_flood_is_dealt_with_a_bit_at_a_time() -> None:
    """What waits is bounded, and so is what a cycle does; the oldest are lost."""
    served = Served()
    call = {"do": "call", "component": "", "name": "kick", "args": [], "kwargs": {}, "from": "x"}
    for _ in range(10 * DEPTH):
        served.process.publish("player-2/in", encode(call))
    served.run()
    assert len(served.root.kicks) == MANY
    served.run(100)
    assert len(served.root.kicks) == DEPTH


def test_too_many_others_are_told() -> None:
    """Those above the limit are not heard."""
    served = Served()
    for k in range(2 * MANY):
        served.say(f"p{k} x", speed=0.3)
        if k % MANY == MANY - 1:
            served.run()
    assert len(served.told("joined")) == MANY
    assert any(f"more than {MANY}" in problem for problem in served.problems())


def test_a_state_that_is_too_large_is_told() -> None:
    """And not sent; the tree goes on."""
    served = Served()
    served.root.line = "x" * (2 << 20)
    served.say()
    served.run(2)
    assert served.states.take() is None
    assert "the state of" in served.problems()[0]
    assert served.root.failure is None


def test_what_raises_while_it_is_called_or_set_ends_nothing() -> None:
    """The caller is told, with the trace."""

    class Odd(Component):
        gain = Modulation(float, default=1.0)

        def raises(self) -> None:
            raise RuntimeError("odd")

        @property
        def never(self) -> float:
            raise RuntimeError("no value")

    served = Served(Odd())
    assert "RuntimeError: odd" in served.ask(do="call", name="raises", args=[], kwargs={})["failure"]["message"]
    assert "RuntimeError: no value" in served.ask(do="get", name="never")["failure"]["message"]
    assert served.ask(do="set", name="gain", value=2.0) == {"value": None}
    assert served.ask(do="get", name="gain") == {"value": 2.0}
    assert served.root.failure is None


def test_a_call_that_blocks_is_cut_off() -> None:
    """And told as such; the tree goes on."""

    class Slow(Component):
        def work(self) -> None:
            pass

        def dream(self) -> None:
            while True:
                pass

    served = Served(Slow(), watchdog=0.05)
    assert served.ask(do="call", name="dream", args=[], kwargs={})["failure"]["kind"] == "timeout"
    served.run(3)
    assert served.root.failure is None


def test_a_name_that_is_taken_is_refused() -> None:
    """Before anything runs."""
    served = Served()
    other = Bench(transport=served.network.process())
    outcome = other.run(ActivationTree(Player(), at="player-2"))
    assert not outcome.success
    assert "another process serves 'player-2' already" in str(outcome)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.PRECONDITION


def test_two_that_took_a_name_at_once_are_told() -> None:
    """Both; where the question whether it is taken was lost."""
    pair = Pair(Captain())
    network = pair.network
    again = Pair(Captain(), network)
    network.change = lambda address, data: data
    for each in (pair, again):
        each.there.executive.prepare(each.far)
    network.run((pair.there, pair.far), cycles=1)
    first = network._processes[1].answering.pop("player-2/ask")
    network.run((again.there, again.far), cycles=1)
    network._processes[1].answering["player-2/ask"] = first
    network.run((pair.there, pair.far), (again.there, again.far), cycles=60, prepare=False)
    for each in (pair, again):
        problems = [e.data["problem"] for e in told(each.there, "remote") if e.data["what"] == "problem"]
        assert problems == ["another process serves 'player-2' too; end one of the two, or rename it"]


def test_a_tree_that_has_ended_serves_no_more() -> None:
    """Its name is free."""
    served = Served()
    served.tree.force_quit()
    assert served.process.ask("player-2/ask", encode({"do": "hello"}), 0.1) is None
