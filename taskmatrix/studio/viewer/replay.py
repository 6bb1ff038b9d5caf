"""A recording in the browser, or two side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict

import orjson

from taskmatrix.core.base.clock import RealClock
from taskmatrix.session.live.frames import TREE, Frame, kind_of

from ..recording import Recording, compare, differences, summary
from .server import Server
from .side_by_side import Beside, Shown
from .timeline import Timeline, decoded
from .viewer import Run


def replayed(recording: Recording) -> Run:
    """A recording as what is served."""
    timeline = Timeline()
    for number, (time, event_kind) in enumerate(zip(recording.times, recording.kinds, strict=True)):
        body, kind = recording.raw(number), kind_of(event_kind)
        source = decoded(body)["source"] if kind == TREE else ""
        timeline.add(Frame(kind, float(time), source, body))
    told = {"header": recording.header, "behaviors": [], "objects": [], "joints": list(recording.joints)}
    last = [event["data"].get("samples") for event in recording.events("plan")][-1:]
    return Run(timeline, {**told, "samples": (last and last[0]) or []})  # of the last plan: what to plot at first


def beside(first: Recording, second: Recording) -> Beside:
    """A second recording as what is served beside the first."""
    found = compare(first, second)
    rows = [asdict(each) for each in differences(found)]
    told = orjson.dumps({"names": found.names, "same": found.same, "summary": summary(found), "rows": rows})
    return Beside(Shown(replayed(second), second.scene_gz), told)


async def serve(
    recording: Recording, host: str, port: int, tell: Callable[[str], None], other: Recording | None = None
) -> None:
    """Serve a recording, or two side by side, until the task is cancelled.

    Args:
        recording: What is shown.
        host: Where to listen.
        port: Where to listen; any that is free if it is 0.
        tell: Called with the address once it serves.
        other: What is shown beside it, if anything.

    Raises:
        TaskMatrixError: It cannot listen there.
    """
    second = None if other is None else beside(recording, other)
    server = Server(replayed(recording), recording.scene_gz, RealClock().now, host, port, beside=second)
    tell(await server.start())
    try:
        await asyncio.Event().wait()
    finally:
        await server.close()
