"""What every plant keeps to, as tests: whoever has written one subclasses :class:`PlantContract`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plant import (
    ClosingPlant,
    FeelingPlant,
    HoldingPlant,
    ImpedancePlant,
    JointState,
    Plant,
    RestorablePlant,
    SeeingPlant,
    TruthfulPlant,
)
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.core.world.objects import Array

MOVED = 0.1  # [rad] or [m] by which a joint is moved
SHARE = 0.2  # of its velocity limit, with which
WITHIN = 0.005  # [rad] or [m] within a limit
LEANS = 0.05  # [rad] or [m] by which a spring is moved
STIFF, DAMPED = np.array([50.0]), np.array([5.0])  # [N m/rad, N/m], [N m s/rad, N s/m] of it


class PlantHand(Protocol):
    """What is asked of a hand."""

    @property
    def touch(self) -> Sequence[str]:
        """The links that may touch what it holds."""
        ...


class PlantRobot(Protocol):
    """What is asked of the robot; a :class:`~taskmatrix.robots.Robot` has it."""

    @property
    def joints(self) -> Sequence[str]:
        """Names of the joints (n); the first three are x, y and yaw of the base."""
        ...

    @property
    def lower(self) -> Array:
        """(n,) [m, rad] Their lower limits."""
        ...

    @property
    def upper(self) -> Array:
        """(n,) [m, rad] Their upper limits."""
        ...

    @property
    def velocity(self) -> Array:
        """(n,) [m/s, rad/s] Their velocity limits."""
        ...

    @property
    def hands(self) -> Mapping[str, PlantHand]:
        """The hands, by name."""
        ...


class PlantContract(ABC):
    """Tests that any plant passes: pytest collects those of a subclass whose name begins with ``Test``.

    ::

        class TestMyPlant(PlantContract):
            robot = load_robot("mannequin")

            def make(self) -> MyPlant:
                return MyPlant(self.robot.posture("rest"))

    Attributes:
        robot: The robot that the plant has; set by the subclass.
        dt: [s] Control step.
        settles: [s] After which a joint that was moved slowly is where it was told to be.
        accuracy: [rad] and [m] to which.
        repeats: Whether the same commands lead to the same readings, bit for bit: a simulation should promise that.
        fixed: Names of joints that this plant does not move.
    """

    robot: PlantRobot
    dt = 0.01
    settles = 0.5
    accuracy = 0.005
    repeats = True
    fixed: Sequence[str] = ()

    @abstractmethod
    def make(self) -> Plant:
        """A fresh plant at rest; the robot is at the same place each time."""

    def test_it_says_where_each_joint_is(self) -> None:
        """As many numbers as the robot has joints, within their limits, at rest."""
        with _Run(self) as run:
            state = run.plant.sense()
            for name, values in (("q", state.q), ("v", state.v), ("a", state.a)):
                _expect(np.shape(values) == (run.n,), f"{name} has shape {np.shape(values)}, not ({run.n},)")
                _expect(bool(np.isfinite(values).all()), f"{name} has what is no number: {values}")
            beyond = (state.q < self.robot.lower - self.accuracy) | (state.q > self.robot.upper + self.accuracy)
            _expect(not beyond.any(), f"beyond their limits: {run.named(beyond)}")
            _expect(bool(np.abs(state.v).max() < self.accuracy / self.dt), f"it moves already: {run.fastest(state)}")

    def test_it_stays_where_it_is_told_to_stay(self) -> None:
        """For a second."""
        with _Run(self) as run:
            q = run.plant.sense().q.copy()
            for _ in range(round(1.0 / self.dt)):
                run.hold(q)
            off = np.abs(run.plant.sense().q - q)
            _expect(bool((off <= self.accuracy).all()), f"it drifts: {run.worst(off)}")

    def test_each_joint_goes_where_it_is_told(self) -> None:
        """The one that is meant, by as much, in its unit and direction; the others stay."""
        with _Run(self) as run:
            for joint in run.moving():
                start = run.plant.sense().q.copy()
                goal = start.copy()
                goal[joint] += MOVED if start[joint] + MOVED < self.robot.upper[joint] else -MOVED
                run.move(goal)
                off = np.abs(run.plant.sense().q - goal)
                _expect(bool((off <= self.accuracy).all()), f"{self.robot.joints[joint]} was moved: {run.worst(off)}")
                run.move(start)

    def test_joints_go_as_far_as_their_limits(self) -> None:
        """Each but the base's to the limit that is nearer: no plant has narrower ones than the robot's description."""
        with _Run(self) as run:
            lower, upper = self.robot.lower, self.robot.upper
            start = run.plant.sense().q.copy()
            for joint in [joint for joint in run.moving() if joint > 2 and np.isfinite(upper - lower)[joint]]:
                goal, nearer = start.copy(), upper[joint] - start[joint] < start[joint] - lower[joint]
                goal[joint] = upper[joint] - WITHIN if nearer else lower[joint] + WITHIN
                run.move(goal)
                off = abs(float(run.plant.sense().q[joint] - goal[joint]))
                told = f"{self.robot.joints[joint]} stops {off:.4f} before {goal[joint]:.4f}, within its limits"
                _expect(off <= self.accuracy, told)

    def test_velocities_are_those_of_the_positions(self) -> None:
        """[rad/s] and [m/s], with the sign of the motion, of every joint."""
        with _Run(self) as run:
            start = run.plant.sense().q.copy()
            goal = start.copy()
            for joint in run.moving():
                goal[joint] += MOVED if start[joint] + MOVED < self.robot.upper[joint] else -MOVED
            states = run.move(goal)
            gone = np.sum([state.v for state in states], axis=0) * self.dt
            way = states[-1].q - start
            off = np.abs(gone - way) - np.maximum(2 * self.accuracy, 0.1 * np.abs(way))
            k = int(off.argmax())
            told = f"{self.robot.joints[k]} went by {way[k]:.3f}, and its velocities make {gone[k]:.3f}"
            _expect(bool(off[k] <= 0.0), told)

    def test_what_was_handed_out_is_not_changed(self) -> None:
        """A reading is of its moment: whoever kept one has it still."""
        with _Run(self) as run:
            state = run.plant.sense()
            kept = [values.copy() for values in (state.q, state.v, state.a)]
            goal = state.q.copy()
            goal[run.moving()[-1]] += 0.02
            run.move(goal)
            for name, before in zip("qva", kept, strict=True):
                _expect(np.array_equal(getattr(state, name), before), f"{name} of an old reading has changed")

    def test_commands_are_not_changed(self) -> None:
        """They belong to who gave them."""
        with _Run(self) as run:
            given = [run.plant.sense().q.copy(), np.full(run.n, 1e-3), np.full(run.n, 1e-3)]
            q, v, a = (values.copy() for values in given)
            command = Command(q, v, a)
            run.plant.apply(command, self.dt)
            for name, values in zip("qva", given, strict=True):
                _expect(np.array_equal(getattr(command, name), values), f"{name} of a command has changed")

    def test_its_time_goes_on_as_it_is_commanded(self) -> None:
        """If it has one: by one control step in each."""
        with _Run(self) as run:
            before = run.plant.sense()
            for _ in range(10):
                run.hold(before.q)
            after = run.plant.sense()
            if before.time is not None and after.time is not None:
                gone = after.time - before.time
                _expect(
                    abs(gone - 10 * self.dt) < 2 * self.dt, f"in {10 * self.dt:.3f} s its time went on by {gone:.3f} s"
                )

    def test_a_spring_drives_as_it_says(self) -> None:
        """If it drives joints as hard as it is told, and senses what it drives with: with their torque, no other."""
        with _Run(self) as run:
            plant = run.plant
            start = plant.sense()
            if not isinstance(plant, ImpedancePlant) or start.torque is None:
                return
            able = {self.robot.joints.index(name) for name in plant.impedance_joints()}
            for joint in [joint for joint in run.moving() if joint in able][:4]:
                for _ in range(round(self.settles / self.dt)):
                    held = run.hold(start.q)
                assert held.torque is not None
                soft = Impedance.none(run.n).replaced(np.array([joint]), Impedance(held.torque[[joint]], STIFF, DAMPED))
                goal = start.q.copy()
                goal[joint] += LEANS if start.q[joint] + LEANS < self.robot.upper[joint] else -LEANS
                for _ in range(round(self.settles / self.dt)):
                    state = run.hold(goal, impedance=soft)
                assert state.torque is not None
                says = held.torque[joint] + STIFF[0] * (goal - state.q)[joint] - DAMPED[0] * state.v[joint]
                name, off = self.robot.joints[joint], abs(float(state.torque[joint] - says))
                told = f"{name} is driven with {state.torque[joint]:.3f}, and its spring says {says:.3f}"
                _expect(off <= self.accuracy * STIFF[0], told)
                _expect(abs(float(state.q[joint] - start.q[joint])) > self.accuracy / 5, f"{name} does not give way")
                run.move(start.q)

    def test_nothing_of_it_is_a_fault(self) -> None:
        """A session that watches it finds nothing wrong."""
        with _Run(self) as run:
            touch = {name: hand.touch for name, hand in self.robot.hands.items()}
            monitor = PlantMonitor(run.plant, self.robot.joints, self.robot.velocity, touch, self.dt)
            q = monitor.sense().q.copy()
            for _ in range(round(0.5 / self.dt)):
                monitor.apply(Command(q, np.zeros(run.n), np.zeros(run.n)), self.dt)
                monitor.sense()
            _expect(monitor.fault is None, str(monitor.fault))

    def test_hands_feel_with_all_links_that_may_touch(self) -> None:
        """If they feel."""
        with _Run(self) as run:
            if not isinstance(run.plant, FeelingPlant):
                return
            felt = run.plant.feel()
            for name, hand in self.robot.hands.items():
                _expect(name in felt, f"the {name} hand is missing: {sorted(felt)}")
                missing = sorted(set(hand.touch) - set(felt[name].contact))
                _expect(not missing, f"the {name} hand does not say what it feels with {missing}")
                _expect(felt[name].slip == 0.0, f"in the {name} hand slips what it does not hold")

    def test_hands_take_and_let_go(self) -> None:
        """If they are told to: one that is told to let go holds nothing, whatever it was told to take before."""
        with _Run(self) as run:
            if not isinstance(run.plant, HoldingPlant):
                return
            seen = run.plant.observe() if isinstance(run.plant, SeeingPlant) else ()
            ids = [each.model.id for each in seen if each.model.movable]
            q = run.plant.sense().q.copy()
            for hand in self.robot.hands:
                run.plant.detach(hand)
                if ids:
                    run.plant.attach(hand, ids[0])
                    run.hold(q)
                    run.plant.detach(hand)
                run.hold(q)
                held = run.plant.truth()["held"] if isinstance(run.plant, TruthfulPlant) else {}
                _expect(hand not in held, f"the {hand} hand was told to let go, and holds: {held}")  # type: ignore[operator]

    def test_it_is_closed_once_for_all(self) -> None:
        """If it can be closed: who closes it again does no harm, and another one begins where this one began."""
        with _Run(self) as run:
            start = run.plant.sense().q.copy()
            if not isinstance(run.plant, ClosingPlant):
                return
            goal = start.copy()
            goal[run.moving()[-1]] += 0.02
            run.move(goal)
            run.plant.close()
        with _Run(self) as run:
            off = np.abs(run.plant.sense().q - start)
            _expect(bool((off <= self.accuracy).all()), f"make() gives one that is elsewhere: {run.worst(off)}")

    def test_the_truth_is_what_is_sensed(self) -> None:
        """If it knows the truth: joints, poses, and what hands hold; and what it sees are the same objects."""
        with _Run(self) as run:
            if not isinstance(run.plant, TruthfulPlant):
                return
            truth, state = run.plant.truth(), run.plant.sense()
            missing = sorted({"q", "v", "poses", "held"} - set(truth))
            _expect(not missing, f"the truth has no {missing}")
            off = np.abs(np.asarray(truth["q"], dtype=float) - state.q)
            _expect(bool((off <= self.accuracy).all()), f"sensed elsewhere than they are: {run.worst(off)}")
            if isinstance(run.plant, SeeingPlant):
                seen, there = {each.model.id for each in run.plant.observe()}, set(truth["poses"])  # type: ignore[call-overload]
                _expect(seen == there, f"it sees {sorted(seen)}, and there is {sorted(there)}")

    def test_the_same_commands_lead_to_the_same_readings(self) -> None:
        """Where that is promised."""
        ends = []
        for _ in range(2 if self.repeats else 0):
            with _Run(self) as run:
                goal = run.plant.sense().q.copy()
                goal[run.moving()[-1]] += 0.02
                run.move(goal)
                ends.append(run.plant.sense().q.copy())
        same = not ends or np.array_equal(ends[0], ends[-1])
        _expect(same, "the same commands end at different places; make() has to give a fresh plant each time")

    def test_a_state_that_was_saved_is_gone_on_from(self) -> None:
        """If it saves: after other commands, the same ones lead from there to the same readings, bit for bit."""
        with _Run(self) as run:
            if not isinstance(run.plant, RestorablePlant):
                return
            start = run.plant.sense().q.copy()
            goal = start.copy()
            goal[run.moving()[-1]] += 0.02
            run.move(goal)
            saved, before = run.plant.save(), run.plant.sense()
            first = run.move(start)[-1]
            for _ in range(2):
                run.plant.restore(saved)
                _expect(np.array_equal(run.plant.sense().q, before.q), "it is not where it was when it was saved")
                again = run.move(start)[-1]
                same = np.array_equal(first.q, again.q) and np.array_equal(first.v, again.v)
                _expect(same, "from a state that was saved the same commands lead elsewhere")


class _Run:
    """A plant that is closed in the end, and what the tests do with it."""

    def __init__(self, contract: PlantContract) -> None:
        self._contract, self._robot = contract, contract.robot
        self.plant, self.n = contract.make(), len(contract.robot.joints)

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self.plant, ClosingPlant):
            self.plant.close()

    def moving(self) -> list[int]:
        """Joints that have room to be moved, and the plant moves."""
        room = self._robot.upper - self._robot.lower
        names = self._robot.joints
        return [k for k in range(self.n) if room[k] > 3 * MOVED and names[k] not in self._contract.fixed]

    def hold(self, q: Array, v: Array | None = None, impedance: Impedance | None = None) -> JointState:
        """One control step with a command."""
        still = np.zeros(self.n)
        command = Command(q.copy(), still if v is None else v, still.copy(), impedance=impedance)
        self.plant.apply(command, self._contract.dt)
        return self.plant.sense()

    def move(self, goal: Array) -> list[JointState]:
        """Go slowly to a configuration (n,), and let it settle."""
        start, dt = self.plant.sense().q.copy(), self._contract.dt
        duration = max(0.2, float((np.abs(goal - start) / (SHARE * self._robot.velocity)).max()))
        steps, states = int(np.ceil(duration / dt)), []
        for k in range(1, steps + 1):
            s = k / steps
            v = (goal - start) * 6 * s * (1 - s) / (steps * dt)
            states.append(self.hold(start + (goal - start) * s * s * (3 - 2 * s), v))
        return [*states, *(self.hold(goal) for _ in range(round(self._contract.settles / dt)))]

    def named(self, where: NDArray[np.bool_]) -> str:
        """The joints of a mask (n,)."""
        return ", ".join(name for name, there in zip(self._robot.joints, where, strict=True) if there)

    def worst(self, off: Array) -> str:
        """The joint that is off most, of (n,)."""
        k = int(off.argmax())
        return f"{self._robot.joints[k]} is {off[k]:.4f} off"

    def fastest(self, state: JointState) -> str:
        """The joint that moves fastest."""
        k = int(np.abs(state.v).argmax())
        return f"{self._robot.joints[k]} with {state.v[k]:.4f}"


def _expect(holds: bool, said: str) -> None:
    if not holds:
        raise AssertionError(said)
