"""What came of a program, and what it left behind."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import Outcome, connect, sequence, simulate
from taskmatrix.behaviors import Grasp, Pickup, Postural, Putdown, Timer
from taskmatrix.core import Percept
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.robots import load_robot
from taskmatrix.session.report import KEPT, RunReport, SessionReport

GOOD = Outcome(True, None, 2.0, 200, recovered=(Failure(FailureKind.COLLISION, "pickup/reach", "the way is blocked"),))


def test_a_program_is_told_run_by_run_with_what_it_left_behind() -> None:
    """What hands hold, and what is elsewhere than it was; what a hand holds is not counted twice."""
    with simulate("mannequin", seed=1) as session:
        for task in (Pickup(object="soda_can"), Putdown(object="soda_can", on="stool"), Pickup(object="vacuum")):
            assert session.run(task).success
        assert not session.run(Grasp(object="tennis_ball")).success
        report = session.report()
        (hand,) = report.held
        assert (report.count, report.successes) == (4, 3)
        assert [told.behavior for told in report.runs] == [
            "pickup (object=soda_can)",
            "putdown (object=soda_can, on=stool)",
            "pickup (object=vacuum)",
            "grasp (object=tennis_ball)",
        ]
        carried = session.world.poses["soda_can"][:3, 3] - session.context.perception.pose("soda_can")[:3, 3]
        assert report.moved == {"soda_can": pytest.approx(np.linalg.norm(carried), abs=1e-3)}
        assert report.left_behind[0] == f"the {hand} hand holds 'vacuum'"
        assert report.owned == {}
        lines = str(report).splitlines()
        assert lines[0] == "4 runs, 3 successful"
        assert lines[4].startswith("4. grasp (object=tennis_ball): failure after 0.00 s: grasp: no hand holds")


def test_what_the_robot_touches_and_what_is_gone_are_told_and_who_still_owns_a_chain() -> None:
    """By what is perceived: a can that was put into the arm, a ball that somebody took away."""
    with simulate("asimo", seed=1) as session:
        assert "left behind: nothing" in str(session.report())
        at = session.skills.forward_kinematics(session.skills.hands[0])
        session.plant.set_pose("soda_can", at)
        session.plant.remove("tennis_ball")
        session.run(Timer(duration=0.1))
        session.context.arbiter.claim("somebody", ["head"])
        report = session.report()
        assert report.touching is not None
        assert "soda_can" in report.touching
        assert report.lost == ("tennis_ball",)
        assert report.owned == {"head": "somebody"}
        assert "'tennis_ball' is gone; 'somebody' still owns head" in str(report)


def test_what_turned_without_anybody_seeing_it_has_not_moved() -> None:
    """A ball that rolled on the spot."""
    with simulate("asimo", seed=1) as session:
        session.plant.set_pose("tennis_ball", session.world.poses["tennis_ball"] @ pose(rpy=(1.0, 0.5, 0.0)))
        session.run(Timer(duration=0.1))
        assert session.report().moved == {}


@pytest.mark.parametrize("bad", [float("nan"), None])
def test_after_percepts_that_cannot_be_objects_are_told_as_they_were(bad: float | None) -> None:
    """With the time of that, and why; a report is none the less made, and is complete when they are right again."""
    robot = load_robot("nao")
    with simulate(robot, seed=1) as other:
        can = next(seen for seen in other.plant.observe() if seen.model.id == "soda_can")
        told: list[tuple[Percept, ...]] = [(can,)]

        def perceive() -> tuple[Percept, ...]:
            if told[-1] == ():
                raise ConnectionError("the camera is off")
            return told[-1]

        with connect(robot, other.plant, perceive, real_time=False) as session:
            assert session.run(Timer(duration=0.2)).success
            assert session.report().perception_fault == ""
            last = session.report().perceived
            told.append(() if bad is None else (Percept(can.model, pose((bad, 0.0, 0.0))),))
            why = (
                "ConnectionError: the camera is off" if bad is None else "ParameterError: the percept of 'soda_can' has"
            )
            failure = session.run(Timer(duration=0.2)).failure
            assert failure is not None
            assert why in failure.explain()
            report = session.report()
            assert report.perception_fault.startswith(why)
            assert (report.perceived, report.moved, report.lost) == (last, {}, ())
            assert f"objects are as they were perceived at {last:.2f} s; since then: {why}" in str(report)
            told.append((can,))
            assert session.run(Timer(duration=0.2)).success
            assert session.report().perception_fault == ""
            assert session.report().perceived > last


def test_trees_have_their_names_and_defaults_are_left_out() -> None:
    """Any py_trees tree is a run."""
    with simulate("asimo", seed=1) as session:
        session.run(sequence("wait", Timer(duration=0.1)))
        session.run(Postural(posture="nowhere", duration=2.0))
        assert [told.behavior for told in session.report().runs] == ["wait", "postural (posture=nowhere)"]


def test_a_long_program_is_told_by_its_last_runs() -> None:
    """The numbers go on, and what was recovered from is said."""
    report = SessionReport(tuple(RunReport("timer", GOOD) for _ in range(2)), count=KEPT + 2, successes=KEPT)
    assert str(report).splitlines() == [
        f"{KEPT + 2} runs, {KEPT} successful",
        f"{KEPT + 1}. timer: success after 2.00 s, after recovering from pickup/reach: the way is blocked",
        f"{KEPT + 2}. timer: success after 2.00 s, after recovering from pickup/reach: the way is blocked",
        "left behind: nothing",
    ]
