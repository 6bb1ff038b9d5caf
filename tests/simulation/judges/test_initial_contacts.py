"""Contacts that a run begins with."""

from __future__ import annotations

from functools import lru_cache

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges import Step, judge_of
from taskmatrix.simulation.judges.measures.contacts import overlap
from taskmatrix.simulation.judges.measures.scene import Scene

from .setting import record_of, robot, start_step, world

FREE = 0.3  # [m]


def at(beside: float) -> dict[str, Array]:
    """Poses with the stool beside the robot, a distance [m] further away than where the two touch."""
    return {**start_step().poses, "stool": pose((touching() + beside, 0.0, 0.001))}


@lru_cache(maxsize=1)
def touching() -> float:
    """[m] Where the stool is so near that the two touch."""
    start, scene, x = start_step(), Scene(robot(), world().objects), 1.0
    while overlap(scene, start.q, {**start.poses, "stool": pose((x, 0.0, 0.001))}, {"stool"}) < 0.0:
        x -= 0.001
    return x


def judged(*beside: float) -> str:
    """What the judge of find says of the contacts of a run in which the stool was at some places."""
    steps = [Step(start_step().q, at(by), {}) for by in beside]
    return judge_of("find").conduct(record_of(steps), {"type": "can"}).reason


def test_a_contact_that_lasts_is_excused() -> None:
    """And told."""
    steps = [Step(start_step().q, at(-0.003), {})] * 3
    judgement = judge_of("find").conduct(record_of(steps), {"type": "can"})
    assert judgement.success
    assert any("stool" in pair for pair in judgement.facts["inherited"])  # type: ignore[attr-defined]


def test_one_that_ends_is_excused_and_not_told() -> None:
    """The robot has come out of it."""
    steps = [Step(start_step().q, at(by), {}) for by in (-0.003, -0.002, FREE)]
    judgement = judge_of("find").conduct(record_of(steps), {"type": "can"})
    assert judgement.success
    assert "inherited" not in judgement.facts


def test_one_that_gets_deeper_is_not_excused() -> None:
    """By more than a millimetre."""
    assert judged(-0.003, -0.0035) == ""
    assert "touches stool at step 0" in judged(-0.003, -0.006)


def test_one_that_was_left_and_comes_again_is_not_excused() -> None:
    """However shallow it is then."""
    assert "touches stool at step 1" in judged(-0.003, FREE, -0.002)


def test_one_that_was_not_there_is_not_excused() -> None:
    """That is what judges look for."""
    assert "touches stool at step 0" in judged(FREE, -0.002)


def by_the_hand(*places: tuple[float, float, float]) -> str:
    """What the judge says of a run in which the ball was at some places, in the axes of G1's left hand."""
    start = start_step("g1")
    X_WH = hand_pose(robot("g1"), "left", start.q)
    steps = [Step(start.q, {**start.poses, "tennis_ball": X_WH @ pose(place)}, {}) for place in places]
    return judge_of("find").conduct(record_of(steps, "g1"), {"type": "can"}).reason


def test_a_hand_comes_out_of_what_it_was_pushed_into_with_another_link() -> None:
    """It is 13 mm in the ball with its palm; a finger touches the ball too, 10 mm deep at most."""
    in_palm, also_by_finger, in_fingers = (-0.06, 0.0, -0.06), (-0.06, 0.02, -0.02), (-0.06, 0.04, 0.0)
    assert by_the_hand(in_palm, also_by_finger, (0.0, 0.0, 0.5)) == ""
    assert "left_hand_index_0_link touches tennis_ball" in by_the_hand(in_palm, in_fingers)  # 15 mm
    assert "touches tennis_ball" in by_the_hand((0.0, 0.0, 0.5), also_by_finger)
    assert "touches tennis_ball" in by_the_hand(in_palm, (0.0, 0.0, 0.5), also_by_finger)
