"""From a bare URDF to a proposed adapter: limbs, hands, view, stance and pairs, each with its evidence."""

from __future__ import annotations

from .proposal import Proposal as Proposal
from .proposal import propose as propose
from .writing import write as write

__all__ = ["Proposal", "propose", "write"]
