"""Planning: from one free configuration to another, in furniture of five kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from .ends import Ends, straight
from .flatten import flatten
from .models import Checker, load, lowest, standing, write_srdf
from .robots import SUBJECTS
from .rows import Box, PlanningRow, Problem, random_source
from .scenery import SCENERY, Setting
from .tree import Tree

PROBLEMS = 30
GROUPS = {
    "table": ("arm", "base_torso_arm"),
    "cabinet": ("arm", "base_torso_arm"),
    "shelves": ("torso_arm",),
    "opening": ("torso_both_arms",),
    "kitchen": ("base_torso_both_arms",),
}
PLANS = tuple((r, g, s) for s, groups in GROUPS.items() for r in ("talos", "pr2", "g1") for g in groups)
SEEDS = {"table": "", "cabinet": "_cab"}  # under which names the figures to compare with were drawn


@dataclass(frozen=True)
class Effort:
    """How long problems are looked for."""

    worlds: int
    """Draws of the furniture."""
    tries: int
    """Of the hands' places in each."""
    steps: int
    """Of inverse kinematics in each."""


EFFORTS = {"table": Effort(4000, 60, 60), "cabinet": Effort(250, 300, 40)}
HARD = Effort(300, 150, 60)


def planning_row(
    robot: str,
    group: str,
    scenery: str,
    folder: Path,
    pairs: tuple[tuple[str, str], ...],
    count: int | None = None,
) -> PlanningRow:
    """Problems whose ends are free, and which a straight line does not solve.

    Args:
        robot: Its name.
        group: ``arm``, ``base_torso_arm``, ...: what moves.
        scenery: Kind of furniture.
        folder: Where its files are written.
        pairs: Pairs of links that are tested.
        count: Problems to look for; 30 unless given.
    """
    subject, stance = SUBJECTS[robot], dict(SUBJECTS[robot].stance)
    driven = group.startswith("base")
    movable = subject.joints(group)
    base = "driven" if driven else "standing"
    hull, exact = (
        flatten(subject.path, folder / f"{robot}_{group}_{meshes}.urdf", meshes, movable, stance, base)
        for meshes in ("hull", "exact")
    )
    model, _ = load(str(hull), True, pairs)
    names = tuple(model.names)[1:]
    body = replace(Tree(hull).body(hull, names, subject.tips(group)), pairs=pairs)
    body = replace(body, srdf=str(write_srdf(folder / f"{robot}_{group}.srdf", robot, body)))
    floor = lowest(str(hull), stance)
    setting = Setting(robot, driven, floor, floor + subject.table)
    random = random_source("plan", robot, group + SEEDS.get(scenery, f" {scenery}"))
    effort = EFFORTS.get(scenery, HARD)
    problems: list[Problem] = []
    for _ in range(effort.worlds):
        if len(problems) == (count or PROBLEMS):
            break
        problem = _drawn(body.tips, str(hull), pairs, stance, setting, scenery, random, effort)
        if problem is not None:
            problems.append(problem)
    return PlanningRow(f"{robot} {group} {scenery}", body, str(exact), tuple(problems))


def _drawn(
    tips: tuple[str, ...],
    urdf: str,
    pairs: tuple[tuple[str, str], ...],
    stance: dict[str, float],
    setting: Setting,
    scenery: str,
    random: np.random.Generator,
    effort: Effort,
) -> Problem | None:
    """One problem in furniture of its own, or None if none is found there."""
    drawn = SCENERY[scenery](setting, random)
    boxes: tuple[Box, ...] = drawn.boxes
    checker = Checker(*load(urdf, True, pairs, boxes))
    ends = Ends(checker, tips, random, setting.driven)
    start = standing(checker.model, stance)
    if drawn.start:
        found = ends.search(lambda: np.array([r.draw(random) for r in drawn.start]), effort.tries, effort.steps)
        if found is None:
            return None
        start = found
    elif checker.hits(start):
        return None
    goal = ends.search(lambda: np.array([r.draw(random) for r in drawn.goal]), effort.tries, effort.steps)
    if goal is None or (scenery != "cabinet" and straight(checker, start, goal)):
        return None
    return Problem(start, goal, boxes)
