"""Kinematics of chains, and their inverse."""
