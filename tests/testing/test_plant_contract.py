from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core import Command, JointState, Plant
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import load_robot
from taskmatrix.simulation import KinematicPlant, load_world
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.mujoco import MujocoPlant
from taskmatrix.testing import PlantContract

from ..simulation.physics.scenes import world_of

ROBOT = load_robot("mannequin")
POST = load_robot(Path(__file__).parents[2] / "examples" / "post")  # has few joints, each of which takes its time


def start() -> Array:
    return ROBOT.posture("rest", (0.3, 0.2, 0.5))


class TestKinematicPlant(PlantContract):
    robot = ROBOT

    def make(self) -> Plant:
        return KinematicPlant(ROBOT, load_world("sparse"), start())


@pytest.mark.pictures
class TestBulletPlant(PlantContract):
    robot = POST
    dt = 1 / 120
    settles = 0.15

    def make(self) -> Plant:
        return BulletPlant(POST, world_of({}), POST.posture(POST.stance))


class TestMujocoPlant(PlantContract):
    robot = POST
    dt = 1 / 120
    settles = 0.15

    def make(self) -> Plant:
        return MujocoPlant(POST, world_of({}), POST.posture(POST.stance))


class Minimal:
    """A plant of two methods."""

    def __init__(self) -> None:
        self.state = JointState(start(), np.zeros(ROBOT.n), np.zeros(ROBOT.n), 0.0)

    def sense(self) -> JointState:
        return self.state

    def apply(self, command: Command, dt: float) -> None:
        assert self.state.time is not None
        q = self.state.q + 0.5 * (command.q - self.state.q)
        self.state = JointState(q, (q - self.state.q) / dt, np.zeros(ROBOT.n), self.state.time + dt)


class TestMinimalPlant(PlantContract):
    robot = ROBOT

    def make(self) -> Plant:
        return Minimal()


class Swapped(Minimal):
    """Two wires are the wrong way round."""

    def apply(self, command: Command, dt: float) -> None:
        q = command.q.copy()
        q[[8, 9]] = q[[9, 8]]
        super().apply(replace(command, q=q), dt)


class Narrow(Minimal):
    """Its joints go less far than the robot's description says."""

    def apply(self, command: Command, dt: float) -> None:
        super().apply(replace(command, q=np.clip(command.q, ROBOT.lower + 0.05, ROBOT.upper - 0.05)), dt)


class Degrees(Minimal):
    """It tells velocities in degrees."""

    def apply(self, command: Command, dt: float) -> None:
        super().apply(command, dt)
        self.state = replace(self.state, v=np.rad2deg(self.state.v))


class Reused(Minimal):
    """It writes each reading over the last."""

    def apply(self, command: Command, dt: float) -> None:
        self.state.q[:] = command.q


class Random(Minimal):
    """It is nowhere twice."""

    def apply(self, command: Command, dt: float) -> None:
        super().apply(replace(command, q=command.q + np.random.default_rng().normal(0.0, 1e-4, ROBOT.n)), dt)


class Behind(Minimal):
    """Its clock is a tenth as fast."""

    def apply(self, command: Command, dt: float) -> None:
        super().apply(command, dt / 10)


class Sticky(Minimal):
    """Its hands never let go."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, str] = {}

    def attach(self, hand: str, object: str) -> None:
        self.held[hand] = object

    def detach(self, hand: str) -> None:
        self.held.setdefault(hand, "glue")

    def truth(self) -> dict[str, object]:
        return {"q": self.sense().q, "v": self.sense().v, "poses": {}, "held": self.held}


class Lingering(Minimal):
    """A second one begins where the first has ended, and none can be closed twice."""

    at: list[Array] = []  # noqa: RUF012 - shared on purpose

    def close(self) -> None:
        assert not self.at, "closed already"
        self.at.append(self.sense().q)


@pytest.mark.parametrize(
    ("plant", "test", "said"),
    [
        (Sticky, "test_hands_take_and_let_go", "hand was told to let go, and holds: .*glue"),
        (Lingering, "test_it_is_closed_once_for_all", "closed already"),
        (Narrow, "test_joints_go_as_far_as_their_limits", "stops 0.0450 before .*, within its limits"),
        (Swapped, "test_each_joint_goes_where_it_is_told", "was moved: "),
        (Degrees, "test_velocities_are_those_of_the_positions", "its velocities make"),
        (Reused, "test_what_was_handed_out_is_not_changed", "q of an old reading has changed"),
        (Random, "test_the_same_commands_lead_to_the_same_readings", "end at different places"),
        (Behind, "test_its_time_goes_on_as_it_is_commanded", "in 0.100 s its time went on by 0.010 s"),
    ],
)
def test_what_is_wrong_with_a_plant_is_found(plant: type[Minimal], test: str, said: str) -> None:
    class Contract(PlantContract):
        robot = ROBOT

        def make(self) -> Plant:
            return plant()

    with pytest.raises(AssertionError, match=said):
        getattr(Contract(), test)()
