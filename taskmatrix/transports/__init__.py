"""Transports: middleware that carries the words of remote components between processes."""

from .zenoh_transport import Zenoh as Zenoh

__all__ = ["Zenoh"]
