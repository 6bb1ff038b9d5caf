"""Judges periodic-canned and aperiodic-canned."""

from __future__ import annotations

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.playing import Playing, fastest, played

SOFTLY = 0.75  # [s] of its duration in which a periodic motion may come to rest
PACE = 0.7  # least share of the motion's own pace
WHOLE = 0.97  # share of an aperiodic motion that has to be played


class PeriodicCannedJudge(Judge):
    """Success of periodic-canned (thesis 4.3.8).

    Given trajectory functions x_i of some joints, of period P, and a duration T: from some time on all these joints, or
    their partners in the mirror image, follow x_i within 0.03 rad for T, the last 0.75 s of which may be slower, and at
    no less than 0.7 of the pace, which is P or the period that is asked for, or the fastest within the robot's limits.
    If ``mirrored`` is given it says whether it is the mirror image.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the motion was not played for as long."""
        found = repeated(record, str(parameters["motion"]), parameters, facts)
        return found if isinstance(found, str) else ""


class AperiodicCannedJudge(Judge):
    """Success of aperiodic-canned (thesis 4.3.8).

    Given trajectory functions x_i of some joints over [0, T]: all these joints, or their partners in the mirror image,
    follow x_i from its beginning to its end within 0.03 rad, in no more than 1 / 0.7 and no less than 2 / 3 of T; or of
    ``duration`` if that is given, or of the least time within the robot's limits if that is longer. If ``mirrored`` is
    given it says whether it is the mirror image.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the motion was not played to its end."""
        name = str(parameters["motion"])
        found = _stretch(record, name, "duration", parameters, facts)
        if isinstance(found, str):
            return found
        playing, lasting = found
        whole, time = record.robot.motions[name].duration, (playing.end - playing.begin) * record.dt
        if playing.progress < WHOLE * whole:
            return f"only {playing.progress:.2f} s of {whole:.2f} s of '{name}' were played"
        return f"'{name}' took {time:.2f} s, not {lasting:.2f}" if time > lasting / PACE else ""


def repeated(record: Record, name: str, parameters: Parameters, facts: dict[str, object]) -> Playing | str:
    """The stretch in which a periodic motion was played for as long and as fast as asked, or why there is none."""
    found = _stretch(record, name, "period", parameters, facts)
    if isinstance(found, str):
        return found
    playing, period = found
    once = record.robot.motions[name].duration
    asked = max(float(str(parameters.get("duration") or once)) - SOFTLY, 0.0)
    time = (playing.end - playing.begin) * record.dt
    if time < asked:
        return f"'{name}' was played for {time:.2f} s, not for {asked:.2f}"
    if playing.progress < PACE * asked * once / period:
        return f"only {playing.progress:.2f} s of '{name}' were played in {time:.2f} s"
    return playing


def _stretch(
    record: Record, name: str, lasting: str, parameters: Parameters, facts: dict[str, object]
) -> tuple[Playing, float] | str:
    """The longest stretch in which a motion was played, and how long [s] once through it should take.

    That is what the parameter ``lasting`` says, or the motion itself. If there is no such stretch, why.
    """
    if name not in record.robot.motions:
        return f"the robot has no motion '{name}'"
    motion = record.robot.motions[name]
    seconds = max(float(str(parameters.get(lasting) or motion.duration)), fastest(record.robot, motion))
    mirrored = parameters.get("mirrored")
    found = played(record, motion, seconds, None if mirrored is None else bool(mirrored))
    if found is None:
        return f"'{name}' was played at no time"
    facts.update(played=(found.end - found.begin) * record.dt, progress=found.progress)
    return found, seconds
