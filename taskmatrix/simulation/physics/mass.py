"""Masses that can be simulated: links without inertia, light ones, and those with far too much get what they need."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.robots import Robot
from taskmatrix.robots.loading.building import SHARE, overstated

LIGHTEST = 0.005  # [kg] a link that moves
SMALLEST = 2e-5  # [kg m^2] its principal moments of inertia
DRIVEN = 5e-3
"""[kg m^2] Principal moments of a link that a motor turns, at least.

A geared motor's rotor dominates the inertia of a small joint: 5e-7 kg m^2 behind a gear of 1:100 is 5e-3 kg m^2 at the
joint. PyBullet has no rotors, and without their inertia a finger or a wrist of some grams cannot be controlled at 240
steps a second, or gives way to every load.
"""


def simulated_model(robot: Robot) -> pin.Model:
    """A copy of the robot's model whose masses a physics engine can step.

    A finger with a moment of inertia of 1 kg m^2, given for want of a better, would not follow what it holds.
    """
    model = robot.model.copy()
    for joint, most in overstated(robot.model, robot.collision).items():
        inertia = model.inertias[joint]
        smaller = SHARE * most / float(np.linalg.eigvalsh(inertia.inertia)[-1])
        model.inertias[joint] = pin.Inertia(inertia.mass, inertia.lever, smaller * np.asarray(inertia.inertia))
    for joint in range(3, model.njoints):  # x and y of the base carry nothing of their own
        least = DRIVEN if model.names[joint] in robot.joints else SMALLEST
        model.inertias[joint] = _mended(model.inertias[joint], least)
    return model


def _mended(inertia: pin.Inertia, least: float) -> pin.Inertia:
    """The inertia with no less mass and no smaller moments than a body needs."""
    moments, axes = np.linalg.eigh(np.asarray(inertia.inertia))
    moments = np.maximum(moments, least)
    if moments[0] + moments[1] < moments[2]:  # no rigid body has such
        moments[:2] *= moments[2] / (moments[0] + moments[1])
    return pin.Inertia(max(float(inertia.mass), LIGHTEST), np.asarray(inertia.lever), axes @ np.diag(moments) @ axes.T)
