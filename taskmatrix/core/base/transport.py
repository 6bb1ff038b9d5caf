"""What carries words between processes: all that remote components ask of a middleware."""

from __future__ import annotations

from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Inbox(Protocol[T_co]):
    """Where things wait that have arrived; the oldest are lost where too many wait."""

    def take(self) -> T_co | None:
        """The next one, or None; never waits."""
        ...

    def close(self) -> None:
        """Let nothing more arrive."""
        ...


class Request(Protocol):
    """A question that has arrived."""

    @property
    def data(self) -> bytes:
        """The content of the request."""
        ...

    def reply(self, data: bytes) -> None:
        """Answer the request; it takes one answer."""
        ...


class Transport(Protocol):
    """Carries bytes between processes, by addresses such as ``player-1/ask``.

    Nothing is called back: what arrives waits in an inbox until somebody asks for it, so that it is dealt with in the
    thread and at the place of the cycle where that is.
    """

    @property
    def identity(self) -> str:
        """Of this process among all; that of a process which comes back is another one."""
        ...

    def publish(self, address: str, data: bytes) -> None:
        """Send to all who listen, without waiting: what cannot be sent at once is lost."""
        ...

    def listen(self, address: str, depth: int = 1) -> Inbox[bytes]:
        """Get what is published, and keep the last ``depth`` of it."""
        ...

    def ask(self, address: str, data: bytes, timeout: float) -> bytes | None:
        """Send a question to who answers at an address, and wait.

        Args:
            address: Where.
            data: What is asked.
            timeout: [s] To wait at most.

        Returns:
            The answer, or None where nobody answers at this address.

        Raises:
            TimeoutError: Somebody does, but has not within the time.
        """
        ...

    def answer(self, address: str, depth: int) -> Inbox[Request]:
        """Get what is asked, and keep the last ``depth`` of it."""
        ...

    def close(self) -> None:
        """Stop all publishing, listening and answering."""
        ...
