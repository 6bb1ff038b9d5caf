"""Who may talk to the server: hosts, origins and the token."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping

COOKIE = "taskmatrix-token"
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


class Security:
    """The checks of every request.

    A page of another site can have a browser ask this server, but neither choose the header ``Host`` nor hide its own
    ``Origin``: a name that was made to lead here (DNS rebinding) is refused by the first, another page by the second.

    Args:
        host: Where the server listens.
        token: What every request has to know; one is made where others than this machine can reach the server, and none
            is needed else.

    Attributes:
        token: What every request has to know; empty if nothing.
    """

    def __init__(self, host: str, token: str | None = None) -> None:
        self._wide = not is_loopback(host)
        self._names = _LOCAL | {host} | ({socket.gethostname().lower()} if self._wide else set())
        self.token = token if token is not None else secrets.token_urlsafe(24) if self._wide else ""

    def wrong_host(self, host: str) -> str:
        """What is wrong with a header ``Host``; empty if nothing is."""
        name = _name(host)
        numeric = self._wide and _address(name) is not None
        return "" if numeric or name in self._names else "host"

    def wrong_origin(self, origin: str | None, host: str) -> str:
        """What is wrong with a header ``Origin`` of a request that could change something; empty if nothing is."""
        return "" if origin == f"http://{host}" else "origin"

    def wrong_token(self, cookies: Mapping[str, str], query: Mapping[str, str]) -> str:
        """What is wrong with what a request knows; empty if nothing is."""
        given = cookies.get(COOKIE) or query.get("token") or ""
        known = hmac.compare_digest(given.encode(errors="replace"), self.token.encode())
        return "" if known or not self.token else "token"


def headers(host: str, *, frames: bool = False, framed: bool = False) -> dict[str, str]:
    """What every answer says to the browser: nothing of others, nothing inline, nobody's frame.

    Args:
        host: The header ``Host`` of the request, checked.
        frames: Whether it is a page that has pages of this server in frames: the one of two recordings.
        framed: Whether it is a page for the frames of such a one, and of nobody else.
    """
    inside, around = "frame-src 'self'; " if frames else "", "'self'" if framed else "'none'"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
        f"{inside}frame-ancestors {around}"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN" if framed else "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


class Allowance:
    """How many messages somebody may send: so many at once, and so many a second in the long run.

    Args:
        rate: [1/s]
        burst: At once.
        now: A clock [s].
    """

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._last = burst, now()

    def take(self) -> bool:
        """Whether one more may be sent; if so, it is counted."""
        now = self._now()
        self._left = min(self._left + (now - self._last) * self._rate, self._burst)
        self._last = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


def _name(host: str) -> str:
    """The name in a header ``Host``, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
