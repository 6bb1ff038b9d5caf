"""Plain data as bytes and back: numbers, text, lists, mappings and arrays, and nothing that could run code.

A message is the version, the length of a text, the text as JSON, and the elements of its arrays one after the other::

    tm1 | length, 4 bytes | {"ball": {"$array": ["<f8", [2]]}, ...} | elements

Tuples and arrays are marked in the text by names that begin with ``$``, which no mapping of a user may have.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import TaskMatrixError

VERSION = b"tm1 "
LARGEST = 1 << 20  # [B] of a message that is read or sent
DEEPEST = 64  # levels of lists and mappings
LONGEST = 1024  # [bit] of an integer
_LENGTH = struct.Struct("<I")
_KINDS = "biuf"  # of arrays: truth values, integers and floats


class WireError(TaskMatrixError, ValueError):
    """What cannot be sent, or cannot be read."""


def is_plain(value: object) -> bool:
    """Whether a value can be sent."""
    try:
        _written(value, [], 0)
    except WireError:
        return False
    return True


def encode(value: object) -> bytes:
    """Write a value as bytes; raises WireError where it is not plain data, or too large."""
    arrays: list[bytes] = []
    text = json.dumps(_written(value, arrays, 0), separators=(",", ":")).encode()
    data = b"".join([VERSION, _LENGTH.pack(len(text)), text, *arrays])
    if len(data) > LARGEST:
        raise WireError(f"a message has {LARGEST} bytes at most, not {len(data)}")
    return data


def decode(data: bytes) -> Any:
    """Read a value from bytes; raises WireError where it is not what :func:`encode` writes, whatever else it is."""
    if len(data) > LARGEST:
        raise WireError(f"a message has {LARGEST} bytes at most, not {len(data)}")
    if not data.startswith(VERSION):
        theirs = data[: len(VERSION)]
        if theirs[:2] == VERSION[:2]:
            raise WireError(f"it speaks version {_shown(theirs)}, not {_shown(VERSION)}")
        raise WireError(f"it is no message: it begins with {theirs!r}")
    start = len(VERSION) + _LENGTH.size
    if len(data) < start:
        raise WireError("it is cut off")
    end = start + _LENGTH.unpack_from(data, len(VERSION))[0]
    if len(data) < end:
        raise WireError("it is cut off")
    reader = _Elements(memoryview(data)[end:])
    try:
        value = reader.read(json.loads(data[start:end]), 0)
    except (ValueError, RecursionError) as error:  # a WireError is a ValueError
        raise error if isinstance(error, WireError) else WireError(f"it is no JSON: {error}") from None
    if reader.left:
        raise WireError(f"{reader.left} bytes are left over")
    return value


def _written(value: object, arrays: list[bytes], depth: int) -> object:
    """The value as JSON knows it; the elements of arrays are put behind each other."""
    if depth > DEEPEST:
        raise WireError(f"what is sent is {DEEPEST} levels deep at most")
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int) and value.bit_length() > LONGEST:
        raise WireError(f"an integer that is sent has {LONGEST} bits at most, not {value.bit_length()}")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in _KINDS:
            raise WireError(f"an array of {value.dtype} cannot be sent; numbers and truth values can")
        arrays.append(value.tobytes())
        return {"$array": [value.dtype.str, list(value.shape)]}
    if isinstance(value, (list, tuple)):
        written = [_written(item, arrays, depth + 1) for item in value]
        return written if isinstance(value, list) else {"$tuple": written}
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or key.startswith("$"):
                raise WireError(f"names in a mapping that is sent are strings that do not begin with '$', not {key!r}")
        return {key: _written(item, arrays, depth + 1) for key, item in value.items()}
    raise WireError(f"{type(value).__name__} cannot be sent: numbers, strings, lists, mappings and arrays can")


class _Elements:
    """Reads values, and takes the elements of their arrays from what follows the text."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """[B] How much of the data has not been read yet."""
        return len(self._data) - self._at

    def read(self, value: object, depth: int) -> object:
        """A value as it was before it was written."""
        if depth > DEEPEST:
            raise WireError(f"it is more than {DEEPEST} levels deep")
        if isinstance(value, list):
            return [self.read(item, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        if "$array" in value:
            return self._array(value["$array"])
        if "$tuple" in value:
            if not isinstance(value["$tuple"], list):
                raise WireError("a tuple in it is none")
            return tuple(self.read(item, depth + 1) for item in value["$tuple"])
        return {key: self.read(item, depth + 1) for key, item in value.items()}

    def _array(self, described: object) -> np.ndarray[Any, Any]:
        wrong = WireError(f"an array in it is none: {described!r:.100}")
        if not (isinstance(described, list) and len(described) == 2 and isinstance(described[0], str)):
            raise wrong
        name, shape = described
        if not isinstance(shape, list) or len(shape) > 8:
            raise wrong
        if any(type(size) is not int or not 0 <= size <= LARGEST for size in shape):
            raise wrong
        try:
            dtype = np.dtype(name)
        except (TypeError, ValueError, SyntaxError, DeprecationWarning):
            raise wrong from None
        if dtype.kind not in _KINDS or dtype.shape or dtype.names:
            raise wrong
        count = math.prod(shape)
        if count * dtype.itemsize > self.left:
            raise WireError("it is cut off")
        array = np.frombuffer(self._data, dtype, count, self._at) if count else np.empty(0, dtype)
        self._at += count * dtype.itemsize
        return array.reshape(shape).copy()


def _shown(version: bytes) -> str:
    return version.decode("ascii", "replace").removeprefix("tm").strip()
