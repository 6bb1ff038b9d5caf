"""Physics by MuJoCo, which has wheels for every Python; ``pip install "taskmatrix[mujoco]"``."""

from .plant import MujocoPlant

__all__ = ["MujocoPlant"]
