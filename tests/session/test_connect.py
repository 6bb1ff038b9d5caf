from __future__ import annotations

from threading import Thread

import numpy as np
import pytest

from taskmatrix import FailureKind, ParameterError, TaskMatrixError, connect, simulate
from taskmatrix.behaviors import Forward, Pickup, Postural, Putdown, Timer
from taskmatrix.core import Command, JointState, NotFoundError, Percept
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session import PlantInputs
from taskmatrix.simulation import KinematicPlant


class Lagging:
    """Joints that follow their commands late, and a clock."""

    def __init__(self, q: Array) -> None:
        self.state = JointState(q, np.zeros(len(q)), np.zeros(len(q)), 0.0)
        self.silent = self.stands = False
        self.fastest = 0.0

    def sense(self) -> JointState:
        if self.silent:
            raise ConnectionError("nobody answers")
        return self.state

    def apply(self, command: Command, dt: float) -> None:
        if self.stands:
            return
        assert self.state.time is not None
        q = self.state.q + 0.5 * (command.q - self.state.q)
        self.fastest = max(self.fastest, float(np.abs(q - self.state.q).max()) / dt)
        self.state = JointState(q, (q - self.state.q) / dt, np.zeros(len(q)), self.state.time + dt)


@pytest.fixture
def robot() -> Robot:
    return load_robot("mannequin")


def elsewhere(robot: Robot) -> Lagging:
    return Lagging(robot.posture("rest", (0.3, 0.2, 0.5)))


def test_a_program_runs_on_a_plant_of_two_methods(robot: Robot) -> None:
    """From where the robot is sensed to be: the first command does not jump."""
    plant = elsewhere(robot)
    with connect(robot, plant, real_time=False) as session:
        assert session.run(Postural(posture="ready")).success
        assert plant.fastest < robot.velocity.max()
        assert session.run(Forward(distance=0.5)).success
        x, y = 0.3 + 0.5 * np.cos(0.5), 0.2 + 0.5 * np.sin(0.5)
        np.testing.assert_allclose(plant.state.q[:3], [x, y, 0.5], atol=0.005)


def test_what_somebody_perceives_is_what_there_is(robot: Robot) -> None:
    """The simulation of another session plays the world; the program knows it by what is reported only."""
    with simulate(robot, seed=1) as other:
        world = other.plant
        with connect(robot, world, world.observe, real_time=False) as session:
            assert session.world.objects == {}
            assert session.run(Pickup(object="soda_can")).success
            assert "soda_can" in world.held().values()
            assert session.run(Putdown(object="soda_can", on="table")).success
        assert world.held() == {}


def test_a_plant_that_falls_silent_ends_the_run_and_may_come_back(robot: Robot) -> None:
    """Elsewhere: the next run begins where it is then."""
    plant = elsewhere(robot)
    with connect(robot, plant, real_time=False) as session:
        stop = session.events.subscribe(lambda event: _silence(plant, event))
        outcome = session.run(Postural(posture="ready"))
        stop()
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.PLANT
        assert "sense() of Lagging raised ConnectionError: nobody answers" in str(outcome)
        again = session.run(Postural(posture="ready"))
        assert again.failure is not None
        assert again.failure.kind is FailureKind.PLANT
        plant.silent = False
        plant.state = JointState(robot.posture("rest", (1.0, 0.0, 0.0)), np.zeros(robot.n), np.zeros(robot.n), 9.0)
        plant.fastest = 0.0
        assert session.run(Postural(posture="ready")).success
        assert plant.fastest < robot.velocity.max()
        np.testing.assert_allclose(plant.state.q[:3], [1.0, 0.0, 0.0], atol=0.001)


def _silence(plant: Lagging, event: Event) -> None:
    plant.silent = plant.silent or (event.kind == "step" and event.step > 30)


def test_readings_that_are_stale_end_the_run(robot: Robot) -> None:
    plant = elsewhere(robot)
    with connect(robot, plant, real_time=False) as session:
        plant.stands = True
        outcome = session.run(Postural(posture="ready"))
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.PLANT
        assert "its readings are stale" in str(outcome)


def test_a_plant_that_is_made_is_told_where_to_start_and_closed(robot: Robot) -> None:
    """One that is given stays open."""
    closed: list[str] = []

    class Closing(KinematicPlant):
        def __init__(self, inputs: PlantInputs) -> None:
            super().__init__(inputs.robot, inputs.world, inputs.q)

        def close(self) -> None:
            closed.append("made")

    with simulate(robot, seed=1, plant=Closing) as session:
        assert session.run(Postural(posture="ready")).success
        given = Closing(PlantInputs(robot, session.world, session.plant.sense().q, 0.01))
    assert closed == ["made"]
    with connect(robot, given, real_time=False):
        pass
    assert closed == ["made"]


def test_what_is_no_plant_is_refused(robot: Robot) -> None:
    with pytest.raises(ParameterError, match=r"a plant has sense\(\) and apply\(\); int has no sense\(\)"):
        connect(robot, lambda inputs: 3)  # type: ignore[arg-type, return-value]
    with pytest.raises(ParameterError, match=r"it senses positions of shape \(4,\); the robot has 30 joints"):
        connect(robot, Lagging(np.zeros(4)))
    with pytest.raises(ParameterError, match=r"it senses positions that are no numbers: left_elbow is nan"):
        connect(robot, _bent(robot, np.nan))
    with pytest.raises(ParameterError, match=r"Lagging senses left_elbow at 9\.000; its limits are"):
        connect(robot, _bent(robot, 9.0))
    with pytest.raises(ParameterError, match=r"Lagging cannot make a plant from PlantInputs: "):
        connect(robot, Lagging)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="takes a plant, or what makes one, not None"):
        connect(robot, None)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="perception is a function that returns Percepts, not 'camera'"):
        connect(robot, elsewhere(robot), "camera")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"perception has to return Percepts, a tuple of them, not 3"):
        connect(robot, elsewhere(robot), lambda: 3, real_time=False)  # type: ignore[arg-type, return-value]
    with pytest.raises(ParameterError, match=r"Lagging has no observe\(\); connect\(robot, plant, perception"):
        simulate(robot, plant=elsewhere(robot))
    with pytest.raises(ParameterError, match="sim='bullet' names a plant, and plant="):
        simulate(robot, plant=elsewhere(robot), sim="bullet")
    with pytest.raises(NotFoundError, match=r"no simulation 'kinematics'.*did you mean 'kinematic'"):
        simulate(robot, sim="kinematics")


def _bent(robot: Robot, elbow: float) -> Lagging:
    q = robot.posture("rest")
    q[robot.joints.index("left_elbow")] = elbow
    return Lagging(q)


def test_percepts_may_come_and_go(robot: Robot) -> None:
    """What is reported no more is known no more."""
    with simulate(robot, seed=1) as other:
        seen = other.plant.observe()
    known: list[tuple[Percept, ...]] = [seen]
    with connect(robot, elsewhere(robot), lambda: known[-1], real_time=False) as session:
        assert "soda_can" in session.context.perception
        known.append(())
        session.look()
        assert not session.context.perception.percepts


@pytest.mark.parametrize(("joint", "by"), [("base_x", 1.0), ("left_elbow", -0.15), ("left_elbow", -0.5)])
def test_a_robot_that_was_moved_between_two_runs_goes_on_from_there(robot: Robot, joint: str, by: float) -> None:
    """No command takes it back in a step."""
    plant = elsewhere(robot)
    with connect(robot, plant, real_time=False) as session:
        assert session.run(Postural(posture="ready")).success
        q, plant.fastest = plant.state.q.copy(), 0.0
        q[robot.joints.index(joint)] += by
        plant.state = JointState(q, plant.state.v, plant.state.a, plant.state.time)
        assert session.run(Postural(posture="rest")).success
        assert plant.fastest < robot.velocity.max()
        if joint == "base_x":
            assert plant.state.q[0] == pytest.approx(q[0], abs=0.001)


def test_a_joint_that_something_blocks_goes_on_pressing_in_the_next_run(robot: Robot) -> None:
    """As fingers on what they hold: nobody has moved it since the last run. After a stop it does not."""
    plant, joint = elsewhere(robot), robot.joints.index("left_elbow")
    told: list[float] = []
    free = plant.apply

    def apply(command: Command, dt: float) -> None:
        told.append(float(command.q[joint]))
        q = command.q.copy()
        q[joint] = min(q[joint], blocked)
        free(Command(q, command.v, command.a), dt)

    blocked = float(plant.state.q[joint]) + 0.05
    plant.apply = apply  # type: ignore[method-assign]
    with connect(robot, plant, real_time=False) as session:
        assert not session.run(Postural(posture="ready")).success  # the joint is not where it was told to be
        pressing = told[-1]
        assert pressing > blocked + 0.1
        assert session.run(Timer(duration=0.1)).success
        assert told[-1] == pressing
        session.emergency_stop()
        session.resume()
        assert session.run(Timer(duration=0.1)).success
        assert told[-1] == pytest.approx(blocked, abs=1e-6)


def test_nothing_runs_in_a_session_that_is_closed(robot: Robot) -> None:
    with connect(robot, elsewhere(robot), real_time=False) as session:
        pass
    with pytest.raises(TaskMatrixError, match="the session is closed"):
        session.run(Postural(posture="ready"))


def test_an_emergency_stop_ends_the_run_and_all_others_until_it_is_over(robot: Robot) -> None:
    """From another thread; the robot stays where it is, and goes on from there."""
    plant = elsewhere(robot)
    with connect(robot, plant, real_time=False) as session:
        presses = (event for event in range(50))

        def press(event: Event) -> None:
            if event.kind == "step" and next(presses, None) == 40:
                button = Thread(target=session.emergency_stop, args=("the button",))
                button.start()
                button.join()

        session.events.subscribe(press)
        for _ in range(2):
            failure = session.run(Postural(posture="ready")).failure
            assert failure is not None
            assert failure.root.kind is FailureKind.PLANT
            assert "it was stopped: the button" in failure.explain()
        there = plant.state.q.copy()
        session.resume()
        assert session.run(Postural(posture="ready")).success
        assert np.abs(plant.state.q - there).max() > 0.1
        assert plant.fastest < robot.velocity.max()


def test_in_real_time_an_outcome_says_how_late_it_was(robot: Robot) -> None:
    """And in simulated time that nothing ever is."""
    for real_time in (True, False):
        with connect(robot, elsewhere(robot), real_time=real_time, control_step=0.02) as session:
            late = session.run(Timer(duration=0.5)).lateness
            assert 0.0 <= late.median <= late.p99 <= late.worst
            assert (late.worst > 0.0) is real_time
