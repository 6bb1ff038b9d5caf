"""The words of an event: one line of text and how much it matters, the same wherever events are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from taskmatrix.core.base.failure import Failure, readable

Facts = Mapping[str, Any]
GOAL_MESSAGES = ("goal-achieved", "goal-failed")  # one every control step
_LEVELS = {"task-successful": "success", "task-failed": "failure", "task-failed-to-start": "failure"}
_LEVELS |= {"force-quit": "warning", "goal-achieved": "success", "goal-failed": "quiet"}


class EventText(NamedTuple):
    """An event in words."""

    text: str
    """One line, without time and source."""
    level: str
    """``quiet`` (a detail), ``info``, ``change`` (of what runs), ``plan``, ``success``, ``warning`` or ``failure``."""


class RepeatFilter:
    """Says which messages are new: a task that is recurrent says in every step whether its goal is achieved."""

    def __init__(self) -> None:
        self._faced: dict[str, str] = {}

    def __call__(self, kind: str, source: str, data: Facts) -> bool:
        """Whether an event tells something else than the last of its source; only goal messages repeat themselves."""
        if kind != "message":
            if kind == "run":
                self._faced.clear()
            return True
        message = str(data.get("message"))
        if message not in GOAL_MESSAGES:
            if message == "task-complete":
                self._faced.pop(source, None)
            return True
        if self._faced.get(source) == message:
            return False
        self._faced[source] = message
        return True


def event_text(kind: str, data: Facts) -> EventText:
    """An event in words.

    Args:
        kind: Of the event.
        data: Its facts: as they are emitted, or as they were read from a recording. What is missing is left out.

    Example:
        >>> event_text("transition", {"trigger": "reach task-successful", "start": ["grasp"], "stop": []})
        EventText(text='on reach task-successful: start grasp', level='change')
    """
    return _TEXTS.get(kind, _other)(data)


def explained(failure: object) -> str:
    """A failure, or what it is as plain data, as one readable paragraph."""
    if failure is None:
        return "failed"
    return (failure if isinstance(failure, Failure) else Failure.from_dict(failure)).explain()


def _message(data: Facts) -> EventText:
    message = str(data.get("message", ""))
    text = message
    if message == "parameter-set":
        text = f"{message}  {readable({key: value for key, value in data.items() if key != 'message'})}"
    return EventText(text, _LEVELS.get(message, "info"))


def _transition(data: Facts) -> EventText:
    changes = [f"{verb} {', '.join(data[verb])}" for verb in ("start", "stop") if data.get(verb)]
    return EventText(f"on {data.get('trigger', '')}: {'; '.join(changes)}", "change")


def _planning(data: Facts) -> EventText:
    return EventText(f"planner: {_work(data)}", "quiet")


def _plan(data: Facts) -> EventText:
    text = f"planned a motion of {readable(data.get('duration'))} s"
    if data.get("stretched"):
        text += ", stretched to the velocity limits"
    if data.get("narrow"):
        text += ", close to what is in the way"
    told = ("duration", "stretched", "narrow", "samples")
    work = _work({key: value for key, value in data.items() if key not in told})
    return EventText(f"{text}; {work}" if work else text, "plan")


def _motion(data: Facts) -> EventText:
    text = f"a motion with a period of {readable(data.get('period'))} s"
    return EventText(text + (", stretched to the velocity limits" if data.get("stretched") else ""), "plan")


def _blocked(data: Facts) -> EventText:
    return EventText(f"held: {explained(data.get('failure'))}", "warning")


def _reflex(data: Facts) -> EventText:
    pair = " and ".join(data.get("pair", ()))
    if data.get("did") == "veto":
        near = "" if data.get("distance") is None else f", {1e3 * data['distance']:.1f} mm apart"
        return EventText(f"veto: {pair} would come too near{near}", "warning")
    return EventText("back at the safe pose" if data.get("did") == "back" else "stuck on the way back", "change")


def _solid(data: Facts) -> EventText:
    ignored = "count again" if data.get("solid") else "are ignored"
    return EventText(f"collisions with {data.get('object')} {ignored}", "change")


def _object(data: Facts) -> EventText:
    return EventText(f"{(data.get('object') or {}).get('id')} is perceived for the first time", "change")


def _distances(data: Facts) -> EventText:
    distances = data.get("distances", ())
    nearest = f", the nearest at {1e3 * min(distances):.1f} mm" if len(distances) else ""
    return EventText(f"{len(distances)} pairs are near{nearest}", "quiet")


def _failure(data: Facts) -> EventText:
    return EventText(explained(data.get("failure")), "warning" if data.get("optional") else "failure")


def _recovery(data: Facts) -> EventText:
    return EventText(f"recovered from: {explained(data.get('failure'))}", "warning")


def _replan(data: Facts) -> EventText:
    return EventText(f"plans anew: {explained(data.get('cause'))}", "warning")


def _wait(data: Facts) -> EventText:
    return EventText(f"waits for '{data.get('object')}', which moves: {explained(data.get('cause'))}", "warning")


def _overrun(data: Facts) -> EventText:
    return EventText(f"control step late by {readable(data.get('late'))} s", "warning")


def _grant(data: Facts) -> EventText:
    shared = cast(Mapping[str, Any], data.get("shared") or {})
    told = "".join(f"; {chain} shared with {readable(others)}" for chain, others in shared.items())
    return EventText(f"gets {readable(data.get('chains'))}{told}", "quiet")


def _release(data: Facts) -> EventText:
    return EventText(f"gives back {readable(data.get('chains'))}", "quiet")


def _condition(data: Facts) -> EventText:
    holds = bool(data.get("holds"))
    text = f"{data.get('role', 'condition')} {data.get('condition', '')} {'holds' if holds else 'does not hold'}"
    why = f": {data['why']}" if data.get("why") and not holds else ""
    return EventText(text + why, "quiet" if holds or data.get("role") in ("guard", "monitor") else "info")


def _parameters(data: Facts) -> EventText:
    return EventText(f"with {readable(data.get('values'))}", "quiet")


def _program(data: Facts) -> EventText:
    given = data.get("parameters")
    return EventText(f"{data.get('behavior', '')}({readable(given) if given else ''})", "info")


def _run(data: Facts) -> EventText:
    return EventText(f"the run begins, seed {data.get('seed')}, control step {readable(data.get('dt'))} s", "info")


def _outcome(data: Facts) -> EventText:
    if data.get("success"):
        return EventText("success", "success")
    return EventText(f"failure: {explained(data.get('failure'))}", "failure")


def _tree(data: Facts) -> EventText:
    names = [str(node["name"] if isinstance(node, Mapping) else node.name) for node in data.get("nodes", ())]
    return EventText(f"active: {', '.join(names) or 'nothing'}", "quiet")


def _contest(data: Facts) -> EventText:
    text = f"{data.get('modulation')}: {data.get('obeyed')} is obeyed, {data.get('refused')} is not"
    return EventText(text, "warning")


def _schedule(data: Facts) -> EventText:
    problems = data.get("problems") or ()
    return EventText("; ".join(map(str, problems)) or "the frequencies can be kept", "warning" if problems else "quiet")


def _load(data: Facts) -> EventText:
    return EventText(f"measured {len(data.get('components') or ())} components", "quiet")


def _remote(data: Facts) -> EventText:
    facts = readable({key: value for key, value in data.items() if key != "what"})
    return EventText(f"{data.get('what', '')}  {facts}", "warning" if data.get("problem") else "info")


def _hand(verb: str, level: str) -> Callable[[Facts], EventText]:
    return lambda data: EventText(f"{verb}: {readable(data)}", level)


def _map(data: Facts) -> EventText:
    return EventText(f"{len(data.get('cells', ()))} cells of {readable(data.get('size'))} m occupied", "quiet")


def _moved(data: Facts) -> EventText:
    pose = data.get("X_WO")
    place = "" if pose is None else f" to {readable([row[3] for row in pose][:3])} m"
    return EventText(f"{data.get('object')} is moved{place}", "change")


def _adjusted(data: Facts) -> EventText:
    value, by = readable(data.get("value")), data.get("by")
    return EventText(f"{data.get('name')} is {f'set to {value} by {by}' if by else f'{value} again'}", "change")


def _other(data: Facts) -> EventText:
    return EventText(readable(data), "quiet")


def _work(data: Facts) -> str:
    return ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in data.items())


_TEXTS: dict[str, Callable[[Facts], EventText]] = {
    "message": _message,
    "transition": _transition,
    "planning": _planning,
    "plan": _plan,
    "motion": _motion,
    "blocked": _blocked,
    "reflex": _reflex,
    "distances": _distances,
    "solid": _solid,
    "object": _object,
    "failure": _failure,
    "recovery": _recovery,
    "replan": _replan,
    "wait": _wait,
    "overrun": _overrun,
    "grant": _grant,
    "release": _release,
    "condition": _condition,
    "parameters": _parameters,
    "program": _program,
    "run": _run,
    "outcome": _outcome,
    "tree": _tree,
    "contest": _contest,
    "schedule": _schedule,
    "load": _load,
    "remote": _remote,
    "attach": _hand("holds", "change"),
    "detach": _hand("lets go", "change"),
    "slip": _hand("slips", "warning"),
    "lost": _hand("lost", "warning"),
    "map": _map,
    "moved": _moved,
    "adjusted": _adjusted,
}
