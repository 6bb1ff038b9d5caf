"""Several robots in one world."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin
import pytest
from py_trees.behaviour import Behaviour

from taskmatrix import Outcome, Session, TaskMatrixError, simulate_robots
from taskmatrix.behaviors import Fixate, Forward, Greet, Pickup, Postural, Release, Scan, Timer, Travel
from taskmatrix.core.base.errors import NotFoundError, ParameterError, WorldError
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.session import MultiRobotSession, RunSettings
from taskmatrix.studio.recording import Recording

FACING = {"ann": RunSettings("mannequin", start=(-0.9, 0.0, 0.0)), "bob": RunSettings("nao", start=(0.9, 0.0, np.pi))}


def distance(robots: MultiRobotSession, first: str, second: str) -> float:
    """[m] Between two robots, of all their collision bodies."""
    bodies = []
    for name in (first, second):
        robot, q = robots[name].robot, robots[name].plant.sense().q
        pin.forwardKinematics(robot.model, robot.data, robot.expand(q))
        here = ((body, robot.data.oMi[body.parentJoint] * body.placement) for body in robot.collision.geometryObjects)
        bodies.append([(body.geometry, coal.Transform3s(X.rotation, X.translation)) for body, X in here])
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    least = np.inf
    for geometry, X in bodies[0]:
        for other, X_other in bodies[1]:
            result.clear()
            least = min(least, coal.distance(geometry, X, other, X_other, request, result))
    return least


def test_robots_run_their_own_programs_at_the_same_time() -> None:
    """The one picks up, the other greets it; what is carried moves for both, and the other may take it."""
    with simulate_robots(FACING) as robots:
        ann, bob = robots["ann"], robots["bob"]
        ended = robots.run(
            {"ann": Pickup(object="soda_can"), "bob": [Fixate(target="ann/head"), Greet(target="ann/head")]}
        )
        assert [len(ended["ann"]), len(ended["bob"])] == [1, 2]
        assert all(outcome.success for outcomes in ended.values() for outcome in outcomes), ended
        assert ann.context.clock.now() == pytest.approx(bob.context.clock.now())
        assert ann.context.clock.now() == pytest.approx(
            max(sum(x.duration for x in each) for each in ended.values()), abs=0.1
        )

        (hand,) = ann.plant.held()
        robots.run({"ann": Postural(posture="ready", mirror=False)})
        for session in robots.values():
            session.look()
        np.testing.assert_array_equal(bob.context.perception.pose("soda_can"), ann.context.perception.pose("soda_can"))
        assert bob.context.perception.object("soda_can").held_by is None
        assert ann.context.perception.object("soda_can").held_by == hand
        bob.plant.attach("left", "soda_can")
        assert not ann.plant.held()
        assert robots.run({"bob": Release(object="soda_can")})["bob"][0].success


def test_each_sees_the_others_links_where_they_are_and_none_of_its_own() -> None:
    with simulate_robots(FACING) as robots:
        ann = robots["ann"].context.perception.percepts
        assert {id.partition("/")[0] for id in ann if "/" in id} == {"bob"}
        assert ann["bob/head"].model.is_a("humanoid")
        assert not ann["bob/left_foot"].model.is_a("humanoid")
        robots.run({"bob": Postural(posture="ready")})
        robots["ann"].look()
        bob = robots["bob"]
        link = robots["ann"].context.perception.object("bob/left_forearm")
        model = bob.robot.model
        joint = model.frames[model.getFrameId("left_forearm")].parentJoint
        pin.forwardKinematics(model, bob.robot.data, bob.robot.expand(bob.plant.sense().q))
        np.testing.assert_allclose(link.X_WO, bob.robot.data.oMi[joint].homogeneous, atol=1e-12)
        assert not link.velocity.any()


def test_who_walks_towards_another_stops_before_it_and_says_at_whom() -> None:
    """Both walk towards each other; neither gets there, and what they name is a link of the other."""
    with simulate_robots(FACING) as robots:
        least = []
        robots["bob"].events.subscribe(
            lambda event: (
                least.append(distance(robots, "ann", "bob")) if event.kind == "step" and event.step % 5 == 0 else None
            )
        )
        ended = robots.run({"ann": Forward(distance=2.0), "bob": Forward(distance=2.0)})
        failures = [outcomes[0].failure for outcomes in ended.values()]
        assert all(failure is not None and failure.root.kind is FailureKind.COLLISION for failure in failures)
        assert "bob/" in str(failures[0]) or "bob/" in failures[0].explain()  # type: ignore[union-attr]
        assert 0.0 < min(least) < 0.1


def test_a_program_is_a_generator_too_and_ends_alone() -> None:
    """It decides from how its behaviors end; one that raises ends itself, and a list ends with the first failure."""

    def look_for_two(session: Session) -> Generator[Behaviour, Outcome, None]:
        first = yield Fixate(target="nothing")
        if not first.success:
            yield Fixate(target="soda_can")

    def fail(session: Session) -> Generator[Behaviour, Outcome, None]:
        yield Timer(duration=0.1)
        raise ValueError("out of ideas")

    with simulate_robots({**FACING, "cid": RunSettings("nao", start=(0.9, 0.9, np.pi))}) as robots:
        ended = robots.run({"ann": look_for_two, "bob": fail, "cid": [Fixate(target="nothing"), Timer(duration=0.1)]})
        assert [outcome.success for outcome in ended["ann"]] == [False, True]
        assert [outcome.success for outcome in ended["bob"]] == [True, False]
        assert "out of ideas" in str(ended["bob"][1])
        assert [outcome.success for outcome in ended["cid"]] == [False]


def test_an_interruption_ends_all_programs() -> None:
    with simulate_robots(FACING) as robots:

        def stop(event: Event) -> None:
            robots.interrupted |= event.kind == "step" and event.step == 20

        robots["ann"].events.subscribe(stop)
        ended = robots.run({name: [Scan(duration=5.0), Timer(duration=1.0)] for name in robots})
        for outcomes in ended.values():
            (outcome,) = outcomes
            assert outcome.failure is not None
            assert outcome.failure.kind is FailureKind.INTERRUPTED
            assert 20 <= outcome.steps <= 23


def test_the_same_seed_is_the_same_run() -> None:
    """Two robots of one kind, which share their description."""

    def run() -> list[object]:
        with simulate_robots({"ann": "nao", "bob": "nao"}, "apartment", seed=3) as robots:
            robots.run({"ann": Fixate(target="bob/head"), "bob": Postural(posture="ready")})
            return [robot.plant.sense().q.tolist() for robot in robots.values()]

    first = run()
    assert first == run()
    assert first[0] != first[1]


def test_a_push_moves_what_the_others_see() -> None:
    with simulate_robots(FACING) as robots:
        before = robots["ann"].context.perception.pose("bob/head")
        robots["bob"].plant.push(np.array([0.0, 0.1, 0.0]))
        robots["ann"].look()
        np.testing.assert_allclose(robots["ann"].context.perception.pose("bob/head"), pose((0.0, 0.1, 0.0)) @ before)


def test_what_one_runs_alone_takes_the_others_along() -> None:
    """They brake, hold and stay on the same clock; recordings are one file for each."""
    with simulate_robots(FACING) as robots:
        robots.run({"bob": Travel(x=0.4, y=0.5)}, timeout=0.7)
        assert robots["bob"].plant.sense().v[:2].any()
        assert robots["ann"].run(Timer(duration=1.0)).success
        assert not robots["bob"].plant.sense().v.any()
        assert robots["ann"].context.clock.now() == pytest.approx(robots["bob"].context.clock.now())
        assert not any(seen.velocity.any() for seen in robots["ann"].context.perception.percepts.values())


def test_each_robot_has_a_recording_of_its_own(tmp_path: Path) -> None:
    with simulate_robots(FACING) as robots:
        robots.record(tmp_path)
        robots.run({"ann": Timer(duration=0.1)})
    assert [Recording.open(tmp_path / f"{name}.mcap").header["robot"] for name in FACING] == ["mannequin", "nao"]


def test_a_filter_that_raises_where_a_robot_rests_does_not_stop_the_others() -> None:
    """It fails what its own robot runs next."""

    def broken(command: Command, q: Array) -> Command:
        raise ValueError("out of order")

    with simulate_robots({**FACING, "bob": RunSettings("nao", start=(0.9, 0.0, np.pi), filters=[broken])}) as robots:
        assert robots["ann"].run(Timer(duration=0.2)).success
        assert "out of order" in str(robots["bob"].run(Timer(duration=0.2)))
        assert robots["ann"].context.clock.now() == pytest.approx(robots["bob"].context.clock.now())


def test_mistakes_in_a_program_are_told_where_they_are_made() -> None:
    """In its own lines, under the robot's own name; the others go on."""

    def runs(session: Session) -> Generator[Behaviour, Outcome, None]:
        session.run(Timer(duration=0.1))
        yield Timer(duration=0.1)

    def returns(session: Session) -> Behaviour:
        return Timer(duration=0.1)

    def yields_a_class(session: Session) -> Generator[Behaviour, Outcome, None]:
        with pytest.raises(TaskMatrixError, match="pass an instance"):
            yield Timer  # type: ignore[misc]
        yield Timer(duration=0.1)

    shared = Timer(duration=0.2)

    def shares(session: Session) -> Generator[Behaviour, Outcome, None]:
        yield shared

    with simulate_robots({**FACING, "cid": RunSettings("nao", start=(0.9, 0.9, np.pi))}) as robots:
        ended = robots.run({"ann": runs, "bob": returns, "cid": yields_a_class})  # type: ignore[dict-item]
        assert "inside a program, yield the behavior" in str(ended["ann"][0])
        assert "test_multi_robot.py" in str(ended["ann"][0])
        assert "the program of 'bob' gives" in str(ended["bob"][0])
        assert "is a yield missing?" in str(ended["bob"][0])
        assert [outcome.success for outcome in ended["cid"]] == [True]
        ended = robots.run({"ann": shares, "bob": shares})
        assert ended["ann"][0].success
        assert "'ann' and 'bob' are to run the same timer" in str(ended["bob"][0])


def test_what_cannot_be_is_refused() -> None:
    nothings: list[object] = [{}, ["nao"], "nao"]
    for nothing in nothings:
        with pytest.raises(ParameterError, match="robots are given by name"):
            simulate_robots(nothing)  # type: ignore[arg-type]
    for name in ("a/b", "", 1):
        with pytest.raises(ParameterError, match="no slash"):
            simulate_robots({name: "nao"})  # type: ignore[dict-item]
    for own in ({"sim": "mujoco"}, {"world": "kitchen"}, {"seed": 7}, {"real_time": True}, {"control_step": 0.02}):
        with pytest.raises(ParameterError, match=f"'bob' cannot have {next(iter(own))}="):
            simulate_robots({"ann": "nao", "bob": RunSettings("nao", **own)})
    with pytest.raises(ParameterError, match="seed"):
        simulate_robots({"ann": "nao"}, seed=-1)
    with pytest.raises(NotFoundError, match="asimo"):
        simulate_robots({"ann": "asimoo"})
    with pytest.raises(WorldError, match=r"'bob' cannot start there: its .* would be in ann/"):
        simulate_robots(
            {"ann": RunSettings("nao", start=(0.0, 0.0, 0.0)), "bob": RunSettings("nao", start=(0.0, 0.0, 0.5))}
        )
    with simulate_robots(FACING) as robots:
        assert repr(robots) == "<'ann': mannequin, 'bob': nao in sparse>"
        with pytest.raises(NotFoundError, match="'bob'"):
            robots.run({"bobb": Timer(duration=0.1)})
        for wrong in (Timer, [Timer], "timer", 3, []):
            with pytest.raises(ParameterError, match="the program of 'ann'"):
                robots.run({"ann": wrong})  # type: ignore[dict-item]
        with pytest.raises(ParameterError, match="by the names of the robots"):
            robots.run(Timer(duration=0.1))  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="timeout"):
            robots.run({"ann": Timer(duration=0.1)}, timeout=-1.0)
        same = Timer(duration=0.1)
        with pytest.raises(ParameterError, match="'ann' and 'bob' are to run the same timer"):
            robots.run({"ann": same, "bob": [Timer(duration=0.1), same]})
        with pytest.raises(TaskMatrixError, match="saves no state"):
            robots["ann"].save()
    for closed in (lambda: robots.run({"ann": same}), lambda: robots["ann"].run(same)):
        with pytest.raises(TaskMatrixError, match="closed"):
            closed()
