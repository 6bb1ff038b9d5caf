"""Judges periodic-canned and aperiodic-canned."""

from __future__ import annotations

from .judge import Judge, Parameters
from .playing import Playing, played
from .record import Record

SOFTLY = 0.75  # [s] of its duration in which a periodic motion may come to rest
PACE = 0.7  # least share of the motion's own pace
WHOLE = 0.97  # share of an aperiodic motion that has to be played


class PeriodicCannedJudge(Judge):
    """Success of periodic-canned (thesis 4.3.8).

    Given trajectory functions x_i of some joints, of period P, and a duration T: from some time on all these joints, or
    their partners in the mirror image, follow x_i within 0.03 rad for T, the last 0.75 s of which may be slower, and at
    no less than 0.7 of the pace, which is P or the period that is asked for.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the motion was not played for as long."""
        found = stretch(record, str(parameters["motion"]), facts)
        if isinstance(found, str):
            return found
        motion = record.robot.motions[str(parameters["motion"])]
        asked = max(float(str(parameters.get("duration") or motion.duration)) - SOFTLY, 0.0)
        period = max(float(str(parameters.get("period") or motion.duration)), 1e-6)
        time = (found.end - found.begin) * record.dt
        if time < asked:
            return f"'{motion.name}' was played for {time:.2f} s, not for {asked:.2f}"
        if found.progress < PACE * asked * motion.duration / period:
            return f"only {found.progress:.2f} s of '{motion.name}' were played in {time:.2f} s"
        return ""


class AperiodicCannedJudge(Judge):
    """Success of aperiodic-canned (thesis 4.3.8).

    Given trajectory functions x_i of some joints over [0, T]: all these joints, or their partners in the mirror image,
    follow x_i from its beginning to its end within 0.03 rad.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the motion was not played to its end."""
        found = stretch(record, str(parameters["motion"]), facts)
        if isinstance(found, str):
            return found
        motion = record.robot.motions[str(parameters["motion"])]
        if found.progress < WHOLE * motion.duration:
            return f"only {found.progress:.2f} s of {motion.duration:.2f} s of '{motion.name}' were played"
        return ""


def stretch(record: Record, name: str, facts: dict[str, object]) -> Playing | str:
    """The longest stretch in which a motion was played, or why there is none."""
    if name not in record.robot.motions:
        return f"the robot has no motion '{name}'"
    found = played(record, record.robot.motions[name])
    if found is None:
        return f"'{name}' was played at no time"
    facts.update(played=(found.end - found.begin) * record.dt, progress=found.progress)
    return found
