from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.session.live.messages import LARGEST, MalformedError, parse

GOOD: list[dict[str, Any]] = [
    {"type": "seek", "time": 1.5},
    {"type": "live"},
    {"type": "play", "speed": 2},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "step"},
    {"type": "step-transition"},
    {"type": "speed", "value": 0.5},
    {"type": "speed", "value": None},
    {"type": "break", "on": "message", "what": "planning-ended", "enabled": True},
    {"type": "break", "on": "failure", "what": "", "enabled": False},
    {"type": "start", "behavior": "pickup", "parameters": {"object": "cup", "duration": 4, "x": None, "y": True}},
    {"type": "move", "object": "cup", "position": [0, 1.5, -2]},
    {"type": "stop"},
    {"type": "again", "from": "start"},
    {"type": "set", "where": "pickup/reach", "name": "object", "value": "cup"},
    {"type": "set", "where": "player", "name": "frequency", "value": None},
    {"type": "unset", "where": "player", "name": "frequency"},
    {"type": "series", "joints": ["a", "b"], "from": 0, "to": 10.0},
]
BAD: list[tuple[str, str]] = [
    ("", "no JSON"),
    ("{", "no JSON"),
    ("[" * 30_000, "no JSON"),
    ('{"type": "seek", "time": NaN}', "no JSON"),
    ('{"type": "seek", "time": Infinity}', "no JSON"),
    ('{"type": "stop", "type": "live"}', "twice"),
    ('{"type": "seek", "time": 1e999}', "from 0 to"),
    ('{"type": "seek", "time": -1}', "from 0 to"),
    ('{"type": "seek", "time": "1"}', "has to be a number"),
    ('{"type": "seek", "time": true}', "has to be a number"),
    ('{"type": "seek", "time": 1' + "0" * 5000 + "}", "no JSON"),
    ('{"type": "seek", "time": 1' + "0" * 400 + "}", "from 0 to"),
    ('{"type": "seek"}', "needs 'time'"),
    ('{"type": "stop", "code": "import os"}', "has no 'code'"),
    ('{"type": "eval", "code": "import os"}', "no message of type 'eval'"),
    ('{"type": "__class__"}', "no message of type"),
    ('{"type": ["seek"]}', "no message of type"),
    ('{"type": "set", "where": "a", "name": "b", "value": [1]}', "no text, number or truth value"),
    ('{"type": "unset", "where": "a"}', "needs 'name'"),
    ("{}", "no message of type"),
    ("[]", "a message is an object"),
    ("null", "a message is an object"),
    ('"stop"', "a message is an object"),
    ('{"type": "break", "on": "moon", "what": "", "enabled": true}', "one of state, message"),
    ('{"type": "break", "on": ["state"], "what": "", "enabled": true}', "one of state, message"),
    ('{"type": "break", "on": "state", "what": "a\\nb", "enabled": true}', "printable"),
    ('{"type": "break", "on": "state", "what": "", "enabled": 1}', "true or false"),
    ('{"type": "move", "object": "cup", "position": [1, 2]}', "three numbers"),
    ('{"type": "move", "object": "cup", "position": [1, 2, 1000]}', "from -100 to 100"),
    ('{"type": "move", "object": "cup", "position": [1, 2, "3"]}', "has to be a number"),
    ('{"type": "start", "behavior": "pickup", "parameters": {"a": [1]}}', "no text, number or truth value"),
    ('{"type": "start", "behavior": "pickup", "parameters": {"a": {}}}', "no text, number or truth value"),
    ('{"type": "start", "behavior": "pickup", "parameters": {"a": 10000000000}}', "too large"),
    ('{"type": "start", "behavior": "pickup", "parameters": {"a": 1e999}}', "no text, number"),
    ('{"type": "start", "behavior": "pickup", "parameters": []}', "object with at most"),
    ('{"type": "series", "joints": "a", "from": 0, "to": 1}', "list of at most"),
    (json.dumps({"type": "series", "joints": ["a"] * 101, "from": 0, "to": 1}), "list of at most"),
    (json.dumps({"type": "break", "on": "state", "what": "x" * 1001, "enabled": True}), "at most 1000"),
    (json.dumps({"type": "break", "on": "state", "what": "x" * LARGEST, "enabled": True}), "larger than"),
]


@pytest.mark.parametrize("message", GOOD, ids=lambda message: str(message["type"]))
def test_what_a_page_says(message: dict[str, Any]) -> None:
    """It comes back as it was."""
    assert parse(json.dumps(message)) == message


@pytest.mark.parametrize(("text", "words"), BAD, ids=[words + str(number) for number, (_, words) in enumerate(BAD)])
def test_what_no_page_says(text: str, words: str) -> None:
    """Refused with a word that says what is wrong, short and without anything that a terminal would take for more."""
    with pytest.raises(MalformedError, match=words) as error:
        parse(text)
    assert len(str(error.value)) < 300
    assert set(str(error.value)) <= set(string.printable) - set("\r\n\x0b\x0c")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["type", "time", "what"]), inner),
)


@settings(max_examples=60)
@given(
    JSON
    | st.text()
    | st.fixed_dictionaries({"type": st.sampled_from([m["type"] for m in GOOD])}).flatmap(
        lambda message: st.dictionaries(st.sampled_from(["time", "speed", "value", "on", "what"]), JSON).map(
            lambda more: message | more
        )
    )
)
def test_nothing_gets_through_that_is_not_allowed(value: object) -> None:
    """Whatever comes: a checked message, or the one error."""
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        message = parse(text)
    except MalformedError:
        return
    assert parse(json.dumps(message)) == message
