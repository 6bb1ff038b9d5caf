from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.failure import FailedError, Failure, FailureKind
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.core.world.objects import Array

JOINTS = ("x", "y", "yaw", "shoulder", "elbow")
DT = 0.01


def at(q: Array, time: float | None = None) -> JointState:
    return JointState(q, np.zeros(5), np.zeros(5), time)


class Arm:
    """Two joints on a base, and nothing else; a test sets what they say."""

    def __init__(self) -> None:
        self.state = at(np.zeros(5))
        self.stopped = 0

    def sense(self) -> JointState:
        return self.state

    def apply(self, command: Command, dt: float) -> None:
        self.state = at(command.q)

    def stop(self) -> None:
        self.stopped += 1


def watched(arm: Arm) -> PlantMonitor:
    return PlantMonitor(arm, JOINTS, np.ones(5), {"left": ("finger",)}, DT)


def fault(monitor: PlantMonitor) -> Failure:
    with pytest.raises(FailedError) as raised:
        monitor.sense()
    assert raised.value.failure is monitor.fault
    assert raised.value.failure.kind is FailureKind.PLANT
    return raised.value.failure


def test_what_a_plant_cannot_do_is_made_up_for() -> None:
    monitor = watched(Arm())
    assert monitor.feel()["left"].contact == {"finger": False}
    assert monitor.observe() == ()
    assert monitor.truth()["poses"] == {}
    monitor.attach("left", "can")
    monitor.detach("left")
    monitor.apply(Command(np.full(5, 0.1), np.zeros(5), np.zeros(5)), DT)
    np.testing.assert_array_equal(monitor.sense().q, 0.1)


def test_what_raises_is_a_fault_with_the_line_and_the_robot_is_held() -> None:
    class Gone(Arm):
        def sense(self) -> JointState:
            raise ConnectionError("nobody answers")

    arm = Gone()
    failure = fault(watched(arm))
    assert failure.message.startswith("sense() of Gone raised ConnectionError: nobody answers, at ")
    assert failure.facts["call"] == "sense"
    assert "ConnectionError" in failure.trace
    assert arm.stopped == 1


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (at(np.zeros(4)), "it senses positions of shape (4,); the robot has 5 joints"),
        (at(np.array([0.0, 0.0, 0.0, np.nan, 0.0])), "it senses positions that are no numbers: shoulder is nan"),
        (replace(at(np.zeros(5)), v=np.full(5, np.inf)), "it senses velocities that are no numbers: x is inf"),
        (at(np.array([0.0, 0.0, 0.0, 0.0, 1.0])), "elbow is sensed to jump by 1 in a step"),
    ],
)
def test_readings_that_cannot_be_are_a_fault(state: JointState, said: str) -> None:
    arm = Arm()
    monitor = watched(arm)
    monitor.sense()
    arm.state = state
    assert fault(monitor).message == said


def test_the_base_of_a_simulation_may_be_pushed_anywhere() -> None:
    arm = Arm()
    monitor = PlantMonitor(arm, JOINTS, np.ones(5), {}, DT, pushable=True)
    monitor.sense()
    arm.state = at(np.array([3.0, 0.0, 1.0, 0.0, 0.0]))
    assert monitor.sense().q[0] == 3.0
    assert "x is sensed to jump by 3 in a step" in fault(_moved(arm)).message


def _moved(arm: Arm) -> PlantMonitor:
    arm.state = at(np.zeros(5))
    monitor = watched(arm)
    monitor.sense()
    arm.state = at(np.array([3.0, 0.0, 1.0, 0.0, 0.0]))
    return monitor


def test_readings_that_stay_behind_are_stale_after_a_quarter_of_a_second() -> None:
    arm = Arm()
    monitor = watched(arm)
    still = Command(np.zeros(5), np.zeros(5), np.zeros(5))
    arm.apply = lambda command, dt: None  # type: ignore[method-assign]
    arm.state = at(np.zeros(5), time=7.0)
    for _ in range(100):
        monitor.sense()  # nobody has commanded anything
    for _ in range(25):
        monitor.apply(still, DT)
    assert monitor.sense().time == 7.0
    monitor.apply(still, DT)
    assert fault(monitor).message == "its readings are stale: they are of 7.000 s, for 0.26 s already"
    arm.state = at(np.zeros(5), time=7.1)
    assert monitor.restart() == pytest.approx(0.0)
    assert monitor.fault is None
    arm.state = at(np.zeros(5), time=7.0)
    assert fault(monitor).message == "its time goes back, from 7.100 s to 7.000 s"


def test_readings_are_of_their_moment_and_lists_will_do() -> None:
    """A plant may write the next reading over the last."""
    arm = Arm()
    monitor = watched(arm)
    before = monitor.sense()
    arm.state.q[3:] = 1.5
    assert fault(monitor).message == "shoulder is sensed to jump by 1.5 in a step"
    np.testing.assert_array_equal(before.q, 0.0)
    arm.state = JointState([0.0] * 5, [0] * 5, [0] * 5)  # type: ignore[arg-type]
    np.testing.assert_array_equal(monitor.sense().q, 0.0)


@pytest.mark.parametrize("reading", [None, (np.zeros(5),), JointState("abcde", np.zeros(5), np.zeros(5))])  # type: ignore[arg-type]
def test_what_is_no_reading_is_a_fault(reading: JointState) -> None:
    arm = Arm()
    arm.state = reading
    assert "which is no JointState: " in fault(watched(arm)).message
    assert arm.stopped == 1


def test_hands_that_say_nothing_are_a_fault() -> None:
    class Numb(Arm):
        def feel(self) -> dict[str, HandState]:
            return {}

    with pytest.raises(FailedError, match=r"feel\(\) of Numb says nothing of the left hand"):
        watched(Numb()).feel()


def test_a_clock_that_is_gone_is_a_fault() -> None:
    arm = Arm()
    arm.state = at(np.zeros(5), time=1.0)
    monitor = watched(arm)
    monitor.sense()
    arm.state = at(np.zeros(5))
    assert fault(monitor).message == "it tells no time any more; the last was 1.000 s"


def test_a_call_that_hangs_is_a_fault_and_so_is_a_stop_that_does() -> None:
    """Cut where it stands, when patience is over."""

    class Deaf(Arm):
        def sense(self) -> JointState:
            time.sleep(60.0)
            return self.state

        def stop(self) -> None:
            super().stop()
            time.sleep(60.0)

    arm = Deaf()
    monitor = watched(arm)
    monitor.patience = 0.05
    failure = fault(monitor)
    assert failure.message.startswith("sense() of Deaf does not come back within 0.05 s, at ")
    assert arm.stopped == 1


def test_no_command_goes_out_after_an_emergency_stop() -> None:
    """The plant is told at once; sensing goes on, and a restart alone does not let commands out again."""
    arm = Arm()
    monitor = watched(arm)
    command = Command(np.full(5, 0.1), np.zeros(5), np.zeros(5))
    monitor.emergency_stop("somebody pressed the button")
    assert arm.stopped == 1
    monitor.restart()
    with pytest.raises(FailedError) as raised:
        monitor.apply(command, DT)
    assert raised.value.failure.message == "it was stopped: somebody pressed the button"
    np.testing.assert_array_equal(monitor.sense().q, 0.0)
    monitor.stopped = ""
    monitor.apply(command, DT)
    np.testing.assert_array_equal(monitor.sense().q, 0.1)


@pytest.mark.parametrize(
    ("names", "said"), [(["elbow"], ""), (["x"], "no joint 'x'"), (["ellbow"], "did you mean 'elbow'?")]
)
def test_joints_that_are_driven_as_hard_as_they_are_told_are_checked(names: list[str], said: str) -> None:
    """The base is none of them; without a word of the plant there is none."""

    class Soft(Arm):
        def impedance_joints(self) -> list[str]:
            return names

    assert watched(Arm()).impedance_joints() == ()
    if not said:
        assert watched(Soft()).impedance_joints() == ("elbow",)
        return
    with pytest.raises(FailedError, match=said):
        watched(Soft()).impedance_joints()


def test_torques_are_checked_as_all_readings_are() -> None:
    """By their shape, and whether they are numbers; none is no fault."""
    arm = Arm()
    arm.state = replace(at(np.zeros(5)), torque=np.ones(5))
    assert watched(arm).sense().torque == pytest.approx(np.ones(5))
    arm.state = replace(at(np.zeros(5)), torque=np.array([0.0, 0.0, 0.0, np.nan, 0.0]))
    assert "torques that are no numbers: shoulder" in fault(watched(arm)).message
    arm.state = replace(at(np.zeros(5)), torque=np.zeros(4))
    assert "torques of shape (4,)" in fault(watched(arm)).message
