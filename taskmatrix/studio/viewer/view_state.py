"""What a viewer shows of a run at one moment: sections that events change, one event after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from taskmatrix.session.event_text import explained

from .drawing import drawings
from .pose import placement, pose_of

Data = Mapping[str, Any]
MOST_FAILURES = 50
_PHASES = {
    "planning-started": "planning",
    "controlloop-started": "control",
    "task-failed": "failed",
    "task-failed-to-start": "failed",
    "force-quit": "stopped",
}
_GOALS = {"goal-achieved": "achieved", "goal-failed": "failed"}
_EMPTY: dict[str, Any] = {
    "program": None,
    "machine": {},
    "chains": {},
    "conditions": {},
    "parameters": {},
    "plan": None,
    "failures": [],
    "run": {"status": "idle", "outcome": None, "behavior": ""},
    "pose": None,
    "tree": {},
    "map": None,
    "objects": {},
}


class ViewState:
    """Sections of what is to be seen, each with a version: the number of the event that changed it last.

    A value is never changed, but replaced: a copy of the state is cheap, and what was handed out stays as it was.

    Attributes:
        sections: Values by name: ``pose``, ``program``, ``machine``, ``tree``, ``chains``, ``conditions``,
            ``parameters``, ``plan``, ``failures``, ``run``, ``map`` and ``objects``, those that are known since the
            scene was told. As in the protocol but for ``conditions``, ``tree`` and ``objects``, which are mappings;
            :meth:`section` gives them as lists.
        versions: By name.
        ended: By path of a behavior, the number of the event with which it ended last.
        moved: By id of an object that a person moved, the number of the last such event and the pose since then.
    """

    def __init__(self) -> None:
        self.sections: dict[str, Any] = dict(_EMPTY)
        self.versions: dict[str, int] = dict.fromkeys(_EMPTY, -1)
        self.ended: dict[str, int] = {}
        self.moved: dict[str, tuple[int, list[float]]] = {}
        self._number = -1

    def copy(self) -> ViewState:
        """The state as it is now, whatever happens next."""
        made = ViewState()
        made.sections, made.versions = dict(self.sections), dict(self.versions)
        made.ended, made.moved, made._number = self.ended, self.moved, self._number
        return made

    def section(self, name: str) -> Any:
        """The value of a section as it goes to a page."""
        value = self.sections[name]
        if name in ("conditions", "objects"):
            return list(value.values())
        if name == "tree":
            return [node for nodes in value.values() for node in nodes]
        return value

    def apply(self, number: int, event: Data) -> None:
        """Take in an event.

        Args:
            number: Of the event, in the order in which they happened.
            event: ``time`` [s], ``step``, ``kind``, ``source`` and ``data``, as decoded. What is missing in the data is
                left out; kinds that are not known change nothing.
        """
        self._number = number
        change = _CHANGES.get(event["kind"])
        if change is not None:
            change(self, event["source"], event["data"], event["time"])

    def _set(self, name: str, value: Any) -> None:
        self.sections[name] = value
        self.versions[name] = self._number

    def _program(self, source: str, data: Data, time: float) -> None:
        for name in ("machine", "conditions", "parameters", "tree"):
            self._set(name, {})
        self._set("failures", [])
        self._set("plan", None)
        told = {key: value for key, value in data.items() if key not in ("graph", "graphs")}
        self._set("program", {"name": source, **told, **drawings(data)})

    def _run(self, source: str, data: Data, time: float) -> None:
        if self.sections["program"] is None or self.sections["program"].get("name") != source:
            self._program(source, {"behavior": source}, time)
        self._set("run", {"status": "running", "outcome": None, "behavior": source})

    def _outcome(self, source: str, data: Data, time: float) -> None:
        success, failure = bool(data.get("success")), data.get("failure")
        text = "success" if success else explained(failure)
        outcome = {"success": success, "text": text, "failure": failure}
        self._set("run", {"status": "ended", "outcome": outcome, "behavior": source})
        if failure:
            self._fail(source, failure, time)
        if self.sections["plan"] is not None:
            self._set("plan", None)

    def _message(self, source: str, data: Data, time: float) -> None:
        message = data.get("message")
        machine = self.sections["machine"]
        was = machine.get(source, {"phase": "", "since": time, "runs": 0, "goal": None})
        if message in _GOALS:
            if was["goal"] != _GOALS[message]:
                self._set("machine", {**machine, source: {**was, "goal": _GOALS[message]}})
            return
        if message == "parameter-set":
            values = {key: value for key, value in data.items() if key != "message"}
            self._set_parameters(source, {**self.sections["parameters"].get(source, {}), **values})
            return
        if message == "task-complete":
            self._complete(source, was, time)
            return
        phase = _PHASES.get(str(message))
        if phase is None:
            return
        begins = message == "planning-started" or (phase == "failed" and was["phase"] not in ("planning", "control"))
        now = {**was, "phase": phase, "since": time, "runs": was["runs"] + begins}
        self._set("machine", {**machine, source: {**now, "goal": None} if begins else now})
        if phase == "failed" and data.get("failure"):
            self._fail(source, data["failure"], time)

    def _complete(self, source: str, was: Data, time: float) -> None:
        """A behavior has said its last word."""
        self.ended = {**self.ended, source: self._number}
        if was["phase"] not in ("failed", "stopped"):
            self._set("machine", {**self.sections["machine"], source: {**was, "phase": "done", "since": time}})
        if self.sections["plan"] is not None and self.sections["plan"]["source"] == source:
            self._set("plan", None)
        if source in self.sections["tree"]:
            self._set("tree", {path: nodes for path, nodes in self.sections["tree"].items() if path != source})

    def _fail(self, source: str, failure: Data, time: float) -> None:
        """Note a failure; one that is the cause of it is told by it, and does not stay on the list."""
        inside = [failure]
        while isinstance(inside[-1].get("cause"), Mapping):
            inside.append(inside[-1]["cause"])
        kept = [each for each in self.sections["failures"] if each["failure"] not in inside]
        same = next((each for each in self.sections["failures"] if each["failure"] == failure), None)
        told = {"time": time, "source": source, "text": explained(failure), "failure": failure}
        self._set("failures", [*kept, same or told][-MOST_FAILURES:])

    def _failure(self, source: str, data: Data, time: float) -> None:
        if data.get("failure"):
            self._fail(source, data["failure"], time)

    def _parameters(self, source: str, data: Data, time: float) -> None:
        self._set_parameters(source, data.get("values") or {})

    def _set_parameters(self, source: str, values: Data) -> None:
        self._set("parameters", {**self.sections["parameters"], source: values})

    def _plan(self, source: str, data: Data, time: float) -> None:
        plan = {"source": source, "samples": data.get("samples") or [], "duration": data.get("duration")}
        self._set("plan", plan)

    def _condition(self, source: str, data: Data, time: float) -> None:
        key = (source, data.get("role"), data.get("condition"))
        self._set("conditions", {**self.sections["conditions"], key: {"source": source, **data, "since": time}})

    def _grant(self, source: str, data: Data, time: float) -> None:
        shared = data.get("shared") or {}
        granted = {
            chain: {"owner": (shared.get(chain) or [source])[0], "shared": [*(shared.get(chain) or ())[1:], source]}
            if shared.get(chain)
            else {"owner": source, "shared": []}
            for chain in data.get("chains", ())
        }
        self._set("chains", {**self.sections["chains"], **granted})

    def _release(self, source: str, data: Data, time: float) -> None:
        chains = dict(self.sections["chains"])
        for chain in data.get("chains", ()):
            had = chains.get(chain, {"owner": None, "shared": []})
            left = [each for each in (had["owner"], *had["shared"]) if each not in (None, source)]
            chains[chain] = {"owner": left[0] if left else None, "shared": left[1:]}
        self._set("chains", chains)

    def _step(self, source: str, data: Data, time: float) -> None:
        pose = pose_of(data)
        later = {id: place for id, (number, place) in self.moved.items() if number > self._number}
        self.sections["pose"] = {**pose, "objects": {**pose["objects"], **later}} if later else pose
        self.versions["pose"] = max([self._number, *(number for number, _ in self.moved.values())])

    def _adjust(self, source: str, data: Data, time: float) -> None:
        values = self.sections["parameters"].get(source, {})
        if data["name"] in values:
            self._set_parameters(source, {**values, data["name"]: data["value"]})

    def _move(self, source: str, data: Data, time: float) -> None:
        id, place = data["object"], placement(data["X_WO"])
        self.moved = {**self.moved, id: (self._number, place)}
        pose = self.sections["pose"]
        if pose is not None:
            self._set("pose", {**pose, "objects": {**pose["objects"], id: place}})

    def _tree(self, source: str, data: Data, time: float) -> None:
        nodes = [{**node, "source": source} for node in data.get("nodes", ()) if isinstance(node, Mapping)]
        self._set("tree", {**self.sections["tree"], source: nodes})

    def _map(self, source: str, data: Data, time: float) -> None:
        self._set("map", data)

    def _object(self, source: str, data: Data, time: float) -> None:
        self._set("objects", {**self.sections["objects"], data["object"]["id"]: data})


_CHANGES: dict[str, Callable[[ViewState, str, Data, float], None]] = {
    "program": ViewState._program,
    "run": ViewState._run,
    "outcome": ViewState._outcome,
    "message": ViewState._message,
    "failure": ViewState._failure,
    "parameters": ViewState._parameters,
    "plan": ViewState._plan,
    "condition": ViewState._condition,
    "grant": ViewState._grant,
    "release": ViewState._release,
    "step": ViewState._step,
    "tree": ViewState._tree,
    "map": ViewState._map,
    "object": ViewState._object,
    "moved": ViewState._move,
    "adjusted": ViewState._adjust,
}
