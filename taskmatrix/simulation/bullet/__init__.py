"""Physics by PyBullet: gravity, contact, friction, motors with limits."""

from .plant import BulletPlant
from .presets import PRESETS, Physics

__all__ = ["PRESETS", "BulletPlant", "Physics"]
