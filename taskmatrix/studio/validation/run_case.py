"""Runs and judges one case."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.events import Reader
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.catalogue import SUBJECTS, load
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record, judge_of

from ..drawing.frame_recorder import FrameRecorder
from ..drawing.pictures import contact_sheet
from .case import FAILURE, NOT_ABLE, SUCCESS, Case, OwnCase, Result
from .task import Task, filled, lacks, task_of

UNABLE = (FailureKind.NOT_ABLE, FailureKind.NO_GRASP)


def run_case(case: Case, picture: str = "", readers: Sequence[Reader] = (), task: Task | None = None) -> Result:
    """Run a case and judge it.

    Args:
        case: Which.
        picture: Path of the contact sheet to render; none if empty.
        readers: Of the event stream, besides.
        task: How to run it; that of the behavior unless given. A case of another kind runs itself, without pictures.

    Returns:
        The result; whatever is raised on the way is a failure of kind ``error``, with its last line as the reason.

    Raises:
        KeyboardInterrupt: Somebody wants no result.
    """
    began = perf_counter()
    try:
        if isinstance(case, OwnCase):
            return case.run(readers)
        return _run(case, picture, readers, task or task_of(case.behavior))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
        return Result(case, FAILURE, "error", reason, wall=perf_counter() - began)


def _run(case: Case, picture: str, readers: Sequence[Reader], task: Task) -> Result:
    began = perf_counter()
    extra: dict[str, Any] = {"second_robot": task.second_robot} if task.second_robot else {}
    with simulate(_robot(case.robot), case.world, case.seed, sim=case.sim, **extra) as session:
        world, robot = session.world, session.robot
        still = set(world.objects) - set(world.scripts)
        tolerance = EXACT if case.sim == "kinematic" else PHYSICAL
        record = Record(robot, world.objects, session.context.dt, session.plant.truth(), still, tolerance)
        frames = FrameRecorder()
        own: list[Reader] = [record, frames] if picture else [record]
        for reader in (*own, *readers):
            session.events.subscribe(reader)
        parameters = filled(task.parameters, session.world)
        behavior, preparing, moved = load(case.name)(**parameters), "", False
        unmet = session.unmet(behavior)
        prelude = () if unmet else task.prelude  # whatever came before: it does not even have to be tried
        for preparing, values in prelude:
            outcome = session.run(load(preparing)(**filled(values, session.world)), task.timeout)
            moved = moved or record.moved()
            if not outcome.success:
                break
        else:
            preparing = ""
            parameters = dict(behavior.parameters)  # with the defaults
            outcome = session.run(behavior, task.timeout)
        if outcome.failure is not None and outcome.failure.root.kind is FailureKind.INTERRUPTED:
            raise KeyboardInterrupt
        ran = perf_counter()
        duration = (len(record.steps) - 1) * session.context.dt
        result = _judged(case, record, parameters, outcome, preparing, moved)
        result = _able(result, outcome, task.chain, lacks(robot, task.chain))
        judged = perf_counter()
        sheet = _draw(session, frames, parameters, picture, result) if picture else ""
    return Result(
        **{**vars(result), "duration": duration, "wall": ran - began, "judging": judged - ran, "picture": sheet}
    )


def _judged(
    case: Case, record: Record, parameters: dict[str, Any], outcome: Outcome, prelude: str, moved: bool
) -> Result:
    """What to make of how a case ended; ``prelude`` is the behavior before it that failed, if one did."""
    if outcome.failure is not None:
        root, reason = outcome.failure.root, outcome.failure.explain()
        still = not (moved if prelude else record.moved())
        verdict = NOT_ABLE if root.kind in UNABLE and still else FAILURE
        reason = f"before it, {prelude} failed: {reason}" if prelude else reason
        return Result(case, verdict, root.kind.value, reason, False)
    judgement = judge_of(case.name)(record, parameters)
    if judgement.success:
        return Result(case, SUCCESS, claimed=True, facts=judgement.facts)
    return Result(case, FAILURE, f"judge/{judgement.check}", judgement.reason, True, facts=judgement.facts)


def _able(result: Result, outcome: Outcome, chain: str, lacking: bool) -> Result:
    """The result, in which ``lacks`` says which chain a robot that is not able is without.

    A motion or a posture that it needs that chain for its data may leave out.
    """
    if not lacking or outcome.failure is None:
        return result
    left_out = outcome.failure.root.kind is FailureKind.PARAMETER
    return replace(result, verdict=NOT_ABLE if left_out else result.verdict, facts={**result.facts, "lacks": chain})


def _draw(session: Session, frames: FrameRecorder, parameters: dict[str, Any], path: str, result: Result) -> str:
    """Render the contact sheet; returns its path, nothing if nothing happened."""
    subjects = [str(parameters[name]) for name in SUBJECTS if name in parameters]
    target = next((subject for subject in subjects if subject in session.world.objects), None)
    outcome = result.verdict if result.verdict == SUCCESS else f"{result.verdict}: {result.reason}"
    try:
        contact_sheet(
            session.robot, session.world, frames.frames, Path(path), str(result.case), outcome=outcome, target=target
        )
    except (ParameterError, LookupError):
        return ""
    return path


@lru_cache(maxsize=4)
def _robot(name: str) -> Robot:
    """Robots are read once in a process."""
    return load_robot(name)
