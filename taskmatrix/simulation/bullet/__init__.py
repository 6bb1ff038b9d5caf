"""Physics by PyBullet."""

from .plant import BulletPlant

__all__ = ["BulletPlant"]
