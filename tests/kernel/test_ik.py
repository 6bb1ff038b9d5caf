from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.ik import (
    POSITION_TOLERANCE,
    ROTATION_TOLERANCE,
    ChainSolution,
    IkSettings,
    solve,
    solve_along,
    solve_each,
)
from taskmatrix.skills.kinematics.kinematics import chain_to

from .setting import TIP, chain_of, free_of, pose_of, pose_on, random_model, random_placement, reachable, robot_of

ONE_DESCENT = IkSettings(attempts=1)
seeds = st.integers(0, 2**32 - 1)
LIMBS = [("mannequin", ("torso", "left_arm")), ("talos", ("left_arm",)), ("talos", ("base", "torso", "left_arm"))]


def on_target(X_WT: Array, X_WF: Array) -> bool:
    distance, angle = pose_error(X_WT, X_WF)
    return distance < POSITION_TOLERANCE and angle < ROTATION_TOLERANCE


def in_limits(solution: ChainSolution) -> bool:
    x = solution.q[solution.chain.indices]
    return bool(np.all((x >= solution.chain.lower) & (x <= solution.chain.upper)))


def stance(name: str) -> Array:
    robot = robot_of(name)
    return robot.posture(robot.stance)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, length=st.integers(1, 10))
def test_what_is_said_to_be_reached_is_reached(seed: int, length: int) -> None:
    """Random chains of all joints, some of which stay, to poses that they can take: by Pinocchio, within the limits."""
    random = np.random.default_rng(seed)
    model, X_FT = random_model(random, length), random_placement(random).homogeneous
    chain = Chain.from_model(model, TIP, np.flatnonzero(random.uniform(size=model.nv) < 0.8), X_FT=X_FT)
    start = random.uniform(-1.0, 1.0, model.nv)
    there = start.copy()
    there[chain.indices] = random.uniform(np.maximum(chain.lower, -3.0), np.minimum(chain.upper, 3.0))
    X_WT = pose_of(model, there) @ X_FT
    solution = solve(chain, X_WT, start)
    assert in_limits(solution)
    np.testing.assert_array_equal(solution.q[free_of(chain)], start[free_of(chain)])
    X_WF = pose_of(model, solution.q) @ X_FT
    np.testing.assert_allclose((solution.distance, solution.angle), pose_error(X_WT, X_WF), atol=1e-7)
    assert solution.reached == on_target(X_WT, X_WF)
    assert solution.reached or len(chain.indices) < 3  # with few joints a solution is a needle in a haystack


@pytest.mark.parametrize(("name", "chains"), LIMBS)
def test_targets_within_reach_are_found_in_few_steps(name: str, chains: tuple[str, ...]) -> None:
    """All of them; the median takes a dozen steps at most and the slowest hundred a few hundred."""
    chain, random, start = chain_of(name, *chains), np.random.default_rng(0), stance(name)
    steps = []
    for _ in range(200):
        _, X_WT = reachable(name, chain, random)
        solution = solve(chain, X_WT, start)
        assert solution.reached
        assert in_limits(solution)
        assert on_target(X_WT, pose_on(name, solution.q))
        steps.append(solution.iterations)
    assert np.median(steps) <= 12
    assert np.quantile(steps, 0.99) <= 150


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_targets_on_the_limits_are_reached(share: float) -> None:
    """With joints exactly on their limits where the target was taken; from nearby, without restarts, too."""
    name, random = "mannequin", np.random.default_rng(1)
    chain, start, near = chain_of(name, "left_arm"), stance(name), 0
    for _ in range(40):
        q, X_WT = reachable(name, chain, random, share)
        solution = solve(chain, X_WT, start, IkSettings(attempts=2000))
        assert solution.reached
        assert in_limits(solution)
        q[chain.indices] += random.uniform(-0.2, 0.2, len(chain.indices))
        near += solve(chain, X_WT, q, ONE_DESCENT).reached
    assert near >= 38


def test_the_joints_on_their_limits_are_named() -> None:
    """Where the arm stretches as far as it goes."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    start[chain.indices[[0, 3]]] = chain.lower[[0, 3]]
    solution = solve(chain, pose_on("talos", start), start)
    assert solution.iterations == 0
    assert solution.at_limits == dict.fromkeys(chain.indices[[0, 3]].tolist(), "lower")


def test_a_position_leaves_the_orientation_free() -> None:
    """Fewer steps, and no angle is left, whatever the hand's orientation."""
    chain, random, start = chain_of("talos", "left_arm"), np.random.default_rng(0), stance("talos")
    for _ in range(50):
        _, X_WT = reachable("talos", chain, random)
        solution = solve(chain, X_WT[:3, 3], start)
        assert solution.reached
        assert solution.angle == 0.0
        assert np.linalg.norm(pose_on("talos", solution.q)[:3, 3] - X_WT[:3, 3]) < POSITION_TOLERANCE
        assert in_limits(solution)


@pytest.mark.parametrize("kind", ["pose", "position"])
def test_any_of_several_targets_will_do(kind: str) -> None:
    """Two that are out of reach, and one that is not."""
    chain, random, start = chain_of("talos", "left_arm"), np.random.default_rng(0), stance("talos")
    for index in range(12):
        _, X_WT = reachable("talos", chain, random)
        targets = np.repeat(X_WT[None], 3, axis=0)
        targets[:, 0, 3] += [3.0, -2.0, 2.5]
        targets[index % 3] = X_WT
        solution = solve(chain, targets if kind == "pose" else targets[:, :3, 3], start)
        assert solution.reached
        assert solution.target == index % 3


def test_the_nearest_of_several_targets_comes_first() -> None:
    """One at a turn of the wrist from the start, among ten elsewhere; one descent is enough."""
    chain, random, start = chain_of("talos", "left_arm"), np.random.default_rng(3), stance("talos")
    targets = np.array([reachable("talos", chain, random)[1] for _ in range(10)])
    near = start.copy()
    near[chain.indices[-1]] -= 0.1
    targets[6] = pose_on("talos", near)
    solution = solve(chain, targets, start, ONE_DESCENT)
    assert (solution.reached, solution.target, solution.attempts) == (True, 6, 1)
    assert np.max(np.abs(solution.q - start)) < 0.2


def test_a_reference_draws_the_posture_where_the_target_leaves_freedom() -> None:
    """The same pose with the elbow nearer to where it is wished."""
    name, random = "talos", np.random.default_rng(0)
    chain, start = chain_of(name, "torso", "left_arm"), stance(name)
    gaps = []
    for _ in range(30):
        _, X_WT = reachable(name, chain, random)
        pulled, free = solve(chain, X_WT, start, reference=start), solve(chain, X_WT, start)
        assert pulled.reached
        assert on_target(X_WT, pose_on(name, pulled.q))
        assert in_limits(pulled)
        gaps.append(np.linalg.norm(pulled.q - start) - np.linalg.norm(free.q - start))
    assert np.mean(gaps) < -0.1


def test_from_the_target_the_limb_moves_to_the_reference() -> None:
    """The hand stays, one descent is enough, and in nearly all cases the posture gains more than a twentieth."""
    name, random, nearer = "talos", np.random.default_rng(5), 0
    chain = chain_of(name, "base", "torso", "left_arm")
    for _ in range(40):
        q = stance(name)
        q[chain.indices[3:]] = random.uniform(
            0.7 * chain.lower + 0.3 * chain.upper, 0.3 * chain.lower + 0.7 * chain.upper
        )[3:]
        reference, X_WT = q.copy(), pose_on(name, q)
        reference[chain.indices] += random.uniform(-0.15, 0.15, len(chain.indices))
        solution = solve(chain, X_WT, q, ONE_DESCENT, reference=reference)
        assert solution.reached
        assert on_target(X_WT, pose_on(name, solution.q))
        before, after = (float(np.linalg.norm(x - reference)) for x in (q, solution.q))
        assert after <= before + 1e-9
        nearer += after < 0.95 * before
    assert nearer >= 38


def test_with_a_reference_on_the_target_nothing_moves() -> None:
    """The start is the answer."""
    start = stance("talos")
    solution = solve(chain_of("talos", "left_arm"), pose_on("talos", start), start, reference=start)
    np.testing.assert_allclose(solution.q, start, atol=1e-9)


def test_a_target_out_of_reach_gives_the_nearest_in_bounded_work() -> None:
    """The arm stretches towards it: what is left is the distance from the shoulder less its length."""
    name, start = "talos", stance("talos")
    chain, robot = chain_of(name, "left_arm"), robot_of(name)
    point = np.array([3.0, 0.5, 1.2])
    solution = solve(chain, point, start, IkSettings(20, 30))
    assert not solution.reached
    assert solution.attempts == 20
    assert solution.iterations <= 22 * 30
    assert in_limits(solution)
    hand = pose_on(name, solution.q)[:3, 3]
    np.testing.assert_allclose(solution.distance, np.linalg.norm(point - hand), atol=1e-9)
    random, others = np.random.default_rng(0), []
    for _ in range(3000):
        q = start.copy()
        q[chain.indices] = random.uniform(robot.lower[chain.indices], robot.upper[chain.indices])
        others.append(np.linalg.norm(point - pose_on(name, q)[:3, 3]))
    assert solution.distance < min(others)
    assert solution.distance > min(others) - 0.1


def test_a_far_target_brings_the_base() -> None:
    """Though it is ten metres away, behind the robot, a hundred steps are enough."""
    name, start = "talos", stance("talos")
    chain = chain_of(name, "base", "left_arm")
    X_WT = pose_on(name, start)
    X_WT[:3, 3] += [-8.0, 6.0, 0.1]
    solution = solve(chain, X_WT, start)
    assert solution.reached
    assert solution.iterations < 100


def test_one_attempt_stays_near_the_start() -> None:
    """A hand that moves some millimetres takes no joint far, unless the arm is at the end of what it can."""
    name, random = "talos", np.random.default_rng(0)
    chain, near = chain_of(name, "left_arm"), 0
    for _ in range(30):
        q, X_WT = reachable(name, chain, random)
        X_WT[:3, 3] += random.normal(0.0, 0.003, 3)
        solution = solve(chain, X_WT, q, ONE_DESCENT)
        assert solution.attempts == 1
        near += np.max(np.abs(solution.q - q)) < 0.1
    assert near >= 25


def test_a_refused_solution_is_not_given_and_the_search_goes_on() -> None:
    """Until one is accepted: here, the fourth."""
    chain, start, seen = chain_of("talos", "torso", "left_arm"), stance("talos"), []
    _, X_WT = reachable("talos", chain, np.random.default_rng(6))

    def accept(q: Array) -> bool:
        seen.append(q.copy())
        q[:] = np.nan  # what it does with its copy does not matter
        return len(seen) == 4

    solution = solve(chain, X_WT, start, accept=accept)
    assert solution.reached
    assert solution.refused == 3
    assert len(seen) == 4
    np.testing.assert_array_equal(solution.q, seen[-1])
    assert np.linalg.norm(seen[0] - seen[-1]) > 1e-3
    assert all(on_target(X_WT, pose_on("talos", q)) for q in seen)


def test_if_all_solutions_are_refused_it_says_so() -> None:
    """The last one is given, with how many there were."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    _, X_WT = reachable("talos", chain, np.random.default_rng(6))
    solution = solve(chain, X_WT, start, IkSettings(attempts=30), accept=lambda q: False)
    assert not solution.reached
    assert 5 < solution.refused <= solution.attempts == 30
    assert solution.distance < POSITION_TOLERANCE


def test_the_same_seed_gives_the_same_answer_and_another_seed_another() -> None:
    """Bit for bit; a generator with the same state as well."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    random, differ = np.random.default_rng(3), 0
    for _ in range(40):
        _, X_WT = reachable("talos", chain, random, 0.4)
        first, again = (solve(chain, X_WT, start, seed=5) for _ in range(2))
        np.testing.assert_array_equal(first.q, again.q)
        assert (first.attempts, first.iterations) == (again.attempts, again.iterations)
        one, two = (solve(chain, X_WT, start, seed=np.random.default_rng(9)) for _ in range(2))
        np.testing.assert_array_equal(one.q, two.q)
        differ += first.attempts > 1 and not np.array_equal(first.q, one.q)
    assert differ > 3


def test_many_problems_at_once_are_as_one_by_one() -> None:
    """Each with its own start."""
    name, random = "talos", np.random.default_rng(0)
    chain = chain_of(name, "left_arm")
    pairs = [reachable(name, chain, random) for _ in range(30)]
    targets, starts = np.array([X for _, X in pairs]), np.array([q for q, _ in pairs[::-1]])
    targets[3, :3, 3] += 5.0
    batch = solve_each(chain, targets, starts, seed=4)
    assert list(np.flatnonzero(~batch.reached)) == [3]
    for k in range(30):
        alone = solve(chain, targets[k], starts[k], seed=4 + k)
        np.testing.assert_array_equal(batch.q[k], alone.q)
        assert (batch.distance[k], batch.angle[k]) == (alone.distance, alone.angle)
        assert (batch.attempts[k], batch.iterations[k]) == (alone.attempts, alone.iterations)
    shared = solve_each(chain, targets[:, :3, 3], starts[0])
    assert shared.q.shape == (30, chain.n)
    assert shared.reached.sum() == 29


def test_fingers_that_follow_one_coordinate_are_solved() -> None:
    """A finger tip of TALOS, behind joints that follow the gripper: arm and gripper together, to a position."""
    robot, random = robot_of("talos"), np.random.default_rng(0)
    frame, joints = "gripper_left_fingertip_2_link", robot.indices("left_arm", "left_hand")
    chain, start = chain_to(robot, frame, joints), stance("talos")
    for _ in range(10):
        q = start.copy()
        q[chain.indices] = random.uniform(chain.lower, chain.upper)
        X_WT = pose_of(robot.model, robot.expand(q), frame)
        solution = solve(chain, X_WT, start)
        assert solution.reached
        assert on_target(X_WT, pose_of(robot.model, robot.expand(solution.q), frame))


def test_a_chain_without_joints_says_how_far_it_is() -> None:
    """Nothing moves; it is on its target or not."""
    robot, start = robot_of("talos"), stance("talos")
    chain = chain_to(robot, robot.hands["left"].frame, [], X_FT=robot.hands["left"].X_LH)
    here, away = pose_on("talos", start), pose_on("talos", start)
    away[2, 3] += 0.25
    assert solve(chain, here, start).reached
    missed = solve(chain, np.array([away, away]), start, reference=start)
    assert not missed.reached
    assert (missed.iterations, missed.at_limits) == (0, {})
    np.testing.assert_allclose((missed.distance, missed.angle), (0.25, 0.0), atol=1e-7)
    assert solve(chain, np.array([away, here]), start).target == 1
    np.testing.assert_array_equal(missed.q, start)


def test_whole_turns_away_from_the_start_are_taken_back() -> None:
    """An unbounded wheel that starts after ten turns stays there."""
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelRUBZ(), pin.SE3.Identity(), "wheel")
    model.addFrame(pin.Frame(TIP, joint, 0, pin.SE3(np.eye(3), np.array([1.0, 0, 0])), pin.FrameType.OP_FRAME))
    chain, start = Chain.from_model(model, TIP, [0]), np.array([20.0 * np.pi])
    for angle in (-3.0, -0.1, 2.0, 3.1):
        solution = solve(chain, pose_of(model, np.array([angle])), start)
        assert solution.reached
        np.testing.assert_allclose(solution.q, start + angle, atol=1e-3)


def test_a_start_outside_its_limits_is_brought_within() -> None:
    """What moves; the rest is left as it is."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    _, X_WT = reachable("talos", chain, np.random.default_rng(0))
    start[chain.indices] = 50.0
    assert in_limits(solve(chain, X_WT, start, IkSettings(1, 0)))
    assert solve(chain, X_WT, start).reached


def test_coordinates_with_equal_limits_stay_there() -> None:
    """A locked joint is a joint whose limits are one."""
    robot, start = robot_of("talos"), stance("talos")
    free, joints = chain_of("talos", "left_arm"), robot.indices("torso", "left_arm")
    lower, upper = robot.lower.copy(), robot.upper.copy()
    for joint in robot.indices("torso"):
        lower[joint] = upper[joint] = start[joint]
    locked = Chain.from_model(
        robot.model, robot.hands["left"].frame, joints, S=robot.S, c=robot.c, limits=(lower, upper),
        X_FT=robot.hands["left"].X_LH,
    )  # fmt: skip
    for index in range(10):
        _, X_WT = reachable("talos", free, np.random.default_rng(index))
        solution = solve(locked, X_WT, start)
        assert solution.reached
        np.testing.assert_array_equal(solution.q[list(robot.indices("torso"))], start[list(robot.indices("torso"))])


MIRROR, SHEARED, NOWHERE = np.diag([1.0, 1.0, -1.0, 1.0]), np.eye(4) + 0.1, np.full((4, 4), np.nan)


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ("every target of the chain to 'gripper_left.*' must consist of finite numbers", {"targets": NOWHERE}),
        ("every target .* finite numbers", {"targets": np.array([0.0, np.inf, 0.0])}),
        ("every target .* finite numbers", {"targets": np.array([np.eye(4), NOWHERE])}),
        ("rotation matrix", {"targets": MIRROR}),
        ("rotation matrix", {"targets": SHEARED}),
        ("there must be a target", {"targets": np.empty((0, 4, 4))}),
        ("there must be a target", {"targets": np.empty((0, 3))}),
        (r"not \(2, 1, 3, 3\)", {"targets": np.eye(3)[None].repeat(2, 0).reshape(2, 3, 3)[:, None]}),
        (r"targets must be of shape .* not \(2,\)", {"targets": np.zeros(2)}),
        ("start must have the shape", {"start": np.zeros(3)}),
        ("the start .* finite numbers", {"start": np.full(35, np.nan)}),
        ("reference must have the shape", {"reference": np.zeros(3)}),
        ("reference must consist of finite", {"reference": np.full(35, np.nan)}),
    ],
)
def test_what_is_wrong_is_said(message: str, changed: dict[str, Any]) -> None:
    """Before any work is done, and not by an answer that looks like one."""
    arguments = {"targets": np.eye(4), "start": stance("talos"), **changed}
    with pytest.raises(ParameterError, match=message):
        solve(chain_of("talos", "left_arm"), **arguments)


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ("attempts must be at least 1", {"attempts": 0}),
        ("iterations 0", {"iterations": -1}),
        ("tolerances must be positive", {"position_tolerance": 0.0}),
        ("tolerances must be positive", {"rotation_tolerance": np.nan}),
    ],
)
def test_settings_that_cannot_be_are_refused(message: str, changed: dict[str, Any]) -> None:
    """When they are made."""
    with pytest.raises(ParameterError, match=message):
        IkSettings(**changed)


def test_a_batch_can_begin_at_random_and_do_without_coming_nearest() -> None:
    """Nobody begins at the start; where nothing arrives, less work ends further away."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    here = np.tile(pose_on("talos", start), (20, 1, 1))
    scattered = solve_each(chain, here, start, ONE_DESCENT, scattered=True, seed=3)
    assert (scattered.iterations > 0).all()
    assert len(np.unique(scattered.q.round(6), axis=0)) > 10
    for k in np.flatnonzero(scattered.reached):
        assert on_target(here[k], pose_on("talos", scattered.q[k]))
    again = solve_each(chain, here, start, ONE_DESCENT, scattered=True, seed=3)
    np.testing.assert_array_equal(scattered.q, again.q)
    here[:, 2, 3] += 3.0
    near, far = (solve_each(chain, here, start, ONE_DESCENT, scattered=True, refined=r) for r in (True, False))
    assert not near.reached.any()
    assert (near.iterations > far.iterations).all()
    assert (near.distance + 0.15 * near.angle <= far.distance + 0.15 * far.angle + 1e-9).all()
    assert np.mean(near.distance < far.distance) > 0.5


def test_in_a_batch_what_is_wrong_is_said_too() -> None:
    """Starts that do not fit the targets, a target that is none."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    with pytest.raises(ParameterError, match="starts must have the shape"):
        solve_each(chain, np.zeros((3, 3)), np.zeros((2, chain.n)))
    with pytest.raises(ParameterError, match="finite numbers"):
        solve_each(chain, np.array([np.eye(4), NOWHERE]), start)


def test_other_tolerances_are_kept() -> None:
    """A hundred times finer, and coarser."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    _, X_WT = reachable("talos", chain, np.random.default_rng(0))
    fine = solve(chain, X_WT, start, IkSettings(position_tolerance=1e-6, rotation_tolerance=1e-5))
    coarse = solve(chain, X_WT, start, IkSettings(position_tolerance=1e-2, rotation_tolerance=1e-1))
    assert fine.reached
    assert fine.distance < 1e-6
    assert fine.angle < 1e-5
    assert coarse.reached
    assert coarse.iterations < fine.iterations


def test_targets_along_a_path_are_taken_one_after_the_other() -> None:
    """Each as near to the one before as a descent from there leads; the same as asking for them one by one."""
    chain, start = chain_of("talos", "torso", "left_arm"), stance("talos")
    targets = np.tile(pose_on("talos", start), (12, 1, 1))
    targets[:, 0, 3] += 0.005 * np.arange(1, 13)
    path = solve_along(chain, targets, start, largest=0.5)
    assert len(path) == 12
    here = start
    for X_WT, q in zip(targets, path, strict=True):
        here = solve(chain, X_WT, here, ONE_DESCENT).q
        np.testing.assert_array_equal(q, here)
        assert on_target(X_WT, pose_on("talos", q))


def test_a_path_ends_where_it_cannot_go_on() -> None:
    """At a target out of reach, or where a coordinate would move too far at once."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    targets = np.tile(pose_on("talos", start), (6, 1, 1))
    targets[:, 2, 3] += 0.005 * np.arange(1, 7)
    assert len(solve_along(chain, targets, start, largest=1e-4)) == 0
    targets[4, 0, 3] += 9.0
    assert len(solve_along(chain, targets, start, largest=0.5)) == 4


def test_a_path_through_no_number_is_refused() -> None:
    """With the words of a search."""
    chain, start = chain_of("talos", "left_arm"), stance("talos")
    targets = np.tile(pose_on("talos", start), (3, 1, 1))
    targets[2, 0, 3] = np.nan
    with pytest.raises(ParameterError, match="finite"):
        solve_along(chain, targets, start, largest=0.5)
