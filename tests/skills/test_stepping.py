from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.robot.arbiter import Command, Filter
from taskmatrix.core.robot.filters import Brake, LimitFilter
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.legs.feet import Foot
from taskmatrix.skills.legs.step_clearance import StepClearance
from taskmatrix.skills.legs.stepping import STEPPING, STOPS, Stepping

DT = 0.01  # [s]
LEGGED = ("nao", "g1", "talos", "icub", "romeo", "asimo", "mannequin")
WAYS = {"ahead": (0.7, 0.0, 0.0), "back": (-0.7, 0.0, 0.0), "aside": (0.0, 0.5, 0.0), "turn": (0.0, 0.0, 1.0)}


def nobody(chain: str) -> str | None:
    return None


def everywhere(q: Array) -> bool:
    return True


def walk(
    robot: Robot,
    way: tuple[float, float, float],
    seconds: float = 3.0,
    owner: Callable[[str], str | None] = nobody,
    held: Callable[[int, Array, Array], Array] = lambda k, q, before: q,
    has_room: Callable[[Array], bool] = everywhere,
    apart: Callable[[Array], bool] = everywhere,
) -> Array:
    """(steps, n) What goes out while the base speeds up, goes shares of its largest velocity, and stops."""
    stages: list[Filter] = [
        Brake(robot.acceleration, DT),
        Stepping(robot, DT, owner, has_room, apart),
        LimitFilter(robot.lower, robot.upper, robot.velocity, DT),
    ]
    q, v = robot.posture(robot.stance), np.zeros(3)
    out, base = [q], np.arange(3)
    for k in range(round(seconds / DT) + 200):
        wanted = np.array(way) * robot.velocity[:3] * (k < seconds / DT)
        v = v + np.clip(wanted - v, -robot.acceleration[:3] * DT, robot.acceleration[:3] * DT)
        told, (c, s) = q.copy(), (np.cos(q[2]), np.sin(q[2]))
        told[:3] += np.array([c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]) * DT
        command = Command(told, np.zeros(robot.n), np.zeros(robot.n), (("walker", base),) if v.any() else ())
        for stage in stages:
            command = stage(command, q)
        q = held(k, command.q, q)
        out.append(q)
    return np.array(out)


def soles(robot: Robot, Q: Array) -> Array:
    """(2, steps, 3) [m] Where the soles are in the world."""
    feet, found = [Foot(robot, leg) for leg in robot.legs], []
    for foot in feet:
        for q in Q:
            (x, y, z), (c, s) = foot.pose(q)[:3, 3], (np.cos(q[2]), np.sin(q[2]))
            found.append((q[0] + c * x - s * y, q[1] + s * x + c * y, z))
    return np.array(found).reshape(2, len(Q), 3)


@pytest.mark.parametrize("name", LEGGED)
def test_feet_alternate_and_the_one_on_the_floor_stays_there(name: str) -> None:
    """Ahead at less than full speed: a foot slips by less than 3 % of the way, and the other is lifted."""
    robot = load_robot(name)
    walked = walk(robot, (0.5, 0.0, 0.0), 5.0)[100:500]
    places = soles(robot, walked)
    steps = np.linalg.norm(np.diff(places[:, :, :2], axis=1), axis=2)
    assert steps.min(axis=0).sum() < 0.03 * (walked[-1, 0] - walked[0, 0])
    lower = places[:, 1:, 2].argmin(axis=0)
    assert np.count_nonzero(np.diff(steps.argmin(axis=0))) >= 3
    assert np.ptp(places[:, :, 2], axis=1).min() > 0.01 * robot.legs[0].height
    assert 0.35 < lower.mean() < 0.65


@pytest.mark.parametrize(("name", "way"), [*((name, WAYS["turn"]) for name in LEGGED), ("nao", WAYS["aside"])])
def test_legs_keep_limits_and_clear_of_each_other_and_come_back(name: str, way: tuple[float, float, float]) -> None:
    """At whatever speed: no contact, no joint beyond its limits, and at last exactly as before."""
    robot = load_robot(name)
    Q = walk(robot, way)
    speeds = np.diff(Q, axis=0) / DT
    assert (np.abs(speeds) <= robot.velocity * (1 + 1e-9)).all()
    assert (np.abs(np.diff(speeds, axis=0)) / DT <= robot.acceleration * (1 + 1e-3)).all()
    assert ((robot.lower <= Q) & (robot.upper >= Q)).all()
    checker = CollisionChecker(robot)
    assert not [contact for q in Q[::4] if (contact := checker.contact(q))]
    assert np.array_equal(Q[-1, 3:], Q[0, 3:])
    assert np.ptp(Q[:, list(robot.legs[0].joints)]) > 0.05


def test_steps_become_quicker_with_the_base() -> None:
    """The cadence rises with the speed."""
    robot = load_robot("talos")

    def changes(share: float) -> int:
        walked = walk(robot, (share, 0.0, 0.0), 6.0)[200:600]
        steps = np.linalg.norm(np.diff(soles(robot, walked)[:, :, :2], axis=1), axis=2)
        return int(np.count_nonzero(np.diff(steps.argmin(axis=0))))

    assert changes(1.0) > changes(0.3) > 2


@pytest.mark.parametrize("name", ["talos", "pr2"])
def test_what_stands_is_left_as_it_is(name: str) -> None:
    """The very command, if the base does not move or there are no legs."""
    robot = load_robot(name)
    stage, q = Stepping(robot, DT, nobody, everywhere), robot.posture(robot.stance)
    told = q.copy()
    told[robot.chains["left_arm"][0]] += 0.01
    if name == "pr2":
        told[0] += 0.001
    command = Command(told, np.zeros(robot.n), np.zeros(robot.n))
    assert stage(command, q) is command
    assert stage.standing(q) is q


def test_legs_that_somebody_owns_are_left_alone() -> None:
    """Both stay: with one foot nobody steps."""
    robot = load_robot("talos")
    Q = walk(robot, (0.5, 0.0, 0.0), owner=lambda chain: "kick" if chain == "left_leg" else None)
    assert np.array_equal(Q[:, 3:], np.tile(Q[0, 3:], (len(Q), 1)))


def test_plans_see_the_legs_as_they_will_stand() -> None:
    """While they step."""
    robot = load_robot("talos")
    stage, q = Stepping(robot, DT, nobody, everywhere), robot.posture(robot.stance)
    stance = q.copy()
    for _ in range(60):
        told = q.copy()
        told[0] += 0.003
        command = stage(Command(told, np.zeros(robot.n), np.zeros(robot.n)), q)
        assert command.owners[-1][0] == STEPPING
        q = command.q
    assert not np.allclose(q[3:], stance[3:], atol=1e-3)
    assert np.array_equal(stage.standing(q)[3:], stance[3:])


def test_steps_that_are_held_become_smaller_until_they_are_free() -> None:
    """Where the guard holds all steps in which a foot is far ahead, the robot shuffles."""
    robot = load_robot("talos")
    foot = Foot(robot, robot.legs[0])
    room = foot.pose(robot.posture(robot.stance))[0, 3] + 0.05

    def hold(k: int, q: Array, before: Array) -> Array:
        if foot.pose(q)[0, 3] <= room:
            return q
        stuck = before.copy()
        stuck[:3] = q[:3]
        return stuck

    Q = walk(robot, (1.0, 0.0, 0.0), 4.0, held=hold)
    ahead = np.array([foot.pose(q)[0, 3] for q in Q])
    assert ahead.max() <= room
    assert np.ptp(ahead[200:400]) > 0.02
    assert np.array_equal(Q[-1, 3:], Q[0, 3:])


def test_feet_are_back_before_they_have_to_stand_where_there_is_no_room() -> None:
    """A foot that is in mid-step is away from a wall, beside which it is to stand: that is no room for a step."""
    robot = load_robot("asimo")
    legs = np.concatenate([leg.joints for leg in robot.legs])
    stance = robot.posture(robot.stance)[legs]

    def beside(Q: Array) -> bool:
        return not any(0.5 < q[0] < 1.0 and np.array_equal(q[legs], stance) for q in Q)

    Q = walk(robot, (0.5, 0.0, 0.0), 6.0, has_room=beside)
    inside = Q[(Q[:, 0] > 0.8) & (Q[:, 0] < 1.0)]
    assert len(inside)
    np.testing.assert_array_equal(inside[:, legs], np.tile(stance, (len(inside), 1)))


def test_feet_do_not_step_where_legs_have_no_room() -> None:
    """And do again where they have."""
    robot = load_robot("talos")
    leg = list(robot.legs[0].joints)
    Q = walk(robot, (0.5, 0.0, 0.0), 6.0, has_room=lambda Q: not any(0.5 < x < 1.0 for x in Q[:, 0]))
    inside, after = Q[(Q[:, 0] > 0.7) & (Q[:, 0] < 1.0)], Q[Q[:, 0] > 1.0]
    assert len(inside) > 10
    assert np.ptp(inside[:, leg], axis=0).max() < 1e-9
    assert np.ptp(after[:, leg], axis=0).max() > 0.05


def with_a_bar(folder: Path) -> Robot:
    """The mannequin with a bar on its left shin that reaches before the right one."""
    shutil.copytree(find_adapter("mannequin").parent, folder)
    bar = '<link name="bar"><collision><geometry><box size="0.02 0.2 0.04"/></geometry></collision></link>'
    bar += '<joint name="bar" type="fixed"><parent link="left_shin"/><child link="bar"/>'
    bar += '<origin xyz="0.14 -0.1 -0.2"/></joint>'
    urdf = folder / "mannequin.urdf"
    urdf.write_text(urdf.read_text().replace("</robot>", f"{bar}</robot>"))
    return load_robot(str(folder / "robot.toml"))


def test_steps_keep_legs_some_millimetres_from_each_other(tmp_path: Path) -> None:
    """Where they would touch they become smaller in time: motors under load are off by a millimetre or two."""
    robot = with_a_bar(tmp_path / "made")
    walked = walk(robot, WAYS["ahead"], apart=StepClearance(robot).apart)
    near = CollisionChecker(robot, 0.0, 0.002)
    assert not [k for k, q in enumerate(walked[::2]) if not near.is_free(q)]
    assert np.ptp(walked[:, list(robot.legs[0].joints)]) > 0.05


def test_steps_stop_short_of_where_joints_end() -> None:
    """A motor under load goes on a little: half a degree beyond a limit is a failure."""
    robot = load_robot("mannequin")
    legs = [joint for leg in robot.legs for joint in leg.joints]
    free = walk(robot, WAYS["ahead"])
    upper = robot.upper.copy()
    upper[legs] = np.minimum(upper[legs], np.maximum(free[0], free.max(axis=0) - 0.1)[legs])
    narrow = replace(robot, upper=upper)
    walked = walk(narrow, WAYS["ahead"])
    beyond = np.maximum(narrow.upper - STOPS, walked[0])[legs]
    assert (walked[:, legs] <= beyond + 1e-9).all()


def test_a_foot_that_is_held_before_something_is_drawn_straight_back() -> None:
    """Where each joint goes its own way back, the foot comes nearer to what it was held before, and stays for ever."""
    robot = load_robot("mannequin")
    foot = Foot(robot, robot.legs[0])
    ground = foot.pose(robot.posture(robot.stance))[:3, 3]

    def hold(k: int, q: Array, before: Array) -> Array:
        off, was = (float(np.linalg.norm(foot.pose(at)[:3, 3] - ground)) for at in (q, before))
        if k < 150 or off <= was + 1e-6:
            return q
        stuck = before.copy()
        stuck[:3] = q[:3]
        return stuck

    Q = walk(robot, (0.8, 0.3, 0.2), 1.8, held=hold)
    assert float(np.linalg.norm(foot.pose(Q[150])[:3, 3] - ground)) > 0.03
    np.testing.assert_array_equal(foot.pose(Q[-1]), foot.pose(Q[0]))


@pytest.mark.parametrize("name", ["nao", "talos", "mannequin"])
def test_legs_are_drawn_back_before_the_base_is_where_they_have_no_room(name: str) -> None:
    """It goes on for some centimetres when it is stopped, so that feet may not be ahead of it then."""
    robot = load_robot(name)
    end = 1.0 * robot.velocity[0]
    walked = walk(robot, (0.9, 0.0, 0.0), 4.0, has_room=lambda Q: bool((Q[:, 0] < end).all()))
    joints = np.concatenate([leg.joints for leg in robot.legs])
    off = np.abs(walked[:, joints] - robot.posture(robot.stance)[joints]).max(axis=1)
    before, there = off[walked[:, 0] < end / 2].max(), off[np.argmax(walked[:, 0] >= end)]
    assert there < 0.35 * before
