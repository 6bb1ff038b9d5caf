"""What lies on a turntable stays where it lies."""

from __future__ import annotations

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

from taskmatrix.simulation.mujoco.turning import Turning  # noqa: E402 - needs mujoco

TURNTABLE = """
<mujoco>
  <option timestep="0.002" integrator="implicitfast" cone="elliptic" impratio="100"/>
  <worldbody>
    <body name="table">
      <joint name="turn" type="hinge" axis="0 0 1"/>
      <geom type="cylinder" size="0.6 0.02" mass="50" friction="1 0 0"/>
    </body>
    <body name="box" pos="0.4 0 0.05">
      <freejoint/>
      <geom type="box" size="0.03 0.03 0.03" mass="0.3" friction="1 0 0"/>
    </body>
  </worldbody>
  <equality><weld name="bond" body1="table" body2="box" active="{active}" solref="0.02 1"/></equality>
</mujoco>
"""
SPEED = 2.4  # [rad/s]
STEPS = 500


def slid(mended: bool, active: bool) -> float:
    """[m] How much farther from the axis the box is after a second of turning."""
    model = mujoco.MjModel.from_xml_string(TURNTABLE.format(active=str(active).lower()))
    data = mujoco.MjData(model)
    data.joint("turn").qvel[0] = SPEED
    data.qvel[1:7] = [0.0, 0.4 * SPEED, 0.0, 0.0, 0.0, SPEED]
    turning = Turning(mujoco, model, data)
    for _ in range(STEPS):
        mujoco.mj_step1(model, data)
        if mended:
            turning.add([data.body("box").id])
        mujoco.mj_step2(model, data)
    return float(np.linalg.norm(data.body("box").xpos[:2])) - 0.4


def test_friction_carries_what_lies_on_a_turntable() -> None:
    """On MuJoCo's own references it slides outwards, though friction is four times as strong as it need be."""
    assert slid(mended=False, active=False) > 0.01
    assert abs(slid(mended=True, active=False)) < 1e-4


def test_friction_and_a_weld_agree() -> None:
    """A weld, which remembers where the box was, is not strained by the friction beside it."""
    assert abs(slid(mended=False, active=True)) > 2e-4
    assert abs(slid(mended=True, active=True)) < 2e-5
