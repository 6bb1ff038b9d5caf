"""What stands for a component of another process: lost, back, slow, garbled, doubled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from taskmatrix.core import ActivationTree, Component, Failure, FailureKind, Part, PartFailed, Remote, age
from taskmatrix.core.base.wire import decode, encode
from taskmatrix.testing import Bench, FakeNetwork

from .remotes import Captain, Pair, Player


def cut(address: str, data: bytes) -> None:
    """Nothing arrives."""


def test_who_was_never_there_is_told_after_a_while() -> None:
    """An optional part fails, and the rest goes on; reading says that nothing is known."""
    pair = Pair()
    pair.run_here(10)
    assert pair.mate.state == "waiting"
    with pytest.raises(PartFailed, match="nothing is known of 'player-2' yet, and so no 'ball'"):
        _ = pair.mate.ball
    pair.run_here(1)
    pair.network.run((pair.here, pair.near), cycles=60, prepare=False)
    assert pair.failures() == ["'player-2' has not been heard of"]
    assert pair.mate.state == "failed"
    assert pair.mate.failure.kind is FailureKind.LOST_REMOTE
    assert pair.captain.failure is None


def test_a_part_that_is_not_optional_fails_its_parents() -> None:
    """With the whole chain."""

    class Strict(Captain):
        mate = Remote(Player, at="player-2")

    pair = Pair(Strict())
    outcome = pair.here.run(pair.near)
    assert not outcome.success
    assert str(outcome) == (
        "failure after 0.51 s: strict: cannot go on, because strict/mate: 'player-2' has not been heard of "
        "(silence: 0.51)."
    )


def test_who_dies_is_lost_and_found_again() -> None:
    """Half a second after its last state; what was known stays, with its age, and it starts anew with the next."""
    pair = Pair()
    pair.player.ball = (1.0, 2.0)
    pair.run()
    pair.network.change = cut
    pair.run(40)
    assert pair.mate.failure is None
    pair.run(20)
    assert pair.failures() == ["'player-2' is not heard of any more"]
    assert pair.mate.ball == (1.0, 2.0)
    assert age(pair.mate) > 0.5
    pair.network.change = None
    pair.run(8)
    assert pair.mate.failure is None
    assert age(pair.mate) < 0.1
    assert len(pair.events("back")) == 1
    assert pair.mate.kick()["power"] == 1.0


def test_a_process_that_starts_anew_is_believed_once_the_old_one_is_lost() -> None:
    """It counts its states from the beginning."""
    pair = Pair()
    pair.run(50)
    pair.there.context.transport.close()  # type: ignore[union-attr]
    again = Pair(Captain(), pair.network)
    runs = (pair.here, pair.near), (again.there, again.far)
    pair.network.run(runs[0], cycles=1, prepare=False)
    pair.network.run(runs[1], cycles=1)
    pair.network.run(*runs, cycles=70, prepare=False)
    assert pair.mate.failure is None
    assert pair.mate.cycles == pytest.approx(again.player.cycles, abs=5)


def test_a_call_that_nobody_answers_is_a_failure() -> None:
    """Of the caller: at once where nobody is there, and after the timeout where somebody is and does not answer."""
    pair = Pair()
    pair.run_here(1)
    with pytest.raises(PartFailed, match=r"nobody is at 'player-2' to answer Player.kick\(\)") as raised:
        pair.mate.kick()
    assert raised.value.failure.kind is FailureKind.LOST_REMOTE
    pair = Pair()
    pair.run()
    pair.network.change = cut
    with pytest.raises(PartFailed, match=r"no answer to Player.kick\(\) from 'player-2' within 0.2 s") as raised:
        pair.mate.kick()
    assert raised.value.failure.kind is FailureKind.TIMEOUT


def test_two_that_call_each_other_at_once_are_told_and_go_on() -> None:
    """Each waits in its own cycle, so that nobody answers: one of them is told so, and then answers the other."""

    class Talker(Component):
        other = Remote(Player, at="nobody", optional=True)

        def __init__(self) -> None:
            super().__init__()
            self.failed: list[FailureKind] = []
            self.calls = 0

        def inform(self) -> None:
            self.other.step()

        def talk(self) -> int:
            """Answer."""
            self.calls += 1
            return self.calls

        def work(self) -> None:
            try:
                self.other.talk()  # type: ignore[attr-defined]
            except PartFailed as error:
                self.failed.append(error.failure.kind)

    class First(Talker):
        other = Remote(Talker, at="second", optional=True)  # type: ignore[assignment]

    class Second(Talker):
        other = Remote(Talker, at="first", optional=True)  # type: ignore[assignment]

    network = FakeNetwork()
    talkers = First(), Second()
    benches = [Bench(transport=network.process()) for _ in talkers]
    names = "first", "second"
    trees = [ActivationTree(talker, at=name) for talker, name in zip(talkers, names, strict=True)]
    network.run(*zip(benches, trees, strict=True), cycles=10)
    assert all(talker.failure is None for talker in talkers)
    assert {kind for talker in talkers for kind in talker.failed} <= {FailureKind.TIMEOUT, FailureKind.LOST_REMOTE}
    assert all(talker.calls for talker in talkers)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: b"\x00" * 50, "it is no message"),
        (lambda data: data[:-5], "it is cut off"),
        (lambda data: b"tm9 " + data[4:], "it speaks version 9, not 1"),
        (lambda data: bytes(3 << 20), "bytes at most"),
        (lambda data: encode([1, 2]), "list indices"),
        (lambda data: encode({"by": "x"}), "'failure'"),
        (lambda data: encode({**decode(data), "number": "many"}), "'number' is 'many'"),
        (lambda data: encode({**decode(data), "values": [1]}), r"'values' is \[1\]"),
    ],
)
def test_garbage_is_told_once_and_counts_as_silence(change: Callable[[bytes], bytes], words: str) -> None:
    """The last good state stays; the failure says what came instead; when sense comes again it goes on."""
    pair = Pair()
    pair.run()
    pair.network.change = lambda address, data: change(data) if "/out/" in address else data
    pair.run(100)
    (failure,) = pair.failures()
    assert "'player-2' is not heard of any more; what comes from there cannot be read" in failure
    (problem,) = pair.events("problem")
    assert words.replace("\\", "") in str(problem.data["problem"]).replace("\\", "")
    pair.network.change = None
    pair.run(10)
    assert pair.mate.failure is None


def test_an_answer_that_is_garbage_is_a_failure() -> None:
    """Of the call."""
    pair = Pair()
    pair.run()
    pair.network.change = lambda address, data: b"what?" if address.endswith("/answer") else data
    with pytest.raises(
        PartFailed, match=r"the answer to Player.kick\(\) from 'player-2' cannot be read: it is no mess"
    ):
        pair.mate.kick()
    pair.network.change = lambda address, data: encode(["a"]) if address.endswith("/answer") else data
    with pytest.raises(PartFailed, match="cannot be read"):
        pair.mate.kick()


def test_of_two_processes_of_one_name_the_first_is_believed_and_that_is_told() -> None:
    """To who has it as a part."""
    pair = Pair()
    pair.run()
    pair.player.ball = (1.0, 1.0)
    false = encode(
        {
            "by": "thief",
            "number": 10**6,
            "state": "x",
            "achieved": True,
            "failure": None,
            "values": {"ball": (9.0, 9.0)},
        }
    )
    thief = pair.network.process()
    for _ in range(60):
        thief.publish("player-2/out/.", false)
        pair.run(1)
        assert pair.mate.ball in (None, (1.0, 1.0))
    assert [event.data["problem"] for event in pair.events("problem")] == [
        "two processes serve 'player-2'; the first is believed"
    ]


def test_the_failure_of_the_component_is_that_of_the_part() -> None:
    """With its cause; and gone when it starts anew over there."""

    class Eye(Component):
        trouble = ""

        def work(self) -> Failure | None:
            return self.fail(FailureKind.LOST_OBJECT, self.trouble) if self.trouble else None

    class Robot(Component):
        eye = Part(Eye, optional=True)

        def inform(self) -> None:
            self.eye.step()

    class Watcher(Captain):
        mate = Remote(Eye, at="player-2/eye", optional=True)  # type: ignore[assignment]

    pair = Pair(Watcher())
    robot = Robot()
    pair.far = ActivationTree(robot, at="player-2")
    pair.run()
    assert pair.mate.state == "active"
    robot.eye.trouble = "the ball is gone"
    pair.run()
    failure = pair.mate.failure
    assert failure.explain() == "watcher/mate: 'player-2/eye' has failed, because robot/eye: the ball is gone."
    assert failure.kind is FailureKind.LOST_OBJECT
    robot.eye.trouble = ""
    robot.eye.restart()
    pair.run()
    assert pair.mate.failure is None


def test_a_part_that_nobody_steps_sends_nothing() -> None:
    """It is inactive; stepped again it is there again."""
    captain = Captain()
    pair = Pair(captain)
    pair.run()
    captain.steps = False
    pair.run(2)
    before = len([address for address, _ in pair.network.sent if address != "player-2/here"])
    pair.run(100)
    assert len([address for address, _ in pair.network.sent if address != "player-2/here"]) == before
    captain.steps = True
    pair.run(8)
    assert pair.mate.failure is None
    assert age(pair.mate) < 0.05
