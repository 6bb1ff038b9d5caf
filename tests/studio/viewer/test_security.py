from __future__ import annotations

import socket

import pytest

from taskmatrix.studio.viewer.security import COOKIE, Allowance, Security, headers, is_loopback


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False), ("lab.local", False)],
)
def test_who_can_reach_a_server(host: str, loopback: bool) -> None:
    """Only with a loopback address nobody but this machine; else there is a token."""
    assert is_loopback(host) is loopback
    assert bool(Security(host).token) is not loopback


def test_every_server_has_another_token() -> None:
    """Long enough not to be guessed."""
    tokens = {Security("0.0.0.0").token for _ in range(10)}
    assert len(tokens) == 10
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize("host", ["127.0.0.1:80", "localhost:80", "localhost", "[::1]:80", "LOCALHOST:80"])
def test_names_of_this_machine_are_fine(host: str) -> None:
    """With any port: it is not always ours that the browser sees."""
    assert Security("127.0.0.1").wrong_host(host) == ""


@pytest.mark.parametrize("host", ["evil.example:80", "", "localhost.evil.example", "192.168.1.5:80", "[::2]"])
def test_names_that_were_made_to_lead_here_are_refused(host: str) -> None:
    """DNS rebinding."""
    assert Security("127.0.0.1").wrong_host(host) == "host"


def test_a_server_for_others_answers_to_addresses_and_its_own_names() -> None:
    """And to no other name."""
    security = Security("0.0.0.0")
    for host in ("192.168.1.5:80", "10.0.0.1", "[fe80::1]:80", f"{socket.gethostname()}:80", "localhost:80"):
        assert security.wrong_host(host) == ""
    assert security.wrong_host("evil.example:80") == "host"
    assert Security("lab.local").wrong_host("lab.local:80") == ""


@pytest.mark.parametrize(
    "origin",
    [None, "", "null", "http://evil.example", "https://127.0.0.1:80", "http://127.0.0.1:81", "http://127.0.0.1"],
)
def test_other_origins_are_refused(origin: str | None) -> None:
    """Another port is another page, too."""
    assert Security("127.0.0.1").wrong_origin(origin, "127.0.0.1:80") == "origin"
    assert Security("127.0.0.1").wrong_origin("http://127.0.0.1:80", "127.0.0.1:80") == ""


def test_the_token_is_in_the_cookie_or_in_the_address() -> None:
    """Anything else is refused, whatever it is."""
    security = Security("0.0.0.0", "secret")
    assert security.wrong_token({COOKIE: "secret"}, {}) == ""
    assert security.wrong_token({}, {"token": "secret"}) == ""
    for wrong in ("", "Secret", "secret ", "\udcff", "é"):
        assert security.wrong_token({}, {"token": wrong}) == "token"
        assert security.wrong_token({COOKIE: wrong}, {}) == "token"
    assert Security("127.0.0.1").wrong_token({}, {}) == ""


def test_what_every_answer_says() -> None:
    """Scripts and styles from here only, nothing inline, nothing in a frame."""
    told = headers("127.0.0.1:80")
    policy = told["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "ws://127.0.0.1:80" in policy
    assert "frame-ancestors 'none'" in policy
    assert "frame-src" not in policy
    assert told["X-Content-Type-Options"] == "nosniff"
    framed = headers("127.0.0.1:80", framed=True)
    assert framed["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert framed["X-Frame-Options"] == "SAMEORIGIN"


def test_an_allowance_fills_up_again() -> None:
    """So many at once, and so many a second."""
    time = [0.0]
    allowance = Allowance(10.0, 5.0, lambda: time[0])
    assert [allowance.take() for _ in range(7)] == [True] * 5 + [False] * 2
    time[0] = 0.25
    assert [allowance.take() for _ in range(3)] == [True, True, False]
    time[0] = 100.0
    assert [allowance.take() for _ in range(6)] == [True] * 5 + [False]
