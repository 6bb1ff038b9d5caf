"""The adapter, and whether the robot touches itself in its postures and motions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from taskmatrix.robots import Robot
from taskmatrix.session.session import Session
from taskmatrix.skills.collision.collision import CollisionChecker

from .finding import FAILS, TOLD, UNABLE, Finding, judged

INSTANTS = 100  # of a motion that are looked at
ANGLES, TURNS = 73, 400  # of each joint of a head by itself, and of all at random, that are looked at
MOST_NAMED = 6  # of what an adapter or a URDF lacks


def check_adapter(robot: Robot) -> Iterator[Finding]:
    """What the robot has, and what its description lacks."""
    provided = robot.capabilities
    lacking = {"hands": not provided.hands, "view": provided.view is None or not provided.view.turns}
    for part, text in provided.description.items():
        yield Finding("adapter", part, UNABLE if lacking.get(part) else TOLD, text)
    left_out, checked = len(robot.excluded_pairs), len(robot.collision.collisionPairs)
    text = f"{left_out} pairs of links are left out, {checked} pairs of bodies are checked"
    yield Finding("adapter", "collision pairs", TOLD, text, {"left out": left_out})
    reports = {"limits": robot.limit_reports, "inertia": robot.inertia_reports, "bodies": robot.body_reports}
    for name, lines in reports.items():
        more = f"; and {len(lines) - MOST_NAMED} more" if len(lines) > MOST_NAMED else ""
        text = "; ".join(lines[:MOST_NAMED]) + more
        verdict = FAILS if name == "bodies" and robot.is_half_known else TOLD
        yield Finding("adapter", name, verdict, text or "nothing is missing", {"lines": len(lines)})


def check_postures(session: Session) -> Iterator[Finding]:
    """Whether all postures and motions are free of contact with itself."""
    robot, checker = session.robot, CollisionChecker(session.robot)
    for name in robot.postures:
        contact = checker.contact(robot.posture(name))
        text = "free of contact" if contact is None else f"{contact.first} and {contact.second} touch"
        yield judged("postures and motions", f"posture {name}", contact is None, text)
    for name in robot.motions:
        motion, q = session.skills.motion(name), robot.posture(robot.stance)
        Q = np.tile(q, (INSTANTS, 1))
        for row, time in zip(Q, np.linspace(0.0, motion.duration, INSTANTS), strict=True):
            row[motion.indices] = motion.sample(float(time))[0]
        bad = [(k, pair) for k, pair in enumerate(checker.contacts(Q)) if pair is not None]
        text = f"free of contact for {motion.duration:.1f} s"
        if bad:
            text = (
                f"{' and '.join(bad[0][1])} touch {bad[0][0] / (INSTANTS - 1) * motion.duration:.2f} s after its start"
            )
        yield judged("postures and motions", f"motion {name}", not bad, text)


def check_head(session: Session) -> Iterator[Finding]:
    """At which angles of a head the robot would touch itself: it stops there, and does not face what is beyond."""
    robot, checker = session.robot, CollisionChecker(session.robot)
    chain = np.array(robot.chains.get("head", ()), dtype=np.intp)
    if not len(chain):
        return
    lower, upper = robot.lower[chain], robot.upper[chain]
    texts = []
    for k, joint in enumerate(chain.tolist()):
        values = np.linspace(lower[k], upper[k], ANGLES)
        Q = np.tile(robot.posture(robot.stance), (ANGLES, 1))
        Q[:, joint] = values
        pairs = checker.contacts(Q)
        for pair in sorted({pair for pair in pairs if pair is not None}):
            hit = np.flatnonzero([found == pair for found in pairs])
            runs = np.split(hit, np.flatnonzero(np.diff(hit) > 1) + 1)
            where = " and ".join(f"{values[run[0]]:.2f} to {values[run[-1]]:.2f}" for run in runs)
            texts.append(f"{' and '.join(pair)} touch with {robot.joints[joint]} at {where}")
    Q = np.tile(robot.posture(robot.stance), (TURNS, 1))
    Q[:, chain] = np.random.default_rng(0).uniform(lower, upper, (TURNS, len(chain)))
    hits = [pair for pair in checker.contacts(Q) if pair is not None]
    if hits and not texts:
        pair, _ = Counter(hits).most_common(1)[0]
        texts.append(f"{' and '.join(pair)} touch where several of its joints turn")
    share = len(hits) / TURNS
    text = f"it stops short in {100 * share:.0f} % of its range: {'; '.join(texts)}" if texts else "free of contact"
    yield Finding("postures and motions", "head", TOLD, text, {"share in contact": share})
