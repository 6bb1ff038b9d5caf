"""What a page may say, checked to the last field before anything is done with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from taskmatrix.core.base.errors import ParameterError

LARGEST = 64_000  # [bytes] of a message
SPEEDS = (0.05, 100.0)  # [s/s]
FAR = 100.0  # [m] from the origin, at most, along each axis
LATEST = 1e9  # [s]
TEXT, MANY = 1000, 100  # characters of a text, items of a list
BREAKS = ("state", "message", "condition", "failure")
Message = dict[str, Any]


class MalformedError(ParameterError):
    """A message that no page of ours sends."""


def parse(text: str) -> Message:
    """Read a message, with a known type and just the fields that it has, each of its type and within its bounds.

    Raises:
        MalformedError: It is anything else; the message says what, and is short whatever was sent.
    """
    if len(text.encode(errors="replace")) > LARGEST:
        raise MalformedError(f"larger than {LARGEST} bytes")
    try:
        message = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"no JSON: {_short(error)}") from None
    if not isinstance(message, dict):
        raise MalformedError(f"a message is an object, not {_short(message)}")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise MalformedError(f"no message of type {_short(kind)}; there are: {', '.join(_FIELDS)}")
    fields = _FIELDS[kind]
    wrong = message.keys() ^ {"type", *fields}
    if wrong:
        name = sorted(wrong)[0]
        raise MalformedError(f"'{kind}' {'has no' if name in message else 'needs'} {_short(name)}")
    checked: Message = {"type": kind}
    for name, check in fields.items():
        try:
            checked[name] = check(message[name])
        except MalformedError as error:
            raise MalformedError(f"'{kind}': {name} {error}") from None
    return checked


def _number(low: float, high: float) -> Callable[[object], float]:
    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise MalformedError(f"has to be a number, not {_short(value)}")
        if not low <= value <= high:
            raise MalformedError(f"has to be from {low:g} to {high:g}, not {_short(value)}")
        return float(value)

    return check


def _speed(value: object) -> float | None:
    """A speed; None and 0 are as fast as possible."""
    return None if value is None or value == 0 else _number(*SPEEDS)(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > TEXT or not value.isprintable():
        raise MalformedError(f"has to be a text of at most {TEXT} printable characters, not {_short(value)}")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise MalformedError(f"has to be true or false, not {_short(value)}")
    return value


def _one_of(*names: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise MalformedError(f"has to be one of {', '.join(names)}, not {_short(value)}")
        return value

    return check


def _place(value: object) -> list[float]:
    if not isinstance(value, list) or len(value) != 3:
        raise MalformedError(f"has to be three numbers, not {_short(value)}")
    return [_number(-FAR, FAR)(each) for each in value]


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or len(value) > MANY:
        raise MalformedError(f"has to be a list of at most {MANY} texts, not {_short(value)}")
    return [_text(each) for each in value]


def _values(value: object) -> dict[str, str | float | bool | None]:
    if not isinstance(value, Mapping) or len(value) > MANY:
        raise MalformedError(f"has to be an object with at most {MANY} values, not {_short(value)}")
    return {_text(key): _value(each) for key, each in value.items()}


def _value(value: object) -> str | float | bool | None:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int) and abs(value) > LATEST:
        raise MalformedError(f"has a value that is too large: {_short(value)}")
    if value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise MalformedError(f"has a value that is no text, number or truth value: {_short(value)}")


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _short(value: object) -> str:
    text = ascii(str(value) if isinstance(value, Exception) else value) if not isinstance(value, int) else "a number"
    return text if len(text) <= 60 else text[:60] + "..."


_FIELDS: dict[str, dict[str, Callable[[object], Any]]] = {
    "seek": {"time": _number(0.0, LATEST)},
    "live": {},
    "play": {"speed": _number(*SPEEDS)},
    "pause": {},
    "resume": {},
    "step": {},
    "step-transition": {},
    "speed": {"value": _speed},
    "break": {"on": _one_of(*BREAKS), "what": _text, "enabled": _truth},
    "start": {"behavior": _text, "parameters": _values},
    "again": {"from": _one_of("start", "stop")},
    "move": {"object": _text, "position": _place},
    "stop": {},
    "set": {"where": _text, "name": _text, "value": _value},
    "unset": {"where": _text, "name": _text},
    "series": {"joints": _texts, "from": _number(0.0, LATEST), "to": _number(0.0, LATEST)},
}
