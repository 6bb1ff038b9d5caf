from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.robots import robot_names
from taskmatrix.simulation.physics.mass import DRIVEN, LIGHTEST, SMALLEST, simulated_model

from .scenes import robot


@pytest.mark.parametrize("name", robot_names())
def test_every_moving_link_can_be_stepped(name: str) -> None:
    """It has mass, and moments that a rigid body can have."""
    model = simulated_model(robot(name))
    for joint in range(3, model.njoints):
        inertia = model.inertias[joint]
        moments = np.linalg.eigvalsh(np.asarray(inertia.inertia))
        assert inertia.mass >= LIGHTEST
        assert moments[0] >= SMALLEST * (1 - 1e-9)
        assert moments[2] <= (moments[0] + moments[1]) * (1 + 1e-9)


@pytest.mark.parametrize("name", robot_names())
def test_driven_links_carry_their_motors(name: str) -> None:
    """Their moments are not below those of a rotor behind its gear."""
    found = robot(name)
    model = simulated_model(found)
    for joint in found.joints[2:]:
        inertia = model.inertias[model.getJointId(joint)]
        assert np.linalg.eigvalsh(np.asarray(inertia.inertia))[0] >= DRIVEN * (1 - 1e-9)


def test_what_has_mass_enough_is_as_it_was() -> None:
    """And the robot's own model is not touched: the planner's model stays what the URDF says."""
    found = robot("talos")
    before = [inertia.copy() for inertia in found.model.inertias]
    model = simulated_model(found)
    for joint in range(3, model.njoints):
        own, simulated = found.model.inertias[joint], model.inertias[joint]
        np.testing.assert_array_equal(own.toDynamicParameters(), before[joint].toDynamicParameters())
        if own.mass >= LIGHTEST and np.linalg.eigvalsh(np.asarray(own.inertia))[0] >= DRIVEN:
            np.testing.assert_allclose(
                simulated.toDynamicParameters(), own.toDynamicParameters(), rtol=1e-9, atol=1e-12
            )


def test_a_link_has_no_more_inertia_than_a_body_of_its_size() -> None:
    """A finger of some grams with 1 kg m^2, given for want of better, would not follow what it holds."""
    found = robot("talos")
    heavy = found.model.copy()
    joint = next(k for k in range(4, heavy.njoints) if "gripper" in heavy.names[k])
    own = heavy.inertias[joint]
    heavy.inertias[joint] = pin.Inertia(own.mass, own.lever, np.eye(3))
    model = simulated_model(replace(found, model=heavy))
    assert np.linalg.eigvalsh(np.asarray(model.inertias[joint].inertia))[-1] < 0.05
    assert model.inertias[joint].mass == own.mass
