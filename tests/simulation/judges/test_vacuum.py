from __future__ import annotations

from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.simulation.judges import Record, Step

from .setting import goal, holding, record_of, start_step, world

PIECES = [f"confetti_{k}" for k in range(1, 7)]


def cleaning(skip: str = "", aside: float = 0.0, held: bool = True) -> Record:
    """The vacuum's tip is brought to one piece after the other, ``aside`` [m] of it, and the piece vanishes."""
    start = Step(holding().q, dict(world().poses), {})
    steps, poses = [start], dict(start.poses)
    for piece in PIECES:
        if piece != skip:
            tip = pose(poses[piece][:3, 3] + (aside, 0.0, 0.02))
            poses = {id: X for id, X in poses.items() if id != piece}
            poses = {**poses, "vacuum": tip @ inverse(world().objects["vacuum"].frames["tip"])}
            steps.append(Step(start.q, poses, {"right": "vacuum"} if held else {}))
    return record_of([*steps, Step(start.q, {**poses, "vacuum": world().poses["vacuum"]}, {})])


def test_all_debris_has_to_vanish_before_the_tip_of_the_held_vacuum() -> None:
    """What is left, or went by itself, is named."""
    asked = {"object": "vacuum", "on": "table"}
    assert goal("vacuum", cleaning(), **asked) == ""
    assert goal("vacuum", cleaning("confetti_3"), **asked) == "1 of 6 pieces are left: confetti_3"
    assert "cm from the tip" in goal("vacuum", cleaning(aside=0.2), **asked)
    assert "no hand held" in goal("vacuum", cleaning(held=False), **asked)


def test_debris_above_the_surface_is_not_on_it() -> None:
    """A piece on a refrigerator that somebody has moved to the table, say."""
    start = start_step()
    above = pose((0.0, 0.0, 1.0)) @ start.poses["confetti_3"]
    poses = {id: X_WO for id, X_WO in start.poses.items() if not id.startswith("confetti")}
    steps = [Step(start.q, {**poses, "confetti_3": above}, {}) for _ in range(2)]
    assert goal("vacuum", record_of(steps), object="vacuum", on="table") == ""


def test_the_frame_can_be_another() -> None:
    """Pieces that went at the tip did not go at the vacuum's other end."""
    assert goal("vacuum", cleaning(), object="vacuum", on="table", frame="tip") == ""
    assert "cm from the underside" in goal("vacuum", cleaning(), object="vacuum", on="table", frame="underside")


def test_the_vacuum_has_to_be_put_back() -> None:
    """Held up in the air it is not."""
    record = cleaning()
    record.steps[-1] = record.steps[-2]
    assert goal("vacuum", record, object="vacuum", on="table") == "the right hand still holds 'vacuum'"
