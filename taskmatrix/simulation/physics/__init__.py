"""Physics, whatever the engine: motors with limits, hands that hold by friction, and what a plant makes of them."""

from .plant import PhysicsPlant
from .presets import PRESETS, Physics

__all__ = ["PRESETS", "Physics", "PhysicsPlant"]
