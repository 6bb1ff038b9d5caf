"""Steps of programs, made up."""

from __future__ import annotations

from taskmatrix.studio.validation.programs.judging import Told

HAND_AND_CAN = ("left_hand", "soda_can")


def good(step: str = "postural()", planned: bool = True) -> Told:
    return Told(step, "success", planned=planned)


def bad(step: str = "pickup()", pair: tuple[str, str] | None = None, root: str = "no path found") -> Told:
    kind = "collision" if pair else "planner_exhausted"
    return Told(step, "failure", kind, f"{step}: {root}", root, pair)


def wrong(step: str = "scan()") -> Told:
    return Told(step, "false success", "judge/goal", "the head swept 0%", planned=True)
