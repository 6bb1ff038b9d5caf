from __future__ import annotations

import numpy as np

from taskmatrix.simulation.judges import Record, Step

from .setting import goal, record_of, robot, start_step


def sweeping(yaw: float, pitch: float, duration: float = 6.0, stop: float = np.inf) -> Record:
    """The head swept by these shares of its ranges, around their middle, once in six seconds, until it stops."""
    own, start = robot(), start_step()
    steps = [start]
    for time in np.arange(0.0, duration, 0.01):
        t = 2 * np.pi * min(time, stop) / 6.0
        q = start.q.copy()
        for joint, share, phase in (("neck_yaw", yaw, t), ("neck_pitch", pitch, 2 * t)):
            k = own.joints.index(joint)
            middle, half = (own.lower[k] + own.upper[k]) / 2, (own.upper[k] - own.lower[k]) / 2
            q[k] = middle + share * half * np.sin(phase)
        steps.append(Step(q, start.poses, {}))
    return record_of(steps)


def test_both_ways_have_to_be_swept() -> None:
    """Six tenths of the range each."""
    assert goal("scan", sweeping(0.7, 0.7), duration=5.0) == ""
    assert goal("scan", sweeping(0.7, 0.7), duration=5.0, period=6.0) == ""
    assert "side to side" in goal("scan", sweeping(0.2, 0.7), duration=5.0)
    assert "up and down" in goal("scan", sweeping(0.7, 0.2), duration=5.0)


def test_no_more_is_asked_than_the_task_asks() -> None:
    """A narrow scan is a scan."""
    assert goal("scan", sweeping(0.2, 0.2), width=0.2, up=0.1, down=0.1) == ""


def test_nothing_up_and_down_is_too_little_wherever_that_is() -> None:
    """Also between two directions that are both below the horizon."""
    assert "up and down" in goal("scan", sweeping(0.7, 0.0), width=1.0, up=-1.2, down=0.2)


def test_a_scan_goes_on_as_long_as_it_was_asked_to() -> None:
    """One sweep is not a minute of them, and neither is one sweep with a long look at its end."""
    assert goal("scan", sweeping(0.7, 0.7), duration=60.0) == "the run took 6.00 s, not 60.00"
    once = sweeping(0.7, 0.7, 60.0, stop=6.0)
    assert goal("scan", once, duration=60.0, period=6.0).endswith("times, not 5.0")
    assert goal("scan", sweeping(0.7, 0.7, 60.0), duration=60.0, period=6.0) == ""
    assert "up and down 0." in goal("scan", sweeping(0.7, 0.0), width=1.0, up=-0.6, down=0.2, period=6.0)


def test_no_more_sweeps_are_asked_than_the_limits_allow() -> None:
    """A period of a tenth of a second is stretched."""
    assert goal("scan", sweeping(0.7, 0.7, 60.0), period=0.1) == ""
    assert goal("scan", sweeping(0.7, 0.7, 60.0, stop=6.0), period=0.1) != ""
    assert goal("scan", sweeping(0.05, 0.05, 60.0), width=0.05, up=0.02, down=0.02, period=6.0) == ""


def test_joints_that_turn_the_view_the_same_way_sweep_together() -> None:
    """Romeo nods with its neck and with its head: what one of them leaves, the other may give."""
    own, start = robot("romeo"), start_step("romeo")
    pitch = [own.joints.index(name) for name in ("NeckPitch", "HeadPitch")]
    half = (own.upper - own.lower)[pitch] / 2
    whole = 2 * half.sum()

    def nodding(*swept: float) -> Record:
        """Swept [rad] by neck and head, and the neck turned all the way from side to side."""
        yaw, steps = own.joints.index("NeckYaw"), [start]
        for t in np.linspace(0.0, 2 * np.pi, 600):
            q = start.q.copy()
            q[yaw] = 0.95 * own.upper[yaw] * np.sin(t)
            q[pitch] = (own.lower + own.upper)[pitch] / 2 + np.array(swept) / 2 * np.sin(2 * t)
            steps.append(Step(q, start.poses, {}))
        return record_of(steps, "romeo")

    asked = {"up": 0.35 * whole, "down": 0.35 * whole}
    assert goal("scan", nodding(0.45 * whole, 0.0), **asked) == ""
    assert goal("scan", nodding(0.25 * whole, 0.20 * whole), **asked) == ""
    assert "up and down" in goal("scan", nodding(0.25 * whole, 0.0), **asked)
    assert "up and down" in goal("scan", nodding(0.25 * whole, -0.20 * whole), **asked)


def test_a_bent_trunk_makes_no_other_joint_of_one_that_turns_the_view_to_the_side() -> None:
    """The neck's yaw stays what it is where it leans forward with the trunk."""
    own = robot()
    bend = list(own.indices("torso"))
    record = sweeping(0.7, 0.7)
    for step in [record.start, *record.steps]:
        step.q[bend] = own.upper[bend]
    assert goal("scan", record, duration=5.0) == ""


def test_on_a_bent_trunk_that_is_turned_the_neck_rolls_as_well() -> None:
    """ICub nods with what rolls its head there: the view sweeps its share; not so if it only turns."""
    own, start = robot("icub"), start_step("icub")
    head, torso = list(own.chains["head"]), list(own.chains["torso"])
    bent = start.q.copy()
    bent[torso] = 0.743, -0.135, 0.576

    def rolling(share: float) -> Record:
        """A share of the ways of pitch and roll, and the neck turned all the way from side to side."""
        steps = []
        for t in np.linspace(0.0, 2 * np.pi, 600):
            q, nod = bent.copy(), share * np.sin(2 * t)
            q[head] = -0.18 + 0.23 * nod, 0.11 + 0.39 * nod, 0.95 * np.sin(t)
            steps.append(Step(q, start.poses, {}))
        return record_of(steps, "icub")

    assert goal("scan", rolling(1.0)) == ""
    assert "up and down" in goal("scan", rolling(0.1))
