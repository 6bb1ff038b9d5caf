"""Propose which link pairs a robot's self-collision check leaves out: ``python benchmarks/review_pairs.py ROBOT``.

Samples random configurations (and the stance) with all pairs of different moving bodies, and prints a ``pairs.toml``
with the evidence. A pair is proposed only when it is in contact in at least 95 % of the samples and in stance: bodies
that share a joint are ``adjacent``, others ``always``. Every other pair stays and is listed as a comment when it is
often in contact. A person reads the proposal before it goes into the robot's folder, and answers there for what is
added by hand (``grazing``).
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pinocchio as pin

from taskmatrix.robots import Robot
from taskmatrix.robots.loading.adapter import build_robot
from taskmatrix.robots.loading.loader import find_adapter

SAMPLES = 2000
ENOUGH = 0.95


def contacts(robot: Robot, samples: int, seed: int = 0) -> tuple[Counter[tuple[str, str]], set[tuple[str, str]]]:
    """How often each pair of links is in contact in random configurations, and the pairs in contact in stance."""
    rng = np.random.default_rng(seed)
    data, geometry_data = robot.model.createData(), robot.collision_data()
    bodies = robot.collision.geometryObjects
    links = [robot.model.frames[body.parentFrame].name for body in bodies]
    names = [tuple(sorted((links[p.first], links[p.second]))) for p in robot.collision.collisionPairs]
    lower, upper = np.maximum(robot.lower, -np.pi), np.minimum(robot.upper, np.pi)

    def touching(q: np.ndarray) -> set[tuple[str, str]]:
        pin.computeCollisions(robot.model, data, robot.collision, geometry_data, robot.expand(q), False)
        return {(a, b) for (a, b), r in zip(names, geometry_data.collisionResults, strict=True) if r.isCollision()}

    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(samples):
        counts.update(touching(rng.uniform(lower, upper)))
    return counts, touching(robot.posture(robot.stance))


def adjacent(robot: Robot) -> set[tuple[str, str]]:
    """Pairs of links whose bodies share a joint, looking through links without a body."""
    model = robot.model
    bodies = [(b.parentJoint, model.frames[b.parentFrame].name) for b in robot.collision.geometryObjects]
    solid = {joint for joint, _ in bodies}
    found = set()
    for joint, name in bodies:
        parent = model.parents[joint]
        while parent > 0 and parent not in solid:
            parent = model.parents[parent]
        found |= {tuple(sorted((name, other))) for owner, other in bodies if owner == parent}
    return {(a, b) for a, b in found}


def main(name: str) -> None:
    """Print the proposal for one robot."""
    robot = build_robot(find_adapter(name), reviewed=False)
    counts, stance = contacts(robot, SAMPLES)
    beside = adjacent(robot)
    total = len({tuple(sorted(names)) for names in _link_pairs(robot)})
    chosen = [pair for pair, count in sorted(counts.items()) if count >= ENOUGH * SAMPLES and pair in stance]
    print(f"# Link pairs left out of the self-collision check: {len(chosen)} of {total}; all others are checked.")
    print("# Proposed by benchmarks/review_pairs.py from all pairs of different moving bodies, then reviewed.")
    for pair in chosen:
        reason = "adjacent" if pair in beside else "always"
        print(f'\n[[excluded]]\nlinks = ["{pair[0]}", "{pair[1]}"]\nreason = "{reason}"')
        print(f'evidence = "in contact in {counts[pair]} of {SAMPLES} random configurations and in stance"')
    rest = [(pair, count) for pair, count in counts.most_common() if pair not in chosen]
    print("\n# Kept, although they often touch in random configurations:")
    for pair, count in rest[:12]:
        note = "adjacent" if pair in beside else "not adjacent"
        print(
            f"# {pair[0]} and {pair[1]}: {count} of {SAMPLES} ({note}{', touch in stance' if pair in stance else ''})"
        )


def _link_pairs(robot: Robot) -> list[tuple[str, str]]:
    bodies = robot.collision.geometryObjects
    links = [robot.model.frames[body.parentFrame].name for body in bodies]
    return [(links[p.first], links[p.second]) for p in robot.collision.collisionPairs]


if __name__ == "__main__":
    main(sys.argv[1])
