"""A recording in the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from taskmatrix.core.clock import RealClock

from ..recording import Recording
from .frames import TREE, Frame, kind_of
from .server import Server
from .timeline import Timeline, decoded
from .viewer import Run


def replayed(recording: Recording) -> Run:
    """A recording as what is served."""
    timeline = Timeline()
    for number, (time, event_kind) in enumerate(zip(recording.times, recording.kinds, strict=True)):
        body, kind = recording.raw(number), kind_of(event_kind)
        source = decoded(body)["source"] if kind == TREE else ""
        timeline.add(Frame(kind, float(time), source, body))
    hello = {"header": recording.header, "behaviors": [], "objects": [], "joints": list(recording.joints)}
    return Run(timeline, hello)


async def serve(recording: Recording, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve a recording until the task is cancelled.

    Args:
        recording: What is shown.
        host: Where to listen.
        port: Where to listen; any that is free if it is 0.
        tell: Called with the address once it serves.

    Raises:
        TaskMatrixError: It cannot listen there.
    """
    server = Server(replayed(recording), recording.scene_gz, RealClock().now, host, port)
    tell(await server.start())
    try:
        await asyncio.Event().wait()
    finally:
        await server.close()
