"""What an arm has to bear."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.geometry import middle
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.capabilities import GRAVITY
from taskmatrix.simulation.physics.inertia import object_inertia
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.constrained.projection import SPARE
from taskmatrix.skills.kinematics.kinematics import Kinematics
from taskmatrix.skills.kinematics.load import BORNE, Load, load_of
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot

from .setting import at, box, kinematics_of, random_configuration, robot_of

STEP = 1e-6  # [rad]
NEAR = 0.05  # [m]
X_HO = at(0.03, -0.02, 0.1)
LEVER = X_HO[:3, 3]  # [m] from the hand to the centre of what it holds


def held(mass: float) -> Load:
    """Something in the left hand."""
    return Load("left", "thing", mass, LEVER)


@pytest.mark.parametrize("name", ["mannequin", "bandit"])
@pytest.mark.parametrize("mass", [0.0, 0.35])
def test_it_is_what_lifts_arm_and_object(name: str, mass: float) -> None:
    """The work that each joint does against gravity, of the links and of what is held."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    data, q = robot.model.createData(), random_configuration(robot, np.random.default_rng(1))

    def energy(q: Array) -> float:
        own = pin.computePotentialEnergy(robot.model, data, robot.expand(q))
        X_WH = kinematics.pose("left", q)
        return float(own + mass * GRAVITY * (X_WH[:3, :3] @ LEVER + X_WH[:3, 3])[2])

    shares = []
    for joint in robot.chains[robot.hands["left"].arm]:
        moved = STEP * np.eye(robot.n)[joint]
        shares.append(abs(energy(q + moved) - energy(q - moved)) / (2 * STEP) / robot.effort[joint])
    assert held(mass).share(kinematics, q) == pytest.approx(max(shares), rel=1e-4)
    assert 0.0 < max(shares) < 1.0


def test_what_springs_carry_does_not_count() -> None:
    """They hold the arm, not what is in its hand."""
    robot = robot_of("mannequin")
    sprung = Kinematics(replace(robot, counterbalanced=frozenset(robot.joints)))
    q = robot.posture(robot.stance)
    assert held(0.0).share(sprung, q) == 0.0
    assert held(0.35).share(sprung, q) > 0.0


def test_a_joint_without_a_limit_bears_anything() -> None:
    """Nobody knows better."""
    model = robot_of("mannequin").model.copy()
    model.effortLimit = np.zeros(model.nv)
    robot = replace(robot_of("mannequin"), model=model)
    assert np.isinf(robot.effort).all()
    assert held(100.0).share(Kinematics(robot), robot.posture(robot.stance)) == 0.0


def test_the_centre_of_mass_is_about_where_it_is() -> None:
    """Of everything that can be carried, within 5 cm of a body of even density."""
    things = [model for model in load_world("apartment").objects.values() if model.movable and model.joint is None]
    assert things
    for model in things:
        assert np.linalg.norm(middle(model.shapes) - object_inertia(model).lever) < NEAR, model.id


def carrying(mass: float, q: Array) -> Snapshot:
    """ICub at q (n,) with a stick of some mass in its left hand."""
    stick = replace(box("stick", (0.04, 0.04, 0.2)), mass=mass)
    return Snapshot(q, {"stick": (stick, kinematics_of("icub").pose("left", q) @ X_HO)}, {"left": ("stick", X_HO)})


def moved(mass: float, a: Array, b: Array) -> tuple[Load, Plan | Failure]:
    """The stick as a load, and a plan of the left arm from a (n,) to b (n,) with it."""
    robot, snapshot = robot_of("icub"), carrying(mass, a)
    load = load_of(robot, "left", snapshot.objects["stick"][0], X_HO)
    assert load is not None
    goal = {int(joint): float(b[joint]) for joint in robot.indices("left_arm")}
    return load, Planner(robot).solve(snapshot, ConfigurationQuery(goal, 1.0, 0))


def greatest(load: Load, plan: Plan, a: Array) -> float:
    """The greatest share of a motor during a plan that begins at a (n,)."""
    q, shares = a.copy(), []
    for time in np.linspace(0.0, plan.duration, 60):
        q[plan.trajectory.indices] = plan.trajectory.sample(float(time))[0]
        shares.append(load.share(kinematics_of("icub"), q))
    return max(shares)


def postures(bearable: bool) -> tuple[Array, Array]:
    """Two of iCub, (n,) each, with the left arm somewhere; the second is one in which it bears 1 kg, or is not."""
    robot, random, kinematics = robot_of("icub"), np.random.default_rng(5), kinematics_of("icub")
    arm, ends = list(robot.indices("left_arm")), [robot.posture(robot.stance) for _ in range(2)]
    load = load_of(robot, "left", replace(box("stick", (0.04, 0.04, 0.2)), mass=1.0), X_HO)
    assert load is not None
    while True:
        for q in ends:
            q[arm] = random_configuration(robot, random)[arm]
        first, last = (load.share(kinematics, q) for q in ends)
        if first > 0.8 or (last > 0.8) is bearable:
            continue
        _, light = moved(0.1, *ends)
        if isinstance(light, Plan) and greatest(load, light, ends[0]) > 1.3:
            return ends[0], ends[1]


def test_a_motion_goes_where_the_arm_can_hold_what_it_holds() -> None:
    """Not as something light is moved, when a motor would give in on the way."""
    a, b = postures(bearable=True)
    load, plan = moved(1.0, a, b)
    assert isinstance(plan, Plan), plan.explain()
    assert load.limit == BORNE
    assert greatest(load, plan, a) <= BORNE + SPARE
    assert np.isinf(moved(0.1, a, b)[0].limit)


def test_a_posture_in_which_a_motor_would_give_in_is_refused() -> None:
    """With the motor, and how much it would need."""
    _, failure = moved(1.0, *postures(bearable=False))
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.NOT_ABLE
    assert "times its torque to hold 'stick' (1 kg)" in failure.message


def test_what_is_too_heavy_is_not_taken() -> None:
    """ICub's wrist cannot hold a bottle of detergent, whichever way it is taken, and it does not go there."""
    with simulate("icub", world="apartment", seed=0) as session:
        before = session.skills.position()[:3]
        outcome = session.run(Pickup(object="detergent"))
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.IK_EXHAUSTED
        assert "the hand cannot hold it at any goal: r_wrist" in outcome.failure.explain()
        np.testing.assert_array_equal(session.skills.position()[:3], before)
        assert not any(session.skills.held(hand) for hand in session.skills.hands)
