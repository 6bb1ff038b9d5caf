"""Order, losses, age and clocks of what one publisher sends."""

from __future__ import annotations

import pytest

from taskmatrix.ros2 import Ros2Error
from taskmatrix.ros2.stream import Stream
from taskmatrix.ros2.wire import Attachment

AHEAD = 5000.0  # [s] by which the publisher's clock is ahead of the receiver's
PERIOD = 0.002  # [s]


class Sender:
    """Sends a message each period, which takes a millisecond."""

    def __init__(self) -> None:
        self.stream = Stream("/joint_states", "sensor_msgs/msg/JointState")
        self.now, self.number, self.ahead = 100.0, 0, AHEAD

    def send(self, count: int = 1, late: float = 0.001) -> bool:
        for _ in range(count):
            self.now += PERIOD
            self.number += 1
            taken = self.again(0, late)
        return taken

    def again(self, back: int, late: float = 0.001) -> bool:
        """The message of some periods ago comes now."""
        attachment = Attachment(self.number - back, 0, b"")
        return self.stream.take(attachment, self.now - back * PERIOD + self.ahead, self.now + late)


@pytest.fixture
def sender() -> Sender:
    sender = Sender()
    sender.send(50)
    return sender


def test_what_comes_in_time_is_taken(sender: Sender) -> None:
    """Whatever the other clock shows, of which the difference is told."""
    assert sender.send(100)
    assert sender.stream.wrong(sender.now) == ""
    assert sender.stream.offset == pytest.approx(AHEAD - 0.001, abs=1e-6)
    assert sender.stream.progress == pytest.approx(149 * PERIOD)
    assert (sender.stream.lost, sender.stream.late) == (0, 0)


def test_what_comes_twice_or_late_is_dropped(sender: Sender) -> None:
    stamp = sender.stream.stamp
    assert not sender.again(0)
    assert not sender.again(3)
    assert sender.stream.stamp == stamp
    assert sender.stream.late == 2
    assert sender.send()


def test_what_never_comes_is_counted(sender: Sender) -> None:
    """And counted no more if it comes after all."""
    sender.number += 3
    sender.send()
    assert sender.stream.lost == 3
    sender.again(2)
    assert sender.stream.lost == 2


def test_messages_out_of_order_again_and_again_are_a_fault(sender: Sender) -> None:
    for _ in range(6):
        sender.send(3)
        sender.again(2)
    with pytest.raises(Ros2Error, match="'/joint_states' come out of order, 7 until now"):
        sender.again(2)


def test_silence_is_a_fault(sender: Sender) -> None:
    assert sender.stream.wrong(sender.now + 0.19) == ""
    said = "'/joint_states' is silent: no sensor_msgs/msg/JointState for 0.30 s"
    assert sender.stream.wrong(sender.now + 0.301) == said


def test_what_comes_late_is_stale(sender: Sender) -> None:
    """Though it comes: by the quickest message, whatever the clocks show."""
    for k in range(200):
        sender.send(late=0.001 + 0.002 * k)
    assert "'/joint_states' is stale: what comes is 0.40 s old" in sender.stream.wrong(sender.now + 0.4)


def test_stamps_that_stand_still_are_stale(sender: Sender) -> None:
    for _ in range(200):
        sender.now += PERIOD
        sender.number += 1
        sender.ahead -= PERIOD
        assert not sender.again(0)
    assert "is stale: what comes is 0.40 s old" in sender.stream.wrong(sender.now)


@pytest.mark.parametrize("step", [3.0, -3.0, 0.3, -0.3])
def test_a_clock_that_is_set_is_a_fault_once(sender: Sender, step: float) -> None:
    """From then on what it shows is taken."""
    sender.ahead += step
    with pytest.raises(Ros2Error, match=rf"the clock of who publishes '/joint_states' was set by \{step:+.1f}"):
        sender.send()
    assert sender.send(100)
    assert sender.stream.wrong(sender.now) == ""


def test_a_small_step_is_waited_out(sender: Sender) -> None:
    sender.ahead -= 0.05
    assert not sender.send(20)
    assert sender.send(20)
    sender.ahead += 0.05
    assert sender.send()
    assert sender.stream.wrong(sender.now) == ""


def test_clocks_may_run_apart(sender: Sender) -> None:
    """By half a thousandth, either way, for a long time."""
    for sign in (1.0, -1.0):
        for _ in range(4_000):
            sender.ahead += sign * 5e-4 * PERIOD
            sender.send()
            assert sender.stream.wrong(sender.now) == ""


def test_without_numbers_stamps_tell_the_order() -> None:
    stream = Stream("/joint_states", "sensor_msgs/msg/JointState")
    assert stream.take(None, 10.0, 1.0)
    assert stream.take(None, 10.1, 1.1)
    assert not stream.take(None, 10.05, 1.1)
    assert stream.late == 1
