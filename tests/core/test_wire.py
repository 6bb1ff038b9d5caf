"""Plain data as bytes: what goes through, and what does not."""

from __future__ import annotations

import json
import math
import pickle
import struct
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from taskmatrix.core.base.wire import DEEPEST, LARGEST, VERSION, WireError, decode, encode, is_plain

PLAIN = some.recursive(
    some.none() | some.booleans() | some.integers(-(2**70), 2**70) | some.floats(allow_nan=False) | some.text(),
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.lists(inner, max_size=3).map(tuple)
        | some.dictionaries(some.text().filter(lambda key: not key.startswith("$")), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_data_comes_back_as_it_was(value: object) -> None:
    """Numbers, text, lists, tuples and mappings, one within the other."""
    assert decode(encode(value)) == value


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64", ">f8"])
@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3), (4, 0, 2)])
def test_arrays_come_back_with_their_elements(dtype: str, shape: tuple[int, ...]) -> None:
    """With type and shape, several in a message, as arrays that may be written to."""
    array = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
    first, second = decode(encode({"a": array, "b": [array[..., None]]}))["a"], decode(encode([array.T]))[0]
    np.testing.assert_array_equal(first, array)
    np.testing.assert_array_equal(second, array.T)
    assert (first.dtype, first.shape) == (array.dtype, array.shape)
    assert first.flags.writeable


def test_numbers_of_numpy_and_infinities_are_numbers() -> None:
    """As a robot has them."""
    assert decode(encode({"a": np.float64(0.5), "b": np.int32(3), "c": np.bool_(True), "d": math.inf})) == {
        "a": 0.5,
        "b": 3,
        "c": True,
        "d": math.inf,
    }


@pytest.mark.parametrize(
    "value",
    [object(), {1: 2}, {"$array": 1}, b"bytes", {1, 2}, 1j, np.array([None]), np.array(["text"]), len, 10**5000],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_plain_is_refused(value: object) -> None:
    """Where it is sent, with its type."""
    assert not is_plain([value])
    with pytest.raises(WireError):
        encode([value])


def test_what_is_too_large_or_too_deep_is_refused_on_both_sides() -> None:
    """Before anybody reads it."""
    with pytest.raises(WireError, match=f"{LARGEST} bytes at most"):
        encode(np.zeros(LARGEST))
    with pytest.raises(WireError, match=f"{LARGEST} bytes at most"):
        decode(VERSION + bytes(LARGEST))
    deep: list[Any] = []
    for _ in range(DEEPEST + 1):
        deep = [deep]
    with pytest.raises(WireError, match="levels deep"):
        encode(deep)
    for levels in (DEEPEST + 2, 100_000):
        with pytest.raises(WireError):
            decode(message("[" * levels + "]" * levels))


def message(text: str, rest: bytes = b"", length: int | None = None) -> bytes:
    """A message with any text."""
    data = text.encode()
    return VERSION + struct.pack("<I", len(data) if length is None else length) + data + rest


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is no message"),
        (b"GET / HTTP/1.1", "it is no message"),
        (b"tm2 {}", "speaks version 2, not 1"),
        (VERSION, "cut off"),
        (message("{}", length=999), "cut off"),
        (message("{"), "no JSON"),
        (message("\udcff".encode("utf-8", "surrogateescape").decode("latin-1") + "{"), "no JSON"),
        (message("{}", b"more"), "4 bytes are left over"),
        (message("9" * 5000), "no JSON"),
        (message('{"$array":["O",[1]]}', bytes(8)), "array in it is none"),
        (message('{"$array":["<f8",[2]]}', bytes(8)), "cut off"),
        (message('{"$array":["<f8",[-1]]}', bytes(8)), "array in it is none"),
        (message('{"$array":["<f8",[99999999999,99999999999]]}'), "array in it is none"),
        (message('{"$array":["f8,f8",[1]]}', bytes(16)), "array in it is none"),
        (message('{"$array":["(2,)f8",[1]]}', bytes(16)), "array in it is none"),
        (message('{"$array":["__import__",[1]]}', bytes(8)), "array in it is none"),
        (message('{"$array":7}'), "array in it is none"),
        (message('{"$tuple":7}'), "tuple in it is none"),
        (pickle.dumps(print), "it is no message"),
    ],
)
def test_garbage_is_refused(data: bytes, words: str) -> None:
    """With a word that says what is wrong with it, and nothing else raised."""
    with pytest.raises(WireError, match=words):
        decode(data)


@given(some.binary(max_size=60), some.text(max_size=40))
def test_whatever_arrives_is_read_or_refused(rest: bytes, text: str) -> None:
    """Never anything but a WireError."""
    for data in (rest, VERSION + rest, message(text, rest), message(json.dumps({"$array": [text, [1]]}), rest)):
        with suppress(WireError):
            decode(data)
