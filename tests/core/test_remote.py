"""Parts in another process: how they are declared, and what they do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix.core import (
    ActivationTree,
    Component,
    ComponentError,
    FailureKind,
    Parameter,
    ParameterError,
    PartFailed,
    Remote,
    age,
)
from taskmatrix.testing import Bench, FakeNetwork

from .remotes import Captain, Head, Pair, Player


def test_attributes_are_those_of_the_last_state() -> None:
    """Plain ones; of any kind that can be sent, and not the very same."""
    pair = Pair()
    pair.player.ball = (1.0, 2.0)
    pair.player.line = np.eye(2)
    pair.run()
    assert pair.mate.ball == (1.0, 2.0)
    np.testing.assert_array_equal(pair.mate.line, np.eye(2))
    assert pair.mate.state == "active"
    before = pair.mate.cycles
    pair.run()
    assert pair.mate.cycles > before


def test_the_state_comes_at_the_frequency_of_the_part() -> None:
    """25 Hz: of 100 cycles of 10 ms, in one of four; and its age is told."""
    pair = Pair()
    pair.run(1)
    pair.run(100)
    states = [address for address, _ in pair.network.sent if address.startswith("player-2/out/")]
    assert states == ["player-2/out/."] * 25
    ages = []
    for _ in range(8):
        pair.run(1)
        ages.append(round(age(pair.mate), 6))
    assert sorted(set(ages)) == [0.01, 0.02, 0.03, 0.04]
    assert age(pair.captain) == 0.0


def test_modulations_hold_while_who_sets_them_is_active() -> None:
    """Over there as here: then they go back to the default, also where the other is lost."""
    captain = Captain()
    pair = Pair(captain)
    pair.run()
    assert pair.player.speeds[-1] == 0.1
    captain.wants = 0.7
    pair.run()
    assert pair.player.speeds[-1] == 0.7
    captain.wants = None
    pair.run(2)
    assert pair.player.speeds[-1] == 0.7
    captain.steps = False
    pair.run(60)
    assert pair.player.speeds[-1] == 0.1


def test_who_is_lost_modulates_no_more() -> None:
    """Half a second after it was heard last."""
    captain = Captain()
    captain.wants = 0.7
    pair = Pair(captain)
    pair.run()
    pair.network.run((pair.there, pair.far), cycles=45, prepare=False)
    assert pair.player.speeds[-1] == 0.7
    pair.network.run((pair.there, pair.far), cycles=15, prepare=False)
    assert pair.player.speeds[-1] == 0.1


def test_a_modulation_is_checked_before_it_is_sent() -> None:
    """By the class of the component, here."""
    pair = Pair()
    pair.run()
    with pytest.raises(ParameterError, match="modulation 'speed' has to be a number"):
        pair.mate.speed = "fast"


def test_methods_are_called_between_two_cycles_over_there() -> None:
    """With their arguments, and an answer."""
    pair = Pair()
    pair.run()
    assert pair.mate.kick(0.5) == {"power": 0.5, "distance": 1.0}
    assert pair.mate.kick(power=2.0)["power"] == 2.0
    assert pair.player.kicks == [0.5, 2.0]
    pair.mate.look(0.3)
    assert pair.player.head.seen == 0.3


def test_a_call_from_within_a_cycle_waits_for_its_answer() -> None:
    """As if it were local."""

    class Caller(Captain):
        answers: tuple[Any, ...] = ()

        def work(self) -> None:
            if self.mate.state == "active":
                self.answers = (*self.answers, self.mate.kick(0.2)["distance"])

    caller = Caller()
    Pair(caller).run(8)
    assert set(caller.answers) == {0.4}


def test_a_component_below_the_root_is_reached_by_its_name() -> None:
    """Of the same tree."""

    class Other(Component):
        head = Remote(Head, at="player-2/head")

        def inform(self) -> None:
            self.head.step()

        def work(self) -> None:
            self.head.pan = 0.4

    other = Other()
    pair = Pair(other)
    pair.run()
    assert pair.player.head.seen == 0.4
    assert other.head.seen == 0.4


def test_reliable_attributes_and_modulations_are_asked_for() -> None:
    """At once, and each time; the others stay fast."""

    class Asker(Captain):
        mate = Remote(Player, at="player-2", reliable=("ball", "speed"))

    pair = Pair(Asker())
    pair.run()
    pair.player.ball = (3.0, 4.0)
    pair.player.cycles = 1000
    assert pair.mate.ball == (3.0, 4.0)
    pair.mate.speed = 0.6
    assert pair.player.speed == 0.6
    assert pair.mate.cycles < 1000


def test_what_is_not_reliable_is_sent_and_forgotten() -> None:
    """Methods too, where nothing is reliable: they give no answer, and no failure."""

    class Shouter(Captain):
        mate = Remote(Player, at="player-2", reliable=False)

    pair = Pair(Shouter())
    pair.run()
    assert pair.mate.kick(0.5) is None
    assert pair.player.kicks == []
    pair.run(1)
    assert pair.player.kicks == [0.5]
    pair.network.change = lambda address, data: None
    pair.mate.kick(1.0)
    pair.network.change = None
    pair.run(1)
    assert pair.player.kicks == [0.5]


def test_what_raises_over_there_is_a_failure_here() -> None:
    """With the whole chain, and nothing harmed over there."""
    pair = Pair()
    pair.run()
    with pytest.raises(PartFailed) as raised:
        pair.mate.stumble()
    failure = raised.value.failure
    assert failure.kind is FailureKind.EXCEPTION
    assert failure.explain().startswith(
        "captain/mate: Player.stumble() failed at 'player-2', because player: ZeroDivisionError: stumbled, at tests/"
    )
    assert "stumble" in failure.root.trace
    with pytest.raises(PartFailed, match="object cannot be sent"):
        pair.mate.give()
    pair.run()
    assert pair.player.failure is None


def test_mistakes_are_told_here() -> None:
    """Names that are none, arguments that do not fit, attributes that cannot be set."""
    pair = Pair()
    pair.run()
    with pytest.raises(ComponentError, match="no attribute 'bal' in the state of 'player-2'; did you mean 'ball'"):
        _ = pair.mate.bal
    with pytest.raises(TypeError, match=r"Player.kick\(\): got an unexpected keyword argument 'strength'"):
        pair.mate.kick(strength=1.0)
    with pytest.raises(ComponentError, match="'ball' of 'player-2' cannot be set from here; no modulation 'ball'"):
        pair.mate.ball = (0.0, 0.0)
    with pytest.raises(AttributeError, match="_secret"):
        _ = pair.mate._secret


@pytest.mark.parametrize(
    ("at", "words"), [("player 2", "not 'player 2'"), ("a/b/c", "not 'a/b/c'"), ("", "not ''"), ("a/*", "not 'a/\\*'")]
)
def test_an_address_is_a_name(at: str, words: str) -> None:
    """Nothing that could mean many."""
    with pytest.raises(ComponentError, match=f"a remote component is at a name such as .*{words}"):

        class Wrong(Component):
            mate = Remote(Player, at=at)

    with pytest.raises(ComponentError, match="a tree is served at a name of"):
        ActivationTree(Player(), at=at or "*")


def test_bad_declarations_are_refused() -> None:
    """With the line."""
    with pytest.raises(ComponentError, match=r"takes the class of a component, not <class 'int'>\n .*Remote\(int"):
        Remote(int, at="player-2")  # type: ignore[type-var]
    with pytest.raises(ParameterError, match="timeout is a number of seconds above 0, not 0"):
        Remote(Player, at="player-2", timeout=0)
    with pytest.raises(ComponentError, match="'step' of Player is nothing that is served"):
        Remote(Player, at="player-2", reliable=["step"])


def test_the_address_can_be_a_parameter() -> None:
    """Of who declares it; wrong ones are told when the tree is put together."""

    class Any2(Captain):
        partner = Parameter(str, default="player-2")
        mate = Remote(Player, at=partner, optional=True)

    pair = Pair(Any2())
    pair.run()
    assert pair.mate.state == "active"
    with pytest.raises(ComponentError, match="not 'nobody there'"):
        ActivationTree(Any2(partner="nobody there"))


def test_without_a_transport_it_is_told_how_to_get_one() -> None:
    """Where a part is remote, and where a tree is to be served."""
    for tree in (ActivationTree(Captain()), ActivationTree(Player(), at="player-2")):
        outcome = Bench().run(tree)
        assert not outcome.success
        assert "simulate(..., transport=Zenoh())" in str(outcome)


def test_the_same_run_twice_sends_the_same() -> None:
    """Bit for bit."""

    def run() -> list[tuple[str, bytes]]:
        captain = Captain()
        captain.wants = 0.3
        pair = Pair(captain, FakeNetwork())
        pair.run(50)
        return pair.network.sent

    assert run() == run()
