"""Whether a robot does what the library asks of one, and what it is able to."""

from .finding import Finding as Finding

__all__ = ["Finding"]
