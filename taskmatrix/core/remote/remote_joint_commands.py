"""Joint commands from another process."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from ..base.errors import ParameterError, not_found
from ..base.failure import Failure, FailureKind
from ..base.transport import Inbox, Transport
from ..base.wire import WireError, decode, encode
from ..robot.joint_commands import JointFeedback, JointTarget

DEPTH = 256  # targets that wait; the oldest are lost


class RemoteJointCommands:
    """Sends joint targets to a behavior ``FollowCommands`` of another process; nothing waits for an answer.

    Args:
        transport: Leads to the other process.
        at: The name at which the behavior listens.
    """

    def __init__(self, transport: Transport, at: str) -> None:
        self._transport, self._at = transport, at
        self._told: Inbox[bytes] = transport.listen(f"{at}/joints/out")
        self._feedback: JointFeedback | None = None

    def send(self, positions: Mapping[str, float] | None = None, velocities: Mapping[str, float] | None = None) -> None:
        """Send a target; raises ParameterError as :class:`JointTarget` does. What the robot lacks it refuses."""
        target = JointTarget(positions or {}, velocities or {})
        told = {
            name: {joint: float(value) for joint, value in vars(target)[name].items()}
            for name in ("positions", "velocities")
        }
        self._transport.publish(f"{self._at}/joints/in", encode(told))

    def stop(self) -> None:
        """That was all: who follows ends with success."""
        self._transport.publish(f"{self._at}/joints/in", encode({"stop": True}))

    @property
    def feedback(self) -> JointFeedback | None:
        """What was told last; None as long as nothing has arrived."""
        data = self._told.take()
        if data is not None:
            with suppress(WireError, TypeError):  # what is no feedback counts as none
                told = decode(data)
                refused = None if told["refused"] is None else Failure.from_dict(told["refused"])
                self._feedback = JointFeedback(**{**told, "refused": refused})
        return self._feedback

    def close(self) -> None:
        """Listen no more."""
        self._told.close()


class ServedJointCommands:
    """The other end: a source of the targets that arrive at a name.

    What cannot be read, or names a joint that there is not, is left out, and who sent it is told why.
    """

    def __init__(self, transport: Transport, at: str) -> None:
        self._transport, self._at = transport, at
        self._inbox: Inbox[bytes] = transport.listen(f"{at}/joints/in", DEPTH)
        self._wrong: Failure | None = None

    def __call__(self, feedback: JointFeedback) -> JointTarget | None:
        """All that has arrived since the last time, as one target."""
        target: JointTarget | None = None
        for _ in range(DEPTH):
            data = self._inbox.take()
            if data is None:
                break
            try:
                later = self._read(data, feedback)
            except (WireError, ParameterError) as error:
                self._wrong = Failure(FailureKind.PARAMETER, self._at, str(error).removesuffix("."))
                continue
            self._wrong = None
            target = later if target is None else target.then(later)
        refused = self._wrong or feedback.refused
        told = {**vars(feedback), "refused": None if refused is None else refused.to_dict()}
        self._transport.publish(f"{self._at}/joints/out", encode(told))
        return target

    def close(self) -> None:
        """Listen no more."""
        self._inbox.close()

    def _read(self, data: bytes, feedback: JointFeedback) -> JointTarget:
        told = decode(data)
        if isinstance(told, Mapping) and told.get("stop") is True:
            raise StopIteration
        if not isinstance(told, Mapping) or told.keys() != {"positions", "velocities"}:
            raise ParameterError("a target has positions and velocities")
        target = JointTarget(told["positions"], told["velocities"])
        for joint in (*target.positions, *target.velocities):
            if joint not in feedback.joints:
                raise ParameterError(not_found("joint", joint, feedback.joints))
        return target
