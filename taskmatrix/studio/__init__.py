"""The studio: command line, sessions, recordings and pictures; where all rooms are put together."""

from .session import Session as Session
from .session import simulate as simulate

__all__ = ["Session", "simulate"]
