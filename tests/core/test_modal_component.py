"""Components with modes."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core import (
    ActivationTree,
    Component,
    ComponentError,
    Failure,
    FailureKind,
    ModalComponent,
    Mode,
    Modulation,
    Part,
    Verdict,
)
from taskmatrix.testing import Bench

from .components import Counter, Steps, told


class Eye(Counter):
    """Sees something from some time on."""

    def started(self) -> None:
        super().started()
        self.sees = False

    def work(self) -> None:
        super().work()
        self.sees = self.context.clock.now() >= 0.1


class Legs(Counter):
    """Walk."""


class Player(ModalComponent):
    """Look, then go, then done."""

    eye, legs = Part(Eye), Part(Legs)

    look = Mode(inform=[eye])
    go = Mode(inform=[eye], act=[legs])
    there = Mode(achieved=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ran: list[str] = []

    @look.code
    def turn_about(self) -> None:
        self.ran.append("look")

    @look.to(go)
    def sees_it(self) -> str:
        return f"at {self.context.clock.now():.1f} s" if self.eye.sees else ""

    @go.code
    def walk(self) -> None:
        self.ran.append("go")

    go.to(there, after=0.05)


def test_modes_run_their_code_and_step_their_parts() -> None:
    """A transition is taken before the code runs, and its cause is told."""
    player, bench = Player(), Bench()
    tree = ActivationTree(player)
    assert bench.run(tree).success
    assert player.ran == ["look"] * 10 + ["go"] * 5
    assert len(player.legs.worked) == 5
    assert [dict(event.data) for event in told(bench, "transition")] == [
        {"trigger": "sees it", "start": ["go"], "stop": ["look"], "why": "at 0.1 s"},
        {"trigger": "after 0.05 s", "start": ["there"], "stop": ["go"]},
    ]


def test_a_mode_that_is_left_no_longer_modulates() -> None:
    """What the next mode steps instead may modulate at once, and that is no contest."""

    class Walk(Component):
        ahead = Modulation(float, default=0.0)

        def started(self) -> None:
            self.speeds = getattr(self, "speeds", [])

        def act(self) -> None:
            self.speeds.append(self.ahead)

    class Follow(Component):
        walk = Part(Walk)

        def work(self) -> None:
            self.walk.ahead = 1.0

        def act(self) -> None:
            self.walk.step()

    class Retreat(ModalComponent):
        walk, follow = Part(Walk), Part(Follow)

        back = Mode(act=[walk])
        on = Mode(act=[follow])

        @back.code
        def go_back(self) -> None:
            self.walk.ahead = -1.0

        back.to(on, after=0.03)

    root, bench = Retreat(), Bench()
    bench.ticks(ActivationTree(root), 6)
    assert root.walk.speeds == [-1.0] * 3 + [1.0] * 3
    assert not told(bench, "contest")


def test_the_tree_tells_the_mode() -> None:
    """In the cycle in which it changes."""
    bench = Bench()
    bench.run(ActivationTree(Player()))
    states = [event.data["nodes"][0].state for event in told(bench, "tree")]  # type: ignore[index]
    assert states == ["look", "go", "there"]


def test_what_is_stepped_anew_begins_in_its_first_mode() -> None:
    """As all that was inactive starts anew."""

    class Flip(ModalComponent):
        one, two = Mode(), Mode()
        one.to(two)

    class Root(Steps):
        flip = Part(Flip)

        def act(self) -> None:
            if self.on.pop(0):
                self.flip.step()

    root, bench = Root(on=[True, True, False, True]), Bench()
    tree, states = ActivationTree(root), []
    bench.executive.prepare(tree)
    for _ in range(4):
        bench.executive.step(tree)
        states.append(root.flip.state)
    assert states == ["two", "two", "two", "two"]
    assert len(told(bench, "transition")) == 2


def test_only_one_transition_is_taken_in_a_step() -> None:
    """The first of the class body that says so."""

    class Ring(ModalComponent):
        one, two, three = Mode(), Mode(), Mode()
        one.to(two)
        one.to(three)
        two.to(three)
        three.to(one)

    root, bench = Ring(), Bench()
    bench.ticks(ActivationTree(root), 4)
    assert [event.data["start"] for event in told(bench, "transition")] == [["two"], ["three"], ["one"], ["two"]]


def test_a_transition_takes_time_and_a_method() -> None:
    """Both have to say so; a verdict tells why."""

    class Wait(ModalComponent):
        one, two = Mode(), Mode(achieved=True)

        @one.to(two, after=0.05)
        def ready(self) -> Verdict:
            return Verdict(True, "all is ready")

    bench = Bench()
    assert bench.run(ActivationTree(Wait())).duration == pytest.approx(0.05)
    (event,) = told(bench, "transition")
    assert dict(event.data) == {
        "trigger": "ready after 0.05 s",
        "start": ["two"],
        "stop": ["one"],
        "why": "all is ready",
    }


def test_code_may_fail() -> None:
    """The state is ``failed`` then."""

    class Stuck(ModalComponent):
        one = Mode()

        @one.code
        def fall(self) -> Failure:
            return self.fail(FailureKind.TRACKING, "it does not move")

    root = Stuck()
    outcome = Bench().run(ActivationTree(root))
    assert "stuck: it does not move" in str(outcome)
    assert root.state == "failed"


def test_a_subclass_may_add_modes_and_leaves_its_base_as_it_is() -> None:
    """The base goes on with its own transitions."""

    class Base(ModalComponent):
        one = Mode()

    class More(Base):
        two = Mode(achieved=True)
        Base.one.to(two)

    assert Bench().run(ActivationTree(More())).success
    assert Bench().ticks(ActivationTree(Base()), 3)[-1].value == "RUNNING"


def test_definitions_are_checked_when_the_class_is_made() -> None:
    """Modes that nothing leads to, that lead elsewhere or step what is no part; hooks that modes run."""
    with pytest.raises(ComponentError, match="mode 'two' of Lost is never reached: no transition leads to it"):

        class Lost(ModalComponent):
            one, two = Mode(), Mode()
            two.to(one)

    with pytest.raises(ComponentError, match="a transition from 'one' of Away leads to a mode of another component"):

        class Away(ModalComponent):
            one = Mode()
            one.to(Player.go)

    with pytest.raises(ComponentError, match=r"mode 'one' of Foreign steps .* which is no Part in its body"):

        class Foreign(ModalComponent):
            one = Mode(act=[Part(Legs)])

    with pytest.raises(ComponentError, match=r"Own overrides act\(\); its modes say what is stepped and run"):

        class Own(ModalComponent):
            one = Mode()

            def act(self) -> None:
                pass

    with pytest.raises(ComponentError, match="Empty has no mode"):
        type("Empty", (ModalComponent,), {})()


def test_transitions_are_checked_where_they_are_written() -> None:
    """Their target, their time, and that one method decides."""
    mode = Mode()
    with pytest.raises(ComponentError, match="leads to a mode, not to 'two'"):
        mode.to("two")  # type: ignore[arg-type]
    with pytest.raises(ComponentError, match="0 s or more, not -1"):
        mode.to(mode, after=-1.0)
    switch = mode.to(mode)
    switch(lambda self: True)
    with pytest.raises(ComponentError, match="one method decides"):
        switch(lambda self: True)
    mode.code(lambda self: None)
    with pytest.raises(ComponentError, match="has its code already"):
        mode.code(lambda self: None)


def test_a_component_without_modes_is_none_of_these() -> None:
    """Its state is in a word."""

    class Plain(Component):
        pass

    assert Plain().state == "active"
