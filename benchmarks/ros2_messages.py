"""Messages of ROS 2, byte by byte, as CDR puts them on the wire: those of ``ros2_robot.py``."""

from __future__ import annotations

import struct
from collections.abc import Sequence


class Writer:
    """Puts CDR together, little-endian."""

    def __init__(self) -> None:
        self.data = bytearray()

    def align(self, size: int) -> None:
        """Pad to a multiple of a size."""
        self.data += b"\0" * (-len(self.data) % size)

    def u32(self, *values: int) -> Writer:
        """Whole numbers of four bytes."""
        self.align(4)
        self.data += struct.pack(f"<{len(values)}I", *values)
        return self

    def f64(self, *values: float) -> Writer:
        """Numbers of eight bytes."""
        if values:
            self.align(8)
        self.data += struct.pack(f"<{len(values)}d", *values)
        return self

    def floats(self, values: Sequence[float]) -> Writer:
        """A sequence of numbers."""
        return self.u32(len(values)).f64(*values)

    def text(self, value: str) -> Writer:
        """A text, which ends with a zero byte."""
        raw = value.encode() + b"\0"
        self.u32(len(raw))
        self.data += raw
        return self

    def header(self, stamp: float, frame: str) -> Writer:
        """A stamp [s] and a frame."""
        return self.u32(int(stamp), int((stamp - int(stamp)) * 1e9)).text(frame)

    def done(self) -> bytes:
        """The whole message."""
        return b"\0\1\0\0" + bytes(self.data)


class Reader:
    """Takes CDR apart, little-endian."""

    def __init__(self, data: bytes) -> None:
        assert data[:2] == b"\0\1", data[:4]
        self.data, self.at = data[4:], 0

    def u32(self) -> int:
        """A whole number of four bytes."""
        self.at += -self.at % 4
        (value,) = struct.unpack_from("<I", self.data, self.at)
        self.at += 4
        return int(value)

    def f64(self, count: int = 1) -> list[float]:
        """Numbers of eight bytes."""
        if not count:
            return []
        self.at += -self.at % 8
        values = struct.unpack_from(f"<{count}d", self.data, self.at)
        self.at += 8 * count
        return list(values)

    def floats(self) -> list[float]:
        """A sequence of numbers."""
        return self.f64(self.u32())

    def text(self) -> str:
        """A text."""
        size = self.u32()
        value = self.data[self.at : self.at + size - 1].decode()
        self.at += size
        return value

    def header(self) -> tuple[float, str]:
        """A stamp [s] and a frame."""
        seconds, nanoseconds = self.u32(), self.u32()
        return seconds + nanoseconds * 1e-9, self.text()
