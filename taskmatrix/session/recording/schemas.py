"""What the messages of a recording look like, as JSON Schema, for programs that know nothing of events."""

from __future__ import annotations

from collections.abc import Mapping

from .encode import dumps

NUMBER, TEXT, TRUTH = {"type": "number"}, {"type": "string"}, {"type": "boolean"}
NUMBERS = {"type": "array", "items": NUMBER}
ROWS = {"type": "array", "items": NUMBERS}
TEXTS = {"type": "array", "items": TEXT}
ANY: Mapping[str, object] = {"type": "object"}

DATA: Mapping[str, Mapping[str, object]] = {
    "condition": {"role": TEXT, "condition": TEXT, "holds": TRUTH, "why": TEXT, "values": ANY},
    "failure": {"failure": ANY, "optional": TRUTH},
    "grant": {"chains": TEXTS},
    "map": {"size": NUMBER, "boxes": ROWS},
    "message": {"message": TEXT},
    "object": {"object": ANY, "meshes": {"type": "array", "items": ANY}},
    "outcome": {"success": TRUTH},
    "parameters": {"values": ANY},
    "plan": {"duration": NUMBER, "stretched": TRUTH, "samples": ROWS},
    "program": {"behavior": TEXT, "parameters": ANY},
    "release": {"chains": TEXTS},
    "run": {"seed": {"type": "integer"}, "dt": NUMBER},
    "step": {
        "q": NUMBERS,
        "v": NUMBERS,
        "commanded": NUMBERS,
        "poses": {"type": "object", "additionalProperties": ROWS},
        "held": {"type": "object", "additionalProperties": TEXT},
        "velocities": {"type": "object", "additionalProperties": NUMBERS},
        "felt": ANY,
        "impedance": ANY,
    },
    "transition": {"trigger": TEXT, "start": TEXTS, "stop": TEXTS},
}
"""By kind of event; of others nothing is said about what their data is."""


def schema(kind: str) -> bytes:
    """The JSON Schema of the events of a kind."""
    properties = {
        "time": {**NUMBER, "description": "[s] on the clock of the run"},
        "step": {"type": "integer", "description": "number of the control step"},
        "kind": {**TEXT, "const": kind},
        "source": {**TEXT, "description": "path of the behavior, or name of the part, that tells it"},
        "data": {"type": "object", "properties": DATA.get(kind, {})},
    }
    return dumps({"title": kind, "type": "object", "properties": properties, "required": list(properties)})
