"""Physics by MuJoCo, an extra, which has wheels for every Python."""

from .plant import MujocoPlant

__all__ = ["MujocoPlant"]
