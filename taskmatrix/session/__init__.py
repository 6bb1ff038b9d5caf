"""Sessions: a robot, a plant and a perception put together, ready to run task programs."""

from .session import Session as Session
from .session import simulate as simulate
from .settings import RunSettings as RunSettings

__all__ = ["RunSettings", "Session", "simulate"]
