"""Inverse kinematics: poses that a chain can take."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .flatten import flatten
from .robots import SUBJECTS
from .rows import ChainRow, random_source
from .tree import Tree

CHAINS = tuple((r, g) for r in SUBJECTS for g in ("arm", "torso_arm") if g == "arm" or SUBJECTS[r].torso)
TARGETS = 500


def chain_row(robot: str, group: str, folder: Path, targets: int = TARGETS) -> ChainRow:
    """Poses of the tip at configurations drawn uniformly within the limits; the start is the middle of the limits."""
    subject = SUBJECTS[robot]
    names = subject.joints(group)
    urdf = flatten(subject.path, folder / f"{robot}_{group}_chain.urdf", None, names)
    tree = Tree(urdf)
    body = tree.body(urdf, names, subject.tips(group))
    random = random_source("ik", robot, group)
    configurations = [random.uniform(body.lower, body.upper) for _ in range(targets)]
    poses = np.array([tree.pose(dict(zip(names, q, strict=True)), subject.tip) for q in configurations])
    return ChainRow(f"{robot} {group}", body, 0.5 * (body.lower + body.upper), poses)
