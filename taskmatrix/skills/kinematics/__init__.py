"""Forward and inverse kinematics, and where the view goes."""
